import type { IDataObject } from 'n8n-workflow';

import { stableText } from '../../../shared/importFile/rejectedRows';
import { GrowingInts, mixHash } from '../../../shared/importFile/samePerson';

const PRIME = 16_777_619;
const START = 0x811c9dc5;

/** FNV-1a, continued over a text. */
function hashText(start: number, text: string): number {
	let hash = start;
	for (let index = 0; index < text.length; index++)
		hash = Math.imul(hash ^ text.charCodeAt(index), PRIME);
	return hash;
}

/** Short checksums of row ranges, to recognise imported rows. */
export class RowChecksums {
	private readonly rows = new GrowingInts();
	count = 0;
	private readonly names = new Map<string, number>();

	/** Every value counts, except blank ones; their order does not. */
	addItem(json: IDataObject): void {
		let hash = 0;
		for (const name in json) hash = (hash + this.valueHash(name, json[name])) | 0;
		this.rows.set(this.count++, hash);
	}

	/** @param row undefined if it cannot be read */
	addRow(columns: readonly string[], row: readonly string[] | undefined): void {
		let hash = 0;
		if (row)
			for (let index = 0; index < columns.length; index++)
				hash = (hash + this.valueHash(columns[index] ?? '', row[index])) | 0;
		this.rows.set(this.count++, hash);
	}

	/**
	 * Rows `first` to before `end`, as eight hexadecimal digits.
	 * @param common what all rows have in common
	 */
	of(first: number, end: number, common = ''): string {
		let hash = hashText(START, common);
		for (let row = first; row < Math.min(end, this.count); row++)
			hash = Math.imul(hash ^ this.rows.get(row), PRIME) + row;
		return (mixHash(hash) >>> 0).toString(16).padStart(8, '0');
	}

	private valueHash(name: string, value: unknown): number {
		const text = stableText(value);
		if (text === '') return 0;
		let start = this.names.get(name);
		if (start === undefined) {
			start = hashText(START, name);
			this.names.set(name, start);
		}
		return mixHash(hashText(start, text));
	}
}

/** Of one text, as eight hexadecimal digits. */
export function textChecksum(text: string): string {
	return new RowChecksums().of(0, 0, text);
}
