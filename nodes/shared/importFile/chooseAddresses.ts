import { groupBy, partition, sortBy } from 'lodash';

import { sameName } from '../service/nearestName';
import { type Column, joinedColumn, type ValuesOf } from './headerColumns';
import {
	type AddressKind,
	addressKinds,
	addressPart,
	type AddressPart,
	type AddressPiece,
	addressPiece,
	streetFields,
} from './headerSynonyms';

/** A column of an address. */
interface AddressColumn {
	column: Column;
	part: AddressPart;
	/** Whether the column tells which address it belongs to. A country column that the user chose does not. */
	isDecided: boolean;
}

/** A column that the user gave for a part of an address. */
interface GivenColumn extends AddressColumn {
	/** 0 for a home address, 1 for a mailing address. */
	place: number;
}

/** The part of an address for which the user gave a column; none for other fields. */
export function givenPart(column: Column, fields: ReadonlyArray<{ name: string }>): GivenColumn[] {
	for (const { name } of fields) {
		const part = addressPart(name);
		const place = part?.fields.findIndex((field) => sameName(field, name)) ?? -1;
		if (!part || place < 0) continue;
		const own = addressPart(column.headers[0] ?? '');
		const isDecided = own !== undefined || part.fields === streetFields;
		const { kind, prefix } = own ?? part;
		return [{ column, part: { ...part, kind, prefix, rank: -1 }, place, isDecided }];
	}
	return [];
}

/** A column with a piece of a line of an address, such as the number of a house. */
interface PieceColumn {
	column: Column;
	piece: AddressPiece;
}

/** The pieces of a street in the order in which they are written; none if it cannot be put together. */
function streetPieces(pieces: readonly PieceColumn[]): PieceColumn[] {
	const byName = groupBy(pieces, ({ piece }) => piece.name);
	const [number] = byName.number ?? [];
	const [name] = byName.name ?? [];
	const isClear = Object.values(byName).every(({ length }) => length === 1);
	if (!number || !name || !isClear) return [];
	// A suffix before the name is one of the number: 12 A Elm St.
	const isOfNumber = (one: PieceColumn): boolean =>
		one.piece.name === 'suffix' && pieces.indexOf(one) < pieces.indexOf(name);
	return sortBy(pieces, (one) => (isOfNumber(one) ? number.piece.place + 0.5 : one.piece.place));
}

/** Those with values, or all if none has any. */
function filledOr<Found extends { column: Column }>(found: readonly Found[]): readonly Found[] {
	const filled = found.filter(({ column }) => !column.isEmpty);
	return filled.length > 0 ? filled : found;
}

/** Without columns that are empty beside another one; only number and name must have values. */
function withEmptyPieces(pieces: readonly PieceColumn[]): PieceColumn[] {
	const byPiece = groupBy(pieces, ({ piece }) => piece.place);
	const kept = Object.values(byPiece).flatMap((same) => filledOr(same));
	return pieces.filter(
		(one) => kept.includes(one) && !(one.column.isEmpty && /^(number|name)$/.test(one.piece.name)),
	);
}

/** The lines of one address whose pieces stand in several columns, such as `House Number` and `Street Name`. */
function joinedLines(
	kind: AddressKind,
	parts: readonly AddressColumn[],
	pieces: readonly PieceColumn[],
): Array<{ columns: Column[]; part: AddressPart }> {
	const own = withEmptyPieces(pieces.filter(({ piece }) => piece.kind === kind));
	const [ofStreet, types] = partition(own, ({ piece }) => piece.line === 'AddressLine1');
	const street = streetPieces(ofStreet);
	const { prefix = '' } = street.find(({ piece }) => piece.name === 'name')?.piece ?? {};
	const units = filledOr(
		parts.filter(({ part }) => part.kind === kind && part.fields[0] === 'AddressLine2'),
	);
	const [unit] = units;
	const isUnit = types.length === 1 && units.length === 1;
	return [
		{ found: street, part: { kind, prefix, fields: streetFields, rank: 3 } },
		...(unit && isUnit ? [{ found: [...types, unit], part: unit.part }] : []),
	]
		.filter(({ found }) => found.length > 0)
		.map(({ found, part }) => ({ columns: found.map(({ column }) => column), part }));
}

