/**
 * A call that holds back its last byte until the execution waits again. n8n has loaded the older wait for it,
 * and goes back to it; nothing may be sent a second time.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import { request as requestTls } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { waitUntil } from '../hosts/waitUntil';
import { importItemsNode, itemsWorkflow, type NodeInRow } from '../hosts/workflows';
import { correctedForm, startCorrectedImport } from './correctedImports';
import { resumeLink } from './databaseWaits';
import { holdJobs, peopleNamed, signedAddresses, startedJobs } from './importRequests';
import { assertSuccess, type TestN8n, valuesOf } from './testN8n';

const LOADED_MS = 3000;
const WHILE_STORED_MS = 31_000;

const ROWS = Array.from({ length: 10 }, (_, row) => ({
	first: `First${row}`,
	last: 'Example',
	mail: `p${row}@example.org`,
}));

/** A call whose last byte is held back. */
class SlowCall {
	private readonly call: ClientRequest;
	private readonly responded: Promise<unknown[]>;

	constructor(
		link: string,
		private readonly body: string,
		type: string,
	) {
		const send = link.startsWith('https') ? requestTls : request;
		const headers = { 'content-type': type, 'content-length': String(body.length) };
		this.call = send(link, { method: 'POST', headers, rejectUnauthorized: false });
		this.responded = once(this.call, 'response');
		// An n8n that is killed meanwhile closes the connection.
		this.responded.catch(() => undefined);
		this.call.write(body.slice(0, -1));
	}

	/** Sends it. @returns the status of the response */
	async end(): Promise<number | undefined> {
		this.call.end(this.body.slice(-1));
		const [response] = (await this.responded) as [
			Parameters<typeof text>[0] & { statusCode?: number },
		];
		await text(response);
		return response.statusCode;
	}
}

export async function openSlowly(
	link: string,
	body = 'ab',
	type = 'text/plain',
): Promise<SlowCall> {
	const call = new SlowCall(link, body, type);
	// n8n loads the execution meanwhile.
	await wait(LOADED_MS);
	return call;
}

export class SlowCalls {
	constructor(private readonly running: TestN8n) {}

	private get jobs() {
		return this.running.sandbox.control.jobs('demo');
	}

	private reset(): void {
		this.running.sandbox.control.reset();
		this.running.sandbox.control.updateTenant('demo', { styles: { jobDescriptions: true } });
	}

	private importNode(name: string, options: IDataObject = {}): NodeInRow {
		const { credentialId, sandbox } = this.running;
		return {
			...importItemsNode(credentialId, {
				hosting: 'put',
				...signedAddresses(sandbox),
				options: {
					pollInterval: 1,
					waitForOutcome: 'database',
					wakeByService: true,
					...options,
				},
			}),
			name,
		};
	}

	private async start(nodes: NodeInRow[]): Promise<string> {
		const { client } = this.running.n8n;
		return await client.start(await client.createWorkflow(itemsWorkflow(ROWS, nodes)), 'Start');
	}

	private async waits(id: string, jobs: number): Promise<void> {
		await waitUntil(
			`it waits with ${jobs} jobs`,
			async () =>
				this.jobs.length >= jobs && (await this.running.n8n.client.statusOf(id)) === 'waiting',
		);
	}

	private async call(link: string): Promise<number> {
		return (await this.running.fetch(link, { method: 'POST', body: 'ab' })).status;
	}

	private async assertOnce(id: string, jobs: number, node: string): Promise<void> {
		const execution = await this.running.n8n.client.waitForExecution(id);
		assertSuccess(execution);
		assert.deepEqual(valuesOf(execution, node, 'status'), Array(ROWS.length).fill('imported'));
		assert.equal(startedJobs(this.running.sandbox).length, jobs);
		assert.equal(peopleNamed(this.running.sandbox, /^First\d$/).length, ROWS.length);
	}

	/** @returns the status of the slow call */
	private async goBack(
		nodes: NodeInRow[],
		jobs: number,
		last: string,
	): Promise<number | undefined> {
		this.reset();
		const endFirst = holdJobs(this.running.sandbox);
		const id = await this.start(nodes);
		await this.waits(id, 1);
		const [job] = this.jobs;
		assert.ok(job);
		const endOthers = [1, 2].map((further) => holdJobs(this.running.sandbox, job.id + further));
		const link = resumeLink(this.running);
		const slow = await openSlowly(link);
		endFirst();
		assert.equal(await this.call(link), 200);
		await this.waits(id, jobs);
		const status = await slow.end();
		await wait(LOADED_MS);
		await this.waits(id, jobs);
		for (const end of endOthers) end();
		await this.assertOnce(id, jobs, last);
		return status;
	}

