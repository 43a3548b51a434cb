import type { IDataObject } from 'n8n-workflow';

import { wholeId } from '../../shared/service/bodySchema';
import { isoDate } from '../../shared/service/dateText';
import { sameName } from '../../shared/service/nearestName';
import { mainDigits } from '../../shared/service/phoneNumber';
import { isObject } from '../../shared/service/requestBody';
import type { KeptEntry, KeptField, KeptValue } from './beforeFile';

/** Emails and phones: what tells one from another, its properties, and its words read and written (service.md 4.2). */
const METHODS = {
	email: {
		list: 'emails',
		key: 'email',
		typeName: 'type',
		statusName: 'subscriptionStatus',
		types: { P: 'Personal', W: 'Work', O: 'Other' },
		statuses: { S: 'Subscribed', N: 'Not Subscribed', U: 'Unsubscribed' },
		/** The status of a new entry. */
		plainStatus: 'N',
		finalStatus: 'U',
		simplify: (text: string) => text.trim().toLowerCase(),
	},
	phone: {
		list: 'phones',
		key: 'phoneNumber',
		typeName: 'phoneType',
		statusName: 'phoneOptInStatus',
		types: {
			H: 'Home',
			W: 'Work',
			O: 'Other',
			C: 'Cell',
			M: 'Main',
			F: 'Fax',
			P: 'Personal',
		},
		statuses: { I: 'Opt-In', U: 'Unknown', O: 'Opt-Out' },
		plainStatus: 'U',
		finalStatus: undefined,
		simplify: mainDigits,
	},
} as const;

export type Method = keyof typeof METHODS;
export const METHOD_KINDS: readonly Method[] = ['email', 'phone'];
export const methodOf = (kind: Method) => METHODS[kind];

/** The code of a word: `Personal` and `P` are `P`. */
function codeOf(words: Record<string, string>, value: unknown): string | null {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') return null;
	const known = Object.entries(words).find(
		([code, word]) => sameName(word, text) || sameName(code, text),
	);
	return known?.[0] ?? text;
}

/** Where a field of an import is in the record of a person; undefined where nothing reads it. */
export type Place =
	| { kind: 'text' | 'day'; property: string; section?: string }
	| { kind: 'custom'; id: number; section: 'customFields' }
	| { kind: 'address'; type: string; property: string; section: 'addresses' }
	| {
			kind: Method;
			section: 'emails' | 'phones';
			/** The type of the entry, as it is written. */
			type: string | undefined;
			isPreferred: boolean;
	  }
	/** Says how another field is stored. */
	| { kind: 'typeOf' | 'statusOf'; of: Method; codes: Record<string, string> }
	/** An ID in another system. */
	| { kind: 'identifier'; section: 'externalIds' }
	/** Whether emails and phones that are imported leave the preferred ones alone. */
	| { kind: 'keepsBest' }
	/** A mark by which whoever was imported is found. */
	| { kind: 'mark'; holds: 'activistCodes' | 'codes' }
	/** Says how the import works; nothing is stored in it. */
	| { kind: 'setting' };

const text = (property: string, section?: string): Place => ({
	kind: 'text',
	property,
	...(section !== undefined && { section }),
});
const address = (type: string, property: string): Place => ({
	kind: 'address',
	type,
	property,
	section: 'addresses',
});
const email = (type?: string, isPreferred = false): Place => ({
	kind: 'email',
	section: 'emails',
	type,
	isPreferred,
});
const phone = (type?: string, isPreferred = false): Place => ({
	kind: 'phone',
	section: 'phones',
	type,
	isPreferred,
});
const SETTING: Place = { kind: 'setting' };
const IDENTIFIER: Place = { kind: 'identifier', section: 'externalIds' };

const SALUTATIONS = {
	Salutation: text('salutation'),
	EnvelopeName: text('envelopeName'),
	FormalSalutation: text('formalSalutation', 'preferences'),
	AdditionalSalutation: text('additionalSalutation', 'preferences'),
	FormalEnvelopeName: text('formalEnvelopeName', 'preferences'),
	AdditionalEnvelopeName: text('additionalEnvelopeName', 'preferences'),
};

const NAMES = {
	FirstName: text('firstName'),
	MiddleName: text('middleName'),
	LastName: text('lastName'),
	Suffix: text('suffix'),
};

