export interface Problem {
	/** The field on the screen, e.g. `Columns` or `Action 1 → Mapping Type 2 → Name`. */
	field: string;
	/** Continues the field's name if it begins with a lower-case verb; other text follows a colon. */
	text: string;
}

export function problemSentence({ field, text }: Problem): string {
	return `${field}${/^[a-z]/.test(text) ? '' : ':'} ${text}`;
}

const MOST_LISTED = 30;

/** The input cannot be sent. Thrown before any call. */
export class InvalidInput extends Error {
	constructor(readonly problems: readonly Problem[]) {
		const sentences = problems.slice(0, MOST_LISTED).map(problemSentence);
		const more = problems.length - sentences.length;
		super(
			problems.length === 1
				? sentences.join('')
				: `${problems.length} things to correct. ${sentences.map((sentence, index) => `(${index + 1}) ${sentence}`).join(' ')}${more > 0 ? ` And ${more} more.` : ''}`,
		);
		this.name = 'InvalidInput';
	}
}

export function throwIfAny(problems: readonly Problem[]): void {
	if (problems.length > 0) throw new InvalidInput(problems);
}
