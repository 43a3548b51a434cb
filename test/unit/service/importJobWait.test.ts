import {
	nextLookDelay,
	nextSleep,
	type Sleep,
	waitForJobs,
	type WaitPlan,
} from '../../../nodes/shared/service/importJobWait';
import { ServiceError } from '../../../nodes/shared/service/serviceErrors';
import { CallCancelled } from '../../../nodes/shared/transport/cancellation';
import { type ScriptedResponse, errorOf, scriptedService } from './scriptedService';

const plan: WaitPlan = { pollIntervalMs: 15_000, maxWaitMs: 3_600_000 };
const running: ScriptedResponse = { status: 200, body: { status: 'InProgress' } };
const completed: ScriptedResponse = { status: 200, body: { status: 'Completed', resultFiles: [] } };
const notFound: ScriptedResponse = {
	status: 404,
	body: { errors: [{ code: 'NOT_FOUND', text: 'None.' }] },
};

/** A service whose job `id` responds as scripted; `look` counts the reads of that job from 0. */
function serviceWith(response: (jobId: number, look: number, at: number) => ScriptedResponse) {
	const looks = new Map<number, number>();
	const scripted = scriptedService(({ path }) => {
		const jobId = Number(path.split('/').pop());
		const look = looks.get(jobId) ?? 0;
		looks.set(jobId, look + 1);
		return response(jobId, look, scripted.clock.now());
	});
	const times = (jobId: number): number[] =>
		scripted.requests
			.filter(({ path }) => path === `/bulkImportJobs/${jobId}`)
			.map(({ at }) => Math.round(at / 1000));
	return { ...scripted, times };
}

describe('the delay between looks', () => {
	test('doubles up to the poll interval, then grows slowly to four times it', () => {
		const delays = [1000];
		for (let look = 0; look < 14; look++) delays.push(nextLookDelay(delays.at(-1) ?? 0, 15_000));
		expect(delays.slice(0, 6)).toEqual([1000, 2000, 4000, 8000, 15_000, 18_750]);
		expect(delays.at(-1)).toBe(60_000);
	});
});

test('a job is looked at soon after its start and more rarely later', async () => {
	const { service, clock, times } = serviceWith((_, look) => (look < 8 ? running : completed));
	await clock.runUntil(waitForJobs(service, [7], plan));
	expect(times(7)).toEqual([0, 1, 3, 7, 15, 30, 49, 72, 101]);
});

test('all jobs are looked at from the beginning, none waits for another', async () => {
	const { service, clock, requests, times } = serviceWith((jobId, look) =>
		jobId === 1 && look < 10 ? running : completed,
	);
	const ended = await clock.runUntil(waitForJobs(service, [1, 2, 3], plan));
	expect([...ended.keys()].sort()).toEqual([1, 2, 3]);
	expect(requests.slice(0, 3).map(({ path }) => path)).toEqual([
		'/bulkImportJobs/1',
		'/bulkImportJobs/2',
		'/bulkImportJobs/3',
	]);
	expect(times(2)).toHaveLength(1);
	expect(times(3)).toHaveLength(1);
});

test('a job that is not readable in its first minute is looked for again', async () => {
	const { service, clock } = serviceWith((_, __, at) => (at < 40_000 ? notFound : completed));
	const ended = await clock.runUntil(waitForJobs(service, [7], plan));
	expect(ended.get(7)).toHaveProperty('record');
});

test('a job that is unknown after its first minute does not exist', async () => {
	const { service, clock } = serviceWith(() => notFound);
	const ended = await clock.runUntil(waitForJobs(service, [7], plan));
	expect(ended.get(7)).toMatchObject({ error: { details: { httpCode: 404 } } });
	expect(clock.now()).toBeGreaterThanOrEqual(60_000);
	expect(clock.now()).toBeLessThan(120_000);
});

