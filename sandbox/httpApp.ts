import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { registerApi } from './api';
import { authenticationMethod } from './tenants/authentication';
import { registerControl, type SandboxControl } from './control';
import { alterResponse, type Fault } from './faults';
import { registerFileHosts } from './files/fileHosts';
import {
	BAD_REQUEST_PAGE,
	ERROR_PAGE,
	frontServerResponse,
	HtmlRejected,
	NOT_FOUND_PAGE,
	REDIRECT_TO_ERROR_PAGE,
	serverErrorPage,
	type HtmlResponse,
} from './wire/htmlResponses';
import type { RequestLogEntry } from './requestLog';
import { RequestRejected } from './wire/requestRejected';
import type { Sandboxed } from './sandboxState';

declare module 'fastify' {
	interface FastifyRequest {
		/** The entry of the request log; null for control calls, which are not logged. */
		logEntry: RequestLogEntry | null;
		/** The fault that applies to this request. */
		fault: Fault | null;
	}
}

const HTML_TYPE = 'text/html; charset=utf-8';
const CONTROL_PREFIX = '/_sandbox';
const MAX_PATH_PARAMETER = 1000;
const KEEP_ALIVE_MS = 72_000;
const MAX_BODY_BYTES = 30 * 1000 * 1000;

function sendHtml(reply: FastifyReply, response: HtmlResponse): FastifyReply {
	if (response.location !== undefined) reply.header('location', response.location);
	return reply.code(response.status).header('content-type', HTML_TYPE).send(response.html);
}

function sendError(reply: FastifyReply, error: unknown): FastifyReply {
	if (error instanceof HtmlRejected) return sendHtml(reply, error.response);
	if (error instanceof RequestRejected)
		return reply.code(error.status).send({ errors: error.errors });
	const status =
		error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
			? error.statusCode
			: 500;
	return reply.code(status).send({
		errors: [
			{
				code: status < 500 ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR',
				text: error instanceof Error ? error.message : String(error),
				...(status >= 500 && { referenceCode: `SANDBOX-${status}` }),
			},
		],
	});
}

function newLogEntry(state: Sandboxed, request: FastifyRequest): RequestLogEntry {
	const [path = ''] = request.url.split('?');
	const query = Object.entries(request.query as Record<string, unknown>).map(
		([name, value]): [string, string] => [name, state.log.maskText(String(value))],
	);
	return state.log.add({
		receivedAt: new Date(state.clock()).toISOString(),
		atMs: performance.now(),
		tenant: null,
		method: request.method,
		path: state.log.maskText(path),
		query: Object.fromEntries(query),
		headers: state.log.maskHeaders(request.headers),
		authentication: authenticationMethod(request.headers),
		body: null,
		status: null,
		admitted: false,
		executed: false,
		category: null,
		bucket: null,
		fault: null,
	});
}

interface FaultResponse {
	status: number;
	headers: Record<string, string>;
	body: string;
}

function statusResponse(fault: Extract<Fault, { kind: 'status' }>, now: number): FaultResponse {
	const { status, retryAfterMs = 1000 } = fault;
	const retryAfter = fault.retryAfter ?? (status === 429 ? 'text' : 'none');
	const retryHeader =
		retryAfter === 'seconds'
			? String(Math.ceil(retryAfterMs / 1000))
			: retryAfter === 'date'
				? new Date(now + retryAfterMs).toUTCString()
				: undefined;
	const isHtml = (fault.body ?? (status > 500 ? 'html' : 'json')) === 'html';
	const code = status === 429 ? '429' : status >= 500 ? 'INTERNAL_SERVER_ERROR' : 'BAD_REQUEST';
	const text =
		status === 429
			? `Rate limit exceeded.${retryAfter === 'text' ? ` Try again in ${retryAfterMs} ms.` : ''}`
			: 'An unexpected error occurred.';
	const error = { code, text, ...(status >= 500 && { referenceCode: 'SANDBOX-FAULT' }) };
	return {
		status,
		headers: {
			'content-type': isHtml ? HTML_TYPE : 'application/json; charset=utf-8',
			...(retryHeader !== undefined && { 'retry-after': retryHeader }),
		},
		body: isHtml ? serverErrorPage(status).html : JSON.stringify({ errors: [error] }),
	};
}

function faultResponse(
	fault: Extract<Fault, { kind: 'status' | 'response' }>,
	now: number,
): FaultResponse {
	if (fault.kind === 'status') return statusResponse(fault, now);
	const { status, headers, body = '' } = fault;
	return {
		status,
		headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
		body: typeof body === 'string' ? body : JSON.stringify(body),
	};
}

