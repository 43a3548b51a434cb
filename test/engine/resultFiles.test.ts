import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { MANY_ITEMS } from '../support/randomCases';
import { readBinary } from './support/engine';
import {
	csvOf,
	fileOf,
	itemImport,
	itemsOf,
	people,
	personMap,
	property,
	reportOf,
} from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();

const node = new NativeBulkImport();
const ROWS = 7;
/** Every third row has an address that the service rejects. */
const isRejected = (row: number): boolean => row % 3 === 0;
const rows = people(ROWS).map((row, index) =>
	isRejected(index + 1) ? { ...row, Mail: `no..${index}@example.org` } : row,
);
const items = itemsOf(rows);
const mappingTypes = ['CreateOrUpdateContact', 'Email'];
const map = {
	'CreateOrUpdateContact:FirstName': personMap['CreateOrUpdateContact:FirstName'],
	'CreateOrUpdateContact:LastName': personMap['CreateOrUpdateContact:LastName'],
	'Email:Email': personMap['CreateOrUpdateContact:Email'],
};
const shapeResults = (shape: object) =>
	service.addJobFault({ kind: 'results', ...shape }, { count: 100 });

async function importItems(): Promise<IDataObject[]> {
	const parameters = itemImport(service, map, { mappingTypes });
	const run = await service.run(node, parameters, { items });
	expect(run.error).toBeUndefined();
	return (run.outputs[0] ?? []).map(({ json }) => json.importResult as IDataObject);
}

async function getResults(changes: INodeParameters = {}) {
	const [job] = service.jobs().slice(-1);
	return await service.run(node, {
		resource: 'job',
		operation: 'getResults',
		jobId: String(job?.id),
		output: 'rows',
		options: {},
		...changes,
	});
}

const succeededByRow = (rows: IDataObject[]) =>
	Object.fromEntries(rows.map(({ row, succeeded }) => [Number(row), succeeded]));
const expected = Object.fromEntries(
	items.map((_, index) => [index + 1, !isRejected(index + 1)] as const),
);

describe('the rows of a job come out whole', () => {
	it.each<[string, object, number]>([
		['from one file', {}, 1],
		['from three files', { files: 3 }, 3],
		['from three files with rows in any order', { files: 3, shuffle: 7 }, 3],
		['from files in UTF-16', { files: 2, encoding: 'utf16le' }, 2],
	])('%s', async (_, shape, files) => {
		shapeResults(shape);
		const results = await importItems();
		expect(results.map(({ status }) => status)).toEqual(
			items.map((_item, index) => (isRejected(index + 1) ? 'failed' : 'imported')),
		);
		const rows = await getResults();
		expect(rows.error).toBeUndefined();
		expect(succeededByRow((rows.outputs[0] ?? []).map(({ json }) => json))).toEqual(expected);
		const binaries = await getResults({ output: 'binary' });
		expect(binaries.outputs[0]?.map(({ json }) => json.files)).toEqual(
			Array.from({ length: files }, () => files),
		);
	});

	it('when a download breaks and begins again in another order', async () => {
		shapeResults({ files: 2, reversedAgain: true });
		service.addFault({ kind: 'truncatedBody' }, '/results');
		expect((await importItems()).map(({ status }) => status)).not.toContain('missing');
		service.addFault({ kind: 'truncatedBody' }, '/results');
		const rows = await getResults();
		expect(rows.outputs[0]).toHaveLength(ROWS);
		expect(succeededByRow((rows.outputs[0] ?? []).map(({ json }) => json))).toEqual(expected);
	});
});

it('returns as many rows of one file as it has', async () => {
	const count = MANY_ITEMS;
	const header = 'BulkUploadDataID,ULFileID,PrimaryKey,PrimaryKeyType,N8nItem,Email';
	const rows = Array.from({ length: count }, (_, row) => `${row + 1},6,,,${row + 1},Processed`);
	await importItems();
	service.addFault(
		{ kind: 'response', status: 200, body: `${[header, ...rows].join('\n')}\n` },
		'/results',
	);
	const run = await getResults();
	expect(run.error).toBeUndefined();
	expect(run.outputs[0]).toHaveLength(count);
	expect(run.outputs[0]?.at(-1)?.json).toMatchObject({ row: count, succeeded: true });
});

