import { DateTime, Duration } from 'luxon';
import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { OTHER_KEY } from '../support/runningSandbox';
import { givenItems, type NodeRun, runNode } from './support/engine';
import { fillsCustomData } from './support/filledCustomData';
import {
	csvOf,
	fileOf,
	itemImport,
	itemsOf,
	people as peopleRows,
	personMap,
	reportOf as htmlOf,
} from './support/itemImports';
import { processedData } from './support/processedData';
import { comparable, useSleepingRuns } from './support/sleepingRuns';

const runs = useSleepingRuns();
const { jobs, node, service } = runs;
const options = { maxWait: 600 };
/** Import Items, whose execution waits in the database. */
const waitingImport = (more: IDataObject = {}): INodeParameters =>
	itemImport(service, personMap, {
		options: { ...options, waitForOutcome: 'database', ...more } as INodeParameters,
	});

it('of an import says what somebody has to decide as a wait in memory does', async () => {
	const parameters = (waitForOutcome: string) =>
		itemImport(service, personMap, {
			uploadUrl: `${service.sandbox.url}/drop/list.zip?sig=1`,
			downloadUrl: `${service.sandbox.httpsUrl}/drop/list.zip`,
			options: { ...options, waitForOutcome, cleanValues: true },
		});
	// Not the same rows twice, which would be said, too.
	const list = (lastName: string) =>
		itemsOf(
			peopleRows(3).map((row) => ({
				...row,
				'Last Name': lastName,
				Mail: ` ${String(row.Mail)} `,
			})),
		);
	const shownBy = ({ hints }: NodeRun) =>
		hints.map(({ message, type }) => [message.replace(/\b(job )?\d{5}\b/g, ''), type]);
	const inMemory = await service.run(node, parameters('memory'), { items: list('Lee') });
	expect(inMemory.hints[0]).toMatchObject({
		type: 'warning',
		message: expect.stringMatching(/^The address of the file is the same in every run/) as unknown,
	});
	const inDatabase = await runs.runWithSleeps(parameters('database'), { items: list('Moe') });
	expect(inDatabase.sleeps).toBeGreaterThan(0);
	expect(shownBy(inDatabase)).toEqual(shownBy(inMemory));
});

describe.each(['memory', 'database'])('in %s pairs what follows with the items', (way) => {
	/** A node that gives each item to one of its outputs, or none. */
	const splitter = (
		outputs: number,
		outputOf: (item: number, run: number) => number,
	): INodeType => ({
		description: {
			...givenItems([]).description,
			name: 'splitter',
			inputs: ['main'],
			outputs: Array<'main'>(outputs).fill('main'),
		},
		async execute() {
			const run = Number(this.evaluateExpression('{{ $runIndex }}', 0));
			const items = this.getInputData().map(({ json }, item) => ({ json, pairedItem: { item } }));
			return await Promise.resolve(
				Array.from({ length: outputs }, (_, output) =>
					items.filter((_item, index) => outputOf(index, run) === output),
				),
			);
		},
	});
	const follower: INodeType = {
		description: { ...givenItems([]).description, name: 'follower', inputs: ['main'] },
		async execute() {
			const given = '{{ $("Given Items").item.json.row }}';
			const items = this.getInputData().map((_, item) => ({
				json: { row: this.evaluateExpression(given, item) as number },
				pairedItem: { item },
			}));
			return await Promise.resolve([items]);
		},
	};
	it.each([
		['behind the second output of a node', { node: splitter(2, (item) => item % 2), runs: 1 }],
		['behind the second run of a node', { node: splitter(1, (_, run) => run - 1), runs: 2 }],
	])('%s', async (_, before) => {
		const parameters = itemImport(
			service,
			{ ...personMap, 'CreateOrUpdateContact:FirstName': '={{ $json.row }}' },
			{ options: { ...options, waitForOutcome: way } },
		);
		const rows = peopleRows(4).map((person, row) => ({ ...person, row }));
		const setup = { before, after: follower, items: itemsOf(rows) };
		const run = way === 'memory' ? 'runInMemory' : 'runWithSleeps';
		const { error, outputs, runData } = await runs[run](parameters, setup);
		expect(error).toBeUndefined();
		const given = outputs.flat().map(({ json }) => json.row);
		expect(given.length).toBeGreaterThan(1);
		const found = runData['Node After']?.[0]?.data?.main?.[0]?.map(({ json }) => json.row);
		expect(found).toEqual(given);
	});
});

