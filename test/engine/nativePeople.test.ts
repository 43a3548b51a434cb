import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { byName } from '../../hosts/locators';
import { NativePeople } from '../../nodes/NativePeople/NativePeople.node';
import type { FaultRequest } from '../../sandbox';
import { NativeRecord } from '../../nodes/NativeRecord/NativeRecord.node';
import { credentialOf, type Vendor, vendors } from './support/importJobs';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();

const node = new NativePeople();

const prefixOf = (vendor: Vendor) => (vendor === 'Native' ? '/v2' : '/v4');
const idOf = (vendor: Vendor) => (vendor === 'Native' ? 'nativeId' : 'vanId');

/** The first person of the sandbox. */
const AVERY = 100_001;
const averyEmail = 'avery.sample@demo.example.org';

const parameters = (operation: string, values: IDataObject, resource = 'person') =>
	({ resource, operation, options: {}, ...values }) as INodeParameters;
const perform = async (...given: Parameters<typeof parameters>) =>
	await service.run(node, parameters(...given));
const asJson = (operation: string, person: unknown, values: IDataObject = {}, resource?: string) =>
	parameters(
		operation,
		{
			definePerson: 'json',
			personJson: typeof person === 'string' ? person : JSON.stringify(person),
			...values,
		},
		resource,
	);
const storing = [
	['person', 'findOrCreate', '/people/findOrCreate'],
	['contact', 'findOrCreate', '/contacts/findOrCreate'],
] as const;
const only = (run: { outputs: INodeExecutionData[][] }) => run.outputs[0]?.map(({ json }) => json);

const fullPerson = {
	firstName: 'Ann',
	middleName: 'B',
	lastName: 'Lee',
	suffix: 'Jr',
	title: 'Dr',
	salutation: 'Dear Ann',
	envelopeName: 'Ann Lee',
	formalSalutation: 'Dear Dr Lee',
	additionalSalutation: 'Dear friend',
	formalEnvelopeName: 'Dr Ann Lee',
	additionalEnvelopeName: 'The Lees',
	nickname: 'Annie',
	website: 'https://example.org',
	jobTitle: 'Director',
	contactMethodPreferenceCode: 'E',
	party: 'D',
	sex: 'F',
	dateOfBirth: '1975-09-18',
	employer: 'Example Works',
	occupation: 'Engineer',
	collectedLocationId: 6003,
	electionType: 'G',
	cycle: 2026,
	contactMode: 'Organization',
	organizationContactCommonName: 'Example',
	organizationContactOfficialName: 'Example, Inc.',
	pronouns: { pronounId: 2 },
	selfReportedRaces: [{ reportedRaceId: 3 }, { reportedRaceId: 7 }],
	selfReportedEthnicities: [{ reportedEthnicityId: 4 }],
	selfReportedGenders: [{ reportedGenderId: 5 }],
	selfReportedSexualOrientations: [{ reportedSexualOrientationId: 6 }],
	selfReportedLanguagePreference: { reportedLanguagePreferenceId: 8 },
	emails: [
		{ email: 'ann@example.org' },
		{ email: 'lee@example.org', type: 'W', isPreferred: true, subscriptionStatus: 'S' },
	],
	phones: [
		{ phoneNumber: '9075550100' },
		{
			phoneNumber: '2079460000',
			phoneType: 'C',
			deviceType: 'C',
			ext: '12',
			phoneOptInStatus: 'I',
			dialingPrefix: '44',
			countryCode: 'GB',
		},
	],
	addresses: [
		{
			addressLine1: '1 Elm St',
			addressLine2: 'Unit 2',
			addressLine3: 'Rear',
			city: 'Nome',
			stateOrProvince: 'AK',
			zipOrPostalCode: '99762',
			countryCode: 'US',
			type: 'Mailing',
		},
	],
	identifiers: [{ type: 'CrmId', externalId: 'A-1' }],
	suppressions: [{ suppressionCode: 'NC' }, { suppressionCode: 'NE' }],
};

