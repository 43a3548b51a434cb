import type { ServiceList } from '../../../shared/execution/serviceList';
import { invalidValue } from '../../../shared/importFile/delimitedRows';
import type { DateColumn } from '../../../shared/importFile/dateColumn';
import { columnNames } from '../../../shared/importFile/fileColumns';
import { isNameHalf, valueKindOf } from '../../../shared/importFile/headerSynonyms';
import { plainTest } from '../../../shared/importFile/plainValues';
import { judgeValue, type ValueKind } from '../../../shared/importFile/valueKinds';
import {
	type DateFormat,
	LONGEST_DATE,
	readBirthDate,
	readDate,
} from '../../../shared/parameters/dateFormat';
import { dayText, isBirthDay, isoDate } from '../../../shared/service/dateText';
import type {
	FieldValueMapping,
	ImportMappingType,
} from '../../../shared/service/importJobMapping';
import {
	describedField,
	isCustomField,
	splitByCustomFieldGroup,
} from '../../../shared/service/mappingRules';
import { isRounded } from '../../../shared/service/jsonText';
import { sameName } from '../../../shared/service/nearestName';
import type { Vocabulary } from '../../../shared/service/connection';
import { columnTitle } from '../../rows/columnExpressions';
import { type RowColumn, rowKey, type ValueConverter } from '../../rows/importRows';
import {
	type ChosenField,
	type ChosenMappingType,
	fieldId,
	fieldLabel,
	labelFinder,
	RECORD_ID_FIELD,
	recordIdLabel,
} from '../../mappingType/fieldLabels';

export const IMPORT_LABEL = 'Import';
export const MAPPING_TYPES_LABEL = 'What to Do With Each Row';

/** A field of a chosen mapping type, and what goes into it. */
export interface MappedField extends ChosenField {
	/** What the resource mapper calls it. */
	label: string;
	/** An expression, evaluated for each row, or the value of all rows: see {@link isExpression}. */
	value: string;
	/** The predefined values, if they were read. */
	accepted?: ServiceList | undefined;
}

/** What goes into the fields of an import, by the order of its mapping types. */
export interface MappedFields {
	/** The identifier in the first column, if the import needs one; its value is blank if nothing is mapped. */
	recordId: { name: string; label: string; value: string } | undefined;
	fields: readonly MappedField[];
}

export interface PlannedColumn extends RowColumn {
	/** The first field it feeds, or the record ID; then what the resource mapper calls it. */
	source: string;
	label: string;
	/** The fields it feeds, for checks of its values. */
	fields: MappedField[];
	isRecordId: boolean;
	/** Whether `convert` reads its values with the given order or format. */
	hasDateFormat?: boolean;
	/** What all its values show together, if it holds dates without a format of their own. */
	dates?: DateColumn;
	/** Why it must not be blank in every row; undefined if it may. */
	blankProblem?: string;
}

export interface MappingPlan {
	columns: PlannedColumn[];
	fixed: MappedField[];
	mappingTypes: ImportMappingType[];
	/** Name of the column that joins results to items. */
	itemColumn: string;
	/** Labels of the outcome columns in the result files. */
	labels: string[];
}

export const ITEM_COLUMN = 'N8nItem';

/** Whether a value differs from row to row, as n8n stores it. */
export function isExpression(value: string): boolean {
	return value.startsWith('=');
}

export function screenName({ label }: { label: string }): string {
	return `Fields → ${label}`;
}

/** What the user mapped, without blank fields and those of mapping types that are not chosen any more. */
export function mappedFields(
	chosen: readonly ChosenMappingType[],
	recordIdName: string | undefined,
	values: ReadonlyMap<string, string>,
): MappedFields {
	const labelOf = labelFinder(chosen);
	const fields = chosen.flatMap((mappingType) => {
		const prefix = fieldId(mappingType.key, '');
		const own = [...values].filter(([id]) => id.startsWith(prefix));
		return own.map(([id, value]) => {
			const field = id.slice(prefix.length);
			return mappedField({ mappingType, field, value, label: labelOf(mappingType, field) });
		});
	});
	if (recordIdName === undefined) return { recordId: undefined, fields };
	const value = values.get(RECORD_ID_FIELD) ?? '';
	return { recordId: { name: recordIdName, label: recordIdLabel(recordIdName), value }, fields };
}

