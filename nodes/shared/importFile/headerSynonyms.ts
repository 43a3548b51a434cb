import { once, uniq } from 'lodash';

import type { ValueKind } from './valueKinds';
import { LONGEST_HEADER, simplifyName } from './fileColumns';
import { contactWords, headerWords } from './headerWords';

/**
 * Everyday headers: a line per field, with what its values look like. Case, blanks, punctuation, accents, the
 * field's own name, and `Donor`, `What is your` and the like before a header need no line. Headers after `~`
 * count only if no other header feeds the field: some exports have both.
 */
const FIELDS = `
FirstName, name: First, FName, Forename, Given Name, Given, Name (First), First and Middle Name, Nombre, Nombres, Primer Nombre, Prénom, Prénoms, Name - First Name, Name - Given Name, Vorname, Vornamen, Rufname, Primeiro Nome, Nome, Nome próprio ~ Nombre de pila, Billing First Name
MiddleName, name: Middle, Middle Initial, MI, MName, Mid Name, Middle Name Initial, Middle Name or Initial, Additional Name, Name (Middle), Segundo Nombre, Deuxième prénom, Initial, Name - Middle Name, Zweiter Vorname, Nome do meio
LastName, name: Last, LName, Family Name, Surname, Name (Last), Apellido, Apellidos, Primer Apellido, Apellido paterno, Nom de famille, Nom, Name - Last Name, Name - Surname, Nachname, Familienname, Zuname, Sobrenome, Último nome, Nome de família ~ Apellido 1, Nom d'usage, Billing Last Name
Suffix, suffix: Name Suffix, Suffix Name, Individual Suffix, SFX, Suffix 1, Jr/Sr, Sufijo, Generational Suffix, Generation Suffix
Title, honorific: Prefix, Name Prefix, Individual Prefix, Name Title, Title 1, Honorific, Tratamiento, Civilité, Politesse, Anrede, Titel ~ Courtesy Title, Form of Address, Titre, Título, Trato, Salutation
DOB, birth: Birthday, Birth Date, Born, Born At, Born On, Date of Birth, Birth Dt, Dt Birth, Fecha de nacimiento, Fecha nacimiento, Date de naissance, Né le, Née le, B-day, F. de nacimiento, F Nacimiento, Date naissance, Geburtsdatum, Geb.-Datum, Geburtstag, Geb. am, Geboren am, Data de nascimento, Data nascimento, Dt. nascimento, Data nasc., Nascimento ~ DDN, Anniversaire, Date anniversaire, Date d'anniversaire, Cumpleaños, Fecha de cumpleaños
Sex, gender: Gender, Gender Code, Sex Code, Sexo, Género, Sexe, Genre, M/F, Geschlecht
Phone, phone: Phone Number, Phone No, Phone Num, Home Ph, Full Phone Number, Telephone, Telephone Number, Telephone No, Contact Number, Contact No, Home Phone, Home Phone Number, Landline, Daytime Phone, Day Phone, Phone 1 - Value, can2_phone, Numéro de téléphone, Personal Phone, Landline Formatted, Phone - Voice, Tél. rés., Telefon, Telefonnummer, Telefonnr., Tel.-Nr., Rufnummer, Festnetz, Festnetznummer, Telefon privat, Número de telefone, Telefone fixo, Telefone residencial, Fone ~ Best Phone, Phone 1 Full Number (F), Primary Phone, Phone 1, Billing Phone, Billing Phone Number, Phone (Primary), Best Number, Best Phone Number, Home, Teléfono de casa, H, Hm, Best Contact Number
CellPhone, phone: Cell Phone Number, Cell Ph, Mobile Phone Number, Mobile No, Personal Cell Phone, Phone (Cell), Phone (Mobile), Cell, Cell Number, Cellular, Mobile, Mobile Number, Mobile Phone, SMS Phone Number, Text Number, Celular, Móvil, Portable, Cellulaire, Número de celular, Personal Cell, CellPhone Formatted, Celular / WhatsApp, Handy, Handynummer, Handynr., Mobil, Mobilnummer, Mobiltelefon, Mobilfunknummer, Telemóvel, Telefone celular, Número de telemóvel ~ GSM, Wireless, SMS, Cell/Text, Text/Cell, C, Cl
WorkPhone, phone: Work Phone Number, Work Ph, Business Phone, Business Phone Number, Office Phone, Teléfono del trabajo, Téléphone professionnel, Telefon geschäftlich, Telefon dienstlich, Telefone comercial, Telefone do trabalho ~ Work, Phone - Business, Tél. au travail, W
Email, email: Email Address, Email Addr, Email Number, Mail, Personal Email, Home Email, Email 1, E-mail 1 - Value, Email (Primary), Correo, Correo electrónico, Dirección de correo electrónico, Correo electronico personal, Courriel, Adresse e-mail, Adresse électronique, Adresse courriel, Correo-e, E-Mail-Adresse, Mailadresse, E-Mail privat, Correio eletrônico, Correio electrónico, Endereço de e-mail, E-mail pessoal ~ Email ID, Mail ID, Billing Email, Billing Email Address, Best Email, Username
OtherEmail, email: Other Email Address, Secondary Email Address, Alternate Email, Alternative Email, Secondary Email, Email 2, E-mail 2 Address, E-mail 2 - Value, 2nd Email ~ Alt Email, Autre courriel
WorkEmail, email: Work Email Address, Business Email, Office Email, E-Mail geschäftlich, E-Mail dienstlich, E-mail comercial, E-mail profissional
EnvelopeName, name: Addressee, Primary Addressee
EmployerName, words: Employer, Company, Company Name, Organization, Organisation, Organization Name, Organization 1 - Name, Firm, Firm Name, Workplace, Place of Employment, Empleador, Empresa, Nombre Empresa, Nombre de la empresa, Employeur, Entreprise, Nom de l'entreprise, Société, Nom de la société, Works at, Where do you work, Lugar de trabajo, Arbeitgeber, Firma, Firmenname, Unternehmen, Empregador, Nome da empresa ~ Name of Employer, Nombre del empleador, Nom de l'employeur, Primary Affiliation, Dónde trabaja, Emp
OccupationName, words: Occupation, Profession, Job, Job Title, Organization Title, Organization 1 - Title, Position, Ocupación, Profesión, Puesto, Cargo, Métier, Fonction, Job Classification, Titre d'emploi, Occ, Beruf, Berufsbezeichnung, Profissão ~ Job Position, Position Title, Emploi, Job Class, What kind of work do you do, Métier/profession
`;

