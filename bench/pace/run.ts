/**
 * `npm run bench -- pace`: how processes that share a key settle, written to bench/pace/results.md.
 * No network, no clock, no chance: running it again changes nothing.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { defaultPace, type Pace } from '../../nodes/shared/transport/pace';
import { RateLimiter } from '../../nodes/shared/transport/rateLimiter';
import { say } from '../../hosts/runWithProgress.mjs';
import { mean, percent, table, total } from '../tables';
import { beginOf, outcome, scenario, settledAfter, type Story, STORIES } from './scenarios';
import {
	type Course,
	type Network,
	ORDINARY_NETWORK,
	simulate,
	type Simulation,
} from './simulation';

const LIMITS = [200, 15, 4];
const COUNTS = [1, 2, 3, 4, 8, 32];
/** Where calls are few, shares take longer to show. */
const secondsOf = (limit: number): number => (limit >= 10 ? 300 : 900);

const DOCUMENT = join(__dirname, 'results.md');

interface Run {
	story: Story;
	simulation: Simulation;
	course: Course;
}

async function run(story: Story, limit: number, count: number, pace?: Pace): Promise<Run> {
	const simulation = scenario(story, limit, count, secondsOf(limit));
	const limiter =
		pace && ((...given: [Clock, number, () => number]) => new RateLimiter(...given, pace));
	const course = await simulate({ ...simulation, ...(limiter && { limiter }) });
	if (course.lost > 0)
		throw new Error(`${course.lost} calls were lost: ${story}, ${limit}, ${count}`);
	return { story, simulation, course };
}

type Clock = ConstructorParameters<typeof RateLimiter>[0];

function settledCells({ story, simulation, course }: Run): string[] {
	const begin = beginOf(story);
	const { seconds } = simulation;
	const settled = outcome(simulation, course, 0.4 * seconds, seconds);
	const after = settledAfter(simulation, course, begin);
	const isAlone = simulation.processes.length === 1;
	return [
		after === undefined ? 'not' : `${after} s`,
		percent(settled.pace),
		percent(settled.rejected),
		isAlone ? '' : settled.lowest.toFixed(2),
		isAlone ? '' : settled.jain.toFixed(2),
		`${course.longestGap.toFixed(course.longestGap < 10 ? 1 : 0)} s`,
	];
}

const SETTLED_HEAD = [
	'settled after',
	'pace',
	'rejected',
	'lowest / highest share',
	'Jain',
	'longest time without a call',
];

/** Other values than the chosen ones, to see what these are good for. */
const ALTERNATIVES: Array<[string, Partial<Pace>]> = [
	['as chosen', {}],
	['quotas grow after half as many calls', { holdCalls: defaultPace.holdCalls / 2 }],
	['quotas grow after twice as many calls', { holdCalls: defaultPace.holdCalls * 2 }],
	['all shares wait equally long', { patienceMs: 0 }],
	['shares wait twice as long', { patienceMs: defaultPace.patienceMs * 2 }],
	['a try is half as large again, not twice as large', { growth: 1.5 }],
	['no margin for jitter', { spacing: 1 }],
	['a margin of 1 %', { spacing: 1.01 }],
	['late responses do not count as late arrivals', { longestLatenessMs: 0 }],
	['responses up to 90 ms later count as late arrivals', { longestLatenessMs: 90 }],
	['late responses soon count as usual', { usualRise: 0.1 }],
	['each call starts on its own', { groups: 1000 }],
	['the calls of a window start in 25 groups', { groups: 25 }],
	['a group starts 3 ms earlier', { groupDelayMs: 5 }],
	['late timers are caught up by 50 ms at most', { catchUpMs: 50 }],
	['probes come half a second off', { probeDelayMs: 500 }],
];
const ALTERNATIVE_CASES = [
	{ limit: 200, count: 1 },
	{ limit: 200, count: 3 },
	{ limit: 15, count: 3 },
	{ limit: 4, count: 1 },
	{ limit: 4, count: 32 },
];

async function alternatives(): Promise<string> {
	const rows: string[][] = [];
	for (const [name, change] of ALTERNATIVES) {
		const cells = [name];
		for (const { limit, count } of ALTERNATIVE_CASES) {
			const { simulation, course } = await run('all at once', limit, count, {
				...defaultPace,
				...change,
			});
			const { pace, rejected, jain } = outcome(simulation, course, 0, simulation.seconds);
			cells.push([percent(pace), percent(rejected), jain.toFixed(2)].join(', '));
		}
		rows.push(cells);
		say(cells.join(' | '));
	}
	return table(
		[
			'pace, rejected, Jain',
			...ALTERNATIVE_CASES.map(
				({ limit, count }) => `${count} process${count === 1 ? '' : 'es'} at ${limit}/s`,
			),
		],
		rows,
	);
}

