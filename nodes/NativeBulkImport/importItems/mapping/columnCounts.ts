import type { IDataObject } from 'n8n-workflow';

import {
	columnTexts,
	describeMisfits,
	isBlank,
	MOST_VALUES,
} from '../../../shared/importFile/columnValues';
import {
	type DelimitedFormat,
	InvalidRow,
	writtenText,
} from '../../../shared/importFile/delimitedRows';
import { valueKindOf } from '../../../shared/importFile/headerSynonyms';
import type { FileRow } from '../../../shared/importFile/importFiles';
import type { Problem } from '../../../shared/service/invalidInput';
import { columnTitle, plainProperty } from '../../rows/columnExpressions';
import { SAMPLES } from './headerMapping';
import { chosenLabel } from '../../mappingType/fieldLabels';
import { dateKind, type MappedField, type PlannedColumn, screenName } from './importMapping';

/** A field in a dry run: null where none feeds it, or it feeds none. */
export interface ShownField extends IDataObject {
	column: string | null;
	field: string | null;
	/** What looks wrong. */
	problem: string | null;
	firstValues: string[];
	/** Without it, no value is read. */
	blanks?: number;
}

interface CountedColumn {
	column: PlannedColumn;
	index: number;
	/** The first ones, to show them and to see what looks wrong. */
	values: unknown[];
	blanks: number;
	isDate: boolean;
	/** Whether its header says that the day comes first. */
	isDayFirst: boolean;
	dayFirst?: string;
}

/** `3/4/1985`, which can be of two days. */
const NUMBERS_DATE = /^\s*(\d{1,2})([/.-])(?:0?\d|1[0-2])\2(?:\d{4}|\d\d)(?!\d)/;
/** `Date of birth (dd/mm/yyyy)`. */
const DAY_FIRST_HEADER = /\bdd?[/.-]mm?[/.-]/i;

/** The service may read the month first; dates that were read in a given order are written otherwise. */
function lookForDayFirst(counted: CountedColumn, value: unknown): void {
	if (counted.dayFirst !== undefined || typeof value !== 'string') return;
	const [, first] = NUMBERS_DATE.exec(value) ?? [];
	if (first !== undefined && (Number(first) > 12 || counted.isDayFirst))
		counted.dayFirst = value.trim();
}

/** Counts the blank values of each column of an import. */
export class ColumnCounts {
	/** Rows counted: those that are sent. */
	rows = 0;
	/** The columns that the user mapped. */
	private readonly counted: CountedColumn[];

	constructor(columns: readonly PlannedColumn[]) {
		this.counted = columns.flatMap((column, index) => {
			const { expression } = column;
			if (expression === undefined) return [];
			const isDate = column.fields.some(
				({ field, described }) => dateKind(field, described?.description ?? '') !== undefined,
			);
			const isDayFirst = DAY_FIRST_HEADER.test(plainProperty(expression) ?? '');
			return { column, index, values: [], blanks: 0, isDate, isDayFirst };
		});
	}

	add(row: FileRow): void {
		if (row instanceof InvalidRow) return;
		this.rows++;
		for (const counted of this.counted) {
			const value = row[counted.index];
			if (isBlank(value)) counted.blanks++;
			else if (counted.values.length < MOST_VALUES) counted.values.push(value);
			if (counted.isDate) lookForDayFirst(counted, value);
		}
	}

	/** One entry per mapped field with its values as they are sent, for a dry run. Doubts about values are by the label of the field. */
	shownFields(doubts: ReadonlyMap<string, string>, format: DelimitedFormat): ShownField[] {
		return this.counted.flatMap((counted) => {
			const { expression = '', fields, source } = counted.column;
			const shown = fields.map((target) => ({
				field: target.label,
				problem: this.problemOf(counted, target) ?? doubts.get(chosenLabel(target)) ?? null,
			}));
			const column = columnTitle(expression) ?? expression.slice(1);
			const written = counted.values.map((value) =>
				typeof value === 'string' ? writtenText(value, format) : value,
			);
			const firstValues = columnTexts(written).slice(0, SAMPLES);
			const { blanks } = counted;
			return (shown.length > 0 ? shown : [{ field: source, problem: null }]).map(
				({ field, problem }) => ({ column, field, problem, firstValues, blanks }),
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

	/**
	 * What stops an import as a whole: a record ID that is blank in every row can store every record again,
	 * and most dates that begin with the day would be stored as other days.
	 */
	problems(): Problem[] {
		const blank = this.counted.flatMap((counted) => {
			const { blankProblem: text } = counted.column;
			if (text === undefined || !this.isAllBlank(counted)) return [];
			return { field: screenName(counted.column), text };
		});
		const dayFirst = this.counted.flatMap((counted) => {
			if (counted.dayFirst === undefined) return [];
			const text = `has dates that begin with the day, e.g. "${counted.dayFirst.slice(0, 20)}". The service may read the month first, so set Dates in the List, e.g. to Day First.`;
			return { field: screenName(counted.column), text };
		});
		return [...blank, ...dayFirst];
	}

	/** The record IDs that rows have. */
	givenIds(): string[] {
		return this.counted
			.filter((counted) => counted.column.isRecordId && this.rows > counted.blanks)
			.map(({ column }) => column.source);
	}

	/** Rows without a record ID that other rows have, by its name. */
	blankIds(): Record<string, number> {
		return Object.fromEntries(
			this.counted
				.filter(({ column, blanks }) => column.isRecordId && blanks > 0)
				.map(({ column, blanks }) => [column.source, blanks]),
		);
	}

	/** One sentence for all blank columns, and one if an ID is among them. */
	blankColumns(): string[] {
		const blank = this.counted.filter((counted) => this.isAllBlank(counted));
		if (blank.length === 0) return [];
		const nameOf = ({ column }: CountedColumn): string => column.label;
		const ids = blank.filter(({ column }) => column.isRecordId).map(nameOf);
		return [
			`Blank in every row: ${blank.map(nameOf).join(', ')}.`,
			...(ids.length > 0
				? [`Without ${ids.join(', ')}, the service stores everybody whom it does not find as new.`]
				: []),
		];
	}
}
