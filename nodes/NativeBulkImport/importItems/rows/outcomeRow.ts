import type { IDataObject } from 'n8n-workflow';

import { isRowStatus, type RowStatus } from '../../../shared/importFile/importReport';

/** What the results say about a row. */
export interface RowOutcome {
	status: 'imported' | 'failed' | 'missing';
	/** Null if no job has the row. */
	jobId: number | null;
	/** ID of the record; null if the service returns none. */
	primaryKey: number | string | null;
	primaryKeyType: string | null;
	/** The service's words by mapping type. */
	outcomes: Record<string, string>;
}

/** Whether a row is in the service, now or from an earlier import. */
export function isInService(status: RowStatus | undefined): boolean {
	return status === 'imported' || status === 'unchanged';
}

/** Output as `importResult` of a row. */
export type RowResult = Omit<RowOutcome, 'status'> & {
	/** Number in the source file, from 1, without the header line. */
	row?: number;
	/** Its line in the source file, as spreadsheet programs number it. */
	line?: number;
	status: RowStatus;
	/** Line, row or item of the same person. */
	duplicateOf?: number;
	/** Why it was not imported, or whose duplicate it is. */
	reason?: string;
	/** The values that were corrected on the progress page and imported again, by column. */
	corrected?: Record<string, string>;
};

/** The result of a row that no result file has. */
export function withoutOutcome(
	status: RowStatus,
	reason: string,
	jobId: number | null = null,
): RowResult {
	return { status, jobId, primaryKey: null, primaryKeyType: null, outcomes: {}, reason };
}

/** A row's own column with the name of a field of the outcome, e.g. `status (row)`. */
const OWN = ' (row)';

/** Fields of an outcome beside the row. */
const FIELDS = ['status', 'reason', 'primaryKey', 'importResult', 'error'];

function asObject(value: unknown): IDataObject {
	return typeof value === 'object' && value !== null ? (value as IDataObject) : {};
}

function isOutcome(value: unknown): boolean {
	const { status, jobId, outcomes } = asObject(value);
	return isRowStatus(status) && jobId !== undefined && outcomes !== undefined;
}

/**
 * The row as it was before an earlier import added its outcome: rows that were not imported are
 * corrected and imported again.
 */
export function ownValues(row: IDataObject): IDataObject {
	const earlier = asObject(row.importResult);
	const failure = asObject(row.error);
	const hasOutcome = isOutcome(earlier);
	const hasFailure = isOutcome(failure.importResult);
	if (!hasOutcome && !hasFailure) return row;
	const isAdded = (name: string): boolean => {
		if (name === 'error') return hasFailure;
		if (!hasOutcome || !FIELDS.includes(name)) return false;
		return name === 'importResult' || (row[name] ?? null) === (earlier[name] ?? null);
	};
	const own = Object.entries(row).flatMap(([name, value]): Array<[string, unknown]> => {
		if (isAdded(name)) return [];
		const field = name.endsWith(OWN) ? name.slice(0, -OWN.length) : name;
		return [[FIELDS.includes(field) && isAdded(field) ? field : name, value]];
	});
	const { values } = failure;
	const ownError = hasFailure && 'error' in asObject(values) ? asObject(values).error : undefined;
	return Object.fromEntries([
		...own,
		...(ownError === undefined ? [] : [['error', ownError]]),
	]) as IDataObject;
}

/** What fields read: the row's own values, and of an earlier outcome what they do not hide. */
export function readableValues(row: IDataObject): IDataObject {
	const own = ownValues(row);
	return own === row ? row : { ...row, ...own };
}

/**
 * An output row with its outcome, which wins over columns of the same name: those come out as
 * `status (row)`. `error` is such a name, too, because n8n takes items with it for failed.
 * @param before fields in front of the row
 * @param after fields behind it
 */
export function addOutcome(
	before: IDataObject,
	given: IDataObject,
	after: IDataObject,
): IDataObject {
	const row = ownValues(given);
	const isTaken = (name: string): boolean =>
		name === 'error' || Object.hasOwn(before, name) || Object.hasOwn(after, name);
	if (!FIELDS.some((name) => isTaken(name) && Object.hasOwn(row, name)))
		return { ...before, ...row, ...after };
	const ownName = (name: string): string => {
		let own = name;
		while (isTaken(own) || (own !== name && Object.hasOwn(row, own))) own += OWN;
		return own;
	};
	const own = Object.entries(row).map(([name, value]) => [ownName(name), value]);
	return { ...before, ...(Object.fromEntries(own) as IDataObject), ...after };
}