/** The parts of an address: the field of a home address, and the headers. */
const PARTS = `
AddressLine1, street: Address, Address 1, Address Lines, Addr, Addr 1, Street, Street 1, Street Address, Street Address 1, Street Address Line 1, Street Line 1, Full Address, Addrline 1, Dirección, Domicilio, Calle, Calle y número, Adresse, Rue, Adresse 1, Address Line, Number and Street, Street and Number, Street Number and Name, House Number and Street, Street # and Name, Formatted Address, Address Block, No civique et rue, St. address, First line of address, 1st line of address, Address first line, Straße und Hausnummer, Strasse und Hausnummer, Straße/Hausnummer, Straße + Hausnr., Straße Nr., Straße, Strasse, Anschrift, Wohnadresse, Endereço, Morada, Logradouro, Rua
AddressLine2, unit: Address 2, Adresse 2, Adresse ligne 2, Address Line 2/District/Neighborhood, Addr 2, Street 2, Street Address 2, Street Address Line 2, Street Line 2, Apt, Apartment, Unit, Suite, Apt/Suite, Apt Suite Unit, Apt Unit, Extended Address, Supplemental Address 1, Addrline 2, App., Appartement, Apartamento, Apto., Secondary Addr, Dirección 2, Complément d'adresse, Extra Address Line, Street Extra Line, Address Extra Line, Suite/Apt, Depto., Second line of address, 2nd line of address, Adresszusatz, Adresszeile 2, Complemento ~ Unit Number, Unit Num, Unit No, St Unit Num, Apt/Unit No, Apartment Number, Apt Number, Apt Num, Apt No, Apt Unit Number, Bldg Num, Depto./Apto.
AddressLine3, unit: Address 3, Adresse 3, Dirección 3, Addr 3, Street 3, Street Address 3
City, city: Town, City/Town, Town/City, City Name, City Desc, City (USPS), Locality, Suburb, Ciudad, Localidad, Municipio, Ville, Commune, Municipalité, Post Town, Postal Town, Ort, Wohnort, Stadt, Cidade ~ Población, Localité
StateOrProvince, state: State, Province, State Code, State Cd, State Abbreviated, State Abbreviation, State/Province, Province/State, State/Province Code, State/Province/Region, Province Code, St, State/Region, State/Province/Region/County/Territory/Prefecture/Republic, Address 1 - Region, Entidad federativa, Estado, Provincia, Prov, Prov/State, ST_CD, Bundesland, UF ~ Province/État
ZipOrPostal, zip: Zip, Zip 5, Zip Code, Zip Code 5, Zip or Postal Code, Zip/Postal, Zip/Postal Code, Postal/Zip Code, Full Zip Code (F), CP, Zip/Postcode, PC/Zip, Zip/PC, PLZ, Postleitzahl, CEP ~ Postal Code, Postcode, Postal, Código postal, Code postal
CountryCode, country: Country, Country/Region, Country Name, País, Pays, Land
`;

