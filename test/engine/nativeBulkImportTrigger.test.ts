import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { NativeBulkImportTrigger } from '../../nodes/NativeBulkImportTrigger/NativeBulkImportTrigger.node';
import { GRACE_MS, UNKNOWN_STATUS_MS } from '../../nodes/NativeBulkImportTrigger/watchState';
import type { FaultRequest, JobFault } from '../../sandbox';
import { MANY_ITEMS } from '../support/randomCases';
import { ActivePoll } from './support/activePoll';
import { readBinary, runNode } from './support/engine';
import { credentialOf } from './support/importJobs';
import { PausedJobs } from './support/pausedJobs';
import { DEMO_KEY, RESTRICTED_KEY, useSandbox } from './support/sandboxed';
import { OTHER_KEY } from '../support/runningSandbox';

const jobs = new PausedJobs();

const service = useSandbox({ jobTiming: jobs.jobTiming });
afterEach(() => jobs.release());

const node = new NativeBulkImportTrigger();
const everyEvent = ['completed', 'completedWithErrors', 'failed', 'statusChanged', 'unreadable'];

const specific = (
	jobIds: INodeParameters['jobIds'],
	changes: INodeParameters = {},
): INodeParameters => ({ watch: 'specific', jobIds, ...changes });
const all = (changes: INodeParameters = {}): INodeParameters => ({ watch: 'all', ...changes });

const activate = (
	parameters: INodeParameters,
	{
		credential = {},
		staticData,
		workflowId,
	}: { credential?: IDataObject; staticData?: IDataObject; workflowId?: string } = {},
) =>
	new ActivePoll({
		...service.setup(node, credential as never),
		parameters,
		...(staticData && { staticData }),
		...(workflowId && { workflowId }),
	});

const goodRows = 'Ada,Example,ada@example.org,c-1\nZoe,Example,zoe@example.org,c-2\n';
const badRow = 'Bob,Example,not-an-address,c-3\n';

/** Starts a job at the service. */
async function startJob({
	rows = goodRows,
	failure,
}: { rows?: string; failure?: JobFault } = {}): Promise<number> {
	if (failure) service.addJobFault(failure);
	const columns = ['FirstName', 'LastName', 'Email', 'CrmId'].map((name) => ({ name }));
	const response = await fetch(`${service.sandbox.url}/v2/bulkImportJobs`, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			authorization: `Basic ${Buffer.from(`apiuser:${DEMO_KEY}`).toString('base64')}`,
		},
		body: JSON.stringify({
			description: 'Import of a test',
			file: {
				fileName: 'rows.csv',
				sourceUrl:
					failure?.kind === 'neverEnds'
						? 'https://files.example.org/rows.zip'
						: await service.host('rows.csv', rows),
				columns,
			},
			actions: [
				{
					actionType: 'loadMappedFile',
					resourceType: 'Contacts',
					resultFileSizeKbLimit: 5000,
					mappingTypes: [
						{
							name: 'CreateOrUpdateContact',
							fieldValueMappings: columns.slice(0, 3).map(({ name }) => ({ fieldName: name })),
						},
					],
					columnsToIncludeInResultsFile: [{ name: 'CrmId' }],
				},
			],
		}),
	});
	const { jobId } = (await response.json()) as { jobId?: number };
	if (jobId === undefined) throw new Error(`The sandbox rejected the job with ${response.status}.`);
	return jobId;
}

const statusOf = (jobId: number) => service.jobs().find(({ id }) => id === jobId)?.status;

async function jobReaches(jobId: number, pattern: RegExp): Promise<void> {
	for (let look = 0; look < 3000; look++) {
		if (pattern.test(statusOf(jobId) ?? '')) return;
		await sleep(10);
	}
	throw new Error(`Job ${jobId} stays ${statusOf(jobId) ?? 'unknown'}.`);
}

/** Releases the jobs and waits for the end of one. */
const endJob = async (jobId: number) => {
	jobs.release();
	await jobReaches(jobId, /^(complete|fail|error)/i);
};
const startAndEndJob = async (changes: Parameters<typeof startJob>[0] = {}) => {
	const jobId = await startJob(changes);
	await endJob(jobId);
	return jobId;
};

const jsons = (output: INodeExecutionData[][] | null | undefined) =>
	(output?.[0] ?? []).map(({ json }) => json);
const reported = (output: INodeExecutionData[][] | null) =>
	jsons(output).map(({ jobId, event, previousStatus }) => [jobId, event, previousStatus]);

/** Sets the wall clock this far ahead of the real one. */
function passTime(ms: number): void {
	jest.restoreAllMocks();
	const real = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => real() + ms);
}

const reads = () => service.calls().filter(({ method }) => method === 'GET');

/** Where the pages that were read begin. */
const skips = () => reads().map(({ query }) => Number(query.$skip ?? 0));
const linkTo = (position: number) => `${service.sandbox.url}/v2/bulkImportJobs?$skip=${position}`;
/** The next request for a page of the list gets this one. */
const serveList = (body: object) =>
	service.addFault({ kind: 'response', status: 200, body }, 'GET /bulkImportJobs');

