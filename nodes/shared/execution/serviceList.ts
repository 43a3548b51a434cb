import type { NativeService } from '../service/nativeService';
import { comparableName, NearestNames, sameName } from '../service/nearestName';
import type { EntryId, ListEntry, ListSource } from '../service/serviceLists';
import { TimeSlice } from './timeSlice';

/** Longer names are cut in messages. */
const SHOWN_NAME = 60;

/** Entries that a wrong name is compared with at once, and wrong names: more would stop n8n. */
const MOST_COMPARED = 500;
const MOST_TEXTS = 50;

/** A whole list of the service. */
export class ServiceList<Entry extends ListEntry = ListEntry> {
	readonly entries: Entry[] = [];
	private readonly ids = new Map<string, EntryId>();
	private readonly entriesByName = new Map<string, Entry[]>();
	private readonly entriesByShortName = new Map<string, Entry[]>();
	/** Each wrong name is compared with the list once, for however many items. */
	private readonly nearest = new Map<string, Promise<string>>();
	private readonly problems = new Map<string, string>();
	/** A sentence if the list is not known to be whole: an entry, or another of its name, may be missing. */
	missing = '';

	private constructor(private readonly slice: TimeSlice) {}

	/** Reads a list for the first that needs it; all others of the session get the same. */
	static async read<Entry extends ListEntry>(
		service: NativeService,
		source: ListSource<Entry>,
	): Promise<ServiceList<Entry>> {
		const { endpoint, path = {}, entriesOf, key = entriesOf } = source;
		// Several fields and items can have the same list.
		return await service.once(key, async () => {
			const list = new ServiceList<Entry>(new TimeSlice(service.signal));
			const found = service.list(endpoint, { path }, (reason) => {
				list.missing = reason;
			});
			for await (const entry of found) {
				if (list.slice.isOver) await list.slice.yield();
				for (const each of entriesOf(entry)) list.add(each);
			}
			return list;
		});
	}

	/**
	 * The IDs of the entries with a name, compared without case and blanks.
	 * @param parentId leaves out entries of other records, unless it is empty
	 */
	idsOf(name: string, parentId?: unknown): EntryId[] {
		const ids = this.named(name, parentId).map(({ id }): [string, EntryId] => [String(id), id]);
		return [...new Map(ids).values()];
	}

	/** The ID of the one entry with a name; undefined if there may be another. */
	idOfName(name: string, parentId?: unknown): EntryId | undefined {
		const [only, ...others] = this.missing === '' ? this.idsOf(name, parentId) : [];
		return others.length === 0 ? only : undefined;
	}

	/** The ID for an ID or a name, as the service spells it; undefined if there is not exactly one. */
	idOf(text: string): EntryId | undefined {
		return this.ids.get(text.toLowerCase()) ?? this.idOfName(text);
	}

	/**
	 * Whether a field with these values may be sent a text: the service ignores the case only. A blank
	 * leaves the field as it is (service.md 2.6).
	 */
	accepts(text: string): boolean {
		if (text === '' || this.ids.has(text.toLowerCase())) return true;
		return (
			this.idOf(text) !== undefined &&
			this.named(text).some(({ name }) => sameName(name ?? '', text))
		);
	}

	/** @param places where the text stands, e.g. ` (row 3)` */
	async describeProblem(text: string, places = '', parentId?: unknown): Promise<string> {
		const problem = this.unknownText(text, places);
		if (this.missing !== '') return problem;
		const ids = this.idsOf(text, parentId);
		if (ids.length > 0) return ambiguousText(text, ids, places);
		const key = `${String(parentId)} ${text}`;
		const nearest = this.nearest.get(key) ?? this.describeNearest(text, parentId);
		this.nearest.set(key, nearest);
		return `${problem} ${await nearest}`;
	}

	/** The same without waiting, for one row of many: long lists are not compared, nor are many wrong texts. */
	problemOf(text: string): string {
		const known = this.problems.get(text);
		if (known !== undefined) return known;
		const isFew = this.entries.length <= MOST_COMPARED && this.problems.size < MOST_TEXTS;
		const ids = this.missing === '' ? this.idsOf(text) : [];
		const nearest = isFew && ids.length === 0 ? this.nearestText(text) : '';
		const problem = ids.length > 0 ? ambiguousText(text, ids) : this.unknownText(text);
		const whole = [problem, nearest].filter(Boolean).join(' ');
		if (this.problems.size < MOST_TEXTS) this.problems.set(text, whole);
		return whole;
	}

	private nearestText(text: string): string {
		if (this.missing !== '') return '';
		const nearest = new NearestNames(text, 3);
		for (const name of new Set(this.entries.map(nameOf))) nearest.add(name);
		return nearestSentence(nearest);
	}

	/** The problem with a text that no entry has as its ID or name. */
	private unknownText(text: string, places = ''): string {
		const shown = text.slice(0, SHOWN_NAME);
		return this.missing === ''
			? `"${shown}" is not in the service's list${places}.`
			: `"${shown}" cannot be looked up${places}, because the list is incomplete. ${this.missing} Use the ID.`;
	}

	private add(entry: Entry): void {
		this.entries.push(entry);
		this.ids.set(String(entry.id).toLowerCase(), entry.id);
		const { name, shortNames = [] } = entry;
		addUnder(this.entriesByName, name ?? '', entry);
		for (const shortName of shortNames) addUnder(this.entriesByShortName, shortName, entry);
	}

	/** Short names count only where no entry has the name. */
	private named(name: string, parentId?: unknown): Entry[] {
		const key = comparableName(name);
		const [found = []] = [this.entriesByName, this.entriesByShortName]
			.map((entries) => (entries.get(key) ?? []).filter((entry) => isPartOf(entry, parentId)))
			.filter(({ length }) => length > 0);
		return found;
	}

	private async describeNearest(text: string, parentId: unknown): Promise<string> {
		const nearest = new NearestNames(text, 3);
		const compared = new Set<string>();
		for (const entry of this.entries) {
			if (this.slice.isOver) await this.slice.yield();
			const name = nameOf(entry);
			if (!isPartOf(entry, parentId) || compared.has(name)) continue;
			compared.add(name);
			nearest.add(name);
		}
		const sentence = nearestSentence(nearest);
		if (sentence !== '') return sentence;
		return this.entries.length === 0
			? 'The list is empty.'
			: `It has no entry for the ID ${String(parentId)} next to it. Check that ID.`;
	}
}

function nameOf({ name, id }: ListEntry): string {
	return name || String(id);
}

function ambiguousText(text: string, ids: readonly EntryId[], places = ''): string {
	return `"${text.slice(0, SHOWN_NAME)}" is the name of ${ids.length} entries (IDs ${ids.join(', ')})${places}. Use the ID of the right one.`;
}

/** Empty if there are none. */
function nearestSentence({ names }: NearestNames): string {
	return names.length === 0
		? ''
		: `The nearest names are ${names.map((name) => `"${name}"`).join(', ')}.`;
}

function addUnder<Entry>(entries: Map<string, Entry[]>, name: string, entry: Entry): void {
	const key = comparableName(name);
	const namesakes = entries.get(key);
	if (namesakes) namesakes.push(entry);
	else if (key !== '') entries.set(key, [entry]);
}

function isPartOf(entry: ListEntry, parentId: unknown): boolean {
	return parentId === undefined || parentId === '' || String(entry.parentId) === String(parentId);
}
