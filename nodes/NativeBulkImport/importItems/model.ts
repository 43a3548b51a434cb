import type { IDataObject } from 'n8n-workflow';

import type { ServiceContext } from '../../shared/execution/operation';
import type { TimeSlice } from '../../shared/execution/timeSlice';
import type { InvalidRow } from '../../shared/importFile/delimitedRows';
import type { FileRow } from '../../shared/importFile/importFiles';
import type { FoundPeople, RowStatus } from '../../shared/importFile/importReport';
import type { Problem } from '../../shared/service/invalidInput';
import type { fileSettings } from '../file/fileFields';
import type { ImportRows, RowColumn } from '../rows/importRows';
import type { ShownField } from './mapping/columnCounts';
import type { HeaderMapping } from './mapping/headerMapping';
import type { MappingPlan } from './mapping/importMapping';
import type { Stops } from './stops';

/** What all files of an import have in common; the warnings are problems that do not stop it. */
export interface ImportPlan extends ServiceContext, Omit<HeaderMapping, 'values' | 'problems'> {
	rows: ImportRows;
	stops: Stops;
	/** How to write the files; the name is that of the delimited file in each archive. */
	settings: ReturnType<typeof fileSettings> & { fileName: string };
	resourceType: string;
	mapping: MappingPlan;
	/** Identifies this run of the node in file names, key columns and job descriptions. */
	run: string;
	/** The name of its jobs, read once: an expression can give another text each time. */
	description: string;
	listeners: unknown[];
}

/** Sees each row once, before anything is sent. */
export interface RowVisitor {
	/** What it reads of a row beside the columns of the file. */
	columns?: readonly RowColumn[];
	/**
	 * @param row as its file has it, or why it cannot be written
	 * @param own the values of its columns, valid until the next row
	 */
	visit(row: FileRow, position: number, own: readonly unknown[]): void;
	/** After the last row. Throws InvalidInput: then nothing is sent. */
	end?(): void | Promise<void>;
}

/** Judges each row as a whole, at each reading alike. */
export interface RowJudge {
	/** What it reads of a row beside the columns of the file. */
	columns: readonly RowColumn[];
	/**
	 * @param row with its values as they are to be written; some may be invalid
	 * @param own the values of its columns, valid until the next row
	 * @returns why the row is not to be sent, whatever is said of its values
	 */
	judge(row: readonly unknown[], own: readonly unknown[]): InvalidRow | undefined;
}

/** Why rows are in no file, by their position from 0. */
export type InvalidRows = Map<number, InvalidRow>;

/** Why the rows of a part have no outcomes. */
export interface PartFailure {
	/**
	 * `failed`: the service rejected the job. `notSent`: the job was not started; importing again is safe.
	 * `unknown`: it was or may have been started; importing again could store rows twice.
	 */
	status: 'failed' | 'notSent' | 'unknown';
	error: unknown;
}

/** All rows of a list, once they were seen: by which each is known again. */
export interface SeenRows {
	readonly count: number;
	/** A checksum of what is done with a row, by position; 0 if it is in no file. */
	at(row: number): number;
}

/** One file of the import and its job: the rows by position, from `first` to before `end`. */
export interface Part {
	first: number;
	end: number;
	/** Number of valid rows. */
	rows: number;
	/** RowChecksums of all rows, invalid ones included. Empty if unknown. */
	checksum: string;
	/** Checksum of what the import does with the valid rows; undefined if nobody asks for it. */
	written?: string | undefined;
	jobId?: number;
	/** The run that wrote the file; undefined if only the job ID is known. */
	run?: string;
	/** Whether an earlier run started the job. */
	isContinued?: boolean;
	/** What to check if the service could not fetch the file; empty if nothing. */
	fetchAdvice?: string;
	/** ISO 8601. */
	startedAt?: string;
	description?: string;
	failure?: PartFailure;
}

/** A file of the import before its job is started. */
export interface BuiltPart {
	part: Part;
	zip: Buffer;
}

/** What the description of a job says about its file. */
export interface FileMark extends Part {
	run: string;
	fileNumber: number;
	/** What it says around that; empty if nothing. */
	before: string;
	after: string;
}

/** A job that was started for a file of the same import. */
export type EarlierJob = FileMark & { jobId: number; description: string };

/** Columns of the result files that an import added; no labels if they are unknown. */
export type OwnColumns = Pick<MappingPlan, 'itemColumn' | 'labels'>;

/** How messages name a row, by its position from 0. */
export type RowNames = (position: number) => string;

/** Rows that could be written and are not sent. */
export interface LeftOutRows {
	status: RowStatus;
	count: number;
	isLeftOut(position: number): boolean;
	/** Why a job that an earlier run started has other rows than its file of this run. */
	otherRows?: string;
}

/** What the list holds and the import does not send. */
export interface LeftBehind {
	/** Sentences on what somebody may miss. */
	doubts: readonly string[];
	/** All columns that are not imported. */
	columns: readonly string[];
}

/**
 * What a feature has found out about the rows of an import. It is stored with the started jobs: another
 * execution may read the outcome.
 */
