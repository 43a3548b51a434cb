import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { getManyOperation } from '../../shared/operations/getMany';
import { simplifyIfAsked, toolOutputFields } from '../../shared/parameters/simplify';
import { locatorField } from '../../shared/service/bodyField';
import { endpoints, prepareCall } from '../../shared/service/endpoints';
import { mappingTypeDescriptionSchema } from '../../shared/service/mappingRules';

const mappingTypeField: INodeProperties = {
	...locatorField('mappingTypeName', {
		displayName: 'Mapping Type',
		searchListMethod: 'searchMappingTypes',
		exampleName: 'CreateOrUpdateContact',
		description: 'The mapping type to read',
	}),
	required: true,
};

export const getMappingType: NodeOperation = {
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

export const getAllMappingTypes = getManyOperation({
	entries: 'mapping types',
	description: 'List the mapping types this key may use, with their fields',
	list: endpoints.listBulkImportMappingTypes,
});

export const getFieldValues = getManyOperation({
	value: 'getFieldValues',
	name: 'Get Field Values',
	action: 'Get predefined values of field',
	entries: 'field values',
	description:
		'List the values that a field of a mapping type accepts. In the file, use the ID of a value.',
	list: {
		calls: [endpoints.listBulkImportFieldValues],
		call: ({ parameters }) =>
			prepareCall(endpoints.listBulkImportFieldValues, {
				path: {
					mappingTypeName: parameters.text('mappingTypeName'),
					fieldName: parameters.text('fieldName'),
				},
			}),
	},
	fields: [
		mappingTypeField,
		{
			...locatorField('fieldName', {
				displayName: 'Field',
				searchListMethod: 'searchFieldsWithValues',
				exampleName: 'PhoneTypeID',
				description:
					'The field whose values to list. The list shows fields with predefined values only.',
			}),
			required: true,
		},
	],
});

export const getAllResourceTypes = getManyOperation({
	entries: 'resource types',
	description: 'List the resource types that can be imported with this key',
	list: endpoints.listBulkImportResources,
	holds: 'names',
});
