import { getManyOperation, textFilter } from '../../shared/operations/getMany';
import { endpoints } from '../../shared/service/endpoints';
import { codeFields } from '../../shared/service/code';
import { expandField } from './get.operation';

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
