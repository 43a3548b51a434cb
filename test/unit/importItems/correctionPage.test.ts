import * as fc from 'fast-check';

import { shownRows } from '../../../nodes/NativeBulkImport/importItems/features/corrections/corrections';
import {
	buildCorrections,
	type Offer,
	readReply,
} from '../../../nodes/NativeBulkImport/importItems/features/corrections/correctionPage';
import { buildQuestionPage } from '../../../nodes/NativeBulkImport/wait/progressPages';

const offer: Offer = {
	form: 'corrections',
	id: 'abc123',
	until: 0,
	columns: [
		{ expression: '={{ $json.first }}', label: 'first' },
		{ expression: '={{ $json.country }}' },
		{ expression: '={{ $json.mail }}', label: 'mail' },
	],
	rows: [
		{ position: 4, name: 'Line 6', status: 'failed', reason: 'No', values: ['Ada', 'US', 'x'] },
		{
			position: 9,
			name: 'Line 11',
			status: 'invalid',
			reason: 'Bad',
			column: 2,
			values: ['B\nC', '', 'y'],
		},
	],
	hidden: 0,
};

const pageOf = (changed: Partial<Offer>, name = 'Fair', note?: string): string =>
	buildQuestionPage(
		name,
		{
			title: 'Rejected rows',
			content: buildCorrections({ ...offer, ...changed }, 'noon', note),
			id: offer.id,
		},
		'/status',
	);
const shapeOf = (html: string): string[] =>
	(html.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/"[^"]*"/g, '""'));

test('no text of a row or a service becomes part of the page', () => {
	const plain = shapeOf(pageOf({}, 'Fair', 'note'));
	fc.assert(
		fc.property(fc.string(), (text) => {
			const hostile = `${text}"'><script>alert(1)</script><input name="action" value='import'><!--`;
			const rows = offer.rows.map((row) => ({
				...row,
				name: hostile,
				reason: hostile,
				values: row.values.map(() => hostile),
			}));
			const columns = offer.columns.map(({ expression, label }) =>
				label === undefined ? { expression } : { expression, label: hostile },
			);
			expect(shapeOf(pageOf({ rows, columns }, hostile, hostile))).toEqual(plain);
		}),
	);
});

test.each([
	[0, /more rejected/, false],
	[1, /<p>1 more rejected row is not shown and comes out/, true],
	[2, /<p>2 more rejected rows are not shown and come out/, true],
])('%s rows that do not fit on the page', (hidden, text, isSaid) => {
	expect(text.test(pageOf({ hidden }))).toBe(isSaid);
});

test('says before that only the first answer counts', () => {
	expect(pageOf({})).toContain('If somebody else answers first, your changes are not used.');
});

test('a reason stands at the field that it names, or at the row', () => {
	const html = pageOf({});
	expect(html).toMatch(/<b>Line 6<\/b><p class="wrong" id="reason-0">No<\/p>/);
	expect(html).toMatch(
		/value="y"[^>]*aria-describedby="reason-1"><p class="wrong" id="reason-1">Bad/,
	);
	expect(html).not.toContain('US');
});

const sent = (fields: Record<string, string>) =>
	new URLSearchParams({ offer: 'abc123', ...fields });
const asShown = { '0.0': 'Ada', '0.2': 'x', '1.0': 'BC', '1.2': 'y' };

test('only rows whose values differ are sent, with the values that are not shown', () => {
	const reply = (fields: Record<string, string>) =>
		readReply(offer, sent({ ...asShown, action: 'import', ...fields }));
	expect(reply({ '0.2': 'z', '0.1': 'XX', '7.0': 'no row' })).toEqual([
		{ row: 0, values: ['Ada', 'US', 'z'] },
	]);
	expect(reply({ '1.2': '' })).toEqual([{ row: 1, values: ['B\nC', '', ''] }]);
	expect(reply({})).toMatch(/No value was changed/);
});

test('a value that a form cannot hold is not changed by sending it back', () => {
	const [row] = offer.rows;
	const rows = row ? [{ ...row, values: ['Ad\0a', 'US', 'x\ud83d'] }] : [];
	const asSent = { '0.0': 'Ad\ufffda', '0.2': 'x\ufffd', action: 'import' };
	expect(readReply({ ...offer, rows }, sent(asSent))).toMatch(/No value was changed/);
	expect(readReply({ ...offer, rows }, sent({ ...asSent, '0.2': 'y' }))).toEqual([
		{ row: 0, values: ['Ad\0a', 'US', 'y'] },
	]);
});

test('a value that was changed has a longest length, one that was not has none', () => {
	const long = 'x'.repeat(10_001);
	const [row] = offer.rows;
	const rows = row ? [{ ...row, values: [long, 'US', 'y'] }] : [];
	const reply = (fields: Record<string, string>) =>
		readReply({ ...offer, rows }, sent({ '0.0': long, '0.2': 'y', action: 'import', ...fields }));
	expect(reply({ '0.2': long })).toBe(
		'mail of Line 6 has more than 10,000 characters. Nothing was imported.',
	);
	expect(reply({ '0.0': `${long}x` })).toBe(
		'first of Line 6 has more than 10,000 characters. Nothing was imported.',
	);
	expect(reply({ '0.2': long.slice(1) })).toHaveLength(1);
	expect(reply({ '0.2': 'z' })).toEqual([{ row: 0, values: [long, 'US', 'z'] }]);
});

test('nothing but the buttons of this page has an effect', () => {
	expect(readReply(offer, sent({ ...asShown, action: 'finish' }))).toEqual([]);
	expect(readReply(offer, sent({ '0.0': 'Eve' }))).toBe('Nothing was imported.');
	expect(readReply(offer, new URLSearchParams({ '0.0': 'Eve', action: 'import' }))).toMatch(
		/out of date/,
	);
});

test('at most 200 rows are shown, fewer with many columns', () => {
	const columns = (count: number) =>
		Array.from({ length: count }, (_, index) => ({ expression: String(index), label: 'x' }));
	expect(shownRows(columns(3))).toBe(200);
	expect(shownRows(columns(100))).toBe(50);
	expect(shownRows([])).toBe(200);
});
