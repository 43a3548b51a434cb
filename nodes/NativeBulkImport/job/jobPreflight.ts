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
	const problems = await Promise.all(
		mappings.map(async ({ fieldName, staticValue, values = [] }, index) => {
			const place = [...path, 'fieldValueMappings', index];
			const given = [
				...(staticValue === undefined
					? []
					: [{ path: [...place, 'staticValue'], value: staticValue }]),
				...values.map(({ targetValue }, position) => ({
					path: [...place, 'values', position, 'targetValue'],
					value: targetValue,
				})),
			];
			if (given.length === 0) return [];
			const accepted = await readAcceptedValues(service, description, fieldName);
			const wrong = given.filter(({ value }) => accepted?.accepts(value.trim()) === false);
			return await Promise.all(
				wrong.map(async ({ path: at, value }) => ({
					path: at,
					text: (await accepted?.describeProblem(value)) ?? '',
				})),
			);
		}),
	);
	return problems.flat();
}

/** All problems of a well-formed job by the service's descriptions of its mapping types. */
export async function preflightJob(service: NativeService, job: ImportJob): Promise<BodyProblem[]> {
	const columns = job.file.columns.map(({ name }) => name);
	const check = async (
		{ name, fieldValueMappings: mappings = [] }: ImportMappingType,
		resourceType: string,
		path: BodyPath,
	): Promise<BodyProblem[]> => {
		const { description, unknown } = await describeMappingType(service, name);
		if (unknown !== undefined) return [{ path: [...path, 'name'], text: unknown }];
		if (!description) return [];
		const filled = filledFields(mappings, description, columns);
		const problems = mappingTypeProblems(
			description,
			name,
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
	return problems.flat();
}

/** Spells mapping types as the service does: some deployments reject any other casing. */
export async function spellMappingTypes(
	service: NativeService,
	job: ImportJob,
): Promise<ImportJob> {
	const spell = async (mappingType: ImportMappingType): Promise<ImportMappingType> => {
		const { description } = await describeMappingType(service, mappingType.name);
		return { ...mappingType, name: description?.name ?? mappingType.name };
	};
	const actions = await Promise.all(
		job.actions.map(async (action) => ({
			...action,
			mappingTypes: await Promise.all(action.mappingTypes.map(spell)),
		})),
	);
	return { ...job, actions };
}
