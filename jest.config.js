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

/** @param {string} name */
const project = (name) => ({
	displayName: name,
	testEnvironment: '<rootDir>/test/runner/processEnvironment.cjs',
	runtime: '<rootDir>/test/runner/processRuntime.cjs',
	// Not among the temporary files, where `npm test` looks for what the tests leave behind.
	cacheDirectory: '<rootDir>/node_modules/.cache/jest',
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	transform,
	restoreMocks: true,
	setupFiles: ['<rootDir>/test/propertySeed.ts'],
	// Built copies of the sources carry the same package name.
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/build/'],
});

/** @type {import('jest').Config} */
module.exports = {
	maxWorkers: 2,
	// Ends a test that hangs. How long one takes is no result: machines differ, and other work runs beside.
	testTimeout: 300_000,
	// A busy machine needs longer than the usual half second to end a large process that has nothing left to do.
	workerGracefulExitTimeout: 60_000,
	projects: [project('unit'), project('engine')],
};
