import { sum, upperFirst } from 'lodash';
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isClaimed } from '../../../../shared/execution/runClaims';
import { TimeSlice } from '../../../../shared/execution/timeSlice';
import { showHint } from '../../../../shared/execution/showHint';
import { fileText, InvalidRow, invalidValue } from '../../../../shared/importFile/delimitedRows';
import { cellText } from '../../../../shared/importFile/rejectedRows';
import { isProcessed } from '../../../../shared/importFile/resultFile';
import { InvalidInput } from '../../../../shared/service/invalidInput';
import { messageOf, ServiceError } from '../../../../shared/service/serviceErrors';
import { throwIfCancelled } from '../../../../shared/transport/cancellation';
import { rethrow } from '../../../../shared/transport/rethrow';
import { newRunId, runIdWithin } from '../../../job/descriptionMark';
import { type ChosenWait, newProgress } from '../../../job/jobWait';
import type { ImportRows, RowChecksums, RowColumn } from '../../../rows/importRows';
import { ItemRows } from '../../../rows/sourceRows';
import { checkDatabaseWait, DatabaseWait } from '../../../wait/databaseWait';
import type { ResumedContext, WaitContext } from '../../../wait/waitingNode';
import {
	convertColumns,
	type FeatureContext,
	type FeatureHooks,
	hooksOf,
	type ImportFeature,
	type OutcomeView,
} from '../../feature';
import type { PlannedColumn } from '../../mapping/importMapping';
import { type RowResult, type RowsAgain, type StartedImport, withoutOutcome } from '../../model';
import { givenJobsOf, startedImportOf } from '../../outcome/givenJobs';
import { ImportOutcome } from '../../outcome/importOutcome';
import { planImport } from '../../start/importPlan';
import { findJobsOfRun, mayBeSent } from '../../start/earlierJobs';
import { claimOfRows, ItemImport } from '../../start/itemImport';
import { importName, jobIdsOf, startedItems, waitForParts } from '../../start/startedImport';
import { lifeOf, lifeWork } from '../../start/storedLife';
import { Stops } from '../../stops';
import { correctionForm, type Offer, offerSchema } from './correctionPage';

const LABEL = 'Time to Fix (Minutes)';
const NAME = 'correctRejected';

/** The links of result files end after 24 hours (service.md 2.8), and they are read again at the end. */
const MOST_MINUTES = 720;

const option: INodeProperties = {
	displayName: LABEL,
	name: NAME,
	type: 'number',
	typeOptions: { minValue: 0, maxValue: MOST_MINUTES },
	default: 240,
	description:
		'How long rejected rows can be corrected on the page after the jobs have ended. One more job imports them. 0 turns this off.',
};

/** How long rows can be corrected; 0 if the user does not want it. Throws InvalidInput. */
function correctionTime(
	{ functions, parameters, features }: FeatureContext,
	wait: ChosenWait,
): number {
	const options = parameters.in('options');
	if (wait.pageSecret === '' || Number(options.value(NAME) ?? 0) === 0) return 0;
	const minutes = options.positive(NAME, 240);
	const refuse = (text: string): never => {
		throw new InvalidInput([{ field: LABEL, text }]);
	};
	if (minutes > MOST_MINUTES)
		refuse(`must be at most ${MOST_MINUTES}: the service keeps result files for one day.`);
	for (const { refusesOtherValues } of features) {
		const reason = refusesOtherValues?.(parameters);
		if (reason !== undefined) refuse(`does not work with ${reason}`);
	}
	const timeMs = minutes * 60_000;
	const { maxWaitMs } = wait;
	const others = features.map(({ addsWaitMs }) => addsWaitMs?.(parameters, maxWaitMs) ?? 0);
	checkDatabaseWait(functions, LABEL, sum(others) + 2 * maxWaitMs + timeMs);
	return timeMs;
}

