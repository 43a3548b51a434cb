import { BulkImportHarness } from './bulkImportHarness';

const harness = new BulkImportHarness();
const { service, store } = harness;

afterAll(() => service.close());

it('lists the resource types of the contract and the one only its column table names', () => {
	expect(service.catalogue.resourceTypes).toEqual([
		'Contacts',
		'Contributions',
		'ActivistCodes',
		'ContactsActivistCodes',
		'ContributionAdjustments',
	]);
});

it('lists every mapping type the documents name', () => {
	expect(service.catalogue.all().map((type) => type.name)).toEqual([
		'CreateOrUpdateContact',
		'MailingAddress',
		'Phones',
		'Email',
		'ApplyExternalID',
		'ApplyContactCustomFields',
		'ActivistCode',
		'CanvassResults',
		'Suppressions',
		'OriginSourceCode',
		'Salutations',
		'ApplyRelationships',
		'ApplyOrganzingTurfs',
		'Jobs',
		'ContributionAdjustments',
		'EditContributionDataContacts',
	]);
});

it('describes a mapping type with its fields', () => {
	expect(service.catalogue.find('Email')?.description).toEqual({
		name: 'Email',
		displayName: 'Email Address',
		allowMultipleMode: 'Multiple',
		resourceTypes: ['Contacts'],
		fields: [
			{
				name: 'Email',
				description: 'Email',
				hasPredefinedValues: false,
				isRequired: true,
				canBeMappedToColumn: true,
				canBeMappedByName: true,
				parents: null,
			},
			expect.objectContaining({
				name: 'EmailTypeId',
				hasPredefinedValues: true,
				parents: [{ parentFieldName: 'Email', limitedToParentValues: null }],
			}),
			expect.objectContaining({ name: 'EmailSubscriptionStatusId' }),
		],
	});
});

it('limits a custom field to the group it belongs to', () => {
	const field = service.catalogue
		.find('ApplyContactCustomFields')
		?.description.fields.find((one) => one.name === 'CF221');
	expect(field?.parents).toEqual([
		{
			parentFieldName: 'CustomFieldGroupID',
			limitedToParentValues: [{ id: '22', name: 'Interests' }],
		},
	]);
});

it('gives predefined values with text ids, by field name in any case', () => {
	expect(service.catalogue.fieldValues('ActivistCode', 'activistcodeid')).toEqual([
		{ id: '7001', name: 'Volunteer', parents: null },
	]);
});

it('says under which values of the level above a turf value exists', () => {
	expect(service.catalogue.fieldValues('ApplyOrganzingTurfs', 'CF902')).toContainEqual({
		id: 'Valley',
		name: 'Valley',
		parents: [{ parentFieldName: 'CF901', allowedParentValues: [{ id: 'South', name: 'South' }] }],
	});
});

it('offers source codes that were created later', () => {
	const [code] = store.codes.values();
	if (!code) throw new Error('The tenant has no code');
	store.codes.set(777, { ...code, codeId: 777, name: 'Autumn appeal' });
	expect(service.catalogue.fieldValues('OriginSourceCode', 'CodeId')).toContainEqual({
		id: '777',
		name: 'Autumn appeal',
		parents: null,
	});
});

it('has no values for a free field and knows no other names', () => {
	expect(service.catalogue.fieldValues('Phones', 'Phone')).toEqual([]);
	expect(service.catalogue.fieldValues('Phones', 'Nothing')).toBeUndefined();
	expect(service.catalogue.fieldValues('Nothing', 'Phone')).toBeUndefined();
	expect(service.catalogue.find('email')).toBeUndefined();
});
