import { createHash } from 'crypto';
import type { INodeProperties } from 'n8n-workflow';

import { NodeMemory, NodeState } from '../../../shared/execution/nodeMemory';
import { isDryRun, type NodeContext, type ServiceContext } from '../../../shared/execution/operation';
import { showHint } from '../../../shared/execution/showHint';
import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import { findName, visibleName } from '../../../shared/importFile/fileColumns';
import type { FileRow } from '../../../shared/importFile/importFiles';
import { PersonSearch } from '../../../shared/importFile/samePerson';
import { counted } from '../../../shared/service/counted';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { suggestion } from '../../../shared/service/nearestName';
import { messageOf } from '../../../shared/service/serviceErrors';
import type { WaitWay } from '../../job/jobWait';
import { shownNames } from '../mapping/headerMapping';
import { DUPLICATE_CHOICES, DuplicateRows, PersonKeys } from '../mapping/duplicateRows';
import { isRecordId } from '../mapping/importMapping';
import { expressionPath, pathExpression } from '../../rows/columnExpressions';
import {
	areRejected,
	ChangedRows,
	type ImportRows,
	readWritten,
	type RowColumn,
	rowName,
	visitRows,
} from '../../rows/importRows';
import { requireOutcome } from '../../file/hosting';
import { WrittenRows } from './importIdentity';
import type { ImportPlan } from './importPlan';

const DUPLICATES_LABEL = 'Duplicates in the List';

const duplicatesOption: INodeProperties = {
	displayName: DUPLICATES_LABEL,
	name: 'duplicates',
	type: 'options',
	options: [
		{
			name: 'Keep First',
			value: 'first',
			description: 'Send the first row of each person; the others are not sent',
		},
		{
			name: 'Keep Last',
			value: 'last',
			description: 'Send the last row of each person; the others are not sent',
		},
		{
			name: 'Report',
			value: 'report',
			description: 'Send all rows and say which are the same person as an earlier one',
		},
		{ name: 'Stop', value: 'stop', description: 'Send nothing if two rows are the same person' },
	],
	default: 'report',
	description:
		'What to do with rows of the same person: the same record ID or external ID, or the same name and the same email address, phone number, date of birth or ZIP code. For imports of contacts.',
};

/** Rows a message lists. */
const NAMED_ROWS = 10;

/** Stands for a row that is not sent. */
export const LEFT_OUT = new InvalidRow('Row', 'is left out.');

/** Looks for rows of one person among the rows that can be sent. */
export class DuplicateSearch {
	/** Empty until all rows are compared. */
	found: DuplicateRows;
	private readonly keys: PersonKeys | undefined;
	/** Undefined while rows are not compared: with a choice other than Report, only `readAll` does it. */
	private search: PersonSearch | undefined;

	/** Throws InvalidInput if rows are to be left out and cannot be compared. */
	constructor(private readonly plan: ImportPlan) {
		const choice = plan.parameters.in('options').choice('duplicates', DUPLICATE_CHOICES);
		this.found = new DuplicateRows(choice);
		if (choice === 'report') this.search = new PersonSearch();
		// A person can have several contributions, or activist codes.
		const keys =
			plan.resourceType === 'Contacts'
				? new PersonKeys(plan.mapping, plan.service.vocabulary.personIdColumn)
				: undefined;
		if (keys?.hasAny) this.keys = keys;
		else if (choice !== 'report') {
			const text =
				'needs contacts with a record ID, an email address, a phone number, or a name with a ZIP code or date of birth. Map one of these fields, or choose Report.';
			throw new InvalidInput([{ field: DUPLICATES_LABEL, text }]);
		}
	}

