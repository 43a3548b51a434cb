import { headerSynonyms } from '../../../nodes/shared/importFile/headerSynonyms';
import { matchHeaders } from '../../../nodes/shared/importFile/matchHeaders';
import { simplifyName } from '../../../nodes/shared/importFile/fileColumns';
import { vocabularyOf } from '../../../nodes/shared/service/connection';
import { processorTime } from '../../../hosts/processorTime';

/** The fields of CreateOrUpdateContact. */
const contact =
	'VanID FirstName MiddleName LastName Suffix Title ProfessionalSuffix DOB Sex AddressLine1 AddressLine2 AddressLine3 City StateOrProvince ZipOrPostal CountryCode DisplayAsEntered Phone PhoneCountryCode CellPhone CellPhoneCountryCode WorkPhone WorkPhoneCountryCode Email OtherEmail WorkEmail EmployerName OccupationName ContactModeID Salutation FormalSalutation EnvelopeName'
		.split(' ')
		.map((name) => ({ name }));
const mailing =
	'MailingAddress MailingAddressLine2 MailingCity MailingStateOrProvince MailingZipOrPostal MailingCountryCode'
		.split(' ')
		.map((name) => ({ name }));

const match = (headers: string[], fields = contact) => {
	const { mapped, ambiguous, rejected } = matchHeaders(headers, fields);
	return {
		mapped: Object.fromEntries(mapped.map(({ headers: from, field }) => [from.join(), field.name])),
		ambiguous: ambiguous.map(({ headers: from, fields: found }) => ({
			headers: from,
			fields: [...new Set(found.map(({ name }) => name))],
		})),
		unmatched: rejected.map(({ header }) => header),
	};
};

/**
 * Headers of public exports and import templates, after the address that shows them: `header → field`, and
 * the header alone where it feeds none. `!` marks headers that are reported because several fit that field.
 */
const lists: Record<string, string> = {
	// roboticdogs.actionkit.com/docs/manual/guide/uploads_reference.html: Accepted Headers List.
	ActionKit: `
		akid, first_name → FirstName, middle_name → MiddleName, last_name → LastName, suffix → Suffix,
		prefix → Title, email → Email, address1 → AddressLine1, address2 → AddressLine2, city → City,
		state → StateOrProvince, region, zip → ZipOrPostal, postal, country → CountryCode, home_phone,
		phone → Phone, mobile_phone → CellPhone, work_phone → WorkPhone, source, created_at`,
	// gist.github.com/janoamaral/30b3dac7961609715872e8c065406de3 and, for the organization,
	// gist.github.com/mitcdh/234b437cd75bbe27c300ea7f44b4849a.
	'Google Contacts': `
		Name, Given Name → FirstName, Additional Name → MiddleName, Family Name → LastName,
		Given Name Yomi, Name Prefix → Title, Name Suffix → Suffix, Initials, Nickname, Maiden Name,
		Birthday → DOB, Gender → Sex, Location, Occupation → !OccupationName, Notes, Group Membership,
		E-mail 1 - Type, E-mail 1 - Value → Email, E-mail 2 - Value → OtherEmail, Phone 1 - Type,
		Phone 1 - Value → Phone, Phone 2 - Value, Address 1 - Formatted,
		Address 1 - Street → AddressLine1, Address 1 - Extended Address → AddressLine2,
		Address 1 - City → City, Address 1 - PO Box, Address 1 - Region → StateOrProvince,
		Address 1 - Postal Code → ZipOrPostal, Address 1 - Country → CountryCode,
		Organization 1 - Name → EmployerName, Organization 1 - Title → !OccupationName,
		Organization 1 - Department`,
	// Contact export: github.com/michalbe/csv2vcard, README.md.
	Outlook: `
		Title → Title, First Name → FirstName, Middle Name → MiddleName, Last Name → LastName,
		Suffix → Suffix, Family Name Yomi, Home Street → AddressLine1, Home City → City,
		Home State → StateOrProvince, Home Postal Code → ZipOrPostal, Home Country → CountryCode,
		Company → EmployerName, Department, Job Title → OccupationName, Business Street,
		Business City, Other Postal Code, Business Phone → WorkPhone, Business Phone 2,
		Company Main Phone, Home Phone → Phone, Home Phone 2, Mobile Phone → CellPhone, Other Phone,
		Primary Phone, Birthday → DOB, E-mail Address → Email, E-mail Type,
		E-mail 2 Address → OtherEmail, Notes, Web Page`,
	// Address book: searchfox.org/comm-central/source/mailnews/import/test/unit/resources/
	// basic_addressbook.csv.
	Thunderbird: `
		First Name → FirstName, Last Name → LastName, Display Name, Nickname, Primary Email → Email,
		Secondary Email → OtherEmail, Work Phone → WorkPhone, Home Phone → Phone, Fax Number,
		Mobile Number → CellPhone, Home Address → AddressLine1, Home Address 2 → AddressLine2,
		Home City → City, Home State → StateOrProvince, Home ZipCode → ZipOrPostal,
		Home Country → CountryCode, Work Address, Work City, Work ZipCode, Job Title → OccupationName,
		Department, Organization → EmployerName, Birth Year, Custom 1, Notes`,
	// Composed names and the columns of every entry: github.com/openlab-at-city-tech/openlab,
	// wp-content/plugins/gravityforms/includes/settings/fields/class-generic-map.php, and
	// github.com/MinnPost/minnpost-wordpress, wp-content/plugins/gravityforms/export.php.
	'Gravity Forms': `
		Name (First) → FirstName, Name (Last) → LastName, Address (Street Address) → AddressLine1,
		Address (Address Line 2) → AddressLine2, Address (City) → City,
		Address (State / Province) → StateOrProvince, Address (Zip / Postal Code) → ZipOrPostal,
		Address (Country) → CountryCode, Created By (User Id), Entry Id, Entry Date, Source Url,
		Payment Amount, User Agent, User IP`,
	// docs.voteamerica.com/software/exportformat.
	VoteAmerica: `
		ID, Subscriber, Time Started (UTC), First Name → FirstName, Middle Name → MiddleName,
		Last Name → LastName, Suffix → Suffix, Date of Birth → DOB, Email → Email, Phone → Phone,
		Address 1 → AddressLine1, Address 2 → AddressLine2, City → City, Zipcode → ZipOrPostal,
		State → StateOrProvince, Mailing Address 1, Mailing Address 2, Mailing City, Mailing State,
		Mailing Zipcode, Subscriber SMS Opt In, Completed`,
	// help.bloomerang.com/en/articles/12632811-imports-import-fields.
	Bloomerang: `
		Account Number, Account Status, Birthdate → DOB, Communication Restrictions,
		Employer → EmployerName, Envelope Name → EnvelopeName, First Name → FirstName, Formal Name,
		Gender → Sex, Groups, Household Name, Informal Name, Job Title → OccupationName,
		Last Name → LastName, Middle Name → MiddleName`,
	// knowledge.initlive.com/en/format-a-csv-file-to-import-data.
	'Bloomerang Volunteer': `
		FirstName → FirstName, LastName → LastName, Email → Email, Phone → Phone, Gender → Sex,
		Date of Birth → DOB, T-Shirt Size, Bio, Emergency Contact Name, Emergency Contact Phone,
		Address → AddressLine1, Address 2 → AddressLine2, City → City,
		State / Province → StateOrProvince, ZIP / Postal Code → ZipOrPostal`,
};

