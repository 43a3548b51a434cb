/** What makes two rows the same person, the most certain first, in the words of the messages. */
export const SAME_BY = [
	'record or external ID',
	'email address',
	'phone number',
	'name and date of birth',
	'name and ZIP code',
	/** Only tells who lives together. */
	'address',
] as const;

/** Their indexes, found once and not for each key. */
export const RECORD_ID = SAME_BY.indexOf('record or external ID');
export const EMAIL = SAME_BY.indexOf('email address');
export const PHONE = SAME_BY.indexOf('phone number');
export const BIRTH = SAME_BY.indexOf('name and date of birth');
export const ZIP = SAME_BY.indexOf('name and ZIP code');
export const ADDRESS = SAME_BY.indexOf('address');
/** By index in {@link SAME_BY}: whether several people can share it. */
const IS_SHARED: readonly boolean[] = SAME_BY.map((_, by) => [EMAIL, PHONE, ADDRESS].includes(by));

const PIECE_BITS = 16;
const PIECE = 1 << PIECE_BITS;

/** Numbers by index, 0 where none was set. Grows by pieces, so that nothing is copied. */
export class GrowingInts {
	private readonly pieces: Int32Array[] = [];

	get(index: number): number {
		return this.pieces[index >>> PIECE_BITS]?.[index & (PIECE - 1)] ?? 0;
	}

	set(index: number, value: number): void {
		const piece = index >>> PIECE_BITS;
		while (this.pieces.length <= piece) this.pieces.push(new Int32Array(PIECE));
		const ints = this.pieces[piece];
		if (ints) ints[index & (PIECE - 1)] = value;
	}
}

/** What counts in a text, apart from casing. `exact` keeps it: some systems have IDs that differ in nothing else. */
export type Counted = 'exact' | 'visible' | 'words' | 'digits';

/** Includes the letters that stand for an apostrophe: O’Hara, Kaʻahumanu. */
const SIGN = /[\p{P}\p{S}\u02bb\u02bc]/gu;

/** Small letters without the accents of Latin, Greek and Cyrillic, and nothing that nobody sees. */
function plainText(text: string, isOfWords: boolean): string {
	return (isOfWords ? text.replace(SIGN, '') : text)
		.normalize('NFKD')
		.replace(/[\u0300-\u036f]|\p{Default_Ignorable_Code_Point}|[^\p{L}\p{M}\p{N}\p{P}\p{S}]/gu, '')
		.toLowerCase();
}

const ASCII = 128;
const LATIN = 256;
/** Instead of a code: the character counts as several, such as ¼. */
const SEVERAL = 0xffff;

/** For each character of Latin-1, the code that it counts as, or 0 if it does not count. */
function countedCodes(counted: Counted, isCounted: (character: string) => boolean): Uint16Array {
	const codeOf = (character: string): number =>
		isCounted(character) ? character.charCodeAt(0) : 0;
	return Uint16Array.from({ length: LATIN }, (_, code) => {
		const character = String.fromCharCode(code);
		if (counted === 'exact') return codeOf(character);
		if (code < ASCII) return codeOf(character.toLowerCase());
		const plain = plainText(character, counted === 'words');
		if (plain.length > 1) return SEVERAL;
		return plain < '\x80' || counted === 'digits' ? codeOf(plain) : plain.charCodeAt(0);
	});
}

const isVisible = (character: string): boolean => character > ' ' && character !== '\x7f';

const EXACT_CODES = countedCodes('exact', isVisible);
const VISIBLE_CODES = countedCodes('visible', isVisible);
const WORD_CODES = countedCodes('words', (character) => /[a-z\d]/.test(character));
const DIGIT_CODES = countedCodes('digits', (character) => /\d/.test(character));

/** A table by name would take longer than the hash of a short text. */
function codesOf(counted: Counted): Uint16Array {
	if (counted === 'words') return WORD_CODES;
	if (counted === 'digits') return DIGIT_CODES;
	return counted === 'exact' ? EXACT_CODES : VISIBLE_CODES;
}

/** Spreads a hash over all bits: sums of hashes that differ in one character each would often be equal. */
export function mixHash(hash: number): number {
	let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
	return mixed ^ (mixed >>> 16);
}

