import { createHash, timingSafeEqual } from 'crypto';
import { DateTime } from 'luxon';
import type {
	IRunExecutionData,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { PAGE_QUERY, type Progress, storedWait, WAKE_PATH } from './databaseWait';
import {
	buildClosedPage,
	buildCorrectionPage,
	buildProgressPage,
	buildReceivedPage,
	FORM_POLICY,
	PROGRESS_POLICY,
	readReply,
} from './progressPages';

const waitingLink = {
	name: 'default',
	path: '',
	isFullPath: true,
	restartWebhook: true,
	responseMode: 'onReceived',
} as const;

/**
 * The links of an execution that waits. n8n serves them meanwhile; nothing is registered anywhere.
 *
 * - A POST to the resume link with a path of its own wakes the node, which then looks at its jobs. What the
 *   call carries is not read, so whoever guesses the link learns and changes nothing.
 * - The link of a form shows the progress.
 * - A POST with the secret of the page carries the rows that its reader corrected.
 */
export const waitingWebhooks: IWebhookDescription[] = [
	{ ...waitingLink, httpMethod: 'POST', path: WAKE_PATH, responseData: 'noData' },
	{ ...waitingLink, httpMethod: 'GET', nodeType: 'form' },
	// An empty response is not left out: n8n would send the name of its default.
	{ ...waitingLink, httpMethod: 'POST', nodeType: 'form', responseData: '' },
];

const STATUS_PATH = '/n8n-execution-status';

const digest = (text: string) => createHash('sha256').update(text).digest();

function secretInLink(call: IWebhookFunctions): unknown {
	return (call.getQueryData() as Record<string, unknown>)[PAGE_QUERY];
}

/** Whether the link leaves the secret to the browser, which asks for it: `?page=`. */
function asksForSecret(call: IWebhookFunctions): boolean {
	return secretInLink(call) === '';
}

/** The secret in the link, or the password that the browser asked for; the user name does not matter. */
function givenSecret(call: IWebhookFunctions): unknown {
	if (!asksForSecret(call)) return secretInLink(call);
	const { authorization } = call.getHeaderData();
	const [, encoded = ''] = /^Basic (\S+)$/i.exec(authorization ?? '') ?? [];
	return Buffer.from(encoded, 'base64')
		.toString()
		.replace(/^[^:]*:/, '');
}

function hasSecret(call: IWebhookFunctions, { secret }: Progress): boolean {
	const given = givenSecret(call);
	return typeof given === 'string' && timingSafeEqual(digest(given), digest(secret));
}

/** What the caller may see of the node that waits. */
function waitFor(call: IWebhookFunctions) {
	const { pathname, search } = new URL(
		String(call.evaluateExpression('{{ $execution.resumeFormUrl }}', 0)),
	);
	const { runExecutionData } = call as {
		runExecutionData?: IRunExecutionData & { resumeToken?: unknown };
	};
	const stored = runExecutionData && storedWait(runExecutionData, call.getNode().name);
	const progress = stored?.state.progress;
	const offer = progress?.offer?.reply ? undefined : progress?.offer;
	// A link that n8n has signed and checked. The service that wakes the node has one, too: it must not see
	// or change rows.
	const isSigned = typeof runExecutionData?.resumeToken === 'string';
	const maySee = progress && (hasSecret(call, progress) || (!offer && isSigned));
	return {
		statusPath: `${pathname}${STATUS_PATH}${search}`,
		...(maySee && { stored, progress, offer }),
	};
}

type WaitFor = ReturnType<typeof waitFor>;

function pageFor(
	call: IWebhookFunctions,
	{ stored, progress, offer, statusPath }: WaitFor,
	note?: string,
): string {
	if (!stored || !progress) return buildClosedPage(statusPath);
	const format = (time: number, pattern = 'yyyy-MM-dd HH:mm'): string =>
		DateTime.fromMillis(time, { zone: call.getTimezone() }).toFormat(pattern);
	if (offer)
		return buildCorrectionPage(
			progress.name,
			offer,
			format(offer.until, 'yyyy-MM-dd HH:mm z'),
			statusPath,
			note,
		);
	const { since, begunAt, until } = stored.state.sleep;
	const times = {
		since: format(since, 'yyyy-MM-dd HH:mm z'),
		checkedAt: format(begunAt),
		nextCheck: format(until),
	};
	return buildProgressPage(progress, times, statusPath);
}

const headersFor = ({ offer }: WaitFor) => ({
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy': offer ? FORM_POLICY : PROGRESS_POLICY,
	'Cache-Control': 'no-store',
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
});

/** Shows the page. Without items, the execution keeps waiting. */
function showPage(call: IWebhookFunctions, wait: WaitFor, note?: string): IWebhookResponseData {
	const response = call.getResponseObject().set(headersFor(wait));
	if (asksForSecret(call) && !wait.stored)
		response.status(401).set('WWW-Authenticate', 'Basic realm="Import", charset="UTF-8"');
	response.send(pageFor(call, wait, note));
	return { noWebhookResponse: true };
}

/** Keeps what the reader of the page sent, and wakes the node. */
function takeReply(call: IWebhookFunctions): IWebhookResponseData {
	const wait = waitFor(call);
	const { stored, progress, offer, statusPath } = wait;
	if (!stored || !progress || !offer) return showPage(call, wait);
	// n8n reads a thousand fields of a form; its raw body has all.
	const { rawBody } = call.getRequestObject() as { rawBody?: Buffer };
	const reply = readReply(offer, new URLSearchParams(String(rawBody ?? '')));
	if (typeof reply === 'string') return showPage(call, wait, reply);
	stored.replaceProgress({ ...progress, offer: { ...offer, reply } });
	call.getResponseObject().set(headersFor(wait));
	// n8n responds once it has stored the reply.
	return {
		webhookResponse: buildReceivedPage(progress.name, reply.length, statusPath),
		workflowData: [[]],
	};
}

/** Serves the links of an execution that waits: the `webhook` of a node. */
export async function serveWaitingLink(call: IWebhookFunctions): Promise<IWebhookResponseData> {
	const isPost = call.getRequestObject().method === 'POST';
	const isForPage = PAGE_QUERY in call.getQueryData();
	if (isPost && !isForPage) return await Promise.resolve({ workflowData: [[]] });
	return isPost ? takeReply(call) : showPage(call, waitFor(call));
}
