/** Runs long commands of `npm start` and `npm test` so that whoever waits sees that something happens. */
import { execFileSync, spawn } from 'node:child_process';
import { renameSync } from 'node:fs';

const SAY_EVERY_MS = 10_000;
const MOST_LINES_SHOWN = 40;

/** @param {string} line */
export function say(line) {
	process.stdout.write(`${line}\n`);
}

/**
 * Runs a program that says why it fails.
 *
 * @param {() => Promise<void>} main
 */
export function runProgram(main) {
	main().catch((/** @type {unknown} */ error) => {
		const reason = error instanceof Error ? error.message : String(error);
		process.stderr.write(`\n${reason}\n`);
		process.exitCode = 1;
	});
}

/** @param {number} since milliseconds since the epoch */
export function elapsed(since) {
	const seconds = Math.round((Date.now() - since) / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Current size of the folder that is being filled, for the progress lines; empty if unknown.
 *
 * @param {string} folder
 */
export function sizeOf(folder) {
	try {
		const [kilobytes] = execFileSync('du', ['-sk', folder], {
			encoding: 'utf8',
			// Files come and go while it looks.
			stdio: ['ignore', 'pipe', 'ignore'],
		}).split('\t');
		return `${Math.round(Number(kilobytes) / 1024)} MB`;
	} catch {
		return '';
	}
}

/**
 * npm itself as a command: the npm that runs this script, where there is one, so that no second one needs
 * to be on the path.
 *
 * @param {...string} args
 * @returns {[string, ...string[]]}
 */
export function npm(...args) {
	const cli = process.env.npm_execpath;
	return cli?.endsWith('.js') ? [process.execPath, cli, ...args] : ['npm', ...args];
}

/** npm says first what is wrong, compilers say it last. @param {string} output */
function excerpt(output) {
	const lines = output.split('\n').filter((line) => line.trim() !== '');
	const half = MOST_LINES_SHOWN / 2;
	return lines.length <= MOST_LINES_SHOWN
		? lines.join('\n')
		: [...lines.slice(0, half), '…', ...lines.slice(-half)].join('\n');
}

/** What a command throws that the user ended with Ctrl-C. */
export class Interruption extends Error {
	constructor() {
		super('Interrupted.');
		this.name = 'AbortError';
	}
}

/** Removes a folder with many files without waiting for it. @param {string} folder */
export function removeInBackground(folder) {
	const name = `${folder}-removed-${process.pid}`;
	try {
		renameSync(folder, name);
	} catch {
		return;
	}
	const program = `require('node:fs').rmSync(process.argv[1], { recursive: true, force: true })`;
	spawn(process.execPath, ['-e', program, name], { detached: true, stdio: 'ignore' }).unref();
}

const INTERRUPTIONS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs a command in silence except for a line every ten seconds. A Ctrl-C ends it with all its processes.
 *
 * @param {string} what what is being done, for the lines
 * @param {[string, ...string[]]} command
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, progress?: () => string }} options
 *   progress: how far it is, for the lines
 * @returns {Promise<string>} what the command printed to its standard output
 * @throws {Error} with an excerpt of the output when the command fails
 * @throws {Interruption} after Ctrl-C
 */
export function runWithProgress(what, [file, ...args], { cwd, env = process.env, progress }) {
	const start = Date.now();
	say(`${what} …`);
	return new Promise((resolve, reject) => {
		const child = spawn(file, args, {
			cwd,
			env,
			detached: true,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		let stdout = '';
		let output = '';
		child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
			stdout += chunk;
			output += chunk;
		});
		child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
			output += chunk;
		});
		const ticker = setInterval(() => {
			say(['  …', elapsed(start), progress?.() ?? ''].join(' ').trimEnd());
		}, SAY_EVERY_MS);
		let isInterrupted = false;
		const interrupt = () => {
			isInterrupted = true;
			if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
		};
		for (const signal of INTERRUPTIONS) process.on(signal, interrupt);
		const settle = () => {
			clearInterval(ticker);
			for (const signal of INTERRUPTIONS) process.off(signal, interrupt);
		};
		child.once('error', (error) => {
			settle();
			reject(new Error(`${what}: could not run ${file} (${error.message}).`));
		});
		child.once('close', (code, signal) => {
			settle();
			if (isInterrupted) {
				reject(new Interruption());
			} else if (code === 0) {
				say(`  done in ${elapsed(start)}`);
				resolve(stdout);
			} else {
				const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
				reject(new Error(`${what}: ${[file, ...args].join(' ')} ${how}.\n${excerpt(output)}`));
			}
		});
	});
}
