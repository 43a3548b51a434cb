import { join } from 'node:path';

import { changeOfFault, FAULTS } from '../../scripts/plantedFaults';

/** The list of `npm run mutants -- faults`. */

const root = join(__dirname, '../..');

test.each(FAULTS)('the fault $id has its place in the code', (fault) => {
	const { start, end, text } = changeOfFault(root, fault);
	expect(end).toBeGreaterThan(start);
	expect(text).not.toBe('');
});

test('names each fault once', () => {
	expect(new Set(FAULTS.map(({ id }) => id)).size).toBe(FAULTS.length);
});

test('does not plant a fault whose place has changed', () => {
	const [fault] = FAULTS;
	if (!fault) throw new Error('There is no fault.');
	const planted = () => changeOfFault(root, { ...fault, place: '«code that nobody wrote»' });
	expect(planted).toThrow('has "code that nobody wrote" 0 times');
});
