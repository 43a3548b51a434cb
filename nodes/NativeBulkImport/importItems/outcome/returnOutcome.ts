import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import type { ItemResults, NodeContext, ServiceContext } from '../../../shared/execution/operation';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import { showHint } from '../../../shared/execution/showHint';
import { ReportTally } from '../../../shared/importFile/importReport';
import { isProcessed } from '../../../shared/importFile/resultFile';
import type { WaitedJob } from '../../../shared/service/importJobWait';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { messageOf, ServiceError } from '../../../shared/service/serviceErrors';
import { describeTarget } from '../../../shared/service/target';
import type { ChosenWait } from '../../job/jobWait';
import { attachFiles, type OutcomeFiles } from '../../reportOptions';
import { expressionPath, namedProperties } from '../../rows/columnExpressions';
import { type ImportRows, visitRows } from '../../rows/importRows';
import { checkDatabaseWait } from '../../wait/databaseWait';
import { propertiesNotKept } from '../../wait/storedItems';
import type { WaitContext } from '../../wait/waitingNode';
import { plannedItems } from '../start/importIdentity';
import { rememberRows } from '../features/skipUnchanged';
import { requireOutcome } from '../../file/hosting';
import { type ItemImport, readFirstRows, TRY_FIRST_LABEL } from '../start/itemImport';
import {
	importName,
	jobIdsOf,
	type StartedImport,
	startedItems,
	waitForParts,
} from '../start/startedImport';
import { ImportOutcome } from './importOutcome';
import { isInService, type RowResult } from './jobResults';
import { outputOf } from './outcomeOutput';

/** An item of a dry run that looked up matches. */
const plannedSchema = z
	.object({
		item: z.number().optional(),
		row: z.number().optional(),
		match: z.enum(['new', 'update', 'notEnough', 'rejected']),
		personId: z.number().nullable(),
	})
	.transform(({ item, row, ...planned }) => ({ number: row ?? item ?? 0, ...planned }));

type PlannedRow = z.output<typeof plannedSchema>;

/** Rows that a text names; it only counts the others. */
const NAMED_ROWS = 20;

function resultText({ status, primaryKey, reason = '' }: RowResult): string {
	if (status === 'imported') return `imported as ${primaryKey ?? 'a record without ID'}`;
	return `${status}${reason && `: ${reason.replace(/\.$/, '')}`}`;
}

function planText({ match, personId }: PlannedRow): string {
	if (match === 'update') return personId === null ? 'an update' : `an update of ${personId}`;
	return match === 'rejected' ? 'rejected' : 'new';
}

/** What an approved plan said about the rows, by number; empty without a plan or looked up rows. */
function readPlannedRows(context: ServiceContext): ReadonlyMap<number, PlannedRow> {
	return context.service.once(readPlannedRows, () => {
		const rows = plannedItems(context).flatMap((json) => plannedSchema.safeParse(json).data ?? []);
		return new Map(rows.map((row) => [row.number, row]));
	});
}

