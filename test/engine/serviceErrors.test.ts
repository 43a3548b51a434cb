import type { IDataObject } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { column, createOrUpdate, credentialOf, fieldsOf, jobWith } from './support/importJobs';
import { DEMO_KEY, RESTRICTED_KEY, UNKNOWN_KEY, useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

describe('a credential that cannot work is rejected before any call', () => {
	const job = fieldsOf(jobWith('First Last Mail', [createOrUpdate]));

	it.each<[string, IDataObject, RegExp]>([
		['an empty key', { apiKey: '' }, /API Key is empty/],
		['a key that is no GUID', { apiKey: 'hunter2' }, /API Key is not a key/],
		['a key with its mode', { apiKey: `${DEMO_KEY}|1` }, /API Key must be the key alone/],
		[
			'a plain http address',
			{ baseUrl: 'http://api.example.org' },
			/Base URL must begin with https/,
		],
		['no address', { baseUrl: '' }, /Base URL is empty/],
	])('%s', async (_, changes, message) => {
		const run = await service.run(node, job, { credential: changes as never });

		expect(run.error?.message).toMatch(message);
		expect(JSON.stringify(run.error)).not.toContain(DEMO_KEY);
		expect(service.sandbox.requests).toEqual([]);
	});

	it('forgives spaces around the key, and any casing', async () => {
		const run = await service.run(node, job, {
			credential: { apiKey: `  ${DEMO_KEY.toUpperCase()} ` },
		});
		expect(run.error).toBeUndefined();
	});
});

describe('both ways of authentication', () => {
	const parameters = {
		resource: 'resourceType',
		operation: 'getAll',
		returnAll: true,
		options: {},
	};

	it.each<[string, IDataObject]>([
		['basic', { authentication: 'basic' }],
		['header', { authentication: 'header' }],
	])('%s', async (_, credential) => {
		const run = await service.run(node, parameters, { credential: credential as never });

		expect(run.error).toBeUndefined();
		expect(run.outputs[0]?.map(({ json }) => json.name)).toEqual([
			'Contacts',
			'Contributions',
			'ActivistCodes',
			'ContactsActivistCodes',
			'ContributionAdjustments',
		]);
	});

	it('sends the mode a deployment wants with the key', async () => {
		const run = await service.run(node, parameters, { credential: credentialOf('Van') });
		expect(run.error).toBeUndefined();
	});
});

describe('what the service rejects becomes an error to act on', () => {
	const read = { resource: 'job', operation: 'get', jobId: '1', options: {} };
	const create = fieldsOf(jobWith('First Last Mail', [createOrUpdate]));

	it('401: an unknown key', async () => {
		const run = await service.run(node, read, { credential: { apiKey: UNKNOWN_KEY } });
		expect(run.error).toMatchObject({
			message: 'The service did not accept the key for GET /bulkImportJobs/1',
			description: expect.stringMatching(
				/API Key, Authentication, Username and Database Mode.*Invalid Database Mode/,
			) as string,
			httpCode: '401',
		});
		expect(service.calls()).toHaveLength(1);
	});

	it('403: an endpoint the key may not use', async () => {
		const run = await service.run(node, create, { credential: { apiKey: RESTRICTED_KEY } });
		expect(run.error).toMatchObject({
			message: 'This key is not allowed to use POST /bulkImportJobs',
			httpCode: '403',
		});
	});

	it('404: no such job', async () => {
		const run = await service.run(node, read);
		expect(run.error).toMatchObject({
			message: 'The service has no such record: GET /bulkImportJobs/1',
			httpCode: '404',
		});
	});

	it('400: the named properties and their reasons', async () => {
		const job = jobWith('NativeId A', [
			{ name: 'NoSuchType', fieldValueMappings: [column('B', 'A')] },
		]);
		const run = await service.run(node, fieldsOf(job));
		expect(run.error).toMatchObject({
			message: expect.stringMatching(
				/^The service rejected POST \/bulkImportJobs: actions\[0\]\.mappingTypes\[0\]\.name: /,
			) as string,
			httpCode: '400',
		});
	});

	it('500 with a web page: said plainly, without the page, and not sent twice', async () => {
		service.addFault({
			method: 'POST',
			pathPrefix: '/bulkImportJobs',
			fault: { kind: 'status', status: 500, body: 'html' },
		});
		const run = await service.run(node, create);
		expect(run.error).toMatchObject({
			message:
				'It is unknown whether the service executed POST /bulkImportJobs: the service failed with status 500 and a web page instead of data',
			description: expect.stringMatching(/could create a duplicate/) as string,
			httpCode: '500',
		});
		expect(`${run.error?.message}${run.error?.description}`).not.toMatch(/<html/i);
		expect(service.calls()).toHaveLength(1);
	});

	it('302 to an error page: not followed', async () => {
		service.addFault({ fault: { kind: 'redirectToErrorPage' } });
		const run = await service.run(node, read);
		expect(run.error).toMatchObject({
			message: expect.stringMatching(
				/responded to GET \/bulkImportJobs\/1 with a redirect/,
			) as string,
			description: expect.stringContaining('/Error.aspx') as string,
		});
		expect(service.sandbox.requests).toHaveLength(1);
	});

	it('a web page with status 200', async () => {
		service.addFault({ fault: { kind: 'htmlPage' } });
		const run = await service.run(node, read);
		expect(run.error?.message).toBe(
			'The service responded to GET /bulkImportJobs/1 with a web page instead of data',
		);
	});

	it('an empty response to a new job: the outcome is unknown', async () => {
		service.addFault({ method: 'POST', fault: { kind: 'emptyBody' } });
		const run = await service.run(node, create);
		expect(run.error?.description).toMatch(/could create a duplicate/);
		expect(service.calls()).toHaveLength(1);
	});

	it('a failed item goes to the error output with what a fallback needs', async () => {
		service.addFault({ method: 'POST', fault: { kind: 'resetAfter' } });
		const run = await service.run(
			node,
			{ ...create, sourceUrl: 'https://user:hunter2@files.example.org/rows.zip' },
			{ items: [{ json: { mine: 1 } }], onError: 'continueErrorOutput' },
		);
		expect(run.outputs[0]).toEqual([]);
		expect(run.outputs[1]?.[0]).toMatchObject({
			pairedItem: { item: 0 },
			json: {
				mine: 1,
				error: {
					message: expect.stringContaining('It is unknown whether') as string,
					httpCode: null,
					replayable: false,
					outcomeUnknown: true,
					request: {
						method: 'POST',
						path: '/bulkImportJobs',
						body: { file: { sourceUrl: 'https://***@files.example.org/rows.zip' } },
					},
				},
			},
		});
		expect(JSON.stringify(run)).not.toContain('hunter2');
		expect(service.jobs()).toHaveLength(1);
	});

	it('a password in an address is in no error', async () => {
		const run = await service.run(
			node,
			{ ...create, sourceUrl: 'https://user:hunter2@files.example.org/rows.zip' },
			{ credential: { apiKey: RESTRICTED_KEY } },
		);
		expect(run.error?.message).toMatch(/not allowed/);
		expect(JSON.stringify(run)).not.toContain('hunter2');
	});

	it('a rejected job is sent again and started once', async () => {
		service.addFault({
			method: 'POST',
			count: 2,
			fault: { kind: 'status', status: 429, retryAfter: 'text', retryAfterMs: 30 },
		});
		const run = await service.run(node, create);
		expect(run.error).toBeUndefined();
		expect(service.jobs()).toHaveLength(1);
	});
});
