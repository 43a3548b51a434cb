import fc from 'fast-check';
import { DateTime } from 'luxon';

import {
	isMatchable,
	missingForMatch,
	personOfAddress,
	readPersonMatch,
} from '../../../nodes/shared/service/personMatch';
import { lacksId } from '../../../nodes/shared/service/bodySchema';
import { type Person, personBody } from '../../../nodes/shared/service/personSchema';
import { readBody } from '../../../nodes/shared/service/requestBody';
import { vocabularyOf } from '../../../nodes/shared/service/connection';
import { validatePersonInput } from '../../../sandbox/store/personInput';
import { vocabularyOf as sandboxVocabularyOf } from '../../../sandbox/wire/vocabulary';
import { repetitions } from '../../support/randomCases';

const native = vocabularyOf('Native');

function checked(input: unknown): { body: Person } {
	const result = readBody(input, personBody(native));
	if ('problems' in result) throw new Error(JSON.stringify(result.problems));
	return result;
}
const problemsOf = (input: unknown) => {
	const result = readBody(input, personBody(native));
	return 'problems' in result ? result.problems : [];
};

const word = fc
	.stringMatching(/^[A-Za-z][A-Za-z' -]{0,15}$/)
	.map((text) => text.trim())
	// E.g. `NA`, which databases return where there is no value, is refused as an ID.
	.filter((text) => lacksId(text) === undefined);
const digit = (from: number, to = 9) => fc.integer({ min: from, max: to }).map(String);
const phoneNumber = fc
	.tuple(digit(2), digit(0, 8), digit(0), digit(2), fc.stringMatching(/^\d{6}$/))
	.map((parts) => parts.join(''));
const email = fc
	.tuple(
		fc.stringMatching(/^[a-z0-9+_-]{1,8}(\.[a-z0-9+_-]{1,8})?$/),
		fc.constantFrom('example.org', 'mail.example.org'),
	)
	.map(([name, domain]) => `${name}@${domain}`);
const dateOfBirth = fc
	.date({ min: new Date('1901-01-01'), max: new Date(), noInvalidDate: true })
	.map((date) => date.toISOString().slice(0, 10));
const id = fc.integer({ min: 1, max: 2_147_483_647 });
const optional = { requiredKeys: [] };

/** People in the form of service.md 4.2, with everything in its range. */
const people = fc
	.record(
		{
			nativeId: id,
			firstName: word,
			lastName: word,
			sex: fc.constantFrom('M', 'F'),
			party: fc.stringMatching(/^[A-Z]$/),
			dateOfBirth,
			contactMethodPreferenceCode: fc.constantFrom('P', 'E', 'M', 'F', 'S'),
			electionType: fc.constantFrom('G', 'P', 'R', 'PP', 'SP', 'SG', 'MP', 'MG', 'C', 'O'),
			cycle: fc.integer({ min: 1900, max: 2100 }),
			pronouns: fc.record({ pronounId: id }),
			selfReportedRaces: fc.array(fc.record({ reportedRaceId: id }), { minLength: 1 }),
			emails: fc.array(
				fc.record(
					{
						email,
						type: fc.constantFrom('P', 'W', 'O'),
						isPreferred: fc.boolean(),
						subscriptionStatus: fc.constantFrom('S', 'N', 'U'),
					},
					{ requiredKeys: ['email'] },
				),
				{ minLength: 1, maxLength: 3 },
			),
			phones: fc.array(
				fc.record(
					{
						phoneNumber,
						phoneType: fc.constantFrom('H', 'W', 'O', 'C', 'M', 'F', 'P'),
						deviceType: fc.constantFrom('C', 'L', 'U', 'F', 'V', 1, 2, 4, 5, 6),
						ext: fc.stringMatching(/^\d{1,6}$/),
						isPreferred: fc.boolean(),
						phoneOptInStatus: fc.constantFrom('I', 'U', 'O'),
						isCellStatus: fc.record({ statusId: id }),
						dialingPrefix: fc.constant('1'),
						countryCode: fc.constantFrom('US', 'CA'),
					},
					{ requiredKeys: ['phoneNumber'] },
				),
				{ minLength: 1, maxLength: 3 },
			),
			addresses: fc.array(
				fc.record(
					{
						addressLine1: word,
						city: word,
						stateOrProvince: fc.constantFrom('AK', 'NY', 'QLD'),
						zipOrPostalCode: fc.stringMatching(/^\d{5}$/),
						countryCode: fc.constantFrom('US', 'GB'),
						type: fc.constantFrom('Home', 'Voting', 'Mailing', 'Work', 'Custom'),
					},
					{ requiredKeys: ['city'] },
				),
				{ minLength: 1, maxLength: 2 },
			),
			identifiers: fc.array(fc.record({ type: word, externalId: word }), { minLength: 1 }),
			suppressions: fc.array(
				fc.record({ suppressionCode: fc.constantFrom('NC', 'NE', 'NM', 'NW') }),
				{
					minLength: 1,
				},
			),
		},
		optional,
	)
	.filter((person) => Object.keys(person).length > 0);

/** Gives every property of an object, at any depth, an empty companion. */
const nothings: unknown[] = [undefined, null, '', '  ', [], {}, { a: null }];
function withNothings(value: unknown, names: string[]): unknown {
	if (Array.isArray(value)) return value;
	return {
		...Object.fromEntries(names.map((name, index) => [name, nothings[index % nothings.length]])),
		...(value as object),
	};
}

describe('a person within the ranges of the service', () => {
	test('is sent exactly as given', () => {
		fc.assert(fc.property(people, (person) => expect(checked(person).body).toEqual(person)));
	});

	test('is accepted by the service', () => {
		fc.assert(
			fc.property(people, (person) => {
				for (const word of ['Native', 'Van'] as const) {
					const { nativeId, ...rest } = person;
					const vocabulary = vocabularyOf(word);
					const result = readBody(
						{ ...rest, ...(nativeId !== undefined && { [vocabulary.personId]: nativeId }) },
						personBody(vocabulary),
					);
					if ('problems' in result) throw new Error(JSON.stringify(result.problems));
					expect(() => validatePersonInput(result.body, sandboxVocabularyOf(word))).not.toThrow();
				}
			}),
		);
	});

	test('loses what holds nothing, and nothing else', () => {
		const names = [
			'middleName',
			'suffix',
			'website',
			'title',
			'pronouns',
			'customFieldValues',
			'selfReportedLanguagePreference',
		];
		fc.assert(
			fc.property(people, (person) => {
				expect(checked(withNothings(person, names)).body).toEqual(checked({ ...person }).body);
			}),
		);
	});
});

test('whatever is entered is either a body or a list of problems with sentences', () => {
	fc.assert(
		fc.property(fc.anything(), (input) => {
			for (const updated of [undefined, 7]) {
				const result = readBody(input, personBody(native, updated));
				if ('body' in result) expect(Object.keys(result.body)).not.toEqual([]);
				else {
					expect(result.problems).not.toEqual([]);
					for (const { text } of result.problems) expect(text).toMatch(/[.?]$/);
				}
			}
		}),
		{ numRuns: repetitions(500) },
	);
});

describe('phone numbers', () => {
	const problemsOfPhone = (phone: object) => problemsOf({ phones: [phone] });

	test('go out as digits, however they are written', () => {
		fc.assert(
			fc.property(
				phoneNumber,
				fc.constantFrom('(A) B-C', 'A.B.C', '+1 A B C', '1A B C'),
				(number, form) => {
					const written = form
						.replace('A', number.slice(0, 3))
						.replace('B', number.slice(3, 6))
						.replace('C', number.slice(6));
					const { body: person } = checked({ phones: [{ phoneNumber: written }] });
					expect(person.phones).toEqual([{ phoneNumber: written.replace(/\D/g, '') }]);
				},
			),
		);
	});

	test('of other countries are not measured by the rules of this one', () => {
		fc.assert(
			fc.property(
				fc.stringMatching(/^\d{5,15}$/),
				fc.constantFrom({ countryCode: 'GB' }, { dialingPrefix: '49' }, { dialingPrefix: '+353' }),
				(number, country) =>
					expect(problemsOfPhone({ phoneNumber: number, ...country })).toEqual([]),
			),
		);
	});

	test.each(['12345', '1234567890', '907555010', '90755501000', '+49 30 901820', ''])(
		'%p is none of the US or Canada',
		(number) => {
			expect(problemsOfPhone({ phoneNumber: number, phoneType: 'H' })).toHaveLength(1);
			expect(problemsOfPhone({ phoneNumber: number, countryCode: 'CA' })).toHaveLength(1);
		},
	);
});

describe('dates of birth', () => {
	test.each([
		new Date('1975-09-18'),
		DateTime.fromISO('1975-09-18T22:00', { zone: 'America/Anchorage' }),
		'1975-09-18T10:00:00.000-05:00',
	])('of a database or an expression is the day: %s', (date) => {
		expect(checked({ dateOfBirth: date }).body).toEqual({ dateOfBirth: '1975-09-18' });
	});
	test.each(['1875-09-18', '1975-02-29', '1975-9-18', 'x'])('%s is rejected', (date) =>
		expect(problemsOf({ dateOfBirth: date })).toHaveLength(1),
	);
});

const email1 = { email: 'a@example.org' };
const phone1 = { phoneNumber: '9075550100' };

test.each<[object, string, RegExp]>([
	[{}, '', /^is empty/],
	[{ firstName: '  ' }, '', /^is empty/],
	[{ phones: [null] }, '', /^is empty/],
	[{ emails: email1 }, 'emails', /^must be a list/],
	[{ emails: [{ email: 'ann' }] }, 'emails.0.email', /^is not an email address/],
	[{ phones: [{ ...phone1, countryCode: 'England' }] }, 'phones.0.countryCode', /two-letter/],
	[
		{ phones: [{ ...phone1, countryCode: 'US', dialingPrefix: '44' }] },
		'phones.0.dialingPrefix',
		/the prefix of US is 1/,
	],
	[{ nativeId: 0, emails: [email1] }, 'nativeId', /must be a whole number from 1/],
	[{ vanId: 5, emails: [email1] }, 'vanId', /^is not a property/],
	[{ firstName: true, emails: [email1] }, 'firstName', /must be text/],
	[{ emails: [{ ...email1, isPreferred: 'yes' }] }, 'emails.0.isPreferred', /true or false/],
	[
		{ emails: [{ ...email1, isSubscribed: true, subscriptionStatus: 'U' }] },
		'emails.0.isSubscribed',
		/^contradicts the subscription status/,
	],
	[
		{ organizationContactCommonName: 'Example', emails: [email1] },
		'organizationContactCommonName',
		/^is stored for organizations only/,
	],
	[
		{ customFieldValues: [{ customFieldId: 301, assignedValue: 'x' }] },
		'customFieldValues.0.customFieldGroupId',
		/^is (empty|missing)/,
	],
])('%j is rejected', (input, path, text) => {
	expect(
		problemsOf(input).map((problem) => ({ ...problem, path: problem.path.join('.') })),
	).toEqual([expect.objectContaining({ path, text: expect.stringMatching(text) as string })]);
});

describe('the minimum that a match needs', () => {
	const parts = {
		email: { emails: [{ email: 'ann@example.org' }] },
		phone: { phones: [{ phoneNumber: '9075550100' }] },
		firstName: { firstName: 'Ann' },
		lastName: { lastName: 'Lee' },
		dateOfBirth: { dateOfBirth: '1975-09-18' },
		zip: { addresses: [{ zipOrPostalCode: '99762' }] },
		street: { addresses: [{ addressLine1: '1 Elm St', zipOrPostalCode: '99762' }] },
	} satisfies Record<string, Person>;
	type Part = keyof typeof parts;
	const given = fc.uniqueArray(fc.constantFrom(...(Object.keys(parts) as Part[])));
	const personWith = (names: Part[]): Person =>
		Object.assign({}, ...names.map((name) => parts[name])) as Person;

	test('is one of the combinations of service.md 4.3', () => {
		fc.assert(
			fc.property(given, (names) => {
				const person = personWith(names);
				const has = (...wanted: Part[]) => wanted.every((name) => names.includes(name));
				const address = person.addresses?.[0];
				const expected =
					has('email') ||
					has('phone') ||
					(has('firstName', 'lastName', 'dateOfBirth') && address !== undefined) ||
					(has('firstName', 'lastName') && address?.addressLine1 !== undefined);
				expect(isMatchable(person)).toBe(expected);
			}),
		);
	});

	test('needs street and ZIP code in one address', () => {
		const name = { firstName: 'Ann', lastName: 'Lee' };
		const apart = [{ addressLine1: '1 Elm St' }, { zipOrPostalCode: '99762' }];
		expect(isMatchable({ ...name, addresses: apart })).toBe(false);
		expect(isMatchable({ ...name, addresses: [{ ...apart[0], ...apart[1] }] })).toBe(true);
	});

	test.each([
		[{ addressLine1: 'Elm St', zipOrPostalCode: '99762' }, 'no number'],
		[{ addressLine1: '1 Elm St', zipOrPostalCode: '9976' }, 'four digits'],
	])('is not reached by an address with %p: %s', (address) => {
		expect(isMatchable({ firstName: 'Ann', lastName: 'Lee', addresses: [address] })).toBe(false);
	});

	test('names the three nearest ways, the least first', () => {
		expect(missingForMatch({ firstName: 'Ann' })).toMatch(
			/^an email; or a phone number; or the last name, /,
		);
		expect(
			missingForMatch({
				firstName: 'Ann',
				lastName: 'Lee',
				addresses: [{ zipOrPostalCode: '99762' }],
			}),
		).toBe('an email; or a phone number; or the date of birth');
	});
});

describe('responses to a search for a person', () => {
	const read = (status: number, body: unknown, location?: string) =>
		readPersonMatch(
			{ status, body, headers: location === undefined ? {} : { location } },
			vocabularyOf('Van'),
		);
	const stub = (status: string, vanId: unknown = 7) => ({ vanId, status });

	test.each<[string, ReturnType<typeof read>, string, number | null]>([
		['302 with a stub', read(302, stub('Matched')), 'matched', 7],
		[
			'302 with its Location only',
			read(302, undefined, 'https://a.example.org:443/v4/people/7'),
			'matched',
			7,
		],
		['200 with the stub of a new person', read(200, stub('UnmatchedStored')), 'created', 7],
		['200 with an unmatched stub', read(200, stub('Unmatched', null)), 'notFound', null],
		['201 with its Location only', read(201, undefined, '/v4/people/7'), 'created', 7],
		['an ID as text', read(200, stub('Matched', '7')), 'matched', 7],
	])('%s', (_, match, matchStatus, personId) => {
		expect(match).toEqual({ matchStatus, personId, person: {} });
	});

	test('a full person is kept, also one with a status of its own', () => {
		const person = { vanId: 7, firstName: 'Ann', status: 'Active' };
		expect(read(200, person)).toEqual({ matchStatus: 'matched', personId: 7, person });
	});

	test.each<[string, unknown]>([
		['nothing', undefined],
		['the word of another vendor', { nativeId: 7, status: 'Matched' }],
		['no ID', { vanId: null, firstName: 'Ann' }],
	])('%s names no person', (_, body) => {
		expect(read(200, body)).toBeUndefined();
	});

	test('only addresses of people lead to one', () => {
		expect(personOfAddress('/Error.aspx?aspxerrorpath=/people/7')).toBeUndefined();
		expect(personOfAddress('https://a.example.org/v4/people/7?x=1')).toBe(7);
		expect(personOfAddress('/v4/people/7/notes')).toBeUndefined();
		expect(personOfAddress(undefined)).toBeUndefined();
	});
});

test.each<[unknown, string | undefined, string]>([
	[2134, undefined, '02134'],
	[501, 'US', '00501'],
	[21341234, undefined, '021341234'],
	[6011234, 'US', '006011234'],
	[997621234, undefined, '997621234'],
	// Four digits are whole there.
	[8001, 'CH', '8001'],
	['2134', undefined, '2134'],
])('the ZIP %j of %s is %s', (zipOrPostalCode, countryCode, expected) => {
	const { body: person } = checked({ addresses: [{ zipOrPostalCode, countryCode }] });
	expect(person.addresses?.[0]?.zipOrPostalCode).toBe(expected);
});

describe('values as tables give them', () => {
	const custom = { customFieldId: 1, customFieldGroupId: 2 };

	test.each<[object, object]>([
		[
			{ phones: [{ phoneNumber: '9075550100', ext: 12 }] },
			{ phones: [{ phoneNumber: '9075550100', ext: '12' }] },
		],
		[
			{ customFieldValues: [{ ...custom, assignedValue: 7 }] },
			{ customFieldValues: [{ ...custom, assignedValue: '7' }] },
		],
		[
			{ customFieldValues: [{ ...custom, assignedValue: new Date('2026-03-01') }] },
			{ customFieldValues: [{ ...custom, assignedValue: '2026-03-01' }] },
		],
		[
			{ addresses: [{ city: 'Nome', isPreferred: 'True' }] },
			{ addresses: [{ city: 'Nome', isPreferred: true }] },
		],
	])('%j is sent as %j', (given, body) => {
		expect(checked(given).body).toEqual(body);
	});
});
