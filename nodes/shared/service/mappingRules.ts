import { z } from 'zod';

import type { BodyPath, BodyProblem } from './bodyProblem';
import { repetitions, sameName, suggestion } from './nearestName';
import { isObject } from './requestBody';
import type { Vocabulary } from './connection';

/** Descriptions of mapping types: service.md 3.1. Only the name is certain. */
const mappingFieldSchema = z
	.object({
		name: z.string(),
		description: z.string().nullish(),
		hasPredefinedValues: z.boolean().nullish(),
		isRequired: z.boolean().nullish(),
		canBeMappedToColumn: z.boolean().nullish(),
		parents: z
			.array(
				z
					.object({
						parentFieldName: z.string(),
						limitedToParentValues: z.array(z.unknown()).nullish(),
					})
					.passthrough(),
			)
			.nullish(),
	})
	.passthrough();

export const mappingTypeDescriptionSchema = z
	.object({
		name: z.string(),
		displayName: z.string().nullish(),
		allowMultipleMode: z.string().nullish(),
		resourceTypes: z.array(z.string()).nullish(),
		fields: z.array(mappingFieldSchema).nullish(),
	})
	.passthrough();

export type MappingField = z.infer<typeof mappingFieldSchema>;
export type MappingTypeDescription = z.infer<typeof mappingTypeDescriptionSchema>;

const CUSTOM_FIELDS = 'ApplyContactCustomFields';
const CUSTOM_FIELD_GROUP = 'CustomFieldGroupID';
const TURFS = 'ApplyOrganzingTurfs';

const contributionTypes = ['Contributions', 'ContributionAdjustments'];

/** The record ID that must be the first column; undefined if any column may be first. */
export function requiredFirstColumn(
	resourceType: string,
	mappingTypes: readonly string[],
	vocabulary: Vocabulary,
): string | undefined {
	const has = (name: string): boolean => mappingTypes.some((used) => sameName(used, name));
	if (contributionTypes.includes(resourceType)) {
		const adjusts = has('ContributionAdjustments') || has('EditContributionDataContacts');
		return adjusts ? 'ContributionId' : undefined;
	}
	if (resourceType === 'Contacts' && has('CreateOrUpdateContact')) return undefined;
	// The service's table omits ContactsActivistCodes, but no field there names the person.
	return ['Contacts', 'ContactsActivistCodes'].includes(resourceType)
		? vocabulary.personIdColumn
		: undefined;
}

export function adviceWithoutRecordId(resourceType: string): string {
	return resourceType === 'Contacts' ? ', or add the mapping type CreateOrUpdateContact' : '';
}

/** Whether a mapping type imports the organizing turf; a contact has only one. */
export function isTurf(mappingType: string): boolean {
	return sameName(mappingType, TURFS);
}

export function isCustomField(field: string): boolean {
	return /^CF\d+$/i.test(field);
}

export interface FilledField {
	field: string;
	/** The value of every row; undefined if a column fills the field. */
	fixedValue: string | undefined;
}

/** A problem with a use of a mapping type; its path begins below the mapping type in a job. */
interface MappingProblem extends BodyProblem {
	/** The field that it is about, whose name the text continues. */
	field?: string;
}

const FIELDS = 'fieldValueMappings';

/** Where a field is mapped; all of them if it is not. */
function placeOf(field: string, filled: readonly FilledField[]): BodyPath {
	const index = filled.findIndex((one) => sameName(one.field, field));
	return index < 0 ? [FIELDS] : [FIELDS, index];
}

/** The service's description of a field; undefined if the mapping type has no such field. */
export function describedField(
	{ fields }: MappingTypeDescription,
	field: string,
): MappingField | undefined {
	return fields?.find(({ name }) => sameName(name, field));
}

function groupParent(field: MappingField | undefined) {
	return field?.parents?.find((parent) => sameName(parent.parentFieldName, CUSTOM_FIELD_GROUP));
}