/** `As planned: 294 of 297 rows that were looked up. Different: 3. Line 17: …`. */
async function comparePlan(
	rows: ReturnType<typeof readPlannedRows>,
	outcome: ImportOutcome,
	slice: TimeSlice,
): Promise<string> {
	const known = new Set([...rows.values()].map(({ personId }) => String(personId)));
	const texts: string[] = [];
	let different = 0;
	for (let position = 0; position < outcome.started.totalRows; position++) {
		if (slice.isOver) await slice.yield();
		const planned = rows.get(position + 1);
		const result = outcome.resultAt(position);
		if (!result) continue;
		const isOk = !planned || isAsPlanned(planned, result, known);
		// A later row with the key of a new one is an update.
		if (result.status === 'imported') known.add(String(result.primaryKey));
		if (isOk) continue;
		different++;
		const name = outcome.nameOf(position);
		if (texts.length < NAMED_ROWS)
			texts.push(`${name} (planned: ${planText(planned)}; ${resultText(result)})`);
	}
	const start = `As planned: ${rows.size - different} of ${rows.size} ${rows.size === 1 ? 'row that was' : 'rows that were'} looked up`;
	if (different === 0) return `${start}.`;
	const more = different - texts.length;
	return `${start}. Different: ${different}: ${texts.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

/** @param known records that were there before the row was imported */
function isAsPlanned(
	{ match, personId }: PlannedRow,
	{ status, primaryKey }: RowResult,
	known: ReadonlySet<string>,
): boolean {
	if (match === 'rejected') return status === 'failed' || status === 'missing';
	if (status !== 'imported') return false;
	// Some deployments do not name the record.
	if (primaryKey === null) return true;
	if (match !== 'update') return !known.has(String(primaryKey));
	return personId === null
		? known.has(String(primaryKey))
		: String(primaryKey) === String(personId);
}

function isToCorrect({ status }: RowResult): boolean {
	return !isInService(status) && status !== 'unknown' && status !== 'duplicate';
}

async function listRows(
	outcome: ImportOutcome,
	rows: ImportRows,
	{ tally, rejected }: OutcomeFiles,
): Promise<void> {
	await visitRows(outcome.readGiven(rows), (read, position) => {
		const settled = outcome.statusAt(position);
		if (settled && isInService(settled)) return tally?.add(settled);
		const result = outcome.resultAt(position);
		if (!result) return;
		const { status, reason = '', primaryKey, primaryKeyType } = result;
		const row = outcome.numberOf(position);
		tally?.add(status, () => ({ row, reason, recordId: primaryKey, values: read() ?? {} }));
		if (!rejected || !isToCorrect(result)) return;
		const values = read();
		// A row that cannot be read has no values, so its line says where to find them.
		const found = values ? reason : `Line ${row}: ${reason}`;
		rejected.add(values ?? {}, found, { id: primaryKey, idName: primaryKeyType });
	});
}

/** Adds the files that the user asked for to the first output item, preferably one without an error. */
async function addFiles(
	{ functions, parameters, service }: ServiceContext,
	outcome: ImportOutcome,
	rows: ImportRows,
	results: ItemResults,
	notes: readonly string[],
): Promise<void> {
	const options = parameters.in('options');
	const report = options.flag('report');
	if (!report && !options.flag('rejectedRows')) return;
	const outputs = results.flatMap((result) => ('value' in result ? result.value.slice(0, 1) : []));
	const target = outputs.find(({ json }) => !('error' in json)) ?? outputs[0];
	if (!target) return;
	const collected = {
		tally: report ? new ReportTally() : undefined,
		rejected: options.flag('rejectedRows') ? await rows.newRejectedRows() : undefined,
	};
	await listRows(outcome, rows, collected);
	const jobIds = jobIdsOf(outcome.allParts);
	const { rows: repeatedRows, records } = outcome.results?.repeated ?? { rows: 0, records: [] };
	const details = {
		name: importName(outcome.started.parts),
		notes: [
			...(report ? [`Database: ${await describeTarget(service)}.`] : []),
			...notes,
			...outcome.started.warnings,
		],
		rowLabel: rows.lineOf ? 'Line' : rows.noun === 'item' ? 'Item' : 'Row',
		repeated: {
			rows: repeatedRows,
			records: records.map(({ positions, ...record }) => ({
				...record,
				numbers: positions.map((position) => outcome.numberOf(position)),
			})),
		},
		people: outcome.started.duplicates.details(outcome.started.totalRows, outcome.nameOf),
	} as const;
	await attachFiles(functions, target, jobIds, collected, details);
}

/** Reads what the rows came to, with all that {@link returnOutcome} needs. */
export async function readOutcome(
	context: ServiceContext,
	rows: ImportRows,
	started: StartedImport,
	ended: ReadonlyMap<number, WaitedJob>,
): Promise<ImportOutcome> {
	const keepsImported = outputOf(context, rows).keepsImported || readPlannedRows(context).size > 0;
	return await ImportOutcome.read(context, rows, started, ended, keepsImported);
}

/** Rows not to send again: also contributions of which a part was stored, which would be stored once more. */
function settledRows(
	{ parameters }: ServiceContext,
	outcome: ImportOutcome,
): (position: number) => boolean {
	const isOfContributions = parameters.text('resourceType').startsWith('Contribution');
	const isPartlyStored = (position: number): boolean =>
		Object.values(outcome.resultAt(position)?.outcomes ?? {}).some(isProcessed);
	return (position) =>
		outcome.statusAt(position) === 'imported' || (isOfContributions && isPartlyStored(position));
}

/** Returns what the rows came to, and remembers which were imported. */
export async function returnOutcome(
	context: ServiceContext,
	rows: ImportRows,
	outcome: ImportOutcome,
): Promise<ItemResults> {
	const { functions, service } = context;
	const { changed } = outcome.started;
	if (changed) await rememberRows(context, changed, settledRows(context, outcome));
	const planned = readPlannedRows(context);
	const notes: string[] = [];
	if (planned.size > 0) {
		const message = await comparePlan(planned, outcome, new TimeSlice(service.signal));
		showHint(functions, message);
		notes.push(message);
	}
	const results = await outputOf(context, rows).ended(outcome);
	await addFiles(context, outcome, rows, results, notes);
	return results;
}

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

/** How many percent of the rows tried first may be rejected; undefined if all are sent at once. Throws InvalidInput. */
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
		: `${rejected} of them ${rejected === 1 ? 'was' : 'were'} not imported (${share.toFixed(1)}%, Stop Above is ${stopAbove}%)`;
	return new ServiceError({
		message: `Not sent after the first ${rows === 1 ? 'row was' : `${rows} rows were`} tried, because ${what}`,
		description:
			failure?.status === 'unknown'
				? 'Find out what became of the first rows before you import these.'
				: 'Correct the rows or the mapping, then import the rows that were not imported.',
	});
}

/**
 * Throws InvalidInput if fields of rows that are sent after a wait in the database read an object of which
 * n8n does not keep all.
 */
export async function checkKeptValues({ way }: ChosenWait, { plan }: ItemImport): Promise<void> {
	const { functions, mapping, parameters, service } = plan;
	const isSentLater =
		readFirstRows(parameters) !== undefined ||
		parameters.in('options').value('correctRejected') !== undefined;
	const computed = mapping.columns
		.flatMap(({ expression, beside = [], name, title = name }) =>
			[expression ?? [], ...beside].flat().map((each) => ({ expression: each, title })),
		)
		.filter(({ expression }) => !expressionPath(expression));
	if (way !== 'database' || !isSentLater || computed.length === 0) return;
	const lost = await propertiesNotKept(functions.getInputData(), new TimeSlice(service.signal));
	for (const { expression, title } of computed) {
		const property = namedProperties(expression).find((name) => lost.has(name));
		if (property === undefined) continue;
		const text = `reads "${property}", which holds an object that n8n does not keep while the execution waits in the database. Turn it into text before this node, or choose In Memory.`;
		throw new InvalidInput([{ field: title, text }]);
	}
}

/** Waits for the rows tried first and decides on the others. */
export async function tryFirstRows(
	context: WaitContext,
	wait: ChosenWait,
	{ plan, started }: ItemImport,
	stopAbove: number,
): Promise<ServiceError | undefined> {
	const { runKey } = plan;
	const work = { files: await startedItems(plan.functions, started), isTrial: true, runKey };
	const ended = await waitForParts(context, wait, started, work);
	const known = { ...started, totalRows: started.parts[0]?.end ?? 0 };
	const outcome = await ImportOutcome.read(context, plan.rows, known, ended, false);
	return judgeFirstRows(outcome, stopAbove);
}
