import { isNorthAmerican } from '../service/phoneNumber';
import { isBlank } from './columnValues';
import { looksLikeDate, looksLikeEmail } from './valueKinds';
import { firstRecords } from './delimitedText';
import { isKnownHeader } from './headerSynonyms';

/** Records at the beginning of a file that are read to find the one which names the columns. */
export const READ_RECORDS = 20;

/** Cells read of a record: with more, reading headers would take longer than the rest of the file. */
const READ_CELLS = 30;

/** Columns of all kinds of lists, apart from those that feed a field. */
const GENERAL =
	/^(id|(van|native|external|contribution|contact|member|person)[ _]?id|date|amount|notes?|comments?|status|type|source|tags?|county|precinct|party|district|code|created( at)?|timestamp)$/i;

type HeaderLine =
	| {
			/** Index of the record that names the columns. */
			at: number;
	  }
	| {
			/** Two records that could both name them. */
			rivals: readonly [number, number];
	  }
	| {
			/** A value in the first record, where no record names the columns. */
			value: string;
	  };

const filledCells = (record: readonly string[]): string[] =>
	record.filter((cell) => !isBlank(cell)).map((cell) => cell.trim());

/** Numbers, but not a year, which can name the column of an election. */
const isNumber = (cell: string): boolean =>
	/^[-+$€£]?\d[\d.,]{2,}$/.test(cell) && !/^(19|20)\d\d$/.test(cell);

const isContact = (cell: string): boolean => {
	if (cell.length > 100) return false;
	const digits = cell.replace(/\D/g, '');
	return looksLikeEmail(cell) || (isNorthAmerican(digits) && /^[+(\d][\d\s().-]+$/.test(cell));
};

const isValue = (cell: string): boolean =>
	isContact(cell) || (cell.length <= 100 && (isNumber(cell) || looksLikeDate(cell)));

function knownHeaders(record: readonly string[]): number {
	const cells = new Set(filledCells(record.slice(0, READ_CELLS)));
	return [...cells].filter((cell) => GENERAL.test(cell) || isKnownHeader(cell)).length;
}

/** Whether no cell is a value. */
function canBeHeader(record: readonly string[]): boolean {
	return !record.slice(0, READ_CELLS).some((cell) => isValue(cell.trim()));
}

/** `sep=;` tells Excel the delimiter. */
const SEPARATOR_LINE = /^sep=(.?)$/i;

function isSeparatorLine(record: readonly string[]): boolean {
	return SEPARATOR_LINE.test(record[0] ?? '') && filledCells(record).length === 1;
}

/**
 * Finds the record that names the columns: the first one, unless a later one of the first {@link READ_RECORDS}
 * certainly does.
 */
export function findHeaderLine(records: readonly string[][]): HeaderLine {
	const start = records[0] && isSeparatorLine(records[0]) ? 1 : 0;
	const first = records[start] ?? [];
	const known = knownHeaders(first);
	const filled = filledCells(first).length;
	const isWhole = filled === first.length && filled > 1;
	const contact = first.find((cell) => isContact(cell.trim()))?.trim();
	// Home, Cell and MI are values, too.
	const isPerson = contact !== undefined && known * 2 <= filled;
	if (known > 1 && isWhole && !isPerson) return { at: start };
	const candidates = records.flatMap((record, at) => {
		// A title or a group has fewer cells than the columns below it.
		const isFuller = at > start && filledCells(record).length > filled;
		const count = isFuller && canBeHeader(record) ? knownHeaders(record) : 0;
		return count > 1 && count > known ? [{ at, count, record }] : [];
	});
	const [found] = candidates;
	if (found) {
		// A line of groups, such as "Name,,Address,,": the names of the columns stand below it.
		if (known > 0 && filled * 2 > filledCells(found.record).length + 1) return { at: start };
		const rival = candidates.find(
			({ at, count, record }) =>
				at > found.at && count >= found.count && record.join('\n') !== found.record.join('\n'),
		);
		return rival ? { rivals: [found.at, rival.at] } : { at: found.at };
	}
	if (known > 0 && !isPerson) return { at: start };
	// A title stands alone above columns that nobody knows.
	const below = records.findIndex(
		(record, at) => at > start && filledCells(record).length > 2 && canBeHeader(record),
	);
	if (filled === 1 && below > 0) return { at: below };
	return contact === undefined ? { at: start } : { value: contact };
}

/** The most frequent delimiter in the first line that has one. */
function mostFrequent(text: string, candidates: readonly string[]): string | undefined {
	const lines = text.replace(/"[^"]*"/g, '').split(/[\r\n]+/, READ_RECORDS);
	for (const line of lines) {
		const counts = candidates.map((candidate) => line.split(candidate).length - 1);
		const most = Math.max(...counts);
		if (most > 0) return candidates[counts.indexOf(most)];
	}
	return undefined;
}

/**
 * What separates the columns: the delimiter that gives most known headers, else the most frequent one in the
 * first line that has one; undefined if none does.
 * @param text the beginning of a file
 */
export function detectedDelimiter(text: string, candidates: readonly string[]): string | undefined {
	const [, named = ''] = SEPARATOR_LINE.exec(text.split(/[\r\n]/, 1)[0]?.trimEnd() ?? '') ?? [];
	if (candidates.includes(named)) return named;
	const usual = mostFrequent(text, candidates);
	if (usual === undefined) return undefined;
	const countWith = (delimiter: string, most: number): number =>
		Math.max(0, ...firstRecords(text, delimiter, most).map(knownHeaders));
	if (countWith(usual, 1) > 1) return usual;
	const counts = candidates.map((candidate) => countWith(candidate, READ_RECORDS));
	const most = Math.max(...counts);
	return most > 1 ? candidates[counts.indexOf(most)] : usual;
}
