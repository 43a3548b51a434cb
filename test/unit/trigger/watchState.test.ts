import fc from 'fast-check';

import { countAdded } from '../../../nodes/NativeBulkImportTrigger/jobList';
import {
	afterListing,
	afterObservations,
	goesWithoutResults,
	GRACE_MS,
	isListBroken,
	type JobEvent,
	type JobEventName,
	jobEventNames,
	jobsToRead,
	type Observation,
	restoreState,
	UNKNOWN_STATUS_MS,
	type Watch,
	type WatchState,
} from '../../../nodes/NativeBulkImportTrigger/watchState';
import { repetitions } from '../../support/randomCases';

const watchOf = (jobIds: number[] | undefined, events: JobEventName[]): Watch => ({
	scope: jobIds ? 'specific 1' : 'all 1',
	jobIds,
	events: new Set(events),
});
const everything = [...jobEventNames];
const read = (jobId: number, status: string | null): Observation => ({
	kind: 'read',
	jobId,
	status,
});
const start = (watch: Watch) => restoreState(undefined, watch);

/** Spellings of the end of a job (service.md 2.7) with what they mean. */
const endings: Array<[status: string, meaning: JobEventName]> = [
	['Completed', 'completed'],
	['Complete', 'completed'],
	['COMPLETED', 'completed'],
	['CompletedWithErrors', 'completedWithErrors'],
	['CompletedWithError', 'completedWithErrors'],
	['Completed with errors', 'completedWithErrors'],
	['Failed', 'failed'],
	['failed', 'failed'],
	['Error', 'failed'],
];

const runningStatuses = ['Pending', 'InProgress', 'InProgressWithErrors', 'InProcess', 'Queued'];

interface Reported extends JobEvent {
	/** The status the service had shown when this was reported; null where it showed none. */
	status: string | null;
}

/** A job of the simulated service: the statuses it goes through, the last one being its end. */
interface ScriptedJob {
	statuses: string[];
	meaning: JobEventName;
}

interface World {
	jobs: ScriptedJob[];
	events: JobEventName[];
	/** How many jobs one poll may read one by one. */
	mostReads: number;
}

type Step =
	| { kind: 'advance'; job: number }
	| { kind: 'create' }
	| { kind: 'time'; ms: number }
	/** `hidden` and `unlisted` say by position which jobs the service hides or does not list. */
	| { kind: 'poll'; hidden: boolean[]; unlisted: boolean[]; resultsFail: boolean; crashes: boolean }
	| { kind: 'restart' };

/** n8n with the trigger in an active workflow: saves the state with an emission, and at activation. */
class Simulation {
	readonly reported: Reported[] = [];
	private now = 1_700_000_000_000;
	private readonly position: number[];
	private created: number;
	private memory: string | undefined;
	private saved: string | undefined;
	private readonly watch: Watch;

	constructor(
		private readonly world: World,
		mode: 'specific' | 'all',
		/** How many of the jobs exist at activation, and their statuses. */
		atActivation: number[] = [],
		/** Which of them the list leaves out at activation, by position. */
		unlisted: boolean[] = [],
	) {
		this.position = world.jobs.map(({ statuses }, index) =>
			Math.min(atActivation[index] ?? 0, statuses.length - 1),
		);
		this.created = mode === 'specific' ? world.jobs.length : atActivation.length;
		this.watch = watchOf(
			mode === 'specific' ? world.jobs.map((_, index) => idOf(index)) : undefined,
			world.events,
		);
		this.poll({ hidden: [], unlisted, resultsFail: false, crashes: false });
		this.saved = this.memory;
	}

	hasEnded(index: number): boolean {
		return this.position[index] === (this.world.jobs[index]?.statuses.length ?? 0) - 1;
	}

	take(step: Step): void {
		if (step.kind === 'time') this.now += step.ms;
		else if (step.kind === 'create')
			this.created = Math.min(this.created + 1, this.world.jobs.length);
		else if (step.kind === 'restart') this.memory = this.saved;
		else if (step.kind === 'poll') this.poll(step);
		else {
			const index = step.job % this.world.jobs.length;
			const last = (this.world.jobs[index]?.statuses.length ?? 1) - 1;
			if (index < this.created)
				this.position[index] = Math.min((this.position[index] ?? 0) + 1, last);
		}
	}

