import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { simplifyIfAsked, toolOutputFields } from '../../shared/parameters/simplify';
import { locatorField } from '../../shared/service/bodyField';
import { endpoints } from '../../shared/service/endpoints';
import { mappingTypeDescriptionSchema } from '../../shared/service/mappingRules';

export const mappingTypeField: INodeProperties = {
	...locatorField('mappingTypeName', {
		displayName: 'Mapping Type',
		searchListMethod: 'searchMappingTypes',
		exampleName: 'CreateOrUpdateContact',
		description: 'The mapping type to read',
	}),
	required: true,
};

export const getOperation: NodeOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get mapping type',
	description: 'Read the fields of a mapping type',
	calls: [endpoints.getBulkImportMappingType],
	properties: [mappingTypeField, ...toolOutputFields],
	async run({ parameters, service }) {
		const mappingTypeName = parameters.text('mappingTypeName');
		const mappingType = await service.read(
			endpoints.getBulkImportMappingType,
			{ path: { mappingTypeName } },
			mappingTypeDescriptionSchema,
		);
		return asItems(simplifyIfAsked(parameters, mappingType as IDataObject, 'raw'));
	},
};
