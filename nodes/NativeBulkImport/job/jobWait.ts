import { randomBytes } from 'crypto';
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import {
	checkDatabaseWait,
	DatabaseWait,
	type Progress,
	type Question,
	recordProgressLink,
	type ResumedRun,
	wakeLink,
} from '../wait/databaseWait';
import type { WaitContext } from '../wait/waitingNode';
import { failedJobError, jobOutput } from '../../shared/execution/importJobOutput';
import {
	errorsOf,
	type ItemContext,
	type ItemOutput,
	type ItemResults,
	type ServiceContext,
} from '../../shared/execution/operation';
import type { ItemParameters } from '../../shared/parameters/itemParameters';
import { optionOfFields } from '../../shared/parameters/optionOfFields';
import type { ImportJob } from '../../shared/service/importJob';
import { type ImportJobRecord, jobState } from '../../shared/service/importJobRecord';
import {
	mayPass,
	nextSleep,
	readImportJob,
	type WaitedJob,
	waitForJobs,
	type WaitPlan,
} from '../../shared/service/importJobWait';
import { InvalidInput } from '../../shared/service/invalidInput';
import type { NativeService } from '../../shared/service/nativeService';
import { rethrow } from '../../shared/transport/rethrow';

export const jobIdField: INodeProperties = {
	displayName: 'Job ID',
	name: 'jobId',
	type: 'string',
	default: '={{ $json.jobId }}',
	required: true,
	placeholder: 'e.g. 90210',
	description: 'The number the service gave the import job when it was created',
};

const WAYS = {
	memory: {
		name: 'In Memory',
		description: 'The node runs until the end. A restart of n8n ends the wait, not the jobs.',
	},
	database: {
		name: 'In the Database',
		description:
			'For hours: n8n stores the execution after the first checks and continues later, also after a restart. Needs a node before this one.',
	},
	none: { name: 'Not at All', description: 'Return at once' },
};

export type WaitWay = keyof typeof WAYS;

/** In minutes, if the user says nothing: in memory, a worker of n8n does nothing else. */
const LONGEST_WAIT: Record<WaitWay, number> = { none: 60, memory: 60, database: 24 * 60 };

/** The option whose fields are about a page. */
const PAGE = 'page';

/** Hard to guess, and the same in a link. */
const SECRET = /^[\w-]{16,200}$/;

/** How the user wants to wait for jobs. */
export interface ChosenWait extends WaitPlan {
	way: WaitWay;
	/** In the link of the progress page; empty for none. */
	pageSecret: string;
	/** Whether the service calls n8n when the jobs end (service.md 2.9). */
	isWoken: boolean;
	/** Listeners for the jobs that are started. */
	listeners: NonNullable<ImportJob['listeners']>;
}

/** What is asked about a wait, for the operations to show. */
interface WaitFields {
	way: INodeProperties;
	maxWait: INodeProperties;
	wakeByService: INodeProperties;
	progressPage: INodeProperties;
}

function listenersOf(functions: IExecuteFunctions, isWoken: boolean): ChosenWait['listeners'] {
	return isWoken ? [{ type: 'webhook', value: wakeLink(functions) }] : [];
}

/** The parameters of an operation that waits for jobs. */
export class WaitChoice {
	/** One by one, for a screen of its own. */
	readonly each: WaitFields;

	/**
	 * @param ways the first is the default
	 * @param startsJobs whether the operation starts the jobs that it waits for
	 */
	constructor(
		private readonly field: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
		private readonly ways: readonly [WaitWay, ...WaitWay[]],
		private readonly startsJobs = false,
	) {
		// An option that is not added has no value; then its default counts.
		const ifWaiting: INodeProperties['displayOptions'] =
			ways[0] === 'none'
				? { show: { [field.name]: ['memory', 'database'] } }
				: { hide: { [field.name]: ['none'] } };
		this.each = {
			way: {
				...field,
				type: 'options',
				options: ways.map((value) => ({ ...WAYS[value], value })),
				default: ways[0],
			},
			maxWait: {
				displayName: 'Max Wait (Minutes)',
				name: 'maxWait',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 60,
				displayOptions: ifWaiting,
				description:
					'Maximum time to wait for the job. Without this option: 60 minutes, or a day in the database. Then the node stops waiting; the job keeps running.',
			},
			wakeByService: {
				displayName: 'Wake by Webhook',
				name: 'wakeByService',
				type: 'boolean',
				default: false,
				description:
					'Whether the service calls this n8n when the job ends, so that the node continues at once. The service must reach n8n over https.',
			},
			progressPage: {
				displayName: 'Page for a Colleague',
				name: 'progressPage',
				type: 'string',
				default: '',
				placeholder: "e.g. {{ $('Crypto').first().json.data }}",
				description:
					'Secret in the link of a page that shows the progress: <code>{{ $execution.resumeFormUrl.replace(/\\?|$/, "?page=" + secret + "&") }}</code>',
			},
		};
	}