	/** Lets every job end, with a service that can be read. */
	finish(): void {
		const { jobs } = this.world;
		this.created = jobs.length;
		jobs.forEach(({ statuses }, index) => (this.position[index] = statuses.length - 1));
		for (let poll = 0; poll <= jobs.length; poll++) this.pollQuietly();
	}

	pollQuietly(): void {
		this.poll({ hidden: [], unlisted: [], resultsFail: false, crashes: false });
	}

	private statusOf(jobId: number): string | undefined {
		const index = jobId - idOf(0);
		if (index >= this.created) return undefined;
		return this.world.jobs[index]?.statuses[this.position[index] ?? 0];
	}

	private poll({ hidden, unlisted, resultsFail, crashes }: Omit<Step & { kind: 'poll' }, 'kind'>) {
		const state = restoreState(
			this.memory === undefined ? undefined : (JSON.parse(this.memory) as unknown),
			this.watch,
		);
		const ids = this.world.jobs.map((_, index) => idOf(index)).slice(0, this.created);
		const listed = this.watch.jobIds ? [] : ids.filter((_, index) => !unlisted[index]);
		const isWhole = this.watch.jobIds !== undefined || listed.length === ids.length;
		const asked = jobsToRead(state, this.watch, new Set(listed)).slice(0, this.world.mostReads);
		const observations = [
			...listed.map((jobId) => read(jobId, this.statusOf(jobId) ?? null)),
			...asked.map((jobId): Observation => {
				const status = this.statusOf(jobId);
				return hidden[jobId - idOf(0)] || status === undefined
					? { kind: 'unreadable', jobId }
					: read(jobId, status);
			}),
		];
		const first = afterObservations(state, this.watch, observations, this.now, isWhole);
		const withoutResults = new Set(
			first.events
				.filter(
					({ jobId, event }) =>
						resultsFail && event !== 'unreadable' && !goesWithoutResults(state, jobId, this.now),
				)
				.map(({ jobId }) => jobId),
		);
		const reported = observations.map(
			(observation): Observation =>
				withoutResults.has(observation.jobId)
					? { kind: 'withoutResults', jobId: observation.jobId }
					: observation,
		);
		const { state: after, events } = afterObservations(
			state,
			this.watch,
			reported,
			this.now,
			isWhole,
		);
		if (crashes) return;
		this.memory = JSON.stringify({ ...after, lastRead: asked.at(-1) ?? state.lastRead });
		if (events.length === 0) return;
		this.saved = this.memory;
		const status = (jobId: number, event: JobEventName) =>
			event === 'unreadable' ? null : (this.statusOf(jobId) ?? null);
		this.reported.push(
			...events.map((event) => ({ ...event, status: status(event.jobId, event.event) })),
		);
	}
}

const idOf = (index: number) => 90_000 + index;

const job = fc
	.record({
		running: fc.uniqueArray(fc.constantFrom(...runningStatuses), { maxLength: 3 }),
		ending: fc.constantFrom(...endings),
	})
	.map(
		({ running, ending: [status, meaning] }): ScriptedJob => ({
			statuses: [...running, status],
			meaning,
		}),
	);

const world = fc.record<World>({
	jobs: fc.array(job, { minLength: 1, maxLength: 6 }),
	events: fc.subarray(everything),
	mostReads: fc.integer({ min: 1, max: 7 }),
});

const flags = fc.array(fc.boolean(), { maxLength: 6 });
const steps = fc.array(
	fc.oneof(
		fc.record({ kind: fc.constant('advance' as const), job: fc.nat(5) }),
		fc.record({ kind: fc.constant('create' as const) }),
		fc.record({
			kind: fc.constant('time' as const),
			ms: fc.integer({ min: -GRACE_MS, max: GRACE_MS }),
		}),
		fc.record({
			kind: fc.constant('poll' as const),
			hidden: flags,
			unlisted: flags,
			resultsFail: fc.boolean(),
			crashes: fc.boolean(),
		}),
		fc.record({ kind: fc.constant('restart' as const) }),
	),
	{ maxLength: 40 },
);

