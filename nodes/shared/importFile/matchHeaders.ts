import { columnTexts, fitsKind, misfitReason, type ValueKind } from './columnValues';
import {
	type AddressKind,
	addressFields,
	addressKinds,
	type AddressPart,
	addressPart,
	CONTROL_FIELD,
	coreName,
	fieldHeaders,
	simplifyName,
	valueKinds,
} from './headerSynonyms';

export interface HeaderField {
	/** Its name, e.g. `FirstName`; one header feeds all fields of one name. */
	name: string;
	/** Longer names that only this field has, e.g. `Phones:Phone`. */
	aliases?: readonly string[];
}

export interface HeaderMatch<Field extends HeaderField> {
	/**
	 * Which headers feed which field: several are spellings of one name, e.g. `nativeId` and `Native
	 * ID`.
	 */
	mapped: Array<{ headers: string[]; field: Field }>;
	/** Headers that fit several fields, or a field that other headers fit. None of them is mapped. */
	ambiguous: Array<{ headers: string[]; fields: string[] }>;
	/** Headers that are known, but not mapped, and why. */
	rejected: Array<{ header: string; reason: string }>;
	unmatched: string[];
}

interface Table {
	/** Whether every row has all headers, so that two spellings of one name are ambiguous. */
	isComplete?: boolean;
	/** Values of a column. Headers are believed if they are not known. */
	valuesOf?: (header: string) => readonly unknown[];
}

/** A column: the spellings of one header, and what it holds. */
interface Column {
	/** Simplified. */
	name: string;
	headers: string[];
	texts: string[];
}

function columnsOf(headers: readonly string[], valuesOf: Table['valuesOf']): Column[] {
	const columns = new Map<string, Column>();
	for (const header of headers) {
		const name = simplifyName(header);
		if (name === '') continue;
		const column = columns.get(name) ?? { name, headers: [], texts: [] };
		column.headers.push(header);
		column.texts.push(...columnTexts(valuesOf?.(header) ?? []));
		columns.set(name, column);
	}
	return [...columns.values()];
}

/** The ways in which a column can be meant for a field, best first. */
const ranks: Array<(column: Column, own: string, field: HeaderField) => boolean> = [
	({ name }, _, { aliases = [] }) => aliases.some((alias) => simplifyName(alias) === name),
	({ name }, own) => name === own,
	({ name }, own) => fieldHeaders.get(own)?.strong.includes(name) === true,
	({ headers: [header = ''] }, own) => {
		const core = coreName(header);
		return core === own || fieldHeaders.get(own)?.strong.includes(core) === true;
	},
	({ name, headers: [header = ''] }, own) => {
		const weak = fieldHeaders.get(own)?.weak ?? [];
		return weak.includes(name) || weak.includes(coreName(header));
	},
];

/** By part, with the rank of its headers. */
type Address = Map<AddressPart['fields'], { rank: number; columns: Column[] }>;

/** The columns of one address. Never parts of two: a street of one and a city of another would be neither. */
function addressOf(columns: ReadonlyArray<{ column: Column; part: AddressPart }>): Address {
	const groups = new Map<string, Address>();
	for (const { column, part } of [...columns].sort((a, b) => a.part.rank - b.part.rank)) {
		const group = groups.get(part.prefix) ?? (new Map() as Address);
		const known = group.get(part.fields) ?? { rank: part.rank, columns: [] };
		// A header counts only where there is no better one.
		if (known.rank === part.rank)
			group.set(part.fields, { ...known, columns: [...known.columns, column] });
		groups.set(part.prefix, group);
	}
	const [largest = new Map() as Address, ...others] = [...groups.values()].sort(
		(a, b) => b.size - a.size,
	);
	const merged: Address = new Map(largest);
	for (const other of others) {
		// "Home Street" and "City" are one address; "Home City" and "City" are two.
		if ([...other.keys()].some((part) => merged.has(part))) continue;
		for (const [part, found] of other) merged.set(part, found);
	}
	return merged;
}

function hasStreet(address: Address): boolean {
	return [...address.keys()].some(([home]) => home === 'AddressLine1');
}

/** Which address feeds the fields of a home address (0) and of a mailing address (1). */
function chooseAddresses(
	addresses: Record<AddressKind, Address>,
	hasFields: [home: boolean, mailing: boolean],
): [AddressKind | undefined, AddressKind | undefined] {
	const present = addressKinds.filter((kind) => addresses[kind].size > 0);
	const complete = present.filter((kind) => hasStreet(addresses[kind]));
	const [first] = complete.length > 0 ? complete : present;
	if (!hasFields[1]) return [first, undefined];
	if (!hasFields[0])
		return [undefined, complete.includes('mailing') ? 'mailing' : (first ?? undefined)];
	return [present.find((kind) => kind !== 'mailing'), present.find((kind) => kind === 'mailing')];
}

