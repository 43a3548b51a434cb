import { seededRandom } from '../../bench/pace/virtualTime';

/** What a seed decides: the same seed decides the same. */
export class Chance {
	private readonly random: () => number;

	constructor(seed: number) {
		this.random = seededRandom(seed);
		// The first numbers of neighboring seeds are alike.
		for (let skipped = 0; skipped < 3; skipped++) this.random();
	}

	/** A whole number from 0 to one less than the given one. */
	below(count: number): number {
		return Math.floor(this.random() * count);
	}

	isTrue(probability: number): boolean {
		return this.random() < probability;
	}

	pick<T>(values: readonly T[]): T {
		const value = values[this.below(values.length)];
		if (value === undefined) throw new Error('There is nothing to choose from.');
		return value;
	}

	shuffle<T>(values: readonly T[]): T[] {
		const left = [...values];
		return values.flatMap(() => left.splice(this.below(left.length), 1));
	}
}
