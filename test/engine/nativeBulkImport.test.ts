import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { nodeLog } from './support/container';
import { searchList } from './support/editor';
import { readBinary } from './support/engine';
import { DEMO_KEY, RESTRICTED_KEY, Sandboxed, UNKNOWN_KEY } from './support/sandboxed';

let service: Sandboxed;
beforeAll(async () => {
	service = await Sandboxed.start();
});
afterAll(async () => {
	await service.close();
});
afterEach(() => service.sandbox.control.reset());

const node = new NativeBulkImport();

type Vendor = 'Native' | 'Van';
const vendors: Vendor[] = ['Native', 'Van'];

/** The credential for the deployment that uses the vendor's word. */
const credentialOf = (vendor: Vendor): ICredentialDataDecryptedObject =>
	vendor === 'Native'
		? {}
		: { apiVersion: 'v4', databaseMode: '1', identifierPrefix: 'Van', username: 'demo' };

const locator = (value: string) => ({ __rl: true, mode: 'name', value });

interface FieldMapping {
	fieldName: string;
	columnName?: string;
	staticValue?: string;
	values?: Array<{ sourceValue: string; targetValue: string }>;
}

interface MappingType {
	name: string;
	fieldValueMappings?: FieldMapping[];
	resultFileColumnName?: string;
}

/** A mapping type of the body as the editor's fields hold it. */
const mappingTypeFields = ({
	name,
	fieldValueMappings = [],
	resultFileColumnName = '',
}: MappingType) => ({
	name: locator(name),
	resultFileColumnName,
	fieldValueMappings: {
		mapping: fieldValueMappings.map(({ fieldName, columnName = '', staticValue, values = [] }) => ({
			fieldName: locator(fieldName),
			...(staticValue === undefined
				? { valueFrom: 'column', columnName, values: { value: values } }
				: { valueFrom: 'static', staticValue }),
		})),
	},
});

interface Job {
	description: string;
	file: IDataObject & { columns: Array<{ name: string }> };
	actions: Array<{
		actionType: string;
		resourceType: string;
		resultFileSizeKbLimit: number;
		mappingTypes: MappingType[];
		columnsToIncludeInResultsFile?: Array<{ name: string }>;
	}>;
	listeners?: Array<{ type: string; value: string }>;
}

const joined = (columns: Array<{ name: string }>) => columns.map(({ name }) => name).join(', ');

/** The parameters of the node that should send exactly this body. */
function fieldsOf(job: Job, options: IDataObject = {}): INodeParameters {
	const { columns, ...file } = job.file;
	return {
		resource: 'job',
		operation: 'create',
		defineJob: 'fields',
		description: job.description,
		...file,
		columns: joined(columns),
		actions: {
			action: job.actions.map((action) => ({
				resourceType: locator(action.resourceType),
				resultFileSizeKbLimit: action.resultFileSizeKbLimit,
				columnsToIncludeInResultsFile: joined(action.columnsToIncludeInResultsFile ?? []),
				mappingTypes: { mappingType: action.mappingTypes.map(mappingTypeFields) },
			})),
		},
		...(job.listeners && { listeners: { listener: job.listeners } }),
		options,
	} as INodeParameters;
}

const asJson = (job: unknown, options: IDataObject = {}): INodeParameters => ({
	resource: 'job',
	operation: 'create',
	defineJob: 'json',
	jobJson: typeof job === 'string' ? job : JSON.stringify(job),
	options: options as INodeParameters,
});

/** A job with the given mapping types over the given columns. */
function jobWith(columns: string, mappingTypes: MappingType[], changes: Partial<Job> = {}): Job {
	return {
		description: 'Import of a test',
		file: {
			fileName: 'rows.csv',
			sourceUrl: 'https://files.example.org/rows.zip',
			hasHeader: true,
			hasQuotes: true,
			columnDelimiter: 'CSV',
			columns: columns.split(' ').map((name) => ({ name })),
		},
		actions: [
			{
				actionType: 'loadMappedFile',
				resourceType: 'Contacts',
				resultFileSizeKbLimit: 5000,
				mappingTypes,
			},
		],
		...changes,
	};
}

const column = (fieldName: string, columnName: string): FieldMapping => ({ fieldName, columnName });
const same = (names: string): FieldMapping[] =>
	names.split(' ').map((fieldName) => ({ fieldName }));

const createOrUpdate: MappingType = {
	name: 'CreateOrUpdateContact',
	fieldValueMappings: [
		column('FirstName', 'First'),
		column('LastName', 'Last'),
		column('Email', 'Mail'),
	],
};

const jobsColumns =
	'Employer EmployeeID Worksite WorkArea Department ShiftType ScheduleType MemberStatus HireDate StartDate ProbationEndDate IsTerminated TerminatedDate TerminatedReason TerminatedBy TerminatedNotes IsExcluded ExcludedDate ExcludedReason ExcludedBy ExcludedNotes MembershipCardSigned MembershipCardSignedDate MembershipCardReceivedDate MembershipCardEnteredBy AuthorizationCardSigned AuthorizationCardSignedDate AuthorizationCardReceivedDate AuthorizationCardEnteredBy Wage WageType WealthcareContribution HoursPerWeek SickDays VacationDays';

