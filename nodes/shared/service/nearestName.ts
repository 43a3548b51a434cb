/** The service accepts names in any casing: service.md 3.3. */
export function sameName(a: string, b: string): boolean {
	return a.toLowerCase() === b.toLowerCase();
}

/** A name without case, blanks and the invisible characters of copied text. */
export function comparableName(name: string): string {
	return name.toLowerCase().replace(/[\s\u200b-\u200d\u2060\ufeff]+/gu, '');
}

/** Positions of repeated names, in any casing, and of their first occurrence. */
export function repetitions(
	names: ReadonlyArray<string | undefined>,
): Array<{ index: number; first: number }> {
	const firsts = new Map<string, number>();
	return names.flatMap((name, index) => {
		if (name === undefined) return [];
		const first = firsts.get(name.toLowerCase());
		if (first !== undefined) return [{ index, first }];
		firsts.set(name.toLowerCase(), index);
		return [];
	});
}

/** Longer texts are no names; to compare them would stop n8n for seconds. */
const LONGEST_NAME = 100;

/** The number of single-character edits between the beginnings of two texts, in any casing. */
function distance(one: string, other: string): number {
	const a = one.slice(0, LONGEST_NAME).toLowerCase();
	const b = other.slice(0, LONGEST_NAME).toLowerCase();
	let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const current = [i];
		for (let j = 1; j <= b.length; j++) {
			current.push(
				Math.min(
					(previous[j] ?? 0) + 1,
					(current[j - 1] ?? 0) + 1,
					(previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
				),
			);
		}
		previous = current;
	}
	return previous[b.length] ?? 0;
}

/** The name the user probably meant, in any casing; undefined if none is close. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
	if (name.length > LONGEST_NAME) return undefined;
	const names = known.filter(({ length }) => length <= LONGEST_NAME);
	const [best] = nearestNames(name, names, 1);
	// At most half of a short name may change: otherwise any name of two letters would match another.
	const limit = Math.min(Math.max(2, Math.floor(name.length / 3)), Math.floor(name.length / 2));
	return best !== undefined && distance(name, best) <= limit ? best : undefined;
}

/** The names most like a name, nearest first. */
function nearestNames(name: string, known: readonly string[], count: number): string[] {
	return known
		.map((candidate) => ({ candidate, far: distance(name, candidate) }))
		.sort((a, b) => a.far - b.far)
		.slice(0, count)
		.map(({ candidate }) => candidate);
}

/** `The nearest names are "…", "…".` */
export function nearestNamesText(name: string, known: readonly string[]): string {
	const names = nearestNames(name, known, 3).map((nearest) => `"${nearest}"`);
	return `The nearest names are ${names.join(', ')}.`;
}

/** ` Did you mean "…"?`, or empty if no known name is close. */
export function suggestion(name: string, known: readonly string[]): string {
	const nearest = nearestName(name, known);
	return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}