/** The pieces of a line in several columns, in the order in which they are written. */
const PIECES = `
AddressLine1 prefix: House Number Prefix, Street Number Prefix
AddressLine1 number: House Number, House No, House Num, Street Number, Street No, Street Num, St Number, St No, St Num, Address Number, Addr Number, Add Number, Hse No, Hse Num, Hse, Res House, Mail House, Ad Num, Numéro civique, Civic Number, Numéro de rue, Número exterior
AddressLine1 fraction: House Number Suffix, House Fraction Number, Frac, Fraction, Address Number Suffix, Street Bldg, House Num Suffix, House Suffix, House Fraction, Half Code, Street Number Suffix, Street No Half, Fractional Address, St Frac, Designator, Suff A, Suffix A
AddressLine1 direction: Pre Direction, Pre Dir, Street Pre, Street Pre Direction, Street Predir, Pre Street Direction, St Pre Direction, Street Prefix, Direction Prefix, Directional Prefix, Street Dir Prefix, Dir Pref, Dir Prefix, Street Direction, Street Dir, St Dir, Direction, Dir
AddressLine1 name: Street Name, St Name, Street Base, Street, Rue, Nom de rue, Nom de la rue
AddressLine1 type: Street Type, Street Type Cd, St Type
AddressLine1 suffix: Street Suffix, Street Suff
AddressLine1 direction2: Post Direction, Post Dir, Street Post, Street Post Direction, Street Postdir, Post Street Direction, St Post Direction, Direction Suffix, Directional Suffix, Street Dir Suffix, Dir Suff, Dir Suffix, Street Sufx Cd
AddressLine2 type: Unit Type, Apt Type, Apartment Type, Unit Designator, Unit Abbr, Unit Abbreviation
`;

/** Whose address it is, in the order in which one is chosen. */
export const addressKinds = ['home', 'mailing', 'billing'] as const;
export type AddressKind = (typeof addressKinds)[number];

/** Before a part of an address, also with `Address`, or after it: `City - Home`. */
const OWNERS: Record<AddressKind, string> = {
	home: 'Home, Default Address, CnAdrPrf, VTR AD, Residence Addresses, vb.tsmart, Primary, Residential, Residence, Res, Resident, Reg, Registration, Registered, Voting, Physical, Permanent, Perm, Legal, R, Street, Address, Address 1, Address Primary, Domicile, CASS, v, can2_user, can2, RA, Ad, szSitus, of Residence, de residencia, du domicile',
	mailing: 'Mailing, Mail, Mail Addr, Postal, PO, Correspondence, Envío, m, MA',
	billing: 'Billing, Bill',
};
const SUFFIXES = /^(home|mailing|mail|billing|primary|postal|domicile|ra|ma|ofhome|dehome|duhome)$/;

