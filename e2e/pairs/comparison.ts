import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { stopsOf } from '../../test/engine/support/itemImports';
import { type Claim, claimsOf } from './claims';
import { givenValue, textIn } from './oracle';
import { OPTIONS } from './options';
import { isFile } from './options/list';
import type { Expected } from './options/storyOption';
import { type JudgedRow, isSent, REJECTED, type Status, STATUSES } from './rows';
import type { Seen, SentFile } from './seen';
import { countsIn, sentenceOf } from './sentence';

/** Compares every word of the node with what should be. */

/** Everything that an error says. */
export function errorText({ node }: Seen): string {
	const items = node.outputs.flat().map(({ json }) => json.error as IDataObject | undefined);
	const errors = [node.error, ...items].map((error) => [error?.message, error?.description]);
	return [...errors.flat().filter(Boolean), ...stopsOf(node)].join(' ');
}

/** The places of the files that the service should be asked to import, in their order. */
function requestedFiles({ files, continued, run }: Expected): number[] {
	return [...files.keys()].filter((index) => {
		const isLost = run.name === 'import' && run.chosen.service === 'lostStart' && index === 0;
		return !continued.has(index) && (isLost || files[index]?.some(isSent));
	});
}

function sentProblems(expected: Expected, seen: Seen): string[] {
	const problems: string[] = [];
	const left: SentFile[] = [...seen.files];
	requestedFiles(expected).forEach((index) => {
		const rows = expected.files[index] ?? [];
		const file = left.shift();
		if (!file) return void problems.push(`file ${index + 1} was not sent`);
		const wanted = rows.map(({ texts }) => texts);
		if (file.rows.length !== wanted.length)
			problems.push(`file ${index + 1} has ${file.rows.length} rows, not ${wanted.length}`);
		else if (!isEqual(file.rows, wanted)) {
			const at = wanted.findIndex((texts, row) => !isEqual(texts, file.rows[row]));
			problems.push(
				`file ${index + 1} has ${JSON.stringify(file.rows[at])}, not ${JSON.stringify(wanted[at])}`,
			);
		}
	});
	if (left.length > 0) problems.push(`${left.length} files too many were sent`);
	return problems;
}

/** The job of a row, or null if none was started for it. */
function jobOf(expected: Expected, row: JudgedRow, seen: Seen): number | null {
	if (row.file === undefined || row.status === 'notSent') return null;
	const known = expected.continued.get(row.file);
	if (known !== undefined) return known;
	return seen.files[requestedFiles(expected).indexOf(row.file)]?.jobId ?? null;
}

/** How a row's own columns come out. */
function valueProblems({ run }: Expected, row: JudgedRow, claim: Claim): string[] {
	const { row: given } = row;
	if (given.isTooWide) return [];
	const isShown = !claim.isError;
	return run.columns.flatMap((name) => {
		const cell = given.cells[name];
		const wanted = cell ? givenValue(run, cell) : '';
		const renamed = isShown && ['status', 'reason', 'primaryKey'].includes(name);
		const shown = claim.values[renamed ? `${name} (row)` : name];
		const isSame = isFile(run.chosen) ? textIn(shown) === textIn(wanted) : isEqual(shown, wanted);
		return isSame ? [] : [`the column ${name} comes out as ${JSON.stringify(shown)}`];
	});
}

function claimProblems(expected: Expected, row: JudgedRow, claim: Claim, seen: Seen): string[] {
	const { run } = expected;
	const problems: string[] = [];
	const { onError } = run.chosen;
	if (claim.status !== row.status && !row.orElse?.some((status) => status === claim.status))
		return [`is ${String(claim.status)} (${String(claim.reason)}), not ${row.status}`];
	const reason = claim.reason ?? null;
	if (row.reason ? !row.reason.test(String(reason)) : reason !== null)
		problems.push(`has the reason ${String(reason)}, not ${String(row.reason ?? 'none')}`);
	const hasRecord = row.status === 'imported' || row.status === 'failed';
	const recordId = hasRecord ? (row.recordId ?? null) : null;
	if (
		row.status !== 'missing' &&
		claim.primaryKey !== recordId &&
		String(claim.primaryKey) !== String(recordId)
	)
		problems.push(`has the record ${String(claim.primaryKey)}, not ${String(recordId)}`);
	const jobId = jobOf(expected, row, seen);
	if ((claim.jobId ?? null) !== jobId)
		problems.push(`names job ${String(claim.jobId)}, not ${String(jobId)}`);
	const output = onError === 'continueErrorOutput' && REJECTED.has(row.status) ? 1 : 0;
	if (claim.output !== output) problems.push(`comes out of output ${claim.output}, not ${output}`);
	if (!claim.isError)
		for (const name of ['status', 'reason', 'primaryKey'] as const)
			if (claim.shown[name] !== (claim[name] ?? null))
				problems.push(`shows the ${name} ${String(claim.shown[name])}, not ${String(claim[name])}`);
	return [...problems, ...valueProblems(expected, row, claim)];
}

