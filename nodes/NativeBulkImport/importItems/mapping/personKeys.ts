import { isPlaceholder } from '../../../shared/importFile/columnValues';
import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import type { FileRow } from '../../../shared/importFile/importFiles';
import {
	KeyHash,
	type RowPerson,
	SAME_BY,
	type SameBy,
} from '../../../shared/importFile/samePerson';
import { simplifyName } from '../../../shared/importFile/simplifyName';
import { dayText } from '../../../shared/service/dateText';
import { nationalDigits } from '../../../shared/service/phoneNumber';
import { sameName } from '../../../shared/service/nearestName';
import type { MappingPlan, PlannedColumn } from './importMapping';

/** What fields say about a person. */
const PARTS = {
	firstName: /^(FirstName|OrganizationContact(Common|Official)Name)$/i,
	middleName: /^MiddleName$/i,
	lastName: /^LastName$/i,
	suffix: /^Suffix$/i,
	birthDate: /^DOB$/i,
	recordId: /^(Native|Van)ID$/i,
	externalId: /^(ExternalID|External_\d+ID)$/i,
	email: /^(Other|Work)?Email$/i,
	phone: /^(Cell|Work)?Phone$/i,
	street: /^(AddressLine1|MailingAddress)$/i,
	zip: /^(Mailing)?ZipOrPostal$/i,
} as const;

type Part = keyof typeof PARTS;

const NOBODY: RowPerson = { name: 0, middleInitial: 0, birthDate: 0, recordId: 0, keys: [] };

export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(value);
	const day = dayText(value);
	return typeof day === 'string' ? day : '';
}

/** Fewer digits, or one that is repeated, are nobody's number. */
const NO_NUMBER = /^(\d)\1*$|^\d{0,6}$/;

