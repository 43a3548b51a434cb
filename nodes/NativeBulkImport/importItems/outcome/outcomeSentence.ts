import { ROW_STATUSES, type RowStatus } from '../../../shared/importFile/importReport';
import { jobIdsOf, type Part, type StartedImport } from '../start/startedImport';
import type { Corrections, JobResults } from './jobResults';

/** Words for each status in a sentence, with the advice on importing again. */
const STATUS_TEXTS: Record<RowStatus, string> = {
	imported: 'imported',
	failed: 'failed',
	missing: 'missing in the results (check before importing again)',
	invalid: 'invalid and not sent',
	duplicate: 'duplicate and not sent',
	unchanged: 'unchanged and not sent',
	notSent: 'not sent (safe to import again)',
	unknown: 'unknown (do not import again)',
};

/** The counts as a sentence, with the job IDs; zero counts are left out. */
export function outcomeSentence(
	noun: string,
	counts: Readonly<Record<RowStatus, number>>,
	{ totalRows, blankIds, parts, duplicates }: StartedImport,
	results: JobResults | undefined,
	corrections: Corrections | undefined,
): string {
	const texts = ROW_STATUSES.flatMap((status) =>
		counts[status] > 0 ? [`${counts[status]} ${STATUS_TEXTS[status]}`] : [],
	);
	const { unmatched = 0, repeated } = results ?? {};
	const repeatedRows = repeated?.rows ?? 0;
	return [
		`${totalRows} ${noun}s: ${texts.join(', ') || 'none'}`,
		...Object.entries(blankIds).map(([name, rows]) => `${rows} without ${name}`),
		...(duplicates.sentence(noun) === '' ? [] : [duplicates.sentence(noun)]),
		...(unmatched > 0 ? [`${unmatched} result rows belong to no ${noun}`] : []),
		...(repeatedRows > 0 ? [`${repeatedRows} have the record ID of an earlier ${noun}`] : []),
		...(corrections ? [`${corrections.results.size} of them corrected`] : []),
		jobsText([...parts, ...(corrections?.parts ?? [])]),
	].join('; ');
}

/** The IDs of the jobs: `import jobs 5, 6 (5 continued, not started again)`. */
export function jobsText(parts: readonly Part[]): string {
	const ids = jobIdsOf(parts);
	const continued = jobIdsOf(parts.filter(({ isContinued }) => isContinued));
	const note =
		continued.length > 0 ? ` (${continued.join(', ')} continued, not started again)` : '';
	return `import job${ids.length === 1 ? '' : 's'} ${ids.join(', ') || 'none'}${note}`;
}
