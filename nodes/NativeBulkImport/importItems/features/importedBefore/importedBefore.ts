import { maxBy, minBy, partition, sumBy, upperFirst } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import { takeTurn } from '../../../../shared/execution/nodeMemory';
import { TimeSlice } from '../../../../shared/execution/timeSlice';
import { optionOfFields } from '../../../../shared/parameters/optionOfFields';
import { claimAll, findClaimed, releaseClaims } from '../../../../shared/execution/runClaims';
import { jobState } from '../../../../shared/service/importJobRecord';
import { readImportJob } from '../../../../shared/service/importJobWait';
import { InvalidInput } from '../../../../shared/service/invalidInput';
import type { NativeService } from '../../../../shared/service/nativeService';
import { messageOf } from '../../../../shared/service/serviceErrors';
import { throwIfCancelled } from '../../../../shared/transport/cancellation';
import { rethrow } from '../../../../shared/transport/rethrow';
import type { FeatureContext, ImportFeature } from '../../feature';
import {
	type BuiltPart,
	type EarlierJob,
	type FileMark,
	type FoundRows,
	type ImportNote,
	isInService,
	leftOutBy,
	type Part,
} from '../../model';
import { byFileNumber, findEarlierJobs, UnclearJobs } from '../../start/earlierJobs';
import { runIdOf } from '../../../job/descriptionMark';
import {
	isJobOf,
	jobIdsOf,
	parseFileMark,
	partsOf,
	rowsText,
	sameRange,
	writtenMark,
} from '../../start/startedImport';
import { lifeOf } from '../../start/storedLife';
import { estimateText, listMarkOf, ListRows } from './listRows';
import {
	identityOfKey,
	jobsOfKey,
	keyMark,
	RUN_KEY,
	RUN_KEY_LABEL,
	runKeyField,
	runKeyInput,
} from './runKey';

const LABEL = 'If This List Was Imported Before';
const NAME = 'ifImportedBefore';
const CHOICES = ['say', 'stop', 'continue'] as const;
const CONTINUE = 'Continue Its Jobs';

const choiceField: INodeProperties = {
	displayName: 'If Imported Before',
	name: NAME,
	type: 'options',
	options: [
		{
			name: 'Say So',
			value: 'say',
			description: 'Import it, and say how many of its rows were imported before, and by which job',
		},
		{
			name: 'Stop',
			value: 'stop',
			description:
				'Send nothing if at least half of its rows were imported before; otherwise say so',
		},
		{
			name: CONTINUE,
			value: 'continue',
			description:
				'After a canceled or failed run: read the outcome of the jobs that were started for the same rows, order and fields, and start only the others. The service must list its jobs with descriptions.',
		},
	],
	default: 'say',
	description:
		'What to do if rows of the list were imported before: the same rows in any order, or some of them',
};

const option = optionOfFields(
	{
		displayName: LABEL,
		name: 'importedBefore',
		description:
			'What to do if the same rows come a second time, in any order: import them and say so, stop, or continue their jobs',
	},
	{ displayName: 'List', name: 'list' },
	[choiceField, { ...runKeyField, displayOptions: { show: { [NAME]: ['continue'] } } }],
);

function reject(text: string): InvalidInput {
	return new InvalidInput([{ field: LABEL, text }]);
}

/** A list that is imported: its first file, and all of its rows. */
interface List {
	first: Part;
	totalRows: number;
	/** Undefined where only its outcome is read. */
	rows: ListRows | undefined;
}

/** What is known of a list from other runs. */
interface Known {
	/** E.g. `the same rows were`. */
	text: string;
	/** Of its rows, from 0 to 1. */
	share: number;
	isSame: boolean;
	/** Whether those runs got their outcomes, as far as it is known. */
	hasEnded: boolean;
}

/** What n8n remembers of a list from other runs. */
interface Remembered {
	known: Known | undefined;
	/**
	 * What of it is known where the service has no job for the list: n8n remembers a file before it is sent, so
	 * that of a run that was stopped in that moment is not known.
	 */
	knownWithoutJob: Known | undefined;
}

const SAME_ROWS = { text: 'the same rows were', share: 1, isSame: true } as const;

const rowsWere = (part: Part): string =>
	`${rowsText(part)} ${part.end - part.first === 1 ? 'was' : 'were'}`;

const endOf = (name: string): string => `${name} ended`;

