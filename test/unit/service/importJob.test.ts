import * as fc from 'fast-check';

import { jsonPath } from '../../../nodes/shared/service/bodyProblem';
import { importJobBody, type ImportJob } from '../../../nodes/shared/service/importJob';
import { readBody } from '../../../nodes/shared/service/requestBody';
import { vocabularyOf } from '../../../nodes/shared/service/connection';

const native = vocabularyOf('Native');

type MappingType = ImportJob['actions'][number]['mappingTypes'][number];
type Mapping = NonNullable<MappingType['fieldValueMappings']>[number];

const columnsOf = (...names: string[]) => names.map((name) => ({ name }));

/** A valid job whose mapping types and columns a test chooses. */
function job(changes: {
	columns?: string[];
	mappingTypes?: MappingType[];
	resourceType?: string;
	file?: Record<string, unknown>;
	action?: Record<string, unknown>;
	body?: Record<string, unknown>;
}) {
	return {
		description: 'Nightly sync',
		file: {
			fileName: 'people.csv',
			sourceUrl: 'https://files.example.org/people.zip',
			columns: columnsOf(...(changes.columns ?? ['NativeId', 'Email'])),
			...changes.file,
		},
		actions: [
			{
				actionType: 'loadMappedFile',
				resourceType: changes.resourceType ?? 'Contacts',
				resultFileSizeKbLimit: 5000,
				mappingTypes: changes.mappingTypes ?? [{ name: 'Email' }],
				...changes.action,
			},
		],
		...changes.body,
	};
}

/** The problems of a job as a user of JSON would read them. */
function problemsOf(input: unknown, vocabulary = native): string[] {
	const checked = readBody(input, importJobBody(vocabulary));
	return 'problems' in checked
		? checked.problems.map(({ path, text }) => `${jsonPath(path)}: ${text}`)
		: [];
}

function expectUnchanged(input: unknown, vocabulary = native): void {
	expect(readBody(input, importJobBody(vocabulary))).toEqual({ body: input, dropped: [] });
}

describe('a valid job is sent as it is', () => {
	// test/engine/createJob.test.ts sends the other mapping types of service.md 2.5 and 2.6.
	test.each<[string, Parameters<typeof job>[0]]>([
		[
			'ApplyContactCustomFields, one mapping type for each group (rule 2)',
			{
				columns: ['NativeId', 'CF12', 'Shirt', 'CF31'],
				mappingTypes: [
					{
						name: 'ApplyContactCustomFields',
						fieldValueMappings: [
							{ fieldName: 'CustomFieldGroupID', staticValue: '5' },
							{ fieldName: 'CF12' },
							{ fieldName: 'CF13', columnName: 'Shirt' },
						],
					},
					{
						name: 'ApplyContactCustomFields',
						fieldValueMappings: [
							{ fieldName: 'CustomFieldGroupID', staticValue: '6' },
							{ fieldName: 'CF31' },
						],
					},
				],
			},
		],
		[
			'every other property',
			{
				file: {
					sourceUrl: 'sftp://me:p%40ss@files.example.org/in/people.zip',
					hasHeader: true,
					hasQuotes: false,
					columnDelimiter: 'Tab',
				},
				action: { columnsToIncludeInResultsFile: columnsOf('Email') },
				body: {
					listeners: [
						{ type: 'email', value: 'data@example.org' },
						{ type: 'URL', value: 'https://n8n.example.org/hook' },
					],
				},
			},
		],
	])('%s', (_, changes) => {
		expectUnchanged(job(changes));
	});

	test('but for optional lists that are empty, which the service takes for another thing than none', () => {
		const named = [{ fieldName: 'Email', values: [] }];
		expect(
			readBody(
				job({
					mappingTypes: [
						{ name: 'Email', fieldValueMappings: named },
						{ name: 'Phones', fieldValueMappings: [] },
					],
					action: { columnsToIncludeInResultsFile: [] },
					body: { listeners: [] },
				}),
				importJobBody(native),
			),
		).toStrictEqual({
			dropped: [],
			body: job({
				mappingTypes: [
					{ name: 'Email', fieldValueMappings: [{ fieldName: 'Email' }] },
					{ name: 'Phones' },
				],
			}),
		});
	});

	test('but for the spaces around names and addresses', () => {
		const sourceUrl = 'https://files.example.org/people.zip';
		expect(
			readBody(
				job({ columns: [' NativeId ', 'Email '], file: { sourceUrl: ` ${sourceUrl}\n` } }),
				importJobBody(native),
			),
		).toMatchObject({ body: { file: { sourceUrl, columns: columnsOf('NativeId', 'Email') } } });
	});
});

