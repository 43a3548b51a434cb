import { decodeText, UnreadableText } from './decodeText';

const QUOTE = 34;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Most characters without the end of a record: far more than any row, far less than a file. */
const LONGEST_RECORD = 8 * 1024 * 1024;

/**
 * Whether single carriage returns end lines, as in files of old systems that may have gained a final
 * line feed: only if that gives rows of equal length.
 * @param beginning the text up to the first line feed outside quotation marks
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

/** The quotation mark that closes the one at `open`, skipping doubled ones. */
function closingQuote(text: string, open: number): number | undefined {
	let at = text.indexOf('"', open + 1);
	while (at !== -1 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2);
	return at === -1 ? undefined : at;
}

interface QuotedRecord {
	values: string[];
	/** Where the next record begins. */
	end: number;
}

/**
 * Splits delimited text that arrives in chunks into records and skips empty lines. A quotation mark
 * counts only at the start of a value.
 */
class RecordSplitter {
	private pending = '';
	private count = 0;
	private readonly separator: number;
	/** Whether carriage returns end lines; unknown before the first line feed. */
	private atReturns: boolean | undefined;

	/**
	 * @param strict whether to reject an unclosed quotation mark; otherwise it is part of its value,
	 * because a damaged row is better than none
	 * @param onEmptyLine called for each line that is skipped, with the number of records before it
	 * @param skipsBlank whether lines of nothing but delimiters count as empty
	 */
	constructor(
		private readonly delimiter: string,
		private readonly strict: boolean,
		private readonly onEmptyLine: (records: number) => void = () => undefined,
		private readonly skipsBlank = false,
	) {
		this.separator = delimiter.charCodeAt(0);
	}

	/** Returns the complete records. Throws {@link UnreadableText}. */
	push(text: string): string[][] {
		this.pending += text;
		const isLong = this.pending.length > LONGEST_RECORD;
		if (!text.includes('\n') && this.atReturns !== true && !isLong) return [];
		const records = this.take(false);
		if (this.pending.length <= LONGEST_RECORD) return records;
		const rest = this.take(false, true);
		if (this.pending.length > LONGEST_RECORD) {
			throw new UnreadableText(
				'has a line of more than 8 million characters',
				'Save it with one row per line.',
			);
		}
		return [...records, ...rest];
	}

	/** Returns the remaining records. Throws {@link UnreadableText}. */
	end(): string[][] {
		return this.take(true, true);
	}

	/** @param gaveUp whether to stop waiting for closing quotation marks */
	private take(isLast: boolean, gaveUp = false): string[][] {
		const text = this.pending;
		const records: string[][] = [];
		this.atReturns ??= this.decideLineEnds(text, gaveUp);
		if (this.atReturns === undefined) return records;
		let at = 0;
		while (at < text.length) {
			const plainEnd = this.atReturns ? at : this.plainEnd(text, at, isLast);
			if (plainEnd > at) {
				const lines = text.slice(at, plainEnd).split('\n');
				// What follows the last line feed is no line.
				if (lines.at(-1) === '') lines.pop();
				for (const raw of lines) {
					const line = withoutReturns(raw);
					if (!this.isEmpty(line)) records.push(line.split(this.delimiter));
					else this.onEmptyLine(this.count + records.length);
				}
				at = plainEnd;
				continue;
			}
			const record = this.record(text, at, isLast, gaveUp);
			if (!record) break;
			if (record.values.length > 0 && !this.isBlank(record.values)) records.push(record.values);
			else this.onEmptyLine(this.count + records.length);
			at = record.end;
		}
		this.count += records.length;
		this.pending = text.slice(at);
		return records;
	}

	private isEmpty(line: string): boolean {
		// Nearly all lines begin with a value.
		if (line !== '' && line.charCodeAt(0) !== this.separator) return false;
		return line === '' || this.isBlank(line.split(this.delimiter));
	}

	private isBlank(values: readonly string[]): boolean {
		return this.skipsBlank && values.length > 1 && values.every((value) => value.trim() === '');
	}

