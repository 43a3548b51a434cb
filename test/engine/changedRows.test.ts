import { stringify } from 'csv-stringify/sync';
import { type IDataObject, type INodeParameters, sleep } from 'n8n-workflow';

import { fromList } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { type NodeRun, readBinary } from './support/engine';
import {
	fileOf,
	inputOf,
	itemImport,
	messagesOf,
	people as peopleRows,
	personMap,
	property,
	statusesOf,
	totalsOf,
} from './support/itemImports';
import { PausedJobs } from './support/pausedJobs';
import { OTHER_KEY } from '../support/runningSandbox';
import { useProcessedData } from './support/processedData';
import { useSandbox } from './support/sandboxed';

/** A nightly import sends what has changed, and never takes a row in doubt for an imported one. */

const service = useSandbox();
const processed = useProcessedData();
const node = new NativeBulkImport();

const people = (count: number, changes: Record<number, IDataObject> = {}): IDataObject[] =>
	peopleRows(count, changes).map((row, i) => ({ ID: `M-${i}`, ...row }));
const changed = { 1: { 'First Name': 'Ann' }, 4: { Mail: 'new@example.org' } };

const nightly = (
	options: INodeParameters = {},
	changes: INodeParameters = {},
	map: Record<string, string> = personMap,
) =>
	itemImport(service, map, {
		options: { pollInterval: 0.05, skipUnchangedBy: 'ID', ...options },
		...changes,
	});

async function run(
	rows: IDataObject[],
	parameters: INodeParameters = nightly(),
	setup: Parameters<typeof service.run>[2] = {},
): Promise<NodeRun> {
	const items = await inputOf(rows, parameters.source);
	return await service.run(node, parameters, { items, ...setup });
}

/** The sentence above the output, or of the summary. */
const sentence = ({ hints, outputs, error }: NodeRun): unknown =>
	error?.message ?? hints[0]?.message ?? outputs[0]?.[0]?.json.reason;
const statuses = ({ outputs }: NodeRun) => statusesOf(outputs[0]);
/** The counts of a dry run: all rows, those that are unchanged, and those that are new or changed. */
const dryCounts = (run: NodeRun): unknown[] => {
	const { rows, unchanged, newOrChanged } = totalsOf(run);
	return [rows, unchanged, newOrChanged];
};
const jobCount = () => service.jobs().length;

describe.each(['items', 'binary'])('with rows of %s', (source) => {
	it('sends only what is new or changed, and starts no job without it', async () => {
		const list = nightly({}, { source });
		expect(sentence(await run(people(6), list))).toMatch(/^6 \w+: 6 imported; import job \d+$/);
		const second = await run(people(7, changed), list);
		expect(sentence(second)).toMatch(/^7 \w+: 3 imported, 4 unchanged and not sent; import job/);
		expect(sentence(await run(people(7, changed), list))).toMatch(
			/^7 \w+: 7 unchanged and not sent; no import job/,
		);
		expect(jobCount()).toBe(2);
		// A value that was there before is a change, too.
		expect(sentence(await run(people(7), list))).toMatch(/^7 \w+: 2 imported, 5 unchanged/);
	});

	it('counts in a dry run, and changes nothing', async () => {
		await run(people(6), nightly({}, { source }));
		for (let time = 0; time < 2; time++) {
			const dry = await run(people(7, changed), nightly({ dryRun: true }, { source }));
			expect(dryCounts(dry)).toEqual([7, 4, 3]);
		}
		expect(statuses(await run(people(7, changed), nightly({}, { source: 'items' })))).toEqual([
			...['unchanged', 'imported', 'unchanged', 'unchanged', 'imported', 'unchanged'],
			'imported',
		]);
	});
});

it('knows the rows of a file whatever separates and quotes its values', async () => {
	const values = (row: IDataObject) => Object.values(row).map(String);
	const rows = people(3, { 1: { 'First Name': 'Ann, "Annie" | Jo' } });
	const lists = [',', ';', '|', '\t'].map((delimiter) =>
		stringify([Object.keys(rows[0] ?? {}), ...rows.map(values)], {
			delimiter,
			quoted: delimiter === ';',
		}),
	);
	const parameters = nightly({ outputRows: 'all', cleanValues: false }, { source: 'binary' });
	const found: unknown[] = [];
	for (const text of lists) {
		const run = await service.run(node, parameters, { items: [await fileOf(text)] });
		found.push(statuses(run)?.slice(1));
	}
	const [first, ...others] = found;
	expect(first).toEqual(Array(3).fill('imported'));
	expect(others).toEqual(Array(3).fill(Array(3).fill('unchanged')));
});

