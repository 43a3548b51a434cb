import { makeZip } from 'client-zip';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { listen } from '../hosts/listen';
import { waitUntil } from '../hosts/waitUntil';
import { COLUMNS, importJob } from './importRequests';
import type { TestN8n } from './testN8n';

/** A place for files whose download waits until a test ends it. */
export interface PausedFile {
	folder: string;
	/** The address of a file with two made-up rows. */
	sourceUrl: string;
	/** For files of one's own. */
	uploadUrl: string;
}

type JobEnd = 'Completed' | 'CompletedWithErrors' | 'Failed';

const HEADER = `${COLUMNS.join(',')}\n`;
const GOOD_ROW = 'Ada,Example,ada@example.org,c-1\n';
const BAD_ROW = 'Bob,Example,not-an-address,c-2\n';

/**
 * Import jobs of the sandbox that run until a test ends them: their files come from a host that responds only
 * then. The host is there for the tests of the file that creates it.
 */
export class PausedImports {
	/** By folder: ends the wait of its downloads. */
	private readonly waiting = new Map<string, (end: JobEnd) => void>();
	private readonly ends = new Map<string, Promise<JobEnd>>();
	/** Keyed by path: what is downloaded from there instead of made-up rows. */
	private readonly uploads = new Map<string, Buffer>();
	private readonly fileOf = new Map<number, PausedFile>();
	private origin = '';

	constructor(private readonly running: TestN8n) {
		running.onStart(async () => {
			const { key, cert } = running.certificate;
			const server = await listen(
				createServer({ key, cert }, (request, response) => void this.respond(request, response)),
			);
			this.origin = `https://127.0.0.1:${server.port}`;
			running.onClose(server.close);
		});
	}

	private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = (request.url ?? '').replace(/\?.*/s, '');
		if (request.method === 'PUT') {
			this.uploads.set(path, await buffer(request));
			response.writeHead(201).end();
			return;
		}
		const file = await this.file(path);
		response.writeHead(file ? 200 : 404).end(file);
	}

	/** Undefined for a file that is not there, which makes the job fail. */
	private async file(path: string): Promise<Buffer | undefined> {
		const end = await this.ends.get(path.replace(/\/[^/]*$/, ''));
		if (end === undefined || end === 'Failed') return undefined;
		const uploaded = this.uploads.get(path);
		if (uploaded) return uploaded;
		const input = HEADER + GOOD_ROW + (end === 'Completed' ? '' : BAD_ROW);
		const zip = makeZip([{ name: 'rows.csv', input }]);
		return Buffer.from(await new Response(zip).arrayBuffer());
	}

	/** A place for files whose download waits, for `endFile`. */
	pausedFile(): PausedFile {
		const folder = `/paused-${this.ends.size}`;
		this.ends.set(folder, new Promise((resolve) => this.waiting.set(folder, resolve)));
		const url = `${this.origin}${folder}`;
		return { folder, sourceUrl: `${url}/rows.zip`, uploadUrl: `${url}/{file}?sig=upload` };
	}

	endFile({ folder }: PausedFile, end: JobEnd): void {
		this.waiting.get(folder)?.(end);
	}

	/** Starts a job that runs until `end`. @param tenantName whose key starts it */
	async startJob(tenantName = 'demo'): Promise<number> {
		const { tenants, url } = this.running.sandbox;
		const apiKey = tenants.find(({ name }) => name === tenantName)?.key ?? '';
		const file = this.pausedFile();
		const request = {
			method: 'POST',
			headers: { 'content-type': 'application/json', apiKey },
			body: JSON.stringify(importJob(file.sourceUrl)),
		};
		const response = await waitUntil(
			'a job is started',
			async () => {
				const received = await fetch(`${url}/v2/bulkImportJobs`, request);
				// The triggers of the tests poll with the same key, within the same rate limit.
				return received.status !== 429 && received;
			},
			{ everyMs: 100 },
		);
		const { jobId } = z.object({ jobId: z.number() }).parse(await response.json());
		this.fileOf.set(jobId, file);
		return jobId;
	}

	/** Lets a job of the tenant "demo" end, and waits until it has. */
	async end(jobId: number, end: JobEnd): Promise<void> {
		const file = this.fileOf.get(jobId);
		if (file) this.endFile(file, end);
		const statusOf = () =>
			this.running.sandbox.control.jobs('demo').find(({ id }) => id === jobId)?.status;
		await waitUntil(
			() => `job ${jobId} ends as ${end}: ${statusOf()}`,
			() => statusOf() === end,
			{ everyMs: 20 },
		);
	}
}
