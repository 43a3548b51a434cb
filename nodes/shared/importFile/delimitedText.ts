import { decodeText } from './decodeText';
import { RecordSplitter } from './recordSplitter';

export interface TextReading {
	/** One character. Default: a comma. */
	delimiter?: string;
	/**
	 * Whether damage is refused with UnreadableText: bytes that are not text, a quotation mark that is
	 * never closed. Otherwise it is read as it stands.
	 */
	strict?: boolean;
}

/**
 * The records of a delimited text that arrives in pieces, in batches as they become complete; empty
 * lines are left out. Memory stays at the size of a piece and the longest record, whatever the size of
 * the file. Throws UnreadableText.
 */
export async function* readRecords(
	chunks: AsyncIterable<Uint8Array>,
	{ delimiter = ',', strict = false }: TextReading = {},
): AsyncGenerator<string[][]> {
	const splitter = new RecordSplitter(delimiter, strict);
	for await (const text of decodeText(chunks, strict)) {
		const records = splitter.push(text);
		if (records.length > 0) yield records;
	}
	const last = splitter.end();
	if (last.length > 0) yield last;
}

/** The delimiter that stands most often in the first line of a text, quoted values left out. */
export function detectedDelimiter(text: string, candidates: readonly string[]): string | undefined {
	const [line = ''] = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1);
	const counts = candidates.map((candidate) => line.split(candidate).length - 1);
	const most = Math.max(...counts);
	return most > 0 ? candidates[counts.indexOf(most)] : undefined;
}