it('knows a row that changes every night', async () => {
	const nights = [0, 1, 2, 3, 4, 5].map((night) =>
		people(2, { 1: { 'First Name': `Night${night}` } }),
	);
	const imported: unknown[] = [];
	for (const rows of nights) {
		imported.push(statuses(await run(rows)));
		expect(statuses(await run(rows))).toEqual(['unchanged', 'unchanged']);
	}
	const each = ['unchanged', 'imported'];
	expect(imported).toEqual([['imported', 'imported'], ...Array(5).fill(each)]);
	// Rows of an earlier night.
	for (const rows of [nights[2] ?? [], nights[4] ?? []])
		expect(statuses(await run(rows))).toEqual(each);
});

it('looks up nobody in a dry run whose row has not changed', async () => {
	await run(people(6));
	const parameters = nightly({ dryRun: true, lookUpMatches: 'all' });
	const { outputs } = await run(people(7, changed), parameters);
	const looked = service.calls().filter(({ path }) => path.endsWith('/people/find'));
	expect(looked).toHaveLength(3);
	expect(JSON.stringify(outputs[0])).toContain('"lookedUp":3');
});

it('says of each row that it was not sent', async () => {
	await run(people(2));
	const { outputs } = await run(people(2));
	expect(outputs[0]?.[1]?.json).toMatchObject({
		status: 'unchanged',
		reason: 'Imported before with the same values and fields; not sent again.',
		primaryKey: null,
		ID: 'M-1',
		importResult: { status: 'unchanged', jobId: null },
	});
	const withErrors = await run(people(2), nightly(), { onError: 'continueErrorOutput' });
	expect(withErrors.outputs.map((output) => output.length)).toEqual([2, 0]);
});

it('sends rows again that were rejected, failed or could not be written', async () => {
	const rows = people(4, { 1: { Mail: 'no..one@example.org' }, 2: { Mail: { a: 1 } } });
	const options = { onError: 'continueRegularOutput' } as const;
	const first = await run(rows, nightly(), options);
	expect(statuses(first)).toEqual(['imported', 'failed', 'invalid', 'imported']);
	const second = await run(rows, nightly(), options);
	expect(statuses(second)).toEqual([...['unchanged', 'failed', 'invalid', 'unchanged']]);
});

it.each(['items', 'binary'])('sends no row of %s with nothing but its key', async (source) => {
	const blank = { 'First Name': '', 'Last Name': '', Mail: '' };
	const { outputs } = await run(
		people(3, { 1: blank }),
		nightly({ outputRows: 'all' }, { source }),
		{
			onError: 'continueRegularOutput',
		},
	);
	expect(statuses({ outputs } as NodeRun)?.filter((status) => status !== 'summary')).toEqual([
		'imported',
		'invalid',
		'imported',
	]);
	expect(JSON.stringify(outputs)).toContain('Row has no value in any column that is imported');
});

const gifts = () =>
	nightly(
		{},
		{
			resourceType: fromList('Contributions'),
			mappingTypes: ['ContributionAdjustments', 'EditContributionDataContacts'],
		},
		{
			recordId: property('ID'),
			'ContributionAdjustments:AdjustmentAmount': property('Amount'),
			'EditContributionDataContacts:DepositNumber': property('Batch'),
		},
	);
/** A part of the first row is stored, and nothing of the last one. */
const giftRows = [
	{ ID: 3001, Amount: '', Batch: 'A' },
	{ ID: 3002, Amount: '1', Batch: 'A' },
	{ ID: 999, Amount: '1', Batch: 'A' },
];
const adviceOf = ({ outputs }: NodeRun) =>
	outputs[1]?.map(({ json }) => (json.error as IDataObject).description);
const CORRECT = expect.stringContaining('Correct the item and import it again') as string;