/** What n8n remembers of the lists that a node has imported. */
class ListMemory {
	/** What this run has added, by the first row of the file that was started. */
	private readonly added = new Map<number, string[]>();

	constructor(
		private readonly context: FeatureContext,
		private readonly run: string,
	) {}

	private nameOf(what: string): string {
		const { functions, service } = this.context;
		return `${what} of ${functions.getNode().id} in ${service.target.identity}`;
	}

	private rowName(name: string): string {
		return this.nameOf(`row ${name}`);
	}

	/** By its first file as it was given, and by what is sent of its rows, in any order. */
	private namesOf({ first, rows }: List): string[] {
		const mark = parseFileMark(first.description ?? '');
		const checksum = rows?.checksum ?? (mark && listMarkOf(mark)?.checksum);
		return [
			`list ${first.first}-${first.end} ${first.checksum}`,
			...(checksum === undefined ? [] : [`rows ${checksum}`]),
		].map((name) => this.nameOf(name));
	}

	private textsOf(list: List): string[] {
		const names = this.namesOf(list);
		return [...names, ...names.map(endOf), ...this.rowsOf(list)];
	}

	private rowsOf({ rows }: List, part?: Part): string[] {
		return (rows?.namesIn(part) ?? []).map((name) => this.rowName(name));
	}

	private knownOf(list: List, known: ReadonlySet<string>): Known | undefined {
		const { first, totalRows, rows } = list;
		const names = this.namesOf(list);
		const [given = ''] = names;
		const begun = names.filter((name) => known.has(name));
		const hasEnded = begun.every((name) => known.has(endOf(name)));
		const isSame = begun.some((name) => name !== given || first.end === totalRows);
		if (isSame) return { ...SAME_ROWS, hasEnded };
		const share = rows?.shareOf((name) => known.has(this.rowName(name)));
		if (share) return { ...share, isSame, hasEnded };
		// The first of several files, with which something else was done.
		if (begun.length === 0) return undefined;
		return {
			text: rowsWere(first),
			share: (first.end - first.first) / totalRows,
			isSame,
			hasEnded,
		};
	}

	private async add(part: Part, texts: string[]): Promise<ReadonlySet<string>> {
		const known = await claimAll(this.context.functions, texts);
		const added = texts.filter((text) => !known.has(text));
		this.added.set(part.first, added);
		return known;
	}

	private rememberedOf(list: List, texts: ReadonlySet<string>): Remembered {
		const known = this.knownOf(list, texts);
		const names = this.namesOf(list);
		if (!known || known.isSame) return { known, knownWithoutJob: undefined };
		if (!names.some((name) => texts.has(name))) return { known, knownWithoutJob: known };
		const begun = new Set([...names, ...this.rowsOf(list, list.first)]);
		const others = new Set([...texts].filter((text) => !begun.has(text)));
		return { known, knownWithoutJob: this.knownOf(list, others) };
	}

	/** Remembers that the first file of a list is sent. @returns what is known of the list from other runs */
	async begin(list: List): Promise<Remembered | undefined> {
		const { functions, wait } = this.context;
		const before = await findClaimed(functions, this.textsOf(list));
		const names = this.namesOf(list);
		const own = `${names.join(' ')} by ${this.run}`;
		const rows = this.rowsOf(list, list.first);
		const [given = '', whole] = names;
		const isWhole = list.first.end === list.totalRows;
		const added = [own, given, ...(isWhole && whole !== undefined ? [whole] : []), ...rows];
		const known = await this.add(list.first, added);
		const ended = names.map(endOf);
		// Without a wait, another node reads the outcome.
		if (wait?.way === 'none') await claimAll(functions, ended);
		else await releaseClaims(functions, ended);
		return known.has(own) ? undefined : this.rememberedOf(list, new Set([...before, ...known]));
	}

	/** Remembers that another file of a list is sent, and with the last one, that all of it is. */
	async goOn(list: List, part: Part): Promise<void> {
		const [, whole] = this.namesOf(list);
		const isLast = part.end === list.totalRows;
		const names = isLast && whole !== undefined ? [whole] : [];
		await this.add(part, [...names, ...this.rowsOf(list, part)]);
	}

	async look(list: List): Promise<Remembered> {
		return this.rememberedOf(list, await findClaimed(this.context.functions, this.textsOf(list)));
	}

