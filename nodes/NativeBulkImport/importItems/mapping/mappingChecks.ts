import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import { findName } from '../../../shared/importFile/fileColumns';
import type { FileRow } from '../../../shared/importFile/importFiles';
import type { Problem } from '../../../shared/service/invalidInput';
import { adviceWithoutRecordId, mappingTypeProblems } from '../../../shared/service/mappingRules';
import { suggestion } from '../../../shared/service/nearestName';
import type { Vocabulary } from '../../../shared/service/connection';
import { expressionPath } from '../../rows/columnExpressions';
import type { ImportRows } from '../../rows/importRows';
import { type ChosenMappingType, labelFinder } from '../../mappingType/fieldLabels';
import {
	isExpression,
	type MappedFields,
	MAPPING_TYPES_LABEL,
	type MappingPlan,
	type PlannedColumn,
	screenName,
} from './importMapping';
import { shownNames } from './shownNames';

/**
 * Fields whose expressions the rows cannot give.
 * @param missing whether a field may be mapped to a property that no row has, and if not, what to do about it
 */
export function expressionProblems(
	{ recordId, fields }: MappedFields,
	rows: ImportRows,
	properties: readonly string[],
	missing: ReadonlyArray<{ areAllowed: boolean; advice: string }>,
): Problem[] {
	const mayMiss = missing.some(({ areAllowed }) => areAllowed);
	const advice = missing.map((each) => ` ${each.advice}`).join('');
	const mapped = [...(recordId ? [recordId] : []), ...fields];
	const missingText = (expression: string): string | undefined => {
		const [property] = expressionPath(expression) ?? [];
		if (mayMiss || property === undefined || findName(properties, property) !== undefined)
			return undefined;
		const what =
			rows.noun === 'row'
				? `"${property}" is not a column of the file.`
				: `No item has "${property}".`;
		return `${what}${suggestion(property, properties)}${advice}`;
	};
	return mapped.flatMap(({ label, value: expression }) => {
		if (!isExpression(expression)) return [];
		const text = rows.unreadable(expression) ?? missingText(expression);
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

/** Columns in which a value that is not among the predefined ones makes its row invalid. */
export function rejectUnaccepted(columns: readonly PlannedColumn[]): PlannedColumn[] {
	return columns.map((column) =>
		acceptedFields([column]).reduce<PlannedColumn>((checked, { field, accepted }) => {
			const { convert = (value: unknown) => value } = checked;
			return {
				...checked,
				convert(given, readBeside) {
					const value = convert(given, readBeside);
					const text = String(value ?? '').trim();
					if (value instanceof InvalidRow || accepted.accepts(text)) return value;
					return new InvalidRow(field, accepted.problemOf(text));
				},
			};
		}, column),
	);
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

/** Finds values that are not among the predefined ones, and rows that cannot be written. */
export class ValueChecks {
	private readonly checked: ReturnType<typeof acceptedFields>;
	private readonly quoted: ReadonlyMap<string, Set<string>>;
	private readonly unaccepted: RowProblems;
	private readonly invalid: RowProblems;

	/** @param reportsInvalid whether to report rows that cannot be written; otherwise a later step names them all */
	constructor(
		private readonly plan: MappingPlan,
		source: Pick<ImportRows, 'noun' | 'lineOf'>,
		private readonly reportsInvalid: boolean,
	) {
		this.checked = acceptedFields(plan.columns);
		this.quoted = new Map(this.checked.map(({ field }) => [field, new Set<string>()]));
		this.unaccepted = new RowProblems(source);
		this.invalid = new RowProblems(source);
	}

	visit(row: FileRow, position: number): void {
		if (row instanceof InvalidRow) {
			const { field, reason } = row;
			const describe: Describe = (places) => ({ field, text: `${reason} See ${places}.` });
			if (this.reportsInvalid) this.invalid.add(`${field}: ${reason}`, position + 1, describe);
			return;
		}
		for (const { index, field, accepted } of this.checked) {
			const value = String(row[index] ?? '').trim();
			if (accepted.accepts(value)) continue;
			const values = this.quoted.get(field);
			if (values && values.size < QUOTED_VALUES) values.add(value);
			const isQuoted = values?.has(value) === true;
			const key = `${field}: ${isQuoted ? value : ''}`;
			this.unaccepted.add(key, position + 1, async (places) => ({
				field,
				text: isQuoted
					? await accepted.describeProblem(value, ` (${places})`)
					: `has other values that are not in the list of the service (${places}).`,
			}));
		}
	}

	/** @param ofList problems of the whole list */
	async problems(ofList: readonly Problem[]): Promise<Problem[]> {
		const invalidRows = await this.invalid.list();
		const last = invalidRows.at(-1);
		if (last)
			last.text += ' To import the other rows, set On Error to Continue in the node settings.';
		const fixed = await fixedProblems(this.plan);
		return [...fixed, ...ofList, ...(await this.unaccepted.list()), ...invalidRows];
	}
}