it('advises nobody to import a contribution again of which a part was stored', async () => {
	// This acts as a service that returns no record ID.
	service.addFault({ kind: 'replaced', texts: { '3001,ContributionID': ',' } }, 'GET /results');
	const first = await run(giftRows, gifts(), { onError: 'continueErrorOutput' });
	expect(adviceOf(first)).toEqual([
		expect.stringMatching(/Do not import the item again: the stored part could be stored twice\.$/),
		CORRECT,
	]);
	const { reason } = (first.outputs[1]?.[0]?.json.error as IDataObject).importResult as IDataObject;
	expect(reason).toMatch(/The rest of this item was stored\.$/);
});

it('sends a contribution once of which a part was stored', async () => {
	const rows = giftRows;
	expect(statuses(await run(rows, gifts()))).toEqual(['failed', 'imported', 'failed']);
	expect(statuses(await run(rows, gifts()))).toEqual(['failed', 'unchanged', 'failed']);
	// The reason of a row that is left out says what to do.
	const again = await run(rows, gifts(), { onError: 'continueErrorOutput' });
	expect(adviceOf(again)?.[0]).toBe('');
});

describe('takes every row for a changed one', () => {
	const others: Array<[string, () => INodeParameters, object]> = [
		[
			'with one field more',
			() =>
				nightly(
					{},
					{},
					{ ...personMap, 'CreateOrUpdateContact:MiddleName': property('First Name') },
				),
			{},
		],
		[
			'with a fixed value',
			() => nightly({}, {}, { ...personMap, 'CreateOrUpdateContact:City': 'Nome' }),
			{},
		],
		['with another row key', () => nightly({ skipUnchangedBy: 'Mail' }), {}],
		['for another key of the service', () => nightly(), { credential: { apiKey: OTHER_KEY } }],
	];
	it.each(others)('%s', async (_, parameters, setup) => {
		await run(people(3));
		const { hints } = await run(people(3), parameters(), setup);
		expect(hints.map(({ message }) => message).join('\n')).toMatch(/^3 items: 3 imported/m);
	});
	it.each(others)('%s, but forgets none in a dry run', async (_, parameters, setup) => {
		await run(people(3));
		const dry = { ...parameters(), whatShouldHappen: 'show' };
		expect(dryCounts(await run(people(3), dry, setup))).toEqual([3, 0, 3]);
		expect(sentence(await run(people(3)))).toMatch(/^3 items: 3 unchanged/);
	});
});

it('takes no row for a changed one because of the order of rows, columns and fields', async () => {
	await run(people(3));
	const turned = people(3)
		.reverse()
		.map((row) => Object.fromEntries(Object.entries(row).reverse()));
	const map = Object.fromEntries(Object.entries(personMap).reverse());
	expect(sentence(await run(turned, nightly({}, {}, map)))).toMatch(/^3 items: 3 unchanged/);
});

it('takes the column from an expression, also one that reads it', async () => {
	await run(people(2));
	for (const skipUnchangedBy of ['={{ $json.ID }}', '={{ "I" + "D" }}'])
		expect(sentence(await run(people(2), nightly({ skipUnchangedBy })))).toMatch(
			/^2 items: 2 unchanged/,
		);
});

