import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';

import { byId } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { NativeCanvassResponse } from '../../nodes/NativeCanvassResponse/NativeCanvassResponse.node';
import { NativeRecord } from '../../nodes/NativeRecord/NativeRecord.node';
import type { NodeRun } from './support/engine';
import { createOrUpdate, fieldsOf, jobWith } from './support/importJobs';
import { type KilledRun, NodeProcesses } from './support/killedNode';
import type { NodeProcess } from './support/nodeProcess';
import { useProcessedData } from './support/processedData';
import { OTHER_KEY } from '../support/runningSandbox';
import { useSandbox } from './support/sandboxed';

/** An item with a key is sent once, or comes out as one in doubt: never twice, never silently not at all. */

const service = useSandbox();
const processed = useProcessedData();
const processes = new NodeProcesses();
afterAll(() => processes.close());

const node = new NativeCanvassResponse();
/** The first people of the seed. */
const PERSON = 100_001;
const PEOPLE = 5;

const calls = (count: number): Array<Record<string, string>> =>
	Array.from({ length: count }, (_, i) => ({
		callId: `c-${i}`,
		person: String(PERSON + (i % PEOPLE)),
		at: `2026-03-01T18:${String(i % 60).padStart(2, '0')}:00`,
	}));
const post = (options: INodeParameters = {}): INodeParameters => ({
	resource: 'canvassResponse',
	operation: 'create',
	nativeId: '={{ $json.person }}',
	canvassContext: {
		contactTypeId: byId(2),
		dateCanvassed: '={{ $json.at }}',
		skipMatching: true,
	},
	resultCodeId: byId(1),
	options: { sendOnceKey: '={{ $json.callId }}', ...options },
});
const run = async (
	items: IDataObject[],
	options: INodeParameters = {},
	setup: Parameters<typeof service.run>[2] = {},
): Promise<NodeRun> =>
	await service.run(node, post(options), {
		items: items.map((json) => ({ json })),
		onError: 'continueRegularOutput',
		...setup,
	});
const stored = () => service.sandbox.control.canvassResponses('demo').length;
const posts = () => service.calls().filter(({ method }) => method === 'POST').length;

/** What each item came to. */
const ends = (items: readonly IDataObject[]) =>
	items.map((json) => {
		const error = json.error as IDataObject | undefined;
		if (error) return error.outcomeUnknown ? 'inDoubt' : 'refused';
		return json.alreadySent ? 'alreadySent' : 'sent';
	});
const endsOf = ({ outputs }: NodeRun) => ends((outputs[0] ?? []).map(({ json }) => json));
const all = (count: number, end: string) => Array.from({ length: count }, () => end);

it('sends each key once', async () => {
	expect(endsOf(await run(calls(30)))).toEqual(all(30, 'sent'));
	const second = await run(calls(32));
	expect(endsOf(second)).toEqual([...all(30, 'alreadySent'), ...all(2, 'sent')]);
	expect(second.outputs[0]?.[3]).toMatchObject({
		json: { alreadySent: true },
		pairedItem: { item: 3 },
	});
	expect(stored()).toBe(32);
});

it.each(['march shift', '={{ $itemIndex }}', '={{ "row " + $json.row }}'])(
	'says that another item had the key in an earlier run: %s',
	async (sendOnceKey) => {
		const rows = calls(4).map((call, i) => ({ ...call, row: i % 2 }));
		const ofOne = sendOnceKey.startsWith('=') ? 2 : 1;
		expect(endsOf(await run(rows.slice(0, ofOne), { sendOnceKey }))).toEqual(all(ofOne, 'sent'));
		const second = await run(rows.slice(2, 2 + ofOne), { sendOnceKey });
		expect(endsOf(second)).toEqual(all(ofOne, 'refused'));
		expect(second.outputs[0]?.[0]?.json.error).toMatchObject({
			message: expect.stringContaining('sent something else with its Send Once Key') as string,
			replayable: false,
		});
		expect(stored()).toBe(ofOne);
		// What was looked up and not sent leaves nothing in the memory.
		expect(endsOf(await run(rows.slice(2, 2 + ofOne), { sendOnceKey }))).toEqual(
			all(ofOne, 'refused'),
		);
		expect(endsOf(await run(rows.slice(0, ofOne), { sendOnceKey }))).toEqual(
			all(ofOne, 'alreadySent'),
		);
	},
);

