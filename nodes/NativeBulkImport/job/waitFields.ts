import type { INodeProperties } from 'n8n-workflow';

import { parameterPositive } from '../../shared/parameters/parameterValues';
import type { WaitPlan } from '../../shared/service/importJobWait';

export const pollIntervalField: INodeProperties = {
	displayName: 'Poll Interval (Seconds)',
	name: 'pollInterval',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 15,
	description:
		'Time between two checks of the job. The first checks come sooner, later ones less often.',
};

export const maxWaitField: INodeProperties = {
	displayName: 'Max Wait (Minutes)',
	name: 'maxWait',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description:
		'Longest time to wait for the job. After that the node stops waiting; the job keeps running.',
};

interface WaitOptions {
	pollInterval?: unknown;
	maxWait?: unknown;
}

/** Throws InvalidInput for an interval that would poll without a pause. */
export function waitPlan({ pollInterval = 15, maxWait = 60 }: WaitOptions): WaitPlan {
	return {
		pollIntervalMs: parameterPositive(pollInterval, pollIntervalField.displayName) * 1000,
		maxWaitMs: parameterPositive(maxWait, maxWaitField.displayName) * 60_000,
	};
}
