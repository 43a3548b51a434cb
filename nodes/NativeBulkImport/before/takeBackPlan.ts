import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { SortedNumbers } from '../../shared/execution/sortedNumbers';
import type { TimeSlice } from '../../shared/execution/timeSlice';
import { isSuccessOutcome } from '../../shared/importFile/resultFile';
import { wholeId } from '../../shared/service/bodySchema';
import { sameName } from '../../shared/service/nearestName';
import { isObject } from '../../shared/service/requestBody';
import {
	type BeforeFile,
	isNeverSent,
	type KeptField,
	type KeptOutcome,
	type KeptOutcomes,
	type KeptRow,
	type KeptValue,
} from './beforeFile';
import {
	customFieldIn,
	entriesIn,
	identifiersIn,
	type Method,
	METHOD_KINDS,
	methodOf,
	type Place,
	placeOf,
	preferredOf,
	rawEntry,
	sectionsOf,
	storedText,
	valueIn,
} from './personPlaces';

/** How a row ends that is taken back. */
export const ENDS = ['removed', 'restored', 'kept', 'notPossible'] as const;
export type End = (typeof ENDS)[number];

export interface FieldEnd {
	field: string;
	before: string | null;
	sent: string;
	now: string | null;
	/** What a person must do; undefined if nothing. */
	todo?: string;
}

export interface RowEnd {
	row: KeptRow;
	end: End;
	personId: number | null;
	reason: string | null;
	fields: FieldEnd[];
}

/** What is written to a record. */
export type TakenBack = { is: 'remove' } | { is: 'restore'; body: IDataObject };

interface SentRow {
	kept: KeptRow;
	outcome: KeptOutcome | undefined;
}

/** The rows of one record, in order. */
export interface RecordRows {
	personId: number;
	rows: readonly SentRow[];
	/** Whether the import may have created the person: nobody was found for the first of the rows. */
	mayBeNew: boolean;
}

/** A record as it is now. */
export interface RecordNow {
	/** Undefined if it is not there any more. */
	person: IDataObject | undefined;
	/** Activist codes of a person who may be removed. */
	activistCodeIds: readonly number[];
}

const NOTHING_IMPORTED = 'Nothing of this row was imported.';
const NOT_KNOWN =
	'The outcome of this row is unknown. Check the person in the service, and correct them there.';

function endOf(
	row: KeptRow,
	end: End,
	reason: string,
	personId: number | null = typeof row.person === 'number' ? row.person : null,
): RowEnd {
	return { row, end, personId, reason, fields: [] };
}

/** What can be said of a row without its record; undefined if the record decides. */
function endWithoutRecord(row: KeptRow, outcome: KeptOutcome | undefined): RowEnd | undefined {
	const { status = 'unknown', primaryKey = null, isCorrected } = outcome ?? {};
	const isUnknown = status === 'unknown' || status === 'missing';
	if (isNeverSent(status))
		return endOf(row, 'restored', `${NOTHING_IMPORTED} It was not sent (${status}).`);
	if (status === 'notSent' || (status === 'failed' && primaryKey === null))
		return endOf(row, 'restored', NOTHING_IMPORTED);
	const personId = wholeId(primaryKey) ?? null;
	if (isCorrected)
		return endOf(
			row,
			'notPossible',
			'The imported values are not those of the list. Correct the person in the service.',
			personId,
		);
	if (row.person === null)
		return endOf(
			row,
			'notPossible',
			`It is unknown what the person held before: ${row.reason ?? 'nobody was found.'} Correct the person in the service.`,
			personId,
		);
	if (row.person === 'new')
		return personId === null ? endOf(row, 'notPossible', NOT_KNOWN) : undefined;
	// If the outcome is unknown, the person's current values show it.
	return personId === null && !isUnknown ? endOf(row, 'notPossible', NOT_KNOWN) : undefined;
}

/** What becomes of a row that is not in the file: it was not sent, or only with other values. */
export function endOfOther(outcome: KeptOutcome): RowEnd {
	const { row, line } = outcome;
	const kept: KeptRow = { row, ...(line !== undefined && { line }), person: null, values: {} };
	return endWithoutRecord(kept, outcome) ?? endOf(kept, 'notPossible', NOT_KNOWN);
}

