import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod';

import {
	constantField,
	flagField,
	jsonOnly,
	listField,
	locatorField,
	objectOf,
	screenFields,
	textField,
	withScreen,
} from './bodyField';
import type { BodyPath, BodyProblem } from './bodyProblem';
import {
	coded,
	exactText,
	isEmail,
	knownName,
	list,
	matchingText,
	positiveNumber,
	text,
} from './bodySchema';
import {
	adviceWithoutRecordId,
	isTurf,
	mappedFieldsProblems,
	requiredFirstColumn,
} from './mappingRules';
import { repetitions, sameName, suggestion } from './nearestName';
import { readBody } from './requestBody';
import type { Vocabulary } from './vocabulary';

/** Resource types of service.md 2.4, and the one that only the table of first columns has (2.3). */
const resourceTypes = [
	'Contacts',
	'Contributions',
	'ActivistCodes',
	'ContactsActivistCodes',
	'ContributionAdjustments',
] as const;

/** Column delimiters of service.md 2.2, with the characters they stand for. */
export const DELIMITERS = { CSV: ',', Tab: '\t', Pipe: '|' } as const;

export type ColumnDelimiter = keyof typeof DELIMITERS;
const delimiterNames: Record<ColumnDelimiter, string> = { CSV: 'Comma', Pipe: 'Pipe', Tab: 'Tab' };

export const delimiterChoices = Object.entries(delimiterNames).map(([value, name]) => ({
	name,
	value,
}));

/** service.md 2.10. */
export const MOST_COLUMNS = 50;
export const LONGEST_DESCRIPTION = 255;

/** Whether "Import Items" numbers its rows in this column, whose name may end in a number. */
export function isItemColumn(name: string): boolean {
	return /^N8nItem\d*$/i.test(name);
}

const columnFields = {
	name: jsonOnly(
		matchingText(
			/^[A-Za-z0-9]*$/,
			'may only contain the letters A–Z and digits, no spaces, accents or signs',
		),
	),
};

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

/** Columns in one text field. */
const columnsField = (displayName: string, description: string, example: string) => ({
	...textField(displayName, description, example, list(objectOf(columnFields, 'name'))),
	fields: columnFields,
	toBody: columnList,
});

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
	fieldName: withScreen(
		{
			schema: text,
			screen: locatorField('fieldName', {
				displayName: 'Field',
				searchListMethod: 'searchMappingFields',
				exampleName: 'MailingCity',
				description: 'The field of the mapping type that gets the value',
			}),
		},
		{ required: true },
	),
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
			{
				displayName: 'Value Translations',
				entry: { displayName: 'Value Translation', name: 'value' },
				description: 'Values in the file and what to import instead',
			},
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

