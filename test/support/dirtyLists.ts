import { seededRandom } from './seededRandom';

/** What goes wrong with lists. */
export const DIRT = {
	noValue: 'a word for nothing in a cell',
	shortenedNumber: 'a phone number without its last digits',
	total: 'a total below the rows',
	footer: 'a note below the rows',
	group: 'the name of a group between the rows',
	repeatedHeader: 'the header once more',
	joined: 'another list below, with other columns',
	shifted: 'a row whose values are in the next column',
	dayCount: 'a date of birth as a number of days',
	shortYear: 'a date of birth with a two-digit year',
	severalValues: 'two email addresses in a cell',
	optOut: 'a person who wants no calls',
	organization: 'an organization in the columns of a name',
	twoPeople: 'two people in the cell of a name',
	tooLittle: 'a person who cannot be found again',
	title: 'lines above the header',
	missingCells: 'rows without their last blank cells',
} as const;

export type Dirt = keyof typeof DIRT;

export const KINDS = Object.keys(DIRT) as Dirt[];

/** A line of the list that is not as it should be. */
export interface Planted {
	kind: Dirt;
	/** The line as spreadsheet programs number it; undefined for what is read silently, because it is certain. */
	line: number | undefined;
}

/** A person of a list as the service should have it: undefined if the row is not to be sent. */
export interface Expected {
	email: string;
	stored: { firstName: string; lastName: string; phone: string } | undefined;
}

export interface DirtyList {
	text: string;
	planted: Planted[];
	people: Expected[];
	/** Whether nothing of the list is to be sent. */
	isRefused: boolean;
}

const COLUMNS = [
	'First Name',
	'Last Name',
	'Email',
	'Phone',
	'Street',
	'City',
	'State',
	'Zip',
	'Date of Birth',
	'Do Not Call',
];
const FIRST = 'Ann Bo Cy Di Eve Flo Gil Hal Ida Jon Kai Liv Max Nia Oto Pia Ray Sue Tom Uma'.split(
	' ',
);
const LAST =
	'Lee Moe Poe Roe Park Halvorsen Quist Reyes Soto Tran Ueda Vance Wong Young Zane'.split(' ');
const AT = Object.fromEntries(COLUMNS.map((name, index) => [name, index]));

interface Row {
	cells: string[];
	kind?: Dirt;
	/** Undefined for a row that is not a person, or about which only the service decides. */
	person?: Expected;
}

/** What the service should have instead: undefined if the row is not sent, null if only the service decides. */
type Stored = Partial<NonNullable<Expected['stored']>> | undefined | null;

/** Kinds that change a person's row. */
const CHANGES: Partial<Record<Dirt, (cells: string[]) => Stored>> = {
	noValue(cells) {
		cells[AT.Phone ?? 0] = 'N/A';
		return { phone: '' };
	},
	shortenedNumber(cells) {
		cells[AT.Phone ?? 0] = '9.07555E+09';
		return undefined;
	},
	shifted(cells) {
		cells.splice(AT.Email ?? 0, 0, '');
		cells.pop();
		return undefined;
	},
	dayCount(cells) {
		cells[AT['Date of Birth'] ?? 0] = '28156';
		return undefined;
	},
	shortYear(cells) {
		cells[AT['Date of Birth'] ?? 0] = '3/14/51';
		return null;
	},
	severalValues(cells) {
		cells[AT.Email ?? 0] += '; other@example.org';
		return undefined;
	},
	optOut(cells) {
		cells[AT['Do Not Call'] ?? 0] = 'Yes';
		return { phone: '' };
	},
	organization(cells) {
		cells[0] = 'Blue Cafe';
		cells[1] = 'LLC';
		return undefined;
	},
	twoPeople(cells) {
		cells[0] += ' & Bob';
		return undefined;
	},
	tooLittle(cells) {
		for (const name of ['Email', 'Phone', 'Street', 'Date of Birth']) cells[AT[name] ?? 0] = '';
		return undefined;
	},
	missingCells: () => ({}),
};

