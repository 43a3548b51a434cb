import { parse, stringify } from 'flatted';
import { DateTime, Duration } from 'luxon';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import {
	findChangedValues,
	propertiesNotKept,
	restoreItems,
} from '../../../nodes/NativeBulkImport/wait/storedItems';
import { TimeSlice } from '../../../nodes/shared/execution/timeSlice';
import { longestTurnOf } from '../../support/eventLoop';
import { repetitions } from '../../support/randomCases';

const itemsOf = (values: readonly unknown[]): INodeExecutionData[] =>
	values.map((value) => ({ json: { value } as IDataObject }));

/** Keeps items as n8n does while an execution waits, `waits` times. */
async function keep(items: INodeExecutionData[], waits = 1): Promise<INodeExecutionData[]> {
	let kept = items;
	for (let wait = 0; wait < waits; wait++) {
		const changed = await findChangedValues(kept, new TimeSlice(undefined));
		const stored = parse(stringify({ kept, changed })) as { kept: typeof kept } & {
			changed: typeof changed;
		};
		kept = stored.kept;
		await restoreItems(kept, stored.changed, new TimeSlice(undefined));
	}
	return kept;
}

const berlin = DateTime.fromISO('1980-05-01', { zone: 'Europe/Berlin', locale: 'de' });

describe('items that n8n stores while the execution waits', () => {
	it.each<[string, unknown]>([
		['a date', new Date('1980-05-01T00:00:00Z')],
		['an invalid date', new Date(NaN)],
		['a luxon date with its zone and language', berlin],
		['a luxon date with an offset', DateTime.fromISO('1980-05-01T10:00+05:30', { setZone: true })],
		['an invalid luxon date', DateTime.fromISO('nonsense')],
		['a luxon duration', Duration.fromObject({ days: 1.5, hours: 2 })],
		['numbers that JSON does not have', [NaN, Infinity, -Infinity]],
		['binary data', Buffer.from('Ann')],
		['lists and objects of them', { list: [{ at: berlin }, { at: new Date(0) }], 'a.b': berlin }],
		['JSON', { text: '1980-05-01T00:00:00.000Z', none: null, list: [1, true, {}], zero: 0 }],
	])('keep %s', async (_, value) => {
		const items = itemsOf([value, 'text', value]);
		const expected = items.map(({ json }) => describeValue(json.value));
		const after = await keep(items, 2);
		expect(after.map(({ json }) => describeValue(json.value))).toEqual(expected);
	});

	it('keep each item as it was, whatever the others hold in the same place', async () => {
		const text = '1980-05-01T00:00:00.000Z';
		const values = [text, new Date(text), berlin, text, new Date(text), new Date(text), null, NaN];
		const expected = values.map(describeValue);
		const after = await keep(itemsOf(values));
		expect(after.map(({ json }) => describeValue(json.value))).toEqual(expected);
	});

	it.each<[string, unknown]>([
		['a map', new Map([['a', 1]])],
		['an address', new URL('https://example.org/')],
		['a function', () => 'text'],
		['one inside another object', { inner: [new Set([1])] }],
	])('still hold an object instead of %s, and its property is named before', async (_, value) => {
		const items = itemsOf(['text', value]);
		const named = await propertiesNotKept(items, new TimeSlice(undefined));
		expect([...named]).toEqual(['value']);
		const after = await keep(items, 2);
		expect(typeof after[1]?.json.value).toBe('object');
	});

	it('keep an object that contains itself', async () => {
		const ring: Record<string, unknown> = { at: new Date(0) };
		ring.self = ring;
		const [item] = await keep(itemsOf([ring]));
		expect(item?.json.value).toMatchObject({ at: new Date(0), self: { at: new Date(0) } });
	});

	it('are described in a few characters, and n8n has its turn, where there are many', async () => {
		const count = repetitions(100_000);
		const items = (): INodeExecutionData[] =>
			Array.from({ length: count }, (_, row) => ({
				json: {
					at: berlin,
					born: new Date(row),
					odd: row % 2 ? 'text' : NaN,
					name: 'Ann',
				} as never,
			}));
		const given = items();
		let changed: Awaited<ReturnType<typeof findChangedValues>> = [];
		const find = async () => (changed = await findChangedValues(given, new TimeSlice(undefined)));
		expect(await longestTurnOf(find, 50)).toBeLessThanOrEqual(50);
		expect(JSON.stringify(changed.filter(({ path }) => path[0] !== 'odd')).length).toBeLessThan(
			300,
		);
		const stored = parse(stringify(given)) as INodeExecutionData[];
		// Again, it writes the same values.
		const restore = async () => await restoreItems(stored, changed, new TimeSlice(undefined));
		expect(await longestTurnOf(restore, 50)).toBeLessThanOrEqual(50);
		expect(stored.at(-2)?.json).toEqual(given.at(-2)?.json);
	});
});

/** With what the kinds of objects hold, zones and languages of dates among it. */
function describeValue(value: unknown): unknown {
	if (DateTime.isDateTime(value))
		return ['luxon', value.isValid && value.toISO(), value.zoneName, value.locale];
	if (Duration.isDuration(value)) return ['duration', value.toISO(), value.toObject()];
	if (value instanceof Date) return ['date', value.getTime()];
	if (Buffer.isBuffer(value)) return ['buffer', value.toString()];
	if (Array.isArray(value)) return value.map(describeValue);
	if (typeof value === 'object' && value !== null)
		return Object.entries(value).map((entry) => entry.map(describeValue));
	return value;
}