/**
 * Finds the field of every header, by name and by everyday synonyms, and believes it only if the values
 * fit. Never guesses between two candidates of the same rank.
 * @param headers of the whole table, including those that only some rows have
 */
export function matchHeaders<Field extends HeaderField>(
	headers: readonly string[],
	fields: readonly Field[],
	{ isComplete = false, valuesOf }: Table = {},
): HeaderMatch<Field> {
	const mapped: HeaderMatch<Field>['mapped'] = [];
	const ambiguous: HeaderMatch<Field>['ambiguous'] = [];
	const reasons = new Map<Column, string>();
	const used = new Set<Column>();
	const fed = new Set<Field>();
	const columns = columnsOf(headers, valuesOf);
	const open = fields.filter(({ name }) => !CONTROL_FIELD.test(name));

	const place = ([header = '']: string[]): number => headers.indexOf(header);
	const fits = (column: Column, kind: ValueKind | undefined): boolean => {
		if (kind === undefined || fitsKind(column.texts, kind)) return true;
		reasons.set(column, misfitReason(column.texts, kind));
		return false;
	};
	const feed = (rivals: readonly Column[], found: readonly Field[]): void => {
		const names = [...new Set(found.map(({ name }) => name))];
		for (const rival of rivals) used.add(rival);
		for (const field of found) fed.add(field);
		const [column] = rivals;
		const isClear =
			rivals.length === 1 &&
			new Set(names.map(simplifyName)).size === 1 &&
			!(isComplete && (column?.headers.length ?? 0) > 1);
		if (isClear && column)
			mapped.push(...found.map((field) => ({ headers: column.headers, field })));
		else ambiguous.push({ headers: rivals.flatMap((rival) => rival.headers), fields: names });
	};
	const feedByRank = (rank: (typeof ranks)[number], byName: boolean): void => {
		const candidates = columns
			.filter((column) => !used.has(column))
			.flatMap((column) => {
				const found = open.filter((field) => {
					const own = simplifyName(field.name);
					return (
						!fed.has(field) &&
						!(byName && addressFields.has(own)) &&
						rank(column, own, field) &&
						(!byName || fits(column, valueKinds.get(own)))
					);
				});
				return found.length > 0 ? [{ column, found }] : [];
			});
		for (const { column, found } of candidates) {
			if (used.has(column)) continue;
			const rivals = candidates.filter((other) =>
				other.found.some((field) => found.includes(field)),
			);
			feed(
				rivals.map((rival) => rival.column),
				[...new Set(rivals.flatMap((rival) => rival.found))],
			);
		}
	};
	const feedAddresses = (): void => {
		const parts = columns.flatMap((column) => {
			const part = used.has(column) ? undefined : addressPart(column.headers[0] ?? '');
			const kind = part && valueKinds.get(simplifyName(part.fields[0] ?? ''));
			return part && fits(column, kind) ? [{ column, part }] : [];
		});
		const addressFor = (kind: AddressKind): Address =>
			addressOf(parts.filter(({ part }) => part.kind === kind));
		const addresses = {
			home: addressFor('home'),
			mailing: addressFor('mailing'),
			billing: addressFor('billing'),
		};
		const fieldsFor = (part: readonly string[], place: number): Field[] =>
			open.filter(
				(field) => !fed.has(field) && simplifyName(field.name) === simplifyName(part[place] ?? ''),
			);
		const hasFields = (place: number): boolean =>
			parts.some(({ part }) => fieldsFor(part.fields, place).length > 0);
		const chosen = chooseAddresses(addresses, [hasFields(0), hasFields(1)]);
		for (const [place, kind] of chosen.entries()) {
			for (const [part, { columns: rivals }] of kind ? addresses[kind] : []) {
				const found = fieldsFor(part, place);
				if (found.length > 0) feed(rivals, found);
			}
		}
		for (const { column } of parts)
			if (!used.has(column)) reasons.set(column, 'another address is imported');
	};

	const [byAlias, ...byHeader] = ranks;
	if (byAlias) feedByRank(byAlias, false);
	feedAddresses();
	for (const rank of byHeader) feedByRank(rank, true);

	mapped.sort((a, b) => place(a.headers) - place(b.headers));
	const rejected = columns.flatMap((column) => {
		const reason = used.has(column) ? undefined : reasons.get(column);
		return reason === undefined ? [] : column.headers.map((header) => ({ header, reason }));
	});
	const known = new Set([
		...[...used].flatMap((column) => column.headers),
		...rejected.map(({ header }) => header),
	]);
	return { mapped, ambiguous, rejected, unmatched: headers.filter((header) => !known.has(header)) };
}