test.each(Object.entries(lists))('headers of %s feed the right fields', (_, list) => {
	const headers = list
		.trim()
		.split(/,\s+/)
		.map((entry): [header: string, field: string] => {
			const [header = '', field = ''] = entry.split(' → ');
			return [header, field];
		});
	const reported = headers.filter(([, field]) => field.startsWith('!'));
	const fields = [...new Set(reported.map(([, field]) => field.slice(1)))];
	expect(match(headers.map(([header]) => header))).toEqual({
		mapped: Object.fromEntries(headers.filter(([, field]) => /^[^!]/.test(field))),
		ambiguous: fields.map((field) => ({
			headers: reported.filter(([, name]) => name === `!${field}`).map(([header]) => header),
			fields: [field],
		})),
		unmatched: headers.filter(([, field]) => field === '').map(([header]) => header),
	});
});

test('questions of a form feed the right fields', () => {
	const questions = {
		'What is your first name?': 'FirstName',
		'What is your last name?': 'LastName',
		'What is your email address?': 'Email',
		'Your phone number': 'Phone',
		'Name (Middle)': 'MiddleName',
	};
	expect(match(Object.keys(questions)).mapped).toEqual(questions);
});

test('a note that names another person says whose field it is', () => {
	const headers = ['Email (if under 18, parent email)', 'Phone (or guardian phone)'];
	expect(match(headers).mapped).toEqual({});
	expect(match(['Email (or none)', 'Birthday (optional)']).mapped).toEqual({
		'Email (or none)': 'Email',
		'Birthday (optional)': 'DOB',
	});
});

test('casing, blanks, signs and invisible characters make no difference', () => {
	const headers = ['\uFEFFvan id', 'FIRST_NAME', 'last\u00A0name', 'E\u200B-Mail', 'Zip\u00ADcode'];
	expect(Object.values(match(headers).mapped)).toEqual([
		'VanID',
		'FirstName',
		'LastName',
		'Email',
		'ZipOrPostal',
	]);
});

test('two spellings in different rows feed one field, and in a file neither does', () => {
	const fields = [{ name: 'NativeId' }];
	expect(match(['nativeId', 'Native ID'], fields).mapped).toEqual({
		'nativeId,Native ID': 'NativeId',
	});
	expect(matchHeaders(['nativeId', 'Native ID'], fields, { isComplete: true })).toMatchObject({
		mapped: [],
		ambiguous: [{ headers: ['nativeId', 'Native ID'], fields: [{ name: 'NativeId' }] }],
	});
});

test.each([
	['both', ['a@example.org', ''], ['', 'b@example.org'], 0],
	['one', ['a@example.org', undefined], [undefined, 'b@example.org'], 1],
])('two spellings feed one field only where each row has one: %s', (_, first, second, fed) => {
	const valuesOf = (header: string) => (header === 'Email' ? first : second);
	expect(matchHeaders(['Email', 'E-mail'], contact, { valuesOf }).mapped).toHaveLength(fed);
});

