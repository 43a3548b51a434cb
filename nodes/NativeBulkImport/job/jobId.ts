import type { INodeProperties } from 'n8n-workflow';

import type { ItemParameters } from '../../shared/parameters/itemParameters';
import { InvalidInput } from '../../shared/service/invalidInput';
import { wholeId } from '../../shared/service/bodySchema';

export const jobIdField: INodeProperties = {
	displayName: 'Job ID',
	name: 'jobId',
	type: 'string',
	default: '={{ $json.jobId }}',
	required: true,
	placeholder: 'e.g. 90210',
	description: 'The number the service gave the import job when it was created',
};

/** Throws InvalidInput if the entered value is no job ID. */
export function jobIdInput(parameters: ItemParameters): number {
	const entered = parameters.text('jobId');
	const jobId = wholeId(entered);
	if (jobId !== undefined) return jobId;
	throw new InvalidInput([
		{
			field: 'Job ID',
			text:
				entered === '' || entered === 'undefined'
					? 'is empty. Enter the number of the job, or connect the node that creates it.'
					: `"${entered.slice(0, 40)}" is not a job ID. It must be a whole number.`,
		},
	]);
}