/** 64 bits over the texts that make a key; equal texts give equal bits, however they are written. */
export class KeyHash {
	length = 0;
	private first = 0;
	private second = 0;

	/** @param kind tells apart values that may be equal, such as an ID and a phone number */
	constructor(kind = 0) {
		this.restart(kind);
	}

	/** Begins another key with this object: a list has hundreds of thousands. */
	restart(kind = 0): this {
		this.length = 0;
		this.first = 0x811c9dc5 ^ Math.imul(kind, 0x9e3779b1);
		this.second = 0x1b873593 + kind;
		return this;
	}

	add(text: string, counted: Counted): this {
		const isPlain = this.addPlain(text, counted);
		if (!isPlain) this.addPlain(plainText(text, counted === 'words'), counted, true);
		// Two texts are not the same as one.
		this.first = Math.imul(this.first ^ 31, 16_777_619);
		return this;
	}

	/** Adds texts that were hashed before. */
	addHash({ first, second, length }: KeyHash): this {
		this.first = Math.imul(this.first ^ first, 16_777_619);
		this.second = Math.imul((this.second ^ second) + 0x9e3779b9, 0x5bd1e995);
		this.length += length;
		return this;
	}

	/** @returns false, with nothing added, for a text that must be made plain before */
	private addPlain(text: string, counted: Counted, mayBeAny = counted === 'exact'): boolean {
		const codes = codesOf(counted);
		let { first, second, length } = this;
		for (let index = 0; index < text.length; index++) {
			let code = text.charCodeAt(index);
			if (code < LATIN) {
				code = codes[code] ?? 0;
				if (code === SEVERAL) return false;
			} else if (!mayBeAny) return false;
			else if (counted === 'digits') code = 0;
			if (code === 0) continue;
			first = Math.imul(first ^ code, 16_777_619);
			second = Math.imul((second ^ code) + 0x9e3779b9, 0x5bd1e995);
			second = (second << 13) | (second >>> 19);
			length++;
		}
		this.first = first;
		this.second = second;
		this.length = length;
		return true;
	}

	get high(): number {
		return mixHash(this.first);
	}

	/** Never 0, which means that there is no text. */
	get low(): number {
		return mixHash(this.second ^ this.length) || 1;
	}
}

/** What tells who the person of a row is. Texts are hashes; 0 is blank. */
export interface RowPerson {
	name: number;
	/** The record ID, then what else people of one name may differ in; some may be blank. */
	traits: readonly number[];
	keys: readonly PersonKey[];
}

interface PersonKey {
	/** Index in {@link SAME_BY}. */
	by: number;
	high: number;
	low: number;
}

const ENTRY = 4;
/**
 * Bits of a key that choose its slot: more with the entries, up to what the longest list needs. The last growth comes
 * early, because it moves all entries at once: 130,000 take 10 ms.
 */
const FIRST_BITS = 12;
const MORE_BITS = 4;
const MOST_BITS = 20;
/** With more on average, the table grows. A small table stays in the cache of the processor. */
const ENTRIES_PER_SLOT = 2;

/** Rows by key. An entry has four numbers: the two of its key, its row and the next entry of its slot. */
class KeyTable {
	private slotBits = FIRST_BITS;
	/**
	 * Two numbers per slot: its newest entry, and 32 bits, of which each key sets one. Nearly every key of a list is
	 * new, and its bit says so without a look at the entries.
	 */
	private slots = new Int32Array(2 << FIRST_BITS);
	/** Like {@link GrowingInts}; no entry begins in one piece and ends in the next. */
	private readonly pieces: Int32Array[] = [];
	private last = 0;

	/** The first entry of a key; 0 if there is none. */
	find(key: PersonKey): number {
		const at = this.placeOf(key.high);
		if (((this.slots[at + 1] ?? 0) & (1 << (key.low & 31))) === 0) return 0;
		return this.search(this.slots[at] ?? 0, key);
	}

	private placeOf(high: number): number {
		return (high >>> (32 - this.slotBits)) << 1;
	}

