import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { NodeOperation } from '../shared/execution/operation';
import { entryOutput } from '../shared/operations/getMany';
import type { NativeService, ServiceResponse } from '../shared/service/nativeService';
import { queryField, recordIdField, resourceNameField } from './recordFields';
import { recordCall, type RecordCallParts } from './recordInput';

/** The last path segment of a new record's address. */
function idOfAddress(address: string | undefined): string | undefined {
	return /\/([^/?#]+)\/?(?:[?#]|$)/.exec(address ?? '')?.[1];
}

/**
 * The output of a write. Many responses have no body; following nodes need more than an empty item.
 * @param known what the call says about the record, for responses without a body
 */
function writeOutput(
	service: NativeService,
	{ body, headers }: ServiceResponse,
	known: IDataObject,
): IDataObject[] {
	if (Array.isArray(body)) return body.map((entry) => entryOutput(service, entry));
	if (body !== undefined && body !== null) return [entryOutput(service, body)];
	const recordId = idOfAddress(headers.location);
	return [{ success: true, ...(recordId !== undefined && { recordId }), ...known }];
}

/**
 * An operation that writes one record.
 * @param success output for a response without a body
 */
export function writeOperation(
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
