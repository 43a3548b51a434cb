import * as fc from 'fast-check';

import { buildClosedPage, buildProgressPage } from '../../../nodes/shared/importFile/progressPage';

const times = { since: 'nine', checkedAt: 'ten', nextCheck: 'eleven' };
const progress = { secret: 'a-secret', name: 'Fair', isFromForm: false, jobs: [{ jobId: 7 }] };

const tagsOf = (html: string): string[] => html.match(/<[^>]*>/g) ?? [];

test('no text of an import or a link becomes part of the page', () => {
	const plain = buildProgressPage(progress, times, '/status');
	fc.assert(
		fc.property(fc.string(), fc.string(), (name, status) => {
			const hostile = `${name}"'><script>alert(1)</script><!--`;
			const jobs = [{ jobId: 7, status: `${status}<img src=x onerror=alert(1)>` }];
			const html = buildProgressPage({ ...progress, name: hostile, jobs }, times, '/status');
			expect(tagsOf(html)).toEqual(tagsOf(plain));
			expect(buildClosedPage(hostile)).not.toContain('<script>alert');
		}),
	);
});

test('a page says what it knows of its jobs, the first hundred one by one', () => {
	const jobs = Array.from({ length: 102 }, (_, index) => ({ jobId: 900 + index, rows: 1000 }));
	const html = buildProgressPage({ ...progress, jobs }, times, '/status');
	expect(html).toContain('<b>102,000</b> rows in 102 import jobs');
	expect(html).toContain('<td>999</td><td class="number">1,000</td><td>Not known yet</td>');
	expect(html).not.toContain('<td>1000</td>');
	expect(html).toContain('And 2 more jobs.');
});

test('a page that n8n shows after its form promises the result on the same page', () => {
	const end = (isFromForm: boolean) =>
		/<li>(When all[^<]*)/.exec(buildProgressPage({ ...progress, isFromForm }, times, '/s'))?.[1];
	expect(end(true)).toBe('When all jobs have ended, this page shows the result.');
	expect(end(false)).toBe('When all jobs have ended, the workflow continues with their outcome.');
});
