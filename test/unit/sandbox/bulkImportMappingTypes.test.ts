import { indexPerson } from '../../../sandbox/store/matching';
import { BulkImportHarness, type ImportInput } from './bulkImportHarness';

let harness: BulkImportHarness;

beforeEach(() => {
	harness = new BulkImportHarness();
});

afterEach(() => harness.service.close());

/** Imports rows under one mapping type and returns its messages, with the ids of the records. */
async function outcomes(
	name: string,
	columns: string[],
	rows: string[],
	more: { fieldValueMappings?: unknown[] } & Partial<ImportInput> = {},
) {
	const { fieldValueMappings, ...input } = more;
	const { record, rows: results } = await harness.run({
		content: rows.join('\n'),
		columns,
		mappingTypes: [
			{ name, resultFileColumnName: 'Result', ...(fieldValueMappings && { fieldValueMappings }) },
		],
		...input,
	});
	return {
		record,
		messages: results.map((row) => row.Result),
		keys: results.map((row) => row.PrimaryKey),
	};
}

describe('CreateOrUpdateContact', () => {
	const columns = ['NativeId', 'FirstName', 'LastName', 'Email', 'Phone', 'DOB', 'City'];

	it('updates the person with the given id and leaves blanks unchanged', async () => {
		const { messages, keys } = await outcomes('CreateOrUpdateContact', columns, [
			'1001,,Renamed,,907-555-0100,2/3/1980,Nome',
		]);
		expect({ messages, keys }).toEqual({ messages: ['Processed'], keys: ['1001'] });
		const person = harness.person(1001);
		expect(person.fields).toMatchObject({
			firstName: 'Sample',
			lastName: 'Renamed',
			dateOfBirth: '1980-02-03',
		});
		expect(person.phones).toMatchObject([{ phoneNumber: '9075550100', phoneType: 'H' }]);
		expect(person.addresses).toMatchObject([{ city: 'Nome', type: 'Home' }]);
		expect(person.emails).toHaveLength(1);
	});

	it('updates the matching person when no id is given', async () => {
		const { keys } = await outcomes('CreateOrUpdateContact', columns, [
			',Sample,Person,PERSON1001@example.org,,,',
		]);
		expect(keys).toEqual(['1001']);
		expect(harness.store.people.size).toBe(2);
	});

	it('creates a person that matches none', async () => {
		const { keys } = await outcomes('CreateOrUpdateContact', columns, [
			',New,Person,new@example.org,,,',
		]);
		expect(keys).toEqual(['1003']);
		expect(harness.person(1003).fields).toMatchObject({ firstName: 'New', lastName: 'Person' });
	});

	it('finds people by external identifier', async () => {
		harness.person(1002).identifiers.push({ type: 'crm', externalId: 'A-1' });
		indexPerson(harness.store, harness.person(1002));
		const { keys } = await outcomes('CreateOrUpdateContact', ['Crm', 'LastName'], ['a-1,Found'], {
			fieldValueMappings: [
				{ fieldName: 'External_1ID', columnName: 'Crm' },
				{ fieldName: 'LastName' },
			],
		});
		expect(keys).toEqual(['1002']);
		expect(harness.person(1002).fields.lastName).toBe('Found');
	});

	it('rejects rows with invalid values and writes nothing of them', async () => {
		const { messages, record } = await outcomes('CreateOrUpdateContact', columns, [
			',Good,Person,good@example.org,,,',
			',Bad,Person,nonsense,,,',
			',Bad,Person,,123,,',
			',Bad,Person,,,31/31/1980,',
			'9999,Bad,Person,,,,',
			',,,,,,',
		]);
		expect(messages).toEqual([
			'Processed',
			'Invalid email address',
			'Invalid phone number',
			'Invalid date of birth',
			'No person found',
			'No values to import',
		]);
		expect(record.status).toBe('CompletedWithErrors');
		expect(harness.store.people.size).toBe(3);
	});

	it('keeps the best phone when the job says so', async () => {
		const mappings = (staticValue: string) => ({
			fieldValueMappings: [
				{ fieldName: 'Phone', columnName: 'Number' },
				{ fieldName: 'DoNotUpdateBest', staticValue },
			],
		});
		await outcomes(
			'CreateOrUpdateContact',
			['NativeId', 'Number'],
			['1001,907-555-0100'],
			mappings('N'),
		);
		await outcomes(
			'CreateOrUpdateContact',
			['NativeId', 'Number'],
			['1001,907-555-0101'],
			mappings('Y'),
		);
		expect(harness.person(1001).phones).toMatchObject([
			{ phoneNumber: '9075550100', isPreferred: true },
			{ phoneNumber: '9075550101', isPreferred: false },
		]);
	});

	it('finds the person for the mapping types beside it, whatever their order', async () => {
		const { rows } = await harness.run({
			content: 'New,new@example.org,501',
			columns: ['LastName', 'Email', 'CodeId'],
			mappingTypes: [{ name: 'OriginSourceCode' }, { name: 'CreateOrUpdateContact' }],
		});
		expect(Object.keys(rows[0] ?? {}).slice(4)).toEqual([
			'OriginSourceCode_1001',
			'CreateOrUpdateContact_1002',
		]);
		expect(harness.person(1003).originSourceCodeId).toBe(501);
	});
});

