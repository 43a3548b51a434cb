import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { repetitions } from '../support/randomCases';
import { nodeLog } from './support/container';
import type { NodeRun } from './support/engine';
import {
	asExpression,
	inputOf,
	itemImport,
	itemsOf,
	people as peopleRows,
	personMap,
	reportOf,
	statusesOf,
} from './support/itemImports';
import { processedData } from './support/processedData';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();

const node = new NativeBulkImport();

const validPeople = peopleRows;
const people = (count: number): IDataObject[] =>
	peopleRows(count).map((row, i) => ({
		...row,
		...(i % 10 === 4 && { Mail: `no..${i}@example.org` }),
		...(i % 10 === 7 && { Mail: { a: 1 } }),
	}));

const start = (options: INodeParameters = {}, changes: INodeParameters = {}) =>
	itemImport(service, personMap, {
		options: { pollInterval: 0.05, maxRowsPerFile: 3, waitForOutcome: 'none', ...options },
		...changes,
	});
const read = (changes: INodeParameters = {}, options: INodeParameters = {}): INodeParameters => ({
	resource: 'job',
	operation: 'getItemOutcomes',
	startedJobs: '',
	source: 'items',
	options,
	...changes,
});

const lastJob = () => service.calls().findLast(({ method }) => method === 'POST')?.body;
const startedOf = (items: INodeExecutionData[] | undefined) =>
	(items ?? []).map(({ json }) => json).filter(({ fileNumber }) => fileNumber !== undefined);
const referenceOf = ({ jobId, run, firstRow, lastRow, checksum }: IDataObject = {}): string =>
	`${String(jobId)}:${String(run)}:${String(firstRow)}-${String(lastRow)}:${String(checksum)}`;

async function importRows(rows: IDataObject[]) {
	const { outputs } = await service.run(node, start(), { items: itemsOf(rows) });
	await service.settle();
	return startedOf(outputs[0]);
}

/** What depends on the job and the execution alone, not on the way that was taken. */
const withoutIds = (text: string) =>
	text
		.replaceAll(/job \d+|"jobId":\d+/g, 'job')
		.replaceAll(/\d+:\w{6}:\d+-\d+:[0-9a-f]{8}/g, 'reference')
		.replaceAll(/"primaryKey":\d+/g, 'key')
		.replaceAll(/exists as NativeID \d+/g, 'exists')
		.replaceAll(/items-1-\w{6}/g, 'items')
		.replaceAll(/run \w{6}/g, 'run');
const comparable = (items: INodeExecutionData[] | undefined) =>
	withoutIds(JSON.stringify((items ?? []).map(({ json, pairedItem }) => [json, pairedItem])));

/** Ends a run once the service has got the request after `skip` others, and loses its output. */
async function kill(
	method: 'GET' | 'POST',
	skip: number,
	executed: boolean,
	run: (signal: AbortSignal) => Promise<NodeRun>,
): Promise<void> {
	const pathPrefix = `/bulkImportJobs${method === 'GET' ? '/' : ''}`;
	const jobsBefore = service.jobs().length;
	const fault = { kind: 'noResponse', executed } as const;
	const removeFault = service.addFault(fault, `${method} ${pathPrefix}`, { skip });
	const killing = new AbortController();
	let hasEnded = false;
	const ended = run(killing.signal).finally(() => (hasEnded = true));
	const received = () =>
		method === 'POST' && executed
			? service.jobs().length - jobsBefore
			: service.calls().filter((call) => call.method === method && call.path.includes(pathPrefix))
					.length;
	while (!hasEnded && received() <= skip) await new Promise((resolve) => setTimeout(resolve, 2));
	killing.abort();
	await ended;
	removeFault();
}

/** The report of a run without what differs between runs. */
const comparableReport = async (run: NodeRun) =>
	withoutIds((await reportOf(run)).replace(/<p class="about">.*/, ''));

