/**
 * Writes examples/data/contacts.csv, a contact list as people really keep them, and beside it what a
 * service must make of it. The same every time: `npx tsx scripts/makeContacts.ts` changes nothing.
 */
import { stringify } from 'csv-stringify/sync';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RejectedRow } from '../hosts/importOutcome';

export const ROW_COUNT = 1000;

export interface ContactsFile {
	csv: string;
	expected: { rows: number; rejected: RejectedRow[] };
}

const FIRST_NAMES = [
	...['Avery', 'Blake', 'Casey', 'Devon', 'Ellis', 'Frankie', 'Harper', 'Indigo', 'Jules', 'Kai'],
	...['Zoë', 'Chloé', 'Renée', 'Anaïs', 'Søren', 'Łucja', 'Żaneta', 'Çağla', 'Mañana', 'Þórdís'],
	...['Björk-Lee', 'Mary Ann', "D'Arcy", "Ka'ulani", 'Nguyệt', 'José María', 'Ọlá', 'Niamh'],
	...[
		'Ольга',
		'Дарина',
		'Νεφέλη',
		'נועה',
		'ليلى',
		'美咲',
		'子涵',
		'서연',
		'अनन्या',
		'ธิดา',
		'ნინო',
		'Անի',
	],
];
const MIDDLE_NAMES = ['', '', '', 'J.', 'de la', 'X', 'Q. R.', 'Ó', '"Skip"', 'van'];
const LAST_NAMES = [
	...['Sample', 'Placeholder', 'Fixture', 'Demo', 'Mockley', 'Testova', 'Dummýr', 'Exemplar'],
	...["O'Sample", "N'Fixture", 'Sample-Demo', 'Placeholder, Jr.', 'von Muster', 'de Ejemplo'],
	...['Müsterfrau', 'Przykładowa', 'Åsample', 'Örneköğlu', 'Образцова', 'Δοκιμή', 'לדוגמה', 'مثال'],
	...['例子', '見本', '표본', 'नमूना', 'ตัวอย่าง', 'Sample & Daughters', 'The "Quoted" Family'],
];
/** Names that only a file with care for characters survives. */
const ODD_NAMES = [
	['🌻 Sunny', 'Sample 🎉'],
	['👩‍👩‍👧 Family', 'Fixture'],
	['Zalgo̶̅', 'Combining é'],
	['=SUM(A1)', '+Formula'],
	['<b>Bold</b>', '&amp; Entity'],
	['Back\\slash', 'Semi;colon'],
	['Pipe|d', 'Per%cent'],
	['𝒮cript', '𠮷Rare'],
	['null', 'undefined'],
	['Zero\u200bWidth', 'Soft\u00adHyphen'],
] as const;
const STREETS = [
	...['Elm St', 'Maple Ave', "Farmer's Ln", 'Rue de l’Église', 'Calle Peña', 'Straße am Bach'],
	...['"Old" Mill Rd', 'Main St, Apt 4', 'Broadway, Unit "B"', 'Ķekava iela', 'Løkkeveien'],
];
const PLACES = [
	{ city: 'Nome', state: 'AK', zip: '99762' },
	{ city: 'Cañon City', state: 'CO', zip: '81212' },
	{ city: "Coeur d'Alene", state: 'ID', zip: '83814' },
	{ city: 'Española', state: 'NM', zip: '87532' },
	{ city: 'Winston-Salem', state: 'NC', zip: '27101' },
	{ city: 'Washington, D.C.', state: 'DC', zip: '20001' },
	{ city: 'Montréal', state: 'QC', zip: 'H2Y 1C6' },
	{ city: 'Agawam', state: 'MA', zip: '01001' },
];

/** People whom every sandbox knows from the start. */
const KNOWN_IDS = [100001, 100002, 100003, 100004, 100005, 100006];
const INVALID_PHONES = [
	...['555-0142', '907-055-0142', '197-555-0142', '907-555-014', 'ask at the desk', '0'],
	...['+44 20 7946 0018', '907-155-0101', 'n/a', '907-555-0100 and 907-555-0101'],
];
const INVALID_EMAILS = [
	...['nobody', 'no body@example.org', 'someone@', '@example.org', 'a@b@example.org'],
	...['someone@example', 'one@example.org; two@example.org', 'someone@example..org', '-'],
];
const UNKNOWN_IDS = [4, 99999, 100000, 555000111, 2147483647, 700900];