	/** All in one collection. */
	get fields(): INodeProperties[] {
		const { way, maxWait, wakeByService, progressPage } = this.each;
		const displayOptions = { show: { [this.field.name]: ['database' satisfies WaitWay] } };
		const ofDatabase = [...(this.startsJobs ? [wakeByService] : []), progressPage];
		return [way, maxWait, ...ofDatabase.map((field) => ({ ...field, displayOptions }))];
	}

	/** Where and how long, as one option of several fields. */
	asOption(): INodeProperties {
		const { way } = this.each;
		const maxWait: INodeProperties = {
			...this.each.maxWait,
			default: '',
			description:
				'Maximum time to wait. Empty: 60 minutes, or a day in the database. Then the node stops waiting; the jobs keep running.',
		};
		return optionOfFields({ ...this.field, name: 'wait' }, { displayName: 'Wait', name: 'for' }, [
			way,
			maxWait,
		]);
	}

	/** The page that shows the progress, as one option. @param others what else the page has */
	pageOption(others: readonly INodeProperties[]): INodeProperties {
		const { wakeByService } = this.each;
		const progressPage: INodeProperties = {
			...this.each.progressPage,
			displayName: 'Secret of the Link',
			description:
				'Makes the link known before the import: <code>{{ $execution.resumeFormUrl.replace(/\\?|$/, "?page=" + secret + "&") }}</code>. Empty: the link is in the log and the execution data.',
		};
		return optionOfFields(
			{
				displayName: 'Page for a Colleague',
				name: PAGE,
				description:
					'A page that shows the progress, and on which a colleague can correct rejected rows. The node then waits in the database.',
			},
			{ displayName: 'Page', name: 'shown' },
			[progressPage, ...others, wakeByService],
		);
	}

	/**
	 * As before the wait, if there was one. Throws InvalidInput where the node cannot wait in the database.
	 * @param isPageNeeded whether people must see the page
	 */
	read(
		{ functions, parameters, service, resumed }: ServiceContext & Pick<WaitContext, 'resumed'>,
		isPageNeeded = false,
	): ChosenWait {
		if (resumed) {
			const pageSecret = resumed.progress?.secret ?? '';
			const listeners = listenersOf(functions, resumed.wait.isWoken);
			return { ...resumed.wait, way: 'database', pageSecret, listeners };
		}
		const options = parameters.in('options');
		const way = this.readWay(parameters, isPageNeeded);
		const maxWaitMs = options.positive('maxWait', LONGEST_WAIT[way]) * 60_000;
		if (way === 'database') checkDatabaseWait(functions, this.field.displayName, maxWaitMs);
		const isWoken = way === 'database' && options.flag('wakeByService');
		return {
			way,
			pageSecret: way === 'database' ? this.readSecret(parameters, isPageNeeded) : '',
			isWoken,
			listeners: listenersOf(functions, isWoken),
			pollIntervalMs: service.limits.pollInterval * 1000,
			maxWaitMs,
		};
	}

	/** A page is for hours. */
	private readWay(parameters: ItemParameters, isPageNeeded: boolean): WaitWay {
		const options = parameters.in('options');
		const hasPage = options.value(PAGE) !== undefined;
		const isChosen = options.value(this.field.name) !== undefined;
		const way =
			(hasPage || isPageNeeded) && !isChosen
				? 'database'
				: options.choice(this.field.name, this.ways);
		if (way === 'database' || !hasPage) return way;
		const text = `needs ${this.field.displayName}: In the Database. Choose that, or remove the page.`;
		throw new InvalidInput([{ field: options.labelOf(PAGE), text }]);
	}

	/** Empty if there is to be no page. Without a secret of the user, the node makes one. */
	private readSecret(parameters: ItemParameters, isPageNeeded: boolean): string {
		const options = parameters.in('options');
		const entered = options.text('progressPage');
		const hasPage = isPageNeeded || options.value(PAGE) !== undefined;
		if (entered === '') return hasPage ? randomBytes(16).toString('hex') : '';
		if (SECRET.test(entered)) return entered;
		const text = 'Enter 16 to 200 letters, digits, hyphens and underscores.';
		throw new InvalidInput([{ field: options.labelOf('progressPage'), text }]);
	}
}

/** Short jobs end before the execution is stored. */
const CHECKS_IN_MEMORY = 6;
const LONGEST_IN_MEMORY_MS = 90_000;

