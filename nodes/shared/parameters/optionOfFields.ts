import type { INodeProperties } from 'n8n-workflow';

/** Several fields as one option, each with its default once it is added. */
export function optionOfFields(
	option: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
	kind: { displayName: string; name: string },
	values: INodeProperties[],
): INodeProperties {
	return {
		...option,
		type: 'fixedCollection',
		default: {
			[kind.name]: Object.fromEntries(values.map((field) => [field.name, field.default])),
		},
		options: [{ ...kind, values }],
	};
}
