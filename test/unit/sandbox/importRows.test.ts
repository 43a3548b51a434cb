import { downloadZip } from 'client-zip';

import { useSandbox, type ImportInput } from './sandboxCalls';

const service = useSandbox();

const person = (nativeId: number) => {
	const found = service.sandbox.control.people('demo').find((one) => one.nativeId === nativeId);
	if (!found) throw new Error(`No person ${nativeId}`);
	return found;
};

describe('each row gets the outcome of its mapping type', () => {
	const OK = 'Processed';

	it.each<[string, string, Record<string, string>, string?]>([
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
			'ActivistCode',
			'NativeId,ActivistCodeID,CanvassedBy,DateCanvassed',
			{
				'100001,7001,61,2026-03-01': OK,
				'100002,7004,,': 'Invalid value for ActivistCodeID',
				'100002,7001,,2026-03-01': 'DateCanvassed can be used only together with CanvassedBy',
			},
			'ContactsActivistCodes',
		],
		[
			'CanvassResults',
			'NativeId,ContactTypeID,ResultID,DateCanvassed,CanvassedBy,Phone',
			{
				'100001,Phone,20,2026-03-01,61,907-555-0100': OK,
				'100001,Walk,20,2026-03-01,61,': 'Invalid value for ResultID with this ContactTypeID',
				'100001,Phone,1,yesterday,61,': 'Invalid value for DateCanvassed',
			},
		],
		[
			'ApplyRelationships',
			'NativeId,SecondaryNativeID,Relationship,OverwriteExistingRelationship',
			{
				'100001,100002,Spouse,': OK,
				'100002,100001,2,Y': OK,
				'100001,100001,Spouse,': 'A person cannot have a relationship with itself',
				'100001,9999,Spouse,': 'No person found for SecondaryNativeID',
				'100001,100002,Cousin,': 'Invalid value for Relationship',
			},
		],
		[
			'ContributionAdjustments',
			'ContributionId,AdjustmentAmount,AdjustmentTypeID',
			{
				'3001,-20.05,Refund': OK,
				'3001,-40,': 'The adjustment is larger than the contribution',
				'302,5,': 'No contribution found',
				'3001,five,': 'Invalid value for AdjustmentAmount',
			},
			'Contributions',
		],
	])('%s', async (name, columns, outcomes, resourceType = 'Contacts') => {
		const { rows } = await service.import({
			columns,
			rows: Object.keys(outcomes),
			mappingTypes: [{ name, resultFileColumnName: 'Result' }],
			resourceType,
		});
		expect(rows.map(({ Result }) => Result)).toEqual(Object.values(outcomes));
	});

	it.each([
		['ApplyOrganzingTurfs', 'NativeId,CF401,CF402,CF403', 'South,District 1,Team A'],
		['ApplyOrganzingTurfs', 'NativeId,CF401,CF402,CF403', 'North,District 1,'],
		['Jobs', 'NativeId,Employer,HireDate', 'Mill,soon'],
		['Jobs', 'NativeId,Employer,Wage', 'Mill,a lot'],
	])('%s (%s) fails the whole job for %s', async (name, columns, values) => {
		const { record } = await service.import({
			columns,
			rows: [`100002,${values}`],
			mappingTypes: [{ name }],
		});
		expect(record).toMatchObject({ status: 'Failed', resultFiles: null });
		expect(record.errors[0]?.text).toMatch(new RegExp(`^Row 1: ${name}: `));
	});
});

