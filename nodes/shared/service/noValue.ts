/** Words that people and programs write where there is no value: `N/A`. */
const WORDS =
	/^(n\/?a|null|none|nil|undefined|unknown|not (provided|available|given)|[-–—.?*]+|ninguno|desconocido|inconnu|keine?|unbekannt|desconhecido)$/i;

/** What spreadsheets and expressions write instead of a result: `#REF!`, `NaN`, `########`. */
const ARTEFACTS = /^(#n\/?a|#[a-z\d/]+[!?]|#{2,}|\[object object\]|invalid date(time)?)$/i;

/** In this casing only: Nan and Null are names. */
const EXACT = /^(null|undefined|NaN)$/;

const LONGEST = 40;

/** Whether a program wrote a text instead of a value. */
export function isArtefact(text: string): boolean {
	const word = text.slice(0, LONGEST + 1).trim();
	return word.length <= LONGEST && (ARTEFACTS.test(word) || EXACT.test(word));
}

/** Whether a text says that there is no value. */
export function isPlaceholder(text: string): boolean {
	const word = text.slice(0, LONGEST + 1).trim();
	return word.length <= LONGEST && (WORDS.test(word) || isArtefact(word));
}
