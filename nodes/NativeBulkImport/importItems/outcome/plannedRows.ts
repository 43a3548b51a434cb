import { z } from 'zod';

import type { ServiceContext } from '../../../shared/execution/operation';
import type { TimeSlice } from '../../../shared/execution/timeSlice';
import type { RowResult } from './jobResults';
import { plannedItems } from '../start/importIdentity';
import type { ImportOutcome } from './importOutcome';

/** An item of a dry run that looked up matches. */
const plannedSchema = z
	.object({
		item: z.number().optional(),
		row: z.number().optional(),
		match: z.enum(['new', 'update', 'notEnough', 'rejected']),
		personId: z.number().nullable(),
	})
	.transform(({ item, row, ...planned }) => ({ number: row ?? item ?? 0, ...planned }));

type PlannedRow = z.output<typeof plannedSchema>;

/** Rows that a text names; it only counts the others. */
const NAMED_ROWS = 20;

function happened({ status, primaryKey, reason = '' }: RowResult): string {
	if (status === 'imported') return `imported as ${primaryKey ?? 'a record without ID'}`;
	return `${status}${reason && `: ${reason.replace(/\.$/, '')}`}`;
}

function planText({ match, personId }: PlannedRow): string {
	if (match === 'update') return personId === null ? 'an update' : `an update of ${personId}`;
	return match === 'rejected' ? 'rejected' : 'new';
}

/** What an approved plan said about the rows, by number; empty without a plan or looked up rows. */
export function readPlannedRows(context: ServiceContext): ReadonlyMap<number, PlannedRow> {
	return context.service.once(readPlannedRows, () => {
		const rows = plannedItems(context).flatMap((json) => plannedSchema.safeParse(json).data ?? []);
		return new Map(rows.map((row) => [row.number, row]));
	});
}

/** `As planned: 294 of 297 rows that were looked up. Different: 3. Line 17: …`. */
export async function comparePlan(
	rows: ReturnType<typeof readPlannedRows>,
	outcome: ImportOutcome,
	slice: TimeSlice,
): Promise<string> {
	const known = new Set([...rows.values()].map(({ personId }) => String(personId)));
	const texts: string[] = [];
	let different = 0;
	for (let position = 0; position < outcome.started.totalRows; position++) {
		if (slice.isOver) await slice.yield();
		const planned = rows.get(position + 1);
		const result = planned && outcome.resultAt(position);
		if (!result) continue;
		const isOk = isAsPlanned(planned, result, known);
		// A later row with the key of a new one is an update.
		if (result.status === 'imported') known.add(String(result.primaryKey));
		if (isOk) continue;
		different++;
		if (texts.length < NAMED_ROWS)
			texts.push(
				`${outcome.nameOf(position)} (planned: ${planText(planned)}; ${happened(result)})`,
			);
	}
	const start = `As planned: ${rows.size - different} of ${rows.size} rows that were looked up`;
	if (different === 0) return `${start}.`;
	const more = different - texts.length;
	return `${start}. Different: ${different}: ${texts.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

/** @param known records that were there before the row was imported */
function isAsPlanned(
	{ match, personId }: PlannedRow,
	{ status, primaryKey }: RowResult,
	known: ReadonlySet<string>,
): boolean {
	if (match === 'rejected') return status === 'failed' || status === 'missing';
	if (status !== 'imported') return false;
	// Some deployments do not name the record.
	if (primaryKey === null) return true;
	if (match !== 'update') return !known.has(String(primaryKey));
	return personId === null || String(primaryKey) === String(personId);
}
