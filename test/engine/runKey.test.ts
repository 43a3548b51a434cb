import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { type NodeRun, readBinary } from './support/engine';
import {
	inputOf,
	itemImport,
	itemsOf,
	people,
	personMap,
	property,
	statusesOf,
	totalsOf,
	whyStopped,
} from './support/itemImports';
import { useSandbox } from './support/sandboxed';

/** A Run Key continues jobs, so it must recognise each by all that its job does. */

const service = useSandbox();
beforeEach(() => {
	service.change({ styles: { jobDescriptions: true } });
});

const node = new NativeBulkImport();
const jobIds = () => service.jobs().map(({ id }) => id);
const start = (
	options: INodeParameters = {},
	changes: INodeParameters = {},
	map: Record<string, string> = personMap,
) =>
	itemImport(service, map, {
		options: {
			pollInterval: 0.05,
			maxRowsPerFile: 3,
			waitForOutcome: 'none',
			runKey: 'week 47',
			...options,
		},
		...changes,
	});
const run = async (
	rows: IDataObject[],
	parameters: INodeParameters = start(),
	onError: 'stopWorkflow' | 'continueRegularOutput' = 'stopWorkflow',
): Promise<NodeRun> => {
	const items = await inputOf(rows, parameters.source);
	return await service.run(node, parameters, { items, onError });
};
const startedOf = ({ outputs }: NodeRun) =>
	(outputs[0] ?? []).map(({ json }) => json).filter(({ fileNumber }) => fileNumber !== undefined);
/** Loses the start of the second file. */
const loseSecondStart = () =>
	service.addFault({ kind: 'status', status: 400 }, 'POST /bulkImportJobs', { skip: 1 });

it.each(['items', 'binary'])(
	'continues the jobs that were started, and says which: %s',
	async (source) => {
		loseSecondStart();
		await run(people(7), start({}, { source }));
		const [first, third] = jobIds();
		const again = await run(people(7), start({}, { source }));
		expect(startedOf(again)).toMatchObject([
			{ jobId: first, status: 'continued' },
			{ jobId: jobIds()[2], status: 'started' },
			{ jobId: third, status: 'continued' },
		]);
		expect(again.hints[0]?.message).toContain(`(${first}, ${third} continued, not started again)`);
		const waited = await run(people(7), start({ waitForOutcome: 'memory' }, { source }));
		expect(jobIds()).toHaveLength(3);
		const sentence =
			source === 'binary' ? waited.outputs[0]?.[0]?.json.reason : waited.hints[0]?.message;
		expect(sentence).toMatch(/^7 \w+: 7 imported; import jobs .* continued, not started again\)$/);
	},
);

it('starts each job once in two executions at the same time', async () => {
	const rows = people(7);
	const runs = await Promise.all([run(rows), run(rows), run(rows)]);
	expect(jobIds()).toHaveLength(3);
	for (const each of runs) expect(startedOf(each).map(({ jobId }) => jobId)).toEqual(jobIds());
});

it('lets a run be canceled that waits for another one, and the next one still waits', async () => {
	const slow = { kind: 'latency', ms: 1500, executed: false } as const;
	service.addFault(slow, 'POST /bulkImportJobs');
	const canceling = new AbortController();
	const first = run(people(3));
	// Not its upload: the job of an earlier test may still download a file.
	while (!service.starts().some(({ fault }) => fault === 'latency')) await sleep(5);
	const second = service.run(node, start(), {
		items: itemsOf(people(3)),
		signal: canceling.signal,
	});
	const third = run(people(3));
	await sleep(300);
	canceling.abort();
	await second;
	expect(jobIds()).toEqual([]);
	await first;
	expect(startedOf(await third)).toMatchObject([{ jobId: jobIds()[0], status: 'continued' }]);
	expect(jobIds()).toHaveLength(1);
});

it('belongs to one import', async () => {
	await run(people(3));
	expect((await run(people(3), start({ runKey: 'week 48' }))).error).toBeUndefined();
	expect(jobIds()).toHaveLength(2);
});