const DIRECT: Network = {
	...ORDINARY_NETWORK,
	roundTripMs: 4,
	jitterMs: 2,
	meanWorkMs: 5,
	serviceStallMs: 5,
};
const SLOW: Network = { ...ORDINARY_NETWORK, roundTripMs: 900, meanWorkMs: 100 };
const SEEDS = [1, 2, 3];
const LATER_SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

const THIEF_ENDS = 15;
/** Processes that post this many calls each, the seconds between their starts, and what disturbs them. */
const FIXED: Array<
	[string, Partial<Simulation> & { calls: number; count: number; apart?: number }]
> = [
	['1 process, 4,000 posts', { count: 1, calls: 4000 }],
	['1 process, 4,000 posts, responses after 1 s', { count: 1, calls: 4000, network: SLOW }],
	['2 processes, 3,000 posts each', { count: 2, calls: 3000 }],
	['3 processes, 3,000 posts each', { count: 3, calls: 3000 }],
	['3 processes, 3,000 posts each, 0.3 s apart', { count: 3, calls: 3000, apart: 0.3 }],
	['3 processes, 3,000 posts each, 1 s apart', { count: 3, calls: 3000, apart: 1 }],
	['3 processes, 3,000 posts each, responses after 1 s', { count: 3, calls: 3000, network: SLOW }],
	['3 processes, 1,200 posts each', { count: 3, calls: 1200 }],
	['8 processes, 1,200 posts each', { count: 8, calls: 1200 }],
	['32 processes, 300 posts each', { count: 32, calls: 300 }],
	[
		'1 process, another client takes half of the key for 5 s',
		{ count: 1, calls: 5000, otherClient: { from: 10, to: THIEF_ENDS, perSecond: 100 } },
	],
	[
		'1 process, 2,000 posts, true limit 50/s',
		{ count: 1, calls: 2000, limit: 50, plannedLimit: 200 },
	],
];

/** Seconds after the other client until any second has 98 % of the limit. */
function backAfter({ acceptedAt }: Course, limit: number): number {
	for (let at = THIEF_ENDS * 1000; ; at += 20) {
		const within = acceptedAt.filter((time) => time >= at && time < at + 1000).length;
		if (within >= 0.98 * limit || at > 60_000) return at / 1000 - THIEF_ENDS;
	}
}

/** Pace from the first to the last accepted call, start and end included. */
async function fixedNumbers(): Promise<string> {
	const rows: string[][] = [];
	for (const [name, { count, calls, apart = 0, ...changes }] of FIXED) {
		const cells = [name];
		for (const network of changes.network ? [changes.network] : [ORDINARY_NETWORK, DIRECT]) {
			const measured = await Promise.all(
				SEEDS.map(async (seed) => {
					const processes = Array.from({ length: count }, (_, process) => ({
						from: apart * process,
						to: 999,
						calls,
					}));
					const simulation = { limit: 200, seconds: 120, seed, processes, ...changes, network };
					const course = await simulate(simulation);
					const { acceptedAt, seconds } = course;
					const rejected = total(seconds.map((second) => total(second.rejected)));
					const taken = (acceptedAt.at(-1) ?? 0) - (acceptedAt[0] ?? 0);
					return {
						pace: (1000 * (acceptedAt.length - 1)) / taken / simulation.limit,
						rejected: rejected / (rejected + count * calls),
						back: backAfter(course, simulation.limit),
					};
				}),
			);
			const pace = percent(mean(measured.map((each) => each.pace)));
			const back = mean(measured.map((each) => each.back)).toFixed(1);
			const rejected = percent(mean(measured.map((each) => each.rejected)));
			cells.push(
				changes.otherClient ? `98 % after ${back} s, ${rejected}` : `${pace}, ${rejected}`,
			);
		}
		rows.push(cells.length < 3 ? [...cells, ''] : cells);
		say(cells.join(' | '));
	}
	return table(['pace, rejected', 'ordinary network', 'same machine'], rows);
}

const LATER_FROM = 30;
const LATER_SECONDS = 300;
const LATER_CALLS = [10, 100, 500];

