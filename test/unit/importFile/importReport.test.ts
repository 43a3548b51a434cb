import * as fc from 'fast-check';

import {
	buildReport,
	type RejectedRow,
	type RowStatus,
	ReportTally,
} from '../../../nodes/shared/importFile/importReport';
import { pageText } from '../../support/pageText';

const head = { jobIds: [7], createdAt: '2026-02-03 04:05 UTC' };
const rejected = (changes: Partial<RejectedRow> = {}): RejectedRow => ({
	row: 1,
	reason: 'Email: Invalid email address',
	recordId: null,
	values: {},
	...changes,
});

function tallyOf(outcomes: RowStatus[], changes: Partial<RejectedRow> = {}): ReportTally {
	const tally = new ReportTally();
	outcomes.forEach((outcome, index) =>
		tally.add(outcome, () => rejected({ row: index + 1, ...changes })),
	);
	return tally;
}

const textOf = (html: string): string => pageText(html, ['style', 'title']);

test('a report counts the rows by outcome and says what to do', () => {
	const html = buildReport(head, tallyOf(['imported', 'imported', 'failed', 'unknown']));
	const text = textOf(html);
	expect(text).toContain('2 of 4 rows imported');
	expect(text).toMatch(/Imported 2 50\.0% Failed 1 25\.0% Unknown 1 25\.0%/);
	expect(text).toMatch(/Unknown: The job .* Do not import them again/);
	expect(text).not.toContain('Not sent:');
	const widths = [...html.matchAll(/<rect class="(\w+)"[^>]* width="([\d.]+)"/g)].map((match) => [
		match[1],
		Number(match[2]),
	]);
	expect(widths).toEqual([
		['imported', 500],
		['failed', 250],
		['unknown', 250],
	]);
});

test('a report of a complete import asks for nothing', () => {
	const text = textOf(buildReport(head, tallyOf(['imported'])));
	expect(text).toContain('Nothing: every row was imported.');
	expect(text).not.toContain('Reasons');
	const partly = textOf(buildReport(head, tallyOf(['imported', 'unchanged'])));
	expect(partly).toContain('Nothing: every row was imported now or before.');
});

test('a report is headed by the name of the import', () => {
	const html = buildReport({ ...head, name: 'Fair of <March>' }, tallyOf(['imported']));
	expect(html).toContain('<h1>Fair of &lt;March&gt;</h1>');
	expect(html).toContain('<title>Import report: Fair of &lt;March&gt;</title>');
	expect(textOf(html)).toContain('Import report · Import job 7 · 2026-02-03 04:05 UTC');
});

test('a report shows the first 100 rejected rows and counts equal reasons', () => {
	const outcomes = Array.from({ length: 1236 }, (_, row) => (row < 2 ? 'imported' : 'failed'));
	const html = buildReport(head, tallyOf(outcomes));
	expect(textOf(html)).toContain('The first 100 of 1,234 rows that were not imported');
	expect(textOf(html)).toContain('1,234 Email: Invalid email address');
	expect(html.match(/<tr><td data-label="Row">/g)).toHaveLength(100);
});

test('a report names the file of rejected rows where it is too large to be in the page', () => {
	const pageWith = (bytes: number) => {
		const rejectedFile = { name: 'rejected-rows-7.csv', content: Buffer.alloc(bytes, 'a') };
		return buildReport({ ...head, rejectedFile }, tallyOf(['failed']));
	};
	const small = pageWith(300_000);
	expect(textOf(small)).toContain('Download the rows to correct (rejected-rows-7.csv)');
	expect(small).toContain('href="data:text/csv;base64,YWFh');
	const large = pageWith(300_001);
	expect(textOf(large)).toContain('The rows to correct are in the file rejected-rows-7.csv.');
	expect(large).not.toContain('data:');
});

