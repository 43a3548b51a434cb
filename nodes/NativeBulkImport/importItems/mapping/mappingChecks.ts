import type { INodeProperties } from 'n8n-workflow';

import { type DelimitedFormat, InvalidRow } from '../../../shared/importFile/delimitedRows';
import { findName, simplifyName } from '../../../shared/importFile/fileColumns';
import { CONTROL_FIELD } from '../../../shared/importFile/headerSynonyms';
import { type Problem, throwIfAny } from '../../../shared/service/invalidInput';
import { adviceWithoutRecordId, mappingTypeProblems } from '../../../shared/service/mappingRules';
import { suggestion } from '../../../shared/service/nearestName';
import type { Vocabulary } from '../../../shared/service/connection';
import { expressionPath } from '../../rows/columnExpressions';
import { type ImportRows, readWritten, visitRows } from '../../rows/importRows';
import { type ChosenMappingType, labelFinder } from '../../mappingType/fieldLabels';
import { shownNames } from './headerMapping';
import {
	isExpression,
	type MappedField,
	type MappedFields,
	MAPPING_TYPES_LABEL,
	type MappingPlan,
	type PlannedColumn,
	screenName,
} from './importMapping';
import { ColumnCounts } from './listCounts';

/** Fields whose expressions the rows cannot give; one mapped to a property that no row has is misspelled. */
export function expressionProblems(
	{ recordId, fields }: MappedFields,
	rows: ImportRows,
	properties: readonly string[] | undefined,
): Problem[] {
	const mapped = [...(recordId ? [recordId] : []), ...fields];
	const missing = (expression: string): string | undefined => {
		const [property] = expressionPath(expression) ?? [];
		if (!properties || property === undefined || findName(properties, property) !== undefined)
			return undefined;
		const what =
			rows.noun === 'row'
				? `"${property}" is not a column of the file.`
				: `No item has "${property}".`;
		return `${what}${suggestion(property, properties)} If it may be missing, turn on the option Allow Missing Columns.`;
	};
	return mapped.flatMap(({ label, value: expression }) => {
		if (!isExpression(expression)) return [];
		const text = rows.unreadable(expression) ?? missing(expression);
		return text === undefined ? [] : [{ field: screenName({ label }), text }];
	});
}

/** Problems of the mapping by the service's descriptions, before anything is built. */
export function mappingProblems(
	resourceType: string,
	chosen: readonly ChosenMappingType[],
	{ recordId, fields }: MappedFields,
	vocabulary: Vocabulary,
): Problem[] {
	const problems: Problem[] = [];
	if (recordId && !isExpression(recordId.value)) {
		const text = `is needed to tell which record each row belongs to. Map it to a column of your data${adviceWithoutRecordId(resourceType)}.`;
		problems.push({ field: screenName(recordId), text });
	}
	const labelOf = labelFinder(chosen);
	for (const mappingType of chosen) {
		const { description, key } = mappingType;
		const filled = fields
			.filter((one) => one.mappingType === mappingType)
			.map(({ field, value }) => ({ field, fixedValue: isExpression(value) ? undefined : value }));
		if (!description) {
			// Unmapped, it would take the columns with the names of its fields.
			const text = `Nothing is mapped to ${key}, whose fields this key may not read. Map at least one of them, or remove the mapping type.`;
			if (filled.length === 0) problems.push({ field: 'Fields', text });
			continue;
		}
		const nameOf = (field?: string): string =>
			field === undefined ? key : labelOf(mappingType, field);
		const found = mappingTypeProblems(description, nameOf, resourceType, filled, vocabulary);
		for (const { path, field, text } of found) {
			const isOfOne = field !== undefined || path.length > 1;
			const place = isOfOne ? screenName({ label: nameOf(field) }) : 'Fields';
			problems.push({ field: path[0] === 'name' ? MAPPING_TYPES_LABEL : place, text });
		}
	}
	return problems;
}

const LABEL = 'Consent Was Collected';