/** The event the end of a job has to be reported with; undefined for none. */
const endEvent = ({ meaning }: ScriptedJob, events: JobEventName[]): JobEventName | undefined => {
	if (events.includes(meaning)) return meaning;
	return events.includes('statusChanged') ? 'statusChanged' : undefined;
};

const ofJob = (reported: Reported[], index: number) =>
	reported.filter(({ jobId, event }) => jobId === idOf(index) && event !== 'unreadable');

/** Whatever happens, the events of a job follow each other without gap or repetition. */
function expectChain(reported: Reported[], { jobs, events }: World, beginsWithNull: boolean) {
	jobs.forEach(({ statuses }, index) => {
		const chain = ofJob(reported, index);
		const positions = chain.map(({ status }) => statuses.indexOf(status ?? ''));
		expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
		if (!events.includes('statusChanged')) return;
		chain.forEach(({ previousStatus }, position) => {
			const before = chain[position - 1];
			if (before) expect(previousStatus).toBe(before.status);
			else if (beginsWithNull) expect(previousStatus).toBeNull();
		});
	});
}

function expectEnds(
	reported: Reported[],
	{ jobs, events }: World,
	isExpected: (index: number) => boolean,
) {
	jobs.forEach((scripted, index) => {
		const end = scripted.statuses.at(-1);
		const wanted = isExpected(index) ? endEvent(scripted, events) : undefined;
		expect(
			ofJob(reported, index)
				.filter(({ status }) => status === end)
				.map(({ event }) => event),
		).toEqual(wanted ? [wanted] : []);
	});
	jobs.forEach((_, index) => {
		const reports = reported.filter(
			({ jobId, event }) => jobId === idOf(index) && event === 'unreadable',
		);
		if (!events.includes('unreadable')) expect(reports).toEqual([]);
	});
}

describe('every chosen event of a job is reported once, in whatever order jobs move, polls fail and n8n restarts', () => {
	it('for chosen jobs', () => {
		fc.assert(
			fc.property(world, steps, (given, taken) => {
				const simulation = new Simulation(given, 'specific');
				taken.forEach((step) => simulation.take(step));
				simulation.finish();

				expectEnds(simulation.reported, given, () => true);
				expectChain(simulation.reported, given, true);
				const reports = simulation.reported.filter(({ event }) => event === 'unreadable');
				expect(new Set(reports.map(({ jobId }) => jobId)).size).toBe(reports.length);
			}),
			{ numRuns: repetitions(2000) },
		);
	});

	it('for all jobs but those that had ended at activation', () => {
		fc.assert(
			fc.property(
				world,
				fc.array(fc.nat(3), { maxLength: 6 }),
				steps,
				(given, positions, taken) => {
					const atActivation = positions.slice(0, given.jobs.length);
					const simulation = new Simulation(given, 'all', atActivation);
					const old = new Set(
						[...atActivation.keys()].filter((index) => simulation.hasEnded(index)),
					);
					taken.forEach((step) => simulation.take(step));
					simulation.finish();

					expectEnds(simulation.reported, given, (index) => !old.has(index));
					expectChain(simulation.reported, given, false);
				},
			),
			{ numRuns: repetitions(2000) },
		);
	});

	it('for all jobs but those that had ended at activation, also if the list left them out', () => {
		fc.assert(
			fc.property(
				world,
				fc.array(fc.nat(3), { maxLength: 6 }),
				flags,
				steps,
				(given, positions, unlisted, taken) => {
					const atActivation = positions.slice(0, given.jobs.length);
					const simulation = new Simulation(given, 'all', atActivation, unlisted);
					const old = [...atActivation.keys()].filter((index) => simulation.hasEnded(index));
					taken.forEach((step) => simulation.take(step));
					simulation.finish();

					expect(old.flatMap((index) => ofJob(simulation.reported, index))).toEqual([]);
					expectChain(simulation.reported, given, false);
				},
			),
			{ numRuns: repetitions(2000) },
		);
	});
});

