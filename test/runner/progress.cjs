/** Says at once what jest says when a file has ended: that the tests run, and which of them fail. */
module.exports = class Progress {
	/** @param {import('@jest/reporters').AggregatedResult} results */
	onRunStart({ numTotalTestSuites: files }) {
		process.stderr.write(`Running ${files} ${files === 1 ? 'file' : 'files'} of tests …\n`);
	}

	/**
	 * @param {import('@jest/reporters').Test} file
	 * @param {import('@jest/reporters').TestCaseResult} test
	 */
	onTestCaseResult({ path, context }, { status, fullName }) {
		if (status !== 'failed') return;
		process.stderr.write(`FAILED ${path.slice(context.config.rootDir.length + 1)}: ${fullName}\n`);
	}
};
