import { upperFirst } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ServiceContext } from '../../../shared/execution/operation';
import { isClaimed } from '../../../shared/execution/runClaims';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import { showHint } from '../../../shared/execution/showHint';
import { fileText, InvalidRow, invalidValue } from '../../../shared/importFile/delimitedRows';
import { cellText } from '../../../shared/importFile/rejectedRows';
import { isProcessed } from '../../../shared/importFile/resultFile';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { messageOf, ServiceError } from '../../../shared/service/serviceErrors';
import { throwIfCancelled } from '../../../shared/transport/cancellation';
import { rethrow } from '../../../shared/transport/rethrow';
import { newRunId } from '../../job/descriptionMark';
import { type ChosenWait, newProgress } from '../../job/jobWait';
import type { PlannedColumn } from '../mapping/importMapping';
import { rejectUnaccepted } from '../mapping/mappingChecks';
import { DuplicateRows } from '../mapping/duplicateRows';
import type { ImportRows } from '../../rows/importRows';
import { ItemRows } from '../../rows/sourceRows';
import { checkDatabaseWait, DatabaseWait } from '../../wait/databaseWait';
import type { ResumedContext, WaitContext } from '../../wait/waitingNode';
import { planImport } from '../start/importPlan';
import { findJobsOfRun, mayBeSent } from '../start/importIdentity';
import { claimOfRows, ItemImport, readFirstRows } from '../start/itemImport';
import {
	importName,
	jobIdsOf,
	type StartedImport,
	startedItems,
	waitForParts,
} from '../start/startedImport';
import type { Offer } from './correctionPage';
import { givenJobsOf, startedImportOf } from './givenJobs';
import { ImportOutcome } from './importOutcome';
import { type Corrections, type RowResult, withoutOutcome } from './jobResults';

const LABEL = 'Correction Time (Minutes)';

/** The links of result files end after 24 hours (service.md 2.8), and they are read again at the end. */
const MOST_MINUTES = 720;

export const correctionOption: INodeProperties = {
	displayName: LABEL,
	name: 'correctRejected',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MOST_MINUTES },
	default: 240,
	displayOptions: { show: { waitForOutcome: ['database'] } },
	description:
		'How long rejected rows can be corrected on the progress page after the jobs have ended. One more job imports them. Needs Progress Page.',
};

/** How long rows can be corrected; 0 if the user does not want it. Throws InvalidInput. */
export function correctionTime(
	{ functions, parameters }: ServiceContext,
	wait: ChosenWait,
): number {
	const options = parameters.in('options');
	if (wait.way !== 'database' || options.value('correctRejected') === undefined) return 0;
	const minutes = options.positive('correctRejected', 240);
	const refuse = (text: string): never => {
		throw new InvalidInput([{ field: LABEL, text }]);
	};
	if (minutes > MOST_MINUTES)
		refuse(`must be at most ${MOST_MINUTES}: the service keeps result files for one day.`);
	if (wait.pageSecret === '') refuse('needs Progress Page. Enter its secret.');
	if (options.text('runKey') !== '')
		refuse('does not work with a Run Key: a later run could import the corrected rows again.');
	if (options.text('approvedPlan') !== '')
		refuse('does not work with an Approved Plan: corrected rows are not those of the plan.');
	if (parameters.unevaluated('options.skipUnchangedBy') !== undefined)
		refuse('does not work with Skip Unchanged Rows By, which remembers rows as they were given.');
	if (options.entries('controlTotals', 'total').length > 0)
		refuse('does not work with Control Totals, which are those of the rows as they were given.');
	const timeMs = minutes * 60_000;
	const waits = readFirstRows(parameters) === undefined ? 2 : 3;
	checkDatabaseWait(functions, LABEL, waits * wait.maxWaitMs + timeMs);
	return timeMs;
}

/** Rows of which the service has stored nothing, and that other values could change. */
async function positionsToCorrect(outcome: ImportOutcome, slice: TimeSlice): Promise<number[]> {
	const positions: number[] = [];
	for (let position = 0; position < outcome.started.totalRows; position++) {
		if (slice.isOver) await slice.yield();
		const status = outcome.statusAt(position);
		if (status !== 'invalid' && (status !== 'failed' || outcome.failureAt(position))) continue;
		const { primaryKey = null, outcomes = {} } = outcome.resultAt(position) ?? {};
		const isStored = primaryKey !== null || Object.values(outcomes).some(isProcessed);
		if (!isStored) positions.push(position);
	}
	return positions;
}

const SHOWN_ROWS = 200;
const SHOWN_FIELDS = 5000;

/** Rows of one form. */
export function shownRows(columns: Offer['columns']): number {
	const fields = columns.filter(({ label }) => label !== undefined).length;
	return Math.min(SHOWN_ROWS, Math.floor(SHOWN_FIELDS / Math.max(1, fields)));
}

function columnsOf(planned: readonly PlannedColumn[]): Offer['columns'] {
	const columns = new Map<string, Offer['columns'][number]>();
	for (const { expression, label, title = label } of planned)
		if (expression !== undefined && !columns.has(expression))
			columns.set(expression, { expression, label: title });
	for (const expression of planned.flatMap(({ beside = [] }) => beside))
		if (!columns.has(expression)) columns.set(expression, { expression });
	return [...columns.values()];
}

