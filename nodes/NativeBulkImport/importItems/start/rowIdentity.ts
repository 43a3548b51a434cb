import { cellWriter, type CellWriter, InvalidRow } from '../../../shared/importFile/delimitedRows';
import type { FileRow, Slice } from '../../../shared/importFile/importFiles';
import { RowChecksums } from '../../rows/importRows';
import type { PlannedColumn } from '../mapping/importMapping';
import type { ImportPlan } from '../model';

/** A column by the fields it fills: its name can depend on the order of the fields. */
function fieldsOf({ fields, source }: Pick<PlannedColumn, 'fields' | 'source'>): string {
	const names = fields.map(({ mappingType, field }) => `${mappingType.key}:${field}`);
	return (fields.some(({ field }) => field === source) ? names : [source, ...names]).sort().join();
}

/** What an import does with its rows, as checksums: all by which a row, a file or a list is known again. */
export class RowIdentity {
	private readonly checksums = new RowChecksums();
	private readonly columns: Array<{ field: string; name: string; index: number }>;
	private readonly write: CellWriter;
	private readonly fields: string[];
	/** Texts of the row that is being added. */
	private readonly texts: string[] = [];
	/** What the import does with every row. */
	readonly mapping: string;

	constructor({ resourceType, mapping, settings }: ImportPlan) {
		const { columns, mappingTypes, fixed } = mapping;
		this.write = cellWriter(settings.format);
		this.columns = columns
			// The last column, which the node adds, is different in each run.
			.flatMap(({ name, expression, ...column }, index) =>
				expression === undefined ? [] : [{ field: fieldsOf(column), name, index }],
			)
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
		const texts: string[] = [];
		for (const { name, index } of this.columns) {
			const text = this.write(row[index], name);
			if (text instanceof InvalidRow) return undefined;
			texts.push(text);
		}
		return texts;
	}

	add(row: FileRow): void {
		this.checksums.addRow(this.fields, this.textsOf(row));
	}

	/** The same for a row with the cells that its file has; undefined if it is in none. */
	addCells(cells: readonly string[] | undefined): void {
		const { columns, texts } = this;
		// Entries of the list would be objects for each cell.
		for (let place = 0; cells && place < columns.length; place++)
			texts[place] = cells[columns[place]?.index ?? 0] ?? '';
		this.checksums.addRow(this.fields, cells && texts);
	}

	/** Of one row, by position: what is done with it; 0 if it is in no file. */
	at(row: number): number {
		return this.checksums.at(row);
	}

	get count(): number {
		return this.checksums.count;
	}

	/** Rows `first` to before `end`, and what is done with them. */
	async of(first: number, end: number, slice: Slice): Promise<string> {
		return await this.checksums.of(first, end, slice, this.mapping);
	}
}
