/** An n8n that was started elsewhere, such as a container: the tests are given its address. */
import { execSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { loopbackCertificate, type Certificate } from '../sandbox/index';
import { N8nClient } from './n8nClient';
import { httpsSettings, installPackage, logIn, testSettings, type RunningN8n } from './n8nProcess';
import { packPackage } from './packPackage';
import { waitUntil } from './waitUntil';

interface GivenN8n {
	/** Address of the editor. */
	url: string;
	/** What `prepareFolder` wrote; n8n sees it at the same path. */
	folder: string;
	certificate: Certificate;
	/** What others trust it by. */
	certificateFile: string;
}

/** n8n 2.41 can be busy for as long with the expressions of a thousand items. */
const CONNECT_TIMEOUT_MS = 60_000;
/** After a start n8n responds before it has looked for executions that were interrupted. */
const RECOVERY_MS = 10_000;

/** Those that tests set; all of them suit all tests. */
const TEST_SETTINGS = { N8N_LOG_LEVEL: 'debug', N8N_PAYLOAD_SIZE_MAX: '64' };

const paths = (folder: string) => ({
	env: join(folder, 'n8n.env'),
	log: join(folder, 'n8n.log'),
	files: join(folder, 'files'),
	key: join(folder, 'n8n-key.pem'),
	cert: join(folder, 'n8n-cert.pem'),
});

/**
 * Writes what an n8n needs for the tests, with its settings in `n8n.env`.
 *
 * @param url the address that the editor will have, on this machine and with https
 */
export async function prepareFolder(folder: string, url: string): Promise<void> {
	const { env, log, files } = paths(folder);
	mkdirSync(files, { recursive: true });
	installPackage(folder, await packPackage(folder));
	const certificate = await loopbackCertificate();
	const settings = {
		...testSettings(folder, url),
		...httpsSettings(folder, certificate),
		...TEST_SETTINGS,
		NODE_EXTRA_CA_CERTS: paths(folder).cert,
		N8N_RESTRICT_FILE_ACCESS_TO: files,
		N8N_LOG_OUTPUT: 'console,file',
		N8N_LOG_FILE_LOCATION: log,
	};
	const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
	writeFileSync(env, lines.join(''));
}

/**
 * The n8n that N8N_URL names, if it is set; N8N_FOLDER is its prepared folder.
 *
 * @param wanted settings that it must have been started with
 */
export function givenN8n(wanted: Record<string, string> = {}): GivenN8n | undefined {
	const { N8N_URL: url, N8N_FOLDER: folder } = process.env;
	if (!url) return undefined;
	if (!folder || !existsSync(paths(folder).env)) {
		throw new Error(
			'With N8N_URL, set N8N_FOLDER to the folder that "npm run e2e -- prepare <folder> <url>" wrote.',
		);
	}
	const { env, key, cert } = paths(folder);
	const lines = readFileSync(env, 'utf8').trim().split('\n');
	const settings = new Map(
		lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
	);
	const missing = Object.entries(wanted).find(([name, value]) => settings.get(name) !== value);
	if (missing) throw new Error(`This test needs an n8n with ${missing.join('=')}.`);
	return {
		url: url.replace(/\/$/, ''),
		folder,
		certificateFile: cert,
		certificate: { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') },
	};
}

const workflowsSchema = z.array(z.object({ id: z.string(), active: z.boolean() }));

/** Workflows of earlier tests would keep polling. */
async function deactivateAll(client: N8nClient): Promise<void> {
	const workflows = workflowsSchema.parse(await client.call('GET', '/rest/workflows?take=1000'));
	for (const { id, active } of workflows)
		if (active) await client.call('POST', `/rest/workflows/${id}/deactivate`);
}

const versionSchema = z.object({ versionCli: z.string() });

async function responds(url: string, dispatcher: Agent): Promise<boolean> {
	return await request(url, { dispatcher }).then(
		async ({ body }) => {
			await body.dump();
			return true;
		},
		() => false,
	);
}

/**
 * Logs in to a given n8n, and starts it with the command in N8N_START if it does not respond. `kill` runs
 * N8N_KILL.
 *
 * @param hostDir an installed n8n, whose libraries the tests use
 */
export async function connectN8n(
	given: GivenN8n,
	hostDir: string,
): Promise<RunningN8n & { version: string }> {
	const { url, folder, certificate } = given;
	const dispatcher = new Agent({
		pipelining: 0,
		connect: { ca: certificate.cert, timeout: CONNECT_TIMEOUT_MS },
	});
	const client = new N8nClient(url, hostDir, dispatcher);
	const isThere = await responds(url, dispatcher);
	const { N8N_KILL: killCommand, N8N_START: startCommand } = process.env;
	if (!isThere && startCommand) execSync(startCommand, { stdio: 'inherit' });
	await waitUntil(`the n8n at ${url} responds`, async () => await logIn(client), {
		everyMs: 500,
	});
	// One that a test has killed continues with the workflows of that test.
	if (isThere) await deactivateAll(client);
	else await wait(RECOVERY_MS);
	const { versionCli } = versionSchema.parse(await client.call('GET', '/rest/settings'));
	return {
		url,
		client,
		version: versionCli,
		log: () => readFileSync(paths(folder).log, 'utf8'),
		ended: new Promise(() => {}),
		stop: async () => {
			await deactivateAll(client);
			await dispatcher.destroy();
		},
		kill: async () => {
			if (!(await responds(url, dispatcher))) return;
			if (!killCommand || !startCommand) {
				throw new Error(
					'This test kills and starts n8n: set N8N_KILL and N8N_START to commands that do so.',
				);
			}
			execSync(killCommand, { stdio: 'inherit' });
			await dispatcher.destroy();
		},
	};
}
