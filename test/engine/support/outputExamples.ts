import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { shownImport } from '../../../hosts/importScreen';
import { byId, byName, fromList } from '../../../hosts/locators';

/** One run of an operation. */
export interface ExampleRun {
	/** Without resource and operation; those left out have their defaults. */
	parameters?: INodeParameters;
	/** Default: one item that holds nothing. */
	items?: INodeExecutionData[];
}

/** The sandbox, for the examples of one node. */
export interface ExampleService {
	/** The user's file host: where files are put, and where the service fetches them. */
	uploadUrl: string;
	downloadUrl: string;
	/** Zips a text and puts it there; gives its address. */
	host(fileName: string, text: string): Promise<string>;
	/** What an operation of the node, `resource/operation`, puts out. */
	run(operation: string, example: ExampleRun): Promise<IDataObject[]>;
	/** The same with its files. */
	outputs(operation: string, example: ExampleRun): Promise<INodeExecutionData[]>;
}

/** The runs that together show everything an operation puts out; they may prepare something first. */
export type Examples = (service: ExampleService) => ExampleRun[] | Promise<ExampleRun[]>;

/** Keyed by `resource/operation`. */
type NodeExamples = Record<string, Examples | undefined>;

/** IDs of the sandbox's seed. */
const AVERY = '100001';
const averyByType = { identifyBy: 'type', personIdType: 'CrmId', personId: 'demo-1' };
const TAG = '502';
const SOURCE_CODE = '503';
const EVENT = '6001';

const everything: Examples = () => [{ parameters: { returnAll: true } }];
const oneRun =
	(...parameters: INodeParameters[]): Examples =>
	() =>
		parameters.map((entered) => ({ parameters: entered }));

/** For what holds records of whatever resource the user names: no property of theirs can be promised. */
const anyRecord: Examples = () => [];

const fileColumns = ['FirstName', 'LastName', 'Email'];
const good = 'Ann,Sample,ann.sample@example.org';
const bad = 'Ben,Sample,no..address@example.org';

/** A job over a file with these rows. */
const jobOf = async (service: ExampleService, ...rows: string[]): Promise<INodeParameters> => ({
	defineJob: 'fields',
	description: 'Sign-ups',
	fileName: 'rows.csv',
	sourceUrl: await service.host('rows.csv', `${[fileColumns.join(','), ...rows].join('\n')}\n`),
	hasHeader: true,
	columns: fileColumns.join(', '),
	actions: {
		action: [
			{
				resourceType: byName('Contacts'),
				resultFileSizeKbLimit: 5000,
				columnsToIncludeInResultsFile: 'Email',
				mappingTypes: {
					mappingType: [{ name: byName('CreateOrUpdateContact'), fieldValueMappings: {} }],
				},
			},
		],
	},
});

const toTheEnd = { waitForCompletion: 'memory' };

async function runJob(service: ExampleService, ...rows: string[]): Promise<INodeExecutionData> {
	const parameters = { ...(await jobOf(service, ...rows)), options: toTheEnd };
	const [job] = await service.run('job/create', { parameters });
	return { json: job ?? {} };
}

/** Runs after "Create", which is where the parameters of these operations have their defaults from. */
const runJobs: Examples = async (service) => [
	{ items: [await runJob(service, good)] },
	{ items: [await runJob(service, good, bad)] },
];

/** Items are put out with what they hold already: these hold nothing, so what is left is added. */
const itemImportOf = (service: ExampleService, options: INodeParameters = {}): ExampleRun => ({
	items: [{ json: {} }, { json: {} }],
	parameters: shownImport({
		resourceType: fromList('Contacts'),
		mappingTypes: ['CreateOrUpdateContact'],
		fieldMap: {
			mappingMode: 'defineBelow',
			value: {
				'CreateOrUpdateContact:FirstName': 'Ann',
				'CreateOrUpdateContact:LastName': 'Sample',
				'CreateOrUpdateContact:Email':
					'={{ $itemIndex === 0 ? "ann.sample@example.org" : "no..address@example.org" }}',
			},
			schema: [],
			matchingColumns: [],
		} as unknown as INodeParameters,
		description: 'Sign-ups',
		hosting: 'put',
		uploadUrl: service.uploadUrl,
		downloadUrl: service.downloadUrl,
		options,
	}),
});

