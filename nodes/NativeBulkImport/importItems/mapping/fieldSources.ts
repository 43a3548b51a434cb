import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import {
	type HeaderField,
	type HeaderMatch,
	matchHeaders,
} from '../../../shared/importFile/matchHeaders';
import { findName } from '../../../shared/importFile/fileColumns';
import type { ItemParameters } from '../../../shared/parameters/itemParameters';
import { type Problem, throwIfAny } from '../../../shared/service/invalidInput';
import {
	adviceWithoutRecordId,
	type MappingProblem,
	mappingTypeProblems,
	requiredFirstColumn,
} from '../../../shared/service/mappingRules';
import { sameName, suggestion } from '../../../shared/service/nearestName';
import type { Vocabulary } from '../../../shared/service/vocabulary';
import { expressionPath, type ImportRows } from '../rows/importRows';
import { fieldLabel } from './fieldLabels';
import {
	type ChosenMappingType,
	fieldId,
	type FieldSource,
	type FieldSources,
	mappedFields,
	MAPPING_TYPES_LABEL,
	RECORD_ID_FIELD,
} from './importMapping';

/** A field by its id in the resource mapper. */
interface MappableField extends HeaderField {
	id: string;
	/** As the editor calls it. */
	label: string;
}

function mappableFields(
	chosen: readonly ChosenMappingType[],
	recordIdName: string | undefined,
): MappableField[] {
	return [
		...(recordIdName === undefined
			? []
			: [{ id: RECORD_ID_FIELD, name: recordIdName, label: recordIdName }]),
		...chosen.flatMap(({ key, description }) =>
			(description?.fields ?? []).map((field) => {
				const id = fieldId(key, field.name);
				return { id, name: field.name, aliases: [id], label: fieldLabel(field) };
			}),
		),
	];
}

function propertyExpression(properties: readonly string[]): string {
	// Rows may spell a property differently; each row has one of the spellings.
	return `={{ ${properties.map((name) => `$json[${JSON.stringify(name)}]`).join(' ?? ')} }}`;
}

/** Names a line shows; it only counts the others. */
const SHOWN_NAMES = 20;