/** Before the header of a person's field; a list with two of them is about two people. */
const ROLES =
	'Donor, Attendee, Contact, Member, Participant, User, Volunteer, Voter, Supporter, Constituent, Subscriber, Contributor, Customer, Client, Signer, Registrant, Respondent, Applicant, Insured, Invitee, Tenant, Employee, Patient, Alum, Rider, Patron, CnBio, VTR, Elector, Worker, Owner';
/** Before the header of whoever the list is about. */
const ANYBODY =
	'Resident, Available, Voters, VoterTelephones, vb.tsmart, vb.voterbase, Your, Person, Profile, Preferred, Pref, Primary, Personal, Legal, Current, Su, Tu, Votre';
const QUESTIONS =
	"And, What is the, What is, What's the, What's, Which, Who is, Whats, Please enter, Please provide, Please share, Enter, Provide, Share, Tell us, Can we have, Could we have, May we have, Can you share, What, Cuál es, Quel est, Quelle est";

/** A form is polite before it asks: `First up, what's your email?`. */
const GREETINGS: ReadonlySet<string> = new Set(
	'hi hello hey there welcome thanks thank you great perfect awesome ok okay first firstly up off of all to start let us s begin with next now and also then so last but not least lastly finally'.split(
		' ',
	),
);

/** Say which of several the person wants to be called at or written to. */
const PREFERENCE = /^(preferred|pref)(?=phone|email)/;

/** Headers of full names, also after `Donor` and the like. */
const FULL_NAMES =
	'Name, Nome completo, Vollständiger Name, Vor- und Nachname, Printed Name, Name (Last First), Full Name, Complete Name, First and Last Name, Name (First and Last), Nombre completo, Nombre y apellido, Nombre y apellidos, Nom complet, Nom et prénom, Prénom et nom';

/** The field without which a header of half a name is one of the full name, by core. */
export const otherHalves: ReadonlyMap<string, string> = new Map([
	['nombre', 'lastname'],
	['nom', 'firstname'],
	['nome', 'lastname'],
]);

const listed = (text: string): string[] => text.split(/,\s+/).map((name) => name.trim());

function readTable(table: string) {
	return table
		.trim()
		.split('\n')
		.map((line) => {
			const [head = '', headers = ''] = line.split(/:\s/, 2);
			const [name = '', kind = 'words'] = head.split(', ');
			const [field = '', piece = ''] = name.split(' ');
			const [strong = '', weak] = headers.split(' ~ ');
			return {
				field,
				piece,
				kind: kind as ValueKind,
				strong: listed(strong),
				weak: weak === undefined ? [] : listed(weak),
			};
		});
}

const fieldLines = readTable(FIELDS);
const partLines = readTable(PARTS);
const pieceLines = readTable(PIECES);

/** Headers of pieces of addresses, for the documentation: by `AddressLine1 number`. */
export const pieceHeaders: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
	pieceLines.map(({ field, piece, strong }) => [`${field} ${piece}`, strong]),
);

/** Everyday headers by field, for the documentation. */
export const headerSynonyms: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
	[...fieldLines, ...partLines].map(({ field, strong, weak }) => [field, [...strong, ...weak]]),
);

/** The field of a home address (0) or of a mailing address (1) for a part, as a home address calls it. */
export function addressField(part: string, place: number): string {
	return place === 0 ? part : `Mailing${part}`.replace('Line1', '');
}

const addressLines = partLines.flatMap((line) =>
	[0, 1].map((place) => ({ ...line, field: addressField(line.field, place) })),
);

export const addressFields: ReadonlySet<string> = new Set(
	addressLines.map(({ field }) => simplifyName(field)),
);