/** The record in which a row was stored: perhaps another one than was found for it, whose values were not kept. */
function storedIn({ kept, outcome }: SentRow): number {
	return wholeId(outcome?.primaryKey) ?? Number(kept.person);
}

/** The records of a file. A record is put together when it is asked for: all at once would take much memory. */
export class Records {
	/** Where their first rows are in the file. */
	private readonly first: number[] = [];
	/** For the index of a row, the next row of its record; 0 after the last. */
	private readonly next: Uint32Array;

	private constructor(
		private readonly rows: BeforeFile['rows'],
		private readonly outcomes: KeptOutcomes,
		/** The IDs of all who were there before. */
		private readonly known: SortedNumbers,
	) {
		this.next = new Uint32Array(rows.count);
	}

	/** @param onEnd is given the end of each row that needs no record */
	static async of(
		rows: BeforeFile['rows'],
		outcomes: KeptOutcomes,
		slice: TimeSlice,
		onEnd: (index: number, end: RowEnd) => void,
	): Promise<Records> {
		const known: number[] = [];
		const persons: number[] = [];
		const indexes: number[] = [];
		for (let index = 0; index < rows.count; index++) {
			if (slice.isOver) await slice.yield();
			const kept = rows.at(index);
			const outcome = outcomes.of(kept.row);
			// Somebody whom a row has found was there before. Nobody knows it of the person of a row that was not
			// looked up, or was stored with other values.
			if (typeof kept.person === 'number') known.push(kept.person);
			const id = wholeId(outcome?.primaryKey);
			if (id !== undefined && (kept.person === null || outcome?.isCorrected)) known.push(id);
			const end = endWithoutRecord(kept, outcome);
			if (end) {
				onEnd(index, end);
				continue;
			}
			persons.push(storedIn({ kept, outcome }));
			indexes.push(index);
		}
		const records = new Records(rows, outcomes, await SortedNumbers.of(known, slice));
		await records.link(persons, indexes, slice);
		return records;
	}

	/** Chains the rows of each record. */
	private async link(
		persons: readonly number[],
		indexes: readonly number[],
		slice: TimeSlice,
	): Promise<void> {
		const { order } = await SortedNumbers.of(persons, slice);
		const isFurther = new Uint8Array(persons.length);
		for (let place = 1; place < order.length; place++) {
			if (slice.isOver) await slice.yield();
			const [before = 0, position = 0] = [order[place - 1], order[place]];
			if (persons[before] !== persons[position]) continue;
			isFurther[position] = 1;
			this.next[indexes[before] ?? 0] = indexes[position] ?? 0;
		}
		for (const [position, index] of indexes.entries()) {
			if (slice.isOver) await slice.yield();
			if (!isFurther[position]) this.first.push(index);
		}
	}

	get count(): number {
		return this.first.length;
	}

	/** Where the rows of a record are in the file, in order. */
	indexesOf(record: number): number[] {
		const indexes: number[] = [];
		for (let index = this.first[record]; index !== undefined; index = this.next[index] || undefined)
			indexes.push(index);
		return indexes;
	}

	/** @param indexes of its rows */
	at(indexes: readonly number[]): RecordRows {
		const rows = indexes.map((index): SentRow => {
			const kept = this.rows.at(index);
			return { kept, outcome: this.outcomes.of(kept.row) };
		});
		const [first] = rows;
		const personId = first ? storedIn(first) : Number.NaN;
		const isNew = first?.kept.person === 'new';
		return { personId, rows, mayBeNew: isNew && this.known.find(personId) === undefined };
	}
}

/** A value of a row, with what the fields beside it say of it. */
interface SentValue {
	row: KeptRow;
	label: string;
	place: Place | undefined;
	/** Undefined if this person was not found for the row before the import. */
	before: KeptValue | undefined;
	sent: string;
	isWritten: boolean;
	/** The type of an email or a phone. */
	type?: string | undefined;
	status?: string | undefined;
	isPreferred: boolean;
}

type Fields = ReadonlyMap<string, KeptField & { place: Place | undefined }>;

export function fieldsOf({ head }: Pick<BeforeFile, 'head'>): Fields {
	return new Map(
		Object.entries(head.fields).map(([label, field]) => [
			label,
			{ ...field, place: placeOf(field) },
		]),
	);
}

