import { parse } from 'csv-parse/sync';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { type NodeRun, readBinary } from './support/engine';
import {
	asExpression,
	csvOf,
	fileOf,
	itemImport,
	itemsOf,
	personMap,
	reportOf,
} from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();

const node = new NativeBulkImport();
type Way = 'Import Items' | 'Get Item Outcomes';
type OnError = 'continueErrorOutput' | 'continueRegularOutput';

/** Imports the rows and returns their outcomes, which Get Item Outcomes reads later if chosen. */
async function outcomes(
	way: Way,
	items: INodeExecutionData[],
	options: INodeParameters = {},
	{ onError, ...changes }: INodeParameters & { onError?: OnError } = {},
): Promise<NodeRun> {
	const source = items[0]?.binary ? 'binary' : 'items';
	const setup = { items, ...(onError && { onError }) };
	const parameters = itemImport(service, personMap, {
		source,
		...changes,
		options: {
			pollInterval: 1,
			...options,
			waitForOutcome: way === 'Import Items' ? 'memory' : 'none',
		},
	});
	const run = await service.run(node, parameters, setup);
	if (way === 'Import Items') return run;
	await service.settle();
	const started = (run.outputs[0] ?? []).map(({ json }) => json);
	const read = { resource: 'job', operation: 'getItemOutcomes', source, options };
	return await service.run(node, { ...read, startedJobs: asExpression(started) }, setup);
}

const person = (changes: IDataObject = {}): IDataObject => ({
	'First Name': 'Ada',
	'Last Name': 'X',
	Mail: 'a@example.org',
	...changes,
});
const own = { status: 'active', reason: 'moved', primaryKey: 'k1', importResult: 'r', error: 'e' };

test.each<OnError>(['continueErrorOutput', 'continueRegularOutput'])(
	'rejected items and a file that was not imported keep their files: %s',
	async (onError) => {
		const { binary } = await fileOf('a photo');
		const items = ['no..1@example.org', 'b@example.org'].map((Mail) => ({
			json: person({ Mail }),
			binary: binary ?? {},
		}));
		const changes = { source: 'items', onError };
		const rejected = await outcomes('Import Items', items, {}, changes);
		service.addFault({ kind: 'status', status: 400 }, 'POST /bulkImportJobs');
		const lost = await outcomes('Import Items', [await fileOf(csvOf([person()]))], {}, { onError });
		const written = rejected.outputs.flat();
		expect(written).toHaveLength(2);
		for (const item of [...written, lost.outputs.flat()[0]])
			expect(item?.binary).toHaveProperty('data');
	},
);

test('rejected rows by expression have their number and their values in the error output', async () => {
	const rows = [
		person(),
		person({ Mail: 'no..address@example.org' }),
		person({ Mail: 'c@example.org' }),
	];
	const started = await service.run(
		node,
		itemImport(service, personMap, { options: { waitForOutcome: 'none' } }),
		{ items: itemsOf(rows) },
	);
	await service.settle();
	const read = {
		resource: 'job',
		operation: 'getItemOutcomes',
		source: 'expression',
		rows: asExpression(rows),
	};
	const run = await service.run(node, read, {
		items: started.outputs[0] ?? [],
		onError: 'continueErrorOutput',
	});
	expect(run.outputs[1]).toMatchObject([
		{ json: { error: { importResult: { status: 'failed', row: 2 }, values: rows[1] } } },
	]);
});
describe.each<Way>(['Import Items', 'Get Item Outcomes'])('%s: the outcome wins', (way) => {
	const rows = [person(own), person({ ...own, Mail: 'no..address@example.org' })];

	it.each(['items', 'a file'])('over columns of the row from %s', async (source) => {
		const items = source === 'items' ? itemsOf(rows) : [await fileOf(csvOf(rows))];
		const run = await outcomes(way, items, { outputRows: 'all' });
		const output = (run.outputs[0] ?? []).slice(source === 'items' ? 0 : 1);
		expect(output.map(({ json }) => (json.importResult as IDataObject).status)).toEqual([
			'imported',
			'failed',
		]);
		for (const { json } of output) {
			expect(json['importResult (row)']).toBe('r');
			expect(json['error (row)']).toBe('e');
			expect(json).not.toHaveProperty('error');
			expect(json['status (row)']).toBe('active');
			expect(json['primaryKey (row)']).toBe('k1');
			const { status, primaryKey } = json.importResult as IDataObject;
			expect(Object.keys(json).slice(0, 3)).toEqual(['status', 'reason', 'primaryKey']);
			expect(json).toMatchObject({ status, primaryKey });
		}
	});

	it('over the column that n8n takes for an error, in the error output', async () => {
		const run = await outcomes(way, itemsOf(rows), {}, { onError: 'continueErrorOutput' });
		expect(run.outputs[0]).toMatchObject([
			{ json: { status: 'imported', 'status (row)': 'active' } },
		]);
		expect(run.outputs[1]).toMatchObject([
			{ json: { error: { importResult: { status: 'failed' }, values: { error: 'e' } } } },
		]);
	});

	it.each<OnError>(['continueErrorOutput', 'continueRegularOutput'])(
		'over an earlier outcome when corrected rows are fed back, %s',
		async (onError) => {
			const first = await outcomes('Import Items', itemsOf(rows), {}, { onError });
			const failed = first.outputs
				.flat()
				.filter(({ json }) => json.error !== undefined || json.status === 'failed')
				.map(({ json }) => ({ json: { ...json, Mail: 'b@example.org' } }));
			expect(failed).toHaveLength(1);
			const again = await outcomes(way, failed, {}, { onError });
			expect(again.outputs[0]?.map(({ json }) => json)).toEqual([
				expect.objectContaining({
					status: 'imported',
					reason: null,
					'status (row)': 'active',
					'reason (row)': 'moved',
					'primaryKey (row)': 'k1',
					'error (row)': 'e',
					Mail: 'b@example.org',
				}) as IDataObject,
			]);
			expect(Object.keys(again.outputs[0]?.[0]?.json ?? {})).toHaveLength(3 + 3 + 5 + 1);
		},
	);
});