it.each([
	['nonsense', '2026-03-01', '2026-03-02'],
	['2026-03-01', 'nonsense', '2026-03-02'],
])('fails only the item that has no key: %s', async (...days) => {
	const rows = calls(3).map((call, i) => ({ ...call, day: days[i] ?? '' }));
	const sendOnceKey = '={{ $json.day.toDateTime().toISO() }}';
	const expected = days.map((day) => (day === 'nonsense' ? 'refused' : 'sent'));
	expect(endsOf(await run(rows, { sendOnceKey }))).toEqual(expected);
});

it('sends one of several items with one key', async () => {
	const [one = {}] = calls(1);
	expect(endsOf(await run([one, one, one]))).toEqual(['sent', 'alreadySent', 'alreadySent']);
	expect(stored()).toBe(1);
});

it('lets two executions at once send each key once, and calls none in doubt', async () => {
	const runs = await Promise.all([run(calls(30)), run(calls(30)), run(calls(30))]);
	const sent = runs.flatMap(endsOf).sort();
	expect(sent).toEqual([...all(60, 'alreadySent'), ...all(30, 'sent')]);
	expect(stored()).toBe(30);
});

it('waits for another execution no longer than until it is cancelled', async () => {
	service.addFault({ kind: 'latency', ms: 3000 }, 'POST');
	const first = run(calls(1));
	await sleep(500);
	await run(calls(1), {}, { signal: AbortSignal.timeout(200) });
	expect(stored()).toBe(0);
	// The next one still waits for the first.
	expect(endsOf(await run(calls(1)))).toEqual(['alreadySent']);
	expect(endsOf(await first)).toEqual(['sent']);
	expect(stored()).toBe(1);
});

it('takes no longer when the clock is set forward, e.g. on a machine that wakes up', async () => {
	const { checkProcessedAndRecord } = processed();
	// Acts like a database, which lets other items continue in the meantime.
	jest.spyOn(processed(), 'checkProcessedAndRecord').mockImplementation(async (...items) => {
		await sleep(20);
		return await checkProcessedAndRecord(...items);
	});
	const hour = 60 * 60_000;
	const now = Date.now();
	let looks = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => now + hour * looks++);
	const setTimer = setTimeout;
	let longest = 0;
	jest.spyOn(globalThis, 'setTimeout').mockImplementation((work, ms = 0) => {
		longest = Math.max(longest, ms);
		return setTimer(work, Math.min(ms, 5000));
	});
	expect(endsOf(await run(calls(120)))).toEqual(all(120, 'sent'));
	expect(longest).toBeLessThan(hour);
});

it('takes null in an address for no missing value', async () => {
	const [one = {}] = calls(1);
	expect(endsOf(await run([{ ...one, callId: 'null@example.org' }]))).toEqual(['sent']);
});

/** Text would be the same for different items. */
it.each([
	['an object', { id: 1 }, { id: 2 }],
	['a list of objects', [{ id: 1 }], [{ id: 2 }]],
	['no number', Number.NaN, Number.NaN],
	['an invalid date', new Date(Number.NaN), new Date(Number.NaN)],
	['a rounded number', 2 ** 60, 2 ** 60 + 2],
] as const)('rejects a key that is %s', async (_, ...ids) => {
	const [one, other] = calls(2);
	const items = [
		{ ...one, callId: ids[0] },
		{ ...other, callId: ids[1] },
	] as unknown as IDataObject[];
	expect(endsOf(await run(items))).toEqual(all(2, 'refused'));
	expect(stored()).toBe(0);
});

it('tells keys apart that are dates a moment apart', async () => {
	const [one, other] = calls(2);
	const items = [
		{ ...one, callId: new Date(5_000_001) },
		{ ...other, callId: new Date(5_000_002) },
	] as unknown as IDataObject[];
	expect(endsOf(await run(items))).toEqual(all(2, 'sent'));
});

