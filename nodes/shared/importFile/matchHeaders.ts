import { memoize, once } from 'lodash';

import { addressColumns, chooseAddresses, givenPart } from './chooseAddresses';
import { fitsKind, isFewWrong, isMost, misfitReason } from './columnValues';
import { DateColumn } from './dateColumn';
import { splitName } from './splitName';
import { judgeValue, type ValueKind } from './valueKinds';
import {
	type Column,
	columnsOf,
	columnsOfOthers,
	type ValuesOf,
	withoutCodes,
} from './headerColumns';
import {
	addressField,
	addressFields,
	addressPart,
	addressPiece,
	CONTROL_FIELD,
	type HeaderName,
	isFullName,
	isNameHalf,
	namings,
	otherHalves,
	valueKindOf,
} from './headerSynonyms';
import { shownHeader, simplifyName } from './fileColumns';

export interface HeaderField {
	name: string;
	/** Longer names that only this field has, e.g. `Phones:Phone`. */
	aliases?: readonly string[];
}

export interface HeaderMatch<Field extends HeaderField> {
	/** Several headers are spellings of one name, or columns that are put together in this order. */
	mapped: Array<{ headers: string[]; field: Field; isJoined?: boolean }>;
	/** Headers that fit several fields, or a field that other headers fit. None of them is mapped. */
	ambiguous: Array<{ headers: string[]; fields: Field[] }>;
	/** All other headers, and why they are not mapped, e.g. {@link UNKNOWN_HEADER}. */
	rejected: Array<{ header: string; reason: string }>;
}

export const UNKNOWN_HEADER = 'unknown header';

/** What the user said of a header: the fields that it feeds, or none to leave it out. */
export interface GivenHeader<Field extends HeaderField> {
	header: string;
	fields: readonly Field[];
}

interface Table<Field extends HeaderField> {
	/** These win over all other headers, whatever their values. */
	given?: ReadonlyArray<GivenHeader<Field>>;
	/** Whether every row has all headers, so that two spellings of one name are ambiguous. */
	isComplete?: boolean;
	valuesOf?: ValuesOf;
	/** Whether values are cleaned: a full name can feed two fields, and a country's name is its code. */
	cleansValues?: boolean;
	/** Whether a text is a date of birth in the format that the user chose. */
	isBirthDate?: ((text: string) => boolean) | undefined;
}

const POSITION = /^(position|puesto|cargo|fonction|function)$/;
/** Offices in a club, a board or an association. */
const OFFICE =
	/^((vice|co|past|immediate past|first|second|1st|2nd)[ -]*)*(member|president|chair(man|woman|person)?|treasurer|secretary|trustee|delegate|board member|officer at large|member at large|historian|parliamentarian|auditor)s?$/i;

/** Whether values that fit a kind can mean something else under such a header. */
function isAmbiguous({ name, core, texts }: Column, kind: ValueKind): boolean {
	if (texts.length === 0) return false;
	// Masculino or mujer, unless other values tell.
	if (kind === 'gender' && /^(sexo|genero)$/.test(core))
		return texts.every((text) => /^m$/i.test(text));
	// The treasurer of a club has another occupation.
	if (kind === 'words' && POSITION.test(core)) return isMost(texts, (text) => OFFICE.test(text));
	// A record's number, unless some are as long as a phone number.
	return (
		kind === 'phone' &&
		/^contactn(o|umber)$/.test(name) &&
		texts.every((text) => /^[1-9]\d{7,8}$/.test(text))
	);
}

/** Values as they are sent, and whether the service takes enough of them: a gender X is sent as blank. */
function cleanTexts(given: readonly string[], kind: ValueKind) {
	const dates = kind === 'birth' ? new DateColumn(true) : undefined;
	given.forEach((text, index) => dates?.add(text, index + 1));
	const judged = given.map((text) => judgeValue(kind, text, undefined, dates));
	const texts = judged.map(({ text }) => text).filter(Boolean);
	const untaken = judged.filter(
		({ verdict, reason }) => verdict === 'noValue' && reason !== undefined,
	).length;
	const areTaken = isFewWrong(untaken, untaken + texts.length);
	return { texts, areTaken };
}

const isNamed = (header: HeaderName, name: string): boolean =>
	namings.some((isNaming) => isNaming(header, name));

class HeaderMatching<Field extends HeaderField> {
	private readonly mapped: HeaderMatch<Field>['mapped'] = [];
	private readonly ambiguous: HeaderMatch<Field>['ambiguous'] = [];
	private readonly reasons = new Map<Column, string>();
	private readonly used = new Set<Column>();
	private readonly fed = new Set<Field>();
	private readonly given = new Map<Column, readonly Field[]>();
	private columns: Column[];
	private readonly fields: Field[];
	private readonly simplify = memoize(simplifyName);

