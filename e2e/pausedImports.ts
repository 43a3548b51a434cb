import { makeZip } from 'client-zip';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Sandbox } from '../sandbox/index';
import type { SandboxedN8n } from '../hosts/sandboxedN8n';

type JobEnd = 'Completed' | 'CompletedWithErrors' | 'Failed';

const COLUMNS = ['FirstName', 'LastName', 'Email', 'CrmId'];
const HEADER = `${COLUMNS.join(',')}\n`;
const GOOD_ROW = 'Ada,Example,ada@example.org,c-1\n';
const BAD_ROW = 'Bob,Example,not-an-address,c-2\n';

/**
 * Import jobs of the sandbox that run until they are told how to end: their files come from a host that
 * answers only then.
 */
export class HeldImports {
	/** By the path of the file: how a download that waits is answered. */
	private readonly held = new Map<string, (end: JobEnd) => void>();
	private readonly ends = new Map<string, Promise<JobEnd>>();
	/** By path: what is downloaded from there in place of made-up rows. */
	private readonly uploads = new Map<string, Buffer>();
	private readonly pathOf = new Map<number, string>();

	private constructor(
		private readonly sandbox: Sandbox,
		private readonly server: Server,
	) {}

	static async start({ sandbox, certificate }: SandboxedN8n): Promise<HeldImports> {
		const server = createServer({ key: certificate.key, cert: certificate.cert });
		const imports = new HeldImports(sandbox, server);
		server.on('request', (request, response) => void imports.respond(request, response));
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		return imports;
	}

	private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = (request.url ?? '').replace(/\?.*/s, '');
		if (request.method === 'PUT') {
			this.uploads.set(path, Buffer.concat((await request.toArray()) as Buffer[]));
			response.writeHead(201).end();
			return;
		}
		const file = await this.file(path);
		response.writeHead(file ? 200 : 404).end(file);
	}

	/** Undefined for a file that is not there, which makes the job fail. */
	private async file(path: string): Promise<Buffer | undefined> {
		const end = await this.ends.get(path);
		if (end === undefined || end === 'Failed') return undefined;
		const uploaded = this.uploads.get(path);
		if (uploaded) return uploaded;
		const input = HEADER + GOOD_ROW + (end === 'Completed' ? '' : BAD_ROW);
		const zip = makeZip([{ name: 'rows.csv', input }]);
		return Buffer.from(await new Response(zip).arrayBuffer());
	}

	/** The address of a file that is held back, and its path, which `endFile` takes. */
	heldFile(): { sourceUrl: string; path: string } {
		const path = `/held-${this.ends.size}.zip`;
		this.ends.set(path, new Promise((resolve) => this.held.set(path, resolve)));
		const { port } = this.server.address() as AddressInfo;
		return { sourceUrl: `https://127.0.0.1:${port}${path}`, path };
	}

	endFile(path: string, end: JobEnd): void {
		this.held.get(path)?.(end);
	}

	/** Starts a job that runs until `end`. @param tenantName whose key starts it */
	async startJob(tenantName: string): Promise<number> {
		const key = this.sandbox.tenants.find(({ name }) => name === tenantName)?.key ?? '';
		const { sourceUrl, path } = this.heldFile();
		const request = {
			method: 'POST',
			headers: { 'content-type': 'application/json', apiKey: key },
			body: JSON.stringify({
				description: 'Import of a test',
				file: {
					fileName: 'rows.csv',
					sourceUrl,
					hasHeader: true,
					columns: COLUMNS.map((name) => ({ name })),
				},
				actions: [
					{
						actionType: 'loadMappedFile',
						resourceType: 'Contacts',
						resultFileSizeKbLimit: 5000,
						mappingTypes: [{ name: 'CreateOrUpdateContact' }],
						columnsToIncludeInResultsFile: [{ name: 'CrmId' }],
					},
				],
			}),
		};
		const post = async () => await fetch(`${this.sandbox.url}/v2/bulkImportJobs`, request);
		let response = await post();
		// The triggers of the tests poll with the same key, and the service refuses what is too much.
		for (let again = 0; response.status === 429 && again < 100; again++) {
			await wait(100);
			response = await post();
		}
		const { jobId } = z.object({ jobId: z.number() }).parse(await response.json());
		this.pathOf.set(jobId, path);
		return jobId;
	}

	/** Lets a job end, and waits until it has. */
	async end(jobId: number, end: JobEnd, tenantName = 'demo'): Promise<void> {
		this.endFile(this.pathOf.get(jobId) ?? '', end);
		const statusOf = () =>
			this.sandbox.control.jobs(tenantName).find(({ id }) => id === jobId)?.status;
		for (let look = 0; statusOf() !== end; look++) {
			if (look > 500) throw new Error(`Job ${jobId} does not end as ${end}: ${statusOf()}.`);
			await wait(20);
		}
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		this.server.close();
		await once(this.server, 'close');
	}
}
