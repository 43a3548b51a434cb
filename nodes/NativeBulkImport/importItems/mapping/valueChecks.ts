import type { IDataObject } from 'n8n-workflow';

import {
	columnTexts,
	describeMisfits,
	isBlank,
	MOST_VALUES,
} from '../../../shared/importFile/columnValues';
import { type DelimitedFormat, InvalidRow } from '../../../shared/importFile/delimitedRows';
import { valueKindOf } from '../../../shared/importFile/headerSynonyms';
import type { FileRow } from '../../../shared/importFile/importFiles';
import type { Problem } from '../../../shared/service/invalidInput';
import { columnTitle, type ImportRows, plainProperty, readWritten } from '../rows/importRows';
import { chosenLabel } from './fieldLabels';
import { SAMPLES, shownNames } from './headerMapping';
import {
	type MappedField,
	type MappingPlan,
	type PlannedColumn,
	screenName,
} from './importMapping';
import { dateKind } from './valueConverters';

interface CountedColumn {
	column: PlannedColumn;
	/** The first ones, to show them and to see what looks wrong. */
	values: unknown[];
	blanks: number;
	/** Whether it holds dates. */
	isDate: boolean;
	/** A date that begins with the day. */
	dayFirst?: string;
}

/** `3/4/1985`, which can be of two days. */
const NUMBERS_DATE = /^\s*(\d{1,2})([/.-])(?:0?\d|1[0-2])\2(?:\d{4}|\d\d)(?!\d)/;
/** `Date of birth (dd/mm/yyyy)`. */
const DAY_FIRST_HEADER = /\bdd?[/.-]mm?[/.-]/i;

/** The service may read the month first; dates that were read with Date Format are written otherwise. */
function lookForDayFirst(counted: CountedColumn, value: unknown): void {
	if (counted.dayFirst !== undefined || typeof value !== 'string') return;
	const [, first] = NUMBERS_DATE.exec(value) ?? [];
	const header = plainProperty(counted.column.expression ?? '') ?? '';
	if (first !== undefined && (Number(first) > 12 || DAY_FIRST_HEADER.test(header)))
		counted.dayFirst = value.trim();
}

/** Counts the blank values of each column of an import. */
export class ColumnCounts {
	/** Rows counted: those that are sent. */
	rows = 0;
	private readonly counted: CountedColumn[];

	constructor(columns: readonly PlannedColumn[]) {
		this.counted = columns.map((column) => {
			const isDate = column.fields.some(
				({ field, described }) => dateKind(field, described?.description ?? '') !== undefined,
			);
			return { column, values: [], blanks: 0, isDate };
		});
	}

	add(row: FileRow): void {
		if (row instanceof InvalidRow) return;
		this.rows++;
		for (const [index, counted] of this.counted.entries()) {
			if (isBlank(row[index])) counted.blanks++;
			else if (counted.values.length < MOST_VALUES) counted.values.push(row[index]);
			if (counted.isDate) lookForDayFirst(counted, row[index]);
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
		labels: ReadonlyMap<MappedField, string>,
		doubts: ReadonlyMap<string, string>,
	): IDataObject[] {
		return this.mapped.flatMap((counted) => {
			const { expression = '', fields, label } = counted.column;
			const shown = fields.map((target) => ({
				field: labels.get(target) ?? target.field,
				problem: this.problemOf(counted, target) ?? doubts.get(chosenLabel(target)) ?? null,
			}));
			return (shown.length > 0 ? shown : [{ field: label, problem: null }]).map(
				({ field, problem }) => ({
					column: columnTitle(expression) ?? expression.slice(1),
					field,
					firstValues: columnTexts(counted.values).slice(0, SAMPLES),
					blanks: counted.blanks,
					problem,
				}),
			);
		});
	}

	/** What looks wrong with the values of a field; null if nothing does. */
	private problemOf(counted: CountedColumn, { field, accepted }: MappedField): string | null {
		if (this.isAllBlank(counted)) return 'Blank in every row.';
		const kind = valueKindOf(field);
		// IDs of predefined values are written, not their names.
		if (kind === undefined || accepted) return null;
		return describeMisfits(columnTexts(counted.values), kind);
	}

	private isAllBlank({ blanks }: CountedColumn): boolean {
		return this.rows > 0 && blanks === this.rows;
	}

	/** What stops an import as a whole. */
	problems(): Problem[] {
		return [...this.blankIdProblems(), ...this.dayFirstProblems()];
	}

	/** Most dates of such a column would be stored as other days, and only some rejected. */
	private dayFirstProblems(): Problem[] {
		return this.mapped.flatMap(({ column, dayFirst }) =>
			dayFirst === undefined
				? []
				: {
						field: `Fields → ${column.label}`,
						text: `has dates that begin with the day, e.g. "${dayFirst.slice(0, 20)}". The service may read the month first, so set the option Date Format, e.g. to d/M/yyyy.`,
					},
		);
	}

	/** A record ID that is blank in every row would store every record again. */
	private blankIdProblems(): Problem[] {
		return this.mapped
			.filter((counted) => counted.column.isRecordId && this.isAllBlank(counted))
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
		const blank = this.mapped.filter((counted) => this.isAllBlank(counted));
		const names = blank.map(({ column }) => column.label);
		return names.length > 0 ? [`Blank in every row: ${names.join(', ')}.`] : [];
	}
}

/** Rows a message lists by number; it only counts the others. */
const NAMED_ROWS = 10;

/** Builds a problem from its places, such as `row 3` or `items 1, 2 and 7 more`. */
type Describe = (places: string) => Problem | Promise<Problem>;

/** Problems, each with all rows that have it. */
class RowProblems {
	private readonly found = new Map<
		string,
		{ count: number; named: number[]; describe: Describe }
	>();