describe('a choice that is not clear', () => {
	test('is reported where two headers fit one field', () => {
		expect(match(['Mobile', 'Cell', 'Email'])).toEqual({
			mapped: { Email: 'Email' },
			ambiguous: [{ headers: ['Mobile', 'Cell'], fields: ['CellPhone'] }],
			unmatched: [],
		});
	});

	test('is made by the name of the field', () => {
		expect(match(['Mobile', 'CellPhone'])).toEqual({
			mapped: { CellPhone: 'CellPhone' },
			ambiguous: [],
			unmatched: ['Mobile'],
		});
	});

	test('between home and mailing address is made by the word Mailing', () => {
		expect(match(['Street', 'Mailing Street', 'Zip'], [...contact, ...mailing]).mapped).toEqual({
			Street: 'AddressLine1',
			'Mailing Street': 'MailingAddress',
			Zip: 'ZipOrPostal',
		});
		expect(match(['Street', 'Zip'], mailing).mapped).toEqual({
			Street: 'MailingAddress',
			Zip: 'MailingZipOrPostal',
		});
	});
});

test('fields of one name are fed by the same header, and longer names choose one of them', () => {
	const fields = [
		{ name: 'Email', aliases: ['CreateOrUpdateContact:Email'] },
		{ name: 'Email', aliases: ['Email:Email'] },
	];
	expect(matchHeaders(['E-mail'], fields).mapped.map(({ field }) => field)).toEqual(fields);
	expect(matchHeaders(['Email:Email'], fields).mapped.map(({ field }) => field)).toEqual([
		fields[1],
	]);
});

describe('headers that the user gave', () => {
	const withGiven = (columns: string, given: Record<string, string>) => {
		const { mapped, ambiguous } = matchHeaders(columns.split(', '), contact, {
			isComplete: true,
			cleansValues: true,
			valuesOf: () => [],
			given: Object.entries(given).map(([header, name]) => ({
				header,
				fields: contact.filter((field) => field.name === name),
			})),
		});
		expect(ambiguous).toEqual([]);
		return Object.fromEntries(mapped.map(({ headers, field }) => [field.name, headers.join()]));
	};
	const two =
		'Member First Name, Member Last Name, Member Zip, Contact First Name, Contact Last Name, Contact Email, Contact Phone';
	const member = { FirstName: 'Member First Name', LastName: 'Member Last Name' };

	test.each<[string, string, Record<string, string>, Record<string, string>]>([
		[
			'names say whose the other columns are',
			two,
			{ 'Member First Name': 'FirstName', 'Member Last Name': 'LastName' },
			{ ...member, ZipOrPostal: 'Member Zip' },
		],
		[
			'half a name goes with the other half',
			'Nombre, Apellido del socio, Correo',
			{ 'Apellido del socio': 'LastName' },
			{ FirstName: 'Nombre', LastName: 'Apellido del socio', Email: 'Correo' },
		],
		[
			'a street brings its own city and apartment',
			'Dwelling, Apt, City, Zip, Mailing Address, Mailing City, Mailing Zip',
			{ Dwelling: 'AddressLine1' },
			{ AddressLine1: 'Dwelling', AddressLine2: 'Apt', City: 'City', ZipOrPostal: 'Zip' },
		],
		[
			'a city keeps the street of another address out',
			'Town or village, Mailing Address, Mailing City, Mailing Zip',
			{ 'Town or village': 'City' },
			{ City: 'Town or village' },
		],
		...['Nation', 'Zona', 'Lot'].map(
			(header, index): [string, string, Record<string, string>, Record<string, string>] => {
				const field = ['CountryCode', 'ZipOrPostal', 'AddressLine2'][index] ?? '';
				const address = { AddressLine1: 'Billing Address', City: 'Billing City' };
				return [
					`${header} completes the address that is there`,
					`Billing Address, Billing City, ${header}`,
					{ [header]: field },
					{ ...address, [field]: header },
				];
			},
		),
		[
			'a street of a mailing address brings the rest of it',
			'City, Zip, Mailing Address, Mailing City, Mailing Zip',
			{ 'Mailing Address': 'AddressLine1' },
			{ AddressLine1: 'Mailing Address', City: 'Mailing City', ZipOrPostal: 'Mailing Zip' },
		],
	])('%s', (_, columns, given, expected) => {
		expect(withGiven(columns, given)).toEqual(expected);
	});
});

