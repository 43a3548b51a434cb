/**
 * What the node is meant to do and does not do yet: until its line is deleted here, the stories leave it out or
 * expect what the node does instead.
 */
const PENDING = new Set([
	'a blank row is invalid',
	'an import of which no job has an outcome returns its rows',
	'a corrected list adds to what is remembered',
	"the node's own columns are not new columns",
]);

export function isPending(what: string): boolean {
	return PENDING.has(what);
}
