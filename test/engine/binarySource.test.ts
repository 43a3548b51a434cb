import { parse } from 'csv-parse/sync';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { BinaryDataService } from 'n8n-core';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { mapAutomatically } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { MANY_ITEMS } from '../support/randomCases';
import { binaryPath, readBinary, runNode } from './support/engine';
import {
	fileOf,
	itemImport,
	personMap as person,
	property as column,
	resultOf,
	totalsOf,
} from './support/itemImports';
import { useSandbox } from './support/sandboxed';
import { unzip } from './support/unzipped';

const service = useSandbox();

const node = new NativeBulkImport();

type Place = 'stored' | 'inline';

/** The input item, its file where n8n stores large ones (with an id) or within the item itself. */
async function itemWith(
	content: string | Uint8Array,
	place: Place = 'stored',
): Promise<INodeExecutionData> {
	if (place === 'stored') return await fileOf(content);
	const data = Buffer.from(content).toString('base64');
	return { json: {}, binary: { data: { fileName: 'people.csv', mimeType: 'text/csv', data } } };
}

const imports = (map: Record<string, string>, changes: INodeParameters = {}): INodeParameters =>
	itemImport(service, map, { source: 'binary', ...changes });

const never = (): never => {
	throw new Error('The item has no file');
};

/** Every tenth person has no valid address, and would be rejected by the service. */
function people(count: number): string {
	const rows = Array.from({ length: count }, (_, i) => {
		const mail = i % 10 === 4 ? `no..${i}@example.org` : `p${i}@example.org`;
		return i % 7 === 3 ? `First${i},"Last, ""${i}""\n🎉",${mail}` : `First${i},Last${i},${mail}`;
	});
	return ['First Name,Last Name,Mail', ...rows, ''].join('\r\n');
}

const summaryOf = (output: INodeExecutionData[] | undefined) =>
	output?.[0]?.json.importSummary as IDataObject | undefined;

it('reads the file from the field that was named, also beside another one', async () => {
	const [first, second] = await Promise.all([itemWith(people(3)), itemWith(people(20))]);
	const item = { ...first, binary: { ...first.binary, list: second.binary?.data } };
	const changes = { inputDataFieldName: 'list', options: { dryRun: true } };
	const run = await service.run(node, imports(person, changes), { items: [item as never] });
	expect(run.error).toBeUndefined();
	expect(totalsOf(run).rows).toBe(20);
});

it('reads an expression that is the same for all rows of a file once', async () => {
	const map = {
		...person,
		'CreateOrUpdateContact:LastName': '={{ $workflow.name.replace("Workflow of a", "Of") }}',
	};
	const run = await service.run(node, imports(map, { options: { outputRows: 'all' } }), {
		items: [await itemWith(people(3))],
	});
	expect(run.error?.message).toBeUndefined();
	const lastNames = service.people().map(({ fields }) => fields.lastName);
	expect(lastNames.filter((name) => name === 'Of test')).toHaveLength(3);
});

it('reads the same of the columns of a file, in whatever pieces n8n gives it', async () => {
	const rowOf = (row: number) => `Ann,p${row}@example.org,${row < 1000 ? '' : '212-555-0100'}`;
	const rows = Array.from({ length: 1400 }, (_, row) => rowOf(row));
	const bytes = Buffer.from(['First Name,Email,Zebra', ...rows, ''].join('\n'));
	const item = await itemWith(bytes);
	const parameters = imports({}, { fieldMap: mapAutomatically, whatShouldHappen: 'show' });
	const shown: unknown[] = [];
	for (const size of [1000, 5000, bytes.length]) {
		const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, piece) =>
			bytes.subarray(piece * size, (piece + 1) * size),
		);
		jest
			.spyOn(BinaryDataService.prototype, 'getAsStream')
			.mockImplementation(async () => await Promise.resolve(Readable.from(pieces)));
		const { outputs } = await service.run(node, parameters, { items: [item] });
		jest.restoreAllMocks();
		shown.push(outputs[0]?.map(({ json: { firstValues, problem } }) => ({ firstValues, problem })));
	}
	expect(JSON.stringify(shown[0])).toContain('unknown header');
	expect(shown).toEqual([shown[0], shown[0], shown[0]]);
});

