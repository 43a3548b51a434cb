/** Byte-order mark, zero-width characters, soft hyphen, marks of text direction. */
const INVISIBLE = /[\uFEFF\u200B-\u200F\u2060-\u2064\u202A-\u202E\u2066-\u2069\u00AD\u180E]/g;

/** Spaces of all kinds, those that do not break a line included. */
const SPACES = /[\s\u00A0\u2007\u202F]+/g;

/** A name as it looks: two that look alike are the same to the user, e.g. `\uFEFFNativeId` and `NativeId`. */
export function visibleName(name: string): string {
	return name.replace(INVISIBLE, '').replace(SPACES, ' ').trim();
}

/** The name that is the wanted one, or else looks like it. */
export function findName(names: readonly string[], wanted: string): string | undefined {
	if (names.includes(wanted)) return wanted;
	const looks = visibleName(wanted);
	return names.find((name) => visibleName(name) === looks);
}
