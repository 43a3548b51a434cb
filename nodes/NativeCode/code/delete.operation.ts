import { checkThenSend } from '../../shared/execution/checkThenSend';
import { asItems, type NodeOperation } from '../../shared/execution/operation';
import {
	dryRunOption,
	isDryRun,
	maxConcurrentRequestsOption,
	optionsCollection,
	timeoutOption,
} from '../../shared/parameters/callOptions';
import { endpoints } from '../../shared/service/endpoints';
import { ServiceError } from '../../shared/service/serviceErrors';
import { codeIdField, codeIdInput } from '../../shared/parameters/codeId';

/** What the general sentence of a 403 cannot know: service.md 6.2. */
const IN_USE =
	'The service also answers so for a code that is in use: one that is on records or has codes under it cannot be deleted.';

function explained(error: unknown): unknown {
	if (!(error instanceof ServiceError) || error.details.httpCode !== 403) return error;
	const { details } = error;
	return new ServiceError({ ...details, description: `${IN_USE} ${details.description}` });
}

export const deleteOperation: NodeOperation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete code',
	description: 'Delete a code that is not in use',
	properties: [
		codeIdField,
		optionsCollection([dryRunOption, timeoutOption, maxConcurrentRequestsOption]),
	],
	async runAll(run) {
		return await checkThenSend(
			run,
			async ({ functions, itemIndex }) => await Promise.resolve(codeIdInput(functions, itemIndex)),
			async ({ functions, service, itemIndex }, codeId) => {
				const values = { path: { codeId } };
				if (isDryRun(functions, itemIndex)) {
					const request = service.describe(endpoints.deleteCode, values);
					return asItems({ dryRun: true, request: { ...request } });
				}
				try {
					await service.call(endpoints.deleteCode, values);
				} catch (error) {
					return await Promise.reject(explained(error) as Error);
				}
				return asItems({ codeId, deleted: true });
			},
		);
	},
};
