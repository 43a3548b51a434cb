import { createHash } from 'crypto';
import { compact, uniq } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import { takeTurn } from '../../../../shared/execution/nodeMemory';
import { type NodeContext, type ServiceContext } from '../../../../shared/execution/operation';
import { showHint } from '../../../../shared/execution/showHint';
import { findName } from '../../../../shared/importFile/fileColumns';
import type { FileRow } from '../../../../shared/importFile/importFiles';
import { isProcessed } from '../../../../shared/importFile/resultFile';
import { counted } from '../../../../shared/service/counted';
import { InvalidInput } from '../../../../shared/service/invalidInput';
import { suggestion } from '../../../../shared/service/nearestName';
import { messageOf, ServiceError } from '../../../../shared/service/serviceErrors';
import { rethrow } from '../../../../shared/transport/rethrow';
import { requireOutcome } from '../../../file/hosting';
import { expressionPath, pathExpression } from '../../../rows/columnExpressions';
import { type RowColumn, rowName } from '../../../rows/importRows';
import type { ImportFeature, OutcomeView } from '../../feature';
import type { ImportPlan, Part, RowVisitor } from '../../model';
import { RowIdentity } from '../../start/rowIdentity';
import { ChangedRows, type HeldRow, markOf } from './changedRows';
import { type JobsInDoubt, readJobsInDoubt } from './jobsInDoubt';
import { type EarlierImport, type KnownRow, RowMemory, type RowMark } from './rowMemory';
import { isOnlyShown } from '../../whatShouldHappen';

const LABEL = 'Skip Rows Imported Before';
const NAME = 'skipUnchangedBy';

const option: INodeProperties = {
	displayName: LABEL,
	name: NAME,
	type: 'string',
	default: '',
	placeholder: 'e.g. Member ID',
	description:
		'Column that identifies each row, e.g. the ID in the system the list comes from. Only rows that are new or changed since they were imported are sent. Up to 100,000 rows.',
};

/** n8n keeps all of them in one row of its database, and is blocked while it reads that row: docs/performance.md. */
const MOST_ROWS = 100_000;
/** New or changed rows that a dry run counts. */
const MOST_NEW = 5000;

function reject(text: string): InvalidInput {
	return new InvalidInput([{ field: LABEL, text }]);
}

function isChosen({ parameters }: NodeContext): boolean {
	return parameters.unevaluated(`options.${NAME}`) !== undefined;
}

/** The column that names the rows: by its name, or as an expression of the row. */
async function keyColumn({ parameters, rows }: ImportPlan): Promise<RowColumn> {
	const entered = String(parameters.unevaluated(`options.${NAME}`));
	const [property] = expressionPath(entered) ?? [];
	const name = property ?? parameters.in('options').text(NAME);
	if (name === '')
		throw reject('is empty. Enter the column that identifies each row, or remove the option.');
	const properties = await rows.properties();
	if (findName(properties, name) === undefined) {
		const where =
			rows.noun === 'row' ? 'is not a column of the file' : 'is not a column of the items';
		const isComputed = property === undefined && entered.startsWith('=');
		const only = isComputed
			? ' The expression must be a column, e.g. {{ $json.ID }}: a computed value cannot identify the rows. Add a column with that value before this node.'
			: '';
		throw reject(`"${name}" ${where}.${only || suggestion(name, properties)}`);
	}
	const expression = property === undefined ? pathExpression([name]) : entered;
	const text = rows.unreadable(expression);
	if (text !== undefined) throw reject(text);
	const convert = (value: unknown) => (typeof value === 'object' ? '' : String(value ?? '').trim());
	return { name: LABEL, expression, convert };
}

/** How each row is remembered: by its key, its values, what is done with them, and where they go. */
class RowMarks implements RowVisitor {
	readonly columns: readonly RowColumn[];
	/** One entry per position; undefined if the row cannot be written. */
	private readonly rows: Array<(RowMark & { name: string }) | undefined> = [];
	private rowCount = 0;
	private readonly identity: RowIdentity;
	/** Each database has records of its own. */
	private readonly place: string;

	constructor(plan: ImportPlan, column: RowColumn) {
		this.columns = [column];
		this.identity = new RowIdentity(plan);
		this.place = JSON.stringify([plan.service.target.identity, plan.resourceType]);
	}

	visit(row: FileRow, position: number, [key]: readonly unknown[]): void {
		this.rowCount = position + 1;
		if (position >= MOST_ROWS) return;
		const texts = this.identity.textsOf(row);
		this.rows.push(texts && this.markOf(String(key), texts));
	}

