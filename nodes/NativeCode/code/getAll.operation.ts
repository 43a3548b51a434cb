import type { IDataObject } from 'n8n-workflow';

import { asItems, type NodeOperation } from '../../shared/execution/operation';
import {
	locatorValue,
	parameterId,
	type FieldValues,
	nonEmpty,
} from '../../shared/parameters/parameterValues';
import { collect, parameterLimit, returnAllProperties } from '../../shared/parameters/returnAll';
import { simplifyFields, simplifyIfAsked } from '../../shared/parameters/simplify';
import { endpoints } from '../../shared/service/endpoints';
import type { QueryValues } from '../../shared/service/nativeService';
import { codeTypeOptions, parentCodeField } from './codeFields';
import { expandField, expandInput } from './expand';

function queryOf(filters: FieldValues): QueryValues {
	const text = (value: unknown): string | undefined => {
		const entered = nonEmpty(value);
		return entered === undefined ? undefined : String(entered as string | number).trim();
	};
	const parent = locatorValue(filters.parentCodeId);
	return {
		name: text(filters.name),
		parentCodeId:
			nonEmpty(parent) === undefined ? undefined : parameterId(parent, parentCodeField.displayName),
		codeType: text(filters.codeType),
		supportedEntities: text(filters.supportedEntities),
		$expand: expandInput(filters),
	};
}

export const getAllOperation: NodeOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many codes',
	description: 'List codes, all or those that match the filters',
	calls: [endpoints.listCodes],
	properties: [
		...returnAllProperties,
		...simplifyFields,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			description: 'Which codes to list. Without filters, all of them.',
			options: [
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
		},
	],
	async run({ functions, service, itemIndex }) {
		const query = queryOf(functions.getNodeParameter('filters', itemIndex, {}) as FieldValues);
		const list = service.list(endpoints.listCodes, { path: {}, query });
		const codes = (await collect(list, parameterLimit(functions, itemIndex))) as IDataObject[];
		return asItems(codes.map((code) => simplifyIfAsked(functions, itemIndex, code)));
	},
};
