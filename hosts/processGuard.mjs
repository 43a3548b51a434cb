/**
 * Ends what a test started once that test is gone, in whatever way: also killed, when it can end nothing
 * itself. Runs as a process of its own, in a group of its own.
 *
 *   node hosts/processGuard.mjs <folder to remove at the end> <pid to watch> …
 *
 * Reads lines: `started <group>` and `ended <group>`. Its work begins when the lines end or a watched process
 * is gone; then the watched ones are ended, too.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

const LOOK_EVERY_MS = 500;
const GRACE_MS = 3_000;

const [folder, ...pids] = process.argv.slice(2);
const watched = pids.map(Number);
/** @type {Set<number>} */
const groups = new Set();

/**
 * @param {number} pid negative for a group
 * @param {NodeJS.Signals | 0} signal
 */
function sendSignal(pid, signal) {
	try {
		return process.kill(pid, signal);
	} catch {
		return false;
	}
}

let isEnding = false;

/** @param {boolean} isCrash whether the test did not end normally */
async function end(isCrash) {
	if (isEnding) return;
	isEnding = true;
	if (isCrash) for (const pid of watched) sendSignal(pid, 'SIGKILL');
	// A PostgreSQL that is killed leaves its shared memory to the machine: it may end in good order first.
	const isThere = () => [...groups].some((group) => sendSignal(-group, 0));
	for (const group of groups) sendSignal(-group, 'SIGINT');
	for (const deadline = Date.now() + GRACE_MS; isThere() && Date.now() < deadline; ) await wait(50);
	for (const group of groups) sendSignal(-group, 'SIGKILL');
	// A process that is being ended may still write.
	if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
	process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
setInterval(() => {
	if (!watched.every((pid) => sendSignal(pid, 0))) void end(true);
}, LOOK_EVERY_MS);
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
	const [order, group] = line.split(' ');
	if (order === 'started') groups.add(Number(group));
	else groups.delete(Number(group));
});
lines.on('close', () => void end(false));
