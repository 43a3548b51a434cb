import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { nodeLog } from './support/container';
import type { NodeRunOptions } from './support/engine';
import {
	asExpression,
	csvOf,
	fileOf,
	itemImport,
	itemsOf,
	people,
	personMap,
	property,
	statusesOf,
	totalsOf,
} from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();

const node = new NativeBulkImport();
const describeJobs = (jobDescriptions: boolean) => service.change({ styles: { jobDescriptions } });

/** Starts an import of three rows per job and waits until the service is done. */
async function start(items: INodeExecutionData[], changes: INodeParameters = {}) {
	const run = await service.run(
		node,
		itemImport(service, personMap, {
			options: { pollInterval: 0.05, maxRowsPerFile: 3, waitForOutcome: 'none' },
			...changes,
		}),
		{ items, onError: 'continueRegularOutput' },
	);
	await service.settle();
	const started = (run.outputs[0] ?? []).filter(({ json }) => json.fileNumber !== undefined);
	return { run, started: started.map(({ json }) => json) };
}
async function read(
	startedJobs: unknown,
	items: INodeExecutionData[],
	changes: INodeParameters = {},
	setup: Partial<NodeRunOptions> = {},
) {
	return await service.run(
		node,
		{
			resource: 'job',
			operation: 'getItemOutcomes',
			startedJobs: typeof startedJobs === 'string' ? startedJobs : asExpression(startedJobs),
			source: 'items',
			options: {},
			...changes,
		},
		{ items, ...setup },
	);
}
test('the first started job has what is to be said of the import', async () => {
	const fieldMap = { mappingMode: 'autoMapInputData', value: null };
	const { started } = await start(itemsOf(people(4)), { fieldMap });
	expect(started.map(({ notes }) => notes)).toEqual([
		[{ text: expect.stringMatching(/^Mapped: /) as string }],
		undefined,
	]);
});

test('rows that no named job mentions are unknown where the rows of the jobs are unknown', async () => {
	describeJobs(false);
	const items = itemsOf(people(9));
	const { started } = await start(items);
	const named = String(started[1]?.jobId);
	const run = await read(named, items, { options: { rejectedRows: true } });
	expect(statusesOf(run.outputs[0])).toEqual(
		items.map((_, i) => (i >= 3 && i < 6 ? 'imported' : 'unknown')),
	);
	expect(run.outputs[0]?.[0]?.json).toMatchObject({
		importResult: { jobId: null },
		reason: expect.stringMatching(
			/^The results of the entered jobs do not list this row/,
		) as string,
	});
	expect(run.outputs.flat().some(({ binary }) => binary?.rejected)).toBe(false);
	const { outputs } = await read(named, items, {}, { onError: 'continueErrorOutput' });
	expect(outputs[1]).toHaveLength(6);
	for (const { json } of outputs[1] ?? [])
		expect(json.error).toMatchObject({
			outcomeUnknown: true,
			description: expect.stringMatching(
				/^Check in the service whether it is there before/,
			) as string,
		});
});

test.each(['reference', 'ID'])('rows that were not sent are invalid by %s, too', async (kind) => {
	describeJobs(true);
	const log = jest.spyOn(nodeLog(), 'info');
	const items = itemsOf(people(5, { 1: { Mail: { a: 1 } } }));
	const { started } = await start(items);
	const references = log.mock.calls.flatMap(
		([message]) => /^Import job (\S+:\S+) started/.exec(String(message))?.[1] ?? [],
	);
	const given = kind === 'ID' ? started.map(({ jobId }) => jobId) : references;
	expect(given).toHaveLength(2);
	const run = await read(given.join(', '), items);
	expect(statusesOf(run.outputs[0])).toEqual([
		'imported',
		'invalid',
		'imported',
		'imported',
		'imported',
	]);
});

