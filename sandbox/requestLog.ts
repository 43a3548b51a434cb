import type { AuthenticationMethod } from './tenants/authentication';
import type { RateCategory } from './tenants/rateGate';

/** One request as the sandbox saw it; no key ever appears in it. */
export interface RequestLogEntry {
	number: number;
	/** ISO 8601. */
	receivedAt: string;
	/** When it arrived, in milliseconds of a monotonic clock; differences are exact. */
	atMs: number;
	/** Name of the tenant, once the key was accepted. */
	tenant: string | null;
	method: string;
	path: string;
	query: Record<string, string>;
	headers: Record<string, string>;
	authentication: AuthenticationMethod;
	/** Parsed JSON body, or null; uploads are not kept here. */
	body: unknown;
	/** Null until the response, and for connections cut without one. */
	status: number | null;
	/** Whether it passed the rate limits. */
	admitted: boolean;
	/** Whether the endpoint did its work, whatever the response said. */
	executed: boolean;
	category: RateCategory | null;
	/** What was counted together: the category, or the kind of endpoint with the legacy tier. */
	bucket: string | null;
	/** Kind of the fault that was applied. */
	fault: string | null;
}

const SECRET_HEADERS = ['authorization', 'apikey', 'proxy-authorization', 'cookie'];
const MASK = '[masked]';

/** Everything the sandbox was asked, in order of arrival. */
export class RequestLog {
	readonly entries: RequestLogEntry[] = [];
	/** Requests that carried the API key where it must not go (drop and result links). */
	leakedCredentials = 0;
	private last = 0;

	private readonly anyKey: RegExp;

	/** @param keys of all tenants, at least one */
	constructor(keys: readonly string[]) {
		this.anyKey = new RegExp(keys.join('|'), 'gi');
	}

	add(entry: Omit<RequestLogEntry, 'number'>): RequestLogEntry {
		const numbered = { number: ++this.last, ...entry };
		this.entries.push(numbered);
		return numbered;
	}

	/** Numbers are never reused, so every entry of a sandbox has its own. */
	clear(): void {
		this.entries.length = 0;
		this.leakedCredentials = 0;
	}

	maskText(text: string): string {
		return text.replace(this.anyKey, MASK);
	}

	maskHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
		return Object.fromEntries(
			Object.entries(headers).map(([name, value]) => [
				name,
				SECRET_HEADERS.includes(name) ? MASK : this.maskText(String(value)),
			]),
		);
	}

	maskValue(value: unknown): unknown {
		return JSON.parse(this.maskText(JSON.stringify(value ?? null)));
	}
}
