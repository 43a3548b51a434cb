import { columnNames } from '../../../nodes/shared/importFile/fileColumns';

test('names columns with letters and digits, each once in any casing', () => {
	expect(columnNames(['Näme', 'name', 'Name 2', 'NAME', '山', ' '])).toEqual([
		'Name',
		'name2',
		'Name22',
		'NAME3',
		'Column5',
		'Column6',
	]);
});

test('names 100,000 columns of one name at once', () => {
	const began = performance.now();
	expect(new Set(columnNames(Array<string>(100_000).fill('0'))).size).toBe(100_000);
	expect(performance.now() - began).toBeLessThan(5000);
});
