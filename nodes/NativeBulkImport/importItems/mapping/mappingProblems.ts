import { findName } from '../../../shared/importFile/fileColumns';
import type { Problem } from '../../../shared/service/invalidInput';
import {
	adviceWithoutRecordId,
	type MappingProblem,
	mappingTypeProblems,
} from '../../../shared/service/mappingRules';
import { suggestion } from '../../../shared/service/nearestName';
import type { Vocabulary } from '../../../shared/service/vocabulary';
import { expressionPath, type ImportRows } from '../rows/importRows';
import {
	type ChosenMappingType,
	isExpression,
	type MappedFields,
	MAPPING_TYPES_LABEL,
	screenName,
} from './importMapping';

/**
 * Fields whose expressions the rows cannot give.
 * @param properties of the rows; a field mapped to another one is probably misspelled
 */
export function expressionProblems(
	{ recordId, fields }: MappedFields,
	rows: ImportRows,
	properties: readonly string[] | undefined,
): Problem[] {
	const mapped = [
		...(recordId ? [{ field: `Fields → ${recordId.name}`, expression: recordId.value }] : []),
		...fields.map((one) => ({ field: screenName(one), expression: one.value })),
	];
	const missing = (expression: string): string | undefined => {
		const [property] = expressionPath(expression) ?? [];
		if (!properties || property === undefined || findName(properties, property) !== undefined)
			return undefined;
		const what =
			rows.noun === 'row'
				? `"${property}" is not a column of the file.`
				: `No item has "${property}".`;
		return `${what}${suggestion(property, properties)} If it may be missing, turn on the option Allow Missing Columns.`;
	};
	return mapped.flatMap(({ field, expression }) => {
		if (!isExpression(expression)) return [];
		const text = rows.unreadable(expression) ?? missing(expression);
		return text === undefined ? [] : [{ field, text }];
	});
}

/** Problems of the mapping by the service's descriptions, before anything is built. */
export function mappingProblems(
	resourceType: string,
	chosen: readonly ChosenMappingType[],
	{ recordId, fields }: MappedFields,
	vocabulary: Vocabulary,
): Problem[] {
	const problems: Problem[] = [];
	if (recordId && !isExpression(recordId.value)) {
		problems.push({
			field: `Fields → ${recordId.name}`,
			text: `is needed to tell which record each row belongs to. Map it to a column of your data${adviceWithoutRecordId(resourceType)}.`,
		});
	}
	for (const mappingType of chosen) {
		const { description, key } = mappingType;
		const filled = fields
			.filter((one) => one.mappingType === mappingType)
			.map(({ field, value }) => ({ field, fixedValue: isExpression(value) ? undefined : value }));
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
function parameterOf({ path, field }: MappingProblem, key: string): string {
	if (path[0] === 'name') return MAPPING_TYPES_LABEL;
	if (field !== undefined) return `Fields → ${key} → ${field}`;
	return path.length > 1 ? `Fields → ${key}` : 'Fields';
}
