import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { FaultRequest } from '../../../sandbox';

const root = join(__dirname, '../../..');

/** The sandbox in a process of its own: its work is not counted as work of the nodes. */
export class SandboxProcess {
	private constructor(
		private readonly child: ChildProcess,
		readonly url: string,
		readonly httpsUrl: string,
	) {}

	static async start(): Promise<SandboxProcess> {
		const options = ['--port', '0', '--https-port', '0', '--link-base', 'http', '--quiet'];
		const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/main.ts', ...options], {
			cwd: root,
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const urls: string[] = [];
		for await (const line of createInterface({ input: child.stdout })) {
			const url = /^https?: +(https?:\/\/[^/]+)/.exec(line)?.[1];
			if (url) urls.push(url);
			if (urls.length === 2) break;
		}
		const [url = '', httpsUrl = ''] = urls;
		const service = new SandboxProcess(child, url, httpsUrl);
		await service.liftLimits();
		return service;
	}

	private async liftLimits(): Promise<void> {
		const tier = { high: 1000, medium: 1000, low: 1000, monthly: null };
		await this.control('PATCH', 'tenants/demo', { tier });
	}

	/** Back to the start. */
	async reset(): Promise<void> {
		await this.control('POST', 'reset');
		await this.liftLimits();
	}

	async stop(): Promise<void> {
		this.child.kill();
		if (this.child.exitCode === null) await once(this.child, 'exit');
	}

	async control(method: string, path: string, body?: unknown): Promise<void> {
		const response = await fetch(`${this.url}/_sandbox/${path}`, {
			method,
			...(body !== undefined && {
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			}),
		});
		if (!response.ok) throw new Error(`The sandbox rejected ${path}: ${await response.text()}`);
	}

	async addFault(fault: FaultRequest): Promise<void> {
		await this.control('POST', 'faults', fault);
	}
}
