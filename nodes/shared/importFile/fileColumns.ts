/** A name as it looks: names that look alike are equal, e.g. `\uFEFFNativeId` and `NativeId`. */
export function visibleName(name: string): string {
	return name
		.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
		.replace(/\s+/g, ' ')
		.trim();
}

/** Characters that are compared: longer questions than this are no headers. */
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

/**
 * A column name the service accepts: letters A to Z and digits only (service.md 2.2). Accents are
 * removed from their letters, other characters are dropped; may be empty.
 */
export function columnName(text: string): string {
	return text.normalize('NFD').replace(/[^A-Za-z0-9]/g, '');
}

/**
 * Column names for properties of any spelling: alphanumeric, and unique in any casing. A property that is
 * such a name keeps it.
 */
export function columnNames(texts: readonly string[]): string[] {
	const owners = new Map<string, number>();
	for (const [index, text] of texts.entries()) {
		const key = text.toLowerCase();
		if (columnName(text) === text && !owners.has(key)) owners.set(key, index);
	}
	const taken = new Set<string>();
	// A file can have thousands of columns of one name: do not count from the beginning for each.
	const numbers = new Map<string, number>();
	return texts.map((text, index) => {
		const base = columnName(text) || `Column${index + 1}`;
		const isTaken = (name: string): boolean =>
			taken.has(name.toLowerCase()) || (owners.get(name.toLowerCase()) ?? index) !== index;
		const key = base.toLowerCase();
		let number = numbers.get(key) ?? 1;
		let name = base;
		while (isTaken(name)) name = `${base}${++number}`;
		numbers.set(key, number);
		taken.add(name.toLowerCase());
		return name;
	});
}

/**
 * Names that can be the properties of one object without losing a value: a repeated one gets a number,
 * e.g. `Phone (2)`.
 */
export function distinctNames(names: readonly string[]): string[] {
	const given = new Set(names);
	// Setting this property changes what the object is.
	const taken = new Set(['__proto__']);
	const counts = new Map<string, number>();
	return names.map((name) => {
		let distinct = name;
		let count = counts.get(name) ?? 1;
		while (taken.has(distinct) || (distinct !== name && given.has(distinct)))
			distinct = `${name} (${++count})`;
		counts.set(name, count);
		taken.add(distinct);
		return distinct;
	});
}
