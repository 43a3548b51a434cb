import { countBy, isEmpty, mapValues, omitBy } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isPlaceholder } from '../../../shared/service/noValue';
import { counted } from '../../../shared/service/counted';
import { isoDate } from '../../../shared/service/dateText';
import { wholeId } from '../../../shared/service/bodySchema';
import { endpoints, prepareCall } from '../../../shared/service/endpoints';
import { InvalidInput } from '../../../shared/service/invalidInput';
import type { NativeService } from '../../../shared/service/nativeService';
import type { Person } from '../../../shared/service/personSchema';
import { isMatchable, missingForMatch, readPersonMatch } from '../../../shared/service/personMatch';
import { ServiceError } from '../../../shared/service/serviceErrors';
import { throwIfCancelled } from '../../../shared/transport/cancellation';
import { rethrow } from '../../../shared/transport/rethrow';
import { isExternalId, isOfContact, type MappingPlan } from '../mapping/importMapping';
import { rowName } from '../../rows/importRows';
import type { ImportFeature, ShownImport, ShownParts } from '../feature';
import { mainDigits, textOf } from '../mapping/fieldTexts';
import type { FoundRows, RowNames } from '../model';

/** Of the normal distribution, for 95 of 100 samples. */
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

const LABEL = 'Look Up Matches';

const CHOICES = ['none', 'sample', 'all'] as const;

const option: INodeProperties = {
	displayName: LABEL,
	name: 'lookUpMatches',
	type: 'options',
	options: [
		{ name: 'All Rows', value: 'all', description: 'One request per row' },
		{ name: 'None', value: 'none', description: 'Look nobody up' },
		{ name: 'Sample', value: 'sample', description: 'At most 200 rows, chosen at random' },
	],
	default: 'none',
	displayOptions: { show: { dryRun: [true] } },
	description:
		'Whether the dry run looks people up, to say which rows would be new and whom the others would update. At 4 requests per second, 300 rows take 75 seconds.',
};

const SAMPLE_SIZE = 200;

/** More than any rate limit of the service needs at usual response times. */
const MOST_AT_A_TIME = 20;

/** So many rows in sequence that cannot be looked up have one reason. */
const MOST_FAILURES = 5;

/** Between two lines in n8n's log. */
const PROGRESS_MS = 15_000;

/** What would become of a row, with words for counts. */
const MATCHES = {
	new: 'new',
	update: 'would update a person',
	notEnough: 'without enough to find a person, so always stored as new',
	rejected: 'with a value that the service rejects',
	unknown: 'not known',
} as const;

interface RowMatch {
	match: keyof typeof MATCHES;
	personId?: number | null;
	reason?: string | undefined;
}

type FoundRow = RowMatch & { position: number };

/** Who a row is about, by the values that the service compares: service.md 4.3. */
interface RowContact {
	/** The service's own ID; empty if the row has none. */
	recordId: string;
	hasExternalId: boolean;
	/** A date of birth that only the service reads; empty if the row has none. */
	unreadBirth: string;
	person: Person;
}

/**
 * Reads the fields by which the service finds the person of a row; undefined if the import neither finds nor
 * stores people.
 */
function contactReader(
	{ columns, fixed }: MappingPlan,
	personIdColumn: string,
): ((row: readonly unknown[]) => RowContact) | undefined {
	/** By the field's name in lower case. */
	const readers = new Map<string, (row: readonly unknown[]) => string>();
	for (const [index, { fields }] of columns.entries())
		for (const { field } of fields.filter(isOfContact))
			readers.set(field.toLowerCase(), (row) => textOf(row[index]).trim());
	for (const { field, value } of fixed.filter(isOfContact))
		readers.set(field.toLowerCase(), () => value.trim());
	if (readers.size === 0) return undefined;
	const externalIds = [...readers.keys()].filter(isExternalId);
	return (row) => {
		const text = (name: string): string => readers.get(name.toLowerCase())?.(row) ?? '';
		const emails = ['Email', 'OtherEmail', 'WorkEmail'].map(text).filter((email) => email !== '');
		const phones = ['Phone', 'CellPhone', 'WorkPhone'].flatMap((name) => {
			const number = text(name);
			const countryCode = text(`${name}CountryCode`).toUpperCase();
			const phone = { phoneNumber: mainDigits(number) || number };
			return number === '' ? [] : { ...phone, ...(countryCode && { countryCode }) };
		});
		const address = {
			addressLine1: text('AddressLine1'),
			zipOrPostalCode: text('ZipOrPostal'),
		};
		const birth = text('DOB');
		const dateOfBirth = isoDate(birth)?.slice(0, 10);
		return {
			recordId: text(personIdColumn),
			hasExternalId: externalIds.some((name) => text(name) !== ''),
			unreadBirth: dateOfBirth === undefined && !isPlaceholder(birth) ? birth : '',
			person: omitBy(
				{
					firstName: text('FirstName'),
					lastName: text('LastName'),
					dateOfBirth,
					emails: emails.map((email) => ({ email })),
					phones,
					addresses: [omitBy(address, isEmpty)].filter((given) => !isEmpty(given)),
				},
				isEmpty,
			),
		};
	};
}

