import type { IDataObject } from 'n8n-workflow';

import { endpoints, type PersonReference } from '../shared/service/endpoints';
import type { NativeService, PreparedCall, ServiceAnswer } from '../shared/service/nativeService';
import {
	type MatchStatus,
	personRecordSchema,
	readPersonMatch,
} from '../shared/service/personMatch';
import { ServiceError } from '../shared/service/serviceErrors';
import type { RetryClass } from '../shared/transport/retry';
import { rethrow } from '../shared/transport/rethrow';
import type { MatchOptions } from './matchOptions';

/** A person's record; what is not among the sections to expand is null in it (service.md 4.7). */
export async function readPerson(
	service: NativeService,
	person: PersonReference,
	expand: string | string[] = [],
): Promise<IDataObject> {
	// An expression may give one section as plain text.
	const query = { $expand: [expand].flat().join(',') };
	const record = await service.read(
		endpoints.getPerson,
		{ path: { person }, query },
		personRecordSchema,
	);
	const known = typeof person === 'number' ? person : null;
	return { ...record, personId: record[service.vocabulary.personId] ?? known } as IDataObject;
}

const outcomes: Record<Exclude<MatchStatus, 'notFound'>, string> = {
	matched: 'was found',
	created: 'was created',
};

/** What the call before has done must not be lost because reading the person failed. */
function addMatchHint(
	error: unknown,
	personId: number,
	matchStatus: Exclude<MatchStatus, 'notFound'>,
	retryClass: RetryClass,
): unknown {
	if (!(error instanceof ServiceError)) return error;
	const { details } = error;
	return error.with({
		description: `Person ${personId} ${outcomes[matchStatus]}; only reading the full record afterwards failed. Read it with the operation Get and this ID. ${details.description}`,
		// Running the item again would begin with the call before, not with the one that failed.
		replayable: details.replayable && retryClass !== 'unsafe',
	});
}

/**
 * How a call that looked for a person ended, in the same words whichever way the service answers.
 * @param known the ID of the person, if the call itself named one; an answer may leave it out
 */
export async function matchOutput(
	service: NativeService,
	call: PreparedCall,
	answer: ServiceAnswer,
	options: MatchOptions,
	known?: number,
): Promise<IDataObject> {
	const match = readPersonMatch(answer, service.vocabulary, known);
	const { personId: idName } = service.vocabulary;
	const retryClass = call.retry ?? call.endpoint.retry;
	if (!match) {
		throw service.unusableAnswer(
			call,
			answer,
			`no person ID under "${idName}". Check Identifier Prefix in the credential`,
		);
	}
	const { matchStatus, personId, person } = match;
	const output = { matchStatus, personId, [idName]: personId };
	const isWanted = options.fullRecord && personId !== null && matchStatus !== 'notFound';
	if (!isWanted) return { ...(person as IDataObject), ...output };
	try {
		const record = await readPerson(service, personId, options.expand);
		return { ...record, ...output };
	} catch (error) {
		rethrow(addMatchHint(error, personId, matchStatus, retryClass));
	}
}
