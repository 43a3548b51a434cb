import { upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { TimeSlice } from '../../../../shared/execution/timeSlice';
import type { FoundPeople } from '../../../../shared/importFile/importReport';
import { PersonLinks, SAME_BY, type SharedContact } from '../../../../shared/importFile/samePerson';
import { counted } from '../../../../shared/service/counted';
import { SHOWN_NAMES } from '../../mapping/shownNames';
import type { FoundRows, LeftOutRows, RowNames } from '../../model';

export const DUPLICATE_CHOICES = ['report', 'first', 'last', 'stop'] as const;

type DuplicateChoice = (typeof DUPLICATE_CHOICES)[number];

/** People who share something need no decision. */
const SHOWN_SHARED = 3;

/** The form stored with the started jobs; rows are numbered from 1. */
const storedSchema = z.object({
	choice: z.enum(DUPLICATE_CHOICES),
	/** E.g. `18:17b 40:17c`: row 18 is the person of the first row 17, by its email address. */
	rows: z.string().regex(/^(?:\d+:\d+[a-f](?: |$))*$/),
	sharing: z.number(),
	examples: z.array(z.object({ position: z.number(), other: z.number(), by: z.number() })),
});

const LETTERS = 'abcdef';
const STORED_ROW = /^(\d+):(\d+)([a-f])$/;

function byText(by: number): string {
	return `same ${SAME_BY[by] ?? 'person'}`;
}

/** Rows of one person in a list, and what is done with them. */
export class DuplicateRows implements FoundRows {
	readonly leftOut: LeftOutRows | undefined;

	constructor(
		readonly choice: DuplicateChoice,
		private readonly links = new PersonLinks(),
		private readonly sharing = 0,
		private readonly examples: readonly SharedContact[] = [],
	) {
		if (choice !== 'first' && choice !== 'last') return;
		const isLeftOut = (position: number): boolean => this.sameAs(position) !== undefined;
		this.leftOut = { status: 'duplicate', count: this.count, isLeftOut };
	}

	/** Rows of a person that another row has, too. */
	get count(): number {
		return this.links.repeated;
	}

	/** The row of the same person that is sent, or comes first, and by what it is the same. */
	sameAs(position: number): { position: number; by: string } | undefined {
		const { links, choice } = this;
		const same = choice === 'last' ? links.later(position) : links.earlier(position);
		return same && { position: same.position, by: byText(same.by) };
	}

	/** `Same person as line 17 (same email address).` */
	reasonAt(position: number, nameOf: RowNames): string | undefined {
		const same = this.sameAs(position);
		return same && `Same person as ${nameOf(same.position)} (${same.by}).`;
	}

	/** For people: the counts with the first rows; undefined without duplicates. */
	people(rowCount: number, nameOf: RowNames, most = 100): FoundPeople | undefined {
		const { count, sharing } = this;
		if (count === 0 && sharing === 0) return undefined;
		const rows: string[] = [];
		const wanted = Math.min(most, count);
		for (let position = 0; position < rowCount && rows.length < wanted; position++) {
			const same = this.sameAs(position);
			if (!same) continue;
			const name = upperFirst(nameOf(position));
			rows.push(`${name}: same person as ${nameOf(same.position)} (${same.by})`);
		}
		const shared = this.examples.map(({ position, other, by }) => {
			const name = upperFirst(nameOf(position));
			return `${name}: ${byText(by)} as ${nameOf(other)}, but another person`;
		});
		return { count, areLeftOut: this.leftOut !== undefined, rows, sharing, shared };
	}

	/** The counts for a summary; empty without duplicates. */
	summary(): { samePerson?: number; sharedContact?: number } {
		const { count, sharing } = this;
		return {
			...(count > 0 && !this.leftOut && { samePerson: count }),
			...(sharing > 0 && { sharedContact: sharing }),
		};
	}

	/** The sentence for a hint; empty without duplicates. */
	sentence(noun: string): string {
		const { samePerson, sharedContact } = this.summary();
		return [
			samePerson && `${counted(samePerson, 'is', 'are')} the same person as an earlier ${noun}`,
			sharedContact &&
				`${counted(sharedContact, 'shares', 'share')} a phone number, email or address with another person`,
		]
			.filter(Boolean)
			.join('; ');
	}

	shown(rowCount: number, _sentRows: number, nameOf: RowNames): IDataObject {
		const people = this.people(rowCount, nameOf);
		return people ? { duplicates: { ...people } } : {};
	}

	/** `3 left out as duplicates. Line 18: same person as line 17 (same email address).` */
	listed(noun: string, rowCount: number, nameOf: RowNames): string {
		const people = this.people(rowCount, nameOf, SHOWN_NAMES);
		if (!people) return '';
		const { count, areLeftOut, rows, sharing, shared } = people;
		const what = areLeftOut
			? 'left out as duplicates'
			: `${count === 1 ? 'is' : 'are'} the same person as an earlier ${noun}`;
		const found = count > 0 ? `${count} ${what}. ` : '';
		const more = sharing - SHOWN_SHARED;
		const others =
			more > 0
				? [`${counted(more, 'more shares', 'more share')} something with another person`]
				: [];
		return `${found}${[...rows, ...shared.slice(0, SHOWN_SHARED), ...others].join('; ')}.`;
	}

	async store(rowCount: number, slice: TimeSlice): Promise<IDataObject> {
		const { choice, count, sharing, examples } = this;
		if (count === 0 && sharing === 0) return {};
		let rows = '';
		let left = count;
		// The first row comes after no other.
		for (let position = 1; position < rowCount && left > 0; position++) {
			if (slice.isOver) await slice.yield();
			const first = this.links.earlier(position);
			if (!first) continue;
			rows += `${rows && ' '}${position + 1}:${first.position + 1}${LETTERS.charAt(first.by)}`;
			left--;
		}
		return { duplicates: { choice, rows, sharing, examples: [...examples] } };
	}

	/** @param stored undefined if the import had no duplicates */
	static async restore(stored: unknown, slice: TimeSlice): Promise<DuplicateRows | undefined> {
		const { data } = storedSchema.safeParse(stored);
		if (!data) return undefined;
		const links = new PersonLinks();
		for (const entry of data.rows.split(' ')) {
			if (slice.isOver) await slice.yield();
			const [, row, first, letter = 'a'] = STORED_ROW.exec(entry) ?? [];
			if (row === undefined) continue;
			links.join(Number(row) - 1, Number(first) - 1, LETTERS.indexOf(letter));
		}
		return new DuplicateRows(data.choice, links, data.sharing, data.examples);
	}
}
