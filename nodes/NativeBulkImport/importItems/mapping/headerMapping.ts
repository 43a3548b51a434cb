import { groupBy, sortBy, uniq } from 'lodash';

import { columnTexts, kindOfValues, pluralOf } from '../../../shared/importFile/columnValues';
import type { ValueKind } from '../../../shared/importFile/valueKinds';
import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import { shownHeader, simplifyName, visibleName } from '../../../shared/importFile/fileColumns';
import {
	isFullName,
	isHalfName,
	isNameHalf,
	readHeader,
	valueKindOf,
} from '../../../shared/importFile/headerSynonyms';
import {
	type GivenHeader,
	type HeaderField,
	type HeaderMatch,
	matchHeaders,
	UNKNOWN_HEADER,
} from '../../../shared/importFile/matchHeaders';
import { type DateFormat, readBirthDate } from '../../../shared/parameters/dateFormat';
import type { ItemParameters } from '../../../shared/parameters/itemParameters';
import { InvalidInput, type Problem } from '../../../shared/service/invalidInput';
import { comparableName, nearestName, sameName } from '../../../shared/service/nearestName';
import type { Vocabulary } from '../../../shared/service/connection';
import {
	joinedExpression,
	namedProperties,
	pathExpression,
	spelledExpression,
} from '../../rows/columnExpressions';
import { type ImportRows, MOST_PROPERTIES } from '../../rows/importRows';
import {
	type ChosenMappingType,
	fieldId,
	fieldLabel,
	RECORD_ID_FIELD,
} from '../../mappingType/fieldLabels';
import { SHOWN_NAMES, shownNames } from './shownNames';

/** A field that a header can feed. */
export interface MappableField extends HeaderField {
	id: string;
	label: string;
}

function mappableFields(
	chosen: readonly ChosenMappingType[],
	recordIdName: string | undefined,
	{ personIdColumn, personIdHeaders }: Vocabulary,
): MappableField[] {
	const aliasesOf = (name: string): readonly string[] =>
		sameName(name, personIdColumn) ? personIdHeaders.own : [];
	return [
		...(recordIdName === undefined
			? []
			: [
					{
						id: RECORD_ID_FIELD,
						name: recordIdName,
						aliases: aliasesOf(recordIdName),
						label: recordIdName,
					},
				]),
		...chosen.flatMap(({ key, description }) =>
			(description?.fields ?? []).map((field) => {
				const id = fieldId(key, field.name);
				const aliases = [id, ...aliasesOf(field.name)];
				return { id, name: field.name, aliases, label: fieldLabel(field) };
			}),
		),
	];
}

/** A match whose unknown headers are known by what they hold. */
type ReadMatch = HeaderMatch<MappableField> & {
	/** Unknown headers that hold what no other column gives. */
	missed: ReadonlyArray<{ header: string; kind: ValueKind }>;
	/** Positions of the columns without a header, from 1. */
	unnamed: readonly number[];
};

/** Columns that somebody may miss: those with data that no other column has, and those that compete for a field. */
function doubtsOf({ ambiguous, missed }: ReadMatch, where: string | undefined): string[] {
	return [
		...Object.entries(groupBy(missed, 'kind')).map(([kind, found]) => {
			const names = found.map(({ header }) => `"${shownHeader(header)}"`);
			const [verb, are, it] =
				found.length > 1 ? ['hold', 'are', 'one of them'] : ['holds', 'is', 'it'];
			return `${shownNames(names)} ${verb} ${pluralOf(kind as ValueKind)}, but ${are} not imported.${where === undefined ? '' : ` If you need ${it}, enter its field in ${where}.`}`;
		}),
		...ambiguous.map(({ headers: found, fields }) => {
			const headers = found.map(shownHeader);
			const labels = uniq(fields.map(({ label }) => label));
			return labels.length > 1
				? `Several fields fit ${headers.join(', ')}: ${labels.join(', ')}. None was imported. Map these fields manually, or rename the columns.`
				: `Several columns fit ${labels.join()}: ${headers.join(', ')}. None was imported. Map this field manually, or rename the columns.`;
		}),
	];
}

