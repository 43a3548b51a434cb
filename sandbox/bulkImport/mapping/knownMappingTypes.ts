import type { TenantStore } from '../../store/tenantStore';
import type { Vocabulary } from '../../wire/vocabulary';
import {
	defineMappingType,
	needs,
	type FieldDefinition,
	type FieldValue,
	type MappingTypeDefinition,
	type MappingTypeDescription,
} from './mappingType';
import {
	activistCodeValues,
	ADJUSTMENT_TYPES,
	CELL_STATUSES,
	CONTACT_MODES,
	EMAIL_SUBSCRIPTION_STATUSES,
	EMAIL_TYPES,
	PHONE_OPT_IN_STATUSES,
	PHONE_TYPES,
	resultCodeValues,
	SEXES,
	SUPPRESSIONS,
	turfLevelValues,
	valuesOf,
	YES_NO,
} from './predefinedValues';

/** Columns of the Jobs mapping type after the person id (service.md 3.3). */
const JOB_FIELDS = `
	Employer EmployeeID Worksite WorkArea Department ShiftType ScheduleType MemberStatus
	HireDate StartDate ProbationEndDate
	IsTerminated TerminatedDate TerminatedReason TerminatedBy TerminatedNotes
	IsExcluded ExcludedDate ExcludedReason ExcludedBy ExcludedNotes
	MembershipCardSigned MembershipCardSignedDate MembershipCardReceivedDate MembershipCardEnteredBy
	AuthorizationCardSigned AuthorizationCardSignedDate AuthorizationCardReceivedDate
	AuthorizationCardEnteredBy
	Wage WageType WealthcareContribution HoursPerWeek SickDays VacationDays`
	.trim()
	.split(/\s+/);

const CONTACTS = ['Contacts'];
const CONTACTS_OR_CODES = ['Contacts', 'ContactsActivistCodes'];
const CONTRIBUTIONS = ['Contributions', 'ContributionAdjustments'];

const NAME_FIELDS =
	'Salutation FormalSalutation AdditionalSalutation EnvelopeName FormalEnvelopeName AdditionalEnvelopeName';

/** `ZipOrPostal` → `Zip or postal`; abbreviations stay. */
function words(name: string): string {
	const [first = '', ...rest] = name.split(/(?<=[a-z])(?=[A-Z0-9])/);
	return [first, ...rest.map((word) => (/^[A-Z]{2}/.test(word) ? word : word.toLowerCase()))].join(
		' ',
	);
}

/** @param text the name, or `name: description` */
function field(text: string, more: Partial<FieldDefinition> = {}): FieldDefinition {
	const [name = '', description = words(name)] = text.split(': ');
	return { name, description, ...more };
}

const required = (name: string, more: Partial<FieldDefinition> = {}) =>
	field(name, { ...more, isRequired: true });
const fields = (names: string) => names.split(' ').map((name) => field(name));
const fixedOnly = (name: string) => field(name, { values: YES_NO, canBeMappedToColumn: false });

function type(
	name: string,
	displayName: string,
	allowMultipleMode: MappingTypeDescription['allowMultipleMode'],
	resourceTypes: string[],
	list: FieldDefinition[],
): MappingTypeDefinition {
	return defineMappingType({ name, displayName, allowMultipleMode, resourceTypes }, list);
}

