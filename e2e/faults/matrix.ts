/** The fault matrix itself, with a certificate authority of its own: see run.ts. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { loopbackCertificate, startSandbox, type Sandbox } from '../../sandbox';
import { type FaultyCall, faultyCalls } from './calls';
import { expectationOf, type Observation, problemsOf, type Shape } from './expectation';
import { type Fault, faults } from './faults';
import { type Surroundings, injectFault, runWithoutFault } from './faultTest';
import { resolveProxyNames } from './faultProxy';
import { speedUpClock } from './fastClock';
import { OtherHost } from './otherHost';

/** One cell of the matrix. */
export interface Cell {
	call: FaultyCall;
	fault: Fault;
	shape: Shape;
	observed: Observation | undefined;
	problems: string[];
}

/** A cell that can be tried again, with another tenant. */
type RepeatableCell = Cell & { again: (patience: number) => Promise<Cell> };

const QUICK = { high: 1_000_000, medium: 1_000_000, low: 1_000_000, monthly: null };
const SHAPES: Shape[] = ['once', 'lasting'];
const RUNS_OF_ONE_CELL = 4;

/** How many tests run at a time: those that mostly wait, those that work, those that move much data. */
const CONCURRENCY = { waiting: 96, usual: 12, big: 1 };

interface Tenant {
	name: string;
	key: string;
}

const tenantOf = (position: number): Tenant => ({
	// Of one length, so that no name begins with another one.
	name: `tenant-${String(position).padStart(3, '0')}`,
	key: `${position.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
});

interface PlannedCell {
	call: FaultyCall;
	fault: Fault;
	shape: Shape;
	run: () => Promise<RepeatableCell>;
}

async function runInParallel<T>(tasks: Array<() => Promise<T>>, workers: number): Promise<T[]> {
	const results: T[] = [];
	let next = 0;
	const work = async (_: unknown, worker: number) => {
		// Not all at the same moment: the first ones would wait for the last ones.
		await sleep(worker * 50);
		while (next < tasks.length) {
			const position = next++;
			const task = tasks[position];
			if (task) results[position] = await task();
		}
	};
	await Promise.all(Array.from({ length: workers }).map(work));
	return results;
}

async function planCells(
	call: FaultyCall,
	sandbox: Sandbox,
	surroundings: Omit<Surroundings, 'patience'>,
): Promise<PlannedCell[]> {
	const faultless = await runWithoutFault(call, sandbox, tenantOf(0));
	return faults.flatMap((fault, row) =>
		SHAPES.flatMap((shape, column) => {
			const expected = expectationOf(call, fault, shape);
			// What is never sent again ends the same way whether the service recovers or not.
			if (!expected || (fault.isBig && shape === 'once')) return [];
			const position = 1 + RUNS_OF_ONE_CELL * (row * SHAPES.length + column);
			const attempt = async (patience: number): Promise<Cell> => {
				try {
					const observed = await injectFault(
						call,
						fault,
						shape,
						sandbox,
						tenantOf(position + patience - 1),
						faultless.requestsBefore,
						{ ...surroundings, patience },
					);
					const problems = [...problemsOf(expected, observed, call, fault, faultless)];
					return { call, fault, shape, observed, problems };
				} catch (error) {
					const problems = [error instanceof Error ? String(error.cause ?? error) : String(error)];
					return { call, fault, shape, observed: undefined, problems };
				}
			};
			const run = async (): Promise<RepeatableCell> => ({
				...(await attempt(1)),
				again: attempt,
			});
			return [{ call, fault, shape, run }];
		}),
	);
}

/**
 * Runs every call against every fault, for one fault and for one that lasts.
 * @param only a part of `call; fault`, to run some cells alone
 */
export async function faultMatrix(only = ''): Promise<Cell[]> {
	const certificateFile = process.env.NODE_EXTRA_CA_CERTS;
	const keyFile = process.env.FAULTS_KEY_FILE;
	if (!certificateFile || !keyFile) throw new Error('Run it with "npm run e2e -- faults".');
	const trusted = {
		cert: readFileSync(certificateFile, 'utf8'),
		key: readFileSync(keyFile, 'utf8'),
	};
	speedUpClock();
	resolveProxyNames();
	const otherHost = await OtherHost.start();
	const surroundings = { otherHost, trusted, untrusted: await loopbackCertificate() };
	const sandboxes: Sandbox[] = [];
	try {
		const plans = await runInParallel(
			(await faultyCalls()).map((call) => async () => {
				const tenants = Array.from(
					{ length: 1 + RUNS_OF_ONE_CELL * faults.length * SHAPES.length },
					(_, i) => tenantOf(i),
				);
				const sandbox = await startSandbox({
					tenants,
					tier: QUICK,
					certificate: trusted,
					linkBase: 'http',
					jobTiming: { pendingMs: 5, minimumMs: 5 },
				});
				sandboxes.push(sandbox);
				return await planCells(call, sandbox, surroundings);
			}),
			4,
		);
		const cells = plans
			.flat()
			.filter(({ call, fault }) => `${call.title}; ${fault.name}`.includes(only));
		const kindOf = ({ fault, shape }: PlannedCell): keyof typeof CONCURRENCY => {
			if (fault.isBig) return 'big';
			return fault.isSlow || (shape === 'lasting' && fault.waitMs) ? 'waiting' : 'usual';
		};
		const kinds = {
			waiting: cells.filter((cell) => kindOf(cell) === 'waiting'),
			usual: cells.filter((cell) => kindOf(cell) === 'usual'),
			big: cells.filter((cell) => kindOf(cell) === 'big'),
		};
		const run = async (kind: keyof typeof kinds) =>
			await runInParallel(
				kinds[kind].map((cell) => cell.run),
				CONCURRENCY[kind],
			);
		const done = await Promise.all([run('waiting'), run('usual'), run('big')]);
		// On a busy machine a good response may also come after the timeout, or the timeout before the sandbox sees
		// the request: such a test runs again alone, with a longer timeout each time.
		const results: Cell[] = [];
		for (const cell of done.flat()) {
			let result: Cell = cell;
			for (let patience = 2; patience <= RUNS_OF_ONE_CELL; patience++) {
				if (cell.fault.isSlow && result.problems.length > 0) result = await cell.again(patience);
			}
			results.push(result);
		}
		return results;
	} finally {
		await otherHost.close();
		await Promise.all(sandboxes.map(async (sandbox) => await sandbox.close()));
	}
}
