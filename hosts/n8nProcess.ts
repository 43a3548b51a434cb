import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
	closeSync,
	copyFileSync,
	existsSync,
	fstatSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readFileSync,
	readdirSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Agent, fetch } from 'undici';
import { freePort } from './freePort.mjs';
import { N8nClient, RejectedCall } from './n8nClient';
import { nodeOfHost } from './n8nHost';
import { packageManifest } from './packPackage';
import { waitUntil } from './waitUntil';

export interface N8nOptions {
	/** What installN8nHost returned. */
	hostDir: string;
	/** Where this n8n keeps everything it writes. */
	userFolder: string;
	/** The packed package to install in it; left out: none. */
	packageTarball?: string | undefined;
	/** Port of the editor; left out: any free one. */
	port?: number | undefined;
	/** Further settings of n8n. */
	env?: Record<string, string>;
	/** Called for each process that was started, with the ID of its group. */
	onStart?: (pid: number) => void;
	signal?: AbortSignal | undefined;
}

export interface N8nProcess {
	/** Everything it printed so far. */
	log(): string;
	ended: Promise<void>;
	/** Ends it with all its child processes. */
	stop(): Promise<void>;
	/** Ends it as a power failure would: nothing is saved, no one is notified. */
	kill(): Promise<void>;
}

export interface RunningN8n extends N8nProcess {
	/** Address of the editor. */
	url: string;
	/** Logged in as {@link OWNER}. */
	client: N8nClient;
}

export const OWNER = {
	email: 'owner@example.org',
	password: 'Sandbox-0nly',
	firstName: 'Sandbox',
	lastName: 'Owner',
};

const run = promisify(execFile);

const STOP_TIMEOUT_MS = 20_000;

/** Settings of an n8n that the user runs beside this one must not leak into it. */
const OTHER_SETTINGS = /^(N8N_|DB_|EXECUTIONS_|QUEUE_|WEBHOOK_|GENERIC_|NODES_|CREDENTIALS_|npm_)/;

/** PEM; n8n's processes must trust it themselves (NODE_EXTRA_CA_CERTS). */
type Certificate = { key: string; cert: string };

export function httpsSettings(
	userFolder: string,
	certificate: Certificate,
): Record<string, string> {
	const files = {
		N8N_SSL_KEY: join(userFolder, 'n8n-key.pem'),
		N8N_SSL_CERT: join(userFolder, 'n8n-cert.pem'),
	};
	writeFileSync(files.N8N_SSL_KEY, certificate.key, { mode: 0o600 });
	writeFileSync(files.N8N_SSL_CERT, certificate.cert);
	return { N8N_PROTOCOL: 'https', ...files };
}

export function testSettings(userFolder: string, url: string): Record<string, string> {
	return {
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: new URL(url).port,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_EDITOR_BASE_URL: `${url}/`,
		WEBHOOK_URL: `${url}/`,
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_AI_ENABLED: 'false',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_REINSTALL_MISSING_PACKAGES: 'false',
		DB_TYPE: 'sqlite',
	};
}

function environment(options: N8nOptions, url: string, brokerPort: number): NodeJS.ProcessEnv {
	const inherited = Object.entries(process.env).filter(([name]) => !OTHER_SETTINGS.test(name));
	return {
		...Object.fromEntries(inherited),
		// From Node 22 on, a start compiles only what no earlier start has compiled.
		NODE_COMPILE_CACHE: join(options.hostDir, 'compile-cache'),
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		...testSettings(options.userFolder, url),
		...options.env,
	};
}

const n8nProgram = (hostDir: string) => join(hostDir, 'node_modules', 'n8n', 'bin', 'n8n');
const databaseFiles = (folder: string) =>
	readdirSync(folder).filter((name) => /^database\.sqlite(-wal)?$/.test(name));

/**
 * Keeps an empty database beside an installed n8n. It holds nothing that is encrypted: each n8n that starts with a
 * copy has a key of its own.
 */
async function keepEmptyDatabase({ hostDir, signal }: N8nOptions, kept: string): Promise<void> {
	const partial = mkdtempSync(join(hostDir, 'partial-'));
	try {
		const env = environment({ hostDir, userFolder: partial }, 'http://127.0.0.1:5678', 0);
		// The least command that makes one.
		const command = [n8nProgram(hostDir), 'list:workflow'];
		await run(nodeOfHost(hostDir), command, { cwd: partial, env, signal });
		renameSync(join(partial, '.n8n'), kept);
	} catch (error) {
		signal?.throwIfAborted();
		// Another process was first.
		if (!existsSync(kept)) throw error;
	} finally {
		rmSync(partial, { recursive: true, force: true });
	}
}

/** Spares a first start its migrations, which take a third of its processor time. */
async function provideDatabase(options: N8nOptions): Promise<void> {
	const { hostDir, userFolder, env = {} } = options;
	const own = join(userFolder, '.n8n');
	if ((env.DB_TYPE ?? 'sqlite') !== 'sqlite') return;
	mkdirSync(own, { recursive: true });
	if (databaseFiles(own).length > 0) return;
	const kept = join(hostDir, 'empty-database');
	if (!existsSync(kept)) await keepEmptyDatabase(options, kept);
	for (const name of databaseFiles(kept)) copyFileSync(join(kept, name), join(own, name));
}

/** Installs a community package as n8n itself does, without asking a registry. */
export function installPackage(userFolder: string, tarball: string): void {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const folder = join(nodesFolder, 'node_modules', packageManifest.name);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	const manifest = {
		name: 'installed-nodes',
		private: true,
		dependencies: { [packageManifest.name]: packageManifest.version },
	};
	writeFileSync(join(nodesFolder, 'package.json'), JSON.stringify(manifest));
}

