import type { IDataObject } from 'n8n-workflow';

import {
	type DelimitedFormat,
	type LineWriter,
	lineWriter,
	InvalidRow,
} from '../../shared/importFile/delimitedRows';
import type { FileRow } from '../../shared/importFile/importFiles';
import type { Problem } from '../../shared/service/invalidInput';
import { plainProperty } from './expressionPath';
import type { PlannedColumn } from './importMapping';

/** Values per column in a dry run. */
const SAMPLES = 3;

function isBlank(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return true;
	return typeof value === 'string' && /^\s/.test(value) && value.trim() === '';
}

interface CountedColumn {
	column: PlannedColumn;
	/** The first values as written to the file. */
	samples: string[];
	blanks: number;
}

/** Counts the blank values of each column of an import. */
export class ColumnCounts {
	/** Rows counted: those that are sent. */
	rows = 0;
	private readonly counted: CountedColumn[];
	private readonly writers: LineWriter[];

	constructor(columns: readonly PlannedColumn[], format: DelimitedFormat) {
		this.counted = columns.map((column) => ({ column, samples: [], blanks: 0 }));
		this.writers = columns.map(({ name }) => lineWriter(format, [name]));
	}

	add(row: FileRow): void {
		if (row instanceof InvalidRow) return;
		this.rows++;
		for (let index = 0; index < this.counted.length; index++) {
			const counted = this.counted[index];
			if (!counted) continue;
			if (isBlank(row[index])) counted.blanks++;
			else if (counted.samples.length < SAMPLES) {
				const text = this.writers[index]?.([row[index]]);
				if (typeof text === 'string') counted.samples.push(text.trimEnd());
			}
		}
	}

	/** The columns that the user mapped. */
	get mapped(): CountedColumn[] {
		return this.counted.filter(({ column }) => column.expression !== undefined);
	}

	/** One entry per mapped field, for a dry run. */
	shownFields(): IDataObject[] {
		return this.mapped.flatMap(({ column, samples, blanks }) => {
			const { expression = '', fields, label } = column;
			const names = fields.map(({ mappingType, field }) => `${mappingType.key} → ${field}`);
			return (names.length > 0 ? names : [label]).map((field) => ({
				column: plainProperty(expression) ?? expression.slice(1),
				field,
				firstValues: samples,
				blanks,
			}));
		});
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
