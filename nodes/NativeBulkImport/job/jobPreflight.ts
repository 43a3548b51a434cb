import type { BodyPath, BodyProblem } from '../../shared/service/bodyProblem';
import type { FieldValueMapping, ImportMappingType } from '../../shared/service/importJobMapping';
import type { ImportJob } from '../../shared/service/importJob';
import {
	type FilledField,
	type MappingTypeDescription,
	mappingTypeProblems,
} from '../../shared/service/mappingRules';
import type { NativeService } from '../../shared/service/nativeService';
import { sameName } from '../../shared/service/nearestName';
import { describeMappingType, readAcceptedValues } from '../mappingType/mappingTypeDescriptions';

/** Without mappings, columns fill the fields of the same names: service.md 2.5. */
function filledFields(
	mappings: readonly FieldValueMapping[],
	{ fields }: MappingTypeDescription,
	columns: readonly string[],
): FilledField[] {
	if (mappings.length > 0) {
		return mappings.map(({ fieldName, staticValue }) => ({
			field: fieldName,
			fixedValue: staticValue,
		}));
	}
	return (fields ?? [])
		.filter(({ name }) => columns.some((column) => sameName(column, name)))
		.map(({ name }) => ({ field: name, fixedValue: undefined }));
}

/** Static values and translations that the service does not accept. */
async function valueProblems(
	service: NativeService,
	mappings: readonly FieldValueMapping[],
	description: MappingTypeDescription,
	path: BodyPath,
): Promise<BodyProblem[]> {
	const check = async (field: string, value: string, ...at: BodyPath): Promise<BodyProblem[]> => {
		const accepted = await readAcceptedValues(service, description, field);
		if (!accepted || accepted.accepts(value.trim())) return [];
		const place = [...path, 'fieldValueMappings', ...at];
		return [{ path: place, text: await accepted.describeProblem(value) }];
	};
	const problems = await Promise.all(
		mappings.flatMap(({ fieldName, staticValue, values = [] }, index) => [
			...(staticValue === undefined ? [] : [check(fieldName, staticValue, index, 'staticValue')]),
			...values.map(
				async ({ targetValue }, position) =>
					await check(fieldName, targetValue, index, 'values', position, 'targetValue'),
			),
		]),
	);
	return problems.flat();
}

/**
 * All problems of a well-formed job by the service's descriptions of its mapping types, and the job with
 * their names as the service spells them: some deployments reject any other casing.
 */
export async function preflightJob(
	service: NativeService,
	job: ImportJob,
): Promise<{ problems: BodyProblem[]; job: ImportJob }> {
	const columns = job.file.columns.map(({ name }) => name);
	const spellings = new Map<string, string>();
	const check = async (
		{ name, fieldValueMappings: mappings = [] }: ImportMappingType,
		resourceType: string,
		path: BodyPath,
	): Promise<BodyProblem[]> => {
		const { description, unknown } = await describeMappingType(service, name);
		if (unknown !== undefined) return [{ path: [...path, 'name'], text: unknown }];
		if (!description) return [];
		spellings.set(name, description.name);
		const filled = filledFields(mappings, description, columns);
		const problems = mappingTypeProblems(
			description,
			(field = name) => field,
			resourceType,
			filled,
			service.vocabulary,
		);
		return [
			...problems.map(({ path: below, field, text }) => ({
				// Columns that fill fields of their names are in no mapping.
				path: [...path, ...(mappings.length > 0 ? below : below.slice(0, 1))],
				text: field === undefined ? text : `"${field}" ${text}`,
			})),
			...(await valueProblems(service, mappings, description, path)),
		];
	};
	const problems = await Promise.all(
		job.actions.flatMap(({ resourceType, mappingTypes: used }, action) =>
			used.map(
				async (mappingType, index) =>
					await check(mappingType, resourceType, ['actions', action, 'mappingTypes', index]),
			),
		),
	);
	const actions = job.actions.map((action) => ({
		...action,
		mappingTypes: action.mappingTypes.map((used) => ({
			...used,
			name: spellings.get(used.name) ?? used.name,
		})),
	}));
	return { problems: problems.flat(), job: { ...job, actions } };
}