describe('values', () => {
	const withValues = (table: Record<string, unknown[]>, list = contact) =>
		matchHeaders(Object.keys(table), list, { valuesOf: (header) => table[header] ?? [] });

	test.each<[string, string, unknown[], string]>([
		['a birthday without a year', 'Birthday', ['0/0/00', '0000-06-05', '1604-06-05'], ''],
		['a street without its number', 'Street', ['E 20th Ave', '5th Ave'], ''],
		['a number before a numbered street', 'Street', ['12 E 20th Ave'], 'AddressLine1'],
		['a city with its state', 'City', ['Nome, AK 99762', 'Juneau, AK'], ''],
		['M alone, which is mujer or masculino', 'Sexo', ['M', 'M'], ''],
		['M and F', 'Sexo', ['M', 'F'], 'Sex'],
		['the number of a record', 'Contact Number', ['10048213', '10048214'], ''],
		['a calling code', 'Phone Country Code', ['+1', '1'], ''],
		['who must not be called', 'No Phone', ['9075550100'], ''],
		['two phones in one column', 'Home/Cell', ['9075550100'], ''],
		['a salutation', 'Salutation', ['Dear Ann'], 'Salutation'],
		['a title', 'Salutation', ['Mr.', 'Ms.'], 'Title'],
		['two names of one field', 'Last Name (Apellido)', ['Sample'], 'LastName'],
		['names of two fields', 'City/County', ['Nome'], ''],
		['the first of several', 'Work Phone 1', ['9075550102'], 'WorkPhone'],
		['a second one', 'Work Phone 2', ['9075550102'], ''],
		['what a database puts before it', 'TEXT_RES_CITY', ['Nome'], 'City'],
		['what a number is for', 'Text_Phone', ['9075550101'], ''],
		['a place in a question', 'Which state do you live in?', ['AK'], 'StateOrProvince'],
	])('say what a header means: %s', (_, header, values, field) => {
		const table = { 'Email Address': ['ann@example.org'], [header]: values };
		const { mapped } = withValues(table);
		const found = mapped.find(({ headers }) => headers.includes(header));
		expect(found?.field.name ?? '').toBe(field);
	});

	test('of a second address are left out', () => {
		const { mapped } = withValues({
			'Address 1': ['1 Elm St'],
			'City 1': ['Nome'],
			'Address 2': ['2 Oak Ave'],
			'City 2': ['Juneau'],
		});
		expect(mapped.map(({ headers: [header], field }) => [header, field.name])).toEqual([
			['Address 1', 'AddressLine1'],
			['City 1', 'City'],
		]);
	});

	test('of another person with a name of their own are left out', () => {
		const others = { 'Partner First Name': ['Bob'], 'Partner Email': ['bob@example.org'] };
		const { mapped, rejected } = withValues({
			'First Name': ['Ann'],
			Email: ['ann@example.org'],
			'Secondary Email': ['ann2@example.org'],
			...others,
		});
		expect(mapped.map(({ field }) => field.name)).toEqual(['FirstName', 'Email', 'OtherEmail']);
		expect(rejected.map(({ header }) => header)).toEqual(Object.keys(others));
		const second = { 'Secondary First Name': ['Bob'], 'Secondary Email': ['bob@example.org'] };
		const named = withValues({ 'First Name': ['Ann'], Email: ['ann@example.org'], ...second });
		expect(named.mapped.map(({ field }) => field.name)).toEqual(['FirstName', 'Email']);
	});

	test('of a short list may be wrong once', () => {
		expect(withValues({ Email: ['ann@example.org', 'nobody'] }).rejected).toEqual([]);
		expect(withValues({ Email: ['nobody'] }).rejected).toHaveLength(1);
	});

	test('of which some do not fit are counted', () => {
		const { rejected } = withValues({ Email: ['ann@example.org', 'nobody', 'none at all'] });
		const reason = 'not email addresses: 2 of its first 3 values, e.g. "nobody"';
		expect(rejected).toEqual([{ header: 'Email', reason }]);
	});

	test('that do not fit say why a header is not believed', () => {
		const { mapped, rejected } = withValues({
			Title: ['VP of Sales', 'Engineer'],
			Mobile: [false, true, ''],
			Email: ['anonymous'],
			Birthday: ['March 3', '5/6'],
			Zip: ['Nome'],
		});
		expect(mapped).toEqual([]);
		expect(rejected).toEqual([
			{
				header: 'Title',
				reason: 'its values are "VP of Sales" and others, not titles such as Ms or Dr',
			},
			{
				header: 'Mobile',
				reason: 'its values are false/true, not phone numbers with an area code',
			},
			{ header: 'Email', reason: 'its values are "anonymous", not email addresses' },
			{ header: 'Birthday', reason: 'its values are "March 3" and others, not dates with a year' },
			{ header: 'Zip', reason: 'its values are "Nome", not ZIP codes' },
		]);
	});

	test.each([
		['State', ['Activo', 'open', 'Wahr'], ['Alaska', 'n.y.', 'ON', 'Québec', 'US-AK']],
		['Street', ['ELM ST', 'Main Street'], ['1 Elm St', 'PO Box 3', 'General Delivery']],
		['Country', ['XX', 'Alaska', 'ok'], ['US', 'ca']],
		[
			'Phone',
			['5550100', '555-0100', '00012345', '192.168.100.12'],
			['907 555 0100 x12', '22 55 01 00'],
		],
		['Zip', ['2026-03-01', '9075550100', 'Nome'], ['99762', '99762-0001', 'K1A 0B1', '601']],
		['City', ['99801', 'x', '3/1/2026'], ['Nome', 'Paris 12e']],
		['Employer', ['4711', 'yes'], ['Example Works', '3M']],
		['Display As Entered', ['Ann', '1 Elm St'], ['Y', 'n']],
	])('tell which column is a %s', (header, strange, usual) => {
		for (const value of strange) expect(withValues({ [header]: [value] }).mapped).toEqual([]);
		expect(withValues({ [header]: usual }).mapped).toHaveLength(1);
	});

	test.each([
		['Country', ['United States', 'Estados Unidos', 'CA'], ['Freedonia', 'Example Works']],
		['Gender', ['Woman', 'Masculin', 'F', 'U', 'UNKNOWN'], ['Nonbinary', 'Other', 'Woman']],
		['Gender', ['F', 'X', 'M'], ['F', 'X', 'X']],
		['Gender', ['F', 'Fmale', 'M', 'M'].concat('Woman'), ['H', 'M', 'M', 'M']],
		['DOB', ['28956', '21258', '30201.0'], ['28956', '1', '2']],
	])('of a %s count as they are written where values are cleaned', (header, usual, strange) => {
		const mapped = (values: string[], cleansValues: boolean) =>
			matchHeaders([header], contact, { valuesOf: () => values, cleansValues }).mapped;
		expect(mapped(usual, true)).toHaveLength(1);
		expect(mapped(usual, false)).toEqual([]);
		expect(mapped(strange, true)).toEqual([]);
	});

	test.each(['Apt 3', '3', 'B', 'c/o Kim Sample', 'Nurses'])(
		'tell whether a unit is a part of an address: %s',
		(unit) => {
			const street = { Street: ['1 Elm St'], City: ['Nome'], Unit: [unit] };
			expect(withValues(street).mapped).toHaveLength(unit === 'Nurses' ? 2 : 3);
		},
	);

	test('such as N/A count for nothing, unless there is nothing else', () => {
		const blanks = ['N/A', '-', 'unknown'];
		expect(withValues({ Email: [...blanks, 'a@example.org'] }).mapped).toHaveLength(1);
		expect(withValues({ Email: blanks }).mapped).toEqual([]);
	});

	test('make a column win over an empty one with a better header', () => {
		const phones = { 'Preferred Phone': ['', null], 'Home Phone': ['907-555-0100'] };
		expect(withValues(phones)).toMatchObject({
			mapped: [{ headers: ['Home Phone'] }],
			rejected: [{ header: 'Preferred Phone', reason: 'Home Phone is imported instead' }],
		});
		const address = { 'Home Street': [''], 'Home City': ['Nome'] };
		const other = { 'Mailing Street': ['PO Box 3'], 'Mailing City': ['Juneau'] };
		expect(withValues({ ...address, ...other }).mapped).toMatchObject([
			{ headers: ['Mailing Street'] },
			{ headers: ['Mailing City'] },
		]);
	});

	test('in few rows make an address one of some people only', () => {
		const table = {
			'Home City': ['Nome', 'Nome', 'Nome'],
			'Mailing Street': ['PO Box 3', '', ''],
			'Mailing City': ['Juneau', '', ''],
		};
		expect(withValues(table).mapped).toMatchObject([{ headers: ['Home City'] }]);
	});

	test.each([
		['in few rows', ['PO Box 3', '', '']],
		['with a city', ['PO Box 3, Juneau, AK', '3 Elm St, Sitka, AK 99835', 'PO Box 4, Juneau, AK']],
	])('of a mailing street %s leave the city to another address', (_, streets) => {
		const table = { 'Mailing Address': streets, City: ['Nome', 'Nome', 'Nome'] };
		expect(withValues(table).mapped).toMatchObject([{ headers: ['City'] }]);
	});

	test('of two spellings of a header are those of one column, also in how many rows there are', () => {
		const table = {
			Address: ['1 Elm St', '2 Elm St', ''],
			City: ['Nome', 'Nome', 'Nome'],
			CITY: ['Nome', 'Nome', 'Nome'],
			Zip: ['99762', '99762', '99762'],
			'Mailing Address': ['PO Box 3', 'PO Box 4', 'PO Box 5'],
			'Mailing City': ['Juneau', 'Juneau', 'Juneau'],
			'Mailing Zip': ['99801', '99801', '99801'],
		};
		expect(withValues(table).mapped).toMatchObject([
			{ headers: ['Address'] },
			{ headers: ['Zip'] },
		]);
	});

	test('that fit let an everyday header win over the name of the field', () => {
		const { mapped } = withValues({ Email: ['anonymous'], 'E-mail address': ['a@example.org'] });
		expect(mapped).toMatchObject([{ headers: ['E-mail address'], field: { name: 'Email' } }]);
	});

	test('may be wrong in some rows, and blank in all', () => {
		const { mapped } = withValues({
			Email: ['a@example.org', 'b@example.org', 'c@example.org', 'none'],
			Cell: ['', null],
			Last: ['Example2', '이름', 'O’Neil'],
		});
		expect(mapped).toHaveLength(3);
	});
});

