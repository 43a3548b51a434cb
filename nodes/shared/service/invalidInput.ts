/** One thing wrong with what the user entered. */
export interface Problem {
	/** The field as the user sees it, e.g. `Columns` or `Action 1 → Mapping Type 2 → Name`. */
	field: string;
	/**
	 * What is wrong and what to do. Begins with a lower-case verb to continue the field's name (`Email` +
	 * `is not an email address.`); anything else stands after a colon (`Columns` + `"First Name" is …`).
	 */
	text: string;
}

/** A problem as the user reads it: `Email is not an email address.` or `Columns: "First Name" is …`. */
export function problemSentence({ field, text }: Problem): string {
	return `${field}${/^[a-z]/.test(text) ? '' : ':'} ${text}`;
}

/** What the user entered cannot be sent. Raised before any call. */
export class InvalidInput extends Error {
	constructor(readonly problems: [Problem, ...Problem[]]) {
		const sentences = problems.map(problemSentence);
		super(
			sentences.length === 1
				? sentences.join('')
				: `${sentences.length} things to correct. ${sentences.map((sentence, index) => `(${index + 1}) ${sentence}`).join(' ')}`,
		);
		this.name = 'InvalidInput';
	}
}

/** Throws {@link InvalidInput} if there are any problems. */
export function refuseIfAny(problems: Problem[]): void {
	const [first, ...rest] = problems;
	if (first) throw new InvalidInput([first, ...rest]);
}
