/** What must be there before anything else of this repository can run; itself it needs Node alone. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
	Interruption,
	npm,
	removeInBackground,
	runWithProgress,
	sizeOf,
} from '../hosts/runWithProgress.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The oldest Node that both this package and n8n support (`engines` of package.json). */
const OLDEST_NODE = { major: 20, minor: 19 };

function checkNode() {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	const isNewEnough =
		major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor);
	if (isNewEnough) return;
	throw new Error(
		`This needs Node ${OLDEST_NODE.major}.${OLDEST_NODE.minor} or newer, but this is Node ${process.versions.node}. Install it from https://nodejs.org and run the same command again.`,
	);
}

/** npm writes this file last of all, so one that is older than the lock means a stale installation. */
function isInstalled() {
	const written = join(root, 'node_modules', '.package-lock.json');
	return (
		existsSync(written) &&
		statSync(written).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
	);
}

/**
 * Installs the development dependencies if they are missing or older than the lock file.
 *
 * @throws {Error} with a sentence that says what to do
 */
export async function ensureDependencies() {
	checkNode();
	if (isInstalled()) return;
	try {
		await runWithProgress(
			'Installing the development dependencies (about 1 minute, 1 GB)',
			npm('ci', '--no-audit', '--no-fund'),
			{ cwd: root, progress: () => sizeOf(join(root, 'node_modules')) },
		);
	} catch (error) {
		if (error instanceof Interruption) {
			removeInBackground(join(root, 'node_modules'));
			throw error;
		}
		throw new Error(
			`${error instanceof Error ? error.message : String(error)}\nThe dependencies could not be installed. Check that npm can reach its registry (npm ping) and that the disk has 4 GB free, then run the same command again.`,
		);
	}
}
