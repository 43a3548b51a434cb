import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { byName } from '../../../hosts/locators';
import { NativeBulkImport } from '../../../nodes/NativeBulkImport/NativeBulkImport.node';
import type { Sandboxed } from './sandboxed';

export type Vendor = 'Native' | 'Van';
export const vendors: Vendor[] = ['Native', 'Van'];

/** The credential for the deployment that uses the vendor's word. */
export const credentialOf = (vendor: Vendor): ICredentialDataDecryptedObject =>
	vendor === 'Native'
		? {}
		: { apiVersion: 'v4', databaseMode: '1', identifierPrefix: 'Van', username: 'demo' };

export interface FieldMapping {
	fieldName: string;
	columnName?: string;
	staticValue?: string;
	values?: Array<{ sourceValue: string; targetValue: string }>;
}

export interface MappingType {
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
	name: byName(name),
	resultFileColumnName,
	fieldValueMappings: {
		mapping: fieldValueMappings.map(({ fieldName, columnName = '', staticValue, values = [] }) => ({
			fieldName: byName(fieldName),
			...(staticValue === undefined
				? { valueFrom: 'column', columnName, values: { value: values } }
				: { valueFrom: 'static', staticValue }),
		})),
	},
});

export interface Job {
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
export function fieldsOf(job: Job, options: IDataObject = {}): INodeParameters {
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
				resourceType: byName(action.resourceType),
				resultFileSizeKbLimit: action.resultFileSizeKbLimit,
				columnsToIncludeInResultsFile: joined(action.columnsToIncludeInResultsFile ?? []),
				mappingTypes: { mappingType: action.mappingTypes.map(mappingTypeFields) },
			})),
		},
		...(job.listeners && { listeners: { listener: job.listeners } }),
		options,
	} as INodeParameters;
}

export const asJson = (job: unknown, options: IDataObject = {}): INodeParameters => ({
	resource: 'job',
	operation: 'create',
	defineJob: 'json',
	jobJson: typeof job === 'string' ? job : JSON.stringify(job),
	options: options as INodeParameters,
});

/** A job with the given mapping types over the given columns. */
export function jobWith(
	columns: string,
	mappingTypes: MappingType[],
	changes: Partial<Job> = {},
): Job {
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

export const column = (fieldName: string, columnName: string): FieldMapping => ({
	fieldName,
	columnName,
});
export const same = (names: string): FieldMapping[] =>
	names.split(' ').map((fieldName) => ({ fieldName }));

export const createOrUpdate: MappingType = {
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
export const jobsOf = (vendor: Vendor): Record<string, Job> => {
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
const people =
	'First,Last,Mail,CrmId\nAda,Example,ada@example.org,c-1\nBob,"Example, Jr.",not-an-address,c-2\nZoë,Ünver,zoe@example.org,c-3\n';

/** A hosted import of three people whose second row cannot go in. */
export async function peopleJob(
	service: Sandboxed,
	changes: Partial<Job['actions'][number]> = {},
): Promise<Job> {
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

export async function finishJob(service: Sandboxed, job: Job): Promise<number> {
	const run = await service.run(
		new NativeBulkImport(),
		fieldsOf(job, { waitForCompletion: 'memory' }),
	);
	const jobId = run.outputs[0]?.[0]?.json.jobId;
	if (typeof jobId !== 'number') throw run.error ?? new Error('The job gave no ID.');
	return jobId;
}
