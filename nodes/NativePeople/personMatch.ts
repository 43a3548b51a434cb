import type { IDataObject } from 'n8n-workflow';

import type { PersonReference } from '../shared/parameters/personReference';
import { type Endpoint, endpoints, type PathValues } from '../shared/service/endpoints';
import type { CallValues, NativeService } from '../shared/service/nativeService';
import {
	type MatchStatus,
	personRecordSchema,
	readPersonMatch,
} from '../shared/service/personMatch';
import { ServiceError, unusableAnswerError } from '../shared/service/serviceErrors';
import type { ReplayClass } from '../shared/transport/replay';
import type { MatchOptions } from './matchOptions';

/** A person's record; what is not among the sections to expand is null in it (service.md 4.7). */
export async function readPerson(
	service: NativeService,
	person: PersonReference,
	expand: string | string[] = [],
): Promise<IDataObject> {
	// An expression may give one section as plain text.
	const query = { $expand: [expand].flat().join(',') };
	const record =
		'nativeId' in person
			? await service.read(endpoints.getPerson, { path: person, query }, personRecordSchema)
			: await service.read(endpoints.getPersonByType, { path: person, query }, personRecordSchema);
	const known = 'nativeId' in person ? person.nativeId : null;
	return { ...record, personId: record[service.vocabulary.personId] ?? known } as IDataObject;
}

const outcomes: Record<Exclude<MatchStatus, 'notFound'>, string> = {
	matched: 'was found',
	created: 'was created',
};

/** What the call before has done must not be lost because reading the person failed. */
function explainedReadFailure(
	error: unknown,
	personId: number,
	matchStatus: Exclude<MatchStatus, 'notFound'>,
	replayClass: ReplayClass,
): unknown {
	if (!(error instanceof ServiceError)) return error;
	const { details } = error;
	return new ServiceError({
		...details,
		description: `Person ${personId} ${outcomes[matchStatus]}; only reading the full record afterwards failed. Read it with the operation Get and this ID. ${details.description}`,
		// Running the item again would begin with the call before, not with the one that failed.
		replayable: details.replayable && replayClass !== 'unsafe',
	});
}

/**
 * Makes a call that looks for a person and puts out how it ended, in the same words whichever way the
 * service answers.
 * @param known the ID of the person, if the call itself named one; an answer may leave it out
 */
export async function matchedPerson<E extends Endpoint>(
	service: NativeService,
	endpoint: E,
	values: CallValues<E> & { path: PathValues<E> },
	options: MatchOptions,
	known?: number,
): Promise<IDataObject> {
	const answer = await service.call(endpoint, values);
	const match = readPersonMatch(answer, service.vocabulary, known);
	const { personId: idName } = service.vocabulary;
	const replayClass = values.replay ?? endpoint.replay;
	if (!match) {
		const body = service.redactor.value(answer.body);
		throw unusableAnswerError(
			{ ...answer, text: body === undefined ? '' : JSON.stringify(body) },
			service.describe(endpoint, values),
			replayClass,
			`no person ID under "${idName}". Check Identifier Prefix in the credential`,
		);
	}
	const { matchStatus, personId, person } = match;
	const output = { matchStatus, personId, [idName]: personId };
	const isWanted = options.fullRecord && personId !== null && matchStatus !== 'notFound';
	if (!isWanted) return { ...(person as IDataObject), ...output };
	try {
		const record = await readPerson(service, { nativeId: personId }, options.expand);
		return { ...record, ...output };
	} catch (error) {
		return await Promise.reject(
			explainedReadFailure(error, personId, matchStatus, replayClass) as Error,
		);
	}
}