/** The parameters that should send the person above. */
function fullFields(customField: IDataObject): IDataObject {
	const {
		firstName,
		lastName,
		emails,
		phones,
		addresses,
		identifiers,
		suppressions,
		pronouns,
		selfReportedLanguagePreference,
		...simple
	} = fullPerson;
	return {
		firstName,
		lastName,
		email: emails[0]?.email,
		phone: '(907) 555-0100',
		additionalFields: {
			...simple,
			pronouns: String(pronouns.pronounId),
			selfReportedRaces: '3, 7',
			selfReportedEthnicities: '4',
			selfReportedGenders: '5',
			selfReportedSexualOrientations: '6',
			selfReportedLanguagePreference: String(
				selfReportedLanguagePreference.reportedLanguagePreferenceId,
			),
			emails: {
				email: [emails[1], { email: '', type: 'W', isPreferred: false, subscriptionStatus: '' }],
			},
			phones: { phone: [{ isPreferred: false, ...phones[1], countryCode: 'gb' }] },
			addresses: { address: [addresses[0], { addressLine1: '', type: 'Home' }] },
			identifiers: { identifier: identifiers },
			suppressions: { suppression: suppressions },
			customFieldValues: { customFieldValue: [customField] },
		},
	};
}

describe.each(vendors)('in the words of %s', (vendor) => {
	const credential = credentialOf(vendor);
	const [prefix, idName] = [prefixOf(vendor), idOf(vendor)];
	const perform = async (...given: Parameters<typeof parameters>) =>
		await service.run(node, parameters(...given), { credential });

	it('a person is sent exactly as the fields and the JSON say', async () => {
		const customField = { customFieldId: 301, customFieldGroupId: 31, assignedValue: 'x' };
		const body = { ...fullPerson, customFieldValues: [customField] };
		const options = { dryRun: true };
		const fields = fullFields({ ...customField, customFieldId: '301', customFieldGroupId: '31' });
		const runs = [
			await perform('findOrCreate', { ...fields, options }),
			await service.run(node, asJson('findOrCreate', body, { options }), { credential }),
		];
		for (const run of runs) {
			expect(run.error).toBeUndefined();
			expect(only(run)).toEqual([
				{ dryRun: true, request: { method: 'POST', path: '/people/findOrCreate', body } },
			]);
		}
		expect(service.sandbox.requests).toEqual([]);
	});

	it.each([
		['find', '/people/find'],
		['findOrCreate', '/people/findOrCreate'],
	])('%s calls %s once and says that the person was matched', async (operation, path) => {
		const run = await perform(operation, { email: averyEmail });
		expect(only(run)).toEqual([{ matchStatus: 'matched', personId: AVERY, [idName]: AVERY }]);
		expect(service.calls()).toMatchObject([
			{
				method: 'POST',
				path: `${prefix}${path}`,
				query: {},
				body: { emails: [{ email: averyEmail }] },
				headers: { 'content-type': 'application/json', accept: 'application/json' },
				category: 'low',
			},
		]);
	});

	it('findOrCreate stores a person that is not there, and finds them the next time', async () => {
		const values = { firstName: 'New', lastName: 'Person', phone: '907-555-0155' };
		const first = only(await perform('findOrCreate', values));
		expect(first).toEqual([
			{
				matchStatus: 'created',
				personId: expect.any(Number) as number,
				[idName]: first?.[0]?.personId,
			},
		]);
		const second = only(await perform('findOrCreate', values));
		expect(second).toEqual([{ ...first?.[0], matchStatus: 'matched' }]);
	});

	it('the ID of a person is sent under the name the service has for it', async () => {
		const email = 'other@example.org';
		// Another property may have the same number.
		const number = { collectedLocationId: AVERY };
		const body = { [idName]: AVERY, ...number, emails: [{ email }] };
		const additionalFields = { personId: String(AVERY), ...number };
		const runs = [
			await perform('find', { email, additionalFields }),
			await service.run(node, asJson('find', body), { credential }),
			// A person that was read has the ID twice.
			await service.run(node, asJson('find', { ...body, personId: AVERY }), { credential }),
		];
		for (const run of runs) expect(only(run)).toMatchObject([{ personId: AVERY }]);
		expect(service.calls().map((call) => call.body)).toEqual([body, body, body]);
	});

	it('get reads a person by ID, with the chosen sections', async () => {
		const run = await perform('get', {
			nativeId: String(AVERY),
			expand: ['emails', 'externalIds'],
			simplify: false,
		});
		expect(only(run)).toMatchObject([
			{
				personId: AVERY,
				[idName]: AVERY,
				firstName: 'Avery',
				emails: [{ email: averyEmail }],
				phones: null,
			},
		]);
		expect(service.calls()).toMatchObject([
			{
				method: 'GET',
				path: `${prefix}/people/${AVERY}`,
				query: { $expand: 'emails,externalIds' },
				category: 'medium',
			},
		]);
	});

	it('get reads a person by an ID of another system', async () => {
		const run = await perform('get', {
			identifyBy: 'type',
			personIdType: 'crmid',
			personId: 'demo-1',
		});
		expect(only(run)).toMatchObject([{ personId: AVERY, firstName: 'Avery' }]);
		expect(service.calls()).toMatchObject([{ path: `${prefix}/people/crmid:demo-1`, query: {} }]);
	});

	it.each([
		['its ID', { nativeId: String(AVERY) }, String(AVERY)],
		[
			'an ID of another system',
			{ identifyBy: 'type', personIdType: 'CrmId', personId: 'demo-1' },
			'CrmId:demo-1',
		],
	])('update changes a person named by %s', async (_, reference, segment) => {
		const run = await perform('update', {
			...reference,
			additionalFields: { nickname: 'Ave', middleName: '' },
		});
		expect(only(run)).toEqual([{ matchStatus: 'matched', personId: AVERY, [idName]: AVERY }]);
		expect(service.calls()).toMatchObject([
			{ method: 'POST', path: `${prefix}/people/${segment}`, category: 'medium' },
		]);
		expect(service.calls()[0]?.body).toEqual({ nickname: 'Ave' });
	});

	it('the full record is read with a second request if it is wanted', async () => {
		const run = await perform('find', {
			email: averyEmail,
			options: { fullRecord: true, expand: ['phones'] },
		});
		expect(only(run)).toMatchObject([
			{
				matchStatus: 'matched',
				personId: AVERY,
				lastName: 'Sample',
				phones: [{ phoneNumber: '9075550100' }],
			},
		]);
		expect(service.calls().map(({ method, path, query }) => [method, path, query])).toEqual([
			['POST', `${prefix}/people/find`, {}],
			['GET', `${prefix}/people/${AVERY}`, { $expand: 'phones' }],
		]);
	});
});

