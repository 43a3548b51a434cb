import { filterText, getManyOperation } from '../../shared/operations/getMany';
import { parameterId } from '../../shared/parameters/parameterValues';
import { endpoints } from '../../shared/service/endpoints';
import { codeTypeOptions, parentCodeField } from './codeFields';
import { expandField, expandInput } from './expand';

export const getAllOperation = getManyOperation({
	entries: 'codes',
	description: 'List codes, all or those that match the filters',
	list: endpoints.listCodes,
	holds: 'sparseRecords',
	filters: [
		{
			displayName: 'Code Type',
			name: 'codeType',
			type: 'options',
			options: codeTypeOptions,
			default: 'SourceCode',
			description: 'Only codes of this type',
		},
		expandField,
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. Spring',
			description: 'Only codes whose name contains this text',
		},
		{ ...parentCodeField, description: 'Only codes directly under this code' },
		{
			displayName: 'Supported Entities',
			name: 'supportedEntities',
			type: 'string',
			default: '',
			placeholder: 'e.g. Events,Locations',
			description: 'Only codes for one of these kinds of records, separated by commas',
		},
	],
	query: ({ name, parentCodeId, codeType, supportedEntities, ...filters }) => ({
		name: filterText(name),
		parentCodeId:
			filterText(parentCodeId) === undefined
				? undefined
				: parameterId(parentCodeId, parentCodeField.displayName),
		codeType: filterText(codeType),
		supportedEntities: filterText(supportedEntities),
		$expand: expandInput(filters),
	}),
});
