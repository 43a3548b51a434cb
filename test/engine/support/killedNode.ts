import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import type { IDataObject } from 'n8n-workflow';

import type { NodeProcess } from './nodeProcess';
import { processedData } from './processedData';

const root = join(__dirname, '../../..');

/** The items of a run that was not killed. */
export type KilledRun = IDataObject[] | 'killed';

/**
 * Runs nodes in n8n's engine in processes of their own, each a newly started n8n. It knows what this process
 * remembers of processed items, and leaves behind what it came to know until it was killed.
 */
export class NodeProcesses {
	readonly folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-killed-'));
	private readonly script = this.path('nodeProcess.cjs');

	constructor() {
		// Translated once; each process would do it anew.
		buildSync({
			entryPoints: [join(__dirname, 'nodeProcess.ts')],
			bundle: true,
			platform: 'node',
			packages: 'external',
			outfile: this.script,
		});
	}

	private path(name: string): string {
		return join(this.folder, name);
	}

	close(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}

	/** @param isAtKill once it is true, or the process hangs, the process is killed */
	async run(given: NodeProcess, isAtKill: () => boolean = () => false): Promise<KilledRun> {
		const files = [this.path('given.json'), this.path('remembered.json')] as const;
		writeFileSync(files[0], JSON.stringify(given));
		processedData.writeTo(files[1]);
		const child = spawn(process.execPath, [this.script, ...files], {
			cwd: root,
			env: {
				...process.env,
				NODE_PATH: join(root, 'node_modules'),
				// A process that is killed removes nothing.
				TMPDIR: this.folder,
			},
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
		processedData.readFrom(files[1]);
		if (output === undefined) return 'killed';
		const { items, error } = JSON.parse(output) as { items?: IDataObject[]; error?: string };
		if (error !== undefined) throw new Error(error);
		return items ?? [];
	}
}
