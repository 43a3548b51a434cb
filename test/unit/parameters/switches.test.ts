import type { INodeProperties } from 'n8n-workflow';

import { packageNodes } from '../../engine/support/packageNodes';
import { parametersOf } from '../parameters/nodeParameters';

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
	if (collection === undefined) return parametersOf({ [name]: value }, properties).value(name);
	const entered = { [collection]: { [name]: value } };
	return parametersOf(entered, properties).in(collection).value(name);
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
	const parameters = parametersOf({ b: 'false', c: ['a'] }, properties);
	expect(parameters.value('b')).toBe('false');
	expect(parameters.value('c')).toEqual(['a']);
	expect(parameters.flag('a', true)).toBe(true);
});
