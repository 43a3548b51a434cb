import { headerSynonyms, standIns } from '../../../nodes/shared/importFile/headerSynonyms';
import { matchHeaders, simplifyName } from '../../../nodes/shared/importFile/matchHeaders';

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
	const { mapped, ambiguous, unmatched } = matchHeaders(headers, fields);
	return {
		mapped: Object.fromEntries(mapped.map(({ headers: from, field }) => [from.join(), field.name])),
		ambiguous,
		unmatched,
	};
};

/**
 * Headers of public exports and import templates, each with the field it feeds; an empty text where it
 * feeds none. `!` stands for a header that is reported because two fit one field.
 */
const lists: Record<string, Record<string, string>> = {
	// docs.actionkit.com, Uploads Reference: Accepted Headers List.
	ActionKit: {
		akid: '',
		first_name: 'FirstName',
		middle_name: 'MiddleName',
		last_name: 'LastName',
		suffix: 'Suffix',
		prefix: 'Title',
		email: 'Email',
		address1: 'AddressLine1',
		address2: 'AddressLine2',
		city: 'City',
		state: 'StateOrProvince',
		region: '',
		zip: 'ZipOrPostal',
		postal: '',
		country: '',
		home_phone: '',
		phone: 'Phone',
		mobile_phone: 'CellPhone',
		work_phone: 'WorkPhone',
		source: '',
		created_at: '',
	},
	// Report columns as public scripts read them (can2_… are the system's own fields).
	'Action Network': {
		uuid: '',
		first_name: 'FirstName',
		last_name: 'LastName',
		email: 'Email',
		can2_phone: 'Phone',
		can2_user_address: 'AddressLine1',
		can2_user_city: 'City',
		can2_state_abbreviated: 'StateOrProvince',
		zip_code: 'ZipOrPostal',
		country: '',
		can2_county: '',
		can2_user_tags: '',
		can2_subscription_status: '',
	},
	// ActBlue, contribution CSV export.
	ActBlue: {
		'Receipt ID': '',
		Date: '',
		Amount: '',
		'Donor First Name': 'FirstName',
		'Donor Last Name': 'LastName',
		'Donor Addr1': 'AddressLine1',
		'Donor City': 'City',
		'Donor State': 'StateOrProvince',
		'Donor ZIP': 'ZipOrPostal',
		'Donor Country': '',
		'Donor Occupation': 'OccupationName',
		'Donor Employer': 'EmployerName',
		'Donor Email': 'Email',
		'Donor Phone': 'Phone',
	},
	// Mobilize, participations export (help.mobilize.us, Export signups).
	Mobilize: {
		'user id': '',
		'first name': 'FirstName',
		'last name': 'LastName',
		email: 'Email',
		'home phone': 'Phone',
		'mobile number': 'CellPhone',
		zip: 'ZipOrPostal',
		'timeslot id': '',
		'signup created time': '',
		'utm source': '',
		attended: '',
		status: '',
	},
	// support.nationbuilder.com/en/articles/2895987-fields-available-for-import.
	NationBuilder: {
		nationbuilder_id: '',
		prefix: 'Title',
		first_name: 'FirstName',
		middle_name: 'MiddleName',
		last_name: 'LastName',
		suffix: 'Suffix',
		born_at: 'DOB',
		sex: 'Sex',
		employer: 'EmployerName',
		occupation: 'OccupationName',
		email1: 'Email',
		email2: 'OtherEmail',
		phone_number: 'Phone',
		work_phone_number: 'WorkPhone',
		mobile_number: 'CellPhone',
		mobile_opt_in: '',
		primary_address1: 'AddressLine1',
		primary_address2: 'AddressLine2',
		primary_address3: 'AddressLine3',
		primary_city: 'City',
		primary_state: 'StateOrProvince',
		primary_zip: 'ZipOrPostal',
		primary_country_code: '',
		support_level: '',
		tag_list: '',
		note: '',
		party: '',
	},
	// Eventbrite, attendee report.
	Eventbrite: {
		'Order #': '',
		'Order Date': '',
		Prefix: 'Title',
		'First Name': 'FirstName',
		'Last Name': 'LastName',
		Suffix: 'Suffix',
		Email: 'Email',
		'Ticket Type': '',
		'Cell Phone': 'CellPhone',
		'Home Phone': 'Phone',
		'Work Phone': 'WorkPhone',
		'Home Address 1': 'AddressLine1',
		'Home Address 2': 'AddressLine2',
		'Home City': 'City',
		'Home State': 'StateOrProvince',
		'Home Zip': 'ZipOrPostal',
		'Home Country': '',
		'Job Title': 'OccupationName',
		Company: 'EmployerName',
		'Birth Date': 'DOB',
		'Attendee Status': '',
		Website: '',
	},
	// Salesforce, fields of Contact.
	Salesforce: {
		Id: '',
		FirstName: 'FirstName',
		LastName: 'LastName',
		Email: 'Email',
		Phone: 'Phone',
		MobilePhone: 'CellPhone',
		HomePhone: '',
		Birthdate: 'DOB',
		MailingStreet: 'AddressLine1',
		MailingCity: 'City',
		MailingState: 'StateOrProvince',
		MailingPostalCode: 'ZipOrPostal',
		MailingCountry: '',
		OtherStreet: '',
		LeadSource: '',
		Department: '',
		AccountId: '',
	},
	// HubSpot, contact export with property labels.
	HubSpot: {
		'Record ID': '',
		'First Name': 'FirstName',
		'Last Name': 'LastName',
		Email: 'Email',
		'Phone Number': 'Phone',
		'Mobile Phone Number': 'CellPhone',
		'Street Address': 'AddressLine1',
		City: 'City',
		'State/Region': 'StateOrProvince',
		'Postal Code': 'ZipOrPostal',
		'Country/Region': '',
		'Company Name': 'EmployerName',
		'Job Title': 'OccupationName',
		'Date of birth': 'DOB',
		'Lifecycle Stage': '',
		'Create Date': '',
		'Lead Status': '',
	},
	// Mailchimp, audience export.
	Mailchimp: {
		'Email Address': 'Email',
		'First Name': 'FirstName',
		'Last Name': 'LastName',
		Address: 'AddressLine1',
		'Phone Number': 'Phone',
		'SMS Phone Number': 'CellPhone',
		Birthday: 'DOB',
		MEMBER_RATING: '',
		OPTIN_TIME: '',
		OPTIN_IP: '',
		CONFIRM_TIME: '',
		LATITUDE: '',
		TIMEZONE: '',
		REGION: 'StateOrProvince',
		LEID: '',
		TAGS: '',
	},
	// Google Contacts, CSV export of both generations.
	'Google Contacts': {
		Name: '',
		'Given Name': 'FirstName',
		'Additional Name': 'MiddleName',
		'Family Name': 'LastName',
		'Name Prefix': 'Title',
		'Name Suffix': 'Suffix',
		Nickname: '',
		Birthday: 'DOB',
		Notes: '',
		Labels: '',
		'E-mail 1 - Type': '',
		'E-mail 1 - Value': 'Email',
		'E-mail 2 - Value': 'OtherEmail',
		'Phone 1 - Type': '',
		'Phone 1 - Value': 'Phone',
		'Phone 2 - Value': '',
		'Address 1 - Street': 'AddressLine1',
		'Address 1 - Extended Address': 'AddressLine2',
		'Address 1 - City': 'City',
		'Address 1 - Region': 'StateOrProvince',
		'Address 1 - Postal Code': 'ZipOrPostal',
		'Address 1 - Country': '',
		'Organization Name': 'EmployerName',
		'Organization Title': 'OccupationName',
		'Website 1 - Value': '',
	},
	// Outlook, contact CSV export: support.microsoft.com, Create or edit .csv files to import into Outlook.
	Outlook: {
		'First Name': 'FirstName',
		'Middle Name': 'MiddleName',
		'Last Name': 'LastName',
		Title: 'Title',
		Suffix: 'Suffix',
		Company: 'EmployerName',
		'Job Title': 'OccupationName',
		'E-mail Address': 'Email',
		'E-mail 2 Address': 'OtherEmail',
		'Business Phone': 'WorkPhone',
		'Home Phone': 'Phone',
		'Mobile Phone': 'CellPhone',
		'Home Street': 'AddressLine1',
		'Home Street 2': 'AddressLine2',
		'Home City': 'City',
		'Home State': 'StateOrProvince',
		'Home Postal Code': 'ZipOrPostal',
		'Home Country/Region': '',
		'Business Street': '',
		Birthday: 'DOB',
		Gender: '',
		Notes: '',
	},
	// Typeform, results CSV: the questions are the headers.
	Typeform: {
		'#': '',
		'What is your first name?': 'FirstName',
		'What is your last name?': 'LastName',
		'What is your email address?': 'Email',
		'Your phone number': 'Phone',
		'Date of birth': 'DOB',
		'Zip Code': 'ZipOrPostal',
		'Start Date (UTC)': '',
		'Submit Date (UTC)': '',
		'Network ID': '',
	},
	// Gravity Forms, entry export: composed fields have their part in parentheses.
	'Gravity Forms': {
		'Name (Prefix)': 'Title',
		'Name (First)': 'FirstName',
		'Name (Middle)': 'MiddleName',
		'Name (Last)': 'LastName',
		'Name (Suffix)': 'Suffix',
		Email: 'Email',
		Phone: 'Phone',
		'Address (Street Address)': 'AddressLine1',
		'Address (Address Line 2)': 'AddressLine2',
		'Address (City)': 'City',
		'Address (State / Province)': 'StateOrProvince',
		'Address (ZIP / Postal Code)': 'ZipOrPostal',
		'Address (Country)': '',
		'Entry Id': '',
		'Source Url': '',
		'User IP': '',
	},
	// EveryAction, list export.
	EveryAction: {
		VANID: 'VanID',
		First: 'FirstName',
		Middle: 'MiddleName',
		Last: 'LastName',
		'Street Address': 'AddressLine1',
		City: 'City',
		'State/Province': 'StateOrProvince',
		'Zip/Postal': 'ZipOrPostal',
		'Preferred Email': '',
		'Cell Phone': 'CellPhone',
		'Home Phone': 'Phone',
		DOB: 'DOB',
	},
};