it.each(['$json["Last Name"].trim()', '$itemIndex', '$input.first().json.a', '$("A").item.json.a'])(
	'refuses an expression that could differ between the rows of a file: %s',
	async (expression) => {
		const map = { ...person, 'CreateOrUpdateContact:LastName': `={{ ${expression} }}` };
		const run = await service.run(node, imports(map), { items: [await itemWith(people(3))] });
		expect(run.error?.message).toMatch(/must be one column of the file.*or the same for all rows/);
		expect(service.calls().filter(({ method }) => method !== 'GET')).toEqual([]);
	},
);

it('reads a file with as many columns as one may have', async () => {
	const text = `First Name,Last Name,Mail${',a'.repeat(1997)}\nAda,Example,a@example.org${',x'.repeat(1997)}\n`;
	const run = await service.run(node, imports(person, { options: { dryRun: true } }), {
		items: [await itemWith(text)],
	});
	expect(run.error?.message).toBeUndefined();
	expect(totalsOf(run).rows).toBe(1);
});

describe('the source that is detected', () => {
	const dryRunOf = async (items: INodeExecutionData[]) => {
		const run = await service.run(
			node,
			itemImport(service, person, { options: { dryRun: true } }),
			{
				items,
			},
		);
		return run.error?.message ?? totalsOf(run).rows;
	};
	const row = { 'First Name': 'Ada', 'Last Name': 'Example', Mail: 'a@example.org' };

	it('is the file of the only item, also under another name', async () => {
		const item = await itemWith(people(20));
		expect(await dryRunOf([item])).toBe(20);
		const named = { json: {}, binary: { attachment: item.binary?.data ?? never() } };
		expect(await dryRunOf([named])).toBe(20);
	});

	it('is the items if there are several, or no such file, or several files', async () => {
		const { binary } = await itemWith(people(20));
		const file = binary?.data ?? never();
		expect(await dryRunOf([{ json: row, binary: { file } }, { json: row }])).toBe(2);
		const photo = { ...file, fileName: 'ada.png', fileExtension: 'png' };
		expect(await dryRunOf([{ json: row, binary: { photo } }])).toBe(1);
		expect(await dryRunOf([{ json: row, binary: { file, other: file } }])).toBe(1);
	});

	it('names the node that reads a spreadsheet', async () => {
		const { binary } = await itemWith('PK');
		const data = { ...(binary?.data ?? never()), fileName: 'people.xlsx', fileExtension: 'xlsx' };
		expect(await dryRunOf([{ json: {}, binary: { data } }])).toMatch(
			/^File in "data" is a spreadsheet\. Put an "Extract from File" node before this one/,
		);
	});
});