/** One job for each kind of field of service.md 2.1 to 2.6. */
const jobsOf = (vendor: Vendor): Record<string, Job> => {
	const id = `${vendor}Id`;
	return {
		'OriginSourceCode with a static value': jobWith(id, [
			{
				name: 'OriginSourceCode',
				fieldValueMappings: [{ fieldName: 'CodeId', staticValue: '503' }],
			},
		]),
		CreateOrUpdateContact: jobWith(
			'FirstName MiddleName LastName AddressLine1 City StateOrProvince ZipOrPostal Email Phone DOB',
			[
				{
					name: 'CreateOrUpdateContact',
					fieldValueMappings: same(
						'FirstName MiddleName LastName AddressLine1 City StateOrProvince ZipOrPostal Email Phone DOB',
					),
				},
			],
		),
		'MailingAddress from renamed columns': jobWith(`${id} Street City`, [
			{
				name: 'MailingAddress',
				fieldValueMappings: [
					column('MailingAddress', 'Street'),
					column('MailingCity', 'City'),
					{ fieldName: 'MailingCountryCode', staticValue: 'US' },
					{ fieldName: 'MailingDisplayAsEntered', staticValue: 'Y' },
				],
			},
		]),
		'ApplyExternalID twice': jobWith(`${id} Kind First Second`, [
			{
				name: 'ApplyExternalID',
				fieldValueMappings: [column('ExternalIdTypeID', 'Kind'), column('ExternalId', 'First')],
			},
			{
				name: 'ApplyExternalID',
				fieldValueMappings: [
					{ fieldName: 'ExternalIdTypeID', staticValue: '1' },
					column('ExternalId', 'Second'),
				],
			},
		]),
		'Salutations with omitted mappings and a label': jobWith(
			`${id} FirstName LastName Salutation`,
			[{ name: 'Salutations', resultFileColumnName: 'SalutationResult' }],
		),
		ApplyRelationships: jobWith(`${id} Other Kind`, [
			{
				name: 'ApplyRelationships',
				fieldValueMappings: [
					column(`Secondary${vendor}ID`, 'Other'),
					column('Relationship', 'Kind'),
					{ fieldName: 'OverwriteExistingRelationship', staticValue: 'Y' },
				],
			},
		]),
		'Jobs with the built-in names': jobWith(`${id} ${jobsColumns}`, [{ name: 'Jobs' }]),
		'translated values, included columns and listeners': jobWith(
			`${id} Number Kind CrmId`,
			[
				{
					name: 'Phones',
					resultFileColumnName: 'PhoneResult',
					fieldValueMappings: [
						column('Phone', 'Number'),
						{
							fieldName: 'PhoneTypeID',
							columnName: 'Kind',
							values: [
								{ sourceValue: 'mobile', targetValue: 'C' },
								{ sourceValue: 'home', targetValue: 'H' },
							],
						},
					],
				},
			],
			{ listeners: [{ type: 'email', value: 'data@example.org' }] },
		),
	};
};

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
		expect(run.outputs[0]?.[0]?.json).toMatchObject({ jobId: expect.any(Number) as number });
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

