import type { INodeProperties } from 'n8n-workflow';

import type { NodeOperation } from '../execution/operation';
import { type Endpoint, retryOfMethod } from '../service/endpoints';
import { DEFAULT_TIMEOUT_SECONDS } from '../service/nativeService';

/** Options that follow from the calls of an operation. */

export const timeoutOption: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: DEFAULT_TIMEOUT_SECONDS,
	description: 'Longest time to wait for the response to one request',
};

const maxConcurrentRequestsOption: INodeProperties = {
	displayName: 'Max Concurrent Requests',
	name: 'maxConcurrentRequests',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: '',
	description:
		'Most requests at a time. When empty, the rate limit and the response time decide, up to 500.',
};

const dryRunOption: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to only check the input and show the request that would be sent. Nothing is changed.',
};

const replayUnknownOutcomeOption: INodeProperties = {
	displayName: 'Retry Even if It May Duplicate',
	name: 'replayUnknownOutcome',
	type: 'boolean',
	default: false,
	description:
		'Whether to retry a request that the service may already have executed. Turn on only if a duplicate does no harm.',
};

function optionsOf({ retry, matchesPeople }: Pick<Endpoint, 'retry' | 'matchesPeople'>) {
	return [
		timeoutOption,
		maxConcurrentRequestsOption,
		...(retry === 'read' ? [] : [dryRunOption]),
		// A person with too little data to match is stored each time.
		...(retry === 'unsafe' || matchesPeople ? [replayUnknownOutcomeOption] : []),
	];
}

function callOptions(calls: NodeOperation['calls']): INodeProperties[] {
	return 'anyPath' in calls
		? optionsOf({ retry: retryOfMethod[calls.anyPath] })
		: calls.flatMap(optionsOf);
}

export function optionsCollection(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...options].sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}

/** The operation with the options of its calls; its own option of the same name wins. */
export function withCallOptions<Operation extends NodeOperation>(operation: Operation): Operation {
	const { calls, options = [], properties } = operation;
	const byName = new Map([...callOptions(calls), ...options].map((each) => [each.name, each]));
	if (byName.size === 0) return operation;
	return { ...operation, properties: [...properties, optionsCollection([...byName.values()])] };
}
