/**
 * n8n brings an execution back to an older wait if a call to its link is slow: it loads the state, reads the
 * body, and asks only then whether the execution waits. What follows the wait then runs a second time.
 */
import type { IDataObject, INodeParameters, INodeType, IRunExecutionData } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { NativeCanvassResponse } from '../../nodes/NativeCanvassResponse/NativeCanvassResponse.node';
import { NativeCode } from '../../nodes/NativeCode/NativeCode.node';
import { CANVASS } from './support/canvass';
import { givenItems, type NodeRun, type NodeRunOptions } from './support/engine';
import { fillsCustomData } from './support/filledCustomData';
import { fieldsOf, peopleJob } from './support/importJobs';
import { itemImport, itemsOf, messagesOf, people, personMap } from './support/itemImports';
import { PausedJobs } from './support/pausedJobs';
import { useProcessedData } from './support/processedData';
import { useSandbox } from './support/sandboxed';
import { callWaitingLink } from './support/waitingLink';

const jobs = new PausedJobs();
const service = useSandbox({ jobTiming: jobs.jobTiming });
const processed = useProcessedData();
afterEach(() => jobs.release());
const node = new NativeBulkImport();
const PAGE = { page: 'a-page-of-the-test' };

/** n8n's time moves on while an execution sleeps. */
let slept = 0;
const realNow = Date.now;
beforeEach(() => {
	slept = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + slept);
	service.change({ styles: { jobDescriptions: true } });
});

const imports = (options: IDataObject = {}, changes: IDataObject = {}) =>
	itemImport(service, personMap, {
		options: { pollInterval: 0.05, maxWait: 600, waitForOutcome: 'database', ...options },
		...changes,
	} as never);

/** Ends the jobs that run, and none that start later. */
async function finishJobs(): Promise<void> {
	jobs.release();
	await service.settle();
	jobs.hold();
}

const rows = itemsOf(people(10));

/** Runs an import; in its second sleep the execution is brought back to its first one. */
async function runRepeated(
	parameters: NodeRunOptions['parameters'],
	setup: Partial<NodeRunOptions> = {},
	isRepeated = true,
	onRepeat = () => {},
	onSleep = () => {},
): Promise<NodeRun & { sleeps: number }> {
	let older: IRunExecutionData | undefined;
	let sleeps = 0;
	jobs.hold();
	const run = await service.run(node, parameters, {
		items: rows,
		...setup,
		whileSleeping: async (until, stored) => {
			slept += until.getTime() - Date.now();
			if (++sleeps > 8) throw new Error('It waits for ever.');
			if (sleeps === 2 && isRepeated) {
				Object.assign(stored, structuredClone(older));
				onRepeat();
			}
			older ??= structuredClone(stored);
			await finishJobs();
			onSleep();
		},
	});
	return { ...run, sleeps };
}

const after = (of: INodeType, parameters: NodeRunOptions['parameters']) => ({
	...service.setup(of),
	parameters,
});
const outputOf = ({ runData }: NodeRun, name: string) =>
	runData[name]?.at(-1)?.data?.main?.flatMap((items) => items ?? []) ?? [];
const statuses = (run: NodeRun, name = 'Node Under Test') =>
	outputOf(run, name).map(({ json }) => json.status ?? (json.error as IDataObject).message);
const peopleIn = () =>
	service.people().filter(({ fields }) => /^First\d/.test(String(fields.firstName))).length;
const lists = () =>
	service.calls().filter(({ method, path }) => method === 'GET' && /bulkImportJobs$/.test(path));

/** With the values of the item that the import gets. */
const secondImport = (options: IDataObject = {}) => after(node, imports(options));

it('a second import behind the wait starts its job once, and its rows come out', async () => {
	const run = await runRepeated(imports(), { after: secondImport() });
	expect(run.error?.message).toBeUndefined();
	expect(service.starts()).toHaveLength(2);
	expect(peopleIn()).toBe(10);
	expect(statuses(run, 'Node After')).toEqual(Array(10).fill('imported'));
});

