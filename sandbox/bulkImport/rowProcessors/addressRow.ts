import { indexPerson } from '../../store/matching';
import { mergePerson } from '../../store/people';
import type { StoredAddress, StoredPerson, TenantStore } from '../../store/tenantStore';
import type { RowValues } from '../mapping/rowValues';
import { PROCESSED, rejected, type PersonProcessor } from './rowProcessor';

/** Property of an address to the field of the mapping type that carries it. */
export const HOME_ADDRESS_FIELDS = {
	addressLine1: 'AddressLine1',
	addressLine2: 'AddressLine2',
	addressLine3: 'AddressLine3',
	city: 'City',
	stateOrProvince: 'StateOrProvince',
	zipOrPostalCode: 'ZipOrPostal',
	countryCode: 'CountryCode',
};
type AddressFields = typeof HOME_ADDRESS_FIELDS;

const MAILING_ADDRESS_FIELDS: AddressFields = {
	addressLine1: 'MailingAddress',
	addressLine2: 'MailingAddressLine2',
	addressLine3: 'MailingAddressLine3',
	city: 'MailingCity',
	stateOrProvince: 'MailingStateOrProvince',
	zipOrPostalCode: 'MailingZipOrPostal',
	countryCode: 'MailingCountryCode',
};

export function addressProblem(values: RowValues, fields: AddressFields): string | null {
	const countryCode = values.get(fields.countryCode);
	if (countryCode !== undefined && !/^[A-Za-z]{2}$/.test(countryCode)) {
		return 'Invalid country code';
	}
	const stateOrProvince = values.get(fields.stateOrProvince);
	if (stateOrProvince !== undefined && !/^.{2,3}$/.test(stateOrProvince)) {
		return 'Invalid state or province';
	}
	return null;
}

/**
 * Bulk imports keep one address per type: the row's values go into it, blanks leave it as it is
 * (service.md 2.6, rule 5).
 */
export function fillAddress(
	store: TenantStore,
	person: StoredPerson,
	type: StoredAddress['type'],
	values: RowValues,
	fields: AddressFields,
): void {
	const given = Object.fromEntries(
		Object.entries(fields).flatMap(([property, field]) => {
			const value = values.get(field);
			if (value === undefined) return [];
			return [[property, property === 'countryCode' ? value.toUpperCase() : value]];
		}),
	);
	if (Object.keys(given).length === 0) return;

	const held = person.addresses.find((address) => address.type === type);
	if (held) {
		Object.assign(held, given);
		indexPerson(store, person);
	} else {
		mergePerson(store, person, { addresses: [{ ...given, type }] });
	}
}

export const mailingAddress: PersonProcessor = ({ store }, person, values) => {
	const problem = addressProblem(values, MAILING_ADDRESS_FIELDS);
	if (problem !== null) return rejected(problem);
	fillAddress(store, person, 'Mailing', values, MAILING_ADDRESS_FIELDS);
	return PROCESSED;
};
