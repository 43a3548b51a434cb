import { rejectedProperties, useSandbox } from './sandboxCalls';

type Json = Record<string, unknown>;

const service = useSandbox();

const PHONE = { fieldName: 'Phone', columnName: 'Mobile' };
const TYPE_ID = { fieldName: 'PhoneTypeID', staticValue: 'C' };
const PHONES = { name: 'Phones', fieldValueMappings: [PHONE, TYPE_ID] };
const columns = (names: string) => ({ columns: names.split(' ').map((name) => ({ name })) });
const FILE = {
	fileName: 'people.csv',
	sourceUrl: 'https://files.example.org/people.zip',
	...columns('NativeId Mobile Key'),
};
const ACTION = {
	actionType: 'loadMappedFile',
	resourceType: 'Contacts',
	resultFileSizeKbLimit: 5000,
	mappingTypes: [PHONES],
};

const withBody = (changes: Json): Json => ({
	description: 'Nightly sync',
	file: FILE,
	actions: [ACTION],
	...changes,
});
const withFile = (changes: Json) => withBody({ file: { ...FILE, ...changes } });
const withActions = (...actions: Json[]) =>
	withBody({ actions: actions.map((changes) => ({ ...ACTION, ...changes })) });
const withType = (mappingType: Json, names = 'NativeId Mobile Key', action: Json = {}) => ({
	...withActions({ ...action, mappingTypes: [mappingType] }),
	file: { ...FILE, ...columns(names) },
});
const withFields = (...fieldValueMappings: unknown[]) =>
	withType({ name: 'Phones', fieldValueMappings });
const fixed = (fieldName: string, staticValue: string) => ({ fieldName, staticValue });
const fromKey = (fieldName: string) => ({ fieldName, columnName: 'Key' });
const TURF = { name: 'ApplyOrganzingTurfs' };
const withTurfs = (...actions: Json[]) => ({
	...withActions(...actions),
	file: { ...FILE, ...columns('NativeId CF401 CF402 CF403') },
});

const problemsOf = async (body: unknown) =>
	rejectedProperties(await service.post('/v2/bulkImportJobs', body));

describe('a body that breaks one rule is rejected with the path of the property', () => {
	const action = 'actions[0]';
	const type = `${action}.mappingTypes[0]`;
	const mapping = `${type}.fieldValueMappings`;

	// test/engine/jobPreflight.test.ts shows those of the fields of a mapping type.
	it.each<[string, unknown, string]>([
		['a description with <', withBody({ description: 'a<b' }), 'description'],
		['an unknown property', withBody({ resultFileSizeKbLimit: 1 }), 'resultFileSizeKbLimit'],
		['an http source', withFile({ sourceUrl: 'http://example.org/x.zip' }), 'file.sourceUrl'],
		[
			'51 columns',
			withFile(
				columns(`NativeId Mobile ${Array.from({ length: 49 }, (_, i) => `C${i}`).join(' ')}`),
			),
			'file.columns',
		],
		['a column with a sign', withFile(columns('NativeId Mobile E_1')), 'file.columns[2].name'],
		['a column twice', withFile(columns('NativeId Mobile MOBILE')), 'file.columns[2].name'],
		[
			'a first column that is not the ID',
			withFile(columns('Mobile NativeId')),
			'file.columns[0].name',
		],
		['the ID of the other version', withFile(columns('VanId Mobile')), 'file.columns[0].name'],
		[
			'an ID mapped from a later column',
			withFields(PHONE, TYPE_ID, fromKey('NativeId')),
			`${mapping}[2]`,
		],
		[
			'activist codes of contacts without their ID',
			withType({ name: 'ActivistCode' }, 'ActivistCodeID NativeId', {
				resourceType: 'ContactsActivistCodes',
			}),
			'file.columns[0].name',
		],
		[
			'one label for two mapping types',
			withActions({
				mappingTypes: ['Result', 'RESULT'].map((label) => ({
					...PHONES,
					resultFileColumnName: label,
				})),
			}),
			`${action}.mappingTypes[1].resultFileColumnName`,
		],
		[
			'the label of an included column',
			withActions({
				columnsToIncludeInResultsFile: [{ name: 'Key' }],
				mappingTypes: [{ ...PHONES, resultFileColumnName: 'KEY' }],
			}),
			`${type}.resultFileColumnName`,
		],
		[
			'two turfs in two actions (rule 3)',
			withTurfs({ mappingTypes: [TURF] }, { mappingTypes: [TURF] }),
			'actions[1].mappingTypes[0].name',
		],
		[
			'two resource types on one file',
			withActions(
				{},
				{
					resourceType: 'ContactsActivistCodes',
					mappingTypes: [{ name: 'ActivistCode', fieldValueMappings: [fromKey('ActivistCodeID')] }],
				},
			),
			'actions[1].resourceType',
		],
		...['5000', 5000.5, 4999, 100_001].map((limit): [string, unknown, string] => [
			`the size limit ${JSON.stringify(limit)}`,
			withActions({ resultFileSizeKbLimit: limit }),
			`${action}.resultFileSizeKbLimit`,
		]),
		[
			'an included column that is not in the file',
			withActions({ columnsToIncludeInResultsFile: [{ name: 'Other' }] }),
			`${action}.columnsToIncludeInResultsFile[0].name`,
		],
		[
			'a field mapped twice',
			withFields(PHONE, TYPE_ID, fromKey('PHONE')),
			`${mapping}[2].fieldName`,
		],
		[
			'an unknown column',
			withFields({ fieldName: 'Phone', columnName: 'Cell' }, TYPE_ID),
			`${mapping}[0].columnName`,
		],
		['neither column nor value', withFields({ fieldName: 'Phone' }, TYPE_ID), `${mapping}[0]`],
		['a column and a value', withFields(PHONE, { ...TYPE_ID, columnName: 'Key' }), `${mapping}[1]`],
		[
			'a value and translations',
			withFields(PHONE, { ...TYPE_ID, values: [{ sourceValue: 'a', targetValue: 'C' }] }),
			`${mapping}[1].values`,
		],
		[
			'a value translated twice',
			withFields(
				{ ...PHONE, values: ['b', 'c'].map((targetValue) => ({ sourceValue: 'a', targetValue })) },
				TYPE_ID,
			),
			`${mapping}[0].values[1].sourceValue`,
		],
		[
			'an archived activist code',
			withType({
				name: 'ActivistCode',
				fieldValueMappings: [fixed('ActivistCodeID', '7004')],
			}),
			`${mapping}[0].staticValue`,
		],
	])('%s', async (_, body, property) => {
		expect(await problemsOf(body)).toEqual([property]);
		expect(service.jobs()).toEqual([]);
	});

	it('with all problems in one response, those of shape and those of values', async () => {
		const body = {
			...withFile({ hasHeader: 'yes', sourceUrl: 'http://files.example.org/x.zip' }),
			description: 'a<b',
			actions: [{ ...ACTION, mappingTypes: [PHONES, { name: 'Nothing', extra: true }] }],
		};
		expect(await problemsOf(body)).toEqual(
			expect.arrayContaining([
				'file.hasHeader',
				'file.sourceUrl',
				'description',
				`${action}.mappingTypes[1].extra`,
				`${action}.mappingTypes[1].name`,
			]),
		);
	});
});
