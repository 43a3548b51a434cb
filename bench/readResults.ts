/** Reads a made-up result file and prints time and peak memory: `tsx readResults.ts <rows>`. */
import { readResultRows } from '../nodes/shared/importFile/resultFile';
import { RowOutcomes } from '../nodes/NativeBulkImport/importItems/rowOutcomes';

const PIECE = 64 * 1024;

async function* resultFile(rows: number): AsyncGenerator<Uint8Array> {
	let piece =
		'BulkUploadDataID,ULFileID,PrimaryKey,PrimaryKeyType,N8nItem,CreateOrUpdateContact\r\n';
	for (let row = 1; row <= rows; row++) {
		const outcome = row % 100 === 0 ? '"Invalid email address, not imported"' : 'Processed';
		piece += `${row},6200,${100_000 + row},NativeID,${row},${outcome}\r\n`;
		if (piece.length < PIECE) continue;
		yield await new Promise((resolve) => setImmediate(resolve, Buffer.from(piece)));
		piece = '';
	}
	yield Buffer.from(piece);
}

async function main(): Promise<void> {
	const rows = Number(process.argv[2]);
	const outcomes = new RowOutcomes('N8nItem', rows, false);
	const before = process.resourceUsage().maxRSS;
	const start = performance.now();
	for await (const batch of readResultRows(resultFile(rows), ['N8nItem'])) {
		for (const row of batch) outcomes.add(1, row);
	}
	const ms = performance.now() - start;
	const kilobytes = process.resourceUsage().maxRSS - before;
	process.stdout.write(JSON.stringify({ ms, kilobytes }));
}

void main();