	/** Forgets what this run has added for files that imported nothing. */
	async forget(parts: readonly Part[]): Promise<void> {
		for (const { first } of parts) {
			await releaseClaims(this.context.functions, this.added.get(first) ?? []);
			this.added.delete(first);
		}
	}

	async end(list: List): Promise<void> {
		await claimAll(this.context.functions, this.namesOf(list).map(endOf));
	}
}

/** Whether a job has the rows of a file as they were given. */
const isFileOf = (job: FileMark, part: Part): boolean =>
	sameRange(job, part) && part.checksum === job.checksum;

/** The jobs of other runs that have the rows of a list, or nearly. Throws UnclearJobs or ServiceError. */
async function findSameJobs(
	{ service }: FeatureContext,
	{ first, rows }: List,
	parts: readonly Part[],
	run: string,
): Promise<{ same: EarlierJob[]; nearlySame: EarlierJob[] }> {
	const isSame = (file: FileMark): boolean =>
		parts.some((part) => isFileOf(file, part)) || rows?.isSame(file) === true;
	const isNearlySame = (file: FileMark): boolean => rows?.isNearlySame(file) === true;
	const names = [`check ${first.checksum}`, ...(rows ? [`of list ${rows.checksum}`] : [])];
	const jobs = await findEarlierJobs(service, {
		names,
		isOf: (file) => file.run !== run && (isSame(file) || isNearlySame(file)),
	});
	const [same, nearlySame] = partition(jobs, isSame);
	return { same, nearlySame };
}

/** The first job of the last run that started some of them. */
function lastImport(jobs: readonly EarlierJob[]): EarlierJob | undefined {
	const last = maxBy(jobs, 'jobId');
	return minBy(
		jobs.filter(({ run }) => run === last?.run),
		'jobId',
	);
}

/** How many of the rows of a list the last run that has them has sent: perhaps not all of its files. */
function sentShare(jobs: readonly EarlierJob[], { totalRows }: List): number {
	const run = lastImport(jobs)?.run;
	const own = jobs.filter((job) => job.run === run);
	return Math.min(1, sumBy(own, ({ first, end }) => end - first) / totalRows);
}

/** Undefined if the service has no such job; its ID is undefined if the service does not tell. */
async function lookUpJob(
	context: FeatureContext,
	list: List,
	run: string,
): Promise<{ job: EarlierJob | undefined } | undefined> {
	try {
		const { same, nearlySame } = await findSameJobs(context, list, [list.first], run);
		const job = lastImport(same) ?? lastImport(nearlySame);
		return job && { job };
	} catch {
		throwIfCancelled(context.service.signal);
		return { job: undefined };
	}
}

/** The state of the job, for the end of a sentence. */
async function stateText({ service }: FeatureContext, { jobId }: EarlierJob): Promise<string> {
	try {
		const { status } = await readImportJob(service, jobId);
		return jobState(status) === 'running' ? 'is still running' : 'has ended';
	} catch {
		throwIfCancelled(service.signal);
		return 'could not be read';
	}
}

const byText = (job: EarlierJob | undefined): string =>
	job ? `by job ${job.jobId}` : 'by this node';

async function sentenceOn(
	context: FeatureContext,
	{ text, isSame, hasEnded }: Known,
	job: EarlierJob | undefined,
	isSent: boolean,
): Promise<string> {
	const said = `${upperFirst(text)} imported before ${byText(job)}${isSent ? ', and now again' : ''}.`;
	if (hasEnded) return said;
	const stopped = 'That run was canceled or stopped before it had the outcome, or it still waits';
	if (!job) return `${said} ${stopped}: look in the service for its job.`;
	const state = await stateText(context, job);
	// Other rows have no jobs to continue.
	const advice = isSame ? ` To read its outcome, set ${LABEL} to ${CONTINUE}.` : '';
	return `${said} ${stopped}; job ${job.jobId} ${state}.${advice}`;
}

/** Of a list with a smaller share of rows that were imported, the others must not be held back. */
const SHARE_TO_STOP = 0.5;
const ALL_BUT_A_FEW = 0.9;

