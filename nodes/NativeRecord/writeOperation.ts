import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { checkThenSend } from '../shared/execution/checkThenSend';
import { asItems, type NodeOperation } from '../shared/execution/operation';
import {
	dryRunOption,
	isDryRun,
	maxConcurrentRequestsOption,
	optionsCollection,
	replayUnknownOutcomeOption,
	timeoutOption,
} from '../shared/parameters/callOptions';
import { queryField, recordIdField, resourceNameField } from './recordFields';
import { recordCall, type RecordCallParts } from './recordInput';
import { writtenOutput } from './recordOutput';

/**
 * An operation that writes one record.
 * @param success what is put out for an answer without a body
 */
export function writeOperation(
	texts: Pick<NodeOperation, 'value' | 'name' | 'action' | 'description'>,
	parts: RecordCallParts,
	bodyFields: INodeProperties[],
	success: IDataObject = {},
): NodeOperation {
	return {
		...texts,
		properties: [
			resourceNameField,
			...(parts.hasRecordId ? [recordIdField] : []),
			...bodyFields,
			queryField,
			optionsCollection([
				dryRunOption,
				timeoutOption,
				replayUnknownOutcomeOption,
				maxConcurrentRequestsOption,
			]),
		],
		async runAll(run) {
			return await checkThenSend(
				run,
				async ({ functions, itemIndex }) =>
					await Promise.resolve(recordCall(functions, itemIndex, parts)),
				async ({ functions, service, itemIndex }, { endpoint, values }) => {
					if (isDryRun(functions, itemIndex)) {
						const request = service.describe(endpoint, values);
						return asItems({ dryRun: true, request: { ...request } });
					}
					const answer = await service.call(endpoint, values);
					const known: IDataObject = parts.hasRecordId
						? { recordId: String(functions.getNodeParameter('recordId', itemIndex)) }
						: {};
					return asItems(writtenOutput(service, answer, { ...known, ...success }));
				},
			);
		},
	};
}
