import {
	callForEditor,
	type ListSearch,
	listSearch,
	matching,
} from '../shared/execution/listSearch';
import { entries, locatorValue } from '../shared/parameters/enteredFields';
import type { MappingTypeDescription } from '../shared/service/mappingRules';
import { mappingTypes as mappingTypeList, resourceTypes } from '../shared/service/serviceLists';
import { readMappingTypes } from './mappingType/mappingTypeDescriptions';

/** Names of all mapping types anywhere in the node's parameters. */
function chosenMappingTypes(parameters: object): unknown[] {
	return Object.entries(parameters).flatMap(([key, value]: [string, unknown]) => {
		if (key === 'mappingTypeName') return locatorValue(value);
		if (key === 'mappingType')
			return entries({ value }, 'value').map(({ name }) => locatorValue(name));
		return value === null || typeof value !== 'object' ? [] : chosenMappingTypes(value);
	});
}

/** Lists the fields of the mapping types chosen in this node. */
function fieldSearch(
	isWanted: (field: NonNullable<MappingTypeDescription['fields']>[number]) => boolean,
): ListSearch {
	return async function (filter) {
		const chosen = new Set(chosenMappingTypes(this.getCurrentNodeParameters() ?? {}));
		const described = await callForEditor(this, readMappingTypes);
		const mappingTypes = described.filter(({ name }) => chosen.has(name));
		const fields = mappingTypes.flatMap((mappingType) =>
			(mappingType.fields ?? []).filter(isWanted).map((field) => ({
				name: `${field.name}${field.isRequired ? ' (required)' : ''}${mappingTypes.length > 1 ? ` – ${mappingType.name}` : ''}`,
				value: field.name,
			})),
		);
		return matching(fields, filter);
	};
}

/** Lists of the "From List" fields; if one cannot be read, "By Name" still works. */
export const importLists = {
	searchResourceTypes: listSearch(resourceTypes),
	searchMappingTypes: listSearch(mappingTypeList),
	searchMappingFields: fieldSearch(() => true),
	searchFieldsWithValues: fieldSearch(({ hasPredefinedValues }) => hasPredefinedValues === true),
};