const valueKinds: ReadonlyMap<string, ValueKind> = new Map([
	...[...fieldLines, ...addressLines].map(
		({ field, kind }) => [simplifyName(field), kind] as const,
	),
	['displayasentered', 'flag'],
	['salutation', 'salutation'],
	['phonecountrycode', 'country'],
	['cellphonecountrycode', 'country'],
	['workphonecountrycode', 'country'],
]);

export function valueKindOf(field: string): ValueKind | undefined {
	return valueKinds.get(simplifyName(field));
}

/** The ways to write a header: as one word, or with its short words written out. */
const spellings = (names: readonly string[]): string[] =>
	uniq(names.flatMap((name) => [simplifyName(name), headerWords(name).join('')]));

/** Everyday headers, by simplified field; those of phone numbers and email addresses also by what they mean. */
const fieldHeaders: ReadonlyMap<
	string,
	Readonly<Record<'strong' | 'weak' | 'contact', readonly string[]>>
> = new Map(
	fieldLines.map(({ field, kind, strong, weak }) => {
		const isContact = kind === 'phone' || kind === 'email';
		// Nothing is left of `Adresse électronique`, nor of `(required)`.
		const contact = isContact
			? [field, ...strong].map(headerWords).map(contactWords).filter(Boolean)
			: [];
		return [simplifyName(field), { strong: spellings(strong), weak: spellings(weak), contact }];
	}),
);

const simplified = (names: string): string[] => spellings(listed(names));
const roles = simplified(ROLES);
/** The longest first: `Voters` is not `Voter` before an S. */
const people = [...roles, ...simplified(ANYBODY)].sort((a, b) => b.length - a.length);
const questions = simplified(QUESTIONS);
/** `Nombre del donante`, `Prénom du donateur`. */
const OF_ROLE = new RegExp(`^(.+)(?:del|dela|du)(${roles.join('|')})$`);

/** Ends a header, in brackets or after a dash; it says nothing of whose the value is. */
const NOTE =
	/\s*(?:[([]|\s[-–—:]\s)(?:optional|required|opcional|obligatorio|facultatif|obligatoire|pflichtfeld|obrigatório|(?:or|if|please) (?![^)\]]*\b(?:parent|guardian|spouse|partner|mother|father|child|work|other)\b)[^)\]]*|\d{1,2}[ -]?digits?|(?:enter|print|for (?:text|sms))[^)\]]*|[dmyjaDMYJA]{1,4}[/.-][dmyjaDMYJA/.-]{1,10})[)\]]?[\s?.:*]*$/i;

/** Other words in brackets or after a dash, at the end of a header. */
const REMARK = /^([^()[\]]+?)\s*(?:[([]([^()[\]]+)[)\]]|\s[-–—]\s+([^()[\]–—]+))[\s?.:*]*$/;
/** A remark of these words only leaves a header as it is, and so does `as it appears on your ID`. */
const PLAIN_REMARK: ReadonlySet<string> = new Set(
	'primary main current legal registered official own self yours mandatory latin english'.split(
		' ',
	),
);
/** A remark with one of these is about another person, another time, or something else than the value. */
const OTHER_REMARK: ReadonlySet<string> = new Set(
	`work spouse wife husband partner parent parents mother father mom dad guardian child children kid kids son daughter
	sibling brother sister family household student pupil camper emergency assistant secretary manager supervisor boss
	captain leader coach counselor teacher doctor nurse attorney lawyer agent broker landlord host guest companion
	friend reference referrer referral referring recruiter nominee honoree recipient sender purchaser buyer seller
	treasurer candidate owner caller canvasser volunteer organizer staff fundraiser sponsor beneficiary notify tribute
	memory honor committee campaign company organization org employer school church club camp team union local hotel
	venue event store shop group shared public general info fax pager bad old older former formerly previous prior past
	last invalid wrong incorrect inactive disconnected bounced deceased expired obsolete do not dont don t no non never
	none opt optin optout out unsubscribed unsubscribe subscribed consent permission allowed preferred preference other
	second third additional additional spare backup temporary seasonal summer winter vacation type status code kind
	label date time source count hash hashed md5 sha256 encrypted masked partial verified valid domain carrier ext
	extension area plus suffix prefix country shipping ship delivery billing birth birthplace maiden nickname alias aka
	conyuge esposo esposa madre padre hijo hija anterior antiguo emergencia conjoint ancien ancienne mere pere enfant
	urgence alt alte geschaftlich dienstlich mutter vater kind notfall mae pai filho filha antigo`.split(
		/\s+/,
	),
);
/** Kinds whose values alone tell whether a column is one of them. */
const TELLING_KINDS: ReadonlySet<ValueKind | undefined> = new Set(['birth', 'email', 'phone']);

