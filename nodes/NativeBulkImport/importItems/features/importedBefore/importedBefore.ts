import { maxBy, upperFirst } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import { takeTurn } from '../../../../shared/execution/nodeMemory';
import { optionOfFields } from '../../../../shared/parameters/optionOfFields';
import { claimAll, isClaimed, releaseClaim } from '../../../../shared/execution/runClaims';
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
	isInService,
	type Part,
} from '../../model';
import { byFileNumber, findEarlierJobs, UnclearJobs } from '../../start/earlierJobs';
import { runIdOf } from '../../../job/descriptionMark';
import {
	isJobOf,
	jobIdsOf,
	partsOf,
	rowsText,
	sameRange,
	writtenMark,
	writtenOf,
} from '../../start/startedImport';
import { lifeOf } from '../../start/storedLife';
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
			description: 'Import it again, and name the job that has the same rows',
		},
		{
			name: 'Stop',
			value: 'stop',
			description: 'Send nothing if a job has the same rows',
		},
		{
			name: CONTINUE,
			value: 'continue',
			description:
				'After a canceled or failed run: read the outcome of the jobs that were started for the same rows and fields, and start only the others. The service must list its jobs with descriptions.',
		},
	],
	default: 'say',
	description: 'What to do if the same rows come a second time',
};

const option = optionOfFields(
	{
		displayName: LABEL,
		name: 'importedBefore',
		description:
			'What to do if the same rows come a second time: import them and say so, stop, or continue their jobs',
	},
	{ displayName: 'List', name: 'list' },
	[choiceField, { ...runKeyField, displayOptions: { show: { [NAME]: ['continue'] } } }],
);

function reject(text: string): InvalidInput {
	return new InvalidInput([{ field: LABEL, text }]);
}

/** Other columns that are not imported, or blanks around values, make no other rows. */
const sameRows = (file: FileMark, part: Part | undefined): boolean =>
	sameRange(file, part) && (part.checksum === file.checksum || part.written === writtenOf(file));

/** What an earlier run of the same rows has left. */
interface Before {
	/** E.g. `the same rows`, or those of the first file. */
	rows: string;
	/** Undefined if the service does not tell. */
	job: EarlierJob | undefined;
	/** Whether that run got its outcome. */
	hasEnded: boolean;
}

const endOf = (name: string): string => `${name} ended`;

/** What is known of a list with these names. */
function knownOf(
	names: readonly string[],
	known: ReadonlySet<string>,
): Pick<Before, 'hasEnded'> | undefined {
	const begun = names.filter((name) => known.has(name));
	if (begun.length === 0) return undefined;
	return { hasEnded: begun.every((name) => known.has(endOf(name))) };
}

/** What n8n remembers of the lists that a node has imported: each by its first file. */
class ListMemory {
	constructor(
		private readonly context: FeatureContext,
		private readonly run: string,
	) {}

	/** By its rows as they were given, and by what is sent of them. */
	private namesOf({ first, end, checksum, written }: Part): string[] {
		const { functions, service } = this.context;
		return [checksum, ...(written ? [`written ${written}`] : [])].map(
			(mark) =>
				`list ${first}-${end} ${mark} of ${functions.getNode().id} in ${service.target.identity}`,
		);
	}

	/** Remembers that a list is sent. @returns what is known of it from other runs */
	async begin(part: Part): Promise<Pick<Before, 'hasEnded'> | undefined> {
		const { functions, wait } = this.context;
		const names = this.namesOf(part);
		const own = `${names.join(' ')} by ${this.run}`;
		const ended = names.map(endOf);
		const known = await claimAll(functions, [...names, own, ...ended]);
		// Without a wait, another node reads the outcome.
		if (wait?.way !== 'none') for (const name of ended) await releaseClaim(functions, name);
		return known.has(own) ? undefined : knownOf(names, known);
	}

	async look(part: Part): Promise<Pick<Before, 'hasEnded'> | undefined> {
		const { functions } = this.context;
		const names = this.namesOf(part);
		const known = new Set<string>();
		for (const name of [...names, ...names.map(endOf)])
			if (await isClaimed(functions, name)) known.add(name);
		return knownOf(names, known);
	}

	async forget(part: Part): Promise<void> {
		for (const name of this.namesOf(part)) await releaseClaim(this.context.functions, name);
	}

	async end(part: Part): Promise<void> {
		await claimAll(this.context.functions, this.namesOf(part).map(endOf));
	}
}

/** The jobs of other runs that have the rows of a file. Throws UnclearJobs or ServiceError. */
async function findSameJobs(
	{ service }: FeatureContext,
	parts: readonly Part[],
	run: string,
): Promise<EarlierJob[]> {
	const [first] = parts;
	if (!first) return [];
	return await findEarlierJobs(service, {
		names: [`check ${first.checksum}`, writtenMark(first)],
		isOf: (file) => file.run !== run && parts.some((part) => sameRows(file, part)),
	});
}

