import type { INodeProperties } from 'n8n-workflow';

import { NodeState } from '../../../shared/execution/nodeMemory';
import type { NodeContext, ServiceContext } from '../../../shared/execution/operation';
import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import { visibleName } from '../../../shared/importFile/fileColumns';
import type { FileRow } from '../../../shared/importFile/importFiles';
import { PersonSearch } from '../../../shared/importFile/samePerson';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { shownNames } from '../mapping/headerMapping';
import { DUPLICATE_CHOICES, DuplicateRows, PersonKeys } from '../mapping/duplicateRows';
import { isRecordId } from '../mapping/importMapping';
import {
	areRejected,
	type ImportRows,
	readWritten,
	rowName,
	visitRows,
} from '../../rows/importRows';
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

const COLUMNS_LABEL = 'Stop if Columns Changed';

const columnsChangedOption: INodeProperties = {
	displayName: COLUMNS_LABEL,
	name: 'stopIfColumnsChanged',
	type: 'boolean',
	default: false,
	description:
		'Whether to send nothing if the columns are not those of the last import of this node. n8n remembers them only in executions of the published workflow, not in manual ones.',
};

export const comparisonOptions = [duplicatesOption, columnsChangedOption];

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