test('a person that was read can be sent back, with a hint at what is not sent', async () => {
	const read = await perform('get', {
		nativeId: String(AVERY),
		expand: ['phones', 'emails', 'addresses', 'customFields', 'externalIds', 'codes'],
		simplify: false,
	});
	const [person = {}] = only(read) ?? [];
	expect(person).toHaveProperty('personId', AVERY);
	const run = await service.run(node, {
		...asJson('update', { ...person, middleName: 'Q' }),
		nativeId: String(AVERY),
	});
	expect(run.error).toBeUndefined();
	expect(service.people().find(({ nativeId }) => nativeId === AVERY)).toHaveProperty(
		'fields.middleName',
		'Q',
	);
	expect(run.hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^Not sent, because the service sets it itself: .*nativeId.*codes/),
	]);
});

it('an email address with characters that nobody sees is that of one person', async () => {
	const spellings = ['zw@example.org', '\u200bzw@example.org', 'zw@exa\u00admple.org\ufeff'];
	const run = await service.run(
		node,
		{ ...parameters('findOrCreate', { email: '={{ $json.email }}' }) },
		{ items: spellings.map((email) => ({ json: { email } })) },
	);
	expect(new Set(run.outputs[0]?.map(({ json }) => json.personId)).size).toBe(1);
});