/** Throws InvalidInput if other runs have imported the rows or most of them, as far as that can be known. */
async function stopIfImported(
	context: FeatureContext,
	list: List,
	parts: readonly Part[],
	run: string,
	memory: ListMemory,
): Promise<void> {
	const stop = (text: string, job?: EarlierJob): InvalidInput => {
		const advice =
			text === SAME_ROWS.text
				? 'To import them again, choose Say So.'
				: 'Delete those rows from the list, or choose Say So to import all of them.';
		return reject(`is set to Stop, and ${text} imported before ${byText(job)}. ${advice}`);
	};
	let isClear = true;
	let hasJob = false;
	let nearlySame: EarlierJob[] = [];
	try {
		const jobs = await findSameJobs(context, list, parts, run);
		const job = lastImport(jobs.same);
		const share = sentShare(jobs.same, list);
		if (job && share === 1) throw stop(SAME_ROWS.text, job);
		if (job && share >= SHARE_TO_STOP) throw stop(estimateText(share, list.totalRows), job);
		hasJob = job !== undefined;
		({ nearlySame } = jobs);
	} catch (error) {
		if (!(error instanceof UnclearJobs)) return rethrow(error);
		isClear = false;
	}
	const remembered = await memory.look(list);
	const known = isClear && !hasJob ? remembered.knownWithoutJob : remembered.known;
	const job = lastImport(nearlySame);
	// A job that the service does not have any more, or that failed, has imported nothing.
	const isStored = known && !(isClear && known.isSame);
	if (isStored && known.share >= SHARE_TO_STOP) throw stop(known.text, job);
	const share = sentShare(nearlySame, list);
	if (!job || share < SHARE_TO_STOP) return;
	// The mark of the job does not tell a few rows more or less.
	throw stop(estimateText(share > ALL_BUT_A_FEW ? 1 : share, list.totalRows), job);
}

/** The jobs that are continued: those under a key, or those of the same rows. */
interface Continued {
	/** Why, for the log and after a comma. */
	why: string;
	/** Imports of the same name must not start jobs at the same time. */
	turn: string;
	mark: string;
	/** By the number of their file. Throws UnclearJobs, or InvalidInput if they cannot be continued. */
	find(
		files: AsyncIterable<BuiltPart>,
		found: readonly FoundRows[],
	): Promise<ReadonlyMap<number, EarlierJob>>;
}

function continuedOf(service: NativeService, key: string): Continued {
	if (key !== '')
		return {
			why: `under the ${RUN_KEY_LABEL} "${key}"`,
			turn: key,
			mark: keyMark(key),
			find: async (files, found) =>
				await jobsOfKey(key, await findEarlierJobs(service, identityOfKey(key)), files, found),
		};
	return {
		why: 'for the same list',
		turn: LABEL,
		mark: '',
		async find(files) {
			const parts = await partsOf(files);
			if (parts.length === 0) return new Map();
			const isOf = (file: FileMark): boolean => isJobOf(file, parts[file.fileNumber - 1]);
			return byFileNumber(await findEarlierJobs(service, { isOf }));
		},
	};
}

/** Throws InvalidInput if they cannot be known. */
async function findJobs(
	{ find }: Continued,
	...of: Parameters<Continued['find']>
): Promise<ReadonlyMap<number, EarlierJob>> {
	try {
		return await find(...of);
	} catch (error) {
		if (!(error instanceof UnclearJobs)) return rethrow(error);
		throw reject(
			`cannot be set to ${CONTINUE}, because ${error.message} Check in the service which rows were imported, and choose Say So to import the list.`,
		);
	}
}

/** The key that the import began with, empty for none: an expression can give another text after a wait. */
function beginningKey({ resumed }: FeatureContext): string | undefined {
	const kept = lifeOf(resumed)?.kept[RUN_KEY];
	return typeof kept === 'string' ? kept : undefined;
}