/** An execution that has continued from its wait to its end, and does so again. */
async function runTwice(
	behind: ReturnType<typeof after>,
	before?: NodeRunOptions['before'],
): Promise<NodeRun> {
	let older: IRunExecutionData | undefined;
	const run = async () => {
		jobs.hold();
		return await service.run(node, imports(), {
			items: rows,
			after: behind,
			...(before && { before }),
			whileSleeping: async (_, stored) => {
				if (older) Object.assign(stored, structuredClone(older));
				older ??= structuredClone(stored);
				jobs.release();
				await service.settle();
			},
		});
	};
	expect((await run()).error?.message).toBeUndefined();
	return await run();
}

it.each(['memory', 'none', 'database'])(
	'an import behind the wait starts its job once, wait %s',
	async (waitForOutcome) => {
		const run = await runTwice(secondImport({ waitForOutcome }));
		expect(run.error?.message).toBeUndefined();
		// The first import of each execution, and one after them.
		expect(service.starts()).toHaveLength(3);
		if (waitForOutcome !== 'none')
			expect(statuses(run, 'Node After')).toEqual(Array(10).fill('imported'));
	},
);

it('a second round of a loop starts its job once', async () => {
	const halves: INodeType = {
		description: { ...givenItems([]).description, name: 'halves', inputs: ['main'] },
		async execute() {
			const run = Number(this.evaluateExpression('{{ $runIndex }}', 0));
			return await Promise.resolve([this.getInputData().slice(run * 5, run * 5 + 5)]);
		},
	};
	const run = await runRepeated(imports(), { before: { node: halves, runs: 2 } });
	expect(run.error?.message).toBeUndefined();
	expect(service.starts()).toHaveLength(2);
	expect(peopleIn()).toBe(10);
	expect(statuses(run)).toEqual(Array(5).fill('imported'));
});

it('the rows after those tried first are sent once and come out', async () => {
	const run = await runRepeated(imports({ tryFirst: 2, maxRowsPerFile: 5 }));
	expect(run.error?.message).toBeUndefined();
	expect(service.starts()).toHaveLength(3);
	expect(peopleIn()).toBe(10);
	expect(statuses(run)).toEqual(Array(10).fill('imported'));
});

it('an error behind the rows tried first says that the others may have been sent', async () => {
	const run = await runRepeated(imports({ tryFirst: 2 }), {}, true, () => {
		service.addFault({ kind: 'status', status: 404 }, 'GET /bulkImportMappingTypes');
	});
	expect(service.starts()).toHaveLength(2);
	expect(run.error?.description).toMatch(/other rows may have been sent: .* with "run \w{6}" in/);
});

it('an import that runs once asks for no list of jobs', async () => {
	const run = await runRepeated(imports({ tryFirst: 2 }), { after: secondImport() }, false);
	expect(run.error?.message).toBeUndefined();
	expect(peopleIn()).toBe(10);
	expect(service.starts()).toHaveLength(3);
	expect(lists()).toEqual([]);
});

it('where the service does not list its jobs, the rows are in doubt and not sent again', async () => {
	service.change({ styles: { jobDescriptions: false } });
	const run = await runRepeated(imports(), {
		after: { ...secondImport(), onError: 'continueRegularOutput' } as never,
	});
	expect(service.starts()).toHaveLength(2);
	expect(peopleIn()).toBe(10);
	const { message = '', description = '' } = run.error ?? {};
	expect(message).toMatch(/may have been sent already, because n8n went back to an earlier wait/);
	expect(description).toMatch(/import jobs with "run \w{6}" in their description/);
});

it('a file whose job was not started when n8n was killed is started', async () => {
	// Claimed, and the process ended before the request.
	const claims = jest.spyOn(processed(), 'checkProcessedAndRecord');
	claims.mockImplementation(async (items) => await Promise.resolve({ new: [], processed: items }));
	const run = await runRepeated(imports(), {}, false);
	claims.mockRestore();
	expect(run.error?.message).toBeUndefined();
	expect(service.starts()).toHaveLength(1);
	expect(statuses(run)).toEqual(Array(10).fill('imported'));
});