/** A form has up to three bytes for each of them, and n8n takes 16 MB unless it is set to less. */
const MOST_BYTES = 1_000_000;

/** The texts of the rows that one form can send, by their position; a row that cannot be read has none. */
async function readTexts(
	rows: ImportRows,
	columns: Offer['columns'],
	positions: readonly number[],
): Promise<Map<number, Pick<Offer['rows'][number], 'values' | 'withoutText'>>> {
	const wanted = new Set(positions);
	const last = positions.at(-1) ?? -1;
	const texts: Awaited<ReturnType<typeof readTexts>> = new Map();
	const read = columns.map(({ expression }) => ({ name: expression, expression }));
	let position = -1;
	let left = MOST_BYTES;
	for await (const batch of rows.read(read)) {
		for (const row of batch) {
			position++;
			if (!wanted.has(position) || row instanceof InvalidRow) continue;
			const values = row.map(cellText);
			const bytes = Buffer.byteLength(values.join(''));
			if (bytes > left) continue;
			left -= bytes;
			const withoutText = row.flatMap((value, column) => {
				const text = fileText(value, '');
				return text instanceof InvalidRow ? [{ column, reason: text.reason }] : [];
			});
			texts.set(position, { values, ...(withoutText.length > 0 && { withoutText }) });
		}
		if (position >= last) break;
	}
	return texts;
}

/** The shown column that a reason names, by the user's header or by the service's field. */
function columnNamed(
	reason: string,
	columns: Offer['columns'],
	planned: readonly PlannedColumn[],
): { column?: number } {
	const text = reason.toLowerCase();
	const column = columns.findIndex(({ expression, label = '' }) => {
		const fed = planned.filter((each) => each.expression === expression);
		const names = [label, ...fed.flatMap(({ fields }) => fields.map(({ field }) => field))];
		return label !== '' && names.some((name) => text.includes(name.toLowerCase()));
	});
	return column < 0 ? {} : { column };
}

async function buildOffer(
	context: ServiceContext,
	outcome: ImportOutcome,
	rows: ImportRows,
	timeMs: number,
): Promise<Offer | undefined> {
	const { service } = context;
	const positions = await positionsToCorrect(outcome, new TimeSlice(service.signal));
	if (positions.length === 0) return undefined;
	const { mapping } = await planImport(context, rows, { isChecked: false });
	const columns = columnsOf(mapping.columns);
	const shown = positions.slice(0, shownRows(columns));
	const texts = await readTexts(rows, columns, shown);
	if (texts.size === 0) return undefined;
	return {
		id: newRunId(),
		until: Date.now() + timeMs,
		columns,
		rows: [...texts].map(([position, read]) => {
			const { reason = '' } = outcome.resultAt(position) ?? {};
			const name = upperFirst(outcome.nameOf(position));
			const status = outcome.statusAt(position) === 'invalid' ? 'invalid' : 'failed';
			const named = columnNamed(reason, columns, mapping.columns);
			return { position, name, status, reason, ...read, ...named };
		}),
		hidden: positions.length - texts.size,
	};
}

/** Lets the reader of the progress page correct the rejected rows, if there are any: throws DatabaseWait. */
export async function offerCorrections(
	context: WaitContext,
	outcome: ImportOutcome,
	rows: ImportRows,
	wait: ChosenWait,
	files: unknown[],
): Promise<void> {
	const { functions, service, resumed } = context;
	const timeMs = correctionTime(context, wait);
	// While the outcome of a job is in doubt, no row is offered.
	const isInDoubt = outcome.started.parts.some(({ failure }) => failure?.status === 'unknown');
	if (timeMs === 0 || isInDoubt || resumed?.didNotSleep) return;
	try {
		const offer = await buildOffer(context, outcome, rows, timeMs);
		if (!offer) return;
		const now = Date.now();
		const sleep = { since: now, begunAt: now, until: offer.until, sleepMs: timeMs };
		const name = importName(outcome.started.parts);
		const progress =
			resumed?.progress ??
			newProgress(functions, wait.pageSecret, jobIdsOf(outcome.started.parts), { name });
		throw new DatabaseWait(sleep, { files }, { ...progress, question: offer });
	} catch (error) {
		if (error instanceof DatabaseWait) rethrow(error);
		throwIfCancelled(service.signal);
		// The outcome must not be lost.
		const message = `The rejected rows could not be offered for correction: ${messageOf(error)}`;
		showHint(functions, message, 'warning');
	}
}

/** An offer with what the reader of the page sent, none to finish. */
type Answered = Offer & { reply: NonNullable<Offer['reply']> };