	/** The next entry of a key after one of it; 0 if there is none. */
	findNext(entry: number, key: PersonKey): number {
		return this.search(this.numberAt(entry + 3), key);
	}

	private search(from: number, { high, low }: PersonKey): number {
		let entry = from;
		while (entry !== 0) {
			const piece = this.pieces[entry >>> PIECE_BITS];
			const at = entry & (PIECE - 1);
			if (!piece || (piece[at] === high && piece[at + 1] === low)) break;
			entry = piece[at + 3] ?? 0;
		}
		return entry;
	}

	rowOf(entry: number): number {
		return this.numberAt(entry + 2);
	}

	add({ high, low }: PersonKey, row: number): void {
		if (this.last === (ENTRIES_PER_SLOT * ENTRY) << this.slotBits) this.grow();
		this.last += ENTRY;
		const piece = (this.pieces[this.last >>> PIECE_BITS] ??= new Int32Array(PIECE));
		const at = this.last & (PIECE - 1);
		piece[at] = high;
		piece[at + 1] = low;
		piece[at + 2] = row;
		this.link(this.last, piece, at);
	}

	/** Makes an entry the first one of its slot. */
	private link(entry: number, piece: Int32Array, at: number): void {
		const { slots } = this;
		const slot = this.placeOf(piece[at] ?? 0);
		piece[at + 3] = slots[slot] ?? 0;
		slots[slot] = entry;
		slots[slot + 1] = (slots[slot + 1] ?? 0) | (1 << ((piece[at + 1] ?? 0) & 31));
	}

	/** Gives every entry its slot among more of them. */
	private grow(): void {
		if (this.slotBits === MOST_BITS) return;
		this.slotBits += MORE_BITS;
		this.slots = new Int32Array(2 << this.slotBits);
		for (let entry = ENTRY; entry <= this.last; entry += ENTRY) {
			const piece = this.pieces[entry >>> PIECE_BITS];
			if (piece) this.link(entry, piece, entry & (PIECE - 1));
		}
	}

	private numberAt(index: number): number {
		return this.pieces[index >>> PIECE_BITS]?.[index & (PIECE - 1)] ?? 0;
	}
}

/** People with equal keys who differ in what may be blank; more are not told apart. */
const MOST_PEOPLE = 8;

/** Instead of a row of the same person. */
const NOBODY = -1;
const TOO_MANY = -2;

/** Another person with the same phone number, email address or address. */
export interface SharedContact {
	position: number;
	other: number;
	by: number;
}

const EXAMPLES = 20;

export class PersonLinks {
	/**
	 * By row: the first row of its person, from 1, times 8, plus why. For a first row, the same of the last
	 * row, below zero. 0 for a row that is alone.
	 */
	private readonly links = new GrowingInts();
	/** Rows with an earlier row of the same person. */
	repeated = 0;

	join(position: number, first: number, by: number): void {
		this.repeated++;
		this.links.set(position, (first + 1) * 8 + by);
		this.links.set(first, -((position + 1) * 8 + by));
	}

	firstRow(position: number): number {
		return this.earlier(position)?.position ?? position;
	}

	/** The first row of the same person; undefined for that one. */
	earlier(position: number): SamePerson | undefined {
		return linkedRow(this.links.get(position));
	}

	/** The last row of the same person; undefined for that one. */
	later(position: number): SamePerson | undefined {
		const last = linkedRow(-this.links.get(this.firstRow(position)));
		return last?.position === position ? undefined : last;
	}
}

/** Another row of a person, and which of {@link SAME_BY} makes it the same. */
interface SamePerson {
	position: number;
	by: number;
}

function linkedRow(link: number): SamePerson | undefined {
	return link > 0 ? { position: Math.floor(link / 8) - 1, by: link % 8 } : undefined;
}

/**
 * Finds rows of one person: with the same record ID, or the same name and another equal key. Never if a trait
 * differs. Memory is 16 bytes per different value and per row.
 */
