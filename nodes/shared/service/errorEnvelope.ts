import type { HttpResponse } from '../transport/httpRequest';
import type { Endpoint } from './endpoints';
import { isJobStatus } from './importJobRecord';
import { parseJson } from './jsonText';
import { holdsMatchStub, personOfAddress } from './personMatch';
import type { ServiceErrorEntry } from './serviceErrors';

type Properties = Record<string, unknown>;

/** The first is of service.md 9.1. */
const TEXT_NAMES = ['text', 'message', 'description', 'detail', 'title'];

/** What an envelope may hold apart from its errors; a record holds more. */
const ENVELOPE_NAMES = ['error', 'errors', 'success', 'status', 'code', ...TEXT_NAMES];

/** Longer texts and lists are cut: they would be stored with every failed item. */
const LONGEST_TEXT = 1000;
const MOST_LISTED = 30;

function textOf(value: unknown): string | undefined {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (text.length <= LONGEST_TEXT) return text === '' ? undefined : text;
	// Do not cut an emoji in half.
	return `${text.slice(0, LONGEST_TEXT).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function propertiesOf(value: unknown): Properties | undefined {
	if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
	return Object.fromEntries(
		Object.entries(value).map(([name, entry]) => [name.toLowerCase(), entry as unknown]),
	);
}

function readEntry(entry: Properties): ServiceErrorEntry {
	const { code, properties, hint, referencecode } = entry;
	const names = [properties].flat().flatMap((name) => textOf(name) ?? []);
	const read = {
		code: textOf(code),
		text: TEXT_NAMES.map((name) => textOf(entry[name])).find((text) => text !== undefined),
		properties: names.length > 0 ? names : undefined,
		hint: textOf(hint),
		referenceCode: textOf(referencecode),
	};
	return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** A text, an error, a list of either, or an object of texts by property. */
function readEntries(value: unknown, properties?: string[]): ServiceErrorEntry[] {
	if (Array.isArray(value)) return value.flatMap((entry) => readEntries(entry, properties));
	const entry = propertiesOf(value);
	if (!entry) {
		const text = textOf(value);
		return text === undefined ? [] : [{ text, ...(properties && { properties }) }];
	}
	const read = readEntry(entry);
	if (read.text !== undefined || read.code !== undefined) return [read];
	const byProperty = Object.entries(value as Properties).flatMap(([name, texts]) =>
		readEntries(texts, [name]),
	);
	return byProperty.length > 0 ? byProperty : [read];
}

function isNone(value: unknown): boolean {
	return value === 0 || Object.keys(propertiesOf(value) ?? { value }).length === 0;
}

/**
 * The contract does not show the shape of errors: `errors` or `error` may be a list, an object or a text,
 * and a batch returns a list of envelopes.
 */
function errorsIn(body: unknown): ServiceErrorEntry[] {
	if (body === null || typeof body !== 'object') return [];
	if (Array.isArray(body))
		return body.flatMap((entry) => (Array.isArray(entry) ? [] : errorsIn(entry)));
	// Most responses: reading their properties would cost every call.
	if (!Object.keys(body).some((name) => /^(errors?|success)$/i.test(name))) return [];
	const { errors, error, success, ...rest } = propertiesOf(body) ?? {};
	const entries = [errors, error].flatMap((value) => (isNone(value) ? [] : readEntries(value)));
	const saysFailed = error === true || (success === false && entries.length === 0);
	return saysFailed ? [readEntry(rest)] : entries;
}

/** Whether a body holds nothing but an error envelope: a record may have errors of its own. */
function isEnvelopeOnly(body: unknown): boolean {
	return Array.isArray(body)
		? body.every(isEnvelopeOnly)
		: Object.keys(propertiesOf(body) ?? {}).every((name) => ENVELOPE_NAMES.includes(name));
}

export function reportsErrors(
	{ retry, isOfJob }: Endpoint,
	{ status, body }: { status: number; body: unknown },
): boolean {
	if (status >= 300 || errorsIn(body).length === 0) return false;
	if (isOfJob && isJobStatus(propertiesOf(body)?.status)) return false;
	return retry !== 'read' || isEnvelopeOnly(body);
}

export function errorEntries(text: string): ServiceErrorEntry[] {
	try {
		return errorsIn(parseJson(text));
	} catch {
		// Nested too deeply to be read.
		return [];
	}
}

/** Whether an error envelope reports a missing record: service.md 9.2. */
function saysNotFound(text: string): boolean {
	return errorEntries(text).some(({ code }) => /^not_?found$/i.test(code ?? ''));
}

/** Whether the service itself responded to the call, without a rejection or an unexpected redirect. */
export function isExpectedResponse(endpoint: Endpoint, response: HttpResponse): boolean {
	const { status, headers, text } = response;
	if (status < 300) return true;
	if (status < 400) {
		const isMatch = personOfAddress(headers.location) !== undefined || holdsMatchStub(text);
		return endpoint.redirects === true && isMatch;
	}
	return (
		status === 404 && endpoint.expects404 === true && (holdsMatchStub(text) || saysNotFound(text))
	);
}

function formatEntry(entry: ServiceErrorEntry): string {
	const names = entry.properties?.slice(0, MOST_LISTED) ?? [];
	const where = names.length > 0 ? `${names.join(', ')}: ` : '';
	const hint = entry.hint ? ` (${entry.hint})` : '';
	const reference = entry.referenceCode ? ` [reference ${entry.referenceCode}]` : '';
	return `${where}${entry.text ?? entry.code ?? 'no text'}${hint}${reference}`;
}

/** `phones[0].phoneNumber: is not valid; lastName: is too long`. */
export function formatEntries(entries: ServiceErrorEntry[]): string {
	const more = entries.length - MOST_LISTED;
	const listed = entries.slice(0, MOST_LISTED).map(formatEntry);
	return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** The service's message as a sentence after a space; empty without entries. */
export function serviceMessage(entries: ServiceErrorEntry[]): string {
	return entries.length === 0
		? ''
		: ` The service said: ${formatEntries(entries)}.`.replace(/\.\.$/, '.');
}
