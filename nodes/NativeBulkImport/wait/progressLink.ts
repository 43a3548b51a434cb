import { createHash, timingSafeEqual } from 'crypto';
import { DateTime } from 'luxon';
import type {
	IRunExecutionData,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import {
	isRefused,
	PAGE_QUERY,
	type Question,
	refuseCalls,
	storedWait,
	WAKE_PATH,
	WAKE_QUERY,
} from './databaseWait';
import {
	buildClosedPage,
	buildProgressPage,
	buildQuestionPage,
	buildReceivedPage,
	FORM_POLICY,
	PROGRESS_POLICY,
} from './progressPages';

/** A form on the page of a node that waits: whoever asks the question builds it and reads what was sent. */
export interface QuestionForm {
	/** The name by which a question refers to the form. */
	name: string;
	/** The page's title, before the name of the import. */
	title: string;
	/** Whether whoever has the page open keeps it, whatever comes next. */
	stays?: boolean;
	/**
	 * The page below its heading.
	 * @param until when it ends, in readable form
	 * @param note the result of the last try, if any
	 */
	build: (question: Question, until: string, note?: string) => string[];
	/** Returns the reply and what its reader is told; or why there is nothing to do. */
	read: (
		question: Question,
		sent: URLSearchParams,
	) => { reply: unknown; received: string } | string;
}

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
 * - A POST to the resume link with the secret of the wait wakes the node, which then looks at its jobs. What
 *   the call carries is not read. A node that asked for no such call is not woken.
 * - The link of a form shows the progress.
 * - A POST with the secret of the page carries what its reader was asked.
 *
 * A call that was slow can belong to a wait that is over. n8n would go back to it, so it is refused.
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

function isSecret(given: unknown, secret: string): boolean {
	return typeof given === 'string' && timingSafeEqual(digest(given), digest(secret));
}

function waitOf(call: IWebhookFunctions): ReturnType<typeof storedWait> {
	const { runExecutionData } = call as { runExecutionData?: IRunExecutionData };
	return runExecutionData && storedWait(runExecutionData, call.getNode().name);
}

/** What the caller may see of the node that waits. */
function waitFor(call: IWebhookFunctions) {
	const { pathname, search } = new URL(
		String(call.evaluateExpression('{{ $execution.resumeFormUrl }}', 0)),
	);
	const { runExecutionData } = call as { runExecutionData?: { resumeToken?: unknown } };
	const stored = waitOf(call);
	const progress = stored?.state.progress;
	const question = progress?.question?.reply ? undefined : progress?.question;
	// A link that n8n has signed and checked. The service that wakes the node has one, too: it must not see
	// or change rows.
	const isSigned = typeof runExecutionData?.resumeToken === 'string';
	const maySee =
		progress && (isSecret(givenSecret(call), progress.secret) || (!question && isSigned));
	return {
		statusPath: `${pathname}${STATUS_PATH}${search}`,
		...(maySee && { stored, progress, question }),
	};
}

type WaitFor = ReturnType<typeof waitFor>;

function formOf(
	question: Question | undefined,
	forms: readonly QuestionForm[],
): QuestionForm | undefined {
	return forms.find(({ name }) => name === question?.form);
}

function pageFor(
	call: IWebhookFunctions,
	forms: readonly QuestionForm[],
	{ stored, progress, question, statusPath }: WaitFor,
	note?: string,
): string {
	if (!stored || !progress) return buildClosedPage(statusPath);
	const format = (time: number, pattern = 'yyyy-MM-dd HH:mm'): string =>
		DateTime.fromMillis(time, { zone: call.getTimezone() }).toFormat(pattern);
	const { name } = progress;
	const form = formOf(question, forms);
	if (question && form) {
		const content = form.build(question, format(question.until, 'yyyy-MM-dd HH:mm z'), note);
		const { title, stays = false } = form;
		return buildQuestionPage(name, { title, content, id: question.id, stays }, statusPath);
	}
	const { since, begunAt, until } = stored.state.sleep;
	const times = {
		since: format(since, 'yyyy-MM-dd HH:mm z'),
		checkedAt: format(begunAt),
		nextCheck: format(until),
	};
	return buildProgressPage(progress, times, statusPath);
}

const headersFor = ({ stored, question }: WaitFor) => ({
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy': question || !stored ? FORM_POLICY : PROGRESS_POLICY,
	'Cache-Control': 'no-store',
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
});

/** Shows the page. Without items, the execution keeps waiting. */
function showPage(
	call: IWebhookFunctions,
	forms: readonly QuestionForm[],
	wait: WaitFor,
	note?: string,
): IWebhookResponseData {
	const response = call.getResponseObject().set(headersFor(wait));
	if (asksForSecret(call) && !wait.stored)
		response.status(401).set('WWW-Authenticate', 'Basic realm="Import", charset="UTF-8"');
	response.send(pageFor(call, forms, wait, note));
	return { noWebhookResponse: true };
}

const TOO_LATE =
	'Somebody else has already answered, or the time is over. Your answer was not used.';

/** n8n needs a moment to store a reply; another one must not come meanwhile. */
const WHILE_STORED_MS = 30_000;

/** Keeps what the reader of the page sent, and wakes the node. */
function takeReply(call: IWebhookFunctions, forms: readonly QuestionForm[]): IWebhookResponseData {
	const wait = waitFor(call);
	const { stored, progress, question, statusPath } = wait;
	const form = formOf(question, forms);
	if (!stored || !progress || !question || !form) return showPage(call, forms, wait);
	// n8n reads a thousand fields of a form; its raw body has all.
	const { rawBody } = call.getRequestObject() as { rawBody?: Buffer };
	const read = form.read(question, new URLSearchParams(String(rawBody ?? '')));
	if (typeof read === 'string') return showPage(call, forms, wait, read);
	const { reply, received } = read;
	const { token } = stored.state;
	call.getResponseObject().set(headersFor(wait));
	if (isRefused(token)) {
		call
			.getResponseObject()
			.status(409)
			.send(buildReceivedPage(progress.name, TOO_LATE, statusPath));
		return { noWebhookResponse: true };
	}
	refuseCalls(token, WHILE_STORED_MS);
	stored.answer({ ...progress, question: { ...question, reply } });
	// n8n responds once it has stored the reply.
	return {
		webhookResponse: buildReceivedPage(progress.name, received, statusPath),
		workflowData: [[]],
	};
}

/** Wakes the node if it asked for this call and still waits. */
function wake(call: IWebhookFunctions): IWebhookResponseData {
	const { token, wakeSecret, progress } = waitOf(call)?.state ?? {};
	const isForReader = progress?.question && !progress.question.reply;
	const given = (call.getQueryData() as Record<string, unknown>)[WAKE_QUERY];
	const isAsked = wakeSecret !== undefined && isSecret(given, wakeSecret);
	if (token !== undefined && isAsked && !isForReader && !isRefused(token))
		return { workflowData: [[]] };
	const [status, text] = isAsked
		? [409, 'The wait is over.']
		: [403, 'Nothing waits for this call.'];
	call.getResponseObject().status(status).send(text);
	return { noWebhookResponse: true };
}

/**
 * Serves the links of an execution that waits: the `webhook` of a node.
 * @param forms of the questions that the page can ask
 */
export async function serveWaitingLink(
	call: IWebhookFunctions,
	forms: readonly QuestionForm[],
): Promise<IWebhookResponseData> {
	const isPost = call.getRequestObject().method === 'POST';
	const isForPage = PAGE_QUERY in call.getQueryData();
	if (isPost && !isForPage) return await Promise.resolve(wake(call));
	return isPost ? takeReply(call, forms) : showPage(call, forms, waitFor(call));
}
