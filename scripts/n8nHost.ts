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
import { npm, runShown, say, sizeOf } from './shownCommand.mjs';

/** An n8n that can be installed: a folder of hosts/ with the recipe for it. */
export type N8nHostName = 'n8n-2.8.4';

const RECIPE_FILES = ['package.json', 'package-lock.json', '.npmrc'];
const MARKER = '.installed';
/** Half an installation that nobody has written to for this long was left by an interrupted run. */
const ABANDONED_MS = 60 * 60 * 1000;

const run = promisify(execFile);

function cacheFolder(): string {
	const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
	return join(base, 'n8n-nodes-native');
}

/** The same recipe gives other files on another Node or machine: sqlite3 is compiled code. */
function installationName(name: N8nHostName, recipe: string): string {
	const hash = createHash('sha256');
	for (const file of RECIPE_FILES) hash.update(readFileSync(join(recipe, file)));
	const [nodeMajor = ''] = process.versions.node.split('.');
	const platform = `node${nodeMajor}-${process.platform}-${process.arch}`;
	return `${name}-${hash.digest('hex').slice(0, 12)}-${platform}`;
}

async function isUsable(folder: string): Promise<boolean> {
	if (!existsSync(join(folder, MARKER))) return false;
	if (!existsSync(join(folder, 'node_modules', 'n8n', 'bin', 'n8n'))) return false;
	try {
		await run(process.execPath, ['-e', 'require("sqlite3")'], { cwd: folder });
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

async function installInto(folder: string, recipe: string): Promise<void> {
	for (const file of RECIPE_FILES) cpSync(join(recipe, file), join(folder, file));
	await runShown('Installing n8n (once; 3 to 5 minutes, 1.7 GB)', npm('ci'), {
		cwd: folder,
		progress: () => sizeOf(folder),
	});
	await runShown(
		'Preparing its database driver (up to 2 minutes where it must be compiled)',
		npm('rebuild', 'sqlite3', '--ignore-scripts=false'),
		{ cwd: folder },
	);
	writeFileSync(join(folder, MARKER), `${new Date().toISOString()}\n`);
}

/**
 * Makes sure that an n8n of a known version is installed, outside this repository.
 *
 * It is installed beside its final place and then renamed, so that an interrupted installation is never
 * taken for a complete one.
 *
 * @returns the folder that holds its node_modules
 * @throws Error with a sentence that says what to do
 */
export async function installN8nHost(name: N8nHostName): Promise<string> {
	const recipe = join(__dirname, '..', 'hosts', name);
	const cache = cacheFolder();
	const folder = join(cache, installationName(name, recipe));
	if (await isUsable(folder)) {
		say(`Using the n8n installed at ${folder}`);
		return folder;
	}
	mkdirSync(cache, { recursive: true });
	removeAbandoned(cache, `${name}-partial-`);
	const partial = mkdtempSync(join(cache, `${name}-partial-`));
	try {
		await installInto(partial, recipe);
		rmSync(folder, { recursive: true, force: true });
		renameSync(partial, folder);
	} catch (error) {
		rmSync(partial, { recursive: true, force: true });
		// Two runs at once: the other one has put its own installation there in the meantime.
		if (await isUsable(folder)) return folder;
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(
			`${reason}\nn8n could not be installed into ${cache}. Check that npm can reach its registry (npm ping) and that the disk has 4 GB free. Where no ready-made database driver exists, Python 3, make and a C++ compiler are needed. Then run the same command again.`,
		);
	}
	return folder;
}