/** `Mapped: Zip → ZIP or Postal Code. Not imported: Notes (unknown header).` */
function describeMatch(match: ReadMatch, where: string | undefined): string[] {
	const { mapped, rejected, unnamed } = match;
	const pairs = mapped.map(
		({ headers, field, isJoined }) =>
			`${headers.map(shownHeader).join(isJoined ? ' + ' : ' or ')} → ${field.label}`,
	);
	const blank = `column${unnamed.length > 1 ? 's' : ''} ${shownNames(unnamed.map(String))} without a header`;
	const nameOf = (header: string): string =>
		header === '' && unnamed.length > 0 ? blank : shownHeader(header);
	const left = Object.entries(groupBy(rejected, 'reason')).map(
		([reason, found]) =>
			`${shownNames(uniq(found.map(({ header }) => nameOf(header))))} (${reason})`,
	);
	const sentences = [
		...(pairs.length > 0 ? [`Mapped: ${uniq(pairs).join(', ')}.`] : []),
		...(left.length > 0 ? [`Not imported: ${left.join('; ')}.`] : []),
	];
	return [...doubtsOf(match, where), ...(sentences.length > 0 ? [sentences.join(' ')] : [])];
}

const MOST_ROWS = 1000;

async function readValues(
	source: ImportRows,
	properties: readonly string[],
): Promise<Map<string, unknown[]>> {
	const columns = properties.map((name) => ({ name, expression: pathExpression([name]) }));
	const values = new Map(properties.map((name): [string, unknown[]] => [name, []]));
	let rows = 0;
	for await (const batch of source.read(columns))
		for (const row of batch) {
			if (rows++ === MOST_ROWS) return values;
			if (row instanceof InvalidRow) continue;
			for (const [index, name] of properties.entries()) values.get(name)?.push(row[index]);
		}
	return values;
}

const NAME = /^(FirstName|LastName|OrganizationContact(Common|Official)Name)$/i;
/** With one of these, a person is found without a name. */
const FINDER_ALONE = /^(Other|Work)?Email$|^(Cell|Work)?Phone$/i;
const FINDER = /Email|Phone|^DOB$|AddressLine1|^MailingAddress$|ZipOrPostal|^External/i;

/** What a feature says about the headers of a list. */
export interface HeaderHelp {
	/** Headers that feed these fields, whatever their names and values. */
	given?: ReadonlyArray<GivenHeader<MappableField>>;
	/** What is to be said of them. */
	notes?: readonly string[];
	/** Why that is not clear. */
	problems?: readonly Problem[];
	/** Where the user can say which field a header feeds, e.g. `the option …`. */
	where?: string;
	/** Whether values are cleaned before they are written, so that more of them fit. */
	cleansValues?: boolean;
}

/** Whether a column that is not imported holds names, by its header or its values. */
function holdsOtherNames({ missed, rejected, ambiguous }: ReadMatch): boolean {
	const headers = [
		...rejected.map(({ header }) => header),
		...ambiguous.flatMap((one) => one.headers),
	];
	return (
		missed.some(({ kind }) => kind === 'name') ||
		headers.map(readHeader).some((header) => isFullName(header) || isHalfName(header))
	);
}

/** Why people could not be found again; each row would be stored as a new, or nameless, person. */
function personProblems(
	chosen: readonly ChosenMappingType[],
	match: ReadMatch,
	{ personIdColumn }: Vocabulary,
	where: string | undefined,
): Problem[] {
	const storesPeople = chosen.some(
		({ name, description }) => description && sameName(name, 'CreateOrUpdateContact'),
	);
	const names = match.mapped.map(({ field }) => field.name);
	const hasId = names.some((name) =>
		[personIdColumn, 'VanID', 'NativeId'].some((id) => sameName(name, id)),
	);
	if (!storesPeople || hasId) return [];
	const missing = missingIdentity(names, where, holdsOtherNames(match));
	if (missing.length === 0) return [];
	return [{ field: 'Columns', text: [...missing, ...describeMatch(match, where)].join(' ') }];
}

