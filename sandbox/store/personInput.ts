import { DateTime } from 'luxon';
import { z } from 'zod';
import { parseBody } from '../wire/requestBody';
import type { Vocabulary } from '../wire/vocabulary';
import type { TenantSetup } from './setup';
import { reference, strictObject } from '../wire/schemas';

/** The service's own hint for North American numbers (service.md 9.1). */
const PHONE_NUMBER_PATTERN = /^1?[2-9][0-8]\d[2-9]\d{6,6}$/;
const FOREIGN_PHONE_NUMBER_PATTERN = /^\d{5,15}$/;
const PHONE_PUNCTUATION = /[\s().+-]/g;
const DATE_OF_BIRTH_PATTERN = /^(?:19|20)\d\d-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/;
/** Stricter than a careful client: no two dots in a row before the at sign (RFC 5321, section 4.1.2). */
const EMAIL_PATTERN = /^[^\s@<>,;.]+(\.[^\s@<>,;.]+)*@[^\s@<>,;.]+(\.[^\s@<>,;.]+)+$/;

export function phoneDigits(phoneNumber: string): string {
	return phoneNumber.replace(PHONE_PUNCTUATION, '');
}

export function isValidEmail(email: string): boolean {
	return email.length <= 254 && EMAIL_PATTERN.test(email);
}

/** Digits alone, as the service's hint has them; North American rules unless another country is named. */
export function isValidPhoneNumber(phoneNumber: string, countryCode?: string | null): boolean {
	const isNorthAmerican = !countryCode || ['US', 'CA'].includes(countryCode.toUpperCase());
	const pattern = isNorthAmerican ? PHONE_NUMBER_PATTERN : FOREIGN_PHONE_NUMBER_PATTERN;
	return pattern.test(phoneNumber);
}

/** The same for a number in a file, which may have punctuation. */
export function isValidPhoneNumberOfFile(phoneNumber: string, countryCode?: string): boolean {
	return isValidPhoneNumber(phoneDigits(phoneNumber), countryCode);
}

/**
 * The day a file value means, as yyyy-mm-dd, or null if it is not a day. Files carry ISO dates, with or
 * without a time of day, or the month/day/year of the service's user interface.
 */
