const { default: TestSequencer } = require('@jest/test-sequencer');

/** Where nothing is known of earlier runs, jest takes the longest file for the slowest. These are slower. */
const SLOWEST = [
	'hostileFiles.size',
	'nightlyImport.size',
	'databaseWait',
	'importDatabaseWait',
	'pairs',
	'nightlyImport',
	'askFirst',
	'takeBack',
	'takeBackImports',
	'serviceErrors',
	'repeatedWait',
	'hostileParameters',
	'sendOnce',
	'conversations',
	'outcomeRows',
	'changedRows',
	'nativeBulkImportTrigger',
	'lives',
	'dirtyLists',
	'pace',
];

/** @param {string} path */
const rank = (path) => SLOWEST.findIndex((name) => path.endsWith(`/${name}.test.ts`));

/** The order of the test files: what takes longest begins first, so that no processor waits for it at the end. */
module.exports = class Sequencer extends TestSequencer {
	/**
	 * @override
	 * @param {Parameters<TestSequencer['sort']>[0]} tests
	 */
	async sort(tests) {
		const usual = await super.sort(tests);
		const slow = usual.filter(({ path }) => rank(path) >= 0);
		slow.sort((one, other) => rank(one.path) - rank(other.path));
		return [...slow, ...usual.filter(({ path }) => rank(path) < 0)];
	}
};
