import type { HttpResponse } from '../transport/httpRequest';
import { isWebPage } from './serviceErrors';

/** Part of every number that JavaScript would round, or that is too large for it. */
const LARGE_NUMBER = /\d{16}|\de\+?\d{3}/i;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

/** Whether JavaScript has rounded a number: above 2^53 it cannot hold every whole number. */
export function isRounded(value: unknown): boolean {
	return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Whether a number of a JSON text would come out as another one: rounded, or as null for infinity. */
function isLost(token: string): boolean {
	if (token.startsWith('"')) return false;
	const number = Number(token);
	return !Number.isFinite(number) || (/^-?\d+$/.test(token) && isRounded(number));
}

/** A JSON text, with numbers that JavaScript cannot hold as text; undefined for other text. */
export function parseJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		// Only in valid JSON does every string have an end: without one the pattern would be slow.
		if (!LARGE_NUMBER.test(text)) return value;
		return JSON.parse(text.replace(TOKEN, (token) => (isLost(token) ? `"${token}"` : token)));
	} catch {
		return undefined;
	}
}

/** Whether a value of JSON has a number that JavaScript could not hold: it was rounded, or is infinite. */
export function hasLostNumber(value: unknown): boolean {
	if (typeof value === 'number') return Math.abs(value) === Infinity || isRounded(value);
	if (value === null || typeof value !== 'object') return false;
	return Object.values(value).some(hasLostNumber);
}

/** The JSON body of a response, undefined if it has none; or what the response has instead. */
export function readJsonBody(response: HttpResponse): { body?: unknown; instead?: string } {
	const { status, text } = response;
	// The body of a redirect may be a page for browsers; then only its Location counts.
	const isPageBeside = status >= 300 && isWebPage(response);
	if (text.trim() === '' || isPageBeside) return {};
	if (isWebPage(response)) return { instead: 'a web page instead of data' };
	const body = parseJson(text);
	return body === undefined ? { instead: 'something that is not JSON' } : { body };
}
