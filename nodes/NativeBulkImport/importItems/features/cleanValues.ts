import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isBlank } from '../../../shared/importFile/columnValues';
import { plainTest } from '../../../shared/importFile/plainValues';
import { judgeValue, type RowPlace, type ValueKind } from '../../../shared/importFile/valueKinds';
import { splitName } from '../../../shared/importFile/splitName';
import { isPlaceholder } from '../../../shared/service/noValue';
import { InvalidRow, invalidValue } from '../../../shared/importFile/delimitedRows';
import { detach } from '../../../shared/importFile/delimitedText';
import { valueKindOf } from '../../../shared/importFile/headerSynonyms';
import { sameName } from '../../../shared/service/nearestName';
import { chosenLabel } from '../../mappingType/fieldLabels';
import type { ReadBeside } from '../../rows/importRows';
import type { ImportFeature } from '../feature';
import {
	isExpression,
	isExternalId,
	type MappedField,
	type MappingPlan,
	type PlannedColumn,
} from '../mapping/importMapping';
import { isOnlyShown } from '../whatShouldHappen';

const option: INodeProperties = {
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
class ValueChanges {
	private readonly changed = new Map<string, Counted>();
	private readonly doubted = new Map<string, Counted>();
	private readonly leftOut = new Map<string, Counted>();

	/** @param after the cleaned value, or why it is doubted */
	add(kind: 'changed' | 'doubted' | 'leftOut', field: string, before: string, after: string): void {
		const known = this[kind].get(field) ?? { count: 0, examples: [] };
		this[kind].set(field, known);
		known.count++;
		if (known.examples.length === EXAMPLES) return;
		const isNew = known.examples.every((example) => example.before !== before);
		if (isNew) known.examples.push(detach({ before, after }));
	}

	sentences(): string[] {
		const valuesOf = (count: number, field: string): string =>
			`${count} ${count === 1 ? 'value' : 'values'} of ${field}`;
		const cleaned = [...this.changed].map(([field, { count, examples }]) => {
			const texts = examples.map(({ before, after }) => `${shown(before)} → ${shown(after)}`);
			return `Cleaned ${valuesOf(count, field)}: ${texts.join(', ')}.`;
		});
		const leftOut = [...this.leftOut].map(([field, { count, examples }]) => {
			const texts = examples.map(({ before }) => shown(before));
			return `Sent as blank: ${valuesOf(count, field)} that stand for none: ${texts.join(', ')}.`;
		});
		return [...cleaned, ...leftOut];
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

function kindOf({ fields, source, isRecordId }: PlannedColumn): ValueKind | undefined {
	if (isRecordId || isExternalId(source)) return 'id';
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

/** Kinds whose values spreadsheet programs give as numbers. */
const NUMBER_KINDS: ReadonlySet<ValueKind | undefined> = new Set(['zip', 'birth'] as const);

function isNumberToClean(value: unknown, kind: ValueKind | undefined): boolean {
	return typeof value === 'number' && Number.isSafeInteger(value) && NUMBER_KINDS.has(kind);
}

/** A column with its values cleaned before they are converted. */
function cleanedColumn(
	plan: MappingPlan,
	column: PlannedColumn,
	changes: ValueChanges,
): PlannedColumn {
	const kind = kindOf(column);
	const [target] = column.fields;
	const field = target ? chosenLabel(target) : column.source;
	const [state, country] = placeOf(plan, column.fields, kind);
	const beside = [state, country].filter(isExpression);
	const fixedPlace = beside.length === 0 ? rowPlace(state, country) : undefined;
	const readPlace = (read: ReadBeside): RowPlace =>
		rowPlace(
			isExpression(state) ? read(0) : state,
			isExpression(country) ? read(beside.length - 1) : country,
		);
	const isPlain = plainTest(kind);
	const { convert = (value: unknown) => value, hasDateFormat, label, title = label } = column;
	return {
		...column,
		beside,
		convert: (value, read) => {
			// A date in the chosen format is certain, whatever else it looks like: 41025 can be April 10, 2025.
			const date = hasDateFormat && !isBlank(value) ? convert(value, read) : undefined;
			if (date !== undefined && !(date instanceof InvalidRow)) return date;
			if (typeof value === 'string' ? isPlain(value) : !isNumberToClean(value, kind))
				return convert(value, read);
			const place = fixedPlace ?? readPlace(read);
			const before = String(value);
			const { verdict, text, reason = '' } = judgeValue(kind, before, place);
			if (verdict === 'impossible') return invalidValue(title, reason);
			if (verdict === 'noValue') changes.add('leftOut', field, before, text);
			// Blanks alone are no value to anybody.
			else if (text !== before && before.trim() !== '') changes.add('changed', field, before, text);
			if (verdict === 'doubtful') changes.add('doubted', field, text, reason);
			return convert(text === before ? value : text, read);
		},
	};
}

/** A column with one part of the name that it holds for both fields. */
function nameColumn(
	part: 'first' | 'last',
	column: PlannedColumn,
	changes: ValueChanges,
): PlannedColumn {
	const field = part === 'first' ? 'First Name' : 'Last Name';
	const header = column.title ?? column.label;
	return {
		...column,
		convert: (value) => {
			if (!isText(value)) return value;
			const before = String(value);
			const { text } = judgeValue('name', before);
			// A full name for which there is none, such as N/A, is no name to split.
			const name = splitName(text || before, header);
			if (!name)
				return invalidValue(
					header,
					'holds a name that cannot be split with certainty into first and last name. Write "Last, First", put them into two columns, or turn off Clean Values.',
				);
			if (name[part] !== before) changes.add('changed', field, before, name[part]);
			return name[part];
		},
	};
}

/** The columns that fill First Name and Last Name with one value. */
function nameParts(columns: readonly PlannedColumn[]): Map<PlannedColumn, 'first' | 'last'> {
	const filling = (name: string): PlannedColumn[] =>
		columns.filter(({ fields }) => fields.some(({ field }) => sameName(field, name)));
	const lasts = filling('LastName');
	return new Map(
		filling('FirstName').flatMap((first): Array<[PlannedColumn, 'first' | 'last']> => {
			const last = lasts.find(({ expression }) => expression === first.expression);
			return last
				? [
						[first, 'first'],
						[last, 'last'],
					]
				: [];
		}),
	);
}

function cleanColumns(
	columns: readonly PlannedColumn[],
	mapping: MappingPlan,
	changes: ValueChanges,
): PlannedColumn[] {
	const parts = nameParts(columns);
	return columns.map((column) => {
		const part = parts.get(column);
		if (part) return nameColumn(part, column, changes);
		return column.expression === undefined ? column : cleanedColumn(mapping, column, changes);
	});
}

export const cleanValues: ImportFeature = {
	options: { group: 'list', place: 20, fields: [option] },
	setting: {
		label: option.displayName,
		of: (parameters) => parameters.in('options').flag('cleanValues', true),
	},
	of(context) {
		if (!context.sends || !context.parameters.in('options').flag('cleanValues', true))
			return undefined;
		const isDry = isOnlyShown(context);
		/** Of the first reading: the rows have the same values in each. */
		let changes: ValueChanges | undefined;
		const doubts = () => changes?.doubts() ?? new Map<string, string>();
		return {
			headers: () => ({ cleansValues: true }),
			convert(columns, mapping) {
				const ofReading = new ValueChanges();
				changes ??= ofReading;
				return cleanColumns(columns, mapping, ofReading);
			},
			// A dry run shows doubts with their columns.
			sentences: () => [...(changes?.sentences() ?? []), ...(isDry ? [] : doubts().values())],
			doubts,
			shown() {
				const cleaned = changes?.details() ?? [];
				return cleaned.length > 0 ? { summary: { cleaned } } : {};
			},
		};
	},
};
