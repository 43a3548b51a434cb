import { mapValues } from 'lodash';

import type { JudgedRow } from '../rows';
import type { Expected, StoryOption, StoryRun } from './storyOption';

/** How an import is divided, waited for and continued. */

const hosted = { hosting: ['put', 'post'] };
const waits = { waitForOutcome: ['memory', 'database'] };
const inDatabase = { waitForOutcome: ['database'] };

export const PAGE_SECRET = 'a-secret-of-the-test';

/** A file whose job was started under a key. */
interface StartedFile {
	/** What distinguishes it from other files. */
	mark: string;
	jobId: number;
	statuses: Array<Pick<JudgedRow, 'status' | 'reason' | 'recordId'>>;
}
const textsOf = (rows: readonly JudgedRow[]): string =>
	JSON.stringify(rows.map(({ texts }) => texts));
/** Where a list has lost a row since, its other rows have other numbers, by which results are joined. */
function placedTexts(files: readonly JudgedRow[][], index: number): string {
	const endOf = (rows: readonly JudgedRow[] = []): number => (rows.at(-1)?.position ?? -1) + 1;
	const rows = files[index] ?? [];
	return JSON.stringify([index, endOf(files[index - 1]), endOf(rows), textsOf(rows)]);
}

const startedUnder = (run: StoryRun, name: string | undefined): StartedFile[] =>
	(run.memory.get(`started as ${name}`) as StartedFile[] | undefined) ?? [];
const runKeyOf = (choice: string, run: StoryRun): string =>
	choice === 'ofList' ? `spring ${run.listName}` : `spring ${run.listName} ${run.name}`;

/** What an import continues: by the name under which its files are known, undefined if it does not. */
function continuing(
	nameOf: (choice: string, run: StoryRun) => string | undefined,
	markOf = (files: readonly JudgedRow[][], index: number) => textsOf(files[index] ?? []),
): Pick<StoryOption, 'continueFiles' | 'remember'> {
	return {
		continueFiles: (choice, { run, files, continued }) => {
			for (const started of startedUnder(run, nameOf(choice, run))) {
				const index = files.findIndex((_, at) => markOf(files, at) === started.mark);
				if (index < 0) continue;
				continued.set(index, started.jobId);
				files[index]?.forEach((row, place) => Object.assign(row, started.statuses[place]));
			}
		},
		remember: (choice, { run, files, continued }, seen) => {
			const name = nameOf(choice, run);
			if (name === undefined || run.isDry || run.chosen.hosting === 'none') return;
			const jobs = [...seen.files];
			const known = startedUnder(run, name);
			const started = files.flatMap((rows, index) => {
				if (continued.has(index)) return [];
				if (rows.every(({ status }) => status === 'notSent')) {
					// A start that was lost was asked for.
					if (run.name === 'import' && run.chosen.service === 'lostStart' && index === 0)
						jobs.shift();
					return [];
				}
				const jobId = jobs.shift()?.jobId;
				// A failed job is started again.
				const isFailed = rows.every(
					({ status, recordId }) => status === 'failed' && recordId === undefined,
				);
				if (jobId === undefined || isFailed) return [];
				const statuses = rows.map(({ status, reason, recordId }) => ({ status, reason, recordId }));
				return [{ mark: markOf(files, index), jobId, statuses }];
			});
			run.memory.set(`started as ${name}`, [...known, ...started]);
		},
	};
}

/** Rows of the first file that stop the others, in percent. */
function rejectedShare([first = []]: JudgedRow[][]): number {
	const rejected = first.filter(({ status }) => status !== 'imported');
	return (100 * rejected.length) / first.length;
}

function holdOthers({ files, continued }: Expected): void {
	const later = files.slice(1).flatMap((rows, index) => (continued.has(index + 1) ? [] : rows));
	for (const row of later) {
		row.status = 'notSent';
		row.reason = new RegExp(`after the first ${files[0]?.length} rows were tried`);
		row.recordId = undefined;
	}
}

