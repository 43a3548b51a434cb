import { decodeText } from './decodeText';
import { RecordSplitter } from './recordSplitter';

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
}

/**
 * Reads delimited text that arrives in chunks, yields the complete records in batches and skips empty
 * lines. Memory holds one chunk and the longest record. Throws UnreadableText.
 */
export async function* readRecords(
	chunks: AsyncIterable<Uint8Array>,
	{ delimiter = ',', strict = false, onEmptyLine }: TextReading = {},
): AsyncGenerator<string[][]> {
	const splitter = new RecordSplitter(delimiter, strict, onEmptyLine);
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
