import { dayText } from '../../../shared/service/dateText';
import { nationalDigits } from '../../../shared/service/phoneNumber';

/** A value as people are compared by it; empty for what has no text. */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(value);
	const day = dayText(value);
	return typeof day === 'string' ? day : '';
}

/** The digits of a phone number without the extension. */
export function mainDigits(text: string): string {
	return nationalDigits(text.replace(/(x|ext\.?|#) *\d{1,6} *$/i, ''));
}
