import { mergePerson } from '../../store/people';
import { isValidPhoneNumberOfFile } from '../../store/personInput';
import { calendarDay } from '../../store/calendarDay';
import { isSamePhone, phones } from './contactMethodRows';
import { PROCESSED, rejected, type PersonProcessor } from './rowProcessor';

export const activistCode: PersonProcessor = (_context, person, values) => {
	const activistCodeId = Number(values.get('ActivistCodeID'));
	const written = values.get('DateCanvassed');
	const dateCanvassed = written === undefined ? null : calendarDay(written);
	if (written !== undefined && dateCanvassed === null) {
		return rejected('Invalid value for DateCanvassed');
	}
	const canvassedBy = values.get('CanvassedBy');
	person.activistCodes = [
		...person.activistCodes.filter((held) => held.activistCodeId !== activistCodeId),
		{
			activistCodeId,
			dateCanvassed,
			canvassedBy: canvassedBy === undefined ? null : Number(canvassedBy),
		},
	];
	return PROCESSED;
};

/** Canvass responses hold the number of their request; those from a file have none. */
const NO_REQUEST = 0;

export const canvassResults: PersonProcessor = (context, person, values) => {
	const { store } = context;
	const dateCanvassed = calendarDay(values.get('DateCanvassed') ?? '');
	if (dateCanvassed === null) return rejected('Invalid value for DateCanvassed');

	const addressId = values.get('AddressID');
	if (
		addressId !== undefined &&
		!person.addresses.some((address) => address.addressId === Number(addressId))
	) {
		return rejected('Invalid value for AddressID');
	}

	const phoneNumber = values.get('Phone');
	if (phoneNumber !== undefined) {
		const countryCode = values.get('CountryCode')?.toUpperCase();
		if (!isValidPhoneNumberOfFile(phoneNumber, countryCode))
			return rejected('Invalid phone number');
		if (values.has('PhoneTypeID')) phones(context, person, values);
		else if (!person.phones.some((held) => isSamePhone(held.phoneNumber, phoneNumber))) {
			mergePerson(store, person, { phones: [{ phoneNumber, countryCode }] });
		}
	}
	const phone = person.phones.find(
		(held) => phoneNumber !== undefined && isSamePhone(held.phoneNumber, phoneNumber),
	);
	const resultCodeId = Number(values.get('ResultID'));
	const result = store.setup.resultCodes.find((code) => code.resultCodeId === resultCodeId);
	if (phone && result?.suppressesPhone) phone.isSuppressed = true;
	store.canvassResponses.push({
		nativeId: person.nativeId,
		body: {
			canvassContext: {
				contactTypeId: Number(values.get('ContactTypeID')),
				dateCanvassed,
				canvassedBy: Number(values.get('CanvassedBy')),
				...(phone && { phoneId: phone.phoneId }),
				...(addressId !== undefined && { addressId: Number(addressId) }),
			},
			resultCodeId,
		},
		receivedAt: context.now().toISOString(),
		requestNumber: NO_REQUEST,
	});
	return PROCESSED;
};
