import { isFile } from './options/list';
import type { StoryRun } from './options/storyOption';
import { type Status, STATUSES } from './rows';
import type { Seen } from './seen';

/** The words of the sentence for each status. */
const WORDS: Record<Status, string> = {
	imported: 'imported',
	failed: 'failed',
	missing: 'missing from the results',
	invalid: 'invalid and not sent',
	duplicate: 'duplicate and not sent',
	unchanged: 'unchanged and not sent',
	notSent: 'not sent (safe',
	unknown: 'unknown (do not',
};

/** The sentence that counts the rows: above the output of items, in the summary of a file. */
export function sentenceOf({ node }: Seen, { chosen }: StoryRun): string | undefined {
	if (isFile(chosen)) {
		const reason = node.outputs[0]?.[0]?.json.reason;
		return typeof reason === 'string' ? reason : undefined;
	}
	return node.hints
		.map(({ message }) => message)
		.find((message) => /^[\d,]+ items?: /.test(message));
}

/** What the sentence counts. */
export function countsIn(sentence: string) {
	const numberBefore = (words: string): number => {
		const at = sentence.indexOf(` ${words}`);
		const [number] = at < 0 ? [] : (/[\d,]+$/.exec(sentence.slice(0, at)) ?? []);
		return Number((number ?? '0').replaceAll(',', ''));
	};
	const counts = Object.fromEntries(
		STATUSES.map((status) => [status, numberBefore(WORDS[status])]),
	) as Record<Status, number>;
	const jobs = /import jobs? ([\d, ]+)/.exec(sentence)?.[1] ?? '';
	return {
		rows: Number(/^[\d,]+/.exec(sentence)?.[0].replaceAll(',', '')),
		counts,
		jobs: jobs
			.split(',')
			.map(Number)
			.filter((id) => id > 0),
		sameRecord: Math.max(numberBefore('has the record ID'), numberBefore('have the record ID')),
	};
}
