import { tidyText } from '../service/bodySchema';
import { LONGEST_VALUE, saysNoValue } from './valueKinds';

const LONGEST = 200;

/** Words that are not part of a first or last name, or a sign of several people. */
const NO_NAME =
	/^(mr|mrs|ms|miss|mx|dr|prof|rev|hon|sir|jr|sr|ii|iii|iv|v|esq|esquire|md|do|phd|jd|dds|dvm|rn|cpa|mba|lcsw|msw|mph|edd|psyd|ret|inc|llc|llp|ltd|co|corp|pc|pllc|the|family|household|and|und|y|et|of|trust|estate|foundation|committee|union|associates|association|enterprises|industries|services|university|lmft|mft|aprn|pharmd|chair|president|treasurer|donation|resident|bakery|dental|anonymous)\.?$/i;
/** No part of a name before others, but last names of some. */
const BEFORE_NAME =
	/^(mme|mlle|sra|srta|pastor|rabbi|imam|sister|father|capt|captain|sgt|judge|guest)\.? /i;
const WORD = /^\p{L}[\p{L}\p{M}'’.-]*$/u;

/** Excludes words for no value: `Ann undefined` and `Ann NA`, though Na Li is a name. */
const isNamePart = (word: string): boolean =>
	WORD.test(word) && !NO_NAME.test(word) && word !== 'NA' && !saysNoValue('name', word);

/** `PharmD` after `Ann Lee`; in a list in capitals nobody can tell. */
const isTitle = (text: string, before: string): boolean =>
	before.includes(' ') && before !== before.toUpperCase() && /^\p{Lu}\p{L}*\p{Lu}$/u.test(text);

const LAST_FIRST = /\blast\b[\s,]*(?:name[\s,]*)?\bfirst\b|\bnom et prénom\b/iu;

/**
 * `Lee, Ann`, and `Ann Lee` unless the header says `last first`. Undefined for all other names: where the
 * last name begins would be a guess.
 */
export function splitName(given: string, header = ''): { first: string; last: string } | undefined {
	if (given.length > LONGEST_VALUE) return undefined;
	const text = tidyText(given).replace(/\s+/g, ' ');
	if (text === '') return { first: '', last: '' };
	if (text.length > LONGEST || BEFORE_NAME.test(text)) return undefined;
	const [last = '', first, ...more] = text.split(',').map((part) => part.trim());
	const words = text.replaceAll(',', ' ').split(' ').filter(Boolean);
	if (more.length > 0 || !words.every(isNamePart)) return undefined;
	if (first !== undefined)
		return first === '' || last === '' || isTitle(first, last) ? undefined : { first, last };
	const [one = '', two = ''] = words;
	if (words.length !== 2) return undefined;
	return LAST_FIRST.test(header) ? { first: two, last: one } : { first: one, last: two };
}
