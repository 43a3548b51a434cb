import { recordJob } from '../../../shared/execution/importJobOutput';
import { takeTurn } from '../../../shared/execution/nodeMemory';
import { isDryRun } from '../../../shared/execution/operation';
import { claim, releaseClaim } from '../../../shared/execution/runClaims';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import { type FileRow, importFiles } from '../../../shared/importFile/importFiles';
import type { ItemParameters } from '../../../shared/parameters/itemParameters';
import { DatabaseWait } from '../../wait/databaseWait';
import { counted } from '../../../shared/service/counted';
import { endpoints } from '../../../shared/service/endpoints';
import { InvalidInput } from '../../../shared/service/invalidInput';
import type { ImportJob } from '../../../shared/service/importJob';
import { jobCreatedSchema } from '../../../shared/service/importJobRecord';
import { ServiceError } from '../../../shared/service/serviceErrors';
import { CallCancelled, throwIfCancelled } from '../../../shared/transport/cancellation';
import { rethrow } from '../../../shared/transport/rethrow';
import { zipName } from '../../file/fileFields';
import { ColumnCounts, ControlTotals } from '../mapping/listCounts';
import type { DuplicateRows } from '../mapping/duplicateRows';
import { RowChecksums } from '../../rows/importRows';
import type { ChangedRows } from '../features/changedRows';
import { findChangedRows } from '../features/skipUnchanged';
import { NO_ROWS } from '../../rows/rowSource';
import { adviceOnLink, type Host, hostingWarnings, hostOf } from '../../file/hosting';
import {
	type EarlierJob,
	findJobsOfRun,
	findJobsToContinue,
	otherFileOfRun,
	WrittenRows,
} from './importIdentity';
import { type ImportPlan, jobOf } from './importPlan';
import { DuplicateSearch, LEFT_OUT } from './listComparison';
import {
	type BuiltPart,
	fileMark,
	type InvalidRows,
	leftOutAs,
	type Part,
	partFrom,
	referenceText,
	type StartedImport,
} from './startedImport';

export const TRY_FIRST_LABEL = 'Try First (Rows)';

/** Rows of the first file, if the others wait for its outcome. Throws InvalidInput. */
export function readFirstRows(parameters: ItemParameters): number | undefined {
	const options = parameters.in('options');
	return Number(options.value('tryFirst') ?? 0) === 0 ? undefined : options.whole('tryFirst', 1);
}

/** What a run sends once, whenever n8n runs it. */
export const claimOfRows = (run: string): string => `rows of ${run}`;
/** The same for the rows after those that were tried first. */
export const claimOfOthers = (run: string): string => `other rows of ${run}`;

/** One import from its plan to the start of its jobs. */
export class ItemImport {
	/** Why rows are in no file, by position. */
	readonly invalid: InvalidRows = new Map();
	/** Rows of the first file, if the others wait for its outcome. */
	firstRows: number | undefined;
	private readonly search: DuplicateSearch;
	/** The rows to send, if those that have not changed are left out. */
	changed: ChangedRows | undefined;
	/** The files whose jobs were started, or should have been. */
	private readonly parts: Part[] = [];
	/** Counts the values of the files that are built. */
	counts: ColumnCounts;
	private totals: ControlTotals;
	/** Of all rows that were read. */
	private checksums = new RowChecksums();
	private written: WrittenRows | undefined;
	/** The files, if all were built at once. */
	private built: BuiltPart[] | undefined;
	/** The jobs that were started before by the numbers of their files. */
	toContinue: ReadonlyMap<number, EarlierJob> = new Map();
	/** Why files are not sent: nothing tells whether they were before. */
	doubt: ServiceError | undefined;
	private hasBegun = false;

	/** @param tried the file that was started before the execution waited for its outcome */
	constructor(
		readonly plan: ImportPlan,
		private readonly tried?: Part,
	) {
		this.firstRows = readFirstRows(plan.parameters);
		this.counts = new ColumnCounts(plan.mapping.columns);
		this.totals = new ControlTotals(plan);
		this.search = new DuplicateSearch(plan);
	}

	/** Rows of one person; complete once the files are built. */
	get duplicates(): DuplicateRows {
		return this.search.found;
	}

	get sentRows(): number {
		return this.counts.rows - (this.changed?.unchanged ?? 0);
	}

	/** Finds the rows to leave out. Throws InvalidInput if the user wants to stop. */
	async findLeftOutRows(): Promise<void> {
		await this.search.readAll();
		const isDuplicate = (position: number) => this.duplicates.isLeftOut(position);
		this.changed ??= await findChangedRows(this.plan, isDuplicate);
	}