it('sends an item again after a certain rejection, and not after a lost response', async () => {
	const fault = { kind: 'status', status: 400 } as const;
	service.addFault(fault, 'POST');
	expect(endsOf(await run(calls(1)))).toEqual(['refused']);
	expect(endsOf(await run(calls(1)))).toEqual(['sent']);
	service.addFault({ kind: 'resetAfter' }, 'POST');
	const [, other = {}] = calls(2);
	expect(endsOf(await run([other]))).toEqual(['inDoubt']);
	const again = await run([other]);
	expect(again.outputs[0]?.[0]?.json.error).toMatchObject({
		message: 'This item was not sent again, because an earlier run may have sent it',
		outcomeUnknown: true,
		replayable: false,
	});
	expect(endsOf(await run([other]))).toEqual(['inDoubt']);
	expect(stored()).toBe(2);
});

it('takes an item for another one in another database, and without a key', async () => {
	await run(calls(1));
	const credential = { apiKey: OTHER_KEY };
	expect(endsOf(await run(calls(1), {}, { credential }))).not.toContain('alreadySent');
	expect(endsOf(await run(calls(1), { sendOnceKey: '' }))).toEqual(['sent']);
});

it('shows a dry run without remembering anything', async () => {
	await run(calls(1), { dryRun: true });
	expect(processed().writes).toBe(0);
	expect(endsOf(await run(calls(1)))).toEqual(['sent']);
});

it('names an item in doubt when the run stops', async () => {
	service.addFault({ kind: 'resetAfter' }, 'POST');
	await run(calls(1));
	const { error } = await run(calls(1), {}, { onError: 'stopWorkflow' });
	expect(error?.message).toContain('was not sent again');
});

it('keeps what it sent over the tries of Retry On Fail', async () => {
	service.addFault({ kind: 'status', status: 400 }, 'POST', { skip: 1 });
	const retries = { maxTries: 2, waitBetweenTries: 0 };
	const { outputs, error } = await run(calls(3), {}, { retries, onError: 'stopWorkflow' });
	expect(error).toBeUndefined();
	expect(ends((outputs[0] ?? []).map(({ json }) => json))).toEqual(all(3, 'sent'));
	expect(stored()).toBe(3);
});

it('works for other writes that could be stored twice', async () => {
	const record: INodeParameters = {
		resource: 'record',
		operation: 'create',
		resourceName: 'events',
		recordJson: '{"name":"A"}',
		options: { sendOnceKey: 'event A' },
	};
	for (const isSent of [false, true]) {
		const { outputs } = await service.run(new NativeRecord(), record);
		expect(outputs[0]?.[0]?.json.alreadySent === true).toBe(isSent);
	}
	expect(posts()).toBe(1);
});

it('takes a record of another resource for another one', async () => {
	const items = ['events', 'locations', 'events'].map((resourceName) => ({
		json: { resourceName, key: 'A' },
	}));
	const record: INodeParameters = {
		resource: 'record',
		operation: 'create',
		resourceName: '={{ $json.resourceName }}',
		recordJson: '{"name":"A"}',
		options: { sendOnceKey: '={{ $json.key }}' },
	};
	const { outputs } = await service.run(new NativeRecord(), record, { items });
	expect((outputs[0] ?? []).map(({ json }) => json.alreadySent === true)).toEqual([
		...[false, false, true],
	]);
	expect(posts()).toBe(2);
});

it('sends no older values behind newer ones that it does not send again', async () => {
	const record: INodeParameters = {
		resource: 'record',
		operation: 'create',
		resourceName: `people/${PERSON}`,
		recordJson: '={{ { firstName: $json.name } }}',
		options: { sendOnceKey: '={{ $json.name }}' },
	};
	service.addFault({ kind: 'status', status: 400 }, 'POST');
	const { outputs } = await service.run(new NativeRecord(), record, {
		items: ['Older', 'Newer'].map((name) => ({ json: { name } })),
		onError: 'continueRegularOutput',
		retries: { maxTries: 2, waitBetweenTries: 0 },
	});
	expect(endsOf({ outputs } as NodeRun)).toEqual(['refused', 'sent']);
	const person = service.people().find(({ nativeId }) => nativeId === PERSON);
	expect(person?.fields.firstName).toBe('Newer');
});

