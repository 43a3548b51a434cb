import type { FaultQueue } from './faults';
import type { ResultLinks } from './files/resultLinks';
import type { RequestLog, RequestLogEntry } from './requestLog';
import type { Tenant } from './tenants/tenants';

export interface DropFile {
	content: Buffer;
	contentType: string;
}

/** Everything a running sandbox holds; shared by its HTTP layers. */
export interface Sandboxed {
	tenants: readonly Tenant[];
	log: RequestLog;
	faults: FaultQueue;
	resultLinks: ResultLinks;
	/** Uploaded files by name. */
	drop: Map<string, DropFile>;
	dropCredentials: { user: string; password: string } | undefined;
	/** Scheme, host and port of result and drop links. */
	linkBase(): string;
	/** Told of every request that has ended. */
	ended(entry: RequestLogEntry): void;
	/** Milliseconds since the epoch. */
	clock(): number;
}
