import { request } from 'node:http';
import type { Sandbox } from '../../../sandbox';

export const DEMO_KEY = '11111111-1111-4111-8111-111111111111';
export const OTHER_KEY = '22222222-2222-4222-8222-222222222222';
export const RESTRICTED_KEY = '33333333-3333-4333-8333-333333333333';

/** Limits no test meets by accident. */
export const UNLIMITED = { high: 1_000_000, medium: 1_000_000, low: 1_000_000, monthly: null };

export function basic(username: string, password: string): string {
	return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

interface CallResponse {
	status: number;
	headers: Headers;
	text: string;
	/** The parsed JSON body, or the text where it is no JSON. */
	body: unknown;
}

interface CallOptions {
	/** Header authentication of v2 unless the version is v4. */
	key?: string;
	headers?: Record<string, string>;
	/** Sent as JSON. */
	body?: unknown;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** One call over a real socket; redirects are not followed. */
export async function call(
	sandbox: Sandbox,
	method: string,
	path: string,
	{ key = DEMO_KEY, headers, body }: CallOptions = {},
): Promise<CallResponse> {
	const credentials: Record<string, string> = path.startsWith('/v4')
		? { authorization: basic('test', `${key}|1`) }
		: { apiKey: key };
	const response = await fetch(`${sandbox.url}${path}`, {
		method,
		redirect: 'manual',
		headers: {
			...credentials,
			...(body !== undefined && { 'content-type': 'application/json' }),
			...headers,
		},
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/** A request as written, for what fetch would correct: headers of one's own choice, odd paths. */
export async function rawCall(
	sandbox: Sandbox,
	method: string,
	path: string,
	headers: Record<string, string>,
	body = '',
): Promise<{ status: number; text: string; location: string | undefined }> {
	const { hostname, port } = new URL(sandbox.url);
	return await new Promise((resolve, reject) => {
		const outgoing = request(
			{ hostname, port, path, method, headers, agent: false },
			(incoming) => {
				const chunks: Buffer[] = [];
				incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
				incoming.on('error', reject);
				incoming.on('end', () =>
					resolve({
						status: incoming.statusCode ?? 0,
						text: Buffer.concat(chunks).toString('utf8'),
						location: incoming.headers.location,
					}),
				);
			},
		);
		outgoing.on('error', reject);
		outgoing.end(body);
	});
}

/** The properties that a 400 response complains about. */
export function rejectedProperties(response: CallResponse): string[] {
	const { errors } = response.body as { errors: Array<{ properties?: string[] }> };
	return errors.flatMap((error) => error.properties ?? []);
}
