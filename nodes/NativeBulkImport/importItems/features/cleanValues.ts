import { isEmpty } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isBlank } from '../../../shared/importFile/columnValues';
import { plainTest } from '../../../shared/importFile/plainValues';
import { judgeValue, type RowPlace, type ValueKind } from '../../../shared/importFile/valueKinds';
import { splitName } from '../../../shared/importFile/splitName';
import { isPlaceholder } from '../../../shared/service/noValue';
import {
	type DelimitedFormat,
	InvalidRow,
	invalidValue,
	writtenText,
} from '../../../shared/importFile/delimitedRows';
import { detach } from '../../../shared/importFile/delimitedText';
import { counted } from '../../../shared/service/counted';
import { sameName } from '../../../shared/service/nearestName';
import { isObject } from '../../../shared/service/requestBody';
import { importFileSettings } from '../../file/fileFields';
import { chosenLabel } from '../../mappingType/fieldLabels';
import type { ImportRows, ReadBeside } from '../../rows/importRows';
import type { ImportFeature } from '../feature';
import {
	columnKind,
	isExpression,
	type MappedField,
	type MappingPlan,
	type PlannedColumn,
} from '../mapping/importMapping';
import { shownNames } from '../mapping/shownNames';
import { type FoundRows, type ImportNote, noteOn } from '../model';
import { isOnlyShown } from '../whatShouldHappen';

const option: INodeProperties = {
	displayName: 'Clean Values',
	name: 'cleanValues',
	type: 'boolean',
	default: true,
	description:
		'Whether to make safe corrections: blanks, phone numbers, states, countries, genders, lost zeros in ZIP codes, full names. Each change is counted and shown.',
};

/** Values of a field that a sentence shows, and rows that it names for each. */
const SHOWN_CHANGES = 3;
const SHOWN_VALUES = 10;
const NAMED_ROWS = 10;
const LONGEST_SHOWN = 60;

type Finding = 'changed' | 'doubted' | 'blanked';

/** Values of a field that were judged alike. */
interface Found {
	field: string;
	/** Why they are doubted or sent as blank; empty where nothing needs to be said. */
	reason: string;
	count: number;
	/** The first ones, each with the number of its rows, and the first of them, from 1. */
	values: Map<string, { after: string; count: number; rows: number[] }>;
}

