import type { IExecuteFunctions } from 'n8n-workflow';

import { itemOf } from '../../shared/execution/itemResult';
import {
	type ItemOutput,
	type NodeContext,
	type NodeOperation,
} from '../../shared/execution/operation';
import { counted } from '../../shared/service/counted';
import { endpoints } from '../../shared/service/endpoints';
import { isKnownToRun, jobState } from '../../shared/service/importJobRecord';
import {
	mayPass,
	readConcurrently,
	readImportJob,
	type WaitedJob,
} from '../../shared/service/importJobWait';
import { InvalidInput } from '../../shared/service/invalidInput';
import type { NativeService } from '../../shared/service/nativeService';
import { ServiceError } from '../../shared/service/serviceErrors';
import { throwIfCancelled } from '../../shared/transport/cancellation';
import { hooksOf } from './feature';
import { features } from './features/features';
import { returnOutcome } from './outcome/endedImport';
import {
	type GivenJobs,
	givenJobsOf,
	readGivenOutcome,
	readStartedJobs,
} from './outcome/givenJobs';
import type { ImportRows } from '../rows/importRows';
import { openRows, sourceFileFields } from '../rows/rowSource';
import { ItemRows } from '../rows/sourceRows';
import { Stops } from './stops';

/** The jobs as they are now. A job that cannot be read during an outage counts as running. */
async function readJobs(
	service: NativeService,
	{ files, jobIds }: GivenJobs,
): Promise<{ ended: Map<number, WaitedJob>; running: Map<number, string> }> {
	const ended = new Map<number, WaitedJob>();
	const running = new Map<number, string>();
	await readConcurrently(service, jobIds, async (jobId) => {
		try {
			const record = await readImportJob(service, jobId);
			if (jobState(record.status) === 'running')
				running.set(jobId, record.status?.trim() || 'blank');
			else ended.set(jobId, { record });
		} catch (error) {
			throwIfCancelled(service.signal);
			const startedAt = files.find((file) => file.jobId === jobId)?.startedAt;
			if (mayPass(error, Date.now() - Date.parse(startedAt ?? '')))
				running.set(jobId, `not readable: ${error.message}`);
			else ended.set(jobId, { error });
		}
	});
	return { ended, running };
}

async function readGivenRows(node: NodeContext): Promise<ImportRows> {
	const { parameters } = node;
	const source = parameters.text('source');
	if (source !== 'expression') {
		// Import Items passes the file on with the first job.
		const areJobs = String(parameters.value('startedJobs') ?? '').trim() === '';
		return await openRows(node, source === 'binary' || areJobs);
	}
	const value = parameters.value('rows') ?? [];
	if (!Array.isArray(value)) {
		const text = 'is not a list of items. Enter an expression such as {{ $("Rows").all() }}.';
		throw new InvalidInput([{ field: 'Rows', text }]);
	}
	return new ItemRows(node.functions, value.map(itemOf));
}

/** The given jobs with their status, for a loop that waits. */
function runningItems(
	functions: IExecuteFunctions,
	{ files, jobIds }: GivenJobs,
	running: ReadonlyMap<number, string>,
): ItemOutput {
	const jobs: Array<{ jobId: number | null }> =
		files.length > 0 ? files : jobIds.map((jobId) => ({ jobId }));
	const binary = functions.getInputData()[0]?.binary;
	return jobs.map((job, index) => {
		const status = running.get(job.jobId ?? 0);
		const json = {
			...job,
			hasEnded: status === undefined,
			jobStatus: status ?? 'ended',
			jobsRunning: running.size,
			jobs: jobIds.length,
		};
		return { json, ...(index === 0 && binary && { binary }) };
	});
}

export const getItemOutcomesOperation: NodeOperation = {
	value: 'getItemOutcomes',
	name: 'Get Item Outcomes',
	action: 'Get one outcome per imported item',
	description:
		'Read the outcome of each row of an import that "Import Items" started, given the same rows',
	calls: [endpoints.getBulkImportJob, endpoints.listApiKeyProfiles],
	properties: [
		{
			displayName: 'Started Jobs',
			name: 'startedJobs',
			type: 'string',
			default: '',
			placeholder: "e.g. {{ $('Import Items').all() }}",
			description:
				'The items of "Import Items", the jobs named in its error or log, or job IDs separated by commas. Leave empty if the input items are those of "Import Items".',
		},
		{
			displayName: 'Rows From',
			name: 'source',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'Delimited File',
					value: 'binary',
					description: 'The file that was imported, in a binary field of the first input item',
				},
				{
					name: 'Detect',
					value: 'detect',
					description:
						'The delimited file of a single input item or of the first started job, if there is one; otherwise the items',
				},
				{
					name: 'Expression',
					value: 'expression',
					description: 'The items of another node, in the order in which they were imported',
				},
				{
					name: 'Input Items',
					value: 'items',
					description: 'The items that were imported; fill in Started Jobs, too',
				},
			],
			default: 'detect',
			description: 'Where the imported rows are',
		},
		...sourceFileFields,
		{
			displayName: 'Rows',
			name: 'rows',
			type: 'string',
			default: '',
			required: true,
			placeholder: "e.g. {{ $('Rows').all() }}",
			displayOptions: { show: { source: ['expression'] } },
			description: 'The items that were imported, in the same order',
		},
	],
	options: [
		{
			displayName: 'Check Rows',
			name: 'checkRows',
			type: 'boolean',
			default: true,
			description:
				'Whether to reject rows whose values differ from the imported ones. The number of rows is always checked.',
		},
		...features.flatMap(({ outcomeOptions = [] }) => outcomeOptions),
		{
			displayName: 'While Jobs Run',
			name: 'whileRunning',
			type: 'options',
			options: [
				{ name: 'Fail', value: 'error', description: 'Say which jobs have not ended' },
				{
					name: 'Return the Jobs',
					value: 'return',
					description: 'Return one item per job with hasEnded, so that a loop can wait',
				},
			],
			default: 'error',
			description: 'What to do if a job has not ended yet',
		},
	],
	async runAll(run) {
		const { functions, parameters, service } = run;
		const options = parameters.in('options');
		const given = givenJobsOf(readStartedJobs(run));
		const { ended, running } = await readJobs(service, given);
		if (running.size > 0 && options.text('whileRunning') === 'return')
			return [{ value: runningItems(functions, given, running) }];
		if (running.size > 0) {
			const [one, several] = [...running.values()].every(isKnownToRun)
				? ['has not ended', 'have not ended']
				: ['is not known to have ended', 'are not known to have ended'];
			throw new ServiceError({
				message: `${running.size} of ${counted(given.jobIds.length, 'import job')} ${running.size === 1 ? one : several}: ${[...running].map(([jobId, status]) => `${jobId} (${status})`).join(', ')}`,
				description:
					'Do not import their rows again. Run this operation again later, or set While Jobs Run to Return the Jobs and wait in a loop.',
				replayable: true,
			});
		}
		const rows = await readGivenRows(run);
		const asked = { ...run, resumed: undefined, sends: false, features };
		const context = { ...asked, hooks: await hooksOf(asked, new Stops()) };
		return await returnOutcome(context, rows, await readGivenOutcome(context, given, ended, rows));
	},
};