function mappedField(given: Omit<MappedField, 'described'>): MappedField {
	const { description } = given.mappingType;
	return { ...given, described: description && describedField(description, given.field) };
}

interface MappedPart {
	mappingType: ChosenMappingType;
	fields: MappedField[];
}

/** A chosen mapping type is sent once for each group of custom fields. */
function partsOf(mappingType: ChosenMappingType, mapped: readonly MappedField[]): MappedPart[] {
	const own = mapped.filter((one) => one.mappingType === mappingType);
	return splitByCustomFieldGroup(mappingType.name, mappingType.description, own).map(
		({ group, fields }) => {
			const { field = '', id: value = '' } = group ?? {};
			const label = fieldLabel({ name: field });
			const added = group ? [mappedField({ mappingType, field, value, label })] : [];
			return { mappingType, fields: [...added, ...fields].map(withFixedId) };
		},
	);
}

/** Replaces the name of a predefined value that is the same for all rows with its ID. */
function withFixedId(mapped: MappedField): MappedField {
	const { value, described, accepted } = mapped;
	if (isExpression(value) || described?.hasPredefinedValues !== true) return mapped;
	return { ...mapped, value: String(accepted?.idOf(value.trim()) ?? value.trim()) };
}

/** `DateCanvassed`, `datecanvassed` and `canvass_date`, but not `DoNotUpdateBest` and `CandidateID`. */
const DATE_FIELD = /(?<!up|candi|man|vali)date(?!d(?![a-z])|base)/i;

/**
 * Whether a field holds a date, or a date of birth. The service tells no types (service.md 3.1), only a name and
 * a description, in spellings that differ between deployments.
 */
export function dateKind(name: string, description: string): 'date' | 'birth' | undefined {
	if (
		/^dob$|birth_?(date|day)|date_?of_?birth/i.test(name) ||
		/\b(dob|(date|day) of birth|birthday|birth ?date)\b|^birth$/i.test(description)
	)
		return 'birth';
	// A field of the organization has a number for a name.
	const described = isCustomField(name) ? /\bdate\b/i : /^(the )?date\b|\bdate$/i;
	return DATE_FIELD.test(name) || described.test(description.trim()) ? 'date' : undefined;
}

/** What the values of a column are; undefined if nothing is known of them. */
export function columnKind({ fields, source, isRecordId }: PlannedColumn): ValueKind | undefined {
	if (isRecordId) return recordIdKind(source);
	if (isExternalId(source)) return 'id';
	const names = fields.length > 0 ? fields.map(({ field }) => field) : [source];
	// Includes the countries of phones, which no header feeds.
	const kinds = names.map((name, index) => {
		if (/CountryCode$/i.test(name)) return 'country';
		return valueKindOf(name) ?? dateKind(name, fields[index]?.described?.description ?? '');
	});
	// A column that feeds two kinds of fields cannot be cleaned with certainty for either.
	return kinds.every((kind) => kind === kinds[0]) ? kinds[0] : undefined;
}

/** Writes the ID for a name. Unknown names stay as they are, for the check of all values. */
function idConverter(accepted: ServiceList | undefined): ValueConverter {
	return (value) => {
		if (typeof value !== 'string' && typeof value !== 'number') return value;
		const text = String(value).trim();
		return String(accepted?.idOf(text) ?? text);
	};
}

/** An ID of the service is a number; one of another system is any text. */
function recordIdKind(source: string): ValueKind {
	return sameName(source, 'ExternalId') || isExternalId(source) ? 'id' : 'recordId';
}