const POSSESSIVE = /(?<!what)['’]s\b/gi;
const QUESTION_END = /(doyoulivein|to(reach|call|contact)you(at|on)?)$/;

const prefixOf = (name: string, prefixes: readonly string[]): string | undefined =>
	prefixes.find((start) => name.startsWith(start) && name.length > start.length);

// Many words, which n8n need not wait for when it starts; also below.
const partHeaders = once(() =>
	partLines.flatMap(({ field, strong, weak }) =>
		[[field], strong, weak].flatMap((ranked, rank) =>
			spellings(ranked).map((name) => [name, { field, rank }] as const),
		),
	),
);
const listedHeaders = once(() => {
	const named = [...fieldHeaders].flatMap(([field, { strong, weak }]) => [
		...weak.map((name) => [name, { field: '' }] as const),
		...[field, ...strong].map((name) => [name, { field }] as const),
	]);
	return new Map([...partHeaders(), ...named]);
});

export interface HeaderName {
	/** Simplified. */
	name: string;
	/** Simplified, with its short words written out. */
	plain: string;
	/** What it asks for, without the question around it: `What is your ZIP code?` → `zipcode`. */
	core: string;
	/** See {@link contactWords}. */
	contact: string;
	/** Whose field it names: `Volunteer Email` → `volunteer`; empty if it does not say so. */
	role: string;
	/** The header without a remark at its end: `Email (Gala)`. */
	bare?: { header: HeaderName; isPlain: boolean };
}

/** `Primary Contact` before `Mobile`; `Attendee 1` is the first of several, `Attendee 2` somebody else. */
function ownersOf(asked: string, known: readonly string[] = people): string[] {
	const owner = prefixOf(asked, known);
	if (owner === undefined) return [];
	const isRole = roles.includes(owner);
	const rest = asked.slice(owner.length);
	if (isRole && /^\d(?!st|nd|rd)/.test(rest)) return /^1\p{L}/u.test(rest) ? [owner, '1'] : [];
	if (listedHeaders().has(rest)) return [owner];
	// `Contact Suffix` does not ask for `su ffix`, and a member's contact is somebody else.
	const more = people.filter((one) => one.length > 2 && !(isRole && roles.includes(one)));
	return [owner, ...ownersOf(rest, more)];
}

/** The first of several names of one field: `Apt or Suite`, `Last Name (Apellido)`. */
function oneOf(header: string): string {
	const names = header.split(/\s*[/,()]\s*(?:or\s+|etc\.?$)?|\s+(?:or|ou|o|-)\s+/i).filter(Boolean);
	if (names.length < 2) return header;
	const found = uniq(names.map((one) => listedHeaders().get(headerWords(one).join(''))?.field));
	return found.length === 1 && found[0] ? (names[0] ?? header) : header;
}

/** `Le nom`, `La fecha de nacimiento`, `The email address`. */
const ARTICLE = /^(le|la|les|el|los|las|der|die|das|the)$/;

/** Without the greeting of a question, or the article of a noun. */
function askedWords(words: string[]): string[] {
	const [first = '', ...others] = words;
	if (ARTICLE.test(first) && others.length > 0) return others;
	const start = words.findIndex((word) => !GREETINGS.has(word));
	const rest = words.slice(start);
	return start > 0 && prefixOf(rest.join(''), questions) !== undefined ? rest : words;
}

/** A header without a remark that is known to change nothing, or that is not known to change anything. */
function withoutRemark(text: string): HeaderName['bare'] {
	const [, before = '', inBrackets, afterDash] = REMARK.exec(text) ?? [];
	const remark = headerWords(inBrackets ?? afterDash ?? '');
	if (before === '' || remark.some((word) => OTHER_REMARK.has(word) || /\d|^.$/u.test(word)))
		return undefined;
	const isPlain = remark[0] === 'as' || remark.every((word) => PLAIN_REMARK.has(word));
	return { header: readHeader(before), isPlain };
}

/** Reads a header without the question and the note around it: `Enter Donor Email (required)`. */
export function readHeader(header: string): HeaderName {
	const text = header
		.slice(0, LONGEST_HEADER)
		.replace(/(?<=\p{L})\((?:e?s)\)/gu, '')
		.replace(NOTE, '')
		.replace(POSSESSIVE, '')
		.replace(/^l['’]/i, '');
	const words = askedWords(headerWords(oneOf(text)));
	const plain = words.join('').replace(OF_ROLE, '$2$1');
	const question = plain.replace(QUESTION_END, '');
	const asked = question.slice(prefixOf(question, questions)?.length);
	const owners = ownersOf(asked);
	const core = asked.slice(owners.join('').length);
	const start = words.findIndex((_, index) => words.slice(index).join('') === core);
	const contact = contactWords(start < 0 ? [core] : words.slice(start));
	const role = listedHeaders().has(asked) ? '' : (owners.find((one) => roles.includes(one)) ?? '');
	const bare = withoutRemark(text);
	return { name: simplifyName(header), plain, core, contact, role, ...(bare && { bare }) };
}

type Naming = (header: HeaderName, field: string) => boolean;

const isStrong = (name: string, field: string): boolean =>
	fieldHeaders.get(field)?.strong.includes(name) === true;
const hasCoreOf = (core: string, field: string): boolean => core === field || isStrong(core, field);
const hasCore: Naming = (header, field) =>
	hasCoreOf(header.core, field) && !isOtherWork(header, field);

/** Headers of the only person, or the first of several. */
const isFirstOfPerson: Naming = ({ core }, field) => {
	const kind = valueKinds.get(field);
	const isOwn = kind === 'birth' || kind === 'gender' || isNameHalf({ name: field });
	return isOwn && /\p{L}1$/u.test(core) && hasCoreOf(core.slice(0, -1), field);
};

/** `Current Position` may be one on an issue, `Volunteer Job` is wanted. */
const isOtherWork: Naming = ({ plain, core, role }, field) =>
	field === 'occupationname' &&
	core !== plain &&
	(/^(position|puesto|cargo|fonction|function)$/.test(core) ||
		/^(volunteer|applicant)$/.test(role) ||
		/^pref/.test(plain));

/** How somebody wants to be called, not how they are registered. */
const isPreferredName = ({ plain, core }: HeaderName): boolean =>
	/^preferred/.test(plain) && /name$|^first$/.test(core);

/** The best first. */
export const namings: Naming[] = [
	({ name }, field) => name === field,
	({ name }, field) => name.replace(PREFERENCE, '') === field,
	({ plain }, field) => isStrong(plain, field),
	(header, field) => hasCore(header, field) && !isPreferredName(header),
	({ contact }, field) => fieldHeaders.get(field)?.contact.includes(contact) === true,
	(header, field) => {
		const weak = fieldHeaders.get(field)?.weak ?? [];
		const isWeak = [header.plain, header.core].some((name) => weak.includes(name));
		return isWeak || hasCore(header, field);
	},
	isFirstOfPerson,
	({ bare }, field) => {
		if (!bare || !(bare.isPlain || TELLING_KINDS.has(valueKinds.get(field)))) return false;
		return isStrong(bare.header.plain, field) || hasCore(bare.header, field);
	},
];

export function isNameHalf({ name }: { name: string }): boolean {
	return /^(FirstName|LastName)$/i.test(name);
}

/** Whether a header names a first or last name. */
export function isHalfName(header: HeaderName): boolean {
	return ['firstname', 'lastname'].some((half) =>
		[hasCore, isFirstOfPerson].some((isNaming) => isNaming(header, half)),
	);
}

const fullNames: ReadonlySet<string> = new Set([...simplified(FULL_NAMES), ...otherHalves.keys()]);

/** Whether a column holds full names, if no other column holds a half. A preferred name or a login is not one. */
export function isFullName({ name, core }: HeaderName): boolean {
	return fullNames.has(core) && !/^(pref|username$)/.test(name);
}

interface AddressOwner {
	kind: AddressKind;
	/** What stands before or after the part, e.g. `home`; empty if nothing does. */
	prefix: string;
}

export interface AddressPart extends AddressOwner {
	field: string;
	/** 0 for the name of the field, 1 for everyday headers, 2 for weak ones, 3 for pieces put together. */
	rank: number;
}

export interface AddressPiece extends AddressOwner {
	line: string;
	name: string;
	place: number;
}

const addressOwners = once((): AddressOwner[] => [
	{ kind: 'home', prefix: '' },
	...addressKinds.flatMap((kind) =>
		simplified(OWNERS[kind]).flatMap((prefix) => [
			{ kind, prefix },
			{ kind, prefix: `${prefix}address` },
		]),
	),
]);

/**
 * Finds what a header names, also after `Voter` and the like. The first of two wins: `Street Address` is no
 * city's street.
 * @param named parts by simplified header
 */
function finder<Part>(named: () => ReadonlyArray<readonly [name: string, part: Part]>) {
	const parts = once(() => new Map([...named()].reverse()));
	const find = (name: string): (Part & AddressOwner) | undefined => {
		if (name === 'hometown') return undefined; // where somebody comes from
		for (const { kind, prefix } of addressOwners()) {
			const after = name.startsWith(prefix) ? parts().get(name.slice(prefix.length)) : undefined;
			const isEnd = name.endsWith(prefix) && SUFFIXES.test(prefix);
			const part = after ?? (isEnd ? parts().get(name.slice(0, -prefix.length)) : undefined);
			if (part) return { ...part, kind, prefix };
		}
		return undefined;
	};
	const read = ({ plain, core, bare }: HeaderName): (Part & AddressOwner) | undefined => {
		// The first of two addresses: `City 1`.
		const found = find(plain) ?? find(plain.replace(/(?<!address)1$/, ''));
		if (found) return found;
		const part = find(core);
		if (part) return { ...part, prefix: plain.replace(core, '') };
		return bare?.isPlain ? read(bare.header) : undefined;
	};
	return read;
}

export const addressPart: (header: HeaderName) => AddressPart | undefined = finder(partHeaders);

export const addressPiece: (header: HeaderName) => AddressPiece | undefined = finder(() =>
	pieceLines.flatMap(({ field: line, piece: name, strong }, place) =>
		spellings(strong).map((header) => [header, { line, name, place }] as const),
	),
);

/** Whether a text is the header of a field. */
export function isKnownHeader(text: string): boolean {
	const header = readHeader(text);
	return (
		[header.plain, header.core].some((name) => listedHeaders().has(name)) ||
		isFullName(header) ||
		addressPart(header) !== undefined ||
		addressPiece(header) !== undefined ||
		[...fieldHeaders.values()].some(({ contact }) => contact.includes(header.contact)) ||
		(header.bare !== undefined && listedHeaders().has(header.bare.header.core))
	);
}

/** Settings of the service, not properties of a person: never mapped by their name. */
export const CONTROL_FIELD =
	/^(Action|DoNotUpdate\w*|Is\w*(Matching|Enabled)|IsInFile\w*|Skip\w+|Overwrite\w*)$/i;
