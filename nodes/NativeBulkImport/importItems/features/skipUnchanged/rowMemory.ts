import { chunk, partition } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';

import { type MemorySteps, NodeMemory } from '../../../../shared/execution/nodeMemory';
import { rethrow } from '../../../../shared/transport/rethrow';

/** A row as it is remembered: checksums of its key, and of its key, its values and what is done with them. */
export interface RowMark {
	key: string;
	value: string;
}

/**
 * `open`: the row is to be sent. `imported`: it is stored with these values. `partly`: a part of it is
 * stored. `inDoubt`: it was sent, but its outcome is not known.
 */
export interface RowState {
	is: 'open' | 'imported' | 'partly' | 'inDoubt';
	/** Counts the imports of the row, from 0: the current one, or the next one of an open row. */
	attempt: number;
	/** Whether the import before this one is in doubt. */
	afterDoubt?: boolean;
	/** Imports that may be the last stored one. Only set if one of them had the same values. */
	mayBeLast?: EarlierImport[] | undefined;
}

/** An earlier import of a row. */
export interface EarlierImport {
	attempt: number;
	isSettled: boolean;
	hasSameValues: boolean;
}

export type KnownRow = RowMark & RowState;

/** Remembered while n8n holds texts that are only being looked up. */
const COMPARING = 'comparing';
const LOOKED_AT_ONCE = 2000;
/** Imports of one row that are looked for in one call. */
const ATTEMPTS_AT_ONCE = 2;
const OLDEST_AT_ONCE = 500;
/** Texts that are no longer needed after an import: more are left in the memory. */
const MOST_FORGOTTEN = 5000;
/** Two for each of 100,000 rows, and room for those that have left the list. */
const MOST_TEXTS = 400_000;

/** The outcome of the import is known. For attempt 0, this is forgotten once the next attempt begins. */
const settled = ({ key }: RowMark, attempt: number): string => `settled ${key} ${attempt}`;
const begun = ({ key }: RowMark, attempt: number): string => `begun ${key} ${attempt}`;
const valueOf = ({ value }: RowMark, attempt: number): string => `value ${value} ${attempt}`;
const partly = ({ key }: RowMark, attempt: number): string => `partly ${key} ${attempt}`;
/** The next import began before the outcome of this one was known. */
const passed = ({ key }: RowMark, attempt: number): string => `passed ${key} ${attempt}`;
const runText = (run: string): string => `run ${run}`;

/** More rows are new or changed than the caller wants to look up. */
class TooManyNew extends Error {}

/** Looks up texts, and forgets those that were not known. */
class Look {
	/** Looking up a text remembers it: looked up again, it still was not known. */
	private readonly unknown = new Set<string>();

	constructor(
		private readonly steps: MemorySteps,
		private readonly mostNew: number,
	) {}

	async known(texts: readonly string[]): Promise<Set<string>> {
		const isBounded = Number.isFinite(this.mostNew);
		const known = new Set<string>();
		let unknown = 0;
		for (const some of isBounded ? chunk(texts, LOOKED_AT_ONCE) : [texts]) {
			const found = await this.steps.record(some);
			for (const text of some) {
				if (found.has(text) && !this.unknown.has(text)) known.add(text);
				else this.unknown.add(text);
			}
			unknown += some.filter((text) => !known.has(text)).length;
			this.checkNew(unknown);
		}
		return known;
	}

	checkNew(rows: number): void {
		if (rows > this.mostNew) throw new TooManyNew();
	}

	async end(): Promise<void> {
		await this.steps.forget([...this.unknown, COMPARING]);
	}
}

/** The number of the last settled import of each row that has changed since its first one; -1 if there is none. */
async function lastSettled(look: Look, rows: readonly RowMark[]): Promise<number[]> {
	const last = rows.map(() => -1);
	let open = [...rows.keys()];
	for (let first = 1; open.length > 0; first += first === 1 ? 1 : ATTEMPTS_AT_ONCE) {
		const attempts = Array.from(
			{ length: first === 1 ? 1 : ATTEMPTS_AT_ONCE },
			(_, i) => first + i,
		);
		const textsOf = (index: number): string[] => {
			const row = rows[index];
			return row ? attempts.map((attempt) => settled(row, attempt)) : [];
		};
		const known = await look.known(open.flatMap(textsOf));
		open = open.filter((index) => {
			const count = textsOf(index).findIndex((text) => !known.has(text));
			if (count !== 0) last[index] = first + (count < 0 ? attempts.length : count) - 1;
			return count < 0;
		});
	}
	return last;
}

