import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './freePort';
import { N8nClient, type Owner } from './n8nClient';
import { packageManifest } from './packedPackage';

export interface N8nOptions {
	/** What installN8nHost returned. */
	hostDir: string;
	/** Where this n8n keeps everything it writes. */
	userFolder: string;
	/** The packed package to install in it. */
	packageTarball: string;
	/** Of the editor; any free one when it is taken or left out. */
	port?: number | undefined;
	owner?: Owner;
	/** Further settings of n8n. */
	env?: Record<string, string>;
	/** Gives up starting. */
	signal?: AbortSignal | undefined;
}

export interface RunningN8n {
	/** Of the editor. */
	url: string;
	owner: Owner;
	/** Logged in as the owner. */
	client: N8nClient;
	/** Everything it printed so far. */
	log(): string;
	/** Settles when the process has ended, for whatever reason. */
	ended: Promise<void>;
	/** Ends it with all its child processes. */
	stop(): Promise<void>;
}

const DEFAULT_OWNER: Owner = {
	email: 'owner@example.org',
	password: 'Sandbox-0nly',
	firstName: 'Sandbox',
	lastName: 'Owner',
};

const START_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 20_000;

/** Settings of an n8n that the user runs beside this one must not leak into it. */
const OTHER_SETTINGS = /^(N8N_|DB_|EXECUTIONS_|QUEUE_|WEBHOOK_|GENERIC_|NODES_|CREDENTIALS_|npm_)/;

function environment(options: N8nOptions, port: number, brokerPort: number): NodeJS.ProcessEnv {
	const inherited = Object.entries(process.env).filter(([name]) => !OTHER_SETTINGS.test(name));
	return {
		...Object.fromEntries(inherited),
		N8N_USER_FOLDER: options.userFolder,
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}/`,
		WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
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
		...options.env,
	};
}

/** As n8n itself installs a community package, without asking a registry. */
function installPackage(userFolder: string, tarball: string): void {
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

async function isReady(url: string): Promise<boolean> {
	try {
		const health = await fetch(`${url}/healthz/readiness`);
		if (!health.ok) return false;
		const settings = await fetch(`${url}/rest/settings`);
		return settings.headers.get('content-type')?.includes('json') === true && settings.ok;
	} catch {
		return false;
	}
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

async function endGroup(child: ChildProcess): Promise<void> {
	for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
		signalGroup(child, signal);
		const deadline = Date.now() + STOP_TIMEOUT_MS;
		while (signalGroup(child, 0) && Date.now() < deadline) await wait(100);
	}
}

/**
 * Starts the real n8n with this package installed, and sets up its owner.
 *
 * @throws Error with the end of n8n's own output when it does not start
 */
export async function startN8n(options: N8nOptions): Promise<RunningN8n> {
	const { hostDir, userFolder, owner = DEFAULT_OWNER } = options;
	const port = await freePort(options.port);
	const brokerPort = await freePort();
	const url = `http://127.0.0.1:${port}`;
	installPackage(userFolder, options.packageTarball);

	const logFile = join(userFolder, 'n8n.log');
	const output = openSync(logFile, 'a');
	const child = spawn(
		process.execPath,
		[join(hostDir, 'node_modules', 'n8n', 'bin', 'n8n'), 'start'],
		{
			cwd: userFolder,
			detached: true,
			env: environment(options, port, brokerPort),
			stdio: ['ignore', output, output],
		},
	);
	closeSync(output);
	const log = () => readFileSync(logFile, 'utf8');
	let hasEnded = false;
	const ended = new Promise<void>((resolve) => {
		const end = () => {
			hasEnded = true;
			resolve();
		};
		child.once('exit', end);
		child.once('error', end);
	});
	const stop = async () => await endGroup(child);

	try {
		const deadline = Date.now() + START_TIMEOUT_MS;
		while (!(await isReady(url))) {
			if (hasEnded) throw new Error('n8n ended while it was starting.');
			if (Date.now() > deadline) {
				throw new Error(`n8n did not start within ${START_TIMEOUT_MS / 1000} seconds.`);
			}
			await wait(500, undefined, { signal: options.signal });
		}
		const client = new N8nClient(url, hostDir);
		await client.setUpOwner(owner);
		return { url, owner, client, log, ended, stop };
	} catch (error) {
		await stop();
		options.signal?.throwIfAborted();
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`${reason}\nIts last words:\n${log().slice(-3000)}`);
	}
}
