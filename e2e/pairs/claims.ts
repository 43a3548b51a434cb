import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isFile } from './options/list';
import type { StoryRun } from './options/storyOption';
import type { Seen } from './seen';

/** What the node says of a row. */
export interface Claim {
	/** From 0. */
	position: number;
	/** Index of the output, from 0. */
	output: number;
	status?: unknown;
	reason?: unknown;
	primaryKey?: unknown;
	jobId?: unknown;
	releasedBy?: unknown;
	/** The same where it stands among the columns of the row. */
	shown: IDataObject;
	/** The row's own values. */
	values: IDataObject;
	isError: boolean;
}

function claimOf(
	{ json, pairedItem }: INodeExecutionData,
	output: number,
	run: StoryRun,
): Claim | undefined {
	const error = json.error as IDataObject | undefined;
	const isError = typeof error === 'object' && error !== null;
	const result = ((isError ? error.importResult : json.importResult) ?? {}) as IDataObject;
	const ofFile = isFile(run.chosen);
	if (ofFile && result.row === undefined) return undefined;
	const item = (pairedItem as { item?: number } | undefined)?.item;
	const position = ofFile ? Number(result.row) - 1 : (item ?? -1);
	const { status, reason, primaryKey, jobId, releasedBy } = result;
	const values = ofFile && isError ? ((error.values ?? {}) as IDataObject) : json;
	const told = { status, reason, primaryKey, jobId, releasedBy };
	return { position, output, ...told, shown: json, values, isError };
}

/** All that the node says of rows, in the order of its outputs. */
export function claimsOf({ node }: Seen, run: StoryRun): Claim[] {
	return node.outputs.flatMap((items, output) =>
		items
			.filter(({ json }) => json.dryRun === undefined && json.job === undefined)
			.flatMap((item) => claimOf(item, output, run) ?? []),
	);
}
