import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

import './engineSettings';

import { DataDeduplicationService } from 'n8n-core';
import type { IDataDeduplicator } from 'n8n-workflow';

/** Never changed in place. */
export type Remembered = Readonly<Record<string, readonly string[]>>;

const hash = (value: unknown) => createHash('md5').update(String(value)).digest('base64');

/**
 * What n8n remembers of processed items, in place of its database: the engine has none. It does what
 * `DeduplicationHelper` of n8n 2.8.4 and 2.41.1 does in mode `entries`; e2e/afterKill.ts shows the real one.
 */
class ProcessedData implements IDataDeduplicator {
	remembered: Remembered = {};
	/** The file that holds each change as soon as it is made. Without one, memory alone. */
	file: string | undefined;
	/** Changes of what it remembers for nodes so far. */
	writes = 0;
	/** The process hangs once it has made this many changes. */
	hangAfter = Number.POSITIVE_INFINITY;
	/** The process hangs when it wants to make this change. */
	hangBefore = Number.POSITIVE_INFINITY;
	/** The process hangs once it has forgotten something. */
	hangsAfterRemoval = false;
	/** Once it has made this many changes, every call fails, as if n8n had been killed. */
	endsAfter = Number.POSITIVE_INFINITY;
	onHang: () => void = () => undefined;

	checkProcessedAndRecord: IDataDeduplicator['checkProcessedAndRecord'] = async (
		items,
		scope,
		context,
		{ mode, maxEntries },
	) => {
		if (mode !== 'entries') throw new Error(`The tests have no mode "${mode}".`);
		const key = keyOf(scope, context);
		const entries = [...(this.remembered[key] ?? [])];
		const known = new Set(entries);
		const hashes = items.map(hash);
		const isKnown = hashes.map((each) => known.has(each));
		entries.push(...hashes.filter((_, index) => !isKnown[index]));
		if (maxEntries) entries.splice(0, entries.length - maxEntries);
		await this.write(key, entries, scope);
		return {
			new: items.filter((_, index) => !isKnown[index]),
			processed: items.filter((_, index) => isKnown[index]),
		};
	};

	removeProcessed: IDataDeduplicator['removeProcessed'] = async (items, scope, context) => {
		const key = keyOf(scope, context);
		// The first entry for each item, found without a search of the list for each.
		const removed = new Map<string, number>();
		for (const each of items.map(hash)) removed.set(each, (removed.get(each) ?? 0) + 1);
		const left = (this.remembered[key] ?? []).filter((entry) => {
			const times = removed.get(entry) ?? 0;
			if (times > 0) removed.set(entry, times - 1);
			return times === 0;
		});
		await this.write(key, left, scope);
		if (this.hangsAfterRemoval && scope === 'node') await this.hang();
	};

	clearAllProcessedItems: IDataDeduplicator['clearAllProcessedItems'] = async (scope, context) => {
		await this.write(keyOf(scope, context), [], scope);
	};

	getProcessedDataCount: IDataDeduplicator['getProcessedDataCount'] = async (scope, context) =>
		await Promise.resolve(this.remembered[keyOf(scope, context)]?.length ?? 0);

	clear(): void {
		this.writes = 0;
		this.endsAfter = Number.POSITIVE_INFINITY;
		this.remembered = {};
	}

	/** Remembers what a file holds. */
	readFrom(file: string): void {
		this.remembered = JSON.parse(readFileSync(file, 'utf8')) as Remembered;
	}

	writeTo(file: string): void {
		writeFileSync(`${file}.new`, JSON.stringify(this.remembered));
		renameSync(`${file}.new`, file);
	}

	private async write(key: string, entries: string[], scope: string): Promise<void> {
		const isOfNode = scope === 'node';
		if (isOfNode && this.writes >= this.endsAfter) throw new Error('The process of n8n has ended.');
		if (isOfNode && this.writes + 1 >= this.hangBefore) await this.hang();
		this.remembered = { ...this.remembered, [key]: entries };
		if (this.file !== undefined) this.writeTo(this.file);
		if (isOfNode) this.writes++;
		if (isOfNode && this.writes >= this.hangAfter) await this.hang();
	}

	private async hang(): Promise<void> {
		this.onHang();
		await new Promise(() => undefined);
	}
}

/** n8n refuses a workflow without an ID. */
function keyOf(
	scope: string,
	{ node, workflow }: Parameters<IDataDeduplicator['clearAllProcessedItems']>[1],
): string {
	if (!workflow.id) throw new Error('The workflow has no ID.');
	return `${workflow.id} ${scope === 'node' ? `n:${node?.id ?? ''}` : ''}`;
}

/** The memory of this process. */
export const processedData = new ProcessedData();
// n8n makes one in each process, but the files of tests share one.
Reflect.deleteProperty(DataDeduplicationService, 'instance');
void DataDeduplicationService.init(processedData);

/** For the tests of a file; each begins without a memory. */
export function useProcessedData(): () => ProcessedData {
	beforeEach(() => processedData.clear());
	return () => processedData;
}
