import { countBy, mapValues, upperFirst } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { counted } from '../../../shared/service/counted';
import { InvalidInput } from '../../../shared/service/invalidInput';
import type { NativeService } from '../../../shared/service/nativeService';
import { ServiceError } from '../../../shared/service/serviceErrors';
import { throwIfCancelled } from '../../../shared/transport/cancellation';
import { rethrow } from '../../../shared/transport/rethrow';
import { rowName } from '../../rows/importRows';
import type { ImportFeature, ShownImport, ShownParts } from '../feature';
import type { FoundRows, RowNames } from '../model';
import {
	askForPerson,
	type ContactReader,
	contactReader,
	type RowMatch,
	RowPeople,
	visitAtRate,
} from '../start/rowPeople';

/** Quantile of the normal distribution for 95 of 100 samples. */
const Z = 1.96;

/** The percentages between which the share of a whole lies, by Wilson's score; rounded away from each other. */
export function shareInterval(count: number, sample: number): { low: number; high: number } {
	const share = count / sample;
	const scale = 1 + Z ** 2 / sample;
	const center = (share + Z ** 2 / (2 * sample)) / scale;
	const half = (Z / scale) * Math.sqrt((share * (1 - share)) / sample + (Z / (2 * sample)) ** 2);
	return {
		low: Math.max(0, Math.floor(100 * (center - half))),
		high: Math.min(100, Math.ceil(100 * (center + half))),
	};
}

/** `about 62% new (55 to 69%)`. */
export function shareText(count: number, sample: number, words: string): string {
	const { low, high } = shareInterval(count, sample);
	return `about ${Math.round((100 * count) / sample)}% ${words} (${low} to ${high}%)`;
}

const LABEL = 'Look Up Who Is New';

const CHOICES = ['none', 'sample', 'all'] as const;

const option: INodeProperties = {
	displayName: LABEL,
	name: 'lookUp',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'No', value: 'none' },
		{ name: 'A Sample', value: 'sample', description: 'At most 200 rows, chosen at random' },
		{
			name: 'All Rows',
			value: 'all',
			description: 'One request per row: at 4 per second, 300 rows take 75 seconds',
		},
	],
	default: 'none',
	displayOptions: { show: { whatShouldHappen: ['show', 'ask'] } },
	description:
		'Whether to look people up, to say which rows would be new and whom the others would update',
};

const SAMPLE_SIZE = 200;

/** So many rows in sequence that cannot be looked up have one reason. */
const MOST_FAILURES = 5;

/** Words for counts of what would become of rows. */
const MATCHES: Record<RowMatch['match'], string> = {
	new: 'new',
	update: 'would update a person',
	notEnough: 'without enough data to find a person, so always stored as new',
	rejected: 'with a value that the service rejects',
	unknown: 'not known',
};

type FoundRow = RowMatch & { position: number };

/** Looks the people of rows up, one request each, until several in sequence fail. */
class MatchLookup {
	private failures = 0;
	private failure: string | undefined;
	private readonly people: RowPeople;

	constructor(
		private readonly service: NativeService,
		readContact: ContactReader,
	) {
		this.people = new RowPeople(service, readContact, async (body) => await this.ask(body));
	}

	async find(row: readonly unknown[]): Promise<RowMatch> {
		return await this.people.find(row);
	}

	private async ask(body: unknown): Promise<RowMatch> {
		if (this.failure !== undefined) return { match: 'unknown', reason: this.failure };
		try {
			const found = await askForPerson(this.service, body);
			this.failures = 0;
			return found;
		} catch (error) {
			throwIfCancelled(this.service.signal);
			if (!(error instanceof ServiceError)) return rethrow(error);
			const { httpCode, message } = error.details;
			this.failures++;
			if (this.failures >= MOST_FAILURES || httpCode === 401 || httpCode === 403)
				this.failure = message;
			return { match: 'unknown', reason: message };
		}
	}
}

/** So many of the rows that would be sent, chosen at random, in order. */
async function* chooseRows(run: ShownImport, wanted: number): ReturnType<ShownImport['readSent']> {
	let left = run.sentRows;
	let missing = wanted;
	for await (const read of run.readSent()) {
		const isChosen = Math.random() * left < missing;
		left--;
		if (!isChosen) continue;
		missing--;
		yield read;
	}
}

