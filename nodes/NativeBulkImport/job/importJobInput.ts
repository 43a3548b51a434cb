import type { IExecuteFunctions } from 'n8n-workflow';

import { checkImportJob, type ImportJob, jsonPath } from '../../shared/service/importJob';
import { InvalidInput, refuseIfAny } from '../../shared/service/invalidInput';
import type { Vocabulary } from '../../shared/service/vocabulary';
import { fieldOnScreen } from './importJobFields';

type Entry = Record<string, unknown>;

/** The entries of a fixed collection with several values. */
function entries(collection: unknown, name: string): Entry[] {
	const list = (collection as Entry | undefined)?.[name];
	return Array.isArray(list) ? (list as Entry[]) : [];
}

/** A name typed, or chosen with a resource locator. */
function chosenName(value: unknown): unknown {
	return value !== null && typeof value === 'object' && 'value' in value ? value.value : value;
}

function filled(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}

/** Names separated by commas or line ends, or a list of names that an expression gave. */
function columnList(value: unknown): Array<{ name: unknown }> {
	const names: unknown[] = Array.isArray(value)
		? value.map((entry: unknown) =>
				entry !== null && typeof entry === 'object' && 'name' in entry ? entry.name : entry,
			)
		: String(value ?? '')
				.split(/[,\n]/)
				.map((name) => name.trim())
				// A comma at the end is a slip; one in the middle hides a column and is refused as an empty name.
				.filter((name, index, all) => name !== '' || index < all.length - 1);
	return names.map((name) => ({ name }));
}

function fieldValueMapping(entry: Entry): Entry {
	const isStatic = entry.valueFrom === 'static';
	const values = entries(entry.values, 'value').map(({ sourceValue, targetValue }) => ({
		sourceValue: String(sourceValue ?? ''),
		targetValue: String(targetValue ?? ''),
	}));
	return {
		fieldName: chosenName(entry.fieldName),
		...(isStatic && { staticValue: String(entry.staticValue ?? '') }),
		...(!isStatic && filled(entry.columnName) && { columnName: entry.columnName }),
		...(!isStatic && values.length > 0 && { values }),
	};
}

function mappingType(entry: Entry): Entry {
	const mappings = entries(entry.fieldValueMappings, 'mapping').map(fieldValueMapping);
	return {
		name: chosenName(entry.name),
		...(mappings.length > 0 && { fieldValueMappings: mappings }),
		...(filled(entry.resultFileColumnName) && { resultFileColumnName: entry.resultFileColumnName }),
	};
}

function action(entry: Entry): Entry {
	return {
		actionType: 'loadMappedFile',
		resourceType: chosenName(entry.resourceType),
		resultFileSizeKbLimit: entry.resultFileSizeKbLimit,
		mappingTypes: entries(entry.mappingTypes, 'mappingType').map(mappingType),
		...(filled(entry.columnsToIncludeInResultsFile) && {
			columnsToIncludeInResultsFile: columnList(entry.columnsToIncludeInResultsFile),
		}),
	};
}

function jobFromFields(functions: IExecuteFunctions, itemIndex: number): unknown {
	const parameter = (name: string): unknown =>
		functions.getNodeParameter(name, itemIndex, undefined);
	const listeners = entries(parameter('listeners'), 'listener').map(({ type, value }) => ({
		type,
		value,
	}));
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
		...(listeners.length > 0 && { listeners }),
	};
}

function jobFromJson(functions: IExecuteFunctions, itemIndex: number): unknown {
	const value = functions.getNodeParameter('jobJson', itemIndex, '');
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value);
	} catch (error) {
		const reason = error instanceof SyntaxError ? ` (${error.message})` : '';
		return new InvalidInput([
			{
				field: 'Job (JSON)',
				text: `is not valid JSON${reason}. Check commas, brackets and quotation marks.`,
			},
		]);
	}
}

/**
 * The job the user defined for one item, checked completely.
 * Throws InvalidInput naming every problem in the words on the screen.
 */
export function importJobInput(
	functions: IExecuteFunctions,
	itemIndex: number,
	vocabulary: Vocabulary,
): ImportJob {
	const usesJson = functions.getNodeParameter('defineJob', itemIndex, 'fields') === 'json';
	const input = usesJson ? jobFromJson(functions, itemIndex) : jobFromFields(functions, itemIndex);
	if (input instanceof InvalidInput) throw input;
	const checked = checkImportJob(input, vocabulary);
	if ('job' in checked) return checked.job;
	refuseIfAny(
		checked.problems.map(({ path, text }) => ({
			field: usesJson ? `Job (JSON), ${jsonPath(path) || 'the whole'}` : fieldOnScreen(path),
			text,
		})),
	);
	throw new InvalidInput([{ field: 'Job', text: 'could not be checked.' }]);
}