describe('the status of a job', () => {
	const watch = watchOf([1], everything);

	it.each([null, undefined, ''])('%p is no news', (status) => {
		const pending = afterObservations(start(watch), watch, [read(1, 'Pending')], 0).state;
		const after = afterObservations(pending, watch, [{ kind: 'read', jobId: 1, status }], 0);
		expect(after.events).toEqual([]);
		expect(after.state.open).toEqual({ 1: { status: 'Pending' } });
	});

	it('in another spelling is no news', () => {
		const state = afterObservations(start(watch), watch, [read(1, 'InProgress')], 0).state;
		expect(afterObservations(state, watch, [read(1, 'In progress')], 0).events).toEqual([]);
	});
});

describe('a status outside the contract', () => {
	const watch = watchOf([1], ['completed', 'unreadable']);

	/** The events of polls at these times that read these statuses. */
	const poll = (...reads: Array<[now: number, status: string]>) => {
		let state = start(watch);
		return reads.map(([now, status]) => {
			const step = afterObservations(state, watch, [read(1, status)], now);
			state = step.state;
			return step.events.map(({ event }) => event).join();
		});
	};

	it('is reported once if it stays for six hours, and the end later', () => {
		expect(
			poll(
				[0, 'Canceled'],
				[UNKNOWN_STATUS_MS - 1, 'Canceled'],
				[UNKNOWN_STATUS_MS, 'canceled'],
				[3 * UNKNOWN_STATUS_MS, 'Canceled'],
				[4 * UNKNOWN_STATUS_MS, 'Completed'],
			),
		).toEqual(['', '', 'unreadable', '', 'completed']);
	});

	it.each([
		['changes', 'Merging'],
		['is one of a running job meanwhile', 'InProgress'],
	])('is not reported if it %s', (_, other) => {
		expect(
			poll(
				[0, 'Queued'],
				[10, other],
				[UNKNOWN_STATUS_MS, 'Queued'],
				[UNKNOWN_STATUS_MS + 5, 'Queued'],
			),
		).toEqual(['', '', '', '']);
	});

	it.each(['Pending', 'In progress', 'InProgressWithErrors'])('is none of them: %s', (status) => {
		expect(poll([0, status], [UNKNOWN_STATUS_MS, status])).toEqual(['', '']);
	});
});

describe('a job that cannot be read', () => {
	const watch = watchOf([1, 2], everything);
	const unreadable: Observation = { kind: 'unreadable', jobId: 1 };

	function after(times: number[], watched = watch) {
		let state: WatchState = start(watched);
		const events: JobEvent[] = [];
		for (const now of times) {
			const step = afterObservations(state, watched, [unreadable], now);
			state = step.state;
			events.push(...step.events);
		}
		return { state, events };
	}

	it('but may be in the list is reported once, too', () => {
		const all = watchOf(undefined, everything);
		let state = afterObservations(start(all), all, [read(1, 'Pending')], 0).state;
		const events = [GRACE_MS, 2 * GRACE_MS, 3 * GRACE_MS, 4 * GRACE_MS].map((now) => {
			const step = afterObservations(state, all, [{ ...unreadable, mayBeListed: true }], now);
			state = step.state;
			return step.events.map(({ event }) => event);
		});
		expect(events).toEqual([[], ['unreadable'], [], []]);
	});

	it('is not reported early by a clock that was set back', () => {
		expect(after([GRACE_MS, 0, GRACE_MS - 1]).events).toEqual([]);
	});
});