describe('mapping types for a person named by id', () => {
	it('MailingAddress fills the one mailing address and leaves blanks unchanged', async () => {
		const columns = [
			'NativeId',
			'MailingAddress',
			'MailingCity',
			'MailingStateOrProvince',
			'MailingCountryCode',
			'MailingDisplayAsEntered',
		];
		const { messages } = await outcomes('MailingAddress', columns, [
			'1001,1 Elm St,Nome,AK,us,Y',
			'1001,2 Oak St,,,US,N',
			'1002,1 Elm St,Nome,Alaska,US,Y',
			'1002,1 Elm St,Nome,AK,United States,Y',
			'1002,1 Elm St,Nome,AK,,Y',
		]);
		expect(messages).toEqual([
			'Processed',
			'Processed',
			'Invalid state or province',
			'Invalid country code',
			'MailingCountryCode is required',
		]);
		expect(harness.person(1001).addresses).toMatchObject([
			{ addressLine1: '2 Oak St', city: 'Nome', countryCode: 'US', type: 'Mailing' },
		]);
		expect(harness.person(1001).addresses).toHaveLength(1);
	});

	it('Phones adds phones and protects the best one', async () => {
		const columns = ['NativeId', 'Phone', 'PhoneTypeID', 'PhoneOptInStatusID'];
		const { messages } = await outcomes('Phones', columns, [
			'1001,907-555-0100,cell,1',
			'1001,907-555-0100,W,',
			'1001,907-555-0101,W,Opt Out',
			'1002,555-0100,C,',
			'1002,,C,',
			'1002,907-555-0102,X,',
			'7,907-555-0103,C,',
			'x,907-555-0104,C,',
		]);
		expect(messages).toEqual([
			'Processed',
			'Ignored to avoid overwriting best phone',
			'Processed',
			'Invalid phone number',
			'Phone is required',
			'Invalid value for PhoneTypeID',
			'No person found',
			'No person found',
		]);
		expect(harness.person(1001).phones).toMatchObject([
			{ phoneNumber: '9075550100', phoneType: 'C', phoneOptInStatus: 'I' },
			{ phoneNumber: '9075550101', phoneType: 'W', phoneOptInStatus: 'O' },
		]);
	});

	it('Email adds addresses with type and subscription', async () => {
		const columns = ['NativeId', 'Email', 'EmailTypeId', 'EmailSubscriptionStatusId'];
		const { messages } = await outcomes('Email', columns, [
			'1001,work@example.org,Work,2',
			'1001,nonsense,,',
		]);
		expect(messages).toEqual(['Processed', 'Invalid email address']);
		expect(harness.person(1001).emails[1]).toMatchObject({
			email: 'work@example.org',
			type: 'W',
			subscriptionStatus: 'S',
		});
	});

	it('ApplyExternalID replaces the identifier of the type and keeps it unique', async () => {
		const { messages } = await outcomes(
			'ApplyExternalID',
			['NativeId', 'Type', 'Key'],
			['1001,crm,A-1', '1001,1,A-2', '1001,shop,S-1', '1002,1,a-2', '1002,1,A-1'],
			{
				fieldValueMappings: [
					{ fieldName: 'ExternalIdTypeID', columnName: 'Type' },
					{ fieldName: 'ExternalId', columnName: 'Key' },
				],
			},
		);
		expect(messages).toEqual([
			'Processed',
			'Processed',
			'Processed',
			'External ID already belongs to another contact',
			'Processed',
		]);
		expect(harness.person(1001).identifiers).toEqual([
			{ type: 'crm', externalId: 'A-2' },
			{ type: 'shop', externalId: 'S-1' },
		]);
	});

	it('ApplyContactCustomFields sets fields of one group', async () => {
		const columns = ['NativeId', 'CustomFieldGroupID', 'CF211', 'CF212'];
		const { messages } = await outcomes('ApplyContactCustomFields', columns, [
			'1001,21,North,gold',
			'1001,Membership,South,',
			'1002,22,North,',
			'1002,21,,Bronze',
		]);
		expect(messages).toEqual([
			'Processed',
			'Processed',
			'CF211 does not belong to CustomFieldGroupID 22',
			'Invalid value for CF212',
		]);
		expect(harness.person(1001).customFieldValues).toEqual(
			expect.arrayContaining([
				{ customFieldId: 211, customFieldGroupId: 21, assignedValue: 'South' },
				{ customFieldId: 212, customFieldGroupId: 21, assignedValue: 'Gold' },
			]),
		);
	});

	it.each(['Contacts', 'ContactsActivistCodes'])(
		'ActivistCode applies codes to %s',
		async (resourceType) => {
			const columns = ['NativeId', 'ActivistCodeID', 'CanvassedBy', 'DateCanvassed'];
			const { messages } = await outcomes(
				'ActivistCode',
				columns,
				['1001,Volunteer,88,2026-03-01', '1002,7001,,', '1002,7002,,', '1002,7001,,2026-03-01'],
				{ resourceType },
			);
			expect(messages).toEqual([
				'Processed',
				'Processed',
				'Invalid value for ActivistCodeID',
				'DateCanvassed can be used only together with CanvassedBy',
			]);
			expect(harness.person(1001).activistCodes).toEqual([
				{ activistCodeId: 7001, dateCanvassed: '2026-03-01', canvassedBy: 88 },
			]);
		},
	);

	it('CanvassResults stores a response and takes a wrong number out of use', async () => {
		const columns = [
			'NativeId',
			'ContactTypeID',
			'ResultID',
			'DateCanvassed',
			'CanvassedBy',
			'Phone',
		];
		const { messages } = await outcomes('CanvassResults', columns, [
			'1001,Phone,20,2026-03-01,88,907-555-0100',
			'1001,Walk,20,2026-03-01,88,',
			'1001,Phone,1,yesterday,88,',
		]);
		expect(messages).toEqual([
			'Processed',
			'Invalid value for ResultID with this ContactTypeID',
			'Invalid value for DateCanvassed',
		]);
		const [phone] = harness.person(1001).phones;
		expect(phone).toMatchObject({ phoneNumber: '9075550100', isSuppressed: true });
		expect(harness.store.canvassResponses).toMatchObject([
			{
				nativeId: 1001,
				body: { canvassContext: { contactTypeId: 1, phoneId: phone?.phoneId }, resultCodeId: 20 },
			},
		]);
	});

	it('Suppressions adds the suppression once', async () => {
		const rows = ['1001,NC', '1001,Do not call', '1001,XX'];
		const { messages } = await outcomes('Suppressions', ['NativeId', 'SuppressionID'], rows);
		expect(messages).toEqual(['Processed', 'Processed', 'Invalid value for SuppressionID']);
		expect(harness.person(1001).suppressions).toEqual([{ suppressionCode: 'NC' }]);
	});

	it('OriginSourceCode accepts source codes by id and by name', async () => {
		const rows = ['1001,501', '1002,spring APPEAL', '1002,502'];
		const { messages } = await outcomes('OriginSourceCode', ['NativeId', 'CodeId'], rows);
		expect(messages).toEqual(['Processed', 'Processed', 'Invalid value for CodeId']);
		expect(harness.person(1002).originSourceCodeId).toBe(501);
	});

	it('Salutations writes names', async () => {
		await outcomes('Salutations', ['NativeId', 'Salutation', 'LastName'], ['1001,Dear friend,']);
		expect(harness.person(1001).fields).toMatchObject({
			salutation: 'Dear friend',
			lastName: 'Person',
		});
	});

	it('ApplyRelationships adds relationships and overwrites them on demand', async () => {
		const columns = [
			'NativeId',
			'SecondaryNativeID',
			'Relationship',
			'OverwriteExistingRelationship',
		];
		const { messages } = await outcomes('ApplyRelationships', columns, [
			'1001,1002,Spouse,',
			'1001,1002,Child,',
			'1002,1001,Spouse,N',
			'1002,1001,2,Y',
			'1001,1001,Spouse,',
			'1001,9999,Spouse,',
			'1001,1002,Cousin,',
		]);
		expect(messages).toEqual([
			...Array.from({ length: 4 }, () => 'Processed'),
			'A person cannot have a relationship with itself',
			'No person found for SecondaryNativeID',
			'Invalid value for Relationship',
		]);
		expect(harness.person(1001).relationships).toEqual([
			{ secondaryNativeId: 1002, relationship: 'Spouse' },
			{ secondaryNativeId: 1002, relationship: 'Child' },
		]);
		expect(harness.person(1002).relationships).toEqual([
			{ secondaryNativeId: 1001, relationship: 'Child' },
		]);
	});

	it('ApplyOrganzingTurfs overwrites the one turf of a person', async () => {
		const rows = ['1001,North,Hills', '1001,South,Valley'];
		const { messages } = await outcomes(
			'ApplyOrganzingTurfs',
			['NativeId', 'CF901', 'CF902'],
			rows,
		);
		expect(messages).toEqual(['Processed', 'Processed']);
		expect(harness.person(1001).organizingTurf).toEqual({ CF901: 'South', CF902: 'Valley' });
	});

	it.each(['1002,South,Harbour', '1002,West,Harbour', '1002,North,'])(
		'ApplyOrganzingTurfs fails the whole job for values outside the hierarchy: %s',
		async (row) => {
			const { record } = await outcomes(
				'ApplyOrganzingTurfs',
				['NativeId', 'CF901', 'CF902'],
				['1001,North,Hills', row],
			);
			expect(record).toMatchObject({ status: 'Failed', resultFiles: null });
			expect(record.errors[0]?.text).toMatch(/^Row 2: ApplyOrganzingTurfs: /);
			expect(harness.person(1001).organizingTurf).toBeNull();
		},
	);

	it('Jobs keeps several jobs per person and overwrites values of a known one', async () => {
		const columns = ['NativeId', 'Employer', 'HireDate', 'IsTerminated', 'Wage'];
		const { messages } = await outcomes('Jobs', columns, [
			'1001,Mill,2020-01-02,N,20.5',
			'1001,Harbour,1/2/2021,,',
			'1001,mill,,Y,21',
		]);
		expect(messages).toEqual(['Processed', 'Processed', 'Processed']);
		expect(harness.person(1001).jobs).toEqual([
			{ Employer: 'mill', HireDate: '2020-01-02', IsTerminated: 'Y', Wage: '21' },
			{ Employer: 'Harbour', HireDate: '1/2/2021' },
		]);
	});

	it.each(['1002,Mill,soon,,', '1002,Mill,2026-02-30,,', '1002,Mill,,maybe,', '1002,Mill,,,a lot'])(
		'Jobs fails the whole job for an invalid value: %s',
		async (row) => {
			const columns = ['NativeId', 'Employer', 'HireDate', 'IsTerminated', 'Wage'];
			const { record } = await outcomes('Jobs', columns, ['1001,Mill,,,', row]);
			expect(record.status).toBe('Failed');
			expect(record.errors).toEqual([
				{
					code: 'INVALID_PARAMETER',
					referenceCode: expect.any(String),
					text: expect.stringMatching(/^Row 2: Jobs: Invalid value for /),
				},
			]);
			expect(harness.person(1001).jobs).toEqual([]);
		},
	);
});