it('Retry On Fail starts a job again that was certainly not started', async () => {
	service.addFault({ kind: 'status', status: 400 }, 'POST /bulkImportJobs');
	const run = await runRepeated(
		imports(),
		{ retries: { maxTries: 3, waitBetweenTries: 0 } },
		false,
	);
	expect(run.error?.message).toBeUndefined();
	expect(service.jobs()).toHaveLength(1);
	expect(lists()).toEqual([]);
});

it('an import that ends twice is remembered, and calls none of its rows changed', async () => {
	let older: IRunExecutionData | undefined;
	const night = async (count: number) => {
		jobs.hold();
		return await service.run(node, imports({ skipUnchangedBy: 'Mail' }), {
			items: itemsOf(people(count)),
			whileSleeping: async (_, stored) => {
				if (older) Object.assign(stored, structuredClone(older));
				older ??= structuredClone(stored);
				jobs.release();
				await service.settle();
			},
		});
	};
	await night(4);
	const again = await night(6);
	expect(statuses(again)).toEqual(Array(4).fill('imported'));
	expect(messagesOf(again)).not.toContain('Another run');
});

const code = {
	resource: 'code',
	operation: 'create',
	defineCode: 'json',
	codeJson: '={{ JSON.stringify({ name: "Code " + $itemIndex, codeType: "SourceCode" }) }}',
};

describe('where the database of n8n fails for a moment', () => {
	const away = new Error('The database is away.');
	const failClaims = (count: number) => {
		const claims = jest.spyOn(processed(), 'checkProcessedAndRecord');
		for (let i = 0; i < count; i++) claims.mockRejectedValueOnce(away);
	};
	afterEach(() => jest.restoreAllMocks());

	it('an import begins that was not the only one to make the first claim', async () => {
		failClaims(1);
		const run = await runRepeated(imports(), {}, false);
		expect(run.error?.message).toBeUndefined();
		expect(statuses(run)).toEqual(Array(10).fill('imported'));
	});

	it('Retry On Fail does not start a job again that was started before', async () => {
		const retries = { maxTries: 4, waitBetweenTries: 0 };
		const behind = { ...secondImport(), retries };
		const run = await runRepeated(imports(), { after: behind }, true, () => failClaims(2));
		expect(run.error?.message).toBeUndefined();
		expect(service.starts()).toHaveLength(2);
		expect(peopleIn()).toBe(10);
		expect(statuses(run, 'Node After')).toEqual(Array(10).fill('imported'));
	});

	it('the other rows are in doubt if nobody knows whether they were sent', async () => {
		const run = await runRepeated(
			imports({ tryFirst: 2 }),
			{ onError: 'continueRegularOutput' },
			true,
			() => failClaims(9),
		);
		expect(peopleIn()).toBe(10);
		expect(statuses(run)).toEqual([...Array(2).fill('imported'), ...Array(8).fill('unknown')]);
	});

	it('Retry On Fail sends what could not be claimed at first', async () => {
		const codes = {
			...after(new NativeCode(), code),
			retries: { maxTries: 2, waitBetweenTries: 0 },
		};
		const run = await runRepeated(imports(), { after: codes }, false, undefined, () =>
			failClaims(2),
		);
		expect(run.error?.message).toBeUndefined();
		expect(outputOf(run, 'Node After')).toHaveLength(10);
	});

	it('an unsaved workflow is named as the reason', async () => {
		const text = 'SQLITE_CONSTRAINT: FOREIGN KEY constraint failed';
		const claims = jest.spyOn(processed(), 'checkProcessedAndRecord');
		claims.mockRejectedValue(new Error(text));
		const { error } = await runRepeated(imports(), {}, false);
		expect(error?.message).toMatch(/passes it as JSON, save it as a workflow and choose Source/);
		expect(service.starts()).toEqual([]);
	});

	it('the error says why no job was started', async () => {
		service.addFault({ kind: 'status', status: 400 }, 'POST /bulkImportJobs');
		jest.spyOn(processed(), 'removeProcessed').mockRejectedValue(away);
		const { error } = await runRepeated(imports(), {}, false);
		expect(error?.message).toContain('The service rejected POST /bulkImportJobs');
	});

	it('an error behind the rows tried first names their job', async () => {
		jobs.hold();
		const run = await service.run(node, imports({ tryFirst: 2 }), {
			items: rows,
			whileSleeping: async (until) => {
				slept += until.getTime() - Date.now();
				jobs.release();
				await service.settle();
				service.addFault({ kind: 'status', status: 404 }, 'GET /bulkImportMappingTypes');
				failClaims(9);
			},
		});
		expect(service.starts()).toHaveLength(1);
		expect(run.error?.message).toContain(`Import job ${service.jobs()[0]?.id} was started`);
		expect(run.error?.description).toMatch(/other rows may have been sent: .* with "run \w{6}" in/);
	});
});

