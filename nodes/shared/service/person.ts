import { z } from 'zod';

import { type BodyProblem, type KnownProperties, shapeProblems, withValue } from './bodyProblem';
import { filledText, flag, list, object, oneOf, text as anyText } from './bodySchema';
import { dialingPrefixSchema, phoneNumberProblem, phoneNumberSchema } from './phoneNumber';
import { recordIdSchema } from './recordId';
import type { Vocabulary } from './vocabulary';

/** Codes of service.md 4.2. */
export const emailTypes = ['P', 'W', 'O'] as const;
export const subscriptionStatuses = ['S', 'N', 'U'] as const;
export const phoneTypes = ['H', 'W', 'O', 'C', 'M', 'F', 'P'] as const;
export const phoneOptInStatuses = ['I', 'U', 'O'] as const;
export const deviceTypes = ['C', 'L', 'U', 'F', 'V'] as const;
const deviceTypeNumbers = [1, 2, 4, 5, 6] as const;
export const addressTypes = ['Home', 'Voting', 'Mailing', 'Work', 'Custom'] as const;
export const contactMethodPreferences = ['P', 'E', 'M', 'F', 'S'] as const;
export const electionTypes = ['G', 'P', 'R', 'PP', 'SP', 'SG', 'MP', 'MG', 'C', 'O'] as const;
export const contactModes = ['Person', 'Organization'] as const;
export const sexes = ['F', 'M'] as const;

const text = anyText.trim();

const EMAIL = /^[^\s@<>,;]+@[^\s@<>,;.]+(\.[^\s@<>,;.]+)+$/;

/** Whether a text can be an email address. */
export function isEmail(value: string): boolean {
	return value.length <= 254 && EMAIL.test(value);
}

const emailShape = object({
	email: text.refine(isEmail, {
		message: 'is not an email address, such as ann@example.org',
	}),
	type: oneOf(emailTypes).optional(),
	isPreferred: flag.optional(),
	isSubscribed: flag.optional(),
	subscriptionStatus: oneOf(subscriptionStatuses).optional(),
});

const emailSchema = emailShape.refine(
	({ isSubscribed, subscriptionStatus }) =>
		isSubscribed === undefined || subscriptionStatus === undefined,
	{
		path: ['isSubscribed'],
		message: 'is given together with a subscription status. Keep the status and remove this',
	},
);

const countryCode = text
	.regex(/^[A-Za-z]{2}$/, { message: 'must be the two letters of a country, such as US' })
	.transform((code) => code.toUpperCase());

const phoneShape = object({
	phoneNumber: phoneNumberSchema,
	phoneType: oneOf(phoneTypes).optional(),
	deviceType: z
		.custom<(typeof deviceTypes)[number] | (typeof deviceTypeNumbers)[number]>(
			(value) =>
				deviceTypes.some((known) => known === value) ||
				deviceTypeNumbers.some((known) => known === value),
			{
				message: `must be one of ${deviceTypes.join(', ')}, or of the numbers ${deviceTypeNumbers.join(', ')}`,
			},
		)
		.optional(),
	ext: text.max(6, { message: 'must have at most 6 characters' }).optional(),
	isPreferred: flag.optional(),
	phoneOptInStatus: oneOf(phoneOptInStatuses).optional(),
	isCellStatus: object({ statusId: recordIdSchema }).optional(),
	dialingPrefix: dialingPrefixSchema.optional(),
	countryCode: countryCode.optional(),
});

const phoneSchema = phoneShape.superRefine((phone, context) => {
	const { phoneNumber, countryCode: country, dialingPrefix: prefix } = phone;
	const refuse = (name: string, message: string): void =>
		context.addIssue({ code: 'custom', path: [name], message });
	const isOfNorthAmerica = country === 'US' || country === 'CA';
	if (isOfNorthAmerica && prefix !== undefined && prefix !== '1') {
		refuse(
			'dialingPrefix',
			`is ${prefix}, but the prefix of ${country} is 1. Correct one of the two`,
		);
	}
	const isAssumed = country === undefined && (prefix === undefined || prefix === '1');
	const problem = phoneNumberProblem(phoneNumber, isOfNorthAmerica || isAssumed, 'country code');
	if (problem !== undefined) refuse('phoneNumber', problem);
});

const addressSchema = object({
	addressLine1: text.optional(),
	addressLine2: text.optional(),
	addressLine3: text.optional(),
	city: text.optional(),
	stateOrProvince: text
		.regex(/^.{2,3}$/, { message: 'must be the code of two or three letters, such as AK' })
		.optional(),
	zipOrPostalCode: text.optional(),
	countryCode: countryCode.optional(),
	type: oneOf(addressTypes).optional(),
});

const identifierSchema = object({ type: filledText, externalId: filledText });

