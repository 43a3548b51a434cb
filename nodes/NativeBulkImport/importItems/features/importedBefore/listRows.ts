import type { Slice } from '../../../../shared/importFile/importFiles';
import { mixHash } from '../../../../shared/importFile/samePerson';
import { anyOrderChecksum } from '../../../rows/importRows';
import type { FileMark, Part, SeenRows } from '../../model';

/** Rows that are compared; of a list with more, a sample. */
const MOST_COMPARED = 64;
/** Of smaller samples, the share says too little. */
const LEAST_COMPARED = 8;
const HASHES = 2 ** 32;
/** Rows by which the description of a job shows that it has nearly the same rows, each with 20 bits. */
const SHOWN_ROWS = 4;
const SHOWN_DIGITS = 4;
/** Of those, as many are in a list with nearly the same rows, and one alone says too little. */
const NEARLY_ALL = 0.75;
const LEAST_SHOWN = 2;

/** How many rows of a list were imported before. */
interface KnownShare {
	/** From 0 to 1. */
	share: number;
	/** E.g. `59 of these 60 rows were`. */
	text: string;
}

function shareText(known: number, rows: number): string {
	if (rows === 1) return 'this row was';
	if (known === rows) return `all of these ${rows} rows were`;
	return `${known} of these ${rows} rows ${known === 1 ? 'was' : 'were'}`;
}

/** Of a list of which only a share is known. */
export function estimateText(share: number, rows: number): string {
	return share === 1
		? `nearly all of these ${rows} rows were`
		: `about ${Math.max(1, Math.min(99, Math.round(100 * share)))}% of these ${rows} rows were`;
}

/** What the description of a job says of the whole list: its checksum, and a few of its rows. */
interface ListMark {
	checksum: string;
	shown: readonly string[];
}

const LIST_MARK = / of list ([0-9a-f]{8})([0-9a-v]*)$/;

/** Reads what a mark says of the list; undefined if it says nothing. */
export function listMarkOf({ after }: Pick<FileMark, 'after'>): ListMark | undefined {
	const [, checksum, rows = ''] = LIST_MARK.exec(after) ?? [];
	return checksum === undefined
		? undefined
		: { checksum, shown: rows.match(new RegExp(`.{${SHOWN_DIGITS}}`, 'g')) ?? [] };
}

/**
 * The rows of a list as they are sent, in any order: by them, a list is known again that was sorted, or lacks a
 * few rows, or has a few more.
 *
 * A large list has a sample: the rows whose hash is below a bound. Each level halves the bound. Two lists have the
 * same rows below the lower one of their bounds, however long they are, so each is known by its samples of its own
 * level and of all above it.
 */
export class ListRows {
	private constructor(
		private readonly rows: SeenRows,
		private readonly isSent: (position: number) => boolean,
		readonly count: number,
		readonly checksum: string,
		private readonly level: number,
		/** Below the bound of the level. */
		private readonly sample: readonly number[],
	) {}

	static async of(
		rows: SeenRows,
		isSent: (position: number) => boolean,
		slice: Slice,
	): Promise<ListRows> {
		let [count, sum, level] = [0, 0, 0];
		let bound = boundOf(level);
		let sample = new Set<number>();
		for (let position = 0; position < rows.count; position++) {
			if (slice.isOver) await slice.yield();
			const hash = rows.at(position);
			if (hash === 0 || !isSent(position)) continue;
			count++;
			sum = (sum + mixHash(hash)) | 0;
			if (hash >>> 0 >= bound) continue;
			sample.add(hash >>> 0);
			while (sample.size > MOST_COMPARED) sample = new Set(below(sample, ++level));
			bound = boundOf(level);
		}
		const checksum = anyOrderChecksum(sum, count);
		const sorted = [...sample].sort((a, b) => a - b);
		return new ListRows(rows, isSent, count, checksum, level, sorted);
	}

	/** How rows are compared, by the level of their samples. */
	private *compared(sample = this.sample): Generator<{ level: number; names: string[] }> {
		for (let { level } = this; level < 32; level++) {
			const rows = below(sample, level);
			if (rows.length === 0) return;
			yield { level, names: rows.map((hash) => rowName(level, hash)) };
		}
	}

	/** How the rows of a file are remembered, or those of the whole list. */
	namesIn(part?: Pick<Part, 'first' | 'end'>): string[] {
		const sample = part ? this.sampleIn(part) : this.sample;
		return [...this.compared(sample)].flatMap(({ names }) => names);
	}

	private sampleIn({ first, end }: Pick<Part, 'first' | 'end'>): number[] {
		const sample = new Set(this.sample);
		const own = new Set<number>();
		const bound = boundOf(this.level);
		const last = Math.min(end, this.rows.count);
		for (let position = first; position < last; position++) {
			const hash = this.rows.at(position) >>> 0;
			if (hash < bound && sample.has(hash) && this.isSent(position)) own.add(hash);
		}
		return [...own];
	}

	/** @param isKnown whether a list had a row with this name; undefined if none is known */
	shareOf(isKnown: (name: string) => boolean): KnownShare | undefined {
		const found = [...this.compared()].flatMap(({ level, names }) => {
			if (level > this.level && names.length < LEAST_COMPARED) return [];
			const known = names.filter(isKnown);
			return { level, known: new Set(known), share: known.length / names.length };
		});
		const most = Math.max(0, ...found.map(({ share }) => share));
		// Above the level of the other list, samples say the same and are smaller.
		const best = found.find(({ share }) => share > 0 && share >= most / 2);
		if (!best) return undefined;
		const { share, level, known } = best;
		if (level > 0) return { share, text: estimateText(share, this.count) };
		const rows = this.countRows((hash) => known.has(rowName(0, hash >>> 0)));
		return { share: rows / this.count, text: shareText(rows, this.count) };
	}

	/** Of a list that is not sampled. */
	private countRows(isOne: (hash: number) => boolean): number {
		let count = 0;
		for (let position = 0; position < this.rows.count; position++) {
			const hash = this.rows.at(position);
			if (hash !== 0 && this.isSent(position) && isOne(hash)) count++;
		}
		return count;
	}

	private get shown(): string[] {
		return this.sample
			.slice(0, SHOWN_ROWS)
			.map((hash) => (hash % 32 ** SHOWN_DIGITS).toString(32).padStart(SHOWN_DIGITS, '0'));
	}

	/** What a mark says of the list. */
	get mark(): string {
		return `of list ${this.checksum}${this.shown.join('')}`;
	}

	/** Whether a job has these rows. */
	isSame(mark: Pick<FileMark, 'after'>): boolean {
		return listMarkOf(mark)?.checksum === this.checksum;
	}

	/** Whether it has nearly all of them. */
	isNearlySame(mark: Pick<FileMark, 'after'>): boolean {
		const { shown } = this;
		const others = listMarkOf(mark)?.shown ?? [];
		const known = shown.filter((row) => others.includes(row));
		return known.length >= Math.max(LEAST_SHOWN, NEARLY_ALL * shown.length);
	}
}

function rowName(level: number, hash: number): string {
	return `${level} ${hash.toString(36)}`;
}

/** The hashes of a level are below it. */
function boundOf(level: number): number {
	return HASHES / 2 ** level;
}

function below(hashes: Iterable<number>, level: number): number[] {
	const bound = boundOf(level);
	return [...hashes].filter((hash) => hash < bound);
}
