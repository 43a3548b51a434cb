import { z } from 'zod';
import { parseBody, propertyPath } from '../wire/requestBody';
import { RequestRejected, type ServiceErrorEntry } from '../wire/requestRejected';
import type { Vocabulary } from '../wire/vocabulary';
import type { TenantStore } from './tenantStore';
import { strictObject } from '../wire/schemas';

/** The service's own hint for North American numbers (service.md 9.1). */
const PHONE_NUMBER_PATTERN = /^1?[2-9][0-8]\d[2-9]\d{6,6}$/;
const FOREIGN_PHONE_NUMBER_PATTERN = /^\d{5,15}$/;
const PHONE_PUNCTUATION = /[\s().+-]/g;
const EMAIL_PATTERN = /^[^\s@<>,;]+@[^\s@<>,;.]+(\.[^\s@<>,;.]+)+$/;

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

/** The same for a number of a file, of which nothing says that it must be without signs. */
export function isValidPhoneNumberOfFile(phoneNumber: string, countryCode?: string): boolean {
	return isValidPhoneNumber(phoneDigits(phoneNumber), countryCode);
}

/** A day of the 20th or 21st century, written yyyy-mm-dd with or without a time of day. */
export function isValidDateOfBirth(text: string): boolean {
	const match = /^((?:19|20)\d\d)-(\d\d)-(\d\d)(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/.exec(text);
	if (!match) return false;
	const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
	return !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text.slice(0, 10);
}

const optionalText = z.string().nullish();
const reference = (idName: string) => strictObject({ [idName]: z.number().int() });
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
		.union([
			z.enum(['C', 'L', 'U', 'F', 'V']),
			z.literal(1),
			z.literal(2),
			z.literal(4),
			z.literal(5),
			z.literal(6),
		])
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
}).superRefine((phone, context) => {
	if (isValidPhoneNumber(phone.phoneNumber, phone.countryCode)) return;
	context.addIssue({
		code: 'custom',
		path: ['phoneNumber'],
		message: '{name} is not a valid phone number',
	});
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
export const personInputSchema = strictObject({
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

function referenceErrors(store: TenantStore, input: PersonInput): ServiceErrorEntry[] {
	const errors: ServiceErrorEntry[] = [];
	const refuse = (path: Array<string | number>, text: string, hint?: string) =>
		errors.push({
			code: 'INVALID_PARAMETER',
			text,
			properties: [propertyPath(path)],
			...(hint !== undefined && { hint }),
		});
	const typeNames = store.setup.externalIdTypes.map((type) => type.name);
	input.identifiers?.forEach((identifier, index) => {
		if (!typeNames.some((name) => name.toLowerCase() === identifier.type.toLowerCase())) {
			refuse(
				['identifiers', index, 'type'],
				"'type' is not an external id type of this tenant",
				`Accepted values: ${typeNames.join(', ')}`,
			);
		}
	});
	input.customFieldValues?.forEach((value, index) => {
		const group = store.setup.customFieldGroups.find(
			(candidate) => candidate.customFieldGroupId === value.customFieldGroupId,
		);
		const field = group?.fields.find(
			(candidate) => candidate.customFieldId === value.customFieldId,
		);
		if (!group) {
			refuse(['customFieldValues', index, 'customFieldGroupId'], "'customFieldGroupId' is unknown");
		} else if (!field) {
			refuse(
				['customFieldValues', index, 'customFieldId'],
				"'customFieldId' is not a field of this group",
			);
		} else if (
			field.availableValues &&
			value.assignedValue !== null &&
			!field.availableValues.includes(value.assignedValue)
		) {
			refuse(
				['customFieldValues', index, 'assignedValue'],
				"'assignedValue' is not one of the field's values",
				`Accepted values: ${field.availableValues.join(', ')}`,
			);
		}
	});
	return errors;
}

/**
 * Checks a person body (service.md 4.2). With a store, references to the tenant's external id types
 * and custom fields are checked too.
 *
 * Stricter than the live service on purpose: an unreadable dateOfBirth or an object in place of an
 * array, which it silently drops, is refused here.
 *
 * @throws RequestRefused 400, with properties such as `phones[0].phoneNumber`.
 */
export function validatePersonInput(
	body: unknown,
	vocabulary: Vocabulary,
	store?: TenantStore,
): PersonInput {
	const input = parseBody(personInputSchema, body, vocabulary);
	const errors = store ? referenceErrors(store, input) : [];
	if (errors.length > 0) throw new RequestRejected(400, errors);
	return input;
}
