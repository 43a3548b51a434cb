import { setTimeout as sleep } from 'node:timers/promises';

import { loopbackCertificate, startSandbox, type Certificate, type Sandbox } from '../../sandbox';
import { type FaultyCall, faultyCalls } from './calls';
import { expectationOf, type Observation, problemsOf, type Shape } from './expectation';
import { type Fault, faults } from './faults';
import { type Surroundings, injectFault, runWithoutFault } from './faultTest';
import { resolveProxyNames } from './faultProxy';
import { speedUpClock } from './fastClock';
import { startOtherHost } from './otherHost';

export interface Cell {
	call: FaultyCall;
	fault: Fault;
	shape: Shape;
	observed: Observation | undefined;
	problems: string[];
}

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
	// All names have one length, so that none begins with another one.
	name: `tenant-${String(position).padStart(3, '0')}`,
	key: `${position.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
});

interface PlannedCell {
	call: FaultyCall;
	fault: Fault;
	shape: Shape;
	/** @param patience 1, and more when it is tried again, with another tenant */
	run: (patience: number) => Promise<Cell>;
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
			const run = async (patience: number): Promise<Cell> => {
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
			return [{ call, fault, shape, run }];
		}),
	);
}

/**
 * Runs every call against every fault, for one fault and for one that lasts.
 * @param trusted by this process
 * @param only a part of `call; fault`, to run some cells alone
 */
export async function faultMatrix(trusted: Certificate, only = ''): Promise<Cell[]> {
	speedUpClock();
	resolveProxyNames();
	const otherHost = await startOtherHost();
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
		const run = async (kind: keyof typeof CONCURRENCY) =>
			await runInParallel(
				cells
					.filter((cell) => kindOf(cell) === kind)
					.map((cell) => async () => ({ cell, result: await cell.run(1) })),
				CONCURRENCY[kind],
			);
		const done = (await Promise.all([run('waiting'), run('usual'), run('big')])).flat();
		// On a busy machine a good response may also come after the timeout, or the timeout before the sandbox sees
		// the request: such tests run again once all others have ended, with a longer timeout each time.
		for (let patience = 2; patience <= RUNS_OF_ONE_CELL; patience++) {
			const again = done.filter(
				({ cell, result }) => cell.fault.isSlow && result.problems.length > 0,
			);
			await runInParallel(
				again.map((each) => async () => (each.result = await each.cell.run(patience))),
				CONCURRENCY.waiting,
			);
		}
		return done.map(({ result }) => result);
	} finally {
		await otherHost.close();
		await Promise.all(sandboxes.map(async (sandbox) => await sandbox.close()));
	}
}