it.each<[string, (more: IDataObject) => Promise<INodeParameters>]>([
	['Create', runs.waitingJob],
	['Import Items', async (more) => await Promise.resolve(waitingImport(more))],
	[
		'Import Items, with rows to try first',
		async (more) => await Promise.resolve(waitingImport({ ...more, tryFirst: 2 })),
	],
])('waits as %s began to, whatever Max Wait gives later', async (_, parametersOf) => {
	const maxWait = `={{ $now.toMillis() < ${Date.now() + 60_000} ? 600 : 'soon' }}`;
	jobs.hold();
	const run = await service.run(node, await parametersOf({ maxWait }), {
		items: itemsOf(peopleRows(4)),
		whileSleeping: async (until) => {
			runs.slept += Math.max(120_000, until.getTime() - Date.now());
			await runs.finishJobs();
		},
	});
	expect(run.error?.message).toBeUndefined();
	expect(run.outputs[0]).not.toHaveLength(0);
});

it('sleeps on if the service is away when it wakes to send the other rows', async () => {
	const parameters = waitingImport({ tryFirst: 2 });
	jobs.hold();
	let sleeps = 0;
	const run = await service.run(node, parameters, {
		items: itemsOf(peopleRows(5)),
		whileSleeping: async (until) => {
			runs.sleepUntil(until);
			if (++sleeps > 1) return;
			jobs.release();
			await service.settle();
			service.addFault({ kind: 'htmlPage' }, 'GET /bulkImportMappingTypes');
		},
	});
	expect(run.error).toBeUndefined();
	expect(run.outputs[0]?.map(({ json }) => json.status)).toEqual(Array(5).fill('imported'));
	// A slow machine sleeps again for the other rows.
	expect(sleeps).toBeGreaterThan(1);
	expect(service.starts()).toHaveLength(2);
});

it('sends the other rows under the Run Key of those tried first, whatever it is when it wakes', async () => {
	service.change({ styles: { jobDescriptions: true } });
	const parameters = waitingImport({ tryFirst: 2, runKey: '=sign-ups {{ $now.toISODate() }}' });
	jobs.hold();
	const run = await service.run(node, parameters, {
		items: itemsOf(peopleRows(5)),
		whileSleeping: async () => {
			if (runs.slept === 0) runs.slept = 24 * 60 * 60_000;
			await runs.finishJobs();
		},
	});
	expect(run.outputs[0]?.map(({ json }) => json.status)).toEqual(Array(5).fill('imported'));
	const keys = service
		.starts()
		.map(({ body }) => /key (sign-ups [\d-]+)\)/.exec(JSON.stringify(body))?.[1]);
	expect(keys).toEqual([keys[0], keys[0]]);
});

it('says that only the rows tried first were sent if it cannot go on when it wakes', async () => {
	const parameters = waitingImport({ tryFirst: 2 });
	jobs.hold();
	const run = await service.run(node, parameters, {
		items: itemsOf(peopleRows(5)),
		whileSleeping: () => {
			const fault = { kind: 'status', status: 401 } as const;
			service.addFault(fault, 'GET /bulkImportMappingTypes', { count: 9 });
		},
	});
	const [job] = service.jobs();
	expect(run.error?.message).toMatch(
		new RegExp(`^Import job ${job?.id} was started, but its end could not be read`),
	);
	expect(run.error?.description).toContain('It has rows 1–2. The other rows were not sent.');
	expect(service.starts()).toHaveLength(1);
});

it('names its jobs if its credential no longer works when it wakes', async () => {
	const setup = service.setup(node);
	const parameters = waitingImport();
	jobs.hold();
	const run = await runNode({
		...setup,
		parameters,
		items: itemsOf(peopleRows(2)),
		// With all the custom data that n8n keeps of an execution.
		before: { node: fillsCustomData, runs: 1 },
		whileSleeping: () => void (setup.credentials.nativeApi.apiKey = 'revoked'),
	});
	const [job] = service.jobs();
	expect(run.error?.message).toContain('The run stopped after requests were sent');
	expect(run.error?.description).toContain(`Import jobs of this execution: ${job?.id}.`);
});

it.each([
	['Import Items that has tried its first rows', { tryFirst: 2, stopAbove: 99 }],
	['Import Items that has sent all rows', {}],
])('reads and sends nothing in another database, with %s', async (_, more) => {
	const parameters = waitingImport(more);
	const setup = { ...service.setup(node), parameters, items: itemsOf(peopleRows(5)) };
	const other = service.setup(node, { apiKey: OTHER_KEY });
	// A job with the number of the one that waits.
	await runNode({ ...setup, ...other, parameters: itemImport(service, personMap) });
	jobs.hold();
	const run = await runNode({
		...setup,
		whileSleeping: async () => {
			setup.credentials.nativeApi.apiKey = OTHER_KEY;
			await runs.finishJobs();
		},
	});
	const [job] = service.jobs();
	expect(service.sandbox.control.jobs('other')).toMatchObject([{ id: job?.id }]);
	expect(run.error?.message).toMatch(/^The credential now has another database/);
	expect(run.error?.description).toContain(
		`its import jobs again (${job?.id}): read their outcome`,
	);
});

