import { upperFirst } from 'lodash';
import { z } from 'zod';

import type { TimeSlice } from '../../../shared/execution/timeSlice';
import type { FoundPeople } from '../../../shared/importFile/importReport';
import { PersonLinks, SAME_BY, type SharedContact } from '../../../shared/importFile/samePerson';

/** What to do with rows of one person. */
export const DUPLICATE_CHOICES = ['report', 'first', 'last', 'stop'] as const;

type DuplicateChoice = (typeof DUPLICATE_CHOICES)[number];

/** As it is stored with the started jobs; rows are numbered from 1. */
export const storedDuplicatesSchema = z.object({
	choice: z.enum(DUPLICATE_CHOICES),
	/** E.g. `18:17b 40:17c`: row 18 is the person of the first row 17, by its email address. */
	rows: z.string(),
	sharing: z.number(),
	examples: z.array(z.object({ position: z.number(), other: z.number(), by: z.number() })),
});

type StoredDuplicates = z.infer<typeof storedDuplicatesSchema>;

const LETTERS = 'abcdef';
const STORED_ROW = /(\d+):(\d+)([a-f])/g;

function byText(by: number): string {
	return `same ${SAME_BY[by] ?? 'person'}`;
}

/** Rows of one person in a list, and what is done with them. */
export class DuplicateRows {
	constructor(
		readonly choice: DuplicateChoice,
		private readonly links = new PersonLinks(),
		private readonly sharing = 0,
		private readonly examples: readonly SharedContact[] = [],
	) {}

	/** Rows of a person that another row has, too. */
	get count(): number {
		return this.links.repeated;
	}

	/** Whether these rows are not sent. */
	get areLeftOut(): boolean {
		return this.choice === 'first' || this.choice === 'last';
	}

	isLeftOut(position: number): boolean {
		return this.areLeftOut && this.sameAs(position) !== undefined;
	}

	/** The row of the same person that is sent, or comes first, and by what it is the same. */
	sameAs(position: number): { position: number; by: string } | undefined {
		const { links, choice } = this;
		const same = choice === 'last' ? links.later(position) : links.earlier(position);
		return same && { position: same.position, by: byText(same.by) };
	}

	/** `Same person as line 17 (same email address).` */
	reasonAt(position: number, nameOf: (position: number) => string): string | undefined {
		const same = this.sameAs(position);
		return same && `Same person as ${nameOf(same.position)} (${same.by}).`;
	}

	/** For people: the counts with the first rows; undefined without duplicates. */
	details(
		rowCount: number,
		nameOf: (position: number) => string,
		most = 100,
	): FoundPeople | undefined {
		const { count, sharing, areLeftOut } = this;
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
		return { count, areLeftOut, rows, sharing, shared };
	}

	/** For a summary; nothing without duplicates. */
	counts(): { samePerson?: number; sharedContact?: number } {
		const { count, sharing } = this;
		return {
			...(count > 0 && !this.areLeftOut && { samePerson: count }),
			...(sharing > 0 && { sharedContact: sharing }),
		};
	}

	/** For a hint; empty without duplicates. */
	sentence(noun: string): string {
		const { samePerson, sharedContact } = this.counts();
		return [
			samePerson && `${samePerson} are the same person as an earlier ${noun}`,
			sharedContact &&
				`${sharedContact} share a phone number, email or address with another person`,
		]
			.filter(Boolean)
			.join('; ');
	}

	async store(rowCount: number, slice: TimeSlice): Promise<StoredDuplicates | undefined> {
		const { choice, count, sharing, examples } = this;
		if (count === 0 && sharing === 0) return undefined;
		let rows = '';
		for (let position = 0; position < rowCount && count > 0; position++) {
			if (slice.isOver) await slice.yield();
			const first = this.links.earlier(position);
			if (first)
				rows += `${rows && ' '}${position + 1}:${first.position + 1}${LETTERS.charAt(first.by)}`;
		}
		return { choice, rows, sharing, examples: [...examples] };
	}

	static async restore(stored: StoredDuplicates, slice: TimeSlice): Promise<DuplicateRows> {
		const links = new PersonLinks();
		for (const [, row, first, letter = 'a'] of stored.rows.matchAll(STORED_ROW)) {
			if (slice.isOver) await slice.yield();
			links.join(Number(row) - 1, Number(first) - 1, LETTERS.indexOf(letter));
		}
		return new DuplicateRows(stored.choice, links, stored.sharing, stored.examples);
	}
}

/** As it is stored with the started jobs; rows are numbered from 1. */
export const storedChangesSchema = z.object({
	unchanged: z.number(),
	/** E.g. `18:Ab3+xyz`: how the row is remembered once it is imported. */
	sent: z.string(),
	comparison: z.string(),
});

/** The rows of a list that are new or changed since they were imported. */
export class ChangedRows {
	/**
	 * @param sent how each row is remembered, by its position from 0; empty if it cannot be written
	 * @param unchanged number of rows that are left out
	 * @param comparison names the comparison in the memory of the node
	 */
	constructor(
		private readonly sent: ReadonlyMap<number, string>,
		readonly unchanged: number,
		readonly comparison: string,
	) {}

	isLeftOut(position: number): boolean {
		return !this.sent.has(position);
	}

	/** What to remember of the rows that were imported. */
	marksOf(isImported: (position: number) => boolean): string[] {
		return [...this.sent].flatMap(([position, mark]) =>
			mark !== '' && isImported(position) ? mark : [],
		);
	}

	store(): z.infer<typeof storedChangesSchema> {
		const rows = [...this.sent].map(([position, mark]) => `${position + 1}:${mark}`);
		return { unchanged: this.unchanged, sent: rows.join(' '), comparison: this.comparison };
	}

	static restore({
		unchanged,
		sent,
		comparison,
	}: z.infer<typeof storedChangesSchema>): ChangedRows {
		const rows = sent.split(' ').map((entry): [number, string] => {
			const [row = '', mark = ''] = entry.split(':');
			return [Number(row) - 1, mark];
		});
		return new ChangedRows(new Map(rows), unchanged, comparison);
	}
}