/** The rows that come out as items. */
function shownRows({ judged, run }: Expected): JudgedRow[] {
	if (!isFile(run.chosen)) return judged;
	const { outputRows } = run.chosen;
	if (outputRows === 'summary') return [];
	if (outputRows === 'all') return judged;
	return judged.filter(({ status }) => status === 'duplicate' || REJECTED.has(status));
}

function rowProblems(expected: Expected, seen: Seen): string[] {
	const claims = claimsOf(seen, expected.run);
	const shown = shownRows(expected);
	const problems = shown.flatMap((row) => {
		const own = claims.filter(({ position }) => position === row.position);
		const [claim] = own;
		const name = `row ${row.row.id} (${row.position + 1})`;
		if (!claim || own.length > 1) return [`${name} comes out ${own.length} times`];
		return claimProblems(expected, row, claim, seen).map((problem) => `${name} ${problem}`);
	});
	const places = new Set(shown.map(({ position }) => position));
	const others = claims.filter(({ position }) => !places.has(position));
	for (const { position } of others)
		problems.push(`row ${position + 1} comes out although it should not`);
	for (const output of [0, 1]) {
		const order = claims.filter((claim) => claim.output === output).map(({ position }) => position);
		if (order.some((position, index) => position < (order[index - 1] ?? -1)))
			problems.push(`output ${output} is not in the order of the list`);
	}
	return problems;
}

const countOf = (judged: readonly JudgedRow[], status: Status): number =>
	judged.filter((row) => row.status === status).length;

function sentenceProblems(expected: Expected, seen: Seen): string[] {
	const { judged, run } = expected;
	const sentence = sentenceOf(seen, run);
	if (sentence === undefined) return ['no sentence says what came of the rows'];
	const said = countsIn(sentence);
	const problems = STATUSES.filter((status) => said.counts[status] !== countOf(judged, status)).map(
		(status) =>
			`"${sentence}" counts ${said.counts[status]} ${status}, not ${countOf(judged, status)}`,
	);
	if (said.rows !== judged.length)
		problems.push(`"${sentence}" counts ${said.rows} rows, not ${judged.length}`);
	const jobs = new Set(judged.map((row) => jobOf(expected, row, seen)).filter((id) => id !== null));
	if (!isEqual([...said.jobs].sort(), [...jobs].sort()))
		problems.push(`"${sentence}" names jobs ${said.jobs.join()}, not ${[...jobs].join()}`);
	const records = judged
		.filter(({ status }) => status === 'imported')
		.map(({ recordId }) => recordId);
	const again = records.length - new Set(records).size;
	if (said.sameRecord !== again)
		problems.push(`"${sentence}" counts ${said.sameRecord} rows of the same record, not ${again}`);
	return problems;
}

function summaryProblems(expected: Expected, seen: Seen): string[] {
	const { judged, run } = expected;
	if (!isFile(run.chosen)) return [];
	const summary = seen.node.outputs[0]?.[0]?.json.importSummary as IDataObject | undefined;
	if (!summary) return ['the first item is not a summary'];
	const problems = STATUSES.filter(
		(status) => (summary[status] ?? 0) !== countOf(judged, status),
	).map(
		(status) =>
			`the summary counts ${String(summary[status])} ${status}, not ${countOf(judged, status)}`,
	);
	if (summary.rows !== judged.length)
		problems.push(`the summary counts ${String(summary.rows)} rows, not ${judged.length}`);
	return problems;
}

