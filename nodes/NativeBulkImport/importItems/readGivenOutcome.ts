import type { ItemOutput, ItemResult, ServiceContext } from '../../shared/execution/operation';
import type { WaitedJob } from '../../shared/service/importJobWait';
import { InvalidInput } from '../../shared/service/invalidInput';
import { rethrow } from '../../shared/transport/rethrow';
import type { ImportRows } from './importRows';
import { readOutcome } from './outcomeOutput';
import { hasUnreadEnd, type Part, rangeFrom, type StartedImport } from './part';
import { RowChecksums } from './rowChecksums';
import { checkOwnJobs, type GivenJobs, startedImportOf } from './startedJobs';

interface CountedRows {
	checksums: RowChecksums;
	/** Why the rows could not be read to their end: a file can be damaged there and yet have started jobs. */
	damage?: InvalidInput;
}

async function countRows(rows: ImportRows): Promise<CountedRows> {
	const checksums = new RowChecksums();
	const batches = rows.read([], checksums);
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

/**
 * Reads and joins the outcome of jobs that were started in an earlier run.
 * @param ended how the jobs ended
 * @param rows those that were imported
 */
export async function readGivenOutcome(
	context: ServiceContext,
	given: GivenJobs,
	ended: ReadonlyMap<number, WaitedJob>,
	rows: ImportRows,
): Promise<Array<ItemResult<ItemOutput>>> {
	checkOwnJobs(given, ended);
	const counted = await countRows(rows);
	const known = startedImportOf(given, ended, counted.checksums.count);
	const isChecked = context.parameters.in('options').flag('checkRows', true);
	checkRows(counted, given, known.parts, isChecked);
	return await readOutcome(context, rows, withUnreadEnd(known, counted.damage), ended);
}
