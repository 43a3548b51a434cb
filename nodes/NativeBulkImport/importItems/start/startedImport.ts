import { groupBy } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { errorItem, storedErrorSchema } from '../../../shared/execution/nodeErrors';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import { jobNumber } from '../../../shared/service/importJobRecord';
import { ServiceError } from '../../../shared/service/serviceErrors';
import { readMarks, withoutMark } from '../../job/descriptionMark';
import { type ChosenWait, waitAsChosen } from '../../job/jobWait';
import type { Question } from '../../wait/databaseWait';
import type { WaitContext } from '../../wait/waitingNode';
import type {
	BuiltPart,
	FileMark,
	ImportNote,
	InvalidRows,
	Part,
	PartFailure,
	StartedImport,
} from '../model';

type RowRange = Pick<Part, 'first' | 'end'>;

/** `rows 1–100`, or `row 3`. */
export function rowsText({ first, end }: RowRange): string {
	return end - first === 1 ? `row ${end}` : `rows ${first + 1}–${end}`;
}

/** Whether two files have the same rows by their numbers. */
export function sameRange<Range extends RowRange>(
	one: RowRange,
	other: Range | undefined,
): other is Range {
	return other?.first === one.first && other.end === one.end;
}

/** The rows from a position on that cannot be read. */
export function partFrom(first: number): Part {
	return { first, end: Number.POSITIVE_INFINITY, rows: 0, checksum: '' };
}

export function jobIdsOf(parts: readonly Part[]): number[] {
	return parts.flatMap(({ jobId }) => jobId ?? []);
}

/** Builds the files. @returns which rows are in them */
export async function partsOf(files: AsyncIterable<BuiltPart>): Promise<Part[]> {
	const parts: Part[] = [];
	for await (const { part } of files) parts.push(part);
	return parts;
}

/** What the user calls the import; empty if unknown. */
export function importName(parts: readonly Part[]): string {
	return withoutMark(parts.find(({ description }) => description)?.description ?? '');
}

/** Whether only the ID of a job is known, not its rows. */
export function mayHoldAnyRow({ jobId, end }: Part): boolean {
	return jobId !== undefined && !Number.isFinite(end);
}

/** Whether the file could not be read to its end. */
export function hasUnreadEnd(parts: readonly Part[]): boolean {
	return parts.some(({ jobId, end }) => jobId === undefined && !Number.isFinite(end));
}

const rangeNumber = z.number().int().nonnegative();

/** Whether the fields of a started file say the same: a file without a job says why, and it has all of its rows. */
function isWhole(file: {
	jobId: number | null;
	failure?: Pick<PartFailure, 'status'> | undefined;
	fileNumber: number;
	files: number;
	totalRows: number;
	firstRow: number;
	lastRow: number | null;
	rows: number;
}): boolean {
	const { jobId, failure, firstRow, lastRow, rows, totalRows } = file;
	if (file.fileNumber < 1 || file.fileNumber > file.files || firstRow < 1) return false;
	if (jobId === null ? failure === undefined : failure?.status === 'notSent') return false;
	// Only a file that could not be read to its end has no last row, and then no job.
	if (lastRow === null) return jobId === null;
	return firstRow <= lastRow && lastRow <= totalRows && rows <= lastRow - firstRow + 1;
}

/** An ImportNote, with its rows numbered from 1. */
const noteSchema = z.object({
	text: z.string(),
	needsDecision: z.literal(true).optional(),
	rows: z.array(z.number().int().positive()).optional(),
});

/** Output of Import Items for a file whose outcome is read later. Lenient: it was stored in between. */
export const startedFileSchema = z
	.object({
		jobId: jobNumber.nullable(),
		fileNumber: rangeNumber,
		files: rangeNumber,
		run: z.string(),
		jobRun: z.string(),
		totalRows: rangeNumber,
		firstRow: rangeNumber,
		lastRow: rangeNumber.nullable(),
		rows: rangeNumber,
		checksum: z.string(),
		includedColumns: z.array(z.string()).min(1),
		outcomeColumns: z.array(z.string()),
		description: z.string().optional(),
		startedAt: z.string().nullable(),
		fetchAdvice: z.string().optional(),
		failure: storedErrorSchema
			.extend({ status: z.enum(['failed', 'notSent', 'unknown']) })
			.optional(),
		invalidRows: z
			.array(z.object({ field: z.string(), reason: z.string(), rows: z.array(z.number()) }))
			.optional(),
		notes: z.array(noteSchema).optional(),
		blankIds: z.record(z.number()).optional(),
	})
	.passthrough()
	.refine(isWhole);