describe('Import Items in the database', () => {
	const people = (count: number): IDataObject[] =>
		peopleRows(count).map((row, i) => ({
			...row,
			...(i % 4 === 1 && { Mail: `no..${i}@example.org` }),
			...(i % 4 === 3 && { Mail: { a: 1 } }),
		}));
	const imports = (waitForOutcome: string, source = 'items', more: IDataObject = {}) =>
		itemImport(service, personMap, {
			source,
			options: { ...options, waitForOutcome, maxRowsPerFile: 3, report: true, ...more } as never,
		});
	/** As if nothing had been imported. */
	const startAnew = () => {
		service.sandbox.control.reset();
		processedData.clear();
	};
	const reportOf = async (run: NodeRun) => {
		const html = await htmlOf(run);
		return html
			.replaceAll(/·[^<]+|[Jj]obs? \d[\d, ]*|N8n\w+|\d\d:\d\d/g, '')
			.replaceAll(/<td[^>]*>9\d{4}<\/td>/g, '');
	};

	it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'gives items what a wait in memory gives, with %s',
		async (onError) => {
			const setup = { items: itemsOf(people(8)), onError };
			const inMemory = await service.run(node, imports('memory'), setup);
			const before = service.starts().length;
			startAnew();
			const inDatabase = await runs.runWithSleeps(imports('database'), setup);
			expect(inDatabase.sleeps).toBeGreaterThan(0);
			expect(service.starts()).toHaveLength(before);
			expect(comparable(inDatabase)).toEqual(comparable(inMemory));
			expect(await reportOf(inDatabase)).toBe(await reportOf(inMemory));
			expect(await reportOf(inDatabase)).toContain('<h1>Items of a test</h1>');
		},
	);

	it.each(['stopWorkflow', 'continueErrorOutput'] as const)(
		'gives the rows of a file what a wait in memory gives, with %s',
		async (onError) => {
			const rows = people(8).filter(({ Mail }) => typeof Mail === 'string');
			const setup = { items: [await fileOf(csvOf(rows))], onError };
			const more = { outputRows: 'all', rejectedRows: true };
			const inMemory = await service.run(node, imports('memory', 'binary', more), setup);
			startAnew();
			const inDatabase = await runs.runWithSleeps(imports('database', 'binary', more), setup);
			expect(inDatabase.sleeps).toBeGreaterThan(0);
			expect(comparable(inDatabase)).toEqual(comparable(inMemory));
			expect(inDatabase.outputs.flat()).toHaveLength(7);
			expect(await reportOf(inDatabase)).toBe(await reportOf(inMemory));
		},
	);

	const day = (row: number) => `1945-09-1${row}`;
	const dateKinds: Record<string, (row: number) => unknown> = {
		'a date': (row) => new Date(`${day(row)}T00:00:00Z`),
		// In the form that Edit Fields returns.
		'a luxon date': (row) => DateTime.fromISO(day(row), { zone: 'Europe/Berlin' }),
		'a luxon date and a text in turn': (row) =>
			row % 2 ? `${day(row)}T00:00:00.000Z` : DateTime.fromISO(day(row), { zone: 'Europe/Berlin' }),
		'a big integer': (row) => 12345678901234567890n + BigInt(row),
		'a duration, which is none': (row) => Duration.fromObject({ days: row }),
		'no number': () => NaN,
	};
	const places: Array<[string, (value: unknown) => object, string]> = [
		['$json.Born', (Born) => ({ Born }), '{{ $json.Born }}'],
		['$json.People[0].Born', (Born) => ({ People: [{ Born }] }), '{{ $json.People[0].Born }}'],
		[
			'an expression',
			(Born) => ({ Born }),
			'{{ $json.Born.toFormat?.("d.M.yyyy") ?? $json.Born }}',
		],
	];
	const placed = places.flatMap(([place, columns, expression]) =>
		Object.entries(dateKinds).map(([kind, make]) => ({ place, columns, expression, kind, make })),
	);

	it.each(placed)(
		'writes $kind of $place that is read after the wait as one before',
		async ({ columns, expression, make }) => {
			service.change({ styles: { jobDescriptions: true } });
			const items = () =>
				itemsOf(
					peopleRows(6).map((person, row) => ({
						...person,
						Mail: '',
						// At least one of the rows that are tried first can be sent.
						...columns(row === 1 || row === 4 ? 'spring of 1945' : make(row)),
					})),
				);
			const map = { ...personMap, 'CreateOrUpdateContact:MiddleName': `=${expression}` };
			const run = async (way: string) => {
				if (way === 'database') jobs.hold();
				const chosen = imports(way, 'items', { tryFirst: 1, runKey: `key ${way}` });
				const { error, outputs } = await service.run(
					node,
					{ ...chosen, fieldMap: itemImport(service, map).fieldMap } as never,
					{ items: items(), onError: 'continueRegularOutput', whileSleeping: runs.finishJobs },
				);
				jobs.release();
				expect(error?.message).toBeUndefined();
				const people = service.people().slice(-6);
				return {
					reasons: outputs.flat().map(({ json }) => json.reason ?? json.error),
					written: people.map(({ fields }) => `${fields.firstName} ${fields.middleName}`).sort(),
				};
			};
			const inMemory = await run('memory');
			const before = service.starts().length;
			startAnew();
			service.change({ styles: { jobDescriptions: true } });
			const inDatabase = await run('database');
			expect(service.starts()).toHaveLength(before);
			expect(inDatabase).toEqual(inMemory);
		},
	);

	it.each(['tryFirst', 'correctRejected'])(
		'refuses to send rows later whose fields read what n8n does not keep, with %s',
		async (option) => {
			const run = async (way: string, expression: string) => {
				// A run that slept has left the jobs held.
				jobs.release();
				const middle = { 'CreateOrUpdateContact:MiddleName': `=${expression}` };
				const later = { [option]: 2, progressPage: 'x'.repeat(16) };
				const chosen = imports(way, 'items', way === 'database' ? later : { tryFirst: 2 });
				const { fieldMap } = itemImport(service, { ...personMap, ...middle });
				const rows = peopleRows(4).map((row) => ({ ...row, more: new Map([['middle', 'Ann']]) }));
				return await service.run(node, { ...chosen, fieldMap } as never, {
					items: itemsOf(rows),
					whileSleeping: runs.finishJobs,
				});
			};
			const map = '{{ $json.more.get("middle") }}';
			const refused = await run('database', map);
			expect(refused.error?.message).toMatch(
				/^Middle Name reads "more", which holds an object that n8n does not keep while/,
			);
			expect(service.starts()).toEqual([]);
			expect((await run('database', '{{ $json["Last Name"].trim() }}')).error).toBeUndefined();
			expect((await run('memory', map)).error).toBeUndefined();
		},
	);

	it.each([
		[{ tryFirst: 2 }, 72_000, /more than 1200 minutes/],
		[{ tryFirst: 2, correctRejected: 60, progressPage: 'x'.repeat(16) }, 111_600, /than 1860 min/],
	])(
		'with %p needs a timeout of the workflow that is longer than all waits',
		async (more, executionTimeout, text) => {
			const items = itemsOf(people(1));
			const run = async (seconds: number) =>
				await service.run(node, imports('database', 'items', more), {
					items,
					settings: { executionTimeout: seconds },
					whileSleeping: runs.finishJobs,
				});
			expect((await run(executionTimeout)).error?.message).toMatch(text);
			expect(service.starts()).toEqual([]);
			expect((await run(executionTimeout + 1)).error).toBeUndefined();
		},
	);

	it.each([10, 60])(
		'tries the first rows and sends the others as a wait in memory does, with Stop Above %s',
		async (stopAbove) => {
			const items = itemsOf(people(8).filter(({ Mail }) => typeof Mail === 'string'));
			const more = { tryFirst: 2, stopAbove };
			const inMemory = await service.run(node, imports('memory', 'items', more), { items });
			const before = service.starts().length;
			expect(before).toBe(stopAbove === 10 ? 1 : 3);
			startAnew();
			let sleeps = 0;
			jobs.hold();
			const inDatabase = await service.run(node, imports('database', 'items', more), {
				items,
				whileSleeping: async (until) => {
					runs.sleepUntil(until);
					sleeps++;
					await runs.finishJobs();
				},
			});
			expect(sleeps).toBe(stopAbove === 10 ? 1 : 2);
			expect(service.starts()).toHaveLength(before);
			expect(comparable(inDatabase)).toEqual(comparable(inMemory));
			expect(inDatabase.runData['Node Under Test']).toHaveLength(1);
			const reported = await reportOf(inDatabase);
			expect(reported).toBe(await reportOf(inMemory));
		},
	);
});