test('what was done with the list, and repeated records, are folded behind what is to do', () => {
	const repeated = { rows: 1, records: [{ id: 5, numbers: [2, 4], rows: 2 }] };
	const details = ['Mapped: Mail → Email.'];
	const html = buildReport({ ...head, details, repeated }, tallyOf(['imported', 'failed']));
	const folded = [...html.matchAll(/<details><summary>(.*?)<\/summary>([^]*?)<\/details>/g)];
	expect(
		folded.map(([, title, content = '']) => [title, textOf(content).includes('Mapped')]),
	).toEqual([
		['What was done with the list', true],
		['Rows of the same record: 1', false],
	]);
	expect(html.indexOf('<details>')).toBeGreaterThan(html.indexOf('Rows that were not imported'));
	expect(buildReport({ ...head, details }, tallyOf([]))).toContain('<details open>');
});

test('rows to correct come before people who share something', () => {
	const shared = ['Row 3: same phone number as row 2, but another person'];
	const people = { count: 0, areLeftOut: false, rows: [], sharing: 1, shared };
	const text = textOf(buildReport({ ...head, people }, tallyOf(['imported', 'failed'])));
	expect(text.indexOf('Rows that were not imported')).toBeGreaterThan(0);
	expect(text.indexOf('People who share contact details')).toBeGreaterThan(
		text.indexOf('Rows that were not imported'),
	);
});

test.each(['907-555-0100', '+1(907)555-0100', '2026-03-01'])(
	'a number is not broken at its hyphens: %s',
	(number) => {
		const values = { Phone: number, Mail: `a@example.org` };
		const html = buildReport(head, tallyOf(['failed'], { values, reason: `${number} is wrong` }));
		expect(html).toContain(`<span class="whole">${number}</span></td>`);
		expect(html).toContain(`<span class="whole">${number}</span> is wrong`);
		const notes = [`Released on ${number}.`];
		expect(buildReport({ ...head, notes }, tallyOf(['failed']))).toContain(
			`Released on <span class="whole">${number}</span>.`,
		);
	},
);

test('reasons that all differ are counted together after the most frequent ones', () => {
	const tally = new ReportTally();
	for (let row = 0; row < 5000; row++)
		tally.add('failed', () => rejected({ row, reason: row < 10 ? 'Often' : `Value ${row}` }));
	expect(tally.reasons.size).toBeLessThanOrEqual(1001);
	const text = textOf(buildReport(head, tally));
	expect(text).toMatch(/10 Often/);
	const counts = [...tally.reasons.values()].reduce((sum, count) => sum + count, 0);
	expect(counts).toBe(5000);
});

test('no text of a row or job becomes part of the page', () => {
	const texts = fc
		.oneof(fc.string(), fc.constantFrom('<script>', '"><img src=x>', '&lt;', "'"))
		// An empty column is left out.
		.filter((text) => text.trim() !== '');
	const tags = (html: string) => [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
	const plain = tags(
		buildReport(
			{ ...head, notes: ['n'] },
			tallyOf(['failed'], { recordId: 1, values: { a: 'b' } }),
		),
	);
	fc.assert(
		fc.property(texts, texts, texts, (name, reason, value) => {
			const tally = tallyOf(['failed'], { reason, recordId: value, values: { a: value } });
			const html = buildReport({ ...head, name, notes: [reason] }, tally);
			expect(tags(html)).toEqual(plain);
		}),
	);
});

test('a report loads nothing and runs nothing', () => {
	const html = buildReport(head, tallyOf(['failed']));
	expect(html).not.toMatch(/<script|\son\w+=|https?:|url\(|@import/i);
	expect(html).toContain(`default-src 'none'`);
});

test('a report leaves empty columns out, and marks the value that a reason names, whatever its place', () => {
	const values = Object.fromEntries('abcdefgh'.split('').map((name) => [name, `${name}1`]));
	const tally = tallyOf(['invalid'], {
		reason: 'Column "E-mail" is not an email address.',
		values: { Notes: ' ', ...values, 'E-Mail': 'nobody' },
	});
	const html = buildReport(head, tally);
	const heads = [...html.matchAll(/<th>([^<]*)<\/th>/g)].map(([, text]) => text);
	expect(heads).toEqual(['Reason', 'Row', 'Reason', 'a', 'b', 'c', 'd', 'e', 'E-Mail']);
	expect(html).toContain('<td data-label="E-Mail"><mark>nobody</mark></td>');
	expect(html.match(/<mark>/g)).toHaveLength(1);
});
