/** The service accepts names in any casing: service.md 3.3. */
export function sameName(a: string, b: string): boolean {
	return a.toLowerCase() === b.toLowerCase();
}

export function comparableName(name: string): string {
	return name.toLowerCase().replace(/[\s\p{Default_Ignorable_Code_Point}]+/gu, '');
}

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

/** Longer texts are not names, and comparing them would block n8n for seconds. */
const LONGEST_NAME = 100;

/** Only one row of the comparison is in use at a time. */
const edits = new Uint16Array(LONGEST_NAME + 1);

/** The number of single-character edits between two texts, or `limit` if it is not below that. */
function distance(a: string, b: string, limit: number): number {
	if (Math.abs(a.length - b.length) >= limit) return limit;
	for (let j = 0; j <= b.length; j++) edits[j] = j;
	for (let i = 1; i <= a.length; i++) {
		const character = a.charCodeAt(i - 1);
		let diagonal = i - 1;
		let left = i;
		let fewest = i;
		edits[0] = i;
		for (let j = 1; j <= b.length; j++) {
			const above = edits[j] ?? 0;
			const replaced = character === b.charCodeAt(j - 1) ? diagonal : diagonal + 1;
			// Not Math.min: a list may take millions of rounds.
			left = left < above ? left + 1 : above + 1;
			if (replaced < left) left = replaced;
			if (left < fewest) fewest = left;
			edits[j] = left;
			diagonal = above;
		}
		if (fewest >= limit) return limit;
	}
	return edits[b.length] ?? limit;
}

const compared = (name: string): string => name.slice(0, LONGEST_NAME).toLowerCase();

/** The names most like a name, nearest first. Names are added one by one: a list may be long. */
export class NearestNames {
	private readonly nearest: Array<{ name: string; far: number }> = [];
	private readonly wanted: string;

	/** @param limit number of edits from which a name is not like the wanted one */
	constructor(
		wanted: string,
		private readonly count: number,
		private readonly limit = Number.POSITIVE_INFINITY,
	) {
		this.wanted = compared(wanted);
	}

	add(name: string): void {
		const limit = Math.min(this.limit, this.nearest[this.count - 1]?.far ?? this.limit);
		const far = distance(this.wanted, compared(name), limit);
		if (far >= limit) return;
		const position = this.nearest.findIndex((other) => other.far > far);
		this.nearest.splice(position === -1 ? this.nearest.length : position, 0, { name, far });
		this.nearest.length = Math.min(this.nearest.length, this.count);
	}

	get names(): string[] {
		return this.nearest.map(({ name }) => name);
	}
}

export function nearestName(name: string, known: readonly string[]): string | undefined {
	if (name.length > LONGEST_NAME) return undefined;
	// At most half of a short name may change: otherwise any name of two letters would match another.
	const most = Math.min(Math.max(2, Math.floor(name.length / 3)), Math.floor(name.length / 2));
	const nearest = new NearestNames(name, 1, most + 1);
	for (const each of known) if (each.length <= LONGEST_NAME) nearest.add(each);
	return nearest.names[0];
}

/** ` Did you mean "…"?`, or empty if no known name is close. */
export function suggestion(name: string, known: readonly string[]): string {
	const nearest = nearestName(name, known);
	return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}