describe('the description', () => {
	const describedAs = (description: unknown) => problemsOf(job({ body: { description } }));

	test.each(['x'.repeat(255), 'Smith & Sons, 50 % #1 😀'])('may be %j', (description) => {
		expect(describedAs(description)).toEqual([]);
	});

	test.each<[unknown, string]>([
		[
			'x'.repeat(256),
			'description: is 256 characters long; the service accepts at most 255. Shorten it.',
		],
		['a < b', 'description: must not contain < or > or the sequence &#. Remove them.'],
		['a &#38; b', 'description: must not contain < or > or the sequence &#. Remove them.'],
		['', 'description: is empty.'],
	])('may not be %j', (description, problem) => {
		expect(describedAs(description)).toEqual([problem]);
	});
});

describe('the address of the archive', () => {
	const at = (sourceUrl: unknown) => problemsOf(job({ file: { sourceUrl } }));

	test.each([
		'https://files.example.org/a.zip',
		'HTTPS://files.example.org/a.zip?sig=x',
		'sftp://files.example.org:2222/a.zip',
		'ftps://me:secret@files.example.org/a.zip',
	])('may be %s', (sourceUrl) => {
		expect(at(sourceUrl)).toEqual([]);
	});

	test.each(['http', 'ftp', 's3'])('may not be of the scheme %s', (scheme) => {
		expect(at(`${scheme}://me:secret@files.example.org/a.zip`)).toEqual([
			`file.sourceUrl: begins with ${scheme}://, but the service only fetches sftp://, ftps:// and https:// addresses.`,
		]);
	});

	test.each(['files.example.org/a.zip', 'https:files.example.org/a.zip', 'a.zip', 'https://'])(
		'must be complete, unlike %s',
		(sourceUrl) => {
			expect(at(sourceUrl)).toEqual([
				'file.sourceUrl: is not an address. Enter where the service finds the zip file, e.g. https://files.example.org/import.zip.',
			]);
		},
	);

	test.each([
		'sftp://bob:1234#pw@host/a.zip',
		'sftp://bob:12/34@host/a.zip',
		'https://bob:12?34@host/a.zip',
		'https://files.example.org/a@b.zip',
	])('may not have an @ after a sign that ends the host, as in %s', (sourceUrl) => {
		const problems = at(sourceUrl);
		expect(problems).toEqual([expect.stringMatching(/has an @ after .* write %40 for @\.$/)]);
		expect(problems.join()).not.toMatch(/1234|34@/);
	});
});

describe('the file', () => {
	test.each([['csv', 'CSV']])(
		'delimited by %s is sent as delimited by %s',
		(entered, columnDelimiter) => {
			expect(
				readBody(job({ file: { columnDelimiter: entered } }), importJobBody(native)),
			).toMatchObject({
				body: { file: { columnDelimiter } },
			});
		},
	);

	test.each([',', 'Semicolon'])('may not be delimited by "%s"', (columnDelimiter) => {
		expect(problemsOf(job({ file: { columnDelimiter } }))).toEqual([
			`file.columnDelimiter: is "${columnDelimiter}", but must be one of CSV, Pipe, Tab.`,
		]);
	});

	test.each<[Record<string, unknown>, string]>([
		[{ fileName: undefined }, 'file.fileName: is missing.'],
		[{ hasHeader: 'yes' }, 'file.hasHeader: is "yes", but must be true or false.'],
		[{ columns: [] }, 'file.columns: must have at least one entry.'],
		[
			{ columns: ['NativeId'] },
			'file.columns[0]: is "NativeId", but must be an object, in braces { }.',
		],
	])('is rejected with %j', (file, problem) => {
		expect(problemsOf(job({ file }))).toEqual([problem]);
	});

	test('takes 50 columns and not 51', () => {
		const names = (count: number) =>
			Array.from({ length: count }, (_, index) => (index === 0 ? 'NativeId' : `C${index}`));
		expect(problemsOf(job({ columns: names(50) }))).toEqual([]);
		expect(problemsOf(job({ columns: names(51) }))).toEqual([
			expect.stringMatching(/^file\.columns: There are 51 columns; the service accepts at most 50/),
		]);
	});

	test.each(['First Name', 'E-Mail', 'Straße', 'a_b', 'né', 'CF 1', 'a.b', '№'])(
		'may not have a column named "%s"',
		(name) => {
			expect(problemsOf(job({ columns: ['NativeId', name] }))).toEqual([
				`file.columns[1].name: "${name}" may only contain the letters A–Z and digits, no spaces, accents or signs.`,
			]);
		},
	);

	test('may not have two columns of one name, in whatever casing', () => {
		expect(problemsOf(job({ columns: ['NativeId', 'Email', 'City', 'EMAIL'] }))).toEqual([
			'file.columns[3].name: "EMAIL" appears twice (columns 2 and 4). Every column needs a unique name.',
		]);
	});

	test('may have any unique names of letters and digits', () => {
		const name = fc.stringMatching(/^[A-Za-z0-9]{1,12}$/);
		const names = fc.uniqueArray(name, {
			maxLength: 49,
			selector: (text) => text.toLowerCase(),
		});
		fc.assert(
			fc.property(names, (rest) => {
				const others = rest.filter((text) => text.toLowerCase() !== 'nativeid');
				expectUnchanged(job({ columns: ['NativeId', ...others] }));
			}),
		);
	});
});

