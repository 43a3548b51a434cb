import { deburr } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import { describeTool } from './agent';
import type { PackageOperation } from './exampleOutputs';
import { textParameters } from './textParameters';

/** What the button of the editor writes for each kind of field. */
const TYPES: Partial<Record<INodeProperties['type'], string>> = {
	boolean: 'boolean',
	dateTime: 'string',
	json: 'json',
	number: 'number',
	resourceLocator: 'string',
	string: 'string',
};

/** A parameter that the model fills in, as the button of the editor writes it. */
export const fromAI = (key: string, description: string, type: string): string =>
	`={{ $fromAI('${key}', \`${description.replaceAll('`', "'")}\`, '${type}') }}`;

/** Characters of English and JSON in a token: models have three and a half to four. */
const CHARACTERS_PER_TOKEN = 3.5;

interface ToolText {
	fields: number;
	characters: number;
	/** Estimated. */
	tokens: number;
}

const hasButton = ({ type, noDataExpression }: INodeProperties): boolean =>
	TYPES[type] !== undefined && noDataExpression !== true;

/**
 * What n8n sends a model of an operation as a tool if the model fills in every field that it can, and reads
 * the description of each: the most that it can be.
 */
export function toolText({ node, name }: Pick<PackageOperation, 'node' | 'name'>): ToolText {
	const [resource, operation] = name.split('/');
	const fields = textParameters({ node, name }, {}, hasButton);
	const fill = Object.fromEntries(
		fields.map(({ path, field }) => {
			const key = deburr(path).replaceAll(/\W+/g, '_').slice(-64);
			return [key, fromAI(key, field.description ?? '', TYPES[field.type] ?? 'string')];
		}),
	);
	const text = JSON.stringify(describeTool({ node, parameters: { resource, operation, fill } }));
	return {
		fields: fields.length,
		characters: text.length,
		tokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
	};
}
