import { z } from 'zod';

import type { TimeSlice } from '../../../../shared/execution/timeSlice';
import type { OutcomeView } from '../../feature';
import type { RowResult } from '../../model';

/** An item of a preview that says what would become of a row. */
const shownSchema = z
	.object({
		lookup: z.object({
			item: z.number().optional(),
			row: z.number().optional(),
			match: z.enum(['new', 'update', 'notEnough', 'rejected']),
			personId: z.number().nullable(),
		}),
	})
	.transform(({ lookup: { item, row, match, personId } }) => ({
		number: row ?? item ?? 0,
		match,
		personId: match === 'update' ? personId : null,
	}))
	.refine(({ number }) => number > 0);

/** Keyed by row number. Stored with the execution: a list can be long. */
export const plannedSchema = z.array(
	z.tuple([z.number(), z.enum(['new', 'update', 'notEnough', 'rejected']), z.number().nullable()]),
);
export type PlannedRows = z.output<typeof plannedSchema>;
type PlannedRow = PlannedRows[number];

/** What a preview says about the rows that were looked up. */
export function plannedRows(items: readonly unknown[]): PlannedRows {
	return items.flatMap((item): PlannedRows => {
		const row = shownSchema.safeParse(item).data;
		return row ? [[row.number, row.match, row.personId]] : [];
	});
}

/** Rows that a text names; it only counts the others. */
const NAMED_ROWS = 20;

function resultText({ status, primaryKey, reason = '' }: RowResult): string {
	if (status === 'imported') return `imported as ${primaryKey ?? 'a record without ID'}`;
	return `${status}${reason && `: ${reason.replace(/\.$/, '')}`}`;
}

function planText([, match, personId]: PlannedRow): string {
	if (match === 'update') return personId === null ? 'an update' : `an update of ${personId}`;
	return match === 'rejected' ? 'rejected' : 'new';
}

/** @param known records that were there before the row was imported */
function isAsPlanned(
	[, match, personId]: PlannedRow,
	{ status, primaryKey }: RowResult,
	known: ReadonlySet<string>,
): boolean {
	if (match === 'rejected') return status === 'failed' || status === 'missing';
	if (status !== 'imported') return false;
	// Some deployments do not name the record.
	if (primaryKey === null) return true;
	if (match !== 'update') return !known.has(String(primaryKey));
	return personId === null
		? known.has(String(primaryKey))
		: String(primaryKey) === String(personId);
}

/** `As planned: 294 of 297 rows that were looked up. Different: 3: line 17, line 18 (planned: new; failed: …).` */
export async function comparePlan(
	planned: PlannedRows,
	outcome: OutcomeView,
	slice: TimeSlice,
): Promise<string> {
	const rows = new Map(planned.map((row) => [row[0], row]));
	const known = new Set(planned.map(([, , personId]) => String(personId)));
	/** The names of rows, by their outcome. */
	const named = new Map<string, string[]>();
	let different = 0;
	for (let position = 0; position < outcome.started.totalRows; position++) {
		if (slice.isOver) await slice.yield();
		const row = rows.get(position + 1);
		const result = outcome.resultAt(position);
		if (!result) continue;
		const isOk = !row || isAsPlanned(row, result, known);
		// A later row with the key of a new one is an update.
		if (result.status === 'imported') known.add(String(result.primaryKey));
		if (isOk) continue;
		different++;
		if (different > NAMED_ROWS) continue;
		const what = `(planned: ${planText(row)}; ${resultText(result)})`;
		named.set(what, [...(named.get(what) ?? []), outcome.nameOf(position)]);
	}
	const start = `As planned: ${rows.size - different} of ${rows.size} ${rows.size === 1 ? 'row that was' : 'rows that were'} looked up`;
	if (different === 0) return `${start}.`;
	const texts = [...named].map(([what, names]) => `${names.join(', ')} ${what}`);
	const more = Math.max(0, different - NAMED_ROWS);
	return `${start}. Different: ${different}: ${texts.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}
