import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { Certificate } from '../sandbox/index';

/**
 * An https address on a free port of loopback for a program that speaks http on another one.
 *
 * @returns the address without a path
 */
export async function startHttpsFront(
	port: number,
	certificate: Certificate,
): Promise<{ url: string; close: () => Promise<void> }> {
	const sockets = new Set<Socket>();
	const keep = (socket: Socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	};
	const server = createServer(certificate, (client) => {
		const program = connect(port, '127.0.0.1');
		for (const [from, to] of [
			[client, program],
			[program, client],
		] as const) {
			keep(from);
			from.pipe(to);
			// The program may be down, and either side may go away: then the other one ends, too.
			from.on('error', () => to.destroy());
			from.once('close', () => to.destroy());
		}
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			server.close();
			await once(server, 'close');
		},
	};
}
