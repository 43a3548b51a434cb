import { sumBy } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import { checkDatabaseWait } from '../../wait/databaseWait';
import type { NodeContext } from '../../../shared/execution/operation';
import type { ItemParameters } from '../../../shared/parameters/itemParameters';
import { optionOfFields } from '../../../shared/parameters/optionOfFields';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { messageOf, ServiceError } from '../../../shared/service/serviceErrors';
import { requireOutcome } from '../../file/hosting';
import type { ChosenWait } from '../../job/jobWait';
import type { FeatureContext, ImportFeature, StartingImport } from '../feature';
import { ImportOutcome } from '../outcome/importOutcome';
import { startedItems, waitForParts } from '../start/startedImport';
import { lifeOf, lifeWork } from '../start/storedLife';

const LABEL = 'Try First (Rows)';

/** Rows of the first file, if the others wait for its outcome. Throws InvalidInput. */
function readFirstRows(parameters: ItemParameters): number | undefined {
	const options = parameters.in('options');
	return Number(options.value('tryFirst') ?? 0) === 0 ? undefined : options.whole('tryFirst', 1);
}

const STOP_LABEL = 'Stop Above (%)';
const DEFAULT_SHARE = 10;

const fields: INodeProperties[] = [
	{
		displayName: LABEL,
		name: 'tryFirst',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 100,
		description:
			'Rows to import first, in a separate job. The others are sent only if few of these are rejected. 0 sends all at once.',
	},
	{
		displayName: STOP_LABEL,
		name: 'stopAbove',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 99 },
		default: DEFAULT_SHARE,
		description:
			'Percentage of the rows tried first that may be rejected. If more are rejected, no further rows are sent.',
	},
];

const option = optionOfFields(
	{
		displayName: 'Try First, Stop if Too Many Fail',
		name: 'fewRows',
		description:
			'Import some rows in a separate job, and send the others only if few of these are rejected',
	},
	{ displayName: 'Rows', name: 'try' },
	fields,
);

/** How many percent of the rows tried first may be rejected. Throws InvalidInput. */
function readStopAbove(node: NodeContext, { way, maxWaitMs }: ChosenWait): number {
	const { functions, parameters } = node;
	// The first rows and the others are each waited for.
	if (way === 'database') checkDatabaseWait(functions, LABEL, 2 * maxWaitMs);
	requireOutcome(node, way, LABEL);
	const entered = parameters.in('options').value('stopAbove');
	const share = String(entered ?? '').trim() === '' ? DEFAULT_SHARE : Number(entered);
	if (share >= 0 && share < 100) return share;
	const text = `"${String(entered)}" is not a number from 0 to 99.`;
	throw new InvalidInput([{ field: STOP_LABEL, text }]);
}

function judgeFirstRows(
	{ counts, started }: ImportOutcome,
	stopAbove: number,
): ServiceError | undefined {
	const failure = started.parts.find((part) => part.failure)?.failure;
	const rows = sumBy(started.parts, 'rows');
	const rejected = rows - counts.imported;
	const share = (100 * rejected) / rows;
	if (!failure && share <= stopAbove) return undefined;
	const what = failure
		? `their job has no outcome: ${messageOf(failure.error)}`
		: `${rejected} of them ${rejected === 1 ? 'was' : 'were'} not imported (${share.toFixed(1)}%, Stop Above is ${stopAbove}%)`;
	return new ServiceError({
		message: `Not sent after the first ${rows === 1 ? 'row was' : `${rows} rows were`} tried, because ${what}`,
		description:
			failure?.status === 'unknown'
				? 'Check the outcome of the first rows before you import these.'
				: 'Correct the rows or the mapping, then import the rows that were not imported.',
	});
}

/** Waits for the rows tried first and decides on the others. */
async function judge(
	context: FeatureContext,
	wait: ChosenWait,
	{ plan, started, kept }: StartingImport,
	stopAbove: number,
): Promise<ServiceError | undefined> {
	const files = await startedItems(plan.functions, started);
	const work = lifeWork({ phase: 'firstRows', files, kept });
	const isWaited = lifeOf(context.resumed)?.phase === 'firstRows';
	const waiting = isWaited ? context : { ...context, resumed: undefined };
	const ended = await waitForParts(waiting, wait, started, work);
	const known = { ...started, totalRows: Math.max(...started.parts.map(({ end }) => end)) };
	const outcome = await ImportOutcome.read(context, plan.rows, known, ended, false);
	return judgeFirstRows(outcome, stopAbove);
}

export const tryFirst: ImportFeature = {
	options: { group: 'safety', place: 30, fields: [option] },
	guards: ['tryFirst', 'stopAbove'],
	addsWaitMs: (parameters, maxWaitMs) => (readFirstRows(parameters) === undefined ? 0 : maxWaitMs),
	of(context) {
		const { wait, sends } = context;
		const count = readFirstRows(context.parameters);
		if (!wait || !sends || count === undefined) return undefined;
		const stopAbove = readStopAbove(context, wait);
		return {
			firstRows: { label: LABEL, count },
			sendsLater: true,
			gate: async (run) => await judge(context, wait, run, stopAbove),
		};
	},
};
