import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Fields } from '../../shared/parameters/itemParameters';
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

/** Throws InvalidInput for an interval that would poll without a pause. */
export function waitPlan(options: Fields): WaitPlan {
	return {
		pollIntervalMs: options.positive('pollInterval', 15) * 1000,
		maxWaitMs: options.positive('maxWait', 60) * 60_000,
	};
}

/** How to wait for jobs; the first is the default where an operation can do without. */
export const WAIT_WAYS = ['none', 'memory', 'database'] as const;

export type WaitWay = (typeof WAIT_WAYS)[number];

const WAYS: INodePropertyOptions[] = [
	{
		name: 'In Memory',
		value: 'memory',
		description: 'The node runs until the end. A restart of n8n ends the wait, not the jobs.',
	},
	{
		name: 'In the Database',
		value: 'database',
		description:
			'For hours: n8n stores the execution after the first checks and goes on later, also after a restart. Needs a node before this one.',
	},
];

/** The choice of how to wait; `none` only where an operation can do without. */
export function waitField(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
	defaultWay: WaitWay,
): INodeProperties {
	const none = { name: 'Not at All', value: 'none', description: 'Return at once' };
	return {
		...field,
		type: 'options',
		options: defaultWay === 'memory' ? WAYS : [...WAYS, none],
		default: defaultWay,
	};
}