const bulkImport: NodeExamples = {
	'file/build': () => [{ items: [{ json: { FirstName: 'Ann', Email: 'ann@example.org' } }] }],
	'job/create': async (service) => [
		{ parameters: await jobOf(service, good) },
		{ parameters: { ...(await jobOf(service, good, bad)), options: toTheEnd } },
	],
	'job/createFromItems': (service) => [itemImportOf(service)],
	'job/get': runJobs,
	'job/getAll': async (service) => {
		await runJob(service, good, bad);
		return [{ parameters: { returnAll: true } }];
	},
	'job/getItemOutcomes': async (service) => {
		const example = itemImportOf(service, { waitForOutcome: 'none' });
		const started = await service.run('job/createFromItems', example);
		const files = started.filter(({ fileNumber }) => fileNumber !== undefined);
		const items = files.map(({ jobId }) => ({ json: { jobId } }));
		await service.run('job/wait', { items });
		const startedJobs = `={{ ${JSON.stringify(files)} }}`;
		return [{ items: example.items, parameters: { startedJobs } }];
	},
	'job/getResults': runJobs,
	'job/takeBack': async (service) => {
		const example = itemImportOf(service, { keepBefore: 60 });
		const items = await service.outputs('job/createFromItems', example);
		const options = { personLink: 'https://app.example.org/people/{ID}' };
		return ['show', 'takeBack'].map((whatShouldHappen) => ({
			items,
			parameters: { whatShouldHappen, options },
		}));
	},
	'job/wait': runJobs,
	'mappingType/get': oneRun(
		{ mappingTypeName: byName('CreateOrUpdateContact') },
		{ mappingTypeName: byName('Phones') },
	),
	'mappingType/getAll': everything,
	'mappingType/getFieldValues': oneRun({
		mappingTypeName: byName('Phones'),
		fieldName: byName('PhoneTypeID'),
		returnAll: true,
	}),
	'resourceType/getAll': everything,
};

const canvassResponse: NodeExamples = {
	'canvassResponse/create': oneRun(
		{
			nativeId: AVERY,
			canvassContext: {
				contactTypeId: byId('1'),
				inputTypeId: byId('10'),
				dateCanvassed: '2026-03-01T18:30:00',
				phoneId: '5001',
			},
			resultCodeId: byId('1'),
		},
		{
			nativeId: AVERY,
			canvassContext: { contactTypeId: byId('2') },
			outcome: 'responses',
			responses: {
				activistCodes: [{ activistCodeId: byId('7001'), action: 'Apply' }],
				surveyResponses: [{ surveyQuestionId: byId('81'), surveyResponseId: byId('812') }],
				volunteerActivities: [{ volunteerActivityId: '901', action: 'Apply' }],
			},
		},
		{ ...averyByType, canvassContext: { contactTypeId: byId('2') }, resultCodeId: byId('1') },
	),
	'activistCode/getAll': everything,
	'contactType/getAll': everything,
	'inputType/getAll': everything,
	'resultCode/getAll': everything,
	'surveyQuestion/getAll': everything,
};

const sourceCode: INodeParameters = {
	name: 'Summer appeal',
	description: 'Letter of June',
	sourceCodeMetadata: { campaignId: '1501', isSourceCodeApplicable: true },
};
const tag: INodeParameters = {
	codeType: 'Tag',
	name: 'Canvass days',
	description: 'Every Saturday',
	parentCodeId: byId(TAG),
	supportedEntities: {
		entity: [{ name: byName('Events'), isSearchable: true, isApplicable: true }],
	},
};