it('a number of another country is sent with its country', async () => {
	const phones = { phone: [{ phoneNumber: '+47 22 12 34 56', countryCode: 'NO' }] };
	await perform('find', { additionalFields: { phones } });
	expect(service.calls()[0]?.body).toEqual({
		phones: [{ phoneNumber: '4722123456', countryCode: 'NO' }],
	});
	await perform('find', { phone: '+1 (907) 555-0100' });
	expect(service.calls()[1]?.body).toEqual({ phones: [{ phoneNumber: '19075550100' }] });
});

test('leaves out what holds nothing, unless the raw record is wanted', async () => {
	const get = { resource: 'person', operation: 'get', identifyBy: 'nativeId', nativeId: '100001' };
	const simple = await service.run(node, get);
	const raw = await service.run(node, { ...get, simplify: false });
	const values = Object.values(simple.outputs[0]?.[0]?.json ?? {});

	expect(values.length).toBeGreaterThan(2);
	expect(values).not.toContain(null);
	expect(Object.values(raw.outputs[0]?.[0]?.json ?? {})).toContain(null);
	expect(raw.outputs[0]?.[0]?.json).toMatchObject(simple.outputs[0]?.[0]?.json ?? {});
});

it('a date of birth is read in the format of the option', async () => {
	const person = {
		resource: 'person',
		operation: 'find',
		email: 'ann@example.org',
		additionalFields: { dateOfBirth: '9/18/1975' },
	};
	const run = await service.run(node, { ...person, options: { dateFormat: 'M/d/yyyy' } });
	expect(run.error).toBeUndefined();
	expect(service.calls()[0]?.body).toMatchObject({ dateOfBirth: '1975-09-18' });
	const json = {
		email: undefined,
		emails: [{ email: 'ann@example.org' }],
		dateOfBirth: '9/18/1975',
	};
	await service.run(node, { ...asJson('find', json), options: { dateFormat: 'M/d/yyyy' } });
	expect(service.calls()[1]?.body).toMatchObject({ dateOfBirth: '1975-09-18' });
	const rejected = await service.run(node, person);
	expect(rejected.error?.message).toMatch(/set the option Date Format to M\/d\/yyyy/);
	const unborn = { ...person, additionalFields: { dateOfBirth: '2999-01-01' } };
	expect((await service.run(node, unborn)).error?.message).toMatch(/must be a date in the past/);
	const noYear = { ...person, options: { dateFormat: 'M/d' } };
	expect((await service.run(node, noYear)).error?.message).toMatch(/^Date Format has no year/);
});

it.each([
	['an expression', { email: 'ann@example.org', additionalFields: { nickname: 2 ** 60 } }],
	[
		'JSON',
		{ definePerson: 'json', personJson: '{"identifiers":[{"externalId":12345678901234567890}]}' },
	],
])('a number of %s that JavaScript has rounded is rejected', async (_, values) => {
	const run = await perform('find', values as never);
	expect(run.error?.message).toMatch(/more digits than .* can (keep|be kept)/);
	expect(service.calls()).toEqual([]);
});

describe('whatever the style of the response, the output says the same', () => {
	const calls: Array<[string, INodeParameters]> = [
		['find', parameters('find', { email: averyEmail })],
		...storing.map(([resource, operation]): [string, INodeParameters] => [
			`${resource} ${operation}`,
			parameters(operation, { email: averyEmail }, resource),
		]),
		['update', parameters('update', { nativeId: String(AVERY), email: averyEmail })],
	];

	describe.each(['redirect', 'stub', 'person'] as const)('%s', (matchResponses) => {
		it.each(calls)('%s', async (_, values) => {
			service.change({ styles: { matchResponses } });
			const run = await service.run(node, values);
			expect(run.error).toBeUndefined();
			const output = { matchStatus: 'matched', personId: AVERY, nativeId: AVERY };
			if (matchResponses === 'person') {
				expect(only(run)).toMatchObject([{ ...output, lastName: 'Sample' }]);
			} else {
				expect(only(run)).toEqual([output]);
			}
			expect(service.sandbox.requests).toHaveLength(1);
		});
	});

	it.each(calls)('a redirect that has nothing but its Location: %s', async (_, values) => {
		service.addFault({ kind: 'redirect', location: `http://localhost:1/v2/people/${AVERY}` });
		const run = await service.run(node, values);
		expect(only(run)).toEqual([{ matchStatus: 'matched', personId: AVERY, nativeId: AVERY }]);
		expect(service.sandbox.requests).toHaveLength(1);
	});

	it('a person that is not there is an output, not an error', async () => {
		const run = await perform('find', {
			email: 'nobody@example.org',
			options: { fullRecord: true },
		});
		expect(run.error).toBeUndefined();
		expect(only(run)).toEqual([{ matchStatus: 'notFound', personId: null, nativeId: null }]);
		expect(service.calls()).toMatchObject([{ status: 404 }]);
		expect(service.calls()).toHaveLength(1);
	});

	it('an update whose response is empty is of the person it named', async () => {
		service.addFault({ kind: 'emptyBody' });
		service.change({ styles: { matchResponses: 'stub' } });
		const run = await perform('update', { nativeId: String(AVERY), firstName: 'Avery' });
		expect(only(run)).toEqual([{ matchStatus: 'matched', personId: AVERY, nativeId: AVERY }]);
	});
});

