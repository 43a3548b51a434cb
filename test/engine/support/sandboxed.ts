import type { ICredentialDataDecryptedObject, INodeType } from 'n8n-workflow';

import { NativeApi } from '../../../credentials/NativeApi.credentials';
import type { SandboxOptions } from '../../../sandbox';
import { DEMO_KEY, RunningSandbox, useRunning } from '../../support/runningSandbox';
import { runNode, type NodeRun, type NodeRunOptions } from './engine';
import { useProcessedData } from './processedData';

export { DEMO_KEY, RESTRICTED_KEY, UNKNOWN_KEY } from '../../support/runningSandbox';

/** Fast enough that tests do not wait for the rate limit; tests of it set their own. */
const QUICK = { high: 1000, medium: 1000, low: 1000 };

/** A credential that the sandbox at an address accepts, with all that n8n stores. */
export const sandboxCredential = (baseUrl: string): ICredentialDataDecryptedObject => ({
	baseUrl,
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
	pollInterval: 0.05,
});

/** The service and a node's calls to it. */
export class Sandboxed extends RunningSandbox {
	/** Result links are plain http on loopback, because the engine does not trust the sandbox's certificate. */
	override async start(options: SandboxOptions = {}): Promise<void> {
		await super.start({
			linkBase: 'http',
			tier: { ...QUICK, monthly: null },
			jobTiming: { pendingMs: 20, minimumMs: 30 },
			...options,
		});
	}

	static async start(options: SandboxOptions = {}): Promise<Sandboxed> {
		const service = new Sandboxed();
		await service.start(options);
		return service;
	}

	credential(changes: ICredentialDataDecryptedObject = {}): ICredentialDataDecryptedObject {
		return { ...sandboxCredential(this.sandbox.url), ...changes };
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
}

/** A sandbox for the tests of a file. Each begins with a service and an n8n that know nothing of the others. */
export function useSandbox(options: SandboxOptions = {}): Sandboxed {
	useProcessedData();
	return useRunning(new Sandboxed(), options);
}
