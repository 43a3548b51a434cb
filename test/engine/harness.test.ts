import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
	NodeConnectionTypes,
	sleep,
	type ICredentialType,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	type NodeApiError,
} from 'n8n-workflow';

import { ActivePoll } from './support/activePoll';
import { serveBinaryLinks } from './support/binaryLinks';
import { loadOptions, mapperFields, searchList, testCredential } from './support/editor';
import { readBinary, runNode, storeBinary } from './support/engine';

const KEY = 'aaaaaaaa-0000-4000-8000-00000000abcd';

class BasicCredential implements ICredentialType {
	name = 'basicCredential';

	displayName = 'Basic Credential';

	properties: INodeProperties[] = [
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
		{ displayName: 'User', name: 'user', type: 'string', default: 'apiuser' },
		{ displayName: 'Key', name: 'key', type: 'string', default: '' },
	];

	authenticate: ICredentialType['authenticate'] = {
		type: 'generic',
		properties: { auth: { username: '={{$credentials.user}}', password: '={{$credentials.key}}' } },
	};

	test = {
		request: { baseURL: '={{$credentials.baseUrl}}', url: '/status' },
		rules: [
			{ type: 'responseCode' as const, properties: { value: 401, message: 'The key is wrong' } },
		],
	};
}

/** The same credential, whose type writes the header itself. */
class FunctionCredential extends BasicCredential {
	override authenticate: ICredentialType['authenticate'] = async (values, options) => ({
		...options,
		headers: { ...options.headers, apiKey: String(values.key) },
	});
}

const description = (name: string, properties: INodeProperties[] = []): INodeTypeDescription => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: 'A node of this test',
	defaults: { name },
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	credentials: [{ name: 'basicCredential', required: true }],
	properties,
});

/** Calls the path of each item and emits the response. */
class Caller implements INodeType {
	description = description('caller', [
		{ displayName: 'Path', name: 'path', type: 'string', default: '/status' },
	]);

	methods = {
		listSearch: {
			async find(this: ILoadOptionsFunctions, filter?: string) {
				const { baseUrl } = await this.getCredentials<{ baseUrl: string }>('basicCredential');
				const response = await this.helpers.httpRequestWithAuthentication.call(
					this,
					'basicCredential',
					{
						url: `${baseUrl}/status`,
					},
				);
				return { results: [{ name: `${filter} ${response.authorization}`, value: 1 }] };
			},
		},
		loadOptions: {
			async paths(this: ILoadOptionsFunctions) {
				return [{ name: String(this.getCurrentNodeParameter('path')), value: 1 }];
			},
		},
		resourceMapping: {
			async fields(this: ILoadOptionsFunctions) {
				const id = String(this.getNodeParameter('path'));
				return {
					fields: [{ id, displayName: id, required: true, defaultMatch: false, display: true }],
				};
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { baseUrl } = await this.getCredentials<{ baseUrl: string }>('basicCredential');
		const output: INodeExecutionData[] = [];
		for (const [item] of this.getInputData().entries()) {
			try {
				const json = await this.helpers.httpRequestWithAuthentication.call(
					this,
					'basicCredential',
					{
						url: `${baseUrl}${String(this.getNodeParameter('path', item))}`,
					},
				);
				output.push({ json, pairedItem: { item } });
			} catch (error) {
				if (!this.continueOnFail()) throw error;
				const { httpCode } = error as NodeApiError;
				output.push({ json: { error: { httpCode } }, pairedItem: { item } });
			}
		}
		this.addExecutionHints({ message: `${output.length} calls` });
		return [output];
	}
}

/** Doubles a file, and says where the result can be fetched. */
class Doubler implements INodeType {
	description = { ...description('doubler'), credentials: [] };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const content = await this.helpers.getBinaryDataBuffer(0, 'file');
		const doubled = await this.helpers.prepareBinaryData(
			Buffer.concat([content, content]),
			'doubled.txt',
			'text/plain',
		);
		const link = this.helpers.createBinarySignedUrl(doubled, '1 hour');
		return [[{ json: { link }, binary: { doubled } }]];
	}
}

/** Waits in slices, as a node may not use timers, until the execution is cancelled. */
class Waiter implements INodeType {
	description = { ...description('waiter'), credentials: [] };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const signal = this.getExecutionCancelSignal();
		while (!signal?.aborted) await sleep(10);
		throw new Error('The wait was canceled');
	}
}

/** Counts its polls and emits every second one. */
class Counter implements INodeType {
	description = { ...description('counter'), credentials: [], polling: true as const };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const data = this.getWorkflowStaticData('node');
		const polls = Number(data.polls ?? 0) + 1;
		data.polls = polls;
		return polls % 2 === 0 || this.getMode() === 'manual' ? [[{ json: { polls } }]] : null;
	}
}

let server: Server;
let baseUrl: string;
let requests: IncomingMessage[];

