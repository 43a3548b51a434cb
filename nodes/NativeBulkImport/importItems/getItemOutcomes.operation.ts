import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ItemParameters } from '../../shared/parameters/itemParameters';
import {
	asItems,
	type ItemOutput,
	type ItemResult,
	type NodeContext,
	type NodeOperation,
} from '../../shared/execution/operation';
import { TimeSlice } from '../../shared/execution/timeSlice';
import { endpoints } from '../../shared/service/endpoints';
import { jobState } from '../../shared/service/importJobRecord';
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
import { rethrow } from '../../shared/transport/rethrow';
import { openSourceFile, sourceFileFields } from '../file/sourceFile';
import { rejectedRowsOption, reportOption } from '../reportOptions';
import { attachFiles, type InputRows } from './attachFiles';
import {
	fileResult,
	itemResults,
	outcomeFormatOption,
	type OutputRows,
	outputRowsInput,
	outputRowsOption,
} from './outcomeOutput';
import { ImportOutcome } from './importOutcome';
import { hasUnreadEnd, type Part, rangeFrom, type StartedImport } from './part';
import { RowChecksums } from './rowChecksums';
import { fileRows, itemRows, type RowSource } from './rowSource';
import { checkOwnJobs, type GivenJobs, readGivenJobs, startedImportOf } from './startedJobs';

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
				running.set(jobId, record.status ?? 'not readable');
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

/** Where the rows are. */
function sourceOf(parameters: ItemParameters) {
	return parameters.choice('source', ['items', 'binary', 'expression']);
}

async function readGivenRows(node: NodeContext): Promise<InputRows> {
	const source = sourceOf(node.parameters);
	if (source === 'binary') return { file: await openSourceFile(node, true) };
	if (source === 'items') return { items: node.functions.getInputData() };
	const value = node.parameters.value('rows') ?? [];
	if (!Array.isArray(value)) {
		const text = 'is not a list of items. Enter an expression such as {{ $("Rows").all() }}.';
		throw new InvalidInput([{ field: 'Rows', text }]);
	}
	const items = value.map((entry: unknown): INodeExecutionData => {
		const item = (entry ?? {}) as INodeExecutionData;
		return item.json === undefined ? { json: entry as IDataObject } : item;
	});
	return { items };
}

interface CountedRows {
	checksums: RowChecksums;
	/** Why the rows could not be read to their end: a file can be damaged there and yet have started jobs. */
	damage?: InvalidInput;
}

async function countRows(source: RowSource): Promise<CountedRows> {
	const checksums = new RowChecksums();
	const batches = source.rows([], checksums);
	try {
		while (!(await batches.next()).done);
		return { checksums };
	} catch (error) {
		if (!(error instanceof InvalidInput)) rethrow(error);
		return { checksums, damage: error };
	}
}

/** Rejects rows of other imports: rows are joined by number and would get wrong outcomes. */
function checkRows(
	{ checksums, damage }: CountedRows,
	{ totalRows }: GivenJobs,
	parts: readonly Part[],
	isChecked: boolean,
): void {
	const { count } = checksums;
	const reject = (text: string): never => {
		if (damage) throw damage;
		throw new InvalidInput([
			{ field: 'Rows', text: `${text} Give the same rows in the same order.` },
		]);
	};
	const last = Math.max(0, ...parts.map(({ end }) => (Number.isFinite(end) ? end : 0)));
	if (totalRows !== undefined && totalRows !== count)
		reject(`There are ${count}, but the import had ${totalRows}.`);
	if (last > count) reject(`There are ${count}, but the jobs have rows up to ${last}.`);
	for (const { first, end, checksum, jobId } of isChecked ? parts : []) {
		if (checksum !== '' && Number.isFinite(end) && checksums.of(first, end) !== checksum) {
			reject(
				`Rows ${first + 1}–${end} do not have the values that were imported with job ${jobId ?? '(none)'}. If only columns changed that were not imported, turn off Check Rows.`,
			);
		}
	}
}

