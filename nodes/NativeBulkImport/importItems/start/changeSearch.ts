import { createHash } from 'crypto';
import type { INodeProperties } from 'n8n-workflow';

import { NodeMemory } from '../../../shared/execution/nodeMemory';
import { isDryRun, type NodeContext } from '../../../shared/execution/operation';
import { findName, visibleName } from '../../../shared/importFile/fileColumns';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { suggestion } from '../../../shared/service/nearestName';
import { messageOf } from '../../../shared/service/serviceErrors';
import type { WaitWay } from '../../job/jobWait';
import { shownNames } from '../mapping/headerMapping';
import {
	expressionPath,
	type ImportRows,
	pathExpression,
	type RowColumn,
	rowName,
} from '../rows/importRows';
import { ChangedRows } from '../rows/leftOutRows';
import { importSettings } from './approvedPlan';
import { requireOutcome } from './hosting';
import type { ImportPlan } from './importPlan';
import { WrittenRows } from './runKey';

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

/** Throws InvalidInput for a key that is blank or that another row has. */
function checkKey(key: string, row: string, other: string | undefined): void {
	if (key !== '' && other === undefined) return;
	const where =
		key === '' ? `is blank in ${row}` : `"${key.slice(0, 40)}" is in ${other} and in ${row}`;
	throw reject(`${where}. Each row needs a value of its own. Nothing was sent.`);
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
	let position = -1;
	for await (const batch of rows.read([...mapping.columns, column])) {
		for (const row of batch) {
			position++;
			if (isLeftOut(position)) continue;
			const texts = written.textsOf(row);
			if (!texts || !Array.isArray(row)) {
				marks.set(position, '');
				continue;
			}
			const key = String(row.at(-1));
			const other = positions.get(key);
			checkKey(key, nameOf(position), other === undefined ? undefined : nameOf(other));
			positions.set(key, position);
			const hash = createHash('sha256')
				.update(common)
				.update(JSON.stringify([key, ...texts]));
			marks.set(position, hash.digest('base64').slice(0, 16));
		}
	}
	if (marks.size > MOST_ROWS)
		throw reject('works for up to 100,000 rows. Split the list over several nodes.');
	return marks;
}

/** All but the rows that decides how they are remembered. */
function kindOf(plan: ImportPlan): string {
	const { service, parameters } = plan;
	const settings = importSettings(plan, new WrittenRows(plan));
	return JSON.stringify([
		service.target.identity,
		settings,
		parameters.in('options').text('dateFormat'),
	]);
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
	// An export that failed can be empty: the list before stays the last one.
	if (marks.size === 0) return new ChangedRows(marks, 0, '');
	const kind = kindOf(plan);
	// Without what keepOnly adds to the rows.
	const remembered = (await memory.count()) - 2;
	const isDry = isDryRun(plan);
	// It would forget the rows that the last import has remembered.
	if (isDry && remembered > 0 && !(await memory.has(kind))) {
		plan.warnings.push(
			'The fields, the options or the database are not those of the last import. So a dry run does not compare the rows, and an import would send all whose values are new.',
		);
		return new ChangedRows(marks, 0, '');
	}
	// A much shorter list is another one, e.g. for a test.
	if (marks.size < remembered / 2) {
		plan.warnings.push(
			`The list has ${marks.size} rows, and the one before had about ${remembered}. ${isDry ? 'A dry run does not compare them.' : 'Rows that it leaves out are sent again when they return.'}`,
		);
		if (isDry) return new ChangedRows(marks, 0, '');
	}
	const texts = [...marks.values()].filter((mark) => mark !== '');
	const { known, last } = await memory.keepOnly(texts, kind);
	const changed = [...marks].filter(([, mark]) => !known.has(mark));
	return new ChangedRows(new Map(changed), marks.size - changed.length, last);
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
	functions.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

const COLUMNS_LABEL = 'Stop if Columns Changed';

export const columnsChangedOption: INodeProperties = {
	displayName: COLUMNS_LABEL,
	name: 'stopIfColumnsChanged',
	type: 'boolean',
	default: false,
	description:
		'Whether to send nothing if the columns are not those of the last import of this node. n8n remembers them only in executions of the published workflow, not in manual ones.',
};

/**
 * Compares the columns with those of the last import. Throws InvalidInput if they changed.
 * @returns remembers the columns of this import
 */
export async function checkColumns(
	{ functions, parameters }: NodeContext,
	rows: ImportRows,
): Promise<() => void> {
	const memory = functions.getWorkflowStaticData('node');
	if (!parameters.in('options').flag('stopIfColumnsChanged')) {
		return () => {
			if (memory.columns !== undefined) delete memory.columns;
		};
	}
	const columns = [...new Set((await rows.properties()).map(visibleName))].sort();
	const known = Array.isArray(memory.columns) ? memory.columns.map(String) : columns;
	const changes = [
		{ what: 'New', names: columns.filter((column) => !known.includes(column)) },
		{ what: 'Missing', names: known.filter((column) => !columns.includes(column)) },
	].flatMap(({ what, names }) => (names.length > 0 ? `${what}: ${shownNames(names)}.` : []));
	if (changes.length > 0)
		throw new InvalidInput([
			{
				field: COLUMNS_LABEL,
				text: `is on, and the columns are not those of the last import. ${changes.join(' ')} Nothing was sent. Correct the list, or run the workflow once with this option off.`,
			},
		]);
	return () => {
		if (JSON.stringify(memory.columns) !== JSON.stringify(columns)) memory.columns = columns;
	};
}