/** IDs of a code of each kind, with all it can have. */
async function createCodes(service: ExampleService): Promise<INodeParameters[]> {
	const codes: INodeParameters[] = [];
	for (const parameters of [sourceCode, tag]) {
		const [created] = await service.run('code/create', { parameters });
		codes.push({ codeId: byId(String(created?.codeId)) });
	}
	return codes;
}

const code: NodeExamples = {
	'code/create': oneRun(sourceCode, tag),
	'code/delete': oneRun({ codeId: byId(SOURCE_CODE) }),
	'code/get': async (service) => (await createCodes(service)).map((parameters) => ({ parameters })),
	'code/getAll': async (service) => {
		await createCodes(service);
		return [{ parameters: { returnAll: true } }];
	},
	'code/update': async (service) =>
		(await createCodes(service)).map((parameters) => ({
			parameters: { ...parameters, updateFields: { name: 'Another name' } },
		})),
	'codeType/getAll': everything,
	'supportedEntity/getAll': everything,
};

const averysEmail = { email: 'avery.sample@demo.example.org' };
const findOrCreate = oneRun(averysEmail, {
	firstName: 'New',
	lastName: 'Person',
	phone: '907-555-0155',
});

const fullPerson: INodeParameters = {
	firstName: 'Ann',
	lastName: 'Sample',
	email: 'ann.sample@example.org',
	phone: '907-555-0100',
	additionalFields: {
		middleName: 'B',
		suffix: 'Jr',
		title: 'Dr',
		salutation: 'Dear Ann',
		envelopeName: 'Ann Sample',
		party: 'D',
		sex: 'F',
		dateOfBirth: '1975-09-18',
		employer: 'Example Works',
		occupation: 'Engineer',
		addresses: {
			address: [
				{
					addressLine1: '1 Elm St',
					city: 'Nome',
					stateOrProvince: 'AK',
					zipOrPostalCode: '99762',
					type: 'Home',
				},
			],
		},
		identifiers: { identifier: [{ type: 'CrmId', externalId: 'A-1' }] },
		suppressions: { suppression: [{ suppressionCode: 'NC' }] },
		customFieldValues: {
			customFieldValue: [
				{ customFieldId: '301', customFieldGroupId: '201', assignedValue: 'Member' },
			],
		},
	},
};

const people: NodeExamples = {
	'contact/findOrCreate': findOrCreate,
	'person/applyCode': oneRun(
		{ nativeId: AVERY, codeId: byId(TAG) },
		{ ...averyByType, codeId: byId(TAG) },
	),
	'person/find': oneRun(averysEmail, { email: 'nobody@example.org' }),
	'person/findOrCreate': findOrCreate,
	'person/get': async (service) => {
		const [person] = await service.run('person/findOrCreate', { parameters: fullPerson });
		const nativeId = String(person?.personId);
		return [
			{ parameters: { nativeId } },
			{
				parameters: {
					nativeId,
					expand: ['addresses', 'customFields', 'emails', 'externalIds', 'phones', 'suppressions'],
				},
			},
		];
	},
	'person/update': oneRun({ nativeId: AVERY, additionalFields: { nickname: 'Av' } }),
};

const event = { resourceName: byName('events'), recordId: EVENT };
const withBody = { ...event, recordJson: '{ "name": "Spring" }' };

const record: NodeExamples = {
	'record/create': anyRecord,
	'record/delete': oneRun(event),
	'record/get': anyRecord,
	'record/getAll': anyRecord,
	'record/patch': oneRun(withBody),
	'record/update': oneRun(withBody),
};

/** What every operation of the package puts out is made of these; triggers have no such preview. */
export const outputExamples: Record<string, NodeExamples | undefined> = {
	NativeBulkImport: bulkImport,
	NativeCanvassResponse: canvassResponse,
	NativeCode: code,
	NativePeople: people,
	NativeRecord: record,
};
