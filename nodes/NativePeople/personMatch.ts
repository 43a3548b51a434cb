import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ItemContext } from '../shared/execution/operation';
import type { ItemParameters } from '../shared/parameters/itemParameters';
import { inTitleCase } from '../shared/service/bodyField';
import {
	endpoints,
	formatPerson,
	type PersonReference,
	type PreparedCall,
} from '../shared/service/endpoints';
import { InvalidInput } from '../shared/service/invalidInput';
import type { NativeService, ServiceResponse } from '../shared/service/nativeService';
import { isMatchable, missingForMatch, readPersonMatch } from '../shared/service/personMatch';
import { type Person, readOnlyPersonSections } from '../shared/service/personSchema';
import { recordSchema } from '../shared/service/requestBody';
import { ServiceError } from '../shared/service/serviceErrors';
import { rethrow } from '../shared/transport/rethrow';

/** Sections of a person, as the service lists them: service.md 4.7. */
const sections = [
	...readOnlyPersonSections,
	'addresses',
	'emails',
	'externalIds',
	'phones',
	'suppressions',
].sort();

export const expandField: INodeProperties = {
	displayName: 'Sections to Include',
	name: 'expand',
	type: 'multiOptions',
	options: sections.map((value) => ({ name: inTitleCase(value), value })),
	default: [],
	description:
		'Additional sections to return. Others are null. Some are not available to every key.',
};

/** What an operation that writes or finds a person returns, if wanted. */
export const recordOptions: INodeProperties[] = [
	{
		displayName: 'Return Full Record',
		name: 'fullRecord',
		type: 'boolean',
		default: false,
		description:
			'Whether to read the person afterwards and return the record. This takes a second request per person.',
	},
	{ ...expandField, displayOptions: { show: { fullRecord: [true] } } },
];

/** @param otherwise what happens to a person with too little data if it is off */
export function requireMatchableOption(otherwise: string): INodeProperties {
	return {
		displayName: 'Require Matchable Person',
		name: 'requireMatchable',
		type: 'boolean',
		default: true,
		description: `Whether to reject a person with too little data to match: an email, a phone, or first and last name with ZIP code and date of birth or street. Otherwise ${otherwise}.`,
	};
}

/** Throws InvalidInput naming what the service needs to match the person, unless the user allows it. */
export function checkMatchable(parameters: ItemParameters, person: Person): void {
	if (!parameters.in('options').flag('requireMatchable', true) || isMatchable(person)) return;
	const text = `does not have enough data to match. Add ${missingForMatch(person)}. Or turn off the option "Require Matchable Person".`;
	throw new InvalidInput([{ field: 'Person', text }]);
}

/** Reads a person's record; sections not expanded are null (service.md 4.7). */
export async function readPerson(
	service: NativeService,
	person: PersonReference,
	sections: readonly string[],
): Promise<IDataObject> {
	const query = { $expand: sections.join(',') };
	const values = { path: { person }, query };
	const record = await service.read(endpoints.getPerson, values, recordSchema);
	const known = typeof person === 'number' ? person : null;
	return { ...record, personId: record[service.vocabulary.personId] ?? known };
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
	const { personId: idName } = service.vocabulary;
	const match = readPersonMatch(response, service.vocabulary, named);
	if (!match) {
		throw service.unusableResponse(
			call,
			response,
			`no person ID under "${idName}". Check Identifier Prefix in the credential`,
		);
	}
	const { matchStatus, personId, person } = match;
	const { matchesPeople, retry } = call.endpoint;
	// A retry finds the person that an attempt with a lost response has created.
	const mayBeNew = response.mayHaveRunBefore && matchStatus === 'matched' && matchesPeople === true;
	const output = { matchStatus, personId, [idName]: personId, ...(mayBeNew && { mayBeNew }) };
	const found = personId ?? named;
	if (!options.flag('fullRecord') || found === undefined || matchStatus === 'notFound')
		return { ...person, ...output };
	try {
		const record = await readPerson(service, found, options.names('expand'));
		return personId === null ? { ...output, ...record, matchStatus } : { ...record, ...output };
	} catch (error) {
		if (!(error instanceof ServiceError)) rethrow(error);
		const { description, replayable } = error.details;
		const ofMatch = named && !matchesPeople ? 'was updated' : 'was found';
		const outcome = matchStatus === 'matched' ? ofMatch : 'was created';
		throw error.with({
			description: `Person ${formatPerson(found)} ${outcome}, but the full record could not be read afterwards. Read it with Get and this ID. ${description}`,
			// Running the item again would repeat the previous call first.
			replayable: replayable && retry !== 'unsafe',
		});
	}
}
