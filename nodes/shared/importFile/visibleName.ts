/** Byte-order mark, zero-width characters, soft hyphen, text direction marks. */
const INVISIBLE = /[\uFEFF\u200B-\u200F\u2060-\u2064\u202A-\u202E\u2066-\u2069\u00AD\u180E]/g;

/** All kinds of spaces, including those that do not break. */
const SPACES = /[\s\u00A0\u2007\u202F]+/g;

/** A name as it looks: names that look alike are equal, e.g. `\uFEFFNativeId` and `NativeId`. */
export function visibleName(name: string): string {
	return name.replace(INVISIBLE, '').replace(SPACES, ' ').trim();
}

/** The name equal to the wanted one, or else one that looks like it. */
export function findName(names: readonly string[], wanted: string): string | undefined {
	if (names.includes(wanted)) return wanted;
	const looks = visibleName(wanted);
	return names.find((name) => visibleName(name) === looks);
}