describe('an import of a file', () => {
	it.each<Place>(['stored', 'inline'])(
		'puts out a summary and the rows that did not go in, of a file that is %s',
		async (place) => {
			const run = await service.run(node, imports(person), {
				items: [await itemWith(people(5000), place)],
			});
			expect(run.error).toBeUndefined();
			const output = run.outputs[0] ?? [];
			expect(summaryOf(output)).toEqual({
				rows: 5000,
				imported: 4500,
				failed: 500,
				missing: 0,
				invalid: 0,
				notSent: 0,
				unknown: 0,
				unmatchedResults: 0,
				jobs: [{ jobId: expect.any(Number) as number, rows: 5000 }],
			});
			expect(output).toHaveLength(501);
			expect(output[2]?.json).toMatchObject({
				'First Name': 'First14',
				Mail: 'no..14@example.org',
				importResult: {
					row: 15,
					status: 'failed',
					reason: expect.stringMatching(/^Invalid email/i) as string,
				},
			});
			expect(output.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(
				true,
			);
			const stored = service.people().find(({ fields }) => fields.firstName === 'First3');
			expect(stored?.fields.lastName).toBe('Last, "3" 🎉');
		},
	);

	it('puts out every row when asked to, with the identifiers of their records', async () => {
		const run = await service.run(
			node,
			imports(person, { options: { pollInterval: 0.05, outputRows: 'all' } }),
			{ items: [await itemWith(people(20))] },
		);
		const rows = run.outputs[0]?.slice(1) ?? [];
		expect(rows.map((item) => resultOf(item).row)).toEqual(rows.map((_, index) => index + 1));
		expect(rows.map((item) => resultOf(item).status)).toEqual(
			rows.map((_, i) => (i % 10 === 4 ? 'failed' : 'imported')),
		);
		expect(new Set(rows.map((item) => resultOf(item).primaryKey)).size).toBeGreaterThan(17);
		expect(rows[3]?.json['Last Name']).toBe('Last, "3"\n🎉');
	});

	it('begins with the outcome and the columns of the file in a table', async () => {
		const run = await service.run(node, imports(person), { items: [await itemWith(people(20))] });
		const [summary, row] = (run.outputs[0] ?? []).map(({ json }) => json);
		const columns = ['status', 'reason', 'primaryKey', 'First Name', 'Last Name', 'Mail'];
		expect(Object.keys(summary ?? {})).toEqual([...columns, 'importSummary']);
		expect(Object.keys(row ?? {})).toEqual([...columns, 'importResult']);
		expect(summary).toMatchObject({
			status: 'summary',
			reason: expect.stringMatching(/^20 rows: 18 imported, 2 failed; import job \d+$/) as string,
		});
		expect(row).toMatchObject({ status: 'failed', 'First Name': 'First4' });
	});

	it('sends the rows that did not go in to the error output when there is one', async () => {
		const run = await service.run(node, imports(person), {
			items: [await itemWith(people(20))],
			onError: 'continueErrorOutput',
		});
		expect(run.outputs[0]).toHaveLength(1);
		expect(summaryOf(run.outputs[0])).toMatchObject({ imported: 18, failed: 2 });
		expect(run.outputs[1]).toMatchObject([
			{ json: { error: { importResult: { row: 5 }, values: { 'First Name': 'First4' } } } },
			{ json: { error: { importResult: { row: 15 } } } },
		]);
	});

	it('maps the columns of the file by their names', async () => {
		const file = 'first_name;LASTNAME;other;E-Mail\nAda;Example;1;ada@example.org\n';
		const run = await service.run(node, imports({}, { fieldMap: mapAutomatically }), {
			items: [await itemWith(file)],
		});
		expect(summaryOf(run.outputs[0])).toMatchObject({ rows: 1, imported: 1 });
		expect(service.starts()[0]?.body).toMatchObject({
			file: {
				columns: [
					{ name: 'FirstName' },
					{ name: 'LastName' },
					{ name: 'Email' },
					{ name: 'N8nItem' },
				],
			},
		});
	});

	it('ignores what cannot be seen in the names of columns', async () => {
		const map = { ...person, 'CreateOrUpdateContact:Email': column('Ma\u200Bil') };
		const text = '\uFEFFFirst\u00A0Name,Last Name\u200B,Mail\nAnn,Sample,ann.s@example.org\n';
		const parameters = imports(map, { options: { pollInterval: 0.05, outputRows: 'all' } });
		const run = await service.run(node, parameters, { items: [await itemWith(text)] });
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]?.[1]?.json).toMatchObject({
			status: 'imported',
			'First Name': 'Ann',
			'Last Name': 'Sample',
			Mail: 'ann.s@example.org',
		});
		const stored = service.people().find(({ fields }) => fields.firstName === 'Ann');
		expect(JSON.stringify(stored)).toContain('ann.s@example.org');
	});

	it('returns as many rows as the file has', async () => {
		const count = MANY_ITEMS;
		const text = `First Name,Last Name,Mail\nAnn,Sample,a@example.org\n${'short\n'.repeat(count)}`;
		const run = await service.run(node, imports(person), {
			items: [await itemWith(text)],
			onError: 'continueRegularOutput',
		});
		expect(summaryOf(run.outputs[0])).toMatchObject({ imported: 1, invalid: count });
		expect(run.outputs[0]).toHaveLength(1 + count);
	});

	const ragged = 'First Name,Last Name,Mail\nAda,Example,ada@example.org\nBo,Ex,am,ple\nCy\n';

	it('stops at rows of another length before anything is uploaded, naming them, if they are to stop it', async () => {
		const run = await service.run(node, imports(person, { options: { ifInvalid: 'stop' } }), {
			items: [await itemWith(ragged)],
		});
		expect(run.error?.message).toMatch(
			/There are 4, but the line that names the columns has 3.*See line 3\..*There is 1,.*See line 4\./,
		);
		expect(service.starts()).toEqual([]);
	});

	it('leaves out rows of another length', async () => {
		const run = await service.run(node, imports(person), {
			items: [await itemWith(ragged)],
		});
		expect(summaryOf(run.outputs[0])).toMatchObject({ rows: 3, imported: 1, invalid: 2 });
		expect(run.outputs[0]?.slice(1).map((item) => resultOf(item))).toMatchObject([
			{ row: 2, status: 'invalid' },
			{ row: 3, status: 'invalid' },
		]);
	});

	it('keeps all values of a row that has more than there are columns, for its correction', async () => {
		const run = await service.run(node, imports(person, { options: { rejectedRows: true } }), {
			items: [await itemWith(ragged)],
		});
		const [summary] = run.outputs[0] ?? [];
		const lines = (await readBinary(summary, 'rejected')).toString().split('\r\n');
		expect(lines[0]).toBe('\uFEFFFirst Name,Last Name,Mail,More Values,Import Result');
		expect(lines[1]).toMatch(/^Bo,Ex,am,ple,"?Values: There are 4/);
		expect(lines[2]).toMatch(/^Cy,,,,"?Values: There is 1/);
	});

	it.each([
		['that end with a delimiter', 'Ann,Sample,a@example.org,\nBob,Example,b@example.org,\n'],
		['without their last blank cells', 'Ann,Sample,a@example.org\nBob,Example\nEve,Example\n'],
		['that are all shorter', 'Ann,Sample\nBob,Example\n'],
	])('reads rows %s', async (_, rows) => {
		const content = `First Name,Last Name,Mail\n${rows}`;
		const run = await service.run(
			node,
			imports(person, { options: { allowUnfindable: true, dryRun: true } }),
			{ items: [await itemWith(content)] },
		);
		expect(run.error?.message).toBeUndefined();
		const summary = totalsOf(run);
		expect(summary).toMatchObject({ rows: rows.trim().split('\n').length });
		expect(summary).not.toHaveProperty('invalidRows');
	});

	it('names the lines of a row that a line break without quotation marks broke', async () => {
		const content =
			'First Name,Last Name,Mail\nAnn,Sample,a@example.org\nBob,Exam\nple,b@example.org\nEve,Sample,e@example.org\n';
		const run = await service.run(node, imports(person, { options: { ifInvalid: 'stop' } }), {
			items: [await itemWith(content)],
		});
		expect(run.error?.message).toMatch(
			/Quote values that contain .*a line break\. See lines 3, 4\./,
		);
	});

	it('finds the columns below a title, and counts the lines from the top', async () => {
		const content =
			'Members of March\n\nFirst Name,Last Name,Email\nAnn,Sample,a@example.org\nBo,Ex,am,ple\n';
		const options = { ifInvalid: 'stop' };
		const run = await service.run(node, imports({}, { fieldMap: mapAutomatically, options }), {
			items: [await itemWith(content)],
		});
		expect(run.error?.message).toMatch(/has 3\. .* See line 5\./);
		const dry = await service.run(
			node,
			imports({}, { fieldMap: mapAutomatically, options: { dryRun: true } }),
			{ items: [await itemWith(content.replace('Ex,am,ple', 'Example,b@example.org'))] },
		);
		expect(totalsOf(dry)).toMatchObject({
			rows: 2,
			warnings: [
				'Line 3 names the columns; the lines above it were left out.',
				expect.stringMatching(/^Mapped: First Name → First Name/),
			],
		});
	});

	it('says which lines it left out above the columns, also if they are mapped by hand', async () => {
		const content = 'Members of March\nFirst Name,Last Name,Mail\nAnn,Sample,a@example.org\n';
		const run = await service.run(node, imports(person), { items: [await itemWith(content)] });
		expect(summaryOf(run.outputs[0])).toMatchObject({ rows: 1, imported: 1 });
		expect(run.hints.map(({ message }) => message).join()).toContain('Line 2 names the columns');
	});

	it.each([
		['second', '9075550100,'],
		['first', ',9075550100'],
	])('takes the filled one of two columns with one name, the %s being empty', async (_, phones) => {
		const content = `First Name,Last Name,Phone,Phone\nAnn,Sample,${phones}\n`;
		const run = await service.run(node, imports({}, { fieldMap: mapAutomatically }), {
			items: [await itemWith(content)],
		});
		expect(run.error?.message).toBeUndefined();
		expect(summaryOf(run.outputs[0])).toMatchObject({ imported: 1 });
	});

	it('skips lines of nothing but delimiters, as spreadsheet programs write them', async () => {
		const content = `First Name,Last Name,Mail\r\n,,\r\nAda,Example,a@example.org\r\n"","",\r\nBo,Ex,no..where@example.org\r\n${',,\r\n'.repeat(9)} \r\n`;
		const run = await service.run(node, imports(person), { items: [await itemWith(content)] });
		expect(summaryOf(run.outputs[0])).toMatchObject({ rows: 2, imported: 1, failed: 1 });
		expect(run.outputs[0]?.slice(1).map((item) => resultOf(item))).toMatchObject([
			{ row: 2, line: 5 },
		]);
	});

	it('of no rows starts no job', async () => {
		const run = await service.run(node, imports(person), {
			items: [await itemWith('First Name,Last Name,Mail\r\n')],
		});
		expect(run.outputs[0]?.map(({ json }) => json)).toMatchObject([
			{ importSummary: { rows: 0, jobs: [] } },
		]);
		expect(service.starts()).toEqual([]);
	});
});

it('of which a later row cannot be read starts no job', async () => {
	const content = `${people(10).replaceAll('no..', 'x')}"never closed,a,b\r\n`;
	const options = { maxRowsPerFile: 4 };
	const run = await service.run(node, imports(person, { options }), {
		items: [await itemWith(content)],
	});
	expect(run.error?.message).toMatch(/never closed/);
	expect(run.error?.description).toMatch(/^Nothing was sent\./);
	expect(service.starts()).toEqual([]);
});

describe('a file that cannot be read any more after its first job started', () => {
	const options = { pollInterval: 0.05, maxRowsPerFile: 4 };
	const good = () => people(10).replaceAll('no..', 'x');

	it.each(['failed', 'all'])('has true rows up to there (Output Rows: %s)', async (outputRows) => {
		const [header = '', first = '', ...others] = people(6000).replaceAll('no..', 'x').split('\r\n');
		// If a row is left out, the file is read again.
		const content = [header, first, first, ...others].join('\r\n');
		const item = await itemWith(content);
		const data = item.binary?.data;
		if (!data) throw new Error('The item has no file.');
		const parameters = imports(person, {
			options: { ...options, duplicates: 'first', maxRowsPerFile: 1000, outputRows },
		});
		const running = service.run(node, parameters, { items: [item] });
		while (service.starts().length < 1) await wait(1);
		// Nothing after its beginning moves.
		const file = openSync(binaryPath(data), 'r+');
		writeSync(file, '"', Buffer.byteLength(content.slice(0, content.lastIndexOf('First'))));
		closeSync(file);
		const { error, outputs } = await running;
		expect(error).toBeUndefined();
		// The fifth file waits for the sixth: the upload needs to know whether there is one.
		expect(service.starts()).toHaveLength(4);
		const { rows: count } = summaryOf(outputs[0]) ?? {};
		expect(summaryOf(outputs[0])).toMatchObject({
			imported: 4000,
			duplicate: 1,
			notSent: Number(count) - 4001,
			unknown: 0,
		});
		const jobs = summaryOf(outputs[0])?.jobs as IDataObject[];
		expect(jobs.at(-1)).toMatchObject({
			jobId: null,
			error: expect.stringMatching(/never closed/) as string,
		});
		const rows = (outputs[0] ?? []).slice(1).map(resultOf);
		const isInService = (row: number): boolean => row <= 4001;
		const wanted = Array.from({ length: Number(count) }, (_, index) => index + 1)
			.filter((row) => outputRows === 'all' || row === 2 || !isInService(row))
			.map((row) => [row, row === 2 ? 'duplicate' : isInService(row) ? 'imported' : 'notSent']);
		expect(rows.map(({ row, status }) => [row, status])).toEqual(wanted);
		const stored = service.people().map(({ fields }) => fields.firstName);
		expect([stored.includes('First3999'), stored.includes('First4000')]).toEqual([true, false]);
	});

	it.each(['gone', 'changed'])(
		'names its jobs and says that they were started: %s',
		async (how) => {
			const item = await itemWith(good());
			const data = item.binary?.data;
			if (!data) throw new Error('The item has no file.');
			const parameters = imports(person, { options: { ...options, outputRows: 'all' } });
			const running = service.run(node, parameters, {
				items: [item],
				onError: 'continueErrorOutput',
			});
			while (service.starts().length < 3) await wait(5);
			if (how === 'gone') rmSync(binaryPath(data));
			else writeFileSync(binaryPath(data), `${people(3)}"never closed,a,b\r\n`);
			const { outputs } = await running;
			expect(outputs[0]).toEqual([]);
			expect(outputs[1]?.[0]?.json.error).toMatchObject({
				jobId: expect.any(Number),
				outcomeUnknown: true,
				replayable: false,
				description: expect.stringMatching(/other jobs of this import are \d+, \d+/),
			});
		},
	);
});

describe('a mapping or file that cannot work is rejected before anything is uploaded', () => {
	const phones = {
		'Phones:Phone': column('a'),
		'Phones:PhoneTypeID': column('kind'),
		recordId: column('b'),
	};
	it.each<[string, string, Record<string, string>, INodeParameters, RegExp]>([
		[
			'a column that is not there',
			people(1),
			{ ...person, 'CreateOrUpdateContact:LastName': column('LastName') },
			{},
			/"LastName" is not a column of the file\. Did you mean "Last Name"/,
		],
		[
			'a record ID that is not there, beside other mistakes',
			people(1),
			{ 'Phones:Phone': column('Mail'), recordId: column('NativeID') },
			{ mappingTypes: ['Phones'] },
			/Fields → NativeId \(Which Record\): "NativeID" is not a column of the file.*Fields → Phone Type is required\. Map a column to it, or enter one value for all rows/s,
		],
		[
			'values outside the predefined ones',
			`a,b,kind\n${'907-555-0100,1,C\n'.repeat(9)}907-555-0101,2,mobil\n`,
			phones,
			{ mappingTypes: ['Phones'], options: { ifInvalid: 'stop' } },
			/"mobil" is not in the service's list\. .* See line 11\./,
		],
		[
			'a record ID that is blank in every row',
			'a,b,kind\n907-555-0100,,C\n907-555-0101, ,C\n',
			phones,
			{ mappingTypes: ['Phones'] },
			/^Fields → NativeId \(Which Record\) is blank in every row/,
		],
		[
			'a file without names of columns',
			'Ada,Example,ada@example.org\n',
			person,
			{},
			/^File in "data" has no line that names its columns: the first one looks like a person, with "ada@example\.org"\. Add a first line/,
		],
		[
			'a file with two lines that could name its columns',
			'Report\n\nFirst,Last,Email\nAda,Example,a@example.org\n\nTitle,Company,City,Email\nx,y,z,w\n',
			person,
			{},
			/^File in "data" has two lines that could name its columns: 3 and 6\./,
		],
		[
			'a web page',
			'<html><body><table><tr><td>First Name</td></tr></table></body></html>',
			person,
			{},
			/^File in "data" is a web page or XML, not delimited text\. Open it/,
		],
		['an empty file', '', person, {}, /^File in "data" is empty/],
		[
			'a file with thousands of columns',
			`First Name${',a'.repeat(2000)}\n`,
			person,
			{},
			/^File in "data" has 2001 columns in its first line; at most 2000 can be read/,
		],
		[
			'a delimiter that is not that of the file',
			people(1),
			person,
			{ sourceDelimiter: 'Tab' },
			/^File in "data" has only one column, but its first line looks separated by ","\. Set Source Delimiter to Detect\.$/,
		],
		[
			'a comma for a file of Excel',
			'First Name;Last Name\nAda;Lovelace\n',
			person,
			{ sourceDelimiter: 'CSV' },
			/its first line looks separated by ";"\. Set Source Delimiter to Detect\.$/,
		],
		[
			'a delimiter of a file with one column, whose quoted name holds another',
			'"Name; first"\nAda\n',
			person,
			{ sourceDelimiter: 'CSV' },
			/"First Name" is not a column of the file/,
		],
	])('%s', async (_, content, map, changes, message) => {
		const run = await service.run(node, imports(map, changes), {
			items: [await itemWith(content)],
		});
		expect(run.error?.message).toMatch(message);
		expect(service.starts()).toEqual([]);
		expect(service.sandbox.requests.some(({ path }) => path.startsWith('/drop'))).toBe(false);
	});

	it.each(['items', 'binary', 'detect'])(
		'a workflow that moves files between the columns: %s',
		async (source) => {
			const run = await service.run(node, imports(person, { source }), {
				items: [await fileOf(people(3))],
				settings: { binaryMode: 'combined' },
			});
			expect(run.error?.message).toMatch(/^Source needs files next to the columns.*Binary Mode/);
			expect(service.calls()).toEqual([]);
		},
	);

	it('several input items', async () => {
		const items = [await itemWith(people(1)), await itemWith(people(1))];
		const run = await service.run(node, imports(person), { items });
		expect(run.error?.message).toMatch(/^Source: There are 2 input items/);
	});
});

describe('a file that is built from a file', () => {
	const build = (changes: INodeParameters = {}): INodeParameters => ({
		resource: 'file',
		operation: 'build',
		source: 'binary',
		fileName: 'rows.csv',
		...changes,
	});
	const text = async (item: INodeExecutionData | undefined) =>
		(await unzip(await readBinary(item, 'data'))).get('rows.csv')?.toString('utf8') ?? '';

	it.each([',', ';', '\t', '|'])('has the same rows, whatever separates them: "%s"', async (by) => {
		const rows = Array.from({ length: 3000 }, (_, i) => [`${i}`, 'Zoë "山" 🎉', `a${by}b`]);
		const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
		const lines = [['Id', 'Näme', 'Näme'], ...rows].map((row) => row.map(quoted).join(by));
		const run = await runNode({
			node,
			parameters: build(),
			items: [await itemWith(`\ufeff${lines.join('\r\n')}`)],
		});
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]?.[0]?.json).toMatchObject({ rows: 3000 });
		expect(parse(await text(run.outputs[0]?.[0]))).toEqual([['Id', 'Name', 'Name2'], ...rows]);
	});

	it('says which lines above its columns were left out', async () => {
		const items = [await itemWith('Members\nFirst Name,Last Name,Email\nAnn,Sample,\n')];
		const { hints, outputs } = await runNode({ node, parameters: build(), items });
		expect(outputs[0]).toMatchObject([{ json: { rows: 1 } }]);
		expect(hints).toMatchObject([{ message: expect.stringContaining('Line 2 names the columns') }]);
	});

	it('is read piece by piece, also if n8n keeps it in its database', async () => {
		const item = await itemWith(people(20_000));
		const file = item.binary?.data;
		if (!file) throw new Error('The item has no file.');
		jest.spyOn(BinaryDataService.prototype, 'getAsStream').mockImplementation(async () =>
			// This is how n8n's DatabaseManager does it.
			Promise.resolve(Readable.from(readFileSync(binaryPath(file)))),
		);
		const decode = jest.spyOn(TextDecoder.prototype, 'decode');
		const run = await runNode({ node, parameters: build(), items: [item] });
		const sizes = decode.mock.calls.map(([bytes]) => bytes?.byteLength ?? 0);
		jest.restoreAllMocks();
		expect(run.outputs[0]).toMatchObject([{ json: { rows: 20_000 } }]);
		expect(Math.max(...sizes)).toBe(16 * 1024);
	});

	it('has listed columns whose names look like those of the file', async () => {
		const parameters = build({
			columnsFrom: 'define',
			columnList: { column: [{ property: 'Native Id' }, { property: '["First Name"]' }] },
		});
		const content = '\ufeff\u200bNative\u00a0Id,First Name\n7,Ada\n';
		const run = await runNode({ node, parameters, items: [await itemWith(content)] });
		expect(await text(run.outputs[0]?.[0])).toBe('NativeId,FirstName\r\n7,Ada\r\n');
	});

	it('names a listed column that the file does not have', async () => {
		const parameters = build({
			columnsFrom: 'define',
			columnList: { column: [{ property: 'Emial', name: 'Email' }] },
		});
		const run = await runNode({ node, parameters, items: [await itemWith('Email\nx\n')] });
		expect(run.error?.message).toMatch(
			/"Emial" is not a column of the file\. Did you mean "Email"/,
		);
	});

	it('rejects columns of the same name that are chosen by name', async () => {
		const parameters = build({
			columnsFrom: 'define',
			columnList: { column: [{ property: 'Id' }, { property: 'Mail', name: 'Email' }] },
		});
		const items = [await itemWith('Mail,Id,Mail\na@example.org,1,b@example.org\n')];
		const run = await runNode({ node, parameters, items });
		expect(run.error?.message).toMatch(
			/^Column 2: "Mail" is the name of several columns of the file, for instance columns 1 and 3\./,
		);
	});

	it('is not read on after a row that cannot be written', async () => {
		const items = [await itemWith(people(40_000).replace('\r\n', '\r\nAda\r\n'))];
		const decode = jest.spyOn(TextDecoder.prototype, 'decode');
		const { error } = await runNode({ node, parameters: build(), items });
		const pieces = decode.mock.calls.length;
		decode.mockRestore();
		expect(error?.message).toMatch(/^Line 2, Values: There is 1,/);
		expect(pieces).toBeLessThan(10);
	});

	it('names a row that cannot be written, or goes on without it', async () => {
		const items = [await itemWith('a,b\n1,2\n3,4,5\n')];
		const stopped = await runNode({ node, parameters: build(), items });
		expect(stopped.error?.message).toMatch(/^Line 3, Values: There are 3,/);
		const passed = await runNode({
			node,
			parameters: build(),
			items,
			onError: 'continueErrorOutput',
		});
		expect(passed.outputs[0]).toMatchObject([{ json: { rows: 1 } }]);
		expect(passed.outputs[1]).toHaveLength(1);
	});
});
