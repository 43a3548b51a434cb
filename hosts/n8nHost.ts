import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import {
	Interruption,
	npm,
	removeInBackground,
	runWithProgress,
	say,
	sizeOf,
} from './runWithProgress.mjs';

/** The n8n that can be installed, the oldest first: folders of hosts/ with the recipe for each. */
export const N8N_HOSTS = ['n8n-2.8.4', 'n8n-2.41.1'] as const;
export type N8nHostName = (typeof N8N_HOSTS)[number];
export const NEWEST_N8N_HOST: N8nHostName = N8N_HOSTS.at(-1) ?? N8N_HOSTS[0];

/** Chooses the n8n for everything that does not name one itself. */
export const HOST_VARIABLE = 'NATIVE_NODES_N8N_HOST';

const RECIPE_FILES = ['package.json', 'package-lock.json', '.npmrc'];
const MARKER = '.installed';
/** An incomplete installation that has not changed for this long is left over from an interrupted run. */
const ABANDONED_MS = 60 * 60 * 1000;

const run = promisify(execFile);

function cacheFolder(): string {
	const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
	return join(base, 'n8n-nodes-native');
}

export function n8nHostName(name: string): N8nHostName {
	const host = N8N_HOSTS.find((known) => known === name);
	if (host) return host;
	throw new Error(`There is no host named "${name}". Choose one of: ${N8N_HOSTS.join(', ')}.`);
}

/** The host that the environment asks for, or the oldest one. */
export function chosenN8nHost(): N8nHostName {
	return n8nHostName(process.env[HOST_VARIABLE] || N8N_HOSTS[0]);
}

export const isNewestN8nHost = () => chosenN8nHost() === NEWEST_N8N_HOST;

const [OUR_NODE_MAJOR = NaN] = process.versions.node.split('.').map(Number);

const recipeSchema = z.object({
	engines: z.object({ node: z.string().regex(/^>=\d+$/) }).optional(),
	optionalDependencies: z.record(z.string()).default({}),
});

/** The Node that an n8n needs. */
function requiredNode(recipe: string) {
	const { engines, optionalDependencies } = recipeSchema.parse(
		JSON.parse(readFileSync(join(recipe, 'package.json'), 'utf8')),
	);
	return {
		/** The oldest major version; 0: the Node that runs us will do. */
		oldest: Number(engines?.node.slice('>='.length) ?? 0),
		/** Whether npm installs a Node beside this n8n, as it does where one is published for the machine. */
		isInstalled: `node-${process.platform}-${process.arch}` in optionalDependencies,
	};
}

/** The Node that an installed n8n runs with: the one that was installed beside it, or else the one that runs us. */
export function nodeOfHost(hostDir: string): string {
	const installed = join(hostDir, 'node_modules', '.bin', 'node');
	return existsSync(installed) ? installed : process.execPath;
}

const manifestSchema = z.object({ version: z.string() });

export async function versionsOfHost(hostDir: string): Promise<{ n8n: string; node: string }> {
	const manifest = readFileSync(join(hostDir, 'node_modules', 'n8n', 'package.json'), 'utf8');
	const { stdout } = await run(nodeOfHost(hostDir), ['-p', 'process.versions.node']);
	return { n8n: manifestSchema.parse(JSON.parse(manifest)).version, node: stdout.trim() };
}

/** The same recipe gives other files on another Node or machine: sqlite3 is compiled code. */
function installationName(name: N8nHostName, recipe: string, hasOwnNode: boolean): string {
	const hash = createHash('sha256');
	for (const file of RECIPE_FILES) hash.update(readFileSync(join(recipe, file)));
	const machine = `${process.platform}-${process.arch}`;
	const platform = hasOwnNode ? machine : `node${OUR_NODE_MAJOR}-${machine}`;
	return `${name}-${hash.digest('hex').slice(0, 12)}-${platform}`;
}

async function isUsable(folder: string): Promise<boolean> {
	if (!existsSync(join(folder, MARKER))) return false;
	if (!existsSync(join(folder, 'node_modules', 'n8n', 'bin', 'n8n'))) return false;
	try {
		await run(nodeOfHost(folder), ['-e', 'require("sqlite3")'], { cwd: folder });
		return true;
	} catch {
		return false;
	}
}

function removeAbandoned(cache: string, prefix: string): void {
	for (const entry of readdirSync(cache)) {
		const folder = join(cache, entry);
		if (entry.startsWith(prefix) && Date.now() - statSync(folder).mtimeMs > ABANDONED_MS) {
			rmSync(folder, { recursive: true, force: true });
		}
	}
}

async function installInto(folder: string, name: N8nHostName, recipe: string): Promise<void> {
	for (const file of RECIPE_FILES) cpSync(join(recipe, file), join(folder, file));
	await runWithProgress(`Installing ${name} (once; about 2 minutes, 2 GB)`, npm('ci'), {
		cwd: folder,
		progress: () => sizeOf(folder),
	});
	await runWithProgress(
		// It speaks Node's stable binary interface: built with our Node, it loads in the host's as well.
		'Preparing its database driver (about 1 minute where it must be compiled)',
		npm('rebuild', 'sqlite3', '--ignore-scripts=false'),
		{ cwd: folder },
	);
	writeFileSync(join(folder, MARKER), `${new Date().toISOString()}\n`);
}

/**
 * Makes sure that an n8n is installed, outside this repository. It is renamed to its final place at the end, so
 * that an interrupted installation is never mistaken for a complete one.
 *
 * @returns the folder that holds its node_modules
 * @throws Error with a sentence that says what to do
 */
export async function installN8nHost(name: N8nHostName): Promise<string> {
	const recipe = join(__dirname, name);
	const cache = cacheFolder();
	const node = requiredNode(recipe);
	if (!node.isInstalled && OUR_NODE_MAJOR < node.oldest) {
		throw new Error(
			`${name} needs Node ${node.oldest}, and npm has none for ${process.platform} on ${process.arch}. Run the same command with Node ${node.oldest} or newer.`,
		);
	}
	const folder = join(cache, installationName(name, recipe, node.isInstalled));
	if (await isUsable(folder)) {
		say(`Using the n8n installed at ${folder}`);
		return folder;
	}
	mkdirSync(cache, { recursive: true });
	removeAbandoned(cache, `${name}-partial-`);
	const partial = mkdtempSync(join(cache, `${name}-partial-`));
	try {
		await installInto(partial, name, recipe);
		rmSync(folder, { recursive: true, force: true });
		renameSync(partial, folder);
	} catch (error) {
		removeInBackground(partial);
		if (error instanceof Interruption) throw error;
		// Two runs at once: the other one has put its own installation there in the meantime.
		if (await isUsable(folder)) return folder;
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(
			`${reason}\nn8n could not be installed into ${cache}. Check that npm can reach its registry (npm ping) and that the disk has 4 GB free. Where no ready-made database driver exists, Python 3, make and a C++ compiler are needed. Then run the same command again.`,
		);
	}
	return folder;
}