describe('headers of public exports', () => {
	test.each(Object.entries(lists))('of %s feed the right fields', (_, list) => {
		const expected = Object.fromEntries(Object.entries(list).filter(([, field]) => field !== ''));
		expect(match(Object.keys(list))).toEqual({
			mapped: expected,
			ambiguous: [],
			unmatched: Object.keys(list).filter((header) => list[header] === ''),
		});
	});

	test('are at least 200', () => {
		expect(Object.values(lists).flatMap(Object.keys).length).toBeGreaterThanOrEqual(200);
	});
});

test('headers of a spreadsheet made by hand feed the right fields', () => {
	const headers = [
		'First Name',
		'Last Name',
		'E-mail',
		'Cell phone',
		'Street',
		'City',
		'State',
		'Zip',
	];
	expect(match([...headers, 'Member #', 'Notes'])).toMatchObject({
		mapped: {
			'E-mail': 'Email',
			'Cell phone': 'CellPhone',
			Street: 'AddressLine1',
			State: 'StateOrProvince',
			Zip: 'ZipOrPostal',
		},
		unmatched: ['Member #', 'Notes'],
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
	expect(matchHeaders(['nativeId', 'Native ID'], fields, true)).toMatchObject({
		mapped: [],
		ambiguous: [{ headers: ['nativeId', 'Native ID'], fields: ['NativeId'] }],
	});
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

describe('the table of synonyms', () => {
	const all = Object.entries(headerSynonyms).flatMap(([field, names]) =>
		[field, ...names].map((name) => simplifyName(name)),
	);

	test('has every name once', () => {
		expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
	});

	test('has stand-ins for its own fields only', () => {
		for (const [field, other] of Object.entries(standIns)) {
			expect(Object.keys(headerSynonyms)).toContain(field);
			expect(standIns[other]).toBe(field);
		}
	});
});
