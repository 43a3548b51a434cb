/** The shapes that GET /bulkImportMappingTypes and its values endpoint return (service.md 3.1). */

export interface FieldValueReference {
	name: string;
	id: string;
}

export interface MappingTypeField {
	name: string;
	description: string;
	hasPredefinedValues: boolean;
	isRequired: boolean;
	/** False: only a static value may be given. */
	canBeMappedToColumn: boolean;
	canBeMappedByName: boolean;
	/** The field may be used only together with these fields; null when it needs no other. */
	parents: Array<{
		parentFieldName: string;
		limitedToParentValues: FieldValueReference[] | null;
	}> | null;
}

export interface MappingTypeDescription {
	name: string;
	displayName: string;
	allowMultipleMode: 'Single' | 'SinglePerType' | 'Multiple';
	resourceTypes: string[];
	fields: MappingTypeField[];
}

export interface FieldValue {
	id: string;
	name: string;
	parents: Array<{
		parentFieldName: string;
		allowedParentValues: FieldValueReference[];
	}> | null;
}

/** A mapping type as the catalogue holds it: the public description plus where its values come from. */
export interface MappingTypeDefinition {
	description: MappingTypeDescription;
	/** Predefined values by field name; fields without predefined values are absent. */
	values: Map<string, FieldValue[]>;
}

export interface FieldDefinition extends Partial<MappingTypeField> {
	name: string;
	description: string;
	values?: FieldValue[];
}

/** Field and column names match case-insensitively (service.md 3.3). */
export function sameName(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}

export function fieldNamed(
	{ description }: MappingTypeDefinition,
	name: string,
): MappingTypeField | undefined {
	return description.fields.find((field) => sameName(field.name, name));
}

export function defineMappingType(
	type: Omit<MappingTypeDescription, 'fields'>,
	fields: FieldDefinition[],
): MappingTypeDefinition {
	return {
		description: {
			...type,
			fields: fields.map((field) => ({
				name: field.name,
				description: field.description,
				hasPredefinedValues: field.values !== undefined,
				isRequired: field.isRequired ?? false,
				canBeMappedToColumn: field.canBeMappedToColumn ?? true,
				canBeMappedByName: field.canBeMappedToColumn ?? true,
				parents: field.parents ?? null,
			})),
		},
		values: new Map(
			fields.flatMap((field) => (field.values ? [[field.name, field.values] as const] : [])),
		),
	};
}

/** A parent without a restriction on its values. */
export function needs(parentFieldName: string): MappingTypeField['parents'] {
	return [{ parentFieldName, limitedToParentValues: null }];
}
