/**
 * What one tenant of the sandbox holds: everything a call may read or change, and nothing of any
 * other tenant. Records are kept in the service's own words (service.md 2, 4 to 6)
 * with the neutral identifier `nativeId`; the HTTP layer translates to the vocabulary of the
 * addressed version on the way in and out.
 */

export interface StoredEmail {
	email: string;
	type: 'P' | 'W' | 'O';
	isPreferred: boolean;
	subscriptionStatus: 'S' | 'N' | 'U';
}

export interface StoredPhone {
	phoneId: number;
	phoneNumber: string;
	phoneType: 'H' | 'W' | 'O' | 'C' | 'M' | 'F' | 'P';
	ext: string | null;
	isPreferred: boolean;
	phoneOptInStatus: 'I' | 'U' | 'O';
	countryCode: string | null;
	/** Set when a canvass result such as "wrong number" took the phone out of use. */
	isSuppressed: boolean;
}

export interface StoredAddress {
	addressId: number;
	addressLine1: string | null;
	addressLine2: string | null;
	addressLine3: string | null;
	city: string | null;
	stateOrProvince: string | null;
	zipOrPostalCode: string | null;
	countryCode: string | null;
	type: 'Home' | 'Voting' | 'Mailing' | 'Work' | 'Custom';
	isPreferred: boolean;
}

export interface StoredCustomFieldValue {
	customFieldId: number;
	customFieldGroupId: number;
	assignedValue: string | null;
}

export interface StoredPerson {
	nativeId: number;
	/** Scalar properties of the person input by their wire names: firstName, lastName, dateOfBirth (yyyy-mm-dd), … */
	fields: Record<string, string | number | boolean | null>;
	/** Pronouns and self-reported demographics as they were written. */
	demographics: Record<string, unknown>;
	emails: StoredEmail[];
	phones: StoredPhone[];
	addresses: StoredAddress[];
	identifiers: Array<{ type: string; externalId: string }>;
	customFieldValues: StoredCustomFieldValue[];
	suppressions: Array<{ suppressionCode: string }>;
	activistCodes: Array<{
		activistCodeId: number;
		dateCanvassed: string | null;
		canvassedBy: number | null;
	}>;
	/** Ids of Tag and SourceCode codes applied to the person. */
	codeIds: number[];
	originSourceCodeId: number | null;
	/** Turf level name (CF…) to value, as loaded by ApplyOrganzingTurfs. */
	organizingTurf: Record<string, string> | null;
	relationships: Array<{ secondaryNativeId: number; relationship: string }>;
	/** One record per job, by the built-in column names of the Jobs mapping type. */
	jobs: Array<Record<string, string>>;
	notes: Array<{ noteId: number; text: string; isViewRestricted: boolean }>;
	createdAt: string;
	modifiedAt: string;
}

export interface StoredContribution {
	contributionId: number;
	nativeId: number;
	amount: number;
	dateReceived: string;
	designation: string | null;
	/** Values set by bulk imports of ContributionAdjustments and EditContributionDataContacts. */
	fields: Record<string, string>;
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
	/** Which call brought it, as numbered in the request log. */
	requestNumber: number;
}

export interface CustomFieldGroup {
	customFieldGroupId: number;
	name: string;
	fields: Array<{ customFieldId: number; name: string; availableValues: string[] | null }>;
}

export interface TenantStore {
	people: Map<number, StoredPerson>;
	contributions: Map<number, StoredContribution>;
	codes: Map<number, StoredCode>;
	canvassResponses: StoredCanvassResponse[];
	/** Other resources by name (events, notes, …), each a list of records by id: the general conventions of service.md 1.1. */
	records: Map<string, Map<number, Record<string, unknown>>>;
	/** What the tenant's administrators set up; read-only for calls. */
	setup: {
		codeTypes: Array<'Tag' | 'SourceCode'>;
		supportedEntities: string[];
		externalIdTypes: Array<{ externalIdTypeId: number; name: string }>;
		customFieldGroups: CustomFieldGroup[];
		activistCodes: Array<{
			activistCodeId: number;
			name: string;
			type: string;
			mediumName: string;
			shortName: string;
			description: string | null;
			scriptQuestion: string | null;
			status: 'Active' | 'Archived';
		}>;
		surveyQuestions: Array<{
			surveyQuestionId: number;
			type: string;
			cycle: number;
			name: string;
			mediumName: string;
			shortName: string;
			scriptQuestion: string | null;
			status: 'Active' | 'Archived';
			responses: Array<{
				surveyResponseId: number;
				name: string;
				mediumName: string;
				shortName: string;
			}>;
		}>;
		volunteerActivities: Array<{ volunteerActivityId: number; name: string }>;
		contactTypes: Array<{
			contactTypeId: number;
			name: string;
			channelTypeName: string;
			inputTypeIds: number[];
		}>;
		inputTypes: Array<{ inputTypeId: number; name: string }>;
		resultCodes: Array<{
			resultCodeId: number;
			name: string;
			mediumName: string;
			shortName: string;
			contactTypeIds: number[];
			suppressesPhone: boolean;
		}>;
		/** Allowed turf values, from the top level down: each path is one complete turf. Level names are CF… names. */
		organizingTurfs: { levels: string[]; paths: string[][] };
		relationships: string[];
		users: Array<{ userId: number; name: string }>;
	};
	/** The next number for each kind of record, so that ids are stable and never reused. */
	nextId: (
		kind: 'person' | 'phone' | 'address' | 'contribution' | 'code' | 'job' | 'note' | 'record',
	) => number;
}