function valuesOf({ rows, personId }: RecordRows, fields: Fields): SentValue[] {
	return rows.flatMap(({ kept, outcome: { outcomes = {} } = {} }) => {
		/** The value of a field that says how another field of its mapping type is stored. */
		const beside = (
			of: string,
			isOne: (place: Place | undefined) => boolean,
		): string | undefined => {
			for (const [label, { place, outcome, fixed }] of fields)
				if (outcome === of && isOne(place)) return fixed ?? kept.values[label]?.[1];
			return undefined;
		};
		return Object.entries(kept.values).flatMap(([label, [before, sent]]): SentValue[] => {
			const field = fields.get(label);
			const place = field?.place;
			if (
				!field ||
				(place && ['typeOf', 'statusOf', 'keepsBest', 'mark', 'setting'].includes(place.kind))
			)
				return [];
			const value: SentValue = {
				row: kept,
				label,
				place,
				before: kept.person === personId ? before : undefined,
				sent,
				isWritten: isSuccessOutcome(outcomes[field.outcome] ?? ''),
				isPreferred: false,
			};
			if (place?.kind !== 'email' && place?.kind !== 'phone') return [value];
			const code = (kind: 'typeOf' | 'statusOf'): string | undefined => {
				const isOne = (each: Place | undefined): boolean =>
					each?.kind === kind && each.of === place.kind;
				const text = beside(field.outcome, isOne)?.trim();
				const found = [...fields.values()].find(
					(each) => each.outcome === field.outcome && isOne(each.place),
				)?.place;
				if (text === undefined || found?.kind !== kind) return undefined;
				return found.codes[text.toUpperCase()] ?? text;
			};
			const keepsBest = beside(field.outcome, (each) => each?.kind === 'keepsBest');
			return [
				{
					...value,
					type: place.type ?? code('typeOf'),
					status: code('statusOf'),
					isPreferred: place.isPreferred && !/^(y|yes|true|1)$/i.test(keepsBest?.trim() ?? ''),
				},
			];
		});
	});
}

/** How one place ends, for all values that were sent there. */
interface PlaceEnd {
	values: readonly SentValue[];
	end: 'same' | 'restore' | 'kept' | 'notPossible';
	before: string | null;
	now: string | null;
	todo?: string;
	write?: (body: IDataObject) => void;
}

function addTo(body: IDataObject, list: string, entry: IDataObject): void {
	const entries = (body[list] ?? []) as IDataObject[];
	body[list] = [...entries, entry];
}

const UNKNOWN_BEFORE =
	'It is unknown what this field held before, because another person or nobody was found for this row. Correct it in the service.';

/** A field with one value. */
function endOfText(values: readonly SentValue[], place: Place, person: IDataObject): PlaceEnd {
	const before = values.find((value) => value.before !== undefined)?.before;
	const last = values.filter(({ isWritten }) => isWritten).at(-1);
	const now = valueIn(person, place, last?.sent ?? '') as string | null;
	const shown = { values, before: typeof before === 'string' ? before : null, now };
	if (!last) return { ...shown, end: 'same' };
	if (before === undefined) return { ...shown, end: 'notPossible', todo: UNKNOWN_BEFORE };
	const expected = storedText(place, last.sent);
	if (expected === undefined)
		return {
			...shown,
			end: 'notPossible',
			todo: `It is unknown how the service reads "${last.sent.slice(0, 40)}". Compare it in the service.`,
		};
	if (before === expected) return { ...shown, end: 'same' };
	if (place.kind === 'address' && before === null && now === null)
		return {
			...shown,
			end: 'notPossible',
			todo: `The service does not return this address. Remove it there if it is wrong.`,
		};
	if (now === before) return { ...shown, end: 'same' };
	if (now !== expected) return { ...shown, end: 'kept' };
	if (before === null)
		return {
			...shown,
			end: 'notPossible',
			todo: `It was blank, and the interface cannot empty it. Delete it in the service.`,
		};
	if (place.kind === 'address' || place.kind === 'identifier')
		return {
			...shown,
			end: 'notPossible',
			todo: `The interface can only add to it. Enter "${String(before)}" in the service.`,
		};
	const write = (body: IDataObject): void => {
		if (place.kind === 'text' || place.kind === 'day') body[place.property] = before;
		if (place.kind !== 'custom') return;
		const customFieldGroupId = customFieldIn(person, place.id)?.customFieldGroupId;
		addTo(body, 'customFieldValues', {
			customFieldId: place.id,
			customFieldGroupId,
			assignedValue: before,
		});
	};
	return { ...shown, end: 'restore', write };
}

