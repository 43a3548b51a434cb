import { isGood, type ResultRow } from '../../shared/importFile/resultFile';

/** What became of one input item. */
export interface ItemOutcome {
	status: 'imported' | 'failed' | 'missing';
	jobId: number;
	/** Identifier of the record the item went into; null if the service names none. */
	primaryKey: number | string | null;
	primaryKeyType: string | null;
	/** What the service says, by mapping type. */
	outcomes: Record<string, string>;
}

/** Reads the number of an item, from 1, out of the node's own column. */
function itemNumber(row: ResultRow, itemColumn: string): number | undefined {
	const entry = Object.entries(row.columns).find(
		([name]) => name.toLowerCase() === itemColumn.toLowerCase(),
	);
	const number = Number(entry?.[1]);
	return Number.isInteger(number) && number > 0 ? number : undefined;
}

/**
 * Joins result rows to the items they came from by the node's own column, whatever the order, gaps or
 * repetitions of the rows. An item that is mentioned several times went in only if every mention says so.
 */
export class ItemOutcomes {
	private readonly found = new Map<number, ItemOutcome>();
	/** Rows that belong to no item of this import. */
	unmatched = 0;

	constructor(
		private readonly itemColumn: string,
		private readonly itemCount: number,
	) {}

	add(jobId: number, row: ResultRow): void {
		const number = itemNumber(row, this.itemColumn);
		if (number === undefined || number > this.itemCount) {
			this.unmatched++;
			return;
		}
		const before = this.found.get(number - 1);
		const hasFailed = !row.succeeded || before?.status === 'failed';
		this.found.set(number - 1, {
			status: hasFailed ? 'failed' : 'imported',
			jobId,
			primaryKey: row.primaryKey ?? before?.primaryKey ?? null,
			primaryKeyType: row.primaryKeyType ?? before?.primaryKeyType ?? null,
			outcomes:
				before?.status === 'failed' ? { ...row.outcomes, ...before.outcomes } : row.outcomes,
		});
	}

	/** The outcome of an item, counted from 0, that was imported with the given job. */
	of(item: number, jobId: number): ItemOutcome {
		return (
			this.found.get(item) ?? {
				status: 'missing',
				jobId,
				primaryKey: null,
				primaryKeyType: null,
				outcomes: {},
			}
		);
	}
}

/** Why an item did not go in, in the service's words. */
export function failureText({ status, outcomes }: ItemOutcome): string {
	if (status === 'missing') {
		return 'The service does not mention this item in its results. It was most likely refused as a whole, for instance because a required value is blank.';
	}
	const complaints = Object.entries(outcomes).filter(([, text]) => !isGood(text));
	return (
		complaints.map(([mappingType, text]) => `${mappingType}: ${text}`).join('; ') ||
		'The service refused the item.'
	);
}
