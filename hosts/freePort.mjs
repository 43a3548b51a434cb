/**
 * Ports for programs that need their port before they start. Between the choice and the start
 * no one else may take it: not the system, which hands out ports from 32768 on, and no other test run.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';

const FIRST = 20_000;
const COUNT = 6_000;
const ATTEMPTS = 200;

/** @param {number} port */
async function listenOn(port) {
	const server = createServer();
	try {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
		return server;
	} catch {
		return undefined;
	}
}

/** @param {number} port of 127.0.0.1 */
export async function isFree(port) {
	const server = await listenOn(port);
	server?.close();
	if (server) await once(server, 'close');
	return server !== undefined;
}

/**
 * A free port of 127.0.0.1 that is reserved for this process: the process listens on the port COUNT above,
 * so that the system itself ends the reservation.
 */
export async function freePort() {
	for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
		const port = FIRST + Math.floor(Math.random() * COUNT);
		const reservation = await listenOn(port + COUNT);
		if (!reservation) continue;
		if (await isFree(port)) {
			reservation.unref();
			return port;
		}
		reservation.close();
	}
	throw new Error(`No port from ${FIRST} to ${FIRST + COUNT - 1} of 127.0.0.1 is free.`);
}