/** The emails or phones of a record. */
function endsOfMethod(kind: Method, values: readonly SentValue[], person: IDataObject): PlaceEnd[] {
	const { simplify, list, key, typeName, statusName, finalStatus } = methodOf(kind);
	const entries = entriesIn(person, kind);
	const ends: PlaceEnd[] = [];
	const write = (name: string, changes: IDataObject) => (body: IDataObject) => {
		const raw = rawEntry(person, kind, name) ?? {};
		const { countryCode } = raw;
		const type = entries.get(name)?.type;
		const known = ((body[list] ?? []) as IDataObject[]).find((each) => each[key] === raw[key]);
		// Without a type, the service would use its default.
		const entry = known ?? {
			[key]: raw[key] as string,
			...(type && { [typeName]: type }),
			...(typeof countryCode === 'string' && { countryCode }),
		};
		if (!known) addTo(body, list, entry);
		Object.assign(entry, changes);
	};
	const written = values.filter(({ isWritten }) => isWritten);
	for (const name of new Set(values.map(({ sent }) => simplify(sent)))) {
		const own = values.filter(({ sent }) => simplify(sent) === name);
		const before = own.find((value) => value.before !== undefined)?.before;
		const now = entries.get(name);
		const last = own.filter(({ isWritten }) => isWritten).at(-1);
		const shown = { values: own, before: null, now: now ? (own[0]?.sent ?? null) : null };
		if (!last || !now) {
			ends.push({ ...shown, end: 'same' });
			continue;
		}
		if (before === undefined || before === null || typeof before === 'string') {
			ends.push({ ...shown, end: 'notPossible', todo: UNKNOWN_BEFORE });
			continue;
		}
		if (!before.entry) {
			const todo = `It was added, and the interface cannot remove it. Delete it in the service.`;
			ends.push({ ...shown, end: 'notPossible', todo });
			continue;
		}
		const changes: IDataObject = {};
		let end: PlaceEnd['end'] = 'same';
		let todo: string | undefined;
		const compare = (
			sent: string | undefined,
			was: string | null,
			is: string | null,
			property: string,
		) => {
			if (sent === undefined || sent === was || is === was) return;
			if (is !== sent) end = 'kept';
			else if (property === statusName && is === finalStatus) {
				if (end !== 'kept') end = 'notPossible';
				todo = 'It was unsubscribed, which the interface cannot undo. Change it in the service.';
			} else if (was !== null) {
				changes[property] = was;
				if (end === 'same') end = 'restore';
			}
		};
		compare(last.type, before.entry.type, now.type, typeName);
		compare(last.status, before.entry.status, now.status, statusName);
		const words = ({ type, status }: typeof now): string =>
			[type, status].filter(Boolean).join(' ');
		ends.push({
			values: own,
			before: words(before.entry),
			now: words(now),
			end,
			...(todo !== undefined && { todo }),
			...(Object.keys(changes).length > 0 && { write: write(name, changes) }),
		});
	}
	const chosen = written.filter(({ isPreferred }) => isPreferred).at(-1);
	const before = values.find((value) => value.before !== undefined)?.before;
	const was = before && typeof before === 'object' ? before.preferred : null;
	const expected = chosen && simplify(chosen.sent);
	const is = preferredOf(entries);
	if (chosen && was !== null && was !== expected && is !== was) {
		const shown = { values: [chosen], before: was, now: is };
		if (is !== expected) ends.push({ ...shown, end: 'kept' });
		else if (entries.has(was))
			ends.push({ ...shown, end: 'restore', write: write(was, { isPreferred: true }) });
	}
	return ends;
}

function placeEnds(values: readonly SentValue[], person: IDataObject): PlaceEnd[] {
	const texts = new Map<string, { place: Place; values: SentValue[] }>();
	const ends: PlaceEnd[] = [];
	for (const value of values) {
		const { place, isWritten, sent } = value;
		if (!place) {
			const todo = 'The interface does not return this field. Compare it in the service.';
			const end = isWritten ? 'notPossible' : 'same';
			ends.push({ values: [value], end, before: null, now: null, ...(isWritten && { todo }) });
		} else if (place.kind !== 'email' && place.kind !== 'phone') {
			// Several IDs can be in one place.
			const key = JSON.stringify(place.kind === 'identifier' ? [place, sent] : place);
			const known = texts.get(key) ?? { place, values: [] };
			known.values.push(value);
			texts.set(key, known);
		}
	}
	for (const { place, values: own } of texts.values()) ends.push(endOfText(own, place, person));
	for (const kind of METHOD_KINDS) {
		const own = values.filter(({ place }) => place?.kind === kind);
		if (own.length > 0) ends.push(...endsOfMethod(kind, own, person));
	}
	return ends;
}

