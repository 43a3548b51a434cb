import { counted } from '../service/counted';
import { endpoints, formatPerson, type PreparedCall } from '../service/endpoints';
import type { NativeService } from '../service/nativeService';
import { ServiceError } from '../service/serviceErrors';
import { throwIfCancelled } from '../transport/cancellation';
import { rethrow } from '../transport/rethrow';

/*
 * Whether the service has the record that a call creates. By the general conventions of service.md 1.1, a GET
 * on the path of a POST lists the records; some deployments lack it.
 */

/** Reading more would take longer than a person needs to look. */
const MOST_ENTRIES = 2000;

const DATE = /\d{4}-\d\d-\d\d/;

function isGiven(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}

function isSameText(sent: string, held: string): boolean {
	if (sent === held) return true;
	if (!DATE.test(sent) || !DATE.test(held)) return false;
	const [a, b] = [sent, held].map((text) => Date.parse(text));
	// The service may return a date as its midnight.
	return a === b || (sent.length === 10 && held.startsWith(`${sent}T00:00`));
}

/** Whether a record shows all values that were sent. */
function has(held: unknown, sent: unknown): boolean {
	if (!isGiven(sent)) return true;
	if (!isGiven(held)) return false;
	if (typeof sent !== 'object' || sent === null) return isSameText(String(sent), String(held));
	if (typeof held !== 'object' || held === null) return false;
	if (Array.isArray(sent) && (!Array.isArray(held) || held.length !== sent.length)) return false;
	const values = new Map(
		Object.entries(held).map(([name, value]: [string, unknown]) => [name.toLowerCase(), value]),
	);
	return Object.entries(sent).every(([name, value]) => has(values.get(name.toLowerCase()), value));
}

/** The answer of a service that has the record. */
export const THERE = 'there';

/** Lists of records, each read once in a run. */
export class SentRecords {
	private readonly lists = new Map<string, Promise<unknown[] | undefined>>();

	constructor(private readonly service: NativeService) {}

	/** Asks the service whether it has the record of a call: `there`, or a sentence on why it is in doubt. */
	async find({ endpoint, path, body }: PreparedCall): Promise<string> {
		if (endpoint.method !== 'POST' || endpoint === endpoints.createBulkImportJob)
			return 'The service does not list what was sent.';
		// Without a date, another record can have the same values.
		if (!DATE.test(JSON.stringify(body) ?? ''))
			return 'The node cannot check this in the service, because the item has no date that distinguishes it from other records.';
		const key = JSON.stringify([endpoint.path, path]);
		const list = this.lists.get(key) ?? this.read(endpoint.path, path);
		this.lists.set(key, list);
		const entries = await list;
		if (!entries)
			return 'The node cannot check this in the service, which does not list these records or lists too many.';
		return entries.some((entry) => has(entry, body))
			? THERE
			: "No record in the service's list has all its values.";
	}

	private async read(path: string, values: PreparedCall['path']): Promise<unknown[] | undefined> {
		const { service } = this;
		const endpoint = { method: 'GET', path, category: 'medium', retry: 'read' } as const;
		const entries: unknown[] = [];
		const parts: string[] = [];
		try {
			const list = service.list(endpoint, { path: values }, (reason) => {
				parts.push(reason);
			});
			for await (const entry of list) if (entries.push(entry) > MOST_ENTRIES) return undefined;
			return parts.length === 0 ? entries : undefined;
		} catch (error) {
			throwIfCancelled(service.signal);
			return error instanceof ServiceError ? undefined : rethrow(error);
		}
	}
}

const SHOWN_VALUES = 6;
const SHOWN_LENGTH = 60;

/** The values of a body by their names. */
function leavesOf(value: unknown, name = ''): string[] {
	if (!isGiven(value)) return [];
	if (typeof value !== 'object' || value === null)
		return [`${name} ${String(value).slice(0, SHOWN_LENGTH)}`.trim()];
	return Object.entries(value).flatMap(([key, part]) =>
		leavesOf(part, /^\d+$/.test(key) ? name : key),
	);
}

/** Where a person looks for the record of a call, as the end of a sentence. */
export function placeOf({ endpoint, path, body }: PreparedCall): string {
	const where = endpoint.path.slice(1).replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = (path as Record<string, Parameters<typeof formatPerson>[0]>)[name];
		return typeof value === 'object' ? formatPerson(value) : String(value ?? '');
	});
	const leaves = leavesOf(body);
	const more = leaves.length - SHOWN_VALUES;
	const values = [
		...leaves.slice(0, SHOWN_VALUES),
		...(more > 0 ? [`and ${counted(more, 'more value')}`] : []),
	];
	return `${where} with ${values.join(', ')}`;
}