describe('the preflight', () => {
	const fixed = (fieldName: string, staticValue: string): FieldMapping => ({
		fieldName,
		staticValue,
	});
	const contact = (...fieldValueMappings: FieldMapping[]): Job =>
		jobWith('FirstName Other', [
			{
				name: 'CreateOrUpdateContact',
				fieldValueMappings: [...same('FirstName'), ...fieldValueMappings],
			},
		]);
	const phones = (...fieldValueMappings: FieldMapping[]): Job =>
		jobWith('NativeId Phone Kind', [{ name: 'Phones', fieldValueMappings }]);
	const customFields = (group: FieldMapping, fields: string): Job =>
		jobWith('NativeId Group CF301 CF311', [
			{ name: 'ApplyContactCustomFields', fieldValueMappings: [group, ...same(fields)] },
		]);
	const good = phones(...same('Phone'), fixed('PhoneTypeID', 'C'));
	const bad = jobWith('NativeId Phone', [{ name: 'Phone' }]);
	const posts = () => service.calls().filter(({ method }) => method === 'POST');
	const paths = () => service.calls().map(({ path }) => path.replace('/v2/bulkImport', ''));

	/** What is wrong with a job, in which field of the screen, and where in the body. */
	const rejections: Array<[string, Job, string, string, string]> = [
		[
			'an unknown mapping type',
			bad,
			'Mapping Type 1',
			'name',
			': The service has no mapping type "Phone" for this key. Did you mean "Phones"?',
		],
		[
			'a mapping type of another resource type',
			{
				...good,
				actions: good.actions.map((action) => ({
					...action,
					resourceType: 'ActivistCodes',
				})),
			},
			'Mapping Type 1',
			'name',
			': "Phones" is for Contacts, not for ActivistCodes. Remove it, or choose another resource type.',
		],
		[
			'an unknown field',
			contact(column('LastNam', 'Other')),
			'Mapping Type 1 → Field Value Mapping 2 → Field',
			'fieldValueMappings[1].fieldName',
			': The service has no field "LastNam" there. Did you mean "LastName"?',
		],
		[
			'a column for a field that takes one value',
			contact(column('DoNotUpdateBest', 'Other')),
			'Mapping Type 1 → Field Value Mapping 2',
			'fieldValueMappings[1]',
			': "DoNotUpdateBest" takes one fixed value for the whole import. Enter it instead of a column or an expression.',
		],
		[
			'a required field that is not mapped',
			phones(...same('Phone')),
			'Mapping Type 1 → Field Value Mapping',
			'fieldValueMappings',
			': "PhoneTypeID" is required. Map a column to it, or enter one value for all rows.',
		],
		[
			'a required field with a blank value',
			phones(...same('Phone'), fixed('PhoneTypeID', '')),
			'Mapping Type 1 → Field Value Mapping 2',
			'fieldValueMappings[1]',
			': "PhoneTypeID" is required. Map a column to it, or enter one value for all rows.',
		],
		[
			'a required field that is no column of the file, either',
			jobWith('NativeId Phone', [{ name: 'Phones' }]),
			'Mapping Type 1 → Field Value Mapping',
			'fieldValueMappings',
			': "PhoneTypeID" is required. Map a column to it, or enter one value for all rows.',
		],
		[
			'columns that are no fields',
			jobWith('NativeId Given Family', [{ name: 'Salutations' }]),
			'Mapping Type 1 → Field Value Mapping',
			'fieldValueMappings',
			': Nothing is mapped to Salutations. Map at least one of its fields, or remove the mapping type.',
		],
		[
			'a field without its parent',
			contact(fixed('PhoneCountryCode', 'US')),
			'Mapping Type 1 → Field Value Mapping 2',
			'fieldValueMappings[1]',
			': "PhoneCountryCode" can only be imported together with Phone. Map that too.',
		],
		[
			'a static value that is not accepted',
			phones(...same('Phone'), fixed('PhoneTypeID', 'Cel')),
			'Mapping Type 1 → Field Value Mapping 2 → Static Value',
			'fieldValueMappings[1].staticValue',
			': "Cel" is not one of the values the service accepts. Did you mean "Cell"?',
		],
		[
			'a custom field of another group',
			customFields(fixed('CustomFieldGroupID', '201'), 'CF301 CF311'),
			'Mapping Type 1 → Field Value Mapping 3',
			'fieldValueMappings[2]',
			': "CF311" belongs to the custom field group 202, not to 201. Correct CustomFieldGroupID, or map the field in a mapping type of its own: each takes the fields of one group only.',
		],
		[
			'custom fields of two groups that the rows name',
			customFields(column('CustomFieldGroupID', 'Group'), 'CF301 CF311'),
			'Mapping Type 1 → Field Value Mapping 3',
			'fieldValueMappings[2]',
			': "CF311" belongs to the custom field group 202, not to 201. Correct CustomFieldGroupID, or map the field in a mapping type of its own: each takes the fields of one group only.',
		],
		[
			'a turf without its last level',
			jobWith('NativeId CF401 CF402', [
				{ name: 'ApplyOrganzingTurfs', fieldValueMappings: same('CF401 CF402') },
			]),
			'Mapping Type 1 → Field Value Mapping',
			'fieldValueMappings',
			': "CF403" is required. Map a column to it, or enter one value for all rows.',
		],
	];

	it.each(rejections)('rejects %s, as the service would', async (_, job, field, place, text) => {
		const entered = await service.run(node, fieldsOf(job, { preflight: true }));
		const dryRun = await service.run(node, fieldsOf(job, { preflight: true, dryRun: true }));
		const json = await service.run(node, asJson(job, { preflight: true }));

		expect(entered.error?.message).toBe(`Action 1 → ${field}${text}`);
		expect(entered.error?.description).toMatch(/^Nothing was sent/);
		expect(dryRun.error?.message).toBe(entered.error?.message);
		expect(json.error?.message).toBe(`Job (JSON) → actions[0].mappingTypes[0].${place}${text}`);
		expect(posts()).toEqual([]);

		const sent = await service.run(node, fieldsOf(job));
		expect(sent.error).toMatchObject({ httpCode: '400' });
	});

	it('rejects a translation to a value that is not accepted, which the service finds only in the rows', async () => {
		const job = phones(...same('Phone'), {
			...column('PhoneTypeID', 'Kind'),
			values: [
				{ sourceValue: 'mobile', targetValue: 'C' },
				{ sourceValue: 'home', targetValue: 'Hom' },
			],
		});
		const entered = await service.run(node, fieldsOf(job, { preflight: true }));
		const json = await service.run(node, asJson(job, { preflight: true }));

		const text = '"Hom" is not one of the values the service accepts. Did you mean "Home"?';
		expect(entered.error?.message).toBe(
			`Action 1 → Mapping Type 1 → Field Value Mapping 2 → Value Translation 2 → Target Value: ${text}`,
		);
		expect(json.error?.message).toBe(
			`Job (JSON) → actions[0].mappingTypes[0].fieldValueMappings[1].values[1].targetValue: ${text}`,
		);
	});

	it('sends predefined values without the blanks around them that it ignores', async () => {
		const [sent] = phones(...same('Phone'), fixed('PhoneTypeID', ' C ')).actions;
		const job = phones(...same('Phone'), {
			...column('PhoneTypeID', 'Kind'),
			values: [{ sourceValue: 'mobile', targetValue: ' C ' }],
		});
		await service.run(node, fieldsOf({ ...job, actions: sent ? [sent] : [] }, { preflight: true }));
		await service.run(node, fieldsOf(job, { preflight: true }));
		expect(posts().map(({ body }) => JSON.stringify(body))).toEqual([
			expect.stringContaining('"staticValue":"C"'),
			expect.stringContaining('"targetValue":"C"'),
		]);
	});

	it('sends a mapping type as the service spells it', async () => {
		service.sandbox.control.addFault({
			method: 'GET',
			pathPrefix: '/bulkImportMappingTypes/CreateOrUpdateContact',
			fault: { kind: 'replaced', texts: { '"CreateOrUpdateContact"': '"CREATEORUPDATECONTACT"' } },
		});
		await service.run(node, fieldsOf(await peopleJob(), { preflight: true }));
		expect(posts()[0]?.body).toMatchObject({
			actions: [{ mappingTypes: [{ name: 'CREATEORUPDATECONTACT' }] }],
		});
	});

	it('rejects a column with the name of a field that takes one value, which would change nothing', async () => {
		const job = jobWith('FirstName DoNotUpdateBest', [{ name: 'CreateOrUpdateContact' }]);
		const run = await service.run(node, fieldsOf(job, { preflight: true }));

		expect(run.error?.message).toMatch(
			/^Action 1 → Mapping Type 1 → Field Value Mapping: "DoNotUpdateBest" takes one fixed value/,
		);
	});

	it('names what is wrong in all actions and mapping types at once', async () => {
		const [action] = jobWith('NativeId Phone', [{ name: 'Phone' }, { name: 'Phones' }]).actions;
		const job = { ...bad, actions: action ? [action, action] : [] };
		const run = await service.run(node, fieldsOf(job, { preflight: true }));

		expect(run.error?.message).toMatch(
			/^4 things to correct\. \(1\) Action 1 → Mapping Type 1: .*\(2\) Action 1 → Mapping Type 2 → .*\(3\) Action 2 → Mapping Type 1: .*\(4\) Action 2 → Mapping Type 2 → /,
		);
	});

	it.each(
		vendors.flatMap((vendor) =>
			Object.entries(jobsOf(vendor)).map(([name, job]): [string, Vendor, Job] => [
				`${name} (${vendor})`,
				vendor,
				job,
			]),
		),
	)('lets a good job through: %s', async (_, vendor, job) => {
		const run = await service.run(node, fieldsOf(job, { preflight: true }), {
			credential: credentialOf(vendor),
		});
		expect(run.error).toBeUndefined();
		expect(posts().map(({ body }) => body)).toEqual([job]);
	});

	it('reads each description and each list of values once, however many items and jobs', async () => {
		const job = jobWith(
			'NativeId Phone Other',
			['Phone', 'Other'].map((name) => ({
				name: 'Phones',
				fieldValueMappings: [column('Phone', name), fixed('PhoneTypeID', 'C')],
			})),
		);
		const twice = { ...job, actions: [...job.actions, ...job.actions] };
		await service.run(node, fieldsOf(twice, { preflight: true, dryRun: true }), {
			items: [{ json: {} }, { json: {} }, { json: {} }],
		});
		expect(paths()).toEqual(['MappingTypes/Phones', 'MappingTypes/Phones/PhoneTypeID/values']);
	});

	it('finds a mistake in the last item before the first job is started', async () => {
		const jobs = [good, bad].map((job) => ({ json: { job: JSON.stringify(job) } }));
		const parameters = { ...asJson(''), jobJson: '={{ $json.job }}', options: { preflight: true } };
		const run = await service.run(node, parameters, { items: jobs });

		expect(run.error).toMatchObject({ context: { itemIndex: 1 } });
		expect(posts()).toEqual([]);
	});

	it('starts the good jobs where the node is to continue on errors', async () => {
		const jobs = [good, bad].map((job) => ({ json: { job: JSON.stringify(job) } }));
		const parameters = { ...asJson(''), jobJson: '={{ $json.job }}', options: { preflight: true } };
		const run = await service.run(node, parameters, {
			items: jobs,
			onError: 'continueErrorOutput',
		});

		expect(run.outputs[0]).toMatchObject([{ json: { jobId: expect.any(Number) as number } }]);
		expect(run.outputs[1]).toMatchObject([
			{ json: { error: { message: expect.stringContaining('"Phones"') as string } } },
		]);
		expect(posts().map(({ body }) => body)).toEqual([good]);
	});

	it.each([
		['descriptions', '/bulkImportMappingTypes'],
		['values', '/bulkImportMappingTypes/Phones/PhoneTypeID'],
	])('checks less with a key that may not read %s, and creates the job', async (_, pathPrefix) => {
		service.sandbox.control.addFault({
			method: 'GET',
			pathPrefix,
			count: 10,
			fault: { kind: 'status', status: 403 },
		} as never);
		const run = await service.run(node, fieldsOf(good, { preflight: true }));

		expect(run.error).toBeUndefined();
		expect(run.outputs[0]).toMatchObject([{ json: { jobId: expect.any(Number) as number } }]);
	});

	it('starts nothing when the descriptions cannot be read for another reason', async () => {
		service.sandbox.control.addFault({
			method: 'GET',
			pathPrefix: '/bulkImportMappingTypes',
			fault: { kind: 'htmlPage' },
		} as never);
		const run = await service.run(node, fieldsOf(good, { preflight: true }));

		expect(run.error?.message).toMatch(/GET \/bulkImportMappingTypes\/Phones/);
		expect(posts()).toEqual([]);
	});

	it('is made only where it is turned on', async () => {
		await service.run(node, fieldsOf(bad, { dryRun: true }));
		expect(service.sandbox.requests).toEqual([]);
	});
});

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
	const fault = (changes: IDataObject) => service.sandbox.control.addFault(changes as never);

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
		fault({
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
		fault({ fault: { kind: 'redirectToErrorPage' } });
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
		fault({ fault: { kind: 'htmlPage' } });
		const run = await service.run(node, read);
		expect(run.error?.message).toBe(
			'The service responded to GET /bulkImportJobs/1 with a web page instead of data',
		);
	});

	it('an empty response to a new job: the outcome is unknown', async () => {
		fault({ method: 'POST', fault: { kind: 'emptyBody' } });
		const run = await service.run(node, create);
		expect(run.error?.description).toMatch(/could create a duplicate/);
		expect(service.calls()).toHaveLength(1);
	});

	it('a failed item goes to the error output with what a fallback needs', async () => {
		fault({ method: 'POST', fault: { kind: 'resetAfter' } });
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
		expect(service.sandbox.control.jobs('demo')).toHaveLength(1);
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
		fault({
			method: 'POST',
			count: 2,
			fault: { kind: 'status', status: 429, retryAfter: 'text', retryAfterMs: 30 },
		});
		const run = await service.run(node, create);
		expect(run.error).toBeUndefined();
		expect(service.sandbox.control.jobs('demo')).toHaveLength(1);
	});
});

