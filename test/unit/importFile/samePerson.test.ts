import { type Counted, KeyHash } from '../../../nodes/shared/importFile/samePerson';

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
