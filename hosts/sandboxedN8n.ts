import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { Agent, fetch, type RequestInit, type Response as HttpResponse } from 'undici';
import { z } from 'zod';
import {
	loopbackCertificate,
	startSandbox,
	type Certificate,
	type Sandbox,
	type SandboxOptions,
} from '../sandbox/index';
import { freePort } from './freePort.mjs';
import { connectN8n, givenN8n } from './givenN8n';
import { startHttpsFront } from './httpsFront';
import { contactsFile, giftsFile, guestsFile } from './importOutcome';
import { readWorkflowFile, type Credential, type StoredWorkflow } from './n8nClient';
import { chosenN8nHost, installN8nHost, type N8nHostName } from './n8nHost';
import { startN8n, type N8nOptions, type RunningN8n } from './n8nProcess';
import { packPackage } from './packPackage';
import { say } from './runWithProgress.mjs';

export interface SandboxedN8n {
	sandbox: Sandbox;
	readonly n8n: RunningN8n;
	readonly n8nOptions: N8nOptions;
	/** Milliseconds that n8n took to start the last time. */
	readonly startMs: number;
	/** Kills n8n as a power failure would, and starts it again on what it had saved. */
	crashN8n(): Promise<void>;
	/** Calls n8n, whose certificate it trusts. */
	fetch(url: string, init?: RequestInit): Promise<HttpResponse>;
	/** The key of this tenant of the sandbox, as a credential. @param fields that differ from the usual ones */
	credential(tenant: string, fields?: Credential['data']): Credential;
	/**
	 * Stores a workflow of examples/ with the sandbox's addresses in it.
	 *
	 * @param credentialId what its nodes call the service with
	 * @param ownSettings further values for its node "Settings", by name
	 */
	importExample(
		path: string,
		credentialId: string,
		ownSettings?: ExampleSettings,
	): Promise<StoredWorkflow>;
	/** The folder of files that n8n may read and write, and that the examples do. */
	filesFolder: string;
	/** What n8n's links to its files, forms and waiting executions begin with. */
	linkUrl: string;
	/** The certificate of the sandbox and of n8n's links; both trust other servers that use it. */
	certificate: Certificate;
	/** Ends both and removes everything they wrote. */
	close(): Promise<void>;
}

export interface SandboxedN8nOptions
	extends Pick<N8nOptions, 'port' | 'env' | 'onStart' | 'signal'> {
	/** Left out: what the environment chooses, or the oldest. */
	host?: N8nHostName;
	/** Whether n8n's links are https, as the service needs them to fetch files; the editor is http all the same. */
	httpsLinks?: boolean;
	/** Whether n8n offers its editor in a browser, which takes almost half of its start; default: yes. */
	hasEditor?: boolean;
	/** Whether this package is left out, so that it can be installed from npm. */
	withoutPackage?: boolean;
	sandbox?: SandboxOptions;
	/** Holds everything that is written; default: the system's folder for temporary files. */
	parentFolder?: string;
}

/** The n8n of `npm start`: Link to This Instance works in it. */
export const DEMO_OPTIONS: SandboxedN8nOptions = { httpsLinks: true };

type ExampleSettings = Record<string, string | number>;

const settingsSchema = z.object({
	assignments: z.object({
		assignments: z.array(z.object({ name: z.string(), value: z.unknown() }).passthrough()),
	}),
});

/** The file host of the examples. */
const EXAMPLE_HOST = 'https://files.example.org/';

/**
 * The nodes named "Settings" of the examples hold all that differs from user to user.
 * @param drop where the sandbox takes files
 */
function withSettings(node: INode, settings: ExampleSettings, drop: string): INode {
	if (node.name !== 'Settings') return node;
	const { assignments } = settingsSchema.parse(node.parameters).assignments;
	const replaced = assignments.map((assignment) => ({
		...assignment,
		value:
			settings[assignment.name] ??
			(assignment.name === 'uploadUrl'
				? String(assignment.value).replace(EXAMPLE_HOST, drop)
				: assignment.value),
	}));
	return {
		...node,
		parameters: {
			...node.parameters,
			assignments: { assignments: replaced },
		} as INode['parameters'],
	};
}

function withCredential(node: INode, credentialId: string): INode {
	const nativeApi = node.credentials?.nativeApi;
	if (!nativeApi) return node;
	return {
		...node,
		credentials: { ...node.credentials, nativeApi: { ...nativeApi, id: credentialId } },
	};
}