/** Kinds that are rows of their own. */
const LINES: Partial<Record<Dirt, (rows: number) => string[]>> = {
	total: (rows) => ['Total', String(rows)],
	footer: () => ['Confidential: property of the campaign'],
	group: () => ['Ward 1'],
	repeatedHeader: () => [...COLUMNS],
};

const csvLine = (cells: readonly string[]): string =>
	cells.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');

const padded = (cells: readonly string[]): string[] =>
	COLUMNS.map((_, index) => cells[index] ?? '');

/**
 * A list of people with what was planted in it; the same for the same number.
 * @param kinds that may be planted; none for a clean list
 */
export function dirtyList(number: number, kinds: readonly Dirt[]): DirtyList {
	const random = seededRandom(number * 7919);
	const pick = <T>(all: readonly T[]): T | undefined => all[random.below(all.length)];
	// With fewer, what is wrong with a column of dates would be told of the column, not of its lines.
	const count = 12 + random.below(8);
	const rows = Array.from({ length: count }, (_, index): Row => {
		// Two rows of one name and ZIP code would be one person.
		const first = FIRST[index % FIRST.length] ?? '';
		const last = pick(LAST) ?? '';
		const email = `p${number}x${index}@example.org`;
		const phone = `907555${String(1000 + ((number * 20 + index) % 9000))}`;
		const day = `${1 + random.below(12)}/${1 + random.below(12)}/${1940 + random.below(60)}`;
		const place = [`${1 + 50 * index + random.below(40)} Elm St`, 'Nome', 'AK', '99762'];
		const cells = [first, last, email, phone, ...place, day, 'No'];
		return { cells, person: { email, stored: { firstName: first, lastName: last, phone } } };
	});
	// One change a row, so that each is named by its own reason.
	const free = rows.map((_, index) => index);
	const chosen = [...kinds];
	const wanted = kinds.length === 0 ? 0 : 1 + random.below(4);
	const planting: Dirt[] = [];
	while (planting.length < wanted && chosen.length > 0)
		planting.push(...chosen.splice(random.below(chosen.length), 1));
	const isJoined = planting.includes('joined');
	for (const kind of planting) {
		const change = CHANGES[kind];
		const [index = 0] = change ? free.splice(random.below(free.length), 1) : [];
		const row = rows[index];
		if (!change || !row?.person?.stored) continue;
		row.kind = kind;
		const stored = change(row.cells);
		if (stored === null) {
			delete row.person;
			continue;
		}
		row.person = {
			...row.person,
			stored: stored && { ...row.person.stored, ...stored },
		};
	}
	for (const kind of planting) {
		const cells = LINES[kind]?.(count);
		if (!cells) continue;
		const isLast = kind === 'total' || kind === 'footer';
		const at = isLast ? rows.length : 1 + random.below(rows.length - 1);
		rows.splice(at, 0, { cells: padded(cells), kind });
	}
	if (isJoined) {
		const swapped = ['Last Name', 'First Name', 'Email Address', 'Cell'];
		rows.push({ cells: padded(swapped), kind: 'joined' });
		rows.push({ cells: padded(['Lee', 'Ann', 'second@example.org', '9075559999']) });
	}
	const above = planting.includes('title') ? ['Members of the district', 'As of March 1'] : [];
	const lines = [...above, csvLine(COLUMNS)];
	const planted: Planted[] = above.length > 0 ? [{ kind: 'title', line: lines.length }] : [];
	for (const { cells, kind } of rows) {
		lines.push(csvLine(kind === 'missingCells' ? cells.slice(0, AT['Date of Birth']) : cells));
		if (kind) planted.push({ kind, line: kind === 'missingCells' ? undefined : lines.length });
	}
	const people = rows.flatMap(({ person }) => person ?? []);
	return { text: `${lines.join('\n')}\n`, planted, people, isRefused: isJoined };
}
