/** Characters that are compared: longer questions than this are no headers. */
export const LONGEST_HEADER = 500;

/** Ignores case, blanks, punctuation, accents and invisible characters. */
export function simplifyName(name: string): string {
	return name
		.slice(0, LONGEST_HEADER)
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');
}