/** Makes rows invalid whose ID is none, whether or not values are cleaned: it would be that of another record, or rejected. */
function idCheck(title: string, kind: ValueKind): ValueConverter {
	const isPlain = plainTest(kind);
	return (value) => {
		const isWritten = typeof value === 'number' && Number.isFinite(value) && !isRounded(value);
		if (typeof value !== 'string' && !isWritten) return value;
		const text = String(value).trim();
		if (isPlain(text)) return value;
		const { verdict, reason = '' } = judgeValue(kind, text);
		return verdict === 'impossible' ? invalidValue(title, reason, text) : value;
	};
}

/**
 * Writes dates as the service reads them.
 * @param format undefined if the user gave none: then only dates of birth are checked
 */
function dateConverter(
	title: string,
	kind: 'date' | 'birth',
	format: DateFormat | undefined,
): ValueConverter | undefined {
	if (kind === 'date' && !format) return undefined;
	const isInFuture = futureTest();
	return (value) => {
		// Spreadsheets give 19580422 as a number.
		const text = format && typeof value === 'number' ? String(value) : dayText(value);
		if (typeof text !== 'string' || text.trim() === '') return value;
		if (kind === 'birth' && isInFuture(text))
			return invalidValue(
				title,
				'is not a date of birth, because it lies in the future. Correct it.',
				text,
			);
		if (!format || !['string', 'number'].includes(typeof value)) return value;
		return (
			(kind === 'birth' ? readBirthDate(text, format) : readDate(text, format)) ??
			invalidValue(
				title,
				`is not a date in the format ${format.entered}. Correct it, or change Dates in the List.`,
				text,
			)
		);
	};
}

const YEAR = /(?<!\d)\d{4}(?!\d)/;
const YEAR_FIRST = /^\d{4}-/;

function yearOf(text: string): string {
	return YEAR.exec(text.slice(0, LONGEST_DATE))?.[0] ?? '0000';
}

/** Tells whether a date is in ISO 8601, or has a year of four digits, and lies in the future. */
function futureTest(): (text: string) => boolean {
	const thisYear = String(new Date().getUTCFullYear());
	return (text) => {
		const year = YEAR_FIRST.test(text) ? text.slice(0, 4) : yearOf(text);
		// Nearly every date of birth lies in an earlier year.
		if (year < thisYear) return false;
		return !isBirthDay(isoDate(text)?.slice(0, 10) ?? `${year}-01-01`);
	};
}

/** How the values of a field are written. Fields with one key and one expression share a column. */
function conversionOf(
	{ mappingType, field, label, value, described, accepted }: MappedField,
	format: DateFormat | undefined,
): { key: string; convert?: ValueConverter | undefined; hasDateFormat?: boolean } {
	if (described?.hasPredefinedValues === true)
		return { key: `${mappingType.name}:${field}`, convert: idConverter(accepted) };
	// A full name may be split for these two, but not for other fields.
	if (isNameHalf({ name: field })) return { key: field.toLowerCase() };
	const kind = dateKind(field, described?.description ?? '');
	const convert = kind && dateConverter(columnTitle(value) ?? label, kind, format);
	return convert ? { key: kind, convert, hasDateFormat: format !== undefined } : { key: '' };
}

