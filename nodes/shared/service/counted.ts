/** A count with what it counts: `1 row`, `2 rows`; `1 is`, `2 are`. */
export function counted(count: number, one: string, several = `${one}s`): string {
	return `${count} ${count === 1 ? one : several}`;
}
