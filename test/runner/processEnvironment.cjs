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

	async teardown() {
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
