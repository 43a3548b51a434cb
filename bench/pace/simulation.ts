import { Readable } from 'node:stream';

import { type Sender, sendRequest } from '../../nodes/shared/transport/httpRequest';
import type { Clock } from '../../nodes/shared/transport/clock';
import { RateLimiter } from '../../nodes/shared/transport/rateLimiter';
import type { Limiter } from '../../nodes/shared/transport/permitQueue';
import {
	CallFailed,
	CallStats,
	sendWithRetries,
} from '../../nodes/shared/transport/requestWithRetries';
import { RateGate } from '../../sandbox/tenants/rateGate';
import { ProcessClock, seededRandom, type Unpunctuality, VirtualTime } from './virtualTime';

/** Calls that a node has ready to send, apart from those in flight. */
const READY_CALLS = 50;

const NEVER: Simulation['processes'][number] = { from: 0, to: 0 };

/** How long requests and responses are on their way, in milliseconds. */
export interface Network {
	/** A request and its response together, when nothing is in their way. */
	roundTripMs: number;
	/** How much more or less it may be. */
	jitterMs: number;
	/** Share of the requests, and of the responses, that are delayed … */
	hiccups: number;
	/** … for a time from the first to the second. */
	hiccupMs: readonly [number, number];
	/** The service works on an accepted call for so long on average (exponential); it rejects at once. */
	meanWorkMs: number;
	/** The service pauses for this long; requests that come meanwhile arrive together afterward … */
	serviceStallMs: number;
	/** … once in this time. */
	serviceStallEveryMs: number;
}

export interface Simulation {
	/** Calls per second that the service takes from the key, in any second. */
	limit: number;
	/** What the processes take for the limit; the true one unless given. */
	plannedLimit?: number;
	/** When each process starts and stops, in seconds; a process makes that many calls, or never runs out. */
	processes: ReadonlyArray<{ from: number; to: number; calls?: number }>;
	/** Another client that sends this many calls per second between two times, whatever the service says. */
	otherClient?: { from: number; to: number; perSecond: number };
	seconds: number;
	/** Seconds from the start in which the service refuses every call. */
	refusesAllFor?: number;
	seed: number;
	network?: Network;
	unpunctuality?: Unpunctuality;
	limiter?: (clock: Clock, limit: number, random: () => number) => Limiter;
}

/** What happened in one second, by process. */
export interface Second {
	accepted: number[];
	rejected: number[];
}

export interface Course {
	seconds: Second[];
	/** Calls that ended without a response of the service: lost ones. */
	lost: number;
	/** The longest time from the start of a process or an accepted call to its next one, in seconds. */
	longestGap: number;
	/** When the service accepted a call of any process, in milliseconds, ascending. */
	acceptedAt: number[];
}

/** A home or office line to a service in the cloud, and n8n on a busy machine. */
export const ORDINARY_NETWORK: Network = {
	roundTripMs: 100,
	jitterMs: 8,
	hiccups: 0.002,
	hiccupMs: [30, 80],
	meanWorkMs: 15,
	serviceStallMs: 30,
	serviceStallEveryMs: 700,
};
const ORDINARY_UNPUNCTUALITY: Unpunctuality = {
	latestTimerMs: 5,
	stallMs: 200,
	stallEveryMs: 30_000,
};

/**
 * Several processes with the package's own limiter and retries, each with a clock of its own, on one
 * key of a service that counts as the sandbox does (it is the sandbox's own gate). Nothing is sent and
 * no time passes; the same settings give the same course.
 */