test('the outcome that is read later, also after kills, is the one that waiting gives', async () => {
	const scripts = fc.record({
		rows: fc.integer({ min: 1, max: 12 }),
		perFile: fc.integer({ min: 1, max: 5 }),
		files: fc.integer({ min: 0, max: 3 }),
		shuffle: fc.nat(100),
		lost: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
		gone: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 1 }),
		failing: fc.nat(3),
		killed: fc.option(fc.record({ start: fc.nat(4), executed: fc.boolean(), read: fc.nat(4) })),
		onError: fc.constantFrom('continueErrorOutput' as const, 'continueRegularOutput' as const),
	});
	await fc.assert(
		fc.asyncProperty(scripts, async (script) => {
			const { rows, perFile, files, shuffle, lost, gone, failing, onError } = script;
			// A start that the service rejected is tried again after a kill.
			const killed = failing === 2 ? null : script.killed;
			const fault = () => {
				service.sandbox.control.reset();
				processedData.clear();
				service.change({ styles: { jobDescriptions: true } });
				service.addJobFault({ kind: 'results', files, shuffle, omitRows: lost, missing: gone });
				if (failing === 1) service.addJobFault({ kind: 'fail', text: 'broken' });
				if (failing === 2)
					service.addFault({ kind: 'status', status: 400 }, 'POST /bulkImportJobs', { skip: 1 });
			};
			const options = { maxRowsPerFile: perFile, report: true };
			const items = itemsOf(people(rows));
			fault();
			const once = await service.run(node, start({ ...options, waitForOutcome: 'memory' }), {
				items,
				onError,
			});
			fault();
			// A job that failed is started again under its Run Key.
			const isKilledAtStart = killed !== null && failing !== 1;
			const parameters = start({ ...options, ...(isKilledAtStart && { runKey: 'week 47' }) });
			if (isKilledAtStart)
				await kill('POST', killed.start, killed.executed, async (signal) =>
					service.run(node, parameters, { items, onError, signal }),
				);
			const started = await service.run(node, parameters, { items, onError });
			const list = startedOf(started.outputs.flat());
			if (list.length === 0) {
				expect(comparable(started.outputs.flat())).toEqual(comparable(once.outputs.flat()));
				return;
			}
			await service.settle();
			expect(service.jobs().map(({ id }) => id)).toEqual(list.flatMap(({ jobId }) => jobId ?? []));
			const reading = read({ startedJobs: asExpression(list) }, { report: true });
			if (killed)
				await kill('GET', killed.read, true, async (signal) =>
					service.run(node, reading, { items, onError, signal }),
				);
			const later = await service.run(node, reading, { items, onError });
			expect(await comparableReport(later)).toBe(await comparableReport(once));
			expect(comparable(later.outputs[0])).toEqual(comparable(once.outputs[0]));
			expect(comparable(later.outputs[1])).toEqual(comparable(once.outputs[1]));
			const countsOf = ({ hints }: NodeRun) =>
				hints.flatMap(({ message }) => /^\d+ items: [^;]*/.exec(message) ?? []);
			expect(countsOf(later)).toEqual(countsOf(once));
			expect(later.error?.message.replace(/\d+/, '')).toBe(once.error?.message.replace(/\d+/, ''));
		}),
		{ numRuns: repetitions(15) },
	);
});

test('a start returns what reading needs, for every file and every row that is in none', async () => {
	const listener = { type: 'webhook', value: 'https://n8n.example.org/webhook-waiting/7' };
	const run = await service.run(node, start({ listeners: { listener: [listener] } }), {
		items: itemsOf(people(9)),
		onError: 'continueRegularOutput',
	});
	expect(lastJob()).toMatchObject({ listeners: [listener] });
	const files = startedOf(run.outputs[0]);
	expect(files).toMatchObject([
		{
			jobId: service.jobs()[0]?.id,
			status: 'started',
			fileNumber: 1,
			files: 3,
			totalRows: 9,
			firstRow: 1,
			lastRow: 3,
			rows: 3,
			checksum: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
			includedColumns: ['N8nItem'],
			description: expect.stringMatching(
				/\(n8n \w+, run \w{6}, file 1, rows 1-3, check [0-9a-f]{8}, written [0-9a-f]{8} of list [0-9a-v]+\)$/,
			) as string,
			startedAt: expect.stringMatching(/^\d{4}-/) as string,
		},
		{ fileNumber: 2, firstRow: 4, lastRow: 6 },
		{ fileNumber: 3, firstRow: 7, lastRow: 9, rows: 2 },
	]);
	const others = (run.outputs[0] ?? []).filter(({ json }) => json.fileNumber === undefined);
	expect(others).toMatchObject([{ json: { importResult: { status: 'invalid' } } }]);
	expect(
		service.calls().some(({ method, path }) => method === 'GET' && /Jobs\/\d/.test(path)),
	).toBe(false);
});

