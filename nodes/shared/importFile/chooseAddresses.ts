import { groupBy, partition, sortBy } from 'lodash';

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

/** The lines of one address whose pieces stand in several columns, such as `House Number` and `Street Name`. */
function joinedLines(
	kind: AddressKind,
	parts: readonly AddressColumn[],
	pieces: readonly PieceColumn[],
): Array<{ columns: Column[]; part: AddressPart }> {
	const own = pieces.filter(({ piece, column }) => piece.kind === kind && !column.isEmpty);
	const [ofStreet, types] = partition(own, ({ piece }) => piece.line === 'AddressLine1');
	const street = streetPieces(ofStreet);
	const { prefix = '' } = street.find(({ piece }) => piece.name === 'name')?.piece ?? {};
	const units = parts.filter(
		({ part, column }) =>
			part.kind === kind && part.fields[0] === 'AddressLine2' && !column.isEmpty,
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

/**
 * The columns of addresses; lines whose pieces stand in several columns are put together.
 * @param columns in the order of the table
 * @param fits whether the values of a column are those of its part
 */
export function addressColumns(
	columns: readonly Column[],
	valuesOf: ValuesOf | undefined,
	fits: (found: AddressColumn) => boolean,
): AddressColumn[] {
	const named = columns.map((column) => {
		const [header = ''] = column.headers;
		return { column, part: addressPart(header), piece: addressPiece(header) };
	});
	const hasNumber = named.some(({ column, piece }) => piece?.name === 'number' && !column.isEmpty);
	/** Beside a column of numbers, `Street` holds names: `County Road 12`. */
	const isName = ({ texts }: Column): boolean =>
		hasNumber && !texts.some((text) => /^\d+[^\p{L}\d]/u.test(text));
	const parts = named.flatMap(({ column, part, piece }) =>
		part && !(piece && isName(column)) && fits({ column, part }) ? [{ column, part }] : [],
	);
	const pieces = named.flatMap(({ column, piece }) => {
		const isWhole = parts.some((part) => part.column === column);
		return piece && !isWhole && column.headers.length === 1 ? [{ column, piece }] : [];
	});
	const lines = addressKinds.flatMap((kind) => joinedLines(kind, parts, pieces));
	const joined = lines
		.map((line) => ({ ...line, column: joinedColumn(line.columns, valuesOf) }))
		.filter(fits);
	const replaced = new Set(joined.flatMap((line) => line.columns));
	return [...parts.filter(({ column }) => !replaced.has(column)), ...joined];
}

/** The columns of the parts of one address; several are rivals. */
export type Address = Map<AddressPart['fields'], Column[]>;

/** The best of the columns for each part: those with values, and of them those with the best header. */
function bestColumns(columns: readonly AddressColumn[]): Address {
	const address: Address = new Map();
	for (const { fields } of columns.map(({ part }) => part)) {
		const rivals = columns.filter(({ part }) => part.fields === fields);
		const filled = rivals.filter(({ column }) => !column.isEmpty);
		const counted = filled.length > 0 ? filled : rivals;
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
export function addressOf(columns: readonly AddressColumn[]): Address {
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
	return parts.some(([[home]]) => home === 'AddressLine1')
		? merged
		: new Map(parts.filter(([[home = '']]) => !home.startsWith('AddressLine')));
}

/** Whether a letter could arrive: a street alone, or a city alone, is part of an address. */
function isComplete(address: Address): boolean {
	const parts = filledParts(address);
	return (
		parts.includes('AddressLine1') && (parts.includes('City') || parts.includes('ZipOrPostal'))
	);
}

/** The share of rows that have a part. */
const filledShare = (columns: readonly Column[] = []): number =>
	Math.max(0, ...columns.map(({ filled }) => filled));

/** Whether a street is in so few rows that the address is only another one of some people. */
function isRare(address: Address, others: readonly Address[]): boolean {
	const street = [...address].find(([[home]]) => home === 'AddressLine1')?.[1];
	const usual = Math.max(...others.flatMap((other) => [...other.values()].map(filledShare)));
	return filledShare(street) < usual / 2;
}

/** Which address feeds the fields of a home address (0) and of a mailing address (1). */
export function chooseAddresses(
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
