const { ModuleMocker } = require('jest-mock');

/** jest adds a warning to it for each file. */
const { exit } = process;

/** Where jest runs a test file: among the globals of its process. */
module.exports = class ProcessEnvironment {
	global = globalThis;
	moduleMocker = new ModuleMocker(globalThis);
	variables = { ...process.env };
	// jest asks for both kinds.
	fakeTimers = null;
	fakeTimersModern = null;

	async setup() {}

	/**
	 * jest takes the time after the last test of a file. A test that moved the clock must not move that.
	 * @param {{ name: string }} event
	 */
	handleTestEvent({ name }) {
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
