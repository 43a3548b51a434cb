import { DateColumn, type DateOrder } from '../../../shared/importFile/dateColumn';
import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import { counted } from '../../../shared/service/counted';
import type { Problem } from '../../../shared/service/invalidInput';
import { plainProperty } from '../../rows/columnExpressions';
import { type ImportRows, visitRows } from '../../rows/importRows';
import { dateKind, type PlannedColumn, screenName } from './importMapping';
import { shownNames } from './shownNames';

/** `Date of birth (dd/mm/yyyy)`. */
const HEADER_ORDERS: ReadonlyArray<readonly [DateOrder, RegExp]> = [
	['day', /\bdd?[/.-]mm?[/.-]/i],
	['month', /\bmm?[/.-]dd?[/.-]/i],
];

function newColumn({ fields, expression = '', hasDateFormat }: PlannedColumn) {
	const kinds = fields.map(({ field, described }) => dateKind(field, described?.description ?? ''));
	const kind = kinds.find((each) => each !== undefined);
	// The date order that the user chose wins over what the column shows.
	if (kind === undefined || hasDateFormat === true) return undefined;
	const header = plainProperty(expression) ?? '';
	const order = HEADER_ORDERS.find(([, pattern]) => pattern.test(header))?.[0];
	return new DateColumn(kind === 'birth', order);
}

/** Reads the dates of all rows once, before any value is judged: a date alone does not say what it means. */
export async function readDateColumns(
	rows: ImportRows,
	columns: readonly PlannedColumn[],
): Promise<PlannedColumn[]> {
	const dated = columns.flatMap((column) => {
		const dates = newColumn(column);
		return dates ? [{ column, dates }] : [];
	});
	if (dated.length === 0) return [...columns];
	const read = dated.map(({ column: { name, expression } }) => ({ name, expression }));
	await visitRows(rows.read(read), (row, position) => {
		if (row instanceof InvalidRow) return;
		for (const [index, { dates }] of dated.entries()) dates.add(row[index], position + 1);
	});
	return columns.map((column) => {
		const dates = dated.find((each) => each.column === column)?.dates;
		return dates ? { ...column, dates } : column;
	});
}

/** What is to be checked: columns in which no date tells the order of day and month. */
export function unclearDates(columns: readonly PlannedColumn[]): string[] {
	return columns.flatMap(({ dates, label }) => {
		const example = dates?.unclear;
		if (example === undefined) return [];
		const none = `Check the dates of ${label}: none shows whether the day or the month comes first, e.g. "${example}".`;
		return example.includes('.')
			? `${none} The service may not read dates with dots: set Dates in the List to Day First or Month First.`
			: `${none} The service reads the month first; if it is the day, set Dates in the List to Day First.`;
	});
}

/** Why a column of dates would be stored as other days, by what all its values show. */
function problemOf(
	dates: DateColumn,
	{ noun, lineOf }: Pick<ImportRows, 'noun' | 'lineOf'>,
	areRead: boolean,
): string | undefined {
	const { count, example } = dates.seen('day');
	const month = dates.seen('month');
	if (count === 0 || dates.order === 'month') return undefined;
	if (areRead && dates.dottedOrder === 'day') return undefined;
	const placesOf = (order: DateOrder): string => {
		const seen = dates.seen(order);
		const numbers = seen.rows.map((row) => String(lineOf?.(row) ?? row));
		return `${lineOf ? 'line' : noun}${seen.count > 1 ? 's' : ''} ${shownNames(numbers, seen.count)}`;
	};
	const begins = (order: DateOrder): string => {
		const one = dates.seen(order);
		return `${counted(one.count, 'date begins', 'dates begin')} with the ${order}, e.g. "${one.example}" (${placesOf(order)})`;
	};
	if (month.count === 0)
		return `has dates that begin with the day, e.g. "${example}" (${placesOf('day')}). The service may read the month first, so set Dates in the List, e.g. to Day First.`;
	const first = dates.order === 'day' ? 'month' : 'day';
	const others = first === 'day' ? 'month' : 'day';
	return `has dates in two orders: ${begins(first)}, but ${begins(others)}. No setting of Dates in the List reads both. Correct the dates in one order in the list.`;
}

/**
 * What stops an import as a whole.
 * @param areRead whether dates whose order their column proves are written as the service reads them
 */
export function dateProblems(
	columns: readonly PlannedColumn[],
	source: Pick<ImportRows, 'noun' | 'lineOf'>,
	areRead: boolean,
): Problem[] {
	return columns.flatMap((column) => {
		const text = column.dates && problemOf(column.dates, source, areRead);
		return text === undefined ? [] : [{ field: screenName(column), text }];
	});
}
