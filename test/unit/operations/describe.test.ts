import type { INodeProperties } from 'n8n-workflow';

import { describeNode, resourceSubtitle } from '../../../nodes/shared/operations/describe';

const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
};
const name: INodeProperties = { displayName: 'Name', name: 'name', type: 'string', default: '' };
const operation = (value: string, properties: INodeProperties[]) => ({
	value,
	name: value,
	action: `${value} it`,
	description: `What ${value} does`,
	calls: [],
	properties,
	run: async () => [],
});
const resources = [
	{
		value: 'code',
		name: 'Code',
		operations: [operation('create', [name]), operation('getAll', [limit])],
	},
	{ value: 'codeType', name: 'Code Type', operations: [operation('getAll', [limit])] },
];
const [selector, ...rest] = describeNode(resources).properties;

test('the first parameter chooses the resource', () => {
	expect(selector).toMatchObject({
		name: 'resource',
		default: 'code',
		options: [
			{ name: 'Code', value: 'code' },
			{ name: 'Code Type', value: 'codeType' },
		],
	});
});

test('each resource has a choice of its own operations', () => {
	expect(rest.slice(0, 2)).toMatchObject([
		{
			name: 'operation',
			default: 'create',
			displayOptions: { show: { resource: ['code'] } },
			options: [{ value: 'create', action: 'create it' }, { value: 'getAll' }],
		},
		{
			name: 'operation',
			default: 'getAll',
			displayOptions: { show: { resource: ['codeType'] } },
			options: [{ value: 'getAll' }],
		},
	]);
});

test('each parameter is shown for its own operation, and under its own conditions', () => {
	expect(rest.slice(2).map((property) => [property.name, property.displayOptions])).toEqual([
		['name', { show: { resource: ['code'], operation: ['create'] } }],
		['limit', { show: { returnAll: [false], resource: ['code'], operation: ['getAll'] } }],
		['limit', { show: { returnAll: [false], resource: ['codeType'], operation: ['getAll'] } }],
	]);
});

test('the line under a node finds the names of the chosen resource and operation', () => {
	expect(resourceSubtitle(resources)).toBe(
		'={{ ({"code:create":"create: Code","code:getAll":"getAll: Code","codeType:getAll":"getAll: Code Type"})[$parameter["resource"] + ":" + $parameter["operation"]] }}',
	);
});
