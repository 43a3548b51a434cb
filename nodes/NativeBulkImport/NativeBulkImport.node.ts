import type {
	IExecuteFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
	NodeOutput,
} from 'n8n-workflow';

import { testConnection } from '../shared/execution/credentialTest';
import {
	callForEditor,
	type ListSearch,
	listSearch,
	matching,
} from '../shared/execution/listSearch';
import { defineResources, describeNode, resourceSubtitle } from '../shared/operations/describe';
import { entries, locatorValue } from '../shared/parameters/enteredFields';
import type { MappingField } from '../shared/service/mappingRules';
import { mappingTypes, resourceTypes } from '../shared/service/serviceLists';
import { takeBackOperation } from './before/takeBack.operation';
import { buildOperation } from './file/build.operation';
import { createFromItemsOperation, importQuestions } from './importItems/createFromItems.operation';
import { getItemOutcomesOperation } from './importItems/getItemOutcomes.operation';
import { getImportFieldNames, getImportFields, getMappingTypes } from './mappingType/importFields';
import { createOperation } from './job/create.operation';
import { getResultsOperation } from './job/getResults.operation';
import { getAllOperation, getOperation, waitOperation } from './job/read.operations';
import { readMappingTypes } from './mappingType/mappingTypeDescriptions';
import { serveWaitingLink, waitingWebhooks } from './wait/progressLink';
import { runWithWaits } from './wait/waitingNode';
import {
	getAllMappingTypes,
	getAllResourceTypes,
	getFieldValues,
	getMappingType,
} from './mappingType/read.operations';

export const resources = defineResources([
	{
		value: 'job',
		name: 'Job',
		operations: [
			// The first one is what most users look for.
			createFromItemsOperation,
			createOperation,
			getOperation,
			getAllOperation,
			getItemOutcomesOperation,
			getResultsOperation,
			takeBackOperation,
			waitOperation,
		],
	},
	{ value: 'file', name: 'File', operations: [buildOperation] },
	{
		value: 'mappingType',
		name: 'Mapping Type',
		operations: [getMappingType, getFieldValues, getAllMappingTypes],
	},
	{ value: 'resourceType', name: 'Resource Type', operations: [getAllResourceTypes] },
]);

function chosenMappingTypes(parameters: object): unknown[] {
	return Object.entries(parameters).flatMap(([key, value]: [string, unknown]) => {
		if (key === 'mappingTypeName') return locatorValue(value);
		if (key === 'mappingType')
			return entries({ value }, 'value').map(({ name }) => locatorValue(name));
		return value === null || typeof value !== 'object' ? [] : chosenMappingTypes(value);
	});
}

/** Lists the fields of the mapping types chosen in this node. */
function fieldSearch(isWanted: (field: MappingField) => boolean): ListSearch {
	return async function (filter) {
		const names = new Set(chosenMappingTypes(this.getCurrentNodeParameters() ?? {}));
		const described = await callForEditor(this, readMappingTypes);
		const chosen = described.filter(({ name }) => names.has(name));
		const choices = chosen.flatMap((mappingType) =>
			(mappingType.fields ?? []).filter(isWanted).map(({ name, isRequired }) => ({
				name: `${name}${isRequired ? ' (required)' : ''}${chosen.length > 1 ? ` – ${mappingType.name}` : ''}`,
				value: name,
			})),
		);
		return matching(choices, filter);
	};
}

export class NativeBulkImport implements INodeType {
	description: INodeTypeDescription = {
		...describeNode(resources),
		displayName: 'Native Bulk Import',
		name: 'nativeBulkImport',
		icon: { light: 'file:../../icons/native.svg', dark: 'file:../../icons/native.dark.svg' },
		subtitle: resourceSubtitle(resources),
		description:
			'Import contacts, contributions and activist codes in bulk, or start a workflow when an import ends',
		defaults: { name: 'Native Bulk Import' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Imports rows into EveryAction, NGP VAN, Votebuilder or Bonterra. For a list of people, use the resource "job" with the operation "createFromItems": it takes items or a CSV file, waits, and returns one outcome per row. Rejected rows have the status "failed". "create" starts a job from a zip file that is already hosted.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-native.nativeBulkImportTrigger',
					relationHint: 'Starts a workflow when an import job ends',
				},
				{
					nodeType: 'n8n-nodes-native.nativePeople',
					relationHint: 'Finds or creates one person at once, without a file',
				},
			],
		},
		// Whoever has the link of a result file can read it for 24 hours.
		sensitiveOutputFields: ['resultFiles[*].url'],
		credentials: [
			{
				name: 'nativeApi',
				required: true,
				testedBy: 'testConnection',
				displayOptions: { hide: { resource: ['file'] } },
			},
		],
		webhooks: waitingWebhooks,
	};

	methods = {
		credentialTest: { testConnection },
		// If a list cannot be read, "By Name" still works.
		listSearch: {
			searchResourceTypes: listSearch(resourceTypes),
			searchMappingTypes: listSearch(mappingTypes),
			searchMappingFields: fieldSearch(() => true),
			searchFieldsWithValues: fieldSearch(
				({ hasPredefinedValues }) => hasPredefinedValues === true,
			),
		},
		loadOptions: { getImportFieldNames, getMappingTypes },
		resourceMapping: { getImportFields },
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await serveWaitingLink(this, importQuestions);
	}

	async execute(this: IExecuteFunctions): Promise<NodeOutput> {
		return await runWithWaits(this, resources);
	}
}