const mappingTypeFields = {
	name: withScreen(
		{
			schema: text,
			screen: locatorField('name', {
				displayName: 'Mapping Type',
				searchListMethod: 'searchMappingTypes',
				exampleName: 'CreateOrUpdateContact',
				description:
					'What this part of the import does, e.g. CreateOrUpdateContact or MailingAddress',
			}),
		},
		{ required: true },
	),
	fieldValueMappings: listField(
		{
			displayName: 'Field Value Mappings',
			entry: { displayName: 'Field Value Mapping', name: 'mapping' },
			description:
				'Which column or value goes into which field. Leave empty if the columns of the file have the names of the fields.',
		},
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
const mappingTypeSchema = objectOf(mappingTypeFields, 'name');

/** service.md 2.4. */
export const resourceTypeField = withScreen(
	{
		schema: knownName(resourceTypes),
		screen: locatorField('resourceType', {
			displayName: 'Resource Type',
			searchListMethod: 'searchResourceTypes',
			exampleName: 'Contacts',
			description: 'What the rows are. One file holds one resource type.',
		}),
	},
	{ default: { mode: 'list', value: 'Contacts' }, required: true },
);

const actionFields = {
	actionType: constantField('loadMappedFile', 'must be "loadMappedFile"'),
	resourceType: resourceTypeField,
	mappingTypes: listField(
		{
			displayName: 'Mapping Types',
			entry: { displayName: 'Mapping Type', name: 'mappingType' },
			description:
				'What the service does with each row. The same mapping type can be added several times.',
		},
		mappingTypeFields,
		list(mappingTypeSchema),
	),
	resultFileSizeKbLimit: {
		schema: positiveNumber,
		screen: {
			displayName: 'Result File Size Limit (KB)',
			type: 'number' as const,
			typeOptions: { minValue: 1 },
			default: 5000,
			description:
				'Largest size of one result file; more results are split into several files. Known deployments accept 5000 to 100000.',
		},
	},
	columnsToIncludeInResultsFile: columnsField(
		'Columns in Result File',
		'Columns of the file that come back with each result row, separated by commas, e.g. your own ID of the person',
		'CrmId',
	),
};
const actionSchema = objectOf(
	actionFields,
	'actionType',
	'resourceType',
	'resultFileSizeKbLimit',
	'mappingTypes',
);

export const columnDelimiter = {
	schema: coded(delimiterNames),
	screen: {
		displayName: 'Column Delimiter',
		name: 'columnDelimiter',
		type: 'options' as const,
		options: delimiterChoices,
		default: 'CSV',
		description: 'What separates the columns in the file',
	},
};

const fileFields = {
	fileName: withScreen(
		textField(
			'File Name',
			'Name of the delimited file (e.g. CSV) inside the zip file',
			'contacts.csv',
		),
		{ required: true },
	),
	sourceUrl: withScreen(
		textField(
			'Source URL',
			'Where the service finds the zip file: an https, sftp or ftps address. It may contain a user name and password; the node never shows them.',
			'https://files.example.org/contacts.zip',
		),
		{ required: true },
	),
	columns: withScreen(
		columnsField(
			'Columns',
			'Names of all columns of the file from left to right, separated by commas: letters and digits only. The service never reads the header line of the file.',
			'NativeId, FirstName, LastName, Email',
		),
		{ required: true },
	),
	columnDelimiter,
	hasHeader: flagField(
		'File Has a Header Line',
		'Whether the first line of the file holds column names, so that the service skips it',
		true,
	),
	hasQuotes: flagField(
		'Values Are in Quotation Marks',
		'Whether values may be in quotation marks. Needed when the delimiter occurs inside a value.',
		true,
	),
};
const fileSchema = objectOf(fileFields, 'fileName', 'sourceUrl', 'columns');

const listenerFields = {
	type: withScreen(textField('Type', 'How the service notifies', 'email'), { default: 'email' }),
	value: textField('Value', 'The address to notify', 'data@example.org'),
};

/** The properties of an import job: service.md 2.1 to 2.6. */
export const importJobFields = {
	description: withScreen(
		textField(
			'Description',
			'What this import is, for the people who get its notifications. At most 255 characters.',
			'Nightly sync of contacts',
		),
		{ required: true },
	),
	file: jsonOnly(fileSchema, fileFields),
	actions: withScreen(
		listField(
			{
				displayName: 'Actions',
				entry: { displayName: 'Action', name: 'action' },
				description: 'What the service does with the file',
			},
			actionFields,
			list(actionSchema),
		),
		{ default: { action: [{}] } },
	),
	listeners: listField(
		{
			displayName: 'Listeners',
			entry: { displayName: 'Listener', name: 'listener' },
			description: 'Who the service notifies about the job',
		},
		listenerFields,
		list(objectOf(listenerFields, 'type', 'value')),
	),
};

/** The request body of POST /bulkImportJobs. */
const importJobSchema = objectOf(importJobFields, 'description', 'file', 'actions');

export type ImportJob = z.infer<typeof importJobSchema>;
type ImportFile = z.infer<typeof fileSchema>;
type ImportAction = z.infer<typeof actionSchema>;
export type ImportMappingType = z.infer<typeof mappingTypeSchema>;
export type FieldValueMapping = z.infer<typeof fieldValueMappingSchema>;

function descriptionProblems(description: string): BodyProblem[] {
	const path = ['description'];
	const problems: BodyProblem[] = [];
	if (description.length > LONGEST_DESCRIPTION) {
		problems.push({
			path,
			text: `is ${description.length} characters long; the service accepts at most ${LONGEST_DESCRIPTION}. Shorten it.`,
		});
	}
	if (/[<>]|&#/.test(description)) {
		problems.push({ path, text: 'must not contain < or > or the sequence &#. Remove them.' });
	}
	return problems;
}

/**
 * Why the service could not fetch a file from a URL, to continue the field's name; undefined if it
 * could.
 */
export function sourceUrlProblem(sourceUrl: string): string | undefined {
	// Parsers accept "https:host" as a URL; not every service does.
	const isAddress = URL.canParse(sourceUrl) && /^[^:]+:\/\/[^/]/.test(sourceUrl);
	if (!isAddress)
		return 'is not an address. Enter where the service finds the zip file, e.g. https://files.example.org/import.zip.';
	// Parsers read "sftp://bob:1234#pw@host" as the host bob.
	if (/^[^:]+:\/\/[^/?#]*[/?#].*@/s.test(sourceUrl))
		return 'has an @ after a /, ? or #. If user or password contain these signs, write %2F for /, %3F for ?, %23 for # and %40 for @. Elsewhere in the address, write %40 for @.';
	const scheme = new URL(sourceUrl).protocol.replace(':', '');
	return ['sftp', 'ftps', 'https'].includes(scheme)
		? undefined
		: `begins with ${scheme}://, but the service only fetches sftp://, ftps:// and https:// addresses.`;
}

function fileProblems(file: ImportFile): BodyProblem[] {
	const problems: BodyProblem[] = [];
	const text = sourceUrlProblem(file.sourceUrl);
	if (text !== undefined) problems.push({ path: ['file', 'sourceUrl'], text });
	if (file.columns.length > MOST_COLUMNS) {
		problems.push({
			path: ['file', 'columns'],
			text: `There are ${file.columns.length} columns; the service accepts at most ${MOST_COLUMNS} per file. Leave out columns you do not map, or import in two files.`,
		});
	}
	for (const { index, first } of repetitions(file.columns.map(({ name }) => name))) {
		problems.push({
			path: ['file', 'columns', index, 'name'],
			text: `"${file.columns[index]?.name}" appears twice (columns ${first + 1} and ${index + 1}). Every column needs a name of its own.`,
		});
	}
	return problems;
}

function firstColumnProblems(
	job: ImportJob,
	action: ImportAction,
	at: number,
	vocabulary: Vocabulary,
): BodyProblem[] {
	const names = action.mappingTypes.map(({ name }) => name);
	const required = requiredFirstColumn(action.resourceType, names, vocabulary);
	const first = job.file.columns[0]?.name;
	if (required === undefined || first === undefined || sameName(first, required)) return [];
	const isMapped = action.mappingTypes.some((mappingType) =>
		mappingType.fieldValueMappings?.some(
			({ fieldName, columnName }) =>
				sameName(fieldName, required) && columnName !== undefined && sameName(columnName, first),
		),
	);
	if (isMapped) return [];
	return [
		{
			path: ['file', 'columns', 0, 'name'],
			text: `The first column must be "${required}" for ${action.resourceType} with ${names.join(', ')} (Action ${at + 1}), but it is "${first}". Put that column first, or map "${first}" to the field "${required}"${adviceWithoutRecordId(action.resourceType)}.`,
		},
	];
}

function fieldMappingProblems(
	mapping: FieldValueMapping,
	path: BodyPath,
	columns: readonly string[],
): BodyProblem[] {
	const problems: BodyProblem[] = [];
	if (mapping.columnName !== undefined && mapping.staticValue !== undefined) {
		problems.push({
			path: [...path, 'staticValue'],
			text: `"${mapping.fieldName}" has both a column and a static value. Keep one of them.`,
		});
	} else if (mapping.columnName !== undefined && !columns.includes(mapping.columnName)) {
		problems.push({
			path: [...path, 'columnName'],
			text: `"${mapping.columnName}" is not a column of the file.${suggestion(mapping.columnName, columns)}`,
		});
	} else if (
		mapping.columnName === undefined &&
		mapping.staticValue === undefined &&
		!columns.some((column) => sameName(column, mapping.fieldName))
	) {
		problems.push({
			path: [...path, 'columnName'],
			text: `"${mapping.fieldName}" has neither a column nor a static value, and the file has no column of that name.${suggestion(mapping.fieldName, columns)}`,
		});
	}
	if (mapping.staticValue !== undefined && mapping.values?.length) {
		problems.push({
			path: [...path, 'values'],
			text: `"${mapping.fieldName}" has a static value, so there is nothing to translate. Remove the translations or map a column.`,
		});
	}
	(mapping.values ?? []).forEach(({ sourceValue }, index, values) => {
		if (values.findIndex((other) => other.sourceValue === sourceValue) === index) return;
		problems.push({
			path: [...path, 'values', index, 'sourceValue'],
			text: `"${sourceValue}" is translated twice. Keep one of the translations.`,
		});
	});
	return problems;
}

function mappingTypeProblems(
	mappingType: ImportMappingType,
	path: BodyPath,
	columns: readonly string[],
): BodyProblem[] {
	const mappings = mappingType.fieldValueMappings ?? [];
	const problems = mappings.flatMap((mapping, index) =>
		fieldMappingProblems(mapping, [...path, 'fieldValueMappings', index], columns),
	);
	const listPath = [...path, 'fieldValueMappings'];
	const fields = mappings.map(({ fieldName }) => fieldName);
	return [
		...problems,
		...mappedFieldsProblems(mappingType.name, fields, columns).map(
			(problem): BodyProblem => ({
				path: problem.about === 'fieldName' ? [...listPath, problem.index, 'fieldName'] : listPath,
				text: problem.text,
			}),
		),
	];
}

function actionProblems(
	job: ImportJob,
	action: ImportAction,
	at: number,
	vocabulary: Vocabulary,
): BodyProblem[] {
	const path: BodyPath = ['actions', at];
	const columns = job.file.columns.map(({ name }) => name);
	const problems: BodyProblem[] = [];
	if (!resourceTypes.some((known) => known === action.resourceType)) {
		problems.push({
			path: [...path, 'resourceType'],
			text: `"${action.resourceType}" is not one of ${resourceTypes.join(', ')}.${suggestion(action.resourceType, resourceTypes)}`,
		});
	}
	problems.push(...firstColumnProblems(job, action, at, vocabulary));
	action.mappingTypes.forEach((mappingType, index) => {
		problems.push(...mappingTypeProblems(mappingType, [...path, 'mappingTypes', index], columns));
	});
	const labels = action.mappingTypes.map(({ resultFileColumnName }) => resultFileColumnName);
	for (const { index } of repetitions(labels)) {
		problems.push({
			path: [...path, 'mappingTypes', index, 'resultFileColumnName'],
			text: 'is used by another mapping type. Choose another name: each mapping type needs its own column.',
		});
	}
	const included = (action.columnsToIncludeInResultsFile ?? []).map(({ name }) => name);
	included.forEach((name, index) => {
		const isRepeated = included.indexOf(name) !== index;
		if (!isRepeated && columns.includes(name)) return;
		problems.push({
			path: [...path, 'columnsToIncludeInResultsFile', index, 'name'],
			text: isRepeated
				? `"${name}" is named twice. Name each column once.`
				: `"${name}" is not a column of the file.${suggestion(name, columns)}`,
		});
	});
	return problems;
}

interface PlacedMappingType {
	mappingType: ImportMappingType;
	path: BodyPath;
}

/**
 * Rejects a label that is also an included column: later steps could not tell the outcome from the
 * row's value.
 */
function labelProblems(job: ImportJob, mappingTypes: PlacedMappingType[]): BodyProblem[] {
	const included = job.actions.flatMap(({ columnsToIncludeInResultsFile = [] }) =>
		columnsToIncludeInResultsFile.map(({ name }) => name),
	);
	return mappingTypes.flatMap(({ mappingType: { resultFileColumnName: label }, path }) => {
		const problemsOf = (text: string): BodyProblem[] => [
			{ path: [...path, 'resultFileColumnName'], text: `"${label}" ${text}` },
		];
		if (label === undefined) return [];
		if (isItemColumn(label)) {
			return problemsOf(
				'is the name of the column that "Import Items" adds to its files. Choose another name.',
			);
		}
		if (!included.some((name) => sameName(name, label))) return [];
		return problemsOf(
			'is also one of the columns to include in the results file. Choose another name.',
		);
	});
}

/** service.md 2.9 names the type `email`; the words for webhooks differ between deployments. */
function listenerProblems({ listeners = [] }: ImportJob): BodyProblem[] {
	return listeners.flatMap(({ type, value }, index) =>
		sameName(type, 'email') && !isEmail(value)
			? [
					{
						path: ['listeners', index, 'value'],
						text: `"${value}" is not an email address. Enter one, such as data@example.org, or another type.`,
					},
				]
			: [],
	);
}

/** Rule 3 of service.md 2.6: all actions of a job import the same contacts. */
function turfProblems(mappingTypes: PlacedMappingType[]): BodyProblem[] {
	return mappingTypes
		.filter(({ mappingType: { name } }) => isTurf(name))
		.slice(1)
		.map(({ path }) => ({
			path: [...path, 'name'],
			text: 'ApplyOrganzingTurfs can be used only once in a job: a contact has one organizing turf. Map all its levels in one mapping type.',
		}));
}

/** All problems of a well-formed job by the rules of service.md 2.1 to 2.6. */
function importJobProblems(job: ImportJob, vocabulary: Vocabulary): BodyProblem[] {
	const [first] = job.actions;
	const otherTypes = job.actions.flatMap(({ resourceType }, index) =>
		first === undefined || resourceType === first.resourceType
			? []
			: [
					{
						path: ['actions', index, 'resourceType'],
						text: `is ${resourceType}, but Action 1 has ${first.resourceType}. One file holds one resource type: import the others with a job of their own.`,
					},
				],
	);
	const mappingTypes = job.actions.flatMap((action, at) =>
		action.mappingTypes.map((mappingType, index) => ({
			mappingType,
			path: ['actions', at, 'mappingTypes', index],
		})),
	);
	return [
		...descriptionProblems(job.description),
		...fileProblems(job.file),
		...otherTypes,
		...job.actions.flatMap((action, index) => actionProblems(job, action, index, vocabulary)),
		...labelProblems(job, mappingTypes),
		...turfProblems(mappingTypes),
		...listenerProblems(job),
	];
}

/** All columns share one field on the screen, so the problem says which column. */
function withColumnNumber(problem: BodyProblem): BodyProblem {
	const [list, index] = problem.path.slice(-3);
	const isOfColumn =
		list === 'columns' && typeof index === 'number' && / (empty|missing)\.$/.test(problem.text);
	return isOfColumn
		? { ...problem, text: `Column ${index + 1} has no name. Enter it, or remove a comma.` }
		: problem;
}

/**
 * Checks a job.
 * @returns the body to send, or all its problems
 */
export function checkImportJob(
	input: unknown,
	vocabulary: Vocabulary,
): { job: ImportJob } | { problems: BodyProblem[] } {
	const mayBeBlank = ['staticValue', 'sourceValue', 'targetValue'];
	const read = readBody(input, { schema: importJobSchema, fields: importJobFields, mayBeBlank });
	if ('problems' in read) return { problems: read.problems.map(withColumnNumber) };
	const problems = importJobProblems(read.body, vocabulary);
	return problems.length > 0 ? { problems } : { job: read.body };
}
