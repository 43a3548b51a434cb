import { findLast, mapValues } from 'lodash';

import type { Held } from './kinds';
import { OPTIONS } from './options';
import { fieldsOf } from './options/list';
import type { Expected, Refusal, StoryRun } from './options/storyOption';
import { type Cell, type GivenRow, type JudgedRow, typedFor } from './rows';

/**
 * What a run should come to, by docs/ and the contract: from the list what each row should be, from the options
 * what is done with it, and from the service which record it has. It shares no code with the node.
 */

/** A value as the list has it, written as the options say. */
export function givenValue({ chosen }: StoryRun, cell: Cell): unknown {
	return OPTIONS.reduce(
		(value, { name, given }) => given?.(chosen[name] ?? '', { ...cell, given: value }) ?? value,
		cell.given,
	);
}

/** A cell of a file that has the value. */
export const textIn = (value: unknown): string => String(value ?? '');

function judgeRow(run: StoryRun, row: GivenRow, position: number): JudgedRow {
	const { chosen } = run;
	const { columns, fixed } = fieldsOf(run, OPTIONS, run);
	let reason = row.problem;
	const texts: Record<string, string> = {};
	for (const [field, column] of Object.entries(columns)) {
		const cell = row.cells[column] ?? { given: '' };
		const value = givenValue(run, cell);
		// Neither items nor files can hold both.
		if (typeof value === 'object' && value !== null) continue;
		const given = textIn(value);
		const text = OPTIONS.reduce(
			(sent, option) => option.sent?.(chosen[option.name] ?? '', sent, cell) ?? sent,
			given,
		);
		for (const { name, problem } of OPTIONS)
			reason ??= given === '' ? undefined : problem?.(chosen[name] ?? '', given, cell, run);
		if (text !== '') texts[field] = text;
	}
	for (const { name, rowProblem } of OPTIONS)
		reason ??= rowProblem?.(chosen[name] ?? '', texts, run);
	const status = reason ? 'invalid' : 'imported';
	return { row, position, texts: { ...texts, ...fixed }, status, ...(reason && { reason }) };
}

/** What the service makes of the rows of a file. */
function applyVerdicts({ kind }: StoryRun, rows: JudgedRow[], held: readonly Held[]): void {
	const verdicts = rows.map((row) => ({ row, ...kind.judge(row.texts) }));
	const isRejected = ({ rejections }: { rejections: object }) =>
		Object.keys(rejections).length === kind.mappingTypes.length;
	const areAllRejected = verdicts.every(isRejected);
	for (const { row, rejections, hasRecord } of verdicts) {
		const [message] = Object.values(rejections);
		// A person who cannot be found again is stored anew.
		if (hasRecord)
			row.recordId = findLast(held, (each) => kind.isRecordOf(each, row.texts))?.recordId;
		if (areAllRejected) {
			// The job of a file of which nothing could be imported fails as a whole.
			Object.assign(row, { status: 'failed', reason: /No row could be imported/ });
		} else if (message !== undefined) {
			Object.assign(row, { status: 'failed', reason: new RegExp(message) });
		}
	}
}

/** How rows end that a person corrects on the page: one more job imports them. */
function correctOnPage({ run, judged, files }: Expected, held: readonly Held[]): void {
	const corrected = judged.flatMap((before) => {
		const { row, position, status, recordId } = before;
		const isOffered = status === 'invalid' || (status === 'failed' && !hasNoOutcome(before));
		const typed = row.isTooWide ? undefined : typedFor(row);
		if (!isOffered || recordId !== undefined || !typed) return [];
		const { problem: _problem, ...rest } = row;
		const cells = { ...row.cells, ...mapValues(typed, (given) => ({ given })) };
		return { ...judgeRow(run, { ...rest, cells }, position), row };
	});
	if (corrected.length === 0) return;
	// They are not tried first.
	const { divide } = OPTIONS.find(({ name }) => name === 'maxRowsPerFile') ?? {};
	for (const rows of divide?.(run.chosen.maxRowsPerFile ?? '', [corrected]) ?? [corrected]) {
		applyVerdicts(run, rows, held);
		for (const row of rows) row.file = files.length;
		files.push(rows);
	}
	for (const row of corrected) judged[row.position] = row;
}

/** Its job failed or was not started, or its outcome could not be read. */
const hasNoOutcome = ({ status, reason }: JudgedRow): boolean =>
	status === 'notSent' ||
	status === 'unknown' ||
	(status === 'failed' && /restarted|No row/.test(reason?.source ?? ''));

/** What a run should refuse, and what its rows should be, before anything is sent. */
export function judgeList(run: StoryRun): { judged: JudgedRow[]; refusals: Refusal[] } {
	const judged = run.rows.map((row, position) => judgeRow(run, row, position));
	const refusals = OPTIONS.flatMap(
		({ name, refuse }) => refuse?.(run.chosen[name] ?? '', run, judged) ?? [],
	);
	for (const { name, leaveOut } of OPTIONS) leaveOut?.(run.chosen[name] ?? '', run, judged);
	return { judged, refusals };
}

/** @param held the records of the service after the run */
export function expectedOf(run: StoryRun, judged: JudgedRow[], held: readonly Held[]): Expected {
	const { chosen } = run;
	const toSend = judged.filter(({ status }) => status === 'imported');
	let files = toSend.length > 0 ? [toSend] : [];
	for (const { name, divide } of OPTIONS) files = divide?.(chosen[name] ?? '', files) ?? files;
	files.forEach((rows, file) => rows.forEach((row) => (row.file = file)));
	const expected: Expected = {
		run,
		judged,
		files,
		continued: new Map(),
		isWithoutOutcome: false,
	};
	if (run.isDry) return expected;
	for (const rows of files) applyVerdicts(run, rows, held);
	for (const { name, continueFiles } of OPTIONS) continueFiles?.(chosen[name] ?? '', expected);
	for (const { name, outcome } of OPTIONS) outcome?.(chosen[name] ?? '', expected);
	if (chosen.correctRejected === 'typed') correctOnPage(expected, held);
	// Then the workflow stops, as it should.
	expected.isWithoutOutcome =
		chosen.onError === 'stopWorkflow' && files.length > 0 && files.flat().every(hasNoOutcome);
	return expected;
}
