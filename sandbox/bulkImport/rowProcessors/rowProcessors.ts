import { findPersonByIdentifier, phoneKey } from '../../store/matching';
import { mergePerson } from '../../store/people';
import { isValidEmail, isValidPhoneNumberOfFile } from '../../store/personInput';
import type { StoredEmail, StoredPhone } from '../../store/tenantStore';
import { mailingAddress } from './addressRow';
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

const phones: PersonProcessor = ({ store }, person, values) => {
	const phoneNumber = values.get('Phone') ?? '';
	const countryCode = values.get('CountryCode')?.toUpperCase();
	if (!isValidPhoneNumberOfFile(phoneNumber, countryCode)) return rejected('Invalid phone number');

	const phoneType = PHONE_TYPES[values.get('PhoneTypeID') ?? ''];
	const best = person.phones.find((phone) => phone.isPreferred);
	const isBest = best && phoneKey(best.phoneNumber) === phoneKey(phoneNumber);
	if (isBest && best.phoneType !== phoneType) {
		return { message: 'Ignored to avoid overwriting best phone', isError: false };
	}
	const phoneOptInStatus = OPT_IN_STATUSES[values.get('PhoneOptInStatusID') ?? ''];
	mergePerson(store, person, {
		phones: [{ phoneNumber, phoneType, phoneOptInStatus, countryCode }],
	});
	return PROCESSED;
};

const email: PersonProcessor = ({ store }, person, values) => {
	const address = values.get('Email') ?? '';
	if (!isValidEmail(address)) return rejected('Invalid email address');
	const type = EMAIL_TYPES[values.get('EmailTypeId') ?? ''];
	const subscriptionStatus = SUBSCRIPTION_STATUSES[values.get('EmailSubscriptionStatusId') ?? ''];
	mergePerson(store, person, { emails: [{ email: address, type, subscriptionStatus }] });
	return PROCESSED;
};

const applyExternalId: PersonProcessor = ({ store }, person, values) => {
	const typeId = Number(values.get('ExternalIdTypeID'));
	const type = store.setup.externalIdTypes.find((one) => one.externalIdTypeId === typeId);
	const externalId = values.get('ExternalId');
	if (!type || externalId === undefined) return rejected('Invalid value for ExternalIdTypeID');
	const holder = findPersonByIdentifier(store, type.name, externalId);
	if (holder && holder !== person) {
		return rejected('External ID already belongs to another contact');
	}
	mergePerson(store, person, { identifiers: [{ type: type.name, externalId }] });
	return PROCESSED;
};

const activistCode: PersonProcessor = (_, person, values) => {
	const activistCodeId = Number(values.get('ActivistCodeID'));
	const canvassedBy = values.get('CanvassedBy');
	if (!person.activistCodes.some((held) => held.activistCodeId === activistCodeId))
		person.activistCodes.push({
			activistCodeId,
			dateCreated: new Date().toISOString(),
			dateCanvassed: values.get('DateCanvassed') ?? null,
			canvassedBy: canvassedBy === undefined ? null : Number(canvassedBy),
		});
	return PROCESSED;
};

const customFields: PersonProcessor = ({ store }, person, values) => {
	const customFieldGroupId = Number(values.get('CustomFieldGroupID'));
	const customFieldValues = [...values].flatMap(([field, assignedValue]) => {
		const [, id] = /^CF(\d+)$/i.exec(field) ?? [];
		return id === undefined
			? []
			: [{ customFieldId: Number(id), customFieldGroupId, assignedValue }];
	});
	mergePerson(store, person, { customFieldValues });
	return PROCESSED;
};

const originSourceCode: PersonProcessor = ({ store }, person, values) => {
	const codeId = Number(values.get('CodeId'));
	if (store.codes.get(codeId)?.codeType !== 'SourceCode')
		return rejected('Invalid value for CodeId');
	if (!person.codeIds.includes(codeId)) person.codeIds.push(codeId);
	return PROCESSED;
};

/**
 * Keyed by mapping type name. CreateOrUpdateContact is not among them: it finds the person of the row. The values of
 * others are checked and not stored: nothing reads them.
 */
export const PERSON_PROCESSORS: ReadonlyMap<string, PersonProcessor> = new Map([
	['MailingAddress', mailingAddress],
	['Phones', phones],
	['Email', email],
	['ApplyExternalID', applyExternalId],
	['ActivistCode', activistCode],
	['ApplyContactCustomFields', customFields],
	['OriginSourceCode', originSourceCode],
]);
