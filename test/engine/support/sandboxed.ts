import { makeZip } from 'client-zip';
import type { ICredentialDataDecryptedObject, INodeType } from 'n8n-workflow';

import { NativeApi } from '../../../credentials/NativeApi.credentials';
import {
	startSandbox,
	type FaultRequest,
	type JobFault,
	type Sandbox,
	type SandboxOptions,
	type TenantChange,
} from '../../../sandbox';
import { runNode, type NodeRun, type NodeRunOptions } from './engine';

export const DEMO_KEY = '11111111-1111-4111-8111-111111111111';
export const RESTRICTED_KEY = '33333333-3333-4333-8333-333333333333';
/** A well-formed key of nobody. */
export const UNKNOWN_KEY = '99999999-9999-4999-8999-999999999999';

/** Fast enough that tests do not wait for their turn; tests of the pace set their own. */
const QUICK = { high: 1000, medium: 1000, low: 1000 };

/** The service and a node's calls to it, over real sockets. */
export class Sandboxed {
	private running: Sandbox | undefined;

	/** Result links are plain http on loopback, because the engine does not trust the sandbox's certificate. */
	static async start(options: SandboxOptions = {}): Promise<Sandboxed> {
		const service = new Sandboxed();
		await service.start(options);
		return service;
	}

	async start(options: SandboxOptions): Promise<void> {
		this.running = await startSandbox({
			linkBase: 'http',
			tier: { ...QUICK, monthly: null },
			jobTiming: { pendingMs: 20, minimumMs: 30 },
			...options,
		});
	}

	get sandbox(): Sandbox {
		if (!this.running) throw new Error('The sandbox starts before the first test.');
		return this.running;
	}

	async close(): Promise<void> {
		await this.running?.close();
	}

	credential(changes: ICredentialDataDecryptedObject = {}): ICredentialDataDecryptedObject {
		return {
			baseUrl: this.sandbox.url,
			deployment: 'other',
			apiVersion: 'v2',
			authentication: 'basic',
			username: 'apiuser',
			apiKey: DEMO_KEY,
			databaseMode: 'none',
			identifierPrefix: 'Native',
			rateTier: 'manual',
			rateHigh: QUICK.high,
			rateMedium: QUICK.medium,
			rateLow: QUICK.low,
			rateShare: 100,
			...changes,
		};
	}

	/** What a node of the package needs to run or to be filled in. */
	setup(node: INodeType, credential: ICredentialDataDecryptedObject = {}) {
		return {
			node,
			credentialTypes: [new NativeApi()],
			credentials: { nativeApi: this.credential(credential) },
		};
	}

	async run(
		node: INodeType,
		parameters: NodeRunOptions['parameters'],
		options: Omit<NodeRunOptions, 'node' | 'parameters' | 'credentials'> & {
			credential?: ICredentialDataDecryptedObject;
		} = {},
	): Promise<NodeRun> {
		const { credential, ...rest } = options;
		return await runNode({ ...this.setup(node, credential), parameters, ...rest });
	}

	/** Calls of the interface the sandbox received, uploads and downloads of files left out. */
	calls() {
		return this.sandbox.requests.filter(({ path }) => /^\/v\d/.test(path));
	}

	/** Import jobs of the key, oldest first. */
	jobs() {
		return this.sandbox.control.jobs('demo');
	}

	/** @returns what removes the fault again, used up or not */
	addFault(fault: FaultRequest): () => void {
		return this.sandbox.control.addFault(fault);
	}

	/** The next import job fails or ends like this. */
	addJobFault(failure: JobFault, when: Pick<FaultRequest, 'count' | 'skip'> = {}): () => void {
		return this.addFault({ ...when, fault: { kind: 'job', failure } });
	}

	/** Changes how the service behaves toward the key, until the end of the test. */
	change(settings: TenantChange): void {
		this.sandbox.control.updateTenant('demo', settings);
	}

	/** Zips a text and puts it on the user's file host. */
	async host(fileName: string, text: string): Promise<string> {
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
		if (!response.ok) throw new Error(`The file drop answered ${response.status}.`);
		return `${this.sandbox.httpsUrl}/drop/${name}`;
	}
}

/** A sandbox for the tests of a file; each test begins with the seed. */
export function useSandbox(options: SandboxOptions = {}): Sandboxed {
	const service = new Sandboxed();
	beforeAll(async () => await service.start(options));
	afterEach(() => service.sandbox.control.reset());
	afterAll(async () => await service.close());
	return service;
}
