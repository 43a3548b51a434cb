/** A problem of the user's input. */
export interface Problem {
	/** The field on the screen, e.g. `Columns` or `Action 1 → Mapping Type 2 → Name`. */
	field: string;
	/**
	 * What is wrong and what to do. Text that starts with a lower-case verb continues the field's name
	 * (`Email` + `is not an email address.`); other text follows a colon (`Columns` + `"First Name" is
	 * …`).
	 */
	text: string;
}

/** A problem as a sentence: `Email is not an email address.` or `Columns: "First Name" is …`. */
export function problemSentence({ field, text }: Problem): string {
	return `${field}${/^[a-z]/.test(text) ? '' : ':'} ${text}`;
}

/** Most problems that a message lists. */
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
