import type { INodeProperties } from 'n8n-workflow';

import { withSwitches } from '../../../nodes/shared/execution/switches';
import { packageNodes } from '../../engine/support/packageNodes';
import { nodeParameters } from '../parameters/nodeParameters';

/** Where a switch is read: a field of its own, or with the others of its collection. */
interface Switch {
	title: string;
	properties: INodeProperties[];
	collection?: string;
	name: string;
	label: string;
}

const switches = [...packageNodes()].flatMap(([node, { resources }]) =>
	resources.flatMap((resource) =>
		resource.operations.flatMap(({ value, properties }) => {
			const within = (fields: INodeProperties[], collection?: string): Switch[] =>
				fields.flatMap(({ name, type, displayName, options = [] }) => {
					if (type === 'collection') return within(options as INodeProperties[], name);
					const title = `${node} ${resource.value}/${value}: ${displayName}`;
					return type === 'boolean'
						? [{ title, properties, collection, name, label: displayName }]
						: [];
				});
			return within(properties);
		}),
	),
);

function read({ properties, collection, name }: Switch, value: unknown): unknown {
	const entered =
		collection === undefined ? { [name]: value } : { [collection]: { [name]: value } };
	const functions = withSwitches(nodeParameters(entered), properties);
	if (collection === undefined) return functions.getNodeParameter(name, 0);
	return (functions.getNodeParameter(collection, 0) as Record<string, unknown>)[name];
}

test('there are switches', () => {
	expect(switches.length).toBeGreaterThan(50);
});

test.each(switches)('$title reads texts of expressions', (each) => {
	expect([true, 'true', 'True '].map((value) => read(each, value))).toEqual([true, true, true]);
	expect([false, 'false', 'FALSE'].map((value) => read(each, value))).toEqual([
		false,
		false,
		false,
	]);
	expect(['', null].map((value) => read(each, value) ?? undefined)).toEqual([undefined, undefined]);
	for (const value of ['perhaps', 1, {}, []]) {
		expect(() => read(each, value)).toThrow(
			`${each.label}: "${String(value)}" is not true or false.`,
		);
	}
});

test('other values stay as they are', () => {
	const properties: INodeProperties[] = [
		{ displayName: 'A', name: 'a', type: 'boolean', default: false },
		{ displayName: 'B', name: 'b', type: 'string', default: '' },
	];
	const functions = withSwitches(nodeParameters({ b: 'false', c: ['a'] }), properties);
	expect(functions.getNodeParameter('b', 0)).toBe('false');
	expect(functions.getNodeParameter('c', 0)).toEqual(['a']);
	expect(functions.getNodeParameter('a', 0, true)).toBe(true);
});
