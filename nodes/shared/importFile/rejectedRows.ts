import { dateText } from '../service/dateText';
import { simplifyName } from './fileColumns';
import { joinChunks, type Slice } from './importFiles';
import { TextChunks } from './textChunks';

/** Column with the reason, after those of the input. */
const REASON_COLUMN = 'Import Result';

/** The columns of a list, without the last one of a file of its rejected rows. */
export function withoutReason(columns: readonly string[]): readonly string[] {
	return columns.at(-1) === REASON_COLUMN ? columns.slice(0, -1) : columns;
}

/** What a row of a file has beyond its columns. */
export const MORE_VALUES = 'More Values';

/** A text that stays the same when n8n stores the item as JSON and reloads it. */
export function stableText(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
	if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
	if (typeof value !== 'object' || value === null) return '';
	// An object can be stored as a text, such as a date.
	const json = JSON.stringify(value) as string | undefined;
	return json === undefined || /^[{[]/.test(json) ? (json ?? '') : stableText(JSON.parse(json));
}

export function cellText(value: unknown): string {
	return stableText(dateText(value));
}

/** A text of the service as a cell that no spreadsheet program runs as a formula. */
function plainCell(value: unknown): string {
	const text = cellText(value);
	return typeof value === 'string' && /^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/.test(text)
		? `'${text}`
		: text;
}

/** A record that exists although a part of its row was rejected. */
interface ExistingRecord {
	id: string | number | null;
	idName: string | null;
}

/** A delimited file of the rows that were not imported, to be corrected and imported again. */
export class RejectedRows {
	private readonly columns: readonly string[];
	private readonly rows: Array<{ cells: string; more: string; id: string; reason: string }> = [];
	private hasMore = false;
	/** Without the ID, a record that exists could be stored twice. */
	private idColumn = '';

	/**
	 * @param columns of the list itself
	 * @param names their properties in the rows
	 */
	constructor(
		columns: readonly string[],
		private readonly delimiter = ',',
		private readonly names: readonly string[] = columns,
	) {
		this.columns = columns.map((column) => (column === REASON_COLUMN ? `${column} (row)` : column));
	}

	add(values: Record<string, unknown>, reason: string, { id, idName }: ExistingRecord): void {
		const cells = this.names.map((name) =>
			cellText(Object.hasOwn(values, name) ? values[name] : undefined),
		);
		if (id !== null && idName !== null) {
			const known = this.columns.findIndex(
				(column) => simplifyName(column) === simplifyName(idName),
			);
			if (known < 0) this.idColumn = plainCell(idName);
			else cells[known] ||= plainCell(id);
		}
		const more = this.names.includes(MORE_VALUES) ? '' : cellText(values[MORE_VALUES]);
		this.hasMore ||= more !== '';
		this.rows.push({
			cells: this.joined(cells),
			more,
			id: plainCell(id),
			reason: plainCell(reason),
		});
	}

	/** Undefined without rows. Begins with a byte-order mark, without which Excel garbles UTF-8. */
	async content(slice: Slice): Promise<Buffer | undefined> {
		if (this.rows.length === 0) return undefined;
		const line = (cells: string, more: string, id: string, reason: string): string => {
			const added = [
				...(this.hasMore ? [more] : []),
				...(this.idColumn === '' ? [] : [id]),
				reason,
			];
			return [cells, this.joined(added)].join(this.delimiter);
		};
		const chunks = new TextChunks();
		const head = line(this.joined(this.columns), MORE_VALUES, this.idColumn, REASON_COLUMN);
		chunks.add(`\uFEFF${head}\r\n`);
		for (const { cells, more, id, reason } of this.rows) {
			if (slice.isOver) await slice.yield();
			chunks.add(`${line(cells, more, id, reason)}\r\n`);
		}
		return await joinChunks(chunks.end(), slice);
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
