import { createServer } from 'node:http';

import { Agent, fetch } from 'undici';

import { startHttpsFront } from '../../../hosts/httpsFront';
import { listen } from '../../../hosts/listen';
import { loopbackCertificate } from '../../../sandbox';

it('reaches a program that speaks http, and outlives it', async () => {
	const certificate = await loopbackCertificate();
	const dispatcher = new Agent({ connect: { ca: certificate.cert } });
	const program = createServer((request, response) => response.end(`got ${request.url ?? ''}`));
	const { port, close } = await listen(program);
	const front = await startHttpsFront(port, certificate);
	const read = async () => await (await fetch(`${front.url}/file?a=1`, { dispatcher })).text();
	try {
		expect(front.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
		expect(await read()).toBe('got /file?a=1');
		await close();
		await expect(read()).rejects.toThrow();
		program.listen(port, '127.0.0.1');
		expect(await read()).toBe('got /file?a=1');
		await close();
	} finally {
		await front.close();
		await dispatcher.destroy();
	}
});
