import { inheritedFields } from '../../shared/execution/importJobOutput';
import { asItems, errorsOf, type NodeOperation } from '../../shared/execution/operation';
import { endpoints } from '../../shared/service/endpoints';
import { jobIdField, jobIdInput } from './jobId';
import { endOf, waitAsChosen, WaitChoice } from './jobWait';

const waitChoice = new WaitChoice(
	{ displayName: 'Wait', name: 'wait', description: 'Where to wait for the jobs to end' },
	['memory', 'database'],
);

export const waitOperation: NodeOperation = {
	value: 'wait',
	name: 'Wait',
	action: 'Wait for import jobs to end',
	description: 'Wait until the jobs of all input items have ended',
	calls: [endpoints.getBulkImportJob],
	properties: [jobIdField],
	options: waitChoice.fields,
	async runAll(run) {
		const { functions, forEachItem } = run;
		const wait = waitChoice.read(run);
		const jobIds = await forEachItem((item) => jobIdInput(item.parameters));
		const isAnyInvalid = jobIds.some((result) => 'error' in result);
		if (isAnyInvalid && !functions.continueOnFail()) return errorsOf(jobIds);
		const valid = jobIds.flatMap((result) => ('value' in result ? [result.value] : []));
		const ended = await waitAsChosen(run, valid, wait);
		const input = functions.getInputData();
		return jobIds.map((result, itemIndex) => {
			if ('error' in result) return result;
			const end = endOf(run, result.value, ended.get(result.value));
			if ('error' in end) return end;
			const definition = inheritedFields(input[itemIndex]?.json, result.value);
			return { value: asItems({ ...definition, ...end.value }) };
		});
	},
};
