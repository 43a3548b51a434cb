import type { IExecuteFunctions } from 'n8n-workflow';

import {
	locatorValue,
	parameterJson,
	type FieldValues,
	entries,
} from '../../shared/parameters/parameterValues';
import { type BodyProblem, placeInJson } from '../../shared/service/bodyProblem';
import { checkImportJob, type ImportJob } from '../../shared/service/importJob';
import { InvalidInput, type Problem, throwIfAny } from '../../shared/service/invalidInput';
import type { Vocabulary } from '../../shared/service/vocabulary';
import { fieldOnScreen } from './importJobFields';

/** Names separated by commas or line ends, or a list from an expression. */
function columnList(value: unknown): Array<{ name: unknown }> {
	const names: unknown[] = Array.isArray(value)
		? value.map((entry: unknown) =>
				entry !== null && typeof entry === 'object' && 'name' in entry ? entry.name : entry,
			)
		: String(value ?? '')
				.split(/[,\n]/)
				.map((name) => name.trim())
				// Forgive a comma at the end. One in the middle hides a column: reject it as an empty name.
				.filter((name, index, all) => name !== '' || index < all.length - 1);
	return names.map((name) => ({ name }));
}

function fieldValueMapping(entry: FieldValues): FieldValues {
	const fieldName = locatorValue(entry.fieldName);
	if (entry.valueFrom === 'static') return { fieldName, staticValue: entry.staticValue ?? '' };
	const values = entries(entry.values, 'value').map(({ sourceValue, targetValue }) => ({
		sourceValue: sourceValue ?? '',
		targetValue: targetValue ?? '',
	}));
	return { fieldName, columnName: entry.columnName, values };
}

function mappingType(entry: FieldValues): FieldValues {
	return {
		name: locatorValue(entry.name),
		fieldValueMappings: entries(entry.fieldValueMappings, 'mapping').map(fieldValueMapping),
		resultFileColumnName: entry.resultFileColumnName,
	};
}

function action(entry: FieldValues): FieldValues {
	return {
		actionType: 'loadMappedFile',
		resourceType: locatorValue(entry.resourceType),
		resultFileSizeKbLimit: entry.resultFileSizeKbLimit,
		mappingTypes: entries(entry.mappingTypes, 'mappingType').map(mappingType),
		columnsToIncludeInResultsFile: columnList(entry.columnsToIncludeInResultsFile),
	};
}

function jobFromFields(functions: IExecuteFunctions, itemIndex: number): unknown {
	const parameter = (name: string): unknown =>
		functions.getNodeParameter(name, itemIndex, undefined);
	return {
		description: parameter('description'),
		file: {
			fileName: parameter('fileName'),
			sourceUrl: parameter('sourceUrl'),
			hasHeader: parameter('hasHeader'),
			hasQuotes: parameter('hasQuotes'),
			columnDelimiter: parameter('columnDelimiter'),
			columns: columnList(parameter('columns')),
		},
		actions: entries(parameter('actions'), 'action').map(action),
		listeners: entries(parameter('listeners'), 'listener'),
	};
}

function isJson(functions: IExecuteFunctions, itemIndex: number): boolean {
	return functions.getNodeParameter('defineJob', itemIndex, 'fields') === 'json';
}

/** A problem in the words on the screen, or with its place in the entered JSON. */
export function problemOnScreen(
	functions: IExecuteFunctions,
	itemIndex: number,
	{ path, text }: BodyProblem,
): Problem {
	const field = isJson(functions, itemIndex)
		? placeInJson('Job (JSON)', path)
		: fieldOnScreen(path);
	return { field, text };
}

/** The checked job of one item. Throws InvalidInput naming every problem in the words on the screen. */
export function importJobInput(
	functions: IExecuteFunctions,
	itemIndex: number,
	vocabulary: Vocabulary,
): ImportJob {
	const input = isJson(functions, itemIndex)
		? parameterJson(functions, itemIndex, 'jobJson', 'Job (JSON)')
		: jobFromFields(functions, itemIndex);
	const checked = checkImportJob(input, vocabulary);
	if ('job' in checked) return checked.job;
	throwIfAny(checked.problems.map((problem) => problemOnScreen(functions, itemIndex, problem)));
	throw new InvalidInput([{ field: 'Job', text: 'could not be checked.' }]);
}