beforeAll(async () => {
	server = createServer((request, response) => {
		requests.push(request);
		if (request.url === '/slow') return;
		const { authorization, apikey } = request.headers;
		response.writeHead(request.url === '/status' ? 200 : 401, {
			'content-type': 'application/json',
		});
		response.end(JSON.stringify({ authorization, apikey }));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
	requests = [];
});

afterAll(async () => {
	server.closeAllConnections();
	server.close();
	await once(server, 'close');
});

const setup = () => ({
	node: new Caller(),
	credentialTypes: [new BasicCredential()],
	credentials: { basicCredential: { baseUrl, key: KEY } },
});
const basic = `Basic ${Buffer.from(`apiuser:${KEY}`).toString('base64')}`;

describe('a run in the engine', () => {
	it('sends requests with what the credential resolves to, defaults included', async () => {
		const run = await runNode({ ...setup(), items: [{ json: {} }, { json: {} }] });

		expect(run.status).toBe('success');
		expect(run.outputs).toEqual([
			[
				{ json: { authorization: basic }, pairedItem: { item: 0 } },
				{ json: { authorization: basic }, pairedItem: { item: 1 } },
			],
		]);
		expect(run.hints).toEqual([{ message: '2 calls' }]);
	});

	it('lets a credential write the request itself', async () => {
		const run = await runNode({ ...setup(), credentialTypes: [new FunctionCredential()] });

		expect(run.outputs[0]?.[0]?.json).toEqual({ apikey: KEY });
	});

	it('resolves expressions for each item', async () => {
		await runNode({
			...setup(),
			parameters: { path: '={{ $json.path }}' },
			items: [{ json: { path: '/status' } }, { json: { path: '/missing' } }],
			onError: 'continueErrorOutput',
		});

		expect(requests.map(({ url }) => url)).toEqual(expect.arrayContaining(['/status', '/missing']));
	});

	it('ends with the error of the node', async () => {
		const run = await runNode({ ...setup(), parameters: { path: '/missing' } });

		expect(run.status).toBe('error');
		expect(run.error).toMatchObject({ name: 'NodeApiError', httpCode: '401' });
		expect(run.outputs).toEqual([]);
	});

	it('sends failed items to the error output, with the input they came from', async () => {
		const run = await runNode({
			...setup(),
			parameters: { path: '={{ $json.path }}' },
			items: [{ json: { path: '/missing' } }, { json: { path: '/status' } }],
			onError: 'continueErrorOutput',
		});

		expect(run.status).toBe('success');
		expect(run.outputs).toEqual([
			[{ json: { authorization: basic }, pairedItem: { item: 1 } }],
			[{ json: { path: '/missing', error: { httpCode: '401' } }, pairedItem: { item: 0 } }],
		]);
	});

	it('stores files, reads them and serves them by signed links', async () => {
		const links = await serveBinaryLinks();
		const file = await storeBinary(Buffer.from('abc'), {
			fileName: 'a.txt',
			mimeType: 'text/plain',
		});

		const run = await runNode({
			node: new Doubler(),
			items: [{ json: {}, binary: { file } }],
			restApiUrl: links.restApiUrl,
		});
		const item = run.outputs[0]?.[0];
		const response = await fetch(String(item?.json.link));
		const downloaded = await response.text();
		await links.close();

		expect((await readBinary(item, 'doubled')).toString()).toBe('abcabc');
		expect(downloaded).toBe('abcabc');
		expect(response.headers.get('content-type')).toBe('text/plain');
	});

	it('is cancelled while the node waits', async () => {
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 50);

		const run = await runNode({ node: new Waiter(), signal: stop.signal });

		expect(run.status).toBe('canceled');
	});

	it('is cancelled while a request is under way', async () => {
		const stop = new AbortController();
		const running = runNode({ ...setup(), parameters: { path: '/slow' }, signal: stop.signal });
		await once(server, 'request');
		stop.abort();

		expect((await running).status).toBe('canceled');
	});
});

describe('the editor', () => {
	it('searches lists with the credential', async () => {
		const list = await searchList({ ...setup(), method: 'find', filter: 'x' });

		expect(list.results).toEqual([{ name: `x ${basic}`, value: 1 }]);
	});

	it('loads options and mapper fields by what is filled in', async () => {
		const request = { ...setup(), parameters: { path: '/typed' } };

		expect(await loadOptions({ ...request, method: 'paths' })).toEqual([
			{ name: '/typed', value: 1 },
		]);
		expect(await mapperFields({ ...request, method: 'fields' })).toMatchObject({
			fields: [{ id: '/typed' }],
		});
	});
});

describe('the test of a credential', () => {
	const result = (url: string) => testCredential(new BasicCredential(), { baseUrl: url, key: KEY });

	it('succeeds by its request', async () => {
		expect(await result(baseUrl)).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(requests.map(({ headers }) => headers.authorization)).toEqual([basic]);
	});

	it('fails with the message of its rule', async () => {
		expect(await result(`${baseUrl}/elsewhere`)).toEqual({
			status: 'Error',
			message: 'The key is wrong',
		});
	});

	it('fails without a service', async () => {
		expect(await result('http://127.0.0.1:1')).toEqual({
			status: 'Error',
			message: 'ECONNREFUSED',
		});
	});

	it('is left to a node that offers one', async () => {
		const node = new Caller();
		node.description.credentials = [{ name: 'basicCredential', testedBy: 'own' }];
		const methods = {
			...node.methods,
			credentialTest: { own: async () => ({ status: 'OK' as const, message: 'by the node' }) },
		};

		const tested = await testCredential(new BasicCredential(), { key: KEY }, [
			{ description: node.description, methods },
		]);
		expect(tested.message).toBe('by the node');
	});
});

describe('a polling trigger', () => {
	it('loses what it noted since it last emitted when n8n restarts', async () => {
		const polling = new ActivePoll({ node: new Counter() });

		expect(await polling.poll()).toBeNull();
		expect(await polling.poll()).toEqual([[{ json: { polls: 2 } }]]);
		expect(await polling.poll()).toBeNull();
		expect(polling.savedStaticData).toEqual({ polls: 2 });

		polling.restart();
		expect(await polling.poll()).toBeNull();
		expect(await polling.poll()).toEqual([[{ json: { polls: 4 } }]]);
	});

	it('runs by hand', async () => {
		const run = await runNode({ node: new Counter(), mode: 'manual', staticData: { polls: 6 } });

		expect(run.outputs[0]?.[0]?.json).toEqual({ polls: 7 });
	});
});
