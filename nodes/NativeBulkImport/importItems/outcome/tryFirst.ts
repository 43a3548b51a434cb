import type { INodeProperties } from 'n8n-workflow';

import { checkDatabaseWait } from '../../../shared/execution/databaseWait';
import type { NodeContext, RunContext } from '../../../shared/execution/operation';
import type { WaitedJob } from '../../../shared/service/importJobWait';
import { InvalidInput } from '../../../shared/service/invalidInput';
import type { NativeService } from '../../../shared/service/nativeService';
import { messageOf, ServiceError } from '../../../shared/service/serviceErrors';
import type { ChosenWait } from '../../job/jobWait';
import { requireOutcome } from '../start/hosting';
import type { ImportPlan } from '../start/importPlan';
import { type ItemImport, readFirstRows, TRY_FIRST_LABEL } from '../start/itemImport';
import { startedItems, type StartedImport, waitForParts } from '../start/startedImport';
import { readJobResults } from './jobResults';

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

/** Where to wait, and how many percent of the rows tried first may be rejected. */
export interface ImportWait extends ChosenWait {
	/** Undefined if all rows are sent at once. */
	stopAbove?: number;
}

/** Throws InvalidInput where the outcome of the first rows would not be awaited. */
export function addStopAbove(node: NodeContext, wait: ChosenWait): ImportWait {
	const { functions, parameters } = node;
	if (readFirstRows(parameters) === undefined) return wait;
	const { way, maxWaitMs } = wait;
	// The first rows and the others are each waited for.
	if (way === 'database') checkDatabaseWait(functions, TRY_FIRST_LABEL, 2 * maxWaitMs);
	requireOutcome(node, way, TRY_FIRST_LABEL);
	const entered = parameters.in('options').value('stopAbove');
	const share = String(entered ?? '').trim() === '' ? DEFAULT_SHARE : Number(entered);
	if (share >= 0 && share < 100) return { ...wait, stopAbove: share };
	const text = `"${String(entered)}" is not a number from 0 to 99.`;
	throw new InvalidInput([{ field: STOP_LABEL, text }]);
}

/**
 * Why the other rows are not sent; undefined if they are.
 * @param started with the rows that were tried first
 */
async function judgeFirstRows(
	service: NativeService,
	stopAbove: number,
	started: StartedImport,
	ended: ReadonlyMap<number, WaitedJob>,
): Promise<ServiceError | undefined> {
	const [first] = started.parts;
	if (!first) return undefined;
	const known = { ...started, totalRows: first.end };
	const { parts, rows } = await readJobResults(service, known, ended, false);
	const failure = parts.find((part) => part.failure)?.failure;
	let imported = 0;
	for (let position = first.first; position < first.end; position++)
		if (rows.statusOf(position) === 'imported') imported++;
	const share = (100 * (first.rows - imported)) / first.rows;
	if (!failure && share <= stopAbove) return undefined;
	const what = failure
		? `their job has no outcome: ${messageOf(failure.error)}`
		: `${first.rows - imported} of them were not imported (${share.toFixed(1)} %, Stop Above is ${stopAbove} %)`;
	return new ServiceError({
		message: `Not sent after the first ${first.rows} rows were tried, because ${what}`,
		description: 'Correct the rows or the mapping, then import the rows that were not imported.',
		replayable: false,
		outcomeUnknown: false,
	});
}

/** Runs of which this process has sent the other rows: n8n may go on from an older state. */
const sent = new Set<string>();

/** Why the other rows are not sent if they may have been; a Run Key finds their jobs. */
function doubtOfOthers(
	{ functions, resumed }: RunContext,
	{ run, runKey }: ImportPlan,
): ServiceError | undefined {
	const isAnother = resumed && resumed.work.executionId !== functions.getExecutionId();
	const isRepeated = sent.has(run) || isAnother === true;
	if (!isRepeated || runKey !== '') return undefined;
	return new ServiceError({
		message:
			'The rows after those tried first may have been sent already, because n8n repeats an execution that had begun to send them',
		description: 'Check in the service which of them were imported before importing them again.',
		outcomeUnknown: true,
	});
}

/** Waits for the rows tried first and decides on the others. */
export async function tryFirstRows(
	context: RunContext,
	wait: ChosenWait,
	{ plan, started }: ItemImport,
	stopAbove: number,
): Promise<ServiceError | undefined> {
	const { functions, service } = plan;
	const files = await startedItems(functions, started);
	const work = { files, isTrial: true, executionId: functions.getExecutionId() };
	const ended = await waitForParts(context, wait, started, work);
	const doubt = doubtOfOthers(context, plan);
	const verdict = doubt ?? (await judgeFirstRows(service, stopAbove, started, ended));
	if (!verdict) sent.add(plan.run);
	return verdict;
}