describe('what a row writes', () => {
	it('goes to the person with the ID, with the external identifier, or who matches, else to a new one', async () => {
		const { rows } = await service.import({
			columns: 'NativeId,Crm,FirstName,LastName,Email,CodeId',
			rows: [
				'100003,,,Named,,503',
				',demo-2,,Found,,503',
				',,Avery,Sample,AVERY.sample@demo.example.org,503',
				',,New,Person,new@example.org,503',
			],
			mappingTypes: [
				{ name: 'OriginSourceCode' },
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
		expect(person(100_003).fields).toMatchObject({ firstName: 'Casey', lastName: 'Named' });
		expect(person(100_007)).toMatchObject({ originSourceCodeId: 503 });
	});

	it('is one value per address, external identifier and job, and leaves blanks as they were', async () => {
		await service.import({
			columns:
				'NativeId,ExternalIdTypeID,ExternalId,MailingAddress,MailingCity,MailingCountryCode,MailingDisplayAsEntered,Employer,Wage',
			rows: ['100001,1,A-1,1 Elm St,Nome,us,Y,Mill,20', '100001,1,A-2,2 Oak St,,US,N,mill,21'],
			mappingTypes: [{ name: 'ApplyExternalID' }, { name: 'MailingAddress' }, { name: 'Jobs' }],
		});
		expect(person(100_001)).toMatchObject({
			addresses: [{}, { addressLine1: '2 Oak St', city: 'Nome', type: 'Mailing' }],
			identifiers: [{ externalId: 'A-2' }],
			jobs: [{ Employer: 'mill', Wage: '21' }],
		});
	});
});

describe('the file', () => {
	const salutations = (changes: Partial<ImportInput>): ImportInput => ({
		columns: 'NativeId,Salutation,EnvelopeName',
		rows: ['100001,Dear,You'],
		mappingTypes: [{ name: 'Salutations' }],
		...changes,
	});

	it.each<[string, string, Record<string, unknown>, string, string]>([
		['commas', '100001,Dear,Zoë', {}, 'Dear', 'Zoë'],
		['tabs', '100001\tDear\tZoë', { columnDelimiter: 'Tab' }, 'Dear', 'Zoë'],
		['pipes', '100001|Dear|Zoë', { columnDelimiter: 'PIPE' }, 'Dear', 'Zoë'],
		['a header', 'any,thing,here\r\n100001,Dear,You\r\n', { hasHeader: true }, 'Dear', 'You'],
		['quotes', '"100001","a, ""b""","c\nd"', { hasQuotes: true }, 'a, "b"', 'c\nd'],
		['literal quotes', '100001,"Dear",You', {}, '"Dear"', 'You'],
	])('is read with %s', async (_, content, file, salutation, envelopeName) => {
		await service.import(salutations({ rows: [content], file }));
		expect(person(100_001).fields).toMatchObject({ salutation, envelopeName });
	});

	it('loses rows of another width, which no result names', async () => {
		const { record, rows } = await service.import(
			salutations({ rows: ['100001,"Dear",You', '100002,"Dear, friend",You'] }),
		);
		expect(record.status).toBe('CompletedWithErrors');
		expect(rows.map((row) => row.BulkUploadDataID)).toEqual(['1']);
	});

	const other = async () =>
		new Uint8Array(await downloadZip([{ name: 'other.csv', input: 'x' }]).arrayBuffer());

	it.each<[string, () => Partial<ImportInput> | Promise<Partial<ImportInput>>, RegExp]>([
		['no zip archive', () => ({ archive: Buffer.from('1,Dear') }), /not a readable zip archive/],
		['over 20 MB', () => ({ archive: new Uint8Array(20_000_001) }), /larger than 20 MB/],
		['no such file in it', async () => ({ archive: await other() }), /not contain 'people.csv'/],
		['another encoding', () => ({ rows: Uint8Array.of(0x31, 0xe9) }), /not encoded in UTF-8/],
		['no rows', () => ({ rows: [''] }), /no rows/],
		[
			'a quote that is never closed',
			() => ({ rows: ['100001,"Dear,You'], file: { hasQuotes: true } }),
			/not delimited/,
		],
		['only rows of other widths', () => ({ rows: ['1', '2'] }), /2 rows do not have the declared/],
		[
			'no file at its address',
			() => ({ file: { sourceUrl: `${service.sandbox.httpsUrl}/drop/none.zip` } }),
			/could not be fetched/,
		],
		['only rows that are rejected', () => ({ rows: ['9,Dear,You'] }), /Row 1: No person found/],
	])('fails the job: %s', async (_, changes, text) => {
		const { record } = await service.import(salutations(await changes()));
		expect(record).toMatchObject({ status: 'Failed', resultFiles: null });
		expect(record.errors).toMatchObject([{ text: expect.stringMatching(text) as string }]);
	});
});

describe('result files', () => {
	it('have the columns of the deployment in order', async () => {
		const { files } = await service.import({
			columns: 'NativeId,Email,Key',
			rows: ['100001,a@example.org,"x, y"', '9,b@example.org,z'],
			file: { hasQuotes: true },
			include: ['key'],
			mappingTypes: [{ name: 'Email' }, { name: 'Email', resultFileColumnName: 'Again' }],
		});
		const [header, ...rows] = files[0]?.trimEnd().split('\n') ?? [];
		expect(header).toMatch(
			/^BulkUploadDataID,ULFileID,PrimaryKey,PrimaryKeyType,key,Email_\d+,Again$/,
		);
		expect(rows).toEqual([
			expect.stringMatching(/^1,\d+,100001,NativeID,"x, y",Processed,Processed$/),
			expect.stringMatching(/^2,\d+,,,z,No person found,No person found$/),
		]);
	});

	it('are as many as the size limit makes necessary, with every row once', async () => {
		const keys = Array.from({ length: 12 }, (_, index) => `${'ü'.repeat(250_000)}${index}`);
		const { files, rows } = await service.import({
			columns: 'NativeId,Email,Key',
			rows: keys.map((key) => `100001,a@example.org,${key}`),
			include: ['Key'],
			mappingTypes: [{ name: 'Email' }],
		});
		expect(files.length).toBeGreaterThan(1);
		for (const file of files) expect(Buffer.byteLength(file)).toBeLessThanOrEqual(5_000_000);
		expect(rows).toHaveLength(12);
		for (const { BulkUploadDataID, Key } of rows)
			expect(Key).toBe(keys[Number(BulkUploadDataID) - 1]);
	});
});
