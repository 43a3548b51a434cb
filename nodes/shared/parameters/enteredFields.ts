import { ROUNDED, tidyText, WHOLE_ID, wholeId } from '../service/bodySchema';
import { dateText } from '../service/dateText';
import { InvalidInput } from '../service/invalidInput';
import { hasLostNumber, isRounded } from '../service/jsonText';
import { suggestion } from '../service/nearestName';
import { isObject } from '../service/requestBody';

export type FieldValues = Record<string, unknown>;

export function entries(collection: unknown, kind: string): FieldValues[] {
	const list = isObject(collection) ? collection[kind] : undefined;
	return Array.isArray(list) ? list.filter(isObject) : [];
}

/** n8n stores one that was added to a collection and left empty without its mark `__rl`. */
export function isLocator(value: unknown): value is { value: unknown; mode: unknown } {
	return value !== null && typeof value === 'object' && 'mode' in value && 'value' in value;
}

/** The value typed or chosen in a resource locator. */
export function locatorValue(value: unknown): unknown {
	return isLocator(value) ? value.value : value;
}

/** The value, or undefined if the field is empty. */
export function nonEmpty(value: unknown): unknown {
	const entered = locatorValue(value);
	const isEmpty = entered === null || (typeof entered === 'string' && entered.trim() === '');
	return isEmpty ? undefined : entered;
}

/** What calculations give that have no result. */
function isNoNumber(value: unknown): boolean {
	return typeof value === 'number' && !Number.isFinite(value);
}

/** Fields with typed values. Errors name them as the screen does. */
export abstract class Fields {
	/** The value as entered; undefined if the field is hidden or missing. */
	abstract value(name: string): unknown;

	abstract labelOf(name: string): string;

	/** Tidy. Throws InvalidInput for a value whose text could be that of another: an object or a rounded number. */
	text(name: string): string {
		const value = dateText(locatorValue(this.value(name))) ?? '';
		if (isRounded(value)) throw this.invalid(name, `${ROUNDED}.`);
		if (typeof value === 'object' || isNoNumber(value))
			throw this.invalid(name, `is "${String(value).slice(0, 40)}", but must be text.`);
		return tidyText(String(value));
	}

	/** A switch; the default is for one that is hidden or missing. */
	flag(name: string, otherwise = false): boolean {
		const value = this.value(name);
		return typeof value === 'boolean' ? value : otherwise;
	}

	/** The first choice if the field is hidden, missing or empty. Throws InvalidInput for any other value. */
	choice<Choice extends string>(name: string, known: readonly [Choice, ...Choice[]]): Choice {
		const value = nonEmpty(this.value(name)) ?? known[0];
		return this.known(name, value, known);
	}

	/** Throws InvalidInput. */
	choices<Choice extends string>(name: string, known: readonly Choice[]): Choice[] {
		return this.names(name).map((value) => this.known(name, value, known));
	}

	/** Names in a list, or separated by commas. Throws InvalidInput for anything else, e.g. objects. */
	names(name: string): string[] {
		const value = locatorValue(this.value(name)) ?? [];
		const names: unknown[] = typeof value === 'string' ? value.split(',') : [value].flat();
		if (names.some((each) => typeof each === 'object' || isNoNumber(each)))
			throw this.invalid(name, 'must be names, as a list or separated by commas.');
		return names.map((each) => String(each).trim()).filter((each) => each !== '');
	}

	/** The default is for an empty field. Throws InvalidInput. */
	positive(name: string, otherwise: number): number {
		return this.number(name, otherwise, 'a number above 0', Number.isFinite);
	}

	/** A whole number from 1; the default is for an empty field. Throws InvalidInput. */
	whole(name: string, otherwise: number): number {
		return this.number(name, otherwise, 'a whole number above 0', Number.isInteger);
	}

	/** The ID of a record. Throws InvalidInput if there is none. */
	id(name: string): number {
		const entered = nonEmpty(this.value(name));
		const id = wholeId(entered);
		if (id !== undefined) return id;
		const shown = String(entered).slice(0, 40);
		throw this.invalid(
			name,
			entered === undefined || shown === 'undefined'
				? 'is empty. Enter the ID, or connect the node that returns it.'
				: `"${shown}" is not an ID. It must be ${WHOLE_ID}.`,
		);
	}

	/** JSON as text or, from an expression, already a value. Throws InvalidInput for other text. */
	json(name: string): unknown {
		const entered = this.value(name) ?? '';
		let problem: string;
		try {
			const value: unknown = typeof entered === 'string' ? JSON.parse(entered) : entered;
			if (!hasLostNumber(value)) return value;
			problem =
				'has a number that is too large or has more digits than the node can keep. Put it in quotation marks.';
		} catch (error) {
			// Without the excerpt some messages quote: it may contain part of a password.
			const where =
				error instanceof SyntaxError ? ` (${error.message.replace(/, (\.\.\.)?".*$/s, '')})` : '';
			problem = `is not valid JSON${where}. Check commas, brackets and quotation marks.`;
		}
		throw this.invalid(name, problem);
	}

	fields(name: string): FieldValues {
		const value = this.value(name);
		return isObject(value) ? value : {};
	}

	entries(name: string, kind: string): FieldValues[] {
		return entries(this.value(name), kind);
	}

	in(collection: string): Fields {
		return new CollectionFields(this.fields(collection), (name) =>
			this.labelOf(`${collection}.${name}`),
		);
	}

	/** An expression may give anything; digits as text count. */
	private number(
		name: string,
		otherwise: number,
		wanted: string,
		isWanted: (number: unknown) => boolean,
	): number {
		const value = this.value(name);
		if (value === undefined || value === null || value === '') return otherwise;
		const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
		if (typeof number === 'number' && number > 0 && isWanted(number)) return number;
		throw this.invalid(name, `"${String(value)}" is not ${wanted}.`);
	}

	private known<Choice extends string>(
		name: string,
		value: unknown,
		known: readonly Choice[],
	): Choice {
		const found = known.find((one) => one === value);
		if (found !== undefined) return found;
		throw this.invalid(
			name,
			`"${String(value).slice(0, 40)}" is not one of ${known.join(', ')}.${suggestion(String(value), known)}`,
		);
	}

	private invalid(name: string, text: string): InvalidInput {
		return new InvalidInput([{ field: this.labelOf(name), text }]);
	}
}

class CollectionFields extends Fields {
	constructor(
		private readonly values: FieldValues,
		readonly labelOf: (name: string) => string,
	) {
		super();
	}

	value(name: string): unknown {
		return this.values[name] ?? undefined;
	}
}
