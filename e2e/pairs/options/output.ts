import { parse } from 'csv-parse/sync';

import { readBinary } from '../../../test/engine/support/engine';
import { reportOf } from '../../../test/engine/support/itemImports';
import { claimsOf } from '../claims';
import { REJECTED, type JudgedRow, STATUSES } from '../rows';
import { delimiterOf, isFile } from './list';
import type { Expected, StoryOption } from './storyOption';

/** What a person gets back. */

/** Who presses the button on the page. */
export const RELEASED_BY = 'Kim Example';

const withResults = { waitForOutcome: ['memory', 'database'], hosting: ['put', 'post'] };

/** Rows that were not imported and are given back to be corrected. */
const toCorrect = (judged: readonly JudgedRow[]): JudgedRow[] =>
	judged.filter(({ status }) => REJECTED.has(status) && status !== 'unknown');

const returnsRows = ({ run, refusal }: Expected): boolean => !run.isDry && !refusal;

const REPORT_WORDS: Record<(typeof STATUSES)[number], string> = {
	imported: 'Imported',
	failed: 'Failed',
	missing: 'Without an outcome',
	invalid: 'Invalid, not sent',
	duplicate: 'Duplicate',
	unchanged: 'Unchanged',
	notSent: 'Not sent',
	unknown: 'Unknown',
};

/** What the report counts, by its words. */
function reportProblems(html: string, { judged, run }: Expected): string[] {
	const problems: string[] = [];
	const lead = /<b>([\d,]+)<\/b> of ([\d,]+) rows? imported/.exec(html);
	const count = (status: string) => judged.filter((row) => row.status === status).length;
	const wanted = `${count('imported')} of ${judged.length}`;
	if (`${lead?.[1]} of ${lead?.[2]}` !== wanted)
		problems.push(`the report says ${lead?.[0] ?? 'nothing'}, not ${wanted} imported`);
	const legend = new Map(
		[...html.matchAll(/<\/svg>([^<]+) <b>(\d+)<\/b>/g)].map(([, words = '', number]) => [
			words,
			Number(number),
		]),
	);
	for (const status of STATUSES) {
		const words = REPORT_WORDS[status];
		const shown = [...legend].find(([text]) => text.startsWith(words))?.[1] ?? 0;
		if (shown !== count(status))
			problems.push(`the report counts ${shown} ${status}, not ${count(status)}`);
	}
	const [, table = ''] = html.split('<h2>Rows that were not imported</h2>');
	const numbers = [...table.matchAll(/<td data-label="(?:Item|Line)">(\d+)<\/td>/g)].map(
		([, n]) => n,
	);
	const first = isFile(run.chosen) ? 2 : 1;
	const listed = judged.filter(({ status }) => REJECTED.has(status) || status === 'duplicate');
	const expected = listed.map(({ position }) => String(position + first));
	if (numbers.join() !== expected.join())
		problems.push(`the report lists ${numbers.join()}, not ${expected.join()}`);
	return problems;
}

function rejectedProblems(text: string, { judged, run }: Expected): string[] {
	const delimiter = isFile(run.chosen) ? delimiterOf(run.chosen) : ',';
	const lines: string[][] = parse(text, { bom: true, relaxColumnCount: true, delimiter });
	const [header = [], ...rows] = lines;
	const problems: string[] = [];
	const wanted = toCorrect(judged);
	if (rows.length !== wanted.length)
		return [`the file of rejected rows has ${rows.length} rows, not ${wanted.length}`];
	const reasonAt = header.findIndex((name) => /Import Result/.test(name));
	for (const name of run.columns)
		if (!header.includes(name)) problems.push(`the file of rejected rows lacks the column ${name}`);
	wanted.forEach(({ row, reason, recordId, status }, index) => {
		const cells = rows[index] ?? [];
		if (reason && !reason.test(cells[reasonAt] ?? ''))
			problems.push(`the rejected row ${row.id} has the reason ${cells[reasonAt]}, not ${reason}`);
		if (recordId !== undefined && status === 'failed' && !cells.includes(String(recordId)))
			problems.push(`the rejected row ${row.id} does not name its record ${recordId}`);
		// A row that cannot be read is blank.
		if (row.isTooWide) return;
		for (const name of run.columns) {
			const cell = row.cells[name];
			const given = cell?.given;
			if (cell?.day !== undefined || (typeof given === 'object' && given !== null)) continue;
			if ((cells[header.indexOf(name)] ?? '') !== String(given ?? ''))
				problems.push(`the rejected row ${row.id} has another ${name}`);
		}
	});
	return problems;
}

