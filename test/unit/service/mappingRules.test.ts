import {
	type FilledField,
	type MappingTypeDescription,
	mappingTypeProblems,
} from '../../../nodes/shared/service/mappingRules';
import { vocabularyOf } from '../../../nodes/shared/service/connection';

const byColumn = (...fields: string[]): FilledField[] =>
	fields.map((field) => ({ field, fixedValue: undefined }));
const fixed = (field: string, fixedValue: string): FilledField => ({ field, fixedValue });

const problemsOf = (
	description: MappingTypeDescription,
	filled: FilledField[],
	resourceType = 'Contacts',
) =>
	mappingTypeProblems(
		description,
		(field = description.name) => field,
		resourceType,
		filled,
		vocabularyOf('Native'),
	).map((problem) => ('field' in problem ? `${problem.field} ${problem.text}` : problem.text));

const phones: MappingTypeDescription = {
	name: 'Phones',
	fields: [
		{ name: 'Phone', isRequired: true },
		{ name: 'PhoneTypeID', parents: [{ parentFieldName: 'Phone' }] },
	],
};

test('a missing parent that is required is named once', () => {
	expect(problemsOf(phones, byColumn('PhoneTypeID'))).toEqual([
		'Phone is required. Map a column to it, or enter one value for all rows.',
	]);
});

test('a field may have the record ID as its parent, which the first column gives', () => {
	const jobs: MappingTypeDescription = {
		name: 'Jobs',
		fields: [{ name: 'Employer', parents: [{ parentFieldName: 'NativeId' }] }],
	};
	expect(problemsOf(jobs, byColumn('Employer'))).toEqual([]);
});

test.each([
	['Contacts', 'NativeId'],
	['Contributions', 'ContributionId'],
	['ContributionAdjustments', 'ContributionId'],
])('an import of %s may map %s in any mapping type, which alone imports nothing', (type, id) => {
	expect(problemsOf(phones, byColumn('Phone', id), type)).toEqual([]);
	expect(problemsOf(phones, byColumn(id), type)).toEqual([
		expect.stringMatching(/^Only the ID is mapped to Phones/),
	]);
});

test('of fields that are not described nothing is said', () => {
	expect(problemsOf({ name: 'Phones' }, byColumn('Phon'))).toEqual([]);
	expect(problemsOf({ name: 'Phones', fields: [] }, byColumn('Phon'))).toEqual([]);
});

describe('custom fields', () => {
	const inGroup = (name: string, ...groups: unknown[]) => ({
		name,
		parents: [{ parentFieldName: 'CustomFieldGroupID', limitedToParentValues: groups }],
	});
	const customFields: MappingTypeDescription = {
		name: 'ApplyContactCustomFields',
		fields: [
			{ name: 'CustomFieldGroupID', isRequired: true },
			inGroup('CF1', { id: '7', name: 'Membership' }),
			inGroup('CF2', 7),
			inGroup('CF3', { id: 8, name: 'Volunteering' }),
			inGroup('CF4', { id: '7', name: 'Membership' }, { id: '8', name: 'Volunteering' }),
			{ name: 'CF5' },
		],
	};
	const anyGroup = ['CF4', 'CF5'];

	test.each([
		['its number', fixed('CustomFieldGroupID', ' 7 ')],
		['a column', byColumn('CustomFieldGroupID')],
	])('of one group go together, given by %s', (_, group) => {
		const filled = [group, byColumn('CF1', 'CF2', ...anyGroup)].flat();
		expect(problemsOf(customFields, filled)).toEqual([]);
	});

	test('go with the name of their group', () => {
		const filled = [fixed('customfieldgroupid', 'membership'), ...byColumn('CF1', ...anyGroup)];
		expect(problemsOf(customFields, filled)).toEqual([]);
	});

	test('need no group where the node adds it, but none may be blank', () => {
		expect(problemsOf(customFields, byColumn('CF1', 'CF3'))).toEqual([]);
		expect(
			problemsOf(customFields, [fixed('CustomFieldGroupID', ' '), ...byColumn('CF1')]),
		).toEqual([expect.stringMatching(/^CustomFieldGroupID is required/)]);
	});
});