/**
 * What fields lack to tell who a person is, without a record ID; empty if they do.
 * @param where headers that nobody knows can be entered, if anywhere
 * @param hasOtherNames whether names are in columns that feed no field: these people are not to be stored without
 */
export function missingIdentity(
	names: readonly string[],
	where?: string,
	hasOtherNames = false,
): string[] {
	const or = (what: string): string =>
		where === undefined ? '' : `, or enter ${what} in ${where}`;
	const noName = `No column holds a name. Rename yours to First Name and Last Name${or('them')}.`;
	const noFinder = `No column identifies a person: an email address, a phone number, a date of birth, an address or an ID. Without one, every row could be stored as a new person. Add such a column${or('yours')}.`;
	const isNamed =
		names.some((name) => NAME.test(name)) ||
		(!hasOtherNames && names.some((name) => FINDER_ALONE.test(name)));
	return [
		...(isNamed ? [] : [noName]),
		...(names.some((name) => FINDER.test(name)) ? [] : [noFinder]),
	];
}

/** A column that is not imported, as a dry run shows it. */
interface LeftOutColumn {
	column: string;
	firstValues: string[];
	problem: string;
}

/** Values per column in a dry run. */
export const SAMPLES = 3;

function leftOutColumns(
	{ ambiguous, rejected }: HeaderMatch<MappableField>,
	values: ReadonlyMap<string, readonly unknown[]>,
): LeftOutColumn[] {
	const shown = (column: string, reason: string): LeftOutColumn => ({
		column,
		problem: `Not imported: ${reason}.`,
		firstValues: columnTexts(values.get(column) ?? []).slice(0, SAMPLES),
	});
	return [
		...ambiguous.flatMap(({ headers, fields }) => {
			const labels = uniq(fields.map(({ label }) => label)).join(' or ');
			return headers.map((header) => shown(header, `several columns fit ${labels}`));
		}),
		...rejected.map(({ header, reason }) => shown(header, reason)),
	];
}

/** Values of a column without a known header that are read to see what they are. */
const READ_VALUES = 20;

/** Whether no column feeds a field of a kind. */
function lacksKind({ mapped }: HeaderMatch<MappableField>, kind: ValueKind): boolean {
	return !mapped.some(({ field }) =>
		kind === 'name' ? isNameHalf(field) : valueKindOf(field.name) === kind,
	);
}

/**
 * Adds what an unknown header holds, or the field that a misspelt one is like, if no other column feeds it:
 * `unknown header, holds phone numbers`, `unknown header, perhaps Email`. Those come first.
 */
function withGuesses(
	match: HeaderMatch<MappableField>,
	fields: readonly MappableField[],
	columns: ReadonlyMap<string, readonly unknown[]>,
	{ personIdHeaders }: Vocabulary,
	unnamed: readonly number[],
): ReadMatch {
	const fed = new Set(match.mapped.map(({ field }) => field.label));
	const labels = uniq(fields.map(({ label }) => label)).filter((label) => !fed.has(label));
	const otherIds = new Set(personIdHeaders.ofOther.map(simplifyName));
	const missed: Array<{ header: string; kind: ValueKind }> = [];
	const read = match.rejected.map((column, index) => {
		if (column.reason !== UNKNOWN_HEADER) return { column, rank: 0 };
		const { header } = column;
		if (otherIds.has(simplifyName(header)))
			return { column: { header, reason: 'it holds IDs of another database' }, rank: 1 };
		const kind = kindOfValues(columnTexts(columns.get(header) ?? [], READ_VALUES));
		const isTold = kind !== undefined && (kind !== 'name' || lacksKind(match, kind));
		if (isTold && lacksKind(match, kind)) missed.push({ header, kind });
		// Comparing thousands would block n8n.
		const nearest = index < SHOWN_NAMES ? nearestName(header, labels) : undefined;
		const holds = isTold ? `, holds ${pluralOf(kind)}` : '';
		const perhaps = nearest ? `, perhaps ${nearest}` : '';
		const reason = `${UNKNOWN_HEADER}${holds}${perhaps}`;
		return { column: { header, reason }, rank: holds ? 3 : perhaps ? 2 : 0 };
	});
	const rejected = sortBy(read, ({ rank }) => -rank).map(({ column }) => column);
	return { ...match, rejected, missed, unnamed };
}

