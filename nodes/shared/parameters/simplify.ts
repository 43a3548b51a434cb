import { isEmpty, isNil, mapValues, pick } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { sameName } from '../service/nearestName';
import type { ItemParameters } from './itemParameters';

/** What an AI tool returns of each record: every property costs the model tokens. */
export const toolOutputFields: INodeProperties[] = [
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{ name: 'Raw', value: 'raw', description: 'Every property of the record' },
			{
				name: 'Selected Fields',
				value: 'selectedFields',
				description: 'Only the properties that you name',
			},
			{ name: 'Simplified', value: 'simplified', description: 'Without properties that are empty' },
		],
		default: 'simplified',
		displayOptions: { show: { '@tool': [true] } },
		description: 'What to return to the AI agent for each record',
	},
	{
		displayName: 'Fields to Return',
		name: 'fieldsToReturn',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. firstName, lastName',
		displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
		description: 'Names of the properties to return, separated by commas',
	},
];

/** For records with many empty properties. */
export const simplifyFields: INodeProperties[] = [
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		displayOptions: { hide: { '@tool': [true] } },
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	...toolOutputFields,
];

function withoutBlanks(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutBlanks);
	if (value === null || typeof value !== 'object') return value;
	const holdsNothing = (entry: unknown): boolean =>
		isNil(entry) || (typeof entry === 'object' && isEmpty(entry));
	const entries = Object.entries(mapValues(value, withoutBlanks));
	return Object.fromEntries(entries.filter(([, entry]) => !holdsNothing(entry)));
}

/** @param otherwise for a node that is not a tool and has no field Simplify */
export function simplifyIfAsked(
	parameters: ItemParameters,
	record: IDataObject,
	otherwise: 'raw' | 'simplified' = 'simplified',
): IDataObject {
	const wanted = parameters.flag('simplify', otherwise === 'simplified') ? 'simplified' : 'raw';
	const output = parameters.choice('output', [wanted, 'raw', 'selectedFields', 'simplified']);
	if (output === 'raw') return record;
	if (output !== 'selectedFields') return withoutBlanks(record) as IDataObject;
	const known = parameters
		.names('fieldsToReturn')
		.flatMap((wanted) => Object.keys(record).filter((name) => sameName(name, wanted)));
	return pick(record, known);
}
