import type { FaultQueue } from './faults';
import type { FileHosts } from './files/fileHosts';
import type { RequestLog, RequestLogEntry } from './requestLog';
import type { Tenant } from './tenants/tenants';

/** Everything a running sandbox holds; shared by its HTTP layers. */
export interface Sandboxed extends FileHosts {
	tenants: readonly Tenant[];
	log: RequestLog;
	faults: FaultQueue;
	/** Times that it was reset. */
	resets: number;
	/** Called when a request has ended. */
	onEnd(entry: RequestLogEntry): void;
	/** Milliseconds since the epoch. */
	clock(): number;
}
