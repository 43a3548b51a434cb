import type { ServiceList } from '../../../shared/execution/serviceList';
import { columnNames } from '../../../shared/importFile/fileColumns';
import type { DateFormat } from '../../../shared/parameters/dateFormat';
import type {
	FieldValueMapping,
	ImportMappingType,
} from '../../../shared/service/importJobMapping';
import {
	describedField,
	type MappingTypeDescription,
	requiredFirstColumn,
	splitByCustomFieldGroup,
} from '../../../shared/service/mappingRules';
import type { NativeService } from '../../../shared/service/nativeService';
import { sameName } from '../../../shared/service/nearestName';
import type { Vocabulary } from '../../../shared/service/vocabulary';
import { readAcceptedValues } from '../../mappingType/mappingTypeDescriptions';
import { type RowColumn, rowKey, type ValueConverter } from '../rows/importRows';
import { dateConverter, dateKind, idConverter } from './valueConverters';

/** Labels of Import Items for messages. */
export const IMPORT_LABEL = 'Import';
export const MAPPING_TYPES_LABEL = 'What to Do With Each Row';

/** A chosen mapping type: its name, and which occurrence it is. */
export interface ChosenMappingType {
	/** As stored in the node: `Phones`, or `ApplyExternalID (2)` for a second one. */
	key: string;
	name: string;
	/** Missing if it could not be read. */
	description?: MappingTypeDescription;
	/** The predefined values of mapped fields, if they were read. */
	accepted?: ReadonlyMap<string, ServiceList>;
}

export type FieldSource =
	/** The same for every item. */
	| { kind: 'static'; value: string }
	/** An expression, evaluated for each item; equal texts share a column. */
	| { kind: 'perItem'; expression: string };

/** The mapped fields by their id in the resource mapper. */
export type FieldSources = ReadonlyMap<string, FieldSource>;

/** A column of the files. */
export interface PlannedColumn extends RowColumn {
	/** Its name in messages: the first field it feeds. */
	label: string;
	/** The mapped fields it feeds, for checks of its values. */
	fields: Array<{ mappingType: ChosenMappingType; field: string }>;
	/** Whether it identifies the record of a row. */
	isRecordId: boolean;
}

export interface MappingPlan {
	columns: PlannedColumn[];
	/** The fields with one value for all rows. */
	fixed: Array<{ mappingType: ChosenMappingType; field: string; value: string }>;
	mappingTypes: ImportMappingType[];
	/** Name of the column that joins results to items. */
	itemColumn: string;
	/** Labels of the outcome columns in the result files. */
	labels: string[];
}

/** Id in the resource mapper of the identifier some imports need (service.md 2.3). */
export const RECORD_ID_FIELD = 'recordId';

export const ITEM_COLUMN = 'N8nItem';

export function fieldId(mappingTypeKey: string, field: string): string {
	return `${mappingTypeKey}:${field}`;
}

/** `ApplyExternalID (2)` → `ApplyExternalID`. */
export function mappingTypeName(key: string): string {
	return key.replace(/ \(\d+\)$/, '');
}

interface MappedField {
	field: string;
	source: FieldSource;
}

export function mappedFields(chosen: ChosenMappingType, sources: FieldSources): MappedField[] {
	const prefix = fieldId(chosen.key, '');
	return [...sources].flatMap(([id, source]) =>
		id.startsWith(prefix) ? [{ field: id.slice(prefix.length), source }] : [],
	);
}

/** The fields of each mapping type to send for a chosen one. */
function fieldGroups(chosen: ChosenMappingType, fields: MappedField[]): MappedField[][] {
	return splitByCustomFieldGroup(chosen.name, chosen.description, fields).map(
		({ group, fields: members }) => [
			...(group
				? [{ field: group.field, source: { kind: 'static' as const, value: group.id } }]
				: []),
			...members,
		],
	);
}

/** A mapping type to send, with the fields that go into it. */
interface MappedPart {
	mappingType: ChosenMappingType;
	fields: MappedField[];
}

/**
 * The columns that the fields need by {@link columnKey}, without names of their own yet.
 * @param recordId the name of the identifier in the first column, if the import needs it
 */
function neededColumns(
	recordId: string | undefined,
	parts: readonly MappedPart[],
	sources: FieldSources,
	vocabulary: Vocabulary,
	format: DateFormat | undefined,
): Map<string, PlannedColumn> {
	const columns = new Map<string, PlannedColumn>();
	const need = (expression: string, label: string, key = expression): PlannedColumn => {
		const known = columns.get(key);
		const column = known ?? { name: label, label, expression, fields: [], isRecordId: false };
		column.isRecordId ||= label === recordId || isRecordId(label, vocabulary);
		columns.set(key, column);
		return column;
	};
	// First: the service looks for the identifier there.
	const recordSource = sources.get(RECORD_ID_FIELD);
	if (recordId !== undefined && recordSource?.kind === 'perItem')
		need(recordSource.expression, recordId);
	for (const { mappingType, fields } of parts) {
		for (const { field, source } of fields) {
			if (source.kind !== 'perItem') continue;
			const convert = converterOf(mappingType, field, format);
			const key = columnKey(mappingType, field, source, format);
			const column = need(source.expression, field, key);
			column.fields.push({ mappingType, field });
			if (convert) column.convert = convert;
		}
	}
	return columns;
}

/**
 * Lays out the file and the mapping types of an import.
 * @param run names the rows in the column that joins results to items
 * @param sources what the user mapped, blank fields left out
 * @param format of the dates; undefined if they are written as they are
 */