/** Keyed by mapping type and field (service.md 3.3). */
const PLACES: Record<string, Record<string, Place>> = {
	CreateOrUpdateContact: {
		...NAMES,
		...SALUTATIONS,
		Title: text('title'),
		DOB: { kind: 'day', property: 'dateOfBirth' },
		Sex: text('sex'),
		EmployerName: text('employer'),
		OccupationName: text('occupation'),
		OrganizationContactCommonName: text('organizationContactCommonName'),
		OrganizationContactOfficialName: text('organizationContactOfficialName'),
		AddressLine1: address('Home', 'addressLine1'),
		AddressLine2: address('Home', 'addressLine2'),
		AddressLine3: address('Home', 'addressLine3'),
		City: address('Home', 'city'),
		StateOrProvince: address('Home', 'stateOrProvince'),
		ZipOrPostal: address('Home', 'zipOrPostalCode'),
		CountryCode: address('Home', 'countryCode'),
		Email: email('P', true),
		OtherEmail: email('O'),
		WorkEmail: email('W'),
		Phone: phone('H', true),
		CellPhone: phone('C'),
		WorkPhone: phone('W'),
		PhoneCountryCode: SETTING,
		CellPhoneCountryCode: SETTING,
		WorkPhoneCountryCode: SETTING,
		DisplayAsEntered: SETTING,
		IsInFileMatchingEnabled: SETTING,
		Action: SETTING,
		DoNotUpdateBest: { kind: 'keepsBest' },
		SkipEmailSubscriptionUpdate: SETTING,
	},
	Salutations: { ...NAMES, ...SALUTATIONS },
	MailingAddress: {
		MailingAddress: address('Mailing', 'addressLine1'),
		MailingAddressLine2: address('Mailing', 'addressLine2'),
		MailingAddressLine3: address('Mailing', 'addressLine3'),
		MailingCity: address('Mailing', 'city'),
		MailingStateOrProvince: address('Mailing', 'stateOrProvince'),
		MailingZipOrPostal: address('Mailing', 'zipOrPostalCode'),
		MailingCountryCode: address('Mailing', 'countryCode'),
		MailingDisplayAsEntered: SETTING,
	},
	Email: {
		Email: email(),
		EmailTypeId: { kind: 'typeOf', of: 'email', codes: { 1: 'P', 2: 'W', 3: 'O' } },
		EmailSubscriptionStatusId: {
			kind: 'statusOf',
			of: 'email',
			codes: { 0: 'U', 1: 'N', 2: 'S' },
		},
	},
	Phones: {
		Phone: phone(),
		PhoneTypeID: {
			kind: 'typeOf',
			of: 'phone',
			codes: { C: 'C', F: 'F', H: 'H', M: 'M', O: 'O', U: 'O', W: 'W' },
		},
		CountryCode: SETTING,
		PhoneOptInStatusID: { kind: 'statusOf', of: 'phone', codes: { 1: 'I', 2: 'U', 3: 'O' } },
	},
	ApplyExternalID: { ExternalId: IDENTIFIER, ExternalIdTypeID: SETTING },
	ActivistCode: {
		ActivistCodeID: { kind: 'mark', holds: 'activistCodes' },
		CanvassedBy: SETTING,
		DateCanvassed: SETTING,
		ContactTypeID: SETTING,
	},
	OriginSourceCode: { CodeId: { kind: 'mark', holds: 'codes' } },
};

function named<T>(values: Record<string, T>, name: string): T | undefined {
	return Object.entries(values).find(([each]) => sameName(each, name))?.[1];
}

export function placeOf({ mappingType, field, fixed }: KeptField): Place | undefined {
	const custom = /^CF(\d{1,9})$/i.exec(field);
	if (sameName(mappingType, 'ApplyContactCustomFields')) {
		if (!custom) return SETTING;
		return { kind: 'custom', id: Number(custom[1]), section: 'customFields' };
	}
	if (sameName(mappingType, 'CreateOrUpdateContact') && /^External_\d+ID$/i.test(field))
		return IDENTIFIER;
	const place = named(named(PLACES, mappingType) ?? {}, field);
	// A code of each row is more than a mark: it is what the import is about.
	return place?.kind === 'mark' && fixed === null ? undefined : place;
}

