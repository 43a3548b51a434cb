import { isoDate } from '../../../shared/service/dateText';
import { sameName } from '../../../shared/service/nearestName';
import type { Person } from '../../../shared/service/personSchema';
import type { MappingPlan } from './importMapping';
import { mainDigits, textOf } from './personKeys';

const CONTACT = 'CreateOrUpdateContact';

/** Who a row is about, by the values that the service compares: service.md 4.3. */
interface RowContact {
	/** The service's own ID; empty if the row has none. */
	recordId: string;
	hasExternalId: boolean;
	person: Person;
}

/** The mapped fields by which the service finds the person of a row. */
export class ContactFields {
	/** By the field's name in lower case. */
	private readonly readers = new Map<string, (row: readonly unknown[]) => string>();
	private readonly externalIds: string[];

	constructor(
		{ columns, fixed }: MappingPlan,
		private readonly personIdColumn: string,
	) {
		const set = (
			name: string,
			mappingType: { name: string },
			read: (row: readonly unknown[]) => string,
		) => sameName(mappingType.name, CONTACT) && this.readers.set(name.toLowerCase(), read);
		for (const [index, { fields }] of columns.entries())
			for (const { mappingType, field } of fields)
				set(field, mappingType, (row) => textOf(row[index]).trim());
		for (const { mappingType, field, value } of fixed) set(field, mappingType, () => value.trim());
		this.externalIds = [...this.readers.keys()].filter((name) => /^external_\d+id$/.test(name));
	}

	/** Whether the import finds or stores people. */
	get hasAny(): boolean {
		return this.readers.size > 0;
	}

	read(row: readonly unknown[]): RowContact {
		const text = (name: string): string => this.readers.get(name.toLowerCase())?.(row) ?? '';
		const given = <Name extends string>(name: Name, value: string | undefined) =>
			(value ? { [name]: value } : {}) as Partial<Record<Name, string>>;
		const emails = ['Email', 'OtherEmail', 'WorkEmail'].map(text).filter((email) => email !== '');
		const phones = ['Phone', 'CellPhone', 'WorkPhone'].flatMap((name) => {
			const number = text(name);
			if (number === '') return [];
			const countryCode = text(`${name}CountryCode`).toUpperCase();
			return [{ phoneNumber: mainDigits(number) || number, ...given('countryCode', countryCode) }];
		});
		const address = {
			...given('addressLine1', text('AddressLine1')),
			...given('zipOrPostalCode', text('ZipOrPostal')),
		};
		return {
			recordId: text(this.personIdColumn),
			hasExternalId: this.externalIds.some((name) => text(name) !== ''),
			person: {
				...given('firstName', text('FirstName')),
				...given('lastName', text('LastName')),
				...given('dateOfBirth', isoDate(text('DOB'))?.slice(0, 10)),
				...(emails.length > 0 && { emails: emails.map((email) => ({ email })) }),
				...(phones.length > 0 && { phones }),
				...(Object.keys(address).length > 0 && { addresses: [address] }),
			},
		};
	}
}