describe('a response that is no match is an error', () => {
	it.each<[string, FaultRequest['fault'], RegExp]>([
		[
			'404 in the ordinary envelope',
			{ kind: 'status', status: 404, body: 'json' },
			/^The service has no such record: POST \/people\/find$/,
		],
		[
			'404 as a web page',
			{ kind: 'status', status: 404, body: 'html' },
			/^There is nothing at the address of POST \/people\/find$/,
		],
		[
			'a redirect to an error page',
			{ kind: 'redirectToErrorPage' },
			/^The service responded to POST \/people\/find with a redirect to another page/,
		],
		['a web page', { kind: 'htmlPage' }, /with a web page instead of data$/],
		['nothing', { kind: 'emptyBody' }, /with no person ID under "nativeId"/],
	])('%s', async (_, kind, message) => {
		service.change({ styles: { matchResponses: 'stub' } });
		service.addFault(kind);
		const run = await perform('find', { email: averyEmail });
		expect(run.error?.message).toMatch(message);
		expect(service.sandbox.requests).toHaveLength(1);
	});

	it('an ID under the word of another vendor is explained', async () => {
		service.change({ styles: { matchResponses: 'stub' } });
		const run = await service.run(node, parameters('find', { email: averyEmail }), {
			credential: { ...credentialOf('Van'), identifierPrefix: 'Native' },
		});
		expect(run.error?.message).toMatch(/Check Identifier Prefix in the credential$/);
	});

	it('a person read by number keeps it, under whatever word the response has it', async () => {
		const run = await service.run(node, parameters('get', { nativeId: String(AVERY) }), {
			credential: { ...credentialOf('Van'), identifierPrefix: 'Native' },
		});
		expect(only(run)).toMatchObject([{ personId: AVERY, vanId: AVERY }]);
	});
});

describe('a deployment that does not update people with POST', () => {
	const asMissingPage = () =>
		service.addFault({ kind: 'status', status: 404, body: 'html' }, 'POST');
	const asRejection = () => service.change({ styles: { peopleUpdatedByPost: false } });

	it.each([
		[
			'405',
			asRejection,
			/^This deployment of the service does not update people with POST$/,
			/^Nothing was changed\. Use the Native Record node/,
		],
		[
			'a missing page',
			asMissingPage,
			/^There is nothing at the address of POST/,
			/Check Deployment and, if shown, Base URL.* If other operations with people work, .*use the Native Record node/,
		],
	])('leads to the node that can: %s', async (_, reject, message, description) => {
		for (const [reference, recordId] of [
			[{ nativeId: String(AVERY) }, String(AVERY)],
			[{ identifyBy: 'type', personIdType: 'CrmId', personId: 'demo-1' }, 'CrmId:demo-1'],
		] as const) {
			reject();
			const run = await perform('update', { ...reference, additionalFields: { nickname: 'Ave' } });
			expect(run.error?.message).toMatch(message);
			expect(run.error?.description).toMatch(description);
			expect(run.error?.description).toContain(`the record ID ${recordId}: Patch changes only`);

			const patched = await service.run(new NativeRecord(), {
				resource: 'record',
				operation: 'patch',
				resourceName: byName('people'),
				recordId,
				recordJson: '{ "nickname": "Ave" }',
			});
			expect(only(patched)).toMatchObject([{ nativeId: AVERY }]);
		}
	});

	it('is not meant where the person is missing', async () => {
		const run = await perform('update', { nativeId: '7', additionalFields: { nickname: 'Ave' } });
		expect(run.error?.message).toBe('The service has no such record: POST /people/7');
		expect(run.error?.description).not.toMatch(/Native Record/);
	});
});

