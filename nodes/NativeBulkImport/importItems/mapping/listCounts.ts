import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { NodeContext } from '../../../shared/execution/operation';
import {
	columnTexts,
	describeMisfits,
	isBlank,
	MOST_VALUES,
} from '../../../shared/importFile/columnValues';
import { type DelimitedFormat, InvalidRow } from '../../../shared/importFile/delimitedRows';
import { detach } from '../../../shared/importFile/delimitedText';
import { valueKindOf } from '../../../shared/importFile/headerSynonyms';
import type { FileRow } from '../../../shared/importFile/importFiles';
import type { FieldValues } from '../../../shared/parameters/enteredFields';
import type { ItemParameters } from '../../../shared/parameters/itemParameters';
import { type Problem, throwIfAny } from '../../../shared/service/invalidInput';
import { columnTitle, plainProperty } from '../../rows/columnExpressions';
import { type ImportRows, readWritten, visitRows } from '../../rows/importRows';
import { SAMPLES } from './headerMapping';
import { chosenLabel } from '../../mappingType/fieldLabels';
import {
	dateKind,
	type MappedField,
	type MappingPlan,
	type PlannedColumn,
	screenName,
} from './importMapping';

interface CountedColumn {
	column: PlannedColumn;
	index: number;
	/** The first ones, to show them and to see what looks wrong. */
	values: unknown[];
	blanks: number;
	isDate: boolean;
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
	/** The columns that the user mapped. */
	private readonly counted: CountedColumn[];

