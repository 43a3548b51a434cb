import { InvalidRow, NoRecord } from '../../../shared/importFile/delimitedRows';
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

/** Reasons of a field that a message lists; it names the rows of the others together. */
const LISTED_REASONS = 10;

const LONGEST_QUOTED = 40;

interface WrongRows {
	field: string;
	reason: string;
	count: number;
	/** The first ones, with what is wrong in them, if a value is. */
	named: Array<{ row: number; value: string | undefined }>;
}

const OTHER_REASONS = 'has other wrong values.';

/** Rows that cannot be written, by what is wrong. */
class RowProblems {
	private readonly found = new Map<string, WrongRows>();
	private readonly reasons = new Map<string, number>();

	constructor(private readonly source: Pick<ImportRows, 'noun' | 'lineOf'>) {}

	/** @param row from 1 */
	add({ field, reason, value }: InvalidRow, row: number): void {
		const found = this.problemOf(field, reason) ?? this.newProblem(field, reason);
		if (found.count++ < NAMED_ROWS) found.named.push({ row, value });
	}

	private problemOf(field: string, reason: string): WrongRows | undefined {
		return this.found.get(`${field}: ${reason}`);
	}

	private newProblem(field: string, reason: string): WrongRows {
		const listed = this.reasons.get(field) ?? 0;
		this.reasons.set(field, listed + 1);
		const shown = listed < LISTED_REASONS ? reason : OTHER_REASONS;
		const problem = this.problemOf(field, shown) ?? { field, reason: shown, count: 0, named: [] };
		this.found.set(`${field}: ${shown}`, problem);
		return problem;
	}

	list(): Problem[] {
		const { noun, lineOf } = this.source;
		return [...this.found.values()].map(({ field, reason, count, named }) => {
			const shown = named.map(({ row, value }) => {
				const number = String(lineOf ? lineOf(row) : row);
				// A reason can quote it already.
				return value === undefined || reason.includes(`"${value}"`)
					? number
					: `${number} ("${value.slice(0, LONGEST_QUOTED)}")`;
			});
			const what = `${lineOf ? 'line' : noun}${count > 1 ? 's' : ''}`;
			return { field, text: `${reason} See ${what} ${shownNames(shown, count)}.` };
		});
	}
}

/** Columns in which a value that is not among the predefined ones makes its row invalid; a list that was not read is not checked. */
export function rejectUnaccepted(columns: readonly PlannedColumn[]): PlannedColumn[] {
	return columns.map((column) =>
		column.fields.reduce<PlannedColumn>((checked, field) => {
			const { accepted } = field;
			if (!accepted) return checked;
			const { convert = (value: unknown) => value } = checked;
			return {
				...checked,
				convert(given, readBeside, row) {
					const value = convert(given, readBeside, row);
					const text = value instanceof InvalidRow ? '' : String(value ?? '').trim();
					if (accepted.accepts(text)) return value;
					return new InvalidRow(screenName(field), accepted.problemOf(text), text);
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

/** Finds rows that cannot be written. */
export class ValueChecks {
	private readonly invalid: RowProblems;
	private readonly perField = new Map<string, number>();
	private records = 0;

	/** @param advice where rows that cannot be written stop the import: what to do; otherwise they are left out */
	constructor(
		private readonly plan: MappingPlan,
		source: Pick<ImportRows, 'noun' | 'lineOf'>,
		private readonly advice: string | undefined,
	) {
		this.invalid = new RowProblems(source);
	}

	visit(row: FileRow, position: number): void {
		if (row instanceof NoRecord) return;
		this.records++;
		if (!(row instanceof InvalidRow)) return;
		this.invalid.add(row, position + 1);
		this.perField.set(row.field, (this.perField.get(row.field) ?? 0) + 1);
	}

	/** Whether every row is wrong there: then the column is, not the rows. */
	private isWhollyWrong(field: string): boolean {
		return this.records > 1 && this.perField.get(field) === this.records;
	}

	/** @param ofList problems of the whole list */
	async problems(ofList: readonly Problem[]): Promise<Problem[]> {
		const invalid = this.invalid.list();
		const wrong = invalid.filter(
			({ field }) => this.advice !== undefined || this.isWhollyWrong(field),
		);
		const last = wrong.at(-1);
		if (last)
			last.text += this.isWhollyWrong(last.field) ? ' No row can be imported.' : ` ${this.advice}`;
		return [...(await fixedProblems(this.plan)), ...ofList, ...wrong];
	}
}