/** Whether a field holds something of its own in each person, also where all rows have the same value. */
export function isOfRows(place: Place | undefined): boolean {
	return !place || !['typeOf', 'statusOf', 'keepsBest', 'mark', 'setting'].includes(place.kind);
}

function filled(value: unknown): string | null {
	const given = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	return given === '' ? null : given;
}

const entriesOf = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? value.filter(isObject) : [];

/** The emails or phones of a person, by what tells one from another. */
export function entriesIn(person: IDataObject, kind: Method): Map<string, KeptEntry> {
	const { list, key, typeName, statusName, types, statuses, simplify } = METHODS[kind];
	const entries = new Map<string, KeptEntry>();
	for (const entry of entriesOf(person[list])) {
		const name = filled(entry[key]);
		if (name === null) continue;
		entries.set(simplify(name), {
			type: codeOf(types, entry[typeName]),
			status: codeOf(statuses, entry[statusName]),
			isPreferred: entry.isPreferred === true,
		});
	}
	return entries;
}

/** An email or a phone as the service returned it. */
export function rawEntry(person: IDataObject, kind: Method, name: string): IDataObject | undefined {
	const { list, key, simplify } = METHODS[kind];
	return entriesOf(person[list]).find((each) => simplify(filled(each[key]) ?? '') === name);
}

/** The one to use first. */
export function preferredOf(entries: ReadonlyMap<string, KeptEntry>): string | null {
	for (const [name, { isPreferred }] of entries) if (isPreferred) return name;
	return null;
}

/** The address of a type; undefined if there is none. */
function addressIn(person: IDataObject, type: string): IDataObject | undefined {
	return entriesOf(person.addresses).find((each) => sameName(String(each.type), type));
}

export function customFieldIn(person: IDataObject, id: number): IDataObject | undefined {
	return entriesOf(person.customFields).find((each) => Number(each.customFieldId) === id);
}

/** The IDs of a person in other systems. */
export function identifiersIn(person: IDataObject): Set<string> {
	return new Set(entriesOf(person.identifiers).flatMap((each) => filled(each.externalId) ?? []));
}

/** What the record of a person holds in a place for a value that is sent. */
export function valueIn(person: IDataObject, place: Place, sent: string): KeptValue {
	switch (place.kind) {
		case 'text':
			return filled(person[place.property]);
		case 'day':
			return filled(isoDate(String(person[place.property] ?? ''))?.slice(0, 10));
		case 'custom':
			return filled(customFieldIn(person, place.id)?.assignedValue);
		case 'address':
			return filled(addressIn(person, place.type)?.[place.property]);
		case 'email':
		case 'phone': {
			const entries = entriesIn(person, place.kind);
			const entry = entries.get(METHODS[place.kind].simplify(sent)) ?? null;
			return { entry, preferred: preferredOf(entries) };
		}
		case 'identifier':
			return identifiersIn(person).has(sent.trim()) ? sent.trim() : null;
		default:
			return null;
	}
}

/** A value as it is stored, to compare it with what is held; undefined if nobody knows how the service reads it. */
export function storedText(place: Place, sent: string): string | undefined {
	const value = sent.trim();
	if (place.kind === 'day') return isoDate(value)?.slice(0, 10);
	if (place.kind === 'address' && place.property === 'countryCode') return value.toUpperCase();
	return value;
}

/** The sections of a person without which these places cannot be read (service.md 4.7). */
export function sectionsOf(places: ReadonlyArray<Place | undefined>): string[] {
	const sections = places.flatMap((place) =>
		place && 'section' in place && place.section !== undefined ? place.section : [],
	);
	return [...new Set(sections)].sort();
}

/** The ID of another person than the one who was asked for: the one into whom they were merged. */
export function otherPerson(person: IDataObject, property: string, id: number): number | undefined {
	const held = wholeId(person[property]);
	return held === id ? undefined : held;
}

/** A section that was asked for and did not come, which says nothing of what is in it. */
export function missingSection(
	person: IDataObject,
	sections: readonly string[],
): string | undefined {
	const isList = (section: string) =>
		Array.isArray(person[section === 'externalIds' ? 'identifiers' : section]);
	return sections.find((section) => section !== 'preferences' && !isList(section));
}