/** Undefined if no job of the service has imported a row of them. */
async function lookUpJob(
	context: FeatureContext,
	part: Part,
	run: string,
): Promise<Pick<Before, 'job'> | undefined> {
	try {
		const job = maxBy(await findSameJobs(context, [part], run), 'jobId');
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

async function sentenceOn(
	context: FeatureContext,
	{ rows, job, hasEnded }: Before,
	isSent: boolean,
): Promise<string> {
	const by = job ? `by job ${job.jobId}` : 'by this node';
	const verb = rows.startsWith('row ') ? 'was' : 'were';
	const said = `${upperFirst(rows)} ${verb} imported before ${by}${isSent ? ', and now again' : ''}.`;
	if (hasEnded) return said;
	const stopped = 'That run was canceled or stopped before it had the outcome, or it still waits';
	if (!job) return `${said} ${stopped}: look in the service for its job.`;
	const state = await stateText(context, job);
	return `${said} ${stopped}; job ${job.jobId} ${state}. To read its outcome, set ${LABEL} to ${CONTINUE}.`;
}

/** Throws InvalidInput if other runs have imported the rows, as far as that can be known. */
async function stopIfImported(
	context: FeatureContext,
	parts: readonly Part[],
	run: string,
	memory: ListMemory,
): Promise<void> {
	const [first] = parts;
	if (!first) return;
	const stop = (by: string): InvalidInput =>
		reject(
			`is set to Stop, and the same rows were imported before ${by}. To import them again, choose Say So.`,
		);
	try {
		const jobs = await findSameJobs(context, parts, run);
		const [jobId] = jobIdsOf(jobs);
		if (jobId !== undefined) throw stop(`by job ${jobId}`);
	} catch (error) {
		if (!(error instanceof UnclearJobs)) return rethrow(error);
		if (await memory.look(first)) throw stop('by this node');
	}
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
		const end: NonNullable<ReturnType<ImportFeature['of']>>['end'] = async ({ started }) => {
			const [first] = started.parts;
			const isKnown = started.parts.every(({ failure }) => failure?.status !== 'unknown');
			if (first && isKnown) await ifPossible(async () => await memory.end(first));
		};
		if (!sends) return { end };
		const begun = beginningKey(context);
		const choice =
			begun === undefined ? parameters.in('options').choice(NAME, CHOICES) : 'continue';
		const key = choice === 'continue' ? (begun ?? runKeyInput(context)) : '';
		const continued = choice === 'continue' ? continuedOf(service, key) : undefined;
		const decisions: string[] = [];
		let toContinue: readonly EarlierJob[] = [];
		/** Whether rows that were imported before are left out. */
		let areCompared = false;
		let hasBegun = false;
		let totalRows = 0;
		const say = async (
			part: Part,
			ofRows: number,
			known: Pick<Before, 'hasEnded'> | undefined,
			isSent: boolean,
		) =>
			await ifPossible(async () => {
				if (areCompared || !known) return;
				const found = await lookUpJob(context, part, run);
				const rows = part.end < ofRows ? rowsText(part) : 'the same rows';
				if (found) decisions.push(await sentenceOn(context, { rows, ...found, ...known }, isSent));
			});
		return {
			end,
			// Any later run may have to know the files again.
			needsIdentity: true,
			markOf: (part) => ({ before: continued?.mark ?? '', after: writtenMark(part) }),
			...(continued && {
				kept: { [RUN_KEY]: key },
				continues: continued.why,
				// Another import waits until the jobs of this one can be found.
				takeTurn: async () =>
					await takeTurn(`${service.target.identity} ${continued.turn}`, service.signal),
				notSent: () =>
					toContinue.length > 0 ? `they were started before ${continued.why}` : undefined,
			}),
			async earlierJobs(files, found: readonly FoundRows[]) {
				areCompared = found.some(
					({ leftOut }) => leftOut && leftOut.count > 0 && isInService(leftOut.status),
				);
				if (choice === 'stop') await stopIfImported(context, await partsOf(files), run, memory);
				if (!continued) return undefined;
				const jobs = await findJobs(continued, files, found);
				toContinue = [...jobs.values()];
				return jobs;
			},
			async shown({ parts, started }) {
				const [first] = parts;
				if (first && choice === 'say') {
					const known = await ifPossible(async () => await memory.look(first));
					await say(first, started.totalRows, known, false);
				}
				return {
					warnings: decisions,
					...(continued && { summary: { continuedJobs: jobIdsOf(toContinue) } }),
				};
			},
			beforeSending({ started }) {
				({ totalRows } = started);
			},
			async starting(part, isContinued) {
				const done = (): void => undefined;
				if (part.first > 0 || isContinued) return done;
				const known = await ifPossible(async () => await memory.begin(part));
				hasBegun = known === undefined;
				if (choice === 'say') await say(part, totalRows, known, true);
				return done;
			},
			async refused(part) {
				if (part.first === 0 && hasBegun) await memory.forget(part);
			},
			decisions: () => decisions,
		};
	},
};
