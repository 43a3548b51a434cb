import {
	conventionEndpoint,
	endpoints,
	prepareCall,
} from '../../../nodes/shared/service/endpoints';
import { recordKeys } from '../../../nodes/shared/service/recordKeys';
import { vocabularyOf } from '../../../nodes/shared/service/connection';

const vocabulary = vocabularyOf('Native');
const update = (person: Parameters<typeof prepareCall<typeof endpoints.updatePerson>>[1]['path']) =>
	recordKeys(prepareCall(endpoints.updatePerson, { path: person }), vocabulary);
const byConvention = (
	method: Parameters<typeof conventionEndpoint>[0],
	path: string,
	body?: unknown,
) =>
	recordKeys({ endpoint: conventionEndpoint(method, path.split('/')), path: {}, body }, vocabulary);

describe('the record a call writes to', () => {
	test('is the person of the path, in whichever casing', () => {
		expect(update({ person: 7 })).toEqual(['people/7']);
		expect(update({ person: { personIdType: 'CrmId', personId: 'A-1' } })).toEqual(
			update({ person: { personIdType: 'crmid', personId: 'a-1' } }),
		);
		const code = prepareCall(endpoints.applyCode, { path: { person: 7 }, body: { codeId: 5 } });
		expect(recordKeys(code, vocabulary)).toEqual(['people/7']);
	});

	test.each([
		['PUT', 'events/5', ['events/5']],
		['PATCH', 'Events/005', ['events/5']],
		['DELETE', 'people/7/notes/3', ['people/7']],
		['POST', 'people/7/notes', ['people/7']],
		['POST', 'people/CrmId:A-1', ['people/crmid:a-1']],
		['POST', 'events/search', []],
		['GET', 'events/5', []],
	] as const)('of %s %s is %j', (method, path, keys) => {
		expect(byConvention(method, path)).toEqual(keys);
	});
});

describe('people who may be the same', () => {
	const keysOf = (body: unknown) =>
		recordKeys(prepareCall(endpoints.findOrCreatePerson, { path: {}, body }), vocabulary);
	const name = { firstName: 'Zoë', lastName: 'Sample-Jones' };
	const sameName = { firstName: 'zoe', lastName: 'SAMPLE JONES' };

	test.each<[string, unknown, unknown]>([
		[
			'email',
			{ emails: [{ email: 'Ann@Example.org' }] },
			{ emails: [{ email: 'ann@example.org' }] },
		],
		[
			'phone',
			{ phones: [{ phoneNumber: '+1 (907) 555-0100' }] },
			{ phones: [{ phoneNumber: '9075550100' }] },
		],
		[
			'external ID',
			{ identifiers: [{ type: 'CrmId', externalId: 'A-1' }] },
			{ identifiers: [{ type: 'crmid', externalId: 'a-1' }] },
		],
		['own ID', { nativeId: 7 }, { nativeId: '7' }],
		[
			'name and ZIP code',
			{ ...name, addresses: [{ zipOrPostalCode: '99501-1234' }] },
			{ ...sameName, addresses: [{ zipOrPostalCode: '99501' }] },
		],
		[
			'name and date of birth',
			{ ...name, dateOfBirth: '1975-09-18' },
			{ ...sameName, dateOfBirth: '1975-09-18' },
		],
	])('share a key for their %s', (_, a, b) => {
		expect(keysOf(a).some((key) => keysOf(b).includes(key))).toBe(true);
	});

	test('share none for their name, city or nothing alone', () => {
		expect(keysOf(name)).toEqual([]);
		expect(keysOf({})).toEqual([]);
		expect(keysOf(undefined)).toEqual([]);
		expect(keysOf({ addresses: [{ zipOrPostalCode: '99501' }] })).toEqual([]);
	});

	test('are seen in a body of Native Record, too', () => {
		expect(byConvention('POST', 'people/findOrCreate', { emails: [{ email: 'a@b.org' }] })).toEqual(
			['email a@b.org'],
		);
	});
});
