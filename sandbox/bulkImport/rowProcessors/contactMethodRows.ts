import { phoneKey } from '../../store/matching';
import { mergePerson } from '../../store/people';
import { isValidEmail, isValidPhoneNumberOfFile } from '../../store/personInput';
import type { StoredEmail, StoredPhone } from '../../store/tenantStore';
import { PROCESSED, rejected, type PersonProcessor } from './rowProcessor';

/** PhoneTypeID to the letter people carry, which has none for "unknown". */
const PHONE_TYPES: Record<string, StoredPhone['phoneType']> = {
	C: 'C',
	F: 'F',
	H: 'H',
	M: 'M',
	O: 'O',
	U: 'O',
	W: 'W',
};
const OPT_IN_STATUSES: Record<string, StoredPhone['phoneOptInStatus']> = { 1: 'I', 2: 'U', 3: 'O' };
const EMAIL_TYPES: Record<string, StoredEmail['type']> = { 1: 'P', 2: 'W', 3: 'O' };
const SUBSCRIPTION_STATUSES: Record<string, StoredEmail['subscriptionStatus']> = {
	0: 'U',
	1: 'N',
	2: 'S',
};

function isSamePhone(one: string, other: string): boolean {
	return phoneKey(one) === phoneKey(other);
}

export const phones: PersonProcessor = ({ store }, person, values) => {
	const phoneNumber = values.get('Phone') ?? '';
	const countryCode = values.get('CountryCode')?.toUpperCase();
	if (!isValidPhoneNumberOfFile(phoneNumber, countryCode)) return rejected('Invalid phone number');

	const phoneType = PHONE_TYPES[values.get('PhoneTypeID') ?? ''];
	const best = person.phones.find((phone) => phone.isPreferred);
	if (best && isSamePhone(best.phoneNumber, phoneNumber) && best.phoneType !== phoneType) {
		return { message: 'Ignored to avoid overwriting best phone', isError: false };
	}
	const phoneOptInStatus = OPT_IN_STATUSES[values.get('PhoneOptInStatusID') ?? ''];
	mergePerson(store, person, {
		phones: [{ phoneNumber, phoneType, phoneOptInStatus, countryCode }],
	});
	return PROCESSED;
};

export const email: PersonProcessor = ({ store }, person, values) => {
	const address = values.get('Email') ?? '';
	if (!isValidEmail(address)) return rejected('Invalid email address');
	const type = EMAIL_TYPES[values.get('EmailTypeId') ?? ''];
	const subscriptionStatus = SUBSCRIPTION_STATUSES[values.get('EmailSubscriptionStatusId') ?? ''];
	mergePerson(store, person, { emails: [{ email: address, type, subscriptionStatus }] });
	return PROCESSED;
};
