import { createHash } from 'crypto';
import { z } from 'zod';

import { SortedNumbers } from '../../shared/execution/sortedNumbers';
import type { TimeSlice } from '../../shared/execution/timeSlice';
import { isRowStatus, type RowStatus } from '../../shared/importFile/importReport';
import { TextChunks } from '../../shared/importFile/textChunks';
import { parseJson } from '../../shared/service/jsonText';
import { isObject } from '../../shared/service/requestBody';

/*
 * The file "before": what the people of an import held before it, as JSON Lines. A head, one line per row, an
 * end; then, once the outcome is known, one line per row and an end of those. The order of the lines says
 * nothing, and the two ends tell whether a line was changed, lost or added.
 */

export const BEFORE_FIELD = 'before';
export const BEFORE_TYPE = 'application/jsonl';

/** An email address or a phone number that a person has. */
const entrySchema = z.object({
	type: z.string().nullable(),
	status: z.string().nullable(),
	isPreferred: z.boolean(),
});
export type KeptEntry = z.infer<typeof entrySchema>;

/** For a text, its value. For an email or a phone, its entry if the person had it, and which one was preferred. */
const keptValueSchema = z.union([
	z.string().nullable(),
	z.object({ entry: entrySchema.nullable(), preferred: z.string().nullable() }),
]);
export type KeptValue = z.infer<typeof keptValueSchema>;

const fieldSchema = z.object({
	mappingType: z.string(),
	field: z.string(),
	/** The label of its mapping type in the result files. */
	outcome: z.string(),
	/** The value of all rows; null if it is that of the row. */
	fixed: z.string().nullable(),
});
export type KeptField = z.infer<typeof fieldSchema>;

const headSchema = z.object({
	file: z.literal(BEFORE_FIELD),
	version: z.literal(1),
	/** The run of the import, as in the descriptions of its jobs. */
	run: z.string(),
	database: z.string(),
	/** Stand for the database and for the key, without a secret. */
	databaseMark: z.string(),
	keyMark: z.string(),
	/** Keyed by the label on the screen. */
	fields: z.record(fieldSchema),
	/** Why later imports do not send the rows again, and what to do: sentences. */
	notSentAgain: z.array(z.string()).optional(),
});
export type BeforeHead = z.infer<typeof headSchema>;

const rowSchema = z.object({
	/** From 1. */
	row: z.number(),
	line: z.number().optional(),
	/** Null if nobody knows, for the reason. */
	person: z.union([z.number(), z.literal('new'), z.null()]),
	reason: z.string().optional(),
	/** The value before and the value sent, keyed by the field's label. Without fields that are blank in the row. */
	values: z.record(z.tuple([keptValueSchema, z.string()])),
});
export type KeptRow = z.infer<typeof rowSchema>;

const endSchema = z.object({
	end: z.enum(['rows', 'outcomes']),
	count: z.number(),
	check: z.string(),
	/** When the last person was read, by the clock of the service. */
	at: z.string().optional(),
});

const outcomeSchema = z.object({
	row: z.number(),
	/** Only of a row that was not sent as it is in the list: the others have it already. */
	line: z.number().optional(),
	status: z.custom<RowStatus>(isRowStatus),
	primaryKey: z.union([z.number(), z.string()]).nullable(),
	jobId: z.number().nullable(),
	/** The service's words by mapping type, if it did not process all of them. */
	outcomes: z.record(z.string()).optional(),
	/** Whether other values than those kept were sent. */
	isCorrected: z.boolean().optional(),
});
export type KeptOutcome = z.infer<typeof outcomeSchema>;

/** A file that cannot be used, as the end of a sentence that begins with its name. */
export class UnusableBeforeFile extends Error {}

const MODULUS = 2 ** 48;

/** A checksum of lines in any order. */
class LineChecks {
	count = 0;
	private sum = 0;

	add(line: string): void {
		this.count++;
		const hash = createHash('sha256').update(line).digest();
		this.sum = (this.sum + hash.readUIntBE(0, 6)) % MODULUS;
	}

	get text(): string {
		return this.sum.toString(16).padStart(12, '0');
	}
}

class Lines {
	private readonly checks = new LineChecks();
	private readonly chunks = new TextChunks();

	constructor(first: readonly object[] = []) {
		for (const line of first) this.write(line);
	}

	write(line: object, isChecked = false): void {
		const text = JSON.stringify(line);
		if (isChecked) this.checks.add(text);
		this.chunks.add(`${text}\n`);
	}

	/** @param what the lines that are checked */
	end(what: 'rows' | 'outcomes', head: string, more: { at?: string } = {}): Buffer[] {
		this.checks.add(head);
		const { count, text } = this.checks;
		this.write({ end: what, count: count - 1, check: text, ...more });
		return this.chunks.end();
	}
}

export class BeforeWriter {
	private readonly lines: Lines;

	constructor(private readonly head: BeforeHead) {
		this.lines = new Lines([head]);
	}

	add(row: KeptRow): void {
		this.lines.write(row, true);
	}

	/** @param at when the last person was read, in ISO 8601 */
	end(at: string): Buffer[] {
		return this.lines.end('rows', `${JSON.stringify(this.head)} ${at}`, { at });
	}
}

/** The lines that make a file complete, once the outcome is known. */
export class OutcomeWriter {
	private readonly lines = new Lines();

	constructor(private readonly run: string) {}

	add(outcome: KeptOutcome): void {
		this.lines.write(outcome, true);
	}