describe('corrections', () => {
	const wrong = itemsOf(
		people(4, { 1: { Mail: 'no..one@example.org' }, 3: { Mail: 'no..two@example.org' } }),
	);
	const parameters = () => imports({ progressPage: PAGE.page, correctRejected: 60 });
	const open = async (stored: IRunExecutionData) =>
		await callWaitingLink(service.setup(node), stored, 'GET', PAGE);
	async function send(stored: IRunExecutionData, changes: Record<string, string>) {
		const inputs = [
			...(await open(stored)).body.matchAll(/<input [^>]*?name="([^"]*)" value="([^"]*)"/g),
		];
		const form = Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]));
		const all = { action: 'import', ...form, ...changes };
		return await callWaitingLink(service.setup(node), stored, 'POST', PAGE, all);
	}

	/** Two readers answer: the call of the second was loaded before the first answer, and comes after it. */
	async function answerTwice(second: Record<string, string>, ageMs: number, onSecond = () => {}) {
		let offered: IRunExecutionData | undefined;
		let late: Awaited<ReturnType<typeof send>> | undefined;
		let sleeps = 0;
		const run = await service.run(node, parameters(), {
			items: wrong,
			whileSleeping: async (until, stored) => {
				if (++sleeps > 8) throw new Error('It waits for ever.');
				if (offered && !late) {
					// The corrected row has its job: the execution waits again.
					slept += ageMs;
					const stale = structuredClone(offered);
					late = await send(stale, second);
					if (late.wakes) Object.assign(stored, stale);
					onSecond();
				} else if (!offered && (await open(stored)).body.includes('data-question')) {
					offered = structuredClone(stored);
					jobs.hold();
					expect((await send(stored, { '0.2': 'bo@example.org' })).wakes).toBe(true);
					return;
				} else slept += until.getTime() - Date.now();
				jobs.release();
				await service.settle();
			},
		});
		return { run, late };
	}

	const resultsOf = (run: NodeRun) =>
		outputOf(run, 'Node Under Test').map(({ json }) => json.importResult as IDataObject);

	it('of a second reader on a slow line are refused, and those of the first count', async () => {
		const { run, late } = await answerTwice({ '1.2': 'di@example.org' }, 0);
		expect(late).toMatchObject({ wakes: false, status: 409 });
		expect(late?.body).toContain('Somebody else has already answered');
		expect(run.error?.message).toBeUndefined();
		expect(service.starts()).toHaveLength(2);
		expect(statuses(run)).toEqual(['imported', 'imported', 'imported', 'failed']);
	});

	/** Acts as another process that serves the call: it knows nothing of the first answer. */
	const MUCH_LATER = 20 * 60_000;

	it('that are sent again are imported once', async () => {
		const { run, late } = await answerTwice({ '0.2': 'bo@example.org' }, MUCH_LATER);
		expect(late?.wakes).toBe(true);
		expect(run.error?.message).toBeUndefined();
		expect(service.starts()).toHaveLength(2);
		expect(statuses(run)).toEqual(['imported', 'imported', 'imported', 'failed']);
	});

	it('of another reader leave all rows in doubt that the first may have corrected', async () => {
		const { run, late } = await answerTwice({ '1.2': 'di@example.org' }, MUCH_LATER);
		expect(late?.wakes).toBe(true);
		expect(service.starts()).toHaveLength(2);
		expect(peopleIn()).toBe(3);
		expect(statuses(run)).toEqual(['imported', 'unknown', 'imported', 'unknown']);
		const second = service.jobs()[1]?.id;
		expect(String(resultsOf(run)[1]?.reason)).toContain(`Import job ${second} was started then`);
	});

	it('of a reader who finishes later leave the corrected rows in doubt, not rejected', async () => {
		const { run } = await answerTwice({ action: 'finish' }, MUCH_LATER);
		expect(service.starts()).toHaveLength(2);
		expect(statuses(run)).toEqual(['imported', 'unknown', 'imported', 'unknown']);
	});

	it('that fail before they are sent are in doubt if the first were sent, not rejected', async () => {
		const { run } = await answerTwice({ '0.2': 'bo@example.org' }, MUCH_LATER, () => {
			service.addFault({ kind: 'status', status: 404 }, 'GET /bulkImportMappingTypes');
		});
		expect(service.starts()).toHaveLength(2);
		expect(statuses(run)).toEqual(['imported', 'unknown', 'imported', 'unknown']);
	});

	it('that could not be sent twice in the same moment: the second reader is told', async () => {
		let second: Awaited<ReturnType<typeof send>> | undefined;
		await service.run(node, parameters(), {
			items: wrong,
			whileSleeping: async (until, stored) => {
				if ((await open(stored)).body.includes('data-question')) {
					const same = structuredClone(stored);
					expect((await send(stored, { '0.2': 'bo@example.org' })).wakes).toBe(true);
					second = await send(same, { '1.2': 'di@example.org' });
				} else slept += until.getTime() - Date.now();
				await service.settle();
			},
		});
		expect(second).toMatchObject({ wakes: false, status: 409 });
		expect(second?.body).toContain('Your answer was not used');
	});
});

