import { columnNames, findName, visibleName } from '../../../nodes/shared/importFile/fileColumns';
import { processorTime } from '../../../hosts/processorTime';

test('names columns with letters and digits, each once in any casing', () => {
	expect(columnNames(['Näme', 'Name (1)', 'Name 2', 'NAME ', '山', ' '])).toEqual([
		'Name',
		'Name1',
		'Name2',
		'NAME3',
		'Column5',
		'Column6',
	]);
});

test('leaves a property its name if it is one', () => {
	expect(columnNames(['E-mail', 'Email', 'EMAIL'])).toEqual(['Email2', 'Email', 'EMAIL3']);
	expect(columnNames(['Phone', 'Phone', 'Phone2'])).toEqual(['Phone', 'Phone3', 'Phone2']);
	expect(columnNames(['', 'Column1'])).toEqual(['Column12', 'Column1']);
});

test('names 100,000 columns of one name at once', () => {
	const work = () => columnNames(Array<string>(100_000).fill('0'));
	expect(processorTime(work)).toBeLessThan(5000);
	expect(new Set(work()).size).toBe(100_000);
});

describe('names that look alike', () => {
	test.each([
		['byte-order mark', '\uFEFFNativeId', 'NativeId'],
		['word joiner', 'Native\u2060Id\u200D', 'NativeId'],
		['no-break space', 'First\u00A0Name', 'First Name'],
	])('are the same: %s', (_, name, shown) => {
		expect(visibleName(name)).toBe(shown);
		expect(findName(['Other', name], shown)).toBe(name);
		expect(findName(['Other', shown], name)).toBe(shown);
	});

	test('yield to the name that is equal', () => {
		expect(findName(['\uFEFFId', 'Id'], 'Id')).toBe('Id');
	});

	test('differ by letters, casing and signs', () => {
		for (const name of ['nativeId', 'Native Id', 'Native-Id', 'Nátive'])
			expect(findName([name], 'NativeId')).toBeUndefined();
	});
});