test('a mapped column reads the own value of a row that is fed back', async () => {
	const map = { ...personMap, 'CreateOrUpdateContact:FirstName': '={{ $json.status }}' };
	const changes = { ...itemImport(service, map) };
	const rows = [
		person({ status: 'Mia', Mail: 'no..address@example.org' }),
		person({ status: 'Noa' }),
	];
	const first = await outcomes('Import Items', itemsOf(rows), {}, changes);
	const json = { ...first.outputs[0]?.[0]?.json, Mail: 'a@example.org' };
	const again = await outcomes('Import Items', [{ json }], {}, changes);
	expect(again.outputs[0]).toMatchObject([{ json: { status: 'imported' } }]);
	const stored = service.people().map(({ fields }) => fields.firstName);
	expect(stored).toContain('Mia');
	expect(stored).not.toContain('failed');
	const computed = { ...map, 'CreateOrUpdateContact:FirstName': '={{ $json.status.trim() }}' };
	const computedRows = [{ json }, { json }];
	const run = await outcomes('Import Items', computedRows, {}, itemImport(service, computed));
	expect(run.error?.message).toMatch(/\$json\["status"\] is the outcome of an earlier import/);
});

describe('a file with two columns of one name', () => {
	const text =
		'First Name,Phone,Last Name,Phone,Mail\nAda,1,X,2,a@example.org\nBob,3,Y,4,n..o@example.org\n';

	it('keeps both values in the output and in the file of rejected rows', async () => {
		const run = await outcomes('Import Items', [await fileOf(text)], {
			rejectedRows: true,
			outputRows: 'all',
		});
		const [summary, ada, bob] = run.outputs[0] ?? [];
		expect(ada?.json).toMatchObject({ Phone: '1', 'Phone (2)': '2' });
		expect(bob?.json).toMatchObject({ Phone: '3', 'Phone (2)': '4' });
		if (!summary) throw new Error('There is no summary.');
		const [header, row] = parse(await readBinary(summary, 'rejected'), { bom: true });
		expect(header?.slice(0, 5)).toEqual(['First Name', 'Phone', 'Last Name', 'Phone', 'Mail']);
		expect(row?.slice(0, 5)).toEqual(['Bob', '3', 'Y', '4', 'n..o@example.org']);
	});
});