/** Rows of which the service has stored nothing, and that other values could change. */
async function positionsToCorrect(outcome: OutcomeView, slice: TimeSlice): Promise<number[]> {
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
	return Math.min(SHOWN_ROWS, Math.floor(SHOWN_FIELDS / fields));
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

/** A plan for the rows, from the features asked anew: it is another import. */
async function planAgain(
	context: FeatureContext,
	rows: ImportRows,
	setting: Parameters<typeof planImport>[2] = {},
) {
	const stops = new Stops();
	const hooks = await hooksOf({ ...context, sends: true }, stops);
	const plan = await planImport({ ...context, hooks, stops }, rows, setting);
	// Rows are only judged and written: they were compared and counted before.
	return { plan, hooks: hooks.map(({ convert, judge }) => ({ convert, judge })) };
}

async function buildOffer(
	context: FeatureContext,
	outcome: OutcomeView,
	rows: ImportRows,
	timeMs: number,
): Promise<Offer | undefined> {
	const { service } = context;
	const positions = await positionsToCorrect(outcome, new TimeSlice(service.signal));
	if (positions.length === 0) return undefined;
	const { plan, hooks } = await planAgain(context, rows);
	const planned = convertColumns(hooks, plan.mapping);
	const columns = columnsOf(planned);
	const shown = positions.slice(0, shownRows(columns));
	const texts = await readTexts(rows, columns, shown);
	if (texts.size === 0) return undefined;
	const { run = newRunId() } = outcome.started;
	return {
		form: 'corrections',
		// Where n8n repeats the import from before the offer, whether corrections were sent is known by it.
		id: runIdWithin(run, 'corrections'),
		until: Date.now() + timeMs,
		columns,
		rows: [...texts].map(([position, read]) => {
			const { reason = '' } = outcome.resultAt(position) ?? {};
			const name = upperFirst(outcome.nameOf(position));
			const status = outcome.statusAt(position) === 'invalid' ? 'invalid' : 'failed';
			const named = columnNamed(reason, columns, planned);
			return { position, name, status, reason, ...read, ...named };
		}),
		hidden: positions.length - texts.size,
	};
}

/** Lets the reader of the progress page correct the rejected rows, if there are any: throws DatabaseWait. */
async function offerCorrections(
	context: FeatureContext,
	wait: ChosenWait,
	timeMs: number,
	outcome: OutcomeView,
	rows: ImportRows,
	files: ReadonlyArray<Record<string, unknown>>,
): Promise<void> {
	const { functions, service, resumed } = context;
	// While the outcome of a job is in doubt, no row is offered.
	const isInDoubt = outcome.started.parts.some(({ failure }) => failure?.status === 'unknown');
	if (isInDoubt || resumed?.didNotSleep) return;
	try {
		const offer = await buildOffer(context, outcome, rows, timeMs);
		if (!offer) return;
		const now = Date.now();
		const sleep = { since: now, begunAt: now, until: offer.until, sleepMs: timeMs };
		const name = importName(outcome.started.parts);
		const progress =
			resumed?.progress ??
			newProgress(functions, wait.pageSecret, jobIdsOf(outcome.started.parts), { name });
		throw new DatabaseWait(sleep, lifeWork({ phase: 'offer', files: [...files] }), {
			...progress,
			question: offer,
		});
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
	parts: RowsAgain['parts'] = [],
	files?: IDataObject[],
): RowsAgain {
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
	const { size: corrected } = results;
	return {
		results,
		parts,
		files,
		sentence: `${corrected} of them corrected`,
		summary: { corrected },
	};
}

/** The rows that could be corrected, if n8n may have imported corrections of them before. */
const inDoubt = (offer: Offer, { message, details }: ServiceError): RowsAgain =>
	correctedRows(
		{ ...offer, reply: offer.rows.map(({ values }, row) => ({ row, values })) },
		() => ({
			...withoutOutcome('unknown'),
			reason: `${message}. ${details.description}`,
		}),
	);

/** Rows with the values that a reader sent, for the expressions of the columns that were offered. */
class CorrectedRows extends ItemRows {
	private readonly names: ReadonlyMap<string, string>;

	constructor(functions: IExecuteFunctions, { columns, rows: offered, reply }: Answered) {
		const items = reply.map(({ row, values }) => {
			const { withoutText = [], values: given = [] } = offered[row] ?? {};
			// As the text that is shown, a list or a rounded number that nobody corrected would be sent.
			const read = (value: string, column: number) => {
				const isGiven = value === given[column];
				const problem = isGiven && withoutText.find((one) => one.column === column);
				return problem ? invalidValue(columns[column]?.label ?? '', problem.reason) : value;
			};
			const json = values.map((value, column) => [`column${column}`, read(value, column)]);
			return { json: Object.fromEntries(json) as IDataObject };
		});
		super(functions, items);
		this.names = new Map(
			columns.map(({ expression }, column) => [expression, `={{ $json.column${column} }}`]),
		);
	}

	override read(
		columns: readonly RowColumn[],
		checksums?: RowChecksums,
	): ReturnType<ItemRows['read']> {
		const named = (expression: string): string => this.names.get(expression) ?? expression;
		const read = columns.map(({ expression, beside = [], ...column }) => ({
			...column,
			expression: expression === undefined ? undefined : named(expression),
			beside: beside.map(named),
		}));
		return super.read(read, checksums);
	}
}

/** Starts one job for the corrected rows. */
async function startJob(
	context: FeatureContext,
	rows: ImportRows,
	answered: Answered,
	{ listeners }: ChosenWait,
	onStart: Parameters<NonNullable<FeatureHooks['again']>>[1],
): Promise<ItemImport> {
	const sent = new CorrectedRows(context.functions, answered);
	const { plan, hooks } = await planAgain(context, rows, { listeners, run: answered.id, sent });
	const run = new ItemImport(plan, hooks, { isChecked: false });
	onStart(run);
	await run.survey();
	await run.start();
	return run;
}

/** Corrections that n8n took before it went back to the offer; undefined if there were none. */
async function earlierCorrections(
	{ functions, service }: FeatureContext,
	offer: Offer,
): Promise<RowsAgain | undefined> {
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
async function continueCorrections(
	context: FeatureContext & ResumedContext,
	wait: ChosenWait,
	offer: Offer,
	rows: ImportRows,
	onStart: Parameters<NonNullable<FeatureHooks['again']>>[1],
): Promise<RowsAgain | undefined> {
	const { functions, service, resumed } = context;
	const { work, sleep, progress, didNotSleep } = resumed;
	const { reply } = offer;
	if (!reply && !didNotSleep && Date.now() < offer.until)
		throw new DatabaseWait({ ...sleep, begunAt: Date.now() }, work, progress);
	if (!reply || reply.length === 0) return await earlierCorrections(context, offer);
	const answered = { ...offer, reply };
	const life = lifeOf(resumed);
	let files = life?.again as IDataObject[] | undefined;
	let waiting: { context: WaitContext; work: IDataObject } = { context, work };
	let started: StartedImport;
	if (life?.again) {
		const slice = new TimeSlice(service.signal);
		started = await startedImportOf(givenJobsOf(life.again), reply.length, [], slice);
	} else {
		try {
			const run = await startJob(context, rows, answered, wait, onStart);
			// It is not known which rows were corrected then.
			if (run.doubt) return inDoubt(offer, run.doubt);
			started = run.started;
		} catch (error) {
			throwIfCancelled(service.signal);
			const before = await earlierCorrections(context, offer);
			if (before) return before;
			const text = `The corrected row was not sent: ${messageOf(error)}`;
			return correctedRows(answered, ({ status, reason }) => ({
				...withoutOutcome(status),
				reason: `${reason} ${text}`,
			}));
		}
		files = await startedItems(functions, started);
		waiting = {
			context: { ...context, resumed: undefined },
			work: { ...work, again: files },
		};
	}
	const ended = await waitForParts(waiting.context, wait, started, waiting.work, offer);
	const source = { noun: rows.noun };
	const outcome = await ImportOutcome.read(context, source, started, ended, true);
	return correctedRows(
		answered,
		(_, index) => outcome.resultAt(index),
		outcome.started.parts,
		files,
	);
}

export const corrections: ImportFeature = {
	options: { group: 'page', place: 10, fields: [option] },
	questionForms: [correctionForm],
	of(context) {
		const { wait, resumed } = context;
		const timeMs = wait ? correctionTime(context, wait) : 0;
		const isOffered = lifeOf(resumed)?.phase === 'offer';
		const asked = lifeOf(resumed)?.offered ?? resumed?.progress?.question;
		const offer = isOffered ? offerSchema.parse(asked) : undefined;
		if (!wait || (timeMs === 0 && !offer)) return undefined;
		return {
			sendsLater: true,
			offer: async (outcome, rows, files) =>
				await offerCorrections(context, wait, timeMs, outcome, rows, files),
			async again(rows, onStart) {
				if (!resumed || !offer) return undefined;
				return await continueCorrections({ ...context, resumed }, wait, offer, rows, onStart);
			},
		};
	},
};
