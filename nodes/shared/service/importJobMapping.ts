import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod';

import {
	listField,
	locatorField,
	objectOf,
	screenFields,
	textField,
	withScreen,
} from './bodyField';
import type { BodyPath, BodyProblem } from './bodyProblem';
import { exactText, list, text } from './bodySchema';
import { mappedFieldsProblems } from './mappingRules';
import { sameName, suggestion } from './nearestName';

/** An empty value is sent too. */
const mayBeEmpty = (value: unknown): unknown => value ?? '';

const translationFields = {
	sourceValue: {
		...textField('Source Value', 'The value in the file', 'mobile', exactText),
		toBody: mayBeEmpty,
	},
	targetValue: { ...textField('Target Value', 'The value to import', 'C'), toBody: mayBeEmpty },
};

const fromColumn = { displayOptions: { show: { valueFrom: ['column'] } } };

const fieldMappingFields = {
	fieldName: {
		schema: text,
		screen: locatorField('fieldName', {
			displayName: 'Field',
			searchListMethod: 'searchMappingFields',
			exampleName: 'MailingCity',
			description: 'The field of the mapping type that gets the value',
			required: true,
		}),
	},
	columnName: withScreen(
		textField(
			'Column Name',
			'The column of the file. Leave empty if it has the name of the field.',
			'City',
		),
		fromColumn,
	),
	staticValue: {
		...withScreen(
			textField(
				'Static Value',
				'The value every row gets. For fields with predefined values enter the ID.',
			),
			{ displayOptions: { show: { valueFrom: ['static'] } } },
		),
		toBody: (value: unknown) => (value === null ? '' : value),
	},
	values: withScreen(
		listField(
			{ displayName: 'Value Translations', entry: 'Value Translation', entryName: 'value' },
			'Values in the file and what to import instead',
			translationFields,
			list(objectOf(translationFields, 'sourceValue', 'targetValue')),
		),
		fromColumn,
	),
};
const fieldValueMappingSchema = objectOf(fieldMappingFields, 'fieldName');

/** Not in the body: decides on the screen which of the fields below it are used. */
const valueFromField: INodeProperties = {
	displayName: 'Value From',
	name: 'valueFrom',
	type: 'options',
	options: [
		{ name: 'Column', value: 'column', description: 'A column of the file' },
		{ name: 'Static Value', value: 'static', description: 'The same value for every row' },
	],
	default: 'column',
	description: 'Where the value of the field comes from',
};
const [fieldNameField, ...valueFields] = screenFields(fieldMappingFields);

export const mappingTypeFields = {
	name: {
		schema: text,
		screen: locatorField('name', {
			displayName: 'Mapping Type',
			searchListMethod: 'searchMappingTypes',
			exampleName: 'CreateOrUpdateContact',
			description:
				'What this part of the import does, e.g. CreateOrUpdateContact or MailingAddress',
			required: true,
		}),
	},
	fieldValueMappings: listField(
		{ displayName: 'Field Value Mappings', entry: 'Field Value Mapping', entryName: 'mapping' },
		'Which column or value goes into which field. Leave empty if the columns of the file have the names of the fields.',
		fieldMappingFields,
		list(fieldValueMappingSchema),
		[...(fieldNameField ? [fieldNameField] : []), valueFromField, ...valueFields],
	),
	resultFileColumnName: textField(
		'Result File Column Name',
		'Name of the column with the outcome of this mapping type in the result file. Leave empty for the default name.',
		'AddressResult',
	),
};
export const mappingTypeSchema = objectOf(mappingTypeFields, 'name');

export type ImportMappingType = z.infer<typeof mappingTypeSchema>;
export type FieldValueMapping = z.infer<typeof fieldValueMappingSchema>;

function fieldMappingProblems(
	mapping: FieldValueMapping,
	path: BodyPath,
	columns: readonly string[],
): BodyProblem[] {
	const { fieldName, columnName, staticValue, values = [] } = mapping;
	const problems: BodyProblem[] = [];
	const add = (below: BodyPath, text: string): void => {
		problems.push({ path: [...path, ...below], text });
	};
	const isStatic = staticValue !== undefined;
	const isNamed = columns.some((column) => sameName(column, fieldName));
	if (columnName !== undefined && isStatic) {
		const text = `"${fieldName}" has both a column and a static value. Keep one of them.`;
		add(['staticValue'], text);
	} else if (columnName !== undefined && !columns.includes(columnName)) {
		const text = `"${columnName}" is not a column of the file.${suggestion(columnName, columns)}`;
		add(['columnName'], text);
	} else if (columnName === undefined && !isStatic && !isNamed) {
		const text = `"${fieldName}" has neither a column nor a static value, and the file has no column of that name.${suggestion(fieldName, columns)}`;
		add(['columnName'], text);
	}
	if (isStatic && values.length > 0) {
		const text = `"${fieldName}" has a static value, so there is nothing to translate. Remove the translations or map a column.`;
		add(['values'], text);
	}
	values.forEach(({ sourceValue }, index) => {
		if (values.findIndex((other) => other.sourceValue === sourceValue) === index) return;
		const text = `"${sourceValue}" is translated twice. Keep one of the translations.`;
		add(['values', index, 'sourceValue'], text);
	});
	return problems;
}

export function mappingProblems(
	mappingType: ImportMappingType,
	path: BodyPath,
	columns: readonly string[],
): BodyProblem[] {
	const mappings = mappingType.fieldValueMappings ?? [];
	const problems = mappings.flatMap((mapping, index) =>
		fieldMappingProblems(mapping, [...path, 'fieldValueMappings', index], columns),
	);
	const fields = mappings.map(({ fieldName }) => fieldName);
	const together = mappedFieldsProblems(mappingType.name, fields, columns);
	return [
		...problems,
		...together.map(({ path: below, text }) => ({ path: [...path, ...below], text })),
	];
}