/** How long the calls of a process take that begins while others use the whole limit. */
async function laterProcess(): Promise<string> {
	const rows: string[][] = [];
	for (const limit of LIMITS) {
		for (const others of [1, 2]) {
			for (const newCalls of [defaultPace.newCalls, 0]) {
				const courses = await Promise.all(
					LATER_SEEDS.map(async (seed) => await courseOfLater(limit, others, seed, newCalls)),
				);
				const cells = LATER_CALLS.map((calls) => {
					const time = mean(courses.map((course) => timeOfLater(course, others, calls)));
					const taken = Number.isFinite(time) ? time.toFixed(0) : `over ${LATER_SECONDS}`;
					const atEqualShares = Math.max(1, (calls * (others + 1)) / limit);
					return `${taken} s (${atEqualShares.toFixed(0)} s)`;
				});
				rows.push([`${limit}/s`, String(others), newCalls > 0 ? 'yes' : 'no', ...cells]);
				say(rows.at(-1)?.join(' | ') ?? '');
			}
		}
	}
	const head = ['limit', 'others', 'tries sooner'];
	return table([...head, ...LATER_CALLS.map((calls) => `${calls} requests`)], rows);
}

async function courseOfLater(
	limit: number,
	others: number,
	seed: number,
	newCalls: number,
): Promise<Course> {
	const to = LATER_FROM + LATER_SECONDS;
	const processes = Array.from({ length: others }, () => ({ from: 0, to }));
	return await simulate({
		limit,
		seconds: to,
		seed,
		processes: [...processes, { from: LATER_FROM, to }],
		limiter: (clock, planned, random) =>
			new RateLimiter(clock, planned, random, { ...defaultPace, newCalls }),
	});
}

/** Seconds from the start of the last process until this many of its calls were accepted; infinite if never. */
function timeOfLater({ seconds }: Course, process: number, calls: number): number {
	let left = calls;
	const last = seconds.findIndex(({ accepted }) => (left -= accepted[process] ?? 0) <= 0);
	return last < 0 ? Number.POSITIVE_INFINITY : last + 1 - LATER_FROM;
}

export async function simulatePace(): Promise<void> {
	const runs: Run[] = [];
	for (const limit of LIMITS) {
		for (const count of COUNTS) {
			const made = await run('all at once', limit, count);
			runs.push(made);
			say(`${count} at ${limit}/s, all at once: ${settledCells(made).join(', ')}`);
		}
	}
	const together = table(
		['limit', 'processes', ...SETTLED_HEAD],
		runs.map((made) => [
			`${made.simulation.limit}/s`,
			String(made.simulation.processes.length),
			...settledCells(made),
		]),
	);
	const changes: string[][] = [];
	for (const story of STORIES.filter((candidate) => candidate !== 'all at once')) {
		for (const limit of LIMITS) {
			const made = await run(story, limit, 3);
			changes.push([story, `${limit}/s`, ...settledCells(made)]);
			say(`3 at ${limit}/s, ${story}: ${settledCells(made).join(', ')}`);
		}
	}

	const document = [
		'# Simulated processes on one key',
		'',
		'Written by `npm run bench -- pace`; do not edit. The limiter and the retries of the package, several processes on one clock that only the simulation moves, against the gate of the sandbox, which counts any window of one second exactly.',
		'',
		'On the ordinary network, requests take 100 ms ± 8 ms, and the service works on each for another 15 ms on average (exponentially distributed); every 0.7 s the service pauses for 30 ms; one request in 250 is held up on one of its ways by another 30 to 80 ms. On the same machine, requests take 4 ms ± 2 ms and 5 ms of work. Timers wake up to 5 ms late; each process stands still for 200 ms twice a minute.',
		'',
		'## A fixed number of posts',
		'',
		'The limit is 200 per second. All begin at once unless the row says otherwise; pace is counted from the first to the last accepted call, so start and end are included. Means of three seeds.',
		'',
		await fixedNumbers(),
		'',
		'## A process that begins later',
		'',
		`The others have used the whole limit for ${LATER_FROM} s and go on. _Tries sooner_ is what the package does. In brackets how long the requests would take at an equal share; means of eight seeds.`,
		'',
		await laterProcess(),
		'',
		'## Processes that never run out',
		'',
		'_Pace_ and _rejected_ are of all processes together, from the 120th to the 300th second, at 4 per second from the 360th to the 900th; _settled after_ is when the pace first holds above 90 % of the limit, with the rejected share near its final value, for 20 seconds or 400 calls.',
		'',
		together,
		'',
		'## Three processes and a change',
		'',
		'One joins or leaves in the 60th second, or the service refuses everything in the first 10 seconds.',
		'',
		table(['what happens', 'limit', ...SETTLED_HEAD], changes),
		'',
		'## Other values',
		'',
		'What other values of the settings in `nodes/shared/transport/pace.ts` lead to, the start included.',
		'',
		await alternatives(),
		'',
	].join('\n');
	const options = await resolveConfig(DOCUMENT);
	writeFileSync(DOCUMENT, await format(document, { ...options, parser: 'markdown' }));
}
