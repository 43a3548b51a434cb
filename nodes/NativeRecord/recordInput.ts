import type { ItemParameters } from '../shared/parameters/itemParameters';
import { dateText, isDateObject } from '../shared/service/dateText';
import { conventionCall, type ConventionMethod } from '../shared/service/endpoints';
import { InvalidInput, type Problem, throwIfAny } from '../shared/service/invalidInput';
import type { PreparedCall, QueryValues } from '../shared/service/nativeService';
import { readRecordId, readResourceName } from '../shared/service/recordPath';

/** What the user enters besides the resource name. */
export interface RecordCallParts {
	method: ConventionMethod;
	hasRecordId: boolean;
	/** `document`: an object. `changes`: an object or a JSON Patch. */
	body?: 'document' | 'changes';
}

const RECORD_JSON = 'Record (JSON)';

function queryInput(parameters: ItemParameters, problems: Problem[]) {
	const query: QueryValues = {};
	parameters.entries('query', 'option').forEach(({ name, value }, index) => {
		const key = String(name ?? '').trim();
		const field = `Query Options ${index + 1} → Name`;
		if (key === '') problems.push({ field, text: 'is empty. Enter it or remove the option.' });
		else if (key in query)
			problems.push({ field, text: `"${key}" appears twice. Keep one of them.` });
		else query[key] = String(dateText(value) ?? '');
	});
	return query;
}

/** JSON would make an invalid date null, which clears a value. */
function withDateTexts(value: unknown, name = ''): unknown {
	if (isDateObject(value)) {
		const text = dateText(value);
		if (text !== '') return text;
		const problem = `${name} is no valid date. Check the value that the date is made of.`;
		throw new InvalidInput([{ field: RECORD_JSON, text: problem.trim() }]);
	}
	if (Array.isArray(value)) return value.map((entry) => withDateTexts(entry, name));
	if (value === null || typeof value !== 'object') return value;
	const entries = Object.entries(value).map(([key, entry]) => [key, withDateTexts(entry, key)]);
	return Object.fromEntries(entries);
}

function bodyInput(
	parameters: ItemParameters,
	kind: NonNullable<RecordCallParts['body']>,
): unknown {
	const body = withDateTexts(parameters.json('recordJson'));
	const isObject = body !== null && typeof body === 'object';
	if (isObject && Object.keys(body).length === 0) {
		throw new InvalidInput([
			{ field: RECORD_JSON, text: 'has no properties. Enter at least one, e.g. {"name": "Ann"}.' },
		]);
	}
	if (isObject && (kind === 'changes' || !Array.isArray(body))) return body;
	throw new InvalidInput([
		{
			field: RECORD_JSON,
			text:
				kind === 'changes'
					? 'must be an object, in braces { }, or a list of changes, in brackets [ ].'
					: 'must be an object, in braces { }. To send several records, use one item for each.',
		},
	]);
}

/** Throws InvalidInput naming the fields on the screen. */
export function recordCall(
	parameters: ItemParameters,
	{ method, hasRecordId, body }: RecordCallParts,
): PreparedCall {
	const problems: Problem[] = [];
	const parts: string[] = [];

	const name = readResourceName(parameters.text('resourceName'));
	if ('parts' in name) parts.push(...name.parts);
	else problems.push({ field: 'Resource Name', text: name.problem });
	if (hasRecordId) {
		const id = readRecordId(parameters.text('recordId'));
		if ('part' in id) parts.push(id.part);
		else problems.push({ field: 'Record ID', text: id.problem });
	}
	const query = queryInput(parameters, problems);
	throwIfAny(problems);

	const { endpoint, path } = conventionCall(method, parts);
	return { endpoint, path, query, ...(body && { body: bodyInput(parameters, body) }) };
}
