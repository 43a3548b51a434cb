import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import FormData from 'form-data';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { readForm } from '../../sandbox/files/multipartForm';
import { itemImport, personMap } from './support/itemImports';
import { Sandboxed } from './support/sandboxed';

interface ReceivedForm {
	headers: IncomingHttpHeaders;
	body: Buffer;
}

let service: Sandboxed;
let storage: Server;
let received: ReceivedForm[];
beforeAll(async () => {
	service = await Sandboxed.start();
	storage = createServer((incoming, response) => {
		void buffer(incoming).then((body) => {
			received.push({ headers: incoming.headers, body });
			response.writeHead(204).end();
		});
	}).listen(0, '127.0.0.1');
	await once(storage, 'listening');
});
afterAll(async () => {
	await service.close();
	storage.close();
});
beforeEach(() => {
	received = [];
});

const url = () => `http://127.0.0.1:${(storage.address() as AddressInfo).port}/upload`;

/** Uploads a form as programs on Node do, which differ from browsers. */
async function sendWithLibrary(form: FormData): Promise<void> {
	const sent = request(url(), { method: 'POST', headers: form.getHeaders() });
	sent.setHeader('content-length', form.getLengthSync());
	form.pipe(sent);
	await once(sent, 'response');
}

it('the form of an upload is the form that the usual library sends', async () => {
	const fields = [
		{ name: 'policy', value: 'eyJ9+/=' },
		{ name: 'key', value: 'imports/Zoë "1" & {file}' },
	];
	await service.run(
		new NativeBulkImport(),
		itemImport(service, personMap, {
			hosting: 'post',
			uploadUrl: url(),
			downloadUrl: `${service.sandbox.httpsUrl}/drop/{file}`,
			formFields: { field: fields },
		}),
		{ items: [{ json: { 'First Name': 'Zoë', 'Last Name': 'Ørsted', Mail: 'z@example.org' } }] },
	);
	const [ofNode] = received;
	if (!ofNode) throw new Error('Nothing was uploaded.');
	const parts = readForm(ofNode.headers['content-type'] ?? '', ofNode.body);
	const file = parts.at(-1);
	if (!file?.fileName) throw new Error('The form has no file.');

	const form = new FormData();
	for (const { name, value } of fields) form.append(name, value.replace('{file}', file.fileName));
	form.append('file', file.content, { filename: file.fileName, contentType: 'application/zip' });
	await sendWithLibrary(form);
	const [, ofLibrary] = received;
	expect(parts).toEqual(
		readForm(ofLibrary?.headers['content-type'] ?? '', ofLibrary?.body ?? Buffer.alloc(0)),
	);
	for (const { headers, body } of received) {
		expect(headers['content-length']).toBe(String(body.length));
		expect(headers['transfer-encoding']).toBeUndefined();
	}
});