describe('chosen jobs', () => {
	it('are not reported again by a trigger that was renamed', async () => {
		const trigger = activate(specific(String(await startAndEndJob())));
		expect(jsons(await trigger.poll())).toHaveLength(1);
		trigger.rename('When the import ends');
		expect(await trigger.poll()).toBeNull();
	});

	it('have each chosen event reported once, over a restart', async () => {
		jobs.hold();
		const good = await startJob();
		const partly = await startJob({ rows: goodRows + badRow });
		const failing = await startJob({ failure: { kind: 'fail', text: 'Turf is not known.' } });
		const trigger = activate(specific(`${good}, ${partly},${failing}`));

		expect(await trigger.poll()).toBeNull();
		trigger.restart();
		expect(await trigger.poll()).toBeNull();
		await Promise.all([good, partly, failing].map(endJob));

		const output = await trigger.poll();
		expect(jsons(output)).toEqual([
			expect.objectContaining({
				jobId: good,
				id: good,
				status: 'Completed',
				event: 'completed',
				hasEnded: true,
				hasErrors: false,
				resultFiles: [expect.anything()],
			}),
			expect.objectContaining({
				jobId: partly,
				status: 'CompletedWithErrors',
				event: 'completedWithErrors',
				hasErrors: true,
			}),
			expect.objectContaining({
				jobId: failing,
				event: 'failed',
				hasErrors: true,
				errors: [expect.objectContaining({ text: 'Turf is not known.' })],
			}),
		]);
		expect(await trigger.poll()).toBeNull();
		trigger.restart();
		service.sandbox.control.clearRequests();
		expect(await trigger.poll()).toBeNull();
		expect(service.calls()).toEqual([]);
	});

	it.each([
		['completed', {}],
		['completedWithErrors', { rows: goodRows + badRow }],
		['failed', { failure: { kind: 'fail', text: 'No.' } as JobFault }],
	])('are reported as %s where any end is chosen', async (event, changes) => {
		const jobId = await startAndEndJob(changes);
		const trigger = activate(specific(String(jobId), { events: ['ended'] }));
		expect(reported(await trigger.poll())).toEqual([[jobId, event, null]]);
	});

	it('are rejected without an event to report', async () => {
		await expect(activate(specific('1', { events: [] })).poll()).rejects.toThrow(
			'Trigger On must not be empty. Choose at least one event.',
		);
	});

	it('may be given as a list by an expression', async () => {
		const jobIds = [await startAndEndJob(), await startAndEndJob()];
		const trigger = activate(specific(`={{ [${jobIds.join(',')}] }}`));
		expect(reported(await trigger.poll()).map(([jobId]) => jobId)).toEqual(jobIds);
	});

	it.each<[string, string, RegExp]>([
		['nothing', '', /^Job IDs must not be empty/],
		['a word', '12, abc', /^Job IDs: "abc" is not a job ID/],
		['a number out of range', '99999999999', /^Job IDs: "99999999999" is not a job ID/],
		[
			'too many jobs',
			Array.from({ length: 1001 }, (_, index) => index + 1).join(),
			/^Job IDs: There are more than 1000 jobs; one trigger watches at most 1000/,
		],
	])('are rejected before any call where %s is entered', async (_, jobIds, message) => {
		await expect(activate(specific(jobIds)).poll()).rejects.toThrow(message);
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('a poll that runs while another one does', () => {
	it('reports nothing twice', async () => {
		const jobIds = [await startAndEndJob(), await startAndEndJob()];
		const trigger = activate(specific(jobIds.join(',')));
		const outputs = await Promise.all([trigger.poll(), trigger.poll(), trigger.poll()]);
		expect(outputs.flatMap(reported).sort()).toEqual(
			jobIds.map((jobId) => [jobId, 'completed', null]),
		);
		expect(await trigger.poll()).toBeNull();
	});

	it('leaves the jobs to it', async () => {
		const jobId = await startAndEndJob();
		const trigger = activate(specific(String(jobId)));
		service.addFault({ kind: 'latency', ms: 500 }, 'GET');
		service.sandbox.control.clearRequests();
		const first = trigger.poll();
		expect(await trigger.poll()).toBeNull();
		expect(reported(await first)).toEqual([[jobId, 'completed', null]]);
		expect(reads()).toHaveLength(1);
	});

	it('does so no longer once the other one has failed', async () => {
		const jobId = await startAndEndJob();
		const trigger = activate(specific(String(jobId)));
		service.addFault({ kind: 'htmlPage' }, 'GET');
		await expect(trigger.poll()).rejects.toThrow('web page');
		expect(reported(await trigger.poll())).toEqual([[jobId, 'completed', null]]);
	});
});

describe('the first poll after n8n has started', () => {
	/** The trigger of an n8n that was ended after it had reported a job. */
	async function restarted(
		workflowId: string,
		mode?: 'init' | 'leadershipChange',
	): Promise<ActivePoll> {
		const jobId = await startAndEndJob();
		const before = activate(specific(`${jobId}, ${jobId + 1}`));
		await before.poll();
		const trigger = new ActivePoll({
			...service.setup(node),
			parameters: specific(`${jobId}, ${jobId + 1}`),
			staticData: before.savedStaticData,
			workflowId,
		});
		trigger.restart(mode);
		return trigger;
	}

	it.each(['init', 'leadershipChange'] as const)(
		'does not hold n8n up while the service does not respond: %s',
		async (mode) => {
			const trigger = await restarted(`held up by ${mode}`, mode);
			const timeout = AbortSignal.timeout.bind(AbortSignal);
			jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(Math.min(ms, 100)));
			const endFault = service.addFault({ kind: 'noResponse' }, 'GET', { count: 9 });
			expect(await trigger.poll()).toBeNull();
			endFault();
			const jobId = await startAndEndJob();
			expect(reported(await trigger.poll())).toEqual([[jobId, 'completed', null]]);
		},
	);

	it('does not end the activation while the service is away, and later ones say so', async () => {
		const trigger = await restarted('away');
		service.addFault({ kind: 'htmlPage' }, 'GET', { count: 2 });
		expect(await trigger.poll()).toBeNull();
		await expect(trigger.poll()).rejects.toThrow('web page');
		const jobId = await startAndEndJob();
		expect(reported(await trigger.poll())).toEqual([[jobId, 'completed', null]]);
	});

	it('is one again for a node that this process has polled for and n8n activates anew', async () => {
		const trigger = await restarted('activated twice');
		service.addFault({ kind: 'htmlPage' }, 'GET', { count: 2 });
		expect(await trigger.poll()).toBeNull();
		trigger.restart('leadershipChange');
		expect(await trigger.poll()).toBeNull();
	});
});

describe('a job that cannot be read', () => {
	it('is reported once after ten minutes and stops no other job', async () => {
		jobs.hold();
		const jobId = await startJob();
		const trigger = activate(specific(`777, ${jobId}`));
		expect(await trigger.poll()).toBeNull();
		await endJob(jobId);
		expect(reported(await trigger.poll())).toEqual([[jobId, 'completed', 'Pending']]);

		passTime(GRACE_MS);
		const [report] = jsons(await trigger.poll());
		expect(report).toEqual({
			jobId: 777,
			event: 'unreadable',
			previousStatus: null,
			status: null,
			hasEnded: false,
			hasErrors: false,
			problem: {
				message: 'The service has no such record: GET /bulkImportJobs/777',
				description: expect.stringContaining('Check the ID') as string,
				httpCode: 404,
			},
		});
		passTime(2 * GRACE_MS);
		expect(await trigger.poll()).toBeNull();
		trigger.restart();
		expect(await trigger.poll()).toBeNull();
	});

	it('at first has its end reported later', async () => {
		const jobId = await startAndEndJob();
		service.addFault({ kind: 'status', status: 404 }, `GET /bulkImportJobs/${jobId}`);
		const trigger = activate(specific(String(jobId)));
		expect(await trigger.poll()).toBeNull();
		expect(reported(await trigger.poll())).toEqual([[jobId, 'completed', null]]);
	});

	it.each<[string, FaultRequest['fault']]>([
		['a response that is a web page', { kind: 'htmlPage' }],
		['an empty response', { kind: 'emptyBody' }],
		['a rejection', { kind: 'status', status: 403 }],
	])('for %s stops no other job', async (_, kind) => {
		const [broken, good] = [await startAndEndJob(), await startAndEndJob()];
		service.addFault(kind, `GET /bulkImportJobs/${broken}`);
		const trigger = activate(specific(`${broken},${good}`));
		expect(reported(await trigger.poll())).toEqual([[good, 'completed', null]]);
		expect(reported(await trigger.poll())).toEqual([[broken, 'completed', null]]);
	});

	it('for a rejection of its own is reported even when it is the last one', async () => {
		const [rejected, good] = [await startAndEndJob(), await startAndEndJob()];
		service.addFault({ kind: 'status', status: 403 }, `GET /bulkImportJobs/${rejected}`, {
			count: 100,
		});
		const trigger = activate(specific(`${rejected},${good}`));
		await trigger.poll();
		passTime(GRACE_MS);
		expect(reported(await trigger.poll())).toEqual([[rejected, 'unreadable', null]]);
		service.sandbox.control.clearFaults();
		expect(reported(await trigger.poll())).toEqual([[rejected, 'completed', null]]);
	});
});

describe('a job with a status outside the contract', () => {
	it('is reported with it once it has not changed for six hours', async () => {
		jobs.hold();
		const jobId = await startJob();
		service.addFault({ kind: 'replaced', texts: { '"Pending"': '"Canceled"' } }, 'GET', {
			count: 9,
		});
		const trigger = activate(specific(String(jobId)));
		expect(await trigger.poll()).toBeNull();
		passTime(UNKNOWN_STATUS_MS);
		expect(jsons(await trigger.poll())).toEqual([
			expect.objectContaining({
				jobId,
				event: 'unreadable',
				status: 'Canceled',
				previousStatus: 'Canceled',
				hasEnded: false,
			}),
		]);
		passTime(2 * UNKNOWN_STATUS_MS);
		expect(await trigger.poll()).toBeNull();
	});
});

describe('a service that cannot be read', () => {
	it('is an error that names the reason, and nothing is lost', async () => {
		const jobId = await startAndEndJob();
		const trigger = activate(specific(String(jobId)));
		const rejected = () => service.addFault({ kind: 'status', status: 401 }, 'GET');
		rejected();
		await expect(trigger.poll()).rejects.toThrow(
			`The service did not accept the key for GET /bulkImportJobs/${jobId}`,
		);
		rejected();
		await expect(trigger.poll()).rejects.toThrow('did not accept the key');

		// Left alone for a while, then asked again.
		const calls = reads().length;
		expect(await trigger.poll()).toBeNull();
		expect(reads()).toHaveLength(calls);
		passTime(2 * 60_000);
		expect(reported(await trigger.poll())).toEqual([[jobId, 'completed', null]]);
	});

	it('rejects the activation with a key that may not read jobs', async () => {
		await expect(
			activate(specific('1'), { credential: { apiKey: RESTRICTED_KEY } }).poll(),
		).rejects.toThrow('This key is not allowed to use GET /bulkImportJobs/1');
	});

	it('is not asked for every job in vain', async () => {
		const jobIds = Array.from({ length: 50 }, (_, index) => 1000 + index);
		const trigger = activate(specific(jobIds.join(',')));
		service.addFault({ kind: 'status', status: 401 }, 'GET', { count: 1000 });
		await expect(trigger.poll()).rejects.toThrow('did not accept the key');
		// Those that were sent before the first response, which a busy machine may delay.
		expect(reads().length).toBeLessThan(40);
	});

	it('for a moment only delays the events of a poll', async () => {
		const jobIds = [await startAndEndJob(), await startAndEndJob()];
		service.addFault({ kind: 'status', status: 503 }, 'GET', { count: 2 });
		service.addFault({ kind: 'resetBefore' }, 'GET');
		const output = await activate(specific(jobIds.join(','))).poll();
		expect(reported(output).sort()).toEqual(jobIds.map((jobId) => [jobId, 'completed', null]));
	});
});

describe('all jobs', () => {
	it('are reported when they end, but not those that had ended before', async () => {
		await startAndEndJob();
		jobs.hold();
		const running = await startJob();
		const trigger = activate(all());
		expect(await trigger.poll()).toBeNull();
		const later = await startJob();
		await Promise.all([running, later].map(endJob));

		expect(reported(await trigger.poll())).toEqual([
			[running, 'completed', 'Pending'],
			[later, 'completed', null],
		]);
		expect(await trigger.poll()).toBeNull();
	});

	it('are reported once over restarts, also those that ended while n8n was down', async () => {
		await startAndEndJob();
		jobs.hold();
		const first = await startJob();
		const trigger = activate(all());
		await trigger.poll();
		await endJob(first);
		expect(reported(await trigger.poll())).toEqual([[first, 'completed', 'Pending']]);

		jobs.hold();
		const second = await startJob();
		expect(await trigger.poll()).toBeNull();
		await endJob(second);
		trigger.restart();
		expect(reported(await trigger.poll())).toEqual([[second, 'completed', null]]);
		trigger.restart();
		expect(await trigger.poll()).toBeNull();
	});

	it('need one call while nothing happens', async () => {
		await startAndEndJob();
		const trigger = activate(all());
		await trigger.poll();
		service.sandbox.control.clearRequests();
		await trigger.poll();
		expect(service.calls().map(({ path }) => path.replace(/\?.*/, ''))).toEqual([
			'/v2/bulkImportJobs',
		]);
	});

	it('of the deployment with the other words are listed too', async () => {
		const credential = credentialOf('Van') as IDataObject;
		const trigger = activate(all({ events: everyEvent }), { credential });
		expect(await trigger.poll()).toBeNull();
		jobs.hold();
		const jobId = await startJob();
		expect(reported(await trigger.poll())).toEqual([[jobId, 'statusChanged', null]]);
	});

	it('are looked at anew once the credential has another key', async () => {
		const trigger = activate(all({ events: everyEvent }), { credential: { apiKey: OTHER_KEY } });
		await trigger.poll();
		await startAndEndJob();
		const staticData = trigger.savedStaticData;
		const withKey = activate(all({ events: everyEvent }), { staticData });
		expect(await withKey.poll()).toBeNull();
		const jobId = await startAndEndJob();
		expect(reported(await withKey.poll())).toEqual([[jobId, 'completed', null]]);
	});

	it('cannot be watched where the service has no list of them', async () => {
		service.change({ styles: { bulkImportJobList: false } });
		await expect(activate(all()).poll()).rejects.toMatchObject({
			message: 'This deployment of the service has no list of import jobs',
			description: expect.stringContaining('Set Watch to "Specific Jobs"') as string,
		});
	});

	it('cannot be watched where the list does not say which of them have ended', async () => {
		await startAndEndJob();
		serveList({ items: [{ jobId: 91 }], nextPageLink: null, count: 1 });
		await expect(activate(all()).poll()).rejects.toMatchObject({
			message: "The service's list of jobs does not say which of them have ended",
			description: expect.stringContaining('Set Watch to "Specific Jobs"') as string,
		});
	});

	it('are reported as far as the list could be read', async () => {
		const trigger = activate(all());
		await trigger.poll();
		for (let index = 0; index < 201; index++) {
			await startJob({ failure: { kind: 'neverEnds' } });
		}
		const last = await startAndEndJob();
		service.addFault({ kind: 'htmlPage' }, 'GET', { skip: 1 });
		expect(await trigger.poll()).toBeNull();
		expect(reported(await trigger.poll())).toEqual([[last, 'completed', null]]);
	});
});

describe('a list of all jobs', () => {
	interface ListPage {
		items: unknown;
		/** Position of the next page; null for the last one. */
		next?: number | null;
		count?: unknown;
	}
	const webPage = 'web page';

	/** Adds the responses to the next requests for pages of the list. */
	const servePages = (...pages: Array<ListPage | typeof webPage>): void => {
		for (const page of pages) {
			if (page === webPage) service.addFault({ kind: 'htmlPage' }, 'GET /bulkImportJobs');
			else {
				const { next, ...rest } = page;
				serveList({ ...rest, nextPageLink: next ? linkTo(next) : null });
			}
		}
	};
	const jobsOf = (from: number, to: number) =>
		Array.from({ length: to - from + 1 }, (_, index) => ({ id: to - index, status: 'Completed' }));
	/** A list with the newest job first, in pages. */
	const pagesOf = (items: unknown[], size = 200): ListPage[] =>
		Array.from({ length: Math.ceil(items.length / size) }, (_, page) => {
			const next = (page + 1) * size;
			return {
				items: items.slice(page * size, next),
				next: next < items.length ? next : null,
				count: items.length,
			};
		});
	const ids = (output: INodeExecutionData[][] | null) => jsons(output).map(({ jobId }) => jobId);

	it('with more ended jobs than a poll can read loses none of them', async () => {
		const trigger = activate(all());
		await trigger.poll();
		const pages = pagesOf(jobsOf(1, 1200));
		servePages(...pages.slice(0, 3), webPage);
		expect(ids(await trigger.poll())).toHaveLength(600);
		trigger.restart();
		servePages(...pages.slice(0, 1), ...pages.slice(3));
		expect(ids(await trigger.poll())).toEqual(jobsOf(1, 600).map(({ id }) => id));
		servePages(...pages);
		expect(await trigger.poll()).toBeNull();
	});

	it.each<[string, ListPage[]]>([
		['its first page is empty and links to a next one', [{ items: [], next: 200, count: 500 }]],
		[
			'its second page is empty and links to a next one',
			[
				{ items: jobsOf(301, 500), next: 200, count: 500 },
				{ items: [], next: 400, count: 500 },
			],
		],
		['it says that it has more jobs', [{ items: jobsOf(301, 500), count: 500 }]],
		[
			'its second page has no jobs but other things',
			[
				{ items: jobsOf(301, 500), next: 200, count: 500 },
				{ items: [{ message: 'Skipped.' }, null], next: 400, count: 500 },
			],
		],
	])('does not begin while it is short because %s', async (_, short) => {
		const trigger = activate(all());
		servePages(...short);
		expect(await trigger.poll()).toBeNull();
		servePages(...pagesOf(jobsOf(1, 500)));
		expect(await trigger.poll()).toBeNull();
		servePages(...pagesOf(jobsOf(1, 501)));
		expect(ids(await trigger.poll())).toEqual([501]);
	});

	it('is an error if it stays short', async () => {
		const trigger = activate(all());
		const [short] = pagesOf(jobsOf(1, 300));
		for (let poll = 0; poll < 3; poll++) servePages({ items: short?.items, count: 300 });
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.poll()).toBeNull();
		await expect(trigger.poll()).rejects.toMatchObject({
			message: "The service's list of jobs is incomplete: it returned 200 of 300 jobs.",
			description: expect.stringContaining('set Watch to "Specific Jobs"') as string,
		});
	});

	it('ends where it links to a next page although all jobs that it counts were there', async () => {
		const trigger = activate(all());
		servePages({ items: jobsOf(1, 2), next: 200, count: 2 }, { items: [], next: 400, count: 2 });
		expect(await trigger.poll()).toBeNull();
		servePages({ items: jobsOf(1, 3) });
		expect(ids(await trigger.poll())).toEqual([3]);
	});

	it.each<[string, IDataObject]>([
		['result files without links', { resultFiles: [{ fileName: 'a.csv', sizeKb: 12 }] }],
		['links that are null', { resultFiles: [{ url: null }] }],
		['result files as text', { resultFiles: ['https://files.example.org/a.csv'] }],
		['result files that are no list', { resultFiles: {} }],
		['no status', { status: null }],
		['a status that is no text', { status: 3 }],
	])('whose entry of a job has %s has the job read by its ID', async (_, changes) => {
		const trigger = activate(all());
		await trigger.poll();
		const jobId = await startAndEndJob();
		servePages({ items: [{ id: jobId, status: 'Completed', ...changes }, ...jobsOf(1, 1)] });
		expect(jsons(await trigger.poll())).toEqual([
			expect.objectContaining({ jobId: 1 }),
			expect.objectContaining({
				jobId,
				event: 'completed',
				resultFiles: [expect.objectContaining({ url: expect.any(String) as string })],
			}),
		]);
		service.sandbox.control.clearRequests();
		servePages({ items: [{ id: jobId, status: 'Completed', ...changes }, ...jobsOf(1, 1)] });
		expect(await trigger.poll()).toBeNull();
		expect(reads()).toHaveLength(1);
	});

	it('begins once jobs without a status were read by their IDs, however many they are', async () => {
		service.addFault(
			{ kind: 'response', status: 200, body: { status: 'Completed' } },
			'/bulkImportJobs/',
			{ count: 130 },
		);
		const withoutStatus = jobsOf(1001, 1130).map(({ id }) => ({ id }));
		const items = [{ id: 1, status: 'Completed' }, ...withoutStatus];
		const trigger = activate(all());
		for (let poll = 0; poll < 2; poll++) {
			servePages({ items });
			expect(await trigger.poll()).toBeNull();
		}
		servePages({ items: [...items, { id: 2, status: 'Completed' }] });
		expect(ids(await trigger.poll())).toEqual([2]);
	});

	it('with a page that always fails hides no open job behind it, and becomes an error', async () => {
		jobs.hold();
		const jobId = await startJob();
		const trigger = activate(all());
		await trigger.poll();
		const [first = { items: [] }] = pagesOf(jobsOf(1, 201));
		servePages(first, webPage);
		expect(ids(await trigger.poll())).toHaveLength(200);
		await endJob(jobId);
		servePages(first, webPage);
		expect(reported(await trigger.poll())).toEqual([[jobId, 'completed', 'Pending']]);
		servePages(first, webPage);
		await expect(trigger.poll()).rejects.toThrow('web page');
	});

	describe('that is too long for one poll', () => {
		const old = jobsOf(1, 700);
		const pages = (items: unknown[]) => pagesOf(items, 10);

		it('reports what was added before its first page while it is read', async () => {
			const trigger = activate(all());
			servePages(...pages(old).slice(0, 50));
			expect(await trigger.poll()).toBeNull();
			const longer = pages([{ id: 9000, status: 'Completed' }, ...old]);
			servePages(...longer.slice(0, 1), ...longer.slice(50));
			expect(reported(await trigger.poll())).toEqual([[9000, 'completed', null]]);
			servePages(...longer.slice(0, 50));
			expect(await trigger.poll()).toBeNull();
			expect(skips().slice(50, 53)).toEqual([0, 500, 510]);
		});

		it('is read from its beginning if jobs left it meanwhile', async () => {
			const trigger = activate(all());
			servePages(...pages(old.toReversed()).slice(0, 50));
			expect(await trigger.poll()).toBeNull();
			const shorter = pages(old.toReversed().slice(30));
			servePages(...shorter.slice(0, 50));
			expect(await trigger.poll()).toBeNull();
			expect(skips().slice(50, 53)).toEqual([0, 10, 20]);
			servePages(...shorter.slice(0, 1), ...shorter.slice(50));
			expect(await trigger.poll()).toBeNull();
			servePages(...shorter.slice(0, 50));
			expect(await trigger.poll()).toBeNull();
		});

		it('is an error if it always changes before it was read', async () => {
			const trigger = activate(all());
			for (let poll = 0; poll < 3; poll++) {
				servePages(...pages(jobsOf(1 + 20 * poll, 700 + 20 * poll)).slice(0, 50));
				expect(await trigger.poll()).toBeNull();
			}
			servePages(...pages(jobsOf(61, 760)).slice(0, 50));
			await expect(trigger.poll()).rejects.toThrow('it changes faster than it can be read.');
		});
	});
});

describe('results', () => {
	const withResults = (results: string, changes: IDataObject = {}) =>
		({ options: { results, ...changes } }) as INodeParameters;

	it('come as one item per row, with the job beside it', async () => {
		const jobId = await startAndEndJob({ rows: goodRows + badRow });
		const rows = withResults('rows', { includedColumns: 'CrmId' });
		const output = jsons(await activate(specific(String(jobId), rows)).poll());

		expect(output.map(({ row, succeeded, columns }) => ({ row, succeeded, columns }))).toEqual([
			{ row: 1, succeeded: true, columns: { CrmId: 'c-1' } },
			{ row: 2, succeeded: true, columns: { CrmId: 'c-2' } },
			{ row: 3, succeeded: false, columns: { CrmId: 'c-3' } },
		]);
		for (const item of output) {
			expect(item).toMatchObject({
				jobId,
				event: 'completedWithErrors',
				previousStatus: null,
				job: { jobId, status: 'CompletedWithErrors', hasEnded: true },
			});
			expect(item.job).not.toHaveProperty('resultFiles');
		}
	});

	/** The next result files have this many rows. */
	const serveRows = (length: number, files = 1): void => {
		const header = 'BulkUploadDataID,ULFileID,PrimaryKey,PrimaryKeyType,Email';
		const rows = Array.from({ length }, (_, row) => `${row + 1},6,,,Processed`);
		service.addFault(
			{ kind: 'response', status: 200, body: `${[header, ...rows].join('\n')}\n` },
			'/results',
			{ count: files },
		);
	};

	it('come as one item per row, however many rows a file has', async () => {
		const count = MANY_ITEMS;
		const jobId = await startAndEndJob();
		serveRows(count);
		const output = jsons(await activate(specific(String(jobId), withResults('rows'))).poll());
		expect(output).toHaveLength(count);
		expect(output.at(-1)).toMatchObject({ jobId, row: count, succeeded: true });
	});

	it('of jobs with many rows come over several polls, which n8n can store', async () => {
		const [one, two, three] = [
			await startAndEndJob(),
			await startAndEndJob(),
			await startAndEndJob(),
		];
		serveRows(60_000, 3);
		const trigger = activate(specific(`${one},${two},${three}`, withResults('rows')));
		const idsOf = (items: IDataObject[]) => [...new Set(items.map(({ jobId }) => jobId))];
		expect(idsOf(jsons(await trigger.poll()))).toEqual([one, two]);
		expect(idsOf(jsons(await trigger.poll()))).toEqual([three]);
		expect(await trigger.poll()).toBeNull();
	});

	it('come as files, with the job beside each', async () => {
		const jobId = await startAndEndJob();
		const output = await activate(specific(String(jobId), withResults('binary'))).poll();
		const [file, ...more] = output?.[0] ?? [];

		expect(more).toEqual([]);
		expect(file).toMatchObject({
			json: { jobId, event: 'completed', status: 'Completed', fileNumber: 1, files: 1 },
			binary: { data: { mimeType: 'text/csv', fileName: `job-${jobId}-results-1.csv` } },
		});
		expect((await readBinary(file, 'data')).toString()).toMatch(/^BulkUploadDataID,ULFileID,/);
		expect(service.sandbox.control.stats().leakedCredentials).toBe(0);
	});

	it.each(['rows', 'binary'])('as %s of a failed job are one item without', async (results) => {
		const jobId = await startAndEndJob({ failure: { kind: 'fail', text: 'Turf is not known.' } });
		const output = jsons(await activate(specific(String(jobId), withResults(results))).poll());
		expect(output).toHaveLength(1);
		expect(output[0]).toMatchObject({ jobId, event: 'failed', previousStatus: null });
		expect(JSON.stringify(output)).toContain('Turf is not known.');
	});

	it.each([
		['jobs without their files', '"otherFiles":['],
		['no file for any job', '"resultFiles":[],"otherFiles":['],
		['null for the files of jobs', '"resultFiles":null,"otherFiles":['],
	])('come from a list that shows %s', async (_, shown) => {
		const trigger = activate(all(withResults('rows')));
		await trigger.poll();
		const jobId = await startAndEndJob();
		service.addFault(
			{ kind: 'replaced', texts: { '"resultFiles":[': shown } },
			'GET /bulkImportJobs',
		);
		const output = jsons(await trigger.poll());
		expect(output.map(({ jobId: job, row }) => [job, row])).toEqual([
			[jobId, 1],
			[jobId, 2],
		]);
	});

	it('that cannot be had hold back their own job only, until they can', async () => {
		const [broken, good] = [await startAndEndJob(), await startAndEndJob()];
		const trigger = activate(specific(`${broken},${good}`, withResults('binary')));
		service.addFault({ kind: 'status', status: 404 }, 'GET /results');
		const first = jsons(await trigger.poll()).map(({ jobId }) => jobId);
		trigger.restart();
		const second = jsons(await trigger.poll()).map(({ jobId }) => jobId);

		expect(first).toHaveLength(1);
		expect([...first, ...second].sort()).toEqual([broken, good]);
		expect(await trigger.poll()).toBeNull();
	});

	it('that n8n does not wait for when it starts come with the next poll', async () => {
		const [broken, good] = [await startAndEndJob(), await startAndEndJob()];
		const trigger = activate(specific(`${broken},${good}`, withResults('rows')), {
			workflowId: 'slow results',
		});
		service.addFault({ kind: 'status', status: 404 }, '/results');
		const first = jsons(await trigger.poll());

		const restarted = activate(specific(`${broken},${good}`, withResults('rows')), {
			staticData: trigger.savedStaticData,
			workflowId: 'slow results, restarted',
		});
		restarted.restart();
		passTime(GRACE_MS);
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(Math.min(ms, 100)));
		service.addFault({ kind: 'noResponse' }, '/results');
		expect(await restarted.poll()).toBeNull();
		const second = jsons(await restarted.poll());
		expect([...first, ...second].map(({ jobId, row }) => [jobId, row]).sort()).toEqual([
			[broken, 1],
			[broken, 2],
			[good, 1],
			[good, 2],
		]);
	});

	it('that are gone do not hold back the end of the job for ever', async () => {
		const jobId = await startAndEndJob();
		service.sandbox.control.expireResults();
		const trigger = activate(specific(String(jobId), withResults('rows')));
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.poll()).toBeNull();
		passTime(GRACE_MS);

		const [item, ...more] = jsons(await trigger.poll());
		expect(more).toEqual([]);
		expect(item).toMatchObject({
			jobId,
			event: 'completed',
			resultsProblem: { message: expect.stringMatching(/^Result file 1 /) as string },
			job: { status: 'Completed' },
		});
		expect(await trigger.poll()).toBeNull();
	});

	it('of many jobs that ended together come over several polls', async () => {
		const jobIds = await Promise.all(
			Array.from({ length: 25 }, async () => await startAndEndJob()),
		);
		const trigger = activate(specific(jobIds.join(','), withResults('rows')));
		const counts = [];
		const seen: unknown[] = [];
		for (let poll = 0; poll < 3; poll++) {
			const output = jsons(await trigger.poll());
			counts.push(output.length);
			seen.push(...output.map(({ jobId }) => jobId));
		}
		expect(counts).toEqual([40, 10, 0]);
		expect(new Set(seen)).toEqual(new Set(jobIds));
	});

	it('that had to wait for those of other jobs have ten minutes of their own', async () => {
		const jobIds = await Promise.all(
			Array.from({ length: 21 }, async () => await startAndEndJob()),
		);
		const trigger = activate(specific(jobIds.join(','), withResults('rows')));
		const output = jsons(await trigger.poll());
		expect(output).toHaveLength(40);
		passTime(GRACE_MS);
		service.addFault({ kind: 'status', status: 404 }, '/results');
		expect(await trigger.poll()).toBeNull();
		output.push(...jsons(await trigger.poll()));
		expect(output).toHaveLength(42);
		expect(new Set(output.map(({ jobId }) => jobId))).toEqual(new Set(jobIds));
	});

	it('that were not tried yet come before those that could not be read', async () => {
		const jobIds = await Promise.all(
			Array.from({ length: 21 }, async () => await startAndEndJob()),
		);
		const trigger = activate(specific(jobIds.join(','), withResults('rows')));
		const missing = service.addFault({ kind: 'status', status: 404 }, '/results', { count: 20 });
		expect(await trigger.poll()).toBeNull();
		missing();
		expect(jsons(await trigger.poll())[0]).toMatchObject({ jobId: jobIds.at(-1), row: 1 });
	});
});

