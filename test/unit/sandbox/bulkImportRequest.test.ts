import { validateJobRequest } from '../../../sandbox/bulkImport/jobRequest';
import type { MappingTypeDescription } from '../../../sandbox/bulkImport/mapping/mappingType';
import { MappingTypeCatalogue } from '../../../sandbox/bulkImport/mapping/mappingTypeCatalogue';
import { RequestRejected } from '../../../sandbox/wire/requestRejected';
import { vocabularyOf } from '../../../sandbox/wire/vocabulary';
import { bulkImportTenant } from './bulkImportTenant';

const native = vocabularyOf('Native');

function rulesOf(vocabulary = native) {
	const catalogue = new MappingTypeCatalogue(bulkImportTenant(), vocabulary);
	return { catalogue, vocabulary, minResultFileSizeKb: 5000 };
}

function problemsOf(body: unknown): Array<{ path: string | undefined; text: string }> {
	try {
		validateJobRequest(body, rulesOf());
		return [];
	} catch (error) {
		if (!(error instanceof RequestRejected)) throw error;
		expect(error.status).toBe(400);
		return error.errors.map((entry) => ({ path: entry.properties?.[0], text: entry.text }));
	}
}

type Json = Record<string, unknown>;

const PHONES = {
	name: 'Phones',
	fieldValueMappings: [
		{ fieldName: 'Phone', columnName: 'Mobile' },
		{ fieldName: 'PhoneTypeID', staticValue: 'C' },
	],
};

const FILE = {
	fileName: 'people.csv',
	sourceUrl: 'https://files.example.org/people.zip',
	columns: [{ name: 'NativeId' }, { name: 'Mobile' }, { name: 'Key' }],
};

const ACTION = {
	actionType: 'loadMappedFile',
	resourceType: 'Contacts',
	resultFileSizeKbLimit: 5000,
	mappingTypes: [PHONES],
};

const withBody = (changes: Json) => ({
	description: 'Nightly sync',
	file: FILE,
	actions: [ACTION],
	...changes,
});
const withFile = (changes: Json) => withBody({ file: { ...FILE, ...changes } });
const withAction = (changes: Json) => withBody({ actions: [{ ...ACTION, ...changes }] });
const withMappingType = (mappingType: Json, file: Json = {}) => ({
	...withAction({ mappingTypes: [mappingType] }),
	file: { ...FILE, ...file },
});
const withFieldMappings = (fieldValueMappings: unknown) =>
	withMappingType({ name: 'Phones', fieldValueMappings });
const columns = (...names: string[]) => ({ columns: names.map((name) => ({ name })) });
const without = (object: Json, name: string) =>
	Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

const TURF_LEVELS = ['CF901', 'CF902'];
const TURF = { name: 'ApplyOrganzingTurfs' };
const withTurfs = (actions: Json[]) => ({
	...withBody({ actions: actions.map((changes) => ({ ...ACTION, ...changes })) }),
	file: { ...FILE, ...columns('NativeId', ...TURF_LEVELS) },
});

const TYPE_ID = { fieldName: 'PhoneTypeID', staticValue: 'C' };
const PHONE = { fieldName: 'Phone', columnName: 'Mobile' };

