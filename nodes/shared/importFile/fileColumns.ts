/** A name as it looks: names that look alike are equal, e.g. `\uFEFFNativeId` and `NativeId`. */
export function visibleName(name: string): string {
	return name
		.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
		.replace(/\s+/g, ' ')
		.trim();
}

const LONGEST_SHOWN_HEADER = 60;

/** A header as messages quote it. */
export function shownHeader(header: string): string {
	const name = visibleName(header.slice(0, 2 * LONGEST_SHOWN_HEADER));
	if (name === '') return '(column without a header)';
	return name.length > LONGEST_SHOWN_HEADER ? `${name.slice(0, LONGEST_SHOWN_HEADER)}…` : name;
}

/** Number of characters that are compared: longer questions are not headers. */
export const LONGEST_HEADER = 500;

/** Ignores case, blanks, punctuation, accents and invisible characters. */
export function simplifyName(name: string): string {
	return name
		.slice(0, LONGEST_HEADER)
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');
}

/** The name equal to the wanted one, or else one that looks like it. */
export function findName(names: readonly string[], wanted: string): string | undefined {
	if (names.includes(wanted)) return wanted;
	const looks = visibleName(wanted);
	return names.find((name) => visibleName(name) === looks);
}

/** Letters A to Z and digits, the names the service accepts (service.md 2.2); may be empty. */
export function columnName(text: string): string {
	return text.normalize('NFD').replace(/[^A-Za-z0-9]/g, '');
}

/** The bases, numbered where their keys repeat; a text that is its own base keeps it. */
function uniqueNames(
	texts: readonly string[],
	bases: readonly string[],
	keyOf: (name: string) => string,
	numbered: (base: string, number: number) => string,
): string[] {
	const owners = new Map<string, number>();
	for (const [index, base] of bases.entries()) {
		const key = keyOf(base);
		if (base === texts[index] && !owners.has(key)) owners.set(key, index);
	}
	// Setting this property changes what the object is.
	const taken = new Set(['__proto__']);
	// A file can have thousands of columns of one name: do not count from the beginning for each.
	const numbers = new Map<string, number>();
	return bases.map((base, index) => {
		const isTaken = (key: string): boolean =>
			taken.has(key) || (owners.get(key) ?? index) !== index;
		let name = base;
		let number = numbers.get(keyOf(base)) ?? 1;
		while (isTaken(keyOf(name))) name = numbered(base, ++number);
		numbers.set(keyOf(base), number);
		taken.add(keyOf(name));
		return name;
	});
}

/** Column names for properties of any spelling: alphanumeric, and unique in any casing. */
export function columnNames(texts: readonly string[]): string[] {
	const bases = texts.map((text, index) => columnName(text) || `Column${index + 1}`);
	const keyOf = (name: string): string => name.toLowerCase();
	return uniqueNames(texts, bases, keyOf, (base, number) => `${base}${number}`);
}

/** Names that can be the properties of one object: a repeated one gets a number, e.g. `Phone (2)`. */
export function distinctNames(names: readonly string[]): string[] {
	const keyOf = (name: string): string => name;
	return uniqueNames(names, names, keyOf, (base, number) => `${base} (${number})`);
}
