const { availableParallelism } = require('node:os');

/** Types are checked by `npm run check`; here they are only stripped. */
const transform = {
	'^.+\\.ts$': [
		'@swc/jest',
		{
			jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
			module: { type: 'commonjs' },
		},
	],
};

/**
 * @param {string} displayName
 * @param {string[]} testMatch
 * @param {string[]} [testPathIgnorePatterns]
 */
const project = (displayName, testMatch, testPathIgnorePatterns = []) => ({
	displayName,
	testEnvironment: '<rootDir>/test/runner/processEnvironment.cjs',
	runtime: '<rootDir>/test/runner/processRuntime.cjs',
	// Not among the temporary files, where `npm test` looks for what the tests leave behind.
	cacheDirectory: '<rootDir>/node_modules/.cache/jest',
	testMatch,
	testPathIgnorePatterns,
	transform,
	restoreMocks: true,
	setupFiles: ['<rootDir>/test/support/randomCases.ts'],
	// Built copies of the sources carry the same package name.
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/build/'],
});

/** Much of something, which takes minutes: `X.size.test.ts`. */
const SIZE = '.size.test.ts';
const apart = [SIZE.replaceAll('.', '\\.')];

/** @type {import('jest').Config} */
module.exports = {
	// More than processors: many tests wait for timers and sockets. Few tests take less time than starting a process.
	maxWorkers: (process.env.CHOSEN_TESTS ? 2 : 3) * availableParallelism(),
	testSequencer: '<rootDir>/test/runner/sequencer.cjs',
	// Ends a test that hangs. How long one takes is no result: machines differ, and other work runs beside.
	testTimeout: 900_000,
	// A busy machine needs longer than the usual half second to end a large process that has nothing left to do.
	workerGracefulExitTimeout: 60_000,
	reporters: ['<rootDir>/test/runner/progress.cjs', 'default'],
	projects: [
		project('unit', ['<rootDir>/test/unit/**/*.test.ts'], apart),
		project('engine', ['<rootDir>/test/engine/**/*.test.ts'], apart),
		project('size', [`<rootDir>/test/**/*${SIZE}`]),
	],
};
