import { createHash } from 'crypto';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { NodeMemory } from '../../../shared/execution/nodeMemory';
import {
	isDryRun,
	type NodeContext,
	type ServiceContext,
} from '../../../shared/execution/operation';
import { showHint } from '../../../shared/execution/showHint';
import { findName } from '../../../shared/importFile/fileColumns';
import type { FileRow } from '../../../shared/importFile/importFiles';
import { isProcessed } from '../../../shared/importFile/resultFile';
import { counted } from '../../../shared/service/counted';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { suggestion } from '../../../shared/service/nearestName';
import { messageOf } from '../../../shared/service/serviceErrors';
import { requireOutcome } from '../../file/hosting';
import { expressionPath, pathExpression } from '../../rows/columnExpressions';
import { type RowColumn, rowName } from '../../rows/importRows';
import type { ImportFeature, OutcomeView } from '../feature';
import type { FoundRows, ImportPlan, LeftOutRows, RowVisitor } from '../model';
import { RowIdentity } from '../start/rowIdentity';

const LABEL = 'Skip Unchanged Rows By';
const NAME = 'skipUnchangedBy';

/** As it is stored with the started jobs; rows are numbered from 1. */
const storedSchema = z.object({
	unchanged: z.number(),
	/** E.g. `18:Ab3+xyz`: how the row is remembered once it is imported. */
	sent: z.string(),
	comparison: z.string(),
});

/** The rows of a list that are new or changed since they were imported. */
class ChangedRows implements FoundRows {
	readonly leftOut: LeftOutRows;

	/**
	 * @param sent how each row is remembered, by its position from 0; empty if it cannot be written
	 * @param count number of rows that are left out
	 * @param comparison names the comparison in the memory of the node
	 */
	constructor(
		private readonly sent: ReadonlyMap<number, string>,
		readonly count: number,
		readonly comparison: string,
	) {
		this.leftOut = {
			status: 'unchanged',
			count,
			isLeftOut: (position) => !sent.has(position),
			otherRows: `${LABEL} leaves out rows that this job imported. If the outcome of no row under this key is unknown, enter another Run Key to send the others.`,
		};
	}

	reasonAt(position: number): string | undefined {
		return this.leftOut.isLeftOut(position)
			? 'Imported before with the same values and fields; not sent again.'
			: undefined;
	}

	summary(): IDataObject {
		return { unchanged: this.count };
	}

	marksOf(isImported: (position: number) => boolean): string[] {
		return [...this.sent].flatMap(([position, mark]) =>
			mark !== '' && isImported(position) ? mark : [],
		);
	}

	shown(_rowCount: number, sentRows: number): IDataObject {
		return { unchanged: this.count, newOrChanged: sentRows };
	}

	store(): IDataObject {
		const rows = [...this.sent].map(([position, mark]) => `${position + 1}:${mark}`);
		const { count: unchanged, comparison } = this;
		return { changed: { unchanged, sent: rows.join(' '), comparison } };
	}

	static restore(stored: unknown): ChangedRows | undefined {
		const { data } = storedSchema.safeParse(stored);
		if (!data) return undefined;
		const { unchanged, sent, comparison } = data;
		const rows = sent.split(' ').map((entry): [number, string] => {
			const [row = '', mark = ''] = entry.split(':');
			return [Number(row) - 1, mark];
		});
		return new ChangedRows(new Map(rows), unchanged, comparison);
	}
}

const option: INodeProperties = {
	displayName: LABEL,
	name: NAME,
	type: 'string',
	default: '',
	placeholder: 'e.g. Member ID',
	description:
		'Column that names each row, e.g. the ID in the system the list comes from. Only rows that are new or changed since they were imported are sent. Up to 100,000 rows.',
};

/** n8n keeps what it remembers in one row of its database, and stands still while it reads it: docs/performance.md. */
const MOST_ROWS = 100_000;
/** More of them are not counted in a dry run. */
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
		throw reject('is empty. Enter the column that names each row, or remove the option.');
	const properties = await rows.properties();
	if (findName(properties, name) === undefined) {
		const where = rows.noun === 'row' ? 'is not a column of the file' : 'is in no item';
		throw reject(`"${name}" ${where}.${suggestion(name, properties)}`);
	}
	const expression = property === undefined ? pathExpression([name]) : entered;
	const text = rows.unreadable(expression);
	if (text !== undefined) throw reject(text);
	const convert = (value: unknown) => (typeof value === 'object' ? '' : String(value ?? '').trim());
	return { name: LABEL, expression, convert };
}

/** How each row would be remembered: by its key, its values, what is done with them, and where they go. */
class RowMarks implements RowVisitor {
	readonly columns: readonly RowColumn[];
	/** By position; both are blank if the row cannot be written. */
	private readonly keys: string[] = [];
	private readonly marks: string[] = [];
	private rowCount = 0;
	private readonly identity: RowIdentity;
	private readonly common: string;

	constructor(plan: ImportPlan, column: RowColumn) {
		this.columns = [column];
		this.identity = new RowIdentity(plan);
		this.common = JSON.stringify([plan.service.target.identity, this.identity.mapping]);
	}

	visit(row: FileRow, position: number, [key]: readonly unknown[]): void {
		this.rowCount = position + 1;
		if (position >= MOST_ROWS) return;
		const texts = this.identity.textsOf(row);
		const name = texts ? String(key) : '';
		const hash = createHash('sha256').update(this.common);
		this.keys.push(name);
		this.marks.push(
			texts
				? hash
						.update(JSON.stringify([name, ...texts]))
						.digest('base64')
						.slice(0, 16)
				: '',
		);
	}

