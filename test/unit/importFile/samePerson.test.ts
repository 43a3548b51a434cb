import fc from 'fast-check';
import { uniqBy } from 'lodash';

import {
	type Counted,
	KeyHash,
	mixHash,
	PersonSearch,
	SAME_BY,
} from '../../../nodes/shared/importFile/samePerson';

const hashOf = (text: string, counted: Counted): number[] => {
	const { high, low, length } = new KeyHash().add(text, counted);
	return [high, low, length];
};

/** Nobody sees it, and no table has it. */
const INVISIBLE = '\u200b';

describe('texts by which people are compared', () => {
	const latin = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

	test.each(['visible', 'words', 'digits'] as const)(
		'are the same to "%s" next to a character beyond Latin-1',
		(counted) => {
			const differing = latin.filter((character) => {
				const text = `a${character}1`;
				return String(hashOf(text, counted)) !== String(hashOf(text + INVISIBLE, counted));
			});
			expect(differing).toEqual([]);
		},
	);

	test.each([
		['words', 'Zoë O’Neil', 'ZOE ONEIL', true],
		['words', 'Straße', 'Strasse', false],
		['visible', 'José@Example.org', 'jose@example.org', true],
		['exact', 'é1', 'e1', false],
		['exact', 'AB\uffff', 'ab\uffff', false],
		['digits', '¼', '14', true],
	] as const)('%s: %s and %s', (counted, one, other, areEqual) => {
		expect(String(hashOf(one, counted)) === String(hashOf(other, counted))).toBe(areEqual);
	});
});

const [EMAIL, ADDRESS] = [SAME_BY.indexOf('email address'), SAME_BY.indexOf('address')];

/** A row of a list in which people share mailboxes and addresses. */
const sharing = fc.record({
	name: fc.integer({ min: 1, max: 3 }),
	keys: fc
		.array(
			fc.record({
				by: fc.constantFrom(EMAIL, ADDRESS),
				value: fc.integer({ min: 0, max: 3 }),
			}),
			{ maxLength: 3 },
		)
		.map((keys) => uniqBy(keys, ({ by, value }) => by * 10 + value)),
});

test('rows are of one person with the same name and email, and share contact data without', () => {
	fc.assert(
		fc.property(fc.array(sharing, { maxLength: 20 }), (rows) => {
			const search = new PersonSearch();
			let shared = 0;
			rows.forEach(({ name, keys }, position) => {
				search.add(position, {
					name,
					traits: [],
					keys: keys.map(({ by, value }) => {
						const hash = mixHash(by * 10 + value);
						return { by, high: hash, low: mixHash(hash) };
					}),
				});
				const earlier = rows.slice(0, position);
				const having = keys.map((key) => ({
					...key,
					rows: earlier.filter((row) =>
						row.keys.some(({ by, value }) => by === key.by && value === key.value),
					),
				}));
				const isSame = having.some(
					({ by, rows }) => by === EMAIL && rows.some((row) => row.name === name),
				);
				if (!isSame && having.some(({ rows: [first] }) => first && first.name !== name)) shared++;
				expect(search.links.earlier(position) !== undefined).toBe(isSame);
			});
			expect(search.sharing).toBe(shared);
		}),
	);
});

test('a person is found again, however many others are between', () => {
	const search = new PersonSearch();
	const count = 6000;
	for (let position = 0; position < 2 * count; position++) {
		const high = mixHash(position % count);
		const key = { by: EMAIL, high, low: mixHash(high) || 1 };
		search.add(position, { name: 1, traits: [], keys: [key] });
	}
	const people = Array.from({ length: count }, (_, position) => position);
	expect(people.map((person) => search.links.earlier(count + person)?.position)).toEqual(people);
	expect(search.links.repeated).toBe(count);
});
