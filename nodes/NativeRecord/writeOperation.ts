import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { NodeOperation } from '../shared/execution/operation';
import { queryField, recordIdField, resourceNameField } from './recordFields';
import { recordCall, type RecordCallParts } from './recordInput';
import { writeOutput } from './recordOutput';

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
