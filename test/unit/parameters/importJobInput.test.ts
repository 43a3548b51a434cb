import { byName, fromList } from '../../../hosts/locators';
import {
	importJobInput,
	jobForm,
	jobParameters,
} from '../../../nodes/NativeBulkImport/job/importJobInput';
import { placeOnScreen } from '../../../nodes/shared/parameters/bodyForm';
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

describe('the fields', () => {
	test('of the smallest job give exactly its body, without anything left empty', () => {
		expect(bodyOf({})).toEqual(smallestBody);
	});

	test('of a job with everything in it give exactly its body', () => {
		const entered = {
			columns: 'NativeId\nStreet,Town\n Kind ,CrmId,',
			columnDelimiter: 'Tab',
			hasHeader: false,
			hasQuotes: false,
			actions: {
				action: [
					{
						resourceType: 'Contacts',
						resultFileSizeKbLimit: 20_000,
						mappingTypes: {
							mappingType: [
								{
									name: byName('MailingAddress'),
									fieldValueMappings: {
										mapping: [
											{
												fieldName: fromList('MailingAddress'),
												valueFrom: 'column',
												columnName: 'Street',
											},
											{
												fieldName: 'MailingCity',
												valueFrom: 'column',
												columnName: 'Town',
												values: {},
											},
											{
												fieldName: 'MailingCountryCode',
												valueFrom: 'static',
												staticValue: 'US',
												columnName: 'left over from before',
											},
											{
												fieldName: 'MailingDisplayAsEntered',
												columnName: 'Kind',
												values: {
													value: [{ sourceValue: 'home', targetValue: 'Y' }, { sourceValue: 7 }],
												},
												staticValue: 'left over from before',
											},
										],
									},
									resultFileColumnName: 'AddressResult',
								},
								{
									name: 'ApplyExternalID',
									fieldValueMappings: {
										mapping: [
											{ fieldName: 'ExternalIdTypeID', valueFrom: 'static', staticValue: 12 },
											{ fieldName: 'CrmId', valueFrom: 'column', columnName: '' },
										],
									},
								},
							],
						},
						columnsToIncludeInResultsFile: 'CrmId, Town',
					},
				],
			},
			listeners: { listener: [{ type: 'email', value: 'data@example.org' }] },
		};
		expect(bodyOf(entered)).toEqual({
			description: 'Nightly sync',
			file: {
				fileName: 'people.csv',
				sourceUrl: 'https://files.example.org/people.zip',
				hasHeader: false,
				hasQuotes: false,
				columnDelimiter: 'Tab',
				columns: ['NativeId', 'Street', 'Town', 'Kind', 'CrmId'].map((name) => ({ name })),
			},
			actions: [
				{
					actionType: 'loadMappedFile',
					resourceType: 'Contacts',
					resultFileSizeKbLimit: 20_000,
					mappingTypes: [
						{
							name: 'MailingAddress',
							fieldValueMappings: [
								{ fieldName: 'MailingAddress', columnName: 'Street' },
								{ fieldName: 'MailingCity', columnName: 'Town' },
								{ fieldName: 'MailingCountryCode', staticValue: 'US' },
								{
									fieldName: 'MailingDisplayAsEntered',
									columnName: 'Kind',
									values: [
										{ sourceValue: 'home', targetValue: 'Y' },
										{ sourceValue: '7', targetValue: '' },
									],
								},
							],
							resultFileColumnName: 'AddressResult',
						},
						{
							name: 'ApplyExternalID',
							fieldValueMappings: [
								{ fieldName: 'ExternalIdTypeID', staticValue: '12' },
								{ fieldName: 'CrmId' },
							],
						},
					],
					columnsToIncludeInResultsFile: [{ name: 'CrmId' }, { name: 'Town' }],
				},
			],
			listeners: [{ type: 'email', value: 'data@example.org' }],
		});
	});

	test('may be lists that an expression gave', () => {
		expect(bodyOf({ columns: ['NativeId', { name: 'Email' }] })).toEqual(smallestBody);
	});

	test.each<[string, Record<string, unknown>, string, string]>([
		['no description', { description: '' }, 'Description', 'is empty.'],
		['no file name', { fileName: undefined }, 'File Name', 'is missing.'],
		['no archive', { sourceUrl: '' }, 'Source URL', 'is empty.'],
		['another scheme', { sourceUrl: 'http://x.example.org' }, 'Source URL', 'begins with http://'],
		['no columns', { columns: '' }, 'Columns', 'must have at least one entry.'],
		['a hidden column', { columns: 'NativeId,,Email' }, 'Columns', 'Column 2 has no name.'],
		['a column with a space', { columns: 'NativeId,E Mail' }, 'Columns', 'may only contain'],
		['no actions', { actions: {} }, 'Actions', 'must have at least one entry.'],
		['text for a switch', { hasHeader: 'yes' }, 'File Has a Header Line', 'is not true or false.'],
		[
			'an incomplete listener',
			{ listeners: { listener: [{ type: 'email', value: '' }] } },
			'Listener 1 → Value',
			'is empty.',
		],
	])('are rejected with %s, in the words on the screen', (_, changes, field, text) => {
		const { problems } = rejection(changes);
		expect(problems).toEqual([{ field, text: expect.stringContaining(text) }]);
	});

	test('are rejected with the place of a misspelt column', () => {
		const mapping = { fieldName: 'Email', valueFrom: 'column', columnName: 'Emial' };
		const mappingType = [{ name: 'Email', fieldValueMappings: { mapping: [mapping] } }];
		const [action] = smallest.actions.action;
		const actions = { action: [{ ...action, mappingTypes: { mappingType } }] };
		expect(rejection({ actions }).problems).toEqual([
			{
				field: 'Action 1 → Mapping Type 1 → Field Value Mapping 1 → Column Name',
				text: '"Emial" is not a column of the file. Did you mean "Email"?',
			},
		]);
	});
});

