import type { FaultRequest } from '../../sandbox';
import type { ConnectionFault } from './faultProxy';

/** Seconds that calls wait for a response in tests of time-outs: long enough for a busy machine. */
export const TIMEOUT_SECONDS = 5;

/** What kind of traffic a call is, as the table shows it. */
export type Column = 'read' | 'safe' | 'unsafe' | 'upload' | 'download';

/** What a fault means for the call that meets it. */
export type Effect =
	/** Certainly not executed, and may be sent again at once or after the named wait. */
	| 'rejected'
	/** Certainly not executed, and would be rejected again. */
	| 'rejectedAlways'
	/** Certainly not executed, and not to be sent again for longer than a workflow waits. */
	| 'rejectedForLong'
	/** Whether it was executed is unknown. */
	| 'unknown'
	/** Probably executed, but what came back cannot be used, and would not be better next time. */
	| 'unusable'
	/** Answered with a redirect, which says nothing about the call. */
	| 'redirected'
	/** Answered with a redirect that is followed, as often as leads somewhere. */
	| 'followed'
	/** Nothing a user need notice. */
	| 'harmless';

export interface Fault {
	/** The name in the table. */
	name: string;
	effect: Effect;
	/** Where the same fault means something else; undefined: it cannot happen or cannot be recognized there. */
	effectFor?: Partial<Record<Column, Effect | undefined>>;
	/** Whether the service executes the call anyway. */
	executes?: true;
	/** The shortest wait between two attempts, in milliseconds, that the response asks for. */
	waitMs?: number;
	/** Attempts of a call that is always rejected, where they are not the usual six. */
	attempts?: number;
	/** What the service does; for a redirect to another host, `location` is filled in by the cell. */
	service?: FaultRequest['fault'];
	/** Or what the network does. */
	connection?: ConnectionFault;
	/** Needs a short time-out to be noticed. */
	isSlow?: true;
	/** Moves so much data that only some run at a time. */
	isBig?: true;
}

/** For responses that a busy machine takes long to move. */
export const LONG_TIMEOUT_SECONDS = 600;

/** Replaced by the address of another host. */
export const ELSEWHERE = 'elsewhere:';

const HOUR_MS = 3_600_000;
/** So few attempts fit into half an hour that every call can be told so in every way. */
const FOUR_MINUTES_MS = 240_000;
/** So many fit into it that the number of attempts ends them. */
const SHORT_WAIT_MS = 2000;

/** The first attempt and the hundred that a service which names its waits is given. */
export const PATIENT_ATTEMPTS = 101;
/** Almost the half hour in which it is given them. */
export const PATIENCE_MS = 28 * 60_000;
/** Waits of four minutes that fit into half an hour. */
const ATTEMPTS_IN_HALF_AN_HOUR = 8;

/** Larger than the largest response that is read. */
const TOO_MANY_MEGABYTES = 65;

const status = (code: number, more: Partial<Extract<FaultRequest['fault'], { kind: 'status' }>>) =>
	({ kind: 'status', status: code, ...more }) as const;

const envelope = { errors: [{ code: 'INVALID_PARAMETER', text: 'A value is not accepted' }] };

