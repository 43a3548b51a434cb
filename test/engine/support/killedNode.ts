import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { IDataObject } from 'n8n-workflow';

import type { NodeProcess } from './nodeProcess';

const root = join(__dirname, '../../..');
const SCRIPT = join(__dirname, 'nodeProcess.ts');

/** The items of a run that was not killed. */
export type KilledRun = IDataObject[] | 'killed';

/** Runs nodes in n8n's engine in processes of their own, each a newly started n8n. */
export class NodeProcesses {
	readonly folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-killed-'));

	close(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}

	/** @param isAtKill once it is true, or the process hangs, the process is killed */
	async run(given: NodeProcess, isAtKill: () => boolean = () => false): Promise<KilledRun> {
		const path = join(this.folder, 'given.json');
		writeFileSync(path, JSON.stringify(given));
		const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, path], {
			cwd: root,
			// A process that is killed removes nothing.
			env: { ...process.env, TMPDIR: this.folder },
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const ended = once(child, 'exit');
		const kill = () => child.kill('SIGKILL');
		const watching = setInterval(() => isAtKill() && kill(), 5);
		let output: string | undefined;
		for await (const line of createInterface({ input: child.stdout }))
			if (line === 'hangs') kill();
			else if (line.startsWith('{')) output = line;
		clearInterval(watching);
		await ended;
		if (output === undefined) return 'killed';
		const { items, error } = JSON.parse(output) as { items?: IDataObject[]; error?: string };
		if (error !== undefined) throw new Error(error);
		return items ?? [];
	}
}