/** The digits without the extension. */
export function mainDigits(text: string): string {
	return nationalDigits(text.replace(/(x|ext\.?|#) *\d{1,6} *$/i, ''));
}

function phoneDigits(text: string): string {
	const national = mainDigits(text);
	return NO_NUMBER.test(national) ? '' : national;
}

/** A ZIP without its extension, and with the zeros that spreadsheet programs drop. */
function zipText(text: string): string {
	const [, digits] = /^\s*(\d{3,5})(?:-\d{4})?\s*$/.exec(text) ?? [];
	return digits?.padStart(5, '0') ?? text;
}

/** Empty where there is no ID: `0` and `#N/A` would make all such rows one person. */
function idText(value: unknown): string {
	const text = textOf(value);
	return isPlaceholder(text) || !/[1-9\p{L}]/u.test(text) ? '' : text;
}

/** Empty without a digit, or with zeros only, as in `unknown` and `0000-00-00`. */
function digitsText(value: unknown): string {
	const text = textOf(value);
	return /[1-9]/.test(text) ? text : '';
}

/** `Unknown` is the name of many. */
function isName(text: string): boolean {
	return /[^\s.-]/.test(text) && !isPlaceholder(text);
}

/** Years that databases write where they have no date of birth. */
const NO_BIRTH_YEAR = /(?<!\d)(0\d{3}|1[0-8]\d\d|1900)(?!\d)/;

function birthText(value: unknown): string {
	const text = digitsText(value);
	return NO_BIRTH_YEAR.test(text) ? '' : text;
}

/** Of a value that counts, by what it makes rows the same. */
class Keys {
	readonly all: Array<RowPerson['keys'][number]> = [];

	add(by: SameBy, { length, high, low }: KeyHash): void {
		const index = SAME_BY.indexOf(by);
		// A row with one number in two columns is not its own duplicate.
		if (length > 0 && !this.all.some((key) => key.high === high && key.low === low))
			this.all.push({ by: index, high, low });
	}
}

function keyOf(by: SameBy): KeyHash {
	return new KeyHash(1 + SAME_BY.indexOf(by));
}

/** Who the people of the rows are, by the fields that the rows are mapped to. */
export class PersonKeys {
	/** The columns of each part. */
	private readonly at = Object.fromEntries(
		Object.keys(PARTS).map((part) => [part, [] as number[]]),
	) as Record<Part, number[]>;
	/** Tells external IDs of several types apart, by column. */
	private readonly idTypes = new Map<number, string>();

	constructor({ columns, fixed }: MappingPlan, personIdColumn: string) {
		for (const [index, { expression, fields, label }] of columns.entries()) {
			if (expression === undefined) continue;
			const names = fields.length > 0 ? fields.map(({ field }) => field) : [label];
			for (const [part, pattern] of Object.entries(PARTS))
				if (names.some((name) => pattern.test(name))) this.at[part as Part].push(index);
			if (names.some((name) => sameName(name, personIdColumn)) && !this.at.recordId.includes(index))
				this.at.recordId.push(index);
		}
		for (const index of this.at.externalId) {
			const type = idType(columns, index, fixed);
			if (type !== undefined) this.idTypes.set(index, type);
		}
	}

	/** Whether rows can be compared. */
	get hasAny(): boolean {
		const { firstName, lastName, zip, birthDate, recordId, externalId, email, phone } = this.at;
		const hasName = firstName.length > 0 && lastName.length > 0;
		return (
			[...recordId, ...externalId, ...email, ...phone].length > 0 ||
			(hasName && [...zip, ...birthDate].length > 0)
		);
	}

	read(row: FileRow): RowPerson {
		if (row instanceof InvalidRow) return NOBODY;
		const text = (part: Part): string => textOf(row[this.at[part][0] ?? -1]);
		const first = text('firstName');
		const last = text('lastName');
		const suffix = this.at.suffix.length > 0 ? text('suffix') : '';
		const middle = this.at.middleName.length > 0 ? text('middleName') : '';
		const keys = new Keys();
		const recordId = this.addIds(row, keys);
		this.addContacts(row, keys);
		const date = birthText(row[this.at.birthDate[0] ?? -1]);
		const isIso = /^\s*\d{4}-\d\d-\d\d(?!\d)/.test(date);
		const birthDate = isIso ? date.trim().slice(0, 10) : date;
		const addName = (hash: KeyHash): KeyHash =>
			hash.add(first, 'words').add(last, 'words').add(suffix, 'words');
		const name = addName(new KeyHash());
		if (isName(first) && isName(last)) {
			if (birthDate !== '') {
				const by = 'name and date of birth';
				keys.add(by, addName(keyOf(by)).add(birthDate, 'words'));
			}
			for (const index of this.at.zip) {
				const zip = digitsText(row[index]);
				const by = 'name and ZIP code';
				if (zip !== '') keys.add(by, addName(keyOf(by)).add(zipText(zip), 'words'));
			}
		}
		const street = text('street');
		const zip = digitsText(row[this.at.zip[0] ?? -1]);
		if (/\w/.test(street) && zip !== '')
			keys.add('address', keyOf('address').add(street, 'words').add(zipText(zip), 'words'));
		return {
			name: name.length === 0 ? 0 : name.low,
			middleInitial: isPlaceholder(middle)
				? 0
				: simplifyName(middle.slice(0, 20)).charCodeAt(0) || 0,
			// Dates that are written differently do not contradict each other.
			birthDate: isIso ? new KeyHash().add(birthDate, 'words').low : 0,
			recordId,
			keys: keys.all,
		};
	}

	/** @returns what tells records apart */
	private addIds(row: readonly unknown[], keys: Keys): number {
		let recordId = 0;
		for (const index of this.at.recordId) {
			const id = keyOf('record ID').add(idText(row[index]), 'visible');
			keys.add('record ID', id);
			if (id.length > 0) recordId ||= id.low;
		}
		for (const [index, type] of this.idTypes) {
			const text = idText(row[index]);
			if (text === '') continue;
			keys.add('record ID', keyOf('record ID').add(`${type}:`, 'visible').add(text, 'visible'));
		}
		return recordId;
	}

	private addContacts(row: readonly unknown[], keys: Keys): void {
		for (const index of this.at.email) {
			const email = textOf(row[index]);
			if (email.includes('@'))
				keys.add('email address', keyOf('email address').add(email, 'visible'));
		}
		for (const index of this.at.phone) {
			const digits = phoneDigits(textOf(row[index]));
			keys.add('phone number', keyOf('phone number').add(digits, 'digits'));
		}
	}
}

/** The type of the external IDs in a column; undefined if it differs from row to row. */
function idType(
	columns: readonly PlannedColumn[],
	index: number,
	fixed: MappingPlan['fixed'],
): string | undefined {
	const [target] = columns[index]?.fields ?? [];
	if (!target || !sameName(target.field, 'ExternalId')) return target?.field;
	return fixed.find(
		({ mappingType, field }) =>
			mappingType.key === target.mappingType.key && sameName(field, 'ExternalIdTypeID'),
	)?.value;
}
