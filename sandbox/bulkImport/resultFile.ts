import { stringify } from 'csv-stringify/sync';

export interface ResultRow {
	/** From 1, without the header. */
	rowNumber: number;
	/** Blank when the row found and created no record. */
	primaryKey: string;
	included: string[];
	/** One per mapping type. */
	messages: string[];
}

export interface ResultFileOptions {
	/** The number of the imported file, the same on every row. */
	fileNumber: number;
	primaryKeyType: string;
	includedColumns: string[];
	/** One per mapping type. */
	messageColumns: string[];
	/** Most bytes of one result file. */
	maxBytes: number;
}

/** What became of the rows of one action, in as many CSV files as its size limit makes necessary. */
export class ResultFiles {
	private readonly header: string;
	/** Made row by row: the lines of a large file all at once would hold up other calls. */
	private readonly lines: string[] = [];

	constructor(private readonly options: ResultFileOptions) {
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

	/**
	 * The content of each file. The order of rows is documented nowhere; when there are several files the
	 * last row comes first, so that no client relies on file order.
	 */
	contents(): string[] {
		const { header, lines } = this;
		const { maxBytes } = this.options;
		const whole = header + lines.join('');
		if (Buffer.byteLength(whole) <= maxBytes) return [whole];

		const files: string[] = [];
		let file = header;
		let bytes = Buffer.byteLength(header);
		for (const line of lines.toReversed()) {
			const lineBytes = Buffer.byteLength(line);
			if (bytes + lineBytes > maxBytes && file !== header) {
				files.push(file);
				file = header;
				bytes = Buffer.byteLength(header);
			}
			file += line;
			bytes += lineBytes;
		}
		return [...files, file];
	}
}