it('knows its keys after the deployment, version or rate of the credential was changed', async () => {
	const native = { deployment: 'native', databaseMode: 'none' };
	expect(endsOf(await run(calls(2), {}, { credential: native }))).toEqual(all(2, 'sent'));
	const other = { deployment: 'other', rateShare: 50 };
	expect(endsOf(await run(calls(2), {}, { credential: other }))).toEqual(all(2, 'alreadySent'));
	expect(stored()).toBe(2);
});

it('takes items that differ in the time of the run alone for one', async () => {
	const now = Date.now();
	const atTimes = (...times: string[]) =>
		calls(1).flatMap((one) => times.map((at) => ({ ...one, at })));
	const times = [now - 60_000, now].map((time) => new Date(time).toISOString());
	expect(endsOf(await run(atTimes(...times)))).toEqual(['sent', 'alreadySent']);
	const other = await run(
		atTimes('2026-03-01T18:00:00', '2026-03-08T18:00:00'),
		{ sendOnceKey: '={{ "b" + $json.callId }}' },
		{ onError: 'stopWorkflow' },
	);
	expect(other.error?.message).toContain('is the same as that of item 1');
});

it.each([
	['date', (at: Date) => at.toISOString().slice(0, 10)],
	['time without a zone', (at: Date) => at.toISOString().slice(0, 16)],
])('knows an item again that is sent with the %s of the run', async (_, write) => {
	const hour = 60 * 60_000;
	const began = Date.now();
	const clock = jest.spyOn(Date, 'now');
	const atHour = async (later: number) => {
		clock.mockImplementation(() => began + later * hour);
		return endsOf(await run([{ ...calls(1)[0], at: write(new Date(began + (later - 9) * hour)) }]));
	};
	expect(await atHour(0)).toEqual(['sent']);
	expect(await atHour(13)).toEqual(['alreadySent']);
	expect(await atHour(100)).toEqual(['alreadySent']);
});

it('says that an earlier response to the same person had the key', async () => {
	const sendOnceKey = '={{ $json.person }}';
	const [morning = {}, evening = {}] = ['10', '19'].map((hour) => ({
		...calls(1)[0],
		at: `2026-03-01T${hour}:00:00`,
	}));
	expect(endsOf(await run([morning], { sendOnceKey }))).toEqual(['sent']);
	expect(endsOf(await run([evening], { sendOnceKey }))).toEqual(['refused']);
	expect(endsOf(await run([morning], { sendOnceKey }))).toEqual(['alreadySent']);
	expect(stored()).toBe(1);
});

it('knows an item with a time of its own, whether or not it lies near that of the run', async () => {
	const record: INodeParameters = {
		resource: 'record',
		operation: 'create',
		resourceName: 'events',
		recordJson: '={{ $json }}',
		options: { sendOnceKey: '={{ "event " + $json.name }}' },
	};
	const began = Date.now();
	const items = [{ json: { name: 'A', startDate: new Date(began - 5 * 60_000).toISOString() } }];
	const clock = jest.spyOn(Date, 'now');
	for (const [hoursLater, end] of [
		[0, 'sent'],
		[2, 'alreadySent'],
		[0, 'alreadySent'],
	] as const) {
		clock.mockImplementation(() => began + hoursLater * 60 * 60_000);
		expect(endsOf(await service.run(new NativeRecord(), record, { items }))).toEqual([end]);
	}
	expect(posts()).toBe(1);
});

it('creates a job again that has imported nothing', async () => {
	const text = 'First,Last,Mail\nAda,Example,ada@example.org\n';
	const base = jobWith('First Last Mail', [createOrUpdate]);
	const sourceUrl = await service.host('rows.csv', text);
	const options = { waitForCompletion: 'memory', sendOnceKey: '={{ $json.list }}' };
	const parameters = fieldsOf({ ...base, file: { ...base.file, sourceUrl } }, options);
	const items = [{ json: { list: 'monday' } }];
	service.addJobFault({ kind: 'fail', text: 'The file could not be fetched from its source.' });
	const create = async () => await service.run(new NativeBulkImport(), parameters, { items });
	expect((await create()).error?.message).toContain('could not be fetched');
	expect((await create()).outputs[0]?.[0]?.json).toMatchObject({ status: 'Completed' });
	expect((await create()).outputs[0]?.[0]?.json).toEqual({ alreadySent: true });
	expect(service.jobs()).toHaveLength(2);
});

