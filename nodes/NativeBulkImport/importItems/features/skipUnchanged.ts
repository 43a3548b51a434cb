import { createHash } from 'crypto';
import type { INodeProperties } from 'n8n-workflow';

import { NodeMemory } from '../../../shared/execution/nodeMemory';
import { isDryRun, type NodeContext } from '../../../shared/execution/operation';
import { showHint } from '../../../shared/execution/showHint';
import { findName } from '../../../shared/importFile/fileColumns';
import { counted } from '../../../shared/service/counted';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { suggestion } from '../../../shared/service/nearestName';
import { messageOf } from '../../../shared/service/serviceErrors';
import { requireOutcome } from '../../file/hosting';
import type { WaitWay } from '../../job/jobWait';
import { expressionPath, pathExpression } from '../../rows/columnExpressions';
import { type RowColumn, rowName, visitRows } from '../../rows/importRows';
import { WrittenRows } from '../start/importIdentity';
import type { ImportPlan } from '../start/importPlan';
import { ChangedRows } from './changedRows';

const LABEL = 'Skip Unchanged Rows By';
const NAME = 'skipUnchangedBy';

export const skipUnchangedOption: INodeProperties = {
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

/** Throws InvalidInput if this node would not learn which rows were imported. */
export function checkSkipUnchanged(node: NodeContext, way: WaitWay): void {
	if (isChosen(node)) requireOutcome(node, way, LABEL);
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
async function readMarks(
	plan: ImportPlan,
	isLeftOut: (position: number) => boolean,
	column: RowColumn,
): Promise<Map<number, string>> {
	const { service, rows, mapping } = plan;
	const written = new WrittenRows(plan);
	const nameOf = rowName(rows);
	const positions = new Map<string, number>();
	const marks = new Map<number, string>();
	const common = JSON.stringify([service.target.identity, written.mapping]);
	await visitRows(rows.read([...mapping.columns, column]), (row, position) => {
		if (isLeftOut(position)) return;
		const texts = written.textsOf(row);
		if (!texts || !Array.isArray(row)) {
			marks.set(position, '');
			return;
		}
		const key = String(row.at(-1));
		const other = positions.get(key);
		if (key === '' || other !== undefined) {
			const where =
				key === '' ? 'is blank' : `"${key.slice(0, 40)}" is in ${nameOf(other ?? 0)} and`;
			throw reject(
				`${where} in ${nameOf(position)}. Each row needs a value of its own. Nothing was sent.`,
			);
		}
		positions.set(key, position);
		const hash = createHash('sha256')
			.update(common)
			.update(JSON.stringify([key, ...texts]));
		marks.set(position, hash.digest('base64').slice(0, 16));
	});
	if (marks.size > MOST_ROWS)
		throw reject('works for up to 100,000 rows. Split the list over several nodes.');
	return marks;
}

/**
 * Finds the rows that are new or changed since this node imported them; undefined if all are to be sent.
 * The others are forgotten, so that a row in doubt is sent again. Throws InvalidInput.
 * @param isLeftOut whether a row is not sent for another reason
 */
export async function findChangedRows(
	plan: ImportPlan,
	isLeftOut: (position: number) => boolean,
): Promise<ChangedRows | undefined> {
	if (!isChosen(plan)) return undefined;
	const memory = new NodeMemory(plan.functions, LABEL);
	const marks = await readMarks(plan, isLeftOut, await keyColumn(plan));
	const allRows = new ChangedRows(marks, 0, '');
	// An export that failed can be empty: the list before stays the last one.
	if (marks.size === 0) return allRows;
	const texts = [...marks.values()].filter((mark) => mark !== '');
	// Without what keepOnly adds to the rows.
	const remembered = (await memory.count()) - 1;
	// A much shorter list is another one, e.g. for a test.
	if (marks.size < remembered / 2)
		plan.warnings.push(
			`The list has ${counted(marks.size, 'row')}, and the one before had about ${remembered}. Rows that it leaves out are sent again when they return.`,
		);
	if (isDryRun(plan)) {
		if (remembered <= 0) return allRows;
		const known = await memory.look(texts, MOST_NEW);
		if (known) return withoutKnown(marks, known, '');
		plan.warnings.push(
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
export async function rememberRows(
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
