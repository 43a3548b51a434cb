import type { INodeProperties } from 'n8n-workflow';

import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import { detach } from '../../../shared/importFile/delimitedText';
import type { FileRow } from '../../../shared/importFile/importFiles';
import type { FieldValues } from '../../../shared/parameters/enteredFields';
import type { ItemParameters } from '../../../shared/parameters/itemParameters';
import { type Problem, throwIfAny } from '../../../shared/service/invalidInput';
import type { ImportFeature } from '../feature';
import type { ImportPlan } from '../model';

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

const option: INodeProperties = {
	displayName: LABEL,
	name: 'controlTotals',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Total',
	default: {},
	displayOptions: { show: { '/resourceType': ['Contributions', 'ContributionAdjustments'] } },
	description:
		'What the contributions in the list must add up to, in total or by batch. Nothing is sent if they do not.',
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
				textField(
					'Count',
					'e.g. 120',
					'Number of contributions. Leave empty to check only the sum.',
				),
				textField(
					'Sum',
					'e.g. 4500.00',
					'Sum of the amounts. Leave empty to check only the count.',
				),
			],
		},
	],
};

const SHOWN_BATCHES = 20;
const MOST_BATCHES = 1000;

/** Batch names are trimmed, so no batch has this one. */
const OTHERS = ' ';

/** Whole cents, which add up exactly; undefined if the text is not an amount in dollars. */
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

/** The contributions of an import: how many, and their amounts, in all and by batch. */
class ControlTotals {
	private readonly all: Total = { count: 0, cents: 0 };
	private readonly batches = new Map<string, Total>();
	private withoutAmount = 0;
	private readonly amountAt: number | undefined;
	private readonly batchAt: number | undefined;

	/** @param named batches that are always counted on their own */
	constructor(
		{ resourceType, mapping: { columns } }: ImportPlan,
		private readonly named: readonly string[],
	) {
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
		const isTold =
			this.batches.has(name) || this.batches.size < MOST_BATCHES || this.named.includes(name);
		const key = isTold ? name : OTHERS;
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
			return 'needs a whole number as Count, an amount such as 4500.00 as Sum, or both.';
		if (sum !== '' && this.withoutAmount > 0)
			return `cannot be compared: ${this.withoutAmount} of the rows ${this.withoutAmount === 1 ? 'has' : 'have'} no amount that can be read. Correct them.`;
		const found = batch === '' ? this.all : (this.batches.get(batch) ?? { count: 0, cents: 0 });
		const entered = {
			count: count === '' ? found.count : Number(count),
			cents: cents ?? found.cents,
		};
		if (entered.count === found.count && entered.cents === found.cents) return '';
		return `The list has ${totalText(found)}, not ${totalText(entered)}. Correct the list or the total.`;
	}
}

/** Expressions that give nothing: an empty field means that it does not matter. */
function withoutValues(totals: readonly FieldValues[], parameters: ItemParameters): Problem[] {
	const expressions = parameters.unevaluatedEntries('options.controlTotals', 'total');
	return totals.flatMap((total, index) =>
		['batch', 'count', 'sum'].flatMap((name) => {
			const isEntered = String(expressions[index]?.[name] ?? '') !== '';
			const text = `has an expression without a value in its ${name}. Correct it.`;
			return isEntered && (total[name] ?? undefined) === undefined ? [{ field: LABEL, text }] : [];
		}),
	);
}

/** Throws InvalidInput if what would be sent differs from what was entered. */
function compareTotals(totals: ControlTotals, entered: readonly EnteredTotal[]): void {
	throwIfAny(
		entered.flatMap(([batch, ...total]) => {
			const difference = totals.difference(batch, ...total);
			const field = batch === '' ? LABEL : `${LABEL} → ${batch}`;
			return difference === '' ? [] : [{ field, text: difference }];
		}),
	);
}

type EnteredTotal = readonly [batch: string, count: string, sum: string];

/** Throws InvalidInput for expressions that give nothing. */
function readTotals(parameters: ItemParameters): EnteredTotal[] {
	const entered = parameters.in('options').entries('controlTotals', 'total');
	throwIfAny(withoutValues(entered, parameters));
	const text = (value: unknown): string => String(value ?? '').trim();
	return entered.map(({ batch, count, sum }) => [text(batch), text(count), text(sum)] as const);
}

export const controlTotals: ImportFeature = {
	options: { group: 'safety', place: 50, fields: [option] },
	refusesOtherValues: (parameters) =>
		parameters.in('options').entries('controlTotals', 'total').length > 0
			? `${LABEL}, which are those of the rows as they were given.`
			: undefined,
	of({ parameters, sends }) {
		if (!sends) return undefined;
		const entered = readTotals(parameters);
		let totals: ControlTotals | undefined;
		return {
			visit(plan) {
				const counted = new ControlTotals(
					plan,
					entered.map(([batch]) => batch),
				);
				totals = counted;
				return {
					visit: (row) => counted.add(row),
					end: () => compareTotals(counted, entered),
				};
			},
			sentences: () => totals?.sentences().map((text) => ({ text })) ?? [],
		};
	},
};