function fieldEnds(row: KeptRow, ends: readonly PlaceEnd[], isWanted: (end: PlaceEnd) => boolean) {
	return ends.filter(isWanted).flatMap(({ values, before, now, todo }): FieldEnd[] => {
		const own = values.filter((value) => value.row === row).at(-1);
		if (!own) return [];
		const { label: field, sent } = own;
		return [{ field, before, sent, now, ...(todo !== undefined && { todo }) }];
	});
}

function namesOf(fields: readonly FieldEnd[]): string {
	return [...new Set(fields.map(({ field }) => field))].join(', ');
}

/** Former values are written back where the record still holds what was sent. */
function restore(record: RecordRows, fields: Fields, person: IDataObject) {
	const ends = placeEnds(valuesOf(record, fields), person);
	const { personId } = record;
	const changed = ends.filter(({ end }) => end === 'kept');
	if (changed.length > 0) {
		const labels = new Set(changed.flatMap(({ values }) => values.map(({ label }) => label)));
		const reason = `Somebody changed ${[...labels].join(', ')} since the import, so this person is left alone.`;
		const rows = record.rows.map(({ kept: row }): RowEnd => {
			const shown = fieldEnds(row, ends, ({ end }) => end !== 'same');
			return { row, end: 'kept', personId, reason, fields: shown };
		});
		return { rows };
	}
	const body: IDataObject = {};
	for (const { write } of ends) write?.(body);
	const rows = record.rows.map(({ kept: row }): RowEnd => {
		const open = fieldEnds(row, ends, ({ end }) => end === 'notPossible');
		const shown = fieldEnds(row, ends, ({ end }) => end !== 'same');
		if (open.length === 0) {
			const reason = shown.length === 0 ? 'The person already has the former values.' : null;
			return { row, end: 'restored', personId, reason, fields: shown };
		}
		const reason = `Only a person can take back ${namesOf(open)}: ${open[0]?.todo ?? ''}`;
		return { row, end: 'notPossible', personId, reason, fields: shown };
	});
	return Object.keys(body).length > 0
		? { rows, write: { is: 'restore', body } satisfies TakenBack }
		: { rows };
}

/** What must be empty, or hold no more than was sent, in a person whom nobody has used. */
const EMPTY_SECTIONS = [
	'cases',
	'contributionHistory',
	'membershipStatuses',
	'notes',
	'organizationRoles',
	'suppressions',
];

/** All that is read of a person who may be removed. */
const SECTIONS_OF_NEW = [
	...EMPTY_SECTIONS,
	'addresses',
	'codes',
	'customFields',
	'emails',
	'externalIds',
	'phones',
	'preferences',
].sort();

const TEXTS = [
	'firstName',
	'middleName',
	'lastName',
	'suffix',
	'title',
	'party',
	'sex',
	'employer',
	'occupation',
	'organizationContactCommonName',
	'organizationContactOfficialName',
	'nickname',
	'website',
	'jobTitle',
	'contactMethodPreferenceCode',
];
/** The service forms those that are left out (service.md 4.2). */
const FORMED = [
	'salutation',
	'envelopeName',
	'formalSalutation',
	'additionalSalutation',
	'formalEnvelopeName',
	'additionalEnvelopeName',
];
const ADDRESS_PARTS = [
	'addressLine1',
	'addressLine2',
	'addressLine3',
	'city',
	'stateOrProvince',
	'zipOrPostalCode',
	'countryCode',
];

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const TITLES = ['dear', 'mr', 'mrs', 'ms', 'mx', 'dr', 'and'];

/** For an address, which services rewrite: case and punctuation mean nothing, and neither does what follows a ZIP. */
function addressKey(property: string, text: string): string {
	const key = wordsIn(text).join(' ');
	return property === 'zipOrPostalCode' ? key.slice(0, 5) : key;
}

const textIn = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