test('a job that was readable is looked for again when it is not found for a moment', async () => {
	const { service, clock } = serviceWith((_, look) =>
		look === 8 ? notFound : look < 12 ? running : completed,
	);
	const ended = await clock.runUntil(waitForJobs(service, [7], plan));
	expect(ended.get(7)).toHaveProperty('record');
});

test('a job that was readable and is not found any more ends the waiting', async () => {
	const { service, clock } = serviceWith((_, look) => (look < 8 ? running : notFound));
	const ended = await clock.runUntil(waitForJobs(service, [7], plan));
	expect(ended.get(7)).toMatchObject({ error: { details: { httpCode: 404 } } });
	expect(clock.now()).toBeLessThan(300_000);
});

test('a job that is not found for a moment after a sleep is looked for again', async () => {
	const { service, clock, times } = serviceWith((_, look) => (look === 0 ? notFound : running));
	const ended = await clock.runUntil(waitForJobs(service, [7], plan, 900_000, 0));
	expect(ended.get(7)).toHaveProperty('isOpen');
	expect(times(7)).toEqual([0, 1]);
});

test('a job that is not found for a minute after a sleep does not exist any more', async () => {
	const { service, clock } = serviceWith(() => notFound);
	const ended = await clock.runUntil(waitForJobs(service, [7], plan, 900_000, 0));
	expect(ended.get(7)).toMatchObject({ error: { details: { httpCode: 404 } } });
	expect(clock.now()).toBeLessThan(120_000);
});

test('an outage that follows does not make the look after a sleep endless', async () => {
	const { service, clock } = serviceWith((_, look) =>
		look === 0 ? notFound : { status: 502, body: '' },
	);
	const ended = await clock.runUntil(waitForJobs(service, [7], plan, 900_000, 0));
	expect(ended.get(7)).toHaveProperty('isOpen');
});

test('an outage of the service does not end the waiting', async () => {
	const { service, clock } = serviceWith((_, __, at) =>
		at < 5000 ? running : at < 600_000 ? { status: 502, body: 'bad gateway' } : completed,
	);
	const ended = await clock.runUntil(waitForJobs(service, [7], plan));
	expect(ended.get(7)).toHaveProperty('record');
});

test('a wait that ends in an outage says so', async () => {
	const { service, clock } = serviceWith((_, look) =>
		look < 3 ? running : { status: 502, body: 'bad gateway' },
	);
	const ended = await clock.runUntil(waitForJobs(service, [7], plan));
	const description = expect.stringContaining('The last check failed: ') as string;
	expect(ended.get(7)).toMatchObject({ isOpen: true, error: { details: { description } } });
});

test('a job with nothing but its status and errors is a job, not an error', async () => {
	const errors = [{ text: 'The turf is not known.' }];
	const { service, clock } = serviceWith(() => ({
		status: 200,
		body: { status: 'Failed', errors },
	}));
	const ended = await clock.runUntil(waitForJobs(service, [7], plan));
	expect(ended.get(7)).toMatchObject({ record: { status: 'Failed', errors } });
});

test('an error with a status of its own is no job', async () => {
	const body = { status: 'error', errors: [{ text: 'No such job.' }] };
	const { service, clock } = serviceWith(() => ({ status: 200, body }));
	const ended = await clock.runUntil(waitForJobs(service, [7], plan));
	expect(ended.get(7)).toHaveProperty('error');
});

test.each([401, 403])('a %d ends the waiting for the job at once', async (status) => {
	const { service, clock, requests } = serviceWith(() => ({ status, body: '' }));
	const ended = await clock.runUntil(waitForJobs(service, [7], plan));
	expect(ended.get(7)).toMatchObject({ error: { details: { httpCode: status } } });
	expect(requests).toHaveLength(1);
});

test('a rejection for one job leaves the others awaited', async () => {
	const { service, clock } = serviceWith((jobId, look) =>
		jobId === 1 ? { status: 403, body: '' } : look < 3 ? running : completed,
	);
	const ended = await clock.runUntil(waitForJobs(service, [1, 2], plan));
	expect(ended.get(1)).toHaveProperty('error');
	expect(ended.get(2)).toHaveProperty('record');
});

