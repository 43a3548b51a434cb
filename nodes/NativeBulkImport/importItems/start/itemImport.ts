import { castArray, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { recordJob, startedJobError } from '../../../shared/execution/importJobOutput';
import { claim, isClaimed, releaseClaims } from '../../../shared/execution/runClaims';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import { type FileRow, importFiles } from '../../../shared/importFile/importFiles';
import type { RowStatus } from '../../../shared/importFile/importReport';
import { DatabaseWait } from '../../wait/databaseWait';
import { counted } from '../../../shared/service/counted';
import { endpoints } from '../../../shared/service/endpoints';
import { InvalidInput } from '../../../shared/service/invalidInput';
import type { ImportJob } from '../../../shared/service/importJob';
import { jobCreatedSchema } from '../../../shared/service/importJobRecord';
import { messageOf, ServiceError } from '../../../shared/service/serviceErrors';
import { CallCancelled, throwIfCancelled } from '../../../shared/transport/cancellation';
import { rethrow } from '../../../shared/transport/rethrow';
import { zipName } from '../../file/fileFields';
import { ColumnCounts } from '../mapping/columnCounts';
import type { PlannedColumn } from '../mapping/importMapping';
import { dateProblems, unclearDates } from '../mapping/dateColumns';
import { ValueChecks } from '../mapping/mappingChecks';
import { RowChecksums, rowKey } from '../../rows/importRows';
import { NO_ROWS } from '../../rows/rowSource';
import { adviceOnLink, type Host, hostingWarnings, hostOf } from '../../file/hosting';
import { convertColumns, type FeatureHooks } from '../feature';
import {
	type BuiltPart,
	type EarlierJob,
	type FoundRows,
	type ImportNote,
	type ImportPlan,
	type InvalidRows,
	leftOutBy,
	type Part,
	type PartFailure,
	type RowVisitor,
	type StartedImport,
} from '../model';
import { findJobsOfRun, mayBeSent, otherFileOfRun } from './earlierJobs';
import { jobOf } from './importPlan';
import { RowIdentity } from './rowIdentity';
import { VisitedRows } from './visitedRows';
import { fileMark, partFrom, referenceText, sameRange, type StartedFile } from './startedImport';

/** Stands for a row that is not sent. */
const LEFT_OUT = new InvalidRow('Row', 'is left out.');

/** Zipped files that are kept until they are uploaded; more are built again. */
const MOST_KEPT_BYTES = 64_000_000;

/** How an import begins, if not as the user's settings say. */
interface ImportBeginning {
	/** The file that was started before the execution waited for its outcome. */
	tried?: { part: Part; file: StartedFile } | undefined;
	/** Whether to check the values of the rows before anything is sent. */
	isChecked?: boolean;
}

/** What a run sends once, whenever n8n runs it. */
export const claimOfRows = (run: string): string => `rows of ${run}`;
/** The same for the rows after the first file, if they waited for its outcome. */
export const claimOfOthers = (run: string): string => `other rows of ${run}`;

/** One import from its plan to the start of its jobs. */
export class ItemImport {
	/** Why rows are in no file, by position. */
	readonly invalid: InvalidRows = new Map();
	/** The hook after the first file, if the others wait for its outcome. */
	private readonly firstRows: FeatureHooks['firstRows'];
	/** What the features found out about the rows, once all were seen. */
	private found: readonly FoundRows[] = [];
	/** The files whose jobs were started, or should have been. */
	private readonly parts: Part[] = [];
	/** Counts the values of the files that are built. */
	counts: ColumnCounts;
	/** Rows that can be written, whether or not they are left out. */
	private writableRows = 0;
	/** Over all rows that were read. */
	private checksums = new RowChecksums();
	/** What is done with all rows, once they were seen; undefined if nobody asks for it. */
	private identity: RowIdentity | undefined;
	/** The files, unless they must be built again. */
	private built: BuiltPart[] | undefined;
	/** The jobs that were started before by the numbers of their files. */
	toContinue: ReadonlyMap<number, EarlierJob> = new Map();
	/** Why files are not sent: it is unknown whether they were sent before. */
	doubt: ServiceError | undefined;
	/** Why files were not sent. */
	private readonly verdicts: string[] = [];
	private hasBegun = false;
	/** Whether `toContinue` has all jobs that were started for the rows. */
	private knowsStarted = false;
	private isPrepared = false;
	/** Whether nobody has claimed the rows before. */
	private isFirstClaim = false;

	constructor(
		readonly plan: ImportPlan,
		private readonly hooks: readonly FeatureHooks[],
		private readonly beginning: ImportBeginning = {},
	) {
		this.firstRows = hooks.find(({ firstRows }) => firstRows)?.firstRows;
		this.counts = new ColumnCounts(plan.mapping.columns);
	}

	/** Rows that are in a file, or will be once the files are built without those that are left out. */
	get sentRows(): number {
		return this.writableRows - this.countLeftOut(() => true);
	}

	private countLeftOut(isOne: (status: RowStatus) => boolean): number {
		return this.found.reduce(
			(sum, { leftOut }) => sum + (leftOut && isOne(leftOut.status) ? leftOut.count : 0),
			0,
		);
	}

	/** What was started so far; reading its outcome needs nothing else. */
	get started(): StartedImport {
		const { parts, invalid, found, notes } = this;
		const { run, mapping: columns } = this.plan;
		// A job that was started before can have rows that were not reached now.
		const ends = parts.flatMap(({ end }) => (Number.isFinite(end) ? end : []));
		const totalRows = Math.max(this.checksums.count, ...ends);
		const totals = { totalRows, blankIds: this.counts.blankIds() };
		return { run, parts, columns, invalid, found, ...totals, notes };
	}

	/** What is to be said of the import; complete once all rows were seen. */
	get notes(): ImportNote[] {
		const { hooks, plan } = this;
		const decisions = uniq([
			...this.verdicts,
			...hooks.flatMap((hook) => hook.decisions?.() ?? []),
			...hostingWarnings(plan),
			...(this.checksums.count === 0 ? [NO_ROWS] : []),
		]);
		return [
			...decisions.map((text) => ({ text, needsDecision: true as const })),
			...plan.warnings.map((text) => ({ text })),
			...hooks.flatMap(({ sentences }) => sentences?.() ?? []),
			...unclearDates(plan.mapping.columns).map((text) => ({ text })),
			...this.counts.blankColumns().map((text) => ({ text })),
		];
	}

	/**
	 * Reads all rows once, with nothing sent yet, for all who want to see them, and builds their files. Throws
	 * InvalidInput if they are not to be sent.
	 */
	async survey(): Promise<void> {
		const { plan, hooks, beginning } = this;
		const { mapping, rows, stops } = plan;
		const stop = hooks.find((hook) => hook.stopsAtInvalid)?.stopsAtInvalid;
		const checks = new ValueChecks(mapping, rows, stop?.advice);
		const { isChecked = true } = beginning;
		const visitors: RowVisitor[] = isChecked ? [checks] : [];
		for (const { visit } of hooks) {
			const visitor = await stops.at(async () => await visit?.(plan));
			if (visitor) visitors.push(visitor);
		}
		await this.buildAll(visitors);
		this.writableRows = this.counts.rows;
		const ofList = this.counts.problems();
		const areDatesRead = hooks.some(({ readsDates }) => readsDates);
		const ofDates = dateProblems(mapping.columns, rows, areDatesRead);
		// What stops the whole list first: to import the other rows would not help.
		for (const visitor of visitors) await stops.at(async () => await visitor.end?.());
		if (isChecked) stops.add(await checks.problems([...ofList, ...ofDates]));
		const found: FoundRows[] = [];
		const isLeftOut = (position: number) => leftOutBy(found, position) !== undefined;
		for (const { find } of hooks) {
			const one = await stops.at(async () => await find?.(plan, isLeftOut, beginning.tried?.file));
			found.push(...castArray(one ?? []));
		}
		this.found = found;
		const areMarked = hooks.some(({ rowMark }) => rowMark !== undefined);
		if (areMarked || this.countLeftOut(() => true) > 0) this.built = undefined;
	}

	/** Builds the files and keeps them, if they are not too large. */
	private async buildAll(visitors: readonly RowVisitor[]): Promise<void> {
		let bytes = 0;
		this.built = [];
		for await (const file of this.readFiles(visitors)) {
			bytes += file.zip.length;
			if (bytes > MOST_KEPT_BYTES) this.built = undefined;
			this.built?.push(file);
		}
	}

	/** The files of the rows to send. They are built again if rows are left out or marked, or if they are large. */
	async *files(): AsyncGenerator<BuiltPart> {
		yield* this.built ?? this.readFiles([]);
	}

	/** Builds all files that are not built yet. */
	async build(): Promise<void> {
		if (!this.built) await this.buildAll([]);
	}

	/** At each reading anew: what a column finds out about its values is of one reading. */
	readColumns(): PlannedColumn[] {
		return convertColumns(this.hooks, this.plan.mapping);
	}

	private async *readFiles(visitors: readonly RowVisitor[]): AsyncGenerator<BuiltPart> {
		const { plan, invalid } = this;
		const { columns } = plan.mapping;
		const needsIdentity = this.hooks.some((hook) => hook.needsIdentity);
		const identity = needsIdentity ? new RowIdentity(plan) : undefined;
		// A later reading lacks the rows that are left out, and can be behind the files.
		this.identity ??= identity;
		const slice = new TimeSlice(plan.service.signal);
		const files = importFiles(
			{
				...plan.settings,
				columns: columns.map(({ name }) => name),
				titles: columns.map(({ name, title = name }) => title),
				hasHeader: true,
				firstRows: this.firstRows?.count,
				onCells: (cells) => identity?.addCells(cells, this.checksums),
				onInvalidRow: (invalidRow, position) => {
					identity?.addCells(undefined, this.checksums);
					if (invalidRow !== LEFT_OUT) invalid.set(position, invalidRow);
				},
				slice,
			},
			this.visitRows(visitors),
		);
		let first = 0;
		for await (const { zip, rows, end } of files) {
			const checksum = await this.checksums.of(first, end, slice);
			const written = await identity?.of(first, end, slice);
			yield { part: { first, end, rows, checksum, written }, zip };
			first = end;
		}
	}

	/** All rows; each is visited when the next one is asked for, once it is known whether it can be written. */
	private async *visitRows(visitors: readonly RowVisitor[]): AsyncGenerator<Iterable<FileRow>> {
		const { plan, invalid, found } = this;
		const columns = this.readColumns();
		const checksums = new RowChecksums();
		this.counts = new ColumnCounts(plan.mapping.columns);
		this.checksums = checksums;
		const leavesOut = found.some(({ leftOut }) => leftOut && leftOut.count > 0);
		const judges = this.hooks.flatMap(({ judge }) => judge?.(plan) ?? []);
		const visited = new VisitedRows(columns.length, judges, visitors, {
			rowOfFile: this.rowsOfFiles(columns.length, leavesOut),
			counts: this.counts,
			invalid,
			found: leavesOut ? found : undefined,
		});
		for await (const batch of plan.rows.read([...columns, ...visited.columns], checksums))
			yield visited.begin(batch);
	}

	/** Makes rows as their files have them, where those differ from what was read. */
	private rowsOfFiles(
		columns: number,
		leavesOut: boolean,
	): (row: FileRow, position: number) => FileRow {
		const { invalid } = this;
		const marks = this.hooks.flatMap(({ rowMark }) => rowMark ?? []);
		if (!leavesOut && marks.length === 0 && invalid.size === 0) return (row) => row;
		return (row, position) => {
			// Where it can be written now, e.g. because of the time: it was reported already.
			const problem = invalid.get(position);
			if (problem) return problem;
			if (leftOutBy(this.found, position)) return LEFT_OUT;
			const [mark] = marks.flatMap((rowMark) => rowMark(position) ?? []);
			if (mark === undefined || row instanceof InvalidRow) return row;
			// The last column of a file is the one that the node adds.
			const key = rowKey(this.plan.run, position + 1, mark);
			return [...row.slice(0, columns - 1), key, ...row.slice(columns)];
		};
	}

	/**
	 * Reads again the rows that are sent.
	 * @param except files whose rows are not wanted
	 */
	async *readSent(
		except: ReadonlyArray<Pick<Part, 'first' | 'end'>> = [],
	): AsyncGenerator<{ position: number; row: readonly unknown[] }> {
		const { plan, invalid, found } = this;
		let position = -1;
		for await (const batch of plan.rows.read(this.readColumns())) {
			for (const row of batch) {
				position++;
				const isSent =
					!invalid.has(position) &&
					!leftOutBy(found, position) &&
					!except.some(({ first, end }) => position >= first && position < end);
				if (isSent && !(row instanceof InvalidRow)) yield { position, row };
			}
		}
	}

	/** Finds the jobs of earlier runs. Throws InvalidInput if they import something else. */
	async findJobsToContinue(): Promise<void> {
		for (const { earlierJobs } of this.hooks) {
			const jobs = await earlierJobs?.(this.files(), this.found, this.identity);
			if (!jobs) continue;
			this.toContinue = new Map([...jobs, ...this.toContinue]);
			this.knowsStarted = true;
		}
	}

	/** Starts or continues the jobs. */
	async startOnce(): Promise<void> {
		const ends: Array<() => void> = [];
		try {
			for (const each of this.hooks) {
				const end = await each.takeTurn?.();
				if (end) ends.push(end);
			}
			await this.findJobsToContinue();
			await this.start();
		} finally {
			for (const end of ends) end();
		}
	}

	/** What the description of a file's job says about it. */
	markOf(fileNumber: number, part: Part): string {
		const [extra] = this.hooks.flatMap(({ markOf }) => markOf?.(part) ?? []);
		return fileMark(fileNumber, part, extra);
	}

	/** Starts a job per file, one after the other. Throws before the first if the hosting cannot work. */
	async start(): Promise<void> {
		const { plan, parts } = this;
		let host: Host | undefined;
		let verdict: ServiceError | undefined;
		const start = async ({ part, zip }: BuiltPart, hasMore: boolean): Promise<void> => {
			host ??= hostOf(plan, hasMore);
			const number = parts.length + 1;
			const tried = this.triedPart(part, number);
			if (!tried) {
				await this.begin();
				await this.prepare();
			}
			parts.push(
				tried ??
					(await this.continuePart(part, number)) ??
					this.unsentPart(part, this.doubt ?? verdict) ??
					(await this.startPart(host, zip, part, number)),
			);
			if (hasMore && number === 1) verdict = await this.judgeFirst();
		};
		try {
			// Stay one file behind: the first upload needs to know whether there are several.
			let waiting: BuiltPart | undefined;
			for await (const file of this.files()) {
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
			parts.push(...(await this.restFrom(last.end, error)));
		} finally {
			// While the node waits, nothing needs the files.
			this.built = undefined;
		}
	}

	/** The rows that were not reached because of an error: those of jobs that were started before, and the others. */
	private async restFrom(first: number, error: unknown): Promise<Part[]> {
		const failure = await this.failureOfRest(error);
		const rest: Part[] = [];
		let next = first;
		const jobs = [...this.toContinue.values()].filter((job) => job.first >= first);
		for (const job of jobs.sort((a, b) => a.first - b.first)) {
			if (job.first > next) rest.push({ ...partFrom(next), end: job.first, failure });
			rest.push({ ...job, isContinued: true });
			next = job.end;
		}
		return [...rest, { ...partFrom(next), failure }];
	}

	private async failureOfRest(error: unknown): Promise<PartFailure> {
		const { functions, run } = this.plan;
		if (this.doubt) return { status: 'unknown', error: this.doubt };
		// Whether a run before which n8n went back has sent them.
		const isKnown =
			this.knowsStarted || !(await isClaimed(functions, this.claimed).catch(() => true));
		if (isKnown) return { status: 'notSent', error };
		return { status: 'unknown', error: mayBeSent(run, `${messageOf(error).replace(/\.$/, '')}.`) };
	}

	private get claimed(): string {
		const { run } = this.plan;
		return this.beginning.tried ? claimOfOthers(run) : claimOfRows(run);
	}

	/** What feature finds the jobs of earlier runs, in the words of the log. */
	private get continues(): string | undefined {
		return this.hooks.find((hook) => hook.continues !== undefined)?.continues;
	}

	/** Before the first file: finds the jobs that were started if n8n may have been here before. */
	private async begin(): Promise<void> {
		const { functions, run, service } = this.plan;
		// A feature that continues jobs looks for them each time.
		if (this.hasBegun || this.continues !== undefined) return;
		this.hasBegun = true;
		this.isFirstClaim = await claim(functions, this.claimed);
		this.knowsStarted = this.isFirstClaim;
		if (this.isFirstClaim) return;
		try {
			this.toContinue = await findJobsOfRun(service, run);
			this.knowsStarted = true;
		} catch (error) {
			if (!(error instanceof ServiceError)) return rethrow(error);
			this.doubt = error;
		}
	}

	/** Before the first file: what features must do before anything is sent. */
	private async prepare(): Promise<void> {
		// Before a first file whose outcome was waited for, it was done.
		if (this.isPrepared || this.doubt || this.beginning.tried) return;
		this.isPrepared = true;
		const { plan, started, toContinue } = this;
		const continued = [...toContinue.values()];
		const sentRows = continued.reduce((rest, { rows }) => rest - rows, this.sentRows);
		const readSent = () => this.readSent(continued);
		for (const { beforeSending } of this.hooks)
			await beforeSending?.({ plan, started, sentRows, readSent });
	}

	/** Lets Retry On Fail start the files if certainly none was: whoever claimed them before may have started some. */
	private async releaseIfUnsent(): Promise<void> {
		const own = this.parts.filter((part) => part !== this.beginning.tried?.part);
		if (!this.isFirstClaim || own.some(({ failure }) => failure?.status !== 'notSent')) return;
		await releaseClaims(this.plan.functions, [this.claimed]);
	}

	/** Why the other files are not to be started after the first. */
	private async judgeFirst(): Promise<ServiceError | undefined> {
		const { plan, started, hooks } = this;
		const kept = hooks.reduce<IDataObject>((all, hook) => ({ ...all, ...hook.kept }), {});
		for (const { gate } of hooks) {
			const verdict = await gate?.({ plan, started, kept });
			if (verdict) return verdict;
		}
		return undefined;
	}

	/** The first file, if its job was started before the execution waited for its outcome. */
	private triedPart(part: Part, fileNumber: number): Part | undefined {
		const tried = this.beginning.tried?.part;
		if (!tried || fileNumber > 1) return undefined;
		if (sameRange(part, tried) && tried.checksum === part.checksum) return tried;
		const text = `cannot send the other rows: rows ${tried.first + 1}–${tried.end} are no longer those that were tried.`;
		throw new InvalidInput([{ field: this.firstRows?.label ?? 'Rows', text }]);
	}

	private async continuePart(part: Part, fileNumber: number): Promise<Part | undefined> {
		const job = this.toContinue.get(fileNumber);
		if (!job) return undefined;
		const { continues } = this;
		if (continues === undefined) {
			const error = otherFileOfRun(job, part);
			this.doubt ??= error;
			if (error) return { ...part, failure: { status: 'unknown', error } };
		}
		const continued: Part = { ...job, ...part, isContinued: true };
		try {
			for (const { starting } of this.hooks) (await starting?.(continued, true))?.();
		} catch (thrown) {
			// Its rows are sent; the outcome counts if it can be read.
			const error = startedJobError(job.jobId, 'end', thrown);
			if (error instanceof CallCancelled) return rethrow(error);
			return { ...continued, failure: { status: 'unknown', error } };
		}
		const text = `Import job ${job.jobId} was started before ${continues ?? 'by this execution'}`;
		recordJob(this.plan.functions, job.jobId, text);
		return continued;
	}

	/** Tells the features; the refusal must come out, whatever they do. */
	private async tellRefused(part: Part): Promise<void> {
		for (const { refused } of this.hooks) {
			try {
				await refused?.(part);
			} catch (error) {
				this.verdicts.push(
					`After a file was not accepted, another step failed: ${messageOf(error)}`,
				);
			}
		}
	}

	/** A file that is not sent because of the first rows, or because it may have been. */
	private unsentPart(part: Part, verdict?: ServiceError): Part | undefined {
		if (!verdict) return undefined;
		const warning = `${verdict.message}.`;
		if (!this.verdicts.includes(warning)) this.verdicts.push(warning);
		const status = verdict.details.outcomeUnknown ? 'unknown' : 'notSent';
		return { ...part, failure: { status, error: verdict } };
	}

	/** Hosts a file and starts its job. */
	private async startPart(host: Host, zip: Buffer, part: Part, fileNumber: number): Promise<Part> {
		const { plan } = this;
		const { functions, service } = plan;
		const ends: Array<() => void> = [];
		let job: ImportJob | undefined;
		let isStarting = false;
		try {
			const sourceUrl = await host(zip, zipName(functions, 'items', plan.run, fileNumber));
			job = jobOf(plan, this.markOf(fileNumber, part), sourceUrl);
			const { description } = job;
			for (const { starting } of this.hooks) {
				const end = await starting?.(part, false);
				if (end) ends.push(end);
			}
			isStarting = true;
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
			if (!(error instanceof ServiceError && error.details.outcomeUnknown)) {
				if (isStarting) await this.tellRefused(part);
				return { ...part, failure: { status: 'notSent', error } };
			}
			// If the response was lost, the job may have started: say how to find out.
			const advice = `Search the service for an import with the description "${job?.description}". If it is there, do not import these rows again: use "Get Item Outcomes" with its job ID. `;
			const description = `${job ? advice : ''}${error.details.description}`;
			const failed = job ? error.with({ description, advice: undefined }) : error;
			return { ...part, failure: { status: 'unknown', error: failed } };
		} finally {
			for (const end of ends) end();
		}
	}
}
