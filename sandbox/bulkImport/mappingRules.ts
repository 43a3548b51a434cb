import type { Vocabulary } from '../wire/vocabulary';
import type { ReadableMappingType } from './jobRequestSchema';
import {
	columnIndexOf,
	knownFieldName,
	mappedFields,
	type FieldValueMappingRequest,
	type MappedField,
} from './mapping/fieldMapping';
import { sameName, type MappingTypeDefinition } from './mapping/mappingType';
import {
	keyFieldOf,
	RESOURCE_TYPES,
	type MappingTypeCatalogue,
} from './mapping/mappingTypeCatalogue';
import { predefinedIds } from './mapping/predefinedValues';

const HINTED_VALUES = 20;

export interface JobRequestRules {
	catalogue: MappingTypeCatalogue;
	vocabulary: Vocabulary;
	/** Smallest accepted resultFileSizeKbLimit; 5000 in the best-known deployment (service.md 2.4). */
	minResultFileSizeKb: number;
}

/** Adds a problem to the response if there is one. */
export type RefuseIf = (isWrong: boolean, path: string, text: string, hint?: string) => void;

interface MappingTypeCheck {
	resourceType: string;
	path: string;
	columnNames: string[];
	rules: JobRequestRules;
	refuseIf: RefuseIf;
}

interface FieldCheck extends Omit<MappingTypeCheck, 'rules'> {
	definition: MappingTypeDefinition;
	keyField: string;
}

/** Checks one mapping type of an action against the fields it has (service.md 2.5 and 2.6). */
export function checkMappingType(mappingType: ReadableMappingType, check: MappingTypeCheck): void {
	const { resourceType, path, columnNames, rules, refuseIf } = check;
	const { name, fieldValueMappings: mappings } = mappingType;
	if (name === '') return;
	const definition = rules.catalogue.find(name);
	refuseIf(
		!definition,
		`${path}.name`,
		`'${name}' is not a mapping type`,
		'See GET /bulkImportMappingTypes.',
	);
	if (!definition) return;
	const { resourceTypes } = definition.description;
	refuseIf(
		RESOURCE_TYPES.includes(resourceType) && !resourceTypes.includes(resourceType),
		`${path}.name`,
		`'${name}' does not apply to resource type '${resourceType}'`,
		`It applies to ${resourceTypes.join(', ')}.`,
	);
	const keyField = keyFieldOf(resourceType, rules.vocabulary);
	const listPath = `${path}.fieldValueMappings`;
	mappings?.forEach((mapping, index) => {
		const { fieldName } = mapping;
		const mappingPath = `${listPath}[${index}]`;
		const isRepeated = mappings
			.slice(0, index)
			.some((other) => sameName(other.fieldName, fieldName));
		refuseIf(
			fieldName !== '' && isRepeated,
			`${mappingPath}.fieldName`,
			`'${fieldName}' is mapped more than once`,
		);
		checkFieldValueMapping(mapping, { ...check, path: mappingPath, definition, keyField });
	});
	if (mappings === undefined && columnNames.length === 0) return;
	const fields = mappedFields(definition.description, mappings, columnNames, keyField);
	// A field that is refused for its column is not missing as well.
	const givenNames = [...fields, ...(mappings ?? [])].map((field) => field.fieldName);
	const fieldCheck = { ...check, path: listPath, definition, keyField };
	checkRequiredFields(givenNames, fieldCheck);
	checkParents(fields, givenNames, fieldCheck);
	if (name === 'ApplyContactCustomFields') checkOneCustomFieldGroup(fields, fieldCheck);
}

function checkFieldValueMapping(mapping: FieldValueMappingRequest, check: FieldCheck): void {
	const { path, definition, keyField, refuseIf } = check;
	const { staticValue, columnName, values = [] } = mapping;
	if (mapping.fieldName === '') return;
	const { description } = definition;
	const fieldName = knownFieldName(description, keyField, mapping.fieldName);
	refuseIf(
		fieldName === undefined,
		`${path}.fieldName`,
		`'${mapping.fieldName}' is not a field of '${description.name}'`,
		`See GET /bulkImportMappingTypes/${description.name}.`,
	);
	if (fieldName === undefined) return;
	if (staticValue === undefined) {
		checkColumn(mapping, fieldName, check);
		const sourceValues = values.map((value) => value.sourceValue);
		sourceValues.forEach((sourceValue, index) =>
			refuseIf(
				sourceValues.indexOf(sourceValue) < index,
				`${path}.values[${index}].sourceValue`,
				`'${sourceValue}' is translated twice`,
			),
		);
		return;
	}
	refuseIf(columnName !== undefined, path, "'staticValue' and 'columnName' exclude each other");
	refuseIf(
		values.length > 0,
		`${path}.values`,
		"'values' translates values of the file and cannot be used with 'staticValue'",
	);
	checkStaticValue(staticValue, fieldName, check);
}