	private markOf(name: string, texts: readonly string[]) {
		const keyHash = createHash('sha256').update(this.place).update(JSON.stringify(name));
		const valueHash = createHash('sha256')
			.update(this.place)
			.update(this.identity.mapping)
			.update(JSON.stringify([name, ...texts]));
		const key = keyHash.digest('hex').slice(0, 16);
		return { name, key, value: valueHash.digest('base64').slice(0, 16) };
	}

	end(): void {
		if (this.rowCount > MOST_ROWS)
			throw reject('works for up to 100,000 rows. Split the list over several nodes.');
	}

	/** The marks of the rows to send by their positions. Throws InvalidInput if two rows have one key. */
	sent(
		nameOf: (position: number) => string,
		isLeftOut: (position: number) => boolean,
	): Map<number, RowMark | undefined> {
		const positions = new Map<string, number>();
		const sent = new Map<number, RowMark | undefined>();
		for (const [position, row] of this.rows.entries()) {
			if (isLeftOut(position)) continue;
			sent.set(position, row && { key: row.key, value: row.value });
			if (!row) continue;
			const { name } = row;
			const other = positions.get(name);
			if (name === '' || other !== undefined) {
				const where =
					name === '' ? 'is blank' : `"${name.slice(0, 40)}" is in ${nameOf(other ?? 0)} and`;
				throw reject(`${where} in ${nameOf(position)}. Each row needs a unique value.`);
			}
			positions.set(name, position);
		}
		return sent;
	}
}

const NOT_COMPARED = {
	stopped:
		'cannot compare the rows: n8n was stopped while it compared them, so this node no longer knows which rows were imported. Check in the service which rows it has. Then replace this node with a copy of it, which remembers nothing, and import only the rows that the service does not have.',
	full: 'remembers too many rows, including those that are no longer in the list. Replace this node with a copy of it, which remembers nothing and sends all rows.',
} as const;

const PARTLY =
	'A part of this row was stored by an earlier import, so it is not sent again with the same values. Correct the rest in the service, or change a value of the row to send it again.';

function inDoubtReason(problem: string): string {
	return `This row was sent by an earlier import, and its outcome is unknown: ${problem}. Check in the service whether the row was imported. If not, change one of its mapped values to send it again.`;
}

const NO_OUTCOME = 'its result has no outcome';

/** The import of a row that the service stored last; undefined if it stored none. */
function lastStored(
	{ mentions, problem }: JobsInDoubt,
	{ key }: KnownRow,
	mayBeLast: readonly EarlierImport[],
): EarlierImport | 'unknown' | undefined {
	for (const earlier of mayBeLast) {
		if (earlier.isSettled) return earlier;
		const mention = mentions.get(markOf({ key, attempt: earlier.attempt }));
		if (mention?.status === 'imported') return earlier;
		const isRejected = mention?.status === 'failed' && !mention.isProcessed;
		if (!isRejected && (mention !== undefined || problem !== undefined)) return 'unknown';
	}
	return undefined;
}

/** Waits while another run starts a job: only then does the service's list show which rows were sent. */
async function takeStartTurn({ functions, service }: ImportPlan): Promise<() => void> {
	return await takeTurn(`start of ${functions.getNode().id}`, service.signal);
}

/** Asks the service for the outcome of the rows in doubt, and remembers it. */
async function resolveDoubts(
	plan: ImportPlan,
	memory: RowMemory,
	rows: readonly KnownRow[],
): Promise<(row: KnownRow) => KnownRow | HeldRow> {
	const jobs = await readJobsInDoubt(plan, memory);
	const { mentions, problem } = jobs;
	const resolved = new Map<string, KnownRow | HeldRow>();
	const imported: KnownRow[] = [];
	const again: KnownRow[] = [];
	const stored: KnownRow[] = [];
	const rejected: KnownRow[] = [];
	const resolveOpen = (row: KnownRow, mayBeLast: readonly EarlierImport[]): void => {
		const last = lastStored(jobs, row, mayBeLast);
		if (last === 'unknown')
			resolved.set(row.key, {
				status: 'unknown',
				reason: inDoubtReason(problem ?? NO_OUTCOME),
			});
		else if (last?.hasSameValues) again.push(row);
		else resolved.set(row.key, { ...row, mayBeLast: undefined });
	};
	for (const row of rows) {
		if (row.mayBeLast) {
			resolveOpen(row, row.mayBeLast);
			continue;
		}
		const mention = mentions.get(markOf(row));
		const isPartly = isOfContributions(plan) && mention?.isProcessed === true;
		const isUnmentioned = mention === undefined && problem === undefined;
		if (mention?.status === 'imported') {
			imported.push(row);
			resolved.set(row.key, { ...row, is: 'imported' });
		} else if (mention?.status === 'failed' && isPartly) {
			stored.push(row);
			resolved.set(row.key, { status: 'failed', reason: PARTLY });
		} else if (mention?.status === 'failed' || isUnmentioned) {
			rejected.push(row);
		} else {
			const text = problem ?? NO_OUTCOME;
			resolved.set(row.key, { status: 'unknown', reason: inDoubtReason(text) });
		}
	}
	// The run in doubt may still be waiting. It must not settle the next import, so that gets another number.
	const next = rejected.map(
		(row) => ({ ...row, is: 'open', attempt: row.attempt + 1, afterDoubt: true }) as const,
	);
	const earlier = await memory.earlier(next);
	for (const [index, row] of next.entries()) {
		const isStored = mentions.get(markOf(rejected[index] ?? row))?.isProcessed === true;
		const before = isStored ? [] : (earlier[index] ?? []).slice(1);
		resolveOpen(row, before.some(({ hasSameValues }) => hasSameValues) ? before : []);
	}
	if (imported.length > 0) await memory.settle(imported);
	if (again.length > 0) await memory.settleAgain(again);
	for (const row of again) resolved.set(row.key, { ...row, is: 'imported', mayBeLast: undefined });
	if (stored.length > 0) await memory.settlePartly(stored);
	return (row) => resolved.get(row.key) ?? row;
}

