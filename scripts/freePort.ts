import { once } from 'node:events';
import { createServer } from 'node:net';

async function listenOn(port: number): Promise<number | undefined> {
	const server = createServer();
	try {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
	} catch {
		return undefined;
	}
	const address = server.address();
	server.close();
	await once(server, 'close');
	return address !== null && typeof address === 'object' ? address.port : undefined;
}

/** @returns the preferred port of this machine if it is free, else any free one */
export async function freePort(preferred = 0): Promise<number> {
	const port = (await listenOn(preferred)) ?? (await listenOn(0));
	if (port === undefined) throw new Error('This machine has no free port on 127.0.0.1.');
	return port;
}