export const outputOptions: StoryOption[] = [
	{
		name: 'outputRows',
		where: 'option',
		ofLater: true,
		choices: ['failed', 'all', 'summary'],
		needs: {
			all: { source: ['file', 'fileDetected'] },
			summary: { source: ['file', 'fileDetected'] },
		},
		value: (choice) => (choice === 'failed' ? undefined : choice),
	},
	{
		name: 'report',
		where: 'option',
		ofLater: true,
		choices: ['off', 'on'],
		needs: { on: withResults },
		value: (choice) => choice === 'on',
		problemsOf: async (choice, expected, { node }) => {
			const html = await reportOf(node);
			if (expected.isWithoutOutcome) return [];
			const item = node.outputs.flat().find(({ binary }) => binary?.rejected);
			const isExpected = choice === 'on' && returnsRows(expected);
			if (!isExpected) return html === '' && !item ? [] : ['there are files that nobody asked for'];
			if (html === '') return ['there is no report'];
			const problems = reportProblems(html, expected);
			if (toCorrect(expected.judged).length === 0)
				return item
					? [...problems, 'there is a file of rejected rows without such rows']
					: problems;
			if (!item) return [...problems, 'there is no file of rejected rows'];
			const rejected = (await readBinary(item, 'rejected')).toString();
			return [...problems, ...rejectedProblems(rejected, expected)];
		},
	},
	{
		name: 'listeners',
		where: 'option',
		choices: ['none', 'email'],
		value: (choice) =>
			choice === 'email' ? { listener: [{ type: 'email', value: 'data@example.org' }] } : undefined,
		problemsOf: (choice, _expected, { files }) =>
			files
				.map(({ job }) => JSON.stringify(job.listeners ?? []).includes('data@example.org'))
				.filter((isNotified) => isNotified !== (choice === 'email'))
				.map(() => 'a job is wrong about whom to notify'),
	},
	{
		name: 'lookUp',
		where: 'parameter',
		choices: ['none', 'all', 'sample'],
		needs: {
			all: { resourceType: ['contacts', 'contactsWithPhones'] },
			sample: { resourceType: ['contacts', 'contactsWithPhones'] },
		},
		parameters: (choice, { isDry }) => (isDry ? { lookUp: choice } : {}),
		problemsOf: (choice, { run, judged, refusal }, { node }) => {
			if (!run.isDry || refusal || choice === 'none') return [];
			const looked = node.outputs.flat().filter(({ json }) => json.lookup !== undefined);
			const sent = judged.filter(({ file }) => file !== undefined);
			return looked.length === sent.length
				? []
				: [`${looked.length} rows were looked up, not ${sent.length}`];
		},
	},
	// The dry run is a run of each story.
	{
		name: 'whatShouldHappen',
		where: 'parameter',
		choices: ['import', 'ask'],
		needs: {
			ask: {
				waitForOutcome: ['database'],
				progressPage: ['secret'],
				hosting: ['put', 'post'],
			},
		},
		parameters: (choice, { isDry }) => ({ whatShouldHappen: isDry ? 'show' : choice }),
		problemsOf: (choice, expected, seen) => {
			const { run, files, isWithoutOutcome } = expected;
			const isReleased = choice === 'ask' && !run.isDry && files.length > 0;
			if (!returnsRows(expected) || isWithoutOutcome) return [];
			const wanted = isReleased ? RELEASED_BY : undefined;
			return claimsOf(seen, run)
				.filter(({ releasedBy }) => releasedBy !== wanted)
				.map(
					({ position, releasedBy }) =>
						`row ${position + 1} was released by ${String(releasedBy)}, not ${String(wanted)}`,
				);
		},
	},
];