describe('with a wait in the database', () => {
	const jobs = new PausedJobs();
	const slow = useSandbox({ jobTiming: jobs.jobTiming });
	let stored: string[] = [];
	const night = async (
		rows: IDataObject[],
		options: INodeParameters = {},
		meanwhile?: () => Promise<unknown>,
	) => {
		const given = { waitForOutcome: 'database', skipUnchangedBy: 'ID', pollInterval: 0.05 };
		const list = itemImport(slow, personMap, { options: { ...given, ...options } });
		jobs.hold();
		return await slow.run(node, list, {
			items: rows.map((json) => ({ json })),
			whileSleeping: async (_until, { executionData }) => {
				const stack = executionData?.nodeExecutionStack ?? [];
				stored.push(JSON.stringify(stack.map(({ metadata }) => metadata)));
				await meanwhile?.();
				meanwhile = undefined;
				jobs.release();
				await slow.settle();
				jobs.hold();
			},
		});
	};
	beforeEach(() => {
		stored = [];
	});

	it('remembers the rows by a state that holds none of them', async () => {
		expect(sentence(await night(people(6)))).toMatch(/^6 items: 6 imported/);
		expect(sentence(await night(people(7, changed)))).toMatch(/3 imported, 4 unchanged/);
		expect(stored.length).toBeGreaterThan(1);
		expect(stored.join()).toContain('"sent":"1:');
		expect(stored.join()).not.toMatch(/example\.org|M-\d/);
		expect(sentence(await night(people(7, changed)))).toMatch(/7 unchanged/);
	});

	it('takes no row for unchanged that a later run has changed', async () => {
		const first = await night(people(6), {}, async () => {
			expect(sentence(await night(people(6, changed)))).toMatch(/^6 items: 2 imported, 4 unknown/);
		});
		expect(messagesOf(first)).toContain(
			'Meanwhile, another run of this node sent 2 rows with other values',
		);
		expect(sentence(await night(people(6)))).toMatch(/^6 items: 2 imported, 4 unchanged/);
	});

	it.each([[[]], [people(9).slice(3)]])(
		'remembers what a run imported of the rows of a failed one that still waits',
		async (others: IDataObject[]) => {
			slow.change({ styles: { jobDescriptions: true } });
			if (others.length > 0) await night(others);
			const end = slow.addJobFault({ kind: 'fail', text: 'No.' });
			let second: NodeRun | undefined;
			const first = await night(people(3), {}, async () => {
				jobs.release();
				await slow.settle();
				end();
				second = await night(people(3));
			});
			expect(second && sentence(second)).toMatch(/^3 items: 3 imported/);
			expect(first.error?.message ?? sentence(first)).toMatch(/No\./);
			expect(sentence(await night(people(3)))).toMatch(/^3 items: 3 unchanged/);
			if (others.length > 0) expect(sentence(await night(others))).toMatch(/^6 items: 6 unchanged/);
		},
	);

	it('tries a few of the changed rows first', async () => {
		await night(people(6));
		stored = [];
		expect(sentence(await night(people(7, changed), { tryFirst: 1 }))).toMatch(
			/^7 items: 3 imported, 4 unchanged and not sent; import jobs \d+, \d+$/,
		);
		expect(stored.length).toBeGreaterThan(1);
		expect(sentence(await night(people(7, changed)))).toMatch(/7 unchanged/);
	});
});

it('gives every row an outcome if the only changed one is invalid', async () => {
	await run(people(3));
	const rows = people(3, { 1: { Mail: { a: 1 } } });
	const second = await run(rows, nightly(), { onError: 'continueRegularOutput' });
	expect(statuses(second)).toEqual(['unchanged', 'invalid', 'unchanged']);
	expect(jobCount()).toBe(1);
});

it('sends no row that was invalid when all rows were seen', async () => {
	await run(people(3));
	const rows = people(4);
	// It can be written once the rows are compared.
	let isCompared = false;
	const { checkProcessedAndRecord } = processed();
	const compare = jest.spyOn(processed(), 'checkProcessedAndRecord');
	compare.mockImplementation(async (...given) => {
		isCompared = true;
		return await checkProcessedAndRecord(...given);
	});
	Object.defineProperty(rows[3], 'Mail', {
		enumerable: true,
		get: () => (isCompared ? 'late@example.org' : { a: 1 }),
	});
	const { outputs } = await run(rows, nightly(), { onError: 'continueRegularOutput' });
	compare.mockRestore();
	expect(statusesOf(outputs[0])).toEqual([...Array(3).fill('unchanged'), 'invalid']);
	expect(service.people().filter(({ fields }) => fields.firstName === 'First3')).toEqual([]);
});

it('leaves out duplicates first', async () => {
	const rows = [...people(3), { ...people(1)[0], ID: 'M-9' }];
	const list = nightly({ duplicates: 'first' });
	expect(statuses(await run(rows, list))).toEqual([...Array(3).fill('imported'), 'duplicate']);
	expect(statuses(await run(rows, list))).toEqual([...Array(3).fill('unchanged'), 'duplicate']);
});

it('does not stop because the rows that changed lack a record ID that others have', async () => {
	const map = { ...personMap, 'CreateOrUpdateContact:NativeID': property('Record') };
	const withIds = (rows: IDataObject[]) =>
		rows.map((row, i) => ({ ...row, Record: i === 2 ? '' : String(1001 + i) }));
	await run(withIds(people(3)), nightly({}, {}, map));
	const second = await run(
		withIds(people(3, { 2: { 'First Name': 'Ann' } })),
		nightly({}, {}, map),
	);
	expect(second.error).toBeUndefined();
	expect(jobCount()).toBe(2);
});