export function calendarDay(text: string): string | null {
	const day = text.replace(/^(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d.*/s, '$1');
	const read = ['yyyy-MM-dd', 'M/d/yyyy'].map((format) => DateTime.fromFormat(day, format));
	return read.find(({ isValid }) => isValid)?.toISODate() ?? null;
}

/** A day of the 20th or 21st century, written yyyy-mm-dd with or without a time of day. */
export function isValidDateOfBirth(text: string): boolean {
	return DATE_OF_BIRTH_PATTERN.test(text) && calendarDay(text.slice(0, 10)) !== null;
}

const optionalText = z.string().nullish();
const countryCode = z
	.string()
	.regex(/^[A-Z]{2}$/, '{name} is not an ISO 3166-1 alpha-2 country code')
	.nullish();

const emailSchema = strictObject({
	email: z.string().refine(isValidEmail, '{name} is not a valid email address'),
	type: z.enum(['P', 'W', 'O']).optional(),
	isPreferred: z.boolean().optional(),
	isSubscribed: z.boolean().optional(),
	subscriptionStatus: z.enum(['S', 'N', 'U']).optional(),
}).refine(
	(email) => email.isSubscribed === undefined || email.subscriptionStatus === undefined,
	"'isSubscribed' and 'subscriptionStatus' exclude each other",
);

const phoneSchema = strictObject({
	phoneNumber: z.string(),
	phoneType: z.enum(['H', 'W', 'O', 'C', 'M', 'F', 'P']).optional(),
	deviceType: z
		.enum(['C', 'L', 'U', 'F', 'V'])
		.or(z.number().refine((id) => [1, 2, 4, 5, 6].includes(id), '{name} is unknown'))
		.optional(),
	ext: z.string().max(6).nullish(),
	isPreferred: z.boolean().optional(),
	phoneOptInStatus: z.enum(['I', 'U', 'O']).optional(),
	smsOptInStatus: z.enum(['I', 'U', 'O']).optional(),
	isCellStatus: reference('statusId').nullish(),
	dialingPrefix: z
		.string()
		.regex(/^\d{1,3}$/, '{name} must be one to three digits')
		.nullish(),
	countryCode,
}).refine((phone) => isValidPhoneNumber(phone.phoneNumber, phone.countryCode), {
	path: ['phoneNumber'],
	message: '{name} is not a valid phone number',
});

const addressSchema = strictObject({
	addressLine1: optionalText,
	addressLine2: optionalText,
	addressLine3: optionalText,
	city: optionalText,
	stateOrProvince: z.string().min(2).max(3).nullish(),
	zipOrPostalCode: optionalText,
	countryCode,
	type: z.enum(['Home', 'Voting', 'Mailing', 'Work', 'Custom']).optional(),
	isPreferred: z.boolean().optional(),
});

/** The person input of service.md 4.2 (find, findOrCreate, create, update), in neutral words. */
const personInputSchema = strictObject({
	nativeId: z.number().int().nullish(),
	firstName: optionalText,
	middleName: optionalText,
	lastName: optionalText,
	suffix: optionalText,
	title: optionalText,
	salutation: optionalText,
	envelopeName: optionalText,
	formalSalutation: optionalText,
	additionalSalutation: optionalText,
	formalEnvelopeName: optionalText,
	additionalEnvelopeName: optionalText,
	nickname: optionalText,
	website: optionalText,
	jobTitle: optionalText,
	contactMethodPreferenceCode: z.enum(['P', 'E', 'M', 'F', 'S']).nullish(),
	party: z.string().length(1).nullish(),
	sex: z.enum(['M', 'F']).nullish(),
	dateOfBirth: z
		.string()
		.refine(isValidDateOfBirth, '{name} is not a date of the 20th or 21st century')
		.nullish(),
	employer: z.string().max(50).nullish(),
	occupation: z.string().max(50).nullish(),
	collectedLocationId: z.number().int().nullish(),
	electionType: z.enum(['G', 'P', 'R', 'PP', 'SP', 'SG', 'MP', 'MG', 'C', 'O']).nullish(),
	cycle: z.number().int().min(1000).max(9999).nullish(),
	contactMode: z.enum(['Person', 'Organization']).nullish(),
	organizationContactCommonName: optionalText,
	organizationContactOfficialName: optionalText,
	pronouns: reference('pronounId').nullish(),
	selfReportedRaces: z.array(reference('reportedRaceId')).nullish(),
	selfReportedEthnicities: z.array(reference('reportedEthnicityId')).nullish(),
	selfReportedGenders: z.array(reference('reportedGenderId')).nullish(),
	selfReportedSexualOrientations: z.array(reference('reportedSexualOrientationId')).nullish(),
	selfReportedLanguagePreference: reference('reportedLanguagePreferenceId').nullish(),
	emails: z.array(emailSchema).nullish(),
	phones: z.array(phoneSchema).nullish(),
	addresses: z.array(addressSchema).nullish(),
	identifiers: z
		.array(strictObject({ type: z.string().min(1), externalId: z.string().min(1) }))
		.nullish(),
	customFieldValues: z
		.array(
			strictObject({
				customFieldId: z.number().int(),
				customFieldGroupId: z.number().int(),
				assignedValue: z.string().nullable(),
			}),
		)
		.nullish(),
	suppressions: z
		.array(
			strictObject({
				suppressionCode: z.string().regex(/^[A-Z]{2,4}$/, '{name} is not a known suppression code'),
			}),
		)
		.nullish(),
});

/** What a caller supplies about a person; every property may be left out. */
export type PersonInput = z.output<typeof personInputSchema>;

export type EmailInput = z.output<typeof emailSchema>;
export type PhoneInput = z.output<typeof phoneSchema>;
export type AddressInput = z.output<typeof addressSchema>;

/** Checks references to the tenant's external id types and custom fields. */
function checkReferences(input: PersonInput, setup: TenantSetup, context: z.RefinementCtx): void {
	const reject = (path: Array<string | number>, message: string, accepted?: string[]) =>
		context.addIssue({
			code: 'custom',
			path,
			message,
			params: accepted && { hint: `Accepted values: ${accepted.join(', ')}` },
		});
	const typeNames = setup.externalIdTypes.map((type) => type.name);
	input.identifiers?.forEach(({ type }, index) => {
		if (typeNames.some((name) => name.toLowerCase() === type.toLowerCase())) return;
		const text = '{name} is not an external id type of this tenant';
		reject(['identifiers', index, 'type'], text, typeNames);
	});
	input.customFieldValues?.forEach(
		({ customFieldGroupId, customFieldId, assignedValue }, index) => {
			const group = setup.customFieldGroups.find(
				(one) => one.customFieldGroupId === customFieldGroupId,
			);
			const field = group?.fields.find((one) => one.customFieldId === customFieldId);
			const path = (name: string) => ['customFieldValues', index, name];
			if (!group) {
				reject(path('customFieldGroupId'), '{name} is unknown');
			} else if (!field) {
				reject(path('customFieldId'), '{name} is not a field of this group');
			} else if (
				assignedValue !== null &&
				field.availableValues?.includes(assignedValue) === false
			) {
				const text = "{name} is not one of the field's values";
				reject(path('assignedValue'), text, field.availableValues);
			}
		},
	);
}

/**
 * Checks a person body (service.md 4.2), with a setup also the references to it.
 *
 * Stricter than the live service on purpose: an unreadable dateOfBirth or an object in place of an
 * array, which the live service drops, is rejected here.
 *
 * @throws RequestRejected 400, with properties such as `phones[0].phoneNumber`.
 */
export function validatePersonInput(
	body: unknown,
	vocabulary: Vocabulary,
	setup?: TenantSetup,
): PersonInput {
	const schema = personInputSchema.superRefine((input, context) => {
		if (setup) checkReferences(input, setup, context);
	});
	return parseBody(schema, body, vocabulary);
}