describe('columns of two people', () => {
	test.each([
		[
			'a voter and a volunteer',
			['Voter First Name', 'Voter Last Name', 'Voter Zip', 'Volunteer Email', 'Volunteer State'],
			['Voter First Name', 'Voter Last Name', 'Voter Zip'],
		],
		[
			'an attendee and a customer',
			['Attendee First Name', 'Attendee Last Name', 'Customer Email', 'Customer City'],
			['Attendee First Name', 'Attendee Last Name'],
		],
		[
			'the person of the row and a volunteer',
			['First Name', 'Last Name', 'Phone', 'Volunteer VANID', 'Volunteer Email'],
			['First Name', 'Last Name', 'Phone'],
		],
		[
			'a user and a contact, both with names',
			['VANID', 'User First Name', 'User Email', 'Contact First Name', 'Contact City'],
			['VANID'],
		],
		[
			'one person',
			['Name', 'First Name', 'Last Name', 'Contact Phone', 'Donor Email'],
			['First Name', 'Last Name', 'Contact Phone', 'Donor Email'],
		],
		['one contact', ['Contact First Name', 'Email'], ['Contact First Name', 'Email']],
		[
			'the first and the second contact',
			['Contact 1 First Name', 'Contact #1 Email', 'Contact 2 First Name', 'Contact 2 Email'],
			['Contact 1 First Name', 'Contact #1 Email'],
		],
		[
			'a member and the contact of a member',
			['Member First Name', 'Member Email', 'Member Contact First Name'],
			['Member First Name', 'Member Email'],
		],
	])('such as %s are never mixed', (_, headers, fed) => {
		expect(Object.keys(match(headers).mapped)).toEqual(fed);
	});
});

