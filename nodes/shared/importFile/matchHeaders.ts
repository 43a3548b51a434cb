import { headerSynonyms, standIns, weakSynonyms } from './headerSynonyms';

export interface HeaderField {
	/** Its name, e.g. `FirstName`; one header feeds all fields of one name. */
	name: string;
	/** Longer names that only this field has, e.g. `Phones:Phone`. */
	aliases?: readonly string[];
}

export interface HeaderMatch<Field extends HeaderField> {
	/**
	 * Which headers feed which field: several are spellings of one name, e.g. `nativeId` and `Native
	 * ID`.
	 */
	mapped: Array<{ headers: string[]; field: Field }>;
	/** Headers that fit several fields, or a field that other headers fit. None of them is mapped. */
	ambiguous: Array<{ headers: string[]; fields: string[] }>;
	unmatched: string[];
}

/** Ignores case, blanks, punctuation, accents and invisible characters. */
export function simplifyName(name: string): string {
	return name
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');
}

const simplifyAll = (names: readonly string[]): string[] => names.map(simplifyName);

/** The names that find a field, best match first. */
function namesByRank({ name, aliases = [] }: HeaderField): string[][] {
	const own = simplifyName(name);
	const entryOf = <T>(table: Readonly<Record<string, T>>): T | undefined =>
		Object.entries(table).find(([field]) => simplifyName(field) === own)?.[1];
	const standIn = entryOf(standIns);
	return [
		simplifyAll(aliases),
		[own],
		simplifyAll(entryOf(headerSynonyms) ?? []),
		simplifyAll([
			...(entryOf(weakSynonyms) ?? []),
			...(standIn === undefined ? [] : [standIn, ...(headerSynonyms[standIn] ?? [])]),
		]),
	];
}

const RANKS = 4;

/**
 * Finds the field of every header, by name and by everyday synonyms. Never guesses between two
 * candidates of the same rank.
 * @param headers of the whole table, including those that only some rows have
 * @param isComplete whether every row has all headers, so that two spellings of one name are ambiguous
 */
export function matchHeaders<Field extends HeaderField>(
	headers: readonly string[],
	fields: readonly Field[],
	isComplete = false,
): HeaderMatch<Field> {
	const spellings = new Map<string, string[]>();
	for (const header of headers) {
		const name = simplifyName(header);
		spellings.set(name, [...(spellings.get(name) ?? []), header]);
	}
	spellings.delete('');
	const ranked = fields.map((field) => ({
		field,
		ranks: namesByRank(field).map((names) => new Set(names)),
	}));
	const mapped: HeaderMatch<Field>['mapped'] = [];
	const ambiguous: HeaderMatch<Field>['ambiguous'] = [];
	const used = new Set<string>();
	const fed = new Set<Field>();
	for (let rank = 0; rank < RANKS; rank++) {
		const open = ranked.filter(({ field }) => !fed.has(field));
		const candidates = [...spellings.keys()]
			.filter((name) => !used.has(name))
			.flatMap((name) => {
				const found = open.filter(({ ranks }) => ranks[rank]?.has(name)).map(({ field }) => field);
				return found.length > 0 ? [{ name, found }] : [];
			});
		for (const { name, found } of candidates) {
			if (used.has(name)) continue;
			const rivals = candidates.filter((other) =>
				other.found.some((field) => found.includes(field)),
			);
			const names = [...new Set(rivals.flatMap((rival) => rival.found.map((field) => field.name)))];
			const spelled = (group: string): string[] => spellings.get(group) ?? [];
			const isClear =
				rivals.length === 1 &&
				new Set(simplifyAll(names)).size === 1 &&
				!(isComplete && spelled(name).length > 1);
			for (const rival of rivals) {
				used.add(rival.name);
				for (const field of rival.found) fed.add(field);
			}
			if (isClear) mapped.push(...found.map((field) => ({ headers: spelled(name), field })));
			else
				ambiguous.push({ headers: rivals.flatMap((rival) => spelled(rival.name)), fields: names });
		}
	}
	const unmatched = headers.filter((header) => !used.has(simplifyName(header)));
	return { mapped, ambiguous, unmatched };
}