export interface FoundRows {
	leftOut?: LeftOutRows | undefined;
	/** The row of the same person that is sent, or comes first, and by what it is the same. */
	sameAs?(position: number): { position: number; by: string } | undefined;
	/** Whether it needs the details of imported rows, in whatever execution their outcome is read. */
	needsImported?: boolean;
	/** Why a row is left out, or what to say about a row that was sent. */
	reasonAt(position: number, nameOf: RowNames): string | undefined;
	/** Fields of the result of each row. */
	ofEachRow?: Pick<RowResult, 'releasedBy'>;
	/** For a hint; empty if there is nothing to say. */
	sentence?(noun: string): string;
	/** Fields of the summary. */
	summary?(): IDataObject;
	/** Fields of the summary of a dry run. */
	shown?(rowCount: number, sentRows: number, nameOf: RowNames): IDataObject;
	/** Names the first of the rows, for a hint; empty if there is nothing to say. */
	listed?(noun: string, rowCount: number, nameOf: RowNames): string;
	/** Rows of one person, for people who read a report. */
	people?(rowCount: number, nameOf: RowNames, most?: number): FoundPeople | undefined;
	/** For people who read a report. */
	leftBehind?: LeftBehind;
	/** Fields of the first started file, from which the feature restores it. */
	store(rowCount: number, slice: TimeSlice): IDataObject | Promise<IDataObject>;
}

/** What an import would do, for a dry run and for whoever is asked before it sends. */
export interface Preview {
	/** What would stop the import. */
	stops: readonly Problem[];
	/** Those of its warnings that need somebody's decision. */
	decisions: readonly string[];
	/** One for each field of a column, for each field with one value, and for each column that is left out. */
	fields: ShownField[];
	summary: IDataObject;
	/** The warnings that the fields already say. */
	described: readonly string[];
	/** The job that would be created; undefined if the service would reject it. */
	request: object | undefined;
	/** What features have to show beside it. */
	items: IDataObject[];
	kinds: ShownKind[];
}

/** Rows to which the same would happen, with the first of them. */
export interface ShownKind {
	title: string;
	count: number;
	rows: Array<{ position: number; text: string }>;
}

/** A sentence on an import that does not stop it. */
export interface ImportNote {
	text: string;
	/** Whether somebody has to decide something. */
	needsDecision?: true | undefined;
	/** The positions of all rows that it is about; undefined if it does not name each of them. */
	rows?: readonly number[] | undefined;
}

/** @param named positions of rows that the text names, of so many that it is about */
export function noteOn(text: string, named: readonly number[], count: number): ImportNote {
	return { text, rows: named.length === count ? named : undefined };
}

/** An import whose jobs were started: all that reading its outcome needs, now or in another execution. */
export interface StartedImport {
	/** The run that started it; undefined if only its jobs are known. */
	run?: string;
	/** Invalid rows included. */
	totalRows: number;
	/** In the order of their rows. */
	parts: readonly Part[];
	invalid: ReadonlyMap<number, InvalidRow>;
	/** In the order of the features. */
	found: readonly FoundRows[];
	columns: OwnColumns;
	/** Rows without a record ID that other rows have, by its name. */
	blankIds: Readonly<Record<string, number>>;
	notes: readonly ImportNote[];
}

/** Which feature leaves out a row that could be written; undefined if the row is in a file. */
export function leftOutBy(found: readonly FoundRows[], position: number): FoundRows | undefined {
	// Asked for each row several times: a function for each question would be garbage.
	for (const one of found) if (one.leftOut?.isLeftOut(position)) return one;
	return undefined;
}

/** In this order: of several mentions of a row, the last one wins. */
export const OUTCOME_STATUSES = ['missing', 'imported', 'failed'] as const;

export interface RowOutcome {
	status: (typeof OUTCOME_STATUSES)[number];
	/** Null if no job has the row. */
	jobId: number | null;
	/** ID of the record; null if the service returns none. */
	primaryKey: number | string | null;
	primaryKeyType: string | null;
	/** The service's words by mapping type. */
	outcomes: Record<string, string>;
}

/** Output as `importResult` of a row. */
export type RowResult = Omit<RowOutcome, 'status'> & {
	/** Number in the source file, from 1, without the header line. */
	row?: number;
	/** Its line in the source file, as spreadsheet programs number it. */
	line?: number;
	status: RowStatus;
	/** Line, row or item of the same person. */
	duplicateOf?: number;
	/** Why it was not imported, or whose duplicate it is. */
	reason?: string;
	/** Who released the import, if somebody was asked. */
	releasedBy?: string;
	/** The values that were corrected on the progress page and imported again, by column. */
	corrected?: Record<string, string>;
};

/** The result of a row that no result file has. */
export function withoutOutcome<Status extends RowStatus>(
	status: Status,
	jobId: number | null = null,
) {
	const outcomes: RowOutcome['outcomes'] = {};
	return { status, jobId, primaryKey: null, primaryKeyType: null, outcomes };
}

/** Outcomes of rows that were imported again with other values. */
export interface RowsAgain {
	results: ReadonlyMap<number, RowResult>;
	parts: readonly Part[];
	/** As returned by startedItems; undefined if none was started. */
	files?: IDataObject[] | undefined;
	/** For a hint. */
	sentence: string;
	/** Fields of the summary. */
	summary: IDataObject;
}

/** Whether a row is in the service, now or from an earlier import. */
export function isInService(status: RowStatus | undefined): boolean {
	return status === 'imported' || status === 'unchanged';
}
