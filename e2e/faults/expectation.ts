import type { FaultyCall } from './calls';
import { effectOn, type Fault } from './faults';
import { SPEED } from './fastClock';

/** Whether the service recovers after one fault or never. */
export type Shape = 'once' | 'lasting';

/** What a user finds in the output of a node for an item that failed. */
export interface FailedItem {
	message: string;
	description: string;
	httpCode: number | null;
	replayable: boolean;
	outcomeUnknown: boolean;
}

/** Result of one call that got a fault. */
export interface Observation {
	/** Undefined where the node put out a result. */
	failure: FailedItem | undefined;
	/** What the node put out, without what differs from run to run. */
	output: string;
	/** Requests the node sent for the call, counted at the service; failed connections included. */
	attempts: number;
	/** How many of them the service executed, counted where it reads or changes its data. */
	executed: number;
	/** How much more the service holds. */
	added: number;
	/** Times between the attempts in milliseconds, as the nodes' clock has them. */
	gapsMs: number[];
	/** Requests that carried credentials to another host, or to where files are. */
	leaks: string[];
	/** API calls that reached another host. */
	strays: number;
	/** Import jobs that were started. */
	jobsStarted: number;
	/** Texts that may not be shown. */
	secrets: string[];
}

interface Expectation {
	succeeds: boolean;
	attempts: number;
	executed: number;
	outcomeUnknown: boolean;
	replayable: boolean;
}

/** The first attempt and five more. */
const USUAL_ATTEMPTS = 6;

const failing = (
	attempts: number,
	executed: number,
	outcomeUnknown: boolean,
	replayable: boolean,
): Expectation => ({ succeeds: false, attempts, executed, outcomeUnknown, replayable });

const succeeding = (attempts: number, executed: number): Expectation => ({
	succeeds: true,
	attempts,
	executed,
	outcomeUnknown: false,
	replayable: false,
});

/**
 * The rules of service.md 9.2: what must become of a call, from what the fault
 * means, what kind of call it is, and whether the service recovers. Undefined where the fault cannot
 * happen.
 */
export function expectationOf(
	call: FaultyCall,
	fault: Fault,
	shape: Shape,
): Expectation | undefined {
	const effect = effectOn(fault, call.column);
	const executed = fault.executes ? 1 : 0;
	const isUnsafe = call.column === 'unsafe';
	// What reads, and what only brings a file somewhere, leaves nothing to wonder about.
	const leavesDoubt = call.column === 'safe' || isUnsafe;
	const lasts = shape === 'lasting';
	const times = (attempts: number) => (call.isOnceOnly ? Math.min(attempts, 1) : attempts);
	switch (effect) {
		case undefined:
			return undefined;
		case 'followed':
			return lasts ? failing(USUAL_ATTEMPTS, 0, false, true) : succeeding(2, 1);
		case 'harmless':
			return succeeding(1, 1);
		case 'rejected':
			return lasts ? failing(fault.attempts ?? USUAL_ATTEMPTS, 0, false, true) : succeeding(2, 1);
		case 'rejectedAlways':
			return failing(1, 0, false, false);
		case 'rejectedForLong':
			return failing(1, 0, false, true);
		case 'redirected':
			// A read is led away by its address, which does not change.
			return failing(1, 0, leavesDoubt, call.column === 'safe' || call.column === 'upload');
		case 'unusable':
			return failing(1, executed, leavesDoubt, !isUnsafe);
		case 'unknown':
			if (isUnsafe) return failing(1, executed, true, false);
			return lasts
				? failing(USUAL_ATTEMPTS, times(USUAL_ATTEMPTS * executed), leavesDoubt, true)
				: succeeding(2, times(1 + executed));
	}
}

/** An error is one sentence about what happened, and what to do next; neither shows what must not be seen. */
function* textProblems({ message, description }: FailedItem, secrets: string[]) {
	const text = `${message}\n${description}`;
	if (!/^[A-Z][^\n]{20,}[^.\s]$/.test(message))
		yield `the message is not one sentence: "${message}"`;
	if (!/^[A-Z].{20,}\.$/s.test(description))
		yield `the description says too little: "${description}"`;
	if (/<\s*[a-z!/]/i.test(text)) yield `the error shows HTML: "${text}"`;
	if (secrets.some((secret) => text.toLowerCase().includes(secret.toLowerCase())))
		yield 'the error shows a secret';
}

/** What is wrong with how a call ended; empty if nothing is. */
export function* problemsOf(
	expected: Expectation,
	observed: Observation,
	call: FaultyCall,
	fault: Fault,
	faultless: { output: string; added: number },
): Generator<string> {
	const { failure } = observed;
	const same = (what: string, is: unknown, should: unknown): string[] =>
		is === should ? [] : [`${what}: ${String(is)} instead of ${String(should)}`];

	yield* same('attempts', observed.attempts, expected.attempts);
	yield* same('executed', observed.executed, expected.executed);
	if (call.column === 'unsafe' && observed.executed > 1) yield 'an unsafe call was executed twice';
	// A file is imported while the test continues.
	if (['read', 'safe', 'unsafe'].includes(call.column))
		yield* same('records added', observed.added, observed.executed > 0 ? faultless.added : 0);
	if (expected.succeeds) {
		if (failure) yield `fails: "${failure.message}"`;
		else yield* same('output', observed.output, faultless.output);
	} else if (failure) {
		yield* same('outcomeUnknown', failure.outcomeUnknown, expected.outcomeUnknown);
		yield* same('replayable', failure.replayable, expected.replayable);
		yield* textProblems(failure, observed.secrets);
	} else {
		yield `is reported as done: ${observed.output.slice(0, 200)}`;
	}
	const shortest = Math.min(...observed.gapsMs);
	if (fault.waitMs !== undefined && shortest < fault.waitMs)
		yield `sent again after ${Math.round(shortest)} ms instead of ${fault.waitMs} ms (clock × ${SPEED})`;
	yield* observed.leaks.map((leak) => `credentials were sent to ${leak}`);
	if (call.column !== 'download' && observed.strays > 0) yield 'the call was sent to another host';
	if (call.column === 'upload')
		yield* same('import jobs started', observed.jobsStarted, expected.succeeds ? 1 : 0);
}