async function resolveInTurn(
	plan: ImportPlan,
	memory: RowMemory,
	rows: readonly KnownRow[],
): ReturnType<typeof resolveDoubts> {
	const end = await takeStartTurn(plan);
	return await resolveDoubts(plan, memory, rows).finally(end);
}

function isOfContributions({ parameters }: ServiceContext): boolean {
	return parameters.text('resourceType').startsWith('Contribution');
}

function isHeld(row: KnownRow | HeldRow): row is HeldRow {
	return 'status' in row;
}

function holdRow(row: KnownRow): KnownRow | HeldRow {
	if (row.is === 'partly') return { status: 'failed', reason: PARTLY };
	if (row.is !== 'inDoubt' && !row.mayBeLast) return row;
	return { status: 'unknown', reason: inDoubtReason('an import asks the service for it') };
}

/**
 * Finds the rows that are new or changed since this node imported them, and changes nothing of what it
 * remembers. Throws InvalidInput.
 * @param warn is called with what to say of the comparison
 */
async function findChangedRows(
	plan: ImportPlan,
	marks: ReadonlyMap<number, RowMark | undefined>,
	warn: (text: string) => void,
): Promise<ChangedRows> {
	const memory = new RowMemory(plan.functions, LABEL);
	const rows = [...marks.values()].filter((mark) => mark !== undefined);
	const isDry = isOnlyShown(plan);
	const read = await memory.read(rows, isDry ? MOST_NEW : undefined);
	if (!Array.isArray(read)) {
		if (!isDry) throw reject(NOT_COMPARED[read === 'full' ? 'full' : 'stopped']);
		warn(
			read === 'tooManyNew'
				? `The rows were not compared: more than ${MOST_NEW.toLocaleString('en-US')} of them are new or changed. An import compares them.`
				: `${LABEL} ${NOT_COMPARED[read]}`,
		);
		return changedRows(
			marks,
			rows.map((row) => ({ ...row, is: 'open', attempt: 0 })),
		);
	}
	const doubts = read.filter(({ is, mayBeLast }) => is === 'inDoubt' || mayBeLast);
	const resolve =
		isDry || doubts.length === 0
			? (row: KnownRow) => row
			: await resolveInTurn(plan, memory, doubts);
	return changedRows(
		marks,
		read.map((row) => {
			const now = resolve(row);
			return isHeld(now) ? now : holdRow(now);
		}),
	);
}

/** @param rows in the order of the marks */
function changedRows(
	marks: ReadonlyMap<number, RowMark | undefined>,
	rows: ReadonlyArray<KnownRow | HeldRow>,
): ChangedRows {
	const sent = new Map<number, KnownRow | undefined>();
	const held = new Map<number, HeldRow>();
	let next = 0;
	for (const [position, mark] of marks) {
		const row = mark && rows[next++];
		if (!row) sent.set(position, undefined);
		else if (isHeld(row)) held.set(position, row);
		else if (row.is === 'open') sent.set(position, row);
	}
	return new ChangedRows(sent, marks.size - sent.size - held.size, held);
}

/** Remembers that the rows of a file are about to be sent. Throws ServiceError if another run sends one of them. */
async function beginRows(
	{ functions, run }: ImportPlan,
	rows: readonly KnownRow[],
	part: Part,
	isContinued: boolean,
): Promise<void> {
	// A job that is continued names the run that started it.
	const hasBegun = await new RowMemory(functions, LABEL).begin(part.run ?? run, rows);
	// The rows of a job that is continued can have begun with it.
	if (hasBegun || isContinued) return;
	throw new ServiceError({
		message: 'Another run of this node has begun to import these rows',
		description: 'Nothing of this file was sent. Import the list again once that run has ended.',
		replayable: true,
	});
}

