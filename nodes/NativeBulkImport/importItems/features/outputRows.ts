import type { INodeProperties } from 'n8n-workflow';

import type { ImportFeature } from '../feature';

const CHOICES = ['failed', 'all', 'summary'] as const;

/** @param hide where each row is an item */
const optionHidden = (hide: Record<string, string[]>): INodeProperties => ({
	displayName: 'Output Rows',
	name: 'outputRows',
	type: 'options',
	options: [
		{ name: 'All', value: 'all', description: 'One item per row; a large file returns many items' },
		{
			name: 'Failed',
			value: 'failed',
			description: 'One item per row that was not imported, with its values',
		},
		{ name: 'None', value: 'summary', description: 'The summary only' },
	],
	default: 'failed',
	displayOptions: { hide },
	description: 'Which rows of the file to return after the summary, which always comes first',
});

export const outputRows: ImportFeature = {
	options: {
		group: 'results',
		place: 30,
		fields: [optionHidden({ '/listOptions.rowsFrom.rows.source': ['items'] })],
	},
	outcomeOptions: [optionHidden({ '/source': ['items', 'expression'] })],
	of: ({ parameters }) => ({
		output: { rows: parameters.in('options').choice('outputRows', CHOICES) },
	}),
};