/** The group of a custom field according to its parents; undefined if they name none. */
function customFieldGroup(
	field: MappingField | undefined,
): { id: string; name: string } | undefined {
	const [value, ...more] = groupParent(field)?.limitedToParentValues ?? [];
	if (value === undefined || more.length > 0) return undefined;
	const { id, name } = isObject(value) ? value : { id: value, name: undefined };
	if (typeof id !== 'string' && typeof id !== 'number') return undefined;
	return { id: String(id), name: typeof name === 'string' ? name : String(id) };
}

/** Whether the node adds the custom field group. */
export function isGroupAdded({ name, fields }: MappingTypeDescription, field: string): boolean {
	return (
		sameName(name, CUSTOM_FIELDS) &&
		sameName(field, CUSTOM_FIELD_GROUP) &&
		(fields ?? []).some((one) => groupParent(one) !== undefined)
	);
}

/** Splits custom fields by the group to add: one mapping type accepts the fields of one group only. */
export function splitByCustomFieldGroup<Field extends { field: string }>(
	mappingType: string,
	description: MappingTypeDescription | undefined,
	fields: Field[],
): Array<{ group?: { field: string; id: string }; fields: Field[] }> {
	const isGroupMapped = fields.some(({ field }) => sameName(field, CUSTOM_FIELD_GROUP));
	if (!sameName(mappingType, CUSTOM_FIELDS) || isGroupMapped) return [{ fields }];
	const groups = new Map<string, Field[]>();
	for (const one of fields) {
		const id = customFieldGroup(description && describedField(description, one.field))?.id ?? '';
		groups.set(id, [...(groups.get(id) ?? []), one]);
	}
	return [...groups].map(([id, members]) => ({
		...(id !== '' && { group: { field: CUSTOM_FIELD_GROUP, id } }),
		fields: members,
	}));
}

/** The field with the record ID of a row. Any mapping type may map it. */
function recordIdField(resourceType: string, vocabulary: Vocabulary): string {
	return contributionTypes.includes(resourceType) ? 'ContributionId' : vocabulary.personIdColumn;
}

function isRequired({ name }: MappingTypeDescription, field: MappingField): boolean {
	// All levels of a turf are required, even if their descriptions do not say so.
	return field.isRequired === true || (isTurf(name) && isCustomField(field.name));
}

/** Custom fields may be mapped only with others of their group. */
function customFieldGroupProblems(
	description: MappingTypeDescription,
	filled: readonly FilledField[],
	nameOf: (field?: string) => string,
): MappingProblem[] {
	const mappedGroup = filled.find(({ field }) => sameName(field, CUSTOM_FIELD_GROUP));
	// Without a mapped group, the node adds it.
	if (!mappedGroup) return [];
	const members = filled.flatMap(({ field }) => {
		const group = customFieldGroup(describedField(description, field));
		return group ? [{ field, group }] : [];
	});
	// Rows may name any group, but the fields must agree.
	const expected = mappedGroup.fixedValue?.trim() || (members[0]?.group.id ?? '');
	return members
		.filter(({ group }) => !sameName(group.id, expected) && !sameName(group.name, expected))
		.map(({ field, group }) => ({
			path: placeOf(field, filled),
			field,
			text: `belongs to the custom field group ${group.id}, not to ${expected}. Correct ${nameOf(CUSTOM_FIELD_GROUP)}, or map the field in a separate mapping type: each takes the fields of one group only.`,
		}));
}

