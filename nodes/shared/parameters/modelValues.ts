import { isPlainObject, mapValues, pickBy } from 'lodash';

/** Texts that language models write where they have no value. `Null` is also a last name. */
const NO_VALUES: readonly unknown[] = [undefined, null, '', 'null', 'undefined'];

/** n8n knows it in three spellings. */
const FROM_MODEL = /\$from(AI|Ai|ai)\b/;

/** Whether a language model gives the value, or part of it, when it calls the node as a tool. */
export function isFromModel(entered: unknown): boolean {
	return typeof entered === 'string' && entered.startsWith('=') && FROM_MODEL.test(entered);
}

const isGiven = (value: unknown): boolean =>
	!NO_VALUES.includes(typeof value === 'string' ? value.trim() : value);

/** What a model wrote as JSON, without the properties and entries that it has no value for. */
function withoutNoValues(value: unknown): unknown {
	if (Array.isArray(value)) return value.filter(isGiven).map(withoutNoValues);
	return isPlainObject(value)
		? mapValues(pickBy(value as object, isGiven), withoutNoValues)
		: value;
}

/**
 * The value of a parameter. Where a model had none to give, it is what an empty field has.
 * @param entered the same with its expressions
 */
export function modelValue(entered: unknown, value: unknown): unknown {
	if (isFromModel(entered)) return isGiven(value) ? withoutNoValues(value) : '';
	if (Array.isArray(value) && Array.isArray(entered))
		return value.map((entry, index) => modelValue(entered[index], entry));
	if (!isPlainObject(value) || !isPlainObject(entered)) return value;
	const inside = entered as Record<string, unknown>;
	return mapValues(value as object, (entry, name) => modelValue(inside[name], entry));
}
