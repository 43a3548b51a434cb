import type { INodeProperties } from 'n8n-workflow';

import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { getManyOperation, textFilter } from '../../shared/operations/getMany';
import { simplifyFields, simplifyIfAsked } from '../../shared/parameters/simplify';
import { codeFields, codeIdField } from '../../shared/service/code';
import { endpoints } from '../../shared/service/endpoints';
import { recordSchema } from '../../shared/service/requestBody';

/** Sections of a code returned only on request: service.md 6.1. */
const expandField: INodeProperties = {
	displayName: 'Sections to Include',
	name: 'expand',
	type: 'multiOptions',
	options: [{ name: 'Supported Entities', value: 'supportedEntities' }],
	default: ['supportedEntities'],
	description: 'Additional sections to return. Others are null.',
};

export const getOperation: NodeOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get code',
	description: 'Read a code by its ID',
	calls: [endpoints.getCode],
	properties: [codeIdField, ...simplifyFields],
	options: [expandField],
	async run({ parameters, service }) {
		const codeId = parameters.id('codeId');
		const values = {
			path: { codeId },
			query: { $expand: parameters.in('options').names('expand').join(',') },
		};
		const code = await service.read(endpoints.getCode, values, recordSchema);
		return asItems(simplifyIfAsked(parameters, code));
	},
};

const { codeType, parentCodeId } = codeFields;

export const getAllOperation = getManyOperation({
	entries: 'codes',
	description: 'List codes, all or those that match the filters',
	list: endpoints.listCodes,
	holds: 'sparseRecords',
	filters: [
		{ ...codeType.screen, name: 'codeType', description: 'Only codes of this type' },
		expandField,
		textFilter('Name', 'name', 'Spring', 'Only codes whose name contains this text'),
		{ ...parentCodeId.screen, description: 'Only codes directly under this code' },
		textFilter(
			'Supported Entities',
			'supportedEntities',
			'Events,Locations',
			'Only codes for one of these kinds of records, separated by commas',
		),
	],
	query: (filters) => ({
		name: filters.text('name'),
		parentCodeId: filters.text('parentCodeId') && filters.id('parentCodeId'),
		codeType: filters.text('codeType'),
		supportedEntities: filters.names('supportedEntities').join(','),
		$expand: filters.names('expand').join(','),
	}),
});
