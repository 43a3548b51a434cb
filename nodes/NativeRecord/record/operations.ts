import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeProperties,
} from 'n8n-workflow';
import { z } from 'zod';

import { matching } from '../../shared/execution/listSearch';
import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { entryOutput, getManyOperation } from '../../shared/operations/getMany';
import { simplifyIfAsked, toolOutputFields } from '../../shared/parameters/simplify';
import { inTitleCase, locatorField } from '../../shared/service/bodyField';
import {
	buildPath,
	type ConventionMethod,
	type PreparedCall,
} from '../../shared/service/endpoints';
import type { NativeService, ServiceResponse } from '../../shared/service/nativeService';
import { RECORD_JSON, recordCall } from '../recordInput';

/** Resources of known deployments; users can type any other. */
const knownResourceNames = [
	'activistCodes',
	'bulkImportJobs',
	'codes',
	'codeTypes',
	'contributions',
	'designations',
	'events',
	'eventTypes',
	'exportJobs',
	'locations',
	'notes',
	'people',
	'printedLists',
	'savedLists',
	'signups',
	'supporterGroups',
	'surveyQuestions',
];

/** Fixed: the service does not list its resources (service.md 1.1). */
export async function searchResourceNames(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const choices = knownResourceNames.map((value) => ({ name: inTitleCase(value), value }));
	return matching(choices, filter);
}

const resourceNameField: INodeProperties = {
	...locatorField('resourceName', {
		displayName: 'Resource Name',
		searchListMethod: 'searchResourceNames',
		exampleName: 'events',
		description:
			'Which kind of records, as the service spells it, e.g. events. For records that belong to another one, enter the path, e.g. people/123/notes.',
	}),
	required: true,
};

const recordIdField: INodeProperties = {
	displayName: 'Record ID',
	name: 'recordId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 6001',
	description: 'The ID the service gave the record',
};

const queryField: INodeProperties = {
	displayName: 'Query Options',
	name: 'query',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Query Option',
	default: {},
	description:
		'What to add to the address, e.g. filters by field, $expand, $orderby, or $top for the size of a page',
	options: [
		{
			displayName: 'Query Option',
			name: 'option',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. $orderby',
					description: 'Name of the option, as the service spells it',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. dateModified desc',
					description: 'Value of the option. An option without a value is left out.',
				},
			],
		},
	],
};

/** Some records are lists or plain values, but never null. */
const anyRecordSchema = z.unknown().refine((record) => record !== undefined && record !== null);

export const getOperation: NodeOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get record',
	description: 'Read one record of any resource by its ID',
	calls: { anyPath: 'GET' },
	properties: [resourceNameField, recordIdField, queryField, ...toolOutputFields],
	async run({ parameters, service }) {
		const call = recordCall(parameters, 'GET', true);
		const record = await service.read(call.endpoint, call, anyRecordSchema);
		return asItems(simplifyIfAsked(parameters, entryOutput(service, record), 'raw'));
	},
};

export const getAllOperation = getManyOperation({
	entries: 'records',
	description: 'List records of any resource, page by page',
	list: {
		calls: { anyPath: 'GET' },
		call: ({ parameters }) => {
			const call = recordCall(parameters, 'GET', false);
			// Some lists reject unknown options.
			return { ...call, endpoint: { ...call.endpoint, isUnpaged: true } };
		},
	},
	anyName: true,
	fields: [resourceNameField, queryField],
});

/** The ID at the end of an address, unless it is that of a record in the path: a note of `people/5`. */
function idOfAddress(address = '', path = ''): string | undefined {
	const [, end = '', id] = /(\/[^/?#]+\/([^/?#]+))\/?(?:[?#]|$)/.exec(address) ?? [];
	return `${path}/`.includes(`${end}/`) ? undefined : id;
}

/**
 * The output of a write. Many responses have no body or an empty one; following nodes need more than
 * an empty item, and an item without output would end its branch of the workflow.
 * @param known what the call says about the record, for responses that say nothing
 */
function writeOutput(
	service: NativeService,
	{ body, headers }: ServiceResponse,
	{ endpoint, path }: PreparedCall,
	known: IDataObject,
): IDataObject[] {
	const isEmpty = typeof body === 'object' && Object.keys(body ?? {}).length === 0;
	if (body !== undefined && !isEmpty)
		return [body].flat().map((entry) => entryOutput(service, entry));
	const recordId = idOfAddress(headers.location, buildPath(endpoint, path));
	return [{ success: true, ...(recordId !== undefined && { recordId }), ...known }];
}

/**
 * An operation that writes one record.
 * @param record description of the field with the record; undefined if none is sent
 */
function writeOperation(
	method: ConventionMethod,
	texts: Pick<NodeOperation, 'value' | 'name' | 'action' | 'description'>,
	record?: string,
): NodeOperation {
	const isNew = method === 'POST';
	const recordField: INodeProperties = {
		displayName: RECORD_JSON,
		name: 'recordJson',
		type: 'json',
		typeOptions: { rows: 8 },
		default: '{}',
		required: true,
		description: record,
	};
	return {
		...texts,
		calls: { anyPath: method },
		properties: [
			resourceNameField,
			...(isNew ? [] : [recordIdField]),
			...(record === undefined ? [] : [recordField]),
			queryField,
		],
		write({ parameters, service }) {
			const known = isNew ? {} : { recordId: parameters.text('recordId') };
			const deleted = method === 'DELETE' ? { deleted: true } : {};
			return {
				call: recordCall(parameters, method, !isNew),
				output: (response, call) => writeOutput(service, response, call, { ...known, ...deleted }),
			};
		},
	};
}

export const createOperation = writeOperation(
	'POST',
	{
		value: 'create',
		name: 'Create',
		action: 'Create record',
		description:
			'Create one record of any resource (POST). Running it twice creates two. For people and codes, use their own nodes, which check more.',
	},
	'The new record as a JSON object, with the field names that the service uses',
);

export const deleteOperation = writeOperation('DELETE', {
	value: 'delete',
	name: 'Delete',
	action: 'Delete record',
	description:
		'Delete one record of any resource, or suppress it where the service does not delete it. This node cannot undo it.',
});

export const patchOperation = writeOperation(
	'PATCH',
	{
		value: 'patch',
		name: 'Patch',
		action: 'Patch record',
		description:
			'Change some fields of one record and leave the others as they are (PATCH). Only some resources accept it.',
	},
	'The fields to change as a JSON object. Some resources, such as codes, take a JSON Patch instead: a list of changes, e.g. [{"op": "replace", "path": "/name", "value": "Spring appeal"}].',
);

export const updateOperation = writeOperation(
	'PUT',
	{
		value: 'update',
		name: 'Update',
		action: 'Update record',
		description:
			'Replace one record of any resource (PUT). The service may clear every field you leave out: read the record first, or use Patch.',
	},
	'The whole record as a JSON object. Fields left out may be cleared.',
);