/** The state of rows that are not as they were after their first import. */
async function readOthers(look: Look, rows: readonly RowMark[]): Promise<RowState[]> {
	const last = await lastSettled(look, rows);
	const known = await look.known(
		rows.flatMap((row, index) => {
			const attempt = last[index] ?? -1;
			return attempt < 0
				? [begun(row, 0), begun(row, 1)]
				: [begun(row, attempt + 1), passed(row, attempt)];
		}),
	);
	return rows.map((row, index): RowState => {
		const attempt = last[index] ?? -1;
		const next = attempt < 0 ? 1 : attempt + 1;
		if (known.has(begun(row, next))) return { is: 'inDoubt', attempt: next };
		if (attempt < 0 && known.has(begun(row, 0))) return { is: 'inDoubt', attempt: 0 };
		if (attempt < 0) return { is: 'open', attempt: 0 };
		return { is: known.has(passed(row, attempt)) ? 'inDoubt' : 'imported', attempt };
	});
}

/** For rows in doubt: the imports that may be the last stored one, from the latest back to a settled one. */
async function readEarlier(look: Look, rows: readonly KnownRow[]): Promise<EarlierImport[][]> {
	const earlier = rows.map((row): EarlierImport[] => [
		{ attempt: row.attempt - 1, isSettled: false, hasSameValues: false },
	]);
	let open = rows.flatMap((row, index) => (row.attempt > 1 ? { row, index } : []));
	for (let back = 2; open.length > 0; back++) {
		const known = await look.known(
			open.flatMap(({ row }) => [
				valueOf(row, row.attempt - back),
				passed(row, row.attempt - back),
			]),
		);
		open = open.filter(({ row, index }) => {
			const attempt = row.attempt - back;
			const isSettled = !known.has(passed(row, attempt));
			const hasSameValues = known.has(valueOf(row, attempt));
			earlier[index]?.push({ attempt, isSettled, hasSameValues });
			return !isSettled && attempt > 0;
		});
	}
	return earlier;
}

async function readStates(look: Look, rows: readonly RowMark[]): Promise<KnownRow[]> {
	const first = await look.known(rows.map((row) => settled(row, 0)));
	const later = rows.filter((row) => !first.has(settled(row, 0)));
	const read = await readOthers(look, later);
	const laterStates = new Map(later.map((row, index) => [row.key, read[index]]));
	const unchanged = await look.known(
		rows.flatMap((row) => (laterStates.has(row.key) ? [] : valueOf(row, 0))),
	);
	const changed = rows.filter(
		(row) => !laterStates.has(row.key) && !unchanged.has(valueOf(row, 0)),
	);
	look.checkNew(changed.length + later.length);
	// n8n was stopped after the row was begun and before it was sent.
	const again = await look.known(changed.map((row) => begun(row, 1)));
	const known = rows.map((row): KnownRow => {
		const first: RowState = again.has(begun(row, 1))
			? { is: 'inDoubt', attempt: 1 }
			: { is: 'imported', attempt: 0 };
		return { ...row, ...(laterStates.get(row.key) ?? first) };
	});
	const before = known.filter(
		({ is, attempt }) => (is !== 'open' && attempt > 0) || is === 'inDoubt',
	);
	const others = await look.known(before.map((row) => valueOf(row, row.attempt)));
	const isSame = (row: KnownRow): boolean => {
		const text = valueOf(row, row.attempt);
		return unchanged.has(text) || others.has(text);
	};
	const doubts = before.filter(({ is }) => is === 'inDoubt');
	const parts = await look.known(doubts.map((row) => partly(row, row.attempt)));
	const states = known.map((row): KnownRow => {
		const { is, attempt } = row;
		if (is === 'open') return row;
		const isPartly = parts.has(partly(row, attempt));
		if (isSame(row)) return { ...row, is: isPartly ? 'partly' : is };
		const next = { ...row, is: 'open', attempt: attempt + 1 } as const;
		return is === 'inDoubt' ? { ...next, afterDoubt: true } : next;
	});
	const afterDoubt = states.filter((row) => row.afterDoubt);
	const earlier = await readEarlier(look, afterDoubt);
	const mayBeLast = new Map(afterDoubt.map((row, index) => [row.key, earlier[index] ?? []]));
	return states.map((row) => {
		const before = mayBeLast.get(row.key);
		const isSameAgain = before?.some(({ hasSameValues }) => hasSameValues);
		return isSameAgain ? { ...row, mayBeLast: before } : row;
	});
}

