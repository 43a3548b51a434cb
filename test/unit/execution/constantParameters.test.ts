import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { byId } from '../../../hosts/locators';
import {
	oncePerRun,
	readConstantsOnce,
	replaceConstant,
} from '../../../nodes/shared/execution/constantParameters';

/** The functions of n8n that read parameters; `$item` stands for the position of the item. */
function functionsOf(parameters: INodeParameters) {
	const reads: string[] = [];
	const getNodeParameter = (name: string, itemIndex: number, otherwise?: unknown): unknown => {
		reads.push(name);
		const value = parameters[name] ?? otherwise;
		return typeof value === 'string' ? value.replace('=$item', String(itemIndex)) : value;
	};
	const functions = { getNode: () => ({ parameters }), getNodeParameter };
	return { reads, functions: readConstantsOnce(functions as unknown as IExecuteFunctions) };
}

const readAll = (functions: IExecuteFunctions, name: string) =>
	[0, 1, 2].map((item) => functions.getNodeParameter(name, item, '') as unknown);

test('a parameter without an expression is read once', () => {
	const { functions, reads } = functionsOf({ code: 'A' });
	expect(readAll(functions, 'code')).toEqual(['A', 'A', 'A']);
	expect(reads).toHaveLength(1);
});

test('a parameter with an expression is read for every item', () => {
	const { functions } = functionsOf({ code: '=$item' });
	expect(readAll(functions, 'code')).toEqual(['0', '1', '2']);
});

test.each([[{ list: [{ code: '=$item' }] }], [byId('=$item')]])(
	'an expression anywhere in a parameter counts: %j',
	(code) => {
		const { functions, reads } = functionsOf({ code });
		readAll(functions, 'code');
		expect(reads).toHaveLength(3);
	},
);

test('a parameter that the node lacks keeps the default of each reader', () => {
	const { functions } = functionsOf({});
	expect(functions.getNodeParameter('code', 0, 'A')).toBe('A');
	expect(functions.getNodeParameter('code', 0, 'B')).toBe('B');
});

test('work on constant parameters is done once, other work for every item', () => {
	const { functions } = functionsOf({ code: 'A', person: '=$item' });
	const code = jest.fn((of: IExecuteFunctions, item: number) => of.getNodeParameter('code', item));
	const both = (of: IExecuteFunctions, item: number) =>
		`${String(code(of, item))}${of.getNodeParameter('person', item) as string}`;
	expect([0, 1, 2].map((item) => oncePerRun(code, functions, item))).toEqual(['A', 'A', 'A']);
	expect(code).toHaveBeenCalledTimes(1);
	expect([0, 1, 2].map((item) => oncePerRun(both, functions, item))).toEqual(['A0', 'A1', 'A2']);
});

test('only a constant can be replaced', () => {
	const { functions } = functionsOf({ code: 'A', person: '=$item' });
	readAll(functions, 'code');
	readAll(functions, 'person');
	expect(replaceConstant(functions, 'code', 'B')).toBe(true);
	expect(replaceConstant(functions, 'person', 'B')).toBe(false);
	expect(readAll(functions, 'code')).toEqual(['B', 'B', 'B']);
	expect(readAll(functions, 'person')).toEqual(['0', '1', '2']);
});
