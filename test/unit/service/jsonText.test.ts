import * as fc from 'fast-check';

import { hasRounded, parseJson } from '../../../nodes/shared/service/jsonText';

test('a number that JavaScript would round becomes text with every digit', () => {
	const text =
		'{"id":9007199254740993,"n":[-12345678901234567890,1.5e20],"s":"1: 9007199254740993\\""}';
	expect(parseJson(text)).toEqual({
		id: '9007199254740993',
		n: ['-12345678901234567890', 1.5e20],
		s: '1: 9007199254740993"',
	});
	expect(hasRounded(JSON.parse(text))).toBe(true);
	expect(hasRounded({ id: 9007199254740991, n: [0.1] })).toBe(false);
});

test('all other JSON is read as it is', () => {
	fc.assert(
		fc.property(fc.json({ noUnicodeString: false }), (text) => {
			fc.pre(!hasRounded(JSON.parse(text)));
			expect(parseJson(text)).toEqual(JSON.parse(text));
		}),
	);
});