function shown(text: string): string {
	const cut = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
	return JSON.stringify(cut).replace(
		/[\u00a0\u00ad\u2007\u200b\u202f\u2060\ufeff]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

/** What was found in the values of an import, by field, with examples and their rows. */
class ValueFindings {
	private readonly found: Record<Finding, Map<string, Found>> = {
		changed: new Map(),
		doubted: new Map(),
		blanked: new Map(),
	};

	/** What the last value was added to: the values of a column are often written alike. */
	private readonly last: Partial<Record<Finding, Found>> = {};

	constructor(private readonly source: Pick<ImportRows, 'noun' | 'lineOf'> | undefined) {}

	/** @param row from 1 */
	add(
		finding: Finding,
		field: string,
		before: string,
		after: string,
		row: number,
		reason = '',
	): void {
		const found = this.foundOf(finding, field, reason);
		found.count++;
		const value = found.values.get(before);
		if (value) {
			value.count++;
			if (value.rows.length < NAMED_ROWS) value.rows.push(row);
		} else if (found.values.size < SHOWN_VALUES)
			found.values.set(detach(before), { after: detach(after), count: 1, rows: [row] });
	}

	private foundOf(finding: Finding, field: string, reason: string): Found {
		const last = this.last[finding];
		if (last?.field === field && last.reason === reason) return last;
		const key = `${field}\n${reason}`;
		const known = this.found[finding].get(key);
		const found = known ?? { field, reason, count: 0, values: new Map() };
		if (!known) this.found[finding].set(key, found);
		this.last[finding] = found;
		return found;
	}

	/** `"Massachusets" in line 2, "Xx" in lines 5, 7 and 3 others`. */
	private places({ values, count }: Found): string {
		const { noun = 'row', lineOf } = this.source ?? {};
		let named = 0;
		const texts = [...values].map(([before, value]) => {
			named += value.count;
			const numbers = value.rows.map((row) => String(lineOf ? lineOf(row) : row));
			const what = `${lineOf ? 'line' : noun}${value.count > 1 ? 's' : ''}`;
			return `${shown(before)} in ${what} ${shownNames(numbers, value.count)}`;
		});
		const others = count - named;
		return `${texts.join(', ')}${others > 0 ? ` and ${others} other${others > 1 ? 's' : ''}` : ''}`;
	}

	private sentence(what: string, found: Found): string {
		const { field, reason, count } = found;
		const why = reason === '' ? '' : ` (${reason})`;
		return `${what} ${counted(count, 'value')} of ${field}${why}: ${this.places(found)}.`;
	}

	private note(what: string, found: Found): ImportNote {
		const rows = [...found.values.values()].flatMap((value) => value.rows);
		const positions = rows.map((row) => row - 1);
		return noteOn(this.sentence(what, found), positions, found.count);
	}

	/** @param isDry shows values to check with their columns */
	notes(isDry: boolean): ImportNote[] {
		const { changed, blanked, doubted } = this.found;
		const cleaned = [...changed.values()].map(({ field, count, values }) => {
			const texts = [...values].map(([before, { after }]) => `${shown(before)} → ${shown(after)}`);
			const shownTexts = texts.slice(0, SHOWN_CHANGES).join(', ');
			return { text: `Cleaned ${counted(count, 'value')} of ${field}: ${shownTexts}.` };
		});
		return [
			...cleaned,
			...[...blanked.values()].map((found) => this.note('Sent as blank:', found)),
			...(isDry ? [] : [...doubted.values()]).map((found) => this.note('Check', found)),
		];
	}

	/** Values to check, by the label of the field. */
	doubts(): Map<string, string> {
		const doubts = new Map<string, string>();
		for (const found of this.found.doubted.values()) {
			const before = doubts.get(found.field);
			const text = this.sentence('Check', found);
			doubts.set(found.field, before === undefined ? text : `${before} ${text}`);
		}
		return doubts;
	}

	/** Fields of a summary. */
	summary(): IDataObject {
		const details = (finding: Finding): IDataObject[] =>
			[...this.found[finding].values()].map((found) => ({
				field: found.field,
				problem: found.reason,
				count: found.count,
				examples: this.places(found),
			}));
		const [toCheck, sentAsBlank] = [details('doubted'), details('blanked')];
		return {
			...(toCheck.length > 0 && { toCheck }),
			...(sentAsBlank.length > 0 && { sentAsBlank }),
		};
	}

	cleaned(): IDataObject[] {
		return [...this.found.changed.values()].map(({ field, count, values }) => ({
			field,
			count,
			examples: [...values]
				.slice(0, SHOWN_CHANGES)
				.map(([before, { after }]) => ({ before, after })),
		}));
	}
}

function isText(value: unknown): value is string | number {
	return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}

function plainText(value: unknown): string {
	return isText(value) ? String(value) : '';
}

/** The values of the state and the country that belong to a column; blank if there are none. */
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
	// `N/A` means the same as a blank.
	return isPlaceholder(place.country) ? { ...place, country: '' } : place;
}

/** Kinds whose values spreadsheet programs store as numbers. */
const NUMBER_KINDS: ReadonlySet<ValueKind | undefined> = new Set(['zip', 'birth', 'date'] as const);

function isNumberToClean(value: unknown, kind: ValueKind | undefined): boolean {
	return typeof value === 'number' && Number.isSafeInteger(value) && NUMBER_KINDS.has(kind);
}

/** A column with its values cleaned before they are converted. */
function cleanedColumn(
	plan: MappingPlan,
	column: PlannedColumn,
	findings: ValueFindings,
	format: DelimitedFormat,
): PlannedColumn {
	const kind = columnKind(column);
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
	const {
		convert = (value: unknown) => value,
		hasDateFormat,
		label,
		title = label,
		dates,
	} = column;
	return {
		...column,
		beside,
		convert: (value, read, row) => {
			// The chosen format decides, whatever else a value looks like: 41025 can be April 10, 2025.
			const date = hasDateFormat && !isBlank(value) ? convert(value, read, row) : undefined;
			if (date !== undefined && !(date instanceof InvalidRow)) {
				const isDay = typeof date !== 'string' || isPlain(date);
				if (isDay || judgeValue(kind, date).verdict !== 'noValue') return date;
				findings.add('blanked', field, String(value), '', row);
				return '';
			}
			if (typeof value === 'string' ? isPlain(value) : !isNumberToClean(value, kind))
				return convert(value, read, row);
			const place = fixedPlace ?? readPlace(read);
			const before = String(value);
			const { verdict, text: judged, reason } = judgeValue(kind, before, place, dates);
			// As the file has it: with a blank for a line break.
			const text = writtenText(judged, format);
			if (verdict === 'impossible') return invalidValue(title, reason ?? '', before);
			if (verdict === 'noValue') findings.add('blanked', field, before, text, row, reason);
			// Removing blanks from a blank cell is not a change to report.
			else if (text !== before && before.trim() !== '')
				findings.add('changed', field, before, text, row);
			if (verdict === 'doubtful') findings.add('doubted', field, text, text, row, reason);
			return convert(text === before ? value : text, read, row);
		},
	};
}

/** A column of full names that feeds First Name and Last Name: with the part for one of them. */
function nameColumn(
	part: 'first' | 'last',
	column: PlannedColumn,
	findings: ValueFindings,
): PlannedColumn {
	const field = part === 'first' ? 'First Name' : 'Last Name';
	const header = column.title ?? column.label;
	return {
		...column,
		convert: (value, _, row) => {
			if (!isText(value)) return value;
			const before = String(value);
			const { text } = judgeValue('name', before);
			// N/A stands for no name: it is rejected like any text that cannot be split.
			const name = splitName(text || before, header);
			if (!name)
				return invalidValue(
					header,
					'holds a name that cannot be split with certainty into first and last name. Write "Last, First", put them into two columns, or turn off Clean Values.',
					before,
				);
			if (name[part] !== before) findings.add('changed', field, before, name[part], row);
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
	findings: ValueFindings,
	format: DelimitedFormat,
): PlannedColumn[] {
	const parts = nameParts(columns);
	return columns.map((column) => {
		const part = parts.get(column);
		if (part) return nameColumn(part, column, findings);
		return column.expression === undefined
			? column
			: cleanedColumn(mapping, column, findings, format);
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
		const { format } = importFileSettings(context.service.limits);
		/** From the first reading: the rows have the same values in each. */
		let findings: ValueFindings | undefined;
		let rows: ImportRows | undefined;
		return {
			openRows: (opened) => {
				rows = opened;
			},
			headers: () => ({ cleansValues: true }),
			readsDates: true,
			convert(columns, mapping) {
				const ofReading = new ValueFindings(rows);
				findings ??= ofReading;
				return cleanColumns(columns, mapping, ofReading, format);
			},
			find: () => judgedRows(findings?.summary() ?? {}),
			sentences: () => findings?.notes(isDry) ?? [],
			doubts: () => findings?.doubts() ?? new Map<string, string>(),
			shown() {
				const cleaned = findings?.cleaned() ?? [];
				return { summary: { ...(cleaned.length > 0 && { cleaned }), ...findings?.summary() } };
			},
		};
	},
	restore: async ({ judged }) =>
		await Promise.resolve(isObject(judged) ? judgedRows(judged) : undefined),
};

/** What was found in the values, for the summary; also if another execution reads the outcome. */
function judgedRows(judged: IDataObject): FoundRows | undefined {
	if (isEmpty(judged)) return undefined;
	return { reasonAt: () => undefined, summary: () => judged, store: () => ({ judged }) };
}