	constructor(
		private readonly headers: readonly string[],
		fields: readonly Field[],
		private readonly table: Table<Field>,
	) {
		this.columns = columnsOf(headers, table.valuesOf, table.isComplete);
		this.fields = fields.filter(({ name }) => !CONTROL_FIELD.test(name));
	}

	match(): HeaderMatch<Field> {
		for (const given of this.table.given ?? []) this.feedGiven(given);
		this.leaveOthers();
		this.feedBest(this.columns, (column, field) => this.hasAlias(column, field));
		this.feedAddresses();
		// Most headers of a wide list are unknown.
		const named = this.columns.filter((column) =>
			this.fields.some((field) => this.names(column, field)),
		);
		const feedByHeader = (mayBeEmpty: boolean): void => {
			for (const isNaming of namings)
				this.feedBest(
					named,
					(column, field) =>
						isNaming(column, this.simplify(field.name)) &&
						(mayBeEmpty || column.filled > 0) &&
						this.isMeant(column, field),
				);
		};
		// Empty columns count only where there is nothing else.
		feedByHeader(false);
		this.feedNameBeside();
		this.feedFullName();
		feedByHeader(true);
		this.explain();
		return this.result();
	}

	private feedGiven({ header, fields }: GivenHeader<Field>): void {
		const column = this.columns.find(({ name }) => name === simplifyName(header));
		if (column) this.given.set(column, fields);
		if (column && fields.length > 0) this.feed([column], fields);
	}

	/** Where two people have columns, such as a voter and a volunteer, only one is the person of the row. */
	private leaveOthers(): void {
		const others = columnsOfOthers(
			this.columns,
			this.given,
			(column) =>
				addressPart(column) !== undefined ||
				addressPiece(column) !== undefined ||
				this.fields.some((field) => this.names(column, field)),
		);
		for (const column of others)
			if (!this.given.has(column)) this.reasons.set(column, 'it may belong to another person');
		for (const [column, fields] of this.given)
			if (fields.length === 0)
				this.reasons.set(column, 'left out by Headers the Node Does Not Know');
		this.columns = this.columns.filter((column) => !this.reasons.has(column));
	}

	private hasAlias({ name }: Column, { aliases = [] }: Field): boolean {
		return aliases.some((alias) => this.simplify(alias) === name);
	}

	/** Whether a column has a name of a field. */
	private names(column: Column, field: Field): boolean {
		return this.hasAlias(column, field) || isNamed(column, this.simplify(field.name));
	}

	/** Whether a column can feed a field that is not part of an address. */
	private isMeant(column: Column, field: Field): boolean {
		return (
			!addressFields.has(this.simplify(field.name)) &&
			!this.isHalfAlone(column) &&
			!(isNameHalf(field) && this.isRareName(column)) &&
			this.fits(column, valueKindOf(field.name))
		);
	}

	/** Half of a name is a full name if no other column holds the other half. */
	private isHalfAlone(column: Column): boolean {
		const half = otherHalves.get(column.core);
		if (half === undefined) return false;
		const isThere =
			[...this.fed].some(({ name }) => this.simplify(name) === half) ||
			this.columns.some((other) => other !== column && isNamed(other, half));
		if (!isThere) this.reasons.set(column, 'it holds full names');
		return !isThere;
	}

	/** In German, `Name` beside `Vorname` is the last name. */
	private feedNameBeside(): void {
		const hasVorname = this.mapped.some(
			({ headers: [header = ''], field }) =>
				/^FirstName$/i.test(field.name) && /^vornamen?$/.test(simplifyName(header)),
		);
		const last = this.fields.filter(
			(field) => /^LastName$/i.test(field.name) && !this.fed.has(field),
		);
		const column = this.columns.find(({ plain }) => plain === 'name');
		const isLast =
			column !== undefined &&
			column.filled > 0 &&
			!this.used.has(column) &&
			isMost(column.texts, (text) => splitName(text) === undefined) &&
			this.fits(column, 'name');
		if (hasVorname && isLast && last.length > 0) this.feed([column], last);
	}

	private readonly splitNames = once(() =>
		this.columns.filter(
			(column) =>
				isFullName(column) &&
				column.filled > 0 &&
				isMost(column.texts, (text) => !!splitName(text)),
		),
	);

	/** Half of a name that few rows have beside a full name: a nickname, or of another list. */
	private isRareName(column: Column): boolean {
		const [full, ...more] = this.table.cleansValues ? this.splitNames() : [];
		if (!full || more.length > 0 || column.filled === 0 || column.filled >= full.filled / 2)
			return false;
		this.reasons.set(column, `${full.headers.map(shownHeader).join(' or ')} is imported instead`);
		return true;
	}

