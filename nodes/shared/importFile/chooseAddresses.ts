import { groupBy, mapValues, partition, sortBy } from 'lodash';

import { sameName } from '../service/nearestName';
import { fitsKind, pieceText } from './columnValues';
import { type Column, joinedColumn, type ValuesOf } from './headerColumns';
import {
	addressField,
	type AddressKind,
	addressKinds,
	type AddressPart,
	addressPart,
	type AddressPiece,
	addressPiece,
	readHeader,
} from './headerSynonyms';

interface AddressColumn extends AddressPart {
	column: Column;
	/** Whether the column tells which address it belongs to. A country column that the user chose does not. */
	isDecided: boolean;
}

/** A column that the user gave. */
interface GivenColumn extends AddressColumn {
	/** 0 for a home address, 1 for a mailing address. */
	place: number;
}

/** The part of an address for which the user gave a column; none for other fields. */
export function givenPart(column: Column, fields: ReadonlyArray<{ name: string }>): GivenColumn[] {
	const [given] = fields.flatMap(({ name }) => {
		const part = addressPart(readHeader(name));
		const place = [0, 1].find((at) => part && sameName(addressField(part.field, at), name));
		return part && place !== undefined ? [{ ...part, place }] : [];
	});
	if (!given) return [];
	const own = addressPart(column);
	const isDecided = own !== undefined || given.field === 'AddressLine1';
	const { kind, prefix } = own ?? given;
	return [{ ...given, kind, prefix, rank: -1, column, isDecided }];
}

interface PieceColumn extends AddressPiece {
	column: Column;
}

/** The pieces of a street in the order in which they are written; none if it cannot be put together. */
function streetPieces(pieces: readonly PieceColumn[]): PieceColumn[] {
	const byName = groupBy(pieces, 'name');
	const [number] = byName.number ?? [];
	const [name] = byName.name ?? [];
	const isClear = Object.values(byName).every(({ length }) => length === 1);
	if (!number || !name || !isClear) return [];
	// A suffix before the name is one of the number: 12 A Elm St.
	const isOfNumber = (one: PieceColumn): boolean =>
		one.name === 'suffix' && pieces.indexOf(one) < pieces.indexOf(name);
	return sortBy(pieces, (one) => (isOfNumber(one) ? number.place + 0.5 : one.place));
}

/** Those with values, or all if none has any. */
function filledOr<Found extends { column: Column }>(found: readonly Found[]): readonly Found[] {
	const filled = found.filter(({ column }) => column.filled > 0);
	return filled.length > 0 ? filled : found;
}

/** Without columns that are empty beside another one; only number and name must have values. */
function withEmptyPieces(pieces: readonly PieceColumn[]): PieceColumn[] {
	const kept = Object.values(groupBy(pieces, 'place')).flatMap((same) => filledOr(same));
	return pieces.filter(
		(one) => kept.includes(one) && !(one.column.filled === 0 && /^(number|name)$/.test(one.name)),
	);
}

/** The lines of one address whose pieces are in several columns, such as `House Number` and `Street Name`. */
function joinedLines(
	kind: AddressKind,
	parts: readonly AddressColumn[],
	pieces: readonly PieceColumn[],
	valuesOf: ValuesOf | undefined,
): AddressColumn[] {
	const own = withEmptyPieces(pieces.filter((piece) => piece.kind === kind));
	const [ofStreet, types] = partition(own, ({ line }) => line === 'AddressLine1');
	const street = streetPieces(ofStreet);
	const { prefix = '' } = street.find(({ name }) => name === 'name') ?? {};
	const [unit, ...units] = filledOr(
		parts.filter((part) => part.kind === kind && part.field === 'AddressLine2'),
	);
	const join = (found: ReadonlyArray<{ column: Column }>): Column =>
		joinedColumn(
			found.map(({ column }) => column),
			valuesOf,
		);
	const line = { kind, prefix, field: 'AddressLine1', rank: 3, isDecided: true };
	const isUnit = types.length === 1 && units.length === 0;
	return [
		...(street.length > 0 ? [{ ...line, column: join(street) }] : []),
		...(unit && isUnit ? [{ ...unit, column: join([...types, unit]) }] : []),
	];
}

