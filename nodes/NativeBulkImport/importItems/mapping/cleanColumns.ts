import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { cleanValue, type RowPlace, splitName } from '../../../shared/importFile/cleanValues';
import { isPlaceholder, type ValueKind } from '../../../shared/importFile/columnValues';
import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import { detach } from '../../../shared/importFile/delimitedText';
import { columnNames } from '../../../shared/importFile/fileColumns';
import { valueKindOf } from '../../../shared/importFile/headerSynonyms';
import { plainProperty, type ValueConverter } from '../rows/importRows';
import { targetLabel } from './fieldLabels';
import type { MappedField, MappingPlan, PlannedColumn } from './importMapping';

export const cleanValuesOption: INodeProperties = {
	displayName: 'Clean Values',
	name: 'cleanValues',
	type: 'boolean',
	default: true,
	description:
		'Whether to correct what cannot be wrong: blanks, phone numbers, states, countries, genders, lost zeros of ZIPs, full names. Each change is counted and shown.',
};

const EXAMPLES = 3;
const LONGEST_SHOWN = 60;

interface Changed {
	count: number;
	examples: Array<{ before: string; after: string }>;
}

interface Doubted {
	doubt: string;
	count: number;
	examples: string[];
}

/** A value as people can see it, with its blanks and invisible characters. */
function shown(text: string): string {
	const cut = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
	return JSON.stringify(cut).replace(
		/[\u00a0\u00ad\u2007\u200b\u202f\u2060\ufeff]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

/** What was changed in the values of an import, by field, with examples. */
export class ValueChanges {
	private readonly changed = new Map<string, Changed>();
	private readonly doubted = new Map<string, Doubted>();

	/** The rows are read from the beginning. */
	restart(): void {
		this.changed.clear();
		this.doubted.clear();
	}

	addChange(field: string, before: string, after: string): void {
		const known = this.changed.get(field) ?? { count: 0, examples: [] };
		this.changed.set(field, known);
		known.count++;
		const isNew = known.examples.every((example) => example.before !== before);
		if (known.examples.length < EXAMPLES && isNew) known.examples.push(detach({ before, after }));
	}

	addDoubt(field: string, doubt: string, value: string): void {
		const known = this.doubted.get(field) ?? { doubt, count: 0, examples: [] };
		this.doubted.set(field, known);
		known.count++;
		if (known.examples.length < EXAMPLES && !known.examples.includes(value))
			known.examples.push(detach(value));
	}

	/** One sentence per field. */
	sentences(): string[] {
		return [...this.changed].map(([field, { count, examples }]) => {
			const texts = examples.map(({ before, after }) => `${shown(before)} → ${shown(after)}`);
			return `Cleaned ${count} ${count === 1 ? 'value' : 'values'} of ${field}: ${texts.join(', ')}.`;
		});
	}

	/** What to check, by the label of the field. */
	doubts(): Map<string, string> {
		return new Map(
			[...this.doubted].map(([field, { doubt, count, examples }]) => [
				field,
				`Not changed, but to check in ${field} (${doubt}): ${count}, e.g. ${examples.map(shown).join(', ')}.`,
			]),
		);
	}

	/** For a dry run. */
	details(): IDataObject[] {
		return [...this.changed].map(([field, { count, examples }]) => ({ field, count, examples }));
	}
}

function isText(value: unknown): value is string | number {
	return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}

function kindOf({ fields, label }: PlannedColumn): ValueKind | undefined {
	const names = fields.length > 0 ? fields.map(({ field }) => field) : [label];
	// Also the countries of phones, which no header feeds.
	const kinds = names.map((name) => (/CountryCode$/i.test(name) ? 'country' : valueKindOf(name)));
	// A value for two kinds of fields is certain for neither.
	return kinds.every((kind) => kind === kinds[0]) ? kinds[0] : undefined;
}

function labelOf({ fields: [target], label }: PlannedColumn): string {
	return target ? targetLabel(target) : label;
}

/** A row with a value that cannot be sent, as the user's list calls its column. */
function invalidValue({ expression = '', label }: PlannedColumn, reason: string): InvalidRow {
	return new InvalidRow(`Column "${plainProperty(expression) ?? label}"`, reason);
}

/** Reads another field of the row; blank if nothing is mapped to it. */
interface Beside {
	expression?: string;
	value: string;
}

function besideOf(
	plan: MappingPlan,
	mappingType: MappedField['mappingType'],
	wanted: RegExp,
): Beside {
	const isWanted = (target: MappedField): boolean =>
		target.mappingType === mappingType && wanted.test(target.field);
	const expression = plan.columns.find(({ fields }) => fields.some(isWanted))?.expression;
	const value = plan.fixed.find(isWanted)?.value ?? '';
	return { value, ...(expression !== undefined && { expression }) };
}

/** The state and the country that a column belongs to. */
function placeOf(
	plan: MappingPlan,
	column: PlannedColumn,
	kind: ValueKind | undefined,
): [Beside, Beside] {
	const nothing: Beside = { value: '' };
	const [target] = column.fields;
	if (!target || !['phone', 'state', 'zip'].includes(kind ?? '')) return [nothing, nothing];
	const { mappingType, field } = target;
	const prefix = /^Mailing/i.test(field) ? 'Mailing' : '';
	const find = (name: string): Beside =>
		besideOf(plan, mappingType, new RegExp(`^${prefix}${name}$`, 'i'));
	const own = kind === 'phone' ? find(`${field}CountryCode`) : nothing;
	const hasOwn = own.expression !== undefined || own.value !== '';
	return [kind === 'zip' ? find('StateOrProvince') : nothing, hasOwn ? own : find('CountryCode')];
}

function cleaner(
	plan: MappingPlan,
	column: PlannedColumn,
	kind: ValueKind | undefined,
	changes: ValueChanges,
): ValueConverter {
	const field = labelOf(column);
	const [state, country] = placeOf(plan, column, kind);
	const beside = [state, country];
	column.beside = beside.flatMap(({ expression }) => expression ?? []);
	const { convert } = column;
	return (value, ...read) => {
		if (!isText(value) || (typeof value === 'number' && kind !== 'zip'))
			return convert ? convert(value) : value;
		const values = [...read];
		const [stateValue, countryValue] = beside.map((one) =>
			one.expression === undefined ? one.value : values.shift(),
		);
		const place: RowPlace = { state: plainText(stateValue), country: givenText(countryValue) };
		const before = String(value);
		const { text, doubt, problem } = cleanValue(kind, before, place);
		if (problem !== undefined) return invalidValue(column, problem);
		// Blanks alone are no value to anybody.
		if (text !== before && before.trim() !== '') changes.addChange(field, before, text);
		if (doubt !== undefined) changes.addDoubt(field, doubt, text);
		const cleaned = text === before ? value : text;
		return convert ? convert(cleaned) : cleaned;
	};
}

function plainText(value: unknown): string {
	return isText(value) ? String(value) : '';
}

/** Blank for `N/A`, which says as little as a blank. */
function givenText(value: unknown): string {
	const text = plainText(value);
	return isPlaceholder(text) ? '' : text;
}

/** Splits the name that one column holds for both fields. */
function nameCleaner(
	part: 'first' | 'last',
	column: PlannedColumn,
	changes: ValueChanges,
): ValueConverter {
	const field = part === 'first' ? 'First Name' : 'Last Name';
	return (value) => {
		if (!isText(value)) return value;
		const before = String(value);
		const name = splitName(before);
		if (!name)
			return invalidValue(
				column,
				'holds a name that cannot be split with certainty into first and last name. Write "Last, First", put them into two columns, or turn off Clean Values.',
			);
		if (name[part] !== before) changes.addChange(field, before, name[part]);
		return name[part];
	};
}

/** One column that fills First Name and Last Name becomes two. */
function splitNames(plan: MappingPlan, changes: ValueChanges): PlannedColumn[] {
	const found: PlannedColumn[] = [];
	for (const column of plan.columns) {
		const has =
			(field: string) =>
			(target: { field: string }): boolean =>
				target.field.toLowerCase() === field;
		if (!column.fields.some(has('firstname')) || !column.fields.some(has('lastname'))) continue;
		const names = columnNames([...plan.columns.map(({ name }) => name), 'LastName']);
		const last: PlannedColumn = {
			...column,
			name: names.at(-1) ?? 'LastName',
			fields: column.fields.filter(has('lastname')),
			convert: nameCleaner('last', column, changes),
		};
		column.fields = column.fields.filter((target) => !has('lastname')(target));
		column.convert = nameCleaner('first', column, changes);
		for (const { fieldValueMappings = [] } of plan.mappingTypes)
			for (const mapping of fieldValueMappings)
				if (mapping.fieldName.toLowerCase() === 'lastname' && mapping.columnName === column.name)
					mapping.columnName = last.name;
		plan.columns.splice(plan.columns.indexOf(column) + 1, 0, last);
		found.push(column, last);
	}
	return found;
}

/** Makes the columns of an import write clean values. */
export function cleanColumns(plan: MappingPlan, changes: ValueChanges): void {
	const split = splitNames(plan, changes);
	for (const column of plan.columns) {
		if (column.expression === undefined || split.includes(column)) continue;
		column.convert = cleaner(plan, column, kindOf(column), changes);
	}
}