	constructor(private readonly source: Pick<ImportRows, 'noun' | 'lineOf'>) {}

	/**
	 * @param key of the problem
	 * @param row its number, from 1
	 * @param describe is called for the first row of the key only
	 */
	add(key: string, row: number, describe: Describe): void {
		const problem = this.found.get(key) ?? { count: 0, named: [], describe };
		this.found.set(key, problem);
		if (problem.count++ < NAMED_ROWS) problem.named.push(row);
	}

	async list(): Promise<Problem[]> {
		const { noun, lineOf } = this.source;
		const problems = [...this.found.values()].map(async ({ count, named, describe }) => {
			const numbers = (lineOf ? named.map(lineOf) : named).map(String);
			return await describe(
				`${lineOf ? 'line' : noun}${count > 1 ? 's' : ''} ${shownNames(numbers, count)}`,
			);
		});
		return await Promise.all(problems);
	}
}

/** The fields with predefined values that columns fill; a list that was not read is not checked. */
function acceptedFields(columns: readonly PlannedColumn[]) {
	return columns.flatMap(({ fields }, index) =>
		fields.flatMap(({ accepted, ...field }) => (accepted ? [{ index, field, accepted }] : [])),
	);
}

/** Makes rows invalid that have a value which is not among the predefined ones. */
export function rejectUnaccepted({ columns }: MappingPlan): void {
	for (const { index, field, accepted } of acceptedFields(columns)) {
		const column = columns[index];
		if (!column) continue;
		const { convert = (value: unknown) => value } = column;
		column.convert = (...values) => {
			const value = convert(...values);
			const text = String(value ?? '').trim();
			if (value instanceof InvalidRow || accepted.accepts(text)) return value;
			const reason = `"${text.slice(0, 40)}" is not in the list of the service.`;
			return new InvalidRow(screenName(field), reason);
		};
	}
}

async function fixedProblems({ fixed }: MappingPlan): Promise<Problem[]> {
	const wrong = fixed.filter(({ accepted, value }) => accepted?.accepts(value) === false);
	return await Promise.all(
		wrong.map(async (mapped) => ({
			field: screenName(mapped),
			text: (await mapped.accepted?.describeProblem(mapped.value)) ?? '',
		})),
	);
}

/**
 * Reads all rows once to find values that are not among the predefined ones, and blank record IDs.
 * @param reportsInvalid whether to report rows that cannot be written; otherwise a later step names them all
 */
export async function valueProblems(
	plan: MappingPlan,
	source: Pick<ImportRows, 'noun' | 'read' | 'lineOf'>,
	format: DelimitedFormat,
	reportsInvalid: boolean,
): Promise<Problem[]> {
	const fixed = await fixedProblems(plan);
	// Of items, read only the checked fields: expressions are slow. Always read a file to its end: damage
	// must be found before the first job starts.
	const isChecked = ({ fields }: PlannedColumn): boolean => fields.some(({ accepted }) => accepted);
	const columns = source.noun === 'row' ? plan.columns : plan.columns.filter(isChecked);
	if (columns.length === 0) return fixed;
	const checked = acceptedFields(columns);
	const counts = new ColumnCounts(columns);
	const unaccepted = new RowProblems(source);
	const invalid = new RowProblems(source);
	let number = 0;
	for await (const batch of readWritten(source, columns, format)) {
		for (const row of batch) {
			number++;
			if (row instanceof InvalidRow) {
				const { field, reason } = row;
				const describe: Describe = (places) => ({ field, text: `${reason} See ${places}.` });
				if (reportsInvalid) invalid.add(`${field}: ${reason}`, number, describe);
				continue;
			}
			counts.add(row);
			for (const { index, field, accepted } of checked) {
				const value = String(row[index] ?? '').trim();
				if (accepted.accepts(value)) continue;
				unaccepted.add(screenName(field), number, async (places) => ({
					field: screenName(field),
					text: await accepted.describeProblem(value, ` (${places})`),
				}));
			}
		}
	}
	const invalidRows = await invalid.list();
	const last = invalidRows.at(-1);
	if (last)
		last.text += ' To import the other rows, set On Error to Continue in the node settings.';
	return [...fixed, ...counts.problems(), ...(await unaccepted.list()), ...invalidRows];
}
