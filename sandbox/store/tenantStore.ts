import type { AddressInput, EmailInput, PersonInput, PhoneInput } from './personInput';
import type { TenantSetup } from './setup';

/**
 * What one tenant of the sandbox holds: everything a call may read or change, and nothing of any
 * other tenant. Records are kept in the service's own words (service.md 2, 4 to 6)
 * with the neutral identifier `nativeId`; the HTTP layer translates to the vocabulary of the
 * addressed version on the way in and out.
 */

export interface StoredEmail extends Required<Omit<EmailInput, 'isSubscribed'>> {
	dateCreated: string;
}

type PhoneProperty =
	| 'phoneNumber'
	| 'phoneType'
	| 'ext'
	| 'isPreferred'
	| 'phoneOptInStatus'
	| 'countryCode';

export interface StoredPhone extends Required<Pick<PhoneInput, PhoneProperty>> {
	phoneId: number;
	dateCreated: string;
	/** Whether a canvass result such as "wrong number" took the phone out of use. */
	isSuppressed: boolean;
}

export interface StoredAddress extends Required<AddressInput> {
	addressId: number;
}

export interface StoredPerson {
	nativeId: number;
	/** Scalar properties of the person input by their wire names: firstName, lastName, dateOfBirth (yyyy-mm-dd), … */
	fields: Record<string, string | number | boolean | null>;
	emails: StoredEmail[];
	phones: StoredPhone[];
	addresses: StoredAddress[];
	identifiers: Array<{ type: string; externalId: string }>;
	customFieldValues: NonNullable<PersonInput['customFieldValues']>;
	suppressions: Array<{ suppressionCode: string }>;
	activistCodes: Array<{
		activistCodeId: number;
		dateCreated: string;
		dateCanvassed: string | null;
		canvassedBy: number | null;
	}>;
	/** Ids of Tag and SourceCode codes applied to the person. */
	codeIds: number[];
	notes: Array<{ noteId: number; text: string; isViewRestricted: boolean }>;
	createdAt: string;
	modifiedAt: string;
}

export interface StoredCode {
	codeId: number;
	parentCodeId: number | null;
	name: string;
	description: string | null;
	codeType: 'Tag' | 'SourceCode';
	supportedEntities: Array<{ name: string; isSearchable: boolean; isApplicable: boolean }>;
	/** SourceCode metadata by wire name: campaign, contactType, generalLedgerFund, costCenter, revenueStream, mailMergeTemplate. */
	metadata: Record<string, Record<string, number>>;
	isSourceCodeApplicable: boolean | null;
	dateCreated: string;
	dateModified: string;
}

export interface StoredCanvassResponse {
	nativeId: number;
	/** The request body as it was accepted. */
	body: Record<string, unknown>;
	receivedAt: string;
}

export interface TenantStore {
	people: Map<number, StoredPerson>;
	codes: Map<number, StoredCode>;
	canvassResponses: StoredCanvassResponse[];
	/** Other resources by name (contributions, events, …), each a list of records by id: the general conventions of service.md 1.1. */
	records: Map<string, Map<number, Record<string, unknown>>>;
	setup: TenantSetup;
	/** The next number for each kind of record, so that ids are stable and never reused. */
	nextId: (
		kind: 'person' | 'phone' | 'address' | 'contribution' | 'code' | 'job' | 'note' | 'record',
	) => number;
}
