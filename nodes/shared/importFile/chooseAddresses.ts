import type { Column } from './headerColumns';
import { type AddressKind, addressKinds, type AddressPart } from './headerSynonyms';

/** A column of an address. */
interface AddressColumn {
	column: Column;
	part: AddressPart;
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
