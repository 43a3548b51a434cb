const PIECE = 64 * 1024;

/** In the keys of its rows. */
export const RUN = 'k3f9x2';

/** A made-up result file: every 100th row was rejected. @param first number of its first row */
export async function* resultFile(rows: number, first = 1): AsyncGenerator<Uint8Array> {
	let piece =
		'BulkUploadDataID,ULFileID,PrimaryKey,PrimaryKeyType,N8nItem,CreateOrUpdateContact\r\n';
	for (let row = first; row < first + rows; row++) {
		const outcome = row % 100 === 0 ? '"Invalid email address, not imported"' : 'Processed';
		piece += `${row},6200,${100_000 + row},NativeID,${RUN}-${row},${outcome}\r\n`;
		if (piece.length < PIECE) continue;
		yield await new Promise((resolve) => setImmediate(resolve, Buffer.from(piece)));
		piece = '';
	}
	yield Buffer.from(piece);
}
