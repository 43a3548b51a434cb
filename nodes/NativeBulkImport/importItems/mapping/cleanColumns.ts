import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { cleanValue, type RowPlace, splitName } from '../../../shared/importFile/cleanValues';
import { isPlaceholder, type ValueKind } from '../../../shared/importFile/columnValues';
import { invalidValue } from '../../../shared/importFile/delimitedRows';
import { detach } from '../../../shared/importFile/delimitedText';
import { valueKindOf } from '../../../shared/importFile/headerSynonyms';
import { sameName } from '../../../shared/service/nearestName';
import { type ValueConverter } from '../../rows/importRows';
import { chosenLabel } from '../../mappingType/fieldLabels';
import {
	isExpression,
	type MappedField,
	type MappingPlan,
	type PlannedColumn,
} from './importMapping';

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

interface Counted {
	count: number;
	examples: Array<{ before: string; after: string }>;
}

function shown(text: string): string {
	const cut = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
	return JSON.stringify(cut).replace(
		/[\u00a0\u00ad\u2007\u200b\u202f\u2060\ufeff]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

/** What was changed in the values of an import, by field, with examples. */
export class ValueChanges {
	private readonly changed = new Map<string, Counted>();
	private readonly doubted = new Map<string, Counted>();

	/** The rows are read from the beginning. */
	restart(): void {
		this.changed.clear();
		this.doubted.clear();
	}

	/** @param after the cleaned value, or why it is doubted */
	add(kind: 'changed' | 'doubted', field: string, before: string, after: string): void {
		const known = this[kind].get(field) ?? { count: 0, examples: [] };
		this[kind].set(field, known);
		known.count++;
		const isNew = known.examples.every((example) => example.before !== before);
		if (isNew && known.examples.length < EXAMPLES) known.examples.push(detach({ before, after }));
	}

	sentences(): string[] {
		return [...this.changed].map(([field, { count, examples }]) => {
			const texts = examples.map(({ before, after }) => `${shown(before)} → ${shown(after)}`);
			return `Cleaned ${count} ${count === 1 ? 'value' : 'values'} of ${field}: ${texts.join(', ')}.`;
		});
	}

	/** What to check, by the label of the field. */
	doubts(): Map<string, string> {
		return new Map(
			[...this.doubted].map(([field, { count, examples }]) => {
				const texts = examples.map(({ before }) => shown(before)).join(', ');
				const doubt = examples[0]?.after;
				const text = `Check ${field}: ${count} not changed (${doubt}), e.g. ${texts}.`;
				return [field, text];
			}),
		);
	}

	details(): IDataObject[] {
		return [...this.changed].map(([field, { count, examples }]) => ({ field, count, examples }));
	}
}

function isText(value: unknown): value is string | number {
	return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}

function plainText(value: unknown): string {
	return isText(value) ? String(value) : '';
}

function kindOf({ fields, source }: PlannedColumn): ValueKind | undefined {
	const names = fields.length > 0 ? fields.map(({ field }) => field) : [source];
	// Also the countries of phones, which no header feeds.
	const kinds = names.map((name) => (/CountryCode$/i.test(name) ? 'country' : valueKindOf(name)));
	// A value for two kinds of fields is certain for neither.
	return kinds.every((kind) => kind === kinds[0]) ? kinds[0] : undefined;
}

/** What goes into the state and into the country that a column belongs to; blank if nothing does. */
function placeOf(
	{ columns, fixed }: MappingPlan,
	[target]: readonly MappedField[],
	kind: ValueKind | undefined,
): [state: string, country: string] {
	if (!target) return ['', ''];
	const { mappingType, field } = target;
	const all = [...columns.flatMap(({ fields }) => fields), ...fixed];
	const find = (name: string): string =>
		all.find((one) => one.mappingType === mappingType && sameName(one.field, name))?.value ?? '';
	const prefix = /^Mailing/i.test(field) ? 'Mailing' : '';
	const country = find(`${prefix}CountryCode`);
	if (kind === 'phone') return ['', find(`${field}CountryCode`) || country];
	if (kind === 'state') return ['', country];
	return kind === 'zip' ? [find(`${prefix}StateOrProvince`), country] : ['', ''];
}

function rowPlace(state: unknown, country: unknown): RowPlace {
	const place = { state: plainText(state), country: plainText(country) };
	// `N/A` says as little as a blank.
	return isPlaceholder(place.country) ? { ...place, country: '' } : place;
}

function cleaner(
	plan: MappingPlan,
	column: PlannedColumn,
	kind: ValueKind | undefined,
	changes: ValueChanges,
): ValueConverter {
	const [target] = column.fields;
	const field = target ? chosenLabel(target) : column.source;
	const [state, country] = placeOf(plan, column.fields, kind);
	column.beside = [state, country].filter(isExpression);
	const fixedPlace = column.beside.length === 0 ? rowPlace(state, country) : undefined;
	const readPlace = (read: unknown[]): RowPlace =>
		rowPlace(
			isExpression(state) ? read.shift() : state,
			isExpression(country) ? read.shift() : country,
		);
	const { convert, label, title = label } = column;
	return (value, ...read) => {
		if (!isText(value) || (typeof value === 'number' && kind !== 'zip'))
			return convert ? convert(value) : value;
		const place = fixedPlace ?? readPlace(read);
		const before = String(value);
		const { text, doubt, problem } = cleanValue(kind, before, place);
		if (problem !== undefined) return invalidValue(title, problem);
		// Blanks alone are no value to anybody.
		if (text !== before && before.trim() !== '') changes.add('changed', field, before, text);
		if (doubt !== undefined) changes.add('doubted', field, text, doubt);
		const cleaned = text === before ? value : text;
		return convert ? convert(cleaned) : cleaned;
	};
}

/** Splits the name that one column holds for both fields. */
function nameCleaner(
	part: 'first' | 'last',
	column: PlannedColumn,
	changes: ValueChanges,
): ValueConverter {
	const field = part === 'first' ? 'First Name' : 'Last Name';
	const header = column.title ?? column.label;
	return (value) => {
		if (!isText(value)) return value;
		const before = String(value);
		const name = splitName(before, header);
		if (!name)
			return invalidValue(
				header,
				'holds a name that cannot be split with certainty into first and last name. Write "Last, First", put them into two columns, or turn off Clean Values.',
			);
		if (name[part] !== before) changes.add('changed', field, before, name[part]);
		return name[part];
	};
}

/** Splits what fills both First Name and Last Name. */
function splitNames({ columns }: MappingPlan, changes: ValueChanges): PlannedColumn[] {
	const filling = (name: string): PlannedColumn[] =>
		columns.filter(({ fields }) => fields.some(({ field }) => sameName(field, name)));
	return filling('FirstName').flatMap((first) => {
		const last = filling('LastName').find(({ expression }) => expression === first.expression);
		if (!last) return [];
		first.convert = nameCleaner('first', first, changes);
		last.convert = nameCleaner('last', last, changes);
		return [first, last];
	});
}

export function cleanColumns(plan: MappingPlan, changes: ValueChanges): void {
	const split = splitNames(plan, changes);
	for (const column of plan.columns) {
		if (column.expression === undefined || split.includes(column)) continue;
		column.convert = cleaner(plan, column, kindOf(column), changes);
	}
}
