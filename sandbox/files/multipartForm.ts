/** A field of a multipart form, in the order in which they were sent. */
export interface FormPart {
	name: string;
	/** Only files have one. */
	fileName?: string;
	contentType?: string;
	content: Buffer;
}

const CONTENT_TYPE =
	/^multipart\/form-data; ?boundary=(?:"([^"\r\n]{1,70})"|([\w'()+,./:=?-]{1,70}))$/;
const DISPOSITION = /^form-data; name="((?:[^"\\\r\n]|%22)+)"(?:; filename="([^"\\\r\n]*)")?$/;

function readHeaders(lines: readonly string[]): Map<string, string> {
	return new Map(
		lines.map((line) => {
			const [, name, value] = /^([\w-]+): (.*)$/.exec(line) ?? [];
			if (name === undefined || value === undefined) throw new Error(`a header "${line}"`);
			return [name.toLowerCase(), value];
		}),
	);
}

function readPart(bytes: Buffer): FormPart {
	const end = bytes.indexOf('\r\n\r\n');
	if (end < 0) throw new Error('a part without an end of its headers');
	const headers = readHeaders(bytes.subarray(0, end).toString('utf8').split('\r\n'));
	const [, name, fileName] = DISPOSITION.exec(headers.get('content-disposition') ?? '') ?? [];
	if (name === undefined) throw new Error('a part without a name');
	const contentType = headers.get('content-type');
	return {
		name,
		...(fileName !== undefined && { fileName }),
		...(contentType !== undefined && { contentType }),
		content: bytes.subarray(end + 4),
	};
}

/**
 * Reads a form as strictly as object stores do (RFC 7578): nothing before the first or after the last
 * boundary, one file with a name and a type, and that last.
 *
 * @throws Error that names what it found
 */
export function readForm(contentType: string, body: Buffer): FormPart[] {
	const [, quoted, plain] = CONTENT_TYPE.exec(contentType) ?? [];
	const boundary = quoted ?? plain;
	if (boundary === undefined) throw new Error(`the content type ${contentType}`);
	const delimiter = `\r\n--${boundary}`;
	const parts: FormPart[] = [];
	if (!body.subarray(0, delimiter.length).equals(Buffer.from(`${delimiter.slice(2)}\r\n`)))
		throw new Error('something before the first boundary');
	let start = delimiter.length;
	for (;;) {
		const end = body.indexOf(delimiter, start);
		if (end < 0) throw new Error('no last boundary');
		parts.push(readPart(body.subarray(start, end)));
		start = end + delimiter.length + 2;
		const closing = body.subarray(start - 2, start).toString('latin1');
		if (closing === '--') break;
		if (closing !== '\r\n') throw new Error('a boundary that goes on');
	}
	const rest = body.subarray(start).toString('latin1');
	if (rest !== '' && rest !== '\r\n') throw new Error('something behind the last boundary');
	const files = parts.filter(({ fileName }) => fileName !== undefined);
	const last = parts.at(-1);
	if (files.length !== 1 || !last?.fileName || !last.contentType)
		throw new Error('no file with a name and a type as its last part');
	return parts;
}
