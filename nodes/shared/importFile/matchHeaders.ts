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

/** The matching of one table. */
class HeaderMatching<Field extends HeaderField> {
	private readonly mapped: HeaderMatch<Field>['mapped'] = [];
	private readonly ambiguous: HeaderMatch<Field>['ambiguous'] = [];
	/** Why columns that are known are not mapped. */
	private readonly reasons = new Map<Column, string>();
	private readonly used = new Set<Column>();
	private readonly fed = new Set<Field>();
	private readonly columns: Column[];
	private readonly fields: Field[];

	constructor(
		private readonly headers: readonly string[],
		fields: readonly Field[],
		private readonly table: Table,
	) {
		this.columns = columnsOf(headers, table.valuesOf);
		this.fields = fields.filter(({ name }) => !CONTROL_FIELD.test(name));
	}

	match(): HeaderMatch<Field> {
		const [byAlias, ...byHeader] = ranks;
		if (byAlias) this.feedByRank((column, field) => byAlias(column, '', field));
		this.feedAddresses();
		for (const rank of byHeader) {
			this.feedByRank((column, field) => {
				const own = simplifyName(field.name);
				return (
					!addressFields.has(own) &&
					rank(column, own, field) &&
					this.fits(column, valueKinds.get(own))
				);
			});
		}
		return this.result();
	}

	private result(): HeaderMatch<Field> {
		const { headers, mapped, ambiguous, used } = this;
		const place = ([header = '']: string[]): number => headers.indexOf(header);
		mapped.sort((a, b) => place(a.headers) - place(b.headers));
		const rejected = this.columns.flatMap((column) => {
			const reason = used.has(column) ? undefined : this.reasons.get(column);
			return reason === undefined ? [] : column.headers.map((header) => ({ header, reason }));
		});
		const known = new Set([
			...[...used].flatMap((column) => column.headers),
			...rejected.map(({ header }) => header),
		]);
		const unmatched = headers.filter((header) => !known.has(header));
		return { mapped, ambiguous, rejected, unmatched };
	}

	private fits(column: Column, kind: ValueKind | undefined): boolean {
		if (kind === undefined || fitsKind(column.texts, kind)) return true;
		this.reasons.set(column, misfitReason(column.texts, kind));
		return false;
	}

	private feed(rivals: readonly Column[], found: readonly Field[]): void {
		const names = [...new Set(found.map(({ name }) => name))];
		for (const rival of rivals) this.used.add(rival);
		for (const field of found) this.fed.add(field);
		const [column] = rivals;
		const isClear =
			rivals.length === 1 &&
			new Set(names.map(simplifyName)).size === 1 &&
			!(this.table.isComplete && (column?.headers.length ?? 0) > 1);
		if (isClear && column)
			this.mapped.push(...found.map((field) => ({ headers: column.headers, field })));
		else this.ambiguous.push({ headers: rivals.flatMap((rival) => rival.headers), fields: names });
	}

	private feedByRank(isMeant: (column: Column, field: Field) => boolean): void {
		const candidates = this.columns
			.filter((column) => !this.used.has(column))
			.map((column) => ({
				column,
				found: this.fields.filter((field) => !this.fed.has(field) && isMeant(column, field)),
			}));
		for (const { column, found } of candidates) {
			if (found.length === 0 || this.used.has(column)) continue;
			const rivals = candidates.filter((other) =>
				other.found.some((field) => found.includes(field)),
			);
			this.feed(
				rivals.map((rival) => rival.column),
				[...new Set(rivals.flatMap((rival) => rival.found))],
			);
		}
	}

	private feedAddresses(): void {
		const parts = this.columns.flatMap((column) => {
			const part = this.used.has(column) ? undefined : addressPart(column.headers[0] ?? '');
			const kind = part && valueKinds.get(simplifyName(part.fields[0] ?? ''));
			return part && this.fits(column, kind) ? [{ column, part }] : [];
		});
		const addressFor = (kind: AddressKind): Address =>
			addressOf(parts.filter(({ part }) => part.kind === kind));
		const addresses = {
			home: addressFor('home'),
			mailing: addressFor('mailing'),
			billing: addressFor('billing'),
		};
		const hasFields = (place: number): boolean =>
			parts.some(({ part }) => this.fieldsFor(part.fields, place).length > 0);
		const chosen = chooseAddresses(addresses, [hasFields(0), hasFields(1)]);
		for (const [place, kind] of chosen.entries()) {
			for (const [part, { columns: rivals }] of kind ? addresses[kind] : []) {
				const found = this.fieldsFor(part, place);
				if (found.length > 0) this.feed(rivals, found);
			}
		}
		for (const { column } of parts)
			if (!this.used.has(column)) this.reasons.set(column, 'another address is imported');
	}

	/** The fields for a part of a home address (0) or of a mailing address (1). */
	private fieldsFor(part: readonly string[], place: number): Field[] {
		const wanted = simplifyName(part[place] ?? '');
		return this.fields.filter(
			(field) => !this.fed.has(field) && simplifyName(field.name) === wanted,
		);
	}
}

/**
 * Finds the field of every header, by name and by everyday synonyms, and believes it only if the values
 * fit. Never guesses between two candidates of the same rank.
 * @param headers of the whole table, including those that only some rows have
 */
export function matchHeaders<Field extends HeaderField>(
	headers: readonly string[],
	fields: readonly Field[],
	table: Table = {},
): HeaderMatch<Field> {
	return new HeaderMatching(headers, fields, table).match();
}
