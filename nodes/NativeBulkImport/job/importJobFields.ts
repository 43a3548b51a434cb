import type { INodeProperties } from 'n8n-workflow';

import { resourceTypeField } from '../resourceTypeField';
import { fieldsOrJson } from '../../shared/parameters/fieldKinds';

const fieldValueMappingFields: INodeProperties[] = [
	{
		displayName: 'Field',
		name: 'fieldName',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: 'The field of the mapping type that gets the value',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: 'searchMappingFields', searchable: true },
			},
			{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. MailingCity' },
		],
	},
	{
		displayName: 'Value From',
		name: 'valueFrom',
		type: 'options',
		options: [
			{ name: 'Column', value: 'column', description: 'A column of the file' },
			{ name: 'Static Value', value: 'static', description: 'The same value for every row' },
		],
		default: 'column',
		description: 'Where the value of the field comes from',
	},
	{
		displayName: 'Column Name',
		name: 'columnName',
		type: 'string',
		default: '',
		placeholder: 'e.g. City',
		displayOptions: { show: { valueFrom: ['column'] } },
		description: 'The column of the file. Leave empty if it has the name of the field.',
	},
	{
		displayName: 'Static Value',
		name: 'staticValue',
		type: 'string',
		default: '',
		displayOptions: { show: { valueFrom: ['static'] } },
		description: 'The value every row gets. For fields with predefined values enter the ID.',
	},
	{
		displayName: 'Value Translations',
		name: 'values',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Value Translation',
		default: {},
		displayOptions: { show: { valueFrom: ['column'] } },
		description: 'Values in the file and what to import instead',
		options: [
			{
				displayName: 'Translation',
				name: 'value',
				values: [
					{
						displayName: 'Source Value',
						name: 'sourceValue',
						type: 'string',
						default: '',
						placeholder: 'e.g. mobile',
						description: 'The value in the file',
					},
					{
						displayName: 'Target Value',
						name: 'targetValue',
						type: 'string',
						default: '',
						placeholder: 'e.g. C',
						description: 'The value to import',
					},
				],
			},
		],
	},
];

const mappingTypeFields: INodeProperties[] = [
	{
		displayName: 'Mapping Type',
		name: 'name',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: 'What this part of the import does, e.g. CreateOrUpdateContact or MailingAddress',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: 'searchMappingTypes', searchable: true },
			},
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. CreateOrUpdateContact',
			},
		],
	},
	{
		displayName: 'Field Value Mappings',
		name: 'fieldValueMappings',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Field Value Mapping',
		default: {},
		description:
			'Which column or value goes into which field. Leave empty if the columns of the file have the names of the fields.',
		options: [
			{ displayName: 'Field Value Mapping', name: 'mapping', values: fieldValueMappingFields },
		],
	},
	{
		displayName: 'Result File Column Name',
		name: 'resultFileColumnName',
		type: 'string',
		default: '',
		placeholder: 'e.g. AddressResult',
		description:
			'Name of the column with the outcome of this mapping type in the result file. Leave empty for the default name.',
	},
];

const actionFields: INodeProperties[] = [
	resourceTypeField,
	{
		displayName: 'Mapping Types',
		name: 'mappingTypes',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Mapping Type',
		default: {},
		description:
			'What the service does with each row. The same mapping type can be added several times.',
		options: [{ displayName: 'Mapping Type', name: 'mappingType', values: mappingTypeFields }],
	},
	{
		displayName: 'Result File Size Limit (KB)',
		name: 'resultFileSizeKbLimit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 5000,
		description:
			'Largest size of one result file; more results are split into several files. Known deployments accept 5000 to 100000.',
	},
	{
		displayName: 'Columns in Result File',
		name: 'columnsToIncludeInResultsFile',
		type: 'string',
		default: '',
		placeholder: 'e.g. CrmId',
		description:
			'Columns of the file that come back with each result row, separated by commas, e.g. your own ID of the person',
	},
];

export const listenersField: INodeProperties = {
	displayName: 'Listeners',
	name: 'listeners',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Listener',
	default: {},
	description: 'Who the service notifies about the job',
	options: [
		{
			displayName: 'Listener',
			name: 'listener',
			values: [
				{
					displayName: 'Type',
					name: 'type',
					type: 'string',
					default: 'email',
					placeholder: 'e.g. email',
					description: 'How the service notifies',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. data@example.org',
					description: 'The address to notify',
				},
			],
		},
	],
};

