import { CsvError, parse } from './csvParse';

const QUOTE = 34;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** One file may mix them; the doubled one comes of programs that convert line ends twice. */
const LINE_ENDS = ['\r\r\n', '\r\n', '\n'];

/** Of texts that old systems wrote; a line feed may have been added at their end. */
const OLD_LINE_ENDS = [...LINE_ENDS, '\r'];

/**
 * The line ends of a text, known by its beginning up to the first line feed outside of quotation marks:
 * carriage returns in it end lines only if that makes rows of as many values each.
 */
function lineEndsOf(beginning: string, delimiter: string): readonly string[] {
	const lines = beginning
		.replace(/"[^"]*"/g, '')
		.split('\r')
		.filter((line) => line !== '');
	const widths = new Set(lines.map((line) => line.split(delimiter).length));
	return lines.length > 1 && widths.size === 1 ? OLD_LINE_ENDS : LINE_ENDS;
}

/** Characters that may be open at once in a strict text: far more than any row, far less than a file. */
const LONGEST_RECORD = 8 * 1024 * 1024;

/** Where a reader of delimited text stands. A quotation mark means something only at the start of a value. */
type Position = 'start' | 'plain' | 'quoted' | 'closing';

/** @param lineEnds those of the text; undefined if there was no line feed yet */
function after(
	position: Position,
	character: number,
	delimiter: number,
	lineEnds: readonly string[] | undefined,
): Position {
	if (position === 'quoted') return character === QUOTE ? 'closing' : 'quoted';
	if (character === QUOTE && position !== 'plain') return 'quoted';
	const endsLine =
		character === LINE_FEED || (character === CARRIAGE_RETURN && lineEnds !== LINE_ENDS);
	return endsLine || character === delimiter ? 'start' : 'plain';
}

/** The text cannot be read without losing or shifting something. */
export class UnreadableText extends Error {
	constructor(
		/** What is wrong and what to do. */
		readonly reason: string,
	) {
		super(reason);
		this.name = 'UnreadableText';
	}
}

export interface TextReading {
	/** One character. Default: a comma. */
	delimiter?: string;
	/**
	 * Whether damage is refused with {@link UnreadableText}: bytes that are not UTF-8, a quotation mark
	 * that is never closed. Otherwise it is read as it stands: such a mark belongs to its value.
	 */
	strict?: boolean;
}

/**
 * The records of a delimited text that arrives in pieces, in batches as they become complete; empty
 * lines are left out. Memory stays at the size of a piece and the longest record, whatever the size of
 * the file.
 *
 * A piece is cut at the last line end that does not belong to a quoted value.
 * Throws {@link UnreadableText}.
 */
export async function* readRecords(
	chunks: AsyncIterable<Uint8Array>,
	{ delimiter = ',', strict = false }: TextReading = {},
): AsyncGenerator<string[][]> {
	const decoder = new TextDecoder('utf-8', { fatal: strict });
	const separator = delimiter.charCodeAt(0);
	let pending = '';
	let position: Position = 'start';
	/** Where in `pending` the latest quoted value begins. */
	let opened = 0;
	/** Not known before the first line feed; without any, a carriage return must do. */
	let known: readonly string[] | undefined;
	for await (const chunk of chunks) {
		const text = decoded(decoder, chunk);
		let end = 0;
		if (position !== 'quoted' && !text.includes('"')) {
			// Nearly every piece: without quotation marks every line end ends a record.
			end = text.lastIndexOf('\n') + 1;
			if (end > 0) known ??= lineEndsOf(pending + text.slice(0, text.indexOf('\n')), delimiter);
			if (text !== '')
				position = after('plain', text.charCodeAt(text.length - 1), separator, known);
		} else {
			for (let index = 0; index < text.length; index++) {
				const character = text.charCodeAt(index);
				if (character === LINE_FEED && position !== 'quoted') {
					end = index + 1;
					known ??= lineEndsOf(pending + text.slice(0, index), delimiter);
				}
				const next = after(position, character, separator, known);
				if (position === 'start' && next === 'quoted') opened = pending.length + index;
				position = next;
			}
		}
		if (end > 0) {
			yield parseRecords(pending + text.slice(0, end), delimiter, known ?? OLD_LINE_ENDS);
			opened -= pending.length + end;
			pending = text.slice(end);
		} else {
			pending += text;
		}
		if (strict && pending.length > LONGEST_RECORD) throw neverClosed(position);
	}
	pending += decoded(decoder);
	if (position === 'quoted') {
		if (strict) throw neverClosed(position);
		if (pending.includes('\n', opened)) known ??= lineEndsOf(pending, delimiter);
		pending = withPlainMark(pending, opened, delimiter);
	}
	if (pending !== '') yield parseRecords(pending, delimiter, known ?? OLD_LINE_ENDS);
}

/** The text with the value at an opening quotation mark written so that the mark is part of it. */
function withPlainMark(text: string, opened: number, delimiter: string): string {
	const ends = `${delimiter}\r\n`;
	let end = opened;
	while (end < text.length && !ends.includes(text.charAt(end))) end++;
	const value = text.slice(opened, end).replaceAll('"', '""');
	return `${text.slice(0, opened)}"${value}"${text.slice(end)}`;
}

/** @param chunk undefined at the end */
function decoded(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
	let text: string | undefined;
	try {
		text = chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
	} catch {
		text = undefined;
	}
	if (text !== undefined) return text;
	throw new UnreadableText(
		'is not UTF-8 text. Save it as UTF-8, e.g. as "CSV UTF-8" in a spreadsheet program.',
	);
}

function neverClosed(position: Position): UnreadableText {
	return new UnreadableText(
		position === 'quoted'
			? 'has a quotation mark at the start of a value that is never closed. Close or remove it.'
			: 'has no line ends. Save it with one row per line.',
	);
}

function parseRecords(text: string, delimiter: string, lineEnds: readonly string[]): string[][] {
	// Plain text, nearly all there is, needs no parser: this is several times faster.
	if (!text.includes('"')) {
		const records: string[][] = [];
		for (const line of text.split(new RegExp(lineEnds.join('|'))))
			if (line !== '') records.push(line.split(delimiter));
		return records;
	}
	try {
		// Lenient, because a row that cannot be shown is worse than one shown as it stands.
		return parse(text, {
			delimiter,
			// Left to itself, it takes the first one of every batch for the only one.
			record_delimiter: [...lineEnds],
			relax_column_count: true,
			relax_quotes: true,
			skip_empty_lines: true,
		});
	} catch (error) {
		throw error instanceof CsvError ? neverClosed('quoted') : error;
	}
}

/** The delimiter that stands most often in the first line of a text, quoted values left out. */
export function detectedDelimiter(text: string, candidates: readonly string[]): string | undefined {
	const [line = ''] = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1);
	const counts = candidates.map((candidate) => line.split(candidate).length - 1);
	const most = Math.max(...counts);
	return most > 0 ? candidates[counts.indexOf(most)] : undefined;
}