/** A person who would be stored by one row would be updated by later rows. */
function applyDuplicates(
	looked: readonly FoundRow[],
	found: readonly FoundRows[],
	nameOf: RowNames,
): void {
	const rejected = new Set(
		looked.filter(({ match }) => match === 'rejected').map(({ position }) => position),
	);
	for (const row of looked) {
		const finder = found.find(({ sameAs }) => sameAs !== undefined);
		const same = finder?.sameAs?.(row.position);
		if (row.match !== 'new' || !same) continue;
		// The service does not compare what else may make rows the same (service.md 4.3).
		if (!/record ID|email address|phone number/.test(same.by)) continue;
		// The first row after a rejected one stores the person.
		if (rejected.delete(same.position)) continue;
		row.match = 'update';
		row.reason = finder?.reasonAt(row.position, nameOf);
	}
}

function summaryOf(found: readonly FoundRow[], rows: number): IDataObject {
	const counts = countBy(found, 'match');
	const isSample = found.length < rows;
	const texts = Object.entries(MATCHES).flatMap(([match, words]) => {
		const count = counts[match];
		if (count === undefined) return [];
		return [isSample ? shareText(count, found.length, words) : `${count} ${words}`];
	});
	const what = isSample
		? `${found.length} of ${rows} rows, chosen at random`
		: counted(rows, 'row');
	return {
		summary: `${what}: ${texts.join('; ') || 'none to look up'}.`,
		lookedUp: found.length,
		...mapValues(MATCHES, () => 0),
		...counts,
	};
}

const SHOWN_OF_KIND = 3;

function kindsOf(found: readonly FoundRow[], rows: number): ShownParts['kinds'] {
	const sample = found.length < rows ? `, of ${counted(found.length, 'row')} looked up` : '';
	// What needs a decision comes first.
	return Object.entries(MATCHES)
		.reverse()
		.map(([match, words]) => {
			const ofKind = found.filter((row) => row.match === match);
			return {
				title: `${upperFirst(words)}${sample}`,
				count: ofKind.length,
				rows: ofKind.slice(0, SHOWN_OF_KIND).map(({ position, personId, reason = '' }) => ({
					position,
					text: personId ? `Person ${personId}. ${reason}`.trim() : reason,
				})),
			};
		});
}

/** Looks up what would become of the rows, or of a sample of them. */
async function lookUp(run: ShownImport, isSample: boolean): Promise<ShownParts> {
	const { plan, started, sentRows } = run;
	const { service } = plan;
	const readContact = contactReader(plan.mapping, service.vocabulary.personIdColumn);
	if (!readContact) {
		const text = 'needs an import with CreateOrUpdateContact. Choose No.';
		throw new InvalidInput([{ field: LABEL, text }]);
	}
	const wanted = isSample ? Math.min(SAMPLE_SIZE, sentRows) : sentRows;
	const lookup = new MatchLookup(service, readContact);
	const chosen = chooseRows(run, wanted);
	const found: FoundRow[] = [];
	await visitAtRate(plan, LABEL, chosen, wanted, async ({ position, row }) => {
		found.push({ position, ...(await lookup.find(row)) });
	});
	found.sort((a, b) => a.position - b.position);
	applyDuplicates(found, started.found, rowName(plan.rows));
	const { noun, lineOf } = plan.rows;
	const items = found.map(({ position, match, personId = null, reason = null }) => ({
		lookup: {
			[noun]: position + 1,
			...(lineOf && { line: lineOf(position + 1) }),
			match,
			personId,
			reason,
		},
	}));
	return {
		summary: { matches: summaryOf(found, sentRows) },
		items,
		kinds: kindsOf(found, sentRows),
	};
}

export const lookUpMatches: ImportFeature = {
	options: { group: 'top', place: 10, fields: [option] },
	of({ parameters, sends }) {
		if (!sends) return undefined;
		const choice = parameters.choice(option.name, CHOICES);
		return choice === 'none'
			? undefined
			: { shown: async (run) => await lookUp(run, choice === 'sample') };
	},
};
