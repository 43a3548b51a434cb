import type { IDataObject } from 'n8n-workflow';

import { DatabaseWait, type ResumedRun } from '../../../shared/execution/databaseWait';
import type { RunContext } from '../../../shared/execution/operation';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import type { Offer } from '../../../shared/importFile/correctionPage';
import type { RowStatus } from '../../../shared/importFile/importReport';
import type { ImportJob } from '../../../shared/service/importJob';
import { messageOf } from '../../../shared/service/serviceErrors';
import { throwIfCancelled } from '../../../shared/transport/cancellation';
import type { ChosenWait } from '../../job/jobWait';
import { rejectUnaccepted } from '../mapping/valueChecks';
import { DuplicateRows } from '../rows/duplicateRows';
import { type ImportRows, ItemRows } from '../rows/importRows';
import type { RowResult } from '../rows/outcomeRow';
import { planImport } from '../start/importPlan';
import { ItemImport } from '../start/itemImport';
import { type StartedImport, startedItems, waitForParts } from '../start/startedImport';
import { givenJobsOf, startedImportOf } from './givenJobs';
import { ImportOutcome } from './importOutcome';
import type { Corrections } from './jobResults';

/** An offer with what the reader of the page sent, none to finish. */
type Answered = Offer & { reply: NonNullable<Offer['reply']> };

interface CorrectionSetting {
	wait: ChosenWait;
	/** Of the job that is started. */
	listeners: NonNullable<ImportJob['listeners']>;
	/** Called before anything is sent. */
	onStart: (run: ItemImport) => void;
}

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

function notSent(status: RowStatus, reason: string): RowResult {
	return { status, reason, jobId: null, primaryKey: null, primaryKeyType: null, outcomes: {} };
}

const inDoubt = (offer: Answered): Corrections =>
	correctedRows(offer, () =>
		notSent(
			'unknown',
			'The corrected row may have been imported already, because n8n repeats an execution that had begun to import it. Check in the service before importing it again.',
		),
	);

/** Offers whose rows this process has imported: n8n may go on from an older state. */
const taken = new Set<string>();

/** Starts one job for the corrected rows; their values are texts, which replace the expressions. */
async function startJob(
	context: RunContext,
	rows: ImportRows,
	{ columns, rows: offered, reply }: Answered,
	{ listeners, onStart }: CorrectionSetting,
): Promise<StartedImport> {
	const name = (expression: string): string =>
		`column${columns.findIndex((column) => column.expression === expression)}`;
	const items = reply.map(({ row, values }) => {
		const { lists = [], values: given = [] } = offered[row] ?? {};
		// As a text, a list that nobody corrected would be sent.
		const read = (value: string, column: number) =>
			lists.includes(column) && value === given[column] ? [] : value;
		return {
			json: Object.fromEntries(
				values.map((value, column) => [`column${column}`, read(value, column)]),
			),
		};
	});
	const corrected = new ItemRows(context.functions, items);
	const plan = await planImport(context, rows, { listeners, sent: corrected });
	const read = (expression: string): string => `={{ $json.${name(expression)} }}`;
	for (const column of plan.mapping.columns) {
		if (column.expression !== undefined) column.expression = read(column.expression);
		if (column.beside) column.beside = column.beside.map(read);
	}
	rejectUnaccepted(plan.mapping);
	const run = new ItemImport(plan);
	onStart(run);
	await run.build();
	await run.start();
	// They were not compared with the other rows.
	return { ...run.started, duplicates: new DuplicateRows('report') };
}

/** Waits for the job and reads what the corrected rows came to. */
async function finishJob(
	context: RunContext,
	rows: ImportRows,
	offer: Answered,
	{ wait }: CorrectionSetting,
	started: StartedImport,
	work: IDataObject,
): Promise<Corrections> {
	const ended = await waitForParts(context, wait, started, work, offer);
	const source = { noun: rows.noun };
	const outcome = await ImportOutcome.read(context, source, started, ended, true);
	return correctedRows(offer, (_, index) => outcome.resultAt(index), outcome.parts);
}

/** Starts the job of the corrected rows, and waits for it. */
async function importCorrected(
	context: RunContext,
	rows: ImportRows,
	offer: Answered,
	setting: CorrectionSetting,
	work: IDataObject,
): Promise<Corrections> {
	const { functions, service } = context;
	if (taken.has(offer.id) || offer.executionId !== functions.getExecutionId())
		return inDoubt(offer);
	taken.add(offer.id);
	let started: StartedImport;
	try {
		started = await startJob(context, rows, offer, setting);
	} catch (error) {
		throwIfCancelled(service.signal);
		const text = `The corrected row was not sent: ${messageOf(error)}`;
		return correctedRows(offer, ({ status, reason }) => notSent(status, `${reason} ${text}`));
	}
	const files = await startedItems(functions, started);
	const anew = { ...context, resumed: undefined };
	return await finishJob(anew, rows, offer, setting, started, { ...work, corrected: files });
}

/**
 * Goes on after a wait in which rows could be corrected.
 * @returns what the corrected rows came to; undefined if there are none
 */
export async function continueCorrections(
	context: RunContext,
	{ work, sleep, progress, didNotSleep }: ResumedRun,
	offer: Offer,
	rows: ImportRows,
	setting: CorrectionSetting,
): Promise<Corrections | undefined> {
	const { reply } = offer;
	if (!reply) {
		if (taken.has(offer.id))
			return inDoubt({ ...offer, reply: offer.rows.map(({ values }, row) => ({ row, values })) });
		if (didNotSleep || Date.now() >= offer.until) return undefined;
		const own = { ...offer, executionId: context.functions.getExecutionId() };
		const again = { ...sleep, begunAt: Date.now() };
		throw new DatabaseWait(again, work, progress && { ...progress, offer: own });
	}
	if (reply.length === 0) return undefined;
	const answered = { ...offer, reply };
	if (!Array.isArray(work.corrected))
		return await importCorrected(context, rows, answered, setting, work);
	const given = givenJobsOf(work.corrected);
	const slice = new TimeSlice(context.service.signal);
	const started = await startedImportOf(given, new Map(), reply.length, slice);
	return await finishJob(context, rows, answered, setting, started, work);
}