/** @param mapped in order; if empty, the columns fill the fields of the same names (service.md 2.5) */
export function mappedFieldsProblems(
	mappingType: string,
	mapped: readonly string[],
	columns: readonly string[],
): MappingProblem[] {
	const fields = mapped.length > 0 ? mapped : columns;
	const problems = repetitions(mapped).map(({ index }): MappingProblem => {
		const field = mapped[index] ?? '';
		return {
			path: [FIELDS, index, 'fieldName'],
			text: sameName(field, CUSTOM_FIELD_GROUP)
				? 'A mapping type takes the custom fields of one group only. Map the other group in a separate mapping type.'
				: `"${field}" is mapped twice in one mapping type. Keep one of them, or add the mapping type a second time.`,
		};
	});
	const add = (text: string): void => {
		problems.push({ path: [FIELDS], text });
	};
	const isCustom = sameName(mappingType, CUSTOM_FIELDS);
	if (isCustom && !fields.some((name) => sameName(name, CUSTOM_FIELD_GROUP)))
		add('Custom fields need the field "CustomFieldGroupID" with the number of their group.');
	if (fields.some(isCustomField)) return problems;
	const named = 'named CF and its number, e.g. CF123.';
	if (isCustom) add(`No custom field is mapped. Add one field per custom field, ${named}`);
	if (isTurf(mappingType)) add(`No turf level is mapped. Add one field for every level, ${named}`);
	return problems;
}

function fieldProblems(
	description: MappingTypeDescription,
	{ field, fixedValue }: FilledField,
	path: BodyPath,
	isFilled: (name: string) => boolean,
	nameOf: (field?: string) => string,
): MappingProblem[] {
	const { canBeMappedToColumn, parents } = describedField(description, field) ?? {};
	const texts: string[] = [];
	if (canBeMappedToColumn === false && fixedValue === undefined)
		texts.push(
			'takes one fixed value for the whole import. Enter it instead of a column or an expression.',
		);
	for (const { parentFieldName: name } of parents ?? []) {
		const parent = describedField(description, name);
		// A missing required field has its own message.
		if (isFilled(name) || (parent && isRequired(description, parent))) continue;
		texts.push(`can only be imported together with ${nameOf(name)}. Map that too.`);
	}
	return texts.map((text) => ({ path, field, text }));
}

export function mappingTypeProblems(
	description: MappingTypeDescription,
	nameOf: (field?: string) => string,
	resourceType: string,
	filled: readonly FilledField[],
	vocabulary: Vocabulary,
): MappingProblem[] {
	const problems: MappingProblem[] = [];
	const allowed = description.resourceTypes ?? [];
	if (allowed.length > 0 && !allowed.includes(resourceType)) {
		const text = `"${nameOf()}" is for ${allowed.join(', ')}, not for ${resourceType}. Remove it, or choose another resource type.`;
		problems.push({ path: ['name'], text });
	}
	const known = description.fields ?? [];
	// Without described fields there is nothing to check.
	if (known.length === 0) return problems;
	const recordId = recordIdField(resourceType, vocabulary);
	if (filled.every(({ field }) => sameName(field, recordId))) {
		const text =
			filled.length === 0
				? `Nothing is mapped to ${nameOf()}. Map at least one of its fields, or remove the mapping type.`
				: `Only the ID is mapped to ${nameOf()}. Map another of its fields, or remove the mapping type.`;
		return [...problems, { path: [FIELDS], text }];
	}
	const isFilled = (name: string): boolean => {
		const own = filled.find(({ field }) => sameName(field, name));
		// These have their own message if missing, or the node adds them.
		if (!own) return sameName(name, recordId) || sameName(name, CUSTOM_FIELD_GROUP);
		return own.fixedValue?.trim() !== '';
	};
	const names = known.map(({ name }) => name);
	filled.forEach((one, index) => {
		if (!describedField(description, one.field) && !sameName(one.field, recordId)) {
			const text = `The service has no field "${one.field}" there.${suggestion(one.field, names)}`;
			problems.push({ path: [FIELDS, index, 'fieldName'], text });
		}
		problems.push(...fieldProblems(description, one, [FIELDS, index], isFilled, nameOf));
	});
	problems.push(...customFieldGroupProblems(description, filled, nameOf));
	for (const field of known) {
		if (!isRequired(description, field) || isFilled(field.name)) continue;
		const text = 'is required. Map a column to it, or enter one value for all rows.';
		problems.push({ path: placeOf(field.name, filled), field: field.name, text });
	}
	return problems;
}
