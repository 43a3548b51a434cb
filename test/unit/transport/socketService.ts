import {
	createServer,
	request as httpRequest,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import type { Sender } from '../../../nodes/shared/transport/httpRequest';

/** A server on a loopback socket with a behavior that the test chooses. */
export interface SocketService {
	url: string;
	/** Bodies of the requests that arrived, in order. */
	received: string[];
	/** How many connections are open. */
	openConnections(): number;
	close(): Promise<void>;
}

/** @param behave responds to a request whose body has arrived, or does not respond */
export async function startSocketService(
	behave: (response: ServerResponse, request: IncomingMessage, position: number) => void,
): Promise<SocketService> {
	const received: string[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((request, response) => {
		const parts: Buffer[] = [];
		request.on('data', (part: Buffer) => parts.push(part));
		request.on('end', () => {
			received.push(Buffer.concat(parts).toString('utf8'));
			behave(response, request, received.length - 1);
		});
	});
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		// A client that hangs up is part of the tests.
		socket.on('error', () => undefined);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		received,
		openConnections: () => sockets.size,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** The address of a port without a listener. */
export async function deadAddress(): Promise<string> {
	const service = await startSocketService(() => undefined);
	await service.close();
	return service.url;
}

/**
 * Sends over a real socket and resolves with what n8n's helper resolves with: status, headers and the
 * body as a stream.
 * @param heedsSignal whether the sender itself ends when the request is aborted
 */
export function socketSender(heedsSignal = true): Sender {
	return async ({ url, method, headers, body, abortSignal }) =>
		await new Promise((resolve, reject) => {
			const request = httpRequest(
				url,
				{
					method,
					headers: headers as Record<string, string>,
					agent: false,
					...(heedsSignal && { signal: abortSignal as AbortSignal }),
				},
				(response) =>
					resolve({ statusCode: response.statusCode, headers: response.headers, body: response }),
			);
			request.on('error', reject);
			request.end(body as string | undefined);
		});
}
