import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../../nodes/NativeBulkImport/NativeBulkImport.node';
import { fileOf, itemImport, personMap } from './itemImports';
import { type KilledRun, NodeProcesses } from './killedNode';
import { processedData } from './processedData';
import type { Sandboxed } from './sandboxed';

export const CHANGED = 200;

interface Night {
	isDry?: boolean;
	/** Kills n8n once it is true. */
	isAtKill?: () => boolean;
	/** Kills n8n once it has changed what it remembers this many times. */
	hangAfter?: number;
}

/** A list that is imported every night, of which 200 rows have changed since the first one. */
export class NightlyList {
	private readonly processes = new NodeProcesses();
	private readonly memory = this.inFolder('memory.json');
	private readonly remembered = this.inFolder('remembered.json');
	private readonly usualMemory = processedData.path;

	constructor(
		private readonly service: Sandboxed,
		private readonly rows: number,
	) {}

	private inFolder(name: string): string {
		return join(this.processes.folder, name);
	}

	private writeList(path: string, isChanged: (row: number) => boolean): void {
		const rows = Array.from({ length: this.rows }, (_, i) => {
			const mail = `${isChanged(i) ? 'new' : 'p'}${i}@example.org`;
			return `M-${i},First${i},Last${i},${mail}\n`;
		});
		writeFileSync(path, `ID,First Name,Last Name,Mail\n${rows.join('')}`);
	}

	/** Runs the first night. */
	async begin(): Promise<KilledRun> {
		this.writeList(this.inFolder('list.csv'), () => false);
		const first = await this.night();
		this.writeList(this.inFolder('list.csv'), (row) => row % (this.rows / CHANGED) === 7);
		copyFileSync(this.memory, this.remembered);
		return first;
	}

	/** The memory is that of the first night again. */
	reset(): void {
		copyFileSync(this.remembered, this.memory);
	}

	end(): void {
		processedData.path = this.usualMemory;
		this.processes.close();
	}

	/** What n8n remembers. */
	texts(): unknown {
		return JSON.parse(readFileSync(this.memory, 'utf8'));
	}

	/** Runs in a process of its own what is killed, and everything else in this one. */
	async night({ isDry = false, isAtKill, hangAfter }: Night = {}): Promise<KilledRun> {
		const options: INodeParameters = {
			dryRun: isDry,
			pollInterval: 0.05,
			skipUnchangedBy: 'ID',
			outputRows: 'summary',
		};
		const { service, memory } = this;
		const parameters = itemImport(service, personMap, { source: 'binary', options });
		const csv = this.inFolder('list.csv');
		if (!isAtKill && hangAfter === undefined) {
			processedData.path = memory;
			const { outputs } = await service.run(new NativeBulkImport(), parameters, {
				items: [await fileOf(readFileSync(csv))],
				onError: 'continueRegularOutput',
			});
			return (outputs[0] ?? []).map(({ json }) => json);
		}
		const { url } = service.sandbox;
		const hanging = hangAfter === undefined ? {} : { hangAfter };
		return await this.processes.run(
			{ node: 'NativeBulkImport', url, parameters, csv, memory, ...hanging },
			isAtKill,
		);
	}
}

/** Rows by outcome. */
export const countsOf = (run: KilledRun) => (run === 'killed' ? run : run[0]?.importSummary);