describe.each(['Contributions', 'ContributionAdjustments'])(
	'mapping types for %s',
	(resourceType) => {
		it('ContributionAdjustments changes the amount', async () => {
			const { messages, keys } = await outcomes(
				'ContributionAdjustments',
				['ContributionId', 'AdjustmentAmount', 'AdjustmentTypeID'],
				['301,-20.05,Refund', '301,-40,', '302,5,', '301,five,'],
				{ resourceType },
			);
			expect(messages).toEqual([
				'Processed',
				'The adjustment is larger than the contribution',
				'No contribution found',
				'Invalid value for AdjustmentAmount',
			]);
			expect(keys).toEqual(['301', '301', '', '301']);
			expect(harness.store.contributions.get(301)).toMatchObject({
				amount: 30.05,
				fields: { AdjustmentAmount: '-20.05', AdjustmentTypeID: '1' },
			});
		});

		it('EditContributionDataContacts edits what is given', async () => {
			const { messages } = await outcomes(
				'EditContributionDataContacts',
				['ContributionId', 'DateReceived', 'Designation', 'Notes'],
				['301,2/1/2026,,Late', '301,never,,'],
				{ resourceType },
			);
			expect(messages).toEqual(['Processed', 'Invalid value for DateReceived']);
			expect(harness.store.contributions.get(301)).toMatchObject({
				dateReceived: '2026-02-01',
				designation: null,
				fields: { Notes: 'Late' },
			});
		});
	},
);

