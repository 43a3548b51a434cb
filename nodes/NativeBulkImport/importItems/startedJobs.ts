import type { NodeContext } from '../../shared/execution/operation';
import type { WaitedJob } from '../../shared/service/importJobWait';
import { InvalidInput } from '../../shared/service/invalidInput';
import { ServiceError } from '../../shared/service/serviceErrors';
import { ITEM_COLUMN } from './importMapping';
import { type OwnColumns, type Part, rangeFrom, type StartedImport } from './part';
import {
	invalidRowsOf,
	type JobReference,
	parseFileMark,
	parseReference,
	partOf,
	type StartedFile,
	startedFileOf,
} from './startedFile';

export interface GivenJobs {
	/** In the order of their rows; empty if only references were given. */
	files: StartedFile[];
	references: JobReference[];
	jobIds: number[];
	/** Rows of the import; undefined if only references were given. */
	totalRows: number | undefined;
	columns: OwnColumns;
}

function reject(text: string): never {
	throw new InvalidInput([{ field: 'Started Jobs', text }]);
}

/** No import has more files. */
const MOST_REFERENCES = 1000;

/** The entered jobs, or the input items, as a flat list. */
function entriesOf({ functions, parameters }: NodeContext): unknown[] {
	const entered = parameters.value('startedJobs') ?? '';
	if (typeof entered === 'string') {
		const texts = entered.split(/[\s,]+/, MOST_REFERENCES + 1).filter((text) => text !== '');
		if (texts.length > MOST_REFERENCES)
			reject(`has more than ${MOST_REFERENCES} jobs. Give those of one import.`);
		return texts.length > 0 ? texts : functions.getInputData().map(({ json }) => json);
	}
	const list: unknown[] = Array.isArray(entered) ? entered : [entered];
	return list.map((entry) =>
		entry !== null && typeof entry === 'object' && 'json' in entry ? entry.json : entry,
	);
}

/** Rows come out beside the started files and have neither field, or an outcome. */
function looksLikeFile(entry: unknown): boolean {
	if (entry === null || typeof entry !== 'object') return false;
	const isRow = 'importResult' in entry || 'error' in entry;
	return !isRow && 'run' in entry && 'fileNumber' in entry;
}

/** Reads the parameter Started Jobs. Throws InvalidInput if the jobs are not those of one import. */
export function readGivenJobs(node: NodeContext): GivenJobs {
	return givenJobsOf(entriesOf(node));
}

/** The jobs of one import, from its started items or from references. */
export function givenJobsOf(entries: readonly unknown[]): GivenJobs {
	const files: StartedFile[] = [];
	const references: JobReference[] = [];
	for (const entry of entries) {
		const file = startedFileOf(entry);
		// In a loop, the same file can come back each time.
		if (
			file &&
			!files.some((known) => known.run === file.run && known.fileNumber === file.fileNumber)
		)
			files.push(file);
		if (file || entry === null) continue;
		if (looksLikeFile(entry))
			reject(
				'has an item of "Import Items" that lacks some of its fields. Give these items unchanged.',
			);
		if (typeof entry === 'string' || typeof entry === 'number') {
			const reference = parseReference(String(entry));
			references.push(
				reference ??
					reject(`"${String(entry).slice(0, 40)}" is neither a job ID nor a started job.`),
			);
		}
	}
	files.sort((a, b) => a.firstRow - b.firstRow);
	const runs = [...new Set(files.map(({ run }) => run))];
	if (runs.length > 1) {
		reject(
			`There are jobs of ${runs.length} imports (${runs.join(', ')}). Give those of one: filter by the field "run".`,
		);
	}
	const [first] = files;
	if (!first && references.length === 0) {
		reject(
			'has no job. Enter the items of "Import Items" as an expression, e.g. {{ $("Import Items").all() }}, or job IDs.',
		);
	}
	const missing = first ? first.files - files.length : 0;
	if (missing > 0)
		reject(
			`${missing} of ${first?.files} files of the import are missing. Give all items of "Import Items".`,
		);
	const jobIds = first
		? files.flatMap(({ jobId }) => jobId ?? [])
		: references.map(({ jobId }) => jobId);
	if (first && new Set(jobIds).size < jobIds.length)
		reject('names one job for several files. Give the items of "Import Items" unchanged.');
	return {
		files,
		references: first ? [] : references,
		jobIds: [...new Set(jobIds)],
		totalRows: first?.totalRows,
		columns: {
			itemColumn: first?.includedColumns[0] ?? ITEM_COLUMN,
			labels: first?.outcomeColumns ?? [],
		},
	};
}