it('shows unchanged rows in the report and summary, and not as rejected', async () => {
	const list = nightly({ report: true, rejectedRows: true }, { source: 'binary' });
	await run(people(3), list);
	const second = await run(people(3, { 1: { Mail: 'no..one@example.org' } }), list);
	const summary = second.outputs[0]?.[0];
	expect(summary?.json.importSummary).toMatchObject({ rows: 3, failed: 1, unchanged: 2 });
	expect(second.outputs[0]).toHaveLength(2);
	expect((await readBinary(summary, 'report')).toString()).toContain('Unchanged, not sent 2');
	const rejected = Object.keys(summary?.binary ?? {}).find((name) => name !== 'report') ?? '';
	expect((await readBinary(summary, rejected)).toString().trim().split('\n')).toHaveLength(2);
});

it('forgets no row that a list leaves out, such as one of corrected rows', async () => {
	await run(people(9));
	expect(sentence(await run(people(2, changed)))).toMatch(/^2 items: 1 imported, 1 unchanged/);
	expect(sentence(await run(people(9)))).toMatch(/^9 items: 1 imported, 8 unchanged/);
});

it.each([
	['other rows', people(9).slice(3)],
	['other values', people(9, changed)],
	['fewer rows', people(1)],
])('forgets nothing because of a dry run of a list with %s', async (_, rows) => {
	await run(people(9));
	const options = { dryRun: true };
	expect((await run(rows, nightly(options))).error).toBeUndefined();
	expect(sentence(await run(people(9)))).toMatch(/^9 items: 9 unchanged/);
});

it('says that a dry run did not compare very many rows that are new or changed', async () => {
	await run(people(3));
	const many = people(5001).map((row) => ({ ...row, 'First Name': 'Ann' }));
	const dry = await run(many, nightly({ dryRun: true }));
	expect(messagesOf(dry)).toContain('more than 5,000 of them are new or changed');
	expect(dryCounts(dry)).toEqual([5001, 0, 5001]);
	expect(dryCounts(await run(many.slice(1), nightly({ dryRun: true })))).toEqual([5000, 0, 5000]);
	expect(sentence(await run(people(3)))).toMatch(/^3 items: 3 unchanged/);
});

it('forgets nothing because of an empty list', async () => {
	const list = nightly({}, { source: 'binary' });
	await run(people(3), list);
	const items = [await fileOf('ID,First Name,Last Name,Mail\n')];
	const empty = await service.run(node, list, { items });
	expect(empty.hints.map(({ message }) => message)).toEqual([expect.stringMatching(/no rows/)]);
	expect(sentence(await run(people(3), list))).toMatch(/^3 rows: 3 unchanged/);
});

it('says that rows may be unchanged of which only the job is known', async () => {
	service.change({ styles: { jobDescriptions: true } });
	await run(people(6));
	await run(people(7, changed));
	const startedJobs = String(service.jobs().at(-1)?.id);
	const read = { resource: 'job', operation: 'getItemOutcomes', startedJobs };
	const { outputs } = await run(people(7, changed), read);
	expect(outputs[0]?.[1]?.json.status).toBe('imported');
	expect(outputs[0]?.[0]?.json.reason).toContain('or because it has not changed.');
});

it('remembers after the outcome of a later run that continued the jobs of a Run Key', async () => {
	service.change({ styles: { jobDescriptions: true } });
	const key = { runKey: 'week 47' };
	await run(people(3), nightly(key));
	processed().clear();
	expect(sentence(await run(people(3), nightly(key)))).toMatch(/3 imported.*continued/);
	expect(sentence(await run(people(3), nightly(key)))).toMatch(/3 unchanged/);
	const { error } = await run(people(3, changed), nightly(key));
	expect(error?.message).toContain(
		'the list was imported under this key already, and 1 row is new or changed. Use a key with the date',
	);
	expect(jobCount()).toBe(1);
});

it('asks for the job that it continued under a Run Key', async () => {
	service.change({ styles: { jobDescriptions: true } });
	const key = { runKey: 'week 47' };
	await run(people(3), nightly(key));
	// This acts as a copy of the node.
	processed().clear();
	const options = { onError: 'continueRegularOutput' } as const;
	const end = service.addFault({ kind: 'status', status: 404 }, 'GET /results', { count: 50 });
	expect(statuses(await run(people(3), nightly(key), options))).toEqual(Array(3).fill('unknown'));
	end();
	expect(statuses(await run(people(3)))).toEqual(Array(3).fill('unchanged'));
	expect(jobCount()).toBe(1);
});

