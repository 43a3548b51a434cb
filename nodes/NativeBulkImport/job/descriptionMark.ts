import { LONGEST_DESCRIPTION } from '../../shared/service/importJob';

/** Tells one run of a node from all others: an execution can run a node several times. */
export function newRunId(): string {
	return Math.random().toString(36).slice(2, 8).padEnd(6, '0');
}

/**
 * A description that ends in `mark`, so that the job can be found at the service if this n8n ends before
 * it has put out the job ID. Cut where the service would refuse its length.
 */
export function markDescription(description: string, mark: string): string {
	const ending = ` (${mark})`;
	const cut = description.trim().slice(0, LONGEST_DESCRIPTION - ending.length);
	// Not within an emoji, which is two characters.
	return `${cut.replace(/[\uD800-\uDBFF]$/, '')}${ending}`;
}