	end(): Buffer[] {
		return this.lines.end('outcomes', this.run);
	}
}

/** The outcomes of rows. */
export interface KeptOutcomes {
	readonly count: number;
	/** @param index in the order of the rows */
	rowAt(index: number): number;
	of(row: number): KeptOutcome | undefined;
}

/** Whether a row was not to be sent, so that no person was read for it. */
export function isNeverSent(status: RowStatus): boolean {
	return ['invalid', 'duplicate', 'unchanged'].includes(status);
}

/** Lines of a row each. They stay texts, which take a tenth of the memory of what they say. */
class RowLines<Line extends { row: number }> {
	readonly checks = new LineChecks();
	private readonly rows: number[] = [];
	private readonly texts: string[] = [];
	private byRow: SortedNumbers | undefined;

	constructor(private readonly schema: z.ZodType<Line>) {}

	get count(): number {
		return this.rows.length;
	}

	add({ row }: Line, text: string): void {
		this.checks.add(text);
		this.rows.push(row);
		this.texts.push(text);
	}

	/** Puts them in the order of the rows. @returns whether no row has two lines */
	async sort(slice: TimeSlice): Promise<boolean> {
		this.byRow = await SortedNumbers.of(this.rows, slice);
		return !this.byRow.hasEqual;
	}

	/** @param index in the order of the rows */
	at(index: number): Line {
		return this.read(this.byRow?.order[index] ?? index);
	}

	/** @param index in the order of the rows */
	rowAt(index: number): number {
		return this.rows[this.byRow?.order[index] ?? index] ?? Number.POSITIVE_INFINITY;
	}

	of(row: number): Line | undefined {
		const position = this.byRow?.find(row);
		return position === undefined ? undefined : this.read(position);
	}

	private read(position: number): Line {
		return this.schema.parse(parseJson(this.texts[position] ?? ''));
	}
}

export interface BeforeFile {
	head: BeforeHead;
	/** ISO 8601. */
	at: string;
	/** In their order. */
	rows: Pick<RowLines<KeptRow>, 'count' | 'at' | 'rowAt'>;
	/** Undefined if the file was kept before the outcome was known. */
	outcomes: KeptOutcomes | undefined;
}

const NOT_JSON = new UnusableBeforeFile(
	'has a line that is not JSON. Use the file as "Import Items" returned it: a spreadsheet program changes the file when it saves it.',
);

/** Reads a file line by line. */
export class BeforeReader {
	private head: { value: BeforeHead; text: string } | undefined;
	private readonly rows = new RowLines<KeptRow>(rowSchema);
	private readonly outcomes = new RowLines<KeptOutcome>(outcomeSchema);
	private readonly ends = new Map<string, z.infer<typeof endSchema>>();

	add(line: string): void {
		const text = line.replace(/^\uFEFF/, '').trim();
		if (text === '') return;
		const value = parseJson(text);
		if (value === undefined) throw NOT_JSON;
		if (!isObject(value)) throw this.changed('has a line of another file');
		// Trying all kinds of lines on each would take most of the time.
		if ('file' in value) this.addHead(this.lineOf(headSchema.safeParse(value)), text);
		else if ('end' in value) this.addEnd(this.lineOf(endSchema.safeParse(value)));
		else if ('values' in value) this.rows.add(this.lineOf(rowSchema.safeParse(value)), text);
		else this.outcomes.add(this.lineOf(outcomeSchema.safeParse(value)), text);
	}

	private lineOf<Line>({ data }: { data?: Line }): Line {
		if (data === undefined) throw this.changed('has a line of another file');
		return data;
	}

	private addHead(head: BeforeHead, text: string): void {
		if (this.head) throw this.changed('has the lines of two files');
		this.head = { value: head, text };
	}

	private addEnd(end: z.infer<typeof endSchema>): void {
		if (this.ends.has(end.end)) throw this.changed('has the lines of two files');
		this.ends.set(end.end, end);
	}

	private changed(what: string): UnusableBeforeFile {
		return this.head || this.rows.count > 0
			? new UnusableBeforeFile(`${what}. Use the file as "Import Items" returned it.`)
			: new UnusableBeforeFile(
					'is not a "before" file of "Import Items". Use the file that an import with Keep What Was There returned.',
				);
	}

	async end(slice: TimeSlice): Promise<BeforeFile> {
		const { head } = this;
		if (!head) throw this.changed('lacks its first line');
		const kept = this.ends.get('rows');
		if (!kept || kept.at === undefined)
			throw new UnusableBeforeFile(
				'is incomplete: its end is missing. An import that cannot write this file to its end sends nothing.',
			);
		await this.check(kept, `${head.text} ${kept.at}`, this.rows, slice);
		const ended = this.ends.get('outcomes');
		if (ended) await this.check(ended, head.value.run, this.outcomes, slice);
		else if (this.outcomes.count > 0) throw this.changed('lacks the end of its outcomes');
		return {
			head: head.value,
			at: kept.at,
			rows: this.rows,
			outcomes: ended && this.outcomes,
		};
	}

	private async check(
		end: z.infer<typeof endSchema>,
		head: string,
		lines: RowLines<KeptRow> | RowLines<KeptOutcome>,
		slice: TimeSlice,
	): Promise<void> {
		const { checks } = lines;
		checks.add(head);
		const isDistinct = await lines.sort(slice);
		if (end.count === lines.count && isDistinct && end.check === checks.text) return;
		throw this.changed('was changed since the import');
	}
}
