import { isEmpty, omitBy } from 'lodash';

import { trimmed } from '../../../shared/importFile/columnValues';
import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import { isoDate } from '../../../shared/service/dateText';
import { sameName } from '../../../shared/service/nearestName';
import { mainDigits } from '../../../shared/service/phoneNumber';
import { isMatchable, missingForMatch } from '../../../shared/service/personMatch';
import type { Person } from '../../../shared/service/personSchema';
import { TEXTS, textOf } from './fieldTexts';
import { columnKind, isExternalId, isOfContact, type MappingPlan } from './importMapping';

type Row = readonly unknown[];

const EMAILS = ['Email', 'OtherEmail', 'WorkEmail'];
const PHONES = ['Phone', 'CellPhone', 'WorkPhone'];
const FINDER = /^((Other|Work)?Email|(Cell|Work)?Phone|External(_\d+)?ID)$/i;

/** A date of birth that the service reads, whichever it is. */
const ANY_BIRTH = '1950-01-01';

/** Who the row of an import is about, by the values that the service compares: service.md 4.3. */
export class RowContacts {
	/** Keyed by the field's name in lower case. */
	private readonly readers = new Map<string, (row: Row) => string>();
	private readonly externalIds: string[];
	private readonly organizations: Array<(row: Row) => string>;
	/** What is enough to find people by, or may be: nobody knows of the fields of other mapping types. */
	private readonly finders: Array<(row: Row) => string> = [];

	constructor(
		{ columns, fixed }: MappingPlan,
		private readonly personIdColumn: string,
	) {
		for (const [index, column] of columns.entries()) {
			const { fields, isRecordId, source } = column;
			const kind = columnKind(column);
			const said = kind && TEXTS[kind].said;
			const read = (row: Row): string => {
				const value = row[index];
				if (value instanceof InvalidRow) return '';
				const text = trimmed(textOf(value));
				return said ? said(text) : text;
			};
			for (const { field } of fields.filter(isOfContact))
				this.readers.set(field.toLowerCase(), read);
			if (fields.some(({ field }) => FINDER.test(field))) this.finders.push(read);
			if (isRecordId && sameName(source, personIdColumn))
				this.readers.set(personIdColumn.toLowerCase(), read);
		}
		for (const { field, value } of fixed.filter(isOfContact))
			this.readers.set(field.toLowerCase(), () => value.trim());
		this.externalIds = [...this.readers.keys()].filter(isExternalId);
		this.organizations = ['Common', 'Official'].flatMap(
			(kind) => this.readers.get(`organizationcontact${kind.toLowerCase()}name`) ?? [],
		);
		const recordId = this.readers.get(personIdColumn.toLowerCase());
		if (recordId) this.finders.push(recordId);
	}

	/** The rows of an import; undefined if it neither finds nor stores people. */
	static of(mapping: MappingPlan, personIdColumn: string): RowContacts | undefined {
		const isOne = [...mapping.columns.flatMap(({ fields }) => fields), ...mapping.fixed].some(
			isOfContact,
		);
		return isOne ? new RowContacts(mapping, personIdColumn) : undefined;
	}

	text(row: Row, name: string): string {
		return this.readers.get(name.toLowerCase())?.(row) ?? '';
	}

	/** The service's own ID; empty if the row has none. */
	recordId(row: Row): string {
		return this.text(row, this.personIdColumn);
	}

	hasExternalId(row: Row): boolean {
		return this.externalIds.some((name) => this.text(row, name) !== '');
	}

	/** Whether the row has an ID, an email address or a phone number. */
	hasFinder(row: Row): boolean {
		for (const read of this.finders) if (read(row) !== '') return true;
		return false;
	}

	isOrganization(row: Row): boolean {
		for (const read of this.organizations) if (read(row) !== '') return true;
		return false;
	}

	/** A date of birth that only the service reads; empty if the row has none. */
	unreadBirth(row: Row): string {
		const birth = this.text(row, 'DOB');
		return isoDate(birth) === undefined ? birth : '';
	}

	person(row: Row): Person {
		const emails = EMAILS.map((name) => this.text(row, name)).filter((email) => email !== '');
		const phones = PHONES.flatMap((name) => {
			const number = this.text(row, name);
			const countryCode = this.text(row, `${name}CountryCode`).toUpperCase();
			const phone = { phoneNumber: mainDigits(number) || number };
			return number === '' ? [] : { ...phone, ...(countryCode && { countryCode }) };
		});
		const address = {
			addressLine1: this.text(row, 'AddressLine1'),
			zipOrPostalCode: this.text(row, 'ZipOrPostal'),
		};
		return omitBy(
			{
				firstName: this.text(row, 'FirstName'),
				lastName: this.text(row, 'LastName'),
				dateOfBirth: isoDate(this.text(row, 'DOB'))?.slice(0, 10),
				emails: emails.map((email) => ({ email })),
				phones,
				addresses: [omitBy(address, isEmpty)].filter((given) => !isEmpty(given)),
			},
			isEmpty,
		);
	}

	/**
	 * What a person lacks to be found again, by the rule of the service: `an email; or a phone number`. Undefined
	 * if the person can be found, or if that cannot be known.
	 */
	missing(row: Row): string | undefined {
		// Nobody can be found by an organization's name.
		if (this.hasFinder(row) || this.isOrganization(row)) return undefined;
		const person = this.person(row);
		const known = this.unreadBirth(row) === '' ? person : { ...person, dateOfBirth: ANY_BIRTH };
		return isMatchable(known) ? undefined : missingForMatch(person);
	}
}
