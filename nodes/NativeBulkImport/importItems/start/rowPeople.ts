import { wholeId } from '../../../shared/service/bodySchema';
import { counted } from '../../../shared/service/counted';
import { endpoints, prepareCall } from '../../../shared/service/endpoints';
import type { NativeService } from '../../../shared/service/nativeService';
import { isMatchable, missingForMatch, readPersonMatch } from '../../../shared/service/personMatch';
import type { Person } from '../../../shared/service/personSchema';
import { ServiceError } from '../../../shared/service/serviceErrors';
import { rethrow } from '../../../shared/transport/rethrow';
import type { MappingPlan } from '../mapping/importMapping';
import { RowContacts } from '../mapping/rowContact';
import type { ImportPlan } from '../model';

/** What would become of a row. */
export interface RowMatch {
	/** `notEnough`: the service cannot look for this person, and stores a new one each time. */
	match: 'new' | 'update' | 'notEnough' | 'rejected' | 'unknown';
	personId?: number | null;
	reason?: string | undefined;
	/** Time on the service's clock, as the service writes it. */
	answeredAt?: string | undefined;
}

/** Who a row is about, by the values that the service compares: service.md 4.3. */
interface RowContact {
	/** The service's own ID; empty if the row has none. */
	recordId: string;
	hasExternalId: boolean;
	/** A date of birth that only the service reads; empty if the row has none. */
	unreadBirth: string;
	person: Person;
}

export type ContactReader = (row: readonly unknown[]) => RowContact;

/**
 * Reads the fields by which the service finds the person of a row; undefined if the import neither finds nor
 * stores people.
 */
export function contactReader(
	mapping: MappingPlan,
	personIdColumn: string,
): ContactReader | undefined {
	const contacts = RowContacts.of(mapping, personIdColumn);
	return (
		contacts &&
		((row) => ({
			recordId: contacts.recordId(row),
			hasExternalId: contacts.hasExternalId(row),
			unreadBirth: contacts.unreadBirth(row),
			person: contacts.person(row),
		}))
	);
}

/** What is known of a person whom the service cannot look for. */
function unmatchable(person: Person, unreadBirth: string): RowMatch {
	if (unreadBirth === '' || !isMatchable({ ...person, dateOfBirth: '1950-01-01' }))
		return { match: 'notEnough', reason: `To find a person, add ${missingForMatch(person)}.` };
	const reason = `It is unknown how the service reads the date of birth "${unreadBirth.slice(0, 20)}". Set Dates in the List, e.g. to Month First.`;
	return { match: 'unknown', reason };
}

/** Looks for one person. Throws ServiceError unless the service finds out, or rejects a value. */
export async function askForPerson(service: NativeService, body: unknown): Promise<RowMatch> {
	const call = prepareCall(endpoints.findPerson, { path: {}, body });
	try {
		const response = await service.call(call);
		const match = readPersonMatch(response, service.vocabulary);
		if (!match) throw service.unusableResponse(call, response, 'no person ID');
		const { matchStatus, personId } = match;
		const answeredAt = response.headers.date;
		return matchStatus === 'notFound'
			? { match: 'new', answeredAt }
			: { match: 'update', personId, answeredAt };
	} catch (error) {
		if (!(error instanceof ServiceError) || error.details.httpCode !== 400) return rethrow(error);
		const { serviceErrors, message } = error.details;
		return { match: 'rejected', reason: serviceErrors[0]?.text ?? message };
	}
}

/** Finds the people of rows, as far as an import would. */
export class RowPeople {
	constructor(
		private readonly service: NativeService,
		private readonly readContact: ContactReader,
		private readonly ask: (body: unknown) => Promise<RowMatch>,
	) {}

	async find(row: readonly unknown[]): Promise<RowMatch> {
		const { recordId, hasExternalId, unreadBirth, person } = this.readContact(row);
		const { personId } = this.service.vocabulary;
		if (recordId !== '') {
			const id = wholeId(recordId);
			if (id === undefined)
				return {
					match: 'unknown',
					reason: `The service matches the encoded ID "${recordId}" only during the import.`,
				};
			const found = await this.ask({ [personId]: id });
			if (found.match !== 'new') return found;
			return { match: 'rejected', reason: `No person has the record ID ${id}.` };
		}
		const found = isMatchable(person) ? await this.ask(person) : unmatchable(person, unreadBirth);
		if (!hasExternalId || !['new', 'notEnough'].includes(found.match)) return found;
		const reason = 'The service matches its external ID only during the import.';
		return { match: 'unknown', reason };
	}
}

/** More than any rate limit of the service needs at usual response times. */
const MOST_AT_A_TIME = 20;

/** Between two lines in n8n's log. */
const PROGRESS_MS = 15_000;

/** How long it may take, and what is thrown at the next row after that. */
interface TimeLimit {
	minutes: number;
	tooSlow: (doneRows: number) => Error;
}

/** Does something with rows that takes a request each, several at a time, and logs how long it will take. */
export async function visitAtRate<Row>(
	{ service, functions }: Pick<ImportPlan, 'service' | 'functions'>,
	label: string,
	rows: AsyncIterable<Row>,
	count: number,
	visit: (row: Row) => Promise<void>,
	limit?: TimeLimit,
): Promise<void> {
	const began = service.clock.now();
	let shown = began;
	let done = 0;
	const work = async (): Promise<void> => {
		for await (const row of rows) {
			if (limit && service.clock.now() - began > limit.minutes * 60_000) throw limit.tooSlow(done);
			await visit(row);
			done++;
			const now = service.clock.now();
			if (now - shown < PROGRESS_MS) continue;
			shown = now;
			const seconds = Math.round(((now - began) / done / 1000) * (count - done));
			functions.logger.info(
				`${label}: ${done} of ${counted(count, 'row')}, about ${counted(seconds, 'second')} left`,
			);
		}
	};
	await Promise.all(Array.from({ length: Math.min(MOST_AT_A_TIME, count) }, work));
}