const listIn = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? value.filter(isObject) : [];

/** The codes that an import puts on people, by the mapping type. */
function sentCodes(
	record: RecordRows,
	fields: Fields,
	mappingType: string,
	name: string,
): Set<number> {
	const codes = new Set<number>();
	for (const [label, field] of fields) {
		if (!sameName(field.mappingType, mappingType) || !sameName(field.field, name)) continue;
		for (const { kept } of record.rows) {
			const code = wholeId(field.fixed ?? kept.values[label]?.[1]);
			if (code !== undefined) codes.add(code);
		}
	}
	return codes;
}

/** What a person holds that this import did not send; undefined if nothing. */
function foreignValue(
	record: RecordRows,
	fields: Fields,
	{ person = {}, activistCodeIds }: RecordNow,
): { what: string; now: string } | undefined {
	const values = valuesOf(record, fields);
	const sentTo = (isPlace: (place: Place) => boolean): SentValue[] =>
		values.filter(({ place }) => place !== undefined && isPlace(place));
	const sentTexts = (property: string) =>
		sentTo(
			(place) => (place.kind === 'text' || place.kind === 'day') && place.property === property,
		).map(({ place, sent }) => (place ? storedText(place, sent) : undefined) ?? sent);
	for (const property of TEXTS) {
		const now = textIn(person[property]);
		if (now !== '' && !sentTexts(property).includes(now)) return { what: property, now };
	}
	const birth = valueIn(person, { kind: 'day', property: 'dateOfBirth' }, '');
	if (typeof birth === 'string' && !sentTexts('dateOfBirth').includes(birth))
		return { what: 'dateOfBirth', now: birth };
	const names = [
		...TEXTS.slice(0, 5),
		'organizationContactCommonName',
		'organizationContactOfficialName',
	];
	const known = new Set([...names.flatMap(sentTexts).flatMap(wordsIn), ...TITLES]);
	for (const property of FORMED) {
		const now = textIn(person[property]);
		const isFormed = wordsIn(now).every((word) => known.has(word));
		if (now !== '' && !isFormed && !sentTexts(property).includes(now))
			return { what: property, now };
	}
	for (const kind of METHOD_KINDS) {
		const { simplify, plainStatus, list } = methodOf(kind);
		const sent = sentTo((place) => place.kind === kind);
		for (const [name, { type, status }] of entriesIn(person, kind)) {
			const own = sent.filter((value) => simplify(value.sent) === name);
			const types = own.flatMap((value) => value.type ?? []);
			const isOfType = types.length === 0 || type === null || types.includes(type);
			const isPlain = status === null || status === plainStatus;
			const hasStatus = isPlain || own.some((value) => value.status === status);
			if (own.length === 0 || !isOfType || !hasStatus)
				return { what: list, now: [name, type, status].filter(Boolean).join(' ') };
		}
	}
	for (const address of listIn(person.addresses))
		for (const property of ADDRESS_PARTS) {
			const now = textIn(address[property]);
			const isUnsaid = property === 'countryCode' && now.toUpperCase() === 'US';
			const own = sentTo((place) => place.kind === 'address' && place.property === property);
			const isSent = own.some(
				({ sent }) => addressKey(property, sent) === addressKey(property, now),
			);
			if (now !== '' && !isUnsaid && !isSent) return { what: 'addresses', now };
		}
	const ids = new Set(
		sentTo(({ kind }) => kind === 'identifier').map(({ sent }) => sent.toLowerCase()),
	);
	for (const id of identifiersIn(person))
		if (!ids.has(id.toLowerCase())) return { what: 'identifiers', now: id };
	for (const { customFieldId, assignedValue } of listIn(person.customFields)) {
		const now = textIn(assignedValue);
		const own = sentTo((place) => place.kind === 'custom' && place.id === Number(customFieldId));
		if (now !== '' && !own.some(({ sent }) => sent === now)) return { what: 'customFields', now };
	}
	const codes = sentCodes(record, fields, 'OriginSourceCode', 'CodeId');
	const code = listIn(person.codes).find(({ codeId }) => !codes.has(Number(codeId)));
	if (code) return { what: 'codes', now: textIn(code.codeId) };
	const activist = sentCodes(record, fields, 'ActivistCode', 'ActivistCodeID');
	const other = activistCodeIds.find((id) => !activist.has(id));
	if (other !== undefined) return { what: 'activistCodes', now: String(other) };
	for (const section of EMPTY_SECTIONS) {
		const { length } = listIn(person[section]);
		if (length > 0) return { what: section, now: String(length) };
	}
	return undefined;
}

