import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { NativeApi } from '../../credentials/NativeApi.credentials';
import { NativePeople } from '../../nodes/NativePeople/NativePeople.node';
import { OTHER_KEY } from '../support/runningSandbox';
import { testCredential } from './support/editor';
import { packageNodes } from './support/packageNodes';
import { DEMO_KEY, RESTRICTED_KEY, UNKNOWN_KEY, useSandbox } from './support/sandboxed';

const ok = (address: string) => ({
	status: 'OK',
	message: `The service accepted the key: ${address}, key "…${DEMO_KEY.slice(-2)}".`,
});

const nodes = [...packageNodes().values()].map(({ node }) => node);

const service = useSandbox();

const failure = (message: RegExp) => ({
	status: 'Error',
	message: expect.stringMatching(message) as string,
});

const testWith = async (changes: ICredentialDataDecryptedObject = {}) =>
	await testCredential(new NativeApi(), service.credential(changes), nodes);

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
		['with slashes and blanks around the version', '', ' /v2/ '],
		['with the version in the address', '/v2', ''],
		['with the version in the address and slashes', '/v2// ', ' / '],
	])('succeeds where the nodes do: %s', async (_, end, apiVersion) => {
		const before = service.calls().length;
		expect(await testWith({ baseUrl: `${service.sandbox.url}${end}`, apiVersion })).toEqual(
			ok(`${service.sandbox.url}/v2`),
		);
		expect(service.calls().slice(before)).toMatchObject([
			{ method: 'GET', path: '/v2/codeTypes', status: 200 },
		]);
	});

	it('is offered by every node', () => {
		for (const { description, methods } of nodes) {
			expect(description.credentials).toMatchObject([{ testedBy: 'testConnection' }]);
			expect(methods?.credentialTest).toHaveProperty('testConnection');
		}
	});

	it.each([
		[
			'an unknown key',
			{ apiKey: UNKNOWN_KEY },
			/^The service did not accept this key: .*\/v2, key "…\w\w"\. Check/,
		],
		['another version', { apiVersion: 'v9' }, /^There is no such service at this address\. Check/],
		['no host', { baseUrl: 'http://127.0.0.1:9' }, /could not be reached \(ECONNREFUSED\)\. Check/],
		[
			'an unknown host name',
			{ baseUrl: 'https://nobody.invalid' },
			/could not be reached \((ENOTFOUND|EAI_AGAIN)\)\. Check Deployment and, if shown, Base URL/,
		],
		['an address that is none', { baseUrl: 'example' }, /^Base URL is not an address\. Enter/],
		['half a key', { apiKey: '1234' }, /^API Key does not look like a key/],
	])('says what to check for %s', async (_, changes, message) => {
		expect(await testWith(changes)).toEqual(failure(message));
	});

	it('takes a key for usable that may not read code types, and says so', async () => {
		expect(await testWith({ apiKey: RESTRICTED_KEY })).toEqual({
			status: 'OK',
			message: expect.stringMatching(/^The key works: .*\. It may not read code types/) as string,
		});
	});

	it('does not take the key for usable where a gateway rejects the call', async () => {
		const gateway = await startHost((response) =>
			response.writeHead(403, { 'content-type': 'text/html' }).end('<html>Blocked</html>'),
		);
		const result = await testWith({ baseUrl: gateway.url });
		await gateway.close();
		expect(result).toEqual(failure(/Something other than the service responded, with status 403/));
	});

	it.each([
		[429, /rate limit of this key is used up/],
		[502, /failed with status 502/],
	])('says what to do at status %s', async (status, message) => {
		const host = await startHost((response) => response.writeHead(status).end('{"errors":[]}'));
		const result = await testWith({ baseUrl: host.url });
		await host.close();
		expect(result).toEqual(failure(message));
	});

	it.each([400, 405])('tells an error of the service from a web page: %i', async (status) => {
		const host = await startHost((response) =>
			response.writeHead(status).end('{"errors":[{"code":"METHOD_NOT_ALLOWED","text":"No"}]}'),
		);
		const result = await testWith({ baseUrl: host.url });
		await host.close();
		expect(result).toEqual(failure(/^The service did not list its code types/));
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

			const result = await testWith({ baseUrl: redirecting.url, authentication });
			await redirecting.close();
			await other.close();

			expect(result).toEqual(
				failure(/redirect to another address.*Check Deployment and, if shown, Base URL/),
			);
			expect(redirecting.requests).toHaveLength(1);
			expect(other.requests).toEqual([]);
		},
	);

	it.each([
		'<!DOCTYPE html><p>Log in</p>',
		'\r\n<html></html>',
		'',
		'{"name":"Tag"}',
		'{"errors":[{"code":"NOT_FOUND","text":"No"}]}',
	])('fails for %j instead of a list', async (page) => {
		const host = await startHost((response) =>
			response.writeHead(200, { 'content-type': 'text/html' }).end(page),
		);
		const result = await testWith({ baseUrl: host.url });
		await host.close();
		expect(result).toEqual(failure(/Something other than the service responded/));
	});

	it.each(['[]', '["Tag","SourceCode"]', '[{"name":"Tag"}]', '{"items":[]}'])(
		'succeeds for the list %s',
		async (list) => {
			const host = await startHost((response) =>
				response.writeHead(200, { 'content-type': 'application/json' }).end(list),
			);
			const result = await testWith({ baseUrl: host.url });
			await host.close();
			expect(result).toEqual(ok(`${host.url}/v2`));
		},
	);

	it('asks with what a preset deployment leaves to enter', async () => {
		const { sandbox } = service;
		const before = service.calls().length;
		const entered = { deployment: 'native', baseUrl: sandbox.url, apiVersion: 'v9', username: 'x' };
		expect(await testWith(entered)).toEqual(ok(`${sandbox.url}/v2 (Native)`));
		expect(service.calls().slice(before)).toMatchObject([{ path: '/v2/codeTypes', status: 200 }]);
	});
});

describe('expressions in the credential', () => {
	const rows = [
		{ email: 'one@example.org', key: DEMO_KEY },
		{ email: 'two@example.org', key: OTHER_KEY },
	];
	const find = {
		resource: 'person',
		operation: 'findOrCreate',
		email: '={{ $json.email }}',
	};
	const run = async (apiKey: string, items = rows) =>
		await service.run(new NativePeople(), find, {
			items: items.map((json) => ({ json })),
			credential: { apiKey },
		});

	it('that give the items several keys send nothing: all would go to one database', async () => {
		const { error } = await run('={{ $json.key }}');
		expect(error?.message).toMatch(
			/^Credential has expressions with different values for item 2 and item 1/,
		);
		expect(service.calls()).toEqual([]);
	});

	it.each([
		[
			'of the items, that are the same',
			'={{ $json.key }}',
			rows.map((row) => ({ ...row, key: DEMO_KEY })),
		],
		['of one item', '={{ $json.key }}', rows.slice(0, 1)],
		['of no item', `={{ "${DEMO_KEY}" }}`, rows],
	])('work: %s', async (_, apiKey, items) => {
		expect((await run(apiKey, items)).error).toBeUndefined();
		expect(service.writes()).toHaveLength(items.length);
	});
});
