import type { INodeProperties } from 'n8n-workflow';

import type { ServiceContext } from '../../../../shared/execution/operation';
import { visibleName } from '../../../../shared/importFile/fileColumns';
import { InvalidInput } from '../../../../shared/service/invalidInput';
import { textChecksum } from '../../../rows/importRows';
import type { BuiltPart, EarlierJob, FileMark, FoundRows, Part } from '../../model';
import { byFileNumber } from '../../start/earlierJobs';
import { isJobOf, partsOf, sameRange } from '../../start/startedImport';

/** A name under which an import is continued, whatever its rows are: other rows are an error. */

export const RUN_KEY_LABEL = 'Run Key';
export const RUN_KEY = 'runKey';

export const runKeyField: INodeProperties = {
	displayName: RUN_KEY_LABEL,
	name: RUN_KEY,
	type: 'string',
	default: '',
	placeholder: 'e.g. sign-ups {{ $now.toISODate() }}',
	description:
		'Empty: the jobs of the same rows and fields are continued. With a name, those that were started under it are, and another list under the same name is an error.',
};

/** The key as it looks: line breaks, invisible characters and encoding do not make another key. */
export function runKeyInput({ parameters }: ServiceContext): string {
	const key = visibleName(parameters.in('options').text(RUN_KEY)).normalize('NFC');
	if (key.length > 60) throw rejectKey('must have at most 60 characters.');
	return key;
}

function rejectKey(text: string): InvalidInput {
	return new InvalidInput([{ field: RUN_KEY_LABEL, text }]);
}

/** What the mark of a job says of its key. */
export function keyMark(key: string): string {
	return `key ${textChecksum(key)}`;
}

const keyOf = ({ before }: FileMark): string => /^key ([0-9a-f]{8})$/.exec(before)?.[1] ?? '';

/** What the jobs of a key are found by. */
export function identityOfKey(key: string) {
	const name = textChecksum(key);
	return { names: [name], isOf: (file: FileMark): boolean => keyOf(file) === name };
}

/**
 * Why a job of the Run Key is not the job of a file of this run; undefined if it is.
 * @param otherRows why the file may have other rows
 */
function differenceOf(
	job: EarlierJob,
	part: Part | undefined,
	otherRows: string | undefined,
): string | undefined {
	const { jobId, first, end, fileNumber } = job;
	const rows = `rows ${first + 1}–${end}`;
	if (isJobOf(job, part)) return undefined;
	if (otherRows !== undefined) return `${jobId}: ${otherRows}`;
	if (sameRange(job, part) && part.checksum === job.checksum)
		return `${jobId}, which does something else with its ${rows}. Use the same mapping types, fields and options to continue it, or another Run Key.`;
	const division =
		'If the list is the same, set Try First and the limits of the credential as they were when that job was started, to continue it: under another Run Key, rows that it imported would be imported again.';
	return `${jobId}, whose ${rows} are not the rows of file ${fileNumber} of this run. ${division} If it is another list, use another Run Key.`;
}

/**
 * The jobs to continue by the number of their file. Throws InvalidInput if a job of the Run Key imports
 * something else than the file of this run.
 * @param jobs all of the key
 * @param files of this run; read only if there are jobs
 */
export async function jobsOfKey(
	key: string,
	jobs: readonly EarlierJob[],
	files: AsyncIterable<BuiltPart>,
	found: readonly FoundRows[],
): Promise<ReadonlyMap<number, EarlierJob>> {
	if (jobs.length === 0) return new Map();
	const parts = await partsOf(files);
	// Nothing has changed, so nothing is sent under any key.
	if (parts.length === 0) return new Map();
	const otherRows = found.find(({ leftOut }) => leftOut && leftOut.count > 0 && leftOut.otherRows)
		?.leftOut?.otherRows;
	for (const job of jobs) {
		const difference = differenceOf(job, parts[job.fileNumber - 1], otherRows);
		if (difference !== undefined) throw rejectKey(`"${key}" belongs to import job ${difference}`);
	}
	return byFileNumber(jobs);
}
