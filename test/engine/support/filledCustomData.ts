import type { INodeType } from 'n8n-workflow';

import { givenItems } from './engine';

/** A node that passes its items on and uses up the custom data that n8n keeps of an execution. */
export const fillsCustomData: INodeType = {
	description: { ...givenItems([]).description, name: 'fills', inputs: ['main'] },
	async execute() {
		const { $execution } = this.getWorkflowDataProxy(0) as unknown as {
			$execution: { customData: { set(key: string, value: string): void } };
		};
		for (let i = 0; i < 10; i++) $execution.customData.set(`key${i}`, 'of the user');
		return await Promise.resolve([this.getInputData()]);
	},
};
