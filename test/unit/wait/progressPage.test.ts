import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';

import {
	buildClosedPage,
	buildProgressPage,
	buildQuestionPage,
} from '../../../nodes/NativeBulkImport/wait/progressPages';

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

/** A page as its script sees it. */
function parsed(html: string) {
	const read = (pattern: RegExp) => pattern.exec(html)?.[1];
	const question = read(/ data-question="([^"]*)"/);
	const main = {
		dataset: {
			status: read(/ data-status="([^"]*)"/),
			...(question !== undefined && { question }),
		},
		childNodes: [],
		replaceChildren: jest.fn(),
	};
	return { title: read(/<title>([^<]*)/), main, querySelector: () => main };
}

/** Runs the script of a page until it has looked once. @returns what it did */
async function lookOnce(html: string, status: number, news: string): Promise<string> {
	const document = parsed(html);
	const location = { href: '/page', replace: jest.fn() };
	await new Promise<void>((resolve) => {
		let looks = 0;
		const sandbox = {
			document,
			location,
			AbortSignal,
			DOMParser: class {
				parseFromString = parsed;
			},
			fetch: async (address: string) =>
				await Promise.resolve(
					address === '/page'
						? { status, ok: status === 200, text: () => news }
						: { status: 200, ok: true, text: () => 'waiting' },
				),
			setTimeout: (lookNow: () => void) => (looks++ === 0 ? lookNow() : resolve()),
		};
		runInNewContext(/<script>([^]*)<\/script>/.exec(html)?.[1] ?? '', sandbox);
	});
	if (location.replace.mock.calls.length > 0) return 'loads the page';
	return document.main.replaceChildren.mock.calls.length > 0 ? 'shows the news' : 'nothing';
}

test('where the browser asked for the secret, news come with the page, and what is typed stays', async () => {
	const closed = buildClosedPage('/status');
	const open = buildProgressPage(progress, times, '/status');
	const form = buildQuestionPage(
		'Fair',
		{ title: 'Rows', content: ['<form>'], id: 'abc' },
		'/status',
	);
	expect(await lookOnce(open, 200, open)).toBe('shows the news');
	expect(await lookOnce(open, 200, form)).toBe('loads the page');
	// A script cannot send the password that the browser knows.
	expect(await lookOnce(open, 401, closed)).toBe('loads the page');
	expect(await lookOnce(form, 401, closed)).toBe('nothing');
	expect(await lookOnce(closed, 401, closed)).toBe('nothing');
});
