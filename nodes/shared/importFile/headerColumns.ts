import { columnTexts, isBlank, joinTexts } from './columnValues';
import { coreName, isFullName, isHalfName, roleOf } from './headerSynonyms';
import { simplifyName } from './fileColumns';

/** The first values of a column. */
export type ValuesOf = (header: string) => readonly unknown[];

/** A column: the spellings of one header, and what it holds. */
export interface Column {
	/** Simplified. */
	name: string;
	/** What it asks for, without the question around it. */
	core: string;
	headers: string[];
	/** Whether the headers are those of columns that are put together. */
	isJoined?: boolean;
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

/** Columns put together, in this order. */
export function joinedColumn(columns: readonly Column[], valuesOf?: ValuesOf): Column {
	const headers = columns.flatMap((column) => column.headers);
	const [first = [], ...others] = valuesOf ? headers.map(valuesOf) : [];
	const values = first.map((value, row) =>
		joinTexts([value, ...others.map((other) => other[row])]),
	);
	return {
		name: '',
		core: '',
		headers,
		isJoined: true,
		isSeveral: false,
		texts: columnTexts(values),
		isEmpty: columns.every(({ isEmpty }) => isEmpty),
		filled: Math.max(...columns.map(({ filled }) => filled)),
	};
}

/** Those who look after the people of a list. */
const HELPERS: ReadonlySet<string> = new Set(['user', 'volunteer']);

const CONTACT = /^(.+?)(email|emailaddress|phone|phonenumber|cell)$/;
const NAMES = ['firstname', 'lastname', 'name'];

/** What is known of columns, beside their headers. */
interface KnownColumns {
	/** Whether a column could feed a field. */
	isMeant: (column: Column) => boolean;
	/** Whether the user said that a column holds a first or last name of the person of the row. */
	isPersonsName: (column: Column) => boolean;
	/** Whether the user left a column out. */
	isLeftOut: (column: Column) => boolean;
}

/** Whether a column is of somebody with an own name beside the person's: `Partner Email`, `Partner Name`. */
function isOfNamed(
	{ name, core }: Column,
	columns: readonly Column[],
	{ isPersonsName }: KnownColumns,
): boolean {
	const [, owner] = CONTACT.exec(name) ?? [];
	if (owner === undefined || core !== name) return false;
	const isNamed = columns.some((column) => NAMES.some((end) => column.name === owner + end));
	return (
		isNamed &&
		columns.some(
			(column) =>
				(isPersonsName(column) || isHalfName(column.headers[0] ?? '')) &&
				!column.name.startsWith(owner),
		)
	);
}

/**
 * Columns of somebody beside the person of the row: of the volunteer in a list of voters. If it is not
 * clear who the person is, the columns of both.
 */
export function columnsOfOthers(columns: readonly Column[], known: KnownColumns): Column[] {
	const named = columns.filter((column) => isOfNamed(column, columns, known));
	const owned = columns.map((column) => {
		const [header = ''] = column.headers;
		return { column, header, role: roleOf(header) };
	});
	const rolesOf = (those: typeof owned): string[] => [...new Set(those.map(({ role }) => role))];
	const halves = rolesOf(owned.filter(({ header }) => isHalfName(header)));
	const fulls = rolesOf(owned.filter(({ header }) => isFullName(header)));
	const wanted = owned.filter(({ column }) => !known.isLeftOut(column));
	const [people = []] = [
		rolesOf(wanted.filter(({ column }) => known.isPersonsName(column))),
		rolesOf(wanted.filter(({ header }) => isHalfName(header))),
		rolesOf(wanted.filter(({ header }) => isFullName(header))),
	].filter(({ length }) => length > 0);
	// "Contact Phone" says how to reach the person, unless the contact is somebody with a name.
	const isSomebody = (role: string): boolean =>
		role !== '' && (role !== 'contact' || halves.includes(role) || fulls.includes(role));
	const others = owned.filter(({ column, role }) => isSomebody(role) && known.isMeant(column));
	const found = rolesOf(others);
	// "Name" and "Donor Phone" are of one person.
	const isOne = found.length === 1 && (people.length === 0 || !HELPERS.has(found[0] ?? ''));
	if (isOne && people.every((role) => role === '')) return named;
	const person = people.length === 1 ? people[0] : '';
	return [...named, ...others.flatMap(({ column, role }) => (role === person ? [] : column))];
}