/** Remembers the outcome of a run's rows. A row without a known outcome stays in doubt. */
async function rememberRows(
	context: ServiceContext,
	changed: ChangedRows,
	outcome: OutcomeView,
): Promise<void> {
	const imported: KnownRow[] = [];
	const stored: KnownRow[] = [];
	const rejected: KnownRow[] = [];
	const runs = uniq(compact([outcome.started.run, ...outcome.allParts.map(({ run }) => run)]));
	let isInDoubt = false;
	for (const [position, row] of changed.sent) {
		if (!row) continue;
		const status = outcome.statusAt(position);
		if (status === 'imported') imported.push(row);
		else if (status === 'failed' && isOfContributions(context) && isPartlyStored(outcome, position))
			stored.push(row);
		else if (status === 'failed') rejected.push(row);
		else if (status === 'unknown' || status === 'missing') isInDoubt = true;
	}
	try {
		const memory = new RowMemory(context.functions, LABEL);
		const passed = imported.length > 0 ? await memory.settle(imported) : 0;
		if (passed > 0)
			showHint(
				context.functions,
				`Meanwhile, another run of this node sent ${counted(passed, 'row')} with other values. The node cannot know which job the service imported last. Check these rows in the service.`,
				'warning',
			);
		if (stored.length > 0) await memory.settlePartly(stored);
		if (rejected.length > 0) await memory.takeBack(rejected);
		if (!isInDoubt) await memory.end(runs);
	} catch (error) {
		const message = `n8n could not remember the outcome of the rows, so the next import asks the service for it: ${messageOf(error)}`;
		showHint(context.functions, message, 'warning');
	}
}

function isPartlyStored(outcome: OutcomeView, position: number): boolean {
	return Object.values(outcome.resultAt(position)?.outcomes ?? {}).some(isProcessed);
}

export const skipUnchanged: ImportFeature = {
	options: { group: 'safety', place: 10, fields: [option] },
	setting: {
		label: LABEL,
		of: (parameters) => parameters.unevaluated(`options.${NAME}`) ?? null,
	},
	refusesOtherValues: (parameters) =>
		parameters.unevaluated(`options.${NAME}`) === undefined
			? undefined
			: `${LABEL}, which remembers rows as they were given.`,
	sendsNoneAgain: (parameters) =>
		parameters.unevaluated(`options.${NAME}`) === undefined
			? undefined
			: `${LABEL} still counts rows that are taken back as imported, so importing the same list does not send them again. To import one again, change one of its mapped values; to import all, use a copy of the node, which remembers nothing.`,
	of(context) {
		const end = async (outcome: OutcomeView): Promise<void> => {
			const ended = outcome.started.found.find((found) => found instanceof ChangedRows);
			if (ended) await rememberRows(context, ended, outcome);
		};
		if (!context.wait || !context.sends) return { end };
		if (!isChosen(context)) return undefined;
		// This node would not learn which rows were imported.
		requireOutcome(context, context.wait.way, LABEL);
		const warnings: string[] = [];
		let marks: RowMarks | undefined;
		let plan: ImportPlan | undefined;
		let changed: ChangedRows | undefined;
		return {
			visit: async (given) => (marks = new RowMarks(given, await keyColumn(given))),
			async find(given, isLeftOut, earlier) {
				plan = given;
				// Before its first rows were sent, the rows were compared.
				changed = ChangedRows.restore(earlier?.changed);
				const sent = marks?.sent(rowName(given.rows), isLeftOut) ?? new Map<number, undefined>();
				changed ??= await findChangedRows(given, sent, (text) => warnings.push(text));
				return changed.found;
			},
			rowMark: (position) => changed?.markAt(position),
			async starting(part, isContinued) {
				if (!plan || !changed) return () => undefined;
				const rows = changed.rowsBetween(part.first, part.end);
				const end = await takeStartTurn(plan);
				try {
					await beginRows(plan, rows, part, isContinued);
					return end;
				} catch (error) {
					end();
					return rethrow(error);
				}
			},
			async refused({ first, end: before }) {
				const rows = changed?.rowsBetween(first, before) ?? [];
				await new RowMemory(context.functions, LABEL).takeBack(rows);
			},
			sentences: () => warnings.map((text) => ({ text })),
			end,
		};
	},
	restore: async ({ changed }) => await Promise.resolve(ChangedRows.restore(changed)?.found),
};
