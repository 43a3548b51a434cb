import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const MODULE = pathToFileURL(join(__dirname, '../../../hosts/freePort.mjs')).href;
const PORTS_EACH = 300;

/** Draws ports, prints them and stays: a reservation ends with its process. */
const PROGRAM = `
	import { freePort } from ${JSON.stringify(MODULE)};
	const ports = [];
	for (let n = 0; n < ${PORTS_EACH}; n++) ports.push(await freePort());
	console.log(JSON.stringify(ports));
	process.stdin.resume();`;

async function drawPorts(child: ChildProcess): Promise<number[]> {
	if (!child.stdout) throw new Error('The child has no output.');
	const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
	return JSON.parse(line) as number[];
}

describe('free ports', () => {
	it('are handed out once, to one of several processes, and not from the range of the system', async () => {
		const children = Array.from({ length: 3 }, () =>
			spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM]),
		);
		try {
			const ports = (await Promise.all(children.map(drawPorts))).flat();
			expect(new Set(ports).size).toBe(3 * PORTS_EACH);
			expect(Math.max(...ports)).toBeLessThan(32_768);
			const server = createServer().listen(ports[0], '127.0.0.1');
			await once(server, 'listening');
			server.close();
		} finally {
			for (const child of children) child.kill();
			await Promise.all(children.map(async (child) => await once(child, 'exit')));
		}
	});
});
