import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../../nodes/NativeBulkImport/NativeBulkImport.node';
import type { NodeRun, NodeRunOptions } from './engine';
import { fieldsOf, peopleJob } from './importJobs';
import { PausedJobs } from './pausedJobs';
import { type Sandboxed, useSandbox } from './sandboxed';

type Setup = Omit<NodeRunOptions, 'node' | 'parameters' | 'credentials'>;

/** Runs of Native Bulk Import that sleep in n8n's database while their jobs are held. */
class SleepingRuns {
	readonly node = new NativeBulkImport();
	/** How far n8n's time has moved on, in ms. */
	slept = 0;

	constructor(
		readonly service: Sandboxed,
		readonly jobs: PausedJobs,
	) {}

	/** n8n's time moves on while an execution sleeps. */
	sleepUntil(until: Date): void {
		this.slept += until.getTime() - Date.now();
	}

	/** Ends the jobs that run, and none that start later. */
	readonly finishJobs = async (): Promise<void> => {
		this.jobs.release();
		await this.service.settle();
		this.jobs.hold();
	};

	/** Create, whose execution waits in the database. */
	readonly waitingJob = async (more: IDataObject = {}): Promise<INodeParameters> => {
		const options = { maxWait: 600, waitForCompletion: 'database', ...more };
		return fieldsOf(await peopleJob(this.service), options);
	};

	async runInMemory(parameters: INodeParameters, setup: Setup = {}): Promise<NodeRun> {
		return await this.service.run(this.node, parameters, setup);
	}

	/** Runs the node; the jobs end in its second sleep. */
	async runWithSleeps(
		parameters: INodeParameters,
		setup: Setup = {},
	): Promise<NodeRun & { sleeps: number }> {
		let sleeps = 0;
		this.jobs.hold();
		const run = await this.service.run(this.node, parameters, {
			...setup,
			whileSleeping: async (until) => {
				this.sleepUntil(until);
				if (++sleeps === 2) await this.finishJobs();
			},
		});
		this.jobs.release();
		return { ...run, sleeps };
	}
}

/** For the tests of a file. */
export function useSleepingRuns(): SleepingRuns {
	const jobs = new PausedJobs();
	const runs = new SleepingRuns(useSandbox({ jobTiming: jobs.jobTiming }), jobs);
	afterEach(() => jobs.release());
	const realNow = Date.now;
	beforeEach(() => {
		runs.slept = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => realNow() + runs.slept);
	});
	return runs;
}

/** What the items come to, without what differs between two jobs. */
export const comparable = ({ outputs }: NodeRun) =>
	outputs.map((output) =>
		output.map(({ json, pairedItem }) => [
			JSON.stringify(json)
				.replaceAll(/run \w{6}|[Jj]ob \d+|jobs \d[\d, ]*/g, '')
				.replaceAll(/"(jobId|id|primaryKey)":\d+|"(date\w*|url)":"[^"]*"/g, ''),
			pairedItem,
		]),
	);
