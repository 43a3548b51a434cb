/** Names a line shows; it only counts the others. */
export const SHOWN_NAMES = 20;

/** @param count of all names, if those given are only the first ones */
export function shownNames(names: readonly string[], count = names.length): string {
	const shown = names.slice(0, SHOWN_NAMES);
	const more = count - shown.length;
	return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
