import type { MappingTypeRequest } from './jobRequestSchema';
import {
	columnIndexOf,
	knownFieldName,
	mappedFields,
	type FieldValueMappingRequest,
	type MappedField,
} from './mapping/fieldMapping';
import { fieldNamed, sameName, type MappingTypeDefinition } from './mapping/mappingType';
import { predefinedIds } from './mapping/predefinedValues';

const HINTED_VALUES = 20;

/** Where in the body, such as `['actions', 0, 'resourceType']`. */
export type Path = Array<string | number>;

/** Adds a problem to the response if there is one. */
export type RejectIf = (isWrong: boolean, path: Path, text: string, hint?: string) => void;

interface Check {
	definition: MappingTypeDefinition;
	keyField: string;
	columnNames: string[];
	path: Path;
	rejectIf: RejectIf;
}

/** Checks one mapping type of an action against the fields it has (service.md 2.5 and 2.6). */
export function checkMappingType(
	{ name, fieldValueMappings: mappings }: MappingTypeRequest,
	resourceType: string,
	check: Check,
): void {
	const { definition, keyField, columnNames, rejectIf } = check;
	const { resourceTypes } = definition.description;
	rejectIf(
		!resourceTypes.includes(resourceType),
		[...check.path, 'name'],
		`'${name}' does not apply to resource type '${resourceType}'`,
		`It applies to ${resourceTypes.join(', ')}.`,
	);
	const path = [...check.path, 'fieldValueMappings'];
	mappings?.forEach((mapping, index) =>
		checkFieldValueMapping(mapping, { ...check, path: [...path, index] }),
	);
	const fields = mappedFields(definition.description, mappings, columnNames, keyField);
	// A field that is rejected for its column is not missing as well.
	const givenNames = [...fields, ...(mappings ?? [])].map((field) => field.fieldName);
	checkRequiredFields(givenNames, { ...check, path });
	checkParents(fields, givenNames, { ...check, path });
	if (name === 'ApplyContactCustomFields') checkOneCustomFieldGroup(fields, { ...check, path });
}

function checkFieldValueMapping(mapping: FieldValueMappingRequest, check: Check): void {
	const { definition, keyField, path, rejectIf } = check;
	const { description } = definition;
	const fieldName = knownFieldName(description, keyField, mapping.fieldName);
	rejectIf(
		fieldName === undefined,
		[...path, 'fieldName'],
		`'${mapping.fieldName}' is not a field of '${description.name}'`,
		`See GET /bulkImportMappingTypes/${description.name}.`,
	);
	if (fieldName === undefined) return;
	if (mapping.staticValue === undefined) checkColumn(mapping, fieldName, check);
	else checkStaticValue(mapping.staticValue, fieldName, check);
}

function checkStaticValue(
	staticValue: string,
	fieldName: string,
	{ path, definition, rejectIf }: Check,
): void {
	const values = definition.values.get(fieldName);
	rejectIf(
		staticValue === '' && fieldNamed(definition, fieldName)?.isRequired === true,
		[...path, 'staticValue'],
		`'${fieldName}' is required and must not be blank`,
	);
	if (!values || staticValue === '') return;
	const hinted = values.slice(0, HINTED_VALUES).map((value) => value.id);
	rejectIf(
		!predefinedIds(values).has(staticValue.toLowerCase()),
		[...path, 'staticValue'],
		`'${staticValue}' is not a predefined value of '${fieldName}'`,
		`Accepted values: ${hinted.join(', ')}`,
	);
}

function checkColumn(
	{ columnName, fieldName: writtenName }: FieldValueMappingRequest,
	fieldName: string,
	{ path, definition, columnNames, rejectIf }: Check,
): void {
	if (fieldNamed(definition, fieldName)?.canBeMappedToColumn === false) {
		rejectIf(true, path, `'${fieldName}' cannot be mapped to a column`, "Give it a 'staticValue'.");
		return;
	}
	const isMissing = columnIndexOf(columnNames, columnName ?? writtenName) === -1;
	rejectIf(
		isMissing && columnName === undefined,
		path,
		`'${fieldName}' has neither 'staticValue' nor 'columnName', and no column of the file has its name`,
	);
	rejectIf(
		isMissing && columnName !== undefined,
		[...path, 'columnName'],
		`'${columnName}' is not a column of the file`,
	);
}

function checkRequiredFields(
	givenNames: string[],
	{ definition: { description }, keyField, path, rejectIf }: Check,
): void {
	// The rule for the first column has its own message.
	const requiredFields = description.fields.filter(
		(field) => field.isRequired && !sameName(field.name, keyField),
	);
	for (const { name } of requiredFields) {
		rejectIf(
			!givenNames.some((given) => sameName(given, name)),
			path,
			`'${name}' is required for '${description.name}'`,
		);
	}
	const givesNothing = givenNames.every((name) => sameName(name, keyField));
	rejectIf(
		givesNothing && requiredFields.length === 0,
		path,
		`No field of '${description.name}' is mapped`,
	);
}

function checkParents(
	fields: MappedField[],
	givenNames: string[],
	{ definition, path, rejectIf }: Check,
): void {
	for (const { fieldName } of fields) {
		for (const parent of fieldNamed(definition, fieldName)?.parents ?? []) {
			const { parentFieldName, limitedToParentValues } = parent;
			// A missing required parent has its own message.
			rejectIf(
				fieldNamed(definition, parentFieldName)?.isRequired !== true &&
					!givenNames.some((given) => sameName(given, parentFieldName)),
				path,
				`'${fieldName}' can be used only together with '${parentFieldName}'`,
			);
			const parentField = fields.find((field) => field.fieldName === parentFieldName);
			const parentId = predefinedIds(definition.values.get(parentFieldName) ?? []).get(
				parentField?.staticValue?.toLowerCase() ?? '',
			);
			rejectIf(
				parentId !== undefined &&
					limitedToParentValues !== null &&
					!limitedToParentValues.some((value) => value.id === parentId),
				path,
				`'${fieldName}' does not belong to '${parentFieldName}' ${parentId}`,
			);
		}
	}
}

/** Fields of different groups must not be mixed in one mapping type (service.md 2.6, rule 2). */
function checkOneCustomFieldGroup(
	fields: MappedField[],
	{ definition, path, rejectIf }: Check,
): void {
	const groupIds = fields
		.flatMap(({ fieldName }) => fieldNamed(definition, fieldName)?.parents ?? [])
		.flatMap(({ limitedToParentValues }) => limitedToParentValues ?? [])
		.map((value) => value.id);
	rejectIf(
		new Set(groupIds).size > 1,
		path,
		'Custom fields of different groups must not be mixed in one mapping type',
		'Add one ApplyContactCustomFields mapping type per group.',
	);
}
