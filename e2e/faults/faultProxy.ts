import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import dns, { type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import {
	createServer as createHttpServer,
	request as httpRequest,
	type IncomingMessage,
	type Server as HttpServer,
	type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { freePort } from '../../hosts/freePort.mjs';
import type { Certificate } from '../../sandbox';

/** What goes wrong before a request is on its way. */
export type ConnectionFault =
	| 'refused'
	| 'nameUnknown'
	| 'certificateNotTrusted'
	| 'handshakeCut'
	| 'notTls';

interface FaultProxyOptions {
	fault: ConnectionFault;
	/** How many connections work first. */
	skip: number;
	/** How many connections fail after that. */
	count: number;
	/** Base address of the sandbox: everything else is forwarded to it. */
	origin: string;
	/** Trusted, for the names below {@link PROXY_DOMAIN} and this machine. */
	trusted: Certificate;
	/** Signed by no one the client trusts. */
	untrusted: Certificate;
}

/** Names below it resolve to this machine, unless a proxy makes them fail. */
export const PROXY_DOMAIN = 'service.example.org';

/** Names of proxies, and whether their next resolution works. */
const names = new Map<string, () => boolean>();

type LookupCallback = (
	error: NodeJS.ErrnoException | null,
	address?: string | LookupAddress[],
	family?: number,
) => void;

/** Resolves the made-up names of proxies. Every library of the process uses `dns.lookup`. */
export function resolveProxyNames(): void {
	const systemLookup = dns.lookup as (...args: unknown[]) => void;
	const lookup = (name: string, ...rest: unknown[]): void => {
		const resolves = names.get(name);
		if (!resolves) return systemLookup(name, ...rest);
		const [options] = rest;
		const callback = rest.at(-1) as LookupCallback;
		if (!resolves()) {
			const error = new Error(`getaddrinfo ENOTFOUND ${name}`);
			const facts = { code: 'ENOTFOUND', errno: -3008, syscall: 'getaddrinfo', hostname: name };
			return process.nextTick(callback, Object.assign(error, facts));
		}
		const all = options !== null && typeof options === 'object' && 'all' in options && options.all;
		const address = '127.0.0.1';
		if (all) process.nextTick(callback, null, [{ address, family: 4 }]);
		else process.nextTick(callback, null, address, 4);
	};
	Object.assign(dns, { lookup });
}

let proxies = 0;

/** Forwards requests to the sandbox, one connection each, and breaks some of the connections. */
export class FaultProxy {
	/** Connections broken so far. */
	failed = 0;
	/** Base address for clients. */
	url = '';
	private tried = 0;
	private server: Server | undefined;
	private readonly plain: HttpServer;
	private readonly secure: HttpServer;
	private readonly strange: HttpServer;
	private readonly host: string;
	private readonly sockets = new Set<Socket>();

	private constructor(private readonly options: FaultProxyOptions) {
		const handle = (request: IncomingMessage, response: ServerResponse) =>
			void this.forward(request, response).catch(() => response.destroy());
		this.plain = createHttpServer(handle);
		this.secure = createHttpsServer(options.trusted, handle);
		this.strange = createHttpsServer(options.untrusted, handle);
		this.host =
			options.fault === 'nameUnknown' ? `proxy-${++proxies}.${PROXY_DOMAIN}` : '127.0.0.1';
	}

	static async open(options: FaultProxyOptions): Promise<FaultProxy> {
		const proxy = new FaultProxy(options);
		await proxy.open();
		return proxy;
	}

	private get fails(): boolean {
		const { skip, count } = this.options;
		return this.tried >= skip && this.failed < count;
	}

	private async open(): Promise<void> {
		const isRefused = this.options.fault === 'refused';
		this.server = createServer((socket) => this.acceptConnection(socket));
		// No other process takes it while it is unused.
		const port = await freePort();
		this.server.listen(port, '127.0.0.1');
		await once(this.server, 'listening');
		this.url = `${isRefused ? 'http' : 'https'}://${this.host}:${port}`;
		if (isRefused) {
			subscribe('net.client.socket', this.onClientSocket);
			if (this.fails) this.server.close();
		}
		if (this.options.fault === 'nameUnknown') {
			names.set(this.host, () => {
				const works = !this.fails;
				this.count(works);
				return works;
			});
		}
	}

	private count(works: boolean): void {
		if (works) this.tried++;
		else this.failed++;
	}

	/** Only the client sees a refused connection. */
	private readonly onClientSocket = (message: unknown): void => {
		const { socket } = message as { socket: Socket };
		socket.once('error', (error: NodeJS.ErrnoException & { port?: number }) => {
			if (error.code !== 'ECONNREFUSED' || String(error.port) !== new URL(this.url).port) return;
			this.count(false);
			if (this.fails) return;
			this.server = createServer((connection) => this.acceptConnection(connection));
			this.server.listen(error.port, '127.0.0.1');
		});
	};

	private acceptConnection(socket: Socket): void {
		this.sockets.add(socket);
		socket.on('close', () => this.sockets.delete(socket));
		// Clients hang up when a connection breaks.
		socket.on('error', () => undefined);
		const { fault } = this.options;
		if (fault === 'nameUnknown') return void this.secure.emit('connection', socket);
		const works = !this.fails;
		this.count(works);
		if (fault === 'refused') {
			if (this.fails) this.server?.close();
			this.plain.emit('connection', socket);
		} else if (works) this.secure.emit('connection', socket);
		else if (fault === 'certificateNotTrusted') this.strange.emit('connection', socket);
		else if (fault === 'handshakeCut') socket.once('data', () => socket.destroy());
		else this.plain.emit('connection', socket);
	}

	private async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method, headers, url = '' } = request;
		const body = await buffer(request);
		const sent = httpRequest(`${this.options.origin}${url}`, { method, headers, agent: false });
		sent.on('error', () => response.destroy());
		sent.end(body);
		const [received] = (await once(sent, 'response')) as [IncomingMessage];
		const content = await buffer(received);
		// Links in responses must lead through the proxy.
		const isText = /json/.test(received.headers['content-type'] ?? '');
		const forwarded = isText
			? Buffer.from(content.toString().replaceAll(this.options.origin, this.url))
			: content;
		const kept = Object.entries(received.headers).filter(([name]) => name !== 'transfer-encoding');
		const status = received.statusCode ?? 500;
		response.writeHead(status, {
			...Object.fromEntries(kept),
			connection: 'close',
			...(status !== 204 && { 'content-length': forwarded.length }),
		});
		response.end(forwarded);
	}

	close(): void {
		unsubscribe('net.client.socket', this.onClientSocket);
		names.delete(this.host);
		this.server?.close();
		for (const socket of this.sockets) socket.destroy();
	}
}
