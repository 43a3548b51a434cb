import { dateText } from '../service/dateText';
import { type ColumnDelimiter, DELIMITERS } from '../service/importJobFile';
import { isRounded } from '../service/jsonText';

export interface DelimitedFormat {
	columnDelimiter: ColumnDelimiter;
	hasQuotes: boolean;
	/** Applies to other control characters and lone surrogates too: some readers reject them even when quoted. */
	lineBreaks: 'replace' | 'keep' | 'refuse';
}

/** A row that cannot be written without shifting or losing something. */
export class InvalidRow {
	constructor(
		/** Where in the row, in the user's words, e.g. `Column "Note"`. */
		readonly field: string,
		readonly reason: string,
		/** The value that is wrong, for messages that name several rows. */
		readonly value?: string,
	) {}
}

const LONGEST_COLUMN = 60;

/** A row that is certainly no record, such as a total: what it lacks stops no import. */
export class NoRecord extends InvalidRow {}

/** @param column as the user's list calls it */
export function invalidValue(column: string, reason: string, value?: string): InvalidRow {
	const name = column.length > LONGEST_COLUMN ? `${column.slice(0, LONGEST_COLUMN)}…` : column;
	return new InvalidRow(`Column "${name}"`, reason, value);
}

/** Formats a row as a line with its line end, or says why it cannot. */
type LineWriter = (values: readonly unknown[]) => string | InvalidRow;

const NO_DATE = 'is not a valid date. Check the value that the date is made from.';

/** The text of an item's value in a file, or why it has none. */
export function fileText(value: unknown, column: string): string | InvalidRow {
	switch (typeof value) {
		case 'string':
			// The texts that luxon and JavaScript write for invalid dates.
			return value === 'Invalid DateTime' || value === 'Invalid Date'
				? invalidValue(column, NO_DATE)
				: value;
		case 'number':
			if (isRounded(value))
				return invalidValue(column, 'has more digits than a number can keep. Enter it as text.');
			return Number.isFinite(value)
				? String(value)
				: invalidValue(column, 'is not a number. Check the values that it is calculated from.');
		case 'boolean':
		case 'bigint':
			return String(value);
	}
	if (value === undefined || value === null) return '';
	if (value instanceof InvalidRow) return value;
	const date = dateText(value);
	if (typeof date === 'string') return date || invalidValue(column, NO_DATE);
	return invalidValue(
		column,
		'is a list or an object. A file takes one text or number per column: choose a part of it.',
	);
}

/** Line breaks, control characters except tabs, and lone surrogates, which a cut emoji leaves. */
const STRAY = /[^\P{Cc}\t]|\p{Cs}|[\u2028\u2029]/u;

/** Replaces each run of strays, with the spaces around it, by one space. */
function withoutStrays(text: string): string {
	return text
		.split(STRAY)
		.map((part) => part.trim())
		.filter((part) => part !== '')
		.join(' ');
}

/** A text as a file has it, without quotation marks. */
export function writtenText(text: string, { lineBreaks }: DelimitedFormat): string {
	return lineBreaks === 'replace' && STRAY.test(text) ? withoutStrays(text) : text;
}

/** Why the characters of a text rule it out; undefined if they do not. */
function strayProblem(
	text: string,
	{ lineBreaks, hasQuotes }: DelimitedFormat,
): string | undefined {
	const stray = lineBreaks === 'replace' ? undefined : STRAY.exec(text)?.[0];
	if (stray === undefined) return undefined;
	const isLineBreak = /[\r\n\u2028\u2029]/.test(stray);
	if (lineBreaks === 'refuse') {
		const code = stray.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
		const what = isLineBreak ? 'a line break' : `an invisible character (U+${code})`;
		return `contains ${what}. Remove it, or choose another setting in Line Breaks.`;
	}
	if (text.includes('\0'))
		return 'contains an invisible character (NUL) that cannot be imported. Remove it, or choose another setting in Line Breaks.';
	return hasQuotes || !/[\r\n]/.test(text)
		? undefined
		: 'contains a line break, which needs quotation marks. Turn on quotation marks or choose another setting in Line Breaks.';
}

const BLANK = ' '.charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const LAST_VISIBLE = '~'.charCodeAt(0);

/** Tells whether a text has only visible characters of ASCII, and neither quotation marks nor the delimiter. */
function plainCellTest(delimiter: string): (text: string) => boolean {
	const delimiterCode = delimiter.charCodeAt(0);
	return (text) => {
		const { length } = text;
		for (let index = 0; index < length; index++) {
			const code = text.charCodeAt(index);
			if (code < BLANK || code > LAST_VISIBLE || code === QUOTE || code === delimiterCode)
				return false;
		}
		return text.charCodeAt(0) !== BLANK && text.charCodeAt(length - 1) !== BLANK;
	};
}

/** Writes one value as its cell in a line, or says why it cannot. */
export type CellWriter = (value: unknown, column: string) => string | InvalidRow;

export function cellWriter(format: DelimitedFormat): CellWriter {
	const delimiter = DELIMITERS[format.columnDelimiter];
	const needsQuotes = new RegExp(`["\\r\\n${delimiter}]|^\\s|\\s$`);
	const isSpecial = new RegExp(`\\p{Cc}|${STRAY.source}|${needsQuotes.source}`, 'u');

	const isPlain = plainCellTest(delimiter);

	return (value, column) => {
		const entered = fileText(value, column);
		// Nearly every value is plain; only the others pay for the remaining checks.
		if (entered instanceof InvalidRow || isPlain(entered)) return entered;
		if (!isSpecial.test(entered)) return entered;
		const problem = strayProblem(entered, format);
		if (problem !== undefined) return invalidValue(column, problem);
		const text = writtenText(entered, format);
		if (format.hasQuotes) return needsQuotes.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
		return text.includes(delimiter)
			? invalidValue(
					column,
					'contains the column delimiter. Turn on quotation marks or choose another delimiter.',
				)
			: text;
	};
}

/**
 * @param columns their names, for errors
 * @param onCells gets the cells of each line; the list is that of all lines
 */
export function lineWriter(
	format: DelimitedFormat,
	columns: readonly string[],
	onCells?: (cells: readonly string[]) => void,
): LineWriter {
	const cell = cellWriter(format);
	const delimiter = DELIMITERS[format.columnDelimiter];
	// One list for all rows, and one text per row instead of one per value.
	const cells = columns.map(() => '');
	return (values) => {
		for (let index = 0; index < columns.length; index++) {
			const text = cell(values[index], columns[index] ?? '');
			if (text instanceof InvalidRow) return text;
			cells[index] = text;
		}
		onCells?.(cells);
		return `${cells.join(delimiter)}\r\n`;
	};
}
