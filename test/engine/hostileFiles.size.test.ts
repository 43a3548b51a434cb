import type { ICredentialDataDecryptedObject, INode, INodeParameters } from 'n8n-workflow';

import { NativeApi } from '../../credentials/NativeApi.credentials';
import {
	calls as triggerCalls,
	NativeBulkImportTrigger,
} from '../../nodes/NativeBulkImportTrigger/NativeBulkImportTrigger.node';
import { endpoints } from '../../nodes/shared/service/endpoints';
import { ActivePoll } from './support/activePoll';
import { testCredential } from './support/editor';
import { runNode, storeBinary } from './support/engine';
import { packageOperations } from './support/exampleOutputs';
import { hostileResponses, responseTexts, slowTexts, texts } from './support/hostileTexts';
import { SandboxProcess } from './support/sandboxProcess';
import { sandboxCredential } from './support/sandboxed';
import { textParameters } from './support/textParameters';

/**
 * No text stops n8n that reaches it outside of an operation's parameters and responses: in the trigger, in
 * the credential and in files. All of them are found in the descriptions.
 */

let service: SandboxProcess;
beforeAll(async () => {
	service = await SandboxProcess.start();
});
afterAll(async () => await service.stop());
afterEach(async () => await service.reset());

const setup = (node: INode | object, parameters: INodeParameters) => ({
	node: node as never,
	credentialTypes: [new NativeApi()],
	credentials: { nativeApi: sandboxCredential(service.url) },
	parameters,
});

/** The answer to every request of a method below a path. */
async function respond(pathPrefix: string, status: number, body: unknown): Promise<void> {
	await service.control('DELETE', 'faults');
	await service.addFault({
		method: 'GET',
		pathPrefix,
		count: 1000,
		fault: { kind: 'response', status, body },
	});
}

/** Polls twice, because the first one only looks. Errors are as good as items here. */
async function poll(parameters: INodeParameters): Promise<void> {
	const active = new ActivePoll(setup(new NativeBulkImportTrigger(), parameters));
	for (let polls = 0; polls < 2; polls++) await active.poll().catch(() => undefined);
}

const watching: INodeParameters[] = ['all', 'specific'].map((watch) => ({
	...{ watch, jobIds: '1', events: ['ended', 'statusChanged', 'unreadable'] },
	options: { results: 'rows' },
	limits: { timeout: 5 },
}));

describe('the trigger', () => {
	const trigger = { node: new NativeBulkImportTrigger(), name: '/' };
	const [base = {}] = watching;

	it.each(textParameters(trigger, base))('with a text in $path', async ({ withText }) => {
		expect(await slowTexts(texts, async (text) => await poll(withText(text)))).toEqual([]);
	});

	it.each(triggerCalls)('with any response to $method $path', async ({ path }) => {
		for (const [status, tried, body] of hostileResponses) {
			const work = async () => {
				for (const parameters of watching) await poll(parameters);
			};
			const slow = await slowTexts(tried, work, async (text) => {
				await respond(path.split('{')[0] ?? '/', status, body(text));
			});
			expect(slow).toEqual([]);
		}
	});
});

describe('the test of the credential', () => {
	const test = async (changes: ICredentialDataDecryptedObject): Promise<void> => {
		await testCredential(new NativeApi(), { ...sandboxCredential(service.url), ...changes }, [
			new NativeBulkImportTrigger(),
		]);
	};
	const fields = new NativeApi().properties.filter(({ type }) => type === 'string');

	it.each([...new Set(fields.map(({ name }) => name))])('with a text in %s', async (name) => {
		expect(await slowTexts(texts, async (text) => await test({ [name]: text }))).toEqual([]);
	});

	it('with any response', async () => {
		for (const [status, tried, body] of hostileResponses) {
			const work = async () => await test({});
			const slow = await slowTexts(tried, work, async (text) => {
				await respond(endpoints.listCodeTypes.path, status, body(text));
			});
			expect(slow).toEqual([]);
		}
	});
});

/** A text in the header, in quotation marks and as a whole line. */
const files: Array<(text: string) => string> = [
	(text) => `${text},Email\n${text},ann@example.org\n`,
	(text) => `First Name,Email,N8nItem\n"${text}",${text},x-1\n${text}`,
];

const RESULT_HEAD = 'BulkUploadDataID,ULFileID,PrimaryKey,PrimaryKeyType';
const resultFiles: typeof files = [
	(text) => `${RESULT_HEAD},N8nItem,Result\n1,6,${text},${text},x-1,${text}\n`,
	(text) => `${RESULT_HEAD},${text},N8nItem\n1,6,"${text}","x","${text}","x-1"\n${text}`,
];

const importParameters: INodeParameters = {
	description: 'Rows',
	mappingTypes: ['CreateOrUpdateContact'],
	fieldMap: {
		mappingMode: 'autoMapInputData',
		value: {},
		schema: [],
		matchingColumns: [],
	} as never,
	// Not waiting for the end of the job: files are read from responses below.
	...{ hosting: 'put', source: 'binary', startedJobs: '1', jobId: '1' },
	limits: { timeout: 5 },
};

const operations = packageOperations();

const readers = operations.filter(({ node, name }) =>
	node.description.properties.some(
		(property) =>
			property.name === 'source' &&
			property.displayOptions?.show?.operation?.includes(name.split('/')[1] ?? '') === true &&
			property.displayOptions.show.resource?.includes(name.split('/')[0] ?? '') === true,
	),
);

const resultReaders = operations.filter(
	({ calls }) => Array.isArray(calls) && calls.includes(endpoints.getBulkImportJob),
);

async function runWithFile(
	{ node, name }: (typeof operations)[number],
	content: string,
	options: INodeParameters,
): Promise<void> {
	const [resource = '', operation = ''] = name.split('/');
	const data = await storeBinary(Buffer.from(content), {
		fileName: 'rows.csv',
		mimeType: 'text/csv',
	});
	const uploadUrl = `${service.url}/drop/{file}?sig=1`;
	const downloadUrl = `${service.url.replace('http:', 'https:')}/drop/{file}`;
	await runNode({
		...setup(node, { ...importParameters, uploadUrl, downloadUrl, resource, operation, options }),
		items: [{ json: {}, binary: { data } }],
		onError: 'continueErrorOutput',
		signal: AbortSignal.timeout(5000),
	}).catch(() => undefined);
}

it.each(readers)('a file of rows: $nodeName $name', async (operation) => {
	for (const file of files) {
		const slow = await slowTexts(
			texts,
			async (text) => await runWithFile(operation, file(text), { dryRun: true }),
		);
		expect(slow).toEqual([]);
	}
});

it.each([...resultReaders, { nodeName: 'NativeBulkImportTrigger', name: 'poll' }])(
	'a result file: $nodeName $name',
	async (operation) => {
		for (const file of resultFiles) {
			const slow = await slowTexts(responseTexts, async (text) => {
				const name = `results-${crypto.randomUUID()}.csv`;
				await fetch(`${service.url}/drop/${name}?sig=1`, { method: 'PUT', body: file(text) });
				const links = [{ url: `${service.url}/drop/${name}`, dateExpired: null }];
				const job = { id: 1, status: 'Completed', resultFiles: links, errors: [] };
				await respond('/bulkImportJobs', 200, job);
				if ('node' in operation)
					await runWithFile(operation, 'First Name,Email\nAnn,ann@example.org\n', {
						waitForCompletion: 'memory',
						report: true,
						rejectedRows: true,
					});
				else for (const parameters of watching) await poll(parameters);
			});
			expect(slow).toEqual([]);
		}
	},
);
