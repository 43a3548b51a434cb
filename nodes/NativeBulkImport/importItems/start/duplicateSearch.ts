import type { INodeProperties } from 'n8n-workflow';

import type { NodeContext, ServiceContext } from '../../../shared/execution/operation';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import { InvalidRow, lineWriter } from '../../../shared/importFile/delimitedRows';
import type { FileRow } from '../../../shared/importFile/importFiles';
import { PersonSearch } from '../../../shared/importFile/samePerson';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { fileSettings } from '../../file/fileFields';
import { PersonKeys } from '../mapping/personKeys';
import { DUPLICATE_CHOICES, DuplicateRows, rowName } from '../rows/duplicateRows';
import type { ImportPlan } from './importPlan';

const LABEL = 'Duplicates in the List';

export const duplicatesOption: INodeProperties = {
	displayName: LABEL,
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
		'What to do with rows of the same person: the same record ID, or the same name and the same email address, phone number, date of birth or ZIP code. For imports of contacts.',
};

/** Rows a message lists. */
const NAMED_ROWS = 10;

/** Stands for a row that is not sent. */
export const LEFT_OUT = new InvalidRow('Row', 'is left out.');

/** Looks for rows of one person among the rows that can be sent. */
export class DuplicateSearch {
	readonly found: DuplicateRows;
	private readonly keys: PersonKeys | undefined;
	private search = new PersonSearch();

	/** Throws InvalidInput if rows are to be left out and cannot be compared. */
	constructor(
		private readonly node: NodeContext,
		{ service }: Pick<ServiceContext, 'service'>,
		private readonly plan: ImportPlan,
	) {
		const choice = node.parameters.in('options').choice('duplicates', DUPLICATE_CHOICES);
		this.found = new DuplicateRows(choice);
		// A person can have several contributions, or activist codes.
		const keys =
			plan.resourceType === 'Contacts'
				? new PersonKeys(plan.mapping, service.vocabulary.personIdColumn)
				: undefined;
		if (keys?.hasAny) this.keys = keys;
		else if (choice !== 'report')
			throw new InvalidInput([
				{
					field: LABEL,
					text: 'needs contacts with a record ID, an email address, a phone number, or a name with a ZIP code or date of birth. Map one of these fields, or choose Report.',
				},
			]);
	}

	/** Whether the rows are compared while they are written. */
	private get isReport(): boolean {
		return this.keys !== undefined && this.found.choice === 'report';
	}

	/** Before a row is sent, all must be known. Throws InvalidInput if the user wants to stop. */
	async readAll(): Promise<void> {
		if (!this.keys || this.isReport) return;
		const { rows, mapping } = this.plan;
		const { format } = fileSettings(this.node.parameters);
		const names = mapping.columns.map(({ name }) => name);
		const line = lineWriter(format, names);
		let position = 0;
		for await (const batch of rows.read(mapping.columns)) {
			for (const row of batch) {
				// A row that cannot be written must not replace one that can.
				if (!(row instanceof InvalidRow || line(row) instanceof InvalidRow))
					this.search.add(position, this.keys.read(row));
				position++;
			}
		}
		await this.take(position);
		if (this.found.choice === 'stop' && this.found.count > 0) throw this.stopped(position);
	}

	/** Rows are written from the beginning. */
	restart(): void {
		if (this.isReport) this.search = new PersonSearch();
	}

	/** A row that is sent. */
	add(position: number, row: FileRow): void {
		if (this.keys && this.isReport) this.search.add(position, this.keys.read(row));
	}

	/** All rows are written. */
	async end(rowCount: number): Promise<void> {
		if (this.isReport) await this.take(rowCount);
	}

	private async take(rowCount: number): Promise<void> {
		const slice = new TimeSlice(this.node.functions.getExecutionCancelSignal());
		await this.found.take(this.search, rowCount, slice);
		this.search = new PersonSearch();
	}

	private stopped(rowCount: number): InvalidInput {
		const { found } = this;
		const { rows = [] } = found.details(rowCount, rowName(this.plan.rows), NAMED_ROWS) ?? {};
		const more = found.count > rows.length ? `, and ${found.count - rows.length} more` : '';
		const text = `is set to Stop, and rows are the same person. ${rows.join('; ')}${more}. Nothing was sent. Remove these rows, or choose another setting.`;
		return new InvalidInput([{ field: LABEL, text }]);
	}
}