describe('an address', () => {
	const both = [...contact, ...mailing];
	const fed = (headers: string[], list = contact) => match(headers, list).mapped;

	test('is never a street of one and a city of another', () => {
		expect(fed(['State', 'Mailing Street', 'Mailing City', 'Mailing Zip'])).toEqual({
			'Mailing Street': 'AddressLine1',
			'Mailing City': 'City',
			'Mailing Zip': 'ZipOrPostal',
		});
		expect(fed(['Home Street', 'Home City', 'City', 'Zip', 'Street'])).toEqual({
			City: 'City',
			Zip: 'ZipOrPostal',
			Street: 'AddressLine1',
		});
		expect(fed(['Home Street', 'City', 'Zip'])).toMatchObject({ 'Home Street': 'AddressLine1' });
	});

	test('is imported only with a street and a city or ZIP where another one has them', () => {
		expect(fed(['Home City', 'Home Zip', 'Mailing Street', 'Mailing City'])).toEqual({
			'Mailing Street': 'AddressLine1',
			'Mailing City': 'City',
		});
		expect(fed(['Home City', 'Mailing Street'])).toEqual({ 'Home City': 'City' });
		expect(fed(['Home City', 'Apt'])).toEqual({ 'Home City': 'City' });
	});

	test('is one if only its street says whose it is', () => {
		expect(fed(['Mailing Address', 'City', 'Zip'])).toEqual({
			'Mailing Address': 'AddressLine1',
			City: 'City',
			Zip: 'ZipOrPostal',
		});
		const two = ['Mailing Address', 'Work Street', 'Home City', 'Zip'];
		expect(fed(two)).toEqual({ 'Home City': 'City', Zip: 'ZipOrPostal' });
		expect(fed(['Mailing Address', 'Billing Address', 'City'])).toEqual({ City: 'City' });
	});

	test('of the home goes before the mailing address, which feeds its own type', () => {
		const headers = ['Mailing Street', 'Mailing City', 'Home Street', 'Home City'];
		expect(fed(headers)).toEqual({ 'Home Street': 'AddressLine1', 'Home City': 'City' });
		expect(fed(headers, both)).toEqual({
			'Mailing Street': 'MailingAddress',
			'Mailing City': 'MailingCity',
			'Home Street': 'AddressLine1',
			'Home City': 'City',
		});
	});
});

test('a piece of a street whose column is empty gives way to another column', () => {
	const values: Record<string, string> = {
		'House Number': '1',
		'Half Code': '',
		'House Suffix': 'A',
		'Street Name': 'Elm St',
		City: 'Sitka',
	};
	const valuesOf = (header: string) => [values[header]];
	const { mapped } = matchHeaders(Object.keys(values), contact, { isComplete: true, valuesOf });
	const street = mapped.find(({ field }) => field.name === 'AddressLine1');
	expect(street?.headers).toEqual(['House Number', 'House Suffix', 'Street Name']);
});

test('a header for half a name means the full name where the other half is missing', () => {
	expect(match(['Nombre', 'Email']).mapped).toEqual({ Email: 'Email' });
	expect(match(['Nom', 'Email']).mapped).toEqual({ Email: 'Email' });
	expect(match(['Nombre', 'Apellidos']).mapped).toEqual({
		Nombre: 'FirstName',
		Apellidos: 'LastName',
	});
});