test.each(['binary', 'detect'])(
	'a file is read from the started items alone: %s',
	async (source) => {
		const items = await inputOf(validPeople(7), 'binary');
		const started = await service.run(node, start({}, { source: 'binary' }), { items });
		await service.settle();
		const later = await service.run(node, read({ source }, { outputRows: 'all' }), {
			items: started.outputs[0],
		});
		expect(later.outputs[0]?.[0]?.json.importSummary).toMatchObject({ rows: 7, imported: 7 });
		expect(later.outputs[0]?.map(({ json }) => (json.importResult as IDataObject)?.row)).toEqual([
			undefined,
			...[1, 2, 3, 4, 5, 6, 7],
		]);
	},
);

test('items are detected as the rows, whatever file the first of them holds', async () => {
	const items = itemsOf(validPeople(3));
	const startedJobs = asExpression(await importRows(validPeople(3)));
	const [file] = await inputOf(validPeople(2), 'binary');
	items[0] = { ...items[0], ...file, json: items[0]?.json ?? {} };
	const run = await service.run(node, read({ source: 'detect', startedJobs }), { items });
	expect(statusesOf(run.outputs[0])).toEqual(Array(3).fill('imported'));
});

test('jobs that run come back for a loop, or are named in an error', async () => {
	service.addJobFault({ kind: 'neverEnds' }, { skip: 1 });
	const rows = validPeople(6);
	const started = await service.run(node, start(), { items: itemsOf(rows) });
	const parameters = { source: 'expression', rows: asExpression(rows) };
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(started.hints.map(({ message }) => message)).toEqual([
		`6 items; import jobs ${service
			.jobs()
			.map(({ id }) => id)
			.join(', ')} started. Read their outcome with "Get Item Outcomes".`,
	]);
	const binary = { rows: { data: 'QQ==', mimeType: 'text/csv' } };
	const looped = await service.run(node, read(parameters, { whileRunning: 'return' }), {
		items: started.outputs[0]?.map((item, index) => (index === 0 ? { ...item, binary } : item)),
	});
	// The next round needs the file too.
	expect(looped.outputs[0]?.map((item) => Object.keys(item.binary ?? {}))).toEqual([['rows'], []]);
	expect(looped.outputs[0]).toMatchObject([
		{ json: { fileNumber: 1, hasEnded: true, jobsRunning: 1, jobs: 2 } },
		{ json: { fileNumber: 2, hasEnded: false, jobStatus: expect.any(String) as string } },
	]);
	const rejected = await service.run(node, read(parameters), { items: looped.outputs[0] });
	expect(rejected.error?.message).toBe(
		`1 of 2 import jobs has not ended: ${service.jobs()[1]?.id} (InProgress)`,
	);
	expect(rejected.error?.description).toMatch(/^Do not import their rows again/);
});

test.each([
	['as Import Items found it', { fetchAdvice: ' If it could not be fetched: move it.' }, /move it/],
	['none if it had none', {}, /^(?!.*move it)/],
])('a failed job comes with the advice on its file, %s', async (_, advice, expected) => {
	service.addJobFault({ kind: 'fail', text: 'broken' });
	const items = itemsOf(validPeople(2));
	const started = await service.run(node, start(), { items });
	await service.settle();
	const [file] = startedOf(started.outputs[0]);
	const run = await service.run(
		node,
		read({ startedJobs: asExpression([{ ...file, ...advice }]) }),
		{
			items,
			onError: 'continueErrorOutput',
		},
	);
	expect(run.outputs[1]?.map(({ json }) => (json.error as IDataObject).description)).toEqual([
		expect.stringMatching(expected),
		expect.stringMatching(expected),
	]);
});

test('an outage while a loop checks the jobs costs one check, not the outcomes', async () => {
	const items = itemsOf(validPeople(6));
	const started = await service.run(node, start(), { items });
	await service.settle();
	const startedJobs = asExpression(startedOf(started.outputs[0]));
	const check = async (timeout: number) =>
		await service.run(node, read({ startedJobs }, { whileRunning: 'return' }), {
			items,
			credential: { timeout },
		});
	service.addFault(
		{ kind: 'status', status: 500 },
		`GET /bulkImportJobs/${service.jobs()[1]?.id}`,
		{ count: 100 },
	);
	const during = await check(1);
	expect(during.outputs[0]?.map(({ json }) => json.hasEnded)).toEqual([true, false]);
	expect(during.outputs[0]?.[1]?.json.jobStatus).toMatch(/^not readable: /);
	service.sandbox.control.clearFaults();
	const after = await check(60);
	expect(after.outputs[0]).toHaveLength(6);
});

