import type { StoredContribution, StoredPerson, TenantStore } from '../../store/tenantStore';
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
	now(): Date;
}

/** What a mapping type does with the values of one row. */
export type RowProcessor<Target> = (
	context: ImportContext,
	target: Target,
	values: RowValues,
) => RowOutcome;

/** The problem for which a row fails the whole job, or null; checked before any row is imported. */
export type JobCheck = (context: ImportContext, values: RowValues) => string | null;

export type PersonProcessor = RowProcessor<StoredPerson>;
export type ContributionProcessor = RowProcessor<StoredContribution>;
