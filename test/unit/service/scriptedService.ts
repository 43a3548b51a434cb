import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';

import { readConnection } from '../../../nodes/shared/service/connection';
import { NativeService } from '../../../nodes/shared/service/nativeService';
import type { ServiceSession } from '../../../nodes/shared/service/connection';
import { HandDrivenClock } from '../transport/handDrivenClock';

/** Response of the service to one request; an error is thrown by the helper. */
export type ScriptedResponse =
	| { status: number; body?: unknown; headers?: Record<string, string> }
	| Error;

interface SentRequest {
	method: string;
	/** Address below the root. */
	path: string;
	body: unknown;
	headers: Record<string, unknown>;
}

const ROOT = 'https://api.example.org/v2';

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

function textOf(body: unknown): string {
	if (body === undefined) return '';
	return typeof body === 'string' ? body : JSON.stringify(body);
}

function sent({ method = 'GET', url, body, headers = {} }: IHttpRequestOptions): SentRequest {
	return {
		method,
		path: url.startsWith(ROOT) ? url.slice(ROOT.length) : url,
		body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined,
		headers: headers as Record<string, unknown>,
	};
}

/**
 * The real service client on a hand-driven clock, with a sender whose responses a test gives.
 * @param response gives the response to each request; its second argument counts from 0
 */
export function scriptedService(
	response: (request: SentRequest, position: number) => ScriptedResponse,
	changes: Partial<ServiceSession> & { credential?: Record<string, unknown> } = {},
) {
	const { credential, ...session } = changes;
	// A key of its own, because the limiters of a key outlive a test.
	const apiKey = randomUUID();
	const clock = new HandDrivenClock();
	const requests: Array<SentRequest & { at: number }> = [];
	const downloads: Array<SentRequest & { at: number }> = [];
	const sender =
		(log: Array<SentRequest & { at: number }>) => async (options: IHttpRequestOptions) => {
			const request = sent(options);
			log.push({ ...request, at: clock.now() });
			const given = response(request, log.length - 1);
			if (given instanceof Error) throw given;
			const { status, body, headers = JSON_HEADERS } = given;
			return await Promise.resolve({
				statusCode: status,
				headers,
				body: Readable.from([Buffer.from(textOf(body))]),
			});
		};
	const service = new NativeService({
		connection: readConnection({
			deployment: 'other',
			baseUrl: 'https://api.example.org',
			apiKey,
			...credential,
		}),
		sender: sender(requests),
		anonymousSender: sender(downloads),
		clock,
		random: () => 1,
		wallClock: () => 0,
		signal: undefined,
		timeoutMs: 5000,
		replayUnknownOutcome: false,
		...session,
	});
	return { service, clock, apiKey, requests, downloads };
}

/** The error a call ends with. */
export async function errorOf(work: Promise<unknown>): Promise<unknown> {
	return await work.then(
		() => 'no error',
		(error: unknown) => error,
	);
}
