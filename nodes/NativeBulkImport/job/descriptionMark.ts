import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { runName } from '../../shared/execution/runClaims';
import { LONGEST_DESCRIPTION } from '../../shared/service/importJob';

/** Which run of a node started a job, and for what. */
interface DescriptionMark {
	/** Identifies the run: an execution can run a node several times. */
	run: string;
	/** What the job imports, e.g. `item 3`. Has no parentheses. */
	content: string;
}

const RUN_ID_LENGTH = 6;

export function newRunId(): string {
	return Math.random()
		.toString(36)
		.slice(2, 2 + RUN_ID_LENGTH)
		.padEnd(RUN_ID_LENGTH, '0');
}

/** One that is the same whenever n8n repeats this run, where that is known. */
export function runIdOf(functions: IExecuteFunctions): string {
	const name = runName(functions);
	return name === undefined ? newRunId() : runIdFrom(name);
}

/** The ID of something that a run does once, however often n8n repeats it. */
export function runIdWithin(run: string, what: string): string {
	return runIdFrom(createHash('sha256').update(`${what} of ${run}`).digest('hex'));
}

/** @param name as hexadecimal digits */
function runIdFrom(name: string): string {
	return Number.parseInt(name.slice(0, 12), 16)
		.toString(36)
		.slice(-RUN_ID_LENGTH)
		.padStart(RUN_ID_LENGTH, '0');
}

/**
 * Ends the description in a mark: the job can be found if n8n is killed before it outputs the job ID.
 * Cut to the length the service accepts.
 */
export function markDescription(
	functions: IExecuteFunctions,
	description: string,
	{ run, content }: DescriptionMark,
): string {
	const ending = ` (n8n ${functions.getExecutionId() || 'test'}, run ${run}, ${content})`;
	const cut = description.trim().slice(0, LONGEST_DESCRIPTION - ending.length);
	// Do not cut an emoji in half.
	return `${cut.replace(/[\uD800-\uDBFF]$/, '')}${ending}`;
}

/** Some services change the case or the blanks of a description. */
const MARK = /\(n8n\s[^(),]+,\srun\s([a-z0-9]+),\s([^()]+)\)/gi;

/** What the user entered, as far as the service keeps it. */
export function withoutMark(description: string): string {
	const [entered = ''] = description.split(MARK, 1);
	return entered.trim();
}

/**
 * The marks in a description, wherever they are: a node that creates the job, a person or the service can
 * add text after them.
 */
export function readMarks(description: string): DescriptionMark[] {
	return [...description.matchAll(MARK)].map((match) => {
		const [run = '', content = ''] = match.slice(1).map((text) => text.toLowerCase());
		return { run, content: content.replace(/\s/g, ' ') };
	});
}

/** Whether the service has cut a description within its mark. */
export function hasCutMark(description: string): boolean {
	const text = description.toLowerCase();
	return /^\(n8n\s(\d+|test)\b[^)]*$/.test(text.slice(text.lastIndexOf('(n8n')));
}