	end(): void {
		if (this.rowCount > MOST_ROWS)
			throw reject('works for up to 100,000 rows. Split the list over several nodes.');
	}

	/** The marks of the rows to send by their positions. Throws InvalidInput if two rows have one key. */
	sent(
		nameOf: (position: number) => string,
		isLeftOut: (position: number) => boolean,
	): Map<number, string> {
		const positions = new Map<string, number>();
		const sent = new Map<number, string>();
		for (const [position, mark] of this.marks.entries()) {
			if (isLeftOut(position)) continue;
			sent.set(position, mark);
			if (mark === '') continue;
			const key = this.keys[position] ?? '';
			const other = positions.get(key);
			if (key === '' || other !== undefined) {
				const where =
					key === '' ? 'is blank' : `"${key.slice(0, 40)}" is in ${nameOf(other ?? 0)} and`;
				throw reject(
					`${where} in ${nameOf(position)}. Each row needs a value of its own. Nothing was sent.`,
				);
			}
			positions.set(key, position);
		}
		return sent;
	}
}

/**
 * Finds the rows that are new or changed since this node imported them. The others are forgotten, so that a row
 * in doubt is sent again.
 * @param warn is called with what to say of the comparison
 */
async function findChangedRows(
	{ functions, parameters }: ImportPlan,
	marks: ReadonlyMap<number, string>,
	warn: (text: string) => void,
): Promise<ChangedRows> {
	const memory = new NodeMemory(functions, LABEL);
	const allRows = new ChangedRows(marks, 0, '');
	// An export that failed can be empty: the list before stays the last one.
	if (marks.size === 0) return allRows;
	const texts = [...marks.values()].filter((mark) => mark !== '');
	// Without what keepOnly adds to the rows.
	const remembered = (await memory.count()) - 1;
	// A much shorter list is another one, e.g. for a test.
	if (marks.size < remembered / 2)
		warn(
			`The list has ${counted(marks.size, 'row')}, and the one before had about ${remembered}. Rows that it leaves out are sent again when they return.`,
		);
	if (isDryRun({ parameters })) {
		if (remembered <= 0) return allRows;
		const known = await memory.look(texts, MOST_NEW);
		if (known) return withoutKnown(marks, known, '');
		warn(
			`This dry run did not compare the rows: more than ${MOST_NEW.toLocaleString('en-US')} of them are new or changed, or n8n was stopped in a dry run. An import compares them.`,
		);
		return allRows;
	}
	const { known, last } = await memory.keepOnly(texts);
	return withoutKnown(marks, known, last);
}

function withoutKnown(
	marks: ReadonlyMap<number, string>,
	known: ReadonlySet<string>,
	comparison: string,
): ChangedRows {
	const changed = [...marks].filter(([, mark]) => !known.has(mark));
	return new ChangedRows(new Map(changed), marks.size - changed.length, comparison);
}

/**
 * Remembers the rows that were imported. If that fails, they are sent again next time; also if another run
 * has begun since, which may have sent other values for them.
 */
async function rememberRows(
	{ functions }: NodeContext,
	changed: ChangedRows,
	isImported: (position: number) => boolean,
): Promise<void> {
	const marks = changed.marksOf(isImported);
	if (marks.length === 0) return;
	let message =
		'Another run of this node began meanwhile, so the rows that this one imported are sent again next time.';
	try {
		const memory = new NodeMemory(functions, LABEL);
		if (await memory.addToKept(marks, changed.comparison)) return;
	} catch (error) {
		message = `n8n could not remember which rows were imported, so they are sent again next time: ${messageOf(error)}`;
	}
	showHint(functions, message, 'warning');
}

/** Rows not to send again: also contributions of which a part was stored, which would be stored once more. */
function settledRows(
	{ parameters }: ServiceContext,
	outcome: OutcomeView,
): (position: number) => boolean {
	const isOfContributions = parameters.text('resourceType').startsWith('Contribution');
	const isPartlyStored = (position: number): boolean =>
		Object.values(outcome.resultAt(position)?.outcomes ?? {}).some(isProcessed);
	return (position) =>
		outcome.statusAt(position) === 'imported' || (isOfContributions && isPartlyStored(position));
}

export const skipUnchanged: ImportFeature = {
	options: [option],
	setting: {
		label: LABEL,
		of: (parameters) => parameters.unevaluated(`options.${NAME}`) ?? null,
	},
	refusesOtherValues: (parameters) =>
		parameters.unevaluated(`options.${NAME}`) === undefined
			? undefined
			: `${LABEL}, which remembers rows as they were given.`,
	of(context) {
		const end = async (outcome: OutcomeView): Promise<void> => {
			const changed = outcome.started.found.find((found) => found instanceof ChangedRows);
			if (changed) await rememberRows(context, changed, settledRows(context, outcome));
		};
		if (!context.wait || !context.sends) return { end };
		if (!isChosen(context)) return undefined;
		// This node would not learn which rows were imported.
		requireOutcome(context, context.wait.way, LABEL);
		const warnings: string[] = [];
		let marks: RowMarks | undefined;
		return {
			visit: async (plan) => (marks = new RowMarks(plan, await keyColumn(plan))),
			async find(plan, isLeftOut, earlier) {
				const restored = ChangedRows.restore(earlier?.changed);
				// Before its first rows were sent, the rows were compared.
				if (restored) return restored;
				const sent = marks?.sent(rowName(plan.rows), isLeftOut) ?? new Map<number, string>();
				return await findChangedRows(plan, sent, (text) => warnings.push(text));
			},
			sentences: () => warnings,
			end,
		};
	},
	restore: async ({ changed }) => await Promise.resolve(ChangedRows.restore(changed)),
};
