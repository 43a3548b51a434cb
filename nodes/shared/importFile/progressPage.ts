import { createHash } from 'crypto';
import { z } from 'zod';

import { escape, formatCount, htmlPage, STYLED_PAGE } from './htmlPage';

/** Rejected rows that the reader of a progress page can correct. Stored with the execution. */
const offerSchema = z.object({
	id: z.string(),
	/** Milliseconds since 1970. */
	until: z.number(),
	/** What the fields of the import read; without a label it is not shown. */
	columns: z.array(z.object({ expression: z.string(), label: z.string().optional() })),
	rows: z.array(
		z.object({
			/** From 0. */
			position: z.number(),
			name: z.string(),
			status: z.enum(['failed', 'invalid']),
			reason: z.string(),
			/** The column that the reason is about, if it names one. */
			column: z.number().optional(),
			values: z.array(z.string()),
			/** The columns whose value is a list or an object. */
			lists: z.array(z.number()).optional(),
		}),
	),
	hidden: z.number(),
	/** What the reader sent: the changed rows by their index, or none to finish. */
	reply: z.array(z.object({ row: z.number(), values: z.array(z.string()) })).optional(),
});
export type Offer = z.infer<typeof offerSchema>;

/** What the page of a waiting node shows, and who may see it. Stored with the execution. */
export const progressSchema = z.object({
	secret: z.string(),
	name: z.string(),
	/** Whether n8n's form brought its user here: the link shows the form's last page later. */
	isFromForm: z.boolean(),
	jobs: z.array(
		z.object({
			jobId: z.number(),
			rows: z.number().optional(),
			status: z.string().optional(),
		}),
	),
	offer: offerSchema.optional(),
});
export type Progress = z.infer<typeof progressSchema>;

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

export function waitingPage(
	title: string,
	content: string[],
	statusPath: string,
	offerId = '',
): string {
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
