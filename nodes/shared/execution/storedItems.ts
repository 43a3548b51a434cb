import { get } from 'lodash';
import { DateTime, Duration } from 'luxon';
import type { INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';

import type { TimeSlice } from './timeSlice';

/*
 * n8n stores the items of an execution that waits as JSON, which changes values such as dates. After the
 * wait, rows must be read as before it: for a file, a date and its ISO text are two values.
 */

const luxonSchema = z.object({ zone: z.string().optional(), locale: z.string().optional() });

const kindSchema = z.discriminatedUnion('is', [
	z.object({ is: z.literal('dateTime'), options: luxonSchema }),
	z.object({ is: z.literal('duration'), options: luxonSchema }),
	/** Of those that JSON does not have: NaN, Infinity. */
	z.object({ is: z.literal('number'), text: z.string() }),
	z.object({ is: z.enum(['date', 'bigint', 'buffer', 'undefined', 'unknown']) }),
]);

type Kind = z.infer<typeof kindSchema>;

export const changedValuesSchema = z.object({
	/** In the item. */
	path: z.array(z.string()),
	kind: kindSchema,
	/** From 0, e.g. `0-4 6 8-9`; without it, all items. */
	items: z.string().optional(),
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

/** What a value is that JSON changes; undefined for all others. */
function kindOf(value: unknown): Kind | undefined {
	switch (typeof value) {
		case 'number':
			return Number.isFinite(value) ? undefined : { is: 'number', text: String(value) };
		case 'bigint':
			return { is: 'bigint' };
		case 'undefined':
			return { is: 'undefined' };
		case 'function':
		case 'symbol':
			return { is: 'unknown' };
	}
	if (!isObject(value)) return undefined;
	if (isPlain(value)) return undefined;
	if (value instanceof Date) return { is: 'date' };
	if (DateTime.isDateTime(value)) {
		const { locale, zoneName } = value;
		return {
			is: 'dateTime',
			options: { locale: locale ?? undefined, zone: zoneName ?? undefined },
		};
	}
	if (Duration.isDuration(value))
		return { is: 'duration', options: { locale: value.locale ?? undefined } };
	return { is: Buffer.isBuffer(value) ? 'buffer' : 'unknown' };
}

/** Whether JSON has the properties of a value. */
function hasProperties(value: unknown, kind: Kind | undefined): value is Record<string, unknown> {
	const isOwn = kind === undefined || kind.is === 'unknown';
	return isOwn && isObject(value) && typeof value.toJSON !== 'function';
}

/** Numbers in ascending order as {@link ChangedValues.items}. */
class ItemRanges {
	private readonly ranges: Array<{ first: number; last: number }> = [];

	add(item: number): void {
		const range = this.ranges.at(-1);
		if (range && range.last >= item - 1) range.last = item;
		else this.ranges.push({ first: item, last: item });
	}

	/** Undefined if all `count` items are in it. */
	textOf(count: number): string | undefined {
		const [range] = this.ranges;
		if (range?.first === 0 && range.last === count - 1) return undefined;
		return this.ranges
			.map(({ first, last }) => (first === last ? first : `${first}-${last}`))
			.join(' ');
	}

	static *itemsOf(text: string | undefined, count: number): Generator<number> {
		for (const range of (text ?? `0-${count - 1}`).split(' ')) {
			const [first = 0, last = first] = range.split('-').map(Number);
			for (let item = first; item <= last; item++) yield item;
		}
	}
}

/** Finds the values of items that JSON changes, for {@link restoreItems}. */
export async function findChangedValues(
	items: readonly INodeExecutionData[],
	slice: TimeSlice,
): Promise<ChangedValues[]> {
	const changed = new Map<string, Omit<ChangedValues, 'items'> & { items: ItemRanges }>();
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
				const entry = changed.get(key) ?? { path, kind, items: new ItemRanges() };
				entry.items.add(item);
				changed.set(key, entry);
			}
		}
	}
	return [...changed.values()].map(({ items: ranges, ...entry }) => {
		const text = ranges.textOf(items.length);
		return text === undefined ? entry : { ...entry, items: text };
	});
}

/** The value of what n8n has stored of it. */
function restoreValue(kind: Kind, stored: unknown): unknown {
	const text = typeof stored === 'string' ? stored : '';
	switch (kind.is) {
		case 'date':
			return new Date(text);
		case 'dateTime':
			// Ten times as fast as luxon's own parser.
			return DateTime.fromMillis(Date.parse(text), kind.options);
		case 'duration':
			return Duration.fromISO(text, kind.options);
		case 'number':
			return Number(kind.text);
		case 'bigint':
			return BigInt(text);
		case 'buffer':
			return Buffer.from(get(stored, 'data', []) as number[]);
		case 'undefined':
			return undefined;
		case 'unknown':
			return isObject(stored) ? stored : new LostObject(() => stored);
	}
}

/** Makes the values of items what they were before n8n stored them. */
export async function restoreItems(
	items: readonly INodeExecutionData[],
	changed: readonly ChangedValues[],
	slice: TimeSlice,
): Promise<void> {
	for (const { path, kind, items: ranges } of changed) {
		const name = path.at(-1) ?? '';
		for (const item of ItemRanges.itemsOf(ranges, items.length)) {
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
		changed.flatMap(({ kind, path: [name = ''] }) => (kind.is === 'unknown' ? name : [])),
	);
}
