import type { HttpResponse } from '../transport/httpRequest';
import { isWebPage } from './serviceErrors';

const LONG_NUMBER = /\d{16}/;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

/** Whether JavaScript has rounded a number: above 2^53 it cannot hold every whole number. */
export function isRounded(value: unknown): boolean {
	return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** A JSON text, with whole numbers that JavaScript would round as text; undefined for other text. */
export function parseJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		// Only in valid JSON does every string have an end: without one the pattern would be slow.
		if (!LONG_NUMBER.test(text)) return value;
		return JSON.parse(
			text.replace(TOKEN, (token) =>
				/^-?\d+$/.test(token) && isRounded(Number(token)) ? `"${token}"` : token,
			),
		);
	} catch {
		return undefined;
	}
}

/** Whether a JSON value has a number that JavaScript has rounded. */
export function hasRounded(value: unknown): boolean {
	if (value === null || typeof value !== 'object') return isRounded(value);
	return Object.values(value).some(hasRounded);
}

/** The JSON body of a response, undefined if it has none; or what the response has in its place. */
export function readJsonBody(response: HttpResponse): { body?: unknown; instead?: string } {
	const { status, text } = response;
	// The body of a redirect may be a page for browsers; then only its Location counts.
	const isPageBeside = status >= 300 && isWebPage(response);
	if (text.trim() === '' || isPageBeside) return {};
	if (isWebPage(response)) return { instead: 'a web page instead of data' };
	const body = parseJson(text);
	return body === undefined ? { instead: 'something that is not JSON' } : { body };
}