	/** A column of full names feeds both fields of a name if no other column feeds one of them. */
	private feedFullName(): void {
		const halves = this.fields.filter(isNameHalf);
		const feeding = this.mapped.filter(({ field }) => isNameHalf(field));
		const columns = this.columns.filter(
			(column) => !this.used.has(column) && isFullName(column) && column.filled > 0,
		);
		const found = columns.filter((column) => this.splitNames().includes(column));
		if (
			this.table.cleansValues &&
			feeding.length === 0 &&
			found.length === 1 &&
			halves.length > 1
		) {
			for (const field of halves) this.feed(found, [field]);
			return;
		}
		const texts = [...new Set(feeding.flatMap(({ headers }) => headers.map(shownHeader)))];
		const reason =
			texts.length > 0
				? `${texts.join(' and ')} ${texts.length > 1 ? 'are' : 'is'} imported instead`
				: 'it holds full names, and not all can be split with certainty';
		for (const column of columns) this.reasons.set(column, reason);
	}

	private explain(): void {
		for (const column of this.columns) {
			if (this.used.has(column) || this.reasons.has(column)) continue;
			const rival = this.mapped.find(
				({ field }) => this.names(column, field) && this.isMeant(column, field),
			);
			if (rival)
				this.reasons.set(
					column,
					`${rival.headers.map(shownHeader).join(' or ')} is imported instead`,
				);
		}
	}

	private result(): HeaderMatch<Field> {
		const { headers, mapped, ambiguous, used } = this;
		const place = ([header = '']: string[]): number => headers.indexOf(header);
		mapped.sort((a, b) => place(a.headers) - place(b.headers));
		const fed = new Set([...used].flatMap((column) => column.headers));
		const reasons = new Map<string, string>();
		for (const [column, reason] of this.reasons)
			for (const header of column.headers) reasons.set(header, reason);
		const rejected = headers
			.filter((header) => !fed.has(header))
			.map((header) => ({ header, reason: reasons.get(header) ?? UNKNOWN_HEADER }));
		return { mapped, ambiguous, rejected };
	}

	private fits(column: Column, kind: ValueKind | undefined): boolean {
		if (kind === undefined) return true;
		const { isBirthDate } = this.table;
		if (kind === 'birth' && isBirthDate && isMost(column.texts, isBirthDate)) return true;
		const { texts, areTaken } = this.table.cleansValues
			? cleanTexts(column.texts, kind)
			: { texts: column.texts, areTaken: true };
		if (areTaken && fitsKind(texts, kind) && !isAmbiguous(column, kind)) return true;
		this.reasons.set(column, misfitReason(areTaken ? texts : column.texts, kind));
		return false;
	}

	private feed(given: readonly Column[], found: readonly Field[]): void {
		const rivals = withoutCodes(given);
		for (const rival of rivals) this.used.add(rival);
		for (const field of found) this.fed.add(field);
		const [column] = rivals;
		const isOneName = new Set(found.map(({ name }) => simplifyName(name))).size === 1;
		if (column && rivals.length === 1 && isOneName && !column.isSeveral) {
			const { headers, isJoined } = column;
			for (const field of found)
				this.mapped.push({ headers, field, ...(isJoined && { isJoined }) });
		} else
			this.ambiguous.push({
				headers: rivals.flatMap(({ headers }) => headers),
				fields: [...found],
			});
	}

	private feedBest(
		columns: readonly Column[],
		isMeant: (column: Column, field: Field) => boolean,
	): void {
		const candidates = columns
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
		const free = this.columns.filter((column) => !this.used.has(column));
		const given = [...this.given].flatMap(([column, fields]) => givenPart(column, fields));
		const fits = (column: Column, name: string): boolean => this.fits(column, valueKindOf(name));
		const parts = [...given, ...addressColumns(free, this.table.valuesOf, fits)];
		const hasFields = (place: number): boolean =>
			parts.some(({ field }) => this.fieldsFor(field, place).length > 0);
		const chosen = chooseAddresses(parts, [hasFields(0), hasFields(1)], given);
		for (const [place, one] of chosen.entries()) {
			for (const [part, rivals] of one?.address ?? []) {
				const found = this.fieldsFor(part, place);
				if (found.length > 0) this.feed(rivals, found);
			}
		}
		for (const { column, kind, field } of parts) {
			const [rival] = chosen.find((one) => one?.kind === kind)?.address.get(field) ?? [];
			this.reasons.set(
				column,
				rival && this.used.has(rival)
					? `${rival.headers.map(shownHeader).join(' or ')} is imported instead`
					: 'another address is imported',
			);
		}
	}

	/** The fields for a part of a home address (0) or of a mailing address (1). */
	private fieldsFor(part: string, place: number): Field[] {
		const wanted = simplifyName(addressField(part, place));
		return this.fields.filter(
			(field) => !this.fed.has(field) && this.simplify(field.name) === wanted,
		);
	}
}

/**
 * Finds the field of every header, by name and by everyday synonyms, and believes it only if the values
 * fit. Never guesses between two candidates of the same rank.
 */
export function matchHeaders<Field extends HeaderField>(
	headers: readonly string[],
	fields: readonly Field[],
	table: Table<Field> = {},
): HeaderMatch<Field> {
	return new HeaderMatching(headers, fields, table).match();
}