/** Mulberry32: small, seeded, the same on every machine. */
function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** Every number once: the service would match two people by a shared one. */
function phoneOf(row: number): string {
	// 555-01xx is reserved for made-up numbers; area codes have no 9 in the middle (service.md 9.1).
	const areaCode = 201 + (row % 80);
	const line = `01${String(Math.floor(row / 80) + 10).padStart(2, '0')}`;
	switch (row % 4) {
		case 0:
			return `${areaCode}-555-${line}`;
		case 1:
			return `(${areaCode}) 555-${line}`;
		case 2:
			return `+1 ${areaCode} 555 ${line}`;
		default:
			return `${areaCode}555${line}`;
	}
}

function birthDateOf(row: number, random: () => number): string {
	const year = 1925 + Math.floor(random() * 80);
	const month = 1 + Math.floor(random() * 12);
	const day = 1 + Math.floor(random() * 28);
	const two = (number: number) => String(number).padStart(2, '0');
	return row % 3 === 0 ? `${month}/${day}/${year}` : `${String(year)}-${two(month)}-${two(day)}`;
}

export function makeContacts(): ContactsFile {
	const random = randomNumbers(20_260_105);
	const pick = <Value>(values: readonly Value[]): Value => {
		const value = values[Math.floor(random() * values.length)];
		if (value === undefined) throw new Error('nothing to pick from');
		return value;
	};
	const rejected: RejectedRow[] = [];
	const contacts = Array.from({ length: ROW_COUNT }, (_, index) => {
		const row = index + 1;
		const place = pick(PLACES);
		const odd = row % 50 === 7 ? ODD_NAMES[(row - 7) / 50] : undefined;
		// Everyone keeps something to be matched by, so that a second import of the file updates.
		const hasEmail = random() > 0.15;
		const hasPhone = !hasEmail || random() > 0.2;
		const crmId = `crm-${String(row).padStart(4, '0')}`;
		const contact = {
			NativeId: '',
			FirstName: odd?.[0] ?? pick(FIRST_NAMES),
			MiddleName: pick(MIDDLE_NAMES),
			LastName: odd?.[1] ?? pick(LAST_NAMES),
			AddressLine1: random() > 0.1 ? `${row} ${pick(STREETS)}` : '',
			City: place.city,
			StateOrProvince: place.state,
			ZipOrPostal: place.zip,
			Email: hasEmail ? `contact.${row}@example.org` : '',
			Phone: hasPhone ? phoneOf(row) : '',
			DOB: random() > 0.3 ? birthDateOf(row, random) : '',
			CrmId: crmId,
			OtherIdKind: row % 2 === 0 ? 'member' : 'voter',
			OtherId: row % 2 === 0 ? `M${String(40_000 + row)}` : `D${String(90_000 + row)}`,
		};
		const refuse = (change: Partial<typeof contact>, reason: string) => {
			Object.assign(contact, change);
			rejected.push({ row, crmId, reason });
		};
		// One of each kind per block of 90 rows, then the next kind; never two faults in one row.
		const nth = Math.floor(row / 90);
		const place90 = row % 90;
		const phone = INVALID_PHONES[nth];
		const email = INVALID_EMAILS[nth];
		const unknownId = UNKNOWN_IDS[nth];
		const knownId = KNOWN_IDS[nth];
		if (place90 === 19 && phone !== undefined) refuse({ Phone: phone }, 'Invalid phone number');
		if (place90 === 41 && email !== undefined) refuse({ Email: email }, 'Invalid email address');
		if (place90 === 73 && unknownId !== undefined) {
			refuse({ NativeId: String(unknownId) }, 'No person found');
		}
		if (place90 === 5 && knownId !== undefined) contact.NativeId = String(knownId);
		return contact;
	});
	return {
		csv: stringify(contacts, { header: true }),
		expected: { rows: contacts.length, rejected },
	};
}

if (require.main === module) {
	const folder = join(__dirname, '..', 'examples', 'data');
	const { csv, expected } = makeContacts();
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'contacts.csv'), csv);
	writeFileSync(
		join(folder, 'contacts.expected.json'),
		`${JSON.stringify(expected, null, '\t')}\n`,
	);
}
