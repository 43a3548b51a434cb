import type { Chance } from './chance';
import type { Cell, GivenRow } from './rows';

/** A person or contribution as the service holds it. */
export interface Held {
	recordId: number;
	firstName?: unknown;
	emails: string[];
}

/** What the service says of a row: a message for each mapping type, and whether it has a record. */
export interface Verdict {
	rejections: Record<string, string>;
	hasRecord: boolean;
}

/** What is imported: the columns of the lists, their fields, and how the service judges them. */
export interface Kind {
	resourceType: string;
	mappingTypes: string[];
	/** The column of the key. */
	key: string;
	/** Column by the ID of the field. */
	fields: Record<string, string>;
	/** Text by the ID of the field. */
	fixed: Record<string, string>;
	/** The column whose value changes from list to list. */
	changing: string;
	/** Rows of a list; each ID is new. */
	rows: (chance: Chance, firstId: number, count: number, traits: ReadonlySet<string>) => GivenRow[];
	judge: (texts: Record<string, string>) => Verdict;
	/** Whether a record is that of a row. */
	isRecordOf: (held: Held, texts: Record<string, string>) => boolean;
}

const CONTACT = 'CreateOrUpdateContact';
const contactField = (name: string): string => `${CONTACT}:${name}`;

/** 555-01xx in a hundred of area codes. */
const phoneOf = (id: number): string =>
	`${['206', '212', '303', '415', '503', '602', '617', '702'][id % 8]}55501${String(id % 100).padStart(2, '0')}`;
const dayOf = (id: number): string =>
	`19${50 + (id % 40)}-${String(1 + (id % 9)).padStart(2, '0')}-${String(1 + (id % 27)).padStart(2, '0')}`;

function person(id: number): GivenRow {
	const cell = (given: string): Cell => ({ given });
	return {
		id: `M-${id}`,
		cells: {
			ID: cell(`M-${id}`),
			'First Name': cell(`First${id}`),
			'Last Name': cell('Example'),
			Email: cell(`m${id}@example.org`),
			'Cell Phone': cell(phoneOf(id)),
			'Date of Birth': { given: dayOf(id), day: dayOf(id) },
			State: cell('AK'),
			Company: cell('Works'),
			Note: cell(`note ${id}`),
			status: cell(id % 2 === 0 ? 'own' : ''),
			'Do Not Call': cell('No'),
		},
	};
}

const withCells = (row: GivenRow, cells: Record<string, Cell>): GivenRow => ({
	...row,
	cells: { ...row.cells, ...cells },
});
const withoutDetails: Record<string, Cell> = {
	'Cell Phone': { given: '' },
	'Date of Birth': { given: '' },
};

const blankCells = (cells: GivenRow['cells']): GivenRow['cells'] =>
	Object.fromEntries(Object.keys(cells).map((name) => [name, { given: '' }]));

type Change = (row: GivenRow, rows: readonly GivenRow[]) => GivenRow;

/** The plain row before it that others are compared with. */
const model = (rows: readonly GivenRow[]): GivenRow =>
	rows.find(({ cells }) => cells['Last Name']?.given === 'Example') ?? person(0);

