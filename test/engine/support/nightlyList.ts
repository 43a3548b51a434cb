import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../../nodes/NativeBulkImport/NativeBulkImport.node';
import { fileOf, itemImport, personMap } from './itemImports';
import { type KilledRun, NodeProcesses } from './killedNode';
import { processedData, type Remembered } from './processedData';
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
	private readonly path = join(this.processes.folder, 'list.csv');
	/** After the first night. */
	private remembered: Remembered = {};

	constructor(
		private readonly service: Sandboxed,
		private readonly rows: number,
	) {}

	private writeList(isChanged: (row: number) => boolean): void {
		const rows = Array.from({ length: this.rows }, (_, i) => {
			const mail = `${isChanged(i) ? 'new' : 'p'}${i}@example.org`;
			return `M-${i},First${i},Last${i},${mail}\n`;
		});
		writeFileSync(this.path, `ID,First Name,Last Name,Mail\n${rows.join('')}`);
	}

	/** Runs the first night. */
	async begin(): Promise<KilledRun> {
		this.writeList(() => false);
		const first = await this.night();
		this.writeList((row) => row % (this.rows / CHANGED) === 7);
		this.remembered = processedData.remembered;
		return first;
	}

	/** The memory is that of the first night again. */
	reset(): void {
		processedData.remembered = this.remembered;
	}

	end(): void {
		this.processes.close();
	}

	/** Runs in a process of its own what is killed, and everything else in this one. */
	async night({ isDry = false, isAtKill, hangAfter }: Night = {}): Promise<KilledRun> {
		const options: INodeParameters = {
			dryRun: isDry,
			pollInterval: 0.05,
			skipUnchangedBy: 'ID',
			outputRows: 'summary',
		};
		const { service, path: csv } = this;
		const parameters = itemImport(service, personMap, { source: 'binary', options });
		if (!isAtKill && hangAfter === undefined) {
			const { outputs } = await service.run(new NativeBulkImport(), parameters, {
				items: [await fileOf(readFileSync(csv))],
				onError: 'continueRegularOutput',
			});
			return (outputs[0] ?? []).map(({ json }) => json);
		}
		const credential = service.credential();
		const hanging = hangAfter === undefined ? {} : { hangAfter };
		return await this.processes.run(
			{ node: 'NativeBulkImport', credential, parameters, csv, ...hanging },
			isAtKill,
		);
	}
}

/** Rows by outcome. */
export const countsOf = (run: KilledRun) => (run === 'killed' ? run : run[0]?.importSummary);