describe('the first column', () => {
	/** service.md 2.3 */
	test.each([
		['Contacts', 'Email', 'NativeId'],
		['ContactsActivistCodes', 'ActivistCode', 'NativeId'],
		['ContactsActivistCodes', 'CreateOrUpdateContact', 'NativeId'],
		['Contributions', 'ContributionAdjustments', 'ContributionId'],
		['ContributionAdjustments', 'EditContributionDataContacts', 'ContributionId'],
		['ActivistCodes', 'ContributionAdjustments', undefined],
	])('of %s with %s must be %s', (resourceType, name, required) => {
		const firstColumn = (first: string) =>
			problemsOf(job({ resourceType, columns: [first, 'Rest'], mappingTypes: [{ name }] }));
		expect(firstColumn('Other')).toEqual(
			required === undefined
				? []
				: [
						expect.stringContaining(
							`The first column must be "${required}" for ${resourceType} with ${name} (Action 1)`,
						),
					],
		);
		if (required !== undefined) expect(firstColumn(required.toUpperCase())).toEqual([]);
	});

	test('is explained with every way to mend it', () => {
		expect(problemsOf(job({ columns: ['Other', 'Email'] }))).toEqual([
			'file.columns[0].name: The first column must be "NativeId" for Contacts with Email (Action 1), but it is "Other". Put that column first, or map "Other" to the field "NativeId", or add the mapping type CreateOrUpdateContact.',
		]);
		const adjustments = {
			resourceType: 'Contributions',
			columns: ['Other'],
			mappingTypes: [{ name: 'ContributionAdjustments' }],
		};
		expect(problemsOf(job(adjustments))).toEqual([
			expect.stringMatching(/, or map "Other" to the field "ContributionId"\.$/),
		]);
	});

	test('may have any name when it is mapped to the required one', () => {
		const mappingTypes = [
			{
				name: 'Email',
				fieldValueMappings: [{ fieldName: 'nativeid', columnName: 'PersonNumber' }],
			},
		];
		expectUnchanged(job({ columns: ['PersonNumber', 'Email'], mappingTypes }));
	});

	test('is not replaced by a later column that is mapped to the required one', () => {
		const mappingTypes = [
			{ name: 'Email', fieldValueMappings: [{ fieldName: 'NativeId', columnName: 'Person' }] },
		];
		expect(problemsOf(job({ columns: ['Email', 'Person'], mappingTypes }))).toHaveLength(1);
	});

	test('is free when one of the mapping types is CreateOrUpdateContact', () => {
		const mappingTypes = [{ name: 'Email' }, { name: 'createOrUpdateContact' }];
		expectUnchanged(job({ columns: ['FirstName', 'Email'], mappingTypes }));
	});
});