export const consentOption: INodeProperties = {
	displayName: LABEL,
	name: 'consentWasCollected',
	type: 'boolean',
	default: false,
	description:
		'Whether everybody whom this import opts in to calls, texts or emails agreed to it. Needed for an opt-in that is the same for all rows, or whose date is in no column.',
};

/** E.g. `PhoneOptInStatusID` and `EmailSubscriptionStatusId`. */
function isOptInField({ field }: MappedField): boolean {
	return /OptIn|Subscription|Consent/i.test(field) && !CONTROL_FIELD.test(field);
}

/** `Opt Out`, `Unknown`, `Not Subscribed` and the like; without its name, any other value may opt in. */
const OPTS_NOBODY_IN = /^(un|not?\b|opt(ed)?[ -]?out)/i;

/** The name of a fixed value that opts people in; undefined for other values. */
function optInName({ accepted, value }: MappedField) {
	const name = accepted?.entries.find(({ id }) => String(id) === value)?.name ?? value;
	return OPTS_NOBODY_IN.test(name) ? undefined : name;
}

/** Words of a consent, not of its end: `date unsubscribed` is none. */
const CONSENT = /\b(opt(ed)? ?in|consent|subscri|sign(ed)? ?up)/;
/** `Consent given on`, but not `Consent on file`. */
const MOMENT = /\b(date|datetime|time|timestamp)\b|\b(at|on)$/;
const END =
	/\b(un ?subscri|opt(ed)? ?out|revo|withdr|cancel|declin|refus|den(y|ied|ial)|remov|reject|terminat|expir|renew|lapse|ends?\b|ended\b)/;

/** `OptInDate` and `opt_in_date` → `opt in date`. */
function wordsOf(name: string): string {
	const words = name.slice(0, 500).split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u);
	return words.map(simplifyName).join(' ').trim();
}

/** Throws InvalidInput for an opt-in that nobody vouches for. */
export function checkConsent(
	{ fixed, columns }: MappingPlan,
	properties: readonly string[],
	isCollected: boolean,
): void {
	if (isCollected) return;
	const problem = (target: MappedField, effect: string, other: string): Problem => ({
		field: screenName(target),
		text: `${effect} If everybody agreed, turn on the option ${LABEL}. Otherwise remove this field, or ${other}.`,
	});
	const hasDate = properties
		.map(wordsOf)
		.some((words) => CONSENT.test(words) && MOMENT.test(words) && !END.test(words));
	const mapped = columns.flatMap(({ expression = '', fields }) =>
		fields.filter(isOptInField).map((target) => ({ target, isForAll: !expression.includes('$') })),
	);
	throwIfAny([
		...fixed.filter(isOptInField).flatMap((target) => {
			const name = optInName(target);
			const effect = `would store "${name}" for everybody in the list.`;
			return name === undefined
				? []
				: [problem(target, effect, 'map it to a column that says who agreed')];
		}),
		...mapped
			.filter(({ isForAll }) => isForAll || !hasDate)
			.map(({ target, isForAll }) =>
				isForAll
					? problem(
							target,
							'can opt people in, and its expression reads nothing of the row.',
							'enter it as a fixed value, or map it to a column that says who agreed',
						)
					: problem(
							target,
							'can opt people in, and no column says when they agreed.',
							'add a column such as Opt-In Date. For a list that only opts people out, enter the opt-out as a fixed value',
						),
			),
	]);
}

/** Rows a message lists by number; it only counts the others. */
const NAMED_ROWS = 10;

/** Wrong values of a field that a message quotes; it only counts the others. */
const QUOTED_VALUES = 10;

/** Builds a problem from its places, such as `row 3` or `items 1, 2 and 7 more`. */
type Describe = (places: string) => Problem | Promise<Problem>;

class RowProblems {
	private readonly found = new Map<
		string,
		{ count: number; named: number[]; describe: Describe }
	>();

	constructor(private readonly source: Pick<ImportRows, 'noun' | 'lineOf'>) {}

	/** @param describe is called for the first row of a key only */
	add(key: string, row: number, describe: Describe): void {
		const problem = this.found.get(key) ?? { count: 0, named: [], describe };
		this.found.set(key, problem);
		if (problem.count++ < NAMED_ROWS) problem.named.push(row);
	}

