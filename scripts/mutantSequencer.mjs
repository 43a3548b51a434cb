import { readFileSync } from 'node:fs';

const { MUTANT_FOLDER: folder, MUTANT: mutant } = process.env;

/** Runs test files for `npm run mutants` in the order in which they were chosen. */
export default class MutantSequencer {
	/** @param {Array<{ path: string }>} tests */
	sort(tests) {
		const chosen = Object.keys(JSON.parse(readFileSync(`${folder}/${mutant}.chosen.json`, 'utf8')));
		return tests.sort((one, other) => chosen.indexOf(one.path) - chosen.indexOf(other.path));
	}

	/** jest would note how long each file took. */
	cacheResults() {}
}