/** Rejects a job of another import, as far as the service returns descriptions. */
export function checkOwnJobs(
	{ files, references }: GivenJobs,
	ended: ReadonlyMap<number, WaitedJob>,
): void {
	const describedAs = (jobId: number): string => {
		const end = ended.get(jobId);
		const description = end && 'record' in end ? end.record.description : undefined;
		return typeof description === 'string' ? description.trim() : '';
	};
	const rejectJob = (jobId: number): never =>
		reject(
			`has import job ${jobId}, which belongs to other rows: its description is "${describedAs(jobId)}". Give the jobs of these rows.`,
		);
	const jobs = [...files.map((file) => ({ ...file, run: file.jobRun })), ...references];
	for (const { jobId, run, firstRow, lastRow } of jobs) {
		const mark = jobId === null ? undefined : parseFileMark(describedAs(jobId));
		if (!mark || jobId === null || run === undefined) continue;
		const isOwn = mark.run === run && mark.firstRow === firstRow && mark.lastRow === lastRow;
		if (!isOwn) rejectJob(jobId);
	}
}

/** Completes a reference from the job's description. */
function withRange(reference: JobReference, end: WaitedJob | undefined): JobReference {
	if (reference.lastRow !== undefined || !end || 'error' in end) return reference;
	const { description } = end.record;
	return { ...reference, ...(typeof description === 'string' && parseFileMark(description)) };
}

/**
 * The parts of the import.
 * @param ended the jobs as the service describes them
 */
function partsOf({ files, references }: GivenJobs, ended: ReadonlyMap<number, WaitedJob>): Part[] {
	if (files.length > 0) return files.map(partOf);
	return references
		.map((reference): Part => {
			const {
				jobId,
				run,
				firstRow,
				lastRow,
				checksum = '',
				invalid = 0,
			} = withRange(reference, ended.get(reference.jobId));
			const job = { jobId, ...(run !== undefined && { run }) };
			// A job known by its ID alone may hold any row.
			if (firstRow === undefined || lastRow === undefined) return { ...job, ...rangeFrom(0) };
			const first = firstRow - 1;
			return { ...job, first, end: lastRow, rows: lastRow - first - invalid, checksum };
		})
		.sort((a, b) => a.first - b.first);
}

/** Parts for the rows that are in none of the given jobs, e.g. because n8n was killed between two starts. */
function uncoveredParts(parts: readonly Part[], rowCount: number): Part[] {
	const uncovered: Part[] = [];
	let next = 0;
	for (const { first, end } of [...parts, { first: rowCount, end: rowCount }]) {
		if (first > next) {
			const error = new ServiceError({
				message: `Rows ${next + 1}–${first} are in none of the given jobs`,
				description:
					'Check in the service whether a job was started for them. If not, it is safe to import them again.',
				replayable: false,
				outcomeUnknown: true,
			});
			const rows = first - next;
			const failure = { status: 'unknown' as const, error };
			uncovered.push({ first: next, end: first, rows, checksum: '', failure });
		}
		next = Math.max(next, end);
	}
	return uncovered;
}

/**
 * The import that started the given jobs, as far as they tell.
 * @param ended the jobs as the service describes them
 * @param totalRows of the given rows
 */
export function startedImportOf(
	given: GivenJobs,
	ended: ReadonlyMap<number, WaitedJob>,
	totalRows: number,
): StartedImport {
	const { files, columns } = given;
	const [first] = files;
	const parts = partsOf(given, ended);
	const uncovered = first ? [] : uncoveredParts(parts, totalRows);
	return {
		...(first && { run: first.run }),
		totalRows,
		parts: [...parts, ...uncovered].sort((a, b) => a.first - b.first),
		invalid: invalidRowsOf(files),
		columns,
		blankIds: first?.blankIds ?? {},
		warnings: first?.warnings ?? [],
	};
}
