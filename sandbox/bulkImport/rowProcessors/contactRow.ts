import { findMatchingPerson, findPersonByIdentifier } from '../../store/matching';
import { createPerson, mergePerson } from '../../store/people';
import {
	calendarDay,
	type PersonInput,
	isValidDateOfBirth,
	isValidEmail,
	isValidPhoneNumberOfFile,
} from '../../store/personInput';
import type { StoredPerson } from '../../store/tenantStore';
import type { RowValues } from '../mapping/rowValues';
import { addressProblem, fillAddress, HOME_ADDRESS_FIELDS } from './addressRow';
import {
	NO_PERSON_FOUND,
	PROCESSED,
	rejected,
	type ImportContext,
	type RowOutcome,
} from './rowProcessor';

/** Field to property of the person. */
const TEXT_FIELDS = {
	FirstName: 'firstName',
	MiddleName: 'middleName',
	LastName: 'lastName',
	Suffix: 'suffix',
	Title: 'title',
	EmployerName: 'employer',
	OccupationName: 'occupation',
	OrganizationContactCommonName: 'organizationContactCommonName',
	OrganizationContactOfficialName: 'organizationContactOfficialName',
	Salutation: 'salutation',
	FormalSalutation: 'formalSalutation',
	AdditionalSalutation: 'additionalSalutation',
	EnvelopeName: 'envelopeName',
	FormalEnvelopeName: 'formalEnvelopeName',
	AdditionalEnvelopeName: 'additionalEnvelopeName',
} as const;

const PHONE_FIELDS = { Phone: 'H', CellPhone: 'C', WorkPhone: 'W' } as const;
const EMAIL_FIELDS = { Email: 'P', OtherEmail: 'O', WorkEmail: 'W' } as const;

/** The texts of a row about a person. */
function textsOf(values: RowValues): PersonInput {
	const input: PersonInput = {};
	for (const [field, property] of Object.entries(TEXT_FIELDS)) {
		const value = values.get(field);
		if (value !== undefined) input[property] = value;
	}
	return input;
}

function problemOf(values: RowValues): string | null {
	for (const field of Object.keys(EMAIL_FIELDS)) {
		const email = values.get(field);
		if (email !== undefined && !isValidEmail(email)) return 'Invalid email address';
	}
	for (const field of Object.keys(PHONE_FIELDS)) {
		const phone = values.get(field);
		const countryCode = values.get(`${field}CountryCode`);
		if (phone !== undefined && !isValidPhoneNumberOfFile(phone, countryCode)) {
			return 'Invalid phone number';
		}
	}
	const dateOfBirth = values.get('DOB');
	if (dateOfBirth !== undefined && !isValidDateOfBirth(calendarDay(dateOfBirth) ?? '')) {
		return 'Invalid date of birth';
	}
	return addressProblem(values, HOME_ADDRESS_FIELDS);
}

function personInputOf(context: ImportContext, values: RowValues): PersonInput {
	// Contact methods of this mapping type become the best ones unless the job says otherwise.
	const isPreferred = values.get('DoNotUpdateBest') !== 'Y';
	const input = textsOf(values);
	const dateOfBirth = calendarDay(values.get('DOB') ?? '');
	if (dateOfBirth !== null) input.dateOfBirth = dateOfBirth;
	const sex = values.get('Sex');
	if (sex === 'M' || sex === 'F') input.sex = sex;
	const contactMode = values.get('ContactModeID');
	if (contactMode !== undefined)
		input.contactMode = contactMode === '2' ? 'Organization' : 'Person';
	input.emails = Object.entries(EMAIL_FIELDS).flatMap(([field, type]) => {
		const email = values.get(field);
		if (email === undefined) return [];
		return [{ email, type, isPreferred: isPreferred && field === 'Email' }];
	});
	input.phones = Object.entries(PHONE_FIELDS).flatMap(([field, phoneType]) => {
		const phoneNumber = values.get(field);
		const countryCode = values.get(`${field}CountryCode`)?.toUpperCase();
		if (phoneNumber === undefined) return [];
		return [{ phoneNumber, phoneType, countryCode, isPreferred: isPreferred && field === 'Phone' }];
	});
	input.identifiers = context.store.setup.externalIdTypes.flatMap((type) => {
		const externalId = values.get(`External_${type.externalIdTypeId}ID`);
		return externalId === undefined ? [] : [{ type: type.name, externalId }];
	});
	return input;
}

/** The match criteria of a row: the person input and the home address (service.md 4.3). */
function candidateOf(input: PersonInput, values: RowValues): PersonInput {
	const zipOrPostalCode = values.get(HOME_ADDRESS_FIELDS.zipOrPostalCode);
	const addressLine1 = values.get(HOME_ADDRESS_FIELDS.addressLine1);
	if (zipOrPostalCode === undefined && addressLine1 === undefined) return input;
	return { ...input, addresses: [{ addressLine1, zipOrPostalCode }] };
}

/**
 * CreateOrUpdateContact: updates the person with the given id; without one, the person who carries a
 * given external identifier or is matched; else creates one. A row with an invalid value writes nothing.
 *
 * @param personId text of the id column, blank when the file has none or the cell is empty
 */
export function createOrUpdateContact(
	context: ImportContext,
	personId: string,
	values: RowValues,
): RowOutcome & { person?: StoredPerson } {
	const problem = problemOf(values);
	if (problem !== null) return rejected(problem);

	const { store } = context;
	const input = personInputOf(context, values);
	const named = personId === '' ? undefined : store.people.get(Number(personId));
	if (personId !== '' && named === undefined) return NO_PERSON_FOUND;

	const holders = (input.identifiers ?? []).flatMap(
		({ type, externalId }) => findPersonByIdentifier(store, type, externalId) ?? [],
	);
	const matched = named ?? holders[0] ?? findMatchingPerson(store, candidateOf(input, values));
	if (holders.some((holder) => holder !== matched))
		return rejected('External ID already belongs to another contact');
	if (!matched && values.size === 0) return rejected('No values to import');

	const person = matched ? mergePerson(store, matched, input) : createPerson(store, input);
	fillAddress(store, person, 'Home', values, HOME_ADDRESS_FIELDS);
	const professionalSuffix = values.get('ProfessionalSuffix');
	if (professionalSuffix !== undefined) person.fields.professionalSuffix = professionalSuffix;
	return { ...PROCESSED, person };
}
