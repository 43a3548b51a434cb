import { sortBy } from 'lodash';

import { detach } from './delimitedText';
import type { Slice } from './importFiles';
import type { ResultRow } from './resultFile';

/** Records named for people; further ones are only counted. */
const NAMED_RECORDS = 100;
const NAMED_ROWS = 20;

/** Rows per bucket that are compared with each other at a time. */
const BUCKET_ROWS = 4096;

/** Spreads IDs that are all multiples of some number. */
function bucketOf(id: number, buckets: number): number {
	return (Math.imul(id | 0, 0x9e3779b1) >>> 0) % buckets;
}

export interface RepeatedRecord {
	id: number | string;
	/** The first ones, from 0. */
	positions: number[];
	rows: number;
}

function firstRecords(records: readonly RepeatedRecord[]): RepeatedRecord[] {
	return sortBy(records, ({ positions: [first] }) => first).slice(0, NAMED_RECORDS);
}

/** Finds rows with the same record ID: they are one record, e.g. one person. Memory is a number per row. */
export class RecordIds {
	private readonly ids: Float64Array;
	/** IDs that are texts, or of another kind than the first. */
	private readonly others: Array<{ primaryKey: number | string; primaryKeyType: string | null }> =
		[];
	private readonly codes = new Map<string, number>();
	private type: string | null | undefined;

	constructor(rowCount: number) {
		this.ids = new Float64Array(rowCount).fill(Number.NaN);
	}

	add(position: number, { primaryKey, primaryKeyType }: ResultRow): void {
		if (primaryKey === null) return;
		this.type ??= primaryKeyType;
		// An ID of another kind is another record, even if the number is the same.
		const isNumber = typeof primaryKey === 'number' && primaryKey >= 0;
		this.ids[position] =
			isNumber && this.type === primaryKeyType
				? primaryKey
				: this.codeOf(primaryKey, primaryKeyType);
	}

	/** The record of a row, as far as it is known. */
	of(position: number): Pick<ResultRow, 'primaryKey' | 'primaryKeyType'> {
		const code = this.ids[position] ?? Number.NaN;
		if (Number.isNaN(code)) return { primaryKey: null, primaryKeyType: null };
		return this.others[-code - 1] ?? { primaryKey: code, primaryKeyType: this.type ?? null };
	}

	/** @returns how many rows belong to a record that an earlier row has, and the records */
	async find(slice: Slice): Promise<{ rows: number; records: RepeatedRecord[] }> {
		const buckets = Math.ceil(this.ids.length / BUCKET_ROWS);
		const positions: number[][] = Array.from({ length: buckets }, () => []);
		for (const [position, id] of this.ids.entries()) {
			if (slice.isOver) await slice.yield();
			if (!Number.isNaN(id)) positions[bucketOf(id, buckets)]?.push(position);
		}
		let rows = 0;
		let records: RepeatedRecord[] = [];
		for (const bucket of positions) {
			if (slice.isOver) await slice.yield();
			for (const record of this.repeatedIn(bucket)) {
				rows += record.rows - 1;
				records.push(record);
			}
			if (records.length > 2 * NAMED_RECORDS) records = firstRecords(records);
		}
		return { rows, records: firstRecords(records) };
	}

	private repeatedIn(bucket: readonly number[]): RepeatedRecord[] {
		const firsts = new Map<number, number>();
		const repeated = new Map<number, RepeatedRecord>();
		for (const position of bucket) {
			const code = this.ids[position] ?? 0;
			const first = firsts.get(code);
			if (first === undefined) firsts.set(code, position);
			else {
				const id = this.others[-code - 1]?.primaryKey ?? code;
				const record = repeated.get(code) ?? { id, positions: [first], rows: 1 };
				repeated.set(code, record);
				if (record.rows++ < NAMED_ROWS) record.positions.push(position);
			}
		}
		return [...repeated.values()];
	}

	/** A negative number that stands for an ID. */
	private codeOf(primaryKey: number | string, primaryKeyType: string | null): number {
		const key = `${primaryKeyType} ${primaryKey}`;
		const known = this.codes.get(key);
		if (known !== undefined) return known;
		this.others.push(detach({ primaryKey, primaryKeyType }));
		const code = -this.others.length;
		this.codes.set(detach(key), code);
		return code;
	}
}
