import type { INodeProperties } from 'n8n-workflow';

import { byId } from '../../../hosts/locators';
import {
	type ItemParameters,
	RunParameters,
} from '../../../nodes/shared/parameters/itemParameters';
import { parametersOf } from './nodeParameters';

/** Parameters that note what n8n evaluates; `$item` is the position of the item. */
function noted(entered: Record<string, unknown>) {
	const reads: string[] = [];
	const run = new RunParameters([], entered, (name, itemIndex) => {
		reads.push(name);
		const value = entered[name];
		return typeof value === 'string' ? value.replace('=$item', String(itemIndex)) : value;
	});
	const items = [0, 1, 2].map((itemIndex) => run.ofItem(itemIndex));
	const readAll = (name: string) => items.map((item) => item.value(name));
	return { reads, items, readAll };
}

test('a parameter without an expression is read once', () => {
	const { reads, readAll } = noted({ code: 'A' });
	expect(readAll('code')).toEqual(['A', 'A', 'A']);
	expect(reads).toHaveLength(1);
});

test.each([[{ list: [{ code: '=$item' }] }], [byId('=$item')], ['=$item']])(
	'a parameter with an expression anywhere is read for every item: %j',
	(code) => {
		const { reads, readAll } = noted({ code });
		readAll('code');
		expect(reads).toHaveLength(3);
	},
);

test.each([
	['an object', { name: 'A' }, '[object Object]'],
	['a list', ['A', 'B'], 'A,B'],
	['the result of a calculation without one', Number.NaN, 'NaN'],
	['a division by zero', 1 / 0, 'Infinity'],
])('%s is not text, although it could be written as one', (_, value, written) => {
	const [item] = noted({ code: value }).items;
	expect(() => item?.text('code')).toThrow(`is "${written}", but must be text.`);
});

test('work on constant parameters is done once, other work for every item', () => {
	const { items } = noted({ code: 'A', person: '=$item' });
	let count = 0;
	const code = (of: ItemParameters) => {
		count++;
		return of.text('code');
	};
	const both = (of: ItemParameters) => code(of) + of.text('person');
	expect(items.map((item) => item.once(code))).toEqual(['A', 'A', 'A']);
	expect(count).toBe(1);
	expect(items.map((item) => item.once(both))).toEqual(['A0', 'A1', 'A2']);
});

test('a replaced constant is replaced for all items, another value for its own', async () => {
	const { items, readAll } = noted({ code: 'A', person: '=$item' });
	await items[0]?.replace('code', async () => await Promise.resolve('B'));
	await items[0]?.replace('person', async () => await Promise.resolve('B'));
	expect(readAll('code')).toEqual(['B', 'B', 'B']);
	expect(readAll('person')).toEqual(['B', '1', '2']);
	const person = (of: ItemParameters) => of.text('person');
	expect(items.map((item) => item.once(person))).toEqual(['B', '1', '2']);
});

test('a parameter that cannot be replaced fails where it is read', async () => {
	const { items } = noted({ code: 'A' });
	await items[0]?.replace('code', async () => await Promise.reject(new Error('No such name')));
	expect(() => items[0]?.text('code')).toThrow('No such name');
	expect(items[1]?.text('code')).toBe('A');
});

describe('typed values', () => {
	const properties: INodeProperties[] = [
		{ displayName: 'Where From', name: 'source', type: 'options', default: 'items' },
		{ displayName: 'Names', name: 'list', type: 'string', default: '' },
		{ displayName: 'Code', name: 'codeId', type: 'string', default: '' },
		{ displayName: 'Body (JSON)', name: 'body', type: 'json', default: '' },
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			default: {},
			options: [{ displayName: 'Max Wait', name: 'maxWait', type: 'number', default: 1 }],
		},
	];
	const of = (entered: Record<string, unknown>) => parametersOf(entered, properties);

	test('of empty and missing fields are the defaults', () => {
		for (const entered of [{}, { source: '', options: null }, { source: ' ', options: '' }]) {
			expect(of(entered).choice('source', ['items', 'file'])).toBe('items');
			expect(of(entered).in('options').positive('maxWait', 5)).toBe(5);
			expect(of(entered).names('source')).toEqual([]);
			expect(of(entered).fields('options')).toEqual({});
		}
	});

	test.each<[string, (parameters: ItemParameters) => unknown, string]>([
		['a choice', (of) => of.choice('source', ['a', 'b']), 'Where From: "?" is not one of a, b.'],
		['names', (of) => of.names('list'), 'Names must be names, as a list or separated by commas.'],
		[
			'an ID',
			(of) => of.id('codeId'),
			'Code: "x" is not an ID. It must be a whole number from 1 to 2147483647.',
		],
		['JSON', (of) => of.json('body'), 'Body (JSON) is not valid JSON'],
		[
			'a number',
			(of) => of.in('options').positive('maxWait', 1),
			'Max Wait: "-1" is not a number above 0.',
		],
	])('of %s are checked, and named as on the screen', (_, read, message) => {
		const entered = {
			list: [{ name: 'a' }],
			source: '?',
			codeId: 'x',
			body: '{',
			options: { maxWait: -1 },
		};
		expect(() => read(of(entered))).toThrow(message);
	});

	test('a number in JSON that would be sent as null is refused', () => {
		const read = (body: string) => of({ body }).json('body');
		expect(() => read('{"amount":1e400}')).toThrow(/number that is too large/);
		expect(read('{"amount":"1e400"}')).toEqual({ amount: '1e400' });
	});
});
