import type { StoredContribution, StoredPerson, TenantStore } from '../../store/tenantStore';
import type { Vocabulary } from '../../wire/vocabulary';
import type { RowValues } from '../mapping/rowValues';
import type { IdentifierIndex } from './identifierIndex';

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
	identifiers: IdentifierIndex;
	now(): Date;
}

/** What a mapping type does with the values of one row. */
export interface RowProcessor<Target> {
	/**
	 * Present where one invalid row fails the whole job (service.md 2.7): the problem of a row, or
	 * null. Asked for every row before anything is written.
	 */
	jobProblem?(context: ImportContext, values: RowValues): string | null;
	apply(context: ImportContext, target: Target, values: RowValues): RowOutcome;
}

export type PersonProcessor = RowProcessor<StoredPerson>;
export type ContributionProcessor = RowProcessor<StoredContribution>;