describe('a test run in the editor', () => {
	const testTrigger = async (parameters: INodeParameters, staticData: IDataObject = {}) =>
		await runNode({ ...service.setup(node), parameters, mode: 'manual', staticData });

	it('shows chosen jobs as they are and changes nothing', async () => {
		const [done, running] = [
			await startAndEndJob(),
			await startJob({ failure: { kind: 'neverEnds' } }),
		];
		const parameters = specific(`${done},${running},777`, { events: ['failed'] });
		const trigger = activate(parameters);
		await trigger.poll();
		const saved = trigger.savedStaticData;
		const run = await testTrigger(parameters, saved);

		expect(run.error).toBeUndefined();
		expect(jsons(run.outputs)).toMatchObject([
			{ jobId: done, event: 'completed', previousStatus: null, hasEnded: true },
			{ jobId: running, event: 'statusChanged', previousStatus: null, hasEnded: false },
			{ jobId: 777, event: 'unreadable', problem: { httpCode: 404 } },
		]);
		expect(run.staticData).toEqual(saved);
		expect(jsons((await testTrigger(parameters, saved)).outputs)).toHaveLength(3);
	});

	it('shows the newest of all jobs, with its results', async () => {
		await startAndEndJob();
		const newest = await startAndEndJob();
		const run = await testTrigger(all({ options: { results: 'rows' } }));
		expect(jsons(run.outputs).map(({ jobId, row }) => [jobId, row])).toEqual([
			[newest, 1],
			[newest, 2],
		]);
		expect(run.staticData).toEqual({});
	});

	it('says so when there is no job yet', async () => {
		const run = await testTrigger(all());
		expect(run.error?.message).toBe('The service has no import job yet');
	});

	it('says so when the job cannot be read', async () => {
		const run = await testTrigger(specific('777'));
		expect(run.error?.message).toBe('The service has no such record: GET /bulkImportJobs/777');
	});
});