/** @param resultOf what a corrected row came to, by its index in the reply */
function correctedRows(
	{ columns, rows, reply }: Answered,
	resultOf: (row: Offer['rows'][number], index: number) => RowResult | undefined,
	parts: Corrections['parts'] = [],
): Corrections {
	const results = new Map<number, RowResult>();
	for (const [index, { row, values }] of reply.entries()) {
		const offered = rows[row];
		const result = offered && resultOf(offered, index);
		if (!result) continue;
		const changed = columns.flatMap(({ label = '' }, column) =>
			values[column] === offered.values[column] ? [] : [[label, values[column] ?? ''] as const],
		);
		results.set(offered.position, { ...result, corrected: Object.fromEntries(changed) });
	}
	return { results, parts };
}

/** The rows that could be corrected, if n8n may have imported corrections of them before. */
const inDoubt = (offer: Offer, { message, details }: ServiceError): Corrections =>
	correctedRows(
		{ ...offer, reply: offer.rows.map(({ values }, row) => ({ row, values })) },
		() => ({
			...withoutOutcome('unknown'),
			reason: `${message}. ${details.description}`,
		}),
	);

/** Starts one job for the corrected rows; their values are texts, which replace the expressions. */
async function startJob(
	context: WaitContext,
	rows: ImportRows,
	{ id, columns, rows: offered, reply }: Answered,
	{ listeners }: ChosenWait,
	onStart: (run: ItemImport) => void,
): Promise<ItemImport> {
	const name = (expression: string): string =>
		`column${columns.findIndex((column) => column.expression === expression)}`;
	const items = reply.map(({ row, values }) => {
		const { withoutText = [], values: given = [] } = offered[row] ?? {};
		// As the text that is shown, a list or a rounded number that nobody corrected would be sent.
		const read = (value: string, column: number) => {
			const isGiven = value === given[column];
			const problem = isGiven && withoutText.find((one) => one.column === column);
			return problem ? invalidValue(columns[column]?.label ?? '', problem.reason) : value;
		};
		return {
			json: Object.fromEntries(
				values.map((value, column) => [`column${column}`, read(value, column)]),
			),
		};
	});
	const corrected = new ItemRows(context.functions, items);
	const plan = await planImport(context, rows, { listeners, run: id, sent: corrected });
	const read = (expression: string): string => `={{ $json.${name(expression)} }}`;
	for (const column of plan.mapping.columns) {
		if (column.expression !== undefined) column.expression = read(column.expression);
		if (column.beside) column.beside = column.beside.map(read);
	}
	rejectUnaccepted(plan.mapping);
	const run = new ItemImport(plan);
	// One job for all of them.
	run.firstRows = undefined;
	onStart(run);
	await run.build();
	await run.start();
	return run;
}

/** Corrections that n8n took before it went back to the offer; undefined if there were none. */
async function earlierCorrections(
	{ functions, service }: WaitContext,
	offer: Offer,
): Promise<Corrections | undefined> {
	if (!(await isClaimed(functions, claimOfRows(offer.id)))) return undefined;
	try {
		const jobs = await findJobsOfRun(service, offer.id);
		const [job] = jobs.values();
		return job && inDoubt(offer, mayBeSent(offer.id, `Import job ${job.jobId} was started then.`));
	} catch (error) {
		return error instanceof ServiceError ? inDoubt(offer, error) : rethrow(error);
	}
}

/**
 * Goes on after a wait in which rows could be corrected: imports the corrected rows with one job.
 * @param onStart called before anything is sent
 */
export async function continueCorrections(
	context: ResumedContext,
	offer: Offer,
	rows: ImportRows,
	wait: ChosenWait,
	onStart: (run: ItemImport) => void,
): Promise<Corrections | undefined> {
	const { functions, service, resumed } = context;
	const { work, sleep, progress, didNotSleep } = resumed;
	const { reply } = offer;
	if (!reply && !didNotSleep && Date.now() < offer.until)
		throw new DatabaseWait({ ...sleep, begunAt: Date.now() }, work, progress);
	if (!reply || reply.length === 0) return await earlierCorrections(context, offer);
	const answered = { ...offer, reply };
	let waiting: { context: WaitContext; work: IDataObject } = { context, work };
	let started: StartedImport;
	if (Array.isArray(work.corrected)) {
		const slice = new TimeSlice(service.signal);
		const given = givenJobsOf(work.corrected);
		started = await startedImportOf(given, reply.length, slice);
	} else {
		try {
			const run = await startJob(context, rows, answered, wait, onStart);
			// It is not known which rows were corrected then.
			if (run.doubt) return inDoubt(offer, run.doubt);
			// They were not compared with the other rows.
			started = { ...run.started, duplicates: new DuplicateRows('report') };
		} catch (error) {
			throwIfCancelled(service.signal);
			const text = `The corrected row was not sent: ${messageOf(error)}`;
			return correctedRows(answered, ({ status, reason }) => ({
				...withoutOutcome(status),
				reason: `${reason} ${text}`,
			}));
		}
		waiting = {
			context: { ...context, resumed: undefined },
			work: { ...work, corrected: await startedItems(functions, started) },
		};
	}
	const ended = await waitForParts(waiting.context, wait, started, waiting.work, offer);
	const source = { noun: rows.noun };
	const outcome = await ImportOutcome.read(context, source, started, ended, true);
	return correctedRows(answered, (_, index) => outcome.resultAt(index), outcome.started.parts);
}
