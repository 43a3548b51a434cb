import { makeZip } from 'client-zip';
import type { INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import { byId, byName } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node.js';
import { NativeCanvassResponse } from '../../nodes/NativeCanvassResponse/NativeCanvassResponse.node.js';
import { NativeCode } from '../../nodes/NativeCode/NativeCode.node.js';
import { NativePeople } from '../../nodes/NativePeople/NativePeople.node.js';
import { NativeRecord } from '../../nodes/NativeRecord/NativeRecord.node.js';
import { type Endpoint, endpoints } from '../../nodes/shared/service/endpoints';
import type { Sandbox } from '../../sandbox';
import { packageOperations } from '../../test/engine/support/exampleOutputs';
import type { ExampleService } from '../../test/engine/support/outputExamples';
import type { Column } from './faults';

/** An import job with a result file. */
export interface JobWithResults {
	id: number;
	resultPath: string;
}

/** Where one test takes place: a tenant of its own. */
export interface Place {
	sandbox: Sandbox;
	/** Name of the tenant, and of everything the test has to itself. */
	name: string;
	key: string;
	/** Base address as the node sees it. */
	base: string;
	/** The import job that was there before, if the call needs one. */
	job?: JobWithResults;
}

/** Something a user does with a node, and its one request that gets a fault. */
export interface FaultyCall {
	/** As the table names it. */
	title: string;
	column: Column;
	node: INodeType;
	/** Where the node's own sentences begin: what the user chose. */
	resource: string;
	operation: string;
	parameters: (place: Place) => INodeParameters;
	method: string;
	/** How the path of the request begins, after the version. */
	path: string | ((place: Place) => string);
	/** The API that alone has the path; its keys name a database. */
	apiVersion?: 'v4';
	/** Requests of that kind that go well first. */
	skip?: number;
	items?: INodeExecutionData[];
	/** Whether an ended import job must be there first. */
	needsJob?: true;
	/** Executed once, it cannot be executed again. */
	isOnceOnly?: true;
}

const AVERY = 100_001;
const PARENTLESS_CODE = 504;
const TAG = 502;
const EVENT_ID = 6001;

const bulkImport = new NativeBulkImport();
const people = new NativePeople();
const canvass = new NativeCanvassResponse();
const codes = new NativeCode();
const records = new NativeRecord();

type Parameters = INodeParameters | FaultyCall['parameters'];
type Operation = Pick<FaultyCall, 'node' | 'resource' | 'operation' | 'parameters'>;

/** An operation as the user chooses it, with what is filled in. */
function operationCall(
	node: INodeType,
	resource: string,
	operation: string,
	parameters: Parameters = {},
): Operation {
	const fill = typeof parameters === 'function' ? parameters : () => parameters;
	return { node, resource, operation, parameters: fill };
}

const all: INodeParameters = { returnAll: true };
const person: INodeParameters = { nativeId: String(AVERY) };
const personByType = ({ name }: Place): INodeParameters => ({
	identifyBy: 'type',
	personIdType: 'CrmId',
	personId: `${name}-1`,
});
const newPerson: INodeParameters = {
	firstName: 'Robin',
	lastName: 'Sample',
	email: 'robin.sample@example.org',
};
const notHome: INodeParameters = {
	// Without it the service would take a second copy for the first one.
	canvassContext: { contactTypeId: byId(2), skipMatching: true },
	resultCodeId: byId(1),
};
const record = (resourceName: string, values: INodeParameters = {}): INodeParameters => ({
	resourceName: byName(resourceName),
	...values,
});
const recordJson = '{"name":"Autumn"}';

const jobOf = (sourceUrl: string) => ({
	description: 'Import of the fault matrix',
	file: {
		fileName: 'rows.csv',
		sourceUrl,
		hasHeader: true,
		hasQuotes: true,
		columnDelimiter: 'CSV',
		columns: [{ name: 'First' }, { name: 'Last' }, { name: 'Mail' }],
	},
	actions: [
		{
			actionType: 'loadMappedFile',
			resourceType: 'Contacts',
			resultFileSizeKbLimit: 5000,
			mappingTypes: [
				{
					name: 'CreateOrUpdateContact',
					fieldValueMappings: [
						{ fieldName: 'FirstName', columnName: 'First' },
						{ fieldName: 'LastName', columnName: 'Last' },
						{ fieldName: 'Email', columnName: 'Mail' },
					],
				},
			],
		},
	],
});

const importedItems: INodeExecutionData[] = ['Kim', 'Sam', 'Toni'].map((first) => ({
	json: { first, last: 'Sample', mail: `${first}@example.org`.toLowerCase() },
}));

const importItems = (hosting: 'put' | 'post') =>
	operationCall(bulkImport, 'job', 'createFromItems', ({ sandbox, name, base }) => ({
		resourceType: byName('Contacts'),
		mappingTypes: ['CreateOrUpdateContact'],
		fieldMap: {
			mappingMode: 'defineBelow',
			value: {
				'CreateOrUpdateContact:FirstName': '={{ $json.first }}',
				'CreateOrUpdateContact:LastName': '={{ $json.last }}',
				'CreateOrUpdateContact:Email': '={{ $json.mail }}',
			},
			schema: [],
			matchingColumns: [],
		} as unknown as INodeParameters,
		description: 'Items of the fault matrix',
		hosting,
		uploadUrl: hosting === 'put' ? `${base}/drop/${name}?sig=1` : `${base}/drop?sig=${name}`,
		downloadUrl: `${sandbox.httpsUrl}/drop/${name}${hosting === 'put' ? '' : '.zip'}`,
		formFields: { field: [{ name: 'key', value: `${name}.zip` }] },
	}));

const results = (output: 'rows' | 'binary') =>
	operationCall(bulkImport, 'job', 'getResults', ({ job }) => ({
		jobId: String(job?.id),
		output,
		includedColumns: '',
	}));

type EndpointName = keyof typeof endpoints;
type Row = Operation & Partial<FaultyCall>;

/** Endpoints whose call needs more than the example of its operation. */
const endpointRows: Partial<Record<EndpointName, Row>> = {
	createBulkImportJob: operationCall(bulkImport, 'job', 'create', ({ sandbox }) => ({
		defineJob: 'json',
		jobJson: JSON.stringify(jobOf(`${sandbox.httpsUrl}/drop/nothing.zip`)),
	})),
	listBulkImportJobs: { ...operationCall(bulkImport, 'job', 'getAll', all), needsJob: true },
	getBulkImportJob: {
		...operationCall(bulkImport, 'job', 'get', ({ job }) => ({ jobId: String(job?.id) })),
		needsJob: true,
	},
	findPerson: operationCall(people, 'person', 'find', ({ name }) => ({
		email: `avery.sample@${name}.example.org`,
	})),
	findOrCreatePerson: operationCall(people, 'person', 'findOrCreate', newPerson),
	findOrCreateContact: operationCall(people, 'contact', 'findOrCreate', newPerson),
	createPerson: operationCall(records, 'record', 'create', {
		resourceName: byName('people/create'),
		recordJson: '{"firstName": "Ann", "lastName": "Lee"}',
	}),
	getPerson: operationCall(people, 'person', 'get', person),
	updatePerson: operationCall(people, 'person', 'update', (place) => ({
		...personByType(place),
		firstName: 'Avery',
	})),
	applyCode: operationCall(people, 'person', 'applyCode', (place) => ({
		...personByType(place),
		codeId: byId(TAG),
	})),
	createCanvassResponse: operationCall(canvass, 'canvassResponse', 'create', {
		...person,
		...notHome,
	}),
	// No operation of their own: by the general conventions.
	getActivistCode: operationCall(
		records,
		'record',
		'get',
		record('activistCodes', { recordId: '7001' }),
	),
	getSurveyQuestion: operationCall(
		records,
		'record',
		'get',
		record('surveyQuestions', { recordId: '81' }),
	),
	listApiKeyProfiles: {
		...operationCall(records, 'record', 'getAll', record('apiKeyProfiles', all)),
		apiVersion: 'v4',
	},
	createCode: operationCall(codes, 'code', 'create', { name: 'Autumn' }),
	listCodes: operationCall(codes, 'code', 'getAll', all),
	getCode: operationCall(codes, 'code', 'get', { codeId: byId(PARENTLESS_CODE) }),
	updateCode: operationCall(codes, 'code', 'update', {
		codeId: byId(PARENTLESS_CODE),
		updateFields: { description: 'Autumn' },
	}),
	deleteCode: {
		...operationCall(codes, 'code', 'delete', { codeId: byId(PARENTLESS_CODE) }),
		isOnceOnly: true,
	},
};

/** Calls that are not in the endpoint table. */
const otherCalls: FaultyCall[] = [
	{
		title: 'POST /people/{person}/canvassResponses, a person by an ID of another system',
		column: 'unsafe',
		...operationCall(canvass, 'canvassResponse', 'create', (place) => ({
			...personByType(place),
			...notHome,
		})),
		method: 'POST',
		path: '/people/',
	},
	{
		title: 'POST /people/findOrCreate, a person who is not looked for',
		column: 'unsafe',
		...operationCall(people, 'person', 'findOrCreate', {
			firstName: 'Robin',
			lastName: 'Sample',
			options: { requireMatchable: false },
		}),
		method: 'POST',
		path: '/people/findOrCreate',
	},
	{
		title: 'GET /events, second page',
		column: 'read',
		...operationCall(
			records,
			'record',
			'getAll',
			record('events', { ...all, query: { option: [{ name: '$top', value: '1' }] } }),
		),
		method: 'GET',
		path: '/events',
		skip: 1,
	},
	{
		title: 'GET /events/{eventId}',
		column: 'read',
		...operationCall(records, 'record', 'get', record('events', { recordId: String(EVENT_ID) })),
		method: 'GET',
		path: '/events/',
	},
	{
		title: 'POST /events',
		column: 'unsafe',
		...operationCall(records, 'record', 'create', record('events', { recordJson })),
		method: 'POST',
		path: '/events',
	},
	{
		title: 'PUT /events/{eventId}',
		column: 'safe',
		...operationCall(
			records,
			'record',
			'update',
			record('events', { recordId: String(EVENT_ID), recordJson }),
		),
		method: 'PUT',
		path: '/events/',
	},
	{
		title: 'PATCH /events/{eventId}',
		column: 'unsafe',
		...operationCall(
			records,
			'record',
			'patch',
			record('events', { recordId: String(EVENT_ID), recordJson }),
		),
		method: 'PATCH',
		path: '/events/',
	},
	{
		title: 'DELETE /events/{eventId}',
		column: 'safe',
		...operationCall(records, 'record', 'delete', record('events', { recordId: String(EVENT_ID) })),
		method: 'DELETE',
		path: '/events/',
		isOnceOnly: true,
	},
	{
		title: 'result file as rows',
		column: 'download',
		...results('rows'),
		method: 'GET',
		path: ({ job }) => job?.resultPath ?? '',
		needsJob: true,
	},
	{
		title: 'result file as binary data',
		column: 'download',
		...results('binary'),
		method: 'GET',
		path: ({ job }) => job?.resultPath ?? '',
		needsJob: true,
	},
	{
		title: 'upload (PUT)',
		column: 'upload',
		...importItems('put'),
		method: 'PUT',
		path: ({ name }) => `/drop/${name}`,
		items: importedItems,
	},
	{
		title: 'upload (POST)',
		column: 'upload',
		...importItems('post'),
		method: 'POST',
		path: ({ name }) => `/drop?sig=${name}`,
		items: importedItems,
	},
];

/**
 * The call of the operation that exists for an endpoint, with the example of its output. Throws if there
 * is none, so that no endpoint is forgotten.
 */
async function exampleRow(name: string, endpoint: Endpoint): Promise<Row> {
	const [own] = packageOperations()
		.filter(({ calls }) => Array.isArray(calls) && calls.length === 1 && calls[0] === endpoint)
		.filter(({ examples }) => examples);
	const [run] = (await own?.examples?.(noService)) ?? [];
	if (!own || !run) {
		throw new Error(
			`The endpoint "${name}" of nodes/shared/service/endpoints.ts has no call in the fault matrix. Give an example of the operation that calls it in test/engine/support/outputExamples.ts, or add a row to e2e/faults/calls.ts.`,
		);
	}
	const [resource = '', operation = ''] = own.name.split('/');
	return operationCall(own.node, resource, operation, run.parameters);
}

const noService: ExampleService = {
	uploadUrl: '',
	downloadUrl: '',
	host: async () => '',
	run: async () => [],
};

/** Every call of the matrix. */
export async function faultyCalls(): Promise<FaultyCall[]> {
	const rows: Record<string, Row | undefined> = endpointRows;
	const listed = Object.entries<Endpoint>(endpoints).map(
		async ([name, endpoint]): Promise<FaultyCall> => ({
			title: `${endpoint.method} ${endpoint.path}`,
			column: endpoint.retry,
			method: endpoint.method,
			path: endpoint.path.replace(/\{.*$/, ''),
			...(rows[name] ?? (await exampleRow(name, endpoint))),
		}),
	);
	return [...(await Promise.all(listed)), ...otherCalls];
}

/** Imports three rows, so that a job with a result file is there. */
export async function runJob({ sandbox, name, key }: Place): Promise<JobWithResults> {
	const rows = 'First,Last,Mail\nKim,Sample,kim@example.org\nSam,Sample,sam@example.org\n';
	const zip = await new Response(makeZip([{ name: 'rows.csv', input: rows }])).arrayBuffer();
	const file = `/drop/${name}-job`;
	await fetch(`${sandbox.url}${file}?sig=1`, { method: 'PUT', body: zip });
	const response = await fetch(`${sandbox.url}/v2/bulkImportJobs`, {
		method: 'POST',
		headers: { apiKey: key, 'content-type': 'application/json' },
		body: JSON.stringify(jobOf(`${sandbox.httpsUrl}${file}`)),
	});
	if (!response.ok) throw new Error(`The job was not taken: ${await response.text()}`);
	for (;;) {
		const [job] = sandbox.control.jobs(name);
		if (job?.status === 'Failed') throw new Error('The job of the fault matrix failed.');
		const url = job?.resultFiles?.[0]?.url;
		if (job && url !== undefined) return { id: job.id, resultPath: new URL(url).pathname };
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}
