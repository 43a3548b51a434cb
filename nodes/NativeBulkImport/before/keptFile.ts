import { createHash } from 'crypto';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { Slice } from '../../shared/importFile/importFiles';
import type { NativeService } from '../../shared/service/nativeService';

const hashOf = (text: string): string =>
	createHash('sha256').update(text).digest('hex').slice(0, 16);

/** What stands for the database of a credential, and for its key, in a file. */
export function marksOf({ target: { identity } }: NativeService) {
	const place = identity.slice(0, identity.lastIndexOf(' '));
	return { databaseMark: hashOf(place), keyMark: hashOf(identity) };
}

const PIECE = 256 * 1024;

/** A file of n8n in pieces, by the ID under which n8n keeps it, or from memory. */
export async function* readPieces(
	{ helpers }: IExecuteFunctions,
	{ id, data }: Pick<IBinaryData, 'id' | 'data'>,
): AsyncGenerator<Uint8Array> {
	if (id === undefined) {
		yield Buffer.from(data, 'base64');
		return;
	}
	for await (const piece of await helpers.getBinaryStream(id, PIECE)) yield piece as Uint8Array;
}

/** Whether a file of n8n has this content. */
export async function hasContent(
	functions: IExecuteFunctions,
	file: Pick<IBinaryData, 'id' | 'data'>,
	content: Buffer,
	slice: Slice,
): Promise<boolean> {
	let at = 0;
	for await (const piece of readPieces(functions, file)) {
		if (slice.isOver) await slice.yield();
		const end = at + piece.length;
		if (!content.subarray(at, end).equals(piece)) return false;
		at = end;
	}
	return at === content.length;
}
