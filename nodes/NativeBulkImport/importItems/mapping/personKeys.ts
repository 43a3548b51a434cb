import { mapValues } from 'lodash';

import { isPlaceholder } from '../../../shared/importFile/columnValues';
import {
	type Counted,
	KeyHash,
	type RowPerson,
	SAME_BY,
	type SameBy,
} from '../../../shared/importFile/samePerson';
import { simplifyName } from '../../../shared/importFile/fileColumns';
import { dayText } from '../../../shared/service/dateText';
import { nationalDigits } from '../../../shared/service/phoneNumber';
import { sameName } from '../../../shared/service/nearestName';
import { isOfContact, type MappingPlan, type PlannedColumn } from './importMapping';

/** What fields say about a person. */
const PARTS = {
	firstName: /^FirstName$/i,
	middleName: /^MiddleName$/i,
	lastName: /^LastName$/i,
	suffix: /^Suffix$/i,
	commonName: /^OrganizationContactCommonName$/i,
	officialName: /^OrganizationContactOfficialName$/i,
	birthDate: /^DOB$/i,
	recordId: /^(Native|Van)ID$/i,
	externalId: /^(ExternalID|External_\d+ID)$/i,
	email: /^(Other|Work)?Email$/i,
	phone: /^(Cell|Work)?Phone$/i,
	street: /^(AddressLine1|MailingAddress)$/i,
	zip: /^(Mailing)?ZipOrPostal$/i,
} as const;

type Part = keyof typeof PARTS;

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

const ISO_DATE = /^\s*(\d{4}-\d\d-\d\d)(?!\d)/;
/** `3/4/1950` and `03.04.50`. */
const NUMBERS_DATE = /^\s*(\d{1,2})\D(\d{1,2})\D(?:\d\d)?(\d\d)(?!\d)/;
const YEAR = /(?<!\d)\d\d(\d\d)(?!\d)/;

/** What dates of birth contradict each other in: the ISO date, day and month as they are written, the year. */
function birthTraits(date: string, isoDate: string | undefined): number[] {
	const [, first, second, shortYear] = NUMBERS_DATE.exec(date) ?? [];
	const year = shortYear ?? YEAR.exec(date)?.[1];
	return [
		isoDate === undefined ? 0 : hashOf(new KeyHash(), 'words', [isoDate]).low,
		100 * Number(first ?? 0) + Number(second ?? 0),
		year === undefined ? 0 : 1 + Number(year),
	];
}

/** Of the values that count, by what they make rows the same. */
class Keys {
	readonly all: Array<RowPerson['keys'][number]> = [];

	/** @returns the hash of the texts, 0 if they are blank */
	add(by: SameBy, counted: Counted, ...texts: string[]): number {
		const index = SAME_BY.indexOf(by);
		const { length, high, low } = hashOf(new KeyHash(1 + index), counted, texts);
		if (length === 0) return 0;
		// A row with one number in two columns is not its own duplicate.
		if (!this.all.some((key) => key.high === high && key.low === low))
			this.all.push({ by: index, high, low });
		return low;
	}
}

function hashOf(hash: KeyHash, counted: Counted, texts: readonly string[]): KeyHash {
	for (const text of texts) hash.add(text, counted);
	return hash;
}

/** Who the people of the rows are, by the fields that the rows are mapped to. */
export class PersonKeys {
	/** The columns of each part. */
	private readonly at = mapValues(PARTS, (): number[] => []);
	/** Tells external IDs of several types apart, by column. */
	private readonly idTypes = new Map<number, string>();

	constructor({ columns, fixed }: MappingPlan, personIdColumn: string) {
		for (const [index, { expression, fields, label }] of columns.entries()) {
			if (expression === undefined) continue;
			const names = fields.length > 0 ? fields.map(({ field }) => field) : [label];
			for (const [part, pattern] of Object.entries(PARTS)) {
				const isId = (name: string) => part === 'recordId' && sameName(name, personIdColumn);
				if (!names.some((name) => pattern.test(name) || isId(name))) continue;
				const places = this.at[part as Part];
				// A salutation is no name: the first place is that of the contact.
				if (fields.some(isOfContact)) places.unshift(index);
				else places.push(index);
			}
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

	read(row: readonly unknown[]): RowPerson {
		const text = (part: Part): string => textOf(row[this.at[part][0] ?? -1]);
		const keys = new Keys();
		const recordId = this.addIds(row, keys);
		this.addContacts(row, keys);
		const person = [text('firstName'), text('lastName'), text('suffix')];
		const names = [...person, text('commonName'), text('officialName')];
		const zips = this.at.zip.map((index) => zipText(digitsText(row[index])));
		const date = birthText(row[this.at.birthDate[0] ?? -1]);
		const isoDate = ISO_DATE.exec(date)?.[1];
		const birthDate = isoDate ?? date;
		if (person.slice(0, 2).every(isName)) {
			if (birthDate !== '') keys.add('name and date of birth', 'words', ...person, birthDate);
			for (const zip of zips)
				if (zip !== '') keys.add('name and ZIP code', 'words', ...person, zip);
		}
		const street = text('street');
		const [zip = ''] = zips;
		if (/\w/.test(street) && zip !== '') keys.add('address', 'words', street, zip);
		const name = hashOf(new KeyHash(), 'words', names);
		const middle = text('middleName');
		const middleInitial = isPlaceholder(middle) ? '' : simplifyName(middle.slice(0, 20));
		return {
			name: name.length === 0 ? 0 : name.low,
			traits: [recordId, middleInitial.charCodeAt(0) || 0, ...birthTraits(date, isoDate)],
			keys: keys.all,
		};
	}

	/** @returns what tells records apart */
	private addIds(row: readonly unknown[], keys: Keys): number {
		let recordId = 0;
		for (const index of this.at.recordId) {
			const id = keys.add('record ID', 'visible', idText(row[index]));
			recordId ||= id;
		}
		for (const [index, type] of this.idTypes) {
			const text = idText(row[index]);
			if (text !== '') keys.add('record ID', 'visible', `${type}:`, text);
		}
		return recordId;
	}

	private addContacts(row: readonly unknown[], keys: Keys): void {
		for (const index of this.at.email) {
			const email = textOf(row[index]);
			if (email.includes('@')) keys.add('email address', 'visible', email);
		}
		for (const index of this.at.phone)
			keys.add('phone number', 'digits', phoneDigits(textOf(row[index])));
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
			mappingType === target.mappingType && sameName(field, 'ExternalIdTypeID'),
	)?.value;
}
