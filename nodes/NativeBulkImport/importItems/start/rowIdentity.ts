import { cellWriter, type CellWriter, InvalidRow } from '../../../shared/importFile/delimitedRows';
import type { FileRow, Slice } from '../../../shared/importFile/importFiles';
import { plainProperty } from '../../rows/columnExpressions';
import { cellHash, nameHash, RowChecksums } from '../../rows/importRows';
import type { PlannedColumn } from '../mapping/importMapping';
import type { ImportPlan } from '../model';

/** A column by the fields it fills: its name can depend on the order of the fields. */
function fieldsOf({ fields, source }: Pick<PlannedColumn, 'fields' | 'source'>): string {
	const names = fields.map(({ mappingType, field }) => `${mappingType.key}:${field}`);
	return (fields.some(({ field }) => field === source) ? names : [source, ...names]).sort().join();
}

interface IdentityColumn {
	field: string;
	hash: number;
	name: string;
	index: number;
	/** The property of the list that the column has, and where a row has it; -1 if it is not one property. */
	property: string | undefined;
	place: number;
}

/** What an import does with its rows, as checksums: all by which a row, a file or a list is known again. */
export class RowIdentity {
	private readonly checksums = new RowChecksums();
	private readonly columns: IdentityColumn[];
	private readonly write: CellWriter;
	private readonly fields: string[];
	/** What the import does with every row. */
	readonly mapping: string;

	constructor({ resourceType, mapping, settings }: ImportPlan) {
		const { columns, mappingTypes, fixed } = mapping;
		this.write = cellWriter(settings.format);
		this.columns = columns
			// The last column, which the node adds, is different in each run.
			.flatMap(({ name, expression, ...column }, index): IdentityColumn[] => {
				if (expression === undefined) return [];
				const field = fieldsOf(column);
				const property = plainProperty(expression);
				return [{ field, hash: nameHash(field), name, index, property, place: -1 }];
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

	/**
	 * The same for a row with the cells that its file has; undefined if it is in none.
	 * @param given of the values that were read, this row the last: most cells are such values
	 */
	addCells(cells: readonly string[] | undefined, given: RowChecksums): void {
		let hash = 0;
		if (cells)
			for (const column of this.columns) {
				const text = cells[column.index] ?? '';
				if (text === '') continue;
				const { property, place } = column;
				if (property !== undefined && given.nameAt(place) !== property)
					column.place = given.placeOf(property);
				hash = (hash + cellHash(column.hash, given.hashOf(text, column.place))) | 0;
			}
		this.checksums.addHash(hash);
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