describe('rows that cannot be those of the jobs are rejected', () => {
	it.each<[string, (rows: IDataObject[]) => IDataObject[], RegExp]>([
		['fewer', (rows) => rows.slice(1), /^Rows: There are 5, but the import had 6/],
		['more', (rows) => [...rows, {}], /^Rows: There are 7, but the import had 6/],
		['another order', (rows) => [...rows].reverse(), /^Rows: Rows 1–3 do not have the values/],
		[
			'another value',
			(rows) => rows.map((row, i) => (i === 4 ? { ...row, Mail: 'other@example.org' } : row)),
			/^Rows: Rows 4–6 do not have the values that were imported with job \d+/,
		],
	])('%s', async (_, change, message) => {
		const rows = validPeople(6);
		const startedJobs = asExpression(await importRows(rows));
		const run = await service.run(node, read({ startedJobs }), { items: itemsOf(change(rows)) });
		expect(run.error?.message).toMatch(message);
	});

	it('unless the user says that only other columns changed', async () => {
		const rows = validPeople(3);
		const startedJobs = asExpression(await importRows(rows));
		const marked = itemsOf(rows.map((row) => ({ ...row, state: 'started' })));
		const run = await service.run(node, read({ startedJobs }, { checkRows: false }), {
			items: marked,
		});
		expect(run.outputs[0]).toHaveLength(3);
	});

	it('jobs of several imports, or not all of one', async () => {
		const rows = validPeople(6);
		const first = await importRows(rows);
		const second = await importRows(rows);
		const error = async (list: unknown) => {
			const parameters = read({ startedJobs: asExpression(list) });
			return (await service.run(node, parameters, { items: itemsOf(rows) })).error?.message;
		};
		expect(await error([...first, ...second])).toMatch(
			/^Started Jobs: There are jobs of 2 imports/,
		);
		expect(await error(first.slice(1))).toMatch(
			/^Started Jobs: 1 of 2 files of the import are missing/,
		);
		expect(await error('x-y')).toMatch(/^Started Jobs: "x-y" is neither a job ID/);
	});
});

test('one loop over the jobs of three imports, filtered by run, does not mix them', async () => {
	const imports = await Promise.all(
		[4, 7, 5].map(async (count, index) => {
			const rows = validPeople(count).map((row) => ({ ...row, list: `list ${index}` }));
			return { rows, started: await importRows(rows) };
		}),
	);
	const all = imports
		.flatMap(({ started }) => started)
		.sort((a, b) => Number(b.fileNumber) - Number(a.fileNumber));
	for (const { rows, started } of imports) {
		const list = asExpression(all);
		const ofOne = list.replace(
			/ }}$/,
			`.filter(({ run }) => run === '${String(started[0]?.run)}') }}`,
		);
		const run = await service.run(node, read({ startedJobs: ofOne }), { items: itemsOf(rows) });
		expect(run.outputs[0]?.map(({ json }) => json.list)).toEqual(rows.map(({ list }) => list));
		expect(run.outputs[0]?.every(({ json }) => json.status === 'imported')).toBe(true);
	}
});

test('a row with the columns of a started file, beside the files, is a row', async () => {
	const rows = validPeople(3);
	const files = await importRows(rows);
	const importResult = { status: 'invalid', jobId: null, outcomes: {} };
	const startedJobs = asExpression([...files, { run: 'spring', fileNumber: 7, importResult }]);
	const { error, outputs } = await service.run(node, read({ startedJobs }), {
		items: itemsOf(rows),
	});
	expect(error).toBeUndefined();
	expect(outputs[0]?.map(({ json }) => json.status)).toEqual(rows.map(() => 'imported'));
});

test('60 jobs of one import give every row one outcome', async () => {
	service.addJobFault({ kind: 'results', files: 2, shuffle: 5, omitRows: [3] }, { count: 60 });
	const rows = validPeople(180);
	const files = await importRows(rows);
	expect(files).toHaveLength(60);
	// In any order: 77 has no factor in common with 60.
	const shuffled = files.map((_, index) => files[(index * 77) % 60]);
	const run = await service.run(node, read({ startedJobs: asExpression(shuffled) }), {
		items: itemsOf(rows),
	});
	expect(run.outputs[0]).toHaveLength(180);
	const statuses = statusesOf(run.outputs[0]);
	expect(statuses).toEqual(rows.map((_, i) => (i % 3 === 2 ? 'missing' : 'imported')));
});