function dryProblems(expected: Expected, seen: Seen): string[] {
	const { judged, files, run } = expected;
	const problems: string[] = [];
	if (seen.writes.length > 0) problems.push(`a dry run sent ${seen.writes.join(', ')}`);
	if (seen.grown !== 0) problems.push(`a dry run added ${seen.grown} entries`);
	const items = (seen.node.outputs[0] ?? []).map(({ json }) => json);
	const counts = items.map(({ totals }) => totals as IDataObject | undefined).find(Boolean);
	if (!counts) return [...problems, `the dry run counts no rows: ${errorText(seen)}`];
	const wanted = {
		rows: judged.filter(({ status }) => status !== 'invalid' && status !== 'duplicate').length,
		invalidRows: countOf(judged, 'invalid') || undefined,
		files: files.length,
		...(run.chosen.skipUnchangedBy === 'key' && {
			unchanged: countOf(judged, 'unchanged'),
			newOrChanged: files.flat().length,
		}),
	};
	for (const [name, count] of Object.entries(wanted))
		if (counts[name] !== count)
			problems.push(`the dry run counts ${String(counts[name])} ${name}, not ${String(count)}`);
	const request = items.find((item) => item.request)?.request as IDataObject | undefined;
	if (!request) problems.push('the dry run does not show the request');
	for (const stop of stopsOf(seen.node)) problems.push(`the dry run says that it stops: ${stop}`);
	return problems;
}

function refusalProblems(seen: Seen): string[] {
	const problems: string[] = [];
	if (seen.writes.length > 0) problems.push(`a refused import sent ${seen.writes.join(', ')}`);
	if (seen.grown !== 0) problems.push(`a refused import added ${seen.grown} entries`);
	return problems;
}

/** Not at All: one item for each file, and one for each row that was not sent. */
function startedProblems(expected: Expected, seen: Seen): string[] {
	const { files, continued } = expected;
	const items = seen.node.outputs.flat().map(({ json }) => json);
	const started = items.filter(
		({ fileNumber, jobId }) => fileNumber !== undefined && jobId !== null,
	);
	const wanted = files.flatMap((rows, index) => {
		const [row] = rows;
		const jobId = row ? jobOf(expected, row, seen) : null;
		return jobId === null
			? []
			: [{ jobId, status: continued.has(index) ? 'continued' : 'started' }];
	});
	const said = started.map(({ jobId, status }) => ({ jobId, status }));
	return isEqual(said, wanted)
		? []
		: [`the started jobs are ${JSON.stringify(said)}, not ${JSON.stringify(wanted)}`];
}

/** What is wrong with a run of the node. */
export async function problemsOf(expected: Expected, seen: Seen): Promise<string[]> {
	const { run, refusal } = expected;
	const { chosen } = run;
	if (refusal) return refusalProblems(seen);
	const { error } = seen.node;
	const problems: string[] = [];
	if (run.isDry) problems.push(...dryProblems(expected, seen));
	else {
		if (error && !expected.isWithoutOutcome)
			problems.push(`fails: ${error.message} ${error.description ?? ''}`);
		problems.push(...sentProblems(expected, seen));
		if (chosen.hosting === 'none') {
			if (seen.writes.length > 0) problems.push(`sent ${seen.writes.join(', ')}`);
		} else if (chosen.waitForOutcome === 'none') problems.push(...startedProblems(expected, seen));
		else problems.push(...outcomeProblems(expected, seen));
	}
	for (const { name, problemsOf: others } of OPTIONS)
		problems.push(...((await others?.(chosen[name] ?? '', expected, seen)) ?? []));
	return problems;
}

function outcomeProblems(expected: Expected, seen: Seen): string[] {
	if (expected.isWithoutOutcome) return [];
	return [
		...rowProblems(expected, seen),
		...sentenceProblems(expected, seen),
		...summaryProblems(expected, seen),
	];
}

/** What is wrong with outcomes that another operation reads later. */
export async function laterProblemsOf(expected: Expected, seen: Seen): Promise<string[]> {
	const { error } = seen.node;
	const problems = outcomeProblems(expected, seen);
	if (error && !expected.isWithoutOutcome)
		problems.push(`fails: ${error.message} ${error.description ?? ''}`);
	for (const { name, ofLater, problemsOf: others } of OPTIONS)
		if (ofLater)
			problems.push(...((await others?.(expected.run.chosen[name] ?? '', expected, seen)) ?? []));
	return problems;
}