describe('values', () => {
	it('are translated before they are checked', async () => {
		const { messages } = await outcomes(
			'Phones',
			['NativeId', 'Number', 'Kind'],
			['1001,907-555-0100,mobile'],
			{
				fieldValueMappings: [
					{ fieldName: 'Phone', columnName: 'NUMBER' },
					{
						fieldName: 'PhoneTypeID',
						columnName: 'kind',
						values: [{ sourceValue: 'mobile', targetValue: 'C' }],
					},
				],
			},
		);
		expect(messages).toEqual(['Processed']);
		expect(harness.person(1001).phones[0]?.phoneType).toBe('C');
	});

	it('may name the person in a column of another name', async () => {
		const { keys } = await outcomes('Suppressions', ['Person', 'Code'], ['1002,NE'], {
			fieldValueMappings: [
				{ fieldName: 'NativeId', columnName: 'Person' },
				{ fieldName: 'SuppressionID', columnName: 'Code' },
			],
		});
		expect(keys).toEqual(['1002']);
	});

	it('use the words of the vocabulary', async () => {
		harness = new BulkImportHarness({}, 'Van');
		const { rows } = await harness.run({
			content: '1001,1002,Spouse',
			columns: ['vanid', 'SecondaryVanID', 'Relationship'],
			mappingTypes: [{ name: 'ApplyRelationships' }],
		});
		expect(rows).toMatchObject([{ PrimaryKey: '1001', PrimaryKeyType: 'VanID' }]);
		expect(harness.person(1001).relationships).toHaveLength(1);
	});
});
