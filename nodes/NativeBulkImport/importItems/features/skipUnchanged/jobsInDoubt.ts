import { sortBy, uniqBy } from 'lodash';

import { collectResultFile } from '../../../../shared/execution/importResults';
import { isProcessed, type ResultRow, statusOf } from '../../../../shared/importFile/resultFile';
import { jobState } from '../../../../shared/service/importJobRecord';
import { readConcurrently, readImportJob } from '../../../../shared/service/importJobWait';
import { throwIfCancelled } from '../../../../shared/transport/cancellation';
import { parseRowKey } from '../../../rows/importRows';
import type { EarlierJob, ImportPlan } from '../../model';
import { findEarlierJobs } from '../../start/earlierJobs';
import type { RowMemory } from './rowMemory';

/** What the service says of a row that was in doubt. */
interface Mention {
	status: ReturnType<typeof statusOf>;
	/** Whether it processed a mapping type. */
	isProcessed: boolean;
}

/** What is known of a job. */
interface JobRead {
	mentions: ReadonlyMap<string, Mention>;
	/** Why it can have other rows. */
	problem?: string;
}

/** The jobs of earlier runs of a node whose outcome was not known. */
export interface JobsInDoubt {
	/** Keyed by the row's mark. */
	mentions: ReadonlyMap<string, Mention>;
	/** Why a row without a mention may be in one of the jobs; undefined if it cannot. */
	problem: string | undefined;
}

const NOT_LISTED = 'the service does not list its jobs with their descriptions';

function addMention(mentions: Map<string, Mention>, key: string, row: ResultRow): void {
	const known = mentions.get(key);
	const status = statusOf(row);
	// If a row is mentioned several times, a rejection wins, as for outcomes.
	const isWorse = !known || status === 'failed' || known.status === 'missing';
	mentions.set(key, {
		status: isWorse ? status : known.status,
		isProcessed:
			known?.isProcessed === true || Object.values(row.outcomes).some((text) => isProcessed(text)),
	});
}

/** @returns the rows that the job's results mention, or why they are not known */
async function readJob(
	{ service, mapping }: ImportPlan,
	jobId: number,
	rows: number,
): Promise<JobRead> {
	const mentions = new Map<string, Mention>();
	const { status, resultFiles } = await readImportJob(service, jobId);
	const state = jobState(status);
	const files = resultFiles ?? [];
	if (state === 'running') return { mentions, problem: `import job ${jobId} has not ended` };
	const known = { included: [mapping.itemColumn], labels: mapping.labels };
	for (const [index, file] of files.entries()) {
		const begin = () => new Map<string, Mention>();
		const read = await collectResultFile(service, file, index + 1, known, begin, (all, row) => {
			for (const text of Object.values(row.columns)) {
				const mark = parseRowKey(text)?.mark;
				if (mark !== undefined) addMention(all, mark, row);
			}
		});
		for (const [key, mention] of read) mentions.set(key, mention);
	}
	const isWhole = mentions.size >= rows || (state === 'failed' && files.length === 0);
	if (isWhole) return { mentions };
	return { mentions, problem: `the results of import job ${jobId} do not list it` };
}

/**
 * Joins what is known of jobs, the first one first. A rejected row keeps its mark when it is sent again: where a later
 * run can have sent it, that it was rejected before does not count.
 */
function joinMentions(
	jobs: ReadonlyArray<JobRead & { run: string }>,
): ReadonlyMap<string, Mention> {
	const joined = new Map<string, Mention & { run: string }>();
	for (const { run, mentions, problem } of jobs) {
		if (problem !== undefined)
			for (const [key, mention] of joined)
				if (mention.status === 'failed' && mention.run !== run) joined.delete(key);
		for (const [key, mention] of mentions) joined.set(key, { ...mention, run });
	}
	return joined;
}

/** Reads the jobs of the runs whose rows are in doubt. */
export async function readJobsInDoubt(plan: ImportPlan, memory: RowMemory): Promise<JobsInDoubt> {
	const { service } = plan;
	let marks: EarlierJob[];
	try {
		// Any import with a mark: n8n remembers which runs are this node's.
		marks = await findEarlierJobs(service, { isOf: () => true });
	} catch {
		throwIfCancelled(service.signal);
		return { mentions: new Map(), problem: NOT_LISTED };
	}
	const runs = await memory.runsInDoubt([...new Set(marks.map(({ run }) => run))]);
	const inDoubt = marks.filter(({ run }) => runs.has(run));
	const jobs = sortBy(uniqBy(inDoubt, 'jobId'), 'jobId');
	const read = new Map<number, JobRead>();
	await readConcurrently(service, jobs, async ({ jobId, rows }) => {
		try {
			read.set(jobId, await readJob(plan, jobId, rows));
		} catch {
			throwIfCancelled(service.signal);
			const problem = `the results of import job ${jobId} could not be read`;
			read.set(jobId, { mentions: new Map(), problem });
		}
	});
	const all = jobs.flatMap(({ jobId, run }) => {
		const job = read.get(jobId);
		return job ? [{ ...job, run }] : [];
	});
	const problem = all.find((job) => job.problem !== undefined)?.problem;
	return { mentions: joinMentions(all), problem };
}
