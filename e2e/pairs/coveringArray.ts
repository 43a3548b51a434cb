import type { Chance } from './chance';

/** What can be chosen, by name. */
interface Factor {
	name: string;
	choices: readonly string[];
}

/** A choice for each factor. */
type Row = Record<string, string>;

/** Whether two choices of different factors can go together. */
type GoTogether = (one: [string, string], other: [string, string]) => boolean;

/** Rows tried for each one that is taken; more make fewer rows. */
const CANDIDATES = 30;

const pairKey = (one: string, other: string): string =>
	one < other ? `${one} & ${other}` : `${other} & ${one}`;
const choiceKey = (name: string, choice: string): string => `${name}: ${choice}`;

/** Fills in the rest of a row: of the choices that go with all others, one that covers most of what is left. */
function fill(
	factors: readonly Factor[],
	row: Row,
	score: (row: Row, name: string, choice: string) => number,
	goTogether: GoTogether,
	chance: Chance,
): Row | undefined {
	const filled = { ...row };
	for (const { name, choices } of chance.shuffle(factors)) {
		if (filled[name] !== undefined) continue;
		const possible = choices.filter((choice) =>
			Object.entries(filled).every((held) => goTogether([name, choice], held)),
		);
		if (possible.length === 0) return undefined;
		const scored = chance.shuffle(possible).map((choice) => ({
			choice,
			points: score(filled, name, choice),
		}));
		const best = scored.reduce((top, each) => (each.points > top.points ? each : top));
		filled[name] = best.choice;
	}
	return filled;
}

/** One row at random whose choices go together. */
export function randomRow(factors: readonly Factor[], goTogether: GoTogether, chance: Chance): Row {
	for (;;) {
		const row = fill(factors, {}, () => 0, goTogether, chance);
		if (row) return row;
	}
}

export function pairsOf(row: Row): string[] {
	const keys = Object.entries(row).map(([name, choice]) => choiceKey(name, choice));
	return keys.flatMap((key, index) => keys.slice(index + 1).map((other) => pairKey(key, other)));
}

/** The pairs of choices that go together. */
export function allPairs(
	factors: readonly Factor[],
	goTogether: GoTogether,
): Map<string, [[string, string], [string, string]]> {
	const pairs = new Map<string, [[string, string], [string, string]]>();
	for (const [index, one] of factors.entries())
		for (const other of factors.slice(index + 1))
			for (const choice of one.choices)
				for (const otherChoice of other.choices) {
					const ends: [[string, string], [string, string]] = [
						[one.name, choice],
						[other.name, otherChoice],
					];
					const key = pairKey(choiceKey(...ends[0]), choiceKey(...ends[1]));
					if (goTogether(...ends)) pairs.set(key, ends);
				}
	return pairs;
}

/**
 * Rows that hold each pair of choices at least once, greedily: each row begins with a pair that is left, and
 * takes what covers most of the others.
 *
 * @returns the rows, and the pairs that no row can hold because of a third factor
 */
export function coveringArray(
	factors: readonly Factor[],
	goTogether: GoTogether,
	chance: Chance,
): { rows: Row[]; impossible: string[] } {
	const left = allPairs(factors, goTogether);
	const impossible: string[] = [];
	const rows: Row[] = [];
	const score = (row: Row, name: string, choice: string): number =>
		Object.entries(row).filter(([other, held]) =>
			left.has(pairKey(choiceKey(name, choice), choiceKey(other, held))),
		).length;
	for (;;) {
		const first = [...left].at(0);
		if (!first) return { rows, impossible };
		const [key, [one, other]] = first;
		const begun = { [one[0]]: one[1], [other[0]]: other[1] };
		const candidates = Array.from({ length: CANDIDATES }, () =>
			fill(factors, begun, score, goTogether, chance),
		).filter((row) => row !== undefined);
		const covered = (row: Row): number => pairsOf(row).filter((pair) => left.has(pair)).length;
		const [best] = candidates.sort((row, another) => covered(another) - covered(row));
		if (best) rows.push(best);
		else impossible.push(key);
		for (const pair of best ? pairsOf(best) : [key]) left.delete(pair);
	}
}
