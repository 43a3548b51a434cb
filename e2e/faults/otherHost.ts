import { createServer } from 'node:http';

import { listen } from '../../hosts/listen';

/** What another host than the service and the user's storage was sent. */
interface StrayRequest {
	path: string;
	/** Names of the headers that carry credentials. */
	secretHeaders: string[];
}

const SECRET_HEADERS = ['authorization', 'apikey', 'cookie', 'proxy-authorization'];

export type OtherHost = Awaited<ReturnType<typeof startOtherHost>>;

/** Starts a host that redirects point to. It passes on what it is asked for: `/<name>/<path>` from `origins`. */
export async function startOtherHost() {
	const asked: StrayRequest[] = [];
	const origins: string[] = [];
	const server = createServer(({ url = '', headers }, response) => {
		asked.push({ path: url, secretHeaders: SECRET_HEADERS.filter((name) => name in headers) });
		const [, name, path = ''] = /^\/(\d+)(\/.*)$/.exec(url) ?? [];
		const origin = origins[Number(name)] ?? 'http://127.0.0.1:1';
		void fetch(`${origin}${path}`, { redirect: 'manual' })
			.then(async (received) => {
				const location = received.headers.get('location');
				response.writeHead(received.status, { ...(location !== null && { location }) });
				response.end(Buffer.from(await received.arrayBuffer()));
			})
			.catch(() => response.destroy());
	});
	const { port, close } = await listen(server);
	/** A new address under which this host shows what `origin` has, and what was asked of it there. */
	const newAddress = (origin: string) => {
		const name = origins.push(origin) - 1;
		return {
			url: `http://127.0.0.1:${port}/${name}`,
			requests: () => asked.filter(({ path }) => path.startsWith(`/${name}/`)),
		};
	};
	return { newAddress, close };
}
