import type { z } from 'zod';

import { listField, locatorField, objectOf, textField, withScreen } from './bodyField';
import type { BodyPath, BodyProblem } from './bodyProblem';
import { isEmail, knownName, list, oneOf, positiveNumber } from './bodySchema';
import { columnsField, fileFields, fileProblems, fileSchema, isItemColumn } from './importJobFile';
import {
	type ImportMappingType,
	mappingTypeFields,
	mappingProblems,
	mappingTypeSchema,
} from './importJobMapping';
import { adviceWithoutRecordId, isTurf, requiredFirstColumn } from './mappingRules';
import { repetitions, sameName, suggestion } from './nearestName';
import type { BodyKind } from './requestBody';
import type { Vocabulary } from './connection';

/** Resource types of service.md 2.4, and one of 2.3. */
const resourceTypes = [
	'Contacts',
	'Contributions',
	'ActivistCodes',
	'ContactsActivistCodes',
	'ContributionAdjustments',
] as const;

/** service.md 2.10. */
export const LONGEST_DESCRIPTION = 255;

/** service.md 2.4. */
export const resourceTypeField = {
	schema: knownName(resourceTypes),
	screen: locatorField('resourceType', {
		displayName: 'Resource Type',
		searchListMethod: 'searchResourceTypes',
		exampleName: 'Contacts',
		description: 'The kind of record in the rows. One file holds one kind.',
		default: { mode: 'list', value: 'Contacts' },
		required: true,
	}),
};

const actionFields = {
	actionType: {
		schema: oneOf(['loadMappedFile'], 'must be "loadMappedFile"'),
		constant: 'loadMappedFile',
	},
	resourceType: resourceTypeField,
	mappingTypes: listField(
		{ displayName: 'Mapping Types', entry: 'Mapping Type', entryName: 'mappingType' },
		'What the service does with each row. The same mapping type can be added several times.',
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
				'Maximum size of one result file; more results are split into several files. Known deployments accept 5000 to 100000.',
		},
	},
	columnsToIncludeInResultsFile: columnsField(
		'Columns in Result File',
		'Columns of the file to return with each result row, separated by commas, e.g. your own ID of the person',
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

const listenerFields = {
	type: withScreen(textField('Type', 'How the service notifies', 'email'), { default: 'email' }),
	value: textField('Value', 'The address to notify', 'data@example.org'),
};

/** service.md 2.1 to 2.6. */
export const importJobFields = {
	description: withScreen(
		textField(
			'Description',
			'A name for this import. It appears in notifications. At most 255 characters.',
			'Nightly sync of contacts',
		),
		{ required: true },
	),
	file: { schema: fileSchema, fields: fileFields },
	actions: withScreen(
		listField(
			{ displayName: 'Actions', entry: 'Action', entryName: 'action' },
			'What the service does with the file',
			actionFields,
			list(actionSchema),
		),
		{ default: { action: [{}] } },
	),
	listeners: listField(
		{ displayName: 'Listeners', entry: 'Listener', entryName: 'listener' },
		'Who the service notifies about the job',
		listenerFields,
		list(objectOf(listenerFields, 'type', 'value')),
	),
};

export const importJobForm = { label: 'Job', fields: importJobFields };

const importJobSchema = objectOf(importJobFields, 'description', 'file', 'actions');

export type ImportJob = z.infer<typeof importJobSchema>;
type ImportAction = z.infer<typeof actionSchema>;

function descriptionProblems(description: string): BodyProblem[] {
	const { length } = description;
	const texts: string[] = [];
	if (length > LONGEST_DESCRIPTION)
		texts.push(
			`is ${length} characters long; the service accepts at most ${LONGEST_DESCRIPTION}. Shorten it.`,
		);
	if (/[<>]|&#/.test(description))
		texts.push('must not contain < or > or the sequence &#. Remove them.');
	return texts.map((text) => ({ path: ['description'], text }));
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
	const text = `The first column must be "${required}" for ${action.resourceType} with ${names.join(', ')} (Action ${at + 1}), but it is "${first}". Put that column first, or map "${first}" to the field "${required}"${adviceWithoutRecordId(action.resourceType)}.`;
	return [{ path: ['file', 'columns', 0, 'name'], text }];
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
	const type = action.resourceType;
	if (!resourceTypes.some((known) => known === type)) {
		const text = `"${type}" is not one of ${resourceTypes.join(', ')}.${suggestion(type, resourceTypes)}`;
		problems.push({ path: [...path, 'resourceType'], text });
	}
	problems.push(...firstColumnProblems(job, action, at, vocabulary));
	action.mappingTypes.forEach((mappingType, index) => {
		problems.push(...mappingProblems(mappingType, [...path, 'mappingTypes', index], columns));
	});
	const labels = action.mappingTypes.map(({ resultFileColumnName }) => resultFileColumnName);
	for (const { index } of repetitions(labels)) {
		const text =
			'is used by another mapping type. Choose another name: each mapping type needs its own column.';
		problems.push({ path: [...path, 'mappingTypes', index, 'resultFileColumnName'], text });
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

/** Rejects a label that is also an included column: the outcome would look like the row's value. */
function labelProblems(job: ImportJob, mappingTypes: PlacedMappingType[]): BodyProblem[] {
	const included = job.actions.flatMap(({ columnsToIncludeInResultsFile = [] }) =>
		columnsToIncludeInResultsFile.map(({ name }) => name),
	);
	return mappingTypes.flatMap(({ mappingType: { resultFileColumnName: label }, path }) => {
		if (label === undefined) return [];
		const isOfItems = isItemColumn(label);
		if (!isOfItems && !included.some((name) => sameName(name, label))) return [];
		const what = isOfItems
			? 'the name of the column that "Import Items" adds to its files'
			: 'also one of the columns to include in the results file';
		const text = `"${label}" is ${what}. Choose another name.`;
		return [{ path: [...path, 'resultFileColumnName'], text }];
	});
}

/** service.md 2.9 names the type `email`; the words for webhooks differ between deployments. */
function listenerProblems({ listeners = [] }: ImportJob): BodyProblem[] {
	return listeners.flatMap(({ type, value }, index) => {
		if (!sameName(type, 'email') || isEmail(value)) return [];
		const text = `"${value}" is not an email address. Enter one, such as data@example.org, or another type.`;
		return [{ path: ['listeners', index, 'value'], text }];
	});
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

function importJobProblems(job: ImportJob, vocabulary: Vocabulary): BodyProblem[] {
	const otherTypes = job.actions.flatMap(({ resourceType }, index) => {
		const first = job.actions[0]?.resourceType;
		if (resourceType === first) return [];
		const text = `is ${resourceType}, but Action 1 has ${first}. One file holds one resource type: import the others with a separate job.`;
		return [{ path: ['actions', index, 'resourceType'], text }];
	});
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

export function importJobBody(vocabulary: Vocabulary) {
	return {
		...importJobForm,
		schema: importJobSchema,
		mayBeBlank: ['staticValue', 'sourceValue', 'targetValue'],
		reword: withColumnNumber,
		rules: (job) => importJobProblems(job, vocabulary),
	} satisfies BodyKind<typeof importJobSchema>;
}
