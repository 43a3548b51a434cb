import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setImmediate as otherWork, setTimeout as sleep } from 'node:timers/promises';
import type { TenantStore } from '../store/tenantStore';
import type { Vocabulary } from '../wire/vocabulary';
import { ActionImport } from './actionImport';
import { JobFailed, readImportFile } from './importFile';
import type { JobFault } from './jobFault';
import { validateJobRequest } from './jobRequest';
import type { ActionRequest, JobRequest } from './jobRequestSchema';
import {
	CONTRIBUTION_ID_COLUMN,
	keyFieldOf,
	MappingTypeCatalogue,
} from './mapping/mappingTypeCatalogue';
import { ResultFiles, type PublishedFile } from './resultFile';

type JobStatus =
	| 'Pending'
	| 'InProgress'
	| 'InProgressWithErrors'
	| 'Completed'
	| 'CompletedWithErrors'
	| 'Failed';

/** The response of GET /bulkImportJobs/{jobId} (service.md 2.7). */
interface JobRecord {
	id: number;
	status: JobStatus;
	resourceType: string;
	resultFileSizeLimitKb: number;
	errors: ReadonlyArray<Readonly<{ referenceCode: string; text: string; code: string }>>;
	/** Null until the job has completed. */
	resultFiles: ReadonlyArray<Readonly<{ url: string; dateExpired: string }>> | null;
	webhookUrl: string | null;
	/** Only where the tenant shows it. */
	description?: string;
}

export interface JobTiming {
	pendingMs: number;
	/** Rows per second across all actions; Infinity for as fast as possible. */
	rowsPerSecond: number;
	/** InProgress lasts at least this long. */
	minimumMs: number;
	/** Tests keep jobs in the status they have until this resolves. */
	beforeStatusChange?: () => Promise<void>;
}

export interface BulkImportOptions {
	store: TenantStore;
	vocabulary: Vocabulary;
	fetchFile(sourceUrl: string): Promise<Buffer>;
	/** Makes a result file downloadable; dateExpired with 7-digit fraction and offset (service.md 2.8). */
	publishResultFile(file: PublishedFile): { url: string; dateExpired: string };
	timing: JobTiming;
	/** Milliseconds since the epoch. */
	clock(): number;
	/** Asked once per created job; null lets the job run normally. */
	nextFault(): JobFault | null;
	/** Whether job records hold the description; not documented. */
	showsDescriptions(): boolean;
}

interface Job {
	record: JobRecord;
	/** When it became InProgress, or null before. */
	startedAt: number | null;
	/** Rows done, counted once per action. */
	rowsDone: number;
	fault: JobFault | null;
	description: string;
}

/** A kilobyte as the contract counts them: 100 MB are 100,000 KB (service.md 2.10). */
const BYTES_PER_KB = 1000;
const SLICES_PER_SECOND = 10;
/** After this long, calls of others get their turn. */
const MAX_TURN_MS = 10;
const FIRST_FILE_NUMBER = 6000;
const FIRST_MESSAGE_COLUMN_NUMBER = 1000;
const NAMED_ROWS = 5;

/**
 * The bulk imports of one tenant: imports the files of jobs into the tenant's records after a while and
 * reports the outcome of each row.
 */
export class BulkImportService {
	readonly catalogue: MappingTypeCatalogue;
	private readonly stored = new Map<number, Job>();
	private readonly stopping = new AbortController();
	private messageColumns = FIRST_MESSAGE_COLUMN_NUMBER;

	constructor(private readonly options: BulkImportOptions) {
		this.catalogue = new MappingTypeCatalogue(options.store, options.vocabulary);
		// Each job that waits listens; there may be any number.
		setMaxListeners(0, this.stopping.signal);
	}