/** `header = value → field`, or without a field for a column that only looks like one. */
const asWritten: Record<string, string> = {
	'in the plural': `
		Given Names = Ann → FirstName | Surnames = Sample → LastName | Email(s) = a@example.org → Email |
		Phone(s) = 9075550100 → Phone | Address(es) = 1 Elm St → AddressLine1`,
	'of several people in one column': `
		Last Name(s) = Sample → LastName | Children Names = Eve Sample`,
	'with notes on how to write the value': `
		First Name (Primary) = Ann → FirstName | Last name (as it appears on your ID) = Sample → LastName |
		Email (please print) = a@example.org → Email | Phone - required = 9075550100 → Phone |
		Zip Code (5 digits) = 99762 → ZipOrPostal | Birthday (Gala) = 1975-09-18 → DOB`,
	'with remarks on somebody or something else': `
		First Name = Ann → FirstName | Last Name = Sample → LastName | Email (Spouse) = b@example.org |
		Email (old) = b@example.org | Email (please give your parent's) = b@example.org |
		Email (Counselor) = b@example.org | Phone (bad) = 9075550100 | Phone - Fax = 9075550101 |
		Phone (2) = 9075550102 | Zip (Plus 4) = 0001 | Zip - +4 = 0002 | City (Birth) = Nome |
		City (Camp) = Nome | State (License) = AK | DOB (child) = 2011-01-01 |
		First Name (Camper) = Eve | Last Name (Gala) = Example | Employer (Previous) = Example Works`,
	'with a remark beside one without': `
		Email = a@example.org → Email | Email (Gala) = b@example.org`,
	'of phones by their letters': `
		First Name = Ann → FirstName | H = 9075550100 → Phone | C = 9075550101 → CellPhone |
		W = 9075550102 → WorkPhone`,
	'of phones with letters': `
		Phone (H) = 9075550100 → Phone | C Phone = 9075550101 → CellPhone | Wk Ph = 9075550102 → WorkPhone`,
	'of letters that are sizes': `
		First Name = Ann → FirstName | H = 170 | W = 60 | C = 1`,
	'of husband and wife': `
		Last Name = Sample → LastName | H Phone = 9075550100 | W Phone = 9075550101 |
		H Email = a@example.org | W Email = b@example.org | H Cell = 9075550102 | W Cell = 9075550103`,
	'after the name of their group': `
		Name - First Name = Ann → FirstName | Name - Last Name = Sample → LastName |
		Available Personal Email = a@example.org → Email`,
	'of workers': `
		Worker First Name = Ann → FirstName | Worker Surname = Sample → LastName |
		Worker Email = a@example.org → Email`,
	'of clients and their worker': `
		Client First Name = Ann → FirstName | Client Last Name = Sample → LastName |
		Worker Name = Bob Example | Worker Email = b@example.org`,
	'of owners of a property': `
		Owner First Name = Ann → FirstName | Owner 1 Last Name = Sample → LastName |
		Owner Mailing Address = 1 Elm St → AddressLine1 | Owner Mailing City = Nome → City`,
	'of the owner of a record': `
		Deal Name = Spring | Owner First Name = Bob | Owner Last Name = Example |
		Owner Email = b@example.org | Owner City = Nome`,
	'of electors': `
		Elector Forename = Ann → FirstName | Elector Surname = Sample → LastName |
		Post town = Leeds → City | First line of address = 1 Elm St → AddressLine1`,
	'of residents': `Resident First Name = Ann → FirstName | Resident Email = a@example.org → Email`,
	'of the first of several': `
		First Name 1 = Ann → FirstName | Last Name1 = Sample → LastName | DOB 1 = 1975-09-18 → DOB |
		First Name 2 = Bob | Last Name 2 = Example`,
	'of several lines of a name': `
		First Name = Ann → FirstName | Last Name = Sample → LastName | Name 1 = Ann | Employer 1 = Example Works`,
	'in short': `
		Occ = Engineer → OccupationName | Emp = Example Works → EmployerName | Add1 = 1 Elm St → AddressLine1 |
		Add2 = Apt 2 → AddressLine2 | City = Nome → City | ST_CD = AK → StateOrProvince |
		PC/Zip = 99762 → ZipOrPostal`,
	'in short, of something else': `
		First Name = Ann → FirstName | Emp = 12 | Occ = yes | UF = active | Land = Freehold`,
	'as a form asks': `
		First up, what's your first name? = Ann → FirstName | And your last name? = Sample → LastName |
		What's the best number to reach you at? = 9075550100 → Phone |
		Hi there, what is the best email to reach you? = a@example.org → Email |
		And finally, what's your ZIP? = 99762 → ZipOrPostal`,
	'as a form asks for others': `
		First Name = Ann → FirstName | If under 18, what's your parent's email? = b@example.org |
		Next, what's your manager's phone number? = 9075550100 | Where are you from? = Nome`,
	'in German': `
		Anrede = Frau → Title | Vorname = Anne → FirstName | Nachname = Beispiel → LastName |
		Straße und Hausnummer = Ulmenweg 1 → AddressLine1 | PLZ = 10115 → ZipOrPostal |
		Ort = Berlin → City | Land = Deutschland ✗ | Telefon = 030 5550100 → Phone |
		Handynummer = 0151 5550100 → CellPhone | E-Mail-Adresse = a@example.org → Email |
		Geburtsdatum = 18.09.1975 → DOB | Beruf = Lehrerin → OccupationName |
		Arbeitgeber = Example Works → EmployerName | Telefon geschäftlich = 030 5550102 → WorkPhone`,
	'in German, the last name as Name': `
		Name = Beispiel → LastName | Vorname = Anne → FirstName | Hausnummer = 1 | Straße = Ulmenweg |
		Geschlecht = weiblich ✗ | Notfallkontakt Telefon = 030 5550100`,
	'in German, beside a full name': `
		Vorname = Anne → FirstName | Name = Anne Beispiel`,
	'in Portuguese': `
		Nome = Ana → FirstName | Sobrenome = Exemplo → LastName | Data de nascimento = 18/09/1975 → DOB |
		Sexo = F → Sex | Endereço = Rua Um 1 → AddressLine1 | Complemento = Apto 2 → AddressLine2 |
		Cidade = Recife → City | CEP = 50010-000 → ZipOrPostal | Celular = 81 95550 0100 → CellPhone |
		Telefone residencial = 81 5555 0100 → Phone | E-mail = a@example.org → Email |
		Profissão = Engenheira → OccupationName | Apelido = Aninha`,
	'of an opinion, a wish or an origin': `
		First Name = Ann → FirstName | Current Position = Undecided | Your Position = Support |
		Preferred Job = Canvasser | Hometown = Nome | Zip = 99762 → ZipOrPostal`,
	'of what a volunteer does': `
		Volunteer First Name = Ann → FirstName | Volunteer Position = Canvasser | Volunteer Job Title = Lead`,
	'of work': `First Name = Ann → FirstName | Position = Engineer → OccupationName`,
	'of a board': `First Name = Ann → FirstName | Position = Vice President`,
	'of current work': `First Name = Ann → FirstName | Current Job = Engineer → OccupationName`,
};