describe('what else is sent behind the wait is sent once, and then in doubt:', () => {
	const posts = () => service.calls().filter(({ method }) => method === 'POST').length;
	const cases: Array<[string, INodeType, () => Promise<INodeParameters>, number]> = [
		['jobs of Create', node, async () => fieldsOf(await peopleJob(service)), 10],
		['codes', new NativeCode(), async () => await Promise.resolve(code), 10],
		[
			'canvass responses',
			new NativeCanvassResponse(),
			async () => await Promise.resolve(CANVASS),
			10,
		],
	];

	it.each(cases)('%s', async (_, of, parameters, count) => {
		const run = await runTwice(after(of, await parameters()));
		// The imports of both executions.
		expect(posts()).toBe(count + 2);
		expect(run.error?.message).toContain('n8n has run this node before in this execution');
		expect(run.error?.description).toContain('check in the service before you send it again');
	});

	it('codes, in an execution with all the custom data that n8n keeps', async () => {
		const before = { node: fillsCustomData, runs: 1 };
		const run = await runTwice(after(new NativeCode(), code), before);
		expect(posts()).toBe(12);
		expect(run.error?.message).toContain('n8n has run this node before in this execution');
	});

	it('but a call that is safe to repeat is sent again', async () => {
		const read = { resource: 'code', operation: 'getAll' };
		expect((await runTwice(after(new NativeCode(), read))).error).toBeUndefined();
	});

	it('and so is an item with a Send Once Key, which is found by it', async () => {
		const options = { sendOnceKey: '={{ $itemIndex }}' };
		const run = await runTwice(after(new NativeCode(), { ...code, options }));
		expect(run.error?.message).toBeUndefined();
		expect(posts()).toBe(12);
	});
});
