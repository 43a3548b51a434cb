import { columnTexts } from './columnValues';
import { coreName } from './headerSynonyms';
import { simplifyName } from './simplifyName';

/** The first values of a column. */
export type ValuesOf = (header: string) => readonly unknown[];

const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** A column: the spellings of one header, and what it holds. */
export interface Column {
	/** Simplified. */
	name: string;
	/** What it asks for, without the question around it. */
	core: string;
	headers: string[];
	/** Whether a row has several of the headers, so that they are no spellings of one. */
	isSeveral: boolean;
	texts: string[];
	/** Whether its values are known, and there are none. */
	isEmpty: boolean;
	/** The share of its values that are not blank; 1 if they are not known. */
	filled: number;
}

const newColumn = (name: string, header: string): Column => ({
	name,
	core: coreName(header),
	headers: [],
	isSeveral: false,
	texts: [],
	isEmpty: false,
	filled: 1,
});

/** Whether a row has both of two columns, blank or not. */
const areInOneRow = (values: readonly unknown[], others: readonly unknown[]): boolean =>
	values.some((value, row) => value !== undefined && others[row] !== undefined);

/** The columns of a table. */
export function columnsOf(headers: readonly string[], valuesOf?: ValuesOf): Column[] {
	const columns = new Map<string, Column>();
	for (const header of headers) {
		const name = simplifyName(header);
		if (name === '') continue;
		const column = columns.get(name) ?? newColumn(name, header);
		if (valuesOf) {
			const values = valuesOf(header);
			column.isSeveral ||= column.headers.some((other) => areInOneRow(valuesOf(other), values));
			column.texts.push(...columnTexts(values));
			column.isEmpty = column.texts.length === 0;
			column.filled = values.filter((value) => !isBlank(value)).length / Math.max(1, values.length);
		}
		column.headers.push(header);
		columns.set(name, column);
	}
	return [...columns.values()];
}