describe('what is remembered', () => {
	it('of jobs that are no longer watched is forgotten', () => {
		const watch = watchOf([1, 2, 3], everything);
		const { state } = afterObservations(
			start(watch),
			watch,
			[read(1, 'Completed'), read(2, 'Pending'), read(3, 'Pending')],
			0,
		);
		const changed = restoreState(state, watchOf([3, 4], everything));
		expect(changed).toMatchObject({ open: { 3: { status: 'Pending' } }, ended: [] });
		expect(jobsToRead(changed, watchOf([3, 4], everything))).toEqual([3, 4]);
	});

	it.each([undefined, null, 'x', { version: 2 }, { version: 1, scope: 'specific 1', open: [] }])(
		'begins anew where %j was saved',
		(saved) => {
			const watch = watchOf([1], everything);
			expect(restoreState(saved, watch)).toEqual(start(watch));
		},
	);

	it('of the jobs of one key is not used for another key', () => {
		const watch = watchOf(undefined, everything);
		const { state } = afterObservations(start(watch), watch, [read(1, 'Completed')], 0);
		expect(restoreState(state, { ...watch, scope: 'all 2' }).begun).toBe(false);
	});

	it('of 200 chosen jobs stays below 32 kB at any stage', () => {
		const jobIds = Array.from({ length: 200 }, (_, index) => 2_147_483_000 + index);
		const watch = watchOf(jobIds, everything);
		let state = start(watch);
		const size = () => JSON.stringify(state).length;
		for (const observation of [
			(jobId: number) => read(jobId, 'InProgressWithErrors and a status that never seems to end'),
			(jobId: number) => read(jobId, 'A status outside of the contract that never seems to end'),
			(jobId: number): Observation => ({ kind: 'unreadable', jobId }),
			(jobId: number): Observation => ({ kind: 'withoutResults', jobId }),
			(jobId: number) => read(jobId, 'Completed'),
		]) {
			state = afterObservations(state, watch, jobIds.map(observation), 1_700_000_000_000).state;
			expect(size()).toBeLessThan(32_000);
			state = afterObservations(state, watch, jobIds.map(observation), 1_800_000_000_000).state;
			expect(size()).toBeLessThan(32_000);
		}
		expect(state.open).toEqual({});
	});

	it('of 20,000 ended jobs of a key stays below 32 kB, and none of them is reported again', () => {
		const watch = watchOf(undefined, everything);
		const old = Array.from({ length: 20_000 }, (_, index) => read(1_000_000 + index, 'Completed'));
		let { state } = afterObservations(start(watch), watch, old, 0);
		expect(JSON.stringify(state).length).toBeLessThan(32_000);

		const newer = Array.from({ length: 1000 }, (_, index) => read(2_000_000 + index, 'Failed'));
		const next = afterObservations(state, watch, [...newer, ...old].reverse(), 0);
		expect(next.events).toHaveLength(1000);
		state = next.state;
		expect(JSON.stringify(state).length).toBeLessThan(32_000);
		expect(afterObservations(state, watch, [...old, ...newer], 0).events).toEqual([]);
	});

	const sparse = (count: number) =>
		Array.from({ length: count }, (_, index) => read(2_000_000_000 + 7 * index, 'Completed'));

	it('of 20,000 ended jobs of a key that shares the IDs with others stays below 32 kB', () => {
		const watch = watchOf(undefined, everything);
		const old = sparse(20_000);
		const { state } = afterObservations(start(watch), watch, old, 0);
		expect(JSON.stringify(state).length).toBeLessThan(32_000);
		expect(afterObservations(state, watch, old, 0).events).toEqual([]);
	});

	it('covers no job on pages that were not read yet', () => {
		const watch = watchOf(undefined, everything);
		const begun = afterObservations(start(watch), watch, [], 0).state;
		const jobs = sparse(3000);
		const first = afterObservations(begun, watch, jobs.slice(1000).reverse(), 0, false);
		expect(first.events).toHaveLength(2000);
		const second = afterObservations(first.state, watch, jobs.slice(0, 1000), 0, true);
		expect(second.events).toHaveLength(1000);
		expect(afterObservations(second.state, watch, sparse(3000), 0).events).toEqual([]);
	});

	it('covers no job whose results have not been tried yet', () => {
		const watch = watchOf(undefined, everything);
		const begun = afterObservations(start(watch), watch, [], 0).state;
		const queued: Observation = { kind: 'queued', jobId: 50 };
		const { state } = afterObservations(begun, watch, [queued, ...sparse(3000)], 0);
		expect(jobsToRead(state, watch)).toEqual([50]);
		expect(goesWithoutResults(state, 50, GRACE_MS)).toBe(false);
		expect(afterObservations(state, watch, [read(50, 'Completed')], 0).events).toHaveLength(1);
	});

	it('covers no job with a lower ID than 600 that have ended', () => {
		const watch = watchOf(undefined, everything);
		const old = Array.from({ length: 600 }, (_, index) => read(1000 + index, 'Completed'));
		const { state } = afterObservations(start(watch), watch, old, 0);
		expect(afterObservations(state, watch, [read(50, 'Completed'), ...old], 0).events).toEqual([
			{ jobId: 50, event: 'completed', previousStatus: null },
		]);
	});

	it('is not changed in place', () => {
		const watch = watchOf([1, 2], everything);
		const before = afterObservations(start(watch), watch, [read(1, 'Pending')], 0).state;
		const copy = structuredClone(before);
		afterObservations(before, watch, [read(1, 'Completed'), { kind: 'unreadable', jobId: 2 }], 0);
		expect(before).toEqual(copy);
	});
});