/** Whether a street begins with a number of its own: `5th Ave` and `400 S` do not. */
function hasNumber(street: string): boolean {
	return /^\d+\S*\s.*\p{L}{3}/u.test(street) && !/^\d+(st|nd|rd|th)\b/i.test(street);
}

/** Whether most values of a column are streets with other numbers than those in the column beside it. */
function hasOtherNumbers(streets: readonly unknown[], numbers: readonly unknown[]): boolean {
	const others = streets.filter((value, row) => {
		const street = String(value ?? '').trim();
		return hasNumber(street) && !street.startsWith(`${String(numbers[row] ?? '').trim()} `);
	});
	return others.length > streets.length / 2;
}

/**
 * The columns of addresses; lines whose pieces stand in several columns are put together.
 * @param columns in the order of the table
 * @param fits whether the values of a column are those of a field
 */
export function addressColumns(
	columns: readonly Column[],
	valuesOf: ValuesOf | undefined,
	fits: (column: Column, field: string) => boolean,
): AddressColumn[] {
	const named = columns.map((column) => {
		const [header = ''] = column.headers;
		return { column, part: addressPart(header), piece: addressPiece(header) };
	});
	const numbers = named.filter(({ column, piece }) => piece?.name === 'number' && !column.isEmpty);
	const [number] = numbers;
	const valuesOfColumn = ({ headers: [header = ''] }: Column) => valuesOf?.(header) ?? [];
	/** Beside a column of numbers, `Street` holds names: `County Road 12`. */
	const isName = (column: Column): boolean =>
		number !== undefined &&
		numbers.length === 1 &&
		!hasOtherNumbers(valuesOfColumn(column), valuesOfColumn(number.column));
	const parts = named.flatMap(({ column, part, piece }) =>
		part && !(piece && isName(column)) && fits(column, part.fields[0] ?? '')
			? [{ column, part, isDecided: true }]
			: [],
	);
	const pieces = named.flatMap(({ column, piece }) => {
		const isWhole = parts.some((part) => part.column === column);
		return piece && !isWhole && column.headers.length === 1 ? [{ column, piece }] : [];
	});
	const lines = addressKinds.flatMap((kind) => joinedLines(kind, parts, pieces));
	const joined = lines
		.map((line) => ({
			...line,
			column: joinedColumn(line.columns, valuesOf),
			isDecided: true,
		}))
		.filter(({ column, part }) => fits(column, part.fields[0] ?? ''));
	const replaced = new Set(joined.flatMap((line) => line.columns));
	return [...parts.filter(({ column }) => !replaced.has(column)), ...joined];
}

/** The columns of the parts of one address; several are rivals. */
export type Address = Map<AddressPart['fields'], Column[]>;

/** The share of rows that have a part. */
const filledShare = (columns: readonly Column[] = []): number =>
	Math.max(0, ...columns.map(({ filled }) => filled));

/** The best of the columns for each part: those with values, and of them those with the best header. */
function bestColumns(columns: readonly AddressColumn[]): Address {
	const address: Address = new Map();
	for (const { fields } of columns.map(({ part }) => part)) {
		const rivals = columns.filter(({ part }) => part.fields === fields);
		const most = filledShare(rivals.map(({ column }) => column));
		// A column for exceptions, beside one that most rows have, is not the better one.
		const counted = filledOr(rivals).filter(({ column }) => column.filled >= most / 2);
		const best = Math.min(...counted.map(({ part }) => part.rank));
		address.set(
			fields,
			counted.filter(({ part }) => part.rank === best).map(({ column }) => column),
		);
	}
	return address;
}

