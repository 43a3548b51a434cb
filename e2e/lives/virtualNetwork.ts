import type { IHttpRequestOptions } from 'n8n-workflow';

import type { ServiceResponse, VirtualService } from './virtualService';
import type { VirtualWorld } from './virtualWorld';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const FAULTS = [
	/** Not executed. */
	'refused',
	'requestLost',
	'rateLimited',
	'unavailable',
	'brokenBefore',
	/** Executed. */
	'responseLost',
	'responseCut',
	'brokenAfter',
	'webPageAfter',
	/** The client has given up before the service sees the request. */
	'executedLate',
] as const;
type Fault = (typeof FAULTS)[number];

export interface Weather {
	/** Share of requests that fail. */
	faults: number;
	/** Milliseconds since 1970 between which no request gets through. */
	outage?: { from: number; to: number };
}

/** What n8n shows of an error of the network. */
function networkError(code: string): Error {
	return Object.assign(new Error(`The connection failed: ${code}`), { code });
}

function responseOf({ status, body, type }: ServiceResponse, isCut = false): object {
	async function* chunks(): AsyncGenerator<Buffer> {
		const bytes = Buffer.from(body);
		yield isCut ? bytes.subarray(0, bytes.length / 2) : bytes;
		await Promise.resolve();
		if (isCut) throw networkError('ECONNRESET');
	}
	return {
		statusCode: status,
		headers: type === undefined ? {} : { 'content-type': type },
		body: Object.assign(chunks(), { destroy: () => undefined }),
	};
}

/** The way between n8n and the service. */
export class VirtualNetwork {
	constructor(
		private readonly world: VirtualWorld,
		private readonly service: VirtualService,
		public weather: Weather,
		private readonly note: (event: string) => void,
	) {}

	/**
	 * Sends one request as n8n's helper does.
	 * @param step called before the request leaves, when it was executed, and when the response has arrived
	 */
	async send(options: IHttpRequestOptions, step: (at: string) => Promise<void>): Promise<object> {
		const method = options.method ?? 'GET';
		const url = new URL(options.url);
		const name = `${method} ${url.pathname}`;
		const fault = this.nextFault();
		await step(`${name} leaves`);
		await this.world.time.until(this.world.time.now() + this.world.whole(20, 300));
		const response = this.respond(fault, () => this.service.handle(method, url, options.body));
		this.note(`${name}${fault ? `, ${fault}` : ''}: ${response?.status ?? 'no response'}`);
		if (fault === 'executedLate') this.service.delayLatestJob(this.world.whole(5, 40) * SECOND);
		await step(`${name} was executed`);
		const isSlow = fault === 'requestLost' || fault === 'executedLate';
		const latency = isSlow ? MINUTE : this.world.whole(20, 300);
		await this.world.time.until(this.world.time.now() + latency);
		await step(`${name} is back`);
		if (!response) throw networkError(fault === 'refused' ? 'ECONNREFUSED' : 'ECONNRESET');
		if (isSlow) throw networkError('ETIMEDOUT');
		if (fault === 'responseLost') throw networkError('ECONNRESET');
		return responseOf(response, fault === 'responseCut');
	}

	private nextFault(): Fault | undefined {
		const { faults, outage } = this.weather;
		const now = this.world.now();
		if (outage && now >= outage.from && now < outage.to) return 'unavailable';
		return this.world.chance(faults) ? this.world.pick(FAULTS) : undefined;
	}

	/** @returns undefined if the connection broke before the service saw the request */
	private respond(
		fault: Fault | undefined,
		execute: () => ServiceResponse,
	): ServiceResponse | undefined {
		if (fault === 'refused' || fault === 'requestLost') return undefined;
		if (fault === 'rateLimited')
			return { status: 429, body: 'Try again in 700 ms', type: 'text/plain' };
		if (fault === 'unavailable') return { status: 503, body: '' };
		if (fault === 'brokenBefore') return { status: 500, body: '' };
		const response = execute();
		if (fault === 'brokenAfter') return { status: 502, body: '' };
		if (fault === 'webPageAfter')
			return { status: 200, body: '<html>Sign in</html>', type: 'text/html' };
		return response;
	}
}
