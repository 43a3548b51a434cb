import { downloadZip } from 'client-zip';
import { stringify } from 'csv-stringify/sync';
import { createHash } from 'node:crypto';
import type { ResultShape } from './jobFault';

export interface ResultRow {
	/** From 1, without the header. */
	rowNumber: number;
	/** Blank when the row found and created no record. */
	primaryKey: string;
	included: string[];
	/** One per mapping type. */
	messages: string[];
}

interface ResultFileOptions {
	/** The number of the imported file, the same on every row. */
	fileNumber: number;
	primaryKeyType: string;
	includedColumns: string[];
	/** One per mapping type. */
	messageColumns: string[];
	/** Most bytes of one result file. */
	maxBytes: number;
	shape: ResultShape;
}

/** What a result link serves: one content per download, the last one from then on. */
export interface PublishedFile {
	contents: Buffer[];
	link: 'works' | 'missing' | 'expired';
}

/** An order that depends on the seed alone. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
	const keyed = items.map((item, index) => ({
		item,
		key: createHash('md5').update(`${seed} ${index}`).digest('hex'),
	}));
	return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item);
}

/** Lists of equal length; the last ones may be shorter or empty. */
function splitEvenly<Item>(items: readonly Item[], lists: number): Item[][] {
	const length = Math.ceil(items.length / lists);
	return Array.from({ length: lists }, (_, index) =>
		items.slice(index * length, (index + 1) * length),
	);
}

async function encode(text: string, { encoding, zipped }: ResultShape): Promise<Buffer> {
	const mark = encoding === undefined || encoding === 'utf8' ? '' : '\uFEFF';
	const bytes = Buffer.from(mark + text, encoding?.startsWith('utf16') ? 'utf16le' : 'utf8');
	if (encoding === 'utf16be') bytes.swap16();
	if (!zipped) return bytes;
	return Buffer.from(await downloadZip([{ name: 'results.csv', input: bytes }]).arrayBuffer());
}

/** The outcomes of one action's rows, in as many CSV files as the size limit requires. */
export class ResultFiles {
	private readonly header: string;
	/** Built row by row: building all lines of a large file at once would delay other calls. */
	private readonly lines: string[] = [];
	private readonly omitted: ReadonlySet<number>;

	constructor(private readonly options: ResultFileOptions) {
		this.omitted = new Set(options.shape.omitRows);
		// The columns in the order of service.md 2.8.
		this.header = stringify([
			[
				'BulkUploadDataID',
				'ULFileID',
				'PrimaryKey',
				'PrimaryKeyType',
				...options.includedColumns,
				...options.messageColumns,
			],
		]);
	}

	add(row: ResultRow): void {
		if (this.omitted.has(row.rowNumber)) return;
		const line = [
			String(row.rowNumber),
			String(this.options.fileNumber),
			row.primaryKey,
			row.primaryKey === '' ? '' : this.options.primaryKeyType,
			...row.included,
			...row.messages,
		];
		this.lines.push(stringify([line]));
	}

	/** @param before how many files the job has from other actions */
	async files(before: number): Promise<PublishedFile[]> {
		const { shape } = this.options;
		const files = this.split().map(async (lines, index): Promise<PublishedFile> => {
			const number = before + index + 1;
			const orders = shape.reversedAgain ? [lines, lines.toReversed()] : [lines];
			const contents = await Promise.all(
				orders.map(async (order) => await encode(this.header + order.join(''), shape)),
			);
			const cutAt = shape.cut?.file === number ? shape.cut.bytes : undefined;
			const expired = shape.expired?.includes(number) ? 'expired' : 'works';
			return {
				contents: contents.map((content) => content.subarray(0, cutAt)),
				link: shape.missing?.includes(number) ? 'missing' : expired,
			};
		});
		return await Promise.all(files);
	}

	/**
	 * The lines of each file. The order of rows is documented nowhere; when there are several files the
	 * last row comes first, so that no client relies on file order.
	 */
	private split(): string[][] {
		const { shape, maxBytes } = this.options;
		const lines = shape.shuffle === undefined ? this.lines : shuffled(this.lines, shape.shuffle);
		if (shape.files !== undefined) return splitEvenly(lines, shape.files);
		const size = (line: string) => Buffer.byteLength(line);
		const headerSize = size(this.header);
		if (lines.reduce((sum, line) => sum + size(line), headerSize) <= maxBytes) return [lines];

		const files: string[][] = [];
		let bytes = 0;
		for (const line of lines.toReversed()) {
			const file = files.at(-1);
			if (file && bytes + size(line) <= maxBytes) file.push(line);
			else {
				files.push([line]);
				bytes = headerSize;
			}
			bytes += size(line);
		}
		return files;
	}
}