export async function simulate(simulation: Simulation): Promise<Course> {
	const { limit, plannedLimit = limit, processes, seconds, seed, refusesAllFor = 0 } = simulation;
	const { network = ORDINARY_NETWORK, unpunctuality = ORDINARY_UNPUNCTUALITY } = simulation;
	const time = new VirtualTime();
	const gate = new RateGate(() => time.now());
	const tier = { high: limit, medium: limit, low: limit, monthly: null };
	const course: Course = {
		seconds: Array.from({ length: seconds }, () => ({
			accepted: processes.map(() => 0),
			rejected: processes.map(() => 0),
		})),
		lost: 0,
		longestGap: 0,
		acceptedAt: [],
	};

	const arrive = (process: number): { status: number; text: string } => {
		const second = course.seconds[Math.floor(time.now() / 1000)];
		const admission =
			time.now() < refusesAllFor * 1000
				? ({ admitted: false, retryInMs: 1000 } as const)
				: gate.admit({ category: 'high', isFindOrCreate: false }, tier);
		if (admission.admitted) course.acceptedAt.push(time.now());
		const stats = admission.admitted ? second?.accepted : second?.rejected;
		if (stats) stats[process] = (stats[process] ?? 0) + 1;
		if (admission.admitted) return { status: 200, text: '{}' };
		const wait = 'retryInMs' in admission ? admission.retryInMs : 0;
		return { status: 429, text: `Rate limit exceeded. Try again in ${wait} ms.` };
	};

	const { serviceStallMs: stallMs, serviceStallEveryMs: stallEveryMs } = network;
	const service = new ProcessClock(time, seededRandom(seed), {
		latestTimerMs: 0,
		stallMs,
		stallEveryMs,
	});

	const sendFromOther = async (): Promise<void> => {
		const { from, to, perSecond } = simulation.otherClient ?? { ...NEVER, perSecond: 1 };
		for (let at = from * 1000; at < to * 1000; at += 1000 / perSecond) {
			await time.until(at);
			gate.admit({ category: 'high', isFindOrCreate: false }, tier);
		}
	};

	const begin = async (process: number): Promise<void> => {
		const { from, to, calls = Number.POSITIVE_INFINITY } = processes[process] ?? NEVER;
		const random = seededRandom(seed * 1000 + process);
		const clock = new ProcessClock(time, random, unpunctuality);
		const oneWay = (): number => {
			const { roundTripMs, jitterMs, hiccups, hiccupMs } = network;
			const [least, most] = hiccupMs;
			const hiccup = random() < hiccups ? least + random() * (most - least) : 0;
			return (roundTripMs + (random() * 2 - 1) * jitterMs) / 2 + hiccup;
		};
		const sender: Sender = async () => {
			await service.waitForNotice(time.now() + oneWay());
			const { status, text } = arrive(process);
			const workMs = status === 200 ? -Math.log(1 - random()) * network.meanWorkMs : 0;
			await clock.waitForNotice(time.now() + workMs + oneWay());
			return { statusCode: status, headers: {}, body: Readable.from([text]) };
		};
		await clock.sleep(from * 1000);
		const limiter =
			simulation.limiter?.(clock, plannedLimit, random) ??
			new RateLimiter(clock, plannedLimit, random);
		const request = { method: 'POST', url: '', accept: '', timeoutMs: 60_000 } as const;
		let called = 0;
		let lastResponse = clock.now();
		const worker = async (): Promise<void> => {
			while (clock.now() < to * 1000 && called++ < calls) {
				try {
					await sendWithRetries(
						{
							limiter,
							retryClass: 'unsafe',
							replayUnknownOutcome: false,
							clock,
							random,
							wallClock: () => clock.now(),
							signal: undefined,
							countRequest: () => undefined,
							stats: new CallStats(),
						},
						async () => await sendRequest(sender, request, undefined),
					);
					course.longestGap = Math.max(course.longestGap, (clock.now() - lastResponse) / 1000);
					lastResponse = clock.now();
				} catch (error) {
					if (!(error instanceof CallFailed)) return await Promise.reject(error as Error);
					course.lost++;
				}
			}
		};
		const responseMs = network.roundTripMs + network.meanWorkMs;
		const callsAtATime = READY_CALLS + Math.ceil((2 * plannedLimit * responseMs) / 1000);
		await Promise.all(Array.from({ length: callsAtATime }, worker));
	};

	processes.forEach((_, process) => void begin(process));
	void sendFromOther();
	await time.runUntil(seconds * 1000);
	return course;
}
