import type { ItemContext } from '../../shared/execution/operation';
import { getManyOperation } from '../../shared/operations/getMany';
import { endpoints, prepareCall } from '../../shared/service/endpoints';
import { locatorField } from '../../shared/service/bodyField';
import { mappingTypeField } from './get.operation';

function valuesCall({ parameters }: ItemContext) {
	return prepareCall(endpoints.listBulkImportFieldValues, {
		path: {
			mappingTypeName: parameters.text('mappingTypeName'),
			fieldName: parameters.text('fieldName'),
		},
	});
}

export const getFieldValuesOperation = getManyOperation({
	value: 'getFieldValues',
	name: 'Get Field Values',
	action: 'Get predefined values of field',
	entries: 'field values',
	description:
		'List the values that a field of a mapping type accepts. In the file, use the ID of a value.',
	list: { calls: [endpoints.listBulkImportFieldValues], call: valuesCall },
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
