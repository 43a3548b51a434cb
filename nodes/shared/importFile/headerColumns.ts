import { once, uniq } from 'lodash';

import { columnTexts, isBlank, joinTexts } from './columnValues';
import { simplifyName } from './fileColumns';
import { type HeaderName, isFullName, isHalfName, isNameHalf, readHeader } from './headerSynonyms';

export type ValuesOf = (header: string) => readonly unknown[];

/** A column: the spellings of one header, and what it holds. */
export interface Column extends HeaderName {
	headers: string[];
	/** Whether the headers are those of columns that are put together. */
	isJoined?: boolean;
	/** Whether the headers are those of several columns, not spellings of one. */
	isSeveral: boolean;
	readonly texts: string[];
	/** The share of the rows that have a value in any spelling; 0 without a text, 1 if it is not known. */
	readonly filled: number;
}

/** In how many rows the lists have a value, and whether several have one in the same row. */
function countRows(lists: ReadonlyArray<readonly unknown[]>): {
	filled: number;
	isSeveral: boolean;
} {
	let filled = 0;
	let isSeveral = false;
	// Not with methods of lists: a table may have two million values.
	for (let row = 0; row < (lists[0]?.length ?? 0); row++) {
		let given = 0;
		let isFilled = false;
		for (const values of lists) {
			if (values[row] !== undefined) given++;
			isFilled ||= !isBlank(values[row]);
		}
		isSeveral ||= given > 1;
		if (isFilled) filled++;
	}
	return { filled, isSeveral };
}

/** @param lists the values of each header, if they are known; looked at once they are needed */
function newColumn(headers: string[], lists: ReadonlyArray<readonly unknown[]>): Column {
	const [rows] = lists;
	const readTexts = once(() => lists.flatMap((values) => columnTexts(values)));
	const readFilled = once((): number => {
		if (rows === undefined) return 1;
		return readTexts().length === 0 ? 0 : countRows(lists).filled / rows.length;
	});
	return {
		...readHeader(headers[0] ?? ''),
		headers,
		isSeveral: lists.length > 1 && countRows(lists).isSeveral,
		get texts() {
			return readTexts();
		},
		get filled() {
			return readFilled();
		},
	};
}

/** @param isComplete whether every row has all headers */
export function columnsOf(
	headers: readonly string[],
	valuesOf?: ValuesOf,
	isComplete = false,
): Column[] {
	const columns = new Map<string, string[]>();
	for (const header of headers) {
		const name = simplifyName(header);
		const spellings = columns.get(name) ?? [];
		spellings.push(header);
		if (name !== '') columns.set(name, spellings);
	}
	return [...columns.values()].map((spellings) => {
		const column = newColumn(spellings, valuesOf ? uniq(spellings).map(valuesOf) : []);
		column.isSeveral ||= isComplete && spellings.length > 1;
		return column;
	});
}

/** Columns put together, in this order. */
export function joinedColumn(columns: readonly Column[], valuesOf?: ValuesOf): Column {
	const headers = columns.flatMap((column) => column.headers);
	const [first, ...others] = valuesOf ? headers.map(valuesOf) : [];
	const values = first?.map((value, row) =>
		joinTexts([value, ...others.map((other) => other[row])]),
	);
	// The fullest column tells: others, such as a direction, are often blank.
	const filled = Math.max(...columns.map((column) => column.filled));
	return { ...newColumn(headers, values ? [values] : []), isJoined: true, filled };
}

/** Without the codes of what another column writes out: `State Code` beside `State`. */
export function withoutCodes(columns: readonly Column[]): readonly Column[] {
	return columns.filter(({ plain }) => !columns.some((other) => `${other.plain}code` === plain));
}

/** Those who look after the people of a list. */
const HELPERS: ReadonlySet<string> = new Set(['user', 'volunteer', 'owner', 'worker']);

const CONTACT = /^(.+?)(email|emailaddress|phone|phonenumber|cell)$/;
const NAMES = ['firstname', 'lastname', 'name'];

/**
 * Whether a column is of somebody with an own name beside the person's: `Partner Email`, `Partner Name`.
 * @param names the columns that hold names
 */
function isOfNamed(
	{ plain, core }: Column,
	headers: ReadonlySet<string>,
	names: readonly Column[],
): boolean {
	const [, owner] = CONTACT.exec(plain) ?? [];
	if (owner === undefined || core !== plain) return false;
	const isNamed = NAMES.some((end) => headers.has(owner + end));
	return isNamed && names.some((name) => !name.plain.startsWith(owner));
}

/** H and W are husband and wife in a list that also has `W Email`; else they are home and work. */
const OF_COUPLE =
	/^[hw](cell|email|name|firstname|lastname|birthday|dob)$|^(cell|email|name|firstname|lastname|birthday|dob)[hw]$/;
const LETTER_PHONE = /^[hw](phone)?$|^phone[hw]$/;

/** People own property; whose columns have no street looks after the record. */
function isOwnerWithStreet({ role, core }: Column): boolean {
	return role === 'owner' && /^(mailing|home)?(address|street)/.test(core);
}

const rolesOf = (columns: readonly Column[]): string[] => [
	...new Set(columns.map(({ role }) => role)),
];

/**
 * Columns of somebody beside the person of the row, such as the volunteer in a list of voters; of both if it
 * is not clear who the person is.
 * @param given what the user said of columns; no fields leave them out
 */
export function columnsOfOthers(
	columns: readonly Column[],
	given: ReadonlyMap<Column, ReadonlyArray<{ name: string }>>,
	isMeant: (column: Column) => boolean,
): Column[] {
	const isPersonsName = (column: Column): boolean => given.get(column)?.some(isNameHalf) === true;
	const headers = new Set(columns.map(({ plain }) => plain));
	const names = columns.filter((column) => isPersonsName(column) || isHalfName(column));
	const hasCouple = columns.some(({ plain }) => OF_COUPLE.test(plain));
	const ownsNothing = !columns.some(isOwnerWithStreet);
	const named = columns.filter(
		(column) =>
			isOfNamed(column, headers, names) ||
			(hasCouple && LETTER_PHONE.test(column.plain)) ||
			(ownsNothing && column.role === 'owner'),
	);
	const wanted = columns.filter((column) => given.get(column)?.length !== 0);
	const [people = []] = [isPersonsName, isHalfName, isFullName]
		.map((isName) => rolesOf(wanted.filter(isName)))
		.filter(({ length }) => length > 0);
	// "Contact Phone" says how to reach the person, unless the contact is somebody with a name.
	const isContactNamed = columns.some(
		(column) => column.role === 'contact' && (isHalfName(column) || isFullName(column)),
	);
	const others = columns.filter(
		(column) =>
			column.role !== '' && (column.role !== 'contact' || isContactNamed) && isMeant(column),
	);
	const found = rolesOf(others);
	// "Name" and "Donor Phone" are of one person.
	const isOne = found.length === 1 && (people.length === 0 || !HELPERS.has(found[0] ?? ''));
	if (isOne && people.every((role) => role === '')) return named;
	const person = people.length === 1 ? people[0] : '';
	return [...named, ...others.filter(({ role }) => role !== person)];
}
