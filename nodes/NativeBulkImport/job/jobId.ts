import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InvalidInput } from '../../shared/service/invalidInput';

export const jobIdField: INodeProperties = {
	displayName: 'Job ID',
	name: 'jobId',
	type: 'string',
	default: '={{ $json.jobId }}',
	required: true,
	placeholder: 'e.g. 90210',
	description: 'The number the service gave the import job when it was created',
};

/** The largest number the service's addresses take: service-facts 0. */
const LARGEST_ID = 2_147_483_647;

/** The job ID entered for an item. Throws InvalidInput if it is no job ID. */
export function jobIdInput(functions: IExecuteFunctions, itemIndex: number): number {
	const entered = String(functions.getNodeParameter('jobId', itemIndex, '') ?? '').trim();
	const jobId = /^\d+$/.test(entered) ? Number(entered) : Number.NaN;
	if (jobId >= 1 && jobId <= LARGEST_ID) return jobId;
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
