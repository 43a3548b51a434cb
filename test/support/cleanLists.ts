import { seededRandom } from './seededRandom';

/** What lists of people have, as people write it, and nothing of it wrong. % differs from row to row. */
const VALUES: Record<string, string> = {
	first:
		'Ann|Bo|Chloë|Jean-Luc|José María|D’Arcy|Mary Ann|J.|La Toya|Xi|Ng|Nguyễn|EVE|bob|Faith|Page|Major|Prince|Total|Church|Na|Björn|Null|Art|Rusty|May|April',
	last: "Lee|O’Neil|O'Hara|van der Berg|De La Cruz|Smith-Jones|St. John|Ortega y Gasset|Ng|Null|Church|Bank|Park|Ward|Young|Union|House|Temple|Baker|Farmer|Lodge|Lincoln|West|Štěpánek|Müller|LE|Mc Kay|Page|Day|Kirk",
	phone:
		'90755501%|907-555-01%|(907) 555-01%|907.555.01%|+1 907 555 01%|1-907-555-01%|907 555 01% x12||',
	street:
		'1% Elm St|12% N Main Ave Apt 4|PO Box 3%|P.O. Box 12%|N51% County Road K|4% S 200 W|1% 1/2 Oak Ln|RR 2 Box 7%|12% 1st St #5|12-% 150th St|HC 60 Box 1%|1% Avenue of the Americas|5% Pike Pl',
	unit: 'Apt 4|#5|Unit B|Suite 200|Fl 3||||4|B|Rear|PH 2',
	city: 'Nome|St. Paul|O’Fallon|Winston-Salem|New York|Coeur d’Alene|La Cañada Flintridge|NYC|Truth or Consequences|Ho-Ho-Kus|Mt Vernon|Washington',
	state: 'AK|MN|NC|NY|New York|Alaska|N.Y.|DC|PR|Puerto Rico|ak',
	zip: '99762|99762-1234|10001|20001|55101-0001',
	born: '3/14/1951|12/31/1980|1/1/1999|07/04/1976|2/29/1980',
	employer: 'Self|None|Retired|N.A.S.A.|3M|AT&T|Ann & Bob’s Diner|Self-employed|City of Nome|',
	occupation: 'Nurse|Retired|Not employed|Teacher/Coach|R&D|Homemaker|',
	sex: 'F|M|Female|male|',
	suffix: 'Jr.|Sr|III|||||',
	title: 'Ms.|Mr|Dr.|Mx|Rev.||',
};

const HEADERS: ReadonlyArray<readonly [kind: string, ...headers: string[]]> = [
	['title', 'Prefix'],
	['first', 'First Name', 'first_name', 'FNAME', 'Given Name'],
	['last', 'Last Name', 'last_name', 'LNAME', 'Surname'],
	['suffix', 'Suffix'],
	['phone', 'Phone', 'Cell Phone', 'Home Phone'],
	['street', 'Address', 'Street Address', 'Address 1'],
	['unit', 'Apt', 'Address 2'],
	['city', 'City', 'Town'],
	['state', 'State'],
	['zip', 'Zip', 'ZIP Code', 'Postal Code'],
	['born', 'Date of Birth', 'DOB'],
	['employer', 'Employer'],
	['occupation', 'Occupation'],
	['sex', 'Gender', 'Sex'],
];
const OTHERS = ['Notes', 'Tags', 'Precinct', 'Status', 'Created At', 'Amount'];
const OTHER_VALUES = [
	'',
	'x',
	'12',
	'Member; Donor',
	'Active',
	'2026-03-01',
	'25.00',
	'Call in May',
];

const csvCell = (cell: string): string =>
	/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** A list of people in which nothing is wrong; the same for the same number. */
export function cleanList(number: number): string {
	const random = seededRandom(number * 6133 + 5);
	const pick = (all: readonly string[]): string => all[random.below(all.length)] ?? '';
	const columns = HEADERS.filter(
		([kind]) => kind === 'first' || kind === 'last' || random.below(3) > 0,
	).map(([kind, ...headers]) => ({ kind, header: pick(headers) }));
	const others = OTHERS.filter(() => random.below(4) === 0);
	const header = [...columns.map((column) => column.header), 'Email', ...others];
	const valueOf = (kind: string, row: number): string => {
		const values = (VALUES[kind] ?? '').split('|');
		// Two rows of one name could be one person.
		if (kind === 'first') return values[row % values.length] ?? '';
		return pick(values).replace('%', String(10 + row));
	};
	const rows = Array.from({ length: 5 + random.below(20) }, (_, row) => [
		...columns.map(({ kind }) => valueOf(kind, row)),
		`c${number}x${row}@example.org`,
		...others.map(() => pick(OTHER_VALUES)),
	]);
	return [header, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}
