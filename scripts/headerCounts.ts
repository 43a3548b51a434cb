/**
 * `npm run headers`: how many columns of known lists feed the right field, a wrong one, or none: of the lists
 * that the table of headers was made from, and of those that were kept apart.
 */
import { learnedLists } from '../test/unit/importFile/headerLists';
import { columnsOf, mistakes } from '../test/unit/importFile/headerMistakes';
import { unseenLists } from '../test/unit/importFile/unseenHeaderLists';

/** Kept apart, then documented exports that were added last, and what unions and clubs type themselves. */
const ADDED_LAST = 14;
const TYPED = /union|bargaining|council|member|club|choir|tenant|board|household|sign-up/i;

function print(title: string, lists: Record<string, string>): void {
	const columns = Object.values(lists).map(columnsOf);
	const found = columns.map(mistakes);
	const obvious = columns.flat().filter(({ field }) => field !== undefined).length;
	const wrong = found.flatMap((each) => each.wrong);
	const lost = found.flatMap((each) => each.lost);
	const share = ((100 * (obvious - lost.length)) / obvious).toFixed(1);
	console.log(
		`${title}: ${columns.length} lists, ${columns.flat().length} columns, ${obvious} obvious, ${wrong.length} wrong, ${lost.length} lost, ${share} % mapped`,
	);
	for (const each of [...wrong, ...lost]) console.log(`  ${each}`);
}

const entries = Object.entries(unseenLists);
print('Learned', learnedLists);
print('Kept apart', unseenLists);
print('Kept apart and added last', Object.fromEntries(entries.slice(-ADDED_LAST)));
print(
	'Unions and typed sheets kept apart',
	Object.fromEntries(entries.filter(([name]) => TYPED.test(name))),
);