	constructor(columns: readonly PlannedColumn[]) {
		this.counted = columns.flatMap((column, index) => {
			const isDate = column.fields.some(
				({ field, described }) => dateKind(field, described?.description ?? '') !== undefined,
			);
			return column.expression === undefined
				? []
				: { column, index, values: [], blanks: 0, isDate };
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

	/** One entry per mapped field, for a dry run. Doubts about values are by the label of the field. */
	shownFields(doubts: ReadonlyMap<string, string>): IDataObject[] {
		return this.counted.flatMap((counted) => {
			const { expression = '', fields, source } = counted.column;
			const shown = fields.map((target) => ({
				field: target.label,
				problem: this.problemOf(counted, target) ?? doubts.get(chosenLabel(target)) ?? null,
			}));
			const column = columnTitle(expression) ?? expression.slice(1);
			const firstValues = columnTexts(counted.values).slice(0, SAMPLES);
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
			const text = `has dates that begin with the day, e.g. "${counted.dayFirst.slice(0, 20)}". The service may read the month first, so set the option Date Format, e.g. to d/M/yyyy.`;
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

const LABEL = 'Control Totals';

const textField = (
	displayName: string,
	placeholder: string,
	description: string,
): INodeProperties => ({
	displayName,
	name: displayName.toLowerCase(),
	type: 'string',
	default: '',
	placeholder,
	description,
});

export const controlTotalsOption: INodeProperties = {
	displayName: LABEL,
	name: 'controlTotals',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Total',
	default: {},
	description:
		'What the contributions of the list must add up to, in all or by batch. Nothing is sent if they do not.',
	options: [
		{
			displayName: 'Total',
			name: 'total',
			values: [
				textField(
					'Batch',
					'e.g. 2026-031',
					'Value of the batch field. Empty for all contributions.',
				),
				textField('Count', 'e.g. 120', 'Number of contributions. Empty if it does not matter.'),
				textField('Sum', 'e.g. 4500.00', 'Sum of the amounts. Empty if it does not matter.'),
			],
		},
	],
};

const SHOWN_BATCHES = 20;
const MOST_BATCHES = 1000;

/** No batch has this name, because names are trimmed. */
const OTHERS = ' ';

/** Whole cents, which add up exactly; undefined for a text that is no amount in dollars. */
export function centsOf(value: unknown): number | undefined {
	const amount = /^(-?)\$?\s*(\d{1,11}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2})0*)?$/;
	const [, minus, whole, decimals = ''] = amount.exec(String(value ?? '').trim()) ?? [];
	if (whole === undefined) return undefined;
	return Number(`${minus}${whole.replaceAll(',', '')}${decimals.padEnd(2, '0')}`);
}

interface Total {
	count: number;
	cents: number;
}

function totalText({ count, cents }: Total): string {
	const digits = String(Math.abs(cents)).padStart(3, '0');
	const whole = Number(digits.slice(0, -2)).toLocaleString('en-US');
	return `${count.toLocaleString('en-US')}, sum ${cents < 0 ? '-' : ''}${whole}.${digits.slice(-2)}`;
}

interface PlannedRows extends NodeContext {
	rows: ImportRows;
	settings: { format: DelimitedFormat };
	resourceType: string;
	mapping: MappingPlan;
}

/** The contributions of an import: how many, and their amounts, in all and by batch. */
export class ControlTotals {
	private readonly all: Total = { count: 0, cents: 0 };
	private readonly batches = new Map<string, Total>();
	private withoutAmount = 0;
	private readonly amountAt: number | undefined;
	private readonly batchAt: number | undefined;

	/** @param named batches that are told apart however many there are */
	constructor(
		{ resourceType, mapping: { columns } }: Pick<PlannedRows, 'resourceType' | 'mapping'>,
		named: readonly string[] = [],
	) {
		for (const name of named) this.batches.set(name, { count: 0, cents: 0 });
		const find = (pattern: RegExp): number | undefined => {
			const found = columns.flatMap(({ fields }, index) =>
				fields.some(({ field }) => pattern.test(field)) ? index : [],
			);
			return found.length === 1 && resourceType.startsWith('Contribution') ? found[0] : undefined;
		};
		this.amountAt = find(/Amount$/i);
		this.batchAt = find(/Batch|^DepositNumber$/i);
	}

	add(row: FileRow): void {
		if (this.amountAt === undefined || row instanceof InvalidRow) return;
		const cents = centsOf(row[this.amountAt]);
		if (cents === undefined) this.withoutAmount++;
		const name = this.batchAt === undefined ? '' : String(row[this.batchAt] ?? '').trim();
		const key = this.batches.has(name) || this.batches.size < MOST_BATCHES ? name : OTHERS;
		const batch = this.batches.get(key) ?? { count: 0, cents: 0 };
		if (batch.count === 0) this.batches.set(detach(key), batch);
		for (const total of [this.all, batch]) {
			total.count++;
			total.cents += cents ?? 0;
		}
	}

	/** One sentence for imports of contributions. */
	sentences(): string[] {
		if (this.amountAt === undefined) return [];
		const batches = [...this.batches].map(
			([name, total]) => `batch ${name || '(blank)'}: ${totalText(total)}`,
		);
		const more = batches.length - SHOWN_BATCHES;
		const atLeast = this.batches.has(OTHERS) ? 'at least ' : '';
		return [
			[
				`Contributions: ${totalText(this.all)}`,
				...(this.withoutAmount > 0 ? [`${this.withoutAmount} without an amount`] : []),
				...(this.batchAt === undefined ? [] : batches.slice(0, SHOWN_BATCHES)),
				...(more > 0 ? [`${atLeast}${more} more ${more === 1 ? 'batch' : 'batches'}`] : []),
			].join('; ') + '.',
		];
	}

	/** What differs from an entered total; empty if nothing does. */
	difference(batch: string, count: string, sum: string): string {
		if (this.amountAt === undefined || (batch !== '' && this.batchAt === undefined))
			return 'needs an import of contributions with one mapped field for the amount, and one for the batch if you enter a batch.';
		const cents = centsOf(sum);
		if ((count === '' && sum === '') || (sum !== '' && cents === undefined) || /\D/.test(count))
			return 'must be a whole number as Count, an amount such as 4500.00 as Sum, or both.';
		if (sum !== '' && this.withoutAmount > 0)
			return `cannot be compared: ${this.withoutAmount} of the rows ${this.withoutAmount === 1 ? 'has' : 'have'} no amount that can be read. Correct them. Nothing was sent.`;
		const found = batch === '' ? this.all : (this.batches.get(batch) ?? { count: 0, cents: 0 });
		const entered = {
			count: count === '' ? found.count : Number(count),
			cents: cents ?? found.cents,
		};
		if (entered.count === found.count && entered.cents === found.cents) return '';
		return `The list has ${totalText(found)}, not ${totalText(entered)}. Nothing was sent. Correct the list or the total.`;
	}
}

/** Expressions that give nothing: an empty field means that it does not matter. */
function withoutValues(totals: readonly FieldValues[], parameters: ItemParameters): Problem[] {
	const expressions = parameters.unevaluatedEntries('options.controlTotals', 'total');
	return totals.flatMap((total, index) =>
		['batch', 'count', 'sum'].flatMap((name) => {
			const isEntered = String(expressions[index]?.[name] ?? '') !== '';
			const text = `has an expression without a value in its ${name}. Correct it. Nothing was sent.`;
			return isEntered && (total[name] ?? undefined) === undefined ? [{ field: LABEL, text }] : [];
		}),
	);
}

/** Reads all rows once if totals were entered. Throws InvalidInput if what would be sent differs. */
export async function checkControlTotals(plan: PlannedRows): Promise<void> {
	const { parameters, rows, mapping, settings } = plan;
	const entered = parameters.in('options').entries('controlTotals', 'total');
	if (entered.length === 0) return;
	throwIfAny(withoutValues(entered, parameters));
	const text = (value: unknown): string => String(value ?? '').trim();
	const wanted = entered.map(
		({ batch, count, sum }) => [text(batch), text(count), text(sum)] as const,
	);
	const totals = new ControlTotals(
		plan,
		wanted.map(([batch]) => batch),
	);
	await visitRows(readWritten(rows, mapping.columns, settings.format), (row) => totals.add(row));
	throwIfAny(
		wanted.flatMap(([batch, ...total]) => {
			const difference = totals.difference(batch, ...total);
			const field = batch === '' ? LABEL : `${LABEL} → ${batch}`;
			return difference === '' ? [] : [{ field, text: difference }];
		}),
	);
}
