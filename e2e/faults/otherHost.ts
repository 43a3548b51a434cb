import { createServer, type IncomingMessage } from 'node:http';

import { listen } from '../../hosts/listen';

/** What another host than the service and the user's storage was sent. */
interface StrayRequest {
	path: string;
	/** Names of the headers that carry credentials. */
	secretHeaders: string[];
}

const SECRET_HEADERS = ['authorization', 'apikey', 'cookie', 'proxy-authorization'];

function strayRequest({ url = '', headers }: IncomingMessage): StrayRequest {
	return { path: url, secretHeaders: SECRET_HEADERS.filter((name) => name in headers) };
}

/** A host that redirects point to. It passes on what it is asked for: `/<name>/<path>` from `origins`. */
export class OtherHost {
	private readonly asked: StrayRequest[] = [];
	private readonly origins = new Map<string, string>();
	private readonly server = createServer((request, response) => {
		this.asked.push(strayRequest(request));
		const [, name = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? [];
		void fetch(`${this.origins.get(name) ?? 'http://127.0.0.1:1'}${path}`, { redirect: 'manual' })
			.then(async (received) => {
				const location = received.headers.get('location');
				response.writeHead(received.status, { ...(location !== null && { location }) });
				response.end(Buffer.from(await received.arrayBuffer()));
			})
			.catch(() => response.destroy());
	});

	private url = '';
	close = async () => {};

	private constructor() {}

	static async start(): Promise<OtherHost> {
		const host = new OtherHost();
		const { port, close } = await listen(host.server);
		return Object.assign(host, { url: `http://127.0.0.1:${port}`, close });
	}

	/** A new address under which this host shows what `origin` has, and what was asked of it there. */
	newAddress(origin: string): { url: string; requests: () => StrayRequest[] } {
		const name = String(this.origins.size);
		this.origins.set(name, origin);
		return {
			url: `${this.url}/${name}`,
			requests: () => this.asked.filter(({ path }) => path.startsWith(`/${name}/`)),
		};
	}
}
