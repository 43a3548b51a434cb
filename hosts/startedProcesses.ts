import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface StartedProcess {
	/** Standard output and errors so far. */
	output(): string;
	hasEnded(): boolean;
	/** Sends a signal and waits until the process is gone. */
	end(signal: NodeJS.Signals): Promise<void>;
}

/**
 * Processes and a temporary folder that end with this process, whatever ends it: a guard beside it ends them
 * when it is killed.
 */
export class StartedProcesses {
	/** Everyone may traverse it, only its owner may list it: servers that run as another user have their folders in it. */
	readonly folder: string;
	private readonly guard: ChildProcess;

	constructor() {
		this.folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-'));
		chmodSync(this.folder, 0o711);
		// Whoever runs a test in a process of its own (node:test does) is its parent.
		const watched = [process.pid, process.ppid].filter((pid) => pid > 1).map(String);
		this.guard = spawn(
			process.execPath,
			[join(__dirname, 'processGuard.mjs'), this.folder, ...watched],
			{ detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
		);
	}

	/** Ends the group of this process, too. @param pid of a process started as the first of its group */
	add(pid: number): void {
		this.guard.stdin?.write(`started ${pid}\n`);
	}

	/** Starts a program in a group of its own. @param input for its standard input */
	start(
		program: string,
		args: readonly string[],
		options: SpawnOptions,
		input = '',
	): StartedProcess {
		const child = spawn(program, args, {
			...options,
			detached: true,
			stdio: ['pipe', 'pipe', 'pipe'],
		});
		const { pid } = child;
		if (pid !== undefined) this.add(pid);
		let output = '';
		let hasEnded = false;
		const ended = new Promise<void>((resolve) => {
			const settle = () => {
				hasEnded = true;
				if (pid !== undefined) this.guard.stdin?.write(`ended ${pid}\n`);
				resolve();
			};
			child.once('error', (error) => {
				output += error.message;
				settle();
			});
			child.once('close', settle);
		});
		for (const stream of [child.stdout, child.stderr]) {
			stream?.setEncoding('utf8').on('data', (chunk: string) => {
				output += chunk;
			});
		}
		child.stdin?.on('error', () => {});
		child.stdin?.end(input);
		return {
			output: () => output,
			hasEnded: () => hasEnded,
			end: async (signal) => {
				child.kill(signal);
				await ended;
			},
		};
	}

	/** Ends all of them and removes the folder. */
	async close(): Promise<void> {
		this.guard.stdin?.end();
		if (this.guard.exitCode === null) await once(this.guard, 'exit');
	}
}
