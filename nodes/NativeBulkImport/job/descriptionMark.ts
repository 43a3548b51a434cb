import { LONGEST_DESCRIPTION } from '../../shared/service/importJob';

/** Identifies one run of a node: an execution can run a node several times. */
export function newRunId(): string {
	return Math.random().toString(36).slice(2, 8).padEnd(6, '0');
}

/**
 * Ends the description in `mark`: the job can be found if n8n is killed before it outputs the job ID.
 * Cut to the length the service accepts.
 */
export function markDescription(description: string, mark: string): string {
	const ending = ` (${mark})`;
	const cut = description.trim().slice(0, LONGEST_DESCRIPTION - ending.length);
	// Do not cut an emoji in half.
	return `${cut.replace(/[\uD800-\uDBFF]$/, '')}${ending}`;
}
