import type { IDataObject } from 'n8n-workflow';

import { stableText } from '../../../shared/importFile/rejectedRows';
import { mixHash } from '../../../shared/importFile/samePerson';

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
	private readonly rows: number[] = [];
	private readonly names = new Map<string, number>();

	get count(): number {
		return this.rows.length;
	}

	/** Every value counts, except blank ones; their order does not. */
	addItem(json: IDataObject): void {
		let hash = 0;
		for (const name in json) hash = (hash + this.valueHash(name, json[name])) | 0;
		this.rows.push(hash);
	}

	/** @param row undefined if it cannot be read */
	addRow(columns: readonly string[], row: readonly string[] | undefined): void {
		let hash = 0;
		if (row)
			for (let index = 0; index < columns.length; index++)
				hash = (hash + this.valueHash(columns[index] ?? '', row[index])) | 0;
		this.rows.push(hash);
	}

	/**
	 * Rows `first` to before `end`, as eight hexadecimal digits.
	 * @param common what all rows have in common
	 */
	of(first: number, end: number, common = ''): string {
		const hash = this.rows
			.slice(first, end)
			.reduce(
				(before, row, index) => Math.imul(before ^ row, PRIME) + first + index,
				hashText(START, common),
			);
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