it('is an error if a file is larger than asked for', async () => {
	await importItems();
	const run = await getResults({ output: 'binary', options: { maxFileSizeMb: 0.0001 } });
	expect(run.error?.message).toBe('Result file 1 is larger than 0.0001 MB');
});

it('gives rows that a cut file lacks the status unknown', async () => {
	shapeResults({ files: 2, cut: { file: 2, bytes: -5 } });
	const results = await importItems();
	const unknown = results.filter(({ status }) => status === 'unknown');
	expect(unknown).toHaveLength(1);
	expect(unknown[0]?.reason).toMatch(
		/^Import job \d+ has ended, .* Result file 2 cannot be read: it ends within its last line$/,
	);
	results.forEach(({ status }, index) => {
		if (status !== 'unknown') expect(status).toBe(isRejected(index + 1) ? 'failed' : 'imported');
	});
});

describe('a report for people', () => {
	it('comes with the first row', async () => {
		shapeResults({ files: 2 });
		await importItems();
		const run = await getResults({ options: { report: true } });
		expect(run.outputs[0]).toHaveLength(ROWS);
		const { binary } = run.outputs[0]?.[0] ?? {};
		expect(binary?.report).toMatchObject({
			mimeType: 'text/html',
			fileName: expect.stringMatching(/^import-report-\d+\.html$/) as string,
		});
		expect(run.outputs[0]?.slice(1).some((item) => item.binary)).toBe(false);
		const html = await reportOf(run);
		expect(html).toContain('<b>5</b> of 7 rows imported');
		expect(html).toContain('2</td><td>EmailResult: Invalid email address</td>');
	});

	it('comes with the first item of Import Items that has no error', async () => {
		const parameters = itemImport(service, map, {
			mappingTypes,
			options: { pollInterval: 0.05, report: true },
		});
		const run = await service.run(node, parameters, {
			items: [...items.slice(2), ...items.slice(0, 2)],
			onError: 'continueErrorOutput',
		});
		expect(run.outputs[1]?.some(({ binary }) => binary)).toBe(false);
		expect(run.outputs[0]?.filter(({ binary }) => binary?.report)).toHaveLength(1);
		const html = await reportOf(run);
		expect(html).toContain('<b>5</b> of 7 rows imported');
		expect(html).toContain('<td data-label="Mail">no..2@example.org</td>');
	});

	it('comes with the summary of an imported file', async () => {
		const parameters = itemImport(service, map, {
			mappingTypes,
			source: 'binary',
			options: { pollInterval: 0.05, report: true },
		});
		const run = await service.run(node, parameters, { items: [await fileOf(csvOf(rows))] });
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]?.[0]?.json.importSummary).toMatchObject({ imported: 5, failed: 2 });
		const html = await reportOf(run);
		expect(html).toContain('<b>5</b> of 7 rows imported');
		expect(html).toContain('<td data-label="Mail">no..2@example.org</td>');
	});

	it('comes alone where there are no rows', async () => {
		shapeResults({ files: 0 });
		const parameters = itemImport(service, map, { mappingTypes });
		await service.run(node, parameters, { items, onError: 'continueRegularOutput' });
		const run = await getResults({ options: { report: true } });
		expect(run.outputs[0]).toHaveLength(1);
		expect(await reportOf(run)).toContain('has no rows');
	});

	it.each(['rows', 'binary'])(
		'is not needed to see that there are no results: %s',
		async (output) => {
			shapeResults({ files: 0 });
			const parameters = itemImport(service, map, { mappingTypes });
			await service.run(node, parameters, {
				items: items.filter((_, index) => !isRejected(index + 1)),
				onError: 'continueRegularOutput',
			});
			const run = await getResults({ output });
			expect(run.outputs[0]).toEqual([]);
			expect(run.hints.map(({ message }) => message)).toEqual([
				expect.stringContaining('its results have no rows. Check in the service') as string,
			]);
		},
	);
});

