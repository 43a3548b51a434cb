import type { INodeParameters } from 'n8n-workflow';

/**
 * The parameter `pollTimes` of a trigger that is to look more often than users need.
 *
 * n8n 2.41 takes no expression that is due more than once a minute, 2.8.4 does; both take several that
 * are each due once a minute.
 *
 * @param seconds a divisor of 60
 */
export function pollsEvery(seconds: number): INodeParameters {
	const dueAt = Array.from({ length: 60 / seconds }, (_, index) => index * seconds);
	return {
		item: dueAt.map((second) => ({ mode: 'custom', cronExpression: `${second} * * * * *` })),
	};
}
