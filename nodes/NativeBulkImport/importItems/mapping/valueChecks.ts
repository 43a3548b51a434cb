import type { IDataObject } from 'n8n-workflow';

import type { ServiceList } from '../../../shared/execution/serviceList';
import {
	type DelimitedFormat,
	InvalidRow,
	type LineWriter,
	lineWriter,
} from '../../../shared/importFile/delimitedRows';
import { columnTexts, describeMisfits, MOST_VALUES } from '../../../shared/importFile/columnValues';
import { valueKindOf } from '../../../shared/importFile/headerSynonyms';
import type { FileRow } from '../../../shared/importFile/importFiles';
import type { Problem } from '../../../shared/service/invalidInput';
import { type ImportRows, plainProperty } from '../rows/importRows';
import { targetLabel } from './fieldLabels';
import { SAMPLES } from './headerMapping';
import type { ChosenMappingType, MappingPlan, PlannedColumn } from './importMapping';

function isBlank(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return true;
	return typeof value === 'string' && /^\s/.test(value) && value.trim() === '';
}

interface CountedColumn {
	column: PlannedColumn;
	/** The first values as written to the file. */
	samples: string[];
	/** More of them, to see what looks wrong. */
	values: unknown[];
	blanks: number;
}

/** Counts the blank values of each column of an import. */
export class ColumnCounts {
	/** Rows counted: those that are sent. */
	rows = 0;
	private readonly counted: CountedColumn[];
	private readonly writers: LineWriter[];

	constructor(columns: readonly PlannedColumn[], format: DelimitedFormat) {
		this.counted = columns.map((column) => ({ column, samples: [], values: [], blanks: 0 }));
		this.writers = columns.map(({ name }) => lineWriter(format, [name]));
	}

	add(row: FileRow): void {
		if (row instanceof InvalidRow) return;
		this.rows++;
		for (let index = 0; index < this.counted.length; index++) {
			const counted = this.counted[index];
			if (!counted) continue;
			if (isBlank(row[index])) {
				counted.blanks++;
				continue;
			}
			if (counted.values.length < MOST_VALUES) counted.values.push(row[index]);
			if (counted.samples.length < SAMPLES) {
				const text = this.writers[index]?.([row[index]]);
				if (typeof text === 'string') counted.samples.push(text.trimEnd());
			}
		}
	}

	/** The columns that the user mapped. */
	get mapped(): CountedColumn[] {
		return this.counted.filter(({ column }) => column.expression !== undefined);
	}

	/**
	 * One entry per mapped field, for a dry run.
	 * @param doubts about values, by the label of the field
	 */
	shownFields(
		nameOf: (target: PlannedColumn['fields'][number]) => string,
		doubts: ReadonlyMap<string, string>,
	): IDataObject[] {
		return this.mapped.flatMap((counted) => {
			const { column, samples: firstValues, blanks } = counted;
			const { expression = '', fields, label } = column;
			const shown = fields.map((target) => ({
				field: nameOf(target),
				problem: this.problemOf(counted, target) ?? doubts.get(targetLabel(target)) ?? null,
			}));
			return (shown.length > 0 ? shown : [{ field: label, problem: null }]).map(
				({ field, problem }) => ({
					column: plainProperty(expression) ?? expression.slice(1),
					field,
					firstValues,
					blanks,
					problem,
				}),
			);
		});
	}

	/** What looks wrong with the values of a field; null if nothing does. */
	private problemOf(
		{ values, blanks }: CountedColumn,
		{ mappingType, field }: PlannedColumn['fields'][number],
	): string | null {
		if (this.rows > 0 && blanks === this.rows) return 'Blank in every row.';
		const kind = valueKindOf(field);
		// IDs of predefined values are written, not their names.
		if (kind === undefined || mappingType.accepted?.has(field)) return null;
		return describeMisfits(columnTexts(values), kind);
	}

	/** A record ID that is blank in every row would store every record again. */
	blankIdProblems(): Problem[] {
		return this.mapped
			.filter(({ column, blanks }) => column.isRecordId && this.rows > 0 && blanks === this.rows)
			.map(({ column }) => ({
				field: `Fields → ${column.label}`,
				text: 'is blank in every row, so no row could be matched to its record. Map it to the column that holds the IDs, or remove it from Fields.',
			}));
	}

	/** Rows without a record ID that other rows have, by its name. */
	blankIds(): Record<string, number> {
		return Object.fromEntries(
			this.mapped
				.filter(({ column, blanks }) => column.isRecordId && blanks > 0)
				.map(({ column, blanks }) => [column.label, blanks]),
		);
	}

	/** One sentence for all blank columns. */
	blankColumns(): string[] {
		const blank = this.mapped.filter(({ blanks }) => this.rows > 0 && blanks === this.rows);
		const names = blank.map(({ column }) => column.label);
		return names.length > 0 ? [`Blank in every row: ${names.join(', ')}.`] : [];
	}
}

/** Rows a message lists by number; it only counts the others. */
const NAMED_ROWS = 10;

/** One problem and all rows that have it. */
class RepeatedProblem {
	private readonly named: number[] = [];
	private count = 0;

	/** @param told builds the problem from its places, such as `row 3` or `items 1, 2 and 7 more` */
	constructor(private readonly told: (places: string) => Problem | Promise<Problem>) {}

