import type { INodeProperties } from 'n8n-workflow';

import { takeTurn } from '../../../shared/execution/nodeMemory';
import type { ServiceContext } from '../../../shared/execution/operation';
import { visibleName } from '../../../shared/importFile/fileColumns';
import { InvalidInput } from '../../../shared/service/invalidInput';
import type { NativeService } from '../../../shared/service/nativeService';
import { textChecksum } from '../../rows/importRows';
import type { FeatureContext, ImportFeature } from '../feature';
import type { BuiltPart, EarlierJob, FileMark, FoundRows, Part } from '../model';
import { byFileNumber, findEarlierJobs, UnclearJobs } from '../start/earlierJobs';
import { jobIdsOf, partsOf, writtenMark, writtenOf } from '../start/startedImport';
import { lifeOf } from '../start/storedLife';

const LABEL = 'Run Key';

const option: INodeProperties = {
	displayName: LABEL,
	name: 'runKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. sign-ups {{ $now.toISODate() }}',
	description:
		'Name of this import. Jobs that were already started under it for the same rows and fields are continued, not started again, where the service lists its jobs with descriptions.',
};

/** As it looks: a line break, an invisible character or another encoding makes no other key. */
function runKeyInput({ parameters }: ServiceContext): string {
	const options = parameters.in('options');
	const key = visibleName(options.text('runKey')).normalize('NFC');
	const hasExpression = String(parameters.unevaluated('options.runKey') ?? '') !== '';
	// An empty text, for example of a setting, means no key; a misspelt name gives no text.
	const hasNoValue = key === '' && hasExpression && options.value('runKey') !== '';
	if (!hasNoValue && key.length <= 60) return key;
	const text = hasNoValue
		? 'is an expression without a value, so it would not protect this import. Correct it.'
		: 'must have at most 60 characters.';
	throw new InvalidInput([{ field: LABEL, text }]);
}

function rejectKey(text: string): InvalidInput {
	return new InvalidInput([{ field: LABEL, text }]);
}

/** @param reason sentences that end "because …" */
function cannotProtect(reason: string): InvalidInput {
	return rejectKey(
		`cannot protect this import, because ${reason} If this import may have been started before, check in the service which rows were imported. Then remove the Run Key, and note started imports in a data table instead.`,
	);
}

/** A job started for a file of an import with the same Run Key. */
type KeyedJob = EarlierJob & {
	/** Checksum of what it does with its rows. */
	written: string;
};

const keyOf = ({ before }: FileMark): string => /^key ([0-9a-f]{8})$/.exec(before)?.[1] ?? '';

async function findKeyedJobs(service: NativeService, runKey: string): Promise<KeyedJob[]> {
	const name = textChecksum(runKey);
	try {
		const jobs = await findEarlierJobs(service, {
			names: [name],
			isOf: (file) => keyOf(file) === name,
		});
		return jobs.map((job) => ({ ...job, written: writtenOf(job) }));
	} catch (error) {
		throw error instanceof UnclearJobs ? cannotProtect(error.message) : error;
	}
}

/**
 * Why a job of the Run Key is not the job of a file of this run; undefined if it is.
 * @param otherRows why the file may have other rows
 */
function differenceOf(
	job: KeyedJob,
	part: Part | undefined,
	otherRows: string | undefined,
): string | undefined {
	const { jobId, first, end, fileNumber } = job;
	const rows = `rows ${first + 1}–${end}`;
	const isSameRange = part?.first === first && part.end === end;
	if (isSameRange && part.written === job.written) return undefined;
	if (otherRows !== undefined) return `${jobId}: ${otherRows}`;
	if (isSameRange && part.checksum === job.checksum)
		return `${jobId}, which does something else with its ${rows}. Use the same mapping types, fields and options to continue it, or another Run Key.`;
	const division =
		'If the list is the same, set Try First and the limits of the credential as they were when that job was started, to continue it: under another Run Key, rows that it imported would be imported again.';
	return `${jobId}, whose ${rows} are not the rows of file ${fileNumber} of this run. ${division} If it is another list, use another Run Key.`;
}

/**
 * The jobs to continue by the number of their file. Throws InvalidInput if a job of the Run Key imports
 * something else than the file of this run.
 * @param files of this run; read only if there are jobs
 */
async function findJobs(
	service: NativeService,
	runKey: string,
	files: AsyncIterable<BuiltPart>,
	found: readonly FoundRows[],
): Promise<ReadonlyMap<number, EarlierJob>> {
	const jobs = await findKeyedJobs(service, runKey);
	if (jobs.length === 0) return new Map();
	const parts = await partsOf(files);
	// Nothing has changed, so nothing is sent under any key.
	if (parts.length === 0) return new Map();
	const otherRows = found.find(({ leftOut }) => leftOut && leftOut.count > 0 && leftOut.otherRows)
		?.leftOut?.otherRows;
	for (const job of jobs) {
		const difference = differenceOf(job, parts[job.fileNumber - 1], otherRows);
		if (difference !== undefined)
			throw rejectKey(`"${runKey}" belongs to import job ${difference}`);
	}
	return byFileNumber(jobs);
}

/** The key that the import began with: an expression can give another text after a wait. */
function beginningKey({ resumed }: FeatureContext): string | undefined {
	const kept = lifeOf(resumed)?.kept.runKey;
	return typeof kept === 'string' ? kept : undefined;
}

export const runKey: ImportFeature = {
	options: { group: 'safety', place: 20, fields: [option] },
	refusesOtherValues: (parameters) =>
		parameters.in('options').text('runKey') === ''
			? undefined
			: `a ${LABEL}: a later run could import the corrected rows again.`,
	sendsNoneAgain: (parameters) =>
		parameters.in('options').text('runKey') === ''
			? undefined
			: `A run with the same ${LABEL} reads the outcome of the old jobs, and sends nothing. To import the list again, use another ${LABEL}.`,
	of(context) {
		const { service, sends } = context;
		const key = sends ? (beginningKey(context) ?? runKeyInput(context)) : '';
		if (key === '') return undefined;
		let toContinue: readonly EarlierJob[] = [];
		return {
			needsIdentity: true,
			kept: { runKey: key },
			continues: `under the same ${LABEL}`,
			markOf: (part) => ({ before: `key ${textChecksum(key)}`, after: writtenMark(part) }),
			// An import under the same key waits until the jobs of this one can be found.
			takeTurn: async () => await takeTurn(`${service.target.identity} ${key}`, service.signal),
			async earlierJobs(files, found) {
				const jobs = await findJobs(service, key, files, found);
				toContinue = [...jobs.values()];
				return jobs;
			},
			shown: () => ({ summary: { continuedJobs: jobIdsOf(toContinue) } }),
			notSent: () =>
				toContinue.length > 0 ? `they were started before under the ${LABEL} "${key}"` : undefined,
		};
	},
};