describe('a body that keeps all rules', () => {
	it('passes with only what is required', () => {
		expect(problemsOf(withBody({}))).toEqual([]);
	});

	it('passes with every optional property', () => {
		const body = {
			...withFile({ hasHeader: true, hasQuotes: true, columnDelimiter: 'tAB' }),
			actions: [
				{
					...ACTION,
					columnsToIncludeInResultsFile: [{ name: 'Key' }],
					mappingTypes: [
						{
							name: 'Phones',
							resultFileColumnName: 'PhoneResult',
							fieldValueMappings: [
								PHONE,
								{
									fieldName: 'phonetypeid',
									columnName: 'key',
									values: [{ sourceValue: 'mobile', targetValue: 'C' }],
								},
							],
						},
					],
				},
			],
			listeners: [
				{ type: 'email', value: 'staff@example.org' },
				{ type: 'webhook', value: 'https://n8n.example.org/webhook/1' },
			],
		};
		expect(problemsOf(body)).toEqual([]);
	});

	it.each(['sftp', 'ftps', 'https'])('may name an archive by %s with credentials', (scheme) => {
		const sourceUrl = `${scheme}://user:secret@files.example.org/people.zip`;
		expect(problemsOf(withFile({ sourceUrl }))).toEqual([]);
	});

	it('may map the first column to the required name', () => {
		const body = withMappingType(
			{
				name: 'Phones',
				fieldValueMappings: [PHONE, TYPE_ID, { fieldName: 'nativeid', columnName: 'Person' }],
			},
			columns('Person', 'Mobile'),
		);
		expect(problemsOf(body)).toEqual([]);
	});

	it('needs no id column where contacts are created beside other mapping types', () => {
		const body = {
			...withAction({
				mappingTypes: [
					{
						name: 'CreateOrUpdateContact',
						fieldValueMappings: [{ fieldName: 'LastName', columnName: 'Surname' }],
					},
					PHONES,
				],
			}),
			file: { ...FILE, ...columns('Surname', 'Mobile') },
		};
		expect(problemsOf(body)).toEqual([]);
	});

	it('may use the same mapping type twice (rule 1)', () => {
		const externalId = (type: Json) => ({
			name: 'ApplyExternalID',
			fieldValueMappings: [
				{ fieldName: 'ExternalIdTypeID', ...type },
				{ fieldName: 'ExternalId', columnName: 'Key' },
			],
		});
		const mappingTypes = [externalId({ columnName: 'Mobile' }), externalId({ staticValue: '1' })];
		expect(problemsOf(withAction({ mappingTypes }))).toEqual([]);
	});

	it('may load two custom field groups by two mapping types (rule 2)', () => {
		const group = (id: string, field: string) => ({
			name: 'ApplyContactCustomFields',
			fieldValueMappings: [
				{ fieldName: 'CustomFieldGroupID', staticValue: id },
				{ fieldName: field, columnName: 'Key' },
			],
		});
		const mappingTypes = [group('21', 'CF211'), group('Interests', 'CF221')];
		expect(problemsOf(withAction({ mappingTypes }))).toEqual([]);
	});
});

describe('every mapping type', () => {
	const words = ['Native', 'Van'] as const;
	const cases = words.flatMap((word) => {
		const { catalogue } = rulesOf(vocabularyOf(word));
		return catalogue
			.all()
			.flatMap((type) => type.resourceTypes.map((resourceType) => ({ word, resourceType, type })));
	});

	function bodyOf(type: MappingTypeDescription, resourceType: string, word: 'Native' | 'Van') {
		const isForContributions = resourceType.startsWith('Contribution');
		const key = isForContributions ? 'contributionid' : `${word}ID`;
		const { catalogue } = rulesOf(vocabularyOf(word));
		const fields = type.fields.filter(
			// One custom field group per mapping type (rule 2).
			(field) => field.name !== 'CF221' && field.name.toLowerCase() !== key.toLowerCase(),
		);
		return {
			description: 'All fields',
			file: {
				...FILE,
				...columns(key, ...fields.map((_field, index) => `Column${index}`)),
			},
			actions: [
				{
					...ACTION,
					resourceType,
					mappingTypes: [
						{
							name: type.name,
							fieldValueMappings: fields.map((field, index) =>
								field.canBeMappedToColumn
									? { fieldName: field.name, columnName: `Column${index}` }
									: {
											fieldName: field.name,
											staticValue: catalogue.fieldValues(type.name, field.name)?.[0]?.id ?? '1',
										},
							),
						},
					],
				},
			],
		};
	}

	it.each(cases)(
		'passes with all its fields: $type.name for $resourceType in $word words',
		({ word, resourceType, type }) => {
			const body = bodyOf(type, resourceType, word);
			const rules = rulesOf(vocabularyOf(word));
			expect(validateJobRequest(body, rules)).toEqual(body);
		},
	);

	it.each(words)('is known by the field names of the contract in %s words', (word) => {
		const { catalogue } = rulesOf(vocabularyOf(word));
		const fieldNames = (name: string) =>
			catalogue.find(name)?.description.fields.map((field) => field.name);
		expect(fieldNames('ApplyRelationships')).toEqual([
			`Secondary${word}ID`,
			'Relationship',
			'OverwriteExistingRelationship',
		]);
		expect(fieldNames('Jobs')).toHaveLength(36);
		expect(fieldNames('ApplyOrganzingTurfs')).toEqual(['CF901', 'CF902']);
		expect(fieldNames('MailingAddress')).toEqual(
			expect.arrayContaining(['MailingAddress', 'MailingDisplayAsEntered']),
		);
	});

	it('may leave its field value mappings out when columns have the field names', () => {
		const body = withMappingType({ name: 'Phones' }, columns('nativeid', 'phone', 'PHONETYPEID'));
		expect(problemsOf(body)).toEqual([]);
	});

	it('Jobs takes the built-in column names', () => {
		const { catalogue } = rulesOf();
		const names = catalogue.find('Jobs')?.description.fields.map((field) => field.name) ?? [];
		expect(problemsOf(withMappingType({ name: 'Jobs' }, columns(...names)))).toEqual([]);
	});
});

