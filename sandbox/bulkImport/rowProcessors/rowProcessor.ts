import type { StoredPerson, TenantStore } from '../../store/tenantStore';
import type { Vocabulary } from '../../wire/vocabulary';
import type { RowValues } from '../mapping/rowValues';

export interface RowOutcome {
	/** The cell of the result file (service.md 2.8). */
	message: string;
	isError: boolean;
}

export const PROCESSED: RowOutcome = { message: 'Processed', isError: false };
export const NO_PERSON_FOUND = rejected('No person found');

export function rejected(message: string): RowOutcome {
	return { message, isError: true };
}

export interface ImportContext {
	store: TenantStore;
	vocabulary: Vocabulary;
}

/** What a mapping type does with the values of one row. */
export type PersonProcessor = (
	context: ImportContext,
	person: StoredPerson,
	values: RowValues,
) => RowOutcome;