	/** @param number row number, from 1 */
	at(number: number): void {
		if (this.count++ < NAMED_ROWS) this.named.push(number);
	}

	async problem({ noun, lineOf }: Pick<ImportRows, 'noun' | 'lineOf'>): Promise<Problem> {
		const more = this.count - this.named.length;
		const numbers = lineOf ? this.named.map(lineOf) : this.named;
		const places = `${lineOf ? 'line' : noun}${this.count > 1 ? 's' : ''} ${numbers.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
		return await this.told(places);
	}
}

/** A field with predefined values that the import fills. */
interface PredefinedField {
	mappingType: ChosenMappingType;
	field: string;
	/** Position of its column, or the fixed value. */
	source: { column: number } | { value: string };
	accepted: ServiceList;
}

/** Mapped fields with predefined values; a list that was not read is not checked. */
function predefinedFields(plan: MappingPlan): PredefinedField[] {
	const mapped = [
		...plan.columns.flatMap(({ fields }, column) =>
			fields.map((target) => ({ ...target, source: { column } })),
		),
		...plan.fixed.map(({ value, ...target }) => ({ ...target, source: { value } })),
	];
	return mapped.flatMap((target) => {
		const accepted = target.mappingType.accepted?.get(target.field);
		return accepted ? [{ ...target, accepted }] : [];
	});
}

async function wrongValue(
	{ mappingType, field, accepted }: PredefinedField,
	value: string,
	places?: string,
): Promise<Problem> {
	return {
		field: `Fields → ${mappingType.key} → ${field}`,
		text: await accepted.describeProblem(value, places),
	};
}

/** Makes rows invalid that have a value which is not among the predefined ones. */
export function rejectUnaccepted(plan: MappingPlan): void {
	for (const { mappingType, field, source, accepted } of predefinedFields(plan)) {
		const column = 'column' in source ? plan.columns[source.column] : undefined;
		if (!column) continue;
		const { convert = (value: unknown) => value } = column;
		column.convert = (...values) => {
			const value = convert(...values);
			const text = String(value ?? '').trim();
			if (value instanceof InvalidRow || accepted.accepts(text)) return value;
			const reason = `"${text.slice(0, 40)}" is not in the list of the service.`;
			return new InvalidRow(`Fields → ${mappingType.key} → ${field}`, reason);
		};
	}
}

/** Further checks of {@link valueProblems}. */
interface ValueChecks {
	line: LineWriter;
	/** Whether to report rows that cannot be written; otherwise a later step names them all. */
	reportsInvalid: boolean;
	/** Counts the values of all rows that can be written, for files only: those are read completely. */
	counts: ColumnCounts;
}

/** Reads all rows once to find values that are not among the predefined ones. */
export async function valueProblems(
	plan: MappingPlan,
	source: Pick<ImportRows, 'noun' | 'read' | 'lineOf'>,
	{ line, reportsInvalid, counts }: ValueChecks,
): Promise<Problem[]> {
	const { noun } = source;
	const fixed: Problem[] = [];
	const perRow: Array<{ field: PredefinedField; column: number; wrong?: RepeatedProblem }> = [];
	for (const field of predefinedFields(plan)) {
		if ('column' in field.source) perRow.push({ field, column: field.source.column });
		else if (!field.accepted.accepts(field.source.value.trim()))
			fixed.push(await wrongValue(field, field.source.value));
	}
	// Always read a file to its end: damage must be found before the first job starts.
	if (noun === 'item' && perRow.length === 0) return fixed;
	// Of items, read only the checked fields: expressions are slow.
	const isRead = (index: number): boolean =>
		noun === 'row' || perRow.some(({ column }) => column === index);
	const columns = plan.columns.filter((_, index) => isRead(index));
	for (const checked of perRow)
		checked.column = columns.findIndex((column) => column === plan.columns[checked.column]);
	const rejected = new Map<string, RepeatedProblem>();
	let number = 0;
	for await (const batch of source.read(columns)) {
		for (const row of batch) {
			number++;
			const text = noun === 'item' || row instanceof InvalidRow ? row : line(row);
			if (noun === 'row' && !(text instanceof InvalidRow)) counts.add(row);
			if (text instanceof InvalidRow && reportsInvalid) {
				const { field, reason } = text;
				const key = `${field}: ${reason}`;
				const known =
					rejected.get(key) ??
					new RepeatedProblem((places) => ({ field, text: `${reason} See ${places}.` }));
				rejected.set(key, known);
				known.at(number);
			}
			if (row instanceof InvalidRow) continue;
			for (const checked of perRow) {
				const value = String(row[checked.column] ?? '').trim();
				if (checked.field.accepted.accepts(value)) continue;
				checked.wrong ??= new RepeatedProblem((places) =>
					wrongValue(checked.field, value, ` (${places})`),
				);
				checked.wrong.at(number);
			}
		}
	}
	const problemsOf = async (repeated: Iterable<RepeatedProblem>): Promise<Problem[]> =>
		await Promise.all([...repeated].map(async (problem) => await problem.problem(source)));
	const invalid = await problemsOf(rejected.values());
	const last = invalid.at(-1);
	if (last)
		last.text += ' To import the other rows, set On Error to Continue in the node settings.';
	return [
		...fixed,
		...counts.blankIdProblems(),
		...(await problemsOf(perRow.flatMap(({ wrong }) => wrong ?? []))),
		...invalid,
	];
}
