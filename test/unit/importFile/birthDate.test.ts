import { readBirth } from '../../../nodes/shared/importFile/birthDate';

test.each([
	['1950-03-04', 19_500_304, 0, 51],
	['1950-03-04 00:00', 19_500_304, 0, 51],
	['19500304', 19_500_304, 0, 51],
	['3/4/50', 0, 304, 51],
	['3/4/1950', 0, 304, 51],
	['04-MAR-50', 0, 304, 51],
	['March 4, 1950', 0, 304, 51],
	['March 1950', 0, 300, 51],
	['1950', 0, 0, 51],
	['born in spring', 0, 0, 0],
])('of %s it reads what says a day, and a year', (text, day, dayAndMonth, year) => {
	expect(readBirth(text)).toMatchObject({ day, dayAndMonth, year });
});
