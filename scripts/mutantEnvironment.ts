import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

import ProcessEnvironment from '../test/runner/processEnvironment.cjs';

/** Tests by the path of their file in the repository; null for all of the file. */
export type TestsByFile = Record<string, string[] | null>;

/** In place of an ID: chosen tests without a change. */
export const UNCHANGED = 'unchanged';

const { MUTANT_FOLDER: folder = '', MUTANT: mutant = '' } = process.env;
/** Places that tests reach without a change: `[id, path, name]`, without a name if outside of a test. */
export const reachedFile = (inFolder: string): string => `${inFolder}/reached.txt`;
/** The tests to run with a change, in this order. */
export const chosenFile = (inFolder: string, id: string): string => `${inFolder}/${id}.chosen.json`;
/** The test that was begun last: `[path, name]`. */
export const lastFile = (inFolder: string, id: string): string => `${inFolder}/${id}.last.json`;

/** A test of jest's, or a block of tests. */
interface Named {
	name: string;
	parent?: Named;
}
interface Test extends Named {
	mode?: unknown;
	errors: unknown[];
}

function fullName({ name, parent }: Named): string {
	// The outermost block has no name of its own.
	return parent?.parent ? `${fullName(parent)} ${name}` : name;
}

/** Where jest runs a test file for `npm run mutants`. */
export default class MutantEnvironment extends ProcessEnvironment {
	private readonly path: string;
	private readonly names: Set<string> | undefined;
	private readonly lines: string[] = [];
	private reached = new Set<string>();
	private test = '';

	constructor(config: { globalConfig: { rootDir: string } }, context: { testPath: string }) {
		super(config, context);
		this.path = relative(folder, context.testPath);
		if (mutant !== '') {
			const chosen = JSON.parse(readFileSync(chosenFile(folder, mutant), 'utf8')) as TestsByFile;
			const names = chosen[this.path];
			if (names) this.names = new Set(names);
		}
		this.begin('');
		const reachMutant = (id: string): boolean => {
			if (mutant !== '') return id === mutant;
			if (!this.reached.has(id)) this.lines.push(JSON.stringify([id, this.path, this.test]));
			this.reached.add(id);
			return false;
		};
		Object.assign(globalThis, { reachMutant });
	}

	private begin(test: string): void {
		this.test = test;
		this.reached = new Set();
		if (mutant !== '')
			writeFileSync(lastFile(folder, mutant), JSON.stringify([this.path, this.test]));
	}

	override handleTestEvent({ name, test }: { name: string; test?: Test }): void {
		super.handleTestEvent({ name, test });
		if (name === 'test_start' && test) {
			if (this.names?.has(fullName(test)) === false) test.mode = 'skip';
			else this.begin(fullName(test));
		}
		if (name !== 'test_done') return;
		// The first failure decides.
		if (![UNCHANGED, ''].includes(mutant) && test && test.errors.length > 0) process.exit(1);
		if (mutant === '') this.begin('');
	}

	override async teardown(): Promise<void> {
		if (this.lines.length > 0) appendFileSync(reachedFile(folder), `${this.lines.join('\n')}\n`);
		await super.teardown();
	}
}