describe('a person the service cannot look for', () => {
	const name = { firstName: 'Ann', lastName: 'Lee' };

	it.each(storing)('is not stored: %s %s', async (resource, operation) => {
		const run = await perform(operation, name, resource);
		expect(run.error?.message).toBe(
			'Person does not have enough data to match. Add an email; or a phone number; or the date of birth and a ZIP code of five digits. Or turn off the option "Require Matchable Person".',
		);
		expect(service.sandbox.requests).toEqual([]);
	});

	it('is stored if an expression gives the text "false"', async () => {
		const options = { requireMatchable: '={{ "false" }}', fullRecord: '={{ "False" }}' };
		const run = await perform('findOrCreate', { ...name, options });
		expect(only(run)).toMatchObject([{ matchStatus: 'created' }]);
		expect(service.calls()).toHaveLength(1);
	});

	it('is not sent if an expression gives neither true nor false', async () => {
		const options = { requireMatchable: '={{ "perhaps" }}' };
		const run = await perform('findOrCreate', { ...name, options });
		expect(run.error?.message).toMatch(/: "perhaps" is not true or false\.$/);
		expect(service.calls()).toEqual([]);
	});

	it.each(storing)('is stored if the user wants it: %s %s', async (resource, operation) => {
		const options = { requireMatchable: false };
		const run = await perform(operation, { ...name, options }, resource);
		expect(only(run)).toMatchObject([{ matchStatus: 'created' }]);
	});

	it('is not sent again when the outcome is unknown', async () => {
		service.addFault({ kind: 'resetAfter' }, 'POST');
		const run = await service.run(
			node,
			parameters('findOrCreate', { ...name, options: { requireMatchable: false } }),
			{ onError: 'continueErrorOutput' },
		);
		expect(run.outputs[1]?.[0]?.json.error).toMatchObject({
			outcomeUnknown: true,
			replayable: false,
			request: { method: 'POST', path: '/people/findOrCreate', body: name },
		});
		expect(service.calls()).toHaveLength(1);
	});

	it('is not said to be unknown: there was no search', async () => {
		const run = await perform('find', name);
		expect(run.error?.message).toMatch(/^Person does not have enough data to match\. Add an email/);
		expect(service.sandbox.requests).toEqual([]);
	});

	it('is left to the service if the user wants it', async () => {
		const options = { requireMatchable: false };
		const run = await perform('find', { ...name, options });
		expect(only(run)).toMatchObject([{ matchStatus: 'notFound' }]);
		expect(service.calls()).toHaveLength(1);
	});

	it('is looked for by the number of the service alone', async () => {
		const additionalFields = { personId: String(AVERY) };
		const run = await perform('find', { additionalFields });
		expect(only(run)).toMatchObject([{ matchStatus: 'matched', personId: AVERY }]);
	});
});

