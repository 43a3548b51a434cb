import type { StoredPerson, TenantStore } from '../../store/tenantStore';

/** Who carries which external identifier: looked up per row, so not by going through all people. */
export class IdentifierIndex {
	private readonly holders = new Map<string, StoredPerson>();

	constructor(private readonly store: TenantStore) {
		for (const person of store.people.values()) this.add(person);
	}

	/** Call after the identifiers of a person changed. */
	add(person: StoredPerson): void {
		for (const { type, externalId } of person.identifiers) {
			this.holders.set(keyOf(type, externalId), person);
		}
	}

	holder(type: string, externalId: string): StoredPerson | undefined {
		const person = this.holders.get(keyOf(type, externalId));
		const stillHolds =
			person !== undefined &&
			this.store.people.get(person.nativeId) === person &&
			person.identifiers.some(
				(identifier) => keyOf(identifier.type, identifier.externalId) === keyOf(type, externalId),
			);
		return stillHolds ? person : undefined;
	}
}

function keyOf(type: string, externalId: string): string {
	return `${type}\n${externalId}`.toLowerCase();
}
