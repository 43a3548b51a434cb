import type { Clock } from '../transport/clock';
import type { Sender } from '../transport/httpRequest';
import type { RetryPolicy } from '../transport/retry';
import type { Connection } from './connection';

/** What one execution of a node provides for its calls. */
export interface ServiceSession {
	connection: Connection;
	/** Adds the credential to each request. */
	sender: Sender;
	/** For links that must not get the credential. */
	anonymousSender: Sender;
	clock: Clock;
	random: () => number;
	wallClock: () => number;
	signal: AbortSignal | undefined;
	/** Milliseconds for one request. */
	timeoutMs: number;
	policy: RetryPolicy;
	/** Most calls at a time; if undefined, the rate limit decides. */
	maxConcurrentRequests?: number;
}
