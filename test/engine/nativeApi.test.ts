import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { NativeApi } from '../../credentials/NativeApi.credentials';
import { testCredential } from './support/editor';
import { RESTRICTED_KEY, Sandboxed, UNKNOWN_KEY } from './support/sandboxed';

const OK = { status: 'OK', message: 'Connection successful!' };

let service: Sandboxed;
beforeAll(async () => {
	service = await Sandboxed.start();
});
afterAll(async () => {
	await service.close();
});

const tested = async (changes: ICredentialDataDecryptedObject = {}) =>
	await testCredential(new NativeApi(), service.credential(changes));

/** A host that is not the sandbox, and what it was asked. */
async function startHost(behave: (response: ServerResponse) => void) {
	const requests: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		requests.push(request);
		behave(response);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		close: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

describe('the test of the credential', () => {
	it.each([
		['as it is meant', '', 'v2'],
		['with a slash before the version', '', '/v2'],
		['with slashes and blanks around the version', '', ' /v2/ '],
		['with a slash after the address', '/', 'v2'],
		['with the version in the address', '/v2', ''],
		['with the version in the address and slashes', '/v2// ', ' / '],
	])('succeeds where the nodes do: %s', async (_, end, apiVersion) => {
		const before = service.calls().length;
		expect(await tested({ baseUrl: `${service.sandbox.url}${end}`, apiVersion })).toEqual(OK);
		expect(service.calls().slice(before)).toMatchObject([
			{ method: 'GET', path: '/v2/codeTypes', status: 200 },
		]);
	});

	it.each([
		['an unknown key', { apiKey: UNKNOWN_KEY }, /did not accept this key/],
		['a key without code types', { apiKey: RESTRICTED_KEY }, /may not read code types/],
		['another version', { apiVersion: 'v9' }, /no such service at this address/],
	])('tells what to check for %s', async (_, changes, message) => {
		expect(await tested(changes)).toEqual({
			status: 'Error',
			message: expect.stringMatching(message) as string,
		});
	});

	it.each(
		[301, 302, 303, 307, 308].flatMap((status) =>
			['basic', 'header'].map((authentication) => ({ status, authentication })),
		),
	)(
		'fails at redirect $status and takes the key nowhere ($authentication)',
		async ({ status, authentication }) => {
			const other = await startHost((response) => response.end('["Tag"]'));
			const redirecting = await startHost((response) =>
				response.writeHead(status, { location: `${other.url}/v2/codeTypes` }).end(),
			);

			const result = await tested({ baseUrl: redirecting.url, authentication });
			await redirecting.close();
			await other.close();

			expect(result).toEqual({
				status: 'Error',
				message: expect.stringMatching(/redirect to another address.*Check Base URL/) as string,
			});
			expect(redirecting.requests).toHaveLength(1);
			expect(other.requests).toEqual([]);
		},
	);

	it.each([
		'<!DOCTYPE html><p>Log in</p>',
		'\r\n<html></html>',
		'\n\n<html></html>',
		' <p>',
		'\t<p>',
		'',
	])('fails for %j instead of a list', async (page) => {
		const host = await startHost((response) =>
			response.writeHead(200, { 'content-type': 'text/html' }).end(page),
		);
		const result = await tested({ baseUrl: host.url });
		await host.close();
		expect(result).toEqual({
			status: 'Error',
			message: expect.stringMatching(/Something other than the service answered/) as string,
		});
	});

	it.each(['[]', '["Tag","SourceCode"]', '[{"name":"Tag"}]', '{"items":[]}'])(
		'succeeds for the list %s',
		async (list) => {
			const host = await startHost((response) =>
				response.writeHead(200, { 'content-type': 'application/json' }).end(list),
			);
			const result = await tested({ baseUrl: host.url });
			await host.close();
			expect(result).toEqual(OK);
		},
	);
});
