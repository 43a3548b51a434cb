import { mapValues } from 'lodash';

import { readBirth } from '../../../../shared/importFile/birthDate';
import { simplifyName } from '../../../../shared/importFile/fileColumns';
import { plainTest } from '../../../../shared/importFile/plainValues';
import {
	type Counted,
	ADDRESS,
	BIRTH,
	EMAIL,
	KeyHash,
	PHONE,
	RECORD_ID,
	type RowPerson,
	ZIP,
} from '../../../../shared/importFile/samePerson';
import { sameName } from '../../../../shared/service/nearestName';
import { mainDigits } from '../../../../shared/service/phoneNumber';
import { TEXTS, textOf } from '../../mapping/fieldTexts';
import { isOfContact, type MappingPlan, type PlannedColumn } from '../../mapping/importMapping';

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

const ANY_ZIP = /^\s*(\d{3,5})(?:-\d{4})?\s*$/;
const LETTER = /\p{L}/u;
const WORD = /\w/;
/** Nearly every name begins with one. */
const LETTER_FIRST = /^[a-z]/i;

function hasLetter(name: string): boolean {
	return LETTER_FIRST.test(name) || LETTER.test(name);
}

const isPlainPhone = plainTest('phone');
const isPlainZip = plainTest('zip');

function phoneDigits(given: string): string {
	return isPlainPhone(given) ? given : mainDigits(TEXTS.phone.certain(given));
}

/** A ZIP without its extension, and with the zeros that spreadsheet programs drop. */
function zipText(given: string): string {
	if (isPlainZip(given)) return given;
	const [, digits] = ANY_ZIP.exec(given) ?? [];
	return TEXTS.zip.certain(digits?.padStart(5, '0') ?? given);
}

/** No name, address or ID is longer. */
const LONGEST = 500;

function keyText(value: unknown): string {
	const text = textOf(value);
	return text.length > LONGEST ? text.slice(0, LONGEST) : text;
}

/** The text in the first of some columns; empty if there is none. */
function firstText(row: readonly unknown[], places: readonly number[]): string {
	const index = places[0];
	return index === undefined ? '' : keyText(row[index]);
}

type Key = RowPerson['keys'][number];

/** Keys of the values that count, each with the reason why equal ones mean the same person. The objects are reused for each row. */
class Keys {
	readonly all: Key[] = [];
	private readonly used: Key[] = [];
	private count = 0;
	private readonly hash = new KeyHash();

	restart(): void {
		this.count = 0;
	}

	/** After the last key of a row: to empty the list and fill it again would make a new one. */
	end(): void {
		if (this.all.length !== this.count) this.all.length = this.count;
	}

	/**
	 * @param by index in SAME_BY
	 * @param before what was hashed before
	 * @returns the hash of the texts, 0 if they are blank
	 */
	add(by: number, counted: Counted, text: string, before?: KeyHash): number {
		const hash = this.hash.restart(1 + by);
		if (before) hash.addHash(before);
		const { length, high, low } = hash.add(text, counted);
		if (length === 0) return 0;
		const { all, used } = this;
		// A row with one number in two columns is not its own duplicate.
		for (let place = 0; place < this.count; place++)
			if (all[place]?.high === high && all[place]?.low === low) return low;
		const key = (used[this.count] ??= { by: 0, high: 0, low: 0 });
		key.by = by;
		key.high = high;
		key.low = low;
		all[this.count++] = key;
		return low;
	}
}

/** Who the people of the rows are, by the fields that the rows are mapped to. */
export class PersonKeys {
	private readonly at = mapValues(PARTS, (): number[] => []);
	/** Tells external IDs of several types apart, by column. */
	private readonly idTypes = new Map<number, string>();
	private readonly keys = new Keys();
	private readonly partHash = new KeyHash();
	private readonly person = { name: 0, traits: [] as number[], keys: this.keys.all };

	constructor({ columns, fixed }: MappingPlan, personIdColumn: string) {
		for (const [index, { expression, fields, source }] of columns.entries()) {
			if (expression === undefined) continue;
			const names = fields.length > 0 ? fields.map(({ field }) => field) : [source];
			for (const [part, pattern] of Object.entries(PARTS)) {
				const isId = (name: string) => part === 'recordId' && sameName(name, personIdColumn);
				if (!names.some((name) => pattern.test(name) || isId(name))) continue;
				const places = this.at[part as Part];
				// A salutation is not a name: the first place is that of the contact.
				if (fields.some(isOfContact)) places.unshift(index);
				else places.push(index);
			}
		}
		for (const index of this.at.externalId) {
			const type = idType(columns, index, fixed);
			if (type !== undefined) this.idTypes.set(index, type);
		}
	}

	get hasAny(): boolean {
		const { firstName, lastName, zip, birthDate, recordId, externalId, email, phone } = this.at;
		const hasName = firstName.length > 0 && lastName.length > 0;
		return (
			[...recordId, ...externalId, ...email, ...phone].length > 0 ||
			(hasName && [...zip, ...birthDate].length > 0)
		);
	}

	/** What is returned is valid until the next row: objects for each would take longer than all else. */
	read(row: readonly unknown[]): RowPerson {
		const { at, keys, partHash, person } = this;
		keys.restart();
		// The first of the IDs that are not blank tells records apart.
		let recordId = 0;
		for (const index of at.recordId) {
			const text = TEXTS.id.certain(keyText(row[index]));
			const id = keys.add(RECORD_ID, 'exact', text);
			recordId ||= id;
		}
		for (const [index, type] of this.idTypes) {
			const id = TEXTS.id.certain(keyText(row[index]));
			const ofType = partHash.restart().add(`${type}:`, 'exact');
			if (id !== '') keys.add(RECORD_ID, 'exact', id, ofType);
		}
		for (const index of at.email)
			keys.add(EMAIL, 'visible', TEXTS.email.certain(keyText(row[index])));
		for (const index of at.phone) keys.add(PHONE, 'digits', phoneDigits(keyText(row[index])));
		const first = TEXTS.name.said(firstText(row, at.firstName));
		const last = TEXTS.name.said(firstText(row, at.lastName));
		const born = readBirth(TEXTS.birth.said(firstText(row, at.birthDate)));
		partHash
			.restart()
			.add(first, 'words')
			.add(last, 'words')
			.add(TEXTS.suffix.said(firstText(row, at.suffix)), 'words');
		const hasName = hasLetter(first) && hasLetter(last);
		if (hasName && born.date !== '') keys.add(BIRTH, 'words', born.date, partHash);
		/** The first of them belongs to the street. */
		let streetZip: string | undefined;
		for (const index of at.zip) {
			const zip = zipText(keyText(row[index]));
			streetZip ??= zip;
			if (hasName && zip !== '') keys.add(ZIP, 'words', zip, partHash);
		}
		partHash
			.add(firstText(row, at.commonName), 'words')
			.add(firstText(row, at.officialName), 'words');
		person.name = partHash.length === 0 ? 0 : partHash.low;
		const street = TEXTS.street.said(firstText(row, at.street));
		if (streetZip && WORD.test(street))
			keys.add(ADDRESS, 'words', streetZip, partHash.restart().add(street, 'words'));
		keys.end();
		const { traits } = person;
		traits[0] = recordId;
		traits[1] = initialOf(firstText(row, at.middleName));
		traits[2] = born.day;
		traits[3] = born.dayAndMonth;
		traits[4] = born.year;
		return person;
	}
}

function initialOf(name: string): number {
	return name === '' ? 0 : simplifyName(TEXTS.name.said(name)).charCodeAt(0) || 0;
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
