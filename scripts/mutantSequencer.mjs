import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const { MUTANT_FOLDER: folder = '', MUTANT: mutant } = process.env;

/** Runs test files for `npm run mutants` in the order in which they were chosen. */
export default class MutantSequencer {
	/** @param {Array<{ path: string }>} tests */
	sort(tests) {
		const chosen = Object.keys(JSON.parse(readFileSync(`${folder}/${mutant}.chosen.json`, 'utf8')));
		/** @param {{ path: string }} test */
		const place = ({ path }) => chosen.indexOf(relative(folder, path));
		return tests.sort((one, other) => place(one) - place(other));
	}

	/** jest would note how long each file took. */
	cacheResults() {}
}