/** When emails and phones were stored, as far as the service says it with a time zone. */
function datesIn(person: IDataObject): number[] {
	return [...listIn(person.emails), ...listIn(person.phones)].flatMap(({ dateCreated }) => {
		const text = textIn(dateCreated);
		const time = /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN;
		return Number.isNaN(time) ? [] : time;
	});
}

/** Whether nothing is left of what was sent. */
function isGone({ values, now }: PlaceEnd): boolean {
	return now === null && values.some(({ place, isWritten }) => place !== undefined && isWritten);
}

/** Whether another value is held than the last one that was sent. */
function isDifferent({ values, now }: PlaceEnd): boolean {
	const last = values.filter(({ isWritten }) => isWritten).at(-1);
	return last?.place !== undefined && now !== storedText(last.place, last.sent);
}

/** A person whom the import created, and nobody has changed or used since, is removed. */
function remove(record: RecordRows, fields: Fields, now: RecordNow, at: string) {
	const { personId } = record;
	const all = (end: End, reason: string | null, what: FieldEnd[] = []) => ({
		rows: record.rows.map(
			({ kept: row }): RowEnd => ({ row, end, personId, reason, fields: what }),
		),
	});
	if (!now.person)
		return all(
			'removed',
			'This person is no longer in the service. If somebody merged them into another person, that person has the imported values.',
		);
	const dates = datesIn(now.person);
	if (dates.length === 0)
		return all(
			'notPossible',
			'Nothing proves that the import created this person: none of their emails and phones has a date. If it did, remove the person in the service.',
		);
	if (Math.min(...dates) < Date.parse(at))
		return all(
			'notPossible',
			'This person was in the service before the import, although nobody was found for this row. It is unknown what the import changed. Check the person in the service.',
		);
	const unread = valuesOf(record, fields).find(
		({ place, sent }) => place?.kind === 'day' && storedText(place, sent) === undefined,
	);
	if (unread)
		return all(
			'notPossible',
			`It is unknown how the service reads "${unread.sent.slice(0, 40)}" in ${unread.label}, so the node cannot tell whether somebody changed it. Remove the person in the service, and set Dates in the List in the next import.`,
		);
	const ends = placeEnds(valuesOf(record, fields), now.person);
	const gone = ends.find(isGone);
	const foreign = foreignValue(record, fields, now);
	if (!gone && !foreign)
		return { ...all('removed', null), write: { is: 'remove' } satisfies TakenBack };
	const [label = ''] = gone?.values.map((value) => value.label) ?? [];
	const what = foreign ? `${foreign.what}: ${foreign.now.slice(0, 100)}` : `${label}: blank`;
	const reason = `Somebody has changed or used this person since the import (${what}), so they are not removed.`;
	const rows = record.rows.map(({ kept: row }): RowEnd => {
		const shown = fieldEnds(row, ends, (end) => isGone(end) || isDifferent(end));
		const own = shown.map((field) => omit(field, 'todo'));
		return { row, end: 'kept', personId, reason, fields: own };
	});
	return { rows };
}

/** The sections of a person that must be read. */
export function sectionsFor(record: RecordRows, fields: Fields): string[] {
	if (record.mayBeNew) return SECTIONS_OF_NEW;
	return sectionsOf([...fields.values()].map(({ place }) => place));
}

/** How the rows of a record end. */
export function planRecord(
	record: RecordRows,
	fields: Fields,
	now: RecordNow,
	at: string,
): { rows: RowEnd[]; write?: TakenBack } {
	if (record.mayBeNew) return remove(record, fields, now, at);
	if (now.person) return restore(record, fields, now.person);
	const reason =
		'Somebody has removed this person since the import, or merged them into another one.';
	return { rows: keptEnds(record, reason) };
}

function keptEnds({ rows, personId }: RecordRows, reason: string): RowEnd[] {
	return rows.map(({ kept }) => endOf(kept, 'kept', reason, personId));
}

/** How the rows of a record end for which the service returns another one. */
export function mergedEnds(record: RecordRows, into: number): RowEnd[] {
	return keptEnds(record, `Somebody has merged this person into ${into} since the import.`);
}