describe('bad input is rejected before any call, in the words on the screen', () => {
	const fields = (additionalFields: IDataObject) => ({ email: averyEmail, additionalFields });
	const jsonOf = (personJson: string) => ({ definePerson: 'json', personJson });

	it.each<[string, IDataObject, RegExp]>([
		['nothing', {}, /^Person is empty\. Enter what is known/],
		[
			'a field of an entry',
			fields({ addresses: { address: [{ city: 'Nome', stateOrProvince: 'Northwest' }] } }),
			/^Address 1 → State or Province is "Northwest", but must be a two- or three-letter code/,
		],
		[
			'a list in one field',
			fields({ selfReportedRaces: '3, x' }),
			/^Self-Reported Race IDs is "x", but must be a whole number/,
		],
		[
			'several at once',
			{ email: 'ann', phone: '1' },
			/^2 things to correct\. \(1\) .* is .*\(2\) .*: /,
		],
		[
			'a number of another country with ten digits',
			{ phone: '+47 22 12 34 56' },
			/^Phone is "\+47 22 12 34 56", but|^Phone: "\+47 22 12 34 56" is not a phone number of the US/,
		],
		...(['email', 'firstName', 'lastName'] as const).map((name): [string, IDataObject, RegExp] => [
			`an expression without a value in ${name}`,
			{ [name]: name === 'email' ? 'undefined@example.org' : '={{ "" + $json.Missing }}' },
			/undefined|email address/,
		]),
		[
			'an expression without a value in an external ID',
			fields({ identifiers: { identifier: [{ type: 'CrmId', externalId: 'C-undefined' }] } }),
			/^External ID 1 is "C-undefined", which an expression or a database returns when there is no value/,
		],
		[
			'a long external ID without a value, of which it shows the beginning',
			fields({
				identifiers: {
					identifier: [{ type: 'CrmId', externalId: `C-undefined ${'x'.repeat(60)}` }],
				},
			}),
			/ is "C-undefined x{28}", which/,
		],
		['broken JSON', jsonOf('{"firstName": '), /^Person \(JSON\) is not valid JSON/],
		[
			'a property of an entry in JSON',
			jsonOf('{"emails":[{"email":"a@example.org"},{"mail":"b@example.org"}]}'),
			/Person \(JSON\) → emails\[1\]\.mail is not a property.*Did you mean "email"/,
		],
	])('%s', async (_, values, message) => {
		const run = await perform('findOrCreate', values);
		expect(run.error?.message).toMatch(message);
		expect(run.error?.description).toMatch(/^Nothing was sent/);
		expect(service.sandbox.requests).toEqual([]);
	});

	it.each<[string, IDataObject, RegExp]>([
		['no ID', { nativeId: '={{ "" }}' }, /^Person ID is empty/],
		['a word as ID', { nativeId: 'A-1' }, /^Person ID: "A-1" is not an ID/],
		...['1e5', '1.5', '12,345', '#123'].map((nativeId): [string, IDataObject, RegExp] => [
			`${nativeId} as ID`,
			{ nativeId },
			/^Person ID: "[^"]+" is not an ID\. It must be a whole number/,
		]),
		[
			'dots as ID',
			{ identifyBy: 'type', personIdType: 'CrmId', personId: '..' },
			/^ID in That Type must not consist only of dots/,
		],
		[
			'an expression without a value in the ID',
			{ identifyBy: 'type', personIdType: 'CrmId', personId: '={{ "C-" + $json.Missing }}' },
			/^ID in That Type is "C-undefined", which an expression or a database returns when there is no value/,
		],
	])('%s', async (_, reference, message) => {
		for (const operation of ['get', 'update']) {
			const values = { firstName: 'Ann', ...reference };
			const run = await perform(operation, values);
			expect(run.error?.message).toMatch(message);
		}
		expect(service.sandbox.requests).toEqual([]);
	});

	it('an update that changes nothing, or somebody else', async () => {
		const nothing = await perform('update', { nativeId: String(AVERY) });
		expect(nothing.error?.message).toMatch(/^Person is empty/);
		const other = await service.run(
			node,
			asJson('update', { nativeId: 100_002, firstName: 'Ann' }, { nativeId: String(AVERY) }),
		);
		expect(other.error?.message).toMatch(/^Person \(JSON\) → nativeId cannot be changed/);
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('nothing that is empty is sent', () => {
	it('from fields', async () => {
		await perform('find', {
			firstName: '',
			lastName: '={{ undefined }}',
			email: ' ann@example.org ',
			phone: '={{ null }}',
			additionalFields: {
				sex: '',
				dateOfBirth: '',
				emails: { email: [{ email: 'ANN@example.org', type: 'W', isPreferred: false }] },
			},
		});
		expect(service.calls()[0]?.body).toEqual({
			emails: [{ email: 'ANN@example.org', type: 'W' }],
		});
	});

	it('from JSON', async () => {
		await service.run(
			node,
			asJson('find', {
				firstName: null,
				lastName: ' ',
				dateOfBirth: '1975-09-18T00:00:00Z',
				emails: [{ email: 'ann@example.org', type: null, isPreferred: false }],
				phones: [],
				pronouns: {},
			}),
		);
		expect(service.calls()[0]?.body).toEqual({
			dateOfBirth: '1975-09-18',
			emails: [{ email: 'ann@example.org', isPreferred: false }],
		});
	});
});

describe('a dry run shows the request and sends nothing', () => {
	it.each<[string, INodeParameters, IDataObject]>([
		...storing.map(([resource, operation, path]): [string, INodeParameters, IDataObject] => [
			`${resource} ${operation}`,
			parameters(operation, { email: 'a@example.org', options: { dryRun: true } }, resource),
			{ method: 'POST', path, body: { emails: [{ email: 'a@example.org' }] } },
		]),
		[
			'update',
			parameters('update', {
				identifyBy: 'type',
				personIdType: 'CrmId',
				personId: 'a b',
				firstName: 'Ann',
				options: { dryRun: true },
			}),
			{ method: 'POST', path: '/people/CrmId:a%20b', body: { firstName: 'Ann' } },
		],
	])('%s', async (_, values, request) => {
		const run = await service.run(node, values);
		expect(only(run)).toEqual([{ dryRun: true, request }]);
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('what the service rejects becomes an error to act on', () => {
	const create = parameters('findOrCreate', { email: 'new@example.org' });

	it('does not say that nothing was stored after an attempt with an unknown outcome', async () => {
		service.addFault({ kind: 'status', status: 500 }, 'POST');
		service.addFault({ kind: 'status', status: 405 }, 'POST');
		const run = await service.run(
			node,
			parameters('findOrCreate', { email: 'a@example.org' }, 'contact'),
			{ onError: 'continueRegularOutput' },
		);
		expect(only(run)?.[0]?.error).toMatchObject({
			outcomeUnknown: true,
			description: expect.stringMatching(
				/^(?!.*Nothing was).*An earlier attempt .* may have succeeded.* Choose the resource Person/,
			) as string,
		});
	});

	it('a deployment without contacts points to people', async () => {
		const run = await service.run(
			node,
			parameters('findOrCreate', { email: 'a@example.org' }, 'contact'),
			{ credential: credentialOf('Van') },
		);
		expect(run.error).toMatchObject({
			message: 'This deployment of the service cannot find or create contacts',
			description: expect.stringContaining('resource Person') as string,
		});
	});

	it('a rate limit and a lost response are retried, and no one is stored twice', async () => {
		service.addFault({ kind: 'status', status: 429, retryAfterMs: 20 }, 'POST');
		service.addFault({ kind: 'resetAfter' }, 'POST');
		const before = service.people().length;
		const run = await service.run(node, create);
		expect(only(run)).toMatchObject([{ matchStatus: 'matched', mayBeNew: true }]);
		expect(service.calls()).toHaveLength(3);
		expect(service.people()).toHaveLength(before + 1);
	});

	it.each<[string, string, IDataObject]>([
		['updated', 'update', { nativeId: String(AVERY), firstName: 'Avery' }],
		['created', 'findOrCreate', { email: 'new@example.org' }],
	])(
		'a failed read of the full record does not hide who was %s',
		async (what, operation, values) => {
			service.addFault({ kind: 'status', status: 403, body: 'json' }, 'GET');
			const given = parameters(operation, { ...values, options: { fullRecord: true } });
			const run = await service.run(node, given);
			const id = operation === 'update' ? AVERY : service.people().at(-1)?.nativeId;
			expect(run.error?.description).toMatch(
				new RegExp(`^Person ${id} was ${what}, but the full record could not be read afterwards`),
			);
		},
	);
});