test('report and messages say the line as a spreadsheet program shows it', async () => {
	const text = [
		'First Name,Last Name,Mail',
		'Ada,X,a@example.org',
		'"B\nob",Y,b@example.org',
		'',
		'',
		'Cid,Z,c..d@example.org',
		'Dot,"unquoted',
	];
	const file = async (lines: string[]) => [await fileOf(`${lines.join('\r\n')}\r\n`)];
	const run = await outcomes('Import Items', await file(text.slice(0, 6)), { report: true });
	expect(run.outputs[0]?.[1]?.json.importResult).toMatchObject({ row: 3, line: 6 });
	expect(await reportOf(run)).toMatch(/<th>Line<\/th>.*<td data-label="Line">6<\/td>/s);
	const invalid = await outcomes('Import Items', await file([...text.slice(0, 6), 'a,b,c,d']), {
		ifInvalid: 'stop',
	});
	expect(invalid.error?.message).toMatch(
		/See line 7\. To import the other rows, set Rows With Invalid Values/,
	);
});

test.each<Way>(['Import Items', 'Get Item Outcomes'])(
	'%s: rows with one record ID are said to be one record',
	async (way) => {
		const rows = [
			person(),
			person({ Mail: 'z@example.org', 'First Name': 'Zoe' }),
			person(),
			person(),
		];
		const ofItems = await outcomes(way, itemsOf(rows), { report: true });
		const ids = ofItems.outputs[0]?.map(({ json }) => json.primaryKey);
		expect(new Set(ids).size).toBe(2);
		expect(ofItems.hints.map(({ message }) => message)).toContainEqual(
			expect.stringMatching(/; 2 have the record ID of an earlier item; import job/),
		);
		expect(await reportOf(ofItems)).toContain(`<td>${String(ids?.[0])}</td><td>1, 3, 4</td>`);
		service.sandbox.control.reset();
		const ofFile = await outcomes(way, [await fileOf(csvOf(rows))], { report: true });
		expect(ofFile.outputs[0]?.[0]?.json.importSummary).toMatchObject({
			imported: 4,
			sameRecord: 2,
		});
		expect(await reportOf(ofFile)).toContain('<td>2, 4, 5</td>');
	},
);

describe('result rows that cannot be matched', () => {
	/** The outcome of three rows of a file whose result file has these keys. */
	async function outcomeOf(keysOf: (run: string) => string[]) {
		const rows = ['Ada', 'Bob', 'Cy'].map((name) => person({ 'First Name': name }));
		const items = [await fileOf(csvOf(rows))];
		const options = { waitForOutcome: 'none', outputRows: 'all' };
		const parameters = itemImport(service, personMap, { source: 'binary', options });
		const started = (await service.run(node, parameters, { items })).outputs[0]?.[0]?.json;
		await service.settle();
		const lines = keysOf(String(started?.run)).map(
			(key, row) => `${row + 1},6,1,X,${key},Processed`,
		);
		const head =
			'BulkUploadDataID,ULFileID,PrimaryKey,PrimaryKeyType,N8nItem,CreateOrUpdateContact';
		service.addFault(
			{ kind: 'response', status: 200, body: `${[head, ...lines].join('\n')}\n` },
			'/results',
		);
		const read = { resource: 'job', operation: 'getItemOutcomes', source: 'binary', options };
		const run = await service.run(
			node,
			{ ...read, startedJobs: asExpression([started]) },
			{ items },
		);
		const [summary, ...others] = (run.outputs[0] ?? []).map(({ json }) => json);
		return { summary: summary?.importSummary as IDataObject, others, reason: summary?.reason };
	}

	it('do not make an import unknown whose rows each have a result', async () => {
		const keys = (run: string) => [`${run}-1`, 'zzzzzz-1', `${run}-2`, `${run}-3`];
		const { summary, others, reason } = await outcomeOf(keys);
		expect(others.map(({ status }) => status)).toEqual(Array(3).fill('imported'));
		expect(summary.jobs).toEqual([{ jobId: expect.any(Number) as number, rows: 3 }]);
		expect(summary.unmatchedResults).toBe(1);
		expect(reason).toMatch(/; 1 result row without a matching row; /);
	});

	it.each(['', 'zzzzzz-1'])('make the other rows of their job unknown: key "%s"', async (key) => {
		const { summary, others } = await outcomeOf((run) => [`${run}-1`, key, key]);
		expect(others.map(({ status }) => status)).toEqual(['imported', 'unknown', 'unknown']);
		const text = /its results could not be read: 2 of 3 result rows could not be matched to an/;
		expect(others[1]?.reason).toMatch(text);
		expect(summary.jobs).toMatchObject([{ error: expect.stringMatching(text) as string }]);
	});
});
