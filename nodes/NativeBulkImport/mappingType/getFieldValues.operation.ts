import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { collect, parameterLimit, returnAllProperties } from '../../shared/parameters/returnAll';
import { toolOutputFields, toolRecords } from '../../shared/parameters/simplify';
import { endpoints } from '../../shared/service/endpoints';
import { mappingTypeField } from './mappingTypeField';

export const getFieldValuesOperation: NodeOperation = {
	value: 'getFieldValues',
	name: 'Get Field Values',
	action: 'Get predefined values of field',
	description:
		'List the values that a field of a mapping type accepts. In the file, use the ID of a value.',
	calls: [endpoints.listBulkImportFieldValues],
	properties: [
		mappingTypeField,
		{
			displayName: 'Field',
			name: 'fieldName',
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			required: true,
			description:
				'The field whose values to list. The list shows fields with predefined values only.',
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					typeOptions: { searchListMethod: 'searchFieldsWithValues', searchable: true },
				},
				{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. PhoneTypeID' },
			],
		},
		...returnAllProperties,
		...toolOutputFields,
	],
	async run({ functions, service, itemIndex }) {
		const locatorParameter = (name: string): string =>
			functions.getNodeParameter(name, itemIndex, '', { extractValue: true }) as string;
		const path = {
			mappingTypeName: locatorParameter('mappingTypeName'),
			fieldName: locatorParameter('fieldName'),
		};
		const list = service.list(endpoints.listBulkImportFieldValues, { path });
		const found = await collect(list, parameterLimit(functions, itemIndex));
		return asItems(toolRecords(functions, itemIndex, found));
	},
};
