import { kindOfValues } from '../../../nodes/shared/importFile/columnValues';

test.each<[string, string[], string | undefined]>([
	['numbers and words of streets', ['12 Main St', '4b Oak Ave', '7 Elm Road'], 'street'],
	['words of streets alone', ['Court of Appeals', 'Drive for All', 'Safe Way Home'], undefined],
	['numbers and other words', ['12 red roses', '3 blue cars', '7 long days'], undefined],
])('a column without a header that holds %s', (_, texts, kind) => {
	expect(kindOfValues(texts)).toBe(kind);
});
