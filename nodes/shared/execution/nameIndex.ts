import { InvalidInput } from '../service/invalidInput';
import { comparableName, nearestNamesText } from '../service/nearestName';
import type { NamedEntry } from './namedLists';

/** The entries of a list by name. Of many items, each name is compared with the list once. */
export class NameIndex {
	private readonly entriesByName = new Map<string, NamedEntry[]>();
	private readonly problems = new Map<string, string>();

	/** @param label of the field that takes the names */
	constructor(
		private readonly label: string,
		private readonly entries: readonly NamedEntry[],
	) {
		for (const entry of entries) {
			const key = comparableName(entry.name ?? '');
			const namesakes = this.entriesByName.get(key);
			if (namesakes) namesakes.push(entry);
			else this.entriesByName.set(key, [entry]);
		}
	}

	/** The ID of the entry with this name. Throws InvalidInput if there is none or more than one. */
	idOf(name: string): string | number {
		const namesakes = this.entriesByName.get(comparableName(name)) ?? [];
		const ids = new Map(namesakes.map(({ id }) => [String(id), id]));
		const [first, ...others] = ids.values();
		if (first !== undefined && others.length === 0) return first;
		const text = this.problems.get(name) ?? this.describeProblem(name, [...ids.keys()]);
		this.problems.set(name, text);
		throw new InvalidInput([{ field: this.label, text }]);
	}

	private describeProblem(name: string, ids: string[]): string {
		if (ids.length > 0)
			return `"${name}" is the name of ${ids.length} entries (IDs ${ids.join(', ')}). Choose By ID and enter the right one.`;
		const known = [...new Set(this.entries.flatMap(({ name: each }) => each ?? []))];
		return known.length === 0
			? `"${name}" is not in the list, because the list of the service is empty.`
			: `"${name}" is not in the list of the service. ${nearestNamesText(name, known)}`;
	}
}
