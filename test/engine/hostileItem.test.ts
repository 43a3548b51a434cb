import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { mapAutomatically } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { NativePeople } from '../../nodes/NativePeople/NativePeople.node';
import { longestTurnOf } from '../support/eventLoop';
import { repetitions } from '../support/randomCases';
import {
	fileOf,
	itemImport,
	itemsOf,
	messagesOf,
	property,
	reportOf,
	sentBy,
	statusesOf,
} from './support/itemImports';
import { useSandbox } from './support/sandboxed';

/** An item that somebody sends to a form or a webhook does not stop the import of the others. */

const service = useSandbox();
const node = new NativeBulkImport();

const ann = {
	'First Name': 'Ann',
	'Last Name': 'Sample',
	Email: 'ann@example.org',
	'House Number': '12',
	'Street Name': 'Elm St',
	City: 'Nome',
	Zip: '99762',
	Notes: '',
};
const cy = { ...ann, 'First Name': 'Cy', Email: 'cy@example.org' };

const runWith = async (item: IDataObject, options: INodeParameters = {}) =>
	await service.run(
		node,
		itemImport(
			service,
			{},
			{ fieldMap: mapAutomatically, options: { pollInterval: 0.05, report: true, ...options } },
		),
		{ items: itemsOf([ann, item, cy]), onError: 'continueRegularOutput' },
	);

const objects: Array<[string, unknown]> = [
	['an object that has no text', { toString: 1, valueOf: 1, constructor: 1, length: -1 }],
	['a list of them', [{ toString: 1, valueOf: 1 }]],
	['what looks like a date object', { toISO: 1, toISODate: 1, toFormat: 1 }],
];
const columns = ['First Name', 'Email', 'House Number', 'Street Name', 'Zip', 'Notes', '__proto__'];

test.each(objects.flatMap(([what, value]) => columns.map((column) => ({ what, value, column }))))(
	'$what in the column $column',
	async ({ value, column }) => {
		const changes = Object.fromEntries([[column, value]]) as IDataObject;
		const run = await runWith({ ...ann, Email: 'bo@example.org', ...changes });
		const isMapped = !['Notes', '__proto__'].includes(column);
		const own = isMapped ? 'invalid' : 'imported';
		expect(statusesOf(run.outputs[0])).toEqual(['imported', own, 'imported']);
		expect(await reportOf(run)).toContain(`<b>${isMapped ? 2 : 3}</b> of 3 rows imported`);
	},
);

test.each([
	['braces', 'Email }}'],
	['an expression, after what is compared of a header', `Email${' '.repeat(600)}}}{{ $now }}`],
])('a spelling of a header with %s', async (_, header) => {
	const { Email, ...bo } = ann;
	const run = await runWith({ ...bo, [header]: Email });
	expect(statusesOf(run.outputs[0])).toEqual(['imported', 'imported', 'imported']);
});

test('two spellings of a header that only rows far below have both', async () => {
	const { Email, ...person } = ann;
	const many = Array.from({ length: 1000 }, (_, i) => ({ ...person, Email: `p${i}@example.org` }));
	const late = [
		{ Email: ' ', 'E-Mail': 'one@example.org' },
		{ Email: 'two@example.org', 'E-Mail': 'other@example.org' },
		{ Email, 'E-Mail': Email },
		{ Email: '', 'E-Mail': ' ' },
	];
	const map = { fieldMap: mapAutomatically, hosting: 'none' };
	const run = await service.run(node, itemImport(service, {}, map), {
		items: itemsOf([...many, ...late.map((mails) => ({ ...person, ...mails }))]),
		onError: 'continueRegularOutput',
	});
	const sent = await sentBy(run);
	expect(sent.slice(1000).map((row) => row.Email)).toEqual(['one@example.org', Email, '']);
	expect(JSON.stringify(run.outputs)).toContain(
		'Column \\"Email\\" has another value than column \\"E-Mail\\"',
	);
});

describe('a link in a value', () => {
	const link = '<a href=//example.com style=position:fixed;inset:0>Log in</a>';

	test('is text in hints, which n8n shows as HTML', async () => {
		const run = await runWith({ ...ann, Email: 'bo@example.org', [link]: '', City: `${link} ` });
		expect(messagesOf(run)).toMatch(/&lt;a href.*unknown header.*&lt;a href/);
		expect(messagesOf(run)).not.toContain('<');
	});

	test('is text in the description of an error, which n8n shows as HTML, but as it is in data', async () => {
		const parameters = { resource: 'person', operation: 'find', lastName: link, email: ann.Email };
		for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
			const body = { errors: [{ code: 'INVALID', text: `Busy: ${link}` }] };
			service.addFault({ kind: 'response', status: 403, body });
			const { error, outputs } = await service.run(new NativePeople(), parameters, { onError });
			const data = outputs[1]?.[0]?.json.error as IDataObject | undefined;
			expect(error?.description ?? data?.description).toContain(error ? '&lt;a' : '<a');
		}
	});
});

describe('leaves n8n time for other work', () => {
	const longestTurn = async (
		map: Record<string, string>,
		changes: INodeParameters,
		items: INodeExecutionData[],
	) => {
		const parameters = itemImport(service, map, { whatShouldHappen: 'show', ...changes });
		return await longestTurnOf(async () => {
			const { error } = await service.run(node, parameters, { items });
			expect(error).toBeUndefined();
		}, 50);
	};
	const mapOf = (fields: readonly string[]): Record<string, string> =>
		Object.fromEntries(fields.map((field) => [`CreateOrUpdateContact:${field}`, property(field)]));

	test('a few rows with much text', async () => {
		const text = 'Zoë '.repeat(25_000);
		const fields = ['FirstName', 'LastName', 'AddressLine1', 'City', 'ZipOrPostal', 'Phone', 'DOB'];
		const row = Object.fromEntries(fields.map((field) => [field, text]));
		const items = itemsOf(Array.from({ length: 12 }, () => row));
		expect(await longestTurn(mapOf(fields), {}, items)).toBeLessThanOrEqual(50);
	});

	test('a hundred dates with much text', async () => {
		const DOB = `${' '.repeat(1_000_000)}x`;
		const items = itemsOf(Array.from({ length: 100 }, () => ({ FirstName: 'Ann', DOB })));
		expect(await longestTurn(mapOf(['FirstName', 'DOB']), {}, items)).toBeLessThanOrEqual(50);
	});

	const many = (count: number, line: string) => Array<string>(count).fill(line);
	const wide = Array.from({ length: 500 }, (_, column) => `Column ${column}`);

	test.each([
		[
			'a quotation mark closes after many lines',
			['FirstName,LastName,DOB,Zip', '"?,?,?,?', ...many(40_000, '?,?,?,?'), '?,?,?,x"y"z', ''],
		],
		[
			'rows lack most of many columns',
			[`FirstName,${wide.join()}`, ...many(repetitions(3000), 'Ann,'), ''],
		],
	])('a file in which %s', async (_, lines) => {
		const items = [await fileOf(lines.join('\n'))];
		const map = mapOf(['FirstName']);
		expect(await longestTurn(map, { source: 'binary' }, items)).toBeLessThanOrEqual(50);
	});
});
