/**
 * `npm run simulate`: how processes that share a key settle, written to docs/images/pace.svg and into
 * docs/rate-limits.md. No network, no clock, no chance: running it again changes nothing.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { defaultPace, type Pace, RateLimiter } from '../../nodes/shared/transport/rateLimiter';
import { say } from '../../hosts/runWithProgress.mjs';
import { percent, table } from '../tables';
import { type Panel, plot } from './plot';
import { beginOf, outcome, scenario, settledAfter, type Story, STORIES } from './scenarios';
import { type Course, simulate, type Simulation } from './simulation';

const LIMITS = [200, 15, 4, 2];
const COUNTS = [1, 2, 3, 4, 8, 32];
const PLOTTED_COUNTS = [1, 2, 4, 8, 32];
/** Where calls are few, shares take longer to show. */
const secondsOf = (limit: number): number => (limit >= 10 ? 300 : 900);

const DOCUMENT = join(__dirname, '../../docs/rate-limits.md');
const IMAGES = join(__dirname, '../../docs/images');

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

/** The mean over `span` seconds up to each second. */
function smoothed(values: number[], span: number): number[] {
	return values.map((_, index) => {
		const part = values.slice(Math.max(0, index + 1 - span), index + 1);
		return part.reduce((total, value) => total + value, 0) / part.length;
	});
}

function panels(runs: Run[], limit: number, seconds: number, span: number): Panel[] {
	const lines = (valueOf: (accepted: number, rejected: number) => number): Panel['lines'] =>
		PLOTTED_COUNTS.flatMap((count) => {
			const found = runs.find(
				({ story, simulation }) =>
					story === 'all at once' &&
					simulation.limit === limit &&
					simulation.processes.length === count,
			);
			if (!found) return [];
			const totals = found.course.seconds.slice(0, seconds).map(({ accepted, rejected }) => ({
				accepted: accepted.reduce((total, calls) => total + calls, 0),
				rejected: rejected.reduce((total, calls) => total + calls, 0),
			}));
			const accepted = smoothed(
				totals.map((total) => total.accepted),
				span,
			);
			const rejected = smoothed(
				totals.map((total) => total.rejected),
				span,
			);
			const values = accepted.map((calls, second) => valueOf(calls, rejected[second] ?? 0));
			return [{ name: count === 1 ? '1 process' : `${count} processes`, values }];
		});
	return [
		{
			title: `Pace of all together, limit ${limit} per second`,
			unit: '% of the limit',
			highest: 120,
			seconds,
			lines: lines((accepted) => (100 * accepted) / limit),
		},
		{
			title: `Rejected, limit ${limit} per second`,
			unit: '% of the calls sent',
			highest: 100,
			seconds,
			lines: lines((accepted, rejected) => (100 * rejected) / Math.max(1, accepted + rejected)),
		},
	];
}

/** Other values than the chosen ones, to see what these are good for. */
const ALTERNATIVES: Array<[string, Partial<Pace>]> = [
	['as chosen', {}],
	['quotas grow after half as many calls', { growthCalls: defaultPace.growthCalls / 2 }],
	['quotas grow after twice as many calls', { growthCalls: defaultPace.growthCalls * 2 }],
	['no quick growth after an isolated rejection', { firstGrowthCalls: defaultPace.growthCalls }],
	['processes that share keep the margin of one alone', { sharedSpacing: defaultPace.spacing }],
	['processes that share keep a margin of 3 %', { sharedSpacing: 1.03 }],
	['no margin for jitter', { spacing: 1, sharedSpacing: 1 }],
	['late responses are not taken for late arrivals', { longestLatenessMs: 0 }],
	['answers up to 90 ms later are taken for late arrivals', { longestLatenessMs: 90 }],
	['late responses soon count as usual', { usualRise: 0.1 }],
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

/** Puts a text between its markers in the document. */
function replaced(document: string, name: string, content: string): string {
	const begin = `<!-- generated: ${name} -->`;
	const end = '<!-- end of generated -->';
	const from = document.indexOf(begin);
	const to = document.indexOf(end, from);
	if (from < 0 || to < 0) throw new Error(`${DOCUMENT} has no place for "${name}".`);
	return `${document.slice(0, from + begin.length)}\n\n${content}\n\n${document.slice(to)}`;
}

async function main(): Promise<void> {
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

	mkdirSync(IMAGES, { recursive: true });
	writeFileSync(
		join(IMAGES, 'pace.svg'),
		plot(
			[panels(runs, 200, 60, 2), panels(runs, 15, 60, 5), panels(runs, 4, 240, 20)],
			'Pace and rejected share over time when 1, 2, 4, 8 or 32 processes begin at once on one key',
		),
	);
	let document = readFileSync(DOCUMENT, 'utf8');
	document = replaced(document, 'processes that begin at once', together);
	document = replaced(
		document,
		'three processes and a change',
		table(['what happens', 'limit', ...SETTLED_HEAD], changes),
	);
	document = replaced(document, 'other values', await alternatives());
	const options = await resolveConfig(DOCUMENT);
	writeFileSync(DOCUMENT, await format(document, { ...options, parser: 'markdown' }));
}

void main();