describe('an action', () => {
	test.each<[Record<string, unknown>, string]>([
		[
			{ actionType: 'loadFile' },
			'actions[0].actionType: is "loadFile", but must be "loadMappedFile".',
		],
		[
			{ resourceType: 'Contact' },
			'actions[0].resourceType: "Contact" is not one of Contacts, Contributions, ActivistCodes, ContactsActivistCodes, ContributionAdjustments. Did you mean "Contacts"?',
		],
		[{ resourceType: '' }, 'actions[0].resourceType: is empty.'],
		[{ resultFileSizeKbLimit: 0 }, 'actions[0].resultFileSizeKbLimit: is 0, but must be above 0.'],
		[
			{ resultFileSizeKbLimit: 1.5 },
			'actions[0].resultFileSizeKbLimit: is 1.5, but must be a whole number.',
		],
		[
			{ columnsToIncludeInResultsFile: [{ name: 'Emial' }] },
			'actions[0].columnsToIncludeInResultsFile[0].name: "Emial" is not a column of the file. Did you mean "Email"?',
		],
	])('is rejected with %j', (action, problem) => {
		expect(problemsOf(job({ action }))).toEqual([problem]);
	});

	test('may not include a column twice', () => {
		const action = { columnsToIncludeInResultsFile: columnsOf('Email', 'NativeId', 'Email') };
		expect(problemsOf(job({ action }))).toEqual([
			'actions[0].columnsToIncludeInResultsFile[2].name: "Email" is named twice. Name each column once.',
		]);
	});

	test('may not bring another resource type into the file', () => {
		const { actions, ...rest } = job({ columns: ['NativeId'] });
		const second = { ...actions[0], resourceType: 'ActivistCodes' };
		expect(problemsOf({ ...rest, actions: [...actions, second] })).toEqual([
			'actions[1].resourceType: is ActivistCodes, but Action 1 has Contacts. One file holds one resource type: import the others with a separate job.',
		]);
	});

	test('may not label two mapping types alike', () => {
		const mappingTypes = [
			{ name: 'Email', resultFileColumnName: 'Result' },
			{ name: 'Phones', resultFileColumnName: 'RESULT' },
		];
		expect(problemsOf(job({ mappingTypes }))).toEqual([
			'actions[0].mappingTypes[1].resultFileColumnName: is used by another mapping type. Choose another name: each mapping type needs its own column.',
		]);
	});
});

describe('the label of a mapping type', () => {
	const included = { columnsToIncludeInResultsFile: columnsOf('Email') };
	const labelled = (resultFileColumnName: string) => [{ name: 'Email', resultFileColumnName }];

	test.each(['Email', 'EMAIL'])('may not be %s if that is an included column', (label) => {
		expect(problemsOf(job({ mappingTypes: labelled(label), action: included }))).toEqual([
			`actions[0].mappingTypes[0].resultFileColumnName: "${label}" is also one of the columns to include in the results file. Choose another name.`,
		]);
	});

	test('may not be a column that another action includes', () => {
		const { actions, ...rest } = job({ action: included });
		const [second] = job({ mappingTypes: labelled('Email') }).actions;
		expect(problemsOf({ ...rest, actions: [...actions, second] })).toEqual([
			expect.stringMatching(
				/^actions\[1\]\.mappingTypes\[0\]\.resultFileColumnName: "Email" is also/,
			),
		]);
	});

	test.each(['N8nItem', 'n8nitem2'])('may not be %s, which marks imports of items', (label) => {
		expect(problemsOf(job({ mappingTypes: labelled(label) }))).toEqual([
			`actions[0].mappingTypes[0].resultFileColumnName: "${label}" is the name of the column that "Import Items" adds to its files. Choose another name.`,
		]);
	});
});

describe('a field value mapping', () => {
	const path = 'actions[0].mappingTypes[0].fieldValueMappings[0]';
	const withMapping = (mapping: Mapping) =>
		problemsOf(job({ mappingTypes: [{ name: 'Email', fieldValueMappings: [mapping] }] }));

	test('may leave out the column when it has the name of the field, in whatever casing', () => {
		expect(withMapping({ fieldName: 'email' })).toEqual([]);
	});

	test('may set an empty value for every row', () => {
		expect(withMapping({ fieldName: 'EmailTypeId', staticValue: '' })).toEqual([]);
	});

	test.each<[Mapping, string]>([
		[
			{ fieldName: 'Email', columnName: 'Emial' },
			'.columnName: "Emial" is not a column of the file. Did you mean "Email"?',
		],
		[
			{ fieldName: 'EMails' },
			'.columnName: "EMails" has neither a column nor a static value, and the file has no column of that name. Did you mean "Email"?',
		],
		[
			{ fieldName: 'Email', columnName: 'Email', staticValue: 'x' },
			'.staticValue: "Email" has both a column and a static value. Keep one of them.',
		],
		[
			{ fieldName: 'Email', staticValue: 'x', values: [{ sourceValue: 'a', targetValue: 'b' }] },
			'.values: "Email" has a static value, so there is nothing to translate. Remove the translations or map a column.',
		],
		[
			{
				fieldName: 'Email',
				values: [
					{ sourceValue: 'a', targetValue: 'b' },
					{ sourceValue: 'a', targetValue: 'c' },
				],
			},
			'.values[1].sourceValue: "a" is translated twice. Keep one of the translations.',
		],
	])('%j is rejected', (mapping, problem) => {
		expect(withMapping(mapping)).toEqual([`${path}${problem}`]);
	});

	test('may not be given twice for one field', () => {
		const fieldValueMappings = [
			{ fieldName: 'Email' },
			{ fieldName: 'EMAIL', columnName: 'NativeId' },
		];
		expect(problemsOf(job({ mappingTypes: [{ name: 'Email', fieldValueMappings }] }))).toEqual([
			'actions[0].mappingTypes[0].fieldValueMappings[1].fieldName: "EMAIL" is mapped twice in one mapping type. Keep one of them, or add the mapping type a second time.',
		]);
	});
});

