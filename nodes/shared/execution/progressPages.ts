import { createHash } from 'crypto';

import { escape, formatCount, htmlPage, STYLED_PAGE } from '../importFile/htmlPage';
import type { Offer, Progress } from './databaseWait';

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
		if (!page.dataset.offer && next.title !== document.title) location.replace(location.href);
		return;
	}
	const news = next.querySelector('main[data-status]');
	if (!news) return location.replace(location.href);
	const offer = news.dataset.offer ?? '';
	if (offer && offer === page.dataset.offer) return;
	// The rules for a form come with the page.
	if (offer) return location.replace(location.href);
	page.dataset.offer = '';
	page.replaceChildren(...news.childNodes);
};
const lookAgain = () => setTimeout(() => look().catch(() => {}).finally(lookAgain), 5000);
lookAgain();
`;
const scriptHash = createHash('sha256').update(SCRIPT).digest('base64');

export const PROGRESS_POLICY = `${STYLED_PAGE}; script-src 'sha256-${scriptHash}'; connect-src 'self'; sandbox allow-scripts`;

export const FORM_POLICY = `${PROGRESS_POLICY} allow-forms; form-action 'self'`;

function waitingPage(title: string, content: string[], statusPath: string, offerId = ''): string {
	const offer = offerId === '' ? '' : ` data-offer="${escape(offerId)}"`;
	const attributes = ` data-status="${escape(statusPath)}"${offer}`;
	return htmlPage(title, content.join('\n'), { attributes, script: SCRIPT });
}

/** For whoever has no secret: nothing about the import. */
export function buildClosedPage(statusPath: string): string {
	const title = 'Please wait';
	const text = `This page shows the result when there is one. ${CLOSE}`;
	return waitingPage(title, [`<h1>${title}</h1>`, `<p>${text}</p>`], statusPath);
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
		`<p class="about">Import in progress since ${escape(since)}</p>`,
		`<p class="lead">${lead}</p>`,
		...jobTable(jobs),
		'<h2>What comes next</h2>',
		`<ul><li>The jobs were last checked at ${escape(checkedAt)}. The next check is at about ${escape(nextCheck)}, or sooner if the service reports their end.</li><li>${end}</li></ul>`,
		`<p>${CLOSE}</p>`,
	];
	return waitingPage(`Import in progress: ${name}`, content, statusPath);
}

/** What the reader sees who has sent corrections, or none. */
export function buildReceivedPage(name: string, rows: number, statusPath: string): string {
	const text =
		rows > 0
			? `${formatCount(rows)} corrected row${rows === 1 ? '' : 's'} received. The import starts now.`
			: 'The import ends without corrections.';
	const content = [
		`<h1>${escape(name)}</h1>`,
		`<p class="lead">${text}</p>`,
		`<p>This page shows what comes next. Without scripts, open its link again in a minute. ${CLOSE}</p>`,
	];
	return waitingPage(name, content, statusPath);
}

const OFFER = 'offer';
const ACTION = 'action';
const fieldName = (row: number, column: number): string => `${row}.${column}`;

/** Browsers leave out the line breaks of a field, and replace what UTF-8 or HTML cannot hold. */
const asTyped = (text: string): string =>
	text.replace(/[\r\n]/g, '').replace(/[\0\p{Cs}]/gu, '\uFFFD');

/**
 * Reads what the reader of the page sent.
 * @returns the changed rows, none to finish; or why there is nothing to do
 */
export function readReply(
	{ id, columns, rows }: Offer,
	sent: URLSearchParams,
): NonNullable<Offer['reply']> | string {
	if (sent.get(OFFER) !== id) return 'This page was no longer current. Nothing was imported.';
	if (sent.get(ACTION) === 'finish') return [];
	if (sent.get(ACTION) !== 'import') return 'Nothing was imported.';
	const changed = rows.flatMap(({ values }, row) => {
		const typed = values.map((value, column) => {
			const text = columns[column]?.label === undefined ? null : sent.get(fieldName(row, column));
			return text === null || asTyped(text) === asTyped(value) ? value : text;
		});
		return typed.some((text, column) => text !== values[column]) ? [{ row, values: typed }] : [];
	});
	return changed.length > 0 ? changed : 'No value was changed, so nothing was imported.';
}

function cells({ columns }: Offer, row: Offer['rows'][number], index: number): string {
	const reason = `<p class="wrong" id="reason-${index}">${escape(row.reason)}</p>`;
	const cell = ({ label }: Offer['columns'][number], column: number): string => {
		if (label === undefined) return '';
		const isWrong = row.column === column;
		const described = isWrong ? ` aria-invalid="true" aria-describedby="reason-${index}"` : '';
		const input = `<input name="${fieldName(index, column)}" value="${escape(row.values[column] ?? '')}" aria-label="${escape(`${label}, ${row.name}`)}" autocomplete="off"${described}>`;
		return `<td data-label="${escape(label)}"><div>${input}${isWrong ? reason : ''}</div></td>`;
	};
	const name = `<b>${escape(row.name)}</b>${row.column === undefined ? reason : ''}`;
	return `<tr><td>${name}</td>${columns.map(cell).join('')}</tr>`;
}

/**
 * Needs no script.
 * @param until when it ends, in readable form
 * @param note what became of the last try, if any
 */
export function buildCorrectionPage(
	name: string,
	offer: Offer,
	until: string,
	statusPath: string,
	note = '',
): string {
	const { id, columns, rows, hidden } = offer;
	const count = rows.length + hidden;
	const heads = columns.flatMap(({ label }) =>
		label === undefined ? [] : [`<th>${escape(label)}</th>`],
	);
	const more =
		hidden > 0
			? `<p>${formatCount(hidden)} more rejected ${hidden === 1 ? 'row is not shown and comes' : 'rows are not shown and come'} out with the outcome of the import.</p>`
			: '';
	const content = [
		`<h1>${escape(name)}</h1>`,
		'<p class="about">The import jobs have ended</p>',
		`<p class="lead"><b>${formatCount(count)}</b> row${count === 1 ? ' was' : 's were'} rejected and can be corrected</p>`,
		...(note === '' ? [] : [`<p class="wrong" role="alert">${escape(note)}</p>`]),
		`<p>Correct the values and choose <b>Import Changed Rows</b>: one more job imports them, once. The others stay rejected. Without corrections, the import ends at ${escape(until)}.</p>`,
		more,
		// Without a first button that is disabled, the Enter key in a field would start the import.
		`<form method="post"><button disabled hidden></button><input type="hidden" name="${OFFER}" value="${escape(id)}">`,
		`<div class="wide"><table class="cards"><thead><tr><th>Row</th>${heads.join('')}</tr></thead><tbody>`,
		...rows.map((row, index) => cells(offer, row, index)),
		`</tbody></table></div><p class="buttons"><button name="${ACTION}" value="import">Import Changed Rows</button> <button name="${ACTION}" value="finish">Finish Without Corrections</button></p></form>`,
	];
	return waitingPage(`Rejected rows: ${name}`, content, statusPath, id);
}