/** What the progress page says about jobs, as far as it is known. */
interface WaitSubject {
	/** Default: the name of the workflow. */
	name?: string;
	/** The number of rows of each job, keyed by its ID. */
	rows?: ReadonlyMap<number, number>;
	/** What the reader was asked before. */
	question?: Question;
}

/** The progress before the first look at the jobs. */
export function newProgress(
	functions: IExecuteFunctions,
	secret: string,
	jobIds: readonly number[],
	{ name = '', rows, question }: WaitSubject,
): Progress {
	recordProgressLink(functions, secret);
	const parents = functions.getParentNodes(functions.getNode().name);
	return {
		secret,
		name: name || functions.getWorkflow().name || 'Import',
		isFromForm: parents.some(({ type }) => type === 'n8n-nodes-base.formTrigger'),
		jobs: jobIds.map((jobId) => ({ jobId, rows: rows?.get(jobId) })),
		...(question && { question }),
	};
}

/**
 * Waits for jobs in memory or in n8n's database, for which it throws DatabaseWait.
 * @param work what the operation needs to continue after a wait in the database
 * @returns the end of each job by its ID
 */
export async function waitAsChosen(
	{ functions, service, resumed }: WaitContext,
	jobIds: readonly number[],
	wait: ChosenWait,
	work: IDataObject = {},
	subject: WaitSubject = {},
): Promise<Map<number, WaitedJob>> {
	if (wait.way === 'none') return new Map();
	const begunAt = Date.now();
	const since = resumed?.sleep.since ?? begunAt;
	const waitedMs = begunAt - since;
	if (wait.way === 'memory' || resumed?.didNotSleep)
		return await waitForJobs(service, jobIds, wait, waitedMs);
	const checksMs = CHECKS_IN_MEMORY * wait.pollIntervalMs;
	const inMemoryMs = Math.min(checksMs, LONGEST_IN_MEMORY_MS, wait.maxWaitMs);
	const ends = await waitForJobs(service, jobIds, wait, waitedMs, resumed ? 0 : inMemoryMs);
	const isAnyOpen = [...ends.values()].some((end) => 'isOpen' in end);
	const sleep = isAnyOpen ? nextSleep(since, resumed?.sleep, wait, Date.now()) : undefined;
	if (!sleep) return ends;
	if (wait.pageSecret === '') throw new DatabaseWait(sleep, work);
	const progress = resumed?.progress ?? newProgress(functions, wait.pageSecret, jobIds, subject);
	const jobs = progress.jobs.map((job) => {
		const end = ends.get(job.jobId);
		const status = end && ('record' in end ? end.record.status : end.lastStatus);
		return { ...job, status: status || job.status };
	});
	throw new DatabaseWait(sleep, work, { ...progress, jobs });
}

/** Sleeps again if the service was away when the execution continued: throws DatabaseWait. */
export function sleepIfAway(
	{ sleep, work, progress, didNotSleep }: ResumedRun,
	wait: WaitPlan,
	error: unknown,
): void {
	const mayWait = !didNotSleep && mayPass(error, Date.now() - sleep.since);
	const next = mayWait ? nextSleep(sleep.since, sleep, wait, Date.now()) : undefined;
	if (next) throw new DatabaseWait(next, work, progress);
}

/** A job that has ended, as output. Throws ServiceError if it failed. */
export function endedJobOutput(
	service: NativeService,
	jobId: number,
	record: ImportJobRecord,
): IDataObject {
	if (jobState(record.status) === 'failed') throw failedJobError(service, jobId, record);
	return jobOutput(service, jobId, record);
}

/**
 * Waits as chosen for the jobs that the items name, then runs `work` for each item with the record of its
 * job.
 */
export async function forEachJob(
	run: WaitContext,
	wait: ChosenWait,
	work: (
		item: ItemContext,
		jobId: number,
		record: ImportJobRecord,
	) => ItemOutput | Promise<ItemOutput>,
): Promise<ItemResults> {
	const { functions, service, forEachItem } = run;
	const jobIds = await forEachItem(({ parameters }) => parameters.id('jobId'));
	if (!functions.continueOnFail() && jobIds.some((result) => 'error' in result))
		return errorsOf(jobIds);
	const valid = jobIds.flatMap((result) => ('value' in result ? result.value : []));
	const ends = await waitAsChosen(run, valid, wait);
	return await forEachItem(async (item) => {
		const result = jobIds[item.itemIndex];
		if (!result || 'error' in result) return rethrow(result?.error);
		const jobId = result.value;
		const end = ends.get(jobId) ?? { record: await readImportJob(service, jobId) };
		return 'error' in end ? rethrow(end.error) : await work(item, jobId, end.record);
	});
}