export type StartedFile = z.infer<typeof startedFileSchema>;

function rangeOf(firstRow = '', lastRow = '', checksum = '', invalid = '0'): Part {
	const first = Number(firstRow) - 1;
	const end = Number(lastRow);
	return { first, end, rows: end - first - Number(invalid), checksum };
}

function invalidCount({ first, end, rows }: Part): number {
	return end - first - rows;
}

/**
 * E.g. `90210:k3f9x2:1-5000:1a2b3c4d`, with `:7` if seven of these rows were not sent; the job ID if nothing
 * else is known.
 */
export function referenceText(part: Part): string {
	const { jobId, run, first, end, checksum } = part;
	if (run === undefined) return String(jobId);
	const invalid = invalidCount(part);
	return `${jobId}:${run}:${first + 1}-${end}:${checksum}${invalid > 0 ? `:${invalid}` : ''}`;
}

const REFERENCE = /^(\d{1,15})(?::([a-z0-9]+):(\d+)-(\d+):([0-9a-f]{8})(?::(\d+))?)?$/;

/**
 * Reads a reference, or a job ID alone: that job may hold any row.
 * @returns undefined if the text is neither
 */
export function parseReference(text: string): Part | undefined {
	const [, jobId, run, ...range] = REFERENCE.exec(text.trim()) ?? [];
	if (jobId === undefined) return undefined;
	const job = { jobId: Number(jobId) };
	return run === undefined ? { ...job, ...partFrom(0) } : { ...job, run, ...rangeOf(...range) };
}

/** Says in the mark of a file what is done with its rows: {@link Part.written}. */
export function writtenMark({ written = '' }: Part): string {
	return `written ${written}`;
}

/** What such a mark says; empty if it does not. */
function writtenOf({ after }: FileMark): string {
	return /^written ([0-9a-f]{8})\b/.exec(after)?.[1] ?? '';
}

/** Whether the job of a mark does the same with the same rows as a file of this run. */
export function isJobOf(mark: FileMark, part: Part | undefined): boolean {
	return sameRange(mark, part) && part.written === writtenOf(mark);
}

/**
 * The content of a mark for a file, in ASCII: services encode or lose other characters.
 * @param extra what the mark says besides
 */
export function fileMark(
	fileNumber: number,
	part: Part,
	extra: { before: string; after: string } = { before: '', after: '' },
): string {
	const { first, end, checksum } = part;
	const invalid = invalidCount(part) > 0 ? `, invalid ${invalidCount(part)}` : '';
	const file = `file ${fileNumber}, rows ${first + 1}-${end}, check ${checksum}${invalid}`;
	return [extra.before, file, extra.after].filter((text) => text !== '').join(', ');
}

const FILE_MARK =
	/^(?:([^,]+), )?file (\d+), rows (\d+)-(\d+), check ([0-9a-f]{8})(?:, invalid (\d+))?(?:, ([^,]+))?$/;

/** Reads the file from the description of a job; undefined if it is not there. */
export function parseFileMark(description: string): FileMark | undefined {
	const marks = readMarks(description).flatMap(({ run, content }): FileMark[] => {
		const [, before = '', fileNumber, firstRow, lastRow, checksum, invalid, after = ''] =
			FILE_MARK.exec(content) ?? [];
		if (fileNumber === undefined) return [];
		const range = rangeOf(firstRow, lastRow, checksum, invalid);
		return [{ run, fileNumber: Number(fileNumber), ...range, before, after }];
	});
	// The user's own text, which comes first, can hold the mark of another job.
	return marks.at(-1);
}

function storedNote({ text, needsDecision, rows }: ImportNote): IDataObject {
	return {
		text,
		...(needsDecision && { needsDecision }),
		...(rows && { rows: rows.map((position) => position + 1) }),
	};
}

