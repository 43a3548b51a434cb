import type { IDataObject, INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { InvalidPathValue } from '../service/endpoints';
import { InvalidInput } from '../service/invalidInput';
import { ServiceError } from '../service/serviceErrors';
import { CallCancelled } from '../transport/cancellation';
import { createRedactor, redactUrls } from '../transport/redaction';

type NodeError = NodeApiError | NodeOperationError;

/** Longer texts are cut: one of a megabyte would be stored with every failed item. */
const LONGEST_QUOTE = 1000;

function shortenQuotes(message: string): string {
	return message.replace(/"([^"]*)"/g, (quote, text: string) =>
		text.length <= LONGEST_QUOTE ? quote : `"${[...text.slice(0, 200)].slice(0, 100).join('')}…"`,
	);
}

/** Turns anything an operation threw into the error n8n shows; nothing else does. */
export function toNodeError(failedNode: INode, error: unknown, itemIndex: number): NodeError {
	// n8n stores the node in the error, and a URL in its parameters may contain a password.
	const node = createRedactor([]).value(failedNode);
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (error instanceof ServiceError) {
		const { message, httpCode } = error.details;
		const description = error.fullDescription;
		// The details, not the error itself: n8n keeps and shows the cause, and the details hold no
		// secrets.
		const details: JsonObject = { message, description };
		return new NodeApiError(node, details, {
			message,
			description,
			itemIndex,
			...(httpCode !== undefined && { httpCode: String(httpCode) }),
		});
	}
	if (error instanceof InvalidInput) {
		const [first, ...more] = error.problems;
		return new NodeOperationError(node, shortenQuotes(redactUrls(error.message)), {
			itemIndex,
			description:
				more.length === 0
					? `Nothing was sent. Correct "${first.field}" and run the item again.`
					: 'Nothing was sent. Correct these and run the item again.',
		});
	}
	if (error instanceof InvalidPathValue) {
		return new NodeOperationError(
			node,
			`The value for ${error.segment} is empty or cannot be part of an address`,
			{
				itemIndex,
				description: 'Nothing was sent. Enter the ID or name of the record.',
			},
		);
	}
	if (error instanceof CallCancelled) {
		return new NodeOperationError(node, 'The execution was canceled', { itemIndex });
	}
	return new NodeOperationError(
		node,
		shortenQuotes(redactUrls(error instanceof Error ? error.message : String(error))),
		{
			itemIndex,
		},
	);
}

/**
 * The data of a failed item, all under `error`: n8n recognises a failed item by that property alone,
 * merges the input item's data beside it, and drops other properties.
 */
export function errorItem(error: unknown, nodeError: NodeError): IDataObject {
	const details = error instanceof ServiceError ? error.details : undefined;
	return {
		error: {
			message: nodeError.message,
			description: nodeError.description ?? null,
			httpCode: details?.httpCode ?? null,
			replayable: details?.replayable ?? false,
			outcomeUnknown: details?.outcomeUnknown ?? false,
			request: details?.request ? { ...details.request } : null,
			jobId: details?.jobId ?? null,
		},
	};
}