describe('200 watched jobs', () => {
	it('are read in turn, a bounded number at a time, with little to remember', async () => {
		const running = [];
		for (let index = 0; index < 199; index++) {
			running.push(await startJob({ failure: { kind: 'neverEnds' } }));
		}
		const last = await startAndEndJob();
		service.sandbox.control.clearRequests();
		service.change({ maxConcurrentRequests: 4 });
		const trigger = activate(specific([...running, last].join(','), { events: everyEvent }));

		const first = await trigger.poll();
		expect(reads()).toHaveLength(100);
		const second = await trigger.poll();
		expect(reads()).toHaveLength(200);
		expect(new Set(reads().map(({ path }) => path)).size).toBe(200);
		expect(service.sandbox.control.stats().status429).toBe(0);

		expect(reported(first)).toHaveLength(100);
		expect(reported(second).filter(([jobId]) => jobId === last)).toEqual([
			[last, 'completed', null],
		]);
		expect(JSON.stringify(trigger.savedStaticData).length).toBeLessThan(32_000);
		expect(await trigger.poll()).toBeNull();
	});
});

describe('a long list of all jobs', () => {
	const PAGE = 200;
	// Below those of the sandbox, whose jobs are new.
	const HIGHEST = 80_000;

	/** Pages of the service's list, one after the other, as its clients would ask for them. */
	const servePages = (pages: number, jobsOf: (page: number) => IDataObject[], from = 1): void => {
		for (let page = from; page < from + pages; page++)
			serveList({ items: jobsOf(page), nextPageLink: linkTo(page * PAGE) });
	};
	const completed = (page: number) =>
		Array.from({ length: 20 }, (_, index) => ({
			id: HIGHEST - page * PAGE - index,
			status: 'Completed',
		}));

	it('is read in portions that go on where the poll before stopped', async () => {
		const trigger = activate(all());
		servePages(50, completed);
		expect(await trigger.poll()).toBeNull();
		expect(skips()).toHaveLength(50);

		service.sandbox.control.reset();
		servePages(1, completed);
		servePages(3, completed, 51);
		expect(await trigger.poll()).toBeNull();
		// The first page may have the newest jobs; then the list continues, and its end is read.
		expect(skips().slice(0, 3)).toEqual([0, 50 * PAGE, 51 * PAGE]);

		const jobId = await startAndEndJob();
		expect(reported(await trigger.poll())).toEqual([[jobId, 'completed', null]]);
	});

	it('does not end at an empty page: the jobs behind it would look new later', async () => {
		const trigger = activate(all());
		servePages(3, (page) => (page === 2 ? [] : completed(page)));
		expect(await trigger.poll()).toBeNull();
		servePages(2, (page) => completed(2 * page - 1));
		expect(await trigger.poll()).toBeNull();
	});

	it('ends after empty pages only', async () => {
		const trigger = activate(all());
		servePages(50, (page) => (page === 1 ? completed(page) : []));
		expect(await trigger.poll()).toBeNull();
		expect(skips()).toHaveLength(12);
	});

	it('ends where it only repeats the same jobs', async () => {
		const trigger = activate(all());
		servePages(10, () => completed(1));
		expect(await trigger.poll()).toBeNull();
		expect(skips()).toHaveLength(2);
	});

	it('is an error if its second page can never be read, once the events of the first are out', async () => {
		const trigger = activate(all());
		await trigger.poll();
		const nextPageLink = 'https://other.example.org/v2/bulkImportJobs';
		const pageOne = (...items: IDataObject[]) => serveList({ items, nextPageLink });
		pageOne({ id: 7, status: 'Completed' });
		expect(reported(await trigger.poll())).toEqual([[7, 'completed', null]]);
		pageOne({ id: 7, status: 'Completed' });
		await expect(trigger.poll()).rejects.toThrow('The list continues at another address');
		pageOne({ id: 8, status: 'Completed' }, { id: 7, status: 'Completed' });
		expect(reported(await trigger.poll())).toEqual([[8, 'completed', null]]);
	});

	it('begins again if the service no longer accepts the link of the page', async () => {
		const trigger = activate(all());
		servePages(50, completed);
		await trigger.poll();
		service.sandbox.control.reset();
		servePages(1, completed);
		service.addFault({ kind: 'response', status: 400, body: { errors: [{ text: 'Old link.' }] } });
		expect(await trigger.poll()).toBeNull();
		expect(skips()).toEqual([0, 50 * PAGE, 0]);
	});
});