	/** Two imports, one after the other. */
	async twoImports(): Promise<number | undefined> {
		const again = {
			name: 'List Again',
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: { jsCode: "return $('Given Items').all();" },
		};
		return await this.goBack(
			[this.importNode('First'), again, this.importNode('Second')],
			2,
			'Second',
		);
	}

	/** The rows after those that were tried first. */
	async tryFirst(): Promise<number | undefined> {
		return await this.goBack([this.importNode('Import', { tryFirst: 2 })], 2, 'Import');
	}

	/** An import after n8n's own Wait node, whose link n8n 2.8.4 does not sign. */
	async behindWaitNode(): Promise<void> {
		const { sandbox } = this.running;
		const tell = {
			name: 'Tell',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4,
			onError: 'continueRegularOutput' as const,
			executeOnce: true,
			parameters: {
				url: `={{ '${sandbox.url}/v2/codes?link=' + encodeURIComponent($execution.resumeUrl) }}`,
			},
		};
		const pause = {
			name: 'Pause',
			type: 'n8n-nodes-base.wait',
			webhookId: 'a-wait-of-the-test',
			parameters: { resume: 'webhook', httpMethod: 'POST', options: {} },
		};
		const again = {
			name: 'List Again',
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: { jsCode: "return $('Given Items').all();" },
		};
		const nodes = [tell, pause, again, this.importNode('Import')];
		this.reset();
		const end = holdJobs(this.running.sandbox);
		const id = await this.start(nodes.map((node) => ({ typeVersion: 1, ...node })));
		await this.waits(id, 0);
		const told = sandbox.requests.find(({ query }) => 'link' in query)?.query.link;
		const link = String(told);
		const slow = await openSlowly(link);
		assert.equal(await this.call(link), 200);
		await this.waits(id, 1);
		const lists = () => sandbox.requests.filter(({ path }) => path === '/v2/bulkImportJobs').length;
		const before = lists();
		assert.equal(await slow.end(), 200);
		await waitUntil('it looks for its job', () => lists() > before);
		await this.waits(id, 1);
		end();
		await this.assertOnce(id, 1, 'Import');
	}

	/** Two people send the same corrections, one of them on a slow line. @returns what that one gets */
	async corrections(): Promise<number | undefined> {
		this.reset();
		const { running } = this;
		const { id, link } = await startCorrectedImport(running);
		let page = '';
		await waitUntil('rows can be corrected', async () => {
			page = await (await running.fetch(link)).text();
			return page.includes('data-question');
		});
		const form = correctedForm(page);
		const slow = await openSlowly(link, form.toString(), 'application/x-www-form-urlencoded');
		const end = holdJobs(this.running.sandbox);
		assert.equal((await running.fetch(link, { method: 'POST', body: form })).status, 200);
		await this.waits(id, 2);
		// The process that took the first call refuses others while n8n stores it.
		await wait(WHILE_STORED_MS);
		const status = await slow.end();
		await wait(LOADED_MS);
		await this.waits(id, 2);
		end();
		const execution = await running.n8n.client.waitForExecution(id);
		assertSuccess(execution);
		assert.deepEqual(valuesOf(execution, 'Import Items', 'status'), [
			...['imported', 'imported', 'failed'],
		]);
		assert.equal(startedJobs(running.sandbox).length, 2);
		assert.equal(peopleNamed(running.sandbox, /^Bob/).length, 1);
		return status;
	}

	/** Whoever has no link of the node wakes nothing. */
	async strangers(): Promise<void> {
		this.reset();
		const end = holdJobs(this.running.sandbox);
		const id = await this.start([this.importNode('Import', { wakeByService: false })]);
		await this.waits(id, 1);
		const { url } = this.running.n8n;
		for (const path of [
			`/webhook-waiting/${id}/import-ended`,
			`/webhook-waiting/${id}/import-ended?wake=`,
			`/webhook-waiting/${id}`,
			`/form-waiting/${id}`,
			`/form-waiting/${id}?page=`,
		]) {
			const status = await this.call(`${url}${path}`);
			assert.ok(status >= 400 || path.startsWith('/form'), `${path}: ${status}`);
			await wait(500);
			assert.equal(await this.running.n8n.client.statusOf(id), 'waiting', path);
		}
		end();
		await this.assertOnce(id, 1, 'Import');
	}
}
