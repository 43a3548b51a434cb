import { configureGlobal, nat } from 'fast-check';

/**
 * Tests with random cases run a quarter of them, the same ones each time, so that a change is judged by what
 * it changes. With a seed (`npm test -- --thorough` chooses and prints one, `--seed <n>` repeats it) they run
 * all of them.
 */
const chosen = process.env.TEST_SEED;

/** Whether all cases run. */
export const isThorough = chosen !== undefined;

export const seed = Number(chosen ?? 1);

/** How many of these cases run. @param few where each takes long, how many do without a seed */
export const repetitions = (all: number, few = Math.ceil(all / 4)): number =>
	isThorough ? all : few;

/** Some code is right until a list is longer than the arguments of a call can be, which takes long to show. */
export const MANY_ITEMS = repetitions(150_000, 5000);

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/** Any whole character: as the `unit` of a random text. fast-check's `binary` takes a second to be made. */
export const anyCharacter = nat(0x10ffff - SURROGATES).map((place) =>
	String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES),
);

configureGlobal({ seed, numRuns: repetitions(100) });
