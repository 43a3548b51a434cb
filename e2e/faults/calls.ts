import { makeZip } from 'client-zip';
import type { INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import { byId, byName } from '../../hosts/locators';
import { importItemsNode } from '../../hosts/workflows';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node.js';
import { NativeCanvassResponse } from '../../nodes/NativeCanvassResponse/NativeCanvassResponse.node.js';
import { NativeCode } from '../../nodes/NativeCode/NativeCode.node.js';
import { NativePeople } from '../../nodes/NativePeople/NativePeople.node.js';
import { NativeRecord } from '../../nodes/NativeRecord/NativeRecord.node.js';
import { type Endpoint, endpoints } from '../../nodes/shared/service/endpoints';
import type { Sandbox } from '../../sandbox';
import { packageOperations } from '../../test/engine/support/exampleOutputs';
import type { ExampleService } from '../../test/engine/support/outputExamples';
import { COLUMNS, importJob } from '../importRequests';
import type { Column } from './faults';

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
	/** The name in the table. */
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
	/** Whether the person must have an activist code first. */
	needsActivistCode?: true;
	/** Executed once, it cannot be executed again. */
	isOnceOnly?: true;
}

const PARENTLESS_CODE = 504;
const TAG = 502;
const EVENT = { recordId: '6001' };

const bulkImport = new NativeBulkImport();
const people = new NativePeople();
const canvass = new NativeCanvassResponse();
const codes = new NativeCode();
const records = new NativeRecord();

type Parameters = INodeParameters | FaultyCall['parameters'];
type Operation = Pick<FaultyCall, 'node' | 'resource' | 'operation' | 'parameters'>;

/** The operations of a resource as the user chooses them, with what is filled in. */
const resourceOf =
	(node: INodeType, resource: string) =>
	(operation: string, parameters: Parameters = {}): Operation => {
		const fill = typeof parameters === 'function' ? parameters : () => parameters;
		return { node, resource, operation, parameters: fill };
	};

const job = resourceOf(bulkImport, 'job');
const person = resourceOf(people, 'person');
const canvassResponse = resourceOf(canvass, 'canvassResponse');
const code = resourceOf(codes, 'code');
const record = (operation: string, resourceName: string, values: INodeParameters = {}) =>
	resourceOf(records, 'record')(operation, { resourceName: byName(resourceName), ...values });

const all: INodeParameters = { returnAll: true };
const avery: INodeParameters = { nativeId: '100001' };
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
const recordJson = '{"name":"Autumn"}';

const importedItems: INodeExecutionData[] = ['Kim', 'Sam', 'Toni'].map((first) => ({
	json: { first, last: 'Sample', mail: `${first}@example.org`.toLowerCase() },
}));

const importItems = (hosting: 'put' | 'post') =>
	job('createFromItems', ({ sandbox, name, base }) => {
		const urls = {
			uploadUrl: hosting === 'put' ? `${base}/drop/${name}?sig=1` : `${base}/drop?sig=${name}`,
			downloadUrl: `${sandbox.httpsUrl}/drop/${name}${hosting === 'put' ? '' : '.zip'}`,
		};
		const formFields = { field: [{ name: 'key', value: `${name}.zip` }] };
		return importItemsNode('', { hosting, ...urls, formFields }).parameters;
	});

const results = (output: 'rows' | 'binary') =>
	job('getResults', (place) => ({
		jobId: String(place.job?.id),
		output,
		includedColumns: '',
	}));

type EndpointName = keyof typeof endpoints;
type Row = Operation & Partial<FaultyCall>;

/** Endpoints whose call needs more than the example of its operation. */
const endpointRows: Partial<Record<EndpointName, Row>> = {
	createBulkImportJob: job('create', ({ sandbox }) => ({
		defineJob: 'json',
		jobJson: JSON.stringify(importJob(`${sandbox.httpsUrl}/drop/nothing.zip`)),
	})),
	listBulkImportJobs: { ...job('getAll', all), needsJob: true },
	getBulkImportJob: {
		...job('get', (place) => ({ jobId: String(place.job?.id) })),
		needsJob: true,
	},
	findPerson: person('find', ({ name }) => ({ email: `avery.sample@${name}.example.org` })),
	findOrCreatePerson: person('findOrCreate', newPerson),
	findOrCreateContact: resourceOf(people, 'contact')('findOrCreate', newPerson),
	createPerson: record('create', 'people/create', {
		recordJson: '{"firstName": "Ann", "lastName": "Lee"}',
	}),
	getPerson: person('get', avery),
	updatePerson: person('update', (place) => ({ ...personByType(place), firstName: 'Avery' })),
	patchPerson: record('patch', 'people', {
		recordId: '100001',
		recordJson: '{"firstName": "Avery"}',
	}),
	deletePerson: { ...record('delete', 'people', { recordId: '100001' }), isOnceOnly: true },
	listPersonActivistCodes: {
		...record('getAll', 'people/100001/activistCodes', all),
		needsActivistCode: true,
	},
	applyCode: person('applyCode', (place) => ({ ...personByType(place), codeId: byId(TAG) })),
	createCanvassResponse: canvassResponse('create', { ...avery, ...notHome }),
	// No operation of their own: by the general conventions.
	getActivistCode: record('get', 'activistCodes', { recordId: '7001' }),
	getSurveyQuestion: record('get', 'surveyQuestions', { recordId: '81' }),
	listApiKeyProfiles: { ...record('getAll', 'apiKeyProfiles', all), apiVersion: 'v4' },
	createCode: code('create', { name: 'Autumn' }),
	listCodes: code('getAll', all),
	getCode: code('get', { codeId: byId(PARENTLESS_CODE) }),
	updateCode: code('update', {
		codeId: byId(PARENTLESS_CODE),
		updateFields: { description: 'Autumn' },
	}),
	deleteCode: { ...code('delete', { codeId: byId(PARENTLESS_CODE) }), isOnceOnly: true },
};

