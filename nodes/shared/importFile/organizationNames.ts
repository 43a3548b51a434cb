import { groupBy } from 'lodash';

/** Words of organizations that are nobody's first or last name. */
const WORDS = `
	inc incorporated llc llp ltd gmbh corp corporation company pllc nonprofit foundation association assn
	committee coalition federation institute university college academy elementary museum library hospital
	clinic pharmacy ministries synagogue diocese cafe café restaurant pizzeria bakery brewery hotel motel
	plumbing roofing landscaping construction insurance realty properties holdings enterprises industries
	services solutions technologies consulting productions associates partners agency department dept
	republicans democrats
`
	.trim()
	.split(/\s+/);
const PHRASES = [
	'(city|county|town|state|bank|church|temple|friends|school|law offices?) of',
	'credit union',
	'(public|high|middle) school',
	'(baptist|methodist|lutheran|catholic|presbyterian) church',
];
const ORGANIZATION_NAME = new RegExp(
	`(?<![\\p{L}\\p{N}'’])(${WORDS.join('|')})(?![\\p{L}\\p{N}])|\\b(${PHRASES.join('|')})\\b`,
	'iu',
);

const LONGEST = 200;

/** A part of each of them: a word, by its first letter, or the end of a phrase. Nearly no name has one. */
const MAY_BE_ORGANIZATION = new RegExp(
	[
		...Object.entries(groupBy(WORDS, (word) => word[0])).map(
			([first, words]) => `${first}(?:${words.map((word) => word.slice(1)).join('|')})`,
		),
		...new Set(PHRASES.map((phrase) => phrase.slice(phrase.lastIndexOf(' ')))),
	].join('|'),
	'i',
);

const ASCII = 128;
const isLetterOrDigit = Uint8Array.from({ length: ASCII }, (_, code) =>
	/[a-z\d]/i.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Three letters of ASCII as a number, whatever their casing. */
const BEGINNING_BITS = 5;
const LETTER_BITS = (1 << BEGINNING_BITS) - 1;
function beginningAt(text: string, index: number): number {
	let beginning = 0;
	for (let at = index; at < index + 3; at++)
		beginning = (beginning << BEGINNING_BITS) | (text.charCodeAt(at) & LETTER_BITS);
	return beginning;
}

/** By number, 1 where a word of an organization begins so. */
const BEGINNINGS = new Uint8Array(1 << (3 * BEGINNING_BITS));
for (const word of [...WORDS, ...PHRASES.join(' ').split(/[^a-z]+/)])
	if (word.length >= 3) BEGINNINGS[beginningAt(word, 0)] = 1;

/** Whether a word of a name begins like one of an organization, or a letter is not of ASCII. */
function beginsLikeOrganization(name: string): boolean {
	let isInWord = false;
	for (let index = 0; index < name.length; index++) {
		const isNext = isLetterOrDigit[name.charCodeAt(index)];
		if (isNext === undefined) return true;
		if (isNext === 1 && !isInWord && BEGINNINGS[beginningAt(name, index)] === 1) return true;
		isInWord = isNext === 1;
	}
	return false;
}

/** Whether a name is certainly that of an organization: `Blue Cafe`, `City of Nome`. */
export function isOrganizationName(name: string): boolean {
	const text = name.slice(0, LONGEST);
	return (
		beginsLikeOrganization(text) && MAY_BE_ORGANIZATION.test(text) && ORGANIZATION_NAME.test(text)
	);
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
