import { isKnownHeader } from './headerSynonyms';

/** `Total`, `Grand total:`, `Record count`, `300 records`, and the same in other languages. */
const TOTAL =
	/^((grand |sub-? ?|report )?totals?|sum|summe|gesamt|insgesamt|suma|somme|total(es)? (general|général)|(record|row|contact|member|people|person)s? ?(count|total)|count|number of \p{L}+|total (number of )?\p{L}+)$/iu;

/** `Total`, and `: 300` after it. */
const WORDS = /^[^\d:=]*/;
const FIGURE = /^[:=]? ?(\d[\d.,]*)?$/;

/** `300 records`. */
const COUNTED = /^\d[\d.,]* (records?|rows?|people|contacts|members|names|total)\.?$/i;

/** What reports write below their rows. */
const FOOTER =
	/^(confidential\b|report (run|date|generated|created)|(generated|exported|printed|prepared|downloaded|created) (on|by|at|from)\b|run (date|on|by)\b|as of \d|page \d+( of \d+)?$|end of (report|list|file)|copyright\b|©|source:|notes?:|\*{2,})/i;

/** A part of each of them. Nearly no cell has one. */
const MAY_BE_TOTAL = /tot|sum|som|gesamt|count|number|\d/iu;

const LONGEST = 200;

const NUMBER = /^[-+$€£]?\d[\d.,]*%?$/;
/** What no header has. */
const NO_HEADER = /@|\d{3}/;

/** Whether the filled cells of a row are those of a total: `Total,,300`. */
export function isTotal(cells: readonly string[]): boolean {
	let isOne = false;
	for (const cell of cells) {
		if (NUMBER.test(cell)) continue;
		if (!MAY_BE_TOTAL.test(cell)) return false;
		const text = cell.slice(0, LONGEST).replace(/\s+/g, ' ').trim();
		const [words = ''] = WORDS.exec(text) ?? [];
		const isTotalOf = TOTAL.test(words.trimEnd()) && FIGURE.test(text.slice(words.length));
		if (!COUNTED.test(text) && !isTotalOf) return false;
		isOne = true;
	}
	return isOne;
}

export function isFooter(cell: string): boolean {
	return FOOTER.test(cell.slice(0, LONGEST));
}

/** Remembered texts: a list has few first names. */
const MOST_KNOWN = 5000;

/** Finds lines that name columns below the first line of a list. */
export class LaterHeaders {
	private readonly known = new Map<string, boolean>();

	/** Whether all filled cells of a row are headers. */
	isHeader(cells: readonly string[]): boolean {
		if (cells.length <= 2 || this.known.get(cells[0] ?? '') === false) return false;
		// Most rows end with an address, a number or a date.
		for (let index = cells.length - 1; index >= 0; index--)
			if (NO_HEADER.test(cells[index] ?? '')) return false;
		for (const cell of cells) if (!this.isKnown(cell)) return false;
		return true;
	}

	private isKnown(cell: string): boolean {
		const known = this.known.get(cell);
		if (known !== undefined) return known;
		if (this.known.size >= MOST_KNOWN) this.known.clear();
		const isOne = cell.length < 60 && isKnownHeader(cell);
		this.known.set(cell, isOne);
		return isOne;
	}
}
