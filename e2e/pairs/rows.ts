/** The outcome of a row, in the words of docs/import/outcomes.md. */
export const STATUSES = [
	'imported',
	'failed',
	'missing',
	'invalid',
	'duplicate',
	'unchanged',
	'notSent',
	'unknown',
] as const;
export type Status = (typeof STATUSES)[number];

/** Not imported, and to be looked at by a person. */
export const REJECTED: ReadonlySet<Status> = new Set([
	'failed',
	'missing',
	'invalid',
	'notSent',
	'unknown',
]);

/** A value of a list, and what is known about it. */
export interface Cell {
	/** The value as the list has it; a date is written as the story's options say. */
	given: unknown;
	/** What Clean Values makes of it, if that is something else. */
	clean?: string;
	/** The day, yyyy-mm-dd, if it is a date. */
	day?: string;
	/** It is not a value of its column; only Clean Values sees that. */
	isWrong?: RegExp;
	/** A column of the row says that the person refuses it. */
	isOptedOut?: true;
	/** A person's correction. */
	correction?: string;
}

/** A row of a list, and what is known about it. */
export interface GivenRow {
	/** In the column of the key. */
	id: string;
	cells: Record<string, Cell>;
	/** Why it can never be sent. */
	problem?: RegExp;
	/** It is not a person, such as a total: that does not stop an import. */
	isNobody?: true;
	/** In a file, it has more values than columns. */
	isTooWide?: boolean;
	/** The ID of the row that is the same person, and by what. */
	twinOf?: string;
}

/** A wrong value that the service rejects. */
const STILL_WRONG = 'no..again@example.org';

/**
 * What a person types on the page for a row that was rejected, by the column: for every other row with an
 * email address, another wrong one. Undefined if there is nothing to correct.
 */
export function typedFor({ id, cells }: GivenRow): Record<string, string> | undefined {
	const corrections = Object.entries(cells).flatMap(([name, { correction }]) =>
		correction === undefined ? [] : [[name, correction] as const],
	);
	if (corrections.length === 0) return undefined;
	const isWrong = (id.charCodeAt(id.length - 1) ?? 0) % 2 === 1;
	return Object.fromEntries(
		corrections.map(([name, text]) => [name, isWrong && name === 'Email' ? STILL_WRONG : text]),
	);
}

/** A row in an import: what should become of it. */
export interface JudgedRow {
	row: GivenRow;
	/** In the list, from 0. */
	position: number;
	/** By the ID of the field, as they are sent; blank ones are left out. */
	texts: Record<string, string>;
	status: Status;
	/** What the reason says; undefined where there is none. */
	reason?: RegExp;
	/** The record that the service has for it. */
	recordId?: number;
	/** The file that it is sent with, from 0. */
	file?: number;
	/** Other statuses that are as true. */
	orElse?: Status[];
}

export const isSent = ({ status, file }: JudgedRow): boolean =>
	file !== undefined && status !== 'notSent';
