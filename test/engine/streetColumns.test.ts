import { stringify } from 'csv-stringify/sync';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { mapAutomatically } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { fileOf, itemImport, itemsOf, messagesOf, sentBy } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

type Row = Record<string, unknown>;

const person = { 'First Name': 'Ann', 'Last Name': 'Sample', Mail: 'ann@example.org' };
/** In the form in which a state writes them: padded, and blank where a street has no such piece. */
const voters: Row[] = [
	{
		HOUSE_NUMBER: '0012',
		DIRECTION: 'N ',
		STREET_NAME: 'ELM   ',
		STREET_TYPE: 'ST',
		APT_NUM: '4B',
	},
	{ HOUSE_NUMBER: '7', DIRECTION: '', STREET_NAME: '5TH', STREET_TYPE: 'AVE', APT_NUM: '' },
].map((street) => ({ ...person, ...street, CITY: 'Nome', ZIP: '99762' }));

const asItems = async (rows: Row[]) => await Promise.resolve(itemsOf(rows));
const asFile = async (rows: Row[]) => [await fileOf(stringify(rows, { header: true }))];

const run = async (
	items: INodeExecutionData[],
	fieldMap: unknown = mapAutomatically,
	options: INodeParameters = {},
) =>
	await service.run(
		node,
		itemImport(
			service,
			{},
			{
				source: 'detect',
				hosting: 'none',
				fieldMap: fieldMap as INodeParameters,
				options,
			},
		),
		{ items },
	);

describe.each([
	['items', asItems],
	['a file', asFile],
])('a street in several columns of %s', (_, from) => {
	it.each([true, false])('is sent as one line, Clean Values %s', async (cleanValues) => {
		const result = await run(await from(voters), mapAutomatically, { cleanValues });
		expect(result.error).toBeUndefined();
		expect(await sentBy(result)).toMatchObject([
			{ AddressLine1: '0012 N ELM ST', AddressLine2: '4B', City: 'Nome', ZipOrPostal: '99762' },
			{ AddressLine1: '7 5TH AVE', AddressLine2: '' },
		]);
		expect(messagesOf(result)).toContain('HOUSE_NUMBER + DIRECTION + STREET_NAME + STREET_TYPE → ');
	});

	it('is shown with its columns in a dry run', async () => {
		const result = await run(await from(voters), mapAutomatically, { dryRun: true });
		expect(result.outputs[0]?.map(({ json }) => json)).toContainEqual(
			expect.objectContaining({
				column: 'HOUSE_NUMBER + DIRECTION + STREET_NAME + STREET_TYPE',
				firstValues: ['0012 N ELM ST', '7 5TH AVE'],
				problem: null,
			}),
		);
	});

	it('gives way to a column that holds it whole', async () => {
		const result = await run(await from(voters.map((row) => ({ ...row, ADDRESS: '1 Oak St' }))));
		expect(await sentBy(result)).toMatchObject([
			{ AddressLine1: '1 Oak St' },
			{ AddressLine1: '1 Oak St' },
		]);
		expect(messagesOf(result)).toContain(
			'HOUSE_NUMBER, DIRECTION, STREET_NAME, STREET_TYPE (ADDRESS is imported instead)',
		);
	});

	it.each([
		['without a number', ['HOUSE_NUMBER']],
		['without a name', ['STREET_NAME']],
	])('is not put together %s', async (__, missing) => {
		const rows = voters.map((row) =>
			Object.fromEntries(Object.entries(row).filter(([name]) => !missing.includes(name))),
		);
		const [sent] = await sentBy(await run(await from(rows)));
		expect(sent).not.toHaveProperty('AddressLine1');
	});
});

it.each([
	['County Road 12', '7 County Road 12'],
	['5th Ave', '7 5th Ave'],
	['7 Elm St', '7 Elm St'],
])('a column Street with %s beside one with numbers is %s', async (street, sent) => {
	const rows = [{ ...person, 'House No': 7, Street: street, City: 'Nome' }];
	expect(await sentBy(await run(await asItems(rows)))).toMatchObject([{ AddressLine1: sent }]);
});

