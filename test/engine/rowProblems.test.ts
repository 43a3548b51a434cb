import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { fileOf, itemImport, messagesOf, reportOf, statusesOf } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

const automatic: INodeParameters = {
	fieldMap: { mappingMode: 'autoMapInputData', value: null, schema: [], matchingColumns: [] },
	source: 'binary',
};

const importOf = async (csv: string, options: INodeParameters = {}, changes = {}) =>
	await service.run(
		node,
		itemImport(
			service,
			{},
			{
				...automatic,
				...changes,
				options: { pollInterval: 0.05, outputRows: 'all', report: true, ...options },
			},
		),
		{ items: [await fileOf(csv)], onError: 'continueRegularOutput' },
	);

/** Status and reason of each row. */
const rowsOf = ({ outputs }: Awaited<ReturnType<typeof importOf>>) =>
	outputs[0]?.slice(1).map(({ json }) => [json.status, json.reason]);

const PEOPLE = ['Ann,Lee,ann@example.org,99501', 'Bo,Moe,bo@example.org,99502'];
const list = (...rows: string[]): string =>
	['First Name,Last Name,Email,Zip', ...PEOPLE, ...rows, ''].join('\n');

describe('a row that is nobody', () => {
	it.each([
		['First Name,Last Name,Email,Zip', 'repeats the line that names the columns'],
		['FIRST NAME,last name,Email,', 'repeats the line that names the columns'],
		['Total,2,,', 'is a total, not a person'],
		['Grand total:,,,2', 'is a total, not a person'],
		['2 records,,,', 'is a total, not a person'],
		['Ward 1,,,', 'has a value in only one column'],
		['Confidential: property of a campaign,,,', 'is a note below the list'],
		['Report run,11/27/2026,,', 'is a note below the list'],
		[',,,99501', 'has a value in only one column'],
	])('%s: not sent, and named with its line wherever it is told', async (row, reason) => {
		const text = list(row, 'Cy,Poe,cy@example.org,99503');
		const shown = await importOf(text, { dryRun: true });
		expect(JSON.stringify(shown.outputs[0])).toContain(`line 4 (${reason}`);
		const run = await importOf(text);
		expect(rowsOf(run)?.map(([status]) => status)).toEqual([
			'imported',
			'imported',
			'invalid',
			'imported',
		]);
		expect(rowsOf(run)?.[2]?.[1]).toContain(`Row ${reason}`);
		expect(messagesOf(run)).toContain(`Not sent: line 4 (${reason}`);
		expect(await reportOf(run)).toContain(`line 4 (${reason}`);
	});

	it('is no header below the first line because its notes say nothing', async () => {
		const run = await importOf(list('(required),(required),(optional),(optional)'));
		expect(rowsOf(run)?.map(([status]) => status)).toEqual(['imported', 'imported', 'invalid']);
	});

	it.each([
		[20, 'line 22, line 23 (has a value in only one column', 20],
		[21, 'line 22, line 23 and 1 more (has a value in only one column', undefined],
	])('is told with its row if all %i of them are named', async (count, text, named) => {
		const wards = Array.from({ length: count }, (_, number) => `Ward ${number},,,`);
		const later = { waitForOutcome: 'none', report: false, outputRows: '' };
		const { outputs } = await importOf(list(...wards), later);
		const notes = outputs.flat().flatMap(({ json }) => (json.notes ?? []) as IDataObject[]);
		const [note] = notes.filter((one) => String(one.text).startsWith('Not sent: '));
		expect(note?.text).toContain(text);
		expect((note?.rows as unknown[] | undefined)?.length).toBe(named);
	});

	it('stops nothing, in items as in a file', async () => {
		const [header = '', ...rows] = list('Total,2,,').trim().split('\n');
		const items = rows.map((row) => ({
			json: Object.fromEntries(
				row.split(',').map((value, index) => [header.split(',')[index] ?? '', value]),
			),
		}));
		const parameters = itemImport(service, {}, { fieldMap: automatic.fieldMap });
		const { outputs, error } = await service.run(node, parameters, { items });
		expect(error).toBeUndefined();
		expect(statusesOf(outputs[0])).toEqual(['imported', 'imported', 'invalid']);
		const stopped = await service.run(node, itemImport(service, {}, automatic), {
			items: [await fileOf(list('Total,2,,'))],
		});
		expect(stopped.error).toBeUndefined();
	});

	it('leaves alone who only sounds like one', async () => {
		const run = await importOf(
			[
				'First Name,Last Name,Email,City',
				'Total,Recall,total@example.org,Nome',
				'Page,Turner,page@example.org,Home',
				'Mobile,Cell,mobile@example.org,Nome',
				'Ward,Hall,ward@example.org,',
				'Faith,Church,faith@example.org,Nome',
				'José,Ortega y Gasset,jose@example.org,Nome',
				',,only@example.org,',
				'',
			].join('\n'),
		);
		expect(rowsOf(run)?.map(([status]) => status)).toEqual(Array(7).fill('imported'));
		expect(messagesOf(run)).not.toContain('Not sent');
	});
});

