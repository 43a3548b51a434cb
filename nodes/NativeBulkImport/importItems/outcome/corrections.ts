import type { IDataObject } from 'n8n-workflow';

import {
	begunWork,
	DatabaseWait,
	isRepeated,
	type ResumedRun,
} from '../../../shared/execution/databaseWait';
import type { RunContext } from '../../../shared/execution/operation';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import type { Offer } from '../../../shared/importFile/progressPage';
import { messageOf } from '../../../shared/service/serviceErrors';
import { throwIfCancelled } from '../../../shared/transport/cancellation';
import type { ChosenWait } from '../../job/jobWait';
import { rejectUnaccepted } from '../mapping/mappingChecks';
import type { ImportRows } from '../rows/importRows';
import { DuplicateRows } from '../rows/leftOutRows';
import { ItemRows } from '../rows/sourceRows';
import { planImport } from '../start/importPlan';
import { ItemImport } from '../start/itemImport';
import { type StartedImport, startedItems, waitForParts } from '../start/startedImport';
import { givenJobsOf, startedImportOf } from './givenJobs';
import { ImportOutcome } from './importOutcome';
import { type Corrections, type RowResult, withoutOutcome } from './jobResults';

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

const inDoubt = (offer: Answered): Corrections =>
	correctedRows(offer, () => ({
		...withoutOutcome('unknown'),
		reason:
			'The corrected row may have been imported already, because n8n repeats an execution that had begun to import it. Check in the service before importing it again.',
	}));

/** Starts one job for the corrected rows; their values are texts, which replace the expressions. */
async function startJob(
	context: RunContext,
	rows: ImportRows,
	{ columns, rows: offered, reply }: Answered,
	{ listeners }: ChosenWait,
	onStart: (run: ItemImport) => void,
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
	// One more job for all of them.
	run.firstRows = undefined;
	onStart(run);
	await run.build();
	await run.start();
	// They were not compared with the other rows.
	return { ...run.started, duplicates: new DuplicateRows('report') };
}

/**
 * Goes on after a wait in which rows could be corrected: imports the corrected rows with one job.
 * @param onStart called before anything is sent
 * @returns what the corrected rows came to; undefined if there are none
 */
export async function continueCorrections(
	context: RunContext & { resumed: ResumedRun },
	offer: Offer,
	rows: ImportRows,
	wait: ChosenWait,
	onStart: (run: ItemImport) => void,
): Promise<Corrections | undefined> {
	const { functions, service, resumed } = context;
	const { work, sleep, progress, didNotSleep } = resumed;
	const { id, reply } = offer;
	if (!reply) {
		if (begunWork.has(id))
			return inDoubt({ ...offer, reply: offer.rows.map(({ values }, row) => ({ row, values })) });
		if (didNotSleep || Date.now() >= offer.until) return undefined;
		throw new DatabaseWait({ ...sleep, begunAt: Date.now() }, work, progress);
	}
	if (reply.length === 0) return undefined;
	const answered = { ...offer, reply };
	let waiting: { context: RunContext; work: IDataObject } = { context, work };
	let started: StartedImport;
	if (Array.isArray(work.corrected)) {
		const slice = new TimeSlice(service.signal);
		const given = givenJobsOf(work.corrected);
		started = await startedImportOf(given, new Map(), reply.length, slice);
	} else {
		if (isRepeated(context, id)) return inDoubt(answered);
		begunWork.add(id);
		try {
			started = await startJob(context, rows, answered, wait, onStart);
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
