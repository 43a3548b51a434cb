import type { IDataObject } from 'n8n-workflow';
import { countBy, groupBy } from 'lodash';
import { z } from 'zod';

import type { RowStatus } from '../../../../shared/importFile/importReport';
import { counted } from '../../../../shared/service/counted';
import type { FoundRows, LeftOutRows } from '../../model';
import type { KnownRow } from './rowMemory';

/** Why a row that was sent before is not sent again, although it is not known to be imported. */
export interface HeldRow {
	/** `failed`: a part of it was stored. */
	status: 'failed' | 'unknown';
	reason: string;
}

const HELD_STATUSES = ['failed', 'unknown'] as const;

/** Names an import of a row in its result files. */
export function markOf({ key, attempt }: Pick<KnownRow, 'key' | 'attempt'>): string {
	return `${key}-${attempt}`;
}

/** The form stored with the started jobs; rows are numbered from 1. */
const storedSchema = z.object({
	unchanged: z.number(),
	/** E.g. `18:0f3a52c4d1e2b3a4:Ab3+xyzAb3+xyz12:2`: how the row is remembered; `!` after a doubt. */
	sent: z.string(),
	held: z
		.array(
			z.object({ status: z.enum(HELD_STATUSES), reason: z.string(), rows: z.array(z.number()) }),
		)
		.optional(),
});

/** A row to send; undefined if it cannot be written. */
type SentRow = KnownRow | undefined;

function storeRow(position: number, row: SentRow): string {
	if (!row) return `${position + 1}`;
	const { key, value, attempt, afterDoubt = false } = row;
	return `${position + 1}:${key}:${value}:${attempt}${afterDoubt ? '!' : ''}`;
}

function restoreRow(entry: string): [number, SentRow] {
	const [row = '', key, value, attempt = ''] = entry.split(':');
	if (key === undefined || value === undefined) return [Number(row) - 1, undefined];
	const known = { key, value, attempt: Number.parseInt(attempt, 10), is: 'open' } as const;
	return [Number(row) - 1, { ...known, ...(attempt.endsWith('!') && { afterDoubt: true }) }];
}

/** Rows that were sent before, and of which it is not known that they were imported. */
class HeldRows implements FoundRows {
	readonly leftOut: LeftOutRows;

	constructor(
		status: RowStatus,
		private readonly reasons: ReadonlyMap<number, string>,
		otherRows: string,
	) {
		const isLeftOut = (position: number) => reasons.has(position);
		this.leftOut = { status, count: reasons.size, isLeftOut, otherRows };
	}

	reasonAt(position: number): string | undefined {
		return this.reasons.get(position);
	}

	store(): IDataObject {
		return {};
	}
}

/** The rows of a list that are new or changed since they were imported, by their positions from 0. */
export class ChangedRows implements FoundRows {
	readonly leftOut: LeftOutRows;

	/** @param unchanged number of rows that are left out because they were imported */
	constructor(
		readonly sent: ReadonlyMap<number, SentRow>,
		private readonly unchanged: number,
		private readonly held: ReadonlyMap<number, HeldRow>,
	) {
		const isLeftOut = (position: number) => !sent.has(position);
		const { otherRows } = this;
		this.leftOut = { status: 'unchanged', count: unchanged, isLeftOut, otherRows };
	}

	private get otherRows(): string {
		return `the list was imported under this key already, and ${counted(this.sent.size, 'row is', 'rows are')} new or changed. Use a key with the date, e.g. sign-ups {{ $now.toISODate() }}. Skip Rows Imported Before sends no row again that was imported under the old key.`;
	}

	/** Held rows come first: a row that is held is not reported as unchanged. */
	get found(): FoundRows[] {
		const held = HELD_STATUSES.flatMap((status) => {
			const rows = [...this.held].filter(([, row]) => row.status === status);
			const reasons = new Map(rows.map(([position, { reason }]) => [position, reason]));
			return rows.length > 0 ? new HeldRows(status, reasons, this.otherRows) : [];
		});
		return [...held, this];
	}

	reasonAt(position: number): string | undefined {
		return this.leftOut.isLeftOut(position)
			? 'Imported before with the same values and fields; not sent again.'
			: undefined;
	}

	summary(): IDataObject {
		return { unchanged: this.unchanged };
	}

	shown(_rowCount: number, sentRows: number): IDataObject {
		const { failed: partlyStored = 0, unknown: inDoubt = 0 } = countBy(
			[...this.held.values()],
			'status',
		);
		return {
			...(partlyStored > 0 && { partlyStored }),
			...(inDoubt > 0 && { inDoubt }),
			unchanged: this.unchanged,
			newOrChanged: sentRows,
		};
	}

	/** The mark by which a later execution finds a row in results; undefined if the row is not remembered. */
	markAt(position: number): string | undefined {
		const row = this.sent.get(position);
		return row && markOf(row);
	}

	rowsBetween(first: number, end: number): KnownRow[] {
		return [...this.sent].flatMap(([position, row]) =>
			row && position >= first && position < end ? row : [],
		);
	}

	store(): IDataObject {
		const rows = [...this.sent].map(([position, row]) => storeRow(position, row));
		const groups = groupBy([...this.held], ([, { status, reason }]) => `${status} ${reason}`);
		const held = Object.values(groups).flatMap((group) => {
			const numbers = group.map(([position]) => position + 1);
			return group.slice(0, 1).map(([, row]) => ({ ...row, rows: numbers }));
		});
		const { unchanged } = this;
		return { changed: { unchanged, sent: rows.join(' '), ...(held.length > 0 && { held }) } };
	}

	static restore(stored: unknown): ChangedRows | undefined {
		const { data } = storedSchema.safeParse(stored);
		if (!data) return undefined;
		const { unchanged, sent, held = [] } = data;
		const rows = sent === '' ? [] : sent.split(' ').map(restoreRow);
		const heldRows = held.flatMap(({ status, reason, rows: numbers }) =>
			numbers.map((number): [number, HeldRow] => [number - 1, { status, reason }]),
		);
		return new ChangedRows(new Map(rows), unchanged, new Map(heldRows));
	}
}