const customFieldValueSchema = object({
	customFieldId: recordIdSchema,
	customFieldGroupId: recordIdSchema,
	assignedValue: filledText,
});

const suppressionSchema = object({
	suppressionCode: text.regex(/^[A-Z]{2,4}$/, {
		message: 'must be a code of capital letters, such as NC or NE',
	}),
});

/** Whether a text is a day of the 20th or 21st century, alone or with a time of day. */
function isDayOfOurTime(value: string): boolean {
	const day = /^((?:19|20)\d\d-\d\d-\d\d)(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?$/.exec(value)?.[1];
	if (day === undefined) return false;
	const date = new Date(`${day}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

const personSchema = object({
	firstName: text.optional(),
	middleName: text.optional(),
	lastName: text.optional(),
	suffix: text.optional(),
	title: text.optional(),
	salutation: text.optional(),
	envelopeName: text.optional(),
	formalSalutation: text.optional(),
	additionalSalutation: text.optional(),
	formalEnvelopeName: text.optional(),
	additionalEnvelopeName: text.optional(),
	nickname: text.optional(),
	website: text.optional(),
	jobTitle: text.optional(),
	contactMethodPreferenceCode: oneOf(contactMethodPreferences).optional(),
	party: text.regex(/^.$/u, { message: 'must be one character' }).optional(),
	sex: oneOf(sexes).optional(),
	// Checked here, because the service drops a date it cannot read without a word.
	dateOfBirth: text
		.refine(isDayOfOurTime, {
			message: 'must be a date of the 20th or 21st century, written year-month-day: 1975-09-18',
		})
		.transform((date) => date.slice(0, 10))
		.optional(),
	employer: text.optional(),
	occupation: text.optional(),
	pronouns: object({ pronounId: recordIdSchema }).optional(),
	selfReportedRaces: list(object({ reportedRaceId: recordIdSchema })).optional(),
	selfReportedEthnicities: list(object({ reportedEthnicityId: recordIdSchema })).optional(),
	selfReportedGenders: list(object({ reportedGenderId: recordIdSchema })).optional(),
	selfReportedSexualOrientations: list(
		object({ reportedSexualOrientationId: recordIdSchema }),
	).optional(),
	selfReportedLanguagePreference: object({
		reportedLanguagePreferenceId: recordIdSchema,
	}).optional(),
	collectedLocationId: recordIdSchema.optional(),
	electionType: oneOf(electionTypes).optional(),
	cycle: z
		.custom<number | string>((value) => /^\d{4}$/.test(String(value)), {
			message: 'must be a year of four digits',
		})
		.transform(Number)
		.optional(),
	contactMode: oneOf(contactModes).optional(),
	organizationContactCommonName: text.optional(),
	organizationContactOfficialName: text.optional(),
	emails: list(emailSchema).optional(),
	phones: list(phoneSchema).optional(),
	addresses: list(addressSchema).optional(),
	identifiers: list(identifierSchema).optional(),
	customFieldValues: list(customFieldValueSchema).optional(),
	suppressions: list(suppressionSchema).optional(),
});

/**
 * A person as it is sent to be found, stored or updated (service.md 4.2), but for the service's own
 * ID, whose property has the vendor's word in it.
 */
export type Person = z.infer<typeof personSchema>;

const knownProperties = (personId: string): KnownProperties => [
	[/^$/, [personId, ...Object.keys(personSchema.shape)]],
	[/^emails\[\d+\]$/, Object.keys(emailShape.shape)],
	[/^phones\[\d+\]$/, Object.keys(phoneShape.shape)],
	[/^addresses\[\d+\]$/, Object.keys(addressSchema.shape)],
	[/^identifiers\[\d+\]$/, Object.keys(identifierSchema.shape)],
	[/^customFieldValues\[\d+\]$/, Object.keys(customFieldValueSchema.shape)],
	[/^suppressions\[\d+\]$/, Object.keys(suppressionSchema.shape)],
];

/** Not so dates, which hold something although they have no properties. */
function isObject(value: unknown): value is Record<string, unknown> {
	return Object.prototype.toString.call(value) === '[object Object]';
}

/**
 * A copy without properties that hold nothing: forms and tables give those for every empty field, and
 * the service would store or refuse them. Entries of lists stay, so that positions in messages hold.
 */
function withoutNothing(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutNothing);
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value)
			.map(([name, entry]) => [name, withoutNothing(entry)] as const)
			.filter(([, entry]) => !holdsNothing(entry)),
	);
}

function holdsNothing(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	if (typeof value === 'string') return value.trim() === '';
	return (Array.isArray(value) || isObject(value)) && Object.keys(value).length === 0;
}

/** What concerns the person as a whole; lists check their entries themselves. */
function rulesBroken(person: Person): BodyProblem[] {
	if (person.contactMode === 'Organization') return [];
	return (['organizationContactCommonName', 'organizationContactOfficialName'] as const)
		.filter((name) => person[name] !== undefined)
		.map((name) => ({
			path: [name],
			text: 'is stored for organizations only. Set the contact mode to Organization, or remove this name.',
		}));
}

export interface CheckedPerson {
	person: Person;
	/** The body to send: the person, with the service's own ID if it is given. */
	body: Record<string, unknown>;
}

const NOT_IN_AN_UPDATE =
	'cannot be changed. Remove it here: the ID above says which person is updated.';

/**
 * Checks a person completely.
 * @param mayNameId false for an update, where another ID in the body would move the change elsewhere
 * @returns what to send, or all its problems
 */
export function checkPerson(
	input: unknown,
	{ personId }: Vocabulary,
	mayNameId: boolean,
): CheckedPerson | { problems: BodyProblem[] } {
	const given = withoutNothing(input);
	if (!isObject(given)) {
		return { problems: [{ path: [], text: 'must be an object, in braces { }.' }] };
	}
	if (Object.keys(given).length === 0) {
		return { problems: [{ path: [], text: 'is empty. Enter what is known of the person.' }] };
	}
	const { [personId]: id, ...rest } = given;
	const parsedId = recordIdSchema.optional().safeParse(id);
	const parsed = personSchema.safeParse(rest);
	const problems: BodyProblem[] = [];
	if (id !== undefined && !mayNameId) problems.push({ path: [personId], text: NOT_IN_AN_UPDATE });
	else if (!parsedId.success) {
		problems.push(
			...parsedId.error.issues.map(({ message }) => ({
				path: [personId],
				text: withValue(message, id),
			})),
		);
	}
	problems.push(
		...(parsed.success
			? rulesBroken(parsed.data)
			: shapeProblems(parsed.error, rest, knownProperties(personId))),
	);
	if (problems.length > 0 || !parsed.success) return { problems };
	return {
		person: parsed.data,
		body: { ...(parsedId.data !== undefined && { [personId]: parsedId.data }), ...parsed.data },
	};
}

/** What the service recognises a person by. */
export type MatchPart =
	| 'email'
	| 'phone'
	| 'firstName'
	| 'lastName'
	| 'dateOfBirth'
	| 'zip'
	| 'street';

/**
 * The least that makes the service look for a person: service.md 4.3. Its combinations of a name with
 * an email or a phone are not listed, because either is enough alone.
 */
export const matchCombinations: ReadonlyArray<readonly MatchPart[]> = [
	['email'],
	['phone'],
	['firstName', 'lastName', 'dateOfBirth', 'zip'],
	['firstName', 'lastName', 'zip', 'street'],
];

const partNames: Record<MatchPart, string> = {
	email: 'an email',
	phone: 'a phone number',
	firstName: 'the first name',
	lastName: 'the last name',
	dateOfBirth: 'the date of birth',
	zip: 'a ZIP code of five digits',
	street: 'the street and number at that ZIP code',
};

type Address = NonNullable<Person['addresses']>[number];

function partsGiven(person: Person, address: Address): Set<MatchPart> {
	const given: Record<MatchPart, boolean> = {
		email: (person.emails ?? []).length > 0,
		phone: (person.phones ?? []).length > 0,
		firstName: person.firstName !== undefined,
		lastName: person.lastName !== undefined,
		dateOfBirth: person.dateOfBirth !== undefined,
		zip: /^\d{5}/.test(address.zipOrPostalCode ?? ''),
		street: /^\d+\S*\s+\S/.test(address.addressLine1 ?? ''),
	};
	return new Set((Object.keys(given) as MatchPart[]).filter((part) => given[part]));
}

/** For each combination, what the person lacks of it; street and ZIP code count within one address. */
function missingParts(person: Person): MatchPart[][] {
	const addresses = person.addresses?.length ? person.addresses : [{}];
	return matchCombinations.map((combination) =>
		addresses
			.map((address) => {
				const given = partsGiven(person, address);
				return combination.filter((part) => !given.has(part));
			})
			.reduce((least, missing) => (missing.length < least.length ? missing : least)),
	);
}

/**
 * Whether the service looks for this person at all. Below that, every findOrCreate stores a new person.
 * The service's own ID does not count: an unknown one is ignored (service.md 4.5).
 */
export function isMatchable(person: Person): boolean {
	return missingParts(person).some((missing) => missing.length === 0);
}

function enumeration(words: string[]): string {
	return words.length < 2
		? words.join('')
		: `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** What to add so that the service looks for the person, the three nearest ways: `an email; or …`. */
export function missingForMatch(person: Person): string {
	return missingParts(person)
		.sort((a, b) => a.length - b.length)
		.slice(0, 3)
		.map((missing) => enumeration(missing.map((part) => partNames[part])))
		.join('; or ');
}
