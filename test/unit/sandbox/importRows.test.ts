import { useSandbox } from './sandboxCalls';

const service = useSandbox();

const OK = 'Processed';

describe('each row gets the outcome of its mapping type', () => {
	it.each<[string, string, Record<string, string>]>([
		[
			'CreateOrUpdateContact',
			'NativeId,LastName,Email,Phone,DOB',
			{
				'100001,Renamed,,907-555-0100,2/3/1980': OK,
				',Good,good@example.org,,': OK,
				',Bad,nonsense,,': 'Invalid email address',
				',Bad,,123,': 'Invalid phone number',
				',Bad,,,31/31/1980': 'Invalid date of birth',
				'99,Bad,,,': 'No person found',
				',,,,': 'No values to import',
			},
		],
		[
			'MailingAddress',
			'NativeId,MailingAddress,MailingStateOrProvince,MailingCountryCode,MailingDisplayAsEntered',
			{
				'100001,1 Elm St,AK,us,Y': OK,
				'100001,2 Oak St,,US,N': OK,
				'100002,1 Elm St,Alaska,US,Y': 'Invalid state or province',
				'100002,1 Elm St,AK,United States,Y': 'Invalid country code',
				'100002,1 Elm St,AK,,Y': 'MailingCountryCode is required',
			},
		],
		[
			'Phones',
			'NativeId,Phone,PhoneTypeID,PhoneOptInStatusID',
			{
				'100001,907-555-0199,cell,1': OK,
				'100001,907-555-0198,W,Opt Out': OK,
				'100001,907-555-0100,W,': 'Ignored to avoid overwriting best phone',
				'100002,555-0100,C,': 'Invalid phone number',
				'100002,,C,': 'Phone is required',
				'100002,907-555-0102,X,': 'Invalid value for PhoneTypeID',
				'7,907-555-0103,C,': 'No person found',
				'x,907-555-0104,C,': 'No person found',
			},
		],
		[
			'ApplyExternalID',
			'NativeId,ExternalIdTypeID,ExternalId',
			{
				'100001,CrmId,A-1': OK,
				'100001,1,A-2': OK,
				'100002,1,a-2': 'External ID already belongs to another contact',
				'100002,1,A-1': OK,
			},
		],
		[
			'ApplyContactCustomFields',
			'NativeId,CustomFieldGroupID,CF301,CF302',
			{
				'100001,201,member,gold': OK,
				'100001,Membership,Friend,': OK,
				'100002,202,Member,': 'CF301 does not belong to CustomFieldGroupID 202',
				'100002,201,Bronze,': 'Invalid value for CF301',
			},
		],
		[
			'CanvassResults',
			'NativeId,ContactTypeID,ResultID,DateCanvassed,CanvassedBy,Phone',
			{
				'100001,Phone,20,2026-03-01,61,907-555-0100': OK,
				'100001,Walk,20,2026-03-01,61,': 'Invalid value for ResultID with this ContactTypeID',
			},
		],
	])('%s', async (name, columns, outcomes) => {
		const { rows } = await service.import({
			columns,
			rows: Object.keys(outcomes),
			mappingTypes: [{ name, resultFileColumnName: 'Result' }],
		});
		expect(rows.map(({ Result }) => Result)).toEqual(Object.values(outcomes));
	});
});

test('a row writes to the person with the ID, with the external identifier, or who matches, else to a new one', async () => {
	const { rows } = await service.import({
		columns: 'NativeId,Crm,FirstName,LastName,Email',
		rows: [
			'100003,,,Named,',
			',demo-2,,Found,',
			',,Avery,Sample,AVERY.sample@demo.example.org',
			',,New,Person,new@example.org',
		],
		mappingTypes: [
			{
				name: 'CreateOrUpdateContact',
				fieldValueMappings: [
					{ fieldName: 'External_1ID', columnName: 'Crm' },
					...['FirstName', 'LastName', 'Email'].map((fieldName) => ({ fieldName })),
				],
			},
		],
	});
	expect(rows.map(({ PrimaryKey }) => PrimaryKey)).toEqual([
		'100003',
		'100002',
		'100001',
		'100007',
	]);
});
