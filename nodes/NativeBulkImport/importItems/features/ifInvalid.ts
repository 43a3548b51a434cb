import type { INodeProperties } from 'n8n-workflow';

import type { ImportFeature } from '../feature';

const LABEL = 'Rows With Invalid Values';
const CHOICES = ['leaveOut', 'stop'] as const;

const option: INodeProperties = {
	displayName: LABEL,
	name: 'ifInvalid',
	type: 'options',
	options: [
		{
			name: 'Leave Out',
			value: 'leaveOut',
			description: 'Import the others; these rows come out as invalid, with the reason',
		},
		{ name: 'Stop', value: 'stop', description: 'Send nothing, and say which rows they are' },
	],
	default: 'leaveOut',
	description: 'What to do if a row has a value that cannot be sent',
};

export const ifInvalid: ImportFeature = {
	options: { group: 'list', place: 40, fields: [option] },
	guards: [option.name],
	of: ({ parameters, sends }) =>
		sends && parameters.in('options').choice(option.name, CHOICES) === 'stop'
			? { stopsAtInvalid: { advice: `To import the other rows, set ${LABEL} to Leave Out.` } }
			: undefined,
};
