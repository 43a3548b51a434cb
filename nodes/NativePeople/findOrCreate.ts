import { checkThenSend } from '../shared/execution/checkThenSend';
import { asItems, type ItemContext, type NodeOperation } from '../shared/execution/operation';
import {
	dryRunOption,
	isDryRun,
	maxConcurrentRequestsOption,
	optionsCollection,
	replayUnknownOutcomeOption,
	timeoutOption,
} from '../shared/parameters/callOptions';
import type { endpoints } from '../shared/service/endpoints';
import { isMatchable } from '../shared/service/person';
import type { CallValues } from '../shared/service/nativeService';
import { refuseUnmatchable } from './matchable';
import {
	expandField,
	fullRecordOption,
	type MatchOptions,
	requireMatchableToStoreOption,
} from './matchOptions';
import { personFields } from './personFields';
import { personInput } from './personInput';
import { matchedPerson } from './personMatch';

type FindOrCreateEndpoint =
	| typeof endpoints.findOrCreatePerson
	| typeof endpoints.findOrCreateContact;

function optionsOf({ functions, itemIndex }: ItemContext): MatchOptions {
	return functions.getNodeParameter('options', itemIndex, {}) as MatchOptions;
}

/** What is sent for one item. Throws InvalidInput where nothing may be sent. */
function findOrCreateCall(item: ItemContext): CallValues<FindOrCreateEndpoint> {
	const { functions, service, itemIndex } = item;
	const { person, body } = personInput(functions, itemIndex, service.vocabulary, true);
	if (optionsOf(item).requireMatchable ?? true) refuseUnmatchable(person);
	// A person the service does not look for is stored anew each time, so a repeat is a duplicate.
	return { path: {}, body, ...(!isMatchable(person) && { replay: 'unsafe' as const }) };
}

/**
 * The operation that finds a person or stores a new one.
 * @param explained what an error of this endpoint means
 */
export function findOrCreateOperation(
	endpoint: FindOrCreateEndpoint,
	texts: Pick<NodeOperation, 'name' | 'action' | 'description'>,
	explained: (error: unknown) => unknown = (error) => error,
): NodeOperation {
	return {
		value: 'findOrCreate',
		...texts,
		properties: [
			...personFields(true),
			optionsCollection([
				requireMatchableToStoreOption,
				fullRecordOption,
				expandField,
				dryRunOption,
				timeoutOption,
				replayUnknownOutcomeOption,
				maxConcurrentRequestsOption,
			]),
		],
		async runAll(run) {
			return await checkThenSend(
				run,
				async (item) => await Promise.resolve(findOrCreateCall(item)),
				async (item, values) => {
					const { functions, service, itemIndex } = item;
					if (isDryRun(functions, itemIndex)) {
						const request = service.describe(endpoint, values);
						return asItems({ dryRun: true, request: { ...request } });
					}
					try {
						return asItems(await matchedPerson(service, endpoint, values, optionsOf(item)));
					} catch (error) {
						return await Promise.reject(explained(error) as Error);
					}
				},
			);
		},
	};
}
