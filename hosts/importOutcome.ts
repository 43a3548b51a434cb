import { parse } from 'csv-parse/sync';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Execution } from './execution';

export const examplesFolder = join(__dirname, '..', 'examples');
const dataFolder = join(examplesFolder, 'data');

export const contactsFile = join(dataFolder, 'contacts.csv');
export const giftsFile = join(dataFolder, 'gifts.csv');
export const guestsFile = join(dataFolder, 'guests.csv');

/** What the run of examples/import-contacts.json did. */
export interface ImportOutcome {
	jobId: number;
	status: string;
	/** Rows that the service gave an outcome for. */
	reported: number;
	imported: number;
	rejected: RejectedRow[];
}

const jobSchema = z.tuple([z.object({ jobId: z.number(), status: z.string() })]);
const countsSchema = z.array(z.object({ outcome: z.string(), count_row: z.number() }));
const rowsSchema = z.array(z.object({ row: z.number(), crmId: z.string(), outcome: z.string() }));
const rejectedRowSchema = z.object({ row: z.number(), crmId: z.string(), reason: z.string() });
/** A row of contacts.csv that the service rejects; rows are counted from 1, without the header. */
type RejectedRow = z.infer<typeof rejectedRowSchema>;
const expectedSchema = z.object({ rows: z.number(), rejected: z.array(rejectedRowSchema) });

/** What the service makes of contacts.csv. */
export const expectedContacts = () =>
	expectedSchema.parse(
		JSON.parse(readFileSync(join(dataFolder, 'contacts.expected.json'), 'utf8')),
	);

/** @throws Error with the execution's own error when it failed */
export function importOutcome(execution: Execution): ImportOutcome {
	if (execution.status !== 'success') {
		const reason = execution.error?.message ?? 'no reason given';
		const advice = String(execution.error?.description ?? '');
		throw new Error(`The workflow ended as "${execution.status}": ${reason} ${advice}`.trimEnd());
	}
	const output = (node: string) => execution.nodes[node]?.outputs[0];
	const [{ jobId, status }] = jobSchema.parse(output('Import Contacts'));
	const reported = countsSchema
		.parse(output('Count by Outcome'))
		.reduce((sum, { count_row }) => sum + count_row, 0);
	const rejected = rowsSchema
		.parse(output('Rejected Rows') ?? [])
		.map(({ row, crmId, outcome }) => ({ row, crmId, reason: outcome }));
	return { jobId, status, reported, imported: reported - rejected.length, rejected };
}

export function rowsOf(csvFile: string): number {
	return parse(readFileSync(csvFile), { from: 2 }).length;
}

export function countByReason(rejected: readonly RejectedRow[]): Array<[string, number]> {
	const counts = new Map<string, number>();
	for (const { reason } of rejected) counts.set(reason, (counts.get(reason) ?? 0) + 1);
	return [...counts].sort(([, a], [, b]) => b - a);
}

/** What differs, as a sentence, from what examples/data/contacts.csv was made for. */
export function unexpectedIn(outcome: ImportOutcome): string | undefined {
	const expected = expectedContacts();
	const rows = rowsOf(contactsFile);
	if (rows !== expected.rows) return `The file holds ${rows} rows instead of ${expected.rows}.`;
	if (outcome.reported !== expected.rows) {
		return `The service gave an outcome for ${outcome.reported} of ${expected.rows} rows.`;
	}
	const nameOf = ({ row, crmId, reason }: RejectedRow) => `row ${row} (${crmId}): ${reason}`;
	const rejected = new Set(outcome.rejected.map(nameOf));
	const expectedRejected = new Set(expected.rejected.map(nameOf));
	const surplus = [...rejected].filter((name) => !expectedRejected.has(name));
	const missing = [...expectedRejected].filter((name) => !rejected.has(name));
	if (surplus.length > 0) return `Rejected, but should have been imported: ${surplus.join('; ')}.`;
	if (missing.length > 0) return `Imported, but should have been rejected: ${missing.join('; ')}.`;
	return undefined;
}