describe('does not continue jobs that import something else', () => {
	const swapped = {
		...personMap,
		'CreateOrUpdateContact:FirstName': property('Last Name'),
		'CreateOrUpdateContact:LastName': property('First Name'),
	};
	const phones = { ...personMap, 'Phones:PhoneTypeID': 'C', 'Phones:Phone': property('Mail') };
	const others: Array<[string, IDataObject[], () => INodeParameters, RegExp]> = [
		[
			'other values',
			people(3).map((row) => ({ ...row, 'Last Name': 'X' })),
			() => start(),
			/rows 1–3/,
		],
		[
			'more rows',
			people(4),
			() => start({ maxRowsPerFile: 0 }),
			/rows 1–3 are not the rows of file 1.* set Try First and the limits of the credential as they were/,
		],
		[
			'one field more',
			people(3),
			() =>
				start({}, {}, { ...personMap, 'CreateOrUpdateContact:MiddleName': property('First Name') }),
			/does something else with its rows 1–3/,
		],
		[
			'a fixed value',
			people(3),
			() => start({}, {}, { ...personMap, 'CreateOrUpdateContact:City': 'Nome' }),
			/does something else/,
		],
		[
			'one mapping type more',
			people(3),
			() => start({}, { mappingTypes: ['CreateOrUpdateContact', 'Phones'] }, phones),
			/something else/,
		],
		['the same values in other fields', people(3), () => start({}, {}, swapped), /something else/],
	];
	it.each(others)('%s', async (_, rows, parameters, message) => {
		await run(people(3));
		const other = await run(rows, parameters());
		expect(other.error?.message).toMatch(/^Run Key: "week 47" belongs to import job \d+/);
		expect(other.error?.message).toMatch(message);
		expect(jobIds()).toHaveLength(1);
	});

	it.each(['items', 'binary'])(
		'in a later file, before any file is started: %s',
		async (source) => {
			service.addFault({ kind: 'status', status: 400 }, 'POST /bulkImportJobs');
			await run(people(6), start({}, { source }));
			expect(jobIds()).toHaveLength(1);
			const rows = people(6).map((row, i) => (i === 4 ? { ...row, 'Last Name': 'X' } : row));
			const other = await run(rows, start({}, { source }), 'continueRegularOutput');
			const [first] = other.outputs[0] ?? [];
			expect(String((first?.json.error as IDataObject).message)).toMatch(/whose rows 4–6/);
			expect(jobIds()).toHaveLength(1);
		},
	);

	it('fewer files', async () => {
		await run(people(6));
		expect((await run(people(3))).error?.message).toMatch(/whose rows 4–6 are not/);
	});
});

it.each([
	['a column that is not imported', people(3).map((row) => ({ ...row, Note: 'new' })), {}],
	['the description', people(3), { description: 'Another text' }],
	['the order of the fields', people(3), {}],
])('continues jobs whatever %s is', async (what, rows, changes) => {
	await run(people(3));
	const map = Object.fromEntries(Object.entries(personMap).reverse());
	const again = await run(rows, what.includes('order') ? start({}, {}, map) : start({}, changes));
	expect(again.error).toBeUndefined();
	expect(startedOf(again)).toMatchObject([{ status: 'continued' }]);
});

it('is found again whatever blanks and invisible characters it has', async () => {
	await run(people(3), start({ runKey: 'week\n47\u200b' }));
	expect(startedOf(await run(people(3)))).toMatchObject([{ status: 'continued' }]);
});

it('is never an expression that gives nothing, but may be an empty setting', async () => {
	const { error } = await run(people(3), start({ runKey: '={{ $json.nothing }}' }));
	expect(error?.message).toMatch(/^Run Key is an expression without a value/);
	expect(jobIds()).toEqual([]);
	const unset = start({ runKey: '={{ "" }}' });
	expect(startedOf(await run(people(3), unset))).toMatchObject([{ status: 'started' }]);
	// Then the rows are the key.
	expect(startedOf(await run(people(3), unset))).toMatchObject([{ status: 'continued' }]);
	expect(startedOf(await run(people(2), unset))).toMatchObject([{ status: 'started' }]);
});

