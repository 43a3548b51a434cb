import { columnNames } from '../../shared/importFile/fileColumns';
import type { FieldValueMapping, ImportMappingType } from '../../shared/service/importJob';
import type { Problem } from '../../shared/service/invalidInput';
import {
	adviceWithoutRecordId,
	type MappingProblem,
	mappingTypeProblems,
	requiredFirstColumn,
	splitByCustomFieldGroup,
} from '../../shared/service/mappingRules';
import type { MappingTypeDescription } from '../../shared/service/mappingType';
import { suggestion } from '../../shared/service/nearestName';
import type { Vocabulary } from '../../shared/service/vocabulary';

/** A mapping type as chosen in the node: its name, and which of its occurrences it is. */
export interface ChosenMappingType {
	/** As stored in the node: `Phones`, or `ApplyExternalID (2)` for a second one. */
	key: string;
	name: string;
	/** What the service says of it; left out if that could not be read. */
	description?: MappingTypeDescription;
}

/** Where the value of a field comes from. */
export type FieldSource =
	/** The same for every item. */
	| { kind: 'static'; value: string }
	/** An expression, evaluated for each item; equal texts share a column. */
	| { kind: 'perItem'; expression: string };

/** `={{ $json.name }}` and `={{ $json["name"] }}`, which need no expression engine. */
const PLAIN_PROPERTY =
	/^=\{\{\s*\$json(?:\.([A-Za-z_$][\w$]*)|\[("(?:[^"\\]|\\.)*")\]|\['([^'\\]*)'\])\s*\}\}$/;

/** The property that an expression names and does nothing else with; undefined for all other expressions. */
export function plainProperty(expression: string): string | undefined {
	const match = PLAIN_PROPERTY.exec(expression);
	if (!match) return undefined;
	const [, dotted, doubleQuoted, singleQuoted] = match;
	return dotted ?? singleQuoted ?? (JSON.parse(doubleQuoted ?? '""') as string);
}

/** The mapped fields by their id in the resource mapper. */
export type FieldSources = ReadonlyMap<string, FieldSource>;

/** What the mapping has to know of the rows it is for. */
export interface MappedRows {
	/** Why an expression cannot be read from these rows; undefined if it can. */
	unreadable(expression: string): string | undefined;
}

export interface PlannedColumn {
	name: string;
	/** Undefined for the column that the node adds itself. */
	expression: string | undefined;
	/** The mapped fields it feeds, for checks of its values. */
	fields: Array<{ mappingType: ChosenMappingType; field: string }>;
}

export interface MappingPlan {
	columns: PlannedColumn[];
	/** The fields with one value for all rows. */
	fixed: Array<{ mappingType: ChosenMappingType; field: string; value: string }>;
	mappingTypes: ImportMappingType[];
	/** Name of the column that tells the node which result belongs to which item. */
	itemColumn: string;
	/** What the outcomes of the mapping types are called in the result files. */
	labels: string[];
}

/** Id in the resource mapper of the identifier some imports need (service.md 2.3). */
export const RECORD_ID_FIELD = 'recordId';

const ITEM_COLUMN = 'N8nItem';

export function fieldId(mappingTypeKey: string, field: string): string {
	return `${mappingTypeKey}:${field}`;
}

/** The name of a mapping type whose occurrences are numbered: `ApplyExternalID (2)` is ApplyExternalID. */
export function mappingTypeName(key: string): string {
	return key.replace(/ \(\d+\)$/, '');
}

interface MappedField {
	field: string;
	source: FieldSource;
}

function mappedFields(chosen: ChosenMappingType, sources: FieldSources): MappedField[] {
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

/**
 * Lays out the file and the mapping types of an import.
 * @param sources what the user mapped, blank fields left out
 */
export function planMapping(
	resourceType: string,
	chosen: readonly ChosenMappingType[],
	sources: FieldSources,
	vocabulary: Vocabulary,
): MappingPlan {
	const recordId = requiredFirstColumn(
		resourceType,
		chosen.map(({ name }) => name),
		vocabulary,
	);
	const recordSource = sources.get(RECORD_ID_FIELD);
	const parts = chosen.flatMap((mappingType) =>
		fieldGroups(mappingType, mappedFields(mappingType, sources)).map((fields) => ({
			mappingType,
			fields,
		})),
	);

	const wanted = new Map<string, PlannedColumn & { label: string }>();
	const want = (expression: string, label: string): PlannedColumn => {
		const column = wanted.get(expression) ?? { name: label, label, expression, fields: [] };
		wanted.set(expression, column);
		return column;
	};
	// First, because the service looks for the identifier there.
	if (recordId !== undefined && recordSource?.kind === 'perItem')
		want(recordSource.expression, recordId);
	const fixed: MappingPlan['fixed'] = [];
	for (const { mappingType, fields } of parts) {
		for (const { field, source } of fields) {
			if (source.kind === 'perItem') {
				want(source.expression, field).fields.push({ mappingType, field });
			} else {
				fixed.push({ mappingType, field, value: source.value });
			}
		}
	}
	const columns = [...wanted.values()];
	const names = columnNames([...columns.map(({ label }) => label), ITEM_COLUMN]);
	columns.forEach((column, index) => (column.name = names[index] ?? column.label));
	const itemColumn = names.at(-1) ?? ITEM_COLUMN;

	const labels = columnNames(parts.map(({ mappingType }) => mappingType.key));
	const taken = new Set(names.map((name) => name.toLowerCase()));
	const mappingTypes = parts.map(({ mappingType, fields }, index): ImportMappingType => {
		const label = labels[index] ?? mappingType.name;
		return {
			name: mappingType.name,
			...(fields.length > 0 && {
				fieldValueMappings: fields.map((mapped) => fieldValueMapping(mapped, wanted)),
			}),
			// A label of our own, so that outcomes can be told from columns without guessing.
			resultFileColumnName: taken.has(label.toLowerCase()) ? `${label}Result` : label,
		};
	});
	return {
		labels: mappingTypes.flatMap(({ resultFileColumnName }) => resultFileColumnName ?? []),
		columns: [
			...columns.map(({ name, expression, fields }) => ({ name, expression, fields })),
			{ name: itemColumn, expression: undefined, fields: [] },
		],
		fixed,
		mappingTypes,
		itemColumn,
	};
}

function fieldValueMapping(
	{ field, source }: MappedField,
	columns: ReadonlyMap<string, PlannedColumn>,
): FieldValueMapping {
	return source.kind === 'static'
		? { fieldName: field, staticValue: source.value }
		: { fieldName: field, columnName: columns.get(source.expression)?.name ?? field };
}

/** The fields that are filled for each row, as messages name them, and with what. */
function perRowFields(
	recordId: string | undefined,
	chosen: readonly ChosenMappingType[],
	sources: FieldSources,
): Array<{ field: string; expression: string }> {
	const recordSource = recordId === undefined ? undefined : sources.get(RECORD_ID_FIELD);
	const mapped = [
		...(recordSource ? [{ field: `Fields → ${recordId}`, source: recordSource }] : []),
		...chosen.flatMap((mappingType) =>
			mappedFields(mappingType, sources).map(({ field, source }) => ({
				field: `Fields → ${mappingType.key} → ${field}`,
				source,
			})),
		),
	];
	return mapped.flatMap(({ field, source }) =>
		source.kind === 'perItem' ? [{ field, expression: source.expression }] : [],
	);
}

/**
 * Fields that would stay blank in every row, most likely because a name is misspelled. No mistake for
 * certain: n8n leaves a property out of items that have no value for it.
 * @param properties that the rows have
 */
export function mappingWarnings(
	recordId: string | undefined,
	chosen: readonly ChosenMappingType[],
	sources: FieldSources,
	properties: readonly string[],
): string[] {
	const known = new Set(properties);
	return perRowFields(recordId, chosen, sources).flatMap(({ field, expression }) => {
		const property = plainProperty(expression);
		return property === undefined || known.has(property)
			? []
			: [
					`${field} is blank in every row: none has "${property}".${suggestion(property, properties)}`,
				];
	});
}

/** What is wrong with the mapping by the rows and the service's own descriptions, before anything is built. */
export function mappingProblems(
	resourceType: string,
	chosen: readonly ChosenMappingType[],
	sources: FieldSources,
	vocabulary: Vocabulary,
	rows: MappedRows,
): Problem[] {
	const names = chosen.map(({ name }) => name);
	const recordId = requiredFirstColumn(resourceType, names, vocabulary);
	const problems = perRowFields(recordId, chosen, sources).flatMap(({ field, expression }) => {
		const text = rows.unreadable(expression);
		return text === undefined ? [] : [{ field, text }];
	});
	if (recordId !== undefined && sources.get(RECORD_ID_FIELD)?.kind !== 'perItem') {
		problems.push({
			field: `Fields → ${recordId}`,
			text: `is needed to tell which record each row belongs to. Map it to a column of your data${adviceWithoutRecordId(resourceType)}.`,
		});
	}
	for (const mappingType of chosen) {
		const { description, key } = mappingType;
		if (!description) continue;
		const filled = mappedFields(mappingType, sources).map(({ field, source }) => ({
			field,
			fixedValue: source.kind === 'static' ? source.value : undefined,
		}));
		problems.push(
			...mappingTypeProblems(description, key, resourceType, filled, vocabulary).map((problem) => ({
				field: parameterOf(problem, key),
				text: problem.text,
			})),
		);
	}
	return problems;
}

/** Where on the screen a problem with a mapping type is. */
function parameterOf(problem: MappingProblem, key: string): string {
	if (problem.about === 'mappingType') return 'Mapping Type Names or IDs';
	if (problem.about === 'fields') return 'Fields';
	if (problem.about === 'fieldName') return `Fields → ${key}`;
	return `Fields → ${key} → ${problem.field}`;
}
