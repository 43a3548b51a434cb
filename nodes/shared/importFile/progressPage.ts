import { createHash } from 'crypto';
import { z } from 'zod';

import { correctionForm, type Offer, offerSchema } from './correctionPage';
import { escape, formatCount, htmlPage, STYLED_PAGE } from './htmlPage';

/** What the page of a waiting node shows, and who may see it. Stored with the execution. */
export const progressSchema = z.object({
	/** Part of the link. */
	secret: z.string(),
	/** Of the import. */
	name: z.string(),
	/** Whether n8n's form brought its user here: the link shows the form's last page later. */
	isFromForm: z.boolean(),
	jobs: z.array(
		z.object({
			jobId: z.number(),
			/** Undefined if unknown. */
			rows: z.number().optional(),
			/** The last one that the service returned. */
			status: z.string().optional(),
		}),
	),
	/** Rows to correct, once the jobs have ended. */
	offer: offerSchema.optional(),
});
export type Progress = z.infer<typeof progressSchema>;

/** In readable form. */
interface ProgressTimes {
	since: string;
	checkedAt: string;
	nextCheck: string;
}

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

/** The header Content-Security-Policy of the page. */
export const PROGRESS_POLICY = `${STYLED_PAGE}; script-src 'sha256-${scriptHash}'; connect-src 'self'; sandbox allow-scripts`;

/** The same for a page with a form. */
export const FORM_POLICY = `${PROGRESS_POLICY} allow-forms; form-action 'self'`;

function page(title: string, content: string[], statusPath: string, offerId = ''): string {
	const offer = offerId === '' ? '' : ` data-offer="${escape(offerId)}"`;
	const attributes = ` data-status="${escape(statusPath)}"${offer}`;
	return htmlPage(title, content.join('\n'), { attributes, script: SCRIPT });
}

/** For whoever has no secret: nothing about the import. */
export function buildClosedPage(statusPath: string): string {
	const title = 'Please wait';
	const text = `This page shows the result when there is one. ${CLOSE}`;
	return page(title, [`<h1>${title}</h1>`, `<p>${text}</p>`], statusPath);
}

function jobTable(jobs: Progress['jobs']): string[] {
	const rows = jobs.slice(0, SHOWN_JOBS).map(({ jobId, rows: count, status }) => {
		const written = count === undefined ? '' : formatCount(count);
		return `<tr><td>${jobId}</td><td class="number">${written}</td><td>${escape(status ?? 'Not known yet')}</td></tr>`;
	});
	const more = jobs.length - rows.length;
	return [
		`<table><thead><tr><th>Job</th><th class="number">Rows</th><th>Status</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
		...(more > 0 ? [`<p>And ${formatCount(more)} more jobs.</p>`] : []),
	];
}

/**
 * A page about jobs that run, readable without scripts.
 * @param statusPath where n8n says how the execution stands
 */
export function buildProgressPage(
	{ name, jobs, isFromForm }: Progress,
	{ since, checkedAt, nextCheck }: ProgressTimes,
	statusPath: string,
): string {
	const rows = jobs.reduce((sum, job) => sum + (job.rows ?? 0), 0);
	const jobCount = `${formatCount(jobs.length)} import job${jobs.length === 1 ? '' : 's'}`;
	const lead = rows > 0 ? `<b>${formatCount(rows)}</b> rows in ${jobCount}` : `<b>${jobCount}</b>`;
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
	return page(`Import in progress: ${name}`, content, statusPath);
}

/**
 * A page on which rejected rows can be corrected.
 * @param until when it ends, in readable form
 * @param note what became of the last try, if any
 */
export function buildCorrectionPage(
	name: string,
	offer: Offer,
	until: string,
	statusPath: string,
	note?: string,
): string {
	const count = offer.rows.length + offer.hidden;
	const lead = `<b>${formatCount(count)}</b> row${count === 1 ? ' was' : 's were'} rejected and can be corrected`;
	const head = [
		`<h1>${escape(name)}</h1>`,
		'<p class="about">The import jobs have ended</p>',
		`<p class="lead">${lead}</p>`,
	];
	const title = `Rejected rows: ${name}`;
	return page(title, [...head, ...correctionForm(offer, until, note)], statusPath, offer.id);
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
	return page(name, content, statusPath);
}