describe('a file of the rejected rows', () => {
	const textOf = async (item: INodeExecutionData | undefined) =>
		(await readBinary(item, 'rejected')).toString();
	const reason = 'EmailResult: Invalid email address';

	it('has the columns of the items and the reason, and can be imported again', async () => {
		const options = { pollInterval: 0.05, rejectedRows: true };
		const run = await service.run(node, itemImport(service, map, { mappingTypes, options }), {
			items,
		});
		const [head, first, second, end] = (await textOf(run.outputs[0]?.[0])).split('\r\n');
		expect(head).toBe('\uFEFFFirst Name,Last Name,Mail,NativeID,Import Result');
		expect(first).toMatch(RegExp(`^First2,Last2,no\\.\\.2@example\\.org,\\d+,${reason}$`));
		expect(second).toMatch(/^First5,/);
		expect(end).toBe('');
	});

	it('has the columns and the delimiter of the imported file, and updates its records when imported again', async () => {
		const text =
			'Note;Mail;First Name;Last Name\n"a ""b"";\nc";no..where@example.org;Ida;One\nd;i@example.org;Ida;Two\n';
		const imported = async (content: string, fields: Record<string, string>) => {
			const options = { pollInterval: 0.05, rejectedRows: true };
			return await service.run(
				node,
				itemImport(service, fields, { mappingTypes, source: 'binary', options }),
				{ items: [await fileOf(content)] },
			);
		};
		const people = () =>
			service
				.people()
				.filter(({ fields }) => fields.firstName === 'Ida' && fields.lastName === 'One');
		const first = await imported(text, map);
		const rejected = await textOf(first.outputs[0]?.[0]);
		expect(rejected).toMatch(
			/^\uFEFFNote;Mail;First Name;Last Name;NativeID;Import Result\r\n"a ""b"";\nc";no\.\.where@example\.org;Ida;One;\d+;/,
		);
		const withId = { ...map, 'CreateOrUpdateContact:NativeId': property('NativeID') };
		const second = await imported(
			rejected.replace('no..where@example.org', 'n@example.org'),
			withId,
		);
		expect(second.outputs[0]?.[0]?.json.importSummary).toMatchObject({ rows: 1, imported: 1 });
		expect(second.outputs[0]?.[0]?.binary?.rejected).toBeUndefined();
		expect(people()).toHaveLength(1);
	});

	it('keeps the values of rows that cannot be read', async () => {
		const text = 'First Name,Last Name,Mail\nAda,Ex,ada@example.org\nBo,Ex,am,ple\n\nCy\n';
		const options = { pollInterval: 0.05, rejectedRows: true };
		const run = await service.run(
			node,
			itemImport(service, map, { mappingTypes, source: 'binary', options }),
			{ items: [await fileOf(text)], onError: 'continueRegularOutput' },
		);
		expect((await textOf(run.outputs[0]?.[0])).split('\r\n')).toEqual([
			'\uFEFFFirst Name,Last Name,Mail,More Values,Import Result',
			expect.stringMatching(/^Bo,Ex,am,ple,"Values: There are 4, but .*/),
			expect.stringMatching(/^Cy,,,,"Values: There is 1, but .*/),
			'',
		]);
	});

	it('has the included columns where the results of a job are read', async () => {
		await importItems();
		const options = { rejectedRows: true };
		const run = await getResults({ includedColumns: 'N8nItem', options });
		expect(await textOf(run.outputs[0]?.[0])).toMatch(
			RegExp(
				`^\uFEFFN8nItem,NativeID,Import Result\r\n\\w{6}-3,\\d+,${reason}\r\n\\w{6}-6,\\d+,${reason}\r\n$`,
			),
		);
	});
});

describe('a result file that cannot be read is an error', () => {
	it.each<[string, object, RegExp]>([
		['an archive', { zipped: true }, /^Result file 1 cannot be read: it is a zip archive/],
		[
			'cut within its last line',
			{ cut: { file: 1, bytes: -5 } },
			/^Result file 1 cannot be read: it ends within its last line/,
		],
		['gone', { files: 2, missing: [2] }, /^Result file 2 could not be downloaded \(status 404\)/],
		['over', { files: 2, expired: [1] }, /^Result file 1 is no longer available/],
	])('%s', async (_, shape, message) => {
		shapeResults(shape);
		const parameters = itemImport(service, map, { mappingTypes });
		await service.run(node, parameters, { items, onError: 'continueRegularOutput' });
		const run = await getResults();
		expect(run.error?.message).toMatch(message);
		expect(run.error?.description).toMatch(/import(ed)?/);
	});
});