it.each(['the same rows', 'corrected rows'])('starts a failed job again with %s', async (what) => {
	service.addJobFault({ kind: 'fail', text: 'broken' });
	await run(people(3));
	await service.settle();
	const rows = what === 'the same rows' ? people(3) : people(2);
	const again = await run(rows, start({ waitForOutcome: 'memory' }));
	expect(jobIds()).toHaveLength(2);
	expect(statusesOf(again.outputs[0])).toEqual(rows.map(() => 'imported'));
	await run(rows);
	expect(jobIds()).toHaveLength(2);
});

it('is part of a dry run', async () => {
	await run(people(3));
	const [jobId] = jobIds();
	const dry = await run(people(6), start({ dryRun: true }));
	expect(totalsOf(dry)).toMatchObject({ files: 2, continuedJobs: [jobId] });
	const other = await run(people(2), start({ dryRun: true }));
	expect(whyStopped(other)).toMatch(/^Run Key: "week 47" belongs to import job \d+/);
	expect(jobIds()).toHaveLength(1);
});

it('leaves out the files whose jobs it would start twice if they are not hosted', async () => {
	await run(people(3));
	const [jobId] = jobIds();
	const built = await run(people(6), start({}, { hosting: 'none' }));
	expect(built.outputs[0]).toMatchObject([{ json: { part: 2, rows: 3 } }]);
	expect(built.hints[0]?.message).toMatch(`import job ${jobId}`);
});

it.each(['memory', 'none'])(
	'finds a job that Create started, waiting in %s',
	async (waitForCompletion) => {
		const built = await run(people(3), start({}, { hosting: 'none' }));
		const [item] = built.outputs[0] ?? [];
		const sourceUrl = await service.put(await readBinary(item, 'data'));
		const job = item?.json.job as IDataObject;
		await service.run(
			node,
			{
				resource: 'job',
				operation: 'create',
				defineJob: 'json',
				jobJson: JSON.stringify({ ...job, file: { ...(job.file as IDataObject), sourceUrl } }),
				options: { waitForCompletion },
			},
			{ items: itemsOf([{}]) },
		);
		expect(startedOf(await run(people(3)))).toMatchObject([{ status: 'continued' }]);
		const changed = people(3).map((row) => ({ ...row, 'Last Name': 'X' }));
		const startedJobs = String(jobIds()[0]);
		const read = { resource: 'job', operation: 'getItemOutcomes', source: 'items', startedJobs };
		await service.settle();
		const wrong = await service.run(node, read, { items: itemsOf(changed) });
		expect(wrong.error?.message).toMatch(/do not have the values/);
		const right = await service.run(node, read, { items: itemsOf(people(3)) });
		expect(statusesOf(right.outputs[0])).toEqual(Array(3).fill('imported'));
	},
);

it('is rejected where the service could not find the jobs again', async () => {
	service.change({ styles: { jobDescriptions: false } });
	expect((await run(people(2))).error).toBeUndefined();
	// The first run has started a job.
	expect((await run(people(2))).error?.message).toMatch(
		/^If This List Was Imported Before cannot be set to Continue Its Jobs, because the service does not .* Check in the service /,
	);
	service.addFault({ kind: 'status', status: 404 }, 'GET /bulkImportJobs');
	expect((await run(people(2))).error?.message).toMatch(
		/cannot be set to Continue Its Jobs, because the service/,
	);
	expect(jobIds()).toHaveLength(1);
});

