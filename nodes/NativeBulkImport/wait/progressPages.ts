import { createHash } from 'crypto';

import {
	escape,
	escapeCell,
	formatCount,
	htmlPage,
	STYLED_PAGE,
} from '../../shared/importFile/htmlPage';
import { PAGE_QUERY, type Progress } from './databaseWait';

const SHOWN_JOBS = 100;
const CLOSE = 'You can close this page, the link stays.';

/**
 * Shows the news: n8n says on another address how the execution stands. While it runs, n8n leaves a request
 * for the page without a response. What its reader types must stay.
 */
const SCRIPT = `
const page = document.querySelector('main');
const ask = async (address) => await fetch(address, { signal: AbortSignal.timeout(8000) });
const look = async () => {
	const status = (await (await ask(page.dataset.status)).text()).trim();
	if (status === 'running' || status === 'new') return;
	if (!status.endsWith('waiting')) return location.replace(location.href);
	const response = await ask(location.href);
	const next = new DOMParser().parseFromString(await response.text(), 'text/html');
	// The browser sends a password that it asked for only where it loads the page.
	if (response.status === 401) {
		if (!page.dataset.question && next.title !== document.title) location.replace(location.href);
		return;
	}
	const news = next.querySelector('main[data-status]');
	if (!news) return location.replace(location.href);
	const question = news.dataset.question ?? '';
	if (question && question === page.dataset.question) return;
	// The rules for a form come with the page.
	if (question) return location.replace(location.href);
	page.dataset.question = '';
	page.replaceChildren(...news.childNodes);
};
const lookAgain = () => setTimeout(() => look().catch(() => {}).finally(lookAgain), 5000);
lookAgain();
`;
const scriptHash = createHash('sha256').update(SCRIPT).digest('base64');

export const PROGRESS_POLICY = `${STYLED_PAGE}; script-src 'sha256-${scriptHash}'; connect-src 'self'; frame-ancestors 'none'; sandbox allow-scripts`;

export const FORM_POLICY = `${PROGRESS_POLICY} allow-forms allow-downloads; form-action 'self'`;

function waitingPage(
	title: string,
	content: string[],
	statusPath: string,
	questionId = '',
): string {
	const question = questionId === '' ? '' : ` data-question="${escape(questionId)}"`;
	const attributes = ` data-status="${escape(statusPath)}"${question}`;
	return htmlPage(title, content.join('\n'), { attributes, script: SCRIPT });
}

/** For whoever has no secret: nothing about the import, and a field for it. */
export function buildClosedPage(statusPath: string): string {
	const title = 'Please wait';
	const text = `This page shows the result when there is one. ${CLOSE}`;
	// What n8n has signed is in the query, which the form replaces.
	const signed = [...new URLSearchParams(statusPath.split('?')[1])].map(
		([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
	);
	const content = [
		`<h1>${title}</h1>`,
		`<p>${text}</p>`,
		`<form method="get">${signed.join('')}<p class="answer"><label for="secret">If you have its secret, you can see it now</label><input id="secret" name="${PAGE_QUERY}" type="password" required autocomplete="current-password"></p><p><button>Open</button></p></form>`,
	];
	return waitingPage(title, content, statusPath, 'secret');
}

function jobTable(jobs: Progress['jobs']): string[] {
	const rows = jobs.slice(0, SHOWN_JOBS).map(({ jobId, rows: count, status }) => {
		const written = count === undefined ? '' : formatCount(count);
		return `<tr><td>${jobId}</td><td class="number">${written}</td><td>${escape(status ?? 'Not known yet')}</td></tr>`;
	});
	const more = jobs.length - rows.length;
	return [
		`<table><thead><tr><th>Job</th><th class="number">Rows</th><th>Status</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
		...(more > 0 ? [`<p>And ${formatCount(more)} more job${more === 1 ? '' : 's'}.</p>`] : []),
	];
}

/**
 * Readable without scripts.
 * @param statusPath where n8n says how the execution stands
 */
export function buildProgressPage(
	{ name, jobs, isFromForm }: Progress,
	{ since, checkedAt, nextCheck }: Record<'since' | 'checkedAt' | 'nextCheck', string>,
	statusPath: string,
): string {
	const rows = jobs.reduce((sum, job) => sum + (job.rows ?? 0), 0);
	const jobCount = `${formatCount(jobs.length)} import job${jobs.length === 1 ? '' : 's'}`;
	const rowCount = `<b>${formatCount(rows)}</b> row${rows === 1 ? '' : 's'}`;
	const lead = rows > 0 ? `${rowCount} in ${jobCount}` : `<b>${jobCount}</b>`;
	const end = isFromForm
		? 'When all jobs have ended, this page shows the result.'
		: 'When all jobs have ended, the workflow continues with their outcome.';
	const content = [
		`<h1>${escape(name)}</h1>`,
		`<p class="about">Import in progress since ${escapeCell(since)}</p>`,
		`<p class="lead">${lead}</p>`,
		...jobTable(jobs),
		'<h2>What comes next</h2>',
		`<ul><li>The jobs were last checked at ${escapeCell(checkedAt)}. The next check is at about ${escapeCell(nextCheck)}, or sooner if the service reports their end.</li><li>${end}</li></ul>`,
		`<p>${CLOSE}</p>`,
	];
	return waitingPage(`Import in progress: ${name}`, content, statusPath);
}

/**
 * A question to the reader of the page.
 * @param content of the page below its heading
 */
export function buildQuestionPage(
	name: string,
	{ title, content, id, stays }: { title: string; content: string[]; id: string; stays?: boolean },
	statusPath: string,
): string {
	const heading = `<h1>${escape(name)}</h1>`;
	if (stays) {
		const attributes = ` data-status="" data-question="${escape(id)}"`;
		return htmlPage(`${title}: ${name}`, [heading, ...content].join('\n'), { attributes });
	}
	return waitingPage(`${title}: ${name}`, [heading, ...content], statusPath, id);
}

/** What the reader sees who has answered the question. */
export function buildReceivedPage(name: string, text: string, statusPath: string): string {
	const content = [
		`<h1>${escape(name)}</h1>`,
		`<p class="lead">${escape(text)}</p>`,
		`<p>This page shows what comes next. Without scripts, open its link again in a minute. ${CLOSE}</p>`,
	];
	return waitingPage(name, content, statusPath);
}
