import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { json as readJson } from 'node:stream/consumers';
import { fetch } from 'undici';
import { z } from 'zod';
import { listen } from '../hosts/listen';
import { contactRow } from './contactRows';

const bodySchema = z.object({ description: z.string() });
const MARK = /run (\w+), file \d+, rows (\d+)-(\d+), check (\w+)\)$/;

const PIECE_LENGTH = 64 * 1024;
/** What the description of a job says of its rows. */
interface Job {
	run: string;
	first: number;
	last: number;
	check: string;
}

/** The ID of a row, from 1, as bench/contactRows.js has it. */
const recordId = (row: number): number => 99_999 + row;

/** A made-up result file: every 100th row was rejected. */
async function* resultFile({ run, first, last }: Job): AsyncGenerator<Uint8Array> {
	let piece =
		'BulkUploadDataID,ULFileID,PrimaryKey,PrimaryKeyType,N8nItem,CreateOrUpdateContact\r\n';
	for (let row = first; row <= last; row++) {
		const outcome = row % 100 === 0 ? '"Invalid email address, not imported"' : 'Processed';
		piece += `${row},6200,${recordId(row)},NativeID,${run}-${row},${outcome}\r\n`;
		if (piece.length < PIECE_LENGTH) continue;
		yield await new Promise((resolve) => setImmediate(resolve, Buffer.from(piece)));
		piece = '';
	}
	yield Buffer.from(piece);
}

/**
 * A service that takes import jobs of any size, has ended each at once, and makes up its results; all other
 * calls go to the sandbox, which would need minutes and gigabytes for a million people.
 */
export class JobService {
	/** By ID. */
	readonly jobs = new Map<number, Job>();
	url = '';
	close = async () => {};

	private constructor(private readonly sandboxUrl: string) {}

	static async start(sandboxUrl: string): Promise<JobService> {
		const service = new JobService(sandboxUrl);
		const server = createServer((request, response) => {
			void service.respond(request, response).catch(() => response.destroy());
		});
		const { port, close } = await listen(server);
		return Object.assign(service, { url: `http://127.0.0.1:${port}`, close });
	}

	/** What Started Jobs of Get Item Outcomes takes. */
	references(): string {
		return [...this.jobs]
			.map(([jobId, { run, first, last, check }]) => `${jobId}:${run}:${first}-${last}:${check}`)
			.join(', ');
	}

	/** Somebody with another name until the first job starts, and with that of their row from then on. */
	private person(id: number) {
		const { FirstName, LastName } = contactRow(id - recordId(1));
		const isImported = this.jobs.size > 0;
		return {
			nativeId: id,
			firstName: isImported ? FirstName : 'Before',
			lastName: isImported ? LastName : `Before ${id}`,
		};
	}

	private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = '', url = '' } = request;
		const [path = ''] = url.split('?');
		const json = (body: unknown) =>
			response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
		if (method === 'PUT') {
			request.resume();
			await once(request, 'end');
			response.writeHead(201).end();
		} else if (method === 'POST' && url.endsWith('/bulkImportJobs')) {
			const { description } = bodySchema.parse(await readJson(request));
			const [, run = '', first, last, check = ''] = MARK.exec(description) ?? [];
			const jobId = this.jobs.size + 1;
			this.jobs.set(jobId, { run, first: Number(first), last: Number(last), check });
			json({ jobId });
		} else if (/\/bulkImportJobs\/\d+$/.test(url)) {
			const id = Number(url.split('/').at(-1));
			json({ id, status: 'Completed', resultFiles: [{ url: `${this.url}/results/${id}.csv` }] });
		} else if (/\/people\/\d+$/.test(path)) {
			request.resume();
			const id = Number(path.split('/').at(-1));
			json(method === 'GET' ? this.person(id) : { nativeId: id, status: 'Matched' });
		} else if (url.startsWith('/results/')) {
			const job = this.jobs.get(Number(/\d+/.exec(url)?.[0]));
			response.writeHead(job ? 200 : 404, { 'content-type': 'text/csv' });
			Readable.from(job ? resultFile(job) : []).pipe(response);
		} else {
			const { authorization = '' } = request.headers;
			const passed = await fetch(`${this.sandboxUrl}${url}`, { headers: { authorization } });
			json(await passed.json());
		}
	}
}