it('Street is a name beside the numbers of its own address', async () => {
	const mail = { 'Mail Street Number': 1, 'Mail Street': 'Oak St', 'Mail City': 'Nome' };
	const home = { 'Res Street Number': 456, 'Res Street': 'County Road 12', 'Res City': 'Nome' };
	const [sent] = await sentBy(await run(await asItems([{ ...person, ...home, ...mail }])));
	expect(sent).toMatchObject({ AddressLine1: '456 County Road 12' });
});

it('a whole address is no street', async () => {
	const rows = [{ ...person, Address: '12 Elm St, Nome, AK 99762', City: 'Nome', Zip: '99762' }];
	const [sent] = await sentBy(await run(await asItems(rows)));
	expect(sent).toMatchObject({ City: 'Nome' });
	expect(sent).not.toHaveProperty('AddressLine1');
});

it('is not put together if two columns fit one piece', async () => {
	const rows = voters.map((row) => ({ ...row, 'Street Number': '9' }));
	const [sent] = await sentBy(await run(await asItems(rows)));
	expect(sent).not.toHaveProperty('AddressLine1');
});

describe.each([
	['items', asItems],
	['a file', asFile],
])('pieces of a street in %s', (_, from) => {
	const sentFrom = async (rows: Row[]) =>
		await sentBy(await run(await from(rows.map((row) => ({ ...person, City: 'Nome', ...row })))));
	const street = { 'House Number': '12', 'Pre Direction': '', 'Street Name': 'ELM ST' };

	it('are not lost if the first thousand rows have none', async () => {
		const rows = Array.from({ length: 1100 }, () => street);
		const sent = await sentFrom([...rows, { ...street, 'Pre Direction': 'N' }]);
		expect(sent.at(-1)).toMatchObject({ AddressLine1: '12 N ELM ST' });
	});

	it.each(['NULL', 'N/A', null, ' '])('are none if there is nothing but %j', async (nothing) => {
		const [sent] = await sentFrom([{ ...street, 'Pre Direction': nothing }, street]);
		expect(sent).toMatchObject({ AddressLine1: '12 ELM ST' });
	});

	it('win over a column that only a few rows have', async () => {
		const rows = Array.from({ length: 9 }, () => ({ ...street, Address: '' }));
		const sent = await sentFrom([...rows, { ...street, Address: 'RR 2 BOX 9' }]);
		expect(sent[0]).toMatchObject({ AddressLine1: '12 ELM ST' });
	});

	it.each([
		['12', '12 Elm St', '12 Elm St'],
		['12', '400 S', '12 400 S'],
		['400', '400 S', '400 400 S'],
		['123', '8 Mile Rd', '123 8 Mile Rd'],
	])('are not doubled: %s and %s are %s', async (number, name, line) => {
		const row = { ...street, 'House Number': number, 'Street Name': name };
		const [sent] = await sentFrom([row, row, { ...street, 'Street Name': 'Fir St' }]);
		expect(sent).toMatchObject({ AddressLine1: line });
	});
});

it('a column Street with other numbers than those beside it is a whole street', async () => {
	const rows = ['12 Elm St', '405 Oak Ave', '77 Birch Ln'].map((Street, index) => ({
		...person,
		'House Number': index + 1,
		Street,
		City: 'Nome',
	}));
	expect((await sentBy(await run(await asItems(rows))))[1]).toMatchObject({
		AddressLine1: '405 Oak Ave',
	});
});

it('an apartment is nowhere without one street', async () => {
	const two = { 'Street Address': '1 Elm St', Street: '2 Oak Ave', Apt: '4B' };
	const [sent] = await sentBy(await run(await asItems([{ ...person, ...two, City: 'Nome' }])));
	expect(sent).not.toHaveProperty('AddressLine2');
});
