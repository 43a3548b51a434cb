import type { ItemContext, NodeOperation } from '../shared/execution/operation';
import { dateFormatOption } from '../shared/parameters/dateFormat';
import { endpoints } from '../shared/service/endpoints';
import { prepareCall } from '../shared/service/nativeService';
import { isMatchable } from '../shared/service/person';
import type { ServiceError } from '../shared/service/serviceErrors';
import {
	expandField,
	fullRecordOption,
	requireMatchableToStoreOption,
	throwIfUnmatchable,
} from './matchOptions';
import { personParameters } from './personFields';
import { personInput } from './personInput';
import { matchOutput } from './personMatch';

type FindOrCreateEndpoint =
	| typeof endpoints.findOrCreatePerson
	| typeof endpoints.findOrCreateContact;

/**
 * An operation that finds a person or creates one.
 * @param addHint explains errors of this endpoint
 */
export function findOrCreateOperation(
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
			const { person, body } = personInput(item, true);
			if (parameters.in('options').flag('requireMatchable', true)) throwIfUnmatchable(person);
			// With too little data to match, the service creates a person each time: a retry would duplicate.
			const retry = isMatchable(person) ? endpoint.retry : 'unsafe';
			return {
				call: prepareCall(endpoint, { path: {}, body, retry }),
				output: async (response, call) => await matchOutput(item, call, response),
				...(addHint && { addHint }),
			};
		},
	};
}
