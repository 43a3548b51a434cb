import type { IDataObject } from 'n8n-workflow';

import type { ItemContext } from '../shared/execution/operation';
import { endpoints, formatPerson, type PersonReference } from '../shared/service/endpoints';
import type { NativeService, PreparedCall, ServiceResponse } from '../shared/service/nativeService';
import {
	type MatchStatus,
	personRecordSchema,
	readPersonMatch,
} from '../shared/service/personMatch';
import { ServiceError } from '../shared/service/serviceErrors';
import type { RetryClass } from '../shared/transport/retry';
import { rethrow } from '../shared/transport/rethrow';

/** Reads a person's record; sections not expanded are null (service.md 4.7). */
export async function readPerson(
	service: NativeService,
	person: PersonReference,
	sections: readonly string[],
): Promise<IDataObject> {
	const query = { $expand: sections.join(',') };
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

/** Keeps the result of the previous call if reading the person fails. */
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
		// Running the item again would repeat the previous call first.
		replayable: details.replayable && retryClass !== 'unsafe',
	});
}

/**
 * The output of a call that matches a person, the same for all forms of response.
 * @param named the person the call named; a response may omit it
 */
export async function matchOutput(
	{ parameters, service }: ItemContext,
	call: PreparedCall,
	response: ServiceResponse,
	named?: PersonReference,
): Promise<IDataObject> {
	const options = parameters.in('options');
	const match = readPersonMatch(response, service.vocabulary, named);
	const { personId: idName } = service.vocabulary;
	const retryClass = call.retry ?? call.endpoint.retry;
	if (!match) {
		throw service.unusableResponse(
			call,
			response,
			`no person ID under "${idName}". Check Identifier Prefix in the credential`,
		);
	}
	const { matchStatus, personId, person } = match;
	// A retry finds the person that an attempt with a lost response has created.
	const mayBeNew =
		response.mayHaveRunBefore && matchStatus === 'matched' && call.endpoint.matchesPeople === true;
	const output = {
		matchStatus,
		personId,
		[idName]: personId,
		...(mayBeNew && { mayBeNew }),
	};
	const found = personId ?? named;
	if (!options.flag('fullRecord') || found === undefined || matchStatus === 'notFound')
		return { ...(person as IDataObject), ...output };
	try {
		const record = await readPerson(service, found, options.names('expand'));
		if (personId === null) return { ...output, ...record, matchStatus };
		return { ...record, ...output };
	} catch (error) {
		rethrow(addMatchHint(error, found, matchStatus, retryClass));
	}
}
