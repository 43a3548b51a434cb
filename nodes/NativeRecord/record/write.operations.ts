import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { NodeOperation } from '../../shared/execution/operation';
import { entryOutput } from '../../shared/operations/getMany';
import type { NativeService, ServiceResponse } from '../../shared/service/nativeService';
import { queryField, recordBodyField, recordIdField, resourceNameField } from '../recordFields';
import { recordCall, type RecordCallParts } from '../recordInput';

/** The last path segment of a new record's address. */
function idOfAddress(address: string | undefined): string | undefined {
	return /\/([^/?#]+)\/?(?:[?#]|$)/.exec(address ?? '')?.[1];
}

/**
 * The output of a write. Many responses have no body or an empty one; following nodes need more than
 * an empty item, and an item without output would end its branch of the workflow.
 * @param known what the call says about the record, for responses that say nothing
 */
function writeOutput(
	service: NativeService,
	{ body, headers }: ServiceResponse,
	known: IDataObject,
): IDataObject[] {
	const isEmpty = typeof body === 'object' && Object.keys(body ?? {}).length === 0;
	if (Array.isArray(body) && !isEmpty) return body.map((entry) => entryOutput(service, entry));
	if (body !== undefined && !isEmpty) return [entryOutput(service, body)];
	const recordId = idOfAddress(headers.location);
	return [{ success: true, ...(recordId !== undefined && { recordId }), ...known }];
}

/**
 * An operation that writes one record.
 * @param success output for a response without a body
 */
function writeOperation(
	texts: Pick<NodeOperation, 'value' | 'name' | 'action' | 'description'>,
	parts: RecordCallParts,
	bodyFields: INodeProperties[],
	success: IDataObject = {},
): NodeOperation {
	return {
		...texts,
		calls: { anyPath: parts.method },
		properties: [
			resourceNameField,
			...(parts.hasRecordId ? [recordIdField] : []),
			...bodyFields,
			queryField,
		],
		write({ parameters, service }) {
			const known: IDataObject = parts.hasRecordId ? { recordId: parameters.text('recordId') } : {};
			return {
				call: recordCall(parameters, parts),
				output: (response) => writeOutput(service, response, { ...known, ...success }),
			};
		},
	};
}

export const createOperation = writeOperation(
	{
		value: 'create',
		name: 'Create',
		action: 'Create record',
		description:
			'Create one record of any resource (POST). Running it twice creates two. For people and codes, use their own nodes, which check more.',
	},
	{ method: 'POST', hasRecordId: false, body: 'document' },
	[recordBodyField('The new record as a JSON object with the field names of the service')],
);

export const deleteOperation = writeOperation(
	{
		value: 'delete',
		name: 'Delete',
		action: 'Delete record',
		description:
			'Delete one record of any resource, or suppress it where the service does not delete. This cannot be undone here.',
	},
	{ method: 'DELETE', hasRecordId: true },
	[],
	{ deleted: true },
);

export const patchOperation = writeOperation(
	{
		value: 'patch',
		name: 'Patch',
		action: 'Patch record',
		description:
			'Change some fields of one record and leave the others as they are (PATCH). Only some resources accept it.',
	},
	{ method: 'PATCH', hasRecordId: true, body: 'changes' },
	[
		recordBodyField(
			'The fields to change as a JSON object. Some resources, such as codes, take a JSON Patch instead: a list of changes, e.g. [{"op": "replace", "path": "/name", "value": "Spring appeal"}].',
		),
	],
);

export const updateOperation = writeOperation(
	{
		value: 'update',
		name: 'Update',
		action: 'Update record',
		description:
			'Replace one record of any resource (PUT). The service may clear every field you leave out: read the record first, or use Patch.',
	},
	{ method: 'PUT', hasRecordId: true, body: 'document' },
	[recordBodyField('The whole record as a JSON object. Fields left out may be cleared.')],
);
