import type { INodeExecutionData } from 'n8n-workflow';

import type { ItemResults, ServiceContext } from '../../../shared/execution/operation';
import type { WaitedJob } from '../../../shared/service/importJobWait';
import type { ImportRows } from '../../rows/importRows';
import type { ImportContext } from '../feature';
import type { StartedImport } from '../model';
import { ImportOutcome } from './importOutcome';
import { outputOf } from './outcomeOutput';

type EndedContext = ServiceContext & Pick<ImportContext, 'hooks'>;

/** Reads what the rows came to, with all that {@link returnOutcome} needs. */
export async function readOutcome(
	context: EndedContext,
	rows: ImportRows,
	started: StartedImport,
	ended: ReadonlyMap<number, WaitedJob>,
): Promise<ImportOutcome> {
	const keepsImported =
		outputOf(context, rows).keepsImported ||
		[...context.hooks, ...started.found].some(({ needsImported }) => needsImported);
	return await ImportOutcome.read(context, rows, started, ended, keepsImported);
}

/** The item that gets files: the first that is not failed. */
export function firstItem(results: ItemResults): INodeExecutionData | undefined {
	let failed: INodeExecutionData | undefined;
	for (const result of results) {
		const item = 'value' in result ? result.value[0] : undefined;
		if (item && !('error' in item.json)) return item;
		failed ??= item;
	}
	return failed;
}

/** Returns what the rows came to. */
export async function returnOutcome(
	context: EndedContext,
	rows: ImportRows,
	outcome: ImportOutcome,
): Promise<ItemResults> {
	const { hooks } = context;
	for (const { end } of hooks) await end?.(outcome);
	const notes: string[] = [];
	for (const each of hooks) notes.push(...((await each.notes?.(outcome)) ?? []));
	const results = await outputOf(context, rows).ended(outcome);
	const first = firstItem(results);
	for (const { attach } of hooks) if (first) await attach?.(first, outcome, rows, notes);
	return results;
}
