import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import {
	choiceField,
	idListField,
	idObjectField,
	listField,
	objectOf,
	sameNames,
	textField,
	withScreen,
} from './bodyField';
import type { BodyProblem } from './bodyProblem';
import {
	entryList,
	identifyingText,
	matchingText,
	recordIdSchema,
	text,
	wholeId,
} from './bodySchema';
import { dayText, isBirthDay, isoDate } from './dateText';
import {
	addressFields,
	customFieldFields,
	emailFields,
	emailSchema,
	identifierFields,
	phoneFields,
	phoneSchema,
	suppressionFields,
	withLeadingZeros,
} from './personEntries';
import type { PersonReference } from './endpoints';
import type { BodyKind } from './requestBody';
import type { Vocabulary } from './connection';

const ID_LIST = 'Their numbers, as set up by your organization, separated by commas';

const idList = <Name extends string>(displayName: string, idName: Name) =>
	idListField(idName, textField(displayName, ID_LIST, '3, 7').screen);

const idObject = <Name extends string>(displayName: string, idName: Name, description: string) =>
	idObjectField(idName, textField(displayName, description).screen);

/** The properties of a person: service.md 4.2. */
export const personFields = {
	firstName: textField(
		'First Name',
		'Given name. Helps to find the person, together with the last name.',
		'Ann',
		identifyingText,
	),
	lastName: textField(
		'Last Name',
		'Family name. Helps to find the person, together with the first name.',
		'Lee',
		identifyingText,
	),
	middleName: textField('Middle Name', 'The middle name or its initial'),
	suffix: textField('Suffix', 'A suffix the service knows; others are ignored', 'Jr'),
	title: textField('Title', 'The title before the name', 'Dr'),
	salutation: textField('Salutation', 'The form of address. If left out, the service forms one.'),
	envelopeName: textField(
		'Envelope Name',
		'The name on envelopes. If left out, the service forms one.',
	),
	formalSalutation: textField('Formal Salutation', 'The formal form of address'),
	additionalSalutation: textField('Additional Salutation', 'Another form of address'),
	formalEnvelopeName: textField('Formal Envelope Name', 'The formal name on envelopes'),
	additionalEnvelopeName: textField('Additional Envelope Name', 'Another name on envelopes'),
	nickname: textField('Nickname', 'What friends call the person'),
	website: textField('Website', 'Address of a website', 'https://example.org'),
	jobTitle: textField('Job Title', 'The position of the person'),
	contactMethodPreferenceCode: choiceField(
		'Preferred Contact Method',
		{ E: 'Email', F: 'Code F', M: 'Mail', P: 'Phone', S: 'Code S' },
		'How the person wants to be contacted. Ask the service operator what F and S mean.',
	),
	party: textField(
		'Party',
		'The one-character code of the party',
		'D',
		matchingText(/^.$/u, 'must be one character'),
	),
	sex: choiceField('Sex', { F: 'Female', M: 'Male' }, "The person's sex, as the service stores it"),
	// Checked here: the service silently drops a date it cannot read.
	dateOfBirth: textField(
		'Date of Birth',
		'Year, month and day; a time of day is left out',
		'1975-09-18',
		z
			.preprocess(
				dayText,
				text.refine((value) => isBirthDay(isoDate(value)?.slice(0, 10) ?? ''), {
					message:
						'must be a date in the past, from 1900 on, written year-month-day: 1975-09-18. For dates such as 9/18/1975, set the option Date Format to M/d/yyyy',
				}),
			)
			.transform((date) => date.slice(0, 10)),
	),
	employer: textField('Employer', 'Where the person works'),
	occupation: textField('Occupation', 'What the person does for a living'),
	pronouns: idObject('Pronoun ID', 'pronounId', 'The number of the pronouns in the service'),
	selfReportedRaces: idList('Self-Reported Race IDs', 'reportedRaceId'),
	selfReportedEthnicities: idList('Self-Reported Ethnicity IDs', 'reportedEthnicityId'),
	selfReportedGenders: idList('Self-Reported Gender IDs', 'reportedGenderId'),
	selfReportedSexualOrientations: idList(
		'Self-Reported Sexual Orientation IDs',
		'reportedSexualOrientationId',
	),
	selfReportedLanguagePreference: idObject(
		'Self-Reported Language Preference ID',
		'reportedLanguagePreferenceId',
		'The number of the language in the service',
	),
	collectedLocationId: textField(
		'Collected Location ID',
		'The number of the location where the data was collected',
		'',
		recordIdSchema,
	),
	electionType: choiceField(
		'Election Type',
		sameNames(['G', 'P', 'R', 'PP', 'SP', 'SG', 'MP', 'MG', 'C', 'O']),
		'The code of the election type',
	),
	cycle: textField(
		'Cycle',
		'The year of the election cycle',
		'2026',
		z
			.custom<number | string>((value) => /^\d{4}$/.test(String(value)), {
				message: 'must be a four-digit year',
			})
			.transform(Number),
	),
	contactMode: choiceField(
		'Contact Mode',
		sameNames(['Person', 'Organization']),
		'Whether this is a person or an organization',
	),
	organizationContactCommonName: textField(
		'Organization Common Name',
		'The name in everyday use. For organizations only.',
	),
	organizationContactOfficialName: textField(
		'Organization Official Name',
		'The registered name. For organizations only.',
	),
	emails: listField(
		{ displayName: 'Emails', entry: 'Email', entryName: 'email' },
		'Email addresses with their type and subscription, in addition to the field Email above',
		emailFields,
		entryList(emailSchema, emailFields, ['email']),
	),
	phones: listField(
		{ displayName: 'Phones', entry: 'Phone', entryName: 'phone' },
		'Phone numbers with their type, country and opt-in, in addition to the field Phone above',
		phoneFields,
		entryList(phoneSchema, phoneFields, ['phoneNumber']),
	),
	addresses: listField(
		{ displayName: 'Addresses', entry: 'Address', entryName: 'address' },
		'Postal addresses of the person',
		addressFields,
		entryList(z.preprocess(withLeadingZeros, objectOf(addressFields)), addressFields, [
			'addressLine1',
			'addressLine2',
			'addressLine3',
			'city',
			'stateOrProvince',
			'zipOrPostalCode',
		]),
	),
	identifiers: listField(
		{ displayName: 'External IDs', entry: 'External ID', entryName: 'identifier' },
		'IDs of the person in other systems',
		identifierFields,
		entryList(objectOf(identifierFields, 'externalId', 'type'), identifierFields, ['externalId']),
	),
	customFieldValues: listField(
		{ displayName: 'Custom Fields', entry: 'Custom Field', entryName: 'customFieldValue' },
		'Values of fields your organization has added',
		customFieldFields,
		entryList(
			objectOf(customFieldFields, 'customFieldId', 'customFieldGroupId', 'assignedValue'),
			customFieldFields,
			['assignedValue'],
		),
	),
	suppressions: listField(
		{ displayName: 'Suppressions', entry: 'Suppression', entryName: 'suppression' },
		'Ways in which the person must not be contacted',
		suppressionFields,
		entryList(objectOf(suppressionFields, 'suppressionCode'), suppressionFields, [
			'suppressionCode',
		]),
	),
};