describe('after a failure', () => {
	it('the error and the log hold what reading needs', async () => {
		service.addJobFault({ kind: 'neverEnds' });
		const log = jest.spyOn(nodeLog(), 'info');
		const rows = validPeople(3);
		const run = await service.run(
			node,
			start({ waitForOutcome: 'memory', maxWait: 0.02, maxRowsPerFile: 0 }),
			{ items: itemsOf(rows) },
		);
		const reference =
			/run "Get Item Outcomes" with the same rows and Started Jobs set to (\S+)\.$/.exec(
				run.error?.description ?? '',
			)?.[1];
		expect(reference).toMatch(new RegExp(`^${service.jobs()[0]?.id}:\\w{6}:1-3:[0-9a-f]{8}$`));
		expect(log.mock.calls.map(([message]) => message).join('\n')).toContain(
			`Import job ${reference} started`,
		);
	});

	it.each(['reference', 'ID'])('a job known by its %s alone is joined', async (kind) => {
		service.change({ styles: { jobDescriptions: true } });
		const rows = validPeople(6);
		const started = await importRows(rows);
		const startedJobs = started
			.map((file) => (kind === 'ID' ? file.jobId : referenceOf(file)))
			.join(', ');
		const run = await service.run(node, read({ startedJobs }), { items: itemsOf(rows) });
		expect(statusesOf(run.outputs[0])).toEqual(rows.map(() => 'imported'));
		const wrong = await service.run(node, read({ startedJobs }), {
			items: itemsOf([...rows].reverse()),
		});
		expect(wrong.error?.message).toMatch(/do not have the values/);
	});

	it('the error of a job known by its ID alone names what can be entered', async () => {
		const rows = validPeople(3);
		service.addJobFault({ kind: 'results', files: 0 });
		const [file] = await importRows(rows);
		const jobId = String(file?.jobId);
		const { error } = await service.run(node, read({ startedJobs: jobId }), {
			items: itemsOf(rows),
		});
		expect(error?.description).toMatch(new RegExp(` Started Jobs set to ${jobId}\\.$`));
	});

	it('a job that is named twice is one job', async () => {
		const rows = validPeople(3);
		const [file] = await importRows(rows);
		const startedJobs = `${String(file?.jobId)}, ${referenceOf(file)}`;
		const run = await service.run(node, read({ startedJobs }), { items: itemsOf(rows) });
		expect(run.hints[0]?.message).toBe(`3 items: 3 imported; import job ${String(file?.jobId)}`);
	});

	it('a row with a column called json does not hide the jobs beside it', async () => {
		const rows = validPeople(2);
		const started = [...(await importRows(rows)), { json: 'x', status: 'invalid' }];
		const run = await service.run(node, read({ startedJobs: asExpression(started) }), {
			items: itemsOf(rows),
		});
		expect(statusesOf(run.outputs[0])).toEqual(['imported', 'imported']);
	});

	it.each(['x', 7, null, ['x']])('plain rows can have a column called json: %j', async (json) => {
		const rows = validPeople(2).map((row) => ({ ...row, json }));
		const started = asExpression(await importRows(rows));
		const given = { source: 'expression', startedJobs: started, rows: asExpression(rows) };
		const run = await service.run(node, read(given));
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]).toMatchObject(rows.map((row) => ({ json: row })));
		expect(statusesOf(run.outputs[0])).toEqual(['imported', 'imported']);
	});

	it('rows that are in none of the given jobs are unknown', async () => {
		const rows = validPeople(9);
		const started = await importRows(rows);
		const startedJobs = referenceOf(started[1]);
		const run = await service.run(node, read({ startedJobs }), { items: itemsOf(rows) });
		const results = run.outputs[0]?.map(({ json }) => json.importResult as IDataObject);
		expect(results?.map(({ status }) => status)).toEqual(
			rows.map((_, i) => (i >= 3 && i < 6 ? 'imported' : 'unknown')),
		);
		expect(results?.[8]?.reason).toBe('Rows 7–9 are in none of the given jobs');
	});
});
