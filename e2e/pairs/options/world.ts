import type { StoryOption } from './storyOption';

/** What the service does with an import. */

export const worldOptions: StoryOption[] = [
	{ name: 'jobDescriptions', where: 'world', choices: ['hidden', 'shown'] },
	{
		name: 'service',
		where: 'world',
		choices: ['well', 'threeResultFiles', 'rowLeftOut', 'failedJob', 'lostStart', 'lostResults'],
		needs: {
			threeResultFiles: { hosting: ['put', 'post'] },
			rowLeftOut: { hosting: ['put', 'post'] },
			failedJob: { hosting: ['put', 'post'] },
			lostStart: { hosting: ['put', 'post'] },
			// Later runs can read them: what they make of them, the tests of these options have.
			lostResults: {
				hosting: ['put', 'post'],
				waitForOutcome: ['memory', 'database'],
				tryFirst: ['off'],
				correctRejected: ['none', 'unused'],
				skipUnchangedBy: [''],
				runKey: ['none'],
				ifImportedBefore: ['say'],
			},
		},
		outcome: (choice, { run, files }) => {
			if (run.name !== 'import' || run.isDry) return;
			const [first = []] = files;
			const [row] = first;
			// A job of which no row could be imported has no results.
			const hasResults = !/No row/.test(row?.reason?.source ?? '');
			if (choice === 'rowLeftOut' && row && hasResults) {
				row.status = 'missing';
				row.reason = /./;
			}
			if (choice === 'failedJob')
				for (const each of first)
					Object.assign(each, { status: 'failed', reason: /restarted/, recordId: undefined });
			if (choice === 'lostStart')
				for (const each of first)
					Object.assign(each, { status: 'notSent', reason: /./, recordId: undefined });
			if (choice === 'lostResults')
				for (const each of files.flat())
					Object.assign(each, { status: 'unknown', reason: /./, recordId: undefined });
		},
	},
];