/** Whether a street begins with a number of its own: `5th Ave` and `400 S` do not. */
function hasNumber(street: string): boolean {
	return /^\d\S*\s.*\p{L}{3}/u.test(street) && !/^\d+(st|nd|rd|th)\b/i.test(street);
}

/** Whether most values of a column are streets with other numbers than those in the column beside it. */
function hasOtherNumbers(streets: readonly unknown[], numbers: readonly unknown[]): boolean {
	const others = streets.filter((value, row) => {
		const street = pieceText(value);
		return hasNumber(street) && !street.startsWith(`${pieceText(numbers[row])} `);
	});
	return others.length > streets.length / 2;
}

/**
 * Where only the street says whose it is, the rest is of the same address: `Mailing Address, City, Zip`. Not if
 * few rows have the street, or if it has a city of its own: then the rest is of another address.
 */
function withBareStreet(parts: AddressColumn[]): AddressColumn[] {
	const [street, ...others] = parts.filter(({ field }) => field === 'AddressLine1');
	if (!street || others.length > 0 || !fitsKind(street.column.texts, 'city')) return parts;
	const { kind, prefix, column } = street;
	const isBare = parts.every((part) =>
		part.kind === kind
			? /^AddressLine/.test(part.field)
			: part.prefix === '' && part.column.filled / 2 <= column.filled,
	);
	return isBare ? parts.map((part) => ({ ...part, kind, prefix })) : parts;
}

/** The columns of addresses, in the order of the table; pieces of a line are put together. */
export function addressColumns(
	columns: readonly Column[],
	valuesOf: ValuesOf | undefined,
	fits: (column: Column, field: string) => boolean,
): AddressColumn[] {
	const pieces = columns.flatMap((column) => {
		const piece = addressPiece(column);
		return piece ? [{ ...piece, column }] : [];
	});
	const numbers = pieces.filter(({ name, column }) => name === 'number' && column.filled > 0);
	const valuesOfColumn = ({ headers: [header = ''] }: Column) => valuesOf?.(header) ?? [];
	/** Beside a column of numbers, `Street` holds names: `County Road 12`. */
	const isName = (column: Column): boolean => {
		const piece = pieces.find((one) => one.column === column);
		const own = numbers.filter(({ kind }) => kind === piece?.kind);
		const [number, ...more] = own.length > 0 ? own : numbers;
		return (
			piece !== undefined &&
			number !== undefined &&
			more.length === 0 &&
			!hasOtherNumbers(valuesOfColumn(column), valuesOfColumn(number.column))
		);
	};
	/** Beside `City 2`, `Address 2` is a street of its own. */
	const hasSecond = columns.some(({ plain }) => /^(city|zip|zipcode|postalcode)2$/.test(plain));
	const parts = columns.flatMap((column) => {
		const part = addressPart(column);
		const isOther = hasSecond && /^(address|street)2$/.test(column.plain);
		const isWhole = part && !isOther && !isName(column) && fits(column, part.field);
		return isWhole ? [{ ...part, column, isDecided: true }] : [];
	});
	const loose = pieces.filter(
		({ column }) => column.headers.length === 1 && !parts.some((part) => part.column === column),
	);
	const joined = addressKinds
		.flatMap((kind) => joinedLines(kind, parts, loose, valuesOf))
		.filter(({ column, field }) => fits(column, field));
	const replaced = new Set(joined.flatMap(({ column }) => column.headers));
	return withBareStreet([
		...parts.filter(({ column }) => !column.headers.some((header) => replaced.has(header))),
		...joined,
	]);
}

/** The columns of the parts of one address, by the field of a home address; several are rivals. */
type Address = ReadonlyMap<string, readonly Column[]>;