export class PersonSearch {
	private readonly table = new KeyTable();
	private readonly names = new GrowingInts();
	private readonly traits: GrowingInts[] = [];
	readonly links = new PersonLinks();
	sharing = 0;
	readonly examples: SharedContact[] = [];
	/** A row before the one that is added, of another person with the same contact data; -1 if there is none. */
	private sharedWith = -1;
	private sharedBy = 0;
	/** The first entries of the keys of the row that is added. */
	private readonly entries: number[] = [];
	/** A shared key and the name with it. */
	private readonly own: PersonKey = { by: 0, high: 0, low: 0 };

	add(position: number, person: RowPerson): void {
		this.names.set(position, person.name);
		this.addTraits(position, person);
		this.sharedWith = -1;
		let first = -1;
		let by = 0;
		const { keys } = person;
		const { entries } = this;
		// With nothing between the searches, the processor waits for all of their places at once.
		for (let place = 0; place < keys.length; place++)
			entries[place] = this.table.find(keys[place] as PersonKey);
		for (let place = 0; place < keys.length; place++) {
			const key = keys[place] as PersonKey;
			const same = this.meet(key, entries[place] ?? 0, position, person);
			if (same < 0 || first >= 0) continue;
			first = this.links.firstRow(same);
			({ by } = key);
		}
		if (first >= 0) {
			this.links.join(position, first, by);
			// Else, a father and a son would both be the person whose date of birth is blank.
			this.addTraits(first, person);
		} else if (this.sharedWith >= 0 && this.sharing++ < EXAMPLES)
			this.examples.push({ position, other: this.sharedWith, by: this.sharedBy });
	}

	private addTraits(position: number, { traits }: RowPerson): void {
		for (let index = 0; index < traits.length; index++) {
			const value = traits[index] ?? 0;
			if (value === 0) continue;
			const known = (this.traits[index] ??= new GrowingInts());
			if (known.get(position) === 0) known.set(position, value);
		}
	}

	/**
	 * A row of the same person by a key of a row, {@link NOBODY} if there is none; adds what is new.
	 * @param entry the first one of the key
	 */
	private meet(key: PersonKey, entry: number, position: number, person: RowPerson): number {
		// Nearly every key of a list is new.
		const same = entry === 0 ? NOBODY : this.lookUp(key, entry, person);
		if (same >= 0) return same;
		if (entry === 0 || !IS_SHARED[key.by]) {
			if (same === NOBODY) this.table.add(key, position);
			return NOBODY;
		}
		const shared = this.table.rowOf(entry);
		if (key.by === ADDRESS) {
			if (this.names.get(shared) !== person.name) this.share(shared, key.by);
			return NOBODY;
		}
		const { own } = this;
		own.by = key.by;
		own.high = mixHash(key.high ^ person.name);
		own.low = mixHash(key.low + person.name) || 1;
		const again = this.lookUp(own, this.table.find(own), person);
		if (again >= 0) return again;
		this.share(shared, key.by);
		if (again === NOBODY) this.table.add(own, position);
		return NOBODY;
	}

	private share(row: number, by: number): void {
		if (this.sharedWith >= 0) return;
		this.sharedWith = row;
		this.sharedBy = by;
	}

	/** A row of the same person with a key, {@link NOBODY} or {@link TOO_MANY}. @param first its first entry */
	private lookUp(key: PersonKey, first: number, person: RowPerson): number {
		let entry = first;
		for (let people = 0; people < MOST_PEOPLE; people++) {
			if (entry === 0) return NOBODY;
			const row = this.table.rowOf(entry);
			if (this.isSame(row, person, key.by)) return row;
			entry = this.table.findNext(entry, key);
		}
		return TOO_MANY;
	}

	private isSame(row: number, { name, traits }: RowPerson, by: number): boolean {
		if (by === ADDRESS || (by !== RECORD_ID && this.names.get(row) !== name)) return false;
		const first = this.links.firstRow(row);
		// Under one ID nothing else counts, but another person can have the same ID of another system.
		const counted = by === RECORD_ID ? 1 : traits.length;
		for (let index = 0; index < counted; index++) {
			const known = this.traits[index]?.get(first) ?? 0;
			const value = traits[index] ?? 0;
			if (known !== 0 && value !== 0 && known !== value) return false;
		}
		return true;
	}
}
