import { additionalDataFor, type NodeSetup, workflowWith } from './engine';

// After the settings of the engine.
import { WebhookContext } from 'n8n-core';
import type { IRunExecutionData } from 'n8n-workflow';

/** What n8n's web server gives back for a link of an execution that waits. */
export interface LinkResponse {
	status: number;
	headers: Record<string, string>;
	body: string;
	/** Whether the execution continues. */
	wakes: boolean;
}

/**
 * Calls a link of an execution that waits, as n8n does.
 * @param stored what n8n stores of the execution; a call that wakes it can change it
 * @param form the fields of a POST
 */
export async function callWaitingLink(
	setup: NodeSetup,
	stored: IRunExecutionData,
	method: 'GET' | 'POST',
	query: Record<string, unknown> = {},
	form: Record<string, string> = {},
	headers: Record<string, string> = {},
): Promise<LinkResponse> {
	const { workflow, node } = workflowWith(setup, []);
	const response: LinkResponse = { status: 200, headers: {}, body: '', wakes: false };
	const httpResponse = {
		status: (status: number) => {
			response.status = status;
			return httpResponse;
		},
		set: (...[given, value]: [Record<string, string>] | [string, string]) => {
			Object.assign(response.headers, typeof given === 'string' ? { [given]: value } : given);
			return httpResponse;
		},
		send: (body: string) => {
			response.body = body;
			return httpResponse;
		},
	};
	const additionalData = {
		...additionalDataFor(setup, 'trigger'),
		httpRequest: {
			method,
			query,
			headers,
			rawBody: Buffer.from(String(new URLSearchParams(form))),
		},
		httpResponse,
	} as never;
	const [description] = setup.node.description.webhooks ?? [];
	const context = new WebhookContext(
		workflow,
		node,
		additionalData,
		'trigger',
		{
			webhookDescription: description ?? { httpMethod: method, name: 'default', path: '' },
			httpMethod: method,
			node: node.name,
			path: '',
			userId: undefined,
			workflowId: 'workflow',
			workflowExecuteAdditionalData: additionalData,
		},
		[],
		stored,
	);
	if (!setup.node.webhook) throw new Error('The node has no webhook.');
	const { workflowData, webhookResponse } = await setup.node.webhook.call(context);
	const body = typeof webhookResponse === 'string' ? webhookResponse : response.body;
	return { ...response, body, wakes: workflowData !== undefined };
}