/** The parts that have values, by the field of a home address. */
function filledParts(address: Address): string[] {
	return [...address].flatMap(([[home = ''], columns]) =>
		columns.some(({ isEmpty }) => !isEmpty) ? [home] : [],
	);
}

/** The columns of one address. Never parts of two: a street of one and a city of another would be neither. */
export function addressOf(found: readonly AddressColumn[]): Address {
	const columns = found.filter(({ isDecided }) => isDecided);
	const prefixes = [...new Set(columns.map(({ part }) => part.prefix))];
	const [largest = new Map() as Address, ...others] = prefixes
		.map((prefix) => bestColumns(columns.filter(({ part }) => part.prefix === prefix)))
		.sort((a, b) => filledParts(b).length - filledParts(a).length || b.size - a.size);
	const merged: Address = new Map(largest);
	for (const other of others) {
		// "Home Street" and "City" are one address; "Home City" and "City" are two.
		if ([...other.keys()].some((part) => merged.has(part))) continue;
		for (const [part, found] of other) merged.set(part, found);
	}
	// An apartment is nowhere without its street.
	const parts = [...merged];
	return parts.some(([[home], columns]) => home === 'AddressLine1' && columns.length === 1)
		? merged
		: new Map(parts.filter(([[home = '']]) => !/^AddressLine[23]$/.test(home)));
}

/** Whether a letter could arrive: a street alone, or a city alone, is part of an address. */
function isComplete(address: Address): boolean {
	const parts = filledParts(address);
	return (
		parts.includes('AddressLine1') && (parts.includes('City') || parts.includes('ZipOrPostal'))
	);
}

/** Whether a street is in so few rows that the address is only another one of some people. */
function isRare(address: Address, others: readonly Address[]): boolean {
	const street = [...address].find(([[home]]) => home === 'AddressLine1')?.[1];
	const usual = Math.max(...others.flatMap((other) => [...other.values()].map(filledShare)));
	return filledShare(street) < usual / 2;
}

/**
 * Which address feeds the fields of a home address (0) and of a mailing address (1).
 * @param given decide which one it is
 */
export function chooseAddresses(
	addresses: Record<AddressKind, Address>,
	hasFields: [home: boolean, mailing: boolean],
	given: readonly GivenColumn[],
): Array<AddressKind | undefined> {
	const decided = (place: number) =>
		given.find((one) => one.place === place && one.isDecided)?.part.kind;
	return bestAddresses(addresses, hasFields).map((best, place) => {
		if (best === undefined || decided(place) !== undefined) return decided(place);
		// An address with a city of its own is another one than that of a given city.
		const isOther = given.some(
			(one) =>
				one.place === place &&
				!/^CountryCode$/.test(one.part.fields[0] ?? '') &&
				one.part.kind !== best &&
				addresses[best].has(one.part.fields),
		);
		return isOther || best === decided(1 - place) ? undefined : best;
	});
}

function bestAddresses(
	addresses: Record<AddressKind, Address>,
	hasFields: [home: boolean, mailing: boolean],
): [AddressKind | undefined, AddressKind | undefined] {
	// The best first.
	const kinds = [
		...addressKinds.filter(
			(kind) => isComplete(addresses[kind]) && !isRare(addresses[kind], Object.values(addresses)),
		),
		...addressKinds.filter((kind) => filledParts(addresses[kind]).length > 0),
		...addressKinds.filter((kind) => addresses[kind].size > 0),
	];
	const isMailing = (kind: AddressKind): boolean => kind === 'mailing';
	if (!hasFields[1]) return [kinds[0], undefined];
	if (!hasFields[0]) return [undefined, isComplete(addresses.mailing) ? 'mailing' : kinds[0]];
	return [kinds.find((kind) => !isMailing(kind)), kinds.find(isMailing)];
}
