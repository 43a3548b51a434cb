import { columnTexts } from './columnValues';
import { simplifyName } from './simplifyName';

/** The first values of a column. */
export type ValuesOf = (header: string) => readonly unknown[];

const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** A column: the spellings of one header, and what it holds. */
export interface Column {
	/** Simplified. */
	name: string;
	headers: string[];
	texts: string[];
	/** Whether its values are known, and there are none. */
	isEmpty: boolean;
	/** The share of its values that are not blank; 1 if they are not known. */
	filled: number;
}

/** The columns of a table. */
export function columnsOf(headers: readonly string[], valuesOf?: ValuesOf): Column[] {
	const columns = new Map<string, Column>();
	for (const header of headers) {
		const name = simplifyName(header);
		if (name === '') continue;
		const column = columns.get(name) ?? { name, headers: [], texts: [], isEmpty: false, filled: 1 };
		column.headers.push(header);
		if (valuesOf) {
			const values = valuesOf(header);
			column.texts.push(...columnTexts(values));
			column.isEmpty = column.texts.length === 0;
			column.filled = values.filter((value) => !isBlank(value)).length / Math.max(1, values.length);
		}
		columns.set(name, column);
	}
	return [...columns.values()];
}
