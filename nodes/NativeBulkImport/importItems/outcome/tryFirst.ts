import type { INodeProperties } from 'n8n-workflow';

import { begunWork, checkDatabaseWait, isRepeated } from '../../../shared/execution/databaseWait';
import type { NodeContext, RunContext } from '../../../shared/execution/operation';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { messageOf, ServiceError } from '../../../shared/service/serviceErrors';
import type { ChosenWait } from '../../job/jobWait';
import { requireOutcome } from '../start/hosting';
import { type ItemImport, readFirstRows, TRY_FIRST_LABEL } from '../start/itemImport';
import { startedItems, waitForParts } from '../start/startedImport';
import { ImportOutcome } from './importOutcome';

const STOP_LABEL = 'Stop Above (% Rejected)';
const DEFAULT_SHARE = 10;

export const tryFirstOptions: INodeProperties[] = [
	{
		displayName: TRY_FIRST_LABEL,
		name: 'tryFirst',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 100,
		description:
			'Rows to import first, in a job of their own. The others are sent only if few of these are rejected. 0 sends all at once.',
	},
	{
		displayName: STOP_LABEL,
		name: 'stopAbove',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 99 },
		default: DEFAULT_SHARE,
		displayOptions: { show: { tryFirst: [{ _cnd: { gt: 0 } }] } },
		description:
			'Share of the rows tried first that may be rejected. With more, no other row is sent.',
	},
];

/**
 * How many percent of the rows tried first may be rejected; undefined if all rows are sent at once. Throws
 * InvalidInput where the outcome of the first rows would not be awaited.
 */
export function readStopAbove(
	node: NodeContext,
	{ way, maxWaitMs }: ChosenWait,
): number | undefined {
	const { functions, parameters } = node;
	if (readFirstRows(parameters) === undefined) return undefined;
	// The first rows and the others are each waited for.
	if (way === 'database') checkDatabaseWait(functions, TRY_FIRST_LABEL, 2 * maxWaitMs);
	requireOutcome(node, way, TRY_FIRST_LABEL);
	const entered = parameters.in('options').value('stopAbove');
	const share = String(entered ?? '').trim() === '' ? DEFAULT_SHARE : Number(entered);
	if (share >= 0 && share < 100) return share;
	const text = `"${String(entered)}" is not a number from 0 to 99.`;
	throw new InvalidInput([{ field: STOP_LABEL, text }]);
}

/** Why the other rows are not sent; undefined if they are. */
function judgeFirstRows(
	{ counts, started }: ImportOutcome,
	stopAbove: number,
): ServiceError | undefined {
	const failure = started.parts.find((part) => part.failure)?.failure;
	const rows = started.parts[0]?.rows ?? 0;
	const rejected = rows - counts.imported;
	const share = (100 * rejected) / rows;
	if (!failure && share <= stopAbove) return undefined;
	const what = failure
		? `their job has no outcome: ${messageOf(failure.error)}`
		: `${rejected} of them were not imported (${share.toFixed(1)} %, Stop Above is ${stopAbove} %)`;
	return new ServiceError({
		message: `Not sent after the first ${rows} rows were tried, because ${what}`,
		description: 'Correct the rows or the mapping, then import the rows that were not imported.',
	});
}

/** Waits for the rows tried first and decides on the others. */
export async function tryFirstRows(
	context: RunContext,
	wait: ChosenWait,
	{ plan, started }: ItemImport,
	stopAbove: number,
): Promise<ServiceError | undefined> {
	const work = { files: await startedItems(plan.functions, started), isTrial: true };
	const ended = await waitForParts(context, wait, started, work);
	// A Run Key finds the jobs of the other rows.
	if (isRepeated(context, plan.run) && plan.runKey === '')
		return new ServiceError({
			message:
				'The rows after those tried first may have been sent already, because n8n repeats an execution that had begun to send them',
			description: 'Check in the service which of them were imported before importing them again.',
			outcomeUnknown: true,
		});
	const known = { ...started, totalRows: started.parts[0]?.end ?? 0 };
	const outcome = await ImportOutcome.read(context, plan.rows, known, ended, false);
	const verdict = judgeFirstRows(outcome, stopAbove);
	if (!verdict) begunWork.add(plan.run);
	return verdict;
}