/** Everything a row of people can be, besides plain. At most one of each in a list. */
const PEOPLE: Record<string, Change> = {
	rejected: (row) =>
		withCells(row, {
			Email: { given: `no..${row.id}@example.org`, correction: `yes${row.id}@example.org` },
		}),
	unclean: (row) =>
		withCells(row, {
			'First Name': {
				given: ` ${String(row.cells['First Name']?.given)} `,
				clean: String(row.cells['First Name']?.given),
			},
			State: { given: 'Alaska', clean: 'AK', correction: 'AK' },
		}),
	wrongEmail: (row) =>
		withCells(row, {
			Email: {
				given: 'nobody',
				isWrong: /"Email" is not an email address/,
				correction: `some${row.id}@example.org`,
			},
		}),
	separators: (row) =>
		withCells(row, { Company: { given: 'Lee, Ann | Sons', correction: 'Lee and Sons' } }),
	twoLines: (row) => withCells(row, { Company: { given: 'Two\nLines', correction: 'Two Lines' } }),
	twin: (row, rows) => {
		const other = model(rows);
		const { 'First Name': first, 'Last Name': last, Email: email } = other.cells;
		if (!first || !last || !email) return row;
		const same = { 'First Name': first, 'Last Name': last, Email: email };
		return { ...withCells(row, { ...same, ...withoutDetails }), twinOf: other.id };
	},
	household: (row, rows) => {
		const { Email: email } = model(rows).cells;
		return email ? withCells(row, { Email: email, ...withoutDetails }) : row;
	},
	known: (row) =>
		withCells(row, {
			'First Name': { given: 'Avery' },
			'Last Name': { given: 'Sample' },
			Email: { given: 'avery.sample@demo.example.org' },
			...withoutDetails,
		}),
	optedOut: (row) =>
		withCells(row, {
			'Do Not Call': { given: 'Yes' },
			'Cell Phone': { given: row.cells['Cell Phone']?.given, isOptedOut: true },
		}),
	unfindable: (row) =>
		withCells(row, {
			Email: { given: '', correction: `found${row.id}@example.org` },
			...withoutDetails,
		}),
	unwritable: (row) => ({
		...withCells(row, { Company: { given: { a: 1 }, correction: 'Works' } }),
		problem: /./,
	}),
	tooWide: (row) => ({ ...row, isTooWide: true, problem: /./ }),
	wrongDay: (row) =>
		withCells(row, {
			'Date of Birth': {
				given: '99/99/1970',
				isWrong: /Date of Birth/,
				correction: '1970-02-03',
			},
		}),
	nulls: (row) =>
		withCells(row, {
			'Date of Birth': { given: null },
			Company: { given: null },
			Note: { given: null },
		}),
	blank: ({ id, cells }) => ({
		id,
		cells: { ...blankCells(cells), ID: { given: id } },
		problem: /./,
	}),
	total: ({ id, cells }) => ({
		id,
		cells: { ...blankCells(cells), 'First Name': { given: 'Grand total' }, State: { given: '12' } },
		problem: /is a total, not a person/,
		isNobody: true,
	}),
	footer: ({ id, cells }) => ({
		id,
		cells: { ...blankCells(cells), 'First Name': { given: 'Confidential: property of a club' } },
		problem: /is a note below the list, not a person/,
		isNobody: true,
	}),
	repeatedHeader: ({ id, cells }) => ({
		id,
		cells: Object.fromEntries(Object.keys(cells).map((name) => [name, { given: name }])),
		problem: /repeats the line that names the columns/,
		isNobody: true,
	}),
};

function peopleRows(
	chance: Chance,
	firstId: number,
	count: number,
	traits: ReadonlySet<string>,
): GivenRow[] {
	const plain = Array.from({ length: count }, (_, index) => person(firstId + index));
	const changed = chance
		.shuffle(Object.keys(PEOPLE).filter((trait) => traits.has(trait)))
		.map((trait, index) => PEOPLE[trait]?.(person(firstId + count + index), plain))
		.flatMap((row) => row ?? []);
	return chance.shuffle([...plain, ...changed]);
}

function verdict(rejections: Record<string, string>, hasRecord: boolean): Verdict {
	return { rejections, hasRecord };
}

/** The contract and the sandbox's README say that the first wrong value rejects the row. */
function contactProblem(texts: Record<string, string>): string | undefined {
	const email = texts[contactField('Email')];
	if (email !== undefined && !/^[^\s@.]+(\.[^\s@.]+)*@[^\s@]+\.[^\s@]+$/.test(email))
		return 'Invalid email address';
	if ((texts[contactField('StateOrProvince')] ?? '').length > 3) return 'Invalid state or province';
	if (texts[contactField('DOB')] === '99/99/1970') return 'Invalid date of birth';
	return undefined;
}

const hasEmail = (emails: readonly string[], wanted: string | undefined): boolean =>
	wanted === undefined ? emails.length === 0 : emails.includes(wanted);

export const CONTACTS: Kind = {
	resourceType: 'Contacts',
	mappingTypes: [CONTACT],
	key: 'ID',
	fields: {
		[contactField('FirstName')]: 'First Name',
		[contactField('LastName')]: 'Last Name',
		[contactField('Email')]: 'Email',
		[contactField('CellPhone')]: 'Cell Phone',
		[contactField('DOB')]: 'Date of Birth',
		[contactField('StateOrProvince')]: 'State',
		[contactField('EmployerName')]: 'Company',
	},
	fixed: {},
	changing: 'Company',
	rows: peopleRows,
	judge: (texts) => {
		const problem = contactProblem(texts);
		return problem === undefined ? verdict({}, true) : verdict({ [CONTACT]: problem }, false);
	},
	isRecordOf: ({ firstName, emails }, texts) =>
		firstName === texts[contactField('FirstName')]?.trim() &&
		hasEmail(emails, texts[contactField('Email')]),
};

