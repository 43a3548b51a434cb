import { byName, fromList } from '../../../hosts/locators';
import {
	importJobInput,
	jobParameters,
} from '../../../nodes/NativeBulkImport/job/create.operation';
import { placeOnScreen } from '../../../nodes/shared/parameters/bodyForm';
import { importJobForm } from '../../../nodes/shared/service/importJob';
import { InvalidInput } from '../../../nodes/shared/service/invalidInput';
import { itemOf } from './nodeParameters';

/** What a user enters for the smallest job, as n8n hands it over. */
const smallest = {
	defineJob: 'fields',
	description: 'Nightly sync',
	fileName: 'people.csv',
	sourceUrl: 'https://files.example.org/people.zip',
	columns: 'NativeId, Email',
	columnDelimiter: 'CSV',
	hasHeader: true,
	hasQuotes: true,
	actions: {
		action: [
			{
				resourceType: 'Contacts',
				resultFileSizeKbLimit: 5000,
				mappingTypes: {
					mappingType: [
						{
							name: fromList('Email'),
							fieldValueMappings: {},
							resultFileColumnName: '',
						},
					],
				},
				columnsToIncludeInResultsFile: '',
			},
		],
	},
	listeners: {},
};

const smallestBody = {
	description: 'Nightly sync',
	file: {
		fileName: 'people.csv',
		sourceUrl: 'https://files.example.org/people.zip',
		hasHeader: true,
		hasQuotes: true,
		columnDelimiter: 'CSV',
		columns: [{ name: 'NativeId' }, { name: 'Email' }],
	},
	actions: [
		{
			actionType: 'loadMappedFile',
			resourceType: 'Contacts',
			resultFileSizeKbLimit: 5000,
			mappingTypes: [{ name: 'Email' }],
		},
	],
};

const bodyOf = (changes: Record<string, unknown>) =>
	importJobInput(itemOf({ ...smallest, ...changes }, jobParameters));

function rejection(changes: Record<string, unknown>): InvalidInput {
	try {
		bodyOf(changes);
	} catch (error) {
		if (error instanceof InvalidInput) return error;
		throw error;
	}
	throw new Error('The input was accepted.');
}

test('empty fields leave nothing in the body, and lists may come from an expression', () => {
	expect(bodyOf({})).toEqual(smallestBody);
	expect(bodyOf({ columns: ['NativeId', { name: 'Email' }] })).toEqual(smallestBody);
	expect(bodyOf({ columns: 'NativeId\n Email ,' })).toEqual(smallestBody);
});

test('a mapping takes what its choice shows, and leaves what was entered before', () => {
	const mapping = [
		{ fieldName: 'Email', valueFrom: 'column', columnName: '' },
		{
			fieldName: fromList('EmailTypeId'),
			valueFrom: 'static',
			staticValue: 12,
			columnName: 'left over from before',
		},
		{
			fieldName: 'NativeId',
			columnName: 'NativeId',
			values: { value: [{ sourceValue: 7 }] },
			staticValue: 'left over from before',
		},
	];
	const mappingType = [{ name: byName('Email'), fieldValueMappings: { mapping } }];
	const [action] = smallest.actions.action;
	expect(bodyOf({ actions: { action: [{ ...action, mappingTypes: { mappingType } }] } })).toEqual({
		...smallestBody,
		actions: [
			{
				...smallestBody.actions[0],
				mappingTypes: [
					{
						name: 'Email',
						fieldValueMappings: [
							{ fieldName: 'Email' },
							{ fieldName: 'EmailTypeId', staticValue: '12' },
							{
								fieldName: 'NativeId',
								columnName: 'NativeId',
								values: [{ sourceValue: '7', targetValue: '' }],
							},
						],
					},
				],
			},
		],
	});
});

// test/engine/createJob.test.ts shows the other labels of the screen.
test.each<[string, Record<string, unknown>, string, string]>([
	['a hidden column', { columns: 'NativeId,,Email' }, 'Columns', 'Column 2 has no name.'],
	['text for a switch', { hasHeader: 'yes' }, 'File Has a Header Line', 'is not true or false.'],
	[
		'an incomplete listener',
		{ listeners: { listener: [{ type: 'email', value: '' }] } },
		'Listener 1 → Value',
		'is empty.',
	],
])('fields are rejected with %s, in the words on the screen', (_, changes, field, text) => {
	const { problems } = rejection(changes);
	expect(problems).toEqual([{ field, text: expect.stringContaining(text) }]);
});

describe('JSON', () => {
	const json = (jobJson: unknown) => ({ defineJob: 'json', jobJson });

	test('as an object that an expression gave gives its body', () => {
		expect(bodyOf(json(smallestBody))).toEqual(smallestBody);
	});

	test.each(Array.from({ length: 16 }, (_, after) => after))(
		'that breaks off %d characters after a password does not show it',
		(after) => {
			const text = JSON.stringify({ sourceUrl: 'sftp://me:secret@files.example.org/a.zip' });
			const cut = text.indexOf('secret') + 'secret'.length + after;
			for (const broken of [text.slice(0, cut), `${text.slice(0, cut)}"x`]) {
				expect(rejection(json(broken)).message).not.toMatch(/secret|ecret/);
			}
		},
	);

	test.each([
		['[]', 'must be an object, in braces { }.'],
		['7', 'is 7, but must be an object, in braces { }.'],
	])('that is %s is rejected as a whole', (entered, text) => {
		expect(rejection(json(entered)).problems).toEqual([{ field: 'Job (JSON)', text }]);
	});
});

test('a place deep in a job has the labels on the way to it', () => {
	const mapping = ['actions', 0, 'mappingTypes', 1, 'fieldValueMappings', 2];
	expect(placeOnScreen(importJobForm, [...mapping, 'values', 3, 'sourceValue'])).toBe(
		'Action 1 → Mapping Type 2 → Field Value Mapping 3 → Value Translation 4 → Source Value',
	);
});
