import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { z } from 'zod';

import { NativePeople } from '../../nodes/NativePeople/NativePeople.node';
import { runChosenOperation } from '../../nodes/shared/execution/runOperation';
import { defineResources, describeNode } from '../../nodes/shared/operations/describe';
import { endpoints, prepareCall } from '../../nodes/shared/service/endpoints';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();

/** An operation that applies its schema itself. */
const resources = defineResources([
	{
		value: 'person',
		name: 'Person',
		operations: [
			{
				value: 'addNote',
				name: 'Add Note',
				action: 'Add note',
				description: 'Made up',
				calls: [endpoints.applyCode],
				properties: [{ displayName: 'Note Text', name: 'text', type: 'string', default: '' }],
				write: ({ functions, itemIndex }) => {
					const text = z.string().max(3, { message: 'is too long' });
					const category = z.object({ id: z.number({ message: 'must be a number' }) });
					const input = {
						text: functions.getNodeParameter('text', itemIndex),
						category: { id: 'a' },
					};
					const body = z.object({ text, category }).parse(input);
					return {
						call: prepareCall(endpoints.applyCode, { path: { person: 1 }, body }),
						output: () => ({}),
					};
				},
			},
		],
	},
]);

class MadeUp extends NativePeople implements INodeType {
	constructor() {
		super();
		this.description = { ...this.description, ...describeNode(resources) };
	}

	override async execute(this: IExecuteFunctions) {
		return await runChosenOperation(this, resources);
	}
}

it('a schema that an operation applies itself shows fields, not JSON', async () => {
	const parameters = { resource: 'person', operation: 'addNote', text: 'long' };
	const { error } = await service.run(new MadeUp(), parameters);
	expect(error).toMatchObject({
		message: '2 things to correct. (1) Note Text is too long. (2) category.id must be a number.',
		description: 'Nothing was sent. Correct these and run it again.',
	});
	expect(service.calls()).toEqual([]);
});