test('a file with a damaged end is read later', async () => {
	describeJobs(true);
	const source = { source: 'binary' };
	const { started } = await start([await fileOf(csvOf(people(3)))], {
		...source,
		options: { waitForOutcome: 'none', maxRowsPerFile: 3 },
	});
	const items = [await fileOf(`${csvOf(people(7))}"Ada,Never closed\n`)];
	const run = await read(String(started[0]?.jobId), items, {
		...source,
		options: { outputRows: 'all' },
	});
	expect(run.error).toBeUndefined();
	const [summary, ...rows] = run.outputs[0] ?? [];
	expect(summary?.json.importSummary).toMatchObject({ rows: 7, imported: 3 });
	expect(statusesOf(rows)).toEqual(
		Array.from({ length: 7 }, (_, i) => (i < 3 ? 'imported' : 'unknown')),
	);
});

test('a record ID that only rows have that are not sent is blank in every row', async () => {
	const rows = Array.from({ length: 6 }, (_, i) => ({
		NativeId: i === 2 ? 77 : '',
		tel: i === 2 ? { a: 1 } : '907-555-0100',
	}));
	const { run } = await start(itemsOf(rows), {
		...itemImport(service, {
			recordId: property('NativeId'),
			'Phones:Phone': property('tel'),
			'Phones:PhoneTypeID': 'C',
		}),
		mappingTypes: ['Phones'],
	});
	expect(run.outputs.flat().map(({ json }) => (json.error as IDataObject).message)).toEqual(
		rows.map(() => expect.stringContaining('is blank in every row') as string),
	);
	expect(service.jobs()).toEqual([]);
});

test('the only two rows of one person are duplicates later, too', async () => {
	const [first = {}] = people(1);
	const items = itemsOf([first, first]);
	const { started } = await start(items, {
		options: { duplicates: 'first', waitForOutcome: 'none' },
	});
	const { outputs } = await read(started, items);
	expect(outputs[0]?.map(({ json }) => [json.status, json.reason])).toEqual([
		['imported', null],
		['duplicate', 'Same person as item 1 (same email address).'],
	]);
});

test('a dry run counts the rows that would be sent', async () => {
	const items = itemsOf(people(5, { 0: { Mail: { a: 1 } } }));
	const { run } = await start(items, { options: { dryRun: true } });
	expect(totalsOf(run)).toMatchObject({ rows: 4, invalidRows: 1 });
});

describe('started jobs that are not those of the rows are rejected', () => {
	type ChangedJobs = [
		what: string,
		isDescribed: boolean,
		change: (files: IDataObject[], otherId: unknown) => unknown,
		message: RegExp,
	];
	const FAILURE = { message: 'a', description: 'b', replayable: true, outcomeUnknown: false };

	it.each<ChangedJobs>([
		['without a field', false, ([first]) => [{ ...first, files: undefined }], /lacks some of its/],
		...(
			[
				['without its job', { jobId: null }],
				['not sent, with a job', { failure: { status: 'notSent', ...FAILURE } }],
				['without an end', { lastRow: null }],
				['with more rows than its range', { rows: 9 }],
				['beyond the import', { lastRow: 9 }],
			] as Array<[string, IDataObject]>
		).map(
			([what, change]): ChangedJobs => [
				what,
				false,
				([first, ...others]) => [{ ...first, ...change }, ...others],
				/lacks some of its fields, or was changed/,
			],
		),
		[
			'a job of another import',
			true,
			([first, second], jobId) => [{ ...first, jobId }, second],
			/^Started Jobs has import job \d+, which belongs to other rows/,
		],
		[
			'one job twice',
			false,
			([first, second]) => [first, { ...second, jobId: first?.jobId }],
			/names one job for several files/,
		],
		[
			'a reference with the ID of another job',
			true,
			([first], jobId) =>
				`${String(jobId)}:${String(first?.jobRun)}:${String(first?.firstRow)}-${String(first?.lastRow)}:${String(first?.checksum)}`,
			/which belongs to other rows/,
		],
	])('%s', async (_, isDescribed, change, message) => {
		describeJobs(isDescribed);
		const other = await start(itemsOf(people(3, { 0: { Mail: 'other@example.org' } })));
		const items = itemsOf(people(6));
		const { started } = await start(items);
		const run = await read(change(started, other.started[0]?.jobId), items);
		expect(run.error?.message).toMatch(message);
	});
});