describe('a body that breaks one rule is rejected with the path of the property', () => {
	const mapping = 'actions[0].mappingTypes[0].fieldValueMappings';
	const customFields = (...fieldValueMappings: Json[]) =>
		withMappingType({ name: 'ApplyContactCustomFields', fieldValueMappings });
	const groupByColumn = { fieldName: 'CustomFieldGroupID', columnName: 'Key' };

	it.each<[string, unknown, string | undefined]>([
		['body that is no object', [], undefined],
		['missing description', without(withBody({}), 'description'), 'description'],
		['empty description', withBody({ description: '' }), 'description'],
		['description of 256 characters', withBody({ description: 'x'.repeat(256) }), 'description'],
		['description with <', withBody({ description: 'a<b' }), 'description'],
		['description with >', withBody({ description: 'a>b' }), 'description'],
		['description with &#', withBody({ description: 'a&#39;b' }), 'description'],
		['description as number', withBody({ description: 7 }), 'description'],
		['missing file', without(withBody({}), 'file'), 'file'],
		[
			'unknown property of the body',
			withBody({ resultFileSizeKbLimit: 5000 }),
			'resultFileSizeKbLimit',
		],
		['property in other case', withBody({ Listeners: [] }), 'Listeners'],
		['null listeners', withBody({ listeners: null }), 'listeners'],
		['listener without value', withBody({ listeners: [{ type: 'email' }] }), 'listeners[0].value'],
		[
			'listener with more',
			withBody({ listeners: [{ type: 'webhook', value: 'https://n8n.example.org/a', c: 1 }] }),
			'listeners[0].c',
		],
		[
			'e-mail listener without an address',
			withBody({ listeners: [{ type: 'Email', value: 'staff' }] }),
			'listeners[0].value',
		],
		[
			'webhook listener without an address',
			withBody({ listeners: [{ type: 'webhook', value: 'staff@example.org' }] }),
			'listeners[0].value',
		],
		['missing fileName', withBody({ file: without(FILE, 'fileName') }), 'file.fileName'],
		['missing sourceUrl', withBody({ file: without(FILE, 'sourceUrl') }), 'file.sourceUrl'],
		['http sourceUrl', withFile({ sourceUrl: 'http://files.example.org/x.zip' }), 'file.sourceUrl'],
		['ftp sourceUrl', withFile({ sourceUrl: 'ftp://files.example.org/x.zip' }), 'file.sourceUrl'],
		['relative sourceUrl', withFile({ sourceUrl: '/x.zip' }), 'file.sourceUrl'],
		['hasHeader as string', withFile({ hasHeader: 'True' }), 'file.hasHeader'],
		['hasQuotes as number', withFile({ hasQuotes: 1 }), 'file.hasQuotes'],
		['unknown delimiter', withFile({ columnDelimiter: 'Semicolon' }), 'file.columnDelimiter'],
		['delimiter character', withFile({ columnDelimiter: ',' }), 'file.columnDelimiter'],
		['unknown property of file', withFile({ encoding: 'utf-8' }), 'file.encoding'],
		['no columns', withFile({ columns: [] }), 'file.columns'],
		[
			'51 columns',
			withFile(columns('NativeId', 'Mobile', ...Array.from({ length: 49 }, (_, i) => `C${i}`))),
			'file.columns',
		],
		[
			'column not alphanumeric',
			withFile(columns('NativeId', 'Mobile', 'E_1')),
			'file.columns[2].name',
		],
		[
			'column name repeated in other case',
			withFile(columns('NativeId', 'Mobile', 'MOBILE')),
			'file.columns[2].name',
		],
		['column as string', withFile({ columns: [...FILE.columns, 'Extra'] }), 'file.columns[3]'],
		[
			'column with more',
			withFile({ columns: [...FILE.columns, { name: 'Extra', type: 'x' }] }),
			'file.columns[3].type',
		],
		['first column not the id', withFile(columns('Mobile', 'NativeId')), 'file.columns[0].name'],
		['other vocabulary', withFile(columns('VanId', 'Mobile')), 'file.columns[0].name'],
		[
			'id mapped from a later column',
			withFieldMappings([PHONE, TYPE_ID, { fieldName: 'NativeId', columnName: 'Key' }]),
			`${mapping}[2]`,
		],
		[
			'first column of contributions',
			withAction({
				resourceType: 'Contributions',
				mappingTypes: [
					{
						name: 'ContributionAdjustments',
						fieldValueMappings: [{ fieldName: 'AdjustmentAmount', columnName: 'Key' }],
					},
				],
			}),
			'file.columns[0].name',
		],
		[
			'first column of activist codes of contacts',
			{
				...withAction({
					resourceType: 'ContactsActivistCodes',
					mappingTypes: [{ name: 'ActivistCode' }],
				}),
				file: { ...FILE, ...columns('ActivistCodeID', 'NativeId') },
			},
			'file.columns[0].name',
		],
		[
			'two mapping types with one label, in any casing',
			withAction({
				mappingTypes: [
					{ ...PHONES, resultFileColumnName: 'Result' },
					{ ...PHONES, resultFileColumnName: 'RESULT' },
				],
			}),
			'actions[0].mappingTypes[1].resultFileColumnName',
		],
		[
			'label of an included column, in any casing',
			withAction({
				columnsToIncludeInResultsFile: [{ name: 'Key' }],
				mappingTypes: [{ ...PHONES, resultFileColumnName: 'KEY' }],
			}),
			'actions[0].mappingTypes[0].resultFileColumnName',
		],
		[
			'two turfs in one action (rule 3)',
			withTurfs([{ mappingTypes: [TURF, TURF] }]),
			'actions[0].mappingTypes[1].name',
		],
		[
			'two turfs in two actions (rule 3)',
			withTurfs([{ mappingTypes: [TURF] }, { mappingTypes: [TURF] }]),
			'actions[1].mappingTypes[0].name',
		],
		['no actions', withBody({ actions: [] }), 'actions'],
		['actions as object', withBody({ actions: ACTION }), 'actions'],
		['unknown actionType', withAction({ actionType: 'LoadMappedFile' }), 'actions[0].actionType'],
		['unknown resource type', withAction({ resourceType: 'contacts' }), 'actions[0].resourceType'],
		[
			'two resource types on one file',
			withBody({
				actions: [
					ACTION,
					{
						...ACTION,
						resourceType: 'ContactsActivistCodes',
						mappingTypes: [
							{
								name: 'ActivistCode',
								fieldValueMappings: [{ fieldName: 'ActivistCodeID', columnName: 'Key' }],
							},
						],
					},
				],
			}),
			'actions[1].resourceType',
		],
		[
			'missing limit',
			withBody({ actions: [without(ACTION, 'resultFileSizeKbLimit')] }),
			'actions[0].resultFileSizeKbLimit',
		],
		[
			'limit as string',
			withAction({ resultFileSizeKbLimit: '5000' }),
			'actions[0].resultFileSizeKbLimit',
		],
		[
			'limit with fraction',
			withAction({ resultFileSizeKbLimit: 5000.5 }),
			'actions[0].resultFileSizeKbLimit',
		],
		[
			'limit too small',
			withAction({ resultFileSizeKbLimit: 4999 }),
			'actions[0].resultFileSizeKbLimit',
		],
		[
			'limit too large',
			withAction({ resultFileSizeKbLimit: 100001 }),
			'actions[0].resultFileSizeKbLimit',
		],
		['no mapping types', withAction({ mappingTypes: [] }), 'actions[0].mappingTypes'],
		[
			'property of action in other case',
			withAction({ MappingTypes: [] }),
			'actions[0].MappingTypes',
		],
		[
			'included column that is not in the file',
			withAction({ columnsToIncludeInResultsFile: [{ name: 'Other' }] }),
			'actions[0].columnsToIncludeInResultsFile[0].name',
		],
		[
			'unknown mapping type',
			withMappingType({ name: 'phones' }),
			'actions[0].mappingTypes[0].name',
		],
		[
			'mapping type of another resource type',
			withMappingType({
				name: 'ContributionAdjustments',
				fieldValueMappings: [{ fieldName: 'AdjustmentAmount', columnName: 'Key' }],
			}),
			'actions[0].mappingTypes[0].name',
		],
		[
			'unknown property of a mapping type',
			withMappingType({ ...PHONES, displayName: 'Phones' }),
			'actions[0].mappingTypes[0].displayName',
		],
		[
			'result column name as number',
			withMappingType({ ...PHONES, resultFileColumnName: 1 }),
			'actions[0].mappingTypes[0].resultFileColumnName',
		],
		['missing required field', withFieldMappings([PHONE]), mapping],
		['required fields in no column', withMappingType({ name: 'Suppressions' }), mapping],
		['no field in any column', withMappingType({ name: 'Salutations' }), mapping],
		['null field value mappings', withFieldMappings(null), mapping],
		[
			'unknown field',
			withFieldMappings([PHONE, TYPE_ID, { fieldName: 'Extension', columnName: 'Key' }]),
			`${mapping}[2].fieldName`,
		],
		[
			'field mapped twice',
			withFieldMappings([PHONE, TYPE_ID, { fieldName: 'PHONE', columnName: 'Key' }]),
			`${mapping}[2].fieldName`,
		],
		[
			'unknown column',
			withFieldMappings([{ fieldName: 'Phone', columnName: 'Cell' }, TYPE_ID]),
			`${mapping}[0].columnName`,
		],
		[
			'no column of the field name',
			withFieldMappings([{ fieldName: 'Phone' }, TYPE_ID]),
			`${mapping}[0]`,
		],
		[
			'static value and column',
			withFieldMappings([PHONE, { ...TYPE_ID, columnName: 'Key' }]),
			`${mapping}[1]`,
		],
		[
			'static value and translations',
			withFieldMappings([PHONE, { ...TYPE_ID, values: [{ sourceValue: 'a', targetValue: 'C' }] }]),
			`${mapping}[1].values`,
		],
		[
			'static value as number',
			withFieldMappings([PHONE, { fieldName: 'PhoneTypeID', staticValue: 1 }]),
			`${mapping}[1].staticValue`,
		],
		[
			'static value that is not predefined',
			withFieldMappings([PHONE, { fieldName: 'PhoneTypeID', staticValue: 'Z' }]),
			`${mapping}[1].staticValue`,
		],
		[
			'blank static value of a required field',
			withFieldMappings([{ fieldName: 'Phone', staticValue: '' }, TYPE_ID]),
			`${mapping}[0].staticValue`,
		],
		[
			'translation without target',
			withFieldMappings([{ ...PHONE, values: [{ sourceValue: 'a' }] }, TYPE_ID]),
			`${mapping}[0].values[0].targetValue`,
		],
		[
			'translations as object',
			withFieldMappings([{ ...PHONE, values: { a: 'b' } }, TYPE_ID]),
			`${mapping}[0].values`,
		],
		[
			'value translated twice',
			withFieldMappings([
				{
					...PHONE,
					values: [
						{ sourceValue: 'a', targetValue: 'b' },
						{ sourceValue: 'a', targetValue: 'c' },
					],
				},
				TYPE_ID,
			]),
			`${mapping}[0].values[1].sourceValue`,
		],
		[
			'static-only field from a column',
			withMappingType({
				name: 'CreateOrUpdateContact',
				fieldValueMappings: [{ fieldName: 'DoNotUpdateBest', columnName: 'Key' }],
			}),
			`${mapping}[0]`,
		],
		[
			'field without its parent field',
			withMappingType({
				name: 'ActivistCode',
				fieldValueMappings: [
					{ fieldName: 'ActivistCodeID', staticValue: '7001' },
					{ fieldName: 'DateCanvassed', columnName: 'Key' },
				],
			}),
			mapping,
		],
		[
			'archived activist code',
			withMappingType({
				name: 'ActivistCode',
				fieldValueMappings: [{ fieldName: 'ActivistCodeID', staticValue: '7002' }],
			}),
			`${mapping}[0].staticValue`,
		],
		[
			'custom fields of two groups (rule 2)',
			customFields(
				groupByColumn,
				{ fieldName: 'CF211', columnName: 'Key' },
				{ fieldName: 'CF221', columnName: 'Mobile' },
			),
			mapping,
		],
		[
			'custom field of another group than the static one (rule 2)',
			customFields(
				{ fieldName: 'CustomFieldGroupID', staticValue: '22' },
				{ fieldName: 'CF211', columnName: 'Key' },
			),
			mapping,
		],
		[
			'turf level left out (rule 3)',
			withMappingType({
				name: 'ApplyOrganzingTurfs',
				fieldValueMappings: [{ fieldName: 'CF901', columnName: 'Key' }],
			}),
			mapping,
		],
	])('%s', (_rule, body, path) => {
		const problems = problemsOf(body);
		expect(problems).toHaveLength(1);
		expect(problems[0]?.path).toBe(path);
	});

	it('names all problems in one response, those of shape and those of values', () => {
		const body = {
			...withFile({ hasHeader: 'yes', sourceUrl: 'http://files.example.org/x.zip' }),
			description: 'a<b',
			actions: [{ ...ACTION, mappingTypes: [PHONES, { name: 'Nothing', extra: true }] }],
		};
		expect(problemsOf(body).map((problem) => problem.path)).toEqual(
			expect.arrayContaining([
				'file.hasHeader',
				'file.sourceUrl',
				'description',
				'actions[0].mappingTypes[1].extra',
				'actions[0].mappingTypes[1].name',
			]),
		);
	});

	it('names problems between file and actions beside unknown properties', () => {
		const body = withFile({ ...columns('Mobile', 'NativeId'), encoding: 'utf-8' });
		expect(problemsOf(body).map((problem) => problem.path)).toEqual([
			'file.encoding',
			'file.columns[0].name',
		]);
	});

	it('does not call a parent field missing whose column is wrong', () => {
		const body = withMappingType({
			name: 'ActivistCode',
			fieldValueMappings: [
				{ fieldName: 'ActivistCodeID', staticValue: '7001' },
				{ fieldName: 'CanvassedBy', columnName: 'User' },
				{ fieldName: 'DateCanvassed', columnName: 'Key' },
			],
		});
		expect(problemsOf(body).map((problem) => problem.path)).toEqual([`${mapping}[1].columnName`]);
	});

	it('says what to do about a field that has neither column nor static value', () => {
		const [problem] = problemsOf(withFieldMappings([{ fieldName: 'Phone' }, TYPE_ID]));
		expect(problem?.text).toContain("neither 'staticValue' nor 'columnName'");
	});
});