/** What is known of a person whom the service cannot look for. */
function unmatchable(person: Person, unreadBirth: string): RowMatch {
	if (unreadBirth === '' || !isMatchable({ ...person, dateOfBirth: '1950-01-01' }))
		return { match: 'notEnough', reason: `To find a person, add ${missingForMatch(person)}.` };
	const reason = `Nobody knows how the service reads the date of birth "${unreadBirth.slice(0, 20)}". Set the option Date Format, e.g. to M/d/yyyy.`;
	return { match: 'unknown', reason };
}

/** Looks the people of rows up, one request each. */
class MatchLookup {
	private failures = 0;
	private failure: string | undefined;

	constructor(
		private readonly service: NativeService,
		private readonly readContact: (row: readonly unknown[]) => RowContact,
	) {}

	async find(row: readonly unknown[]): Promise<RowMatch> {
		const { recordId, hasExternalId, unreadBirth, person } = this.readContact(row);
		const { personId } = this.service.vocabulary;
		if (recordId !== '') {
			const id = wholeId(recordId);
			if (id === undefined)
				return { match: 'rejected', reason: `"${recordId}" is not a record ID.` };
			const found = await this.ask({ [personId]: id });
			if (found.match !== 'new') return found;
			return { match: 'rejected', reason: `Nobody has the record ID ${id}.` };
		}
		const found = isMatchable(person) ? await this.ask(person) : unmatchable(person, unreadBirth);
		if (!hasExternalId || !['new', 'notEnough'].includes(found.match)) return found;
		const reason = 'The service matches its external ID only during the import.';
		return { match: 'unknown', reason };
	}

	private async ask(body: unknown): Promise<RowMatch> {
		if (this.failure !== undefined) return { match: 'unknown', reason: this.failure };
		const call = prepareCall(endpoints.findPerson, { path: {}, body });
		try {
			const response = await this.service.call(call);
			const match = readPersonMatch(response, this.service.vocabulary);
			if (!match) throw this.service.unusableResponse(call, response, 'no person ID');
			this.failures = 0;
			const { matchStatus, personId } = match;
			return matchStatus === 'notFound' ? { match: 'new' } : { match: 'update', personId };
		} catch (error) {
			throwIfCancelled(this.service.signal);
			if (!(error instanceof ServiceError)) return rethrow(error);
			const { httpCode, serviceErrors, message } = error.details;
			if (httpCode === 400) return { match: 'rejected', reason: serviceErrors[0]?.text ?? message };
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

/** Looks up what would become of the rows, or of a sample of them. */
async function lookUp(run: ShownImport, isSample: boolean): Promise<ShownParts> {
	const { plan, started, sentRows } = run;
	const { service } = plan;
	const readContact = contactReader(plan.mapping, service.vocabulary.personIdColumn);
	if (!readContact) {
		const text = 'needs an import with CreateOrUpdateContact. Choose None.';
		throw new InvalidInput([{ field: LABEL, text }]);
	}
	const wanted = isSample ? Math.min(SAMPLE_SIZE, sentRows) : sentRows;
	const lookup = new MatchLookup(service, readContact);
	const chosen = chooseRows(run, wanted);
	const found: FoundRow[] = [];
	const began = service.clock.now();
	let shown = began;
	const work = async (): Promise<void> => {
		for await (const { position, row } of chosen) {
			const done = found.push({ position, ...(await lookup.find(row)) });
			const now = service.clock.now();
			if (now - shown < PROGRESS_MS) continue;
			shown = now;
			const seconds = Math.round(((now - began) / done / 1000) * (wanted - done));
			const text = `${LABEL}: ${done} of ${counted(wanted, 'row')}, about ${counted(seconds, 'second')} left`;
			plan.functions.logger.info(text);
		}
	};
	await Promise.all(Array.from({ length: Math.min(MOST_AT_A_TIME, wanted) }, work));
	found.sort((a, b) => a.position - b.position);
	applyDuplicates(found, started.found, rowName(plan.rows));
	const { noun, lineOf } = plan.rows;
	const items = found.map(({ position, match, personId = null, reason = null }) => ({
		[noun]: position + 1,
		...(lineOf && { line: lineOf(position + 1) }),
		match,
		personId,
		reason,
	}));
	return { summary: { matches: summaryOf(found, sentRows) }, items };
}

export const lookUpMatches: ImportFeature = {
	options: [option],
	of({ parameters, sends }) {
		if (!sends) return undefined;
		const choice = parameters.in('options').choice('lookUpMatches', CHOICES);
		return choice === 'none'
			? undefined
			: { shown: async (run) => await lookUp(run, choice === 'sample') };
	},
};