const { [contactField('CellPhone')]: _, ...withoutPhone } = CONTACTS.fields;

export const CONTACTS_WITH_PHONES: Kind = {
	...CONTACTS,
	mappingTypes: [CONTACT, 'Phones'],
	fields: { ...withoutPhone, 'Phones:Phone': 'Cell Phone' },
	fixed: { 'Phones:PhoneTypeID': 'C' },
	rows: (chance, firstId, count, traits) => {
		const rows = peopleRows(chance, firstId, count, traits).map((row) =>
			// The mapping type needs a number.
			row.cells['Cell Phone']?.given === '' && !row.problem
				? withCells(row, { 'Cell Phone': { given: phoneOf(Number(row.id.slice(2))) } })
				: row,
		);
		const bad = withCells(person(firstId + 90), {
			'Cell Phone': { given: '123', correction: phoneOf(firstId + 90) },
		});
		return chance.shuffle([...rows, bad]);
	},
	judge: (texts) => {
		const problem = contactProblem(texts);
		if (problem !== undefined)
			return verdict({ [CONTACT]: problem, Phones: 'No person found' }, false);
		const isPhone = /^\d{10}$/.test(texts['Phones:Phone'] ?? '');
		return verdict(isPhone ? {} : { Phones: 'Invalid phone number' }, true);
	},
};

/** Contributions that the sandbox has: 3001 to 3006. */
const KNOWN_GIFTS = 6;
const FIRST_GIFT = 3001;

function gift(id: number, index: number): GivenRow {
	return {
		id: String(id),
		cells: {
			Gift: { given: String(id) },
			Amount: { given: `${1 + index}.50` },
			Batch: { given: index % 2 === 0 ? 'A' : 'B' },
			Memo: { given: 'Memo' },
			Note: { given: `note ${id}` },
		},
	};
}

const ADJUST = 'ContributionAdjustments';
const EDIT = 'EditContributionDataContacts';

const GIFT_TRAITS: Record<string, Change> = {
	rejected: (row) => ({ ...withCells(row, { Gift: { given: '9991' } }), id: '9991' }),
	partly: (row) => withCells(row, { Amount: { given: '', correction: '2.00' } }),
	nulls: (row) => withCells(row, { Batch: { given: null }, Note: { given: null } }),
	separators: (row) =>
		withCells(row, { Memo: { given: 'Lee, Ann | Sons', correction: 'Lee and Sons' } }),
	twoLines: (row) => withCells(row, { Memo: { given: 'Two\nLines', correction: 'Two Lines' } }),
	unwritable: (row) => ({
		...withCells(row, { Memo: { given: { a: 1 }, correction: 'Memo' } }),
		problem: /./,
	}),
	tooWide: (row) => ({ ...row, isTooWide: true, problem: /./ }),
};

export const GIFTS: Kind = {
	resourceType: 'Contributions',
	mappingTypes: [ADJUST, EDIT],
	key: 'Gift',
	fields: {
		recordId: 'Gift',
		[`${ADJUST}:AdjustmentAmount`]: 'Amount',
		[`${EDIT}:DepositNumber`]: 'Batch',
		[`${EDIT}:Notes`]: 'Memo',
	},
	fixed: {},
	changing: 'Memo',
	rows: (chance, firstId, count, traits) => {
		const start = firstId - 1;
		const left = Math.max(0, KNOWN_GIFTS - start);
		const names = chance.shuffle(Object.keys(GIFT_TRAITS).filter((name) => traits.has(name)));
		const plain = Math.min(count, left, 2);
		const rows = Array.from({ length: plain }, (_row, index) =>
			gift(FIRST_GIFT + start + index, start + index),
		);
		const changed = names.slice(0, Math.max(0, left - plain)).flatMap((name, index) => {
			const number = start + plain + index;
			return GIFT_TRAITS[name]?.(gift(FIRST_GIFT + number, number), rows) ?? [];
		});
		return chance.shuffle([...rows, ...changed]);
	},
	judge: (texts) => {
		const unknown = 'No contribution found';
		if (!/^300[1-6]$/.test(texts.recordId ?? ''))
			return verdict({ [ADJUST]: unknown, [EDIT]: unknown }, false);
		const hasAmount = texts[`${ADJUST}:AdjustmentAmount`] !== undefined;
		return verdict(hasAmount ? {} : { [ADJUST]: 'AdjustmentAmount is required' }, true);
	},
	isRecordOf: ({ recordId }, texts) => String(recordId) === texts.recordId,
};