/** Applies what a fault does before the request is executed; without a reply, it is executed. */
async function applyBefore(
	fault: Fault,
	request: FastifyRequest,
	reply: FastifyReply,
	state: Sandboxed,
): Promise<FastifyReply | undefined> {
	const { resets } = state;
	if ('executed' in fault && fault.executed === true) return undefined;
	switch (fault.kind) {
		case 'latency':
			await sleep(fault.ms);
			if (state.resets === resets) return undefined;
			// It belongs to data that is gone.
			reply.hijack();
			request.raw.socket.destroy();
			return reply;
		case 'status':
		case 'response': {
			const { status, headers, body } = faultResponse(fault, state.clock());
			return reply.code(status).headers(headers).send(body);
		}
		case 'htmlPage':
			return sendHtml(reply, ERROR_PAGE);
		case 'redirectToErrorPage':
			return sendHtml(reply, REDIRECT_TO_ERROR_PAGE);
		case 'redirect':
			return reply.code(302).header('location', fault.location).send();
		case 'noResponse':
			return reply.hijack();
		case 'resetBefore':
			reply.hijack();
			request.raw.socket.destroy();
			return reply;
		default:
			return undefined;
	}
}

function bufferOf(payload: unknown): Buffer {
	if (Buffer.isBuffer(payload)) return payload;
	return Buffer.from(typeof payload === 'string' ? payload : '');
}

function addFaultHooks(app: FastifyInstance, state: Sandboxed): void {
	app.addHook('preHandler', async (request, reply) => {
		const { logEntry } = request;
		if (!logEntry) return;
		if (!Buffer.isBuffer(request.body)) logEntry.body = state.log.maskValue(request.body);
		const fault = state.faults.take({
			method: request.method,
			path: request.url,
			tenant: logEntry.tenant,
		});
		if (!fault) return;
		request.fault = fault;
		logEntry.fault = fault.kind;
		return applyBefore(fault, request, reply, state);
	});

	app.addHook('onSend', async (request, reply, payload) => {
		const { logEntry, fault } = request;
		const isReplaced = fault?.kind === 'status' || fault?.kind === 'response';
		if (isReplaced && fault.executed === true) {
			const response = faultResponse(fault, state.clock());
			reply.removeHeader('content-length').code(response.status).headers(response.headers);
			if (logEntry) logEntry.status = response.status;
			return response.body;
		}
		if (logEntry) logEntry.status = reply.statusCode;
		if (!fault) return payload;
		if (fault.kind === 'latency' && fault.executed === true) await sleep(fault.ms);
		if (fault.kind === 'resetAfter' || fault.kind === 'noResponse') {
			if (logEntry) logEntry.status = null;
			if (fault.kind === 'resetAfter') request.raw.socket.destroy();
			else await once(request.raw.socket, 'close');
			return payload;
		}
		const altered = alterResponse(fault, bufferOf(payload));
		if (!altered) return payload;
		// Fastify listens to a streamed response at every place that waits for it.
		reply.raw.setMaxListeners(20);
		reply.removeHeader('content-length');
		// A response with status 204 can have no body.
		if (reply.statusCode === 204 && altered.body !== null) reply.code(200);
		if (altered.contentLength !== undefined) reply.header('content-length', altered.contentLength);
		if (altered.contentType !== undefined) reply.header('content-type', altered.contentType);
		return altered.body;
	});
}

interface HttpApp {
	app: FastifyInstance;
	http: Server;
	https: Server;
}

/** One application behind a plain and a TLS listener. */
export async function httpApp(
	state: Sandboxed,
	control: SandboxControl,
	certificate: { key: string; cert: string },
): Promise<HttpApp> {
	const listeners: Partial<Pick<HttpApp, 'http' | 'https'>> = {};
	const app = fastify({
		logger: false,
		exposeHeadRoutes: false,
		bodyLimit: MAX_BODY_BYTES,
		routerOptions: { maxParamLength: MAX_PATH_PARAMETER },
		frameworkErrors: (_error, _request, reply) => void sendHtml(reply, BAD_REQUEST_PAGE),
		serverFactory: (handler) => {
			listeners.https = createHttpsServer(certificate, handler);
			listeners.http = createHttpServer(handler);
			// Idle connections outlive a client's pauses, so that it never reuses one that is being closed.
			listeners.https.keepAliveTimeout = KEEP_ALIVE_MS;
			listeners.http.keepAliveTimeout = KEEP_ALIVE_MS;
			return listeners.http;
		},
	});
	app.decorateRequest('logEntry', null);
	app.decorateRequest('fault', null);
	app.setErrorHandler((error, _request, reply) => sendError(reply, error));
	app.setNotFoundHandler((_request, reply) => sendHtml(reply, NOT_FOUND_PAGE));

	app.addHook('onRequest', async (request, reply) => {
		if (request.url.startsWith(CONTROL_PREFIX)) return;
		const entry = newLogEntry(state, request);
		request.logEntry = entry;
		reply.raw.once('close', () => state.onEnd(entry));
		const response = frontServerResponse(request.url);
		if (response) return sendHtml(reply, response);
	});
	addFaultHooks(app, state);

	app.get('/Error.aspx', async (_request, reply) => sendHtml(reply, ERROR_PAGE));
	await app.register(async (scope) => registerApi(scope, state, 'v2'), { prefix: '/v2' });
	await app.register(async (scope) => registerApi(scope, state, 'v4'), { prefix: '/v4' });
	await app.register(async (scope) => registerFileHosts(scope, state));
	await app.register(async (scope) => registerControl(scope, control), { prefix: CONTROL_PREFIX });
	await app.ready();
	const { http, https } = listeners;
	if (!http || !https) throw new Error('fastify did not ask for a server');
	return { app, http, https };
}
