import { columnTexts } from '../../../shared/importFile/columnValues';
import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import { type HeaderMatch, matchHeaders } from '../../../shared/importFile/matchHeaders';
import type { ItemParameters } from '../../../shared/parameters/itemParameters';
import { InvalidInput, type Problem, throwIfAny } from '../../../shared/service/invalidInput';
import { sameName } from '../../../shared/service/nearestName';
import type { Vocabulary } from '../../../shared/service/vocabulary';
import {
	type ImportRows,
	joinedExpression,
	MOST_PROPERTIES,
	pathExpression,
} from '../rows/importRows';
import { fieldLabel } from './fieldLabels';
import { type ChosenMappingType, fieldId, RECORD_ID_FIELD } from './importMapping';
import { type MappableField, ownHeaders } from './ownHeaders';

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

type MappedHeaders = HeaderMatch<MappableField>['mapped'][number];

function propertyExpression({ headers: properties, isJoined }: MappedHeaders): string {
	if (isJoined) return joinedExpression(properties);
	// Rows may spell a property differently; each row has one of the spellings.
	return `={{ ${properties.map((name) => `$json[${JSON.stringify(name)}]`).join(' ?? ')} }}`;
}

/** Names a line shows; it only counts the others. */
export const SHOWN_NAMES = 20;

/** @param count of all names, if those given are only the first ones */
export function shownNames(names: readonly string[], count = names.length): string {
	const shown = names.slice(0, SHOWN_NAMES);
	const more = count - shown.length;
	return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `Mapped: Zip → ZIP or Postal Code. Not imported: Notes (unknown header).` */
function describeMatch({ mapped, ambiguous, rejected }: HeaderMatch<MappableField>): string[] {
	const pairs = mapped.map(
		({ headers, field, isJoined }) => `${headers.join(isJoined ? ' + ' : ' or ')} → ${field.label}`,
	);
	const left = [...new Set(rejected.map(({ reason }) => reason))].map((reason) => {
		const headers = rejected.filter((other) => other.reason === reason);
		return `${shownNames(headers.map(({ header }) => header))} (${reason})`;
	});
	const sentences = [
		...(pairs.length > 0 ? [`Mapped: ${[...new Set(pairs)].join(', ')}.`] : []),
		...(left.length > 0 ? [`Not imported: ${left.join('; ')}.`] : []),
	];
	return [
		...(sentences.length > 0 ? [sentences.join(' ')] : []),
		...ambiguous.map(({ headers, fields }) => {
			const labels = [...new Set(fields.map(({ label }) => label))];
			return labels.length > 1
				? `Several fields fit ${headers.join(', ')}: ${labels.join(', ')}. None was imported. Map these fields manually, or rename the columns.`
				: `Several columns fit ${labels.join()}: ${headers.join(', ')}. None was imported. Map this field manually, or rename the columns.`;
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
	const columns = properties.map((name) => ({ name, expression: pathExpression([name]) }));
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

/** A column that is not imported, as a dry run shows it. */
interface LeftOutColumn {
	column: string;
	firstValues: string[];
	problem: string;
}

/** Values per column in a dry run. */
export const SAMPLES = 3;

/** Every column that feeds no field. */
function leftOutColumns(
	{ ambiguous, rejected }: HeaderMatch<MappableField>,
	values: ReadonlyMap<string, readonly unknown[]>,
): LeftOutColumn[] {
	const shown = (column: string, reason: string): LeftOutColumn => ({
		column,
		firstValues: columnTexts(values.get(column) ?? []).slice(0, SAMPLES),
		problem: `Not imported: ${reason}.`,
	});
	return [
		...ambiguous.flatMap(({ headers, fields }) =>
			headers.map((header) =>
				shown(
					header,
					`several columns fit ${[...new Set(fields.map(({ label }) => label))].join(' or ')}`,
				),
			),
		),
		...rejected.map(({ header, reason }) => shown(header, reason)),
	];
}

/** What Map Automatically makes of the columns. */
export interface HeaderMapping {
	/** The expressions by the fields' ids in the resource mapper. */
	values: ReadonlyMap<string, string>;
	/** What the user should know. */
	warnings: string[];
	/** The columns that are not imported, and why. */
	leftOut: LeftOutColumn[];
}

/**
 * Maps the columns by their headers. Throws InvalidInput if none can tell who a person is.
 * @param recordIdName name of the identifier the import needs, if it needs one
 */
export async function mapByHeaders(
	parameters: ItemParameters,
	source: ImportRows,
	chosen: readonly ChosenMappingType[],
	recordIdName: string | undefined,
	vocabulary: Vocabulary,
): Promise<HeaderMapping> {
	const properties = await source.properties();
	if (properties.length > MOST_PROPERTIES) {
		const text = `The rows have ${properties.length} different properties; Map Automatically compares at most ${MOST_PROPERTIES} with the fields. Map them manually, or remove properties before this node.`;
		throw new InvalidInput([{ field: 'Fields', text }]);
	}
	const columns = await readValues(source, properties);
	const fields = mappableFields(chosen, recordIdName);
	const { given, unused } = ownHeaders(parameters, properties, fields);
	const match = matchHeaders(properties, fields, {
		given,
		// In a file, every row has all columns.
		isComplete: source.noun === 'row',
		valuesOf: (header) => columns.get(header) ?? [],
		cleansValues: parameters.in('options').flag('cleanValues', true),
	});
	throwIfAny(personProblems(chosen, match, vocabulary));
	const notes = unused.length > 0 ? [`Own Headers without a column: ${unused.join(', ')}.`] : [];
	return {
		values: new Map(match.mapped.map((mapped) => [mapped.field.id, propertyExpression(mapped)])),
		warnings: [...describeMatch(match), ...notes],
		leftOut: leftOutColumns(match, columns),
	};
}
