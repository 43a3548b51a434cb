import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { createOrUpdate, fieldsOf, jobWith } from './support/importJobs';
import { itemImport, property } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

/** A number is never another number: of a job, or in a row. */

const service = useSandbox();
const node = new NativeBulkImport();

const row: INodeExecutionData = { json: { Name: 'Ada', Mail: 'ada@example.org' } };
const names = {
	'CreateOrUpdateContact:LastName': property('Name'),
	'CreateOrUpdateContact:Email': property('Mail'),
};

describe.each([
	['negative', '-7'],
	['zero', '0'],
	['a fraction', '7.5'],
	['rounded by JavaScript', '9007199254740993'],
])('a job ID that is %s', (_, id) => {
	/** JSON as the service would write it: `JSON.stringify` cannot write a number with this many digits. */
	const respond = (method: 'GET' | 'POST', body: string): void => {
		const headers = { 'content-type': 'application/json' };
		const executed = method === 'POST';
		const fault = { kind: 'response', status: 200, headers, body, executed } as const;
		service.addFault(fault, `${method} /bulkImportJobs`);
	};
	const errorOf = async (parameters: INodeParameters) =>
		(await service.run(node, parameters, { items: [row], onError: 'continueErrorOutput' }))
			.outputs[1]?.[0]?.json.error as IDataObject | undefined;

	it.each([
		['Create', () => fieldsOf(jobWith('First Last Mail', [createOrUpdate]))],
		['Import Items', () => itemImport(service, names)],
	])('is no start of a job: %s', async (_operation, parameters) => {
		respond('POST', `{"jobId":${id}}`);
		expect(await errorOf(parameters())).toMatchObject({
			message: expect.stringMatching(/^The service responded to POST \/bulkImportJobs with/),
			outcomeUnknown: true,
		});
	});

	it('is no job to read', async () => {
		respond('GET', `{"id":${id},"status":"Completed"}`);
		expect(await errorOf({ resource: 'job', operation: 'get', jobId: '7' })).toMatchObject({
			message: expect.stringMatching(/^The service responded to GET \/bulkImportJobs\/7 with/),
		});
	});

	it('is no started job', async () => {
		const later = itemImport(service, names, { options: { waitForOutcome: 'none' } });
		const { outputs } = await service.run(node, later, { items: [row] });
		const file = { ...outputs[0]?.[0]?.json, jobId: Number(id) };
		const startedJobs = `={{ ${JSON.stringify([file])} }}`;
		const read = { resource: 'job', operation: 'getItemOutcomes', source: 'items', startedJobs };
		expect(await errorOf(read)).toMatchObject({
			message: expect.stringMatching(/^Started Jobs has an item .* lacks some of its fields/),
		});
	});

	it('stops an import whose Run Key the job has', async () => {
		service.change({ styles: { jobDescriptions: true } });
		const keyed = itemImport(service, names, { options: { runKey: 'k', waitForOutcome: 'none' } });
		await service.run(node, keyed, { items: [row] });
		const description = JSON.stringify(service.jobs()[0]?.description);
		respond('GET', `{"items":[{"id":${id},"description":${description}}],"nextPageLink":null}`);
		const again = await service.run(node, keyed, { items: [row] });
		expect(again.error?.message).toMatch(/cannot be set to Continue Its Jobs/);
		expect(service.jobs()).toHaveLength(1);
	});
});

describe('a number with more digits than JavaScript keeps', () => {
	const digits = '9007199254740993';
	const values: Array<[string, IDataObject, string, boolean]> = [
		['as a number of an item', { Name: Number(digits) }, property('Name'), false],
		['in a JSON cell', { Name: `{"n":${digits}}` }, '={{ JSON.parse($json.Name).n }}', false],
		[
			'as text in a JSON cell',
			{ Name: `{"n":"${digits}"}` },
			'={{ JSON.parse($json.Name).n }}',
			true,
		],
		['as text', { Name: digits }, property('Name'), true],
	];
	it.each(values)('%s', async (_, json, expression, isKept) => {
		const map = { ...names, 'CreateOrUpdateContact:LastName': expression };
		const items = [row, { json: { ...row.json, ...json } }];
		const { outputs } = await service.run(node, itemImport(service, map), {
			items,
			onError: 'continueRegularOutput',
		});
		const [, second] = outputs[0] ?? [];
		const stored = service.people().map(({ fields }) => fields.lastName);
		expect(second?.json.status).toBe(isKept ? 'imported' : 'invalid');
		expect(stored.includes(digits)).toBe(isKept);
		expect(stored).not.toContain(String(Number(digits)));
		if (!isKept)
			expect(JSON.stringify(second?.json)).toMatch(/has more digits than a number can keep/);
	});
});
