import type { TenantStore } from '../store/tenantStore';
import type { Vocabulary } from '../vocabulary';
import { defineMappingType, needs, type MappingTypeDefinition } from './mappingType';
import {
	activistCodeValues,
	availableValues,
	CELL_STATUSES,
	CONTACT_MODES,
	contactTypeValues,
	customFieldGroupValues,
	EMAIL_SUBSCRIPTION_STATUSES,
	EMAIL_TYPES,
	externalIdTypeValues,
	PHONE_OPT_IN_STATUSES,
	PHONE_TYPES,
	relationshipValues,
	resultCodeValues,
	SEXES,
	sourceCodeValues,
	SUPPRESSIONS,
	turfLevelValues,
	userValues,
	YES_NO,
} from './predefinedValues';

const CONTACTS = ['Contacts'];

/** Columns of the Jobs mapping type after the person id (service.md 2.6). */
export const JOB_FIELDS = [
	'Employer',
	'EmployeeID',
	'Worksite',
	'WorkArea',
	'Department',
	'ShiftType',
	'ScheduleType',
	'MemberStatus',
	'HireDate',
	'StartDate',
	'ProbationEndDate',
	'IsTerminated',
	'TerminatedDate',
	'TerminatedReason',
	'TerminatedBy',
	'TerminatedNotes',
	'IsExcluded',
	'ExcludedDate',
	'ExcludedReason',
	'ExcludedBy',
	'ExcludedNotes',
	'MembershipCardSigned',
	'MembershipCardSignedDate',
	'MembershipCardReceivedDate',
	'MembershipCardEnteredBy',
	'AuthorizationCardSigned',
	'AuthorizationCardSignedDate',
	'AuthorizationCardReceivedDate',
	'AuthorizationCardEnteredBy',
	'Wage',
	'WageType',
	'WealthcareContribution',
	'HoursPerWeek',
	'SickDays',
	'VacationDays',
];

function text(name: string, description: string) {
	return { name, description };
}

function createOrUpdateContact({ setup }: TenantStore, personIdField: string) {
	return defineMappingType(
		{
			name: 'CreateOrUpdateContact',
			displayName: 'Create or Update Contact',
			allowMultipleMode: 'Single',
			resourceTypes: CONTACTS,
		},
		[
			text(personIdField, 'Person to update; without it people are matched, else created'),
			text('FirstName', 'First name'),
			text('MiddleName', 'Middle name'),
			text('LastName', 'Last name'),
			text('Suffix', 'Suffix'),
			text('Title', 'Title'),
			text('ProfessionalSuffix', 'Professional suffix'),
			text('DOB', 'Date of birth'),
			{ ...text('Sex', 'Sex'), values: SEXES },
			text('AddressLine1', 'Home address, first line'),
			text('AddressLine2', 'Home address, second line'),
			text('AddressLine3', 'Home address, third line'),
			text('City', 'City of the home address'),
			text('StateOrProvince', 'State or province of the home address'),
			text('ZipOrPostal', 'ZIP or postal code of the home address'),
			text('CountryCode', 'Country of the home address, ISO 3166-1 alpha-2'),
			{ ...text('DisplayAsEntered', 'Keep the address as entered'), values: YES_NO },
			text('Phone', 'Home phone'),
			{ ...text('PhoneCountryCode', 'Country of the home phone'), parents: needs('Phone') },
			text('CellPhone', 'Cell phone'),
			{ ...text('CellPhoneCountryCode', 'Country of the cell phone'), parents: needs('CellPhone') },
			text('WorkPhone', 'Work phone'),
			{ ...text('WorkPhoneCountryCode', 'Country of the work phone'), parents: needs('WorkPhone') },
			text('Email', 'Personal email'),
			text('OtherEmail', 'Other email'),
			text('WorkEmail', 'Work email'),
			text('EmployerName', 'Employer'),
			text('OccupationName', 'Occupation'),
			{ ...text('ContactModeID', 'Person or organization'), values: CONTACT_MODES },
			text('OrganizationContactCommonName', 'Common name of an organization'),
			text('OrganizationContactOfficialName', 'Official name of an organization'),
			text('Salutation', 'Salutation'),
			text('FormalSalutation', 'Formal salutation'),
			text('AdditionalSalutation', 'Additional salutation'),
			text('EnvelopeName', 'Envelope name'),
			text('FormalEnvelopeName', 'Formal envelope name'),
			text('AdditionalEnvelopeName', 'Additional envelope name'),
			...setup.externalIdTypes.map((type) =>
				text(`External_${type.externalIdTypeId}ID`, `External identifier ${type.name}`),
			),
			// What these three change is not documented; they are accepted and change nothing here.
			{
				...text('IsInFileMatchingEnabled', 'Match rows of the file with each other'),
				values: YES_NO,
				canBeMappedToColumn: false,
			},
			text('Action', 'Action'),
			{
				...text('SkipEmailSubscriptionUpdate', 'Leave the email subscription as it is'),
				values: YES_NO,
				canBeMappedToColumn: false,
			},
			{
				...text('DoNotUpdateBest', 'Keep the best phone, email and address'),
				values: YES_NO,
				canBeMappedToColumn: false,
			},
		],
	);
}

