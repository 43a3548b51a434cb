const { relative } = require('node:path');

const { ModuleMocker } = require('jest-mock');

/** jest adds a warning to it for each file. */
const { exit } = process;

/** Patterns of the names of the tests that `npm test` was asked for, by file: see scripts/testArguments.mjs. */
const CHOSEN_TESTS = 'CHOSEN_TESTS';

/** Where jest runs a test file: among the globals of its process. */
module.exports = class ProcessEnvironment {
	global = globalThis;
	moduleMocker = new ModuleMocker(globalThis);
	variables = { ...process.env };
	// jest asks for both kinds.
	fakeTimers = null;
	fakeTimersModern = null;

	/** @type {RegExp[] | undefined} */
	chosen;

	/**
	 * @param {{ globalConfig: { rootDir: string } }} config
	 * @param {{ testPath: string }} context
	 */
	constructor({ globalConfig }, { testPath }) {
		/** @type {Record<string, string[] | null>} */
		const chosen = JSON.parse(process.env[CHOSEN_TESTS] ?? '{}');
		const patterns = chosen[relative(globalConfig.rootDir, testPath)];
		this.chosen = patterns?.map((pattern) => new RegExp(pattern, 's'));
	}

	async setup() {}

	/** @param {{ name: string, test?: { name: string, mode?: unknown } }} event */
	handleTestEvent({ name, test }) {
		if (name === 'test_start' && test && this.chosen?.every((pattern) => !pattern.test(test.name)))
			test.mode = 'skip';
		// jest takes the time after the last test of a file. A test that moved the clock must not move that.
		if (name === 'run_finish') this.moduleMocker.restoreAllMocks();
	}

	async teardown() {
		// jest keeps there what it knows of a file, and would tell all of them of the next one's tests.
		for (const symbol of Object.getOwnPropertySymbols(globalThis))
			if (/^(JEST_STATE_SYMBOL|EVENT_HANDLERS)$/.test(symbol.description ?? ''))
				Reflect.deleteProperty(globalThis, symbol);
		process.exit = exit;
		process.env = this.variables;
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	getVmContext() {
		return null;
	}
};