test.each(Object.entries(asWritten))('headers %s feed the right fields', (_, list) => {
	const columns = list
		.trim()
		.split(/\s*\|\s*/)
		.map((column) => {
			const [header = '', rest = ''] = column.split(' = ');
			const [value = '', field] = rest.replace(/ ✗$/, '').split(' → ');
			return { header, value, field };
		});
	const { mapped } = matchHeaders(
		columns.map(({ header }) => header),
		contact,
		{
			isComplete: true,
			valuesOf: (name) => columns.filter(({ header }) => header === name).map(({ value }) => value),
		},
	);
	const found = mapped.flatMap(({ headers, field }) => headers.map((one) => [one, field.name]));
	const right = columns.flatMap(({ header, field }) => (field ? [[header, field]] : []));
	expect(found).toEqual(right);
});

test.each([
	['0', 'Voter File VANID', 'My Campaign ID'],
	['1', 'MyC VANID', 'Voter File VANID'],
] as const)('the ID of database %s is taken, that of the other one never', (mode, own, other) => {
	const { personIdHeaders } = vocabularyOf('Van', mode);
	const fields = [{ name: 'VanID', aliases: personIdHeaders.own }];
	const fedBy = (headers: string[]): string[] =>
		matchHeaders(headers, fields).mapped.flatMap(({ headers: found }) => found);
	expect(fedBy([other, own])).toEqual([own]);
	expect(fedBy([other])).toEqual([]);
	expect(fedBy(['VANID', own])).toEqual([own]);
	expect(fedBy(['VAN ID', other])).toEqual(['VAN ID']);
	expect(personIdHeaders.ofOther).toContain(other);
});

test('settings of the service are never mapped by their name', () => {
	const settings = 'Action DoNotUpdateBest IsInFileMatchingEnabled SkipEmailSubscriptionUpdate';
	const names = settings.split(' ');
	expect(
		matchHeaders(
			names,
			names.map((name) => ({ name })),
		).mapped,
	).toEqual([]);
});

test('a header of any length takes no time', () => {
	const headers = [`Email${' '.repeat(100_000)}?`, '(or '.repeat(100_000)];
	expect(processorTime(() => match(headers))).toBeLessThan(1000);
});

test('a street of 100,000 digits takes no time', () => {
	const values = new Map([
		['House Number', ['12']],
		['Street', ['1'.repeat(100_000)]],
	]);
	const valuesOf = (header: string) => values.get(header) ?? [];
	const work = () => matchHeaders([...values.keys()], contact, { valuesOf });
	expect(processorTime(work)).toBeLessThan(1000);
});

test('a thousand spellings of one header take no time', () => {
	const spellings = Array.from(
		{ length: 1000 },
		(_, i) => `First${'-'.repeat(i % 32)}Name${'.'.repeat(i / 32)}`,
	);
	const columns = new Map(
		spellings.map((header, column) => [
			header,
			spellings.map((_, row) => (row === column ? 'Ann' : undefined)),
		]),
	);
	const valuesOf = (header: string) => columns.get(header) ?? [];
	const work = () => matchHeaders(spellings, [{ name: 'FirstName' }], { valuesOf });
	expect(processorTime(work)).toBeLessThan(500);
	expect(work().mapped).toEqual([{ headers: spellings, field: { name: 'FirstName' } }]);
});

test('the table of synonyms has every name once', () => {
	const all = Object.entries(headerSynonyms).flatMap(([field, names]) =>
		[field, ...names].map((name) => simplifyName(name)),
	);
	expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});