export const waitingOptions: StoryOption[] = [
	{
		name: 'waitForOutcome',
		where: 'option',
		choices: ['memory', 'database', 'none'],
		needs: { database: hosted, none: hosted },
		value: (choice) => (choice === 'memory' ? undefined : choice),
	},
	{
		name: 'maxWait',
		where: 'option',
		choices: ['', '600'],
		needs: { 600: waits },
		value: (choice) => (choice === '' ? undefined : Number(choice)),
	},
	{
		name: 'pollInterval',
		where: 'option',
		choices: ['15', '5'],
		needs: { 5: waits },
		value: (choice) => (choice === '5' ? 5 : undefined),
	},
	{
		name: 'wakeByService',
		where: 'option',
		choices: ['off', 'on'],
		needs: { on: inDatabase },
		value: (choice) => (choice === 'on' ? true : undefined),
		problemsOf: (choice, _expected, { files }) =>
			files
				.map(({ job }) => JSON.stringify(job.listeners ?? []).includes('import-ended'))
				.filter((isAsked) => isAsked !== (choice === 'on'))
				.map(() => 'a job is wrong about the call when it ends'),
	},
	{
		name: 'progressPage',
		where: 'option',
		choices: ['', 'secret'],
		needs: { secret: inDatabase },
		value: (choice) => (choice === 'secret' ? PAGE_SECRET : undefined),
	},
	{
		name: 'correctRejected',
		where: 'option',
		choices: ['none', 'unused', 'typed'],
		needs: mapValues({ unused: 30, typed: 30 }, () => ({
			...inDatabase,
			progressPage: ['secret'],
			runKey: ['none'],
			skipUnchangedBy: [''],
			controlTotals: ['none'],
		})),
		value: (choice) => (choice === 'none' ? undefined : 30),
	},
	{
		name: 'runKey',
		where: 'option',
		choices: ['none', 'ofRun', 'ofList'],
		needs: {
			ofRun: { jobDescriptions: ['shown'] },
			ofList: { jobDescriptions: ['shown'], skipUnchangedBy: [''] },
		},
		value: (choice, run) => (choice === 'none' ? undefined : runKeyOf(choice, run)),
		...continuing((choice, run) => (choice === 'none' ? undefined : runKeyOf(choice, run))),
	},
	{
		// By the rows alone: a key has them continued, too.
		name: 'ifImportedBefore',
		where: 'option',
		// Stop depends on all files of earlier runs: the tests of the option have it.
		choices: ['say', 'continue'],
		needs: {
			continue: {
				jobDescriptions: ['shown'],
				skipUnchangedBy: [''],
				runKey: ['none'],
				correctRejected: ['none'],
			},
		},
		value: (choice) => (choice === 'say' ? undefined : choice),
		...continuing((choice) => (choice === 'say' ? undefined : 'same rows'), placedTexts),
	},
	{
		name: 'tryFirst',
		where: 'option',
		choices: ['off', '3'],
		needs: { 3: { ...hosted, ...waits } },
		value: (choice) => (choice === '3' ? 3 : undefined),
		divide: (choice, files) => {
			const rows = files.flat();
			return choice === '3' && rows.length > 3 ? [rows.slice(0, 3), rows.slice(3)] : files;
		},
		outcome: (choice, expected) => {
			const { run, files } = expected;
			if (choice !== '3' || files.length < 2) return;
			const stopAbove = Number(run.chosen.stopAbove ?? '10');
			const isFirstFailed = files[0]?.every(({ status }) => status !== 'imported');
			if (isFirstFailed || rejectedShare(files) > stopAbove) holdOthers(expected);
		},
	},
	{
		name: 'stopAbove',
		where: 'option',
		choices: ['10', '50', '0'],
		needs: { 50: { tryFirst: ['3'] }, 0: { tryFirst: ['3'] } },
		value: (choice) => (choice === '10' ? undefined : Number(choice)),
	},
];
