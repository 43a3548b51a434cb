import type { IDataObject } from 'n8n-workflow';

import { endpoints, formatPerson, type PersonReference } from '../shared/service/endpoints';
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

/** A stub that says Unmatched is an error where the call itself named the person. */
function noSuchPerson(
	service: NativeService,
	call: PreparedCall,
	{ status }: ServiceAnswer,
): ServiceError {
	const { method, path } = service.describe(call);
	return new ServiceError({
		message: `The service has no such person: ${method} ${path}`,
		description: 'Nothing was changed. Check the ID, and that it belongs to this key.',
		httpCode: status,
		request: service.describe(call),
	});
}

/** What the call before has done must not be lost because reading the person failed. */
function addMatchHint(
	error: unknown,
	person: PersonReference,
	matchStatus: Exclude<MatchStatus, 'notFound'>,
	retryClass: RetryClass,
): unknown {
	if (!(error instanceof ServiceError)) return error;
	const { details } = error;
	return error.with({
		description: `Person ${formatPerson(person)} ${outcomes[matchStatus]}; only reading the full record afterwards failed. Read it with the operation Get and this ID. ${details.description}`,
		// Running the item again would begin with the call before, not with the one that failed.
		replayable: details.replayable && retryClass !== 'unsafe',
	});
}

/**
 * How a call that looked for a person ended, in the same words whichever way the service answers.
 * @param named the person the call itself named; an answer may leave it out
 */
export async function matchOutput(
	service: NativeService,
	call: PreparedCall,
	answer: ServiceAnswer,
	options: MatchOptions,
	named?: PersonReference,
): Promise<IDataObject> {
	const match = readPersonMatch(answer, service.vocabulary, named);
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
	if (matchStatus === 'notFound' && named !== undefined) throw noSuchPerson(service, call, answer);
	// What an attempt whose response was lost has created, the next one finds.
	const mayBeNew =
		answer.mayHaveRunBefore && matchStatus === 'matched' && call.endpoint.matchesPeople === true;
	const output = {
		matchStatus,
		personId,
		[idName]: personId,
		...(mayBeNew && { mayBeNew }),
	};
	const found = personId ?? named;
	if (!options.fullRecord || found === undefined || matchStatus === 'notFound')
		return { ...(person as IDataObject), ...output };
	try {
		const record = await readPerson(service, found, options.expand);
		if (personId === null) return { ...output, ...record, matchStatus };
		return { ...record, ...output };
	} catch (error) {
		rethrow(addMatchHint(error, found, matchStatus, retryClass));
	}
}
