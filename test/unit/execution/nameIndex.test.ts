import { NameIndex } from '../../../nodes/shared/execution/nameIndex';

/** Entries that count how often their names are read. */
function countedEntries(names: string[]) {
	const reads = { count: 0 };
	const entries = names.map((name, index) => ({
		id: index + 1,
		get name() {
			reads.count++;
			return name;
		},
	}));
	return { entries, reads };
}

const idOrProblem = (index: NameIndex, name: string): unknown => {
	try {
		return index.idOf(name);
	} catch (error) {
		return (error as Error).message;
	}
};

describe('names of a list', () => {
	test('are found in any case and with any blanks', () => {
		const { entries } = countedEntries(['Not Home', 'Busy']);
		const index = new NameIndex('Result Code', entries);
		expect(['nothome', ' BUSY '].map((name) => index.idOf(name))).toEqual([1, 2]);
	});

	test.each(['Busy', 'Bussy'])('are compared with "%s" once, for however many items', (name) => {
		const { entries, reads } = countedEntries(['Not Home', 'Busy', 'Refused']);
		const index = new NameIndex('Result Code', entries);
		const first = idOrProblem(index, name);
		const before = reads.count;
		const others = Array.from({ length: 1000 }, () => idOrProblem(index, name));
		expect(new Set(others)).toEqual(new Set([first]));
		expect(reads.count).toBe(before);
	});

	test('that one record has twice are no doubt', () => {
		const twice = { id: 7, name: 'Busy' };
		expect(new NameIndex('Result Code', [twice, { ...twice, id: '7' }]).idOf('busy')).toBe('7');
	});
});
