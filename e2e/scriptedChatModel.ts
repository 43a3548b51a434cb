import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

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

async function bodyOf(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

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
 */
export class ScriptedChatModel {
	readonly requests: ChatRequest[] = [];

	private constructor(private readonly server: Server) {}

	/** @param next what is said to a conversation */
	static async start(next: (messages: ChatMessage[]) => ChatReply): Promise<ScriptedChatModel> {
		const server = createServer();
		const model = new ScriptedChatModel(server);
		server.on('request', (request, response) => {
			const reply = (status: number, body: unknown) =>
				response
					.writeHead(status, { 'content-type': 'application/json' })
					.end(JSON.stringify(body));
			bodyOf(request)
				.then((body) => {
					const asked = requestSchema.parse(body);
					model.requests.push(asked);
					reply(200, completion(asked, next(asked.messages), model.requests.length));
				})
				.catch((error: unknown) => reply(400, { error: { message: String(error) } }));
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		return model;
	}

	/** The base URL for a credential. */
	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		this.server.close();
		await once(this.server, 'close');
	}
}