/** What the columns are recognized as. */
export interface HeaderMapping {
	/** The expressions by the fields' ids in the resource mapper. */
	values: ReadonlyMap<string, string>;
	warnings: string[];
	/** Those that say which column goes where. */
	described: readonly string[];
	/** Those that say what somebody may miss. */
	doubts: readonly string[];
	leftOut: LeftOutColumn[];
	/** Why rows are not to be imported like this. */
	problems: readonly Problem[];
}

/**
 * Maps the columns by their headers.
 * @param format of the dates; undefined if the user gave none
 * @param helpOf what is known about the headers beside their names
 */
export async function mapByHeaders(
	source: ImportRows,
	chosen: readonly ChosenMappingType[],
	recordIdName: string | undefined,
	vocabulary: Vocabulary,
	format: DateFormat | undefined,
	helpOf: (properties: readonly string[], fields: readonly MappableField[]) => HeaderHelp[],
): Promise<HeaderMapping> {
	const properties = await source.properties();
	if (properties.length > MOST_PROPERTIES) {
		const text = `The rows have ${properties.length} different properties; at most ${MOST_PROPERTIES} can be recognized. Set Columns to Chosen Here, or remove properties before this node.`;
		throw new InvalidInput([{ field: 'Columns', text }]);
	}
	// A file can repeat a header.
	const columns = await readValues(source, uniq(properties));
	const fields = mappableFields(chosen, recordIdName, vocabulary);
	const help = helpOf(properties, fields);
	const unclear = help.flatMap(({ problems = [] }) => problems);
	const found = matchHeaders(properties, fields, {
		given: help.flatMap(({ given = [] }) => given),
		// In a file, every row has all columns.
		isComplete: source.noun === 'row',
		valuesOf: (header) => columns.get(header) ?? [],
		cleansValues: help.some(({ cleansValues }) => cleansValues),
		isBirthDate: format && ((text) => readBirthDate(text, format) !== undefined),
	});
	const match = withGuesses(found, fields, columns, vocabulary, source.unnamedColumns ?? []);
	const where = help.flatMap((each) => each.where ?? [])[0];
	const described = describeMatch(match, where);
	return {
		values: new Map(
			match.mapped.map(({ field, headers, isJoined }) => [
				field.id,
				isJoined ? joinedExpression(headers) : spelledExpression(headers),
			]),
		),
		warnings: [...(source.notes ?? []), ...described, ...help.flatMap(({ notes = [] }) => notes)],
		described,
		doubts: doubtsOf(match, where),
		leftOut: leftOutColumns(match, columns),
		problems: unclear.length > 0 ? unclear : personProblems(chosen, match, vocabulary, where),
	};
}

/** What the user entered in Fields; the expressions are evaluated for each row later. */
export function mapByHand(
	parameters: ItemParameters,
	source: ImportRows,
	properties: readonly string[],
	{ personIdColumn }: Vocabulary,
): HeaderMapping {
	const entered = Object.entries(parameters.unevaluated('fieldMap.value') ?? {})
		.map(([id, value]): [string, string] => [id, String(value ?? '')])
		.filter(([, value]) => value !== '');
	const read = new Set(entered.flatMap(([, value]) => namedProperties(value)).map(visibleName));
	const idColumn = comparableName(personIdColumn);
	// A file of rejected rows has such a column.
	const warnings = properties
		.filter((name) => comparableName(name) === idColumn && !read.has(visibleName(name)))
		.map(
			(name) =>
				`"${visibleName(name)}" is not imported: rows whose record exists could be stored again. Map it in Fields, or remove it.`,
		);
	return {
		values: new Map(entered),
		warnings: [...(source.notes ?? []), ...warnings],
		described: [],
		doubts: [],
		leftOut: [],
		problems: [],
	};
}