export const faults: Fault[] = [
	{
		name: '429, "try again in 2000 ms"',
		effect: 'rejected',
		waitMs: SHORT_WAIT_MS,
		attempts: PATIENT_ATTEMPTS,
		service: status(429, { retryAfter: 'text', retryAfterMs: SHORT_WAIT_MS }),
	},
	{
		name: '429, `Retry-After` of 240 seconds',
		effect: 'rejected',
		waitMs: FOUR_MINUTES_MS,
		attempts: ATTEMPTS_IN_HALF_AN_HOUR,
		service: status(429, { retryAfter: 'seconds', retryAfterMs: FOUR_MINUTES_MS }),
	},
	{
		name: '429, `Retry-After` with a date in 4 minutes',
		effect: 'rejected',
		// A date has no fractions of a second, so up to one is lost.
		waitMs: FOUR_MINUTES_MS - 1000,
		attempts: ATTEMPTS_IN_HALF_AN_HOUR,
		service: status(429, { retryAfter: 'date', retryAfterMs: FOUR_MINUTES_MS }),
	},
	{
		name: '429, an hour',
		effect: 'rejectedForLong',
		service: status(429, { retryAfter: 'seconds', retryAfterMs: HOUR_MS }),
	},
	{
		name: '429 without a time',
		effect: 'rejected',
		service: status(429, { retryAfter: 'none' }),
	},
	{ name: '503, a web page', effect: 'rejected', service: status(503, { body: 'html' }) },
	{
		name: '503, `Retry-After` of 240 seconds',
		effect: 'rejected',
		waitMs: FOUR_MINUTES_MS,
		attempts: ATTEMPTS_IN_HALF_AN_HOUR,
		service: status(503, { retryAfter: 'seconds', retryAfterMs: FOUR_MINUTES_MS }),
	},
	{ name: 'connection refused', effect: 'rejected', connection: 'refused' },
	{ name: 'name not found (DNS)', effect: 'rejected', connection: 'nameUnknown' },
	{ name: 'certificate not trusted', effect: 'rejected', connection: 'certificateNotTrusted' },
	{ name: 'TLS handshake cut', effect: 'rejected', connection: 'handshakeCut' },
	{ name: 'no TLS at an https address', effect: 'rejected', connection: 'notTls' },
	{ name: '500, not executed', effect: 'unknown', service: status(500, {}) },
	{
		name: '500, executed',
		effect: 'unknown',
		executes: true,
		service: status(500, { executed: true }),
	},
	{ name: '502, a web page', effect: 'unknown', service: status(502, { body: 'html' }) },
	{
		name: '504, a web page, executed',
		effect: 'unknown',
		executes: true,
		service: status(504, { body: 'html', executed: true }),
	},
	{
		name: 'connection reset, not executed',
		effect: 'unknown',
		service: { kind: 'resetBefore' },
	},
	{
		name: 'connection reset, executed',
		effect: 'unknown',
		executes: true,
		service: { kind: 'resetAfter' },
	},
	{
		name: 'timeout, not executed',
		effect: 'unknown',
		isSlow: true,
		service: { kind: 'noResponse' },
	},
	{
		name: 'timeout, executed',
		effect: 'unknown',
		executes: true,
		isSlow: true,
		service: { kind: 'noResponse', executed: true },
	},
	{
		name: 'response drips past the timeout',
		effect: 'unknown',
		// A large file over a slow line takes its time.
		effectFor: { download: 'harmless' },
		executes: true,
		isSlow: true,
		service: { kind: 'slowDrip', ms: 2.5 * TIMEOUT_SECONDS * 1000 },
	},
	{
		name: 'response breaks off',
		effect: 'unknown',
		executes: true,
		service: { kind: 'truncatedBody' },
	},
	{
		name: 'half a response that claims to be whole',
		effect: 'unusable',
		// Nothing is needed from the response to an upload that the request does not say.
		effectFor: { upload: 'harmless', download: undefined },
		executes: true,
		service: { kind: 'halfBody' },
	},
	{
		name: 'response larger than 64 MB',
		effect: 'unusable',
		// A file may be of any size.
		effectFor: { download: undefined },
		executes: true,
		isBig: true,
		service: { kind: 'oversizedBody', megabytes: TOO_MANY_MEGABYTES },
	},
	{
		name: '400, what is wrong',
		effect: 'rejectedAlways',
		// Storage has errors of its own.
		effectFor: { upload: undefined, download: undefined },
		service: { kind: 'response', status: 400, body: envelope },
	},
	{
		name: '200, but an error in the response',
		effect: 'unusable',
		// A record that is read may have errors of its own, as an import job has.
		effectFor: { read: undefined, upload: undefined, download: undefined },
		service: { kind: 'response', status: 200, body: envelope },
	},
	{ name: '200, a web page', effect: 'unusable', service: { kind: 'htmlPage' } },
	{
		name: 'JSON as text/plain',
		effect: 'harmless',
		executes: true,
		service: { kind: 'wrongContentType' },
	},
	{
		name: 'redirect to an error page',
		effect: 'redirected',
		// Downloads carry no key, so they follow; and find a web page.
		effectFor: { download: 'unusable' },
		service: { kind: 'redirectToErrorPage' },
	},
	{
		name: 'redirect to another host',
		effect: 'redirected',
		effectFor: { download: 'followed' },
		service: { kind: 'redirect', location: ELSEWHERE },
	},
];

export function effectOn(fault: Fault, column: Column): Effect | undefined {
	return fault.effectFor && column in fault.effectFor ? fault.effectFor[column] : fault.effect;
}
