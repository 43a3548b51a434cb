import type { ItemContext, NodeOperation } from '../shared/execution/operation';
import { dateFormatOption } from '../shared/parameters/dateFormat';
import { endpoints, prepareCall } from '../shared/service/endpoints';
import { isMatchable } from '../shared/service/personMatch';
import type { ServiceError } from '../shared/service/serviceErrors';
import { personInput, personParameters } from './personForm';
import {
	expandField,
	fullRecordOption,
	matchOutput,
	requireMatchableToStoreOption,
	throwIfUnmatchable,
} from './personMatch';

type FindOrCreateEndpoint =
	| typeof endpoints.findOrCreatePerson
	| typeof endpoints.findOrCreateContact;

/**
 * An operation that finds a person or creates one.
 * @param addHint explains errors of this endpoint
 */
function findOrCreateOperation(
	endpoint: FindOrCreateEndpoint,
	texts: Pick<NodeOperation, 'name' | 'action' | 'description'>,
	addHint?: (error: ServiceError) => ServiceError,
): NodeOperation {
	return {
		value: 'findOrCreate',
		...texts,
		calls: [endpoint, endpoints.getPerson],
		properties: personParameters(true),
		options: [dateFormatOption, requireMatchableToStoreOption, fullRecordOption, expandField],
		write(item: ItemContext) {
			const { parameters } = item;
			const body = personInput(item);
			if (parameters.in('options').flag('requireMatchable', true)) throwIfUnmatchable(body);
			// With too little data to match, the service creates a person each time: a retry would duplicate.
			const retry = isMatchable(body) ? endpoint.retry : 'unsafe';
			return {
				call: prepareCall({ ...endpoint, retry }, { path: {}, body }),
				output: async (response, call) => await matchOutput(item, call, response),
				...(addHint && { addHint }),
			};
		},
	};
}

export const findOrCreatePersonOperation = findOrCreateOperation(endpoints.findOrCreatePerson, {
	name: 'Find or Create',
	action: 'Find or create person',
	description:
		'Find a person by email, phone, or name and address, or create one. To be sure that new data reaches a matched person, use Update afterwards.',
});

/** Some deployments lack this endpoint: service.md 4.5. */
function addContactHint(error: ServiceError): ServiceError {
	const { httpCode, request } = error.details;
	if (request?.method === 'GET' || ![404, 405].includes(httpCode ?? 0)) return error;
	return error.with({
		message: 'This deployment of the service cannot find or create contacts',
		description:
			'Nothing was stored. Choose the resource Person with the operation Find or Create, which takes the same fields.',
	});
}

export const findOrCreateContactOperation = findOrCreateOperation(
	endpoints.findOrCreateContact,
	{
		name: 'Find or Create',
		action: 'Find or create contact',
		description:
			'The same as Find or Create of a person, but sent to the address /contacts/findOrCreate. Use it only if your deployment asks for it.',
	},
	addContactHint,
);
