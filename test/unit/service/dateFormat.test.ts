import {
	readBirthDate,
	readDate,
	readDateFormat,
} from '../../../nodes/shared/parameters/dateFormat';
import { isBirthDay } from '../../../nodes/shared/service/dateText';

const year = new Date().getUTCFullYear();
const short = (full: number): string => String(full).slice(2);

describe('a date in the given format', () => {
	test.each([
		['9/18/1975', 'M/d/yyyy', '1975-09-18'],
		['18. September 1975', 'd. MMMM yyyy', '1975-09-18'],
		// Formats as other programs write them.
		['09/18/1975', 'MM/DD/YYYY', '1975-09-18'],
		['09/18/1975', 'mm/dd/yyyy', '1975-09-18'],
		['18.9.1975 06:07', 'D.M.YYYY HH:mm', '1975-09-18T06:07:00'],
		['1975-09-18T06:07', 'YYYY-MM-DDTHH:mm', '1975-09-18T06:07:00'],
		// The format comes first.
		['1975-09-08', 'yyyy-dd-MM', '1975-08-09'],
		['2021-09-23 14:05:33', 'yyyy-MM-dd HH:mm:ss', '2021-09-23T14:05:33'],
		['2021-09-23 14:05:33.123456', 'M/d/yyyy', '2021-09-23T14:05:33.123456'],
		// Neither the day nor the offset changes.
		['2021-09-23 23:30 -05:00', 'yyyy-MM-dd HH:mm ZZ', '2021-09-23T23:30:00-05:00'],
		['9/23/2021 +1200', 'M/d/yyyy ZZZ', '2021-09-23'],
	])('%s, %s, is %s', (text, format, expected) => {
		expect(readDate(text, readDateFormat(format))).toBe(expected);
	});

	test.each(['1975-13-09', '1975-09-18x', '1975-09-1', '18/9/1975', 'soon', '1'.repeat(100_000)])(
		'%.20s is none',
		(text) => {
			expect(readDate(text, readDateFormat('M/d/yyyy'))).toBeUndefined();
		},
	);
});

describe('a date of birth', () => {
	test.each([
		['9/18/45', 'M/d/yy', '1945-09-18'],
		['9/18/05', 'M/d/yy', '2005-09-18'],
		[`1/1/${short(year)}`, 'M/d/yy', `${year}-01-01`],
		[`1/1/${short(year + 2)}`, 'M/d/yy', `${year - 98}-01-01`],
		['1975-09-18 23:30:00-05', 'M/d/yy', '1975-09-18'],
		['1975-09-18 23:30 -05:00', 'yyyy-MM-dd HH:mm ZZ', '1975-09-18'],
	])('%s, %s, is %s', (text, format, expected) => {
		expect(readBirthDate(text, readDateFormat(format))).toBe(expected);
	});

	test.each([`1/1/${year + 2}`, `${year + 2}-01-01`, '1/1/1875'])('is not %s', (text) => {
		expect(readBirthDate(text, readDateFormat('M/d/yyyy'))).toBeUndefined();
	});

	test('lies in the past wherever on earth', () => {
		const now = Date.UTC(2026, 2, 1, 11);
		expect(isBirthDay('2026-03-02', now)).toBe(true);
		expect(isBirthDay('2026-03-03', now)).toBe(false);
	});
});

test.each([
	['M/d', /has no year/],
	['yyyy', /needs a day and a month/],
	['Q/yyyy', /contains "Q", which is not understood/],
	["M/d/yyyy 'at", /contains "'"/],
	['yMd'.repeat(50_000), /longer than 100 characters/],
])('the format %.20s is rejected', (format, message) => {
	expect(() => readDateFormat(format)).toThrow(message);
});
