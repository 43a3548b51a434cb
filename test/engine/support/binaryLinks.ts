import { Container } from './container';

import { BinaryDataService } from 'n8n-core';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A running server of signed links. */
interface BinaryLinkServer {
	/** For `runNode`. */
	restApiUrl: string;
	close(): Promise<void>;
}

/** Serves the signed links to binary data that nodes make, as n8n's REST interface does. */
export async function serveBinaryLinks(): Promise<BinaryLinkServer> {
	const binaryData = Container.get(BinaryDataService);
	const server = createServer((request, response) => {
		const url = new URL(request.url ?? '/', 'http://127.0.0.1');
		const send = async () => {
			if (url.pathname !== '/rest/binary-data/signed') throw new Error('no such page');
			const id = binaryData.validateSignedToken(url.searchParams.get('token') ?? '');
			const { mimeType } = await binaryData.getMetadata(id);
			const content = await binaryData.getAsBuffer({ id, data: '', mimeType: '' });
			response.writeHead(200, {
				'content-type': mimeType ?? 'application/octet-stream',
				'content-length': content.length,
			});
			response.end(content);
		};
		send().catch(() => response.writeHead(400).end());
	});
	// A failed test must not keep the test runner alive.
	server.listen(0, '127.0.0.1').unref();
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		restApiUrl: `http://127.0.0.1:${port}/rest`,
		close: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
