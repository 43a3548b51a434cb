import { findName, visibleName } from '../../../nodes/shared/importFile/visibleName';

describe('names that look alike', () => {
	test.each([
		['byte-order mark', '\uFEFFNativeId', 'NativeId'],
		['zero-width space', 'Native\u200BId', 'NativeId'],
		['word joiner', 'Native\u2060Id\u200D', 'NativeId'],
		['no-break space', 'First\u00A0Name', 'First Name'],
		['spaces around', ' First  Name\u202F', 'First Name'],
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