/** The notes that the first started file of an import carries. */
export function notesOf(file: StartedFile | undefined): ImportNote[] {
	return (file?.notes ?? []).map(({ rows, ...note }) => ({
		...note,
		rows: rows?.map((row) => row - 1),
	}));
}

/** The invalid rows of an import, numbered from 1, grouped by problem. */
function invalidRowGroups(
	invalid: StartedImport['invalid'],
): NonNullable<StartedFile['invalidRows']> {
	const problems = groupBy([...invalid], ([, { field, reason }]) => `${field}\n${reason}`);
	return Object.values(problems).flatMap((group) => {
		const rows = group.map(([position]) => position + 1);
		return group.slice(0, 1).map(([, { field, reason }]) => ({ field, reason, rows }));
	});
}

/** The error of a file as failed items have it. */
export function failureDetails(functions: IExecuteFunctions, error: unknown): IDataObject {
	return errorItem(functions.getNode(), error, 0).error as IDataObject;
}

/** One item per file, from which {@link partOf} and Get Item Outcomes continue. */
export async function startedItems(
	functions: IExecuteFunctions,
	started: StartedImport,
): Promise<IDataObject[]> {
	const { parts, run = '', totalRows, columns, notes, blankIds, found } = started;
	const invalidRows = invalidRowGroups(started.invalid);
	const slice = new TimeSlice(functions.getExecutionCancelSignal());
	const ofAllFiles: IDataObject = {
		...(invalidRows.length > 0 && { invalidRows }),
		...(notes.length > 0 && { notes: notes.map(storedNote) }),
		...(Object.keys(blankIds).length > 0 && { blankIds }),
	};
	for (const each of found) Object.assign(ofAllFiles, await each.store(totalRows, slice));
	return parts.map((part, index) => {
		const { first, end, rows, checksum, fetchAdvice, failure } = part;
		return {
			jobId: part.jobId ?? null,
			status: failure?.status ?? (part.isContinued ? 'continued' : 'started'),
			fileNumber: index + 1,
			files: parts.length,
			run,
			jobRun: part.run ?? run,
			totalRows,
			firstRow: first + 1,
			lastRow: Number.isFinite(end) ? end : null,
			rows,
			checksum,
			includedColumns: [columns.itemColumn],
			outcomeColumns: [...columns.labels],
			description: part.description ?? '',
			startedAt: part.startedAt ?? null,
			...(fetchAdvice && { fetchAdvice }),
			...(failure && {
				failure: { ...failureDetails(functions, failure.error), status: failure.status },
			}),
			...(index === 0 && ofAllFiles),
		};
	});
}

export function partOf(file: StartedFile): Part {
	const { jobId, run, jobRun, firstRow, lastRow, failure, description = '' } = file;
	const mark = parseFileMark(description);
	const part: Part = {
		jobId: jobId ?? undefined,
		run: jobRun,
		isContinued: jobRun !== run,
		first: firstRow - 1,
		end: lastRow ?? Number.POSITIVE_INFINITY,
		rows: file.rows,
		checksum: file.checksum,
		written: mark && writtenOf(mark),
		description: file.description,
		fetchAdvice: file.fetchAdvice,
	};
	if (!failure) return part;
	const { status, ...details } = failure;
	return { ...part, failure: { status, error: new ServiceError(details) } };
}

/** The invalid rows that the started files of an import carry. */
export function invalidRowsOf(files: readonly StartedFile[]): InvalidRows {
	const invalid: InvalidRows = new Map();
	for (const { invalidRows = [] } of files)
		for (const { field, reason, rows } of invalidRows)
			for (const row of rows) invalid.set(row - 1, new InvalidRow(field, reason));
	return invalid;
}

export async function waitForParts(
	context: WaitContext,
	wait: ChosenWait,
	{ parts }: StartedImport,
	work: IDataObject,
	question?: Question,
): ReturnType<typeof waitAsChosen> {
	return await waitAsChosen(context, jobIdsOf(parts), wait, work, {
		name: importName(parts),
		rows: new Map(parts.map(({ jobId = 0, rows }) => [jobId, rows])),
		...(question && { question }),
	});
}