const schemaOf = (fields: typeof personFields) => objectOf(fields);
type PersonSchema = ReturnType<typeof schemaOf>;

const personIdField = withScreen(
	textField(
		'Person ID',
		'The number of the person in the service, if you know it. It decides who is matched, whatever else is entered. An unknown number is ignored.',
		'100123',
		recordIdSchema,
	),
	{ name: 'personId' },
);

export type Person = z.output<PersonSchema>;

/** service.md 4.7. */
export const readOnlyPersonSections = [
	'biography',
	'cases',
	'codes',
	'contributionHistory',
	'customFields',
	'customProperties',
	'disclosureFieldValues',
	'districts',
	'electionRecords',
	'membershipStatuses',
	'notes',
	'organizationRoles',
	'pollingLocation',
	'preferences',
	'primaryContact',
	'recordedAddresses',
	'reportedDemographics',
	'scores',
];

/** service.md 4.7. */
const readOnlyNames: ReadonlyMap<string, readonly string[]> = new Map([
	['', ['matchStatus', 'mayBeNew', ...readOnlyPersonSections]],
	['emails[]', ['dateCreated']],
	['phones[]', ['phoneId', 'dateCreated', 'isBest', 'smsOptInStatus', 'isCellPhoneExchange']],
	['phones[].isCellStatus', ['statusName']],
	['addresses[]', ['addressId', 'geoLocation', 'preview', 'streetAddress', 'displayMode']],
]);

function rulesBroken(person: Person): BodyProblem[] {
	if (Object.keys(person).length === 0)
		return [{ path: [], text: 'is empty. Enter what is known about the person.' }];
	if (person.contactMode === 'Organization') return [];
	return (['organizationContactCommonName', 'organizationContactOfficialName'] as const)
		.filter((name) => person[name] !== undefined)
		.map((name) => ({
			path: [name],
			text: 'is stored for organizations only. Set the contact mode to Organization, or remove this name.',
		}));
}

const otherId = z.custom<undefined>(() => false, {
	message: 'cannot be changed. Remove it here: the ID above says which person is updated',
});

/** @param updated the person to update: another ID in the body would change another record */
export function personBody({ personId }: Pick<Vocabulary, 'personId'>, updated?: PersonReference) {
	const idField = updated === undefined ? personIdField : { schema: otherId };
	const fields = { [personId]: idField, ...personFields };
	// Records that were read have the ID twice.
	const isUpdated = (name: string, of: IDataObject): boolean =>
		updated === undefined
			? name === 'personId' && name !== personId && of[name] === of[personId]
			: [personId, 'personId'].includes(name) && wholeId(of[name]) === updated;
	return {
		label: 'Person',
		fields,
		// The name of the ID is not known to the type.
		schema: schemaOf(fields),
		isReadOnly: (place, name, of) =>
			readOnlyNames.get(place)?.includes(name) === true || (place === '' && isUpdated(name, of)),
		rules: rulesBroken,
	} satisfies BodyKind<PersonSchema>;
}
