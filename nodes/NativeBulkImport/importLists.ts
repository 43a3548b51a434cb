import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { callForEditor, listSearch, matching } from '../shared/execution/listSearch';
import type { MappingTypeDescription } from '../shared/service/mappingRules';
import { mappingTypes as mappingTypeList, resourceTypes } from '../shared/service/serviceLists';
import { readMappingTypes } from './mappingType/mappingTypeDescriptions';

/** Lists of the "From List" fields; if one cannot be read, "By Name" still works. */

export const searchResourceTypes = listSearch(resourceTypes);

export const searchMappingTypes = listSearch(mappingTypeList);

/** Names of all mapping types anywhere in the node's parameters. */
function chosenMappingTypes(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(chosenMappingTypes);
	if (value === null || typeof value !== 'object') return [];
	return Object.entries(value).flatMap(([key, entry]: [string, unknown]) => {
		if (key !== 'mappingType' && key !== 'mappingTypeName') return chosenMappingTypes(entry);
		const list = Array.isArray(entry) ? (entry as unknown[]) : [{ name: entry }];
		return list.flatMap((mappingType) => {
			const name: unknown =
				mappingType !== null && typeof mappingType === 'object' && 'name' in mappingType
					? mappingType.name
					: undefined;
			const text: unknown =
				name !== null && typeof name === 'object' && 'value' in name ? name.value : name;
			return typeof text === 'string' && text !== '' ? [text] : [];
		});
	});
}

async function readFieldList(
	functions: ILoadOptionsFunctions,
	filter: string | undefined,
	isWanted: (field: NonNullable<MappingTypeDescription['fields']>[number]) => boolean,
): Promise<INodeListSearchResult> {
	const chosen = new Set(chosenMappingTypes(functions.getCurrentNodeParameters()));
	const described = await callForEditor(functions, readMappingTypes);
	const mappingTypes = described.filter(({ name }) => chosen.has(name));
	const fields = mappingTypes.flatMap((mappingType) =>
		(mappingType.fields ?? []).filter(isWanted).map((field) => ({
			name: `${field.name}${field.isRequired ? ' (required)' : ''}${mappingTypes.length > 1 ? ` – ${mappingType.name}` : ''}`,
			value: field.name,
		})),
	);
	return matching(fields, filter);
}

/** The fields of the mapping types chosen in this node. */
export async function searchMappingFields(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await readFieldList(this, filter, () => true);
}

export async function searchFieldsWithValues(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await readFieldList(
		this,
		filter,
		({ hasPredefinedValues }) => hasPredefinedValues === true,
	);
}
