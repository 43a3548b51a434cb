import { makeZip } from 'client-zip';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { NativeApi } from '../../credentials/NativeApi.credentials';
import { byName, fromList, mapAutomatically } from '../../hosts/locators';
import { type Endpoint, endpoints } from '../../nodes/shared/service/endpoints';
import type { FaultRequest } from '../../sandbox';
import { longestTurnOf } from '../support/eventLoop';
import { type NodeRun, runNode } from './support/engine';
import { packageOperations, type PackageOperation } from './support/exampleOutputs';
import {
	fewTexts,
	hostileResponses,
	LONGEST_TURN_MS,
	slowTexts,
	texts,
} from './support/hostileTexts';
import type { ExampleRun, ExampleService } from './support/outputExamples';
import { sandboxCredential } from './support/sandboxed';
import { SandboxProcess } from './support/sandboxProcess';
import { textParameters } from './support/textParameters';

/**
 * No text from a web form or from the service stops n8n. Every text parameter of every operation and
 * every response to it is tried, as the descriptions of the nodes and the table of calls name them.
 */

let service: SandboxProcess;
let examples: ExampleService;
beforeAll(async () => {
	service = await SandboxProcess.start();
	const { url, httpsUrl } = service;
	examples = {
		uploadUrl: `${url}/drop/{file}?sig=1`,
		downloadUrl: `${httpsUrl}/drop/{file}`,
		host: async (fileName, text) => {
			const body = await new Response(makeZip([{ name: fileName, input: text }])).blob();
			await fetch(`${url}/drop/${fileName}.zip?sig=1`, { method: 'PUT', body });
			return `${httpsUrl}/drop/${fileName}.zip`;
		},
		run: async () => await Promise.resolve([{ jobId: 1, codeId: 501, personId: 100_001 }]),
	};
});
afterAll(async () => await service.stop());
afterEach(async () => await service.control('POST', 'reset'));

const operations = packageOperations();

/** Of operations whose examples have no parameters. */
const someRecord: INodeParameters = {
	resourceName: byName('events'),
	recordId: '6001',
	recordJson: '{"name":"Rally"}',
};

async function exampleOf({ examples: list, nodeName }: PackageOperation): Promise<ExampleRun> {
	const [example = {}] = (await list?.(examples)) ?? [];
	const fallback = nodeName === 'NativeRecord' ? someRecord : {};
	const { parameters } = example;
	const options: INodeParameters = { ...(parameters?.options as INodeParameters), timeout: 5 };
	// The end of a job is not waited for.
	if ('pollInterval' in options) Object.assign(options, { waitForOutcome: 'none', maxWait: 0.01 });
	return { ...example, parameters: { ...fallback, ...parameters, options } };
}

async function run(
	{ node }: PackageOperation,
	parameters: INodeParameters,
	items: INodeExecutionData[] = [{ json: {} }],
): Promise<NodeRun | undefined> {
	try {
		return await runNode({
			node,
			credentialTypes: [new NativeApi()],
			credentials: { nativeApi: sandboxCredential(service.url) },
			parameters,
			items,
			onError: 'continueErrorOutput',
			signal: AbortSignal.timeout(5000),
		});
	} catch {
		// n8n itself refuses some of these texts.
		return undefined;
	}
}

test.each(operations)(
	'$nodeName $name: no text in a parameter stops n8n',
	async (operation) => {
		const { parameters = {}, items } = await exampleOf(operation);
		// What is sent is checked with the responses.
		const base = { ...parameters, options: { ...(parameters.options as object), dryRun: true } };
		const slow: string[] = [];
		for (const { path, withText } of textParameters(operation, base)) {
			if (operation.isPerItem) {
				const given = texts.map((text) => ({ json: { text } }));
				const work = async () => await run(operation, withText('={{ $json.text }}'), given);
				if ((await longestTurnOf(work, LONGEST_TURN_MS)) <= LONGEST_TURN_MS) continue;
			}
			const found = await slowTexts(
				fewTexts,
				async (text) => await run(operation, withText(text), items),
			);
			slow.push(...found.map((text) => `${path}: ${text}`));
		}
		expect(slow).toEqual([]);
	},
	900_000,
);

test('no header and no value of a list stops n8n', async () => {
	const operation = operations.find(({ name }) => name === 'job/createFromItems');
	if (!operation) throw new Error('Import Items is missing.');
	const base = {
		resource: 'job',
		operation: 'createFromItems',
		hosting: 'none',
		resourceType: fromList('Contacts'),
		mappingTypes: ['CreateOrUpdateContact'],
	};
	const options = { dryRun: true };
	const slow = await slowTexts(texts, async (text) => {
		const row = { [text]: 'Ann Lee', 'Last Name': 'Lee', Email: 'a@example.org', Phone: '' };
		// A header is read for each row.
		const items = Array.from({ length: 12 }, () => ({ json: row }));
		items.push({ json: { ...row, Phone: text } });
		const fieldMap = mapAutomatically;
		return await run(operation, { ...base, fieldMap, options }, items);
	});
	expect(slow).toEqual([]);
}, 300_000);

test.each(operations)(
	'$nodeName $name: an object that has no text, in a parameter, is no error of JavaScript',
	async (operation) => {
		const { parameters = {} } = await exampleOf(operation);
		const base = { ...parameters, options: { ...(parameters.options as object), dryRun: true } };
		const items = [{ json: { value: { toString: 1, valueOf: 1 } } }];
		const raw: string[] = [];
		for (const { path, withText } of textParameters(operation, base)) {
			const ran = await run(operation, withText('={{ $json.value }}'), items);
			const printed = JSON.stringify([ran?.outputs, ran?.error?.message]);
			if (/Cannot convert object|is not a function/.test(printed)) raw.push(path);
		}
		expect(raw).toEqual([]);
	},
	60_000,
);

/** Every call, with an operation that makes it. */
const calls = Object.entries(endpoints).flatMap(([name, endpoint]: [string, Endpoint]) => {
	const operation = operations.find(
		({ calls: made }) => Array.isArray(made) && made.includes(endpoint),
	);
	return operation ? [{ name, endpoint, operation }] : [];
});

test.each(calls)(
	'no response to $name stops n8n',
	async ({ endpoint, operation }) => {
		const { parameters = {}, items } = await exampleOf(operation);
		const [resource = '', value = ''] = operation.name.split('/');
		const work = async () =>
			await run(operation, { ...parameters, resource, operation: value }, items);
		// A key that is not accepted would hide every response.
		expect(JSON.stringify(await work())).not.toMatch(/did not accept the key/);
		const slow: string[] = [];
		for (const [status, tried, body] of hostileResponses) {
			const found = await slowTexts(tried, work, async (text) => {
				await service.control('DELETE', 'faults');
				await service.addFault({
					method: endpoint.method as FaultRequest['method'],
					pathPrefix: endpoint.path.split('{')[0] ?? '/',
					count: 1000,
					fault: { kind: 'response', status, body: body(text) },
				});
			});
			slow.push(...found.map((text) => `${status}: ${text}`));
		}
		expect(slow).toEqual([]);
	},
	900_000,
);
