import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { testConnection } from '../shared/execution/credentialTest';
import { toNodeError } from '../shared/execution/nodeErrors';
import { endpoints } from '../shared/service/endpoints';
import { pollJobs } from './pollJobs';
import { watchProperties } from './watchFields';

export const calls = [endpoints.getBulkImportJob, endpoints.listBulkImportJobs];

export class NativeBulkImportTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Native Bulk Import Trigger',
		name: 'nativeBulkImportTrigger',
		icon: { light: 'file:../../icons/native.svg', dark: 'file:../../icons/native.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["watch"] === "all" ? "All Jobs" : "Specific Jobs" }}',
		// n8n's list of nodes shows this for the node and its trigger together.
		description:
			'Import rows or a CSV file with one outcome per row, or start the workflow when an import job ends or changes its status',
		defaults: { name: 'Native Bulk Import Trigger' },
		polling: true,
		builderHint: {
			searchHint:
				'Polls for import jobs that ended or changed their status, including those that other tools started. To wait for an import in the same workflow, use "createFromItems" of Native Bulk Import instead, which waits for it.',
		},
		// Whoever has the link of a result file can read it for 24 hours.
		sensitiveOutputFields: ['resultFiles[*].url'],
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'nativeApi', required: true, testedBy: 'testConnection' }],
		properties: watchProperties,
	};

	methods = { credentialTest: { testConnection } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		try {
			const items = await pollJobs(this);
			return items.length > 0 ? [items] : null;
		} catch (error) {
			throw toNodeError(this.getNode(), error, 0);
		}
	}
}
