import type { TenantStore } from '../../store/tenantStore';
import type { Vocabulary } from '../../wire/vocabulary';
import {
	defineMappingType,
	needs,
	type FieldDefinition,
	type MappingTypeDefinition,
	type MappingTypeDescription,
} from './mappingType';
import {
	activistCodeValues,
	ADJUSTMENT_TYPES,
	CELL_STATUSES,
	CONTACT_MODES,
	contactTypeValues,
	EMAIL_SUBSCRIPTION_STATUSES,
	EMAIL_TYPES,
	PHONE_OPT_IN_STATUSES,
	PHONE_TYPES,
	resultCodeValues,
	SEXES,
	sourceCodeValues,
	SUPPRESSIONS,
	turfLevelValues,
	valuesOf,
	YES_NO,
} from './predefinedValues';

/** Columns of the Jobs mapping type after the person id (service.md 3.3). */
export const JOB_FIELDS = `
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

const NAME_FIELDS =
	'Salutation FormalSalutation AdditionalSalutation EnvelopeName FormalEnvelopeName AdditionalEnvelopeName';

/** `ZipOrPostal` → `Zip or postal`; abbreviations stay. */
function words(name: string): string {
	const [first = '', ...rest] = name.split(/(?<=[a-z])(?=[A-Z0-9])/);
	return [first, ...rest.map((word) => (/^[A-Z]{2}/.test(word) ? word : word.toLowerCase()))].join(
		' ',
	);
}

function field(name: string, more: Partial<FieldDefinition> = {}): FieldDefinition {
	return { name, description: words(name), ...more };
}

const required = (name: string, more: Partial<FieldDefinition> = {}) =>
	field(name, { ...more, isRequired: true });
const fields = (names: string) => names.split(' ').map((name) => field(name));
const fixedOnly = (name: string) => field(name, { values: YES_NO, canBeMappedToColumn: false });

function type(
	name: string,
	displayName: string,
	allowMultipleMode: MappingTypeDescription['allowMultipleMode'],
	list: FieldDefinition[],
	resourceTypes = ['Contacts'],
): MappingTypeDefinition {
	return defineMappingType({ name, displayName, allowMultipleMode, resourceTypes }, list);
}

/** Every mapping type that the contract or its best-known deployment names (service.md 3.3). */
export function knownMappingTypes(
	store: TenantStore,
	vocabulary: Vocabulary,
): MappingTypeDefinition[] {
	const { setup } = store;
	// The Van deployment writes VanID in field lists, the contract NativeId.
	const personId =
		vocabulary.word === 'Van' ? vocabulary.primaryKeyType : vocabulary.personIdColumn;
	const secondary = vocabulary.secondaryPersonIdField;
	const phone = { parents: needs('Phone') };
	const adjustment = { parents: needs('AdjustmentAmount') };
	const contributions = ['Contributions', 'ContributionAdjustments'];
	return [
		type('CreateOrUpdateContact', 'Create or Update Contact', 'Single', [
			field(personId, {
				description: 'Person to update; without it people are matched, else created',
			}),
			...fields('FirstName MiddleName LastName Suffix Title ProfessionalSuffix'),
			field('DOB', { description: 'Date of birth' }),
			field('Sex', { values: SEXES }),
			...fields(
				'AddressLine1 AddressLine2 AddressLine3 City StateOrProvince ZipOrPostal CountryCode',
			),
			field('DisplayAsEntered', { values: YES_NO }),
			...['Phone', 'CellPhone', 'WorkPhone'].flatMap((name) => [
				field(name),
				field(`${name}CountryCode`, { parents: needs(name) }),
			]),
			...fields('Email OtherEmail WorkEmail EmployerName OccupationName'),
			field('ContactModeID', { values: CONTACT_MODES }),
			...fields('OrganizationContactCommonName OrganizationContactOfficialName'),
			...fields(NAME_FIELDS),
			...setup.externalIdTypes.map(({ externalIdTypeId, name }) =>
				field(`External_${externalIdTypeId}ID`, { description: `External identifier ${name}` }),
			),
			// What these change is not documented; all but DoNotUpdateBest change nothing here.
			field('Action'),
			...['IsInFileMatchingEnabled', 'SkipEmailSubscriptionUpdate', 'DoNotUpdateBest'].map(
				fixedOnly,
			),
		]),
		type('MailingAddress', 'Apply Mailing Address', 'Single', [
			...fields('MailingAddress MailingAddressLine2 MailingAddressLine3 MailingCity'),
			...fields('MailingStateOrProvince MailingZipOrPostal'),
			required('MailingCountryCode'),
			required('MailingDisplayAsEntered', { values: YES_NO }),
		]),
		type('Phones', 'Phones', 'Multiple', [
			required('Phone'),
			required('PhoneTypeID', { values: PHONE_TYPES, ...phone }),
			field('CountryCode', phone),
			field('PhoneOptInStatusID', { values: PHONE_OPT_IN_STATUSES, ...phone }),
			field('IsCellStatusID', { values: CELL_STATUSES, ...phone }),
		]),
		type('Email', 'Email Address', 'Multiple', [
			required('Email'),
			field('EmailTypeId', { values: EMAIL_TYPES, parents: needs('Email') }),
			field('EmailSubscriptionStatusId', {
				values: EMAIL_SUBSCRIPTION_STATUSES,
				parents: needs('Email'),
			}),
		]),
		type('ApplyExternalID', 'Apply External ID', 'SinglePerType', [
			required('ExternalIdTypeID', {
				values: valuesOf(setup.externalIdTypes.map((one) => [one.externalIdTypeId, one.name])),
			}),
			required('ExternalId', { parents: needs('ExternalIdTypeID') }),
		]),
		type('ApplyContactCustomFields', 'Apply Contact Custom Fields', 'SinglePerType', [
			required('CustomFieldGroupID', {
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
		type(
			'ActivistCode',
			'Apply Activist Code',
			'Multiple',
			[
				required('ActivistCodeID', { values: activistCodeValues(setup) }),
				field('CanvassedBy', {
					values: valuesOf(setup.users.map((one) => [one.userId, one.name])),
				}),
				field('DateCanvassed', { parents: needs('CanvassedBy') }),
				field('ContactTypeID', { values: contactTypeValues(setup), parents: needs('CanvassedBy') }),
			],
			['Contacts', 'ContactsActivistCodes'],
		),
		type('CanvassResults', 'Apply Canvass Results', 'Multiple', [
			required('ContactTypeID', { values: contactTypeValues(setup) }),
			required('ResultID', { values: resultCodeValues(setup), parents: needs('ContactTypeID') }),
			required('DateCanvassed'),
			required('CanvassedBy', {
				values: valuesOf(setup.users.map((one) => [one.userId, one.name])),
			}),
			field('Phone'),
			field('CountryCode', phone),
			field('PhoneTypeID', { values: PHONE_TYPES, ...phone }),
			field('PhoneOptInStatusID', { values: PHONE_OPT_IN_STATUSES, ...phone }),
			field('AddressID'),
		]),
		type('Suppressions', 'Suppressions', 'Multiple', [
			required('SuppressionID', { values: SUPPRESSIONS }),
		]),
		type('OriginSourceCode', 'Origin Source Code', 'Single', [
			required('CodeId', { values: sourceCodeValues(store) }),
		]),
		type(
			'Salutations',
			'Salutations',
			'Single',
			fields(`LastName FirstName MiddleName Suffix ${NAME_FIELDS}`),
		),
		type('ApplyRelationships', 'Apply Relationships', 'Multiple', [
			required(secondary, { description: 'The other person' }),
			required('Relationship', {
				// Relationships have no ids in the tenant's setup; their position stands in.
				values: valuesOf(setup.relationships.map((name, index) => [index + 1, name])),
				parents: needs(secondary),
			}),
			field('OverwriteExistingRelationship', { values: YES_NO, parents: needs('Relationship') }),
		]),
		// The contract spells it this way (service.md 2.6).
		type(
			'ApplyOrganzingTurfs',
			'Apply Organizing Turfs',
			'Single',
			setup.organizingTurfs.levels.map((level, depth, levels) => {
				const above = levels[depth - 1];
				return required(level, {
					description: `Turf level ${depth + 1}`,
					values: turfLevelValues(setup, depth),
					...(above !== undefined && { parents: needs(above) }),
				});
			}),
		),
		type('Jobs', 'Jobs', 'Multiple', [
			required(personId),
			...JOB_FIELDS.map((name) => field(name)),
		]),
		// The contract does not name the fields of these two: they are the sandbox's own.
		type(
			'ContributionAdjustments',
			'Contribution Adjustments',
			'Multiple',
			[
				required('AdjustmentAmount'),
				field('AdjustmentTypeID', { values: ADJUSTMENT_TYPES, ...adjustment }),
				field('AdjustmentDate', adjustment),
				field('AdjustmentNotes', adjustment),
			],
			contributions,
		),
		type(
			'EditContributionDataContacts',
			'Edit Contribution Data',
			'Single',
			[
				...fields('DateReceived Designation CheckNumber'),
				field('CheckDate', { parents: needs('CheckNumber') }),
				...fields('DepositNumber Notes'),
			],
			contributions,
		),
	];
}
