import { createHash, timingSafeEqual } from 'crypto';
import { DateTime } from 'luxon';
import type {
	IExecuteFunctions,
	IRunExecutionData,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import {
	buildClosedPage,
	buildProgressPage,
	PROGRESS_POLICY,
	type Progress,
} from '../importFile/progressPage';
import { storedWait } from './databaseWait';
import { customDataOf } from './importJobOutput';

/**
 * The links of an execution that waits. n8n serves them meanwhile; nothing is registered anywhere.
 *
 * - A POST to the resume link wakes the node, which then looks at its jobs. What the call carries is not
 *   read, so whoever guesses the link learns and changes nothing.
 * - The link of a form shows the progress. A GET to the resume link would wake a Wait node that follows.
 */
export const waitingWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		path: '',
		isFullPath: true,
		restartWebhook: true,
		responseMode: 'onReceived',
		responseData: 'noData',
	},
	{
		name: 'default',
		httpMethod: 'GET',
		path: '',
		isFullPath: true,
		restartWebhook: true,
		responseMode: 'onReceived',
		nodeType: 'form',
	},
];

const QUERY = 'page';
const STATUS_PATH = '/n8n-execution-status';

/** Keeps the link of the page with the execution, in its custom data. */
export function recordProgressLink(functions: IExecuteFunctions, secret: string): void {
	const link = new URL(String(functions.evaluateExpression('{{ $execution.resumeFormUrl }}', 0)));
	link.searchParams.set(QUERY, secret);
	customDataOf(functions)?.set('importPage', link.toString());
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether who calls has the secret, or a link that n8n has signed and checked. */
function maySee(call: IWebhookFunctions, { secret }: Progress): boolean {
	const { [QUERY]: given } = call.getQueryData() as Record<string, unknown>;
	if (typeof given === 'string' && timingSafeEqual(digest(given), digest(secret))) return true;
	const { runExecutionData } = call as { runExecutionData?: object };
	return typeof (runExecutionData as { resumeToken?: unknown }).resumeToken === 'string';
}

function pageFor(call: IWebhookFunctions): string {
	const { pathname, search } = new URL(
		String(call.evaluateExpression('{{ $execution.resumeFormUrl }}', 0)),
	);
	const statusPath = `${pathname}${STATUS_PATH}${search}`;
	const { runExecutionData } = call as { runExecutionData?: IRunExecutionData };
	const wait = runExecutionData && storedWait(runExecutionData, call.getNode().name);
	if (!wait?.progress || !maySee(call, wait.progress)) return buildClosedPage(statusPath);
	const format = (time: number, pattern: string): string =>
		DateTime.fromMillis(time, { zone: call.getTimezone() }).toFormat(pattern);
	const { since, begunAt, until } = wait.sleep;
	const times = {
		since: format(since, 'yyyy-MM-dd HH:mm z'),
		checkedAt: format(begunAt, 'yyyy-MM-dd HH:mm'),
		nextCheck: format(until, 'yyyy-MM-dd HH:mm'),
	};
	return buildProgressPage(wait.progress, times, statusPath);
}

/** Serves the links of an execution that waits: the `webhook` of a node. */
export async function serveWaitingLink(call: IWebhookFunctions): Promise<IWebhookResponseData> {
	if (call.getRequestObject().method === 'POST')
		return await Promise.resolve({ workflowData: [[]] });
	call
		.getResponseObject()
		.set({
			'Content-Type': 'text/html; charset=utf-8',
			'Content-Security-Policy': PROGRESS_POLICY,
			'Cache-Control': 'no-store',
			'Referrer-Policy': 'no-referrer',
			'X-Content-Type-Options': 'nosniff',
		})
		.send(pageFor(call));
	// Without items, the execution keeps waiting.
	return { noWebhookResponse: true };
}
