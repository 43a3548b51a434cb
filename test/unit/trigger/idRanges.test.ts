import fc from 'fast-check';

import {
	membership,
	withFewerRuns,
	withIds,
} from '../../../nodes/NativeBulkImportTrigger/idRanges';

const ids = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 40 });
const all = Array.from({ length: 62 }, (_, id) => id);

it('a set of IDs has those that were added, in any order and number', () => {
	fc.assert(
		fc.property(ids, ids, (some, more) => {
			const known = new Set([...some, ...more]);
			const ranges = withIds(withIds([], some), more);
			expect(all.filter(membership(ranges))).toEqual(all.filter((id) => known.has(id)));
		}),
	);
});

it('a set with fewer runs loses no ID, and its highest runs stay as they are', () => {
	fc.assert(
		fc.property(ids, fc.integer({ min: 1, max: 5 }), (some, most) => {
			const ranges = withIds([], some);
			const fewer = withFewerRuns(ranges, most);
			expect(fewer.length).toBe(Math.min(ranges.length, 2 * most));
			expect(some.every(membership(fewer))).toBe(true);
			const kept = 2 * most - 2;
			if (kept > 0) expect(fewer.slice(-kept)).toEqual(ranges.slice(-kept));
		}),
	);
});

it('a set of IDs is small as JSON', () => {
	expect(withIds([], [10, 7, 5, 6])).toEqual([5, 3, 2, 1]);
	expect(withFewerRuns([5, 3, 2, 1, 9, 1], 2)).toEqual([0, 11, 9, 1]);
});
