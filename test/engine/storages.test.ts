import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { headersFor } from '../../nodes/NativeBulkImport/file/hosting';
import { itemImport, personMap } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

/** Storages whose responses differ from those of the sandbox. */

const service = useSandbox();
const node = new NativeBulkImport();
const items = [{ json: { 'First Name': 'Zoe', 'Last Name': 'Orsted', Mail: 'zoe@example.org' } }];

interface Answer {
	status: number;
	headers?: Record<string, string>;
	body?: string;
}
let answer: Answer = { status: 200 };
const received: IncomingMessage[] = [];
let storage: Server;

beforeAll(async () => {
	storage = createServer((request, response) => {
		received.push(request);
		request.resume().on('end', () => {
			response.writeHead(answer.status, answer.headers).end(answer.body);
		});
	}).listen(0, '127.0.0.1');
	await once(storage, 'listening');
});
afterAll(() => storage.close());

const upload = async (given: Answer, changes: INodeParameters) => {
	answer = given;
	received.length = 0;
	const base = `http://127.0.0.1:${(storage.address() as AddressInfo).port}`;
	const parameters = itemImport(service, personMap, {
		uploadUrl: `${base}/store/{file}`,
		options: { waitForOutcome: 'none' },
		...changes,
	});
	const run = await service.run(node, parameters, { items });
	const [job] = service.calls().filter(({ path }) => path.endsWith('/bulkImportJobs'));
	return { run, base, job };
};

it('a page that says that the file was created is no error', async () => {
	const page =
		'<!DOCTYPE html><html><head><title>201 Created</title></head><body>Created</body></html>';
	const { run, job } = await upload(
		{ status: 201, headers: { 'content-type': 'text/html' }, body: page },
		{},
	);
	expect(run.error).toBeUndefined();
	expect(job).toBeDefined();
	expect(received).toHaveLength(1);
});

it.each<[string, Answer]>([
	['Location', { status: 201, headers: { location: '/files/a.zip' } }],
	['url', { status: 200, body: '{"url":"/files/a.zip"}' }],
])('an address in %s may be relative to the upload', async (_, given) => {
	const { run } = await upload(given, { hosting: 'post', downloadUrl: '' });
	// The service fetches https only, and this storage has none.
	expect(run.error?.message).toMatch(/Download URL|must begin with https/);
	expect(run.error?.message).not.toContain('is not an address');
});

it('Azure gets the kind of its files', () => {
	expect(headersFor('https://demo.blob.core.windows.net/lists/a.zip?sig=x')).toEqual({
		'x-ms-blob-type': 'BlockBlob',
	});
	expect(headersFor('https://bucket.s3.amazonaws.com/a.zip?X-Amz-Signature=x')).toEqual({});
});

it.each(['none', 'all'] as const)(
	'a link to a file that n8n deletes is a warning: executions saved %s',
	async (saveDataSuccessExecution) => {
		const parameters = itemImport(service, personMap, {
			hosting: 'n8n',
			options: { waitForOutcome: 'none', dryRun: true },
		});
		const run = await service.run(node, parameters, {
			items,
			settings: { saveDataSuccessExecution },
			host: 'https://n8n.example.org',
		});
		expect(run.error).toBeUndefined();
		const isWarned = JSON.stringify(run.hints).includes('n8n deletes the file');
		expect(isWarned).toBe(saveDataSuccessExecution === 'none');
	},
);
