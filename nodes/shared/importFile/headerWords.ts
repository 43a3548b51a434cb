import { simplifyName } from './fileColumns';

/** Words that mean the same in a header, also in Spanish and French, after the one that is used for all. */
const SAME = `
address: add addr adr adress addresses, birth: brth, code: cd, codigo: cod, country: ctry cntry, customer: cust, date: dt,
donor: donante donateur, employee: ee, employer: emplr emplyr, estado: edo, first: frst, initial: init,
last: lst, line: ln, member: mbr miembro membre adherent, middle: mid, nacimiento: nac, naissance: naiss,
name: nm names, number: num nbr nr no nubr numero numbers nummer, patient: pt,
personal: pers personnel personnelle perso particular, preferred: pref, province: territory,
salutation: salut, street: str, surname: surnames, forename: forenames, suffix: sfx sufx suff suf, volunteer: vol voluntario voluntaria benevole, voter: votante,
cell: cellular cellphone mobile mob cel celular movil portable cellulaire wireless, email: emails correo correos courriel courriels,
home: hm residence residential residencia res casa domicile dom maison, landline: fixe fijo,
other: alternate alternative alt secondary, phone: ph phn telefon telefone phones tel telef telephone telephones telefono telefonos tfno tlf,
work: business bus office oficina ofc wk trabajo travail bureau bur corporate corporativo laboral
profesional professionnel professionel professionnelle pro`;

const words: ReadonlyMap<string, string> = new Map(
	SAME.trim()
		.split(/,\s+/)
		.map((entry) => entry.split(': '))
		.flatMap(([word = '', others = '']) => others.split(' ').map((other) => [other, word])),
);

/** A database or form puts what a column holds before its name: `TEXT_NAME_LAST`, `szNameLast`. */
const TYPE =
	/^(?:(?:te?xt|TE?XT|cde|CDE|desc|DESC)_(?!num|phone|message|opt)|(?:sz(?!Situs)|str|txt|dt)(?=\p{Lu}\p{Ll}))/u;

const BOUNDARY =
	/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu;

/** The words of a header, written out: `HOME_PHN_NBR` → home, phone, number. */
export function headerWords(header: string): string[] {
	return header
		.replace(TYPE, '')
		.replace(/\be[\s_-]?mail/gi, 'email')
		.replace(BOUNDARY, ' ')
		.split(/[^\p{L}\p{M}\p{N}]+/u)
		.map(simplifyName)
		.filter(Boolean)
		.map((word) => words.get(word) ?? word);
}

/** `Adresse`, `au` and the like in the header of an email address or phone number say nothing. */
const FILLER =
	/^(number|address|adresse|direccion|electronico|electronica|electronique|de|del|du|la|au|d)$/;

/** Letters that name the kind of a phone number. */
const LETTERS: Readonly<Record<string, string>> = { h: 'home', c: 'cell', w: 'work' };

/** What a phone number or email address is for, whatever the order of the words: `Phone (Mobile)` → `cell`. */
export function contactWords(words: readonly string[]): string {
	const header = words.includes('phone') ? words.map((word) => LETTERS[word] ?? word) : words;
	const meant = new Set(
		header.filter((word, index) =>
			// "No Phone" is not a number.
			index > 0 || /^(de|du)$/.test(header[1] ?? '') ? !FILLER.test(word) : word !== 'adresse',
		),
	);
	// The first of several, such as `Home Phone 1`. `Phone 1` alone may stand beside `Home Phone`.
	if (meant.size > 2 || !meant.has('phone')) meant.delete('1');
	if (meant.has('cell') || meant.has('landline')) meant.delete('phone');
	return [...meant].sort().join(' ');
}
