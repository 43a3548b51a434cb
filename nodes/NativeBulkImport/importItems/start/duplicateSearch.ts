import type { INodeProperties } from 'n8n-workflow';

import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import type { FileRow } from '../../../shared/importFile/importFiles';
import { PersonSearch } from '../../../shared/importFile/samePerson';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { PersonKeys } from '../mapping/personKeys';
import { readWritten, rowName } from '../rows/importRows';
import { DUPLICATE_CHOICES, DuplicateRows } from '../rows/leftOutRows';
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
	/** Empty until all rows are compared. */
	found: DuplicateRows;
	private readonly keys: PersonKeys | undefined;
	private search = new PersonSearch();

	/** Throws InvalidInput if rows are to be left out and cannot be compared. */
	constructor(private readonly plan: ImportPlan) {
		const choice = plan.parameters.in('options').choice('duplicates', DUPLICATE_CHOICES);
		this.found = new DuplicateRows(choice);
		// A person can have several contributions, or activist codes.
		const keys =
			plan.resourceType === 'Contacts'
				? new PersonKeys(plan.mapping, plan.service.vocabulary.personIdColumn)
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
		const { rows, mapping, settings } = this.plan;
		let position = 0;
		// A row that cannot be written must not replace one that can.
		for await (const batch of readWritten(rows, mapping.columns, settings.format))
			for (const row of batch) this.compare(position++, row);
		this.end();
		if (this.found.choice === 'stop' && this.found.count > 0) throw this.stopped(position);
	}

	/** Rows are written from the beginning. */
	restart(): void {
		if (this.isReport) this.search = new PersonSearch();
	}

	/** A row that is sent. */
	add(position: number, row: FileRow): void {
		if (this.isReport) this.compare(position, row);
	}

	/** All rows are written. */
	endReport(): void {
		if (this.isReport) this.end();
	}

	private compare(position: number, row: FileRow): void {
		if (this.keys && !(row instanceof InvalidRow)) this.search.add(position, this.keys.read(row));
	}

	private end(): void {
		const { links, sharing, examples } = this.search;
		this.found = new DuplicateRows(this.found.choice, links, sharing, examples);
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