/** Remembers the rows that a node imported, by their keys. It changes only when a file is about to be sent, or later. */
export class RowMemory {
	private readonly memory: NodeMemory;

	/** Throws InvalidInput where n8n has no place for it. */
	constructor(functions: IExecuteFunctions, field: string) {
		this.memory = new NodeMemory(functions, field);
	}

	/**
	 * Compares rows and changes nothing. If n8n is stopped during the comparison, texts that were only looked
	 * up can no longer be told from those of imported rows.
	 * @param mostNew gives up at more new or changed rows, because n8n is slow at forgetting texts
	 * @returns `stopped` if n8n was stopped in an earlier comparison
	 */
	async read(
		rows: readonly RowMark[],
		mostNew = Number.POSITIVE_INFINITY,
	): Promise<KnownRow[] | 'stopped' | 'tooManyNew' | 'full'> {
		return await this.memory.inTurn(async (steps) => {
			const count = await steps.count();
			// One text alone tells nothing about a row.
			if (count <= 1) return rows.map((row) => ({ ...row, is: 'open', attempt: 0 }) as const);
			if (count > MOST_TEXTS) return 'full';
			if ((await steps.record([COMPARING])).size > 0) return 'stopped';
			const look = new Look(steps, mostNew);
			try {
				return await readStates(look, rows);
			} catch (error) {
				if (error instanceof TooManyNew) return 'tooManyNew';
				return rethrow(error);
			} finally {
				await look.end();
			}
		});
	}

	/** The runs of this node whose rows are in doubt. */
	async runsInDoubt(runs: readonly string[]): Promise<Set<string>> {
		return await this.memory.inTurn(async (steps) => {
			const known = await steps.record(runs.map(runText));
			await steps.forget(runs.map(runText).filter((text) => !known.has(text)));
			return new Set(runs.filter((run) => known.has(runText(run))));
		});
	}

	/**
	 * Remembers that rows are about to be sent: until their outcome is known, they are in doubt.
	 * @returns whether no other run has begun one of them since they were compared
	 */
	async begin(run: string, rows: readonly KnownRow[]): Promise<boolean> {
		return await this.memory.inTurn(async (steps) => {
			const texts = rows.map((row) => begun(row, row.attempt));
			const known = await steps.record([runText(run), ...texts]);
			if (texts.some((text) => known.has(text))) {
				await steps.forget(texts.filter((text) => !known.has(text)));
				return false;
			}
			await steps.record([
				...rows.map((row) => valueOf(row, row.attempt)),
				...rows.flatMap((row) => {
					if (!row.afterDoubt) return [];
					const before = row.attempt - 1;
					return [passed(row, before), ...(before > 0 ? [settled(row, before)] : [])];
				}),
			]);
			await steps.forget(
				rows.flatMap((row) => {
					if (row.attempt === 0) return [];
					// A run that still waits for the previous import then sees that it was passed.
					return [settled(row, 0), ...(row.afterDoubt ? [begun(row, row.attempt - 1)] : [])];
				}),
			);
			return true;
		});
	}

	/**
	 * Remembers that rows were imported.
	 * @returns how many of them another run has sent with other values in the meantime
	 */
	async settle(rows: readonly KnownRow[]): Promise<number> {
		return await this.memory.inTurn(async (steps) => {
			const known = await steps.record(rows.map((row) => begun(row, row.attempt)));
			const isBegun = (row: KnownRow) => row.is === 'inDoubt' || known.has(begun(row, row.attempt));
			const others = rows.filter((row) => !isBegun(row));
			await steps.forget(others.map((row) => begun(row, row.attempt)));
			const { passedRows, lost } = await this.judgeUnbegun(steps, others);
			await steps.record(lost.map((row) => valueOf(row, row.attempt)));
			const now = [...rows.filter(isBegun), ...lost];
			const doubts = now.filter(({ is }) => is === 'inDoubt');
			await steps.forget(doubts.flatMap((row) => (row.attempt > 0 ? settled(row, 0) : [])));
			await steps.record(now.map((row) => settled(row, row.attempt)));
			const done = now.map((row) => begun(row, row.attempt));
			await steps.forget(doubts.map((row) => passed(row, row.attempt)));
			if (done.length <= MOST_FORGOTTEN) await steps.forget(done);
			// In a first import, they are the oldest texts, which n8n finds at once.
			else if ((await steps.count()) < 4 * done.length) await steps.forget(done, OLDEST_AT_ONCE);
			return passedRows.length;
		});
	}