function credentialOf(
	sandbox: Sandbox,
	tenantName: string,
	fields: Credential['data'] = {},
): Credential {
	const tenant = sandbox.tenants.find(({ name }) => name === tenantName);
	if (!tenant) throw new Error(`The sandbox has no tenant named ${tenantName}.`);
	return {
		name: 'Native API',
		type: 'nativeApi',
		data: {
			baseUrl: sandbox.httpsUrl,
			deployment: 'other',
			apiVersion: 'v2',
			authentication: 'basic',
			username: 'apiuser',
			apiKey: tenant.key,
			databaseMode: 'none',
			identifierPrefix: 'Native',
			rateTier: 'custom',
			rateShare: 100,
			pollInterval: 1,
			...fields,
		},
	};
}

/**
 * The real n8n with this package (from a `dist/` built before), or the one that N8N_URL names, beside a sandbox
 * that it trusts. Says what it does, as the first time takes minutes.
 *
 * @throws Error with a sentence that says what to do
 */
export async function startSandboxedN8n(options: SandboxedN8nOptions = {}): Promise<SandboxedN8n> {
	const hostDir = await installN8nHost(options.host ?? chosenN8nHost());
	const given = givenN8n(options.env);
	const folder =
		given?.folder ?? mkdtempSync(join(options.parentFolder ?? tmpdir(), 'n8n-nodes-native-'));
	const filesFolder = join(folder, 'files');
	rmSync(filesFolder, { recursive: true, force: true });
	mkdirSync(filesFolder);
	for (const file of [contactsFile, giftsFile, guestsFile]) {
		copyFileSync(file, join(filesFolder, basename(file)));
	}

	let sandbox: Sandbox | undefined;
	let n8n: RunningN8n | undefined;
	let dispatcher: Agent | undefined;
	let front: Awaited<ReturnType<typeof startHttpsFront>> | undefined;
	const close = async () => {
		await dispatcher?.destroy();
		await front?.close();
		await n8n?.stop();
		await sandbox?.close();
		if (!given) rmSync(folder, { recursive: true, force: true });
	};
	try {
		const isPacked = !given && options.withoutPackage !== true;
		const packageTarball = isPacked ? await packPackage(folder) : undefined;
		options.signal?.throwIfAborted();
		// One pair for both: what trusts the sandbox trusts n8n, and the sandbox itself does, too.
		const certificate = given?.certificate ?? (await loopbackCertificate());
		const running = await startSandbox({ ...options.sandbox, certificate });
		sandbox = running;
		const caFile = join(folder, 'sandbox-ca.pem');
		writeFileSync(caFile, running.caCertificatePem);
		// Links to it must outlive a restart.
		const port = options.port ?? (await freePort());
		if (options.httpsLinks && !given) front = await startHttpsFront(port, certificate);
		say(given ? `Connecting to ${given.url} …` : 'Starting n8n …');
		const n8nOptions: N8nOptions = {
			hostDir,
			userFolder: folder,
			packageTarball,
			port,
			signal: options.signal,
			...(options.onStart && { onStart: options.onStart }),
			env: {
				NODE_EXTRA_CA_CERTS: caFile,
				N8N_RESTRICT_FILE_ACCESS_TO: filesFolder,
				...(front && { WEBHOOK_URL: `${front.url}/` }),
				...(options.hasEditor === false && { N8N_DISABLE_UI: 'true' }),
				...options.env,
			},
		};
		let startMs = 0;
		const start = async () => {
			const begun = Date.now();
			const started = given ? await connectN8n(given, hostDir) : await startN8n(n8nOptions);
			startMs = Date.now() - begun;
			return started;
		};
		let current: RunningN8n = await start();
		n8n = current;
		const agent = new Agent({ connect: { ca: certificate.cert } });
		dispatcher = agent;
		return {
			sandbox,
			get n8n() {
				return current;
			},
			n8nOptions,
			get startMs() {
				return startMs;
			},
			crashN8n: async () => {
				await current.kill();
				current = n8n = await start();
			},
			fetch: async (url, init) => await fetch(url, { ...init, dispatcher: agent }),
			filesFolder,
			linkUrl: front?.url ?? current.url,
			certificate,
			close,
			credential: (tenant, fields) => credentialOf(running, tenant, fields),
			importExample: async (path, credentialId, ownSettings = {}) => {
				const workflow = readWorkflowFile(path);
				const settings = {
					contactsFile: join(filesFolder, basename(contactsFile)),
					giftsFile: join(filesFolder, basename(giftsFile)),
					guestsFile: join(filesFolder, basename(guestsFile)),
					failedPostsFolder: filesFolder,
					reportFolder: filesFolder,
					...ownSettings,
				};
				return await current.client.createWorkflow({
					...workflow,
					nodes: workflow.nodes.map((node) =>
						withCredential(withSettings(node, settings, `${running.httpsUrl}/drop/`), credentialId),
					),
				});
			},
		};
	} catch (error) {
		await close();
		throw error;
	}
}
