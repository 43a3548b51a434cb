import { simplifyName } from './fileColumns';

/** Words that mean the same in a header, also in Spanish and French, after the one that is used for all. */
const SAME = `
address: addr adr, birth: brth, code: cd, codigo: cod, country: ctry cntry, customer: cust, date: dt,
donor: donante donateur, employee: ee, employer: emplr emplyr, estado: edo, first: frst, initial: init,
last: lst, line: ln, member: mbr miembro membre adherent, middle: mid, nacimiento: nac, naissance: naiss,
name: nm, number: num nbr nr no, patient: pt, personal: pers, preferred: pref, province: territory,
salutation: salut, suffix: sfx sufx suff suf, volunteer: vol voluntario voluntaria benevole, voter: votante,
cell: cellular mobile mob celular movil portable cellulaire wireless, email: correo courriel,
home: residence residential res casa domicile dom maison, landline: fixe fijo,
other: alternate alternative alt secondary, phone: ph phn tel telephone telefono,
work: business bus office ofc wk trabajo travail bureau bur`;

const words: ReadonlyMap<string, string> = new Map(
	SAME.trim()
		.split(/,\s+/)
		.map((entry) => entry.split(': '))
		.flatMap(([word = '', others = '']) => others.split(' ').map((other) => [other, word])),
);

const BOUNDARY =
	/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu;

/** The words of a header, written out: `HOME_PHN_NBR` → home, phone, number. */
export function headerWords(header: string): string[] {
	return header
		.replace(/\be[\s_-]?mail/gi, 'email')
		.replace(BOUNDARY, ' ')
		.split(/[^\p{L}\p{M}\p{N}]+/u)
		.map(simplifyName)
		.filter(Boolean)
		.map((word) => words.get(word) ?? word);
}

/** What a phone number or email address is for, whatever the order of the words: `Phone (Mobile)` → `cell`. */
export function contactWords(header: readonly string[]): string {
	const meant = new Set(
		header.filter((word, index) => index === 0 || !/^(number|address)$/.test(word)),
	);
	if (meant.has('cell') || meant.has('landline')) meant.delete('phone');
	return [...meant].sort().join(' ');
}