	/**
	 * Compares all rows before one is sent; for a report they are compared while they are written. Throws
	 * InvalidInput if the user wants to stop.
	 */
	async readAll(): Promise<void> {
		if (this.found.choice === 'report') return;
		const { rows, mapping, settings } = this.plan;
		this.search = new PersonSearch();
		// A row that cannot be written must not replace one that can.
		const written = readWritten(rows, mapping.columns, settings.format);
		const rowCount = await visitRows(written, (row, position) => this.add(position, row));
		this.end();
		const { choice, count } = this.found;
		if (choice !== 'stop' || count === 0) return;
		const named = this.found.details(rowCount, rowName(rows), NAMED_ROWS)?.rows ?? [];
		const more = count > named.length ? `, and ${count - named.length} more` : '';
		const text = `is set to Stop, and rows are the same person. ${named.join('; ')}${more}. Nothing was sent. Remove these rows, or choose another setting.`;
		throw new InvalidInput([{ field: DUPLICATES_LABEL, text }]);
	}

	add(position: number, row: FileRow): void {
		if (this.keys && !(row instanceof InvalidRow)) this.search?.add(position, this.keys.read(row));
	}

	/** After the last row. */
	end(): void {
		if (!this.search) return;
		const { links, sharing, examples } = this.search;
		const { choice } = this.found;
		this.found = new DuplicateRows(choice, links, sharing, examples);
		this.search = choice === 'report' ? new PersonSearch() : undefined;
	}
}

const LABEL = 'Skip Unchanged Rows By';
const NAME = 'skipUnchangedBy';

const skipUnchangedOption: INodeProperties = {
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

const COLUMNS_LABEL = 'Stop if Columns Changed';

const columnsChangedOption: INodeProperties = {
	displayName: COLUMNS_LABEL,
	name: 'stopIfColumnsChanged',
	type: 'boolean',
	default: false,
	description:
		'Whether to send nothing if the columns are not those of the last import of this node. n8n remembers them only in executions of the published workflow, not in manual ones.',
};

export const comparisonOptions = [duplicatesOption, skipUnchangedOption, columnsChangedOption];

/** A trigger saves the workflow's static data as it was when the workflow was activated. */
function checkNoPolling(functions: NodeContext['functions']): void {
	const before = functions.getParentNodes(functions.getNode().name, {
		includeNodeParameters: true,
	});
	const trigger = before.find(({ parameters = {} }) => 'pollTimes' in parameters);
	if (!trigger) return;
	const text = `is on, but n8n forgets the columns each time the polling trigger "${trigger.name}" starts this workflow. Nothing was sent. Move this node to a workflow of its own, and call that with Execute Sub-workflow.`;
	throw new InvalidInput([{ field: COLUMNS_LABEL, text }]);
}

/**
 * Compares the columns with those of the last import. Throws InvalidInput if they changed.
 * @returns remembers the columns of this import
 */
export async function checkColumns(
	{ functions, parameters, service: { vocabulary } }: ServiceContext,
	rows: ImportRows,
): Promise<() => void> {
	const memory = new NodeState(functions);
	if (!parameters.in('options').flag('stopIfColumnsChanged')) {
		return () => memory.set('columns', undefined);
	}
	checkNoPolling(functions);
	const given = (await rows.ownProperties()).map(visibleName);
	const last = memory.get('columns');
	const known = Array.isArray(last) ? last.map(String) : given;
	const isRejected = await areRejected(rows);
	// A file of rejected rows has the IDs of records that exist.
	const isAdded = (name: string): boolean =>
		isRejected && !known.includes(name) && isRecordId(name, vocabulary);
	const columns = [...new Set(given)].filter((name) => !isAdded(name)).sort();
	const changes = [
		{ what: 'New', names: columns.filter((column) => !known.includes(column)) },
		{ what: 'Missing', names: known.filter((column) => !columns.includes(column)) },
	].flatMap(({ what, names }) => (names.length > 0 ? `${what}: ${shownNames(names)}.` : []));
	if (changes.length > 0) {
		const text = `is on, and the columns are not those of the last import. ${changes.join(' ')} Nothing was sent. Correct the list. To accept the columns, turn this option off, publish the workflow, and turn it on again after its next import.`;
		throw new InvalidInput([{ field: COLUMNS_LABEL, text }]);
	}
	return () => {
		if (JSON.stringify(last) !== JSON.stringify(columns)) memory.set('columns', columns);
	};
}
