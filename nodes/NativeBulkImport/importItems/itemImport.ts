import type { IExecuteFunctions } from 'n8n-workflow';

import { TimeSlice } from '../../shared/execution/timeSlice';
import { type FileRow, importFiles } from '../../shared/importFile/importFiles';
import { endpoints } from '../../shared/service/endpoints';
import type { ImportJob } from '../../shared/service/importJob';
import { jobCreatedSchema } from '../../shared/service/importJobRecord';
import type { NativeService } from '../../shared/service/nativeService';
import { InvalidInput } from '../../shared/service/invalidInput';
import { ServiceError } from '../../shared/service/serviceErrors';
import { CallCancelled, throwIfCancelled } from '../../shared/transport/cancellation';
import { rethrow } from '../../shared/transport/rethrow';
import { fileSettings } from '../file/fileFields';
import { ColumnCounts } from './columnCounts';
import { adviceOnLink, type Host, type Hosting, hostOf } from './hosting';
import { ImportOutcome } from './importOutcome';
import { FILE_NAME, type ImportPlan } from './importPlan';
import { type BuiltPart, type Part, rangeFrom, type RowRange } from './part';
import { RowChecksums } from './rowChecksums';
import { type EarlierJob, findJobsOfRunKey } from './runKey';
import { fileMark, referenceText } from './startedFile';

/** If the response was lost, the job may have started: says how to find out. */
function withDescriptionToLookFor(error: ServiceError, job: ImportJob): ServiceError {
	return error.with({
		description: `Look in the service for an import with the description "${job.description}". If it is there, do not import these rows again: use "Get Item Outcomes" with its job ID. ${error.details.description}`,
		advice: undefined,
	});
}

/** One import from its plan to the start of its jobs. */
export class ItemImport {
	readonly outcome: ImportOutcome;
	/** Rows read so far, invalid ones included. */
	rowCount = 0;
	/** Counts the values of the files that are built. */
	counts: ColumnCounts;
	private checksums = new RowChecksums();
	/** The jobs of the Run Key by the numbers of their files. */
	private earlier: Promise<ReadonlyMap<number, EarlierJob>> | undefined;

	constructor(
		readonly functions: IExecuteFunctions,
		readonly service: NativeService,
		readonly plan: ImportPlan,
		readonly hosting: Hosting,
	) {
		this.outcome = new ImportOutcome(functions, service, plan.source.noun, plan.mapping);
		this.counts = this.newCounts();
	}

	/** Problems that do not stop the import; complete once the files are built. */
	get warnings(): string[] {
		return [...this.plan.warnings, ...this.counts.blankColumns()];
	}

	private newCounts(): ColumnCounts {
		return new ColumnCounts(this.plan.mapping.columns, fileSettings(this.functions).format);
	}

	async *buildParts(): AsyncGenerator<BuiltPart> {
		const { functions, plan } = this;
		const { invalid } = this.outcome;
		const { format, maxZipBytes, maxRows } = fileSettings(functions);
		const files = importFiles(
			{
				fileName: FILE_NAME,
				columns: plan.mapping.columns.map(({ name }) => name),
				format,
				hasHeader: true,
				maxZipBytes,
				maxRows,
				onInvalidRow: (invalidRow, position) => invalid.set(position, invalidRow),
				slice: new TimeSlice(functions.getExecutionCancelSignal()),
			},
			this.countRows(),
		);
		let end = 0;
		for await (const { zip, rows } of files) {
			const first = end;
			for (let found = 0; found < rows; end++) if (!invalid.has(end)) found++;
			yield { zip, first, end, rows, checksum: this.checksums.of(first, end) };
		}
	}

	/** All rows; counts the values of those that are written, which is known once a batch is taken. */
	private async *countRows(): AsyncGenerator<readonly FileRow[]> {
		this.rowCount = 0;
		this.counts = this.newCounts();
		this.checksums = new RowChecksums();
		const { source, mapping } = this.plan;
		for await (const batch of source.rows(mapping.columns, this.checksums)) {
			const first = this.rowCount;
			this.rowCount += batch.length;
			yield batch;
			for (const [index, row] of batch.entries())
				if (!this.outcome.invalid.has(first + index)) this.counts.add(row);
		}
	}

