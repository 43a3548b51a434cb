import type { NodeOperation } from '../../shared/execution/operation';
import { codeIdField } from '../../shared/service/code';
import { endpoints, prepareCall } from '../../shared/service/endpoints';
import type { ServiceError } from '../../shared/service/serviceErrors';

/** The service also returns 403 for a code that is in use: service.md 6.2. */
const IN_USE =
	'The service also returns 403 for a code that is in use: on records, or with codes under it.';

function addInUseHint(error: ServiceError): ServiceError {
	if (error.details.httpCode !== 403) return error;
	return error.with({ description: `${IN_USE} ${error.details.description}` });
}

export const deleteOperation: NodeOperation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete code',
	description: 'Delete a code that is not in use',
	calls: [endpoints.deleteCode],
	properties: [codeIdField],
	write({ parameters }) {
		const codeId = parameters.id('codeId');
		return {
			call: prepareCall(endpoints.deleteCode, { path: { codeId } }),
			output: () => ({ codeId, deleted: true }),
			addHint: addInUseHint,
		};
	},
};
