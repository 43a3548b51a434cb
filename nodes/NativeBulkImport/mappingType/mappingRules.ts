import {
	CUSTOM_FIELD_GROUP,
	type MappingField,
	type MappingTypeDescription,
	TURFS,
} from '../../shared/service/mappingType';
import { sameName, suggestion } from '../../shared/service/nearestName';
import type { Vocabulary } from '../../shared/service/vocabulary';

/** A field that an import fills. */
export interface FilledField {
	field: string;
	/** The value that every row gets; undefined if a column fills the field. */
	fixedValue: string | undefined;
}

/** What speaks against a use of a mapping type, by the service's description. */
export type MappingProblem =
	/** The mapping type itself. */
	| { about: 'mappingType'; text: string }
	/** The fields of the mapping type as a whole. */
	| { about: 'fields'; text: string }
	/** The name of a field that the mapping type does not have. */
	| { about: 'fieldName'; field: string; text: string }
	/** A field; the text continues its name. */
	| { about: 'field'; field: string; text: string };

/** What the service says of a field; undefined if the mapping type has no such field. */
export function describedField(
	{ fields }: MappingTypeDescription,
	field: string,
): MappingField | undefined {
	return fields?.find(({ name }) => sameName(name, field));
}

/** The custom field group a custom field belongs to, as its parents say; undefined if they do not. */
export function customFieldGroup(
	field: MappingField | undefined,
): { id: string; name: string } | undefined {
	const parent = field?.parents?.find(({ parentFieldName }) =>
		sameName(parentFieldName, CUSTOM_FIELD_GROUP),
	);
	const [value, ...more] = parent?.limitedToParentValues ?? [];
	if (value === undefined || more.length > 0) return undefined;
	const isObject = value !== null && typeof value === 'object';
	const id: unknown = isObject && 'id' in value ? value.id : value;
	if (typeof id !== 'string' && typeof id !== 'number') return undefined;
	const name = isObject && 'name' in value && typeof value.name === 'string' ? value.name : id;
	return { id: String(id), name: String(name) };
}

/** The field that says which record a row is about. Any mapping type may have it mapped: interface.md 2.3. */
function recordIdField(resourceType: string, vocabulary: Vocabulary): string {
	return resourceType === 'Contributions' || resourceType === 'ContributionAdjustments'
		? 'ContributionId'
		: vocabulary.personIdColumn;
}

function isRequired({ name }: MappingTypeDescription, field: MappingField): boolean {
	// All levels of a turf must be given, whatever their descriptions say: rule 3 of interface.md 2.6.
	return field.isRequired === true || (sameName(name, TURFS) && /^CF\d+$/i.test(field.name));
}

/** Custom fields may be mapped together only with those of their own group: rule 2 of interface.md 2.6. */
function customFieldGroupProblems(
	description: MappingTypeDescription,
	filled: readonly FilledField[],
): MappingProblem[] {
	const mappedGroup = filled.find(({ field }) => sameName(field, CUSTOM_FIELD_GROUP));
	// Where no group is mapped, the node adds that of the fields.
	if (!mappedGroup) return [];
	const members = filled.flatMap(({ field }) => {
		const group = customFieldGroup(describedField(description, field));
		return group ? [{ field, group }] : [];
	});
	// The rows may name any group; then at least the fields must agree.
	const expected = mappedGroup.fixedValue?.trim() || (members[0]?.group.id ?? '');
	return members
		.filter(({ group }) => !sameName(group.id, expected) && !sameName(group.name, expected))
		.map(({ field, group }) => ({
			about: 'field',
			field,
			text: `belongs to the custom field group ${group.id}, not to ${expected}. Correct ${CUSTOM_FIELD_GROUP}, or map the field in a mapping type of its own: each takes the fields of one group only.`,
		}));
}

function parentProblems(
	description: MappingTypeDescription,
	{ field }: FilledField,
	isFilled: (name: string) => boolean,
): MappingProblem[] {
	return (describedField(description, field)?.parents ?? []).flatMap(({ parentFieldName }) => {
		const parent = describedField(description, parentFieldName);
		// A required field that is missing is told of by itself.
		const isTold = parent !== undefined && isRequired(description, parent);
		return isTold || isFilled(parentFieldName)
			? []
			: [
					{
						about: 'field',
						field,
						text: `can only be imported together with ${parentFieldName}. Map that too.`,
					},
				];
	});
}

/**
 * Everything that speaks against a use of a mapping type, values aside.
 * @param label what messages call the mapping type
 */
export function mappingTypeProblems(
	description: MappingTypeDescription,
	label: string,
	resourceType: string,
	filled: readonly FilledField[],
	vocabulary: Vocabulary,
): MappingProblem[] {
	const problems: MappingProblem[] = [];
	const allowed = description.resourceTypes ?? [];
	if (allowed.length > 0 && !allowed.includes(resourceType)) {
		problems.push({
			about: 'mappingType',
			text: `"${label}" is for ${allowed.join(', ')}, not for ${resourceType}. Remove it, or choose another Resource Type.`,
		});
	}
	const known = description.fields ?? [];
	// Of fields that are not described nothing can be said.
	if (known.length === 0) return problems;
	const recordId = recordIdField(resourceType, vocabulary);
	if (filled.every(({ field }) => sameName(field, recordId))) {
		problems.push({
			about: 'fields',
			text:
				filled.length === 0
					? `Nothing is mapped to ${label}. Map at least one of its fields, or remove the mapping type.`
					: `Only the ID is mapped to ${label}. Map another of its fields, or remove the mapping type.`,
		});
		return problems;
	}
	const isFilled = (name: string): boolean => {
		const own = filled.find(({ field }) => sameName(field, name));
		// What is missing of these has its own message, or is added by the node.
		if (!own) return sameName(name, recordId) || sameName(name, CUSTOM_FIELD_GROUP);
		return own.fixedValue?.trim() !== '';
	};
	for (const one of filled) {
		const { field, fixedValue } = one;
		const described = describedField(description, field);
		if (!described && !sameName(field, recordId)) {
			problems.push({
				about: 'fieldName',
				field,
				text: `The service has no field "${field}" there.${suggestion(
					field,
					known.map(({ name }) => name),
				)}`,
			});
		}
		if (described?.canBeMappedToColumn === false && fixedValue === undefined) {
			problems.push({
				about: 'field',
				field,
				text: 'takes one fixed value for the whole import. Enter that value in place of a column or an expression.',
			});
		}
		problems.push(...parentProblems(description, one, isFilled));
	}
	problems.push(...customFieldGroupProblems(description, filled));
	for (const field of known) {
		if (isRequired(description, field) && !isFilled(field.name)) {
			problems.push({
				about: 'field',
				field: field.name,
				text: 'is required. Map a column to it, or enter one value for all rows.',
			});
		}
	}
	return problems;
}
