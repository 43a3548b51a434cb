import type { StoryOption } from './storyOption';

/** What the service does with an import. */

export const worldOptions: StoryOption[] = [
	{ name: 'jobDescriptions', where: 'world', choices: ['hidden', 'shown'] },
	{
		name: 'service',
		where: 'world',
		choices: ['well', 'threeResultFiles', 'rowLeftOut', 'failedJob', 'lostStart'],
		needs: {
			threeResultFiles: { hosting: ['put', 'post'] },
			rowLeftOut: { hosting: ['put', 'post'] },
			failedJob: { hosting: ['put', 'post'] },
			lostStart: { hosting: ['put', 'post'] },
		},
		outcome: (choice, { run, files: [first = []] }) => {
			if (run.name !== 'import' || run.isDry) return;
			const [row] = first;
			if (choice === 'rowLeftOut' && row && first.some(({ status }) => status === 'imported')) {
				row.status = 'missing';
				row.reason = /./;
			}
			if (choice === 'failedJob')
				for (const each of first)
					Object.assign(each, { status: 'failed', reason: /restarted/, recordId: undefined });
			if (choice === 'lostStart')
				for (const each of first)
					Object.assign(each, { status: 'notSent', reason: /./, recordId: undefined });
		},
	},
];