const people =
	'First,Last,Mail,CrmId\nAda,Example,ada@example.org,c-1\nBob,"Example, Jr.",not-an-address,c-2\nZoë,Ünver,zoe@example.org,c-3\n';

/** A hosted import of three people whose second row cannot go in. */
async function peopleJob(changes: Partial<Job['actions'][number]> = {}): Promise<Job> {
	const job = jobWith('First Last Mail CrmId', [createOrUpdate]);
	return {
		...job,
		file: { ...job.file, sourceUrl: await service.host('rows.csv', people) },
		actions: job.actions.map((action) => ({
			...action,
			columnsToIncludeInResultsFile: [{ name: 'CrmId' }],
			...changes,
		})),
	};
}

async function finishJob(job: Job): Promise<number> {
	const run = await service.run(node, fieldsOf(job, { waitForCompletion: true, pollInterval: 1 }));
	const jobId = run.outputs[0]?.[0]?.json.jobId;
	if (typeof jobId !== 'number') throw run.error ?? new Error('The job gave no ID.');
	return jobId;
}

describe('an import', () => {
	it('ends with its record', async () => {
		const run = await service.run(
			node,
			fieldsOf(await peopleJob(), { waitForCompletion: true, pollInterval: 1 }),
		);
		expect(run.outputs[0]).toMatchObject([
			{
				json: {
					// Marked, so that the job can be found if this n8n ends while it waits.
					description: expect.stringMatching(
						/^Import of a test \(n8n \w+, item 1 of run \w{6}\)$/,
					) as string,
					includedColumns: ['CrmId'],
					status: 'CompletedWithErrors',
					hasEnded: true,
					hasErrors: true,
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	it('that was started is named if what follows goes wrong', async () => {
		const log = jest.spyOn(nodeLog(), 'info').mockImplementation(() => {
			throw new RangeError('Invalid string length');
		});
		const run = await service.run(node, fieldsOf(await peopleJob()), {
			onError: 'continueErrorOutput',
		});
		log.mockRestore();
		const [job] = service.sandbox.control.jobs('demo');
		expect(run.outputs[1]?.[0]?.json.error).toMatchObject({
			jobId: job?.id,
			outcomeUnknown: true,
			replayable: false,
		});
	});

	it('that failed is an error naming the reason', async () => {
		const job = await peopleJob();
		const run = await service.run(
			node,
			fieldsOf(
				{ ...job, file: { ...job.file, fileName: 'other.csv' } },
				{ waitForCompletion: true, pollInterval: 1 },
			),
		);
		expect(run.error?.message).toMatch(/^Import job \d+ failed: .*other\.csv/);
	});

	it('can be awaited later, several at once, in the order of the items', async () => {
		const started = await service.run(node, fieldsOf(await peopleJob()), {
			items: [{ json: {} }, { json: {} }, { json: {} }],
		});
		const jobIds = started.outputs[0]?.map(({ json }) => json.jobId) ?? [];
		expect(new Set(jobIds).size).toBe(3);

		const waited = await service.run(
			node,
			{ resource: 'job', operation: 'wait', options: { pollInterval: 1 } },
			{ items: jobIds.reverse().map((jobId) => ({ json: { jobId } })) },
		);
		expect(waited.outputs[0]?.map(({ json }) => json.jobId)).toEqual(jobIds);
		expect(waited.outputs[0]?.every(({ json }) => json.hasEnded)).toBe(true);
	});

	it('that does not end in time is an error naming job and last status', async () => {
		service.sandbox.control.addFault({
			fault: { kind: 'job', failure: { kind: 'neverEnds' } },
		} as never);
		const started = await service.run(node, fieldsOf(await peopleJob()));
		const waited = await service.run(
			node,
			{ resource: 'job', operation: 'wait', options: { pollInterval: 1, maxWait: 0.03 } },
			{ items: started.outputs[0] },
		);
		expect(waited.error?.message).toMatch(
			/^Import job \d+ has not ended after 0 minutes; its last status was (Pending|InProgress)/,
		);
		expect(waited.error?.description).toMatch(/Do not start it again/);
	});

	it('stops waiting within a second of being cancelled', async () => {
		service.sandbox.control.addFault({
			fault: { kind: 'job', failure: { kind: 'neverEnds' } },
		} as never);
		const job = fieldsOf(await peopleJob(), { waitForCompletion: true, pollInterval: 600 });
		const stop = new AbortController();
		const log = jest.spyOn(nodeLog(), 'info');
		let calledAt = 0;
		const watch = setInterval(() => {
			if (calledAt === 0 && service.calls().some(({ method }) => method === 'GET')) {
				calledAt = performance.now();
				stop.abort();
			}
		}, 10);
		const run = await service.run(node, job, { signal: stop.signal });
		clearInterval(watch);

		expect(run.status).toBe('canceled');
		const [stored] = service.sandbox.control.jobs('demo');
		const marked = /: Import of a test \(n8n \w+, item 1 of run \w{6}\)$/;
		expect(log).toHaveBeenCalledWith(expect.stringMatching(marked), { jobId: stored?.id });
		expect(performance.now() - calledAt).toBeLessThan(1000);
		const seen = service.calls().length;
		await new Promise((resolve) => setTimeout(resolve, 1200));
		expect(service.calls()).toHaveLength(seen);
	});

	it('shows its body in a dry run and sends nothing', async () => {
		const job = jobWith('First Last Mail', [createOrUpdate]);
		const file = { ...job.file, sourceUrl: 'sftp://user:hunter2@files.example.org/a.zip' };
		const run = await service.run(node, fieldsOf({ ...job, file }, { dryRun: true }));

		expect(run.outputs[0]?.[0]?.json).toEqual({
			dryRun: true,
			request: {
				method: 'POST',
				path: '/bulkImportJobs',
				body: { ...job, file: { ...file, sourceUrl: 'sftp://***@files.example.org/a.zip' } },
			},
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	it('can be listed, and a deployment without the list says so', async () => {
		await finishJob(await peopleJob());
		const list = { resource: 'job', operation: 'getAll', returnAll: true, options: {} };
		const run = await service.run(node, list);
		expect(run.outputs[0]).toHaveLength(1);

		service.sandbox.control.updateTenant('demo', { styles: { bulkImportJobList: false } });
		const rejected = await service.run(node, list);
		service.sandbox.control.updateTenant('demo', { styles: { bulkImportJobList: true } });
		expect(rejected.error?.message).toBe(
			'This deployment of the service has no list of import jobs',
		);
	});
});

describe('results', () => {
	const results = (jobId: number, changes: INodeParameters = {}): INodeParameters => ({
		resource: 'job',
		operation: 'getResults',
		jobId: String(jobId),
		output: 'rows',
		options: {},
		...changes,
	});

	it('come as one item per row', async () => {
		const jobId = await finishJob(await peopleJob());
		const run = await service.run(node, results(jobId, { includedColumns: 'CrmId' }));

		expect(run.error).toBeUndefined();
		const rows = run.outputs[0]?.map(({ json }) => json) ?? [];
		expect(
			rows
				.map(({ row, columns, succeeded }) => ({ row, columns, succeeded }))
				.sort((a, b) => Number(a.row) - Number(b.row)),
		).toEqual([
			{ row: 1, columns: { CrmId: 'c-1' }, succeeded: true },
			{ row: 2, columns: { CrmId: 'c-2' }, succeeded: false },
			{ row: 3, columns: { CrmId: 'c-3' }, succeeded: true },
		]);
		expect(rows[0]).toMatchObject({ jobId, primaryKeyType: 'NativeID' });
		expect(Object.keys(rows[0]?.outcomes as IDataObject)).toEqual([
			expect.stringMatching(/^CreateOrUpdateContact_\d+$/),
		]);
	});

	it.each<[string, INodeParameters, string[]]>([
		['no file', {}, []],
		['a report', { report: true }, ['report']],
		['the rejected rows', { rejectedRows: true }, ['rejected']],
		['both', { report: true, rejectedRows: true }, ['rejected', 'report']],
	])('have %s beside them if that is chosen', async (_, options, files) => {
		const jobId = await finishJob(await peopleJob());
		const run = await service.run(node, results(jobId, { includedColumns: 'CrmId', options }));
		const items = run.outputs[0] ?? [];
		expect(items.map(({ binary = {} }) => Object.keys(binary).sort())).toEqual([files, [], []]);
	});

	it.each<[string, IDataObject]>([
		['nothing', {}],
		['an empty text', { includedColumns: '' }],
		['an empty list', { includedColumns: '={{ [] }}' }],
	])('take every column for an outcome when %s says otherwise', async (_, changes) => {
		const jobId = await finishJob(await peopleJob());
		const run = await service.run(node, results(jobId, changes as INodeParameters));
		for (const { json } of run.outputs[0] ?? []) {
			expect(json).toMatchObject({ columns: {}, outcomes: { CrmId: `c-${Number(json.row)}` } });
			expect(json.succeeded).toBe(false);
		}
		expect(run.outputs[0]).toHaveLength(3);
	});

	/** Two mapping types with labels; the first one rejects row 1, the second one row 2. */
	async function buildLabelledJob(included: string): Promise<Job> {
		const labelled = (name: string, label: string, mappings: FieldMapping[]): MappingType => ({
			name,
			resultFileColumnName: label,
			fieldValueMappings: mappings,
		});
		const job = jobWith('NativeId Mobile Mail CrmId', [
			labelled('Phones', 'PhoneResult', [
				column('Phone', 'Mobile'),
				{ fieldName: 'PhoneTypeID', staticValue: 'C' },
			]),
			labelled('Email', 'EmailResult', [column('Email', 'Mail')]),
		]);
		const rows =
			'NativeId,Mobile,Mail,CrmId\n100001,123,a@example.org,c-1\n100002,9075550155,none,c-2\n100003,9075550156,c@example.org,c-3\n';
		return {
			...job,
			file: { ...job.file, sourceUrl: await service.host('rows.csv', rows) },
			actions: job.actions.map((action) => ({
				...action,
				...(included && { columnsToIncludeInResultsFile: [{ name: included }] }),
			})),
		};
	}

	it.each<[string, string]>([
		['wait', 'CrmId'],
		['wait', ''],
		['get', 'CrmId'],
		['get', ''],
	])(
		'after Create and %s name no rejected row as gone in, including "%s"',
		async (step, included) => {
			const created = await service.run(node, fieldsOf(await buildLabelledJob(included)));
			const jobId = Number(created.outputs[0]?.[0]?.json.jobId);
			const waitForEnd = () =>
				service.sandbox.control.jobs('demo').every(({ resultFiles }) => resultFiles);
			while (!waitForEnd()) await new Promise((resolve) => setTimeout(resolve, 50));

			const between = await service.run(
				node,
				{ resource: 'job', operation: step, options: step === 'wait' ? { pollInterval: 1 } : {} },
				{ items: created.outputs[0] },
			);
			expect(between.outputs[0]).toMatchObject([
				{
					json: {
						jobId,
						description: 'Import of a test',
						includedColumns: included ? [included] : [],
						hasEnded: true,
					},
				},
			]);
			const run = await service.run(
				node,
				{ resource: 'job', operation: 'getResults', options: {} },
				{ items: between.outputs[0] },
			);
			const columnsOf = (row: number) => (included ? { [included]: `c-${row}` } : {});
			const told = run.outputs[0]?.map(({ json }) => json) ?? [];
			expect(
				told
					.sort((a, b) => Number(a.row) - Number(b.row))
					.map(({ row, columns, outcomes, succeeded }) => ({ row, columns, outcomes, succeeded })),
			).toEqual([
				{
					row: 1,
					columns: columnsOf(1),
					outcomes: { PhoneResult: 'Invalid phone number', EmailResult: 'Processed' },
					succeeded: false,
				},
				{
					row: 2,
					columns: columnsOf(2),
					outcomes: { PhoneResult: 'Processed', EmailResult: 'Invalid email address' },
					succeeded: false,
				},
				{
					row: 3,
					columns: columnsOf(3),
					outcomes: { PhoneResult: 'Processed', EmailResult: 'Processed' },
					succeeded: true,
				},
			]);
		},
	);

	it.each(['wait', 'get'])('of another job get no columns passed on by %s', async (operation) => {
		const jobId = await finishJob(await peopleJob());
		const run = await service.run(
			node,
			{ resource: 'job', operation, jobId: String(jobId), options: {} },
			{ items: [{ json: { jobId: jobId + 1, description: 'Other', includedColumns: ['Mail'] } }] },
		);
		expect(run.outputs[0]?.[0]?.json).toMatchObject({ jobId });
		expect(run.outputs[0]?.[0]?.json).not.toHaveProperty('includedColumns');
		expect(run.outputs[0]?.[0]?.json).not.toHaveProperty('description');
	});

	it('of imported items are told apart from the column that marks the items', async () => {
		const imported = await service.run(
			node,
			{
				resource: 'job',
				operation: 'createFromItems',
				resourceType: { __rl: true, mode: 'list', value: 'Contacts' },
				mappingTypes: ['Phones', 'Email'],
				fieldMap: {
					mappingMode: 'defineBelow',
					value: {
						recordId: '={{ $json.id }}',
						'Phones:Phone': '={{ $json.phone }}',
						'Phones:PhoneTypeID': 'C',
						'Email:Email': '={{ $json.mail }}',
					},
					schema: [],
					matchingColumns: [],
				},
				description: 'Items of a test',
				hosting: 'put',
				uploadUrl: `${service.sandbox.url}/drop/{file}?sig=1`,
				downloadUrl: `${service.sandbox.httpsUrl}/drop/{file}`,
				options: { pollInterval: 1 },
			} as INodeParameters,
			{
				items: [
					{ json: { id: 100_001, phone: '123', mail: 'a@example.org' } },
					{ json: { id: 100_002, phone: '9075550155', mail: 'b@example.org' } },
				],
			},
		);
		const { jobId } = (imported.outputs[0]?.[0]?.json.importResult ?? {}) as IDataObject;
		const run = await service.run(node, results(Number(jobId)));
		expect(
			run.outputs[0]?.map(({ json: { columns, outcomes, succeeded } }) => ({
				columns,
				outcomes,
				succeeded,
			})),
		).toEqual([
			{
				columns: { N8nItem: '1' },
				outcomes: { Phones: 'Invalid phone number', EmailResult: 'Processed' },
				succeeded: false,
			},
			{
				columns: { N8nItem: '2' },
				outcomes: { Phones: 'Processed', EmailResult: 'Processed' },
				succeeded: true,
			},
		]);
	});

	it('keep outcomes with names of their own apart from included columns', async () => {
		const jobId = await finishJob(
			await peopleJob({
				mappingTypes: [{ ...createOrUpdate, resultFileColumnName: 'ContactResult' }],
			}),
		);
		const run = await service.run(node, results(jobId, { includedColumns: 'CrmId' }));
		expect(run.outputs[0]?.map(({ json }) => Object.keys(json.outcomes as IDataObject))).toEqual(
			Array.from({ length: 3 }, () => ['ContactResult']),
		);
	});

	it('come as files', async () => {
		const jobId = await finishJob(await peopleJob());
		const run = await service.run(node, results(jobId, { output: 'binary' }));
		const [file] = run.outputs[0] ?? [];

		expect(file).toMatchObject({
			json: { jobId, fileNumber: 1, files: 1 },
			binary: { data: { mimeType: 'text/csv' } },
		});
		expect((await readBinary(file, 'data')).toString()).toMatch(
			/^BulkUploadDataID,ULFileID,PrimaryKey,PrimaryKeyType,CrmId,/,
		);
	});

	it('are fetched without the key', async () => {
		const jobId = await finishJob(await peopleJob());
		await service.run(node, results(jobId));
		expect(
			service.sandbox.requests.filter(({ path }) => path.startsWith('/results/')),
		).toHaveLength(1);
		expect(service.sandbox.control.stats().leakedCredentials).toBe(0);
	});

	it('whose links have ended say so', async () => {
		const jobId = await finishJob(await peopleJob());
		service.sandbox.control.expireResults();
		const run = await service.run(node, results(jobId));
		expect(run.error?.message).toMatch(
			/^Result file 1 (is no longer there|could not be downloaded)/,
		);
		expect(run.error?.description).toMatch(/imported/);
	});

	it('are not there before the job has ended', async () => {
		service.sandbox.control.addFault({
			fault: { kind: 'job', failure: { kind: 'neverEnds' } },
		} as never);
		const started = await service.run(node, fieldsOf(await peopleJob()));
		const run = await service.run(node, results(Number(started.outputs[0]?.[0]?.json.jobId)));
		expect(run.error?.message).toMatch(
			/^Import job \d+ has not ended yet \(status (Pending|InProgress)\)$/,
		);
		expect(run.error?.description).toMatch(/^It has no results before it ends\. Put the operation/);
	});

	it.each([' ', 'abc', '1.5', '-1', '99999999999'])(
		'are not asked for with the job ID "%s"',
		async (jobId) => {
			const run = await service.run(node, { ...results(1), jobId });
			expect(run.error?.message).toMatch(/^Job ID(:| is) /);
			expect(service.sandbox.requests).toEqual([]);
		},
	);

	it.each([' ', '={{ $json.nothing }}', 'undefined'])(
		'need the node that creates the job when the job ID is "%s"',
		async (jobId) => {
			const run = await service.run(node, { ...results(1), jobId });
			expect(run.error?.message).toMatch(/^Job ID is empty\. Enter the number of the job/);
		},
	);
});

describe('discovery', () => {
	it('lists mapping types, whichever form the list has', async () => {
		const list = { resource: 'mappingType', operation: 'getAll', returnAll: true, options: {} };
		const envelope = await service.run(node, list);
		service.sandbox.control.updateTenant('demo', { styles: { mappingTypeResponses: 'array' } });
		const array = await service.run(node, list);
		service.sandbox.control.updateTenant('demo', { styles: { mappingTypeResponses: 'envelope' } });

		const names = envelope.outputs[0]?.map(({ json }) => json.name);
		expect(names).toEqual(
			expect.arrayContaining(['CreateOrUpdateContact', 'MailingAddress', 'Jobs']),
		);
		expect(array.outputs[0]?.map(({ json }) => json.name)).toEqual(names);
	});

	it('reads one mapping type and the values of its fields', async () => {
		const one = await service.run(node, {
			resource: 'mappingType',
			operation: 'get',
			mappingTypeName: locator('Phones'),
			options: {},
		});
		expect(one.outputs[0]?.[0]?.json).toMatchObject({ name: 'Phones' });

		const values = await service.run(node, {
			resource: 'mappingType',
			operation: 'getFieldValues',
			mappingTypeName: locator('Phones'),
			fieldName: locator('PhoneTypeID'),
			returnAll: false,
			limit: 3,
			options: {},
		});
		expect(values.outputs[0]?.map(({ json }) => json.id)).toHaveLength(3);
	});

	it('fills the lists of the editor', async () => {
		const setup = service.setup(node);
		const resources = await searchList({
			...setup,
			method: 'searchResourceTypes',
			filter: 'contr',
		});
		expect(resources.results.map(({ value }) => value)).toContain('Contributions');

		const types = await searchList({ ...setup, method: 'searchMappingTypes', filter: 'mailing' });
		expect(types.results).toEqual([expect.objectContaining({ value: 'MailingAddress' })]);

		const fields = await searchList({
			...setup,
			method: 'searchMappingFields',
			parameters: fieldsOf(jobWith('NativeId', [{ name: 'Phones' }])),
		});
		expect(fields.results.map(({ value }) => value)).toEqual(
			expect.arrayContaining(['Phone', 'PhoneTypeID']),
		);

		const withValues = await searchList({
			...setup,
			method: 'searchFieldsWithValues',
			parameters: {
				resource: 'mappingType',
				operation: 'getFieldValues',
				mappingTypeName: locator('Phones'),
			},
		});
		expect(withValues.results.map(({ value }) => value)).toContain('PhoneTypeID');
		expect(withValues.results.map(({ value }) => value)).not.toContain('Phone');
	});

	it('says why a list cannot be read', async () => {
		await expect(
			searchList({
				...service.setup(node, { apiKey: RESTRICTED_KEY }),
				method: 'searchMappingTypes',
			}),
		).rejects.toMatchObject({
			message: 'This key is not allowed to use GET /bulkImportMappingTypes',
		});
	});
});
