/** Words of organizations that are nobody's first or last name. */
const WORDS =
	/(?<![\p{L}\p{N}'’])(inc|incorporated|llc|llp|ltd|gmbh|corp|corporation|company|pllc|nonprofit|foundation|association|assn|committee|coalition|federation|institute|university|college|academy|elementary|museum|library|hospital|clinic|pharmacy|ministries|synagogue|diocese|cafe|café|restaurant|pizzeria|bakery|brewery|hotel|motel|plumbing|roofing|landscaping|construction|insurance|realty|properties|holdings|enterprises|industries|services|solutions|technologies|consulting|productions|associates|partners|agency|department|dept|republicans|democrats)(?![\p{L}\p{N}])|\b(city|county|town|state|bank|church|temple|friends|school|law offices?) of\b|\bcredit union\b|\b(public|high|middle) school\b|\b(baptist|methodist|lutheran|catholic|presbyterian) church\b/iu;

const LONGEST = 200;

/** The same for a text of ASCII: without the letters of the world, whose casing must be looked up, it is faster. */
const ASCII_WORDS = new RegExp(
	WORDS.source.replaceAll('\\p{L}\\p{N}', 'a-z\\d').replaceAll('’', ''),
	'i',
);
const ASCII = /^[ -~]*$/;

/** Whether a name is certainly that of an organization: `Blue Cafe`, `City of Nome`. */
export function isOrganizationName(name: string): boolean {
	const text = name.slice(0, LONGEST);
	return (ASCII.test(text) ? ASCII_WORDS : WORDS).test(text);
}

/** Headers of columns that say whether a row is a person. */
const TYPE_HEADER =
	/^(record|contact|account|constituent|constituency|donor|entity|member|supporter|customer|profile|party|name)?[ _-]?(type|kind|class|category)$/i;
const ORGANIZATION =
	/^(organi[sz]ations?|org|compan(y|ies)|business(es)?|corporations?|corporate|foundations?|non-?profits?|institutions?|organisationen?|empresas?|entreprises?)$/i;

export function isTypeHeader(header: string): boolean {
	return header.length < 40 && TYPE_HEADER.test(header.trim());
}

/** Whether a value of such a column says that the row is an organization. */
export function saysOrganization(value: string): boolean {
	return value.length < 40 && ORGANIZATION.test(value.trim());
}

/** `Ann & Bob`, but not `Ortega y Gasset`, which is one name. */
const AND = /&|\+| (?:and|und|et) /i;
const LETTER = /\p{L}/u;

/** The same before blanks are made equal. Nearly no name has it. */
const ANY_AND = /&|\+|\s(?:and|und|et)\s/i;

/** Whether a cell names two people. */
export function namesTwo(name: string): boolean {
	if (!ANY_AND.test(name)) return false;
	const text = name.slice(0, LONGEST).replace(/\s+/g, ' ');
	const [first = '', ...others] = text.split(AND);
	// The name before ends in a letter or a sign of names, and the next one begins with a letter.
	let before = first;
	return others.some((other) => {
		const isTwo =
			/[\p{L}.'’-]$/u.test(before.trimEnd()) &&
			LETTER.test(before) &&
			/^\p{L}/u.test(other.trimStart());
		before = other;
		return isTwo;
	});
}