describe('JSON', () => {
	const json = (jobJson: unknown) => ({ defineJob: 'json', jobJson });

	test('as text gives its body', () => {
		expect(bodyOf(json(JSON.stringify(smallestBody, null, 2)))).toEqual(smallestBody);
	});

	test('as an object that an expression gave gives its body', () => {
		expect(bodyOf(json(smallestBody))).toEqual(smallestBody);
	});

	test.each([
		[
			'{"description": }',
			/^is not valid JSON \(.+\)\. Check commas, brackets and quotation marks\.$/,
		],
		['', /^is not valid JSON/],
		['{', /^is not valid JSON/],
	])('%s is rejected as such', (text, expected) => {
		expect(rejection(json(text)).problems).toEqual([
			{ field: 'Job (JSON)', text: expect.stringMatching(expected) },
		]);
	});

	test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])(
		'that breaks off %d characters after a password does not show it',
		(after) => {
			const text = JSON.stringify({ sourceUrl: 'sftp://me:secret@files.example.org/a.zip' });
			const cut = text.indexOf('secret') + 'secret'.length + after;
			for (const broken of [text.slice(0, cut), `${text.slice(0, cut)}"x`]) {
				expect(rejection(json(broken)).message).not.toMatch(/secret|ecret/);
			}
		},
	);

	test('is rejected with the path of each problem', () => {
		const { problems } = rejection(json({ ...smallestBody, description: 'a<b', listeners: [{}] }));
		expect(problems.map(({ field }) => field)).toEqual([
			'Job (JSON) → listeners[0].type',
			'Job (JSON) → listeners[0].value',
		]);
	});

	test.each([
		['[]', 'must be an object, in braces { }.'],
		['7', 'is 7, but must be an object, in braces { }.'],
		['null', 'must be an object, in braces { }.'],
	])('that is %s is rejected as a whole', (entered, text) => {
		expect(rejection(json(entered)).problems).toEqual([{ field: 'Job (JSON)', text }]);
	});
});

test.each<[Array<string | number>, string]>([
	[['description'], 'Description'],
	[['file', 'columns', 3, 'name'], 'Columns'],
	[['actions'], 'Actions'],
	[['actions', 0, 'resourceType'], 'Action 1 → Resource Type'],
	[['actions', 1, 'mappingTypes', 0, 'name'], 'Action 2 → Mapping Type 1'],
	[['actions', 0, 'columnsToIncludeInResultsFile', 2, 'name'], 'Action 1 → Columns in Result File'],
	[
		['actions', 0, 'mappingTypes', 1, 'fieldValueMappings', 2, 'values', 3, 'sourceValue'],
		'Action 1 → Mapping Type 2 → Field Value Mapping 3 → Value Translation 4 → Source Value',
	],
	[['listeners', 0, 'type'], 'Listener 1 → Type'],
])('%j is on the screen as %s', (path, field) => {
	expect(placeOnScreen(jobForm, path)).toBe(field);
});
