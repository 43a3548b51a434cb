import { uniq } from 'lodash';
import type { IDataObject, INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { z } from 'zod';

import { InvalidInput } from '../service/invalidInput';
import { ServiceError } from '../service/serviceErrors';
import { CallCancelled } from '../transport/cancellation';
import { redactUrls, Redactor } from '../transport/redaction';
import { asHtml } from './showHint';

/** Longer texts are cut: one of a megabyte would be stored with every failed item. */
const LONGEST_QUOTE = 1000;

function shortenQuotes(message: string): string {
	return message.replace(/"([^"]*)"/g, (quote, text: string) =>
		text.length <= LONGEST_QUOTE ? quote : `"${[...text.slice(0, 200)].slice(0, 100).join('')}…"`,
	);
}

/** @param sentBefore whether the run has sent other items */
function describe(error: unknown, sentBefore: boolean): { message: string; description?: string } {
	const unsent = sentBefore ? 'This item was not sent.' : 'Nothing was sent.';
	if (error instanceof ServiceError)
		return { message: error.details.message, description: error.fullDescription };
	if (error instanceof InvalidInput) {
		const message = shortenQuotes(redactUrls(error.message));
		const beginning = message.includes(unsent) ? '' : `${unsent} `;
		return {
			message,
			description: `${beginning}Correct ${error.problems.length === 1 ? 'it' : 'these'} and run it again.`,
		};
	}
	if (error instanceof CallCancelled) return { message: 'The execution was canceled' };
	const message = error instanceof Error ? error.message : String(error);
	return { message: shortenQuotes(redactUrls(message)) };
}

/** Whether an AI agent calls the node: n8n gives it a type of its own then. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}

const MOST_FIELDS = 3;

/** What a language model should do, which often reads no more than the beginning of an error. */
function nextStep(error: unknown): string {
	if (error instanceof InvalidInput) {
		const fields = uniq(error.problems.map(({ field }) => field));
		const named = fields.length > MOST_FIELDS ? `${fields.length} values` : fields.join(', ');
		return `Correct ${named} (ask the person for what you do not know), then call this tool again.`;
	}
	if (error instanceof CallCancelled) return 'Do not call this tool again.';
	if (!(error instanceof ServiceError)) return 'Tell the person about this problem.';
	const { outcomeUnknown, replayable } = error.details;
	if (outcomeUnknown)
		return 'Do not call this tool again: ask the person to check in the service whether it was done.';
	return replayable
		? 'Call this tool again in a few minutes.'
		: 'Do not call this tool again with the same values.';
}

function nodeErrorOf(
	failedNode: INode,
	error: unknown,
	itemIndex: number | undefined,
	sent = '',
): NodeApiError | NodeOperationError {
	// n8n stores the node in the error, and a URL in its parameters may contain a password.
	const node = new Redactor().value(failedNode);
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		if (sent !== '') error.description = [error.description, sent].filter(Boolean).join(' ');
		return error;
	}
	const texts = describe(error, sent !== '');
	const message = isTool(failedNode) ? `${nextStep(error)} ${texts.message}` : texts.message;
	const description = [texts.description, sent].filter(Boolean).join(' ') || undefined;
	const httpCode = error instanceof ServiceError ? error.details.httpCode?.toString() : undefined;
	const nodeError =
		error instanceof ServiceError
			? // The texts, not the error itself: n8n keeps and shows the cause, and the texts hold no secrets.
				new NodeApiError(
					node,
					{ message, description: description ?? null },
					{ message, description, itemIndex, httpCode },
				)
			: new NodeOperationError(node, message, { itemIndex, description });
	// n8n replaces a message that holds a word such as ENOTFOUND, also where the service said it.
	nodeError.message = message;
	return nodeError;
}

/**
 * Turns anything an operation threw into the error n8n shows; nothing else does.
 * @param itemIndex none for a problem of the whole node
 * @param sent sentences about other items of the run, for an error that stops it
 */
export function toNodeError(
	...given: Parameters<typeof nodeErrorOf>
): NodeApiError | NodeOperationError {
	const nodeError = nodeErrorOf(...given);
	// The service can repeat a value in it.
	if (nodeError.description) nodeError.description = asHtml(nodeError.description);
	return nodeError;
}

/** The data of a failed item: n8n knows one by `error` alone, and drops properties beside it. */
export function errorItem(node: INode, error: unknown, itemIndex: number): IDataObject {
	const { message, description } = nodeErrorOf(node, error, itemIndex);
	const details = error instanceof ServiceError ? error.details : undefined;
	return {
		error: {
			message,
			description: description ?? null,
			httpCode: details?.httpCode ?? null,
			replayable: details?.replayable ?? false,
			outcomeUnknown: details?.outcomeUnknown ?? false,
			request: details?.request ? { ...details.request } : null,
			jobId: details?.jobId ?? null,
		},
	};
}

const optional = <T extends z.ZodTypeAny>(schema: T) =>
	schema.nullish().transform((value: z.output<T> | null | undefined) => value ?? undefined);

/** The details of a ServiceError, as {@link errorItem} writes them. */
export const storedErrorSchema = z.object({
	message: z.string(),
	description: z
		.string()
		.nullable()
		.transform((text) => text ?? ''),
	httpCode: optional(z.number()),
	replayable: z.boolean(),
	outcomeUnknown: z.boolean(),
	request: optional(z.object({ method: z.string(), path: z.string(), body: z.unknown() })),
	jobId: optional(z.number()),
});
const failedItemSchema = z.object({ error: storedErrorSchema });

/** The error of {@link errorItem}; undefined for data of another kind. */
export function errorOfItem(json: IDataObject | undefined): ServiceError | undefined {
	const { data } = failedItemSchema.safeParse(json);
	return data && new ServiceError(data.error);
}
