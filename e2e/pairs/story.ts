import { Chance } from './chance';
import { coveringArray, randomRow } from './coveringArray';
import { goTogether, OPTIONS } from './options';
import { isFile, KINDS } from './options/list';
import type { Chosen } from './options/storyOption';
import type { Kind } from './kinds';
import type { GivenRow } from './rows';

/** A list as a person has it. */
export interface List {
	name: string;
	columns: string[];
	rows: GivenRow[];
}

/** What a seed decides. */
export interface Story {
	seed: number;
	chosen: Chosen;
	kind: Kind;
	first: List;
	/** The first list some time later: a row less, two changed, one new. */
	second: List;
	/** The row that the second list lacks. */
	gone: GivenRow | undefined;
}

const TRAITS = [
	'blank',
	'rejected',
	'unclean',
	'wrongEmail',
	'separators',
	'twoLines',
	'twin',
	'household',
	'known',
	'wrongDay',
	'partly',
	'optedOut',
	'unfindable',
	'total',
	'footer',
	'repeatedHeader',
	'nulls',
];
const COVERING_SEED = 1;
const covering = coveringArray(OPTIONS, goTogether, new Chance(COVERING_SEED));

/** The number of stories that cover all pairs of choices; those with later seeds choose at random. */
export const PAIR_STORIES = covering.rows.length;
export const IMPOSSIBLE_PAIRS = covering.impossible;

function changeRows(rows: readonly GivenRow[], kind: Kind, chance: Chance) {
	const changed = rows.map((row, index) => {
		const cell = row.cells[kind.changing];
		if (index % 3 !== 0 || typeof cell?.given !== 'string' || row.problem) return row;
		return { ...row, cells: { ...row.cells, [kind.changing]: { given: `New ${index}` } } };
	});
	const [gone] = changed.splice(chance.below(changed.length), 1);
	return { changed, gone };
}

/** The choices of a story that a new node does not have. */
export const describeChoices = ({ chosen }: Story): string =>
	OPTIONS.filter(({ name, choices }) => chosen[name] !== choices[0])
		.map(({ name }) => `${name}: ${chosen[name]}`)
		.join(', ');

export function storyOf(seed: number): Story {
	const chance = new Chance(seed);
	const chosen =
		covering.rows[seed - 1] ?? randomRow(OPTIONS, goTogether, new Chance(COVERING_SEED + seed));
	const kind = KINDS[chosen.resourceType ?? ''];
	if (!kind) throw new Error(`The table has no rows of ${chosen.resourceType}.`);
	const traits = new Set([
		...TRAITS.filter((trait) => trait === 'rejected' || chance.isTrue(0.6)),
		isFile(chosen) ? 'tooWide' : 'unwritable',
	]);
	if (chosen.dateFormat === '') traits.delete('wrongDay');
	const rows = kind.rows(chance, 1, 3 + chance.below(3), traits);
	const columns = Object.keys(rows[0]?.cells ?? {});
	const { changed, gone } = changeRows(rows, kind, chance);
	const newRows = kind.rows(chance, 41, 1, new Set());
	return {
		seed,
		chosen,
		kind,
		first: { name: 'first', columns, rows },
		second: {
			name: 'second',
			columns: [...columns, 'Extra'],
			rows: [...changed, ...newRows],
		},
		gone,
	};
}
