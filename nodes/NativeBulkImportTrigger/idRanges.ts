import { chunk, sortedLastIndex } from 'lodash';

/**
 * A set of IDs, small as JSON. In turn the first ID of a run and the first one after it, ascending, each
 * as the distance to the number before: 5, 6, 7 and 10 are [5, 3, 2, 1].
 */
type IdRanges = readonly number[];

function boundsOf(ranges: IdRanges): number[] {
	let bound = 0;
	return ranges.map((distance) => (bound += distance));
}

function rangesOf(bounds: readonly number[]): number[] {
	return bounds.map((bound, index) => bound - (bounds[index - 1] ?? 0));
}

/** Whether an ID is in the set. */
export function membership(ranges: IdRanges): (id: number) => boolean {
	const bounds = boundsOf(ranges);
	return (id) => sortedLastIndex(bounds, id) % 2 === 1;
}

export function withIds(ranges: IdRanges, ids: readonly number[]): number[] {
	const runs = [...chunk(boundsOf(ranges), 2), ...ids.map((id) => [id, id + 1])];
	const bounds: number[] = [];
	for (const [first = 0, after = 0] of runs.sort(([a = 0], [b = 0]) => a - b)) {
		const end = bounds.at(-1);
		if (end === undefined || first > end) bounds.push(first, after);
		else bounds[bounds.length - 1] = Math.max(end, after);
	}
	return rangesOf(bounds);
}

/** The set with at most this many runs: the lowest become one run from 0, with all IDs between them. */
export function withFewerRuns(ranges: IdRanges, most: number): number[] {
	const bounds = boundsOf(ranges);
	const surplus = bounds.length - 2 * most;
	return rangesOf(surplus > 0 ? [0, ...bounds.slice(surplus + 1)] : bounds);
}