/** Every mapping type that the contract or its best-known deployment names (service.md 3.3). */
export function knownMappingTypes(
	setup: TenantStore['setup'],
	sourceCodes: FieldValue[],
	vocabulary: Vocabulary,
): MappingTypeDefinition[] {
	// The Van deployment writes VanID in field lists, the contract NativeId.
	const personId =
		vocabulary.word === 'Van' ? vocabulary.primaryKeyType : vocabulary.personIdColumn;
	const secondary = vocabulary.secondaryPersonIdField;
	const users = { values: valuesOf(setup.users.map(({ userId, name }) => [userId, name])) };
	const contactTypes = {
		values: valuesOf(setup.contactTypes.map((one) => [one.contactTypeId, one.name])),
	};
	const phone = { parents: needs('Phone') };
	const adjustment = { parents: needs('AdjustmentAmount') };
	return [
		type('CreateOrUpdateContact', 'Create or Update Contact', 'Single', CONTACTS, [
			field(`${personId}: Person to update; without it people are matched, else created`),
			...fields('FirstName MiddleName LastName Suffix Title ProfessionalSuffix'),
			field('DOB: Date of birth'),
			field('Sex', { values: SEXES }),
			...fields('AddressLine1 AddressLine2 AddressLine3 City StateOrProvince ZipOrPostal'),
			field('CountryCode: Country of the home address, ISO 3166-1 alpha-2'),
			field('DisplayAsEntered: Keep the address as entered', { values: YES_NO }),
			field('Phone: Home phone'),
			field('PhoneCountryCode: Country of the home phone', { parents: needs('Phone') }),
			field('CellPhone'),
			field('CellPhoneCountryCode: Country of the cell phone', { parents: needs('CellPhone') }),
			field('WorkPhone'),
			field('WorkPhoneCountryCode: Country of the work phone', { parents: needs('WorkPhone') }),
			field('Email: Personal email'),
			...fields('OtherEmail WorkEmail'),
			field('EmployerName: Employer'),
			field('OccupationName: Occupation'),
			field('ContactModeID: Person or organization', { values: CONTACT_MODES }),
			field('OrganizationContactCommonName: Common name of an organization'),
			field('OrganizationContactOfficialName: Official name of an organization'),
			...fields(NAME_FIELDS),
			...setup.externalIdTypes.map(({ externalIdTypeId, name }) =>
				field(`External_${externalIdTypeId}ID`, { description: `External identifier ${name}` }),
			),
			// What these change is not documented; only DoNotUpdateBest has an effect here.
			fixedOnly('IsInFileMatchingEnabled: Match rows of the file with each other'),
			field('Action'),
			fixedOnly('SkipEmailSubscriptionUpdate: Leave the email subscription as it is'),
			fixedOnly('DoNotUpdateBest: Keep the best phone, email and address'),
		]),
		type('MailingAddress', 'Apply Mailing Address', 'Single', CONTACTS, [
			...fields('MailingAddress MailingAddressLine2 MailingAddressLine3'),
			...fields('MailingCity MailingStateOrProvince MailingZipOrPostal'),
			required('MailingCountryCode: Country, ISO 3166-1 alpha-2'),
			required('MailingDisplayAsEntered: Keep the address as entered', { values: YES_NO }),
		]),
		type('Phones', 'Phones', 'Multiple', CONTACTS, [
			required('Phone: Phone number'),
			required('PhoneTypeID: Type', { values: PHONE_TYPES, ...phone }),
			field('CountryCode: Country, ISO 3166-1 alpha-2', phone),
			field('PhoneOptInStatusID: Opt-in status', { values: PHONE_OPT_IN_STATUSES, ...phone }),
			field('IsCellStatusID: Cell status', { values: CELL_STATUSES, ...phone }),
		]),
		type('Email', 'Email Address', 'Multiple', CONTACTS, [
			required('Email'),
			field('EmailTypeId: Type', { values: EMAIL_TYPES, parents: needs('Email') }),
			field('EmailSubscriptionStatusId: Subscription status', {
				values: EMAIL_SUBSCRIPTION_STATUSES,
				parents: needs('Email'),
			}),
		]),
		type('ApplyExternalID', 'Apply External ID', 'SinglePerType', CONTACTS, [
			required('ExternalIdTypeID: External identifier type', {
				values: valuesOf(setup.externalIdTypes.map((one) => [one.externalIdTypeId, one.name])),
			}),
			required('ExternalId: External identifier', { parents: needs('ExternalIdTypeID') }),
		]),
		type('ApplyContactCustomFields', 'Apply Contact Custom Fields', 'SinglePerType', CONTACTS, [
			required('CustomFieldGroupID: Custom field group', {
				values: valuesOf(setup.customFieldGroups.map((one) => [one.customFieldGroupId, one.name])),
			}),
			...setup.customFieldGroups.flatMap((group) =>
				group.fields.map(({ customFieldId, name, availableValues }) =>
					field(`CF${customFieldId}`, {
						description: name,
						// The store keeps the text of an available value, so the text is its id.
						...(availableValues && {
							values: valuesOf(availableValues.map((text) => [text, text])),
						}),
						parents: [
							{
								parentFieldName: 'CustomFieldGroupID',
								limitedToParentValues: [{ name: group.name, id: String(group.customFieldGroupId) }],
							},
						],
					}),
				),
			),
		]),
		type('ActivistCode', 'Apply Activist Code', 'Multiple', CONTACTS_OR_CODES, [
			required('ActivistCodeID: Activist code', { values: activistCodeValues(setup) }),
			field('CanvassedBy: User who canvassed', users),
			field('DateCanvassed', { parents: needs('CanvassedBy') }),
			field('ContactTypeID: Contact type', { ...contactTypes, parents: needs('CanvassedBy') }),
		]),
		// Its known clients spell these fields so; those of other mapping types are written as in the contract.
		type('CanvassResults', 'Apply Canvass Results', 'Multiple', CONTACTS, [
			required('contacttypeid: Contact type', contactTypes),
			required('resultid: Result', {
				values: resultCodeValues(setup),
				parents: needs('contacttypeid'),
			}),
			required('datecanvassed: Date canvassed'),
			required('canvassedby: User who canvassed', users),
			field('phone: Phone that was used'),
			field('countrycode: Country of the phone', phone),
			field('phonetypeid: Type of the phone', { values: PHONE_TYPES, ...phone }),
			field('phoneoptinstatusid: Opt-in status of the phone', {
				values: PHONE_OPT_IN_STATUSES,
				...phone,
			}),
			field('addressid: Address that was visited'),
		]),
		type('Suppressions', 'Suppressions', 'Multiple', CONTACTS, [
			required('SuppressionID: Suppression', { values: SUPPRESSIONS }),
		]),
		type('OriginSourceCode', 'Origin Source Code', 'Single', CONTACTS, [
			required('CodeId: Source code', { values: sourceCodes }),
		]),
		type(
			'Salutations',
			'Salutations',
			'Single',
			CONTACTS,
			fields(`LastName FirstName MiddleName Suffix ${NAME_FIELDS}`),
		),
		type('ApplyRelationships', 'Apply Relationships', 'Multiple', CONTACTS, [
			required(`${secondary}: The other person`),
			required('Relationship: What the other person is to this one', {
				// Relationships have no ids in the tenant's setup; their position is used instead.
				values: valuesOf(setup.relationships.map((name, index) => [index + 1, name])),
				parents: needs(secondary),
			}),
			field('OverwriteExistingRelationship: Replace relationships between the two', {
				values: YES_NO,
				parents: needs('Relationship'),
			}),
		]),
		// The contract spells it this way (service.md 2.6).
		type(
			'ApplyOrganzingTurfs',
			'Apply Organizing Turfs',
			'Single',
			CONTACTS,
			setup.organizingTurfs.levels.map((level, depth, levels) => {
				const above = levels[depth - 1];
				return required(level, {
					description: `Turf level ${depth + 1}`,
					values: turfLevelValues(setup, depth),
					...(above !== undefined && { parents: needs(above) }),
				});
			}),
		),
		type('Jobs', 'Jobs', 'Multiple', CONTACTS, [
			required(`${personId}: Person who holds the job`),
			...JOB_FIELDS.map((name) => field(name)),
		]),
		// The contract does not name the fields of these two: they are the sandbox's own.
		type('ContributionAdjustments', 'Contribution Adjustments', 'Multiple', CONTRIBUTIONS, [
			required('AdjustmentAmount'),
			field('AdjustmentTypeID', { values: ADJUSTMENT_TYPES, ...adjustment }),
			field('AdjustmentDate', adjustment),
			field('AdjustmentNotes', adjustment),
		]),
		type('EditContributionDataContacts', 'Edit Contribution Data', 'Single', CONTRIBUTIONS, [
			...fields('DateReceived Designation CheckNumber'),
			field('CheckDate', { parents: needs('CheckNumber') }),
			...fields('DepositNumber Notes'),
		]),
	];
}