describe('another header below the first line', () => {
	const rows = Array.from({ length: 30 }, (_, row) => `First${row},Last${row},p${row}@example.org`);
	const joined = [
		'First Name,Last Name,Email',
		...rows,
		'Last Name,First Name,Email Address',
		...rows,
		'',
	].join('\n');

	it('stops the import, and names its line', async () => {
		const starts = service.starts().length;
		const { error, outputs } = await importOf(joined);
		expect(JSON.stringify(error?.message ?? outputs)).toContain(
			'Line 32 names different columns from the list above it',
		);
		expect(service.starts()).toHaveLength(starts);
	});

	it('is shown by a dry run', async () => {
		const { outputs, error } = await importOf(joined, { dryRun: true });
		expect(error).toBeUndefined();
		expect(JSON.stringify(outputs)).toContain(
			'Line 32 names different columns from the list above it',
		);
	});
});

describe('a row that does not name one person', () => {
	it.each([
		['Blue Cafe', 'looks like an organization'],
		['City of Nome', 'looks like an organization'],
		['Friends of the Park', 'looks like an organization'],
		['Ann & Bob Lee', 'holds two people'],
		['Ann and Bob', 'holds two people'],
	])('full name %s', async (name, reason) => {
		const run = await importOf(
			`Name,Email\nAnn Lee,ann@example.org\nBo Moe,bo@example.org\nCy Poe,cy@example.org\n${name},x@example.org\n`,
		);
		expect(rowsOf(run)?.[3]).toEqual(['invalid', expect.stringContaining(`"Name" ${reason}`)]);
	});

	it.each([
		['Ann & Bob,Lee', 'Column "First Name" holds two people'],
		['Acme,LLC', 'Column "First Name" looks like an organization'],
		[',Blue Cafe', 'Column "Last Name" looks like an organization'],
	])('halves %s', async (names, reason) => {
		const run = await importOf(list(`${names},x@example.org,99501`));
		expect(rowsOf(run)?.[2]).toEqual(['invalid', expect.stringContaining(reason)]);
	});

	it('is a person though a program wrote its letters as HTML', async () => {
		const run = await importOf(list('Jos&eacute;,Pe&ntilde;a,jose@example.org,99501'));
		expect(rowsOf(run)?.[2]).toEqual(['imported', null]);
		expect(messagesOf(run)).toContain('Cleaned 1 value of Last Name: "Pe&ntilde;a" → "Peña".');
	});

	it('by a column that says what the row is', async () => {
		const run = await importOf(
			'Type,Name,Email\nIndividual,Ann Lee,ann@example.org\nOrganization,Blue Moon,x@example.org\n',
		);
		expect(rowsOf(run)).toEqual([
			['imported', null],
			['invalid', expect.stringContaining('"Name" looks like an organization')],
		]);
	});
});

describe('a person who cannot be found again', () => {
	it.each([
		['Surname,Zip\nLee,07102\nPark,02108\n'],
		['First Name,Last Name,Zip\nAnn,Lee,07102\nBo,Park,02108\n'],
		['First Name,Last Name,Date of Birth\nAnn,Lee,1980-01-02\nBo,Park,1981-02-03\n'],
		['First Name,Last Name,Street\nAnn,Lee,1 Elm St\nBo,Park,2 Elm St\n'],
	])('stops a list of such people: %j', async (csv) => {
		const starts = service.starts().length;
		const { error, outputs } = await importOf(csv);
		expect(JSON.stringify(error?.message ?? outputs)).toContain(
			'Most rows do not have enough data to be found again (2 of 2)',
		);
		expect(service.starts()).toHaveLength(starts);
	});

	it('is stored if the user wants it', async () => {
		const run = await importOf('Surname,Zip\nLee,07102\nPark,02108\n', { allowUnfindable: true });
		expect(rowsOf(run)?.map(([status]) => status)).toEqual(['imported', 'imported']);
	});

	it('names the columns that look like what is missing', async () => {
		const { error, outputs } = await importOf(
			'First Name,Last Name,Zip,Best # to reach me\nAnn,Lee,07102,907-555-0100\nBo,Park,02108,907-555-0101\n',
		);
		expect(JSON.stringify(error?.message ?? outputs)).toContain(
			'\\"Best # to reach me\\" holds phone numbers with an area code, but is not imported.',
		);
	});

	it('is left out of a list of others, with what is missing', async () => {
		const run = await importOf(list('Cy,Poe,,99503'));
		expect(rowsOf(run)?.[2]).toEqual([
			'invalid',
			'Row does not have enough data to be found again, so each import would store the person again. Add an email; or a phone number; or the date of birth.',
		]);
		expect(messagesOf(run)).toContain(
			'Not sent: line 4 (does not have enough data to be found again)',
		);
	});

	it('can be found by all that the service looks for', async () => {
		const run = await importOf(
			[
				'First Name,Last Name,DOB,Street,Zip,Phone,Email',
				'Ann,Lee,1980-01-02,,99501,,',
				'Bo,Moe,,1 Elm St,99501,,',
				'Cy,Poe,,,,907-555-0100,',
				'Di,Roe,,,,,di@example.org',
				',,,,,,only@example.org',
				'',
			].join('\n'),
		);
		expect(rowsOf(run)?.map(([status]) => status)).toEqual(Array(5).fill('imported'));
	});
});
