import type { IExecuteFunctions } from 'n8n-workflow';

import {
	type HeaderField,
	type HeaderMatch,
	matchHeaders,
} from '../../shared/importFile/matchHeaders';
import {
	type ChosenMappingType,
	fieldId,
	type FieldSource,
	type FieldSources,
	RECORD_ID_FIELD,
} from './importMapping';

/** What the resource mapper stores in the node. */
interface StoredFieldMap {
	mappingMode?: string;
	value?: Record<string, unknown> | null;
}

/** A field by its id in the resource mapper. */
interface MappableField extends HeaderField {
	id: string;
}

function mappableFields(
	chosen: readonly ChosenMappingType[],
	recordIdName: string | undefined,
): MappableField[] {
	return [
		...(recordIdName === undefined ? [] : [{ id: RECORD_ID_FIELD, name: recordIdName }]),
		...chosen.flatMap(({ key, description }) =>
			(description?.fields ?? []).map(({ name }) => {
				const id = fieldId(key, name);
				return { id, name, aliases: [id] };
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

/** `Mapped: E-mail → Email. Not imported: Notes.` */
function describeMatch({ mapped, ambiguous, unmatched }: HeaderMatch<MappableField>): string[] {
	const isRenamed = ({ headers, field }: (typeof mapped)[number]): boolean =>
		headers.some((header) => header !== field.name);
	const renamed = [
		...new Set(
			mapped
				.filter(isRenamed)
				.map(({ headers, field }) => `${headers.join(' or ')} → ${field.name}`),
		),
	];
	const sentences = [
		...(renamed.length > 0 ? [`Mapped: ${renamed.join(', ')}.`] : []),
		...(unmatched.length > 0 ? [`Not imported: ${shownNames(unmatched)}.`] : []),
	];
	return [
		...(sentences.length > 0 ? [sentences.join(' ')] : []),
		...ambiguous.map(
			({ headers, fields }) =>
				`Not imported, because the choice is not clear: ${headers.join(', ')} for ${fields.join(', ')}. Map ${fields.length > 1 ? 'these fields' : 'this field'} manually, or rename the columns.`,
		),
	];
}

// n8n types stored parameters for all nodes alike.
function storedFieldMap(functions: IExecuteFunctions): StoredFieldMap {
	return (functions.getNode().parameters.fieldMap ?? {}) as unknown as StoredFieldMap;
}

/** The sources of the fields, and notes for the user. */
interface MappedFields {
	sources: FieldSources;
	notes: string[];
}

/**
 * What the user mapped, by field, without blank fields. Reads the stored parameter unevaluated:
 * expressions are evaluated for each item later.
 * @param properties that the rows have
 * @param recordIdName name of the identifier the import needs, if it needs one
 * @param isFile whether the rows come from a file, where every row has all columns
 */
export function fieldSources(
	functions: IExecuteFunctions,
	properties: readonly string[],
	chosen: readonly ChosenMappingType[],
	recordIdName: string | undefined,
	isFile: boolean,
): MappedFields {
	const sources = new Map<string, FieldSource>();
	const { mappingMode, value } = storedFieldMap(functions);
	if (mappingMode === 'autoMapInputData') {
		const match = matchHeaders(properties, mappableFields(chosen, recordIdName), isFile);
		for (const { headers, field } of match.mapped)
			sources.set(field.id, { kind: 'perItem', expression: propertyExpression(headers) });
		return { sources, notes: describeMatch(match) };
	}
	for (const [id, entry] of Object.entries(value ?? {})) {
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
