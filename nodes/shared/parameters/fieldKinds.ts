import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** @param example without "e.g." */
export function textField(
	displayName: string,
	name: string,
	description: string,
	example = '',
): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		description,
		...(example && { placeholder: `e.g. ${example}` }),
	};
}

/** A drop-down that begins with no choice. */
export function choiceField(
	displayName: string,
	name: string,
	options: INodePropertyOptions[],
	description: string,
): INodeProperties {
	return { displayName, name, type: 'options', options, default: '', description };
}

/**
 * Two fields for a body that is entered as fields or as JSON: `Define Person` and `Person (JSON)`.
 * @param json the label and name of the JSON field
 */
export function fieldsOrJson(
	noun: string,
	json: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
): INodeProperties[] {
	const define = `define${noun}`;
	return [
		{
			displayName: `Define ${noun}`,
			name: define,
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Using Fields Below', value: 'fields' },
				{ name: 'Using JSON', value: 'json' },
			],
			default: 'fields',
			description: `How you enter the ${noun.toLowerCase()}. Both are checked in the same way before anything is sent.`,
		},
		{
			...json,
			type: 'json',
			typeOptions: { rows: 10 },
			default: '',
			required: true,
			displayOptions: { show: { [define]: ['json'] } },
		},
	];
}