/** Adds the rows that the file no longer has. */
function withUnreadEnd(started: StartedImport, damage: InvalidInput | undefined): StartedImport {
	if (!damage || hasUnreadEnd(started.parts)) return started;
	const failure = { status: 'unknown' as const, error: damage };
	const unread = { ...rangeFrom(started.totalRows), failure };
	return { ...started, parts: [...started.parts, unread] };
}

async function outcomeResults(
	node: NodeContext,
	outcome: ImportOutcome,
	rows: InputRows,
	which: OutputRows,
): Promise<Array<ItemResult<ItemOutput>>> {
	if ('file' in rows) return [await fileResult(node, outcome, rows.file, which)];
	const results = await itemResults(node, outcome, rows.items);
	if (sourceOf(node.parameters) === 'items') return results;
	const failed = results.find((result) => 'error' in result);
	if (failed) return [failed];
	const slice = new TimeSlice(node.functions.getExecutionCancelSignal());
	const output: ItemOutput = [];
	for (const result of results) {
		if (slice.isOver) await slice.yield();
		if ('value' in result) for (const item of result.value) output.push(item);
	}
	return [{ value: output }];
}

/** The given jobs with their status, for a loop that waits. */
function runningItems(
	functions: IExecuteFunctions,
	{ files, jobIds }: GivenJobs,
	running: ReadonlyMap<number, string>,
): ItemOutput {
	const json = (jobId: number | null, file: object): IDataObject => {
		const status = jobId === null ? undefined : running.get(jobId);
		return {
			...file,
			jobId,
			hasEnded: status === undefined,
			jobStatus: status ?? 'ended',
			jobsRunning: running.size,
			jobs: jobIds.length,
		};
	};
	const items =
		files.length > 0
			? files.map((file) => json(file.jobId, file))
			: jobIds.map((jobId) => json(jobId, {}));
	const binary = functions.getInputData()[0]?.binary;
	return asItems(items).map((item, index) => (index === 0 && binary ? { ...item, binary } : item));
}

export const getItemOutcomesOperation: NodeOperation = {
	value: 'getItemOutcomes',
	name: 'Get Item Outcomes',
	action: 'Get one outcome per imported item',
	description:
		'Read the outcome of each row of an import that "Import Items" started, given the same rows',
	calls: [endpoints.getBulkImportJob],
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
					name: 'Expression',
					value: 'expression',
					description: 'The items of another node, in the order in which they were imported',
				},
				{
					name: 'Input Items',
					value: 'items',
					description: 'The items that were imported; Started Jobs must be filled in then',
				},
			],
			default: 'items',
			description: 'Where the rows are that were imported',
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
				'Whether to reject rows whose values are not those that were imported. Their number is always checked.',
		},
		outcomeFormatOption,
		outputRowsOption,
		rejectedRowsOption,
		reportOption,

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
		const given = readGivenJobs(run);
		const { ended, running } = await readJobs(service, given);
		if (running.size > 0 && options.text('whileRunning') === 'return')
			return [{ value: runningItems(functions, given, running) }];
		if (running.size > 0) {
			throw new ServiceError({
				message: `${running.size} of ${given.jobIds.length} import jobs have not ended: ${[...running].map(([jobId, status]) => `${jobId} (${status})`).join(', ')}`,
				description:
					'Do not import their rows again. Run this operation again later, or set While Jobs Run to Return the Jobs and wait in a loop.',
				replayable: true,
			});
		}
		checkOwnJobs(given, ended);
		const rows = await readGivenRows(run);
		const isInput = sourceOf(parameters) === 'items';
		const source =
			'file' in rows
				? fileRows(rows.file)
				: itemRows(functions, rows.items, isInput ? 'item' : 'row');
		const counted = await countRows(source);
		const known = startedImportOf(given, ended, counted.checksums.count);
		checkRows(counted, given, known.parts, options.flag('checkRows', true));
		const started = withUnreadEnd(known, counted.damage);
		const which = outputRowsInput(parameters);
		const keepsImported = 'items' in rows || which === 'all';
		const outcome = await ImportOutcome.read(
			functions,
			service,
			source,
			started,
			ended,
			keepsImported,
		);
		const results = await outcomeResults(run, outcome, rows, which);
		return await attachFiles(run, outcome, rows, results);
	},
};