describe('a job that does not end in time', () => {
	const short: WaitPlan = { pollIntervalMs: 15_000, maxWaitMs: 90_000 };

	test('is reported in words if its status is empty', async () => {
		const { service, clock } = serviceWith(() => ({ ...running, body: { status: '' } }));
		const minute = { ...short, maxWaitMs: 60_000 };
		const ended = await clock.runUntil(waitForJobs(service, [7], minute));
		const message =
			'Import job 7 is not known to have ended after 1 minute; its last status was blank';
		expect(ended.get(7)).toMatchObject({ error: { message } });
	});

	test('is reported with its last status and what to do', async () => {
		const { service, clock } = serviceWith(() => running);
		const ended = await clock.runUntil(waitForJobs(service, [7], short));
		const end = ended.get(7);
		expect(end).toMatchObject({ error: expect.any(ServiceError) });
		expect(end).toMatchObject({
			error: {
				message: 'Import job 7 has not ended after 1.5 minutes; its last status was InProgress',
				details: { replayable: true, outcomeUnknown: false },
			},
		});
		expect(end).toMatchObject({
			error: { details: { description: expect.stringContaining('Do not start it again') } },
		});
		expect(clock.now()).toBe(90_000);
	});

	test('is reported with its last status, also if that is blank', async () => {
		const { service, clock } = serviceWith((_, look) =>
			look === 0 ? running : { status: 200, body: { id: 7, status: '' } },
		);
		const ended = await clock.runUntil(waitForJobs(service, [7], short));
		const message =
			'Import job 7 is not known to have ended after 1.5 minutes; its last status was blank';
		expect(ended.get(7)).toMatchObject({ error: { message } });
	});

	test('is reported with the last fault when it was never readable', async () => {
		const { service, clock } = serviceWith(() => ({ status: 500, body: '' }));
		const ended = await clock.runUntil(waitForJobs(service, [7], short));
		expect(ended.get(7)).toMatchObject({ error: { details: { httpCode: 500 } } });
	});
});

test('cancelling ends the waiting within a second', async () => {
	const cancel = new AbortController();
	const { service, clock, requests } = scriptedService(() => running, { signal: cancel.signal });
	const waiting = errorOf(waitForJobs(service, [1, 2], plan));
	await clock.advance(100_000);
	const sent = requests.length;
	cancel.abort();
	expect(await clock.runUntil(waiting)).toBeInstanceOf(CallCancelled);
	expect(clock.now()).toBeLessThanOrEqual(101_000);
	expect(requests).toHaveLength(sent);
});

describe('the sleeps of a long wait', () => {
	const plan = { pollIntervalMs: 15_000, maxWaitMs: 24 * 60 * 60_000 };

	test('grow from half a minute to a quarter of an hour, and end with the wait', () => {
		const sleeps: Sleep[] = [];
		for (let now = 5; ; now = sleeps.at(-1)?.until ?? 0) {
			const sleep = nextSleep(5, sleeps.at(-1), plan, now);
			if (!sleep) break;
			expect(sleep).toMatchObject({ since: 5, begunAt: now });
			sleeps.push(sleep);
		}
		const lengths = sleeps.map(({ begunAt, until }) => until - begunAt);
		expect(lengths[0]).toBe(30_000);
		expect(Math.max(...lengths)).toBeLessThanOrEqual(15 * 60_000);
		expect(sleeps.at(-1)?.until).toBe(5 + plan.maxWaitMs);
		expect(sleeps.length).toBeLessThan(800);
	});

	test('start where the one before ended early', () => {
		const first = nextSleep(0, undefined, plan, 0);
		expect(nextSleep(0, first, plan, 1000)?.begunAt).toBe(1000);
	});
});
