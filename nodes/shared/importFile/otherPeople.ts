import type { Column } from './headerColumns';
import { isFullName, isHalfName, roleOf } from './headerSynonyms';

/** Those who look after the people of a list. */
const HELPERS: ReadonlySet<string> = new Set(['user', 'volunteer']);

/**
 * Columns of somebody beside the person of the row: of the volunteer in a list of voters. If it is not
 * clear who the person is, the columns of both.
 * @param isMeant whether a column could feed a field
 */
export function columnsOfOthers(
	columns: readonly Column[],
	isMeant: (column: Column) => boolean,
): Column[] {
	const owned = columns.map((column) => {
		const [header = ''] = column.headers;
		return { column, header, role: roleOf(header) };
	});
	const rolesOf = (those: typeof owned): string[] => [...new Set(those.map(({ role }) => role))];
	const halves = rolesOf(owned.filter(({ header }) => isHalfName(header)));
	const fulls = rolesOf(owned.filter(({ header }) => isFullName(header)));
	const named = halves.length > 0 ? halves : fulls;
	// "Contact Phone" says how to reach the person, unless the contact is somebody with a name.
	const isSomebody = (role: string): boolean =>
		role !== '' && (role !== 'contact' || halves.includes(role) || fulls.includes(role));
	const others = owned.filter(({ column, role }) => isSomebody(role) && isMeant(column));
	const found = rolesOf(others);
	// "Name" and "Donor Phone" are of one person.
	const isOne = found.length === 1 && (named.length === 0 || !HELPERS.has(found[0] ?? ''));
	if (isOne && named.every((role) => role === '')) return [];
	const person = named.length === 1 ? named[0] : '';
	return others.flatMap(({ column, role }) => (role === person ? [] : column));
}
