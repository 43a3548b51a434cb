import type { IDataObject } from 'n8n-workflow';

const PRIME = 16_777_619;
const START = 0x811c9dc5;

/** FNV-1a, continued over a text. */
function hashText(start: number, text: string): number {
	let hash = start;
	for (let index = 0; index < text.length; index++)
		hash = Math.imul(hash ^ text.charCodeAt(index), PRIME);
	return hash;
}

/** A value as a text that does not change when n8n stores the item and reads it again. */
function stableText(value: unknown): string {
	if (value === null || value === undefined) return '';
	if (typeof value !== 'object') return String(value);
	if ('toJSON' in value && typeof value.toJSON === 'function') return String(value.toJSON());
	return JSON.stringify(value);
}

/** Short checksums of ranges of rows: they tell whether rows are those that were imported. */
export class RowChecksums {
	private rows = new Uint32Array(1024);
	/** How many rows were added. */
	count = 0;
	private readonly names = new Map<string, number>();

	/** Adds a row of which every value counts, blank ones and their order aside. */
	addItem(json: IDataObject): void {
		let hash = 0;
		for (const name in json) hash = (hash + this.valueHash(name, json[name])) | 0;
		this.add(hash);
	}

	/** Adds a row of a file; undefined stands for one that cannot be read. */
	addRow(columns: readonly string[], row: readonly string[] | undefined): void {
		let hash = 0;
		if (row)
			for (let index = 0; index < columns.length; index++)
				hash = (hash + this.valueHash(columns[index] ?? '', row[index])) | 0;
		this.add(hash);
	}

	/** Of the rows from the position `first` to before `end`, as eight hexadecimal digits. */
	of(first: number, end: number): string {
		let hash = START;
		for (let row = first; row < Math.min(end, this.count); row++)
			hash = Math.imul(hash ^ (this.rows[row] ?? 0), PRIME) + row;
		return (hash >>> 0).toString(16).padStart(8, '0');
	}

	private add(hash: number): void {
		if (this.count === this.rows.length) {
			const larger = new Uint32Array(this.count * 2);
			larger.set(this.rows);
			this.rows = larger;
		}
		this.rows[this.count++] = hash;
	}

	private valueHash(name: string, value: unknown): number {
		const text = stableText(value);
		if (text === '') return 0;
		let start = this.names.get(name);
		if (start === undefined) {
			start = hashText(START, name);
			this.names.set(name, start);
		}
		return hashText(start, text);
	}
}
