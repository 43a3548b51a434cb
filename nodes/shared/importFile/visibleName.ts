/** A name as it looks: names that look alike are equal, e.g. `\uFEFFNativeId` and `NativeId`. */
export function visibleName(name: string): string {
	return name
		.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
		.replace(/\s+/g, ' ')
		.trim();
}

/** The name equal to the wanted one, or else one that looks like it. */
export function findName(names: readonly string[], wanted: string): string | undefined {
	if (names.includes(wanted)) return wanted;
	const looks = visibleName(wanted);
	return names.find((name) => visibleName(name) === looks);
}
