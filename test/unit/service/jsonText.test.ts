import * as fc from 'fast-check';

import { hasLostNumber, parseJson } from '../../../nodes/shared/service/jsonText';

test('a number that JavaScript would round becomes text with every digit', () => {
	const text =
		'{"id":9007199254740993,"n":[-12345678901234567890,1.5e20],"s":"1: 9007199254740993\\""}';
	expect(parseJson(text)).toEqual({
		id: '9007199254740993',
		n: ['-12345678901234567890', 1.5e20],
		s: '1: 9007199254740993"',
	});
	expect(hasLostNumber(JSON.parse(text))).toBe(true);
	expect(hasLostNumber({ id: 9007199254740991, n: [0.1] })).toBe(false);
});

test('a number that is too large for JavaScript becomes text, and is not sent as null', () => {
	const digits = '9'.repeat(400);
	const text = `{"a":1e400,"b":[-1.5E+309, ${digits}],"c":"1e400","d":1e308}`;
	const expected = { a: '1e400', b: ['-1.5E+309', digits], c: '1e400', d: 1e308 };
	expect(parseJson(text)).toEqual(expected);
	expect(hasLostNumber(JSON.parse(text))).toBe(true);
	expect(hasLostNumber({ ...expected, d: 0.5 })).toBe(false);
});

test('all other JSON is read as it is', () => {
	fc.assert(
		fc.property(fc.json({ noUnicodeString: false }), (text) => {
			fc.pre(!hasLostNumber(JSON.parse(text)));
			expect(parseJson(text)).toEqual(JSON.parse(text));
		}),
	);
});