	/** Remembers that rows are stored with their current values, because no import in doubt was stored. */
	async settleAgain(rows: readonly KnownRow[]): Promise<void> {
		await this.memory.inTurn(async (steps) => {
			await steps.record(
				rows.flatMap((row) => {
					const before = row.attempt - 1;
					return [
						valueOf(row, row.attempt),
						passed(row, before),
						...(before > 0 ? [settled(row, before)] : []),
						settled(row, row.attempt),
					];
				}),
			);
			await steps.forget(rows.flatMap((row) => [settled(row, 0), begun(row, row.attempt - 1)]));
		});
	}

	/** Remembers that a part of each row was stored: it is not sent again. */
	async settlePartly(rows: readonly KnownRow[]): Promise<void> {
		await this.memory.inTurn(async (steps) => {
			await steps.record(rows.map((row) => partly(row, row.attempt)));
		});
	}

	/** Undoes `begin` for rows of which nothing was stored. */
	async takeBack(rows: readonly KnownRow[]): Promise<void> {
		await this.memory.inTurn(async (steps) => {
			const texts = rows.flatMap((row) => [valueOf(row, row.attempt), begun(row, row.attempt)]);
			if ((await steps.count()) <= texts.length + 1) {
				const known = await steps.record(texts);
				// Otherwise they were taken back before, and the texts belong to other rows.
				if (known.size === texts.length) return await steps.forgetAllBut('empty');
			}
			const second = rows.filter(({ attempt }) => attempt === 1);
			const doubts = second.filter(({ is }) => is === 'inDoubt').map((row) => passed(row, 0));
			const afterDoubt =
				doubts.length === 0
					? new Set<string>()
					: await this.look(steps, async (look) => await look.known(doubts));
			const first = second.filter((row) => !row.afterDoubt && !afterDoubt.has(passed(row, 0)));
			const passedRows = second.filter((row) => !first.includes(row));
			await steps.record([
				...first.map((row) => settled(row, 0)),
				...passedRows.map((row) => begun(row, 0)),
			]);
			await steps.forget(texts);
		});
	}

	/** Imports before each row, from the latest to a settled one. */
	async earlier(rows: readonly KnownRow[]): Promise<EarlierImport[][]> {
		if (rows.length === 0) return [];
		return await this.memory.inTurn(
			async (steps) => await this.look(steps, async (look) => await readEarlier(look, rows)),
		);
	}

	/**
	 * Rows that are not known to have begun: another run passed them, n8n could not remember that they began, or
	 * they were settled before, because n8n can run the end of an import twice.
	 */
	private async judgeUnbegun(
		steps: MemorySteps,
		rows: readonly KnownRow[],
	): Promise<Record<'passedRows' | 'lost', KnownRow[]>> {
		if (rows.length === 0) return { passedRows: [], lost: [] };
		const known = await this.look(
			steps,
			async (look) =>
				await look.known(
					rows.flatMap((row) => [settled, valueOf, passed].map((text) => text(row, row.attempt))),
				),
		);
		const open = rows.filter(
			(row) => ![settled, valueOf].every((text) => known.has(text(row, row.attempt))),
		);
		const [passedRows, lost] = partition(open, (row) => known.has(passed(row, row.attempt)));
		return { passedRows, lost };
	}

	private async look<T>(steps: MemorySteps, work: (look: Look) => Promise<T>): Promise<T> {
		await steps.record([COMPARING]);
		const look = new Look(steps, Number.POSITIVE_INFINITY);
		try {
			return await work(look);
		} finally {
			await look.end();
		}
	}

	/** Once no row of the runs is in doubt. */
	async end(runs: readonly string[]): Promise<void> {
		await this.memory.remove(runs.map(runText));
	}
}
