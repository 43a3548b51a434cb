import type { IDataObject } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import {
	asJson,
	column,
	createOrUpdate,
	credentialOf,
	fieldsOf,
	type Job,
	jobsOf,
	jobWith,
	type MappingType,
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

	it.each(jobs)('is exactly what the JSON says: %s', async (_, job) => {
		const run = await service.run(node, asJson(job), { credential: credentialOf(vendor) });

		expect(run.error).toBeUndefined();
		expect(service.calls().map(({ body }) => body)).toEqual([job]);
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
	const withTypes = (columns: string, mappingTypes: MappingType[]): Job =>
		jobWith(columns, mappingTypes);
	const inAction = (action: Partial<Job['actions'][number]>): Job => ({
		...good,
		actions: good.actions.map((known) => ({ ...known, ...action })),
	});
	const manyColumns = Array.from({ length: 51 }, (_, index) => `C${index}`);

	it.each<[string, Job, RegExp]>([
		['a blank description', { ...good, description: ' ' }, /^Description is empty/],
		[
			'a long description',
			{ ...good, description: 'x'.repeat(256) },
			/^Description is 256 characters long.*255/,
		],
		['forbidden characters', { ...good, description: 'a <b>' }, /^Description must not contain </],
		['a forbidden sequence', { ...good, description: 'a &#39;' }, /^Description must .*&#/],
		[
			'a plain http source',
			withFile({ sourceUrl: 'http://files.example.org/a.zip' }),
			/^Source URL begins .*sftp.*ftps.*https/,
		],
		[
			'a source that is no address',
			withFile({ sourceUrl: 'people.zip' }),
			/^Source URL is not an address/,
		],
		['no file name', withFile({ fileName: ' ' }), /^File Name is empty/],
		[
			'blank columns',
			withFile({ columns: [{ name: ' ' }] }),
			/^Columns must have at least one entry/,
		],
		[
			'54 columns',
			withTypes(['First', 'Last', 'Mail', ...manyColumns].join(' '), [createOrUpdate]),
			/^Columns: There are 54 columns.*at most 50/,
		],
		[
			'a column with a space',
			withFile({ columns: [{ name: 'First Name' }] }),
			/^Columns: .*letters A–Z and digits/,
		],
		[
			'an accented column',
			withFile({ columns: [{ name: 'Prénom' }] }),
			/^Columns: .*letters A–Z and digits/,
		],
		[
			'a column twice',
			withTypes('First Last Mail first', [createOrUpdate]),
			/^Columns: "first" appears twice \(columns 1 and 4\)/,
		],
		[
			'a misspelt column',
			withTypes('First Last Email', [createOrUpdate]),
			/^Action 1 → Mapping Type 1 → Field Value Mapping 3 → Column Name: "Mail" is not a column of the file.*Did you mean "Email"/,
		],
		[
			'a wrong first column',
			withTypes('Phone NativeId', [
				{ name: 'Phones', fieldValueMappings: [column('Phone', 'Phone')] },
			]),
			/^Columns: The first column must be "NativeId" for Contacts with Phones.*it is "Phone"/,
		],
		[
			'a wrong first column of adjustments',
			{
				...jobWith('NativeId', [{ name: 'ContributionAdjustments' }]),
				actions: [
					{
						actionType: 'loadMappedFile',
						resourceType: 'Contributions',
						resultFileSizeKbLimit: 5000,
						mappingTypes: [{ name: 'ContributionAdjustments' }],
					},
				],
			},
			/^Columns: The first column must be "ContributionId"/,
		],
		[
			'an unknown resource type',
			inAction({ resourceType: 'Contact' }),
			/^Action 1 → Resource Type: "Contact" is not one of.*Did you mean "Contacts"/,
		],
		['no actions', { ...good, actions: [] }, /^Action must have at least one entry/],
		[
			'no mapping types',
			inAction({ mappingTypes: [] }),
			/^Action 1 → Mapping Type must have at least one entry/,
		],
		[
			'a size limit of zero',
			inAction({ resultFileSizeKbLimit: 0 }),
			/^Action 1 → Result File Size Limit \(KB\) is 0, but must be above 0/,
		],
		[
			'half a kilobyte',
			inAction({ resultFileSizeKbLimit: 5000.5 }),
			/^Action 1 → Result File Size Limit \(KB\) is 5000\.5, but must be a whole number/,
		],
		[
			'an included column that is not in the file',
			inAction({ columnsToIncludeInResultsFile: [{ name: 'CrmId' }] }),
			/^Action 1 → Columns in Result File: "CrmId" is not a column of the file/,
		],
		[
			'custom fields without their group',
			withTypes('NativeId CF12', [
				{ name: 'ApplyContactCustomFields', fieldValueMappings: same('CF12') },
			]),
			/^Action 1 → Mapping Type 1 → Field Value Mapping: .*CustomFieldGroupID/,
		],
		[
			'two custom field groups in one mapping type',
			withTypes('NativeId CF12 CF13', [
				{
					name: 'ApplyContactCustomFields',
					fieldValueMappings: [
						{ fieldName: 'CustomFieldGroupID', staticValue: '1' },
						...same('CF12 CF13'),
						{ fieldName: 'CustomFieldGroupID', staticValue: '2' },
					],
				},
			]),
			/one group only/,
		],
		[
			'turfs twice',
			withTypes('NativeId CF1', [
				{ name: 'ApplyOrganzingTurfs', fieldValueMappings: same('CF1') },
				{ name: 'ApplyOrganzingTurfs', fieldValueMappings: same('CF1') },
			]),
			/^Action 1 → Mapping Type 2: ApplyOrganzingTurfs can be used only once/,
		],
	])('%s', async (_, job, message) => {
		const run = await service.run(node, fieldsOf(job));

		expect(run.error?.message).toMatch(message);
		expect(run.error?.description).toMatch(/^Nothing was sent/);
		expect(service.sandbox.requests).toEqual([]);
	});

	it.each<[string, unknown, RegExp]>([
		['broken JSON', '{"description": ', /^Job \(JSON\) is not valid JSON/],
		[
			'a word for a boolean',
			withFile({ hasHeader: 'yes' }),
			/^Job \(JSON\) → file\.hasHeader is "yes", but must be true or false/,
		],
		[
			'a text for a number',
			inAction({ resultFileSizeKbLimit: 'five' as unknown as number }),
			/resultFileSizeKbLimit is "five", but must be a number/,
		],
		[
			'a misspelt property',
			{ ...good, decription: 'x' },
			/^Job \(JSON\) → decription is not a property.*Did you mean "description"/,
		],
		[
			'another action type',
			inAction({ actionType: 'loadSavedListFile' }),
			/actions\[0\]\.actionType is "loadSavedListFile", but must be "loadMappedFile"/,
		],
		[
			'an unknown delimiter',
			withFile({ columnDelimiter: 'Semicolon' }),
			/file\.columnDelimiter is "Semicolon", but must be one of CSV, Tab, Pipe/,
		],
		[
			'a column and a static value for one field',
			withTypes('NativeId A', [
				{
					name: 'Phones',
					fieldValueMappings: [{ fieldName: 'Phone', columnName: 'A', staticValue: 'b' }],
				},
			]),
			/mappingTypes\[0\]\.fieldValueMappings\[0\]\.staticValue: "Phone" has both/,
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

	it('names every problem at once', async () => {
		const run = await service.run(
			node,
			fieldsOf({ ...withFile({ sourceUrl: 'x' }), description: 'a < b' }),
		);
		expect(run.error?.message).toMatch(
			/^2 things to correct.*\(1\) Description must .*\(2\) Source URL is /,
		);
	});

	it('checks every item before the first job is started', async () => {
		const parameters = { ...fieldsOf(good), description: '={{ $json.text }}' };
		const run = await service.run(node, parameters, {
			items: [{ json: { text: 'fine' } }, { json: { text: 'a < b' } }],
		});

		expect(run.error).toMatchObject({ context: { itemIndex: 1 } });
		expect(service.sandbox.requests).toEqual([]);
	});

	it('accepts a first column that is mapped to the required name', async () => {
		const job = jobWith('Key Number', [
			{
				name: 'Phones',
				fieldValueMappings: [
					column('NativeId', 'Key'),
					column('Phone', 'Number'),
					{ fieldName: 'PhoneTypeID', staticValue: 'C' },
				],
			},
		]);
		await service.run(node, fieldsOf(job));
		expect(service.calls()).toHaveLength(1);
	});
});
