import { findName } from '../../../shared/importFile/fileColumns';
import type { ItemParameters } from '../../../shared/parameters/itemParameters';
import type { Problem } from '../../../shared/service/invalidInput';
import {
	adviceWithoutRecordId,
	type MappingProblem,
	mappingTypeProblems,
	requiredFirstColumn,
} from '../../../shared/service/mappingRules';
import { suggestion } from '../../../shared/service/nearestName';
import type { Vocabulary } from '../../../shared/service/vocabulary';
import { expressionPath, type ImportRows } from '../rows/importRows';
import { mapByHeaders, type MappedFields } from './headerMapping';
import {
	type ChosenMappingType,
	type FieldSource,
	type FieldSources,
	mappedFields,
	MAPPING_TYPES_LABEL,
	RECORD_ID_FIELD,
} from './importMapping';

/**
 * What the user mapped, by field, without blank fields. Reads the stored parameter unevaluated:
 * expressions are evaluated for each item later. Throws InvalidInput if columns were to be mapped by
 * their headers and none can tell who a person is.
 * @param recordIdName name of the identifier the import needs, if it needs one
 */
export async function fieldSources(
	parameters: ItemParameters,
	source: ImportRows,
	chosen: readonly ChosenMappingType[],
	recordIdName: string | undefined,
	vocabulary: Vocabulary,
): Promise<MappedFields> {
	const sources = new Map<string, FieldSource>();
	if (parameters.unevaluated('fieldMap.mappingMode') === 'autoMapInputData')
		return await mapByHeaders(parameters, source, chosen, recordIdName, vocabulary);
	for (const [id, entry] of Object.entries(parameters.unevaluated('fieldMap.value') ?? {})) {
		if (entry === null || entry === undefined || entry === '') continue;
		const text = String(entry);
		sources.set(
			id,
			text.startsWith('=')
				? { kind: 'perItem', expression: text }
				: { kind: 'static', value: text },
		);
	}
	return { sources, notes: [], leftOut: [] };
}

/** The fields filled per row, as messages name them, with their expressions. */
function perRowFields(
	recordId: string | undefined,
	chosen: readonly ChosenMappingType[],
	sources: FieldSources,
): Array<{ field: string; expression: string }> {
	const recordSource = recordId === undefined ? undefined : sources.get(RECORD_ID_FIELD);
	const mapped = [
		...(recordSource ? [{ field: `Fields → ${recordId}`, source: recordSource }] : []),
		...chosen.flatMap((mappingType) =>
			mappedFields(mappingType, sources).map(({ field, source }) => ({
				field: `Fields → ${mappingType.key} → ${field}`,
				source,
			})),
		),
	];
	return mapped.flatMap(({ field, source }) =>
		source.kind === 'perItem' ? [{ field, expression: source.expression }] : [],
	);
}

/** Fields mapped to a property that no row has, probably misspelled. */
export function missingProperties(
	recordId: string | undefined,
	chosen: readonly ChosenMappingType[],
	sources: FieldSources,
	properties: readonly string[],
	noun: 'item' | 'row',
): Problem[] {
	const missing = (name: string): string =>
		noun === 'row' ? `"${name}" is not a column of the file.` : `No item has "${name}".`;
	return perRowFields(recordId, chosen, sources).flatMap(({ field, expression }) => {
		const [property] = expressionPath(expression) ?? [];
		return property === undefined || findName(properties, property) !== undefined
			? []
			: [
					{
						field,
						text: `${missing(property)}${suggestion(property, properties)} If it may be missing, turn on the option Allow Missing Columns.`,
					},
				];
	});
}

/** Problems of the mapping by the rows and the service's descriptions, before anything is built. */
export function mappingProblems(
	resourceType: string,
	chosen: readonly ChosenMappingType[],
	sources: FieldSources,
	vocabulary: Vocabulary,
	rows: Pick<ImportRows, 'unreadable'>,
): Problem[] {
	const names = chosen.map(({ name }) => name);
	const recordId = requiredFirstColumn(resourceType, names, vocabulary);
	const problems = perRowFields(recordId, chosen, sources).flatMap(({ field, expression }) => {
		const text = rows.unreadable(expression);
		return text === undefined ? [] : [{ field, text }];
	});
	if (recordId !== undefined && sources.get(RECORD_ID_FIELD)?.kind !== 'perItem') {
		problems.push({
			field: `Fields → ${recordId}`,
			text: `is needed to tell which record each row belongs to. Map it to a column of your data${adviceWithoutRecordId(resourceType)}.`,
		});
	}
	for (const mappingType of chosen) {
		const { description, key } = mappingType;
		const filled = mappedFields(mappingType, sources).map(({ field, source }) => ({
			field,
			fixedValue: source.kind === 'static' ? source.value : undefined,
		}));
		if (!description) {
			// Unmapped, it would take the columns with the names of its fields.
			const text = `Nothing is mapped to ${key}, whose fields this key may not read. Map at least one of them, or remove the mapping type.`;
			if (filled.length === 0) problems.push({ field: 'Fields', text });
			continue;
		}
		problems.push(
			...mappingTypeProblems(description, key, resourceType, filled, vocabulary).map((problem) => ({
				field: parameterOf(problem, key),
				text: problem.text,
			})),
		);
	}
	return problems;
}

/** Where on the screen a problem with a mapping type is. */
function parameterOf(problem: MappingProblem, key: string): string {
	if (problem.about === 'mappingType') return MAPPING_TYPES_LABEL;
	if (problem.about === 'fields') return 'Fields';
	if (problem.about === 'fieldName') return `Fields → ${key}`;
	return `Fields → ${key} → ${problem.field}`;
}