	async list(): Promise<Problem[]> {
		const { noun, lineOf } = this.source;
		const problems = [...this.found.values()].map(async ({ count, named, describe }) => {
			const shown = (lineOf ? named.map(lineOf) : named).map(String);
			const what = `${lineOf ? 'line' : noun}${count > 1 ? 's' : ''}`;
			return await describe(`${what} ${shownNames(shown, count)}`);
		});
		return await Promise.all(problems);
	}
}

/** The fields with predefined values that columns fill; a list that was not read is not checked. */
function acceptedFields(columns: readonly PlannedColumn[]) {
	return columns.flatMap((column, index) =>
		column.fields.flatMap((field) => {
			const { accepted } = field;
			return accepted ? [{ column, index, field: screenName(field), accepted }] : [];
		}),
	);
}

/** Makes rows invalid that have a value which is not among the predefined ones. */
export function rejectUnaccepted({ columns }: MappingPlan): void {
	for (const { column, field, accepted } of acceptedFields(columns)) {
		const { convert = (value: unknown) => value } = column;
		column.convert = (...values) => {
			const value = convert(...values);
			const text = String(value ?? '').trim();
			if (value instanceof InvalidRow || accepted.accepts(text)) return value;
			return new InvalidRow(field, accepted.problemOf(text));
		};
	}
}

async function fixedProblems({ fixed }: MappingPlan): Promise<Problem[]> {
	const wrong = fixed.filter(({ accepted, value }) => accepted?.accepts(value) === false);
	return await Promise.all(
		wrong.map(async (mapped) => ({
			field: screenName(mapped),
			text: (await mapped.accepted?.describeProblem(mapped.value)) ?? '',
		})),
	);
}

/**
 * Reads all rows once to find values that are not among the predefined ones, and blank record IDs.
 * @param reportsInvalid whether to report rows that cannot be written; otherwise a later step names them all
 */
export async function valueProblems(
	plan: MappingPlan,
	source: Pick<ImportRows, 'noun' | 'read' | 'lineOf'>,
	format: DelimitedFormat,
	reportsInvalid: boolean,
): Promise<Problem[]> {
	const fixed = await fixedProblems(plan);
	// Of items, read only the checked fields: expressions are slow. Always read a file to its end: damage
	// must be found before the first job starts.
	const isChecked = ({ fields }: PlannedColumn): boolean => fields.some(({ accepted }) => accepted);
	const columns = source.noun === 'row' ? plan.columns : plan.columns.filter(isChecked);
	if (columns.length === 0) return fixed;
	const checked = acceptedFields(columns);
	const counts = new ColumnCounts(columns);
	const quoted = new Map(checked.map(({ field }) => [field, new Set<string>()]));
	const unaccepted = new RowProblems(source);
	const invalid = new RowProblems(source);
	await visitRows(readWritten(source, columns, format), (row, position) => {
		if (row instanceof InvalidRow) {
			const { field, reason } = row;
			const describe: Describe = (places) => ({ field, text: `${reason} See ${places}.` });
			if (reportsInvalid) invalid.add(`${field}: ${reason}`, position + 1, describe);
			return;
		}
		counts.add(row);
		for (const { index, field, accepted } of checked) {
			const value = String(row[index] ?? '').trim();
			if (accepted.accepts(value)) continue;
			const values = quoted.get(field);
			if (values && values.size < QUOTED_VALUES) values.add(value);
			const isQuoted = values?.has(value) === true;
			unaccepted.add(`${field}: ${isQuoted ? value : ''}`, position + 1, async (places) => ({
				field,
				text: isQuoted
					? await accepted.describeProblem(value, ` (${places})`)
					: `has other values that are not in the list of the service (${places}).`,
			}));
		}
	});
	const invalidRows = await invalid.list();
	const last = invalidRows.at(-1);
	if (last)
		last.text += ' To import the other rows, set On Error to Continue in the node settings.';
	return [...fixed, ...counts.problems(), ...(await unaccepted.list()), ...invalidRows];
}