function shownNames(names: readonly string[]): string {
	const more = names.length - SHOWN_NAMES;
	return `${names.slice(0, SHOWN_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `Mapped: Zip → ZIP or Postal Code. Not imported: Notes (unknown).` */
function describeMatch({
	mapped,
	ambiguous,
	rejected,
	unmatched,
}: HeaderMatch<MappableField>): string[] {
	const pairs = mapped.map(({ headers, field }) => `${headers.join(' or ')} → ${field.label}`);
	const reasons = [...new Set(rejected.map(({ reason }) => reason))].map((reason) => {
		const headers = rejected.filter((other) => other.reason === reason);
		return `${shownNames(headers.map(({ header }) => header))} (${reason})`;
	});
	const left = [
		...(unmatched.length > 0 ? [`${shownNames(unmatched)} (unknown)`] : []),
		...reasons,
	];
	const sentences = [
		...(pairs.length > 0 ? [`Mapped: ${[...new Set(pairs)].join(', ')}.`] : []),
		...(left.length > 0 ? [`Not imported: ${left.join('; ')}.`] : []),
	];
	return [
		...(sentences.length > 0 ? [sentences.join(' ')] : []),
		...ambiguous.map(({ headers, fields }) => {
			const labels = [...new Set(fields.map(({ label }) => label))];
			return labels.length > 1
				? `Not imported, because the choice is not clear: ${headers.join(', ')} for ${labels.join(', ')}. Map these fields manually, or rename the columns.`
				: `Not imported, because several columns fit ${labels.join()}: ${headers.join(', ')}. Map this field manually, or rename the columns.`;
		}),
	];
}

/** Rows whose values are looked at. */
const MOST_ROWS = 1000;

/** The first values of each property. */
async function readValues(
	source: ImportRows,
	properties: readonly string[],
): Promise<Map<string, unknown[]>> {
	const columns = properties.map((name) => ({
		name,
		label: name,
		expression: propertyExpression([name]),
		fields: [],
		isRecordId: false,
	}));
	const values = new Map(properties.map((name): [string, unknown[]] => [name, []]));
	let rows = 0;
	for await (const batch of source.read(columns)) {
		for (const row of batch) {
			if (row instanceof InvalidRow) continue;
			for (const [index, name] of properties.entries()) values.get(name)?.push(row[index]);
		}
		rows += batch.length;
		if (rows >= MOST_ROWS) break;
	}
	return values;
}

const NAME = /^(FirstName|LastName|OrganizationContact(Common|Official)Name)$/i;
const FINDER = /Email|Phone|^DOB$|AddressLine1|^MailingAddress$|ZipOrPostal|^External/i;

/** Why people could not be found again; each row would be stored as a new, or nameless, person. */
function personProblems(
	chosen: readonly ChosenMappingType[],
	match: HeaderMatch<MappableField>,
	{ personIdColumn }: Vocabulary,
): Problem[] {
	const storesPeople = chosen.some(
		({ name, description }) => description && sameName(name, 'CreateOrUpdateContact'),
	);
	const mapped = match.mapped.map(({ field }) => field.name);
	const hasId = mapped.some((name) =>
		[personIdColumn, 'VanID', 'NativeId'].some((id) => sameName(name, id)),
	);
	if (!storesPeople || hasId) return [];
	const missing = [
		...(mapped.some((name) => NAME.test(name))
			? []
			: [
					'No column holds a name. Name the columns First Name and Last Name, or map them manually.',
				]),
		...(mapped.some((name) => FINDER.test(name))
			? []
			: [
					'No column tells who a person is: an email address, a phone number, a date of birth, an address or an ID. Without one, every row could be stored as a new person. Add such a column, or map it manually.',
				]),
	];
	return missing.length === 0
		? []
		: [{ field: 'Fields', text: [...missing, ...describeMatch(match)].join(' ') }];
}

/** The sources of the fields, and notes for the user. */
export interface MappedFields {
	sources: FieldSources;
	notes: string[];
}

/**
 * What the user mapped, by field, without blank fields. Reads the stored parameter unevaluated:
 * expressions are evaluated for each item later. Throws InvalidInput if columns were to be mapped by
 * their headers and none can tell who a person is.
 * @param recordIdName name of the identifier the import needs, if it needs one
 */
export async function fieldSources(
	parameters: ItemParameters,
	source: ImportRows,
	chosen: readonly ChosenMappingType[],
	recordIdName: string | undefined,
	vocabulary: Vocabulary,
): Promise<MappedFields> {
	const sources = new Map<string, FieldSource>();
	if (parameters.unevaluated('fieldMap.mappingMode') === 'autoMapInputData') {
		const properties = await source.properties();
		const values = await readValues(source, properties);
		const match = matchHeaders(properties, mappableFields(chosen, recordIdName), {
			// In a file, every row has all columns.
			isComplete: source.noun === 'row',
			valuesOf: (header) => values.get(header) ?? [],
		});
		throwIfAny(personProblems(chosen, match, vocabulary));
		for (const { headers, field } of match.mapped)
			sources.set(field.id, { kind: 'perItem', expression: propertyExpression(headers) });
		return { sources, notes: describeMatch(match) };
	}
	for (const [id, entry] of Object.entries(parameters.unevaluated('fieldMap.value') ?? {})) {
		if (entry === null || entry === undefined || entry === '') continue;
		const text = String(entry);
		sources.set(
			id,
			text.startsWith('=')
				? { kind: 'perItem', expression: text }
				: { kind: 'static', value: text },
		);
	}
	return { sources, notes: [] };
}

/** The fields filled per row, as messages name them, with their expressions. */
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

/** Fields mapped to a property that no row has, probably misspelled. */
export function missingProperties(
	recordId: string | undefined,
	chosen: readonly ChosenMappingType[],
	sources: FieldSources,
	properties: readonly string[],
	noun: 'item' | 'row',
): Problem[] {
	const missing = (name: string): string =>
		noun === 'row' ? `"${name}" is not a column of the file.` : `No item has "${name}".`;
	return perRowFields(recordId, chosen, sources).flatMap(({ field, expression }) => {
		const [property] = expressionPath(expression) ?? [];
		return property === undefined || findName(properties, property) !== undefined
			? []
			: [
					{
						field,
						text: `${missing(property)}${suggestion(property, properties)} If it may be missing, turn on the option Allow Missing Columns.`,
					},
				];
	});
}

/** Problems of the mapping by the rows and the service's descriptions, before anything is built. */
export function mappingProblems(
	resourceType: string,
	chosen: readonly ChosenMappingType[],
	sources: FieldSources,
	vocabulary: Vocabulary,
	rows: Pick<ImportRows, 'unreadable'>,
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
		const filled = mappedFields(mappingType, sources).map(({ field, source }) => ({
			field,
			fixedValue: source.kind === 'static' ? source.value : undefined,
		}));
		if (!description) {
			// Unmapped, it would take the columns with the names of its fields.
			const text = `Nothing is mapped to ${key}, whose fields this key may not read. Map at least one of them, or remove the mapping type.`;
			if (filled.length === 0) problems.push({ field: 'Fields', text });
			continue;
		}
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
	if (problem.about === 'mappingType') return MAPPING_TYPES_LABEL;
	if (problem.about === 'fields') return 'Fields';
	if (problem.about === 'fieldName') return `Fields → ${key}`;
	return `Fields → ${key} → ${problem.field}`;
}
