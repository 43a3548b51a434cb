import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { z } from 'zod';

import { connect } from '../shared/execution/connect';
import { toNodeError } from '../shared/execution/nodeErrors';
import { matching, listSearch } from '../shared/execution/searchedList';
import { collect } from '../shared/parameters/returnAll';
import { endpoints } from '../shared/service/endpoints';
import {
	type MappingTypeDescription,
	mappingTypeDescriptionSchema,
} from '../shared/service/mappingType';

/** Lists of the "From List" fields; if one cannot be read, "By Name" still works. */

/** Throws an error to show in the list. */
export async function readMappingTypes(
	functions: ILoadOptionsFunctions,
): Promise<MappingTypeDescription[]> {
	try {
		const service = await connect(functions);
		const list = service.list(endpoints.listBulkImportMappingTypes, { path: {} }, { paged: false });
		const entries = await collect(list, Number.POSITIVE_INFINITY);
		return entries.flatMap((entry) => {
			const parsed = mappingTypeDescriptionSchema.safeParse(entry);
			return parsed.success ? [parsed.data] : [];
		});
	} catch (error) {
		throw toNodeError(functions.getNode(), error, 0);
	}
}

export const searchResourceTypes = listSearch({
	endpoint: endpoints.listBulkImportResources,
	paged: false,
	shape: z.unknown(),
	choices: (name) => [{ name: String(name), value: String(name) }],
});

/** Title and name of a mapping type: elsewhere only the name is used. */
export function mappingTypeLabel({ name, displayName }: MappingTypeDescription): string {
	return displayName && displayName !== name ? `${displayName} (${name})` : name;
}

export async function searchMappingTypes(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const mappingTypes = await readMappingTypes(this);
	return matching(
		mappingTypes.map((mappingType) => ({
			name: mappingTypeLabel(mappingType),
			value: mappingType.name,
		})),
		filter,
	);
}

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
	const mappingTypes = (await readMappingTypes(functions)).filter(({ name }) => chosen.has(name));
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