export const importedBefore: ImportFeature = {
	options: { group: 'safety', place: 15, fields: [option] },
	guards: [NAME, RUN_KEY],
	refusesOtherValues: (parameters) =>
		parameters.in('options').choice(NAME, CHOICES) === 'continue'
			? `${LABEL} set to ${CONTINUE}: a later run could import the corrected rows again.`
			: undefined,
	sendsNoneAgain: (parameters) =>
		parameters.in('options').choice(NAME, CHOICES) === 'continue'
			? `${CONTINUE} reads the outcome of the old jobs, and sends nothing. To import the list again, set ${LABEL} to Say So, or use another ${RUN_KEY_LABEL}.`
			: undefined,
	of(context) {
		const { functions, parameters, service, sends, wait } = context;
		if (!wait) return undefined;
		const run = runIdOf(functions);
		const memory = new ListMemory(context, run);
		/** No import fails because of it. */
		const ifPossible = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
			try {
				return await work();
			} catch (error) {
				throwIfCancelled(service.signal);
				functions.logger.warn(`${LABEL}: ${messageOf(error)}`);
				return undefined;
			}
		};
		let rows: ListRows | undefined;
		const listOf = (first: Part, totalRows: number): List => ({ first, totalRows, rows });
		const end: NonNullable<ReturnType<ImportFeature['of']>>['end'] = async (outcome) => {
			const { started, allParts } = outcome;
			const [first] = started.parts;
			if (!first || started.parts.some(({ failure }) => failure?.status === 'unknown')) return;
			const failed = allParts.filter(({ failure }) => failure && failure.status !== 'unknown');
			await ifPossible(async () => {
				await memory.forget(failed);
				await memory.end(listOf(first, started.totalRows));
			});
		};
		if (!sends) return { end };
		const begun = beginningKey(context);
		const choice =
			begun === undefined ? parameters.in('options').choice(NAME, CHOICES) : 'continue';
		const key = choice === 'continue' ? (begun ?? runKeyInput(context)) : '';
		const continued = choice === 'continue' ? continuedOf(service, key) : undefined;
		const notes: ImportNote[] = [];
		let toContinue: readonly EarlierJob[] = [];
		/** Whether rows that were imported before are left out. */
		let areCompared = false;
		let totalRows = 0;
		const say = async (
			first: Part,
			find: (list: List) => Promise<Remembered | undefined>,
			isSent: boolean,
		) =>
			await ifPossible(async () => {
				const list = listOf(first, totalRows);
				const remembered = await find(list);
				if (areCompared || toContinue.length > 0 || !remembered?.known) return;
				const found = await lookUpJob(context, list, run);
				// A job that failed has imported nothing.
				const known = found ? remembered.known : remembered.knownWithoutJob;
				if (!known) return;
				const text = await sentenceOn(context, known, found?.job, isSent);
				// A few people who come again, as in most lists, are nothing to decide on.
				const isUsual = known.hasEnded && known.share < SHARE_TO_STOP;
				notes.push({ text, needsDecision: isUsual ? undefined : true });
			});
		return {
			end,
			// Any later run may have to know the files again.
			needsIdentity: true,
			markOf: (part) => ({
				before: continued?.mark ?? '',
				after: [writtenMark(part), rows?.mark].filter(Boolean).join(' '),
			}),
			...(continued && {
				kept: { [RUN_KEY]: key },
				continues: continued.why,
				// Another import waits until the jobs of this one can be found.
				takeTurn: async () =>
					await takeTurn(`${service.target.identity} ${continued.turn}`, service.signal),
				notSent: () =>
					toContinue.length > 0 ? `they were started before ${continued.why}` : undefined,
			}),
			async earlierJobs(files, found: readonly FoundRows[], seen) {
				const isSent = (position: number) => leftOutBy(found, position) === undefined;
				rows = seen && (await ListRows.of(seen, isSent, new TimeSlice(service.signal)));
				totalRows = seen?.count ?? 0;
				areCompared = found.some(
					({ leftOut }) => leftOut && leftOut.count > 0 && isInService(leftOut.status),
				);
				if (choice === 'stop') {
					const parts = await partsOf(files);
					const [first] = parts;
					if (first) await stopIfImported(context, listOf(first, totalRows), parts, run, memory);
				}
				if (!continued) return undefined;
				const jobs = await findJobs(continued, files, found);
				toContinue = [...jobs.values()];
				return jobs;
			},
			async shown({ parts }) {
				const [first] = parts;
				if (first) await say(first, async (list) => await memory.look(list), false);
				return {
					warnings: notes.map(({ text }) => text),
					...(continued && { summary: { continuedJobs: jobIdsOf(toContinue) } }),
				};
			},
			async starting(part, isContinued) {
				if (isContinued) return () => undefined;
				if (part.first === 0) await say(part, async (list) => await memory.begin(list), true);
				else await ifPossible(async () => await memory.goOn(listOf(part, totalRows), part));
				return () => undefined;
			},
			refused: async (part) => await memory.forget([part]),
			sentences: () => notes,
		};
	},
};
