import type { ItemContext } from '../../shared/execution/operation';
import type { ItemParameters } from '../../shared/parameters/itemParameters';
import { locatorValue, type FieldValues, entries } from '../../shared/parameters/parameterValues';
import { type BodyProblem, placeInJson } from '../../shared/service/bodyProblem';
import { checkImportJob, type ImportJob } from '../../shared/service/importJob';
import { InvalidInput, type Problem, throwIfAny } from '../../shared/service/invalidInput';
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

function jobFromFields(parameters: ItemParameters): unknown {
	return {
		description: parameters.value('description'),
		file: {
			fileName: parameters.value('fileName'),
			sourceUrl: parameters.value('sourceUrl'),
			hasHeader: parameters.value('hasHeader'),
			hasQuotes: parameters.value('hasQuotes'),
			columnDelimiter: parameters.value('columnDelimiter'),
			columns: columnList(parameters.value('columns')),
		},
		actions: parameters.entries('actions', 'action').map(action),
		listeners: parameters.entries('listeners', 'listener'),
	};
}

function isJson(parameters: ItemParameters): boolean {
	return parameters.choice('defineJob', ['fields', 'json']) === 'json';
}

/** A problem in the words on the screen, or with its place in the entered JSON. */
export function problemOnScreen({ parameters }: ItemContext, { path, text }: BodyProblem): Problem {
	const field = isJson(parameters) ? placeInJson('Job (JSON)', path) : fieldOnScreen(path);
	return { field, text };
}

/** The checked job of one item. Throws InvalidInput naming every problem in the words on the screen. */
export function importJobInput(item: ItemContext): ImportJob {
	const { parameters } = item;
	const input = isJson(parameters) ? parameters.json('jobJson') : jobFromFields(parameters);
	const checked = checkImportJob(input, item.service.vocabulary);
	if ('job' in checked) return checked.job;
	throwIfAny(checked.problems.map((problem) => problemOnScreen(item, problem)));
	throw new InvalidInput([{ field: 'Job', text: 'could not be checked.' }]);
}