	/** Where the run of lines without quotation marks from `at` ends: nearly all lines have none. */
	private plainEnd(text: string, at: number, isLast: boolean): number {
		const quote = text.indexOf('"', at);
		if (quote < 0 && isLast) return text.length;
		return Math.max(at, text.lastIndexOf('\n', quote < 0 ? text.length : quote) + 1);
	}

	/** Whether carriage returns end lines; undefined until enough text has arrived. */
	private decideLineEnds(text: string, gaveUp: boolean): boolean | undefined {
		let at = 0;
		while (at < text.length) {
			const record = this.record(text, at, false, gaveUp);
			if (!record) break;
			at = record.end;
			if (text.charCodeAt(at - 1) === LINE_FEED)
				return endsAtReturns(text.slice(0, at - 1), this.delimiter);
		}
		// Without a line feed, carriage returns must end the lines.
		return gaveUp ? true : undefined;
	}

	/** The record at `at`, empty for an empty line; undefined if it is incomplete. */
	private record(
		text: string,
		at: number,
		isLast: boolean,
		gaveUp: boolean,
	): QuotedRecord | undefined {
		const values: string[] = [];
		for (let start = at; ; ) {
			let from = start;
			let quoted: string | undefined;
			if (text.charCodeAt(start) === QUOTE) {
				const close = closingQuote(text, start);
				if (close === undefined && !gaveUp) return undefined;
				if (close === undefined && this.strict) {
					throw new UnreadableText(
						'has a quotation mark at the start of a value that is never closed',
						'Close or remove it.',
					);
				}
				const inside = text.slice(start + 1, close ?? start);
				if (close !== undefined && this.endsValue(text, close + 1))
					quoted = inside.replaceAll('""', '"');
				// A mark that closes in the middle of a value was not meant to join lines.
				if (close !== undefined && (quoted !== undefined || !inside.includes('\n')))
					from = close + 1;
			}
			const end = this.valueEnd(text, from);
			if (end === text.length && !isLast) return undefined;
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
			if (character === this.separator || this.endsLine(character)) return end;
		}
		return text.length;
	}

	private endsLine(character: number): boolean {
		return character === LINE_FEED || (character === CARRIAGE_RETURN && this.atReturns !== false);
	}

	/** Whether a quoted value may end before `at`: at a delimiter, a line end or the end of the text. */
	private endsValue(text: string, at: number): boolean {
		const end = this.valueEnd(text, at);
		return withoutReturns(text.slice(at, end)) === '';
	}
}

export interface TextReading {
	/** One character. Default: a comma. */
	delimiter?: string;
	/**
	 * Whether to throw UnreadableText for damage: bytes that are not text, an unclosed quotation mark.
	 * Otherwise it is kept.
	 */
	strict?: boolean;
	/** Called for each empty line, with the number of records before it. */
	onEmptyLine?: (records: number) => void;
	/** Whether lines of nothing but delimiters count as empty: spreadsheet programs write them. */
	skipsBlank?: boolean;
}

/**
 * Reads delimited text that arrives in chunks, yields the complete records in batches and skips empty
 * lines. Memory holds one chunk and the longest record. Throws UnreadableText.
 */
export async function* readRecords(
	chunks: AsyncIterable<Uint8Array>,
	{ delimiter = ',', strict = false, onEmptyLine, skipsBlank }: TextReading = {},
): AsyncGenerator<string[][]> {
	const splitter = new RecordSplitter(delimiter, strict, onEmptyLine, skipsBlank);
	for await (const text of decodeText(chunks, strict)) {
		const records = splitter.push(text);
		if (records.length > 0) yield records;
	}
	const last = splitter.end();
	if (last.length > 0) yield last;
}

/** The most frequent delimiter in the first line of a text, outside quoted values. */
export function detectedDelimiter(text: string, candidates: readonly string[]): string | undefined {
	const [line = ''] = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1);
	const counts = candidates.map((candidate) => line.split(candidate).length - 1);
	const most = Math.max(...counts);
	return most > 0 ? candidates[counts.indexOf(most)] : undefined;
}

/**
 * A copy that does not keep alive the piece of a file from which V8 cut its texts: a few kept rows would
 * hold a file of any size in memory.
 */
export function detach<T>(row: T): T {
	return JSON.parse(JSON.stringify(row)) as T;
}