/** A call as the table names it; parameters of its path are in braces. */
const callOf = (
	column: Column,
	method: string,
	path: string,
	operation: Operation,
): FaultyCall => ({
	title: `${method} ${path}`,
	column,
	...operation,
	method,
	path: path.replace(/\{.*$/, ''),
});

/** Calls that are not in the endpoint table. */
const otherCalls: FaultyCall[] = [
	{
		...callOf(
			'unsafe',
			'POST',
			'/people/{person}/canvassResponses',
			canvassResponse('create', (place) => ({ ...personByType(place), ...notHome })),
		),
		title: 'POST /people/{person}/canvassResponses, a person by an ID of another system',
	},
	{
		...callOf(
			'unsafe',
			'POST',
			'/people/findOrCreate',
			person('findOrCreate', {
				firstName: 'Robin',
				lastName: 'Sample',
				options: { requireMatchable: false },
			}),
		),
		title: 'POST /people/findOrCreate, a person who is not looked for',
	},
	{
		...callOf(
			'read',
			'GET',
			'/events',
			record('getAll', 'events', { ...all, query: { option: [{ name: '$top', value: '1' }] } }),
		),
		title: 'GET /events, second page',
		skip: 1,
	},
	callOf('read', 'GET', '/events/{eventId}', record('get', 'events', EVENT)),
	callOf('unsafe', 'POST', '/events', record('create', 'events', { recordJson })),
	callOf('safe', 'PUT', '/events/{eventId}', record('update', 'events', { ...EVENT, recordJson })),
	callOf(
		'unsafe',
		'PATCH',
		'/events/{eventId}',
		record('patch', 'events', { ...EVENT, recordJson }),
	),
	{
		...callOf('safe', 'DELETE', '/events/{eventId}', record('delete', 'events', EVENT)),
		isOnceOnly: true,
	},
	...(['rows', 'binary'] as const).map(
		(output): FaultyCall => ({
			title: `result file as ${output === 'rows' ? 'rows' : 'binary data'}`,
			column: 'download',
			...results(output),
			method: 'GET',
			path: (place) => place.job?.resultPath ?? '',
			needsJob: true,
		}),
	),
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
	return resourceOf(own.node, resource)(operation, run.parameters);
}

const noService: ExampleService = {
	uploadUrl: '',
	downloadUrl: '',
	host: async () => '',
	run: async () => [],
	outputs: async () => [],
};

export async function faultyCalls(): Promise<FaultyCall[]> {
	const rows: Record<string, Row | undefined> = endpointRows;
	const listed = Object.entries<Endpoint>(endpoints).map(async ([name, endpoint]) => {
		const { method, path, retry } = endpoint;
		const row = rows[name] ?? (await exampleRow(name, endpoint));
		return { ...callOf(retry, method, path, row), ...row };
	});
	return [...(await Promise.all(listed)), ...otherCalls];
}

export async function applyActivistCode({ sandbox, key }: Place): Promise<void> {
	const responses = [{ type: 'ActivistCode', activistCodeId: 7001, action: 'Apply' }];
	const response = await fetch(`${sandbox.url}/v2/people/100001/canvassResponses`, {
		method: 'POST',
		headers: { apiKey: key, 'content-type': 'application/json' },
		body: JSON.stringify({ responses }),
	});
	if (!response.ok) throw new Error(`The code was not applied: ${await response.text()}`);
}

/** Imports three rows, so that a job with a result file is there. */
export async function runJob({ sandbox, name, key }: Place): Promise<JobWithResults> {
	const people = 'Kim,Sample,kim@example.org,c-1\nSam,Sample,sam@example.org,c-2\n';
	const rows = `${COLUMNS.join(',')}\n${people}`;
	const zip = await new Response(makeZip([{ name: 'rows.csv', input: rows }])).arrayBuffer();
	const file = `/drop/${name}-job`;
	await fetch(`${sandbox.url}${file}?sig=1`, { method: 'PUT', body: zip });
	const response = await fetch(`${sandbox.url}/v2/bulkImportJobs`, {
		method: 'POST',
		headers: { apiKey: key, 'content-type': 'application/json' },
		body: JSON.stringify(importJob(`${sandbox.httpsUrl}${file}`)),
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