it('sends no row of which another run is about to start the job', async () => {
	service.change({ styles: { jobDescriptions: true } });
	service.addFault({ kind: 'latency', ms: 1500 }, 'POST /bulkImportJobs');
	const first = run(people(3));
	const isPosting = () =>
		service.sandbox.requests.some(
			({ method, path }) => method === 'POST' && path.endsWith('/bulkImportJobs'),
		);
	while (!isPosting()) await sleep(10);
	const options = { onError: 'continueRegularOutput' } as const;
	const second = await run(people(3), nightly(), options);
	expect(statuses(await first)).toEqual(Array(3).fill('imported'));
	expect(statuses(second)).not.toContain('imported');
	expect(jobCount()).toBe(1);
});

it('reads the outcome of a job that it continues, although n8n cannot remember its rows', async () => {
	service.change({ styles: { jobDescriptions: true } });
	const key = { runKey: 'week 47' };
	await run(people(3), itemImport(service, personMap, { options: { pollInterval: 0.05, ...key } }));
	const { checkProcessedAndRecord } = processed();
	const claims = jest.spyOn(processed(), 'checkProcessedAndRecord');
	claims.mockImplementation(async (texts, ...more) => {
		if (String(texts[0]).startsWith('run ')) throw new Error('The database is away.');
		return await checkProcessedAndRecord(texts, ...more);
	});
	const options = { onError: 'continueRegularOutput' } as const;
	const continued = await run(people(3), nightly(key), options);
	claims.mockRestore();
	expect(statuses(continued)).toEqual(Array(3).fill('imported'));
	expect(messagesOf(continued)).not.toContain('Another run');
	expect(sentence(await run(people(3)))).toMatch(/^3 items: 3 unchanged/);
	expect(jobCount()).toBe(1);
});

it('says why the service refused a file, also if n8n cannot forget its rows', async () => {
	await run(people(3));
	service.addFault({ kind: 'status', status: 400 }, 'POST /bulkImportJobs');
	const { removeProcessed } = processed();
	const forgets = jest.spyOn(processed(), 'removeProcessed');
	forgets.mockImplementation(async (texts, ...more) => {
		if (service.starts().length > 1) throw new Error('The database is away.');
		await removeProcessed(texts, ...more);
	});
	const refused = await run(people(3, changed));
	forgets.mockRestore();
	expect(JSON.stringify(refused.outputs)).toContain('The service rejected POST /bulkImportJobs');
});

describe('changes nothing of what it remembers', () => {
	const refusals: Array<[string, () => unknown, INodeParameters, INodeParameters]> = [
		['a refused key', () => service.addFault({ kind: 'status', status: 403 }, 'POST'), {}, {}],
		['a refused upload', () => service.addFault({ kind: 'status', status: 403 }, 'PUT'), {}, {}],
		['a refused Run Key', () => undefined, { runKey: 'week 47' }, {}],
	];
	it.each(refusals)('because of %s', async (_, prepare, options, changes) => {
		await run(people(3));
		prepare();
		const refused = await run(people(3, changed), nightly(options, changes));
		expect(sentence(refused)).toMatch(
			/not sent|Nothing was sent|cannot be set to Continue Its Jobs/,
		);
		expect(sentence(await run(people(3)))).toMatch(/^3 items: 3 unchanged/);
		expect(sentence(await run(people(3, changed)))).toMatch(/^3 items: 1 imported, 2 unchanged/);
	});

	it('because of a value that cannot be written', async () => {
		await run(people(3));
		const parameters = nightly({ ifInvalid: 'stop' });
		const refused = await run(people(3, { 1: { Mail: { a: 1 } } }), parameters);
		expect(refused.error).toBeDefined();
		expect(sentence(await run(people(3)))).toMatch(/^3 items: 3 unchanged/);
	});
});

