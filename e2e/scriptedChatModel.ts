import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { listen } from '../hosts/listen';

const messageSchema = z.object({ role: z.string(), content: z.unknown() }).passthrough();
const requestSchema = z.object({
	model: z.string(),
	stream: z.literal(false).optional(),
	messages: z.array(messageSchema).min(1),
	tools: z
		.array(
			z.object({
				function: z.object({
					name: z.string(),
					description: z.string().optional(),
					parameters: z.object({ properties: z.record(z.unknown()) }).passthrough(),
				}),
			}),
		)
		.optional(),
});

type ChatMessage = z.output<typeof messageSchema>;
/** What the model is sent: the conversation so far, and the tools it may ask for. */
type ChatRequest = z.output<typeof requestSchema>;

/** What the model says next: words, or that a tool is to be called. */
type ChatReply = { say: string } | { tool: string; args: Record<string, unknown> };

function completion({ model }: ChatRequest, reply: ChatReply, number: number) {
	const message =
		'say' in reply
			? { role: 'assistant', content: reply.say }
			: {
					role: 'assistant',
					content: null,
					tool_calls: [
						{
							id: `call_${number}`,
							type: 'function',
							function: { name: reply.tool, arguments: JSON.stringify(reply.args) },
						},
					],
				};
	return {
		id: `chatcmpl-${number}`,
		object: 'chat.completion',
		created: Math.floor(Date.now() / 1000),
		model,
		choices: [{ index: 0, message, finish_reason: 'say' in reply ? 'stop' : 'tool_calls' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

/**
 * A language model with a script, behind the chat completions API that OpenAI's clients speak: agents
 * call it over HTTP as they would a real one.
 *
 * @param next what is said to a conversation
 * @returns what it was sent so far, and its base URL for a credential
 */
export async function startScriptedChatModel(next: (messages: ChatMessage[]) => ChatReply) {
	const requests: ChatRequest[] = [];
	const respond = (body: unknown) => {
		const asked = requestSchema.parse(body);
		requests.push(asked);
		return completion(asked, next(asked.messages), requests.length);
	};
	const server = createServer((request, response) => {
		const reply = (status: number, body: unknown) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
		json(request)
			.then((body) => reply(200, respond(body)))
			.catch((error: unknown) => reply(400, { error: { message: String(error) } }));
	});
	const { port, close } = await listen(server);
	return { requests, url: `http://127.0.0.1:${port}/v1`, close };
}
