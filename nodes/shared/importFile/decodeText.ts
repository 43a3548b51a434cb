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