describe('a row whose outcome is unknown', () => {
	it.each([true, false])('is not sent again, with a list of jobs: %s', async (jobDescriptions) => {
		service.change({ styles: { jobDescriptions } });
		service.addFault({ kind: 'resetAfter' }, 'POST /bulkImportJobs');
		const options = { onError: 'continueRegularOutput' } as const;
		await run(people(2), nightly(), options);
		await service.settle();
		const second = await run(people(2), nightly(), options);
		const status = jobDescriptions ? 'unchanged' : 'unknown';
		expect(statuses(second)).toEqual([status, status]);
		expect(jobCount()).toBe(1);
		if (!jobDescriptions)
			expect(second.outputs[0]?.[0]?.json.reason).toContain(
				'the service does not list its jobs with their descriptions. Check in the service',
			);
	});

	it('is unchanged at once if it has its old values again and the job in doubt was none', async () => {
		service.change({ styles: { jobDescriptions: true } });
		await run(people(2));
		// The request was lost: the service knows no job.
		service.addFault({ kind: 'resetBefore' }, 'POST /bulkImportJobs');
		const options = { onError: 'continueRegularOutput' } as const;
		const second = await run(people(2, { 1: { 'First Name': 'Ann' } }), nightly(), options);
		expect(statuses(second)).toEqual(['unchanged', 'unknown']);
		for (let time = 0; time < 2; time++)
			expect(statuses(await run(people(2)))).toEqual(['unchanged', 'unchanged']);
		expect(jobCount()).toBe(1);
	});

	it('is not sent again if the results do not mention it, unless it changes', async () => {
		service.change({ styles: { jobDescriptions: true } });
		service.addJobFault({ kind: 'results', omitRows: [1] });
		expect(statuses(await run(people(2)))).toEqual(['missing', 'imported']);
		expect(statuses(await run(people(2)))).toEqual(['unknown', 'unchanged']);
		const corrected = people(2, { 0: { 'First Name': 'Ann' } });
		expect(statuses(await run(corrected))).toEqual(['imported', 'unchanged']);
	});

	it.each([
		['do not mention it', () => service.addJobFault({ kind: 'results', omitRows: [1] })],
		[
			'cannot be read',
			() => {
				const job = 'GET /bulkImportJobs/90002';
				service.addFault({ kind: 'status', status: 403 }, job, { count: 50 });
			},
		],
	])('is not sent again after a rejection, if its later results %s', async (_, addTrouble) => {
		service.change({ styles: { jobDescriptions: true } });
		const options = { onError: 'continueRegularOutput' } as const;
		const rejected = people(2, { 0: { Mail: 'no..one@example.org' } });
		// Because of another row, the outcome of this run is asked for later, too.
		service.addJobFault({ kind: 'results', omitRows: [2] });
		expect(statuses(await run(rejected, nightly(), options))).toEqual(['failed', 'missing']);
		addTrouble();
		await run(people(2), nightly({ maxWait: 0.05 }), options);
		await service.settle();
		expect(statuses(await run(people(2), nightly(), options))).toEqual(['unknown', 'unknown']);
		expect(jobCount()).toBe(2);
	});
});

describe('refuses before any call', () => {
	const rejections: Array<[string, IDataObject[], INodeParameters, string]> = [
		['a blank column', people(2), { skipUnchangedBy: ' ' }, 'is empty. Enter the column'],
		[
			'an unknown column',
			people(2),
			{ skipUnchangedBy: 'Id no' },
			': "Id no" is not a column of the items.',
		],
		[
			'a computed column',
			people(2),
			{ skipUnchangedBy: '={{ $json.ID + "!" }}' },
			'The expression must be a column, e.g. {{ $json.ID }}: a computed value cannot identify the rows.',
		],
		['a blank value', people(3, { 1: { ID: ' ' } }), {}, 'is blank in item 2.'],
		[
			'a repeated value',
			people(3, { 2: { ID: 'M-0' } }),
			{},
			': "M-0" is in item 1 and in item 3.',
		],
		['no wait', people(2), { waitForOutcome: 'none' }, 'needs the outcome of the rows.'],
	];
	it.each(rejections)('%s', async (_, rows, options, text) => {
		const { error } = await run(rows, nightly(options));
		expect(error?.message).toContain('Skip Rows Imported Before');
		expect(error?.message).toContain(text);
		expect(service.calls().filter(({ method }) => method === 'POST')).toEqual([]);
		expect(processed().writes).toBe(0);
	});

	it('a file that the user uploads', async () => {
		const { error } = await run(people(2), nightly({}, { hosting: 'none' }));
		expect(error?.message).toContain('needs the outcome of the rows. ');
	});

	it('an unsaved workflow', async () => {
		const { error } = await run(people(2), nightly(), { workflowId: '' });
		expect(error?.message).toContain('needs a saved workflow');
	});
});
