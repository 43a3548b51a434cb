import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DEMO_KEY } from './sandboxCalls';

async function httpsGet(url: string, ca: string): Promise<number> {
	return await new Promise((resolve, reject) => {
		const options = { ca, headers: { apikey: DEMO_KEY }, agent: false };
		request(url, options, (incoming) => {
			incoming.resume();
			incoming.on('end', () => resolve(incoming.statusCode ?? 0));
		})
			.on('error', reject)
			.end();
	});
}

test('the command prints where it listens, writes its certificate and ends on SIGTERM', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	const caFile = join(folder, 'ca.pem');
	const child = spawn(
		process.execPath,
		['--import', 'tsx', 'sandbox/main.ts', '--port', '0', '--https-port', '0', '--ca-file', caFile],
		{ cwd: join(__dirname, '../../..'), stdio: ['ignore', 'pipe', 'inherit'] },
	);
	let output = '';
	await new Promise<void>((resolve) => {
		child.stdout.on('data', (chunk: Buffer) => {
			output += chunk.toString();
			if (output.includes('restricted')) resolve();
		});
	});
	const httpsUrl = /^https:\s+(\S+)$/m.exec(output)?.[1] ?? '';
	expect(await httpsGet(`${httpsUrl}/codeTypes`, readFileSync(caFile, 'utf8'))).toBe(200);
	await expect(httpsGet(`${httpsUrl}/codeTypes`, '')).rejects.toThrow();
	expect(output).toContain(DEMO_KEY);
	child.kill('SIGTERM');
	expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
	rmSync(folder, { recursive: true });
});
