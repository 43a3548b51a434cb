import { get } from 'lodash';
import { DateTime, Duration } from 'luxon';
import type { INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';

import type { TimeSlice } from '../../shared/execution/timeSlice';

/*
 * n8n stores the items of an execution that waits as JSON, which changes values such as dates. After the
 * wait, rows must be read as before it: for a file, a date and its ISO text are two values.
 */

/**
 * What each item says while it is stored. n8n's Retry takes the nodes of a stored execution from the workflow
 * by their names if it is to run the workflow as it is saved now. The node that waits and the run that only
 * slept are then one object, which n8n disables: it passes the stored items on, and no code of ours runs.
 */
const NOT_RUN = {
	message:
		'n8n did not run this node, which had waited in its database: "Retry with currently saved workflow" passes the items on as they are. What the node had sent before is not sent again. Choose "Retry with original workflow"; if n8n no longer offers it, read the outcome of the started jobs with "Get Item Outcomes".',
};

/** Lets items that are stored say that they were not processed, until {@link restoreItems}. */
export function markStoredItems(items: readonly INodeExecutionData[]): void {
	for (const item of items) if (item.error === undefined) Object.assign(item, { error: NOT_RUN });
}

const kindSchema = z.object({
	/** A number is one that JSON does not have; an object, anything else that it turns into something else. */
	is: z.enum(['date', 'dateTime', 'duration', 'buffer', 'number', 'object']),
	text: z.string().optional(),
	zone: z.string().optional(),
	locale: z.string().optional(),
});

type Kind = z.infer<typeof kindSchema>;

export const changedValuesSchema = z.object({
	/** In the item. */
	path: z.array(z.string()),
	kind: kindSchema,
	/** Positions, not looked at one by one: there may be a million. Without them, all items. */
	items: z.custom<number[]>(Array.isArray).optional(),
});

/** Values of one kind in one place that JSON changes. */
type ChangedValues = z.infer<typeof changedValuesSchema>;

/** Stands for an object that JSON has turned into something else. A file cannot take either. */
class LostObject {
	constructor(readonly toJSON: () => unknown) {}
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

function isPlain(value: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(value);
	return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** What a value is that JSON changes so that a row would read it differently; undefined for all others. */
function kindOf(value: unknown): Kind | undefined {
	if (typeof value === 'number')
		return Number.isFinite(value) ? undefined : { is: 'number', text: String(value) };
	if (typeof value === 'function' || typeof value === 'symbol') return { is: 'object' };
	if (!isObject(value) || isPlain(value)) return undefined;
	if (value instanceof Date) return { is: 'date' };
	// Edit Fields gives both.
	if (DateTime.isDateTime(value)) {
		const { locale, zoneName } = value;
		return { is: 'dateTime', zone: zoneName ?? undefined, locale: locale ?? undefined };
	}
	if (Duration.isDuration(value)) return { is: 'duration', locale: value.locale ?? undefined };
	// Nodes of databases give a BLOB as a buffer.
	return { is: Buffer.isBuffer(value) ? 'buffer' : 'object' };
}

/** Whether JSON has the properties of a value. */
function hasProperties(value: unknown, kind: Kind | undefined): value is Record<string, unknown> {
	const isOwn = kind === undefined || kind.is === 'object';
	return isOwn && isObject(value) && typeof value.toJSON !== 'function';
}

/** Finds the values of items that JSON changes, for {@link restoreItems}. */
export async function findChangedValues(
	items: readonly INodeExecutionData[],
	slice: TimeSlice,
): Promise<ChangedValues[]> {
	const changed = new Map<string, Required<ChangedValues>>();
	for (const [item, { json }] of items.entries()) {
		const seen = new Set<object>([json]);
		const open: Array<{ holder: Record<string, unknown>; path: string[] }> = [
			{ holder: json, path: [] },
		];
		for (let next = open.pop(); next; next = open.pop()) {
			if (slice.isOver) await slice.yield();
			for (const name in next.holder) {
				const value = next.holder[name];
				if (typeof value === 'string') continue;
				const kind = kindOf(value);
				const isOpened = hasProperties(value, kind) && !seen.has(value);
				if (!kind && !isOpened) continue;
				const path = [...next.path, name];
				if (isOpened) {
					seen.add(value);
					open.push({ holder: value, path });
				}
				if (!kind) continue;
				const key = JSON.stringify([kind, path]);
				const entry = changed.get(key) ?? { path, kind, items: [] };
				entry.items.push(item);
				changed.set(key, entry);
			}
		}
	}
	return [...changed.values()].map(({ items: positions, ...entry }) =>
		positions.length === items.length ? entry : { ...entry, items: positions },
	);
}

/** The value of what n8n has stored of it. */
function restoreValue({ is, text, ...options }: Kind, stored: unknown): unknown {
	switch (is) {
		case 'date':
			return new Date(String(stored));
		case 'dateTime':
			// Ten times as fast as luxon's own parser.
			return DateTime.fromMillis(Date.parse(String(stored)), options);
		case 'duration':
			return Duration.fromISO(String(stored), options);
		case 'buffer':
			return Buffer.from(get(stored, 'data', []) as number[]);
		case 'number':
			return Number(text);
		case 'object':
			return isObject(stored) ? stored : new LostObject(() => stored);
	}
}

/** Makes the values of items what they were before n8n stored them. */
export async function restoreItems(
	items: readonly INodeExecutionData[],
	changed: readonly ChangedValues[],
	slice: TimeSlice,
): Promise<void> {
	for (const item of items) if (item.error?.message === NOT_RUN.message) delete item.error;
	for (const { path, kind, items: positions } of changed) {
		const name = path.at(-1) ?? '';
		for (const item of positions ?? items.keys()) {
			if (slice.isOver) await slice.yield();
			const json = items[item]?.json;
			const holder: unknown = path.length > 1 ? get(json, path.slice(0, -1)) : json;
			if (!isObject(holder)) continue;
			const value = holder[name];
			// In the process that stored it, and in a second try, the value is there.
			if (value === undefined || !kindOf(value)) holder[name] = restoreValue(kind, value);
		}
	}
}

/** The properties of items with objects that only their JSON is left of after a wait, such as a map. */
export async function propertiesNotKept(
	items: readonly INodeExecutionData[],
	slice: TimeSlice,
): Promise<Set<string>> {
	const changed = await findChangedValues(items, slice);
	return new Set(
		changed.flatMap(({ kind, path: [name = ''] }) => (kind.is === 'object' ? name : [])),
	);
}