function mailingAddress() {
	return defineMappingType(
		{
			name: 'MailingAddress',
			displayName: 'Apply Mailing Address',
			allowMultipleMode: 'Single',
			resourceTypes: CONTACTS,
		},
		[
			text('MailingAddress', 'First line'),
			text('MailingAddressLine2', 'Second line'),
			text('MailingAddressLine3', 'Third line'),
			text('MailingCity', 'City'),
			text('MailingStateOrProvince', 'State or province'),
			text('MailingZipOrPostal', 'ZIP or postal code'),
			{ ...text('MailingCountryCode', 'Country, ISO 3166-1 alpha-2'), isRequired: true },
			{
				...text('MailingDisplayAsEntered', 'Keep the address as entered'),
				isRequired: true,
				values: YES_NO,
			},
		],
	);
}

function phones() {
	return defineMappingType(
		{
			name: 'Phones',
			displayName: 'Phones',
			allowMultipleMode: 'Multiple',
			resourceTypes: CONTACTS,
		},
		[
			{ ...text('Phone', 'Phone number'), isRequired: true },
			{
				...text('PhoneTypeID', 'Type'),
				isRequired: true,
				values: PHONE_TYPES,
				parents: needs('Phone'),
			},
			{ ...text('CountryCode', 'Country, ISO 3166-1 alpha-2'), parents: needs('Phone') },
			{
				...text('PhoneOptInStatusID', 'Opt-in status'),
				values: PHONE_OPT_IN_STATUSES,
				parents: needs('Phone'),
			},
			{ ...text('IsCellStatusID', 'Cell status'), values: CELL_STATUSES, parents: needs('Phone') },
		],
	);
}

function email() {
	return defineMappingType(
		{
			name: 'Email',
			displayName: 'Email Address',
			allowMultipleMode: 'Multiple',
			resourceTypes: CONTACTS,
		},
		[
			{ ...text('Email', 'Email'), isRequired: true },
			{ ...text('EmailTypeId', 'Type'), values: EMAIL_TYPES, parents: needs('Email') },
			{
				...text('EmailSubscriptionStatusId', 'Subscription status'),
				values: EMAIL_SUBSCRIPTION_STATUSES,
				parents: needs('Email'),
			},
		],
	);
}

function applyExternalId({ setup }: TenantStore) {
	return defineMappingType(
		{
			name: 'ApplyExternalID',
			displayName: 'Apply External ID',
			allowMultipleMode: 'SinglePerType',
			resourceTypes: CONTACTS,
		},
		[
			{
				...text('ExternalIdTypeID', 'External identifier type'),
				isRequired: true,
				values: externalIdTypeValues(setup),
			},
			{
				...text('ExternalId', 'External identifier'),
				isRequired: true,
				parents: needs('ExternalIdTypeID'),
			},
		],
	);
}

function applyContactCustomFields({ setup }: TenantStore) {
	return defineMappingType(
		{
			name: 'ApplyContactCustomFields',
			displayName: 'Apply Contact Custom Fields',
			allowMultipleMode: 'SinglePerType',
			resourceTypes: CONTACTS,
		},
		[
			{
				...text('CustomFieldGroupID', 'Custom field group'),
				isRequired: true,
				values: customFieldGroupValues(setup),
			},
			...setup.customFieldGroups.flatMap((group) =>
				group.fields.map((field) => ({
					...text(`CF${field.customFieldId}`, field.name),
					...(field.availableValues && { values: availableValues(field.availableValues) }),
					parents: [
						{
							parentFieldName: 'CustomFieldGroupID',
							limitedToParentValues: [{ name: group.name, id: String(group.customFieldGroupId) }],
						},
					],
				})),
			),
		],
	);
}

function activistCode({ setup }: TenantStore) {
	return defineMappingType(
		{
			name: 'ActivistCode',
			displayName: 'Apply Activist Code',
			allowMultipleMode: 'Multiple',
			resourceTypes: ['Contacts', 'ContactsActivistCodes'],
		},
		[
			{
				...text('ActivistCodeID', 'Activist code'),
				isRequired: true,
				values: activistCodeValues(setup),
			},
			{ ...text('CanvassedBy', 'User who canvassed'), values: userValues(setup) },
			{ ...text('DateCanvassed', 'Date canvassed'), parents: needs('CanvassedBy') },
			{
				...text('ContactTypeID', 'Contact type'),
				values: contactTypeValues(setup),
				parents: needs('CanvassedBy'),
			},
		],
	);
}

