/** What people and programs write where there is no value. */
const WORDS = [
	'n/a',
	'na',
	'null',
	'none',
	'nil',
	'undefined',
	'unknown',
	'not provided',
	'not available',
	'not given',
	'ninguno',
	'desconocido',
	'inconnu',
	'kein',
	'keine',
	'unbekannt',
	'desconhecido',
];
const SIGNS = '-–—.?*';
const WORD = new RegExp(`^(${WORDS.join('|')}|[${SIGNS}]+)$`, 'i');

/** What spreadsheets and expressions write instead of a result: `#REF!`, `NaN`, `########`. */
const ARTEFACT = /^(#n\/?a|#[a-z\d/]+[!?]|#{2,}|\[object object\]|invalid date(time)?)$/i;

/** In this casing only: Nan and Null are names. */
const EXACT = /^(null|undefined|NaN)$/;

/** The characters with which all of these begin: nearly every value begins otherwise. */
const BEGINNINGS: ReadonlySet<string> = new Set(
	[...WORDS, ...SIGNS, '#', '[', 'invalid'].flatMap(([first = '']) => [first, first.toUpperCase()]),
);

const LONGEST = 40;

/** The text to compare; empty if it is none of those. */
function wordOf(text: string): string {
	const word = text.slice(0, LONGEST + 1).trim();
	return BEGINNINGS.has(word.charAt(0)) && word.length <= LONGEST ? word : '';
}

/** Whether a program wrote a text instead of a value. */
export function isArtefact(text: string): boolean {
	const word = wordOf(text);
	return word !== '' && (ARTEFACT.test(word) || EXACT.test(word));
}

/** Whether a text says that there is no value. */
export function isPlaceholder(text: string): boolean {
	const word = wordOf(text);
	return word !== '' && (WORD.test(word) || ARTEFACT.test(word) || EXACT.test(word));
}
