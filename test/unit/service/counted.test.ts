import { counted } from '../../../nodes/shared/service/counted';

test.each([
	[0, '0 rows'],
	[1, '1 row'],
	[2, '2 rows'],
])('%d is counted as %s', (count, text) => {
	expect(counted(count, 'row')).toBe(text);
});

test('a verb follows its count', () => {
	expect([1, 3].map((count) => counted(count, 'is', 'are'))).toEqual(['1 is', '3 are']);
});
