import type { IDataObject } from 'n8n-workflow';

import { columnTexts, isBlank } from '../../../shared/importFile/columnValues';
import {
	type DelimitedFormat,
	InvalidRow,
	writtenText,
} from '../../../shared/importFile/delimitedRows';
import type { FileRow } from '../../../shared/importFile/importFiles';
import type { Problem } from '../../../shared/service/invalidInput';
import { columnTitle } from '../../rows/columnExpressions';
import { SAMPLES } from './headerMapping';
import { chosenLabel } from '../../mappingType/fieldLabels';
import { type PlannedColumn, screenName } from './importMapping';

/** A field in a dry run: null where none feeds it, or it feeds none. */
export interface ShownField extends IDataObject {
	column: string | null;
	field: string | null;
	/** What looks wrong. */
	problem: string | null;
	firstValues: string[];
	/** If undefined, no value is read. */
	blanks?: number;
}

interface CountedColumn {
	column: PlannedColumn;
	index: number;
	/** The first ones, to show them. */
	values: unknown[];
	blanks: number;
}

/** Counts the blank values of each column of an import. */
export class ColumnCounts {
	/** Rows counted: those that are sent. */
	rows = 0;
	/** The columns that the user mapped. */
	private readonly counted: CountedColumn[];

	constructor(columns: readonly PlannedColumn[]) {
		this.counted = columns.flatMap((column, index) => {
			return column.expression === undefined ? [] : { column, index, values: [], blanks: 0 };
		});
	}

	add(row: FileRow): void {
		if (row instanceof InvalidRow) return;
		this.rows++;
		for (const counted of this.counted) {
			const value = row[counted.index];
			if (isBlank(value)) counted.blanks++;
			else if (counted.values.length < SAMPLES) counted.values.push(value);
		}
	}

	/** One entry per mapped field with its values as they are sent, for a dry run. Doubts about values are by the label of the field. */
	shownFields(doubts: ReadonlyMap<string, string>, format: DelimitedFormat): ShownField[] {
		return this.counted.flatMap((counted) => {
			const { expression = '', fields, source } = counted.column;
			const shown = fields.map((target) => ({
				field: target.label,
				problem: this.isAllBlank(counted)
					? 'Blank in every row.'
					: (doubts.get(chosenLabel(target)) ?? null),
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

	private isAllBlank({ blanks }: CountedColumn): boolean {
		return this.rows > 0 && blanks === this.rows;
	}

	/** What stops an import as a whole: a record ID that is blank in every row can store every record again. */
	problems(): Problem[] {
		return this.counted.flatMap((counted) => {
			const { blankProblem: text } = counted.column;
			if (text === undefined || !this.isAllBlank(counted)) return [];
			return { field: screenName(counted.column), text };
		});
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
				? [
						`Without ${ids.join(', ')}, the service stores everyone it does not find as a new person.`,
					]
				: []),
		];
	}
}
