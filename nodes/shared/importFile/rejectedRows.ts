import { simplifyName } from './matchHeaders';

/** Column with the reason, after those of the input; it is left out when the file is imported again. */
const REASON_COLUMN = 'Import Result';

function textOf(value: unknown): string {
	if (value === null || value === undefined) return '';
	if (typeof value !== 'object') return String(value);
	const json = JSON.stringify(value) ?? '';
	// Dates are texts in JSON.
	return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/** A record that exists although a part of its row was rejected. */
interface ExistingRecord {
	id: string | number | null;
	/** Name of the ID in the service, e.g. `NativeID`. */
	idName: string | null;
}

/** A delimited file of the rows that were not imported, to be corrected and imported again. */
export class RejectedRows {
	private readonly columns: readonly string[];
	private readonly rows: Array<{ cells: string; id: string; reason: string }> = [];
	/** Without the ID, a record that exists could be stored twice. */
	private idColumn = '';

	constructor(
		columns: readonly string[],
		private readonly delimiter = ',',
	) {
		this.columns = columns.filter((column) => column !== REASON_COLUMN);
	}

	add(values: Record<string, unknown>, reason: string, { id, idName }: ExistingRecord): void {
		const isKnown = this.columns.some(
			(column) => simplifyName(column) === simplifyName(idName ?? ''),
		);
		if (id !== null && idName !== null && !isKnown) this.idColumn = idName;
		const cells = this.columns.map((column) => textOf(values[column]));
		this.rows.push({ cells: this.joined(cells), id: textOf(id), reason });
	}

	/** Undefined without rows. Begins with a byte-order mark, without which Excel garbles UTF-8. */
	get content(): Buffer | undefined {
		if (this.rows.length === 0) return undefined;
		const line = (cells: string, id: string, reason: string): string =>
			[cells, this.joined(this.idColumn === '' ? [reason] : [id, reason])].join(this.delimiter);
		const lines = [
			line(this.joined(this.columns), this.idColumn, REASON_COLUMN),
			...this.rows.map(({ cells, id, reason }) => line(cells, id, reason)),
		];
		return Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`);
	}

	private joined(cells: readonly string[]): string {
		return cells
			.map((text) =>
				/["\r\n]|^\s|\s$/.test(text) || text.includes(this.delimiter)
					? `"${text.replace(/"/g, '""')}"`
					: text,
			)
			.join(this.delimiter);
	}
}