	/** What was started so far; reading its outcome needs nothing else. */
	get started(): StartedImport {
		const { parts, invalid, duplicates, changed, warnings } = this;
		const { run, mapping: columns } = this.plan;
		const counted = { totalRows: this.checksums.count, blankIds: this.counts.blankIds() };
		return { run, parts, columns, invalid, duplicates, changed, ...counted, warnings };
	}

	/** Problems that do not stop the import; complete once the files are built. */
	get warnings(): string[] {
		const { plan, counts } = this;
		return [
			...plan.warnings,
			...this.totals.sentences(),
			...plan.changes.sentences(),
			// A dry run shows them with their columns.
			...(isDryRun(plan) ? [] : plan.changes.doubts().values()),
			...hostingWarnings(plan),
			...(this.checksums.count === 0 ? [NO_ROWS] : []),
			...counts.blankColumns(),
		];
	}

	async *buildParts(): AsyncGenerator<BuiltPart> {
		const { plan, invalid } = this;
		const files = importFiles(
			{
				...plan.settings,
				columns: plan.mapping.columns.map(({ name }) => name),
				titles: plan.mapping.columns.map(({ name, title = name }) => title),
				hasHeader: true,
				firstRows: this.firstRows,
				onInvalidRow: (invalidRow, position) => {
					if (invalidRow !== LEFT_OUT) invalid.set(position, invalidRow);
				},
				slice: new TimeSlice(plan.service.signal),
			},
			this.countRows(),
		);
		let first = 0;
		for await (const { zip, rows, end } of files) {
			const checksum = this.checksums.of(first, end);
			const written = this.written?.of(first, end);
			yield { part: { first, end, rows, checksum, written }, zip };
			first = end;
		}
	}

	/** All rows; counts the values of those that are written, which is known once a batch is taken. */
	private async *countRows(): AsyncGenerator<readonly FileRow[]> {
		const { rows, mapping, changes, runKey } = this.plan;
		changes.restart();
		this.counts = new ColumnCounts(mapping.columns);
		this.totals = new ControlTotals(this.plan);
		this.checksums = new RowChecksums();
		this.written = runKey === '' ? undefined : new WrittenRows(this.plan);
		let next = 0;
		for await (const batch of rows.read(mapping.columns, this.checksums)) {
			const first = next;
			next += batch.length;
			const sent = batch.map((row, index) => (leftOutAs(this, first + index) ? LEFT_OUT : row));
			for (const row of sent) this.written?.add(row);
			yield sent;
			// What the list has, not only what has changed in it.
			batch.forEach((row, index) => {
				const position = first + index;
				if (this.invalid.has(position) || this.duplicates.isLeftOut(position)) return;
				this.counts.add(row);
				this.totals.add(row);
				this.search.add(position, row);
			});
		}
		this.search.end();
	}

	/** Builds all files before the first upload. */
	async build(): Promise<void> {
		const built: BuiltPart[] = [];
		for await (const file of this.buildParts()) built.push(file);
		this.built = built;
	}

	/** Finds the jobs of the Run Key. Throws InvalidInput if they import something else. */
	async findJobsToContinue(): Promise<void> {
		const unchanged = this.changed?.unchanged ?? 0;
		const files = this.built ?? this.buildParts();
		this.toContinue = await findJobsToContinue(this.plan, files, unchanged);
	}

	/** Starts or continues the jobs; an import under the same Run Key waits until they can be found. */
	async startOnce(judge: Parameters<ItemImport['start']>[0]): Promise<void> {
		const { runKey, service } = this.plan;
		const turn = `${service.target.identity} ${runKey}`;
		const end = runKey === '' ? undefined : await takeTurn(turn, service.signal);
		try {
			await this.findJobsToContinue();
			await this.start(judge);
		} finally {
			end?.();
		}
	}

	/**
	 * Starts a job per file, one after the other. Throws before the first if the hosting cannot work.
	 * @param judge says after the first why the others are not to be started; may throw DatabaseWait
	 */
	async start(judge?: () => Promise<ServiceError | undefined>): Promise<void> {
		const { plan, parts } = this;
		let host: Host | undefined;
		let verdict: ServiceError | undefined;
		const start = async ({ part, zip }: BuiltPart, hasMore: boolean): Promise<void> => {
			host ??= hostOf(plan, hasMore);
			const number = parts.length + 1;
			const tried = this.triedPart(part, number);
			if (!tried) await this.begin();
			parts.push(
				tried ??
					this.continuePart(part, number) ??
					this.unsentPart(part, this.doubt ?? verdict) ??
					(await this.startPart(host, zip, part, number)),
			);
			if (hasMore && number === 1) verdict = await judge?.();
		};
		try {
			// Stay one file behind: the first upload needs to know whether there are several.
			let waiting: BuiltPart | undefined;
			for await (const file of this.built ?? this.buildParts()) {
				if (waiting) await start(waiting, true);
				waiting = file;
			}
			if (waiting) await start(waiting, false);
			await this.releaseIfUnsent();
		} catch (error) {
			const last = parts.at(-1);
			if (!(error instanceof CallCancelled)) await this.releaseIfUnsent();
			// After the first start, the started jobs must be reported.
			if (!last || error instanceof CallCancelled || error instanceof DatabaseWait) rethrow(error);
			parts.push({ ...partFrom(last.end), failure: { status: 'notSent', error } });
		}
	}