describe('the mapping rules', () => {
	const path = 'actions[0].mappingTypes[0].fieldValueMappings';
	const columns = ['NativeId', 'CF12', 'Group'];
	const custom = (...fieldValueMappings: Mapping[]) =>
		problemsOf(
			job({ columns, mappingTypes: [{ name: 'ApplyContactCustomFields', fieldValueMappings }] }),
		);

	test('2: custom fields of two groups may not be in one mapping type', () => {
		expect(
			custom(
				{ fieldName: 'CustomFieldGroupID', staticValue: '5' },
				{ fieldName: 'CF12' },
				{ fieldName: 'CustomFieldGroupID', staticValue: '6' },
			),
		).toEqual([
			`${path}[2].fieldName: A mapping type takes the custom fields of one group only. Map the other group in a separate mapping type.`,
		]);
	});

	test('2: custom fields need their group', () => {
		expect(custom({ fieldName: 'CF12' })).toEqual([
			`${path}: Custom fields need the field "CustomFieldGroupID" with the number of their group.`,
		]);
	});

	test('2: a group needs custom fields', () => {
		expect(custom({ fieldName: 'CustomFieldGroupID', columnName: 'Group' })).toEqual([
			`${path}: No custom field is mapped. Add one field per custom field, named CF and its number, e.g. CF123.`,
		]);
	});

	test('2: custom fields without mappings need columns of the right names', () => {
		const mappingTypes = [{ name: 'applyContactCustomFields' }];
		expect(problemsOf(job({ mappingTypes }))).toHaveLength(2);
	});

	describe('3: a contact has one organizing turf', () => {
		const turf = (fieldName: string) => ({
			name: 'ApplyOrganzingTurfs',
			fieldValueMappings: [{ fieldName, columnName: 'CF12' }],
		});
		const once =
			'ApplyOrganzingTurfs can be used only once in a job: a contact has one organizing turf. Map all its levels in one mapping type.';

		test('in all actions of a job', () => {
			const { actions, ...rest } = job({ columns, mappingTypes: [turf('CF12')] });
			const [second] = job({ mappingTypes: [{ name: 'Email' }, turf('CF13')] }).actions;
			expect(problemsOf({ ...rest, actions: [...actions, second] })).toEqual([
				`actions[1].mappingTypes[1].name: ${once}`,
			]);
		});
	});

	test('3: an organizing turf needs its levels', () => {
		expect(problemsOf(job({ mappingTypes: [{ name: 'ApplyOrganzingTurfs' }] }))).toEqual([
			`${path}: No turf level is mapped. Add one field for every level, named CF and its number, e.g. CF123.`,
		]);
	});
});

describe('listeners', () => {
	test.each<[unknown, string]>([
		[
			[{ type: 'Email', value: 'https://n8n.example.org/hook' }],
			'listeners[0].value: "https://n8n.example.org/hook" is not an email address. Enter one, such as data@example.org, or another type.',
		],
		[{ type: 'email', value: 'data@example.org' }, 'listeners: must be a list, in brackets [ ].'],
	])('%j are rejected', (listeners, problem) => {
		expect(problemsOf(job({ body: { listeners } }))).toEqual([problem]);
	});
});

describe('a property the interface does not know', () => {
	test.each<[Parameters<typeof job>[0], string]>([
		[
			{ body: { listener: [{}] } },
			'listener: is not a property that the service knows. Did you mean "listeners"?',
		],
		[
			{
				action: {
					mappingTypes: [{ name: 'Email', fieldValueMappings: [{ fieldName: 'A', column: 'x' }] }],
				},
			},
			'actions[0].mappingTypes[0].fieldValueMappings[0].column: is not a property that the service knows.',
		],
	])('is rejected in %j', (changes, problem) => {
		expect(problemsOf(job(changes))).toEqual([problem]);
	});
});

test('every problem of any input is a sentence', () => {
	fc.assert(
		fc.property(fc.object({ key: fc.constantFrom('file', 'actions', 'x') }), (input) => {
			for (const problem of problemsOf(input)) expect(problem).toMatch(/^.+: .+[.?]$/s);
		}),
	);
});
