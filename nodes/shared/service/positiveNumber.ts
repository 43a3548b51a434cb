import { InvalidInput } from './invalidInput';

/**
 * A number from a field; an expression may give anything. Digits as text count.
 * Throws InvalidInput naming the field.
 * @param otherwise value of an empty field; without it, an empty field is rejected
 */
export function positiveNumber(
	value: unknown,
	field: string,
	{ isWhole, otherwise }: { isWhole: boolean; otherwise?: number },
): number {
	const isEmpty = value === undefined || value === null || value === '';
	if (isEmpty && otherwise !== undefined) return otherwise;
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const isNumber = typeof number === 'number' && Number.isFinite(number) && number > 0;
	if (isNumber && (!isWhole || Number.isInteger(number))) return number;
	const wanted = isWhole ? 'a whole number from 1' : 'a number above 0';
	throw new InvalidInput([
		{ field, text: isEmpty ? `must be ${wanted}.` : `"${String(value)}" is not ${wanted}.` },
	]);
}
