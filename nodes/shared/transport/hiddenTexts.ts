interface Group {
	/** Descending: `key|1` must not leave `|1` behind. */
	lengths: number[];
	/** Whether to hide a text only where no letter or digit stands beside it. */
	asWord: Map<string, boolean>;
}

/** Texts are grouped by so many characters. */
const LONGEST_START = 4;
const LETTER_OR_DIGIT = /[\p{L}\d]/u;

/** Without the case of ASCII letters: other letters may change the length of a text. */
function folded(text: string): string {
	return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function standsAlone(text: string, at: number, end: number): boolean {
	// Two code units: a letter outside the basic plane has as many.
	const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
	const [after = ''] = text.slice(end, end + 2);
	return !LETTER_OR_DIGIT.test(before) && !LETTER_OR_DIGIT.test(after);
}

/**
 * Texts to hide wherever they appear, in any casing. One walk over a text finds all of them, however
 * many there are; a pattern for each would take seconds.
 */
export class HiddenTexts {
	private readonly groups = new Map<string, Group>();
	private readonly firstCharacters = new Set<string>();

	add(secret: string, asWord: boolean): void {
		const text = folded(secret);
		if (text.trim() === '') return;
		const start = text.slice(0, LONGEST_START);
		const group = this.groups.get(start) ?? { lengths: [], asWord: new Map<string, boolean>() };
		if (!group.lengths.includes(text.length))
			group.lengths = [...group.lengths, text.length].sort((a, b) => b - a);
		group.asWord.set(text, asWord && group.asWord.get(text) !== false);
		this.groups.set(start, group);
		this.firstCharacters.add(start.charAt(0));
	}

	hideIn(input: string, sign: string): string {
		if (this.groups.size === 0) return input;
		const text = folded(input);
		let result = '';
		let copied = 0;
		for (let at = 0; at < text.length; at++) {
			const end = this.firstCharacters.has(text.charAt(at)) ? this.endOf(text, at) : at;
			if (end === at) continue;
			result += input.slice(copied, at) + sign;
			copied = end;
			at = end - 1;
		}
		return result + input.slice(copied);
	}

	/** Where the longest hidden text that begins at a place ends; the place if none begins there. */
	private endOf(text: string, at: number): number {
		for (let start = LONGEST_START; start > 0; start--) {
			const group = this.groups.get(text.slice(at, at + start));
			const length = group?.lengths.find((candidate) => {
				const asWord = group.asWord.get(text.slice(at, at + candidate));
				return asWord === false || (asWord && standsAlone(text, at, at + candidate));
			});
			if (length !== undefined) return at + length;
		}
		return at;
	}
}
