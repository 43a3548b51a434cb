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