	/** Starts a job per file, one after the other. Throws before the first if the hosting cannot work. */
	async startParts(files: AsyncIterable<BuiltPart> | Iterable<BuiltPart>): Promise<void> {
		const { functions, service, hosting } = this;
		const { parts } = this.outcome;
		let host: Host | undefined;
		let waiting: BuiltPart | undefined;
		const start = async (file: BuiltPart, hasMore: boolean): Promise<void> => {
			host ??= hostOf(functions, service, hosting, hasMore);
			const known = await this.findStarted(parts.length + 1, file);
			parts.push(known ?? (await this.startPart(host, file, parts.length + 1)));
		};
		try {
			// Stay one file behind: the first upload needs to know whether there are several.
			for await (const file of files) {
				if (waiting) await start(waiting, true);
				waiting = file;
			}
		} catch (error) {
			// After the first start, the started jobs must be reported.
			if (parts.length === 0 || error instanceof CallCancelled) rethrow(error);
			const first = waiting?.first ?? 0;
			const failure = { status: 'notSent' as const, error };
			parts.push({ ...rangeFrom(first), failure });
			return;
		}
		if (waiting) await start(waiting, false);
	}

	/** The job an earlier execution started for this file and Run Key. Throws if its rows differ. */
	private async findStarted(fileNumber: number, range: RowRange): Promise<Part | undefined> {
		const { plan, service, functions } = this;
		if (plan.runKey === '') return undefined;
		this.earlier ??= findJobsOfRunKey(service, plan.runKey);
		const job = (await this.earlier).get(fileNumber);
		if (!job) return undefined;
		const { file, jobId, description } = job;
		if (file.checksum !== range.checksum || file.lastRow !== range.end) {
			throw new InvalidInput([
				{
					field: 'Run Key',
					text: `"${plan.runKey}" belongs to import job ${jobId}, whose rows ${file.firstRow}–${file.lastRow} are not the rows of this run. Use the same rows to continue it, or another Run Key.`,
				},
			]);
		}
		functions.logger.info(`Import job ${jobId} was started before under the same Run Key`, {
			jobId,
		});
		const { first, end, rows, checksum } = range;
		return { first, end, rows, checksum, jobId, description };
	}

	/** Hosts a file and starts its job. */
	private async startPart(host: Host, { zip, ...range }: BuiltPart, part: number): Promise<Part> {
		const { functions, service, plan } = this;
		let job: ImportJob | undefined;
		try {
			const execution = functions.getExecutionId() || 'test';
			const sourceUrl = await host(zip, `items-${execution}-${plan.run}-${part}.zip`);
			job = plan.job(sourceUrl, fileMark(part, range, plan.runKey));
			const { description } = job;
			const { jobId } = await service.read(
				endpoints.createBulkImportJob,
				{ path: {}, body: job },
				jobCreatedSchema,
			);
			const started: Part = {
				...range,
				jobId,
				description,
				startedAt: new Date().toISOString(),
				...(adviceOnLink(sourceUrl) !== '' && { fetchAdvice: adviceOnLink(sourceUrl) }),
			};
			// After a crash, Get Item Outcomes needs only this and the rows.
			functions.logger.info(
				`Import job ${referenceText(started)} started with ${range.rows} rows: ${description}`,
				{ jobId },
			);
			return started;
		} catch (error) {
			if (service.signal?.aborted && job)
				functions.logger.warn(`Canceled while starting the import job "${job.description}"`);
			throwIfCancelled(service.signal);
			const isUnknown = error instanceof ServiceError && error.details.outcomeUnknown;
			return {
				...range,
				failure: {
					status: isUnknown ? 'unknown' : 'notSent',
					error: isUnknown && job ? withDescriptionToLookFor(error, job) : error,
				},
			};
		}
	}
}