describe('refuses before any call', () => {
	it('a key without a value', async () => {
		const [one = {}] = calls(1);
		const { error } = await run([one, { person: String(PERSON) }], {}, { onError: 'stopWorkflow' });
		expect(error?.message).toContain(
			'Send Once Key is an expression without a value for this item',
		);
		expect(posts()).toBe(0);
	});

	const samePerItem: Array<[string, string, string]> = [
		['a text for several items', 'callId', 'is the same for all items'],
		['a part without a value', '={{ "c" + $json.id }}', 'is an expression without a value'],
		['an object in a text', 'c{{ $json }}', 'is the same for all items'],
		['one of two parts', '={{ $json.person }}-{{ $json.id }}', 'is an expression without a value'],
		['a blank one of two', '={{ $json.person }}-{{ "" }}', 'is an expression without a value'],
		['null in a text', '={{ $json.person + "-" + null }}', 'is an expression without a value'],
		['no number', '={{ "c-" + Number("a") }}', 'is an expression without a value'],
		['an object in an expression', '=c{{ $json }}', 'is an expression without a value'],
		[
			'a part of blanks',
			'={{ $json.person }}-{{ " \\u200b" }}',
			'is an expression without a value',
		],
		[
			'a value of another item',
			'={{ "list-" + ($json.id ?? "") }}',
			'is the same as that of item 1',
		],
	];
	it.each(samePerItem)('%s', async (_, sendOnceKey, text) => {
		const { error } = await run(calls(2), { sendOnceKey }, { onError: 'stopWorkflow' });
		expect(error?.message).toContain(`Send Once Key ${text}`);
		expect(posts()).toBe(0);
	});

	it('an unsaved workflow', async () => {
		const { error } = await run(calls(1), {}, { workflowId: '', onError: 'stopWorkflow' });
		expect(error?.message).toContain('Send Once Key needs a saved workflow');
		expect(posts()).toBe(0);
	});
});

type HangPoint = Pick<NodeProcess, 'hangAfter' | 'hangBefore' | 'hangsAfterRemoval'>;

describe('after kill -9', () => {
	const COUNT = 20;
	const begin = async (point: HangPoint = {}, isAtKill?: () => boolean): Promise<KilledRun> =>
		await processes.run(
			{
				node: 'NativeCanvassResponse',
				credential: service.credential(),
				parameters: post(),
				items: calls(COUNT),
				...point,
			},
			isAtKill,
		);
	/** The same items again after the kill: each was sent once, or is named. */
	const expectOnce = async (expected: string) => {
		const sentBefore = stored();
		const came = endsOf(await run(calls(COUNT)));
		expect(came).toHaveLength(COUNT);
		const sentNow = came.filter((end) => end === 'sent').length;
		expect(stored()).toBe(sentBefore + sentNow);
		const responses = service.sandbox.control.canvassResponses('demo');
		expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(stored());
		expect(came).toContain(expected);
		expect(endsOf(await run(calls(COUNT)))).not.toContain('sent');
	};

	const hangs: Array<[string, HangPoint, string]> = [
		['before anything is remembered', { hangBefore: 1 }, 'sent'],
		['once the keys are remembered', { hangAfter: 1 }, 'inDoubt'],
		['before the outcomes are remembered', { hangBefore: 2 }, 'inDoubt'],
		['once the first outcomes are remembered', { hangsAfterRemoval: true }, 'alreadySent'],
	];
	it.each(hangs)('%s', async (_, point, expected) => {
		expect(await begin(point)).toBe('killed');
		await expectOnce(expected);
	});

	it('while the service has requests', async () => {
		const fault = { kind: 'noResponse', executed: true } as const;
		service.addFault(fault, 'POST /people', { skip: 5, count: COUNT });
		expect(await begin({}, () => posts() > 8)).toBe('killed');
		service.sandbox.control.clearFaults();
		await expectOnce('inDoubt');
	});

	it.each([false, true])(
		'asks for each item in doubt, if the service lists what it has: %s',
		async (isListed) => {
			service.change({ styles: { canvassResponseList: isListed } });
			// Some are stored, and their responses are lost; others do not arrive.
			const lost = { kind: 'noResponse', executed: true } as const;
			service.addFault(lost, 'POST /people', { skip: 5, count: 2 });
			service.addFault({ kind: 'noResponse' }, 'POST /people', { skip: 5, count: COUNT });
			expect(await begin({}, () => posts() > 8)).toBe('killed');
			service.sandbox.control.clearFaults();
			const before = stored();
			const came = endsOf(await run(calls(COUNT)));
			const count = (end: string) => came.filter((each) => each === end).length;
			expect(count('inDoubt')).toBeGreaterThan(0);
			expect(stored()).toBe(before + count('sent'));
			// Each that is in the service is known as sent, and none of the others.
			if (isListed) expect(count('alreadySent')).toBe(before);
			else expect(count('alreadySent')).toBeLessThan(before);
			const responses = service.sandbox.control.canvassResponses('demo');
			expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(stored());
		},
	);
});

