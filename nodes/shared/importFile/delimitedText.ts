import { parse } from 'csv-parse/sync';

const QUOTE = 34;
const LINE_FEED = 10;

/**
 * The records of a comma-separated text that arrives in pieces, in batches as they become complete.
 * Memory stays at the size of a piece and the longest record, whatever the size of the file.
 *
 * A piece is cut at the last line end outside quotation marks: an odd number of marks before a line
 * end means that the line end belongs to a value. Doubled marks inside a value keep the count even.
 */
export async function* readRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[][]> {
	const decoder = new TextDecoder('utf-8');
	let pending = '';
	let scanned = 0;
	let isQuoted = false;
	for await (const chunk of chunks) {
		pending += decoder.decode(chunk, { stream: true });
		let end = 0;
		for (; scanned < pending.length; scanned++) {
			const character = pending.charCodeAt(scanned);
			if (character === QUOTE) isQuoted = !isQuoted;
			else if (character === LINE_FEED && !isQuoted) end = scanned + 1;
		}
		if (end > 0) {
			yield parseRecords(pending.slice(0, end));
			pending = pending.slice(end);
			scanned -= end;
		}
	}
	pending += decoder.decode();
	if (pending !== '') yield parseRecords(pending);
}

function parseRecords(text: string): string[][] {
	// Lenient, because a row that cannot be shown is worse than one shown as it stands.
	return parse(text, { relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
}
