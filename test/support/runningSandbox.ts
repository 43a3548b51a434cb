import { makeZip } from 'client-zip';

import {
	startSandbox,
	type FaultRequest,
	type JobFault,
	type Sandbox,
	type SandboxOptions,
	type TenantChange,
} from '../../sandbox';

export const DEMO_KEY = '11111111-1111-4111-8111-111111111111';
export const OTHER_KEY = '22222222-2222-4222-8222-222222222222';
export const RESTRICTED_KEY = '33333333-3333-4333-8333-333333333333';
/** A well-formed key of nobody. */
export const UNKNOWN_KEY = '99999999-9999-4999-8999-999999999999';

type FaultTime = Pick<FaultRequest, 'count' | 'skip'>;

/** The sandbox of a test file, over real sockets. */
export class RunningSandbox {
	private running: Sandbox | undefined;

	async start(options: SandboxOptions): Promise<void> {
		this.running = await startSandbox(options);
	}

	get sandbox(): Sandbox {
		if (!this.running) throw new Error('The sandbox starts before the first test.');
		return this.running;
	}

	async close(): Promise<void> {
		await this.running?.close();
	}

	/** Calls of the interface the sandbox received, uploads and downloads of files left out. */
	calls() {
		return this.sandbox.requests.filter(({ path }) => /^\/v\d/.test(path));
	}

	/** Calls that could change something. */
	writes() {
		return this.calls().filter(({ method }) => method !== 'GET');
	}

	/** Starts of import jobs. */
	starts() {
		return this.writes().filter(({ path }) => path.endsWith('/bulkImportJobs'));
	}

	people() {
		return this.sandbox.control.people('demo');
	}

	/** Import jobs of the demo key, oldest first. */
	jobs() {
		return this.sandbox.control.jobs('demo');
	}

	/** Waits for the end of all jobs. */
	async settle(): Promise<void> {
		while (this.jobs().some(({ status }) => /pending|progress/i.test(status)))
			await new Promise((resolve) => setImmediate(resolve));
	}

	/**
	 * Gives a request this fault.
	 * @param on the requests that it can meet, e.g. `GET /bulkImportJobs`, `POST` or `/results`
	 * @param when how many of them get it, and how many are served first
	 * @returns what removes the fault again, used up or not
	 */
	addFault(fault: FaultRequest['fault'], on = '/', when: FaultTime = {}): () => void {
		const [, method, pathPrefix] = /^([A-Z]*) ?(.*)$/.exec(on) ?? [];
		return this.sandbox.control.addFault({
			...when,
			...(method && { method: method as FaultRequest['method'] }),
			...(pathPrefix && { pathPrefix }),
			fault,
		});
	}

	/** The next import job fails or ends like this. */
	addJobFault(failure: JobFault, when: FaultTime = {}): () => void {
		return this.addFault({ kind: 'job', failure }, '/', when);
	}

	/** Changes how the service treats the demo key, until the end of the test. */
	change(settings: TenantChange): void {
		this.sandbox.control.updateTenant('demo', settings);
	}

	/** Zips a text and puts it on the user's file host. */
	async host(fileName: string, text: string | Uint8Array): Promise<string> {
		const zip = await new Response(makeZip([{ name: fileName, input: text }])).arrayBuffer();
		return await this.put(new Uint8Array(zip));
	}

	/** Puts a file on the user's file host. */
	async put(content: Uint8Array): Promise<string> {
		const name = `${crypto.randomUUID()}.zip`;
		const response = await fetch(`${this.sandbox.url}/drop/${name}?sig=1`, {
			method: 'PUT',
			body: content,
		});
		if (!response.ok) throw new Error(`The file drop responded with ${response.status}.`);
		return `${this.sandbox.httpsUrl}/drop/${name}`;
	}
}

/** Starts it for the tests of a file; each test begins with the seed and the first settings. */
export function useRunning<Service extends RunningSandbox>(
	service: Service,
	options: SandboxOptions,
): Service {
	beforeAll(async () => await service.start(options));
	afterEach(() => service.sandbox.control.reset());
	afterAll(async () => await service.close());
	return service;
}
