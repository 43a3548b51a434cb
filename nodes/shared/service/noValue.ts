/** What people and programs write where there is no value. */
const WORDS = [
	'n/a',
	'na',
	'null',
	'none',
	'nil',
	'nan',
	'undefined',
	'unknown',
	'not provided',
	'not available',
	'not given',
	'not applicable',
	'not known',
	'not listed',
	'not specified',
	'unspecified',
	'unavailable',
	'none given',
	'none listed',
	'none provided',
	'no data',
	'no value',
	'tbd',
	'ninguno',
	'desconocido',
	'no aplica',
	'sin datos',
	'aucun',
	'inconnu',
	'non renseigné',
	'kein',
	'keine',
	'unbekannt',
	'nicht bekannt',
	'desconhecido',
	'não informado',
];
const SIGNS = '-–—.?*';
const WORD = new RegExp(`^(${WORDS.join('|')}|n\\.a\\.?|k\\. ?a\\.|[${SIGNS}]+)$`, 'i');

/** What programs write instead of a value: `#REF!`, `########`, `(null)`, and MySQL's `\N`. */
const ARTEFACT =
	/^(#n\/?a|#[a-z\d/]+[!?]|#{2,}|\[object object\]|invalid date(time)?|loading\.{3}|[(<[](null|nil|none|blank|empty|unknown|undefined|not set|n\/a)[)>\]]|\\N)$/i;

/** Case matters here: Nan and Null are names. */
const EXACT = /^(null|undefined|NaN)$/;

/** For each ASCII character, whether any of these can begin with it. Nearly every value begins with another one. */
const BEGINNINGS = Uint8Array.from({ length: 128 }, (_, code) => {
	const character = String.fromCharCode(code).toLowerCase();
	const beginnings = [...WORDS, ...SIGNS, ...'#[(<\\', 'invalid', 'loading'];
	return character.trim() === '' || beginnings.some((word) => word.startsWith(character)) ? 1 : 0;
});

const LONGEST = 40;

/** The text to compare; empty if it is none of those. */
function wordOf(text: string): string {
	if (BEGINNINGS[text.charCodeAt(0)] === 0) return '';
	const word = text.slice(0, LONGEST + 1).trim();
	return word.length <= LONGEST ? word : '';
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
