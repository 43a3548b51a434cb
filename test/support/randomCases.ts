import { configureGlobal } from 'fast-check';

/**
 * Tests with random cases run a quarter of them, the same ones each time, so that a change is judged by what
 * it changes. With a seed (`npm test -- --thorough` chooses and prints one, `--seed <n>` repeats it) they run
 * all of them.
 */
const chosen = process.env.TEST_SEED;

export const seed = Number(chosen ?? 1);

/** How many of these cases run. */
export const repetitions = (all: number): number =>
	chosen === undefined ? Math.ceil(all / 4) : all;

configureGlobal({ seed, numRuns: repetitions(100) });