function checkStaticValue(
	staticValue: string,
	fieldName: string,
	{ path, definition, refuseIf }: FieldCheck,
): void {
	const values = definition.values.get(fieldName);
	const field = definition.description.fields.find((one) => one.name === fieldName);
	refuseIf(
		staticValue === '' && field?.isRequired === true,
		`${path}.staticValue`,
		`'${fieldName}' is required and must not be blank`,
	);
	if (!values || staticValue === '') return;
	refuseIf(
		!predefinedIds(values).has(staticValue.toLowerCase()),
		`${path}.staticValue`,
		`'${staticValue}' is not a predefined value of '${fieldName}'`,
		`Accepted values: ${values
			.slice(0, HINTED_VALUES)
			.map((value) => value.id)
			.join(', ')}`,
	);
}

function checkColumn(
	{ columnName, fieldName: writtenName }: FieldValueMappingRequest,
	fieldName: string,
	{ path, definition, columnNames, refuseIf }: FieldCheck,
): void {
	const field = definition.description.fields.find((one) => one.name === fieldName);
	if (field?.canBeMappedToColumn === false) {
		refuseIf(true, path, `'${fieldName}' cannot be mapped to a column`, "Give it a 'staticValue'.");
		return;
	}
	if (columnName === '' || columnNames.length === 0) return;
	const isMissing = columnIndexOf(columnNames, columnName ?? writtenName) === -1;
	refuseIf(
		isMissing && columnName === undefined,
		path,
		`'${fieldName}' has neither 'staticValue' nor 'columnName', and no column of the file has its name`,
	);
	refuseIf(
		isMissing && columnName !== undefined,
		`${path}.columnName`,
		`'${columnName}' is not a column of the file`,
	);
}

function checkRequiredFields(
	givenNames: string[],
	{ definition: { description }, keyField, path, refuseIf }: FieldCheck,
): void {
	// The rule for the first column has its own message.
	const requiredFields = description.fields.filter(
		(field) => field.isRequired && !sameName(field.name, keyField),
	);
	for (const { name } of requiredFields) {
		refuseIf(
			!givenNames.some((given) => sameName(given, name)),
			path,
			`'${name}' is required for '${description.name}'`,
		);
	}
	const givesNothing = givenNames.every((name) => sameName(name, keyField));
	refuseIf(
		givesNothing && requiredFields.length === 0,
		path,
		`No field of '${description.name}' is mapped`,
	);
}

function checkParents(
	fields: MappedField[],
	givenNames: string[],
	{ definition: { description, values }, path, refuseIf }: FieldCheck,
): void {
	for (const mapped of fields) {
		const parents = description.fields.find((field) => field.name === mapped.fieldName)?.parents;
		for (const { parentFieldName, limitedToParentValues } of parents ?? []) {
			const parent = fields.find((field) => field.fieldName === parentFieldName);
			const parentIsRequired = description.fields.some(
				(field) => field.name === parentFieldName && field.isRequired,
			);
			// A missing required parent has its own message.
			refuseIf(
				!parentIsRequired && !givenNames.some((given) => sameName(given, parentFieldName)),
				path,
				`'${mapped.fieldName}' can be used only together with '${parentFieldName}'`,
			);
			const parentId = predefinedIds(values.get(parentFieldName) ?? []).get(
				parent?.staticValue?.toLowerCase() ?? '',
			);
			refuseIf(
				parentId !== undefined &&
					limitedToParentValues !== null &&
					!limitedToParentValues.some((value) => value.id === parentId),
				path,
				`'${mapped.fieldName}' does not belong to '${parentFieldName}' ${parentId}`,
			);
		}
	}
}

/** Fields of different groups must not be mixed in one mapping type (service.md 2.6, rule 2). */
function checkOneCustomFieldGroup(
	fields: MappedField[],
	{ definition: { description }, path, refuseIf }: FieldCheck,
): void {
	const groupIds = fields.flatMap((mapped) => {
		const field = description.fields.find((one) => one.name === mapped.fieldName);
		return (field?.parents ?? []).flatMap((parent) =>
			(parent.limitedToParentValues ?? []).map((value) => value.id),
		);
	});
	refuseIf(
		new Set(groupIds).size > 1,
		path,
		'Custom fields of different groups must not be mixed in one mapping type',
		'Add one ApplyContactCustomFields mapping type per group.',
	);
}