export function planMapping(
	run: string,
	resourceType: string,
	chosen: readonly ChosenMappingType[],
	sources: FieldSources,
	vocabulary: Vocabulary,
	format?: DateFormat,
): MappingPlan {
	const chosenNames = chosen.map(({ name }) => name);
	const recordId = requiredFirstColumn(resourceType, chosenNames, vocabulary);
	const parts = chosen.flatMap((mappingType) =>
		fieldGroups(mappingType, mappedFields(mappingType, sources)).map(
			(fields): MappedPart => ({ mappingType, fields }),
		),
	);
	const needed = neededColumns(recordId, parts, sources, vocabulary, format);
	const columns = [...needed.values()];
	const names = columnNames([...columns.map(({ label }) => label), ITEM_COLUMN]);
	columns.forEach((column, index) => (column.name = names[index] ?? column.label));
	const itemColumn = names.at(-1) ?? ITEM_COLUMN;
	const mappingTypes = mappingTypesOf(parts, needed, names, format);
	const keys: PlannedColumn = {
		name: itemColumn,
		label: itemColumn,
		expression: undefined,
		fields: [],
		isRecordId: false,
		convert: (row) => rowKey(run, Number(row)),
	};
	return {
		labels: mappingTypes.flatMap(({ resultFileColumnName }) => resultFileColumnName ?? []),
		columns: [...columns, keys],
		fixed: parts.flatMap(({ mappingType, fields }) =>
			fields.flatMap(({ field, source }) =>
				source.kind === 'static'
					? [{ mappingType, field, value: fixedValue(mappingType, field, source.value) }]
					: [],
			),
		),
		mappingTypes,
		itemColumn,
	};
}

/** @param names of all columns, which the labels of outcomes must not repeat */
function mappingTypesOf(
	parts: readonly MappedPart[],
	columns: ReadonlyMap<string, PlannedColumn>,
	names: readonly string[],
	format: DateFormat | undefined,
): ImportMappingType[] {
	const labels = columnNames(parts.map(({ mappingType }) => mappingType.key));
	const taken = new Set(names.map((name) => name.toLowerCase()));
	return parts.map(({ mappingType, fields }, index): ImportMappingType => {
		const label = labels[index] ?? mappingType.name;
		return {
			// Some deployments accept only the service's own spelling.
			name: mappingType.description?.name ?? mappingType.name,
			...(fields.length > 0 && {
				fieldValueMappings: fields.map((mapped) =>
					fieldValueMapping(mappingType, mapped, columns, format),
				),
			}),
			// Our own label, to recognise outcome columns without guessing.
			resultFileColumnName: taken.has(label.toLowerCase()) ? `${label}Result` : label,
		};
	});
}

/** Whether a field identifies a record; external IDs do. */
function isRecordId(field: string, { personIdColumn }: Vocabulary): boolean {
	return [personIdColumn, 'NativeId', 'VanId', 'ContributionId', 'ExternalId'].some((name) =>
		sameName(name, field),
	);
}

function isPredefined({ description }: ChosenMappingType, field: string): boolean {
	return (description && describedField(description, field)?.hasPredefinedValues) === true;
}

function converterOf(
	mappingType: ChosenMappingType,
	field: string,
	format: DateFormat | undefined,
): ValueConverter | undefined {
	if (isPredefined(mappingType, field)) return idConverter(mappingType.accepted?.get(field));
	const kind = dateKindOf(mappingType, field);
	return kind && dateConverter(field, kind, format);
}

function dateKindOf(
	{ description }: ChosenMappingType,
	field: string,
): ReturnType<typeof dateKind> {
	const described = description && describedField(description, field);
	return dateKind(field, described?.description ?? '');
}

/** Fields share a column if the same value is written for both. */
function columnKey(
	mappingType: ChosenMappingType,
	field: string,
	{ expression }: { expression: string },
	format: DateFormat | undefined,
): string {
	if (isPredefined(mappingType, field)) return `${mappingType.name}:${field} ${expression}`;
	return converterOf(mappingType, field, format)
		? `${dateKindOf(mappingType, field) ?? ''} ${expression}`
		: expression;
}

function fixedValue(mappingType: ChosenMappingType, field: string, value: string): string {
	return isPredefined(mappingType, field)
		? String(mappingType.accepted?.get(field)?.idOf(value.trim()) ?? value.trim())
		: value;
}

function fieldValueMapping(
	mappingType: ChosenMappingType,
	{ field, source }: MappedField,
	columns: ReadonlyMap<string, PlannedColumn>,
	format: DateFormat | undefined,
): FieldValueMapping {
	if (source.kind === 'static')
		return { fieldName: field, staticValue: fixedValue(mappingType, field, source.value) };
	const column = columns.get(columnKey(mappingType, field, source, format));
	return { fieldName: field, columnName: column?.name ?? field };
}

/** The chosen mapping types with the predefined values of their mapped fields. */
export async function loadAcceptedValues(
	service: NativeService,
	chosen: readonly ChosenMappingType[],
	sources: FieldSources,
): Promise<ChosenMappingType[]> {
	return await Promise.all(
		chosen.map(async (mappingType) => {
			const { description } = mappingType;
			const accepted = new Map<string, ServiceList>();
			const fields = description ? mappedFields(mappingType, sources) : [];
			await Promise.all(
				fields.map(async ({ field }) => {
					const values = description && (await readAcceptedValues(service, description, field));
					if (values) accepted.set(field, values);
				}),
			);
			return { ...mappingType, accepted };
		}),
	);
}
