import { makeZip } from 'client-zip';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { NativeApi } from '../../../credentials/NativeApi.credentials';
import { byName } from '../../../hosts/locators';
import { type NodeRun, runNode } from './engine';
import { type PackageOperation } from './exampleOutputs';
import type { ExampleRun, ExampleService } from './outputExamples';
import { sandboxCredential } from './sandboxed';
import { SandboxProcess } from './sandboxProcess';

/** For operations whose examples have no parameters. */
const someRecord: INodeParameters = {
	resourceName: byName('events'),
	recordId: '6001',
	recordJson: '{"name":"Rally"}',
};

/** For the operations that wait. */
const ENDS_SOON = { waitForOutcome: 'none', maxWait: 0.01 };

/** A service in a process of its own, for operations that are tried with texts that could stop n8n. */
class HostileService {
	private constructor(
		readonly sandbox: SandboxProcess,
		private readonly examples: ExampleService,
	) {}

	static async start(): Promise<HostileService> {
		const sandbox = await SandboxProcess.start();
		const { url, httpsUrl } = sandbox;
		return new HostileService(sandbox, {
			uploadUrl: `${url}/drop/{file}?sig=1`,
			downloadUrl: `${httpsUrl}/drop/{file}`,
			host: async (fileName, text) => {
				const body = await new Response(makeZip([{ name: fileName, input: text }])).blob();
				await fetch(`${url}/drop/${fileName}.zip?sig=1`, { method: 'PUT', body });
				return `${httpsUrl}/drop/${fileName}.zip`;
			},
			run: async () => await Promise.resolve([{ jobId: 1, codeId: 501, personId: 100_001 }]),
			outputs: async () => await Promise.resolve([{ json: {} }]),
		});
	}

	async exampleOf({ examples: list, nodeName }: PackageOperation): Promise<ExampleRun> {
		const [example = {}] = (await list?.(this.examples)) ?? [];
		const fallback = nodeName === 'NativeRecord' ? someRecord : {};
		const { parameters } = example;
		// The end of a job is not waited for.
		const options = { ...(parameters?.options as INodeParameters), ...ENDS_SOON };
		const limits = { ...(parameters?.limits as INodeParameters), timeout: 5 };
		return { ...example, parameters: { ...fallback, ...parameters, options, limits } };
	}

	async run(
		{ node }: PackageOperation,
		parameters: INodeParameters,
		items: INodeExecutionData[] = [{ json: {} }],
	): Promise<NodeRun | undefined> {
		try {
			return await runNode({
				node,
				credentialTypes: [new NativeApi()],
				credentials: { nativeApi: sandboxCredential(this.sandbox.url) },
				parameters,
				items,
				onError: 'continueErrorOutput',
				signal: AbortSignal.timeout(5000),
			});
		} catch {
			// n8n itself refuses some of these texts.
			return undefined;
		}
	}
}

/** One for the tests of a file. */
export function useHostileService(): { readonly service: HostileService } {
	const used = {} as { service: HostileService };
	beforeAll(async () => {
		used.service = await HostileService.start();
	});
	afterAll(async () => await used.service.sandbox.stop());
	afterEach(async () => await used.service.sandbox.reset());
	return used;
}