	/**
	 * Takes a job (POST /bulkImportJobs) and begins to process it.
	 *
	 * @throws RequestRejected 400 with one entry for every problem of the body.
	 */
	create(body: unknown): { jobId: number } {
		const request = validateJobRequest(body, {
			catalogue: this.catalogue,
			vocabulary: this.options.vocabulary,
		});
		const jobId = this.options.store.nextId('job');
		const [firstAction] = request.actions;
		const job: Job = {
			record: {
				id: jobId,
				status: 'Pending',
				resourceType: firstAction?.resourceType ?? '',
				resultFileSizeLimitKb: firstAction?.resultFileSizeKbLimit ?? 0,
				errors: [],
				resultFiles: null,
				webhookUrl: null,
			},
			startedAt: null,
			rowsDone: 0,
			fault: this.options.nextFault(),
			description: request.description,
		};
		this.stored.set(jobId, job);
		void this.run(job, request);
		return { jobId };
	}

	/** The record as it is now, or undefined for an unknown job. */
	job(jobId: number): JobRecord | undefined {
		const job = this.stored.get(jobId);
		if (!job) return undefined;
		return {
			...job.record,
			...(this.options.showsDescriptions() && { description: job.description }),
		};
	}

	jobs(): JobRecord[] {
		return [...this.stored.keys()].flatMap((jobId) => this.job(jobId) ?? []);
	}

	/** Ends all processing; jobs stay in the status they have. */
	close(): void {
		this.stopping.abort();
	}

	/** Never rejects: an error ends the job as Failed. */
	private async run(job: Job, request: JobRequest): Promise<void> {
		try {
			await this.pause(this.options.timing.pendingMs);
			await this.setStatus(job, 'InProgress');
			job.startedAt = this.options.clock();
			if (job.fault?.kind === 'neverEnds') return;
			const hasErrors = await this.process(job, request);
			await this.setStatus(job, hasErrors ? 'CompletedWithErrors' : 'Completed');
		} catch (error) {
			if (this.stopping.signal.aborted) return;
			const code = error instanceof JobFailed ? error.code : 'INTERNAL_SERVER_ERROR';
			const text = error instanceof Error ? error.message : String(error);
			job.record.errors = [{ referenceCode: randomUUID(), code, text }];
			job.record.resultFiles = null;
			await this.setStatus(job, 'Failed');
		}
	}

	/** Imports the file and publishes the result files. @returns whether a row had an error */
	private async process(job: Job, request: JobRequest): Promise<boolean> {
		if (job.fault?.kind === 'fail') {
			await this.waitUntilElapsed(job);
			throw new JobFailed(job.fault.text, 'INVALID_PARAMETER');
		}
		const rows = await this.readRows(request);
		const columnCount = request.file.columns.length;
		// Rows that do not fit the declared columns are left out of the result files (service.md 2.8).
		const fittingRows = rows.flatMap((row, index) =>
			row.length === columnCount ? [{ row, rowNumber: index + 1 }] : [],
		);
		const rejectedRows = rows.length - fittingRows.length;
		const { store, vocabulary } = this.options;
		const imports = request.actions.map((action) => ({
			rowImport: new ActionImport(action, request.file, this.catalogue, { store, vocabulary }),
			results: this.resultFilesOf(action, job),
		}));
		const reasons: string[] = [];
		let anyImported = false;
		let hasErrors = rejectedRows > 0;
		for (const { rowImport, results } of imports) {
			await this.handleAtRate(job, fittingRows, ({ row, rowNumber }) => {
				const imported = rowImport.apply(row, rowNumber);
				results.add(imported.result);
				anyImported ||= imported.isImported;
				if (!imported.hasError) return;
				hasErrors = true;
				void this.setStatus(job, 'InProgressWithErrors');
				if (reasons.length < NAMED_ROWS) {
					reasons.push(`Row ${rowNumber}: ${imported.result.messages.join(', ')}.`);
				}
			});
		}
		await this.waitUntilElapsed(job);
		// A job counts as completed when at least some rows were imported (service.md 2.7).
		if (!anyImported) throw new JobFailed(noRowText(reasons, rejectedRows), 'NO_ROWS_IMPORTED');
		const published: PublishedFile[] = [];
		for (const { results } of imports) published.push(...(await results.files(published.length)));
		if (published.length > 0) {
			job.record.resultFiles = published.map((file) => this.options.publishResultFile(file));
		}
		return hasErrors;
	}