describe('the list of all jobs', () => {
	const watch = watchOf(undefined, everything);
	const page = { front: [9, 8, 7], isWhole: false };

	it('begins the watch only once all of it was read', () => {
		const part = afterObservations(start(watch), watch, [read(3, 'Completed')], 0, false);
		expect(part).toMatchObject({ events: [], state: { begun: false } });
		const rest = afterObservations(part.state, watch, [read(2, 'Completed')], 0, true);
		expect(rest).toMatchObject({ events: [], state: { begun: true } });
	});

	it('shows a new job before it was read as a whole', () => {
		const observations = [read(3, 'Completed'), { ...read(4, 'Completed'), isNew: true }];
		const { events } = afterObservations(start(watch), watch, observations, 0, false);
		expect(events.map(({ jobId }) => jobId)).toEqual([4]);
	});

	it('is remembered as far as it was read, and its front until the watch begins', () => {
		const sweep = { from: '/jobs?$skip=200', entries: 200, count: 300 };
		const part = afterListing(start(watch), { ...page, sweep });
		expect(part).toEqual({ ...start(watch), front: [9, 8, 7], sweep });
		const whole = afterListing({ ...part, begun: true }, { ...page, isWhole: true });
		expect(whole).toEqual({ ...start(watch), begun: true });
	});

	it('is broken after three failures without a whole list between them', () => {
		const listings = [true, true, false, true].map((hasFailed) => ({
			...page,
			failure: hasFailed ? new Error('incomplete') : undefined,
		}));
		const fail = (state: WatchState) => listings.reduce(afterListing, state);
		expect(isListBroken(listings.slice(1).reduce(afterListing, start(watch)))).toBe(false);
		expect(isListBroken(fail(start(watch)))).toBe(true);
		expect(isListBroken(afterListing(fail(start(watch)), { ...page, isWhole: true }))).toBe(false);
	});

	it.each<[string, number[], number | undefined]>([
		['nothing', [9, 8, 7], 0],
		['two jobs', [11, 10, 9], 2],
		['a job, on a page that is not full', [10, 9, 8, 7], 1],
	])('says that %s was added where the page only moved on', (_, now, added) => {
		expect(countAdded([9, 8, 7], now)).toBe(added);
	});

	it.each<[string, number[], number[]]>([
		['lost its first job', [9, 8, 7], [8, 7, 6]],
		['lost a later job', [9, 8, 7], [10, 9, 7]],
		['is empty', [9, 8, 7], []],
		['was empty', [], [9, 8, 7]],
	])('does not say what was added to a page that %s', (_, before, now) => {
		expect(countAdded(before, now)).toBeUndefined();
	});
});

test('jobs are read in turn, so that each one has its share of a small poll', () => {
	const watch = watchOf([5, 1, 3, 2, 4], everything);
	const state = { ...start(watch), lastRead: 3 };
	expect(jobsToRead(state, watch)).toEqual([4, 5, 1, 2, 3]);
	expect(jobsToRead({ ...state, ended: [1, 1, 3, 1] }, watch)).toEqual([4, 2, 3]);
});

test('an end whose results cannot be read is held back for ten minutes, and no longer', () => {
	const watch = watchOf([1, 2], everything);
	const missing: Observation[] = [{ kind: 'withoutResults', jobId: 1 }];
	const first = afterObservations(start(watch), watch, missing, 0).state;
	const { state } = afterObservations(first, watch, missing, GRACE_MS / 2);
	expect(goesWithoutResults(start(watch), 1, 0)).toBe(false);
	expect(goesWithoutResults(state, 1, GRACE_MS - 1)).toBe(false);
	expect(goesWithoutResults(state, 1, GRACE_MS)).toBe(true);
	expect(goesWithoutResults(state, 2, GRACE_MS)).toBe(false);
	// A clock that was set back starts the wait again.
	expect(goesWithoutResults(state, 1, -1)).toBe(false);
});
