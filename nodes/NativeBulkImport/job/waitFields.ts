import type { INodeProperties } from 'n8n-workflow';

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

/** How to wait for jobs. */
export type WaitWay = 'memory' | 'database' | 'none';

const WAYS: Record<WaitWay, { name: string; description: string }> = {
	memory: {
		name: 'In Memory',
		description: 'The node runs until the end. A restart of n8n ends the wait, not the jobs.',
	},
	database: {
		name: 'In the Database',
		description:
			'For hours: n8n stores the execution after the first checks and goes on later, also after a restart. Needs a node before this one.',
	},
	none: { name: 'Not at All', description: 'Return at once' },
};

/** The choice of how to wait. @param ways the first is the default */
export function waitField(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
	ways: readonly WaitWay[],
): INodeProperties {
	return {
		...field,
		type: 'options',
		options: ways.map((value) => ({ ...WAYS[value], value })),
		default: ways[0],
	};
}
