import type { INodeProperties } from 'n8n-workflow';

import type { ImportFeature } from '../feature';

const option: INodeProperties = {
	displayName: 'Outcome Format',
	name: 'outcomeFormat',
	type: 'options',
	options: [
		{
			name: 'Columns First',
			value: 'columns',
			description:
				'Status, reason and primaryKey, then the row, then importResult with the details',
		},
		{
			name: 'Nested Only',
			value: 'nested',
			description: 'The row, then importResult with the whole outcome',
		},
	],
	default: 'columns',
	description: 'Where the outcome of a row is in its item',
};

export const outcomeFormat: ImportFeature = {
	options: [option],
	outcomeOptions: [option],
	of: ({ parameters }) =>
		parameters.in('options').text('outcomeFormat') === 'nested'
			? { output: { isNested: true } }
			: undefined,
};