	private resultFilesOf(action: ActionRequest, job: Job): ResultFiles {
		const { vocabulary } = this.options;
		const isAboutContributions =
			keyFieldOf(action.resourceType, vocabulary) === CONTRIBUTION_ID_COLUMN;
		return new ResultFiles({
			fileNumber: FIRST_FILE_NUMBER + job.record.id,
			primaryKeyType: isAboutContributions ? 'ContributionID' : vocabulary.primaryKeyType,
			includedColumns: (action.columnsToIncludeInResultsFile ?? []).map((column) => column.name),
			messageColumns: action.mappingTypes.map(
				(type) => type.resultFileColumnName ?? `${type.name}_${++this.messageColumns}`,
			),
			maxBytes: action.resultFileSizeKbLimit * BYTES_PER_KB,
			shape: job.fault?.kind === 'results' ? job.fault : {},
		});
	}

	private async readRows(request: JobRequest): Promise<string[][]> {
		const archive = await this.options.fetchFile(request.file.sourceUrl).catch(() => {
			// The URL may carry a password, so neither it nor the cause is repeated.
			throw new JobFailed('The file could not be fetched from its source.');
		});
		this.stopping.signal.throwIfAborted();
		const rows = await readImportFile(archive, request.file, this.stopping.signal);
		if (rows.length === 0) throw new JobFailed('The file has no rows.');
		return rows;
	}

	/** Handles rows no faster than the timing says, counted from the start of the job. */
	private async handleAtRate<Row>(
		job: Job,
		rows: Row[],
		handle: (row: Row) => void,
	): Promise<void> {
		const { rowsPerSecond } = this.options.timing;
		const sliceLength = Math.max(1, Math.floor(rowsPerSecond / SLICES_PER_SECOND));
		const newTurn = () => ({
			end: job.rowsDone + sliceLength,
			deadline: performance.now() + MAX_TURN_MS,
		});
		const letOthersWork = async () => {
			await otherWork(undefined, { signal: this.stopping.signal });
			await this.waitUntilElapsed(job, (job.rowsDone * 1000) / rowsPerSecond);
		};
		let turn = newTurn();
		for (const row of rows) {
			handle(row);
			job.rowsDone++;
			if (job.rowsDone < turn.end && performance.now() < turn.deadline) continue;
			await letOthersWork();
			turn = newTurn();
		}
		await letOthersWork();
	}

	/** @param elapsedMs since the start of the job; by default, as long as it lasts at least */
	private async waitUntilElapsed(
		job: Job,
		elapsedMs = this.options.timing.minimumMs,
	): Promise<void> {
		const startedAt = job.startedAt ?? this.options.clock();
		await this.pause(startedAt + elapsedMs - this.options.clock());
	}

	/** Does not keep the process alive; rejects when the service is closed. */
	private async pause(milliseconds: number): Promise<void> {
		const { signal } = this.stopping;
		signal.throwIfAborted();
		if (milliseconds > 0) await sleep(milliseconds, undefined, { ref: false, signal });
	}

	private async setStatus(job: Job, status: JobStatus): Promise<void> {
		await this.options.timing.beforeStatusChange?.();
		job.record.status = status;
	}
}

/** There is no result file, so the error names the problems of the first rows. */
function noRowText(reasons: string[], rejectedRows: number): string {
	const widths =
		rejectedRows > 0 ? [`${rejectedRows} rows do not have the declared number of columns.`] : [];
	return ['No row could be imported.', ...reasons, ...widths].join(' ');
}
