import { InvalidRow, type LineWriter, lineWriter } from '../../../shared/importFile/delimitedRows';
import type { FileRow } from '../../../shared/importFile/importFiles';
import { RowChecksums } from '../../rows/importRows';
import type { PlannedColumn } from '../mapping/importMapping';
import type { ImportPlan } from '../model';

/** A column by the fields it fills: its name can depend on the order of the fields. */
function fieldsOf({ fields, source }: Pick<PlannedColumn, 'fields' | 'source'>): string {
	const names = fields.map(({ mappingType, field }) => `${mappingType.key}:${field}`);
	return (fields.some(({ field }) => field === source) ? names : [source, ...names]).sort().join();
}

/** The same values are the same rows, whatever separates or quotes them in one file. */
const SPELLING = { columnDelimiter: 'CSV', hasQuotes: true } as const;

/** What an import does with its rows, as checksums: all by which a row, a file or a list is known again. */
export class RowIdentity {
	private readonly checksums = new RowChecksums();
	private readonly columns: Array<{
		field: string;
		index: number;
		file: LineWriter;
		write: LineWriter;
	}>;
	/** Without quotation marks, a file cannot have every value. */
	private readonly isChecked: boolean;
	private readonly fields: string[];
	/** What the import does with every row. */
	readonly mapping: string;

	constructor({ resourceType, mapping, settings }: ImportPlan) {
		const { columns, mappingTypes, fixed } = mapping;
		const values = { ...settings.format, ...SPELLING };
		this.isChecked = !settings.format.hasQuotes;
		this.columns = columns
			.flatMap(({ name, expression, ...column }, index) => {
				// The last column, which the node adds, is different in each run.
				if (expression === undefined) return [];
				const file = lineWriter(settings.format, [name]);
				return { field: fieldsOf(column), index, file, write: lineWriter(values, [name]) };
			})
			.sort((a, b) => (a.field < b.field ? -1 : 1));
		this.fields = this.columns.map(({ field }) => field);
		this.mapping = JSON.stringify([
			resourceType,
			mappingTypes.map(({ name }) => name),
			fixed.map(({ mappingType, field, value }) => `${mappingType.key}:${field}=${value}`).sort(),
			this.fields,
		]);
	}

	/** The values of a row, in the order of the fields; undefined if it cannot be written. */
	textsOf(row: FileRow): string[] | undefined {
		if (row instanceof InvalidRow) return undefined;
		const texts = this.columns.map(({ index, file, write }) => {
			const inFile = this.isChecked ? file([row[index]]) : '';
			return inFile instanceof InvalidRow ? inFile : write([row[index]]);
		});
		return texts.every((text) => typeof text === 'string') ? texts : undefined;
	}

	add(row: FileRow): void {
		this.checksums.addRow(this.fields, this.textsOf(row));
	}

	get count(): number {
		return this.checksums.count;
	}

	/** Rows `first` to before `end`, and what is done with them. */
	of(first: number, end: number): string {
		return this.checksums.of(first, end, this.mapping);
	}
}
