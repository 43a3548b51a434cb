import { type ItemParameters, WITHOUT_VALUE } from '../shared/parameters/itemParameters';
import { dateText, isDateObject } from '../shared/service/dateText';
import {
	conventionEndpoint,
	type ConventionMethod,
	type PreparedCall,
} from '../shared/service/endpoints';
import { InvalidInput, type Problem, throwIfAny } from '../shared/service/invalidInput';

/** Longer ones are neither names nor IDs. */
const LONGEST_PART = 500;

/**
 * The problem of one part of a path; undefined if there is none. Encoding protects all other
 * characters, but servers read even an encoded backslash as a slash.
 */
function partProblem(part: string): string | undefined {
	if (part === '') return 'has an empty part. Remove the extra slash.';
	if (part.length > LONGEST_PART)
		return `has a part of more than ${LONGEST_PART} characters. Shorten it.`;
	if (part === '.' || part === '..')
		return `must not contain the part "${part}". Write the path in full.`;
	if (/\\|\p{Cc}|\p{Surrogate}/u.test(part))
		return 'must not contain a backslash or an invisible character. Separate the parts with /.';
	return undefined;
}

const HAS_QUERY = 'must not contain ? or #. Enter what follows the ? under Query Options.';

/**
 * Splits a resource name: `people/123/notes` has three parts, each one segment of the URL. Ignores one
 * leading slash.
 * @returns the parts, not encoded, or the problem, as a sentence that continues the field's name
 */
export function readResourceName(entered: string): { parts: string[] } | { problem: string } {
	const name = entered.trim();
	if (name === '') return { problem: 'is empty. Choose a resource, e.g. events.' };
	if (/^[a-z][a-z0-9+.-]*:\/\/|^\/\//i.test(name))
		return {
			problem:
				'is a whole address. Enter only what follows the version, e.g. events; the rest is in the credential.',
		};
	if (/[?#]/.test(name)) return { problem: HAS_QUERY };
	const parts = name
		.replace(/^\//, '')
		.split('/')
		.map((part) => part.trim());
	const problem = parts.map(partProblem).find((text) => text !== undefined);
	if (problem !== undefined) return { problem };
	if (/^v\d+$/i.test(parts[0] ?? ''))
		return {
			problem: `begins with the version "${parts[0] ?? ''}", which is in the credential. Leave it out here.`,
		};
	return { parts };
}

/** The problem of a record ID, which is one part of the URL; undefined if there is none. */
export function recordIdProblem(id: string): string | undefined {
	if (id === '') return 'is empty. Enter the ID of the record.';
	if (id.includes('/'))
		return 'must not contain a slash. Enter the rest of the path under Resource Name.';
	return /[?#]/.test(id) ? HAS_QUERY : partProblem(id);
}

export const RECORD_JSON = 'Record (JSON)';

function invalidRecord(text: string): InvalidInput {
	return new InvalidInput([{ field: RECORD_JSON, text }]);
}

function queryInput(parameters: ItemParameters, problems: Problem[]) {
	const query = new Map<string, string>();
	const expressions = parameters.unevaluatedEntries('query', 'option');
	parameters.entries('query', 'option').forEach(({ name, value }, index) => {
		const key = String(name ?? '').trim();
		const written = String(dateText(value) ?? '');
		const reject = (label: string, text: string): void => {
			problems.push({ field: `Query Options ${index + 1} → ${label}`, text });
		};
		if (key === '') reject('Name', 'is empty. Enter it or remove the option.');
		else if (query.has(key)) reject('Name', `"${key}" appears twice. Keep one of them.`);
		else query.set(key, written);
		if ((value ?? undefined) === undefined && (expressions[index]?.value ?? '') !== '')
			reject('Value', WITHOUT_VALUE);
		// Sent as it is, it would select other records, or none.
		if (written.includes('[object ') || Number.isNaN(value))
			reject('Value', `is "${written.slice(0, 40)}", but must be text.`);
	});
	return Object.fromEntries(query);
}

/** With dates as texts. JSON would make what has no value null, which clears a value, or leave it out. */
function withValues(value: unknown, name = ''): unknown {
	const reject = (problem: string) => invalidRecord(`${name} ${problem}`.trim());
	if (isDateObject(value)) {
		const text = dateText(value);
		if (text !== '') return text;
		throw reject('is not a valid date. Check the value that the date is made from.');
	}
	if (value === undefined || (typeof value === 'number' && !Number.isFinite(value)))
		throw reject(`is ${value}: its expression has no value for this item. Correct it.`);
	if (Array.isArray(value)) return value.map((entry) => withValues(entry, name));
	if (value === null || typeof value !== 'object') return value;
	const entries = Object.entries(value).map(([key, entry]) => [key, withValues(entry, key)]);
	return Object.fromEntries(entries);
}

/** An object; for PATCH also a list of changes. */
function bodyInput(parameters: ItemParameters, method: ConventionMethod): unknown {
	const body = withValues(parameters.json('recordJson'));
	const isObject = body !== null && typeof body === 'object';
	if (isObject && Object.keys(body).length === 0)
		throw invalidRecord('has no properties. Enter at least one, e.g. {"name": "Ann"}.');
	const isPatch = method === 'PATCH';
	if (isObject && (isPatch || !Array.isArray(body))) return body;
	throw invalidRecord(
		isPatch
			? 'must be an object, in braces { }, or a list of changes, in brackets [ ].'
			: 'must be an object, in braces { }. To send several records, use one item for each.',
	);
}

/** The call of one item. Throws InvalidInput naming the fields on the screen. */
export function recordCall(
	parameters: ItemParameters,
	method: ConventionMethod,
	hasRecordId: boolean,
): PreparedCall {
	const problems: Problem[] = [];
	const parts: string[] = [];

	const name = readResourceName(parameters.text('resourceName'));
	if ('parts' in name) parts.push(...name.parts);
	else problems.push({ field: 'Resource Name', text: name.problem });
	if (hasRecordId) {
		const id = parameters.text('recordId');
		const text = recordIdProblem(id);
		if (text === undefined) parts.push(id);
		else problems.push({ field: 'Record ID', text });
	}
	const query = queryInput(parameters, problems);
	throwIfAny(problems);

	const call = { endpoint: conventionEndpoint(method, parts), path: {}, query };
	const hasBody = method !== 'GET' && method !== 'DELETE';
	return hasBody ? { ...call, body: bodyInput(parameters, method) } : call;
}
