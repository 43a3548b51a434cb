import { isEqual } from 'lodash';

import type { TenantStore } from '../../store/tenantStore';
import type { Vocabulary } from '../../wire/vocabulary';
import { knownMappingTypes } from './knownMappingTypes';
import {
	fieldNamed,
	type FieldValue,
	type MappingTypeDefinition,
	type MappingTypeDescription,
} from './mappingType';
import { sourceCodeValues } from './predefinedValues';

export const CREATE_OR_UPDATE_CONTACT = 'CreateOrUpdateContact';
export const CONTRIBUTION_ID_COLUMN = 'ContributionId';

/**
 * service.md 2.4, and ContributionAdjustments, which the table of 2.3 names as a resource type
 * although 2.4 does not.
 */
export const RESOURCE_TYPES = [
	'Contacts',
	'Contributions',
	'ActivistCodes',
	'ContactsActivistCodes',
	'ContributionAdjustments',
] as const;

/** The column that says which record a row is about. */
export function keyFieldOf(resourceType: string, vocabulary: Vocabulary): string {
	return resourceType === 'Contributions' || resourceType === 'ContributionAdjustments'
		? CONTRIBUTION_ID_COLUMN
		: vocabulary.personIdColumn;
}

/**
 * Whether the first column must say which record a row is about: by the table of service.md 2.3, and
 * for the activist codes of contacts, which it does not list, because a row without its person means
 * nothing; known clients put the person first in every file (service.md 2.3). An action that creates
 * or updates contacts finds its people itself, also for the mapping types next to it.
 */
export function mustBeginWithKey(resourceType: string, mappingTypeNames: string[]): boolean {
	return (
		['Contacts', 'ContactsActivistCodes', 'Contributions', 'ContributionAdjustments'].includes(
			resourceType,
		) && !mappingTypeNames.includes(CREATE_OR_UPDATE_CONTACT)
	);
}

/** What the tenant can import: every mapping type with its fields, in the words of one vocabulary. */
export class MappingTypeCatalogue {
	readonly resourceTypes = RESOURCE_TYPES;
	private built: { sourceCodes: FieldValue[]; definitions: MappingTypeDefinition[] } | undefined;

	constructor(
		private readonly store: TenantStore,
		private readonly vocabulary: Vocabulary,
	) {}

	/** Built anew after codes, and so predefined values, have changed. */
	private definitions(): MappingTypeDefinition[] {
		const sourceCodes = sourceCodeValues(this.store);
		if (!isEqual(sourceCodes, this.built?.sourceCodes))
			this.built = {
				sourceCodes,
				definitions: knownMappingTypes(this.store.setup, sourceCodes, this.vocabulary),
			};
		return this.built?.definitions ?? [];
	}

	all(): MappingTypeDescription[] {
		return this.definitions().map((definition) => definition.description);
	}

	find(name: string): MappingTypeDefinition | undefined {
		return this.definitions().find((definition) => definition.description.name === name);
	}

	/** Empty for a field without predefined values, undefined for an unknown mapping type or field. */
	fieldValues(mappingTypeName: string, fieldName: string): FieldValue[] | undefined {
		const definition = this.find(mappingTypeName);
		const field = definition && fieldNamed(definition, fieldName);
		return field && (definition.values.get(field.name) ?? []);
	}
}
