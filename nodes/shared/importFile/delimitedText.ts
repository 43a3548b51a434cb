/** The text cannot be read without loss or shifted values. */
export class UnreadableText extends Error {
	/** @param problem e.g. `is not UTF-8 text` */
	constructor(
		readonly problem: string,
		readonly advice: string,
	) {
		super(`${problem}. ${advice}`);
		this.name = 'UnreadableText';
	}
}

const SIGNATURE_BYTES = 4;

function encodingOf(first: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
	const [a = 1, b = 1, c = 1, d = 1] = first;
	if (first.toString('latin1').startsWith('PK') && c < 9) {
		throw new UnreadableText(
			'is a zip archive or a spreadsheet',
			'Extract it, or save it as delimited text, e.g. as "CSV UTF-8" in a spreadsheet program.',
		);
	}
	if (a === 0x1f && b === 0x8b)
		throw new UnreadableText('is a gzip archive', 'Decompress it first.');
	// Without a byte-order mark, every other byte of plain letters is zero.
	if ((a === 0xff && b === 0xfe) || (a > 0 && b === 0 && c > 0 && d === 0)) return 'utf-16le';
	if ((a === 0xfe && b === 0xff) || (a === 0 && b > 0 && c === 0 && d > 0)) return 'utf-16be';
	return 'utf-8';
}

/**
 * Decodes a file that arrives in chunks: UTF-8, or UTF-16 according to its first bytes.
 * Throws {@link UnreadableText} for archives.
 * @param strict whether to reject bytes that are not text; otherwise they become U+FFFD
 */
export async function* decodeText(
	chunks: AsyncIterable<Uint8Array>,
	strict: boolean,
): AsyncGenerator<string> {
	let decoder: InstanceType<typeof TextDecoder> | undefined;
	let first = Buffer.alloc(0);
	const decode = (bytes: Uint8Array, isLast: boolean): string => {
		decoder ??= new TextDecoder(encodingOf(first), { fatal: strict });
		try {
			return decoder.decode(bytes, { stream: !isLast });
		} catch {
			// Its message says less than the one below.
		}
		throw new UnreadableText(
			'is not UTF-8 text',
			'Save it as UTF-8, e.g. as "CSV UTF-8" in a spreadsheet program.',
		);
	};
	for await (const chunk of chunks) {
		if (decoder) {
			yield decode(chunk, false);
			continue;
		}
		first = Buffer.concat([first, chunk]);
		if (first.length >= SIGNATURE_BYTES) yield decode(first, false);
	}
	yield decode(decoder ? Buffer.alloc(0) : first, true);
}

const QUOTE = 34;
export const LINE_FEED = 10;
export const CARRIAGE_RETURN = 13;

/** Most characters without the end of a record: far more than any row, far less than a file. */
const LONGEST_RECORD = 8 * 1024 * 1024;

/** Records that are split without a pause. */
const BATCH = 100;

/** Longest part of a value that messages quote. */
const LONGEST_BEGINNING = 40;

/**
 * Whether single carriage returns end lines, as in files of old systems that gained a final line feed: only
 * if that gives rows of equal length.
 */
function endsAtReturns(beginning: string, delimiter: string): boolean {
	const lines = beginning
		.replace(/"[^"]*"/g, '')
		.split('\r')
		.filter((line) => line !== '');
	const widths = new Set(lines.map((line) => line.split(delimiter).length));
	return lines.length > 1 && widths.size === 1;
}

/** A line without trailing carriage returns: two, if programs converted it twice. */
function withoutReturns(line: string): string {
	let end = line.length;
	while (end > 0 && end > line.length - 2 && line.charCodeAt(end - 1) === CARRIAGE_RETURN) end--;
	return end === line.length ? line : line.slice(0, end);
}

/** Some programs write a blank between the delimiter and the quotation mark. */
function afterBlanks(text: string, at: number): number {
	let after = at;
	while (text.charCodeAt(after) === 32) after++;
	return after;
}

/** The quotation mark that closes the one at `open`, skipping doubled ones. */
function closingQuote(text: string, open: number): number | undefined {
	let at = text.indexOf('"', open + 1);
	while (at !== -1 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2);
	return at === -1 ? undefined : at;
}

/** What people look for in the file to find a place. */
function beginningOf(text: string, at: number): string {
	return text
		.slice(at, at + LONGEST_BEGINNING)
		.split(/[\r\n]/, 1)
		.join('');
}

interface SplitRecord {
	values: string[];
	end: number;
}

/** Splits delimited text that arrives in chunks. A quotation mark counts only at the start of a value. */
class RecordSplitter {
	private pending = '';
	private readonly separator: number;
	/** Whether carriage returns end lines; unknown before the first line feed. */
	private atReturns: boolean | undefined;

	constructor(
		private readonly delimiter: string,
		private readonly strict: boolean,
	) {
		this.separator = delimiter.charCodeAt(0);
	}

	*push(text: string): Generator<string[][]> {
		this.pending += text;
		const isLong = this.pending.length > LONGEST_RECORD;
		if (!text.includes('\n') && this.atReturns !== true && !isLong) return;
		yield* this.take(false);
		if (this.pending.length <= LONGEST_RECORD) return;
		yield* this.take(true);
		if (this.pending.length > LONGEST_RECORD) {
			throw new UnreadableText(
				'has a line of more than 8 million characters',
				'Save it with one row per line.',
			);
		}
	}