const filledShare = (columns: readonly Column[] = []): number =>
	Math.max(0, ...columns.map(({ filled }) => filled));

/** The best of the columns for a part: those with values, and of them those with the best header. */
function bestColumns(rivals: readonly AddressColumn[]): Column[] {
	const most = filledShare(rivals.map(({ column }) => column));
	// A column for exceptions, beside one that most rows have, is not the better one.
	const counted = filledOr(rivals).filter(({ column }) => column.filled >= most / 2);
	const best = Math.min(...counted.map(({ rank }) => rank));
	return counted.filter(({ rank }) => rank === best).map(({ column }) => column);
}

function filledParts(address: Address): string[] {
	return [...address.keys()].filter((part) => filledShare(address.get(part)) > 0);
}

/** The one of several streets whose name continues in that of the second line. */
function numberedStreet(
	streets: readonly Column[] = [],
	[line, ...others]: readonly Column[] = [],
): Column | undefined {
	if (streets.length < 2 || !line || others.length > 0) return undefined;
	return streets.find(
		({ plain }) => plain.endsWith('1') && line.plain === plain.replace(/1$/, '2'),
	);
}

/** The columns of one address. Never parts of two: a street of one and a city of another would be neither. */
function addressOf(found: readonly AddressColumn[]): Address {
	const [largest = new Map<string, Column[]>(), ...others] = Object.values(
		groupBy(
			found.filter(({ isDecided }) => isDecided),
			'prefix',
		),
	)
		.map((columns) => new Map(Object.entries(mapValues(groupBy(columns, 'field'), bestColumns))))
		.sort((a, b) => filledParts(b).length - filledParts(a).length || b.size - a.size);
	for (const other of others) {
		// "Home Street" and "City" are one address; "Home City" and "City" are two.
		if ([...other.keys()].some((part) => largest.has(part))) continue;
		for (const [part, columns] of other) largest.set(part, columns);
	}
	// Beside `Address 1` and `Address 2`, `Street` holds both lines.
	const numbered = numberedStreet(largest.get('AddressLine1'), largest.get('AddressLine2'));
	if (numbered) largest.set('AddressLine1', [numbered]);
	// An apartment is nowhere without its street.
	if (largest.get('AddressLine1')?.length !== 1) {
		largest.delete('AddressLine2');
		largest.delete('AddressLine3');
	}
	return largest;
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
	const usual = Math.max(...others.flatMap((other) => [...other.values()].map(filledShare)));
	return filledShare(address.get('AddressLine1')) < usual / 2;
}

function bestAddresses(
	addresses: Record<AddressKind, Address>,
	hasFields: [home: boolean, mailing: boolean],
): [AddressKind | undefined, AddressKind | undefined] {
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

interface ChosenAddress {
	kind: AddressKind;
	address: Address;
}

/** Which address feeds the fields of a home address (0) and of a mailing address (1). */
export function chooseAddresses(
	parts: readonly AddressColumn[],
	hasFields: [home: boolean, mailing: boolean],
	given: readonly GivenColumn[],
): Array<ChosenAddress | undefined> {
	const addressFor = (kind: AddressKind): Address =>
		addressOf(parts.filter((part) => part.kind === kind));
	const addresses = {
		home: addressFor('home'),
		mailing: addressFor('mailing'),
		billing: addressFor('billing'),
	};
	const decided = (place: number): AddressKind | undefined =>
		given.find((one) => one.place === place && one.isDecided)?.kind;
	return bestAddresses(addresses, hasFields).map((best, place) => {
		// An address with a city of its own is another one than that of a given city.
		const isOther = given.some(
			(one) =>
				one.place === place &&
				one.field !== 'CountryCode' &&
				one.kind !== best &&
				best !== undefined &&
				addresses[best].has(one.field),
		);
		const isFree = !isOther && best !== decided(1 - place);
		const kind = decided(place) ?? (isFree ? best : undefined);
		return kind && { kind, address: addresses[kind] };
	});
}