/** The fields of an import job: service.md 2.1 to 2.6. */
export const importJobFields: INodeProperties[] = [
	...fieldsOrJson('Job', {
		displayName: 'Job (JSON)',
		name: 'jobJson',
		description: 'The whole job with description, file, actions and, if you need them, listeners',
	}),
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Nightly sync of contacts',
		displayOptions: { show: { defineJob: ['fields'] } },
		description:
			'What this import is, for the people who get its notifications. At most 255 characters.',
	},
	{
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. contacts.csv',
		displayOptions: { show: { defineJob: ['fields'] } },
		description: 'Name of the delimited file (e.g. CSV) inside the zip file',
	},
	{
		displayName: 'Source URL',
		name: 'sourceUrl',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://files.example.org/contacts.zip',
		displayOptions: { show: { defineJob: ['fields'] } },
		description:
			'Where the service finds the zip file: an https, sftp or ftps address. It may contain a user name and password; the node never shows them.',
	},
	{
		displayName: 'Columns',
		name: 'columns',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. NativeId, FirstName, LastName, Email',
		displayOptions: { show: { defineJob: ['fields'] } },
		description:
			'Names of all columns of the file from left to right, separated by commas: letters and digits only. The service never reads the header line of the file.',
	},
	{
		displayName: 'Column Delimiter',
		name: 'columnDelimiter',
		type: 'options',
		options: [
			{ name: 'Comma', value: 'CSV' },
			{ name: 'Pipe', value: 'Pipe' },
			{ name: 'Tab', value: 'Tab' },
		],
		default: 'CSV',
		displayOptions: { show: { defineJob: ['fields'] } },
		description: 'What separates the columns in the file',
	},
	{
		displayName: 'File Has a Header Line',
		name: 'hasHeader',
		type: 'boolean',
		default: true,
		displayOptions: { show: { defineJob: ['fields'] } },
		description:
			'Whether the first line of the file holds column names, so that the service skips it',
	},
	{
		displayName: 'Values Are in Quotation Marks',
		name: 'hasQuotes',
		type: 'boolean',
		default: true,
		displayOptions: { show: { defineJob: ['fields'] } },
		description:
			'Whether values may be in quotation marks. Needed when the delimiter occurs inside a value.',
	},
	{
		displayName: 'Actions',
		name: 'actions',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Action',
		default: { action: [{}] },
		displayOptions: { show: { defineJob: ['fields'] } },
		description: 'What the service does with the file',
		options: [{ displayName: 'Action', name: 'action', values: actionFields }],
	},
	{ ...listenersField, displayOptions: { show: { defineJob: ['fields'] } } },
];

/** Labels on the screen by property of the body. */
const labels: Record<string, string> = {
	description: 'Description',
	file: 'File',
	fileName: 'File Name',
	sourceUrl: 'Source URL',
	hasHeader: 'File Has a Header Line',
	hasQuotes: 'Values Are in Quotation Marks',
	columnDelimiter: 'Column Delimiter',
	columns: 'Columns',
	actions: 'Action',
	actionType: 'Action Type',
	resourceType: 'Resource Type',
	resultFileSizeKbLimit: 'Result File Size Limit (KB)',
	mappingTypes: 'Mapping Type',
	columnsToIncludeInResultsFile: 'Columns in Result File',
	fieldValueMappings: 'Field Value Mapping',
	resultFileColumnName: 'Result File Column Name',
	fieldName: 'Field',
	columnName: 'Column Name',
	staticValue: 'Static Value',
	values: 'Value Translation',
	sourceValue: 'Source Value',
	targetValue: 'Target Value',
	listeners: 'Listener',
	type: 'Type',
	value: 'Value',
};

/** Lists that are one text field on the screen: their entries have no field. */
const textLists = new Set(['columns', 'columnsToIncludeInResultsFile']);

/** A place in the body in the words on the screen: `Action 1 → Mapping Type 2 → Column Name`. */
export function fieldOnScreen(path: Array<string | number>): string {
	const words: string[] = [];
	for (const part of path) {
		if (typeof part === 'number') words.push(`${words.pop() ?? ''} ${part + 1}`.trim());
		else if (part === 'name' && words.length > 0) continue;
		else if (part !== 'file' || path.length === 1) words.push(labels[part] ?? part);
		if (typeof part === 'string' && textLists.has(part)) break;
	}
	return words.join(' → ');
}