function canvassResults({ setup }: TenantStore) {
	return defineMappingType(
		{
			name: 'CanvassResults',
			displayName: 'Apply Canvass Results',
			allowMultipleMode: 'Multiple',
			resourceTypes: CONTACTS,
		},
		[
			{
				...text('ContactTypeID', 'Contact type'),
				isRequired: true,
				values: contactTypeValues(setup),
			},
			{
				...text('ResultID', 'Result'),
				isRequired: true,
				values: resultCodeValues(setup),
				parents: needs('ContactTypeID'),
			},
			{ ...text('DateCanvassed', 'Date canvassed'), isRequired: true },
			{
				...text('CanvassedBy', 'User who canvassed'),
				isRequired: true,
				values: userValues(setup),
			},
			text('Phone', 'Phone that was used'),
			{ ...text('CountryCode', 'Country of the phone'), parents: needs('Phone') },
			{ ...text('PhoneTypeID', 'Type of the phone'), values: PHONE_TYPES, parents: needs('Phone') },
			{
				...text('PhoneOptInStatusID', 'Opt-in status of the phone'),
				values: PHONE_OPT_IN_STATUSES,
				parents: needs('Phone'),
			},
			text('AddressID', 'Address that was visited'),
		],
	);
}

function suppressions() {
	return defineMappingType(
		{
			name: 'Suppressions',
			displayName: 'Suppressions',
			allowMultipleMode: 'Multiple',
			resourceTypes: CONTACTS,
		},
		[{ ...text('SuppressionID', 'Suppression'), isRequired: true, values: SUPPRESSIONS }],
	);
}

function originSourceCode(store: TenantStore) {
	return defineMappingType(
		{
			name: 'OriginSourceCode',
			displayName: 'Origin Source Code',
			allowMultipleMode: 'Single',
			resourceTypes: CONTACTS,
		},
		[{ ...text('CodeId', 'Source code'), isRequired: true, values: sourceCodeValues(store) }],
	);
}

function salutations() {
	return defineMappingType(
		{
			name: 'Salutations',
			displayName: 'Salutations',
			allowMultipleMode: 'Single',
			resourceTypes: CONTACTS,
		},
		[
			text('LastName', 'Last name'),
			text('FirstName', 'First name'),
			text('MiddleName', 'Middle name'),
			text('Suffix', 'Suffix'),
			text('Salutation', 'Salutation'),
			text('FormalSalutation', 'Formal salutation'),
			text('AdditionalSalutation', 'Additional salutation'),
			text('EnvelopeName', 'Envelope name'),
			text('FormalEnvelopeName', 'Formal envelope name'),
			text('AdditionalEnvelopeName', 'Additional envelope name'),
		],
	);
}

function applyRelationships({ setup }: TenantStore, vocabulary: Vocabulary) {
	const secondary = vocabulary.secondaryPersonIdField;
	return defineMappingType(
		{
			name: 'ApplyRelationships',
			displayName: 'Apply Relationships',
			allowMultipleMode: 'Multiple',
			resourceTypes: CONTACTS,
		},
		[
			{ ...text(secondary, 'The other person'), isRequired: true },
			{
				...text('Relationship', 'What the other person is to this one'),
				isRequired: true,
				values: relationshipValues(setup),
				parents: needs(secondary),
			},
			{
				...text('OverwriteExistingRelationship', 'Replace relationships between the two'),
				values: YES_NO,
				parents: needs('Relationship'),
			},
		],
	);
}

function applyOrganizingTurfs({ setup }: TenantStore) {
	return defineMappingType(
		{
			// The contract spells it this way (service.md 2.6).
			name: 'ApplyOrganzingTurfs',
			displayName: 'Apply Organizing Turfs',
			allowMultipleMode: 'Single',
			resourceTypes: CONTACTS,
		},
		setup.organizingTurfs.levels.map((level, depth, levels) => {
			const above = levels[depth - 1];
			return {
				...text(level, `Turf level ${depth + 1}`),
				isRequired: true,
				values: turfLevelValues(setup, depth),
				...(above !== undefined && { parents: needs(above) }),
			};
		}),
	);
}

function jobs(personIdField: string) {
	return defineMappingType(
		{
			name: 'Jobs',
			displayName: 'Jobs',
			allowMultipleMode: 'Multiple',
			resourceTypes: CONTACTS,
		},
		[
			{ ...text(personIdField, 'Person who holds the job'), isRequired: true },
			...JOB_FIELDS.map((name) => text(name, name)),
		],
	);
}

/** Every mapping type for people that the contract or its best-known deployment names. */
export function contactMappingTypes(
	store: TenantStore,
	vocabulary: Vocabulary,
): MappingTypeDefinition[] {
	// The Van deployment writes VanID in field lists, the contract NativeId.
	const personIdField =
		vocabulary.word === 'Van' ? vocabulary.primaryKeyType : vocabulary.personIdColumn;
	return [
		createOrUpdateContact(store, personIdField),
		mailingAddress(),
		phones(),
		email(),
		applyExternalId(store),
		applyContactCustomFields(store),
		activistCode(store),
		canvassResults(store),
		suppressions(),
		originSourceCode(store),
		salutations(),
		applyRelationships(store, vocabulary),
		applyOrganizingTurfs(store),
		jobs(personIdField),
	];
}
