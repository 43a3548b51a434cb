import { configureGlobal } from 'fast-check';

/**
 * Property-based tests run the same cases each time, so that a change is judged by what it changes.
 * `PROPERTY_SEED=random npm test` looks for new cases; a number repeats those of a failure.
 */
const chosen = process.env.PROPERTY_SEED;
if (chosen !== 'random') configureGlobal({ seed: Number(chosen ?? 1) });
