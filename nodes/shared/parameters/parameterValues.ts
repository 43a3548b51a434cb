import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidInput } from '../service/invalidInput';
import { hasRounded } from '../service/jsonText';
import { suggestion } from '../service/nearestName';
import { wholeId } from '../service/recordId';

/** The fields a user filled in, as n8n passes them. */
export type FieldValues = Record<string, unknown>;

/** The entries of one kind in a fixed collection with several values. */
export function entries(collection: unknown, kind: string): FieldValues[] {
	const list = (collection as FieldValues | null | undefined)?.[kind];
	return Array.isArray(list) ? (list as FieldValues[]) : [];
}

/** The value typed or chosen in a resource locator. */
export function locatorValue(value: unknown): unknown {
	return value !== null && typeof value === 'object' && '__rl' in value && 'value' in value
		? value.value
		: value;
}

/** The value, or undefined if the field is empty. */
export function nonEmpty(value: unknown): unknown {
	const entered = locatorValue(value);
	const isEmpty = entered === null || (typeof entered === 'string' && entered.trim() === '');
	return isEmpty ? undefined : entered;
}

/**
 * The choices of a multi-select field. Throws InvalidInput naming the field for any other value, which
 * an expression may give.
 */
export function parameterNames<Name extends string>(
	functions: IExecuteFunctions,
	itemIndex: number,
	name: string,
	label: string,
	known: readonly Name[],
): Name[] {
	const value: unknown = functions.getNodeParameter(name, itemIndex, []) ?? [];
	const given: unknown[] = Array.isArray(value)
		? value
		: String(value)
				.split(',')
				.map((part) => part.trim())
				.filter((part) => part !== '');
	return given.map((entry) => {
		const found = known.find((one) => one === entry);
		if (found !== undefined) return found;
		throw new InvalidInput([
			{
				field: label,
				text: `"${String(entry).slice(0, 40)}" is not one of ${known.join(', ')}.${suggestion(String(entry), known)}`,
			},
		]);
	});
}

/**
 * A number above 0, also as text. Throws InvalidInput naming the field for any other value, which an
 * expression may give.
 */
export function parameterPositive(value: unknown, label: string): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isFinite(number) && number > 0) return number;
	throw new InvalidInput([
		{ field: label, text: `"${String(value).slice(0, 40)}" is not a number above 0. Enter one.` },
	]);
}

const droppedOfRun = new WeakMap<IExecuteFunctions, Set<string>>();

/** Lists once per run the read-only values that are not sent: a record that was read can be sent back. */
export function noteDropped(functions: IExecuteFunctions, dropped: readonly string[]): void {
	const told = droppedOfRun.get(functions) ?? new Set();
	droppedOfRun.set(functions, told);
	// Positions in lists differ between items.
	const names = [...new Set(dropped.map((name) => name.replace(/\[\d+\]/g, '')))];
	const fresh = names.filter((name) => !told.has(name));
	if (fresh.length === 0 || !('addExecutionHints' in functions)) return;
	for (const name of fresh) told.add(name);
	functions.addExecutionHints({
		message: `Not sent, because the service sets it itself: ${fresh.join(', ')}.`,
		location: 'outputPane',
	});
}

/**
 * The value of a JSON field: text or, from an expression, already a value.
 * Throws InvalidInput naming the field if the text is not JSON.
 */
export function parameterJson(
	functions: IExecuteFunctions,
	itemIndex: number,
	name: string,
	label: string,
): unknown {
	const entered = functions.getNodeParameter(name, itemIndex, '');
	let reason: string;
	try {
		const value: unknown = typeof entered === 'string' ? JSON.parse(entered) : entered;
		if (!hasRounded(value)) return value;
		reason = 'has a number with more digits than can be kept. Put it in quotation marks.';
	} catch (error) {
		// Without the excerpt some messages quote: it may contain part of a password.
		const where =
			error instanceof SyntaxError ? ` (${error.message.replace(/, (\.\.\.)?".*$/s, '')})` : '';
		reason = `is not valid JSON${where}. Check commas, brackets and quotation marks.`;
	}
	throw new InvalidInput([{ field: label, text: reason }]);
}

/** The record ID in a field. Throws InvalidInput naming the field if there is none. */
export function parameterId(value: unknown, label: string): number {
	const entered = nonEmpty(value);
	const id = wholeId(entered);
	if (id !== undefined) return id;
	const shown = String(entered).slice(0, 40);
	throw new InvalidInput([
		{
			field: label,
			text:
				entered === undefined || shown === 'undefined'
					? 'is empty. Enter the ID of the record.'
					: `"${shown}" is not an ID. It must be a whole number.`,
		},
	]);
}