	*end(): Generator<string[][]> {
		this.atReturns ??= this.decideLineEnds(this.pending, true);
		if (this.pending !== '' && !this.pending.endsWith('\n')) this.pending += '\n';
		yield* this.take(true);
	}

	/**
	 * In batches: what follows a quotation mark can be a million rows.
	 * @param gaveUp whether to stop waiting for closing quotation marks
	 */
	private *take(gaveUp: boolean): Generator<string[][]> {
		const text = this.pending;
		this.atReturns ??= this.decideLineEnds(text, gaveUp);
		if (this.atReturns === undefined) return;
		let records: string[][] = [];
		let at = 0;
		while (at < text.length) {
			const record = this.plainLine(text, at) ?? this.record(text, at, gaveUp);
			if (!record) break;
			records.push(record.values);
			at = record.end;
			if (records.length < BATCH) continue;
			yield records;
			records = [];
		}
		this.pending = text.slice(at);
		yield records;
	}

	private plainLine(text: string, at: number): SplitRecord | undefined {
		const end = this.atReturns ? -1 : text.indexOf('\n', at);
		const line = withoutReturns(text.slice(at, Math.max(at, end)));
		if (end < 0 || line.includes('"')) return undefined;
		return { values: line === '' ? [] : line.split(this.delimiter), end: end + 1 };
	}

	/** Whether carriage returns end lines; undefined until enough text has arrived. */
	private decideLineEnds(text: string, gaveUp: boolean): boolean | undefined {
		let at = 0;
		while (at < text.length) {
			const record = this.record(text, at, gaveUp);
			if (!record) break;
			at = record.end;
			if (text.charCodeAt(at - 1) === LINE_FEED)
				return endsAtReturns(text.slice(0, at - 1), this.delimiter);
		}
		// Without a line feed, carriage returns must end the lines.
		return gaveUp ? true : undefined;
	}

	/** The record at `at`, empty for an empty line; undefined if it is incomplete. */
	private record(text: string, at: number, gaveUp: boolean): SplitRecord | undefined {
		const values: string[] = [];
		for (let start = at; ; ) {
			let from = start;
			let quoted: string | undefined;
			const open = this.strict ? afterBlanks(text, start) : start;
			if (text.charCodeAt(open) === QUOTE) {
				const close = closingQuote(text, open);
				if (close !== undefined) {
					const inside = text.slice(open + 1, close);
					if (this.endsValue(text, close + 1)) quoted = inside.replaceAll('""', '"');
					// A mark that closes in the middle of a value was not meant to join lines.
					if (quoted !== undefined || !inside.includes('\n')) from = close + 1;
				} else if (!gaveUp) return undefined;
				else if (this.strict)
					throw new UnreadableText(
						`has a quotation mark at the start of a value that is never closed: ${beginningOf(text, start)}`,
						'Close or remove it.',
					);
			}
			const end = this.valueEnd(text, from);
			if (end === text.length) return undefined;
			const isEndOfRecord = text.charCodeAt(end) !== this.separator;
			const plain = text.slice(start, end);
			const value = quoted ?? (isEndOfRecord ? withoutReturns(plain) : plain);
			const isEmptyLine =
				isEndOfRecord && values.length === 0 && quoted === undefined && value === '';
			if (!isEmptyLine) values.push(value);
			if (isEndOfRecord) return { values, end: end + 1 };
			start = end + 1;
		}
	}

	private valueEnd(text: string, from: number): number {
		for (let end = from; end < text.length; end++) {
			const character = text.charCodeAt(end);
			if (character === this.separator || character === LINE_FEED) return end;
			if (character === CARRIAGE_RETURN && this.atReturns !== false) return end;
		}
		return text.length;
	}

	/** Whether a quoted value may end before `at`: at a delimiter, a line end or the end of the text. */
	private endsValue(text: string, at: number): boolean {
		const end = this.valueEnd(text, at);
		return withoutReturns(text.slice(this.strict ? afterBlanks(text, at) : at, end)) === '';
	}
}

/**
 * Yields the complete records in batches; an empty line is a record without values. Memory holds one chunk
 * and the longest record.
 * @param strict whether to throw UnreadableText for bytes that are not text and for an unclosed quotation
 * mark; otherwise they are kept, because a damaged row is better than none
 */
export async function* readRecords(
	chunks: AsyncIterable<Uint8Array>,
	strict: boolean,
	delimiter = ',',
): AsyncGenerator<string[][]> {
	const splitter = new RecordSplitter(delimiter, strict);
	for await (const text of decodeText(chunks, strict)) yield* splitter.push(text);
	yield* splitter.end();
}

/** The first records of a text, which may end in the middle of one; empty lines are left out. */
export function firstRecords(text: string, delimiter: string, most: number): string[][] {
	const splitter = new RecordSplitter(delimiter, false);
	const records = [...splitter.push(text), ...splitter.end()].flat();
	return records.filter(({ length }) => length > 0).slice(0, most);
}

/**
 * A copy that does not keep alive the piece of a file from which V8 cut its texts: a few kept rows would
 * hold a file of any size in memory.
 */
export function detach<T>(row: T): T {
	return JSON.parse(JSON.stringify(row)) as T;
}