/** The columns of the fields, without names of their own yet. */
function neededColumns(
	recordId: MappedFields['recordId'],
	fields: readonly MappedField[],
	vocabulary: Vocabulary,
	format: DateFormat | undefined,
): PlannedColumn[] {
	const columns = new Map<string, PlannedColumn>();
	const need = (expression: string, source: string, label: string, kind = ''): PlannedColumn => {
		const key = `${kind} ${expression}`;
		const names = { name: source, source, label, title: columnTitle(expression) ?? label };
		const known = columns.get(key);
		const column = known ?? { ...names, expression, fields: [], isRecordId: false };
		column.isRecordId ||= source === recordId?.name || isRecordId(source, vocabulary);
		if (column.isRecordId || isExternalId(source))
			column.convert ??= idCheck(names.title, recordIdKind(column.source));
		columns.set(key, column);
		return column;
	};
	// First: the service looks for the identifier there.
	if (recordId && isExpression(recordId.value)) need(recordId.value, recordId.name, recordId.label);
	for (const mapped of fields) {
		if (!isExpression(mapped.value)) continue;
		const { key, convert, hasDateFormat = false } = conversionOf(mapped, format);
		const column = need(mapped.value, mapped.field, mapped.label, key);
		column.fields.push(mapped);
		if (convert) column.convert = convert;
		column.hasDateFormat ||= hasDateFormat;
	}
	return [...columns.values()];
}

/**
 * Lays out the file and the mapping types of an import.
 * @param run names the rows in the column that joins results to items
 * @param format of the dates; undefined if they are written as they are
 */
export function planMapping(
	run: string,
	chosen: readonly ChosenMappingType[],
	mapped: MappedFields,
	vocabulary: Vocabulary,
	format?: DateFormat,
): MappingPlan {
	const parts = chosen.flatMap((mappingType) => partsOf(mappingType, mapped.fields));
	const fields = parts.flatMap((part) => part.fields);
	const keys: PlannedColumn = {
		name: ITEM_COLUMN,
		source: ITEM_COLUMN,
		label: ITEM_COLUMN,
		expression: undefined,
		fields: [],
		isRecordId: false,
		convert: (row) => rowKey(run, Number(row)),
	};
	const columns = [...neededColumns(mapped.recordId, fields, vocabulary, format), keys];
	const names = columnNames(columns.map(({ source }) => source));
	columns.forEach((column, index) => (column.name = names[index] ?? column.source));
	const mappingTypes = mappingTypesOf(parts, columns);
	return {
		labels: mappingTypes.flatMap(({ resultFileColumnName }) => resultFileColumnName ?? []),
		columns,
		fixed: fields.filter(({ value }) => !isExpression(value)),
		mappingTypes,
		itemColumn: keys.name,
	};
}

function mappingTypesOf(
	parts: readonly MappedPart[],
	columns: readonly PlannedColumn[],
): ImportMappingType[] {
	const labels = columnNames(parts.map(({ mappingType }) => mappingType.key));
	const mappingOf = (mapped: MappedField): FieldValueMapping => {
		const { field: fieldName, value } = mapped;
		const column = columns.find(({ fields }) => fields.includes(mapped));
		return column ? { fieldName, columnName: column.name } : { fieldName, staticValue: value };
	};
	return parts.map(({ mappingType, fields }, index): ImportMappingType => {
		const label = labels[index] ?? mappingType.name;
		return {
			// Some deployments accept only the service's own spelling.
			name: mappingType.description?.name ?? mappingType.name,
			...(fields.length > 0 && { fieldValueMappings: fields.map(mappingOf) }),
			// Our own label, to recognise outcome columns without guessing; no column of the file has it.
			resultFileColumnName: columns.some(({ name }) => sameName(name, label))
				? `${label}Result`
				: label,
		};
	});
}

/** Whether a field is one of a person to find or store. */
export function isOfContact({ mappingType }: MappedField): boolean {
	return sameName(mappingType.name, 'CreateOrUpdateContact');
}

/** Whether a field holds IDs of one other system: `External_2ID`. */
export function isExternalId(field: string): boolean {
	return /^External_\d+ID$/i.test(field);
}

/** Whether a field identifies a record; external IDs do. */
export function isRecordId(field: string, { personIdColumn }: Vocabulary): boolean {
	return [personIdColumn, 'NativeId', 'VanId', 'ContributionId', 'ExternalId'].some((name) =>
		sameName(name, field),
	);
}