	private get claimed(): string {
		const { run } = this.plan;
		return this.tried ? claimOfOthers(run) : claimOfRows(run);
	}

	/** Before the first file: finds the jobs that were started if n8n may have been here before. */
	private async begin(): Promise<void> {
		const { functions, run, runKey, service } = this.plan;
		// The jobs of a Run Key are looked for each time.
		if (this.hasBegun || runKey !== '') return;
		this.hasBegun = true;
		if (await claim(functions, this.claimed)) return;
		try {
			this.toContinue = await findJobsOfRun(service, run);
		} catch (error) {
			if (!(error instanceof ServiceError)) return rethrow(error);
			this.doubt = error;
		}
	}

	/** Lets Retry On Fail start the files if certainly none was. */
	private async releaseIfUnsent(): Promise<void> {
		const own = this.parts.filter((part) => part !== this.tried);
		if (!this.hasBegun || own.some(({ failure }) => failure?.status !== 'notSent')) return;
		await releaseClaim(this.plan.functions, this.claimed);
	}

	/** The first file, if its job was started before the execution waited for its outcome. */
	private triedPart({ first, end, checksum }: Part, fileNumber: number): Part | undefined {
		const { tried } = this;
		if (!tried || fileNumber > 1) return undefined;
		if (tried.first === first && tried.end === end && tried.checksum === checksum) return tried;
		const text = `cannot send the other rows: rows ${tried.first + 1}–${tried.end} are no longer those that were tried.`;
		throw new InvalidInput([{ field: TRY_FIRST_LABEL, text }]);
	}

	private continuePart(part: Part, fileNumber: number): Part | undefined {
		const job = this.toContinue.get(fileNumber);
		if (!job) return undefined;
		const { functions, runKey } = this.plan;
		if (runKey === '') {
			const error = otherFileOfRun(job, part);
			this.doubt ??= error;
			if (error) return { ...part, failure: { status: 'unknown', error } };
		}
		const under = runKey === '' ? 'by this execution' : 'under the same Run Key';
		recordJob(functions, job.jobId, `Import job ${job.jobId} was started before ${under}`);
		return { ...job, ...part, isContinued: true };
	}

	/** A file that is not sent because of the rows that were tried first, or because it may have been. */
	private unsentPart(part: Part, verdict?: ServiceError): Part | undefined {
		if (!verdict) return undefined;
		const { warnings } = this.plan;
		const warning = `${verdict.message}.`;
		if (!warnings.includes(warning)) warnings.push(warning);
		const status = verdict.details.outcomeUnknown ? 'unknown' : 'notSent';
		return { ...part, failure: { status, error: verdict } };
	}

	/** Hosts a file and starts its job. */
	private async startPart(host: Host, zip: Buffer, part: Part, fileNumber: number): Promise<Part> {
		const { plan } = this;
		const { functions, service } = plan;
		let job: ImportJob | undefined;
		try {
			const sourceUrl = await host(zip, zipName(functions, 'items', plan.run, fileNumber));
			job = jobOf(plan, fileMark(fileNumber, part, plan.runKey), sourceUrl);
			const { description } = job;
			const { jobId } = await service.read(
				endpoints.createBulkImportJob,
				{ path: {}, body: job },
				jobCreatedSchema,
			);
			const started: Part = {
				...part,
				jobId,
				run: plan.run,
				description,
				startedAt: new Date().toISOString(),
				fetchAdvice: adviceOnLink(sourceUrl),
			};
			// After a crash, Get Item Outcomes needs only this and the rows.
			recordJob(
				functions,
				jobId,
				`Import job ${referenceText(started)} started with ${counted(part.rows, 'row')}: ${description}`,
			);
			return started;
		} catch (error) {
			if (service.signal?.aborted && job)
				functions.logger.warn(`Canceled while starting the import job "${job.description}"`);
			throwIfCancelled(service.signal);
			if (!(error instanceof ServiceError && error.details.outcomeUnknown))
				return { ...part, failure: { status: 'notSent', error } };
			// If the response was lost, the job may have started: say how to find out.
			const advice = `Look in the service for an import with the description "${job?.description}". If it is there, do not import these rows again: use "Get Item Outcomes" with its job ID. `;
			const description = `${job ? advice : ''}${error.details.description}`;
			const failed = job ? error.with({ description, advice: undefined }) : error;
			return { ...part, failure: { status: 'unknown', error: failed } };
		}
	}
}
