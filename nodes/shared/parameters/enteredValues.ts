import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidInput } from '../service/invalidInput';
import { suggestion } from '../service/nearestName';
import { wholeId } from '../service/recordId';

/** What n8n hands over of the fields a user filled in. */
export type Entered = Record<string, unknown>;

/** The entries of one kind in a fixed collection with several values. */
export function entries(collection: unknown, kind: string): Entered[] {
	const list = (collection as Entered | null | undefined)?.[kind];
	return Array.isArray(list) ? (list as Entered[]) : [];
}

/** What was typed, or chosen with a resource locator. */
export function chosen(value: unknown): unknown {
	return value !== null && typeof value === 'object' && '__rl' in value && 'value' in value
		? value.value
		: value;
}

/** What was chosen, or undefined where the field is empty. */
export function filled(value: unknown): unknown {
	const entered = chosen(value);
	const isEmpty = entered === null || (typeof entered === 'string' && entered.trim() === '');
	return isEmpty ? undefined : entered;
}

/**
 * What was chosen in a field with several choices. Throws InvalidInput naming the field if it holds
 * anything else, as an expression may.
 */
export function enteredNames<Name extends string>(
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
 * A number above 0 that was entered, also as text. Throws InvalidInput naming the field if it is none, as
 * an expression may give.
 */
export function enteredPositive(value: unknown, label: string): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isFinite(number) && number > 0) return number;
	throw new InvalidInput([
		{ field: label, text: `"${String(value).slice(0, 40)}" is not a number above 0. Enter one.` },
	]);
}

const droppedOfRun = new WeakMap<IExecuteFunctions, Set<string>>();

/** Tells the user once per run which read-only values are not sent, so that a record that was read can be sent back. */
export function noteDropped(functions: IExecuteFunctions, dropped: readonly string[]): void {
	const told = droppedOfRun.get(functions) ?? new Set();
	droppedOfRun.set(functions, told);
	// Positions in lists differ from item to item.
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
 * The value of a JSON field, which may be text or, from an expression, a value already.
 * Throws InvalidInput naming the field if the text is not JSON.
 */
export function enteredJson(
	functions: IExecuteFunctions,
	itemIndex: number,
	name: string,
	label: string,
): unknown {
	const value = functions.getNodeParameter(name, itemIndex, '');
	if (typeof value !== 'string') return value;
	let reason: string;
	try {
		return JSON.parse(value);
	} catch (error) {
		// Without the piece of the text that some messages quote: it may hold half of a password.
		reason =
			error instanceof SyntaxError ? ` (${error.message.replace(/, (\.\.\.)?".*$/s, '')})` : '';
	}
	throw new InvalidInput([
		{
			field: label,
			text: `is not valid JSON${reason}. Check commas, brackets and quotation marks.`,
		},
	]);
}

/** The record ID that a field holds. Throws InvalidInput naming the field if it holds none. */
export function enteredId(value: unknown, label: string): number {
	const entered = filled(value);
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
