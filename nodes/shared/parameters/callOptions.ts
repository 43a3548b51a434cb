import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_TIMEOUT_SECONDS } from '../service/nativeService';

/** Options under `options` that several operations share. */

export const timeoutOption: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: DEFAULT_TIMEOUT_SECONDS,
	description: 'Longest time to wait for the response to one request',
};

export const uploadTimeoutOption: INodeProperties = {
	...timeoutOption,
	description:
		'Longest time to wait for the response to one request. The upload of a file gets 8 seconds more per megabyte.',
};

export const dryRunOption: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to only check the input and show the request that would be sent. Nothing is sent.',
};

export const replayUnknownOutcomeOption: INodeProperties = {
	displayName: 'Retry Even if It May Duplicate',
	name: 'replayUnknownOutcome',
	type: 'boolean',
	default: false,
	description:
		'Whether to retry a request that the service may already have executed. Turn on only if a duplicate does no harm.',
};

export const maxConcurrentRequestsOption: INodeProperties = {
	displayName: 'Max Concurrent Requests',
	name: 'maxConcurrentRequests',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: '',
	description:
		'Most requests at a time. When empty, the rate limit and the response time decide, up to 500.',
};

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
