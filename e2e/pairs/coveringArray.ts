import { maxBy } from 'lodash';

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

/** The choices of all factors, by numbers: what is asked of two choices is asked a million times. */
class Choices {
	private readonly all: ReadonlyArray<[string, string]>;
	private readonly numbers: ReadonlyMap<Factor, readonly number[]>;
	/** By two numbers; undefined until it is asked. */
	private readonly known: Array<boolean | undefined> = [];

	constructor(
		private readonly factors: readonly Factor[],
		private readonly goTogether: GoTogether,
	) {
		this.all = factors.flatMap(({ name, choices }) =>
			choices.map((choice): [string, string] => [name, choice]),
		);
		let next = 0;
		this.numbers = new Map(factors.map((each) => [each, each.choices.map(() => next++)]));
	}

	numberOf([name, choice]: [string, string]): number {
		return this.all.findIndex((each) => each[0] === name && each[1] === choice);
	}

	/** The same for both orders. */
	pairOf(one: number, other: number): number {
		return Math.min(one, other) * this.all.length + Math.max(one, other);
	}

	areTogether(one: number, other: number): boolean {
		const [first, second] = [this.all[one], this.all[other]];
		return (this.known[this.pairOf(one, other)] ??=
			first !== undefined && second !== undefined && this.goTogether(first, second));
	}

	rowOf(held: readonly number[]): Row {
		return Object.fromEntries(held.flatMap((number) => [this.all[number] ?? []]));
	}

	/** Fills in the rest of a row: of the choices that go with all others, one with the highest score. */
	fill(
		begun: readonly number[],
		score: (held: readonly number[], number: number) => number,
		chance: Chance,
	): number[] | undefined {
		const held = [...begun];
		for (const factor of chance.shuffle(this.factors)) {
			const numbers = this.numbers.get(factor) ?? [];
			if (numbers.some((number) => begun.includes(number))) continue;
			const possible = numbers.filter((number) =>
				held.every((other) => this.areTogether(number, other)),
			);
			if (possible.length === 0) return undefined;
			const scored = chance
				.shuffle(possible)
				.map((number) => ({ number, points: score(held, number) }));
			held.push(scored.reduce((top, each) => (each.points > top.points ? each : top)).number);
		}
		return held;
	}
}

/** One row at random whose choices go together. */
export function randomRow(factors: readonly Factor[], goTogether: GoTogether, chance: Chance): Row {
	const choices = new Choices(factors, goTogether);
	for (;;) {
		const held = choices.fill([], () => 0, chance);
		if (held) return choices.rowOf(held);
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
	const choices = new Choices(factors, goTogether);
	const numbersOf = (ends: ReadonlyArray<[string, string]>): number[] =>
		ends.map((end) => choices.numberOf(end));
	const left = new Map(
		[...allPairs(factors, goTogether)].map(([key, ends]) => {
			const begun = numbersOf(ends);
			return [choices.pairOf(begun[0] ?? 0, begun[1] ?? 0), { key, begun }];
		}),
	);
	const impossible: string[] = [];
	const rows: Row[] = [];
	const score = (held: readonly number[], number: number): number => {
		let points = 0;
		for (const other of held) if (left.has(choices.pairOf(number, other))) points++;
		return points;
	};
	const covered = (held: readonly number[]): number =>
		held.reduce((sum, number, index) => sum + score(held.slice(index + 1), number), 0);
	for (const [pair, { key, begun }] of left) {
		const candidates = Array.from({ length: CANDIDATES }, () =>
			choices.fill(begun, score, chance),
		).filter((held) => held !== undefined);
		const best = maxBy(candidates, covered);
		if (best) rows.push(choices.rowOf(best));
		else impossible.push(key);
		left.delete(pair);
		for (const [index, number] of (best ?? []).entries())
			for (const other of best?.slice(index + 1) ?? []) left.delete(choices.pairOf(number, other));
	}
	return { rows, impossible };
}
