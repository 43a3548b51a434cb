import { NodeConnectionTypes, type INodeType } from 'n8n-workflow';

import { ActivePoll } from './support/activePoll';

/** Counts its polls and emits every second one. */
const counter: INodeType = {
	description: {
		displayName: 'Counter',
		name: 'counter',
		group: ['trigger'],
		version: 1,
		description: 'A trigger of this test',
		defaults: {},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
	async poll() {
		const data = this.getWorkflowStaticData('node');
		data.polls = Number(data.polls ?? 0) + 1;
		return Number(data.polls) % 2 === 0 ? [[{ json: { polls: data.polls } }]] : null;
	},
};

test('a trigger loses what it noted since it last emitted when n8n restarts', async () => {
	const polling = new ActivePoll({ node: counter });
	expect(await polling.poll()).toBeNull();
	expect(await polling.poll()).toEqual([[{ json: { polls: 2 } }]]);
	expect(await polling.poll()).toBeNull();
	expect(polling.savedStaticData).toEqual({ polls: 2 });

	polling.restart();
	expect(await polling.poll()).toBeNull();
	expect(await polling.poll()).toEqual([[{ json: { polls: 4 } }]]);
});