describe('never starts an import twice although the service', () => {
	const onList = (fault: Parameters<typeof service.addFault>[0]) =>
		service.addFault(fault, 'GET /bulkImportJobs');
	const pageOf = (items: unknown[], rest: object) =>
		onList({ kind: 'response', status: 200, body: { items, nextPageLink: null, ...rest } });
	const other = { id: 7, description: 'Old import', status: 'Completed' };
	const next = (skip: number) => `${service.sandbox.url}/v2/bulkImportJobs?$skip=${skip}`;
	const descriptionOf = () => service.jobs().at(-1)?.description ?? '';
	const isContinued = async (runKey = 'week 47') => {
		const again = await run(people(3), start({ runKey }));
		expect(startedOf(again)).toMatchObject([{ jobId: jobIds()[0], status: 'continued' }]);
		expect(jobIds()).toHaveLength(1);
	};
	const isRefused = async (why: string, parameters = start()) => {
		const { error } = await run(people(3), parameters);
		expect(error?.message).toMatch(`cannot be set to Continue Its Jobs, because ${why}`);
		expect(jobIds()).toHaveLength(1);
	};

	it.each([[[]], [[other]]])('returns an empty page, after %j', async (items) => {
		await run(people(3));
		pageOf(items, { nextPageLink: next(1) });
		pageOf([], { nextPageLink: next(0) });
		await isContinued();
	});

	it.each([501, '501'])('returns one job of a count of %j', async (count) => {
		await run(people(3));
		pageOf([other], { count });
		await isRefused(
			'the list of import jobs is incomplete. The service says that the list has 501',
		);
	});

	const changes: Array<[string, string, (text: string) => string]> = [
		['encodes descriptions as HTML', "Bob's list", (text) => text.replaceAll("'", '&#39;')],
		['decomposes letters', 'Bürger', (text) => text.normalize('NFD')],
		['loses letters', 'Łódź', (text) => text.replace(/[\u0100-\uffff]/g, '?')],
		['returns descriptions in upper case', 'week 47', (text) => text.toUpperCase()],
		['changes blanks', 'week 47', (text) => text.replaceAll(' ', '\u00a0')],
	];
	it.each(changes)('%s', async (_, runKey, change) => {
		const description = `List of ${runKey}`;
		await run(people(3), start({ runKey }, { description }));
		onList({ kind: 'replaced', texts: { [descriptionOf()]: change(descriptionOf()) } });
		await isContinued(runKey);
		await isContinued(runKey.normalize('NFD'));
	});

	const long = { description: 'Sign-ups of the big spring campaign, all counties and offices' };
	it.each([
		[60, ''],
		[60, '...'],
		[60, '…'],
		[100, ''],
	])('lists the first %d characters of descriptions, then "%s"', async (length, end) => {
		await run(people(3), start({}, long));
		const shown = `${descriptionOf().slice(0, length)}${end}`;
		onList({ kind: 'replaced', texts: { [descriptionOf()]: shown } });
		await isRefused(
			'the list of import jobs shows only the beginning of descriptions',
			start({}, long),
		);
	});

	it('keeps no whole description', async () => {
		await run(people(3), start({}, long));
		const texts = { [descriptionOf()]: descriptionOf().slice(0, 100) };
		service.addFault({ kind: 'replaced', texts }, 'GET /bulkImportJobs', { count: 2 });
		await isRefused('the service does not return the whole description of import job');
	});

	it('changes what a mark says of the file', async () => {
		await run(people(3));
		onList({ kind: 'replaced', texts: { 'rows 1-3': 'rows 1–3' } });
		await isRefused('the service does not return the whole description of import job');
	});

	it('lists a job without its description, which is then read by its ID', async () => {
		await run(people(3));
		onList({ kind: 'replaced', texts: { [descriptionOf()]: '' } });
		await isContinued();
	});

	it('lists more jobs without descriptions than can be read', async () => {
		await run(people(3));
		const items = Array.from({ length: 101 }, (_, index) => ({ id: index + 1 }));
		pageOf([other, ...items], {});
		await isRefused('the service does not list its jobs with IDs and descriptions');
		expect(service.calls().filter(({ path }) => /bulkImportJobs\/\d/.test(path))).toEqual([]);
	});
});

it('reads no job by its ID where the longest description has its mark', async () => {
	await run(people(3));
	await run(people(3));
	expect(service.calls().filter(({ path }) => /bulkImportJobs\/\d/.test(path))).toEqual([]);
});

it('may hold any character, because a job only has its checksum', async () => {
	await run(people(3), start({ runKey: 'a<b>&(c), «ü»' }));
	expect(service.jobs()[0]?.description).toMatch(
		/\(n8n \w+, run \w{6}, key [0-9a-f]{8}, file 1, rows 1-3, check [0-9a-f]{8}, written [0-9a-f]{8} of list [0-9a-v]+\)$/,
	);
});