describe('an item in doubt stays so, and its error says where to look,', () => {
	const inDoubt = async (items: IDataObject[], options: INodeParameters = {}) => {
		service.addFault({ kind: 'resetAfter' }, 'POST', { count: items.length });
		await run(items, options);
		const { outputs } = await run(items, options);
		return outputs[0]?.map(({ json }) => (json.error as IDataObject | undefined)?.description);
	};

	it('if the service does not list what it has', async () => {
		const [text] = (await inDoubt(calls(1))) ?? [];
		expect(text).toContain('which does not list these records or lists too many');
		expect(text).toContain(
			`check the service for people/${PERSON}/canvassResponses with contactTypeId 2, dateCanvassed 2026-03-01T18:00:00`,
		);
	});

	it('if another key has sent the same', async () => {
		service.change({ styles: { canvassResponseList: true } });
		const [one = {}] = calls(1);
		const items = ['a', 'b'].map((callId) => ({ ...one, callId }));
		const texts = (await inDoubt(items)) ?? [];
		expect(texts).toHaveLength(2);
		for (const text of texts) expect(text).toContain('items with other keys have the same values');
	});

	it.each([
		['without a date', '', 'no date that distinguishes it from other records'],
		['with the time of the run', '={{ $now.toISO() }}', 'a time close to that of the run'],
	])('if it is %s', async (_, dateCanvassed, reason) => {
		service.change({ styles: { canvassResponseList: true } });
		service.addFault({ kind: 'resetAfter' }, 'POST');
		const parameters = { ...post(), canvassContext: { contactTypeId: byId(2), dateCanvassed } };
		const again = async () =>
			await service.run(node, parameters, {
				items: calls(1).map((json) => ({ json })),
				onError: 'continueRegularOutput',
			});
		await again();
		const { outputs } = await again();
		expect((outputs[0]?.[0]?.json.error as IDataObject).description).toContain(reason);
	});

	it('if the service lists no such record, or one with other values', async () => {
		service.change({ styles: { canvassResponseList: true } });
		expect(endsOf(await run(calls(PEOPLE)))).toEqual(all(PEOPLE, 'sent'));
		const [one = {}] = calls(1);
		const item = { ...one, callId: 'later', at: '2026-03-01T19:00:00' };
		service.addFault({ kind: 'status', status: 500 }, 'POST');
		await run([item]);
		const { outputs } = await run([item]);
		expect((outputs[0]?.[0]?.json.error as IDataObject).description).toContain(
			"No record in the service's list has all its values",
		);
		expect(stored()).toBe(PEOPLE);
	});
});

it('knows an item in doubt as sent once the service has it', async () => {
	service.change({ styles: { canvassResponseList: true } });
	service.addFault({ kind: 'resetAfter' }, 'POST', { count: 3 });
	expect(endsOf(await run(calls(3)))).toEqual(all(3, 'inDoubt'));
	expect(endsOf(await run(calls(3)))).toEqual(all(3, 'alreadySent'));
	expect(stored()).toBe(3);
	expect(posts()).toBe(3);
});
