import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'node:https';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { call, DEMO_KEY, UNLIMITED } from './sandboxCall';

async function httpsGet(url: string, ca: string): Promise<number> {
	return await new Promise((resolve, reject) => {
		const outgoing = request(
			url,
			{ ca, headers: { apikey: DEMO_KEY }, agent: false },
			(incoming) => {
				incoming.resume();
				incoming.on('end', () => resolve(incoming.statusCode ?? 0));
			},
		);
		outgoing.on('error', reject);
		outgoing.end();
	});
}

describe('a sandbox in this process', () => {
	let sandbox: Sandbox;
	beforeEach(async () => {
		sandbox = await startSandbox({ tier: UNLIMITED });
	});
	afterEach(async () => await sandbox.close());

	test('serves the same over https to whoever trusts its certificate', async () => {
		const url = `${sandbox.httpsUrl}/v2/codeTypes`;
		expect(await httpsGet(url, sandbox.caCertificatePem)).toBe(200);
		const byName = url.replace('127.0.0.1', 'localhost');
		expect(await httpsGet(byName, sandbox.caCertificatePem)).toBe(200);
		await expect(httpsGet(url, '')).rejects.toThrow();
	});

	test('logs requests and their responses', async () => {
		await call(sandbox, 'GET', '/v2/codes?$top=1');
		await call(sandbox, 'POST', '/v2/codes', { body: { name: 'a/b' } });
		await call(sandbox, 'GET', '/v2/codes', { key: 'wrong' });
		expect(sandbox.requests).toMatchObject([
			{
				number: 1,
				tenant: 'demo',
				method: 'GET',
				query: { $top: '1' },
				status: 200,
				executed: true,
				category: 'medium',
			},
			{ number: 2, body: { name: 'a/b' }, status: 400, admitted: true, executed: false },
			{ number: 3, tenant: null, status: 401, admitted: false, executed: false },
		]);
		expect((await call(sandbox, 'DELETE', '/_sandbox/requests')).status).toBe(204);
		expect(sandbox.requests).toEqual([]);
		await call(sandbox, 'GET', '/v2/codes');
		expect(sandbox.requests.map((entry) => entry.number)).toEqual([4]);
	});

	test('shows what is stored, and goes back to the seed', async () => {
		await call(sandbox, 'POST', '/v2/people/100001/canvassResponses', {
			body: { resultCodeId: 1 },
		});
		await call(sandbox, 'POST', '/v2/people/create', { body: { firstName: 'Kim' } });
		const kinds = async () =>
			await Promise.all(
				['people', 'codes', 'canvassResponses', 'jobs'].map(async (kind) => {
					const response = await call(sandbox, 'GET', `/_sandbox/tenants/demo/${kind}`);
					return (response.body as unknown[]).length;
				}),
			);
		expect(await kinds()).toEqual([7, 4, 1, 0]);
		await call(sandbox, 'POST', '/_sandbox/reset');
		expect(await kinds()).toEqual([6, 4, 0, 0]);
		expect(await kinds()).toEqual(await kinds());
		expect((await call(sandbox, 'GET', `/_sandbox/tenants/${DEMO_KEY}/people`)).status).toBe(200);
		expect((await call(sandbox, 'GET', '/_sandbox/tenants/nobody/people')).status).toBe(404);
	});

	test('rejects settings it does not know', async () => {
		for (const body of [
			{ tier: 'gold' },
			{ styles: { matchResponses: 'x' } },
			{ other: 1 },
			{ maxZipMegabytes: 50 },
		]) {
			const response = await call(sandbox, 'PATCH', '/_sandbox/tenants/demo', { body });
			expect(response.status).toBe(400);
		}
	});

	test('fails clearly when a port is taken', async () => {
		const port = Number(new URL(sandbox.url).port);
		await expect(startSandbox({ port })).rejects.toThrow('EADDRINUSE');
	});
});

test('the command prints where it listens, writes its certificate and ends on SIGTERM', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	const caFile = join(folder, 'ca.pem');
	const root = join(__dirname, '../../..');
	const child = spawn(
		process.execPath,
		['--import', 'tsx', 'sandbox/main.ts', '--port', '0', '--https-port', '0', '--ca-file', caFile],
		{ cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
	);
	let output = '';
	await new Promise<void>((resolve, reject) => {
		child.on('exit', reject);
		child.stdout.on('data', (chunk: Buffer) => {
			output += chunk.toString('utf8');
			if (output.includes('restricted')) resolve();
		});
	});
	child.removeAllListeners('exit');
	const httpsUrl = /^https:\s+(\S+)$/m.exec(output)?.[1] ?? '';
	expect(await httpsGet(`${httpsUrl}/codeTypes`, readFileSync(caFile, 'utf8'))).toBe(200);
	expect(output).toContain(DEMO_KEY);
	child.kill('SIGTERM');
	const code = await new Promise((resolve) => child.on('exit', resolve));
	expect(code).toBe(0);
	rmSync(folder, { recursive: true });
}, 30_000);
