import { ListRows } from '../../../nodes/NativeBulkImport/importItems/features/importedBefore/listRows';
import { mixHash } from '../../../nodes/shared/importFile/samePerson';
import { repetitions, seed } from '../../support/randomCases';
import { seededRandom } from '../../support/seededRandom';

const slice = { isOver: false, yield: async () => await Promise.resolve() };
/** A list of rows, each given by a number. */
const listOf = async (
	rows: readonly number[],
	isSent: (position: number) => boolean = () => true,
) => await ListRows.of({ count: rows.length, at: (row) => mixHash(rows[row] ?? 0) }, isSent, slice);
const range = (from: number, count: number): number[] =>
	Array.from({ length: count }, (_, index) => from + index);
const asMark = ({ mark }: ListRows) => ({ after: `written 1a2b3c4d ${mark}` });

async function knownShare(earlier: readonly number[][], later: readonly number[]) {
	const known = new Set<string>();
	for (const rows of earlier) for (const name of (await listOf(rows)).namesIn()) known.add(name);
	return (await listOf(later)).shareOf((name) => known.has(name));
}

it.each([1, 2, 64, 65, 1000, 20_000])(
	'a list of %i rows is the same in any order',
	async (count) => {
		const rows = range(1, count);
		const list = await listOf(rows);
		const sorted = await listOf([...rows].reverse());
		expect(sorted.mark).toBe(list.mark);
		expect(sorted.namesIn()).toEqual(list.namesIn());
		expect((await listOf([...rows, 1])).checksum).not.toBe(list.checksum);
		expect((await listOf(range(2, count))).checksum).not.toBe(list.checksum);
		expect(list.namesIn().length).toBeLessThanOrEqual(160);
	},
);

it('rows that are not sent, or have no values, do not count', async () => {
	const list = await listOf(range(1, 10));
	const others = await listOf([0, ...range(1, 12)], (position) => position <= 10);
	expect(others.mark).toBe(list.mark);
	expect(others.count).toBe(10);
});

it('up to 64 rows are counted, each with its repetitions', async () => {
	expect(await knownShare([range(1, 60)], range(31, 40))).toEqual({
		share: 0.75,
		text: '30 of these 40 rows were',
	});
	expect(await knownShare([[7]], [7, 7, 8])).toMatchObject({ text: '2 of these 3 rows were' });
	expect(await knownShare([range(1, 20), range(21, 20)], range(1, 40))).toMatchObject({
		text: 'all of these 40 rows were',
	});
});

it('the share of longer lists is estimated', async () => {
	const random = seededRandom(seed);
	for (let turn = 0; turn < repetitions(200); turn++) {
		const count = 65 + random.below(3000);
		const share = random.below(11) / 10;
		const start = 1 + random.below(1_000_000);
		const common = Math.round(share * count);
		const earlier = range(start, Math.max(1, Math.round(count * (0.7 + random.below(60) / 100))));
		const later = [...range(start, Math.min(common, earlier.length)), ...range(-3_000_000, count)];
		const rows = later.slice(0, count);
		const truth = Math.min(common, earlier.length) / count;
		const found = (await knownShare([earlier], rows))?.share ?? 0;
		expect(Math.abs(found - truth)).toBeLessThan(0.35);
		if (truth === 0) expect(found).toBe(0);
		if (truth === 1) expect(found).toBe(1);
	}
});

it('a file of a list is remembered by its own rows', async () => {
	const list = await listOf(range(1, 300));
	const names = [
		...list.namesIn({ first: 0, end: 100 }),
		...list.namesIn({ first: 100, end: 300 }),
	];
	expect([...names].sort()).toEqual([...list.namesIn()].sort());
});

it('the mark of a job tells nearly the same rows from others', async () => {
	const list = await listOf(range(1, 300));
	const more = asMark(await listOf([...range(1, 300), 5000]));
	expect(list.isNearlySame(more)).toBe(true);
	expect(list.isSame(more)).toBe(false);
	expect(list.isSame(asMark(await listOf(range(1, 300).reverse())))).toBe(true);
	expect(list.isNearlySame(asMark(await listOf(range(1000, 300))))).toBe(false);
	// One row says too little: its mark has 20 bits.
	expect((await listOf([1])).isNearlySame(asMark(await listOf([1, 2])))).toBe(false);
	expect((await listOf([1, 2])).isNearlySame(asMark(await listOf([1, 2, 3])))).toBe(true);
	expect(list.isSame({ after: 'written 1a2b3c4d' })).toBe(false);
});
