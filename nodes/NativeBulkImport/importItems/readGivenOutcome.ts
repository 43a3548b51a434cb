import type {
	ItemOutput,
	ItemResult,
	NodeContext,
	ServiceContext,
} from '../../shared/execution/operation';
import { TimeSlice } from '../../shared/execution/timeSlice';
import type { WaitedJob } from '../../shared/service/importJobWait';
import { InvalidInput } from '../../shared/service/invalidInput';
import { rethrow } from '../../shared/transport/rethrow';
import { attachFiles, type InputRows } from './attachFiles';
import { ImportOutcome } from './importOutcome';
import { fileResult, itemResults, type OutputRows, outputRowsInput } from './outcomeOutput';
import { hasUnreadEnd, type Part, rangeFrom, type StartedImport } from './part';
import { RowChecksums } from './rowChecksums';
import { fileRows, itemRows, type RowSource } from './rowSource';
import { checkOwnJobs, type GivenJobs, startedImportOf } from './startedJobs';

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
	if (rows.items === node.functions.getInputData()) return results;
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

/**
 * Reads and joins the outcome of jobs that were started in an earlier run.
 * @param ended how the jobs ended
 * @param rows those that were imported
 */
export async function readGivenOutcome(
	context: ServiceContext,
	given: GivenJobs,
	ended: ReadonlyMap<number, WaitedJob>,
	rows: InputRows,
): Promise<Array<ItemResult<ItemOutput>>> {
	const { functions, parameters, service } = context;
	checkOwnJobs(given, ended);
	const isInput = 'items' in rows && rows.items === functions.getInputData();
	const source =
		'file' in rows
			? fileRows(rows.file)
			: itemRows(functions, rows.items, isInput ? 'item' : 'row');
	const counted = await countRows(source);
	const known = startedImportOf(given, ended, counted.checksums.count);
	checkRows(counted, given, known.parts, parameters.in('options').flag('checkRows', true));
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
	const results = await outcomeResults(context, outcome, rows, which);
	return await attachFiles(context, outcome, rows, results);
}
