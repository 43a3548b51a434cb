import type { IDataObject } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import {
	asJson,
	createOrUpdate,
	credentialOf,
	fieldsOf,
	type Job,
	jobsOf,
	jobWith,
	same,
	vendors,
} from './support/importJobs';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

describe.each(vendors)('the body of a job in the words of %s', (vendor) => {
	const jobs = Object.entries(jobsOf(vendor));

	it.each(jobs)('is exactly what the fields say: %s', async (_, job) => {
		const run = await service.run(node, fieldsOf(job), { credential: credentialOf(vendor) });

		expect(run.error).toBeUndefined();
		const [call, ...more] = service.calls();
		expect(call).toMatchObject({
			method: 'POST',
			path: `${vendor === 'Native' ? '/v2' : '/v4'}/bulkImportJobs`,
			status: 200,
		});
		expect(call?.body).toEqual(job);
		expect(more).toEqual([]);
		const { jobId } = run.outputs[0]?.[0]?.json ?? {};
		expect(jobId).toEqual(expect.any(Number));
		expect(run.customData).toEqual({ importJobs: String(jobId) });
	});
});

test('several actions with their own mapping types and included columns reach the service', async () => {
	const job = jobWith('NativeId First Last Mail CrmId', [], {
		actions: [
			{
				actionType: 'loadMappedFile',
				resourceType: 'Contacts',
				resultFileSizeKbLimit: 5000,
				mappingTypes: [createOrUpdate],
				columnsToIncludeInResultsFile: [{ name: 'CrmId' }],
			},
			{
				actionType: 'loadMappedFile',
				resourceType: 'Contacts',
				resultFileSizeKbLimit: 6000,
				mappingTypes: [
					{
						name: 'OriginSourceCode',
						fieldValueMappings: [{ fieldName: 'CodeId', staticValue: '503' }],
					},
				],
			},
		],
	});
	const run = await service.run(node, fieldsOf(job));

	expect(run.error).toBeUndefined();
	expect(service.calls().map(({ body }) => body)).toEqual([job]);
});

test('the file delimiters are sent as the interface spells them', async () => {
	for (const columnDelimiter of ['CSV', 'Tab', 'Pipe']) {
		const job = jobWith('First Last Mail', [createOrUpdate]);
		await service.run(
			node,
			fieldsOf({
				...job,
				file: { ...job.file, columnDelimiter, hasHeader: false, hasQuotes: false },
			}),
		);
	}
	const files = service.calls().map(({ body }) => (body as { file: IDataObject }).file);
	expect(files.map(({ columnDelimiter }) => columnDelimiter)).toEqual(['CSV', 'Tab', 'Pipe']);
	expect(files[0]).toMatchObject({ hasHeader: false, hasQuotes: false });
});

describe('a job that cannot work is rejected before any call', () => {
	const good = jobWith('First Last Mail', [createOrUpdate]);
	const withFile = (file: IDataObject): Job => ({
		...good,
		file: { ...good.file, ...file } as Job['file'],
	});
	const inAction = (action: Partial<Job['actions'][number]>): Job => ({
		...good,
		actions: good.actions.map((known) => ({ ...known, ...action })),
	});

	// The rules themselves are in test/unit/service/importJob.test.ts: here the labels of the screen.
	it.each<[string, Job, RegExp]>([
		[
			'a plain http source',
			withFile({ sourceUrl: 'http://files.example.org/a.zip' }),
			/^Source URL begins .*sftp.*ftps.*https/,
		],
		[
			'a misspelt column',
			jobWith('First Last Email', [createOrUpdate]),
			/^Action 1 → Mapping Type 1 → Field Value Mapping 3 → Column Name: "Mail" is not a column of the file.*Did you mean "Email"/,
		],
		[
			'a size limit of zero',
			inAction({ resultFileSizeKbLimit: 0 }),
			/^Action 1 → Result File Size Limit \(KB\) is 0, but must be above 0/,
		],
		[
			'custom fields without their group',
			jobWith('NativeId CF12', [
				{ name: 'ApplyContactCustomFields', fieldValueMappings: same('CF12') },
			]),
			/^Action 1 → Mapping Type 1 → Field Value Mappings: .*CustomFieldGroupID/,
		],
	])('%s', async (_, job, message) => {
		const run = await service.run(node, fieldsOf(job));

		expect(run.error?.message).toMatch(message);
		expect(run.error?.description).toMatch(/^Nothing was sent/);
		expect(service.sandbox.requests).toEqual([]);
	});

	it.each<[string, unknown, RegExp]>([
		[
			'a misspelt property',
			{ ...good, decription: 'x' },
			/^Job \(JSON\) → decription is not a property.*Did you mean "description"/,
		],
		[
			'an empty body',
			'{}',
			/3 things to correct.*description is missing.*file is missing.*actions is missing/,
		],
	])('%s, given as JSON', async (_, job, message) => {
		const run = await service.run(node, asJson(job));

		expect(run.error?.message).toMatch(message);
		expect(service.sandbox.requests).toEqual([]);
	});
});

test('a job that was started in spite of errors in the response is named', async () => {
	const errors = [{ code: 'WARNING', text: 'The listener was ignored' }];
	const body = { jobId: '91', errors };
	service.addFault({ kind: 'response', status: 200, body }, 'POST');
	const [[, job] = []] = Object.entries(jobsOf('Native'));
	if (!job) throw new Error('There is no job.');
	const { outputs } = await service.run(node, fieldsOf(job), { onError: 'continueRegularOutput' });
	expect(outputs[0]?.[0]?.json).toMatchObject({
		error: { jobId: 91, outcomeUnknown: true },
	});
	expect(JSON.stringify(outputs[0])).toContain('It started import job 91: read');
});