const UNAUTHORIZED = 401;

/** Logs in as {@link OWNER}, who is set up in a fresh n8n. @returns whether n8n was there to log in to */
export async function logIn(client: N8nClient): Promise<boolean> {
	const { email, password } = OWNER;
	try {
		await client.call('POST', '/rest/login', { emailOrLdapLoginId: email, password });
		return true;
	} catch (error) {
		if (!(error instanceof RejectedCall) || error.status !== UNAUTHORIZED) return false;
	}
	await client.call('POST', '/rest/owner/setup', OWNER);
	return true;
}

/** The task runner is a child of n8n: the signal must reach the whole group. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
	if (child.pid === undefined) return false;
	try {
		return process.kill(-child.pid, signal);
	} catch {
		return false;
	}
}

async function endGroup(child: ChildProcess, signals: NodeJS.Signals[]): Promise<void> {
	for (const signal of signals) {
		signalGroup(child, signal);
		const deadline = Date.now() + STOP_TIMEOUT_MS;
		while (signalGroup(child, 0) && Date.now() < deadline) await wait(100);
	}
}

interface StartingN8n extends N8nProcess {
	hasEnded(): boolean;
	/** Whether its own output since this start holds a text. */
	hasPrinted(text: string): boolean;
}

/**
 * Starts a process of the real n8n with this package installed.
 *
 * @param args of the command `n8n`
 * @param url of its editor; a worker has the settings but no editor
 */
async function spawnN8n(
	options: N8nOptions,
	args: readonly string[],
	url: string,
): Promise<StartingN8n> {
	const { hostDir, userFolder } = options;
	if (options.packageTarball !== undefined) installPackage(userFolder, options.packageTarball);
	const logFile = join(userFolder, 'n8n.log');
	const env = environment(options, url, await freePort());
	const output = openSync(logFile, 'a');
	const { size: earlierOutput } = fstatSync(output);
	const child = spawn(nodeOfHost(hostDir), [n8nProgram(hostDir), ...args], {
		cwd: userFolder,
		detached: true,
		env,
		stdio: ['ignore', output, output],
	});
	closeSync(output);
	if (child.pid !== undefined) options.onStart?.(child.pid);
	let hasEnded = false;
	const ended = new Promise<void>((resolve) => {
		const settle = () => {
			hasEnded = true;
			resolve();
		};
		child.once('exit', settle);
		child.once('error', settle);
	});
	return {
		log: () => readFileSync(logFile, 'utf8'),
		ended,
		hasEnded: () => hasEnded,
		hasPrinted: (text) => readFileSync(logFile).subarray(earlierOutput).includes(text),
		stop: async () => await endGroup(child, ['SIGTERM', 'SIGKILL']),
		kill: async () => await endGroup(child, ['SIGKILL']),
	};
}

/** Looks every half a second; ends the process and shows its last words if it does not start. */
async function waitUntilStarted<T>(
	n8n: StartingN8n,
	signal: AbortSignal | undefined,
	isReady: () => Promise<T | undefined>,
): Promise<T> {
	try {
		const look = async () => {
			if (n8n.hasEnded()) throw new Error('n8n ended while it was starting.');
			return await isReady();
		};
		const options = { everyMs: 500, signal };
		return await waitUntil('n8n starts', look, options);
	} catch (error) {
		await n8n.stop();
		signal?.throwIfAborted();
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`${reason}\nThe last lines of its log:\n${n8n.log().slice(-3000)}`);
	}
}

/**
 * Starts the real n8n with this package installed, and sets up its owner unless an earlier run did.
 *
 * @throws Error with the end of n8n's own output when it does not start
 */
export async function startN8n(options: N8nOptions): Promise<RunningN8n> {
	const port = options.port ?? (await freePort());
	const url = `http://127.0.0.1:${port}`;
	const dispatcher = new Agent({
		// A connection for each call. n8n closes one that was idle for five seconds: if it was busy for as
		// long with the expressions of a thousand items (2.41), it closes it on a call that waits there.
		pipelining: 0,
	});
	await provideDatabase(options);
	const n8n = await spawnN8n(options, ['start'], url);
	const client = new N8nClient(url, options.hostDir, dispatcher);
	await waitUntilStarted(n8n, options.signal, async () => {
		// It responds before it has looked for executions that a crash interrupted: one that is continued
		// meanwhile is mistaken for one of them and marked as crashed.
		if (!n8n.hasPrinted('Editor is now accessible')) return undefined;
		return (await logIn(client)) || undefined;
	});
	const end = async (ends: () => Promise<void>) => {
		await ends();
		await dispatcher.destroy();
	};
	return {
		...n8n,
		url,
		client,
		stop: async () => await end(n8n.stop),
		kill: async () => await end(n8n.kill),
	};
}

/**
 * Starts a worker of an n8n in queue mode, with this package installed.
 *
 * @param options `env` names database, queue and encryption key of the n8n it works for
 * @param mainUrl of the editor, which its links begin with
 */
export async function startN8nWorker(options: N8nOptions, mainUrl: string): Promise<N8nProcess> {
	const port = await freePort();
	const health = {
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
	};
	const n8n = await spawnN8n(
		{ ...options, env: { ...options.env, ...health } },
		['worker', '--concurrency=1'],
		mainUrl,
	);
	await waitUntilStarted(n8n, options.signal, async () => {
		try {
			const { ok } = await fetch(`http://127.0.0.1:${port}/healthz/readiness`);
			return ok || undefined;
		} catch {
			return undefined;
		}
	});
	return n8n;
}
