import { parse } from 'csv-parse/sync';

const QUOTE = 34;
const COMMA = 44;
const LINE_FEED = 10;

/** Where a reader of delimited text stands. A quotation mark means something only at the start of a value. */
type Position = 'start' | 'plain' | 'quoted' | 'closing';

function after(position: Position, character: number): Position {
	if (position === 'quoted') return character === QUOTE ? 'closing' : 'quoted';
	if (character === QUOTE && position !== 'plain') return 'quoted';
	return character === COMMA || character === LINE_FEED ? 'start' : 'plain';
}

/**
 * The records of a comma-separated text that arrives in pieces, in batches as they become complete.
 * Memory stays at the size of a piece and the longest record, whatever the size of the file.
 *
 * A piece is cut at the last line end that does not belong to a quoted value.
 */
export async function* readRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[][]> {
	const decoder = new TextDecoder('utf-8');
	let pending = '';
	let scanned = 0;
	let position: Position = 'start';
	for await (const chunk of chunks) {
		pending += decoder.decode(chunk, { stream: true });
		let end = 0;
		for (; scanned < pending.length; scanned++) {
			const character = pending.charCodeAt(scanned);
			if (character === LINE_FEED && position !== 'quoted') end = scanned + 1;
			position = after(position, character);
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
