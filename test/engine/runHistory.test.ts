import * as fc from 'fast-check';
import type { INodeExecutionData, INodeParameters, INodeType, OnError } from 'n8n-workflow';

import { byId } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { NativeCanvassResponse } from '../../nodes/NativeCanvassResponse/NativeCanvassResponse.node';
import { NativeCode } from '../../nodes/NativeCode/NativeCode.node';
import { NativePeople } from '../../nodes/NativePeople/NativePeople.node';
import type { FaultRequest } from '../../sandbox';
import { repetitions } from '../support/randomCases';
import type { NodeRun } from './support/engine';
import { itemImport, itemsOf as itemsOfRows, people, personMap } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

/** What a run says of the items it has sent, compared with what the service received. */

const service = useSandbox();
beforeAll(() => {
	service.change({ styles: { peopleUpdatedByPost: true } });
});

it('keeps the hints of an import that n8n runs again because its first item has an error', async () => {
	const parameters = itemImport(service, personMap);
	const items = itemsOfRows([{ ...people(1)[0], Mail: 'no..1@example.org' }, ...people(2)]);
	const setup = { items, onError: 'continueErrorOutput' } as const;
	const once = await service.run(new NativeBulkImport(), parameters, setup);
	const retries = { maxTries: 3, waitBetweenTries: 0 };
	const again = await service.run(new NativeBulkImport(), parameters, { ...setup, retries });
	const counts = ({ hints }: NodeRun) => hints.map(({ message }) => message.replace(/job \d+/, ''));
	expect(counts(once).join()).toContain('3 items: 2 imported, 1 failed');
	const comesAgain = 'The same rows were imported before by this node, and now again.';
	expect(counts(again)).toEqual([comesAgain, ...counts(once)]);
	expect(service.starts()).toHaveLength(2);
});

const PEOPLE = [100_001, 100_002, 100_003];

interface Row {
	person: number;
	/** Recognises the item in the request log. */
	mark: string;
}
const rowsFor = (people: number[]): Row[] =>
	people.map((person, item) => ({ person, mark: `2026-03-01T18:00:0${item}` }));
const itemsOf = (rows: Row[]): INodeExecutionData[] => rows.map((row) => ({ json: { ...row } }));

interface Write {
	node: INodeType;
	parameters: INodeParameters;
	/** Whether the service may get it twice. */
	isSafe: boolean;
}
const post: Write = {
	node: new NativeCanvassResponse(),
	parameters: {
		resource: 'canvassResponse',
		operation: 'create',
		nativeId: '={{ $json.person }}',
		canvassContext: {
			contactTypeId: byId(2),
			skipMatching: true,
			dateCanvassed: '={{ $json.mark }}',
		},
		resultCodeId: byId(1),
	},
	isSafe: false,
};
const update: Write = {
	node: new NativePeople(),
	parameters: {
		resource: 'person',
		operation: 'update',
		nativeId: '={{ $json.person }}',
		firstName: '={{ $json.mark }}',
	},
	isSafe: true,
};

type Fault = FaultRequest['fault'];

const bad: Fault = { kind: 'response', status: 400, body: { errors: [{ text: 'bad' }] } };
const lost: Fault = { kind: 'resetAfter' };
/** Rejected for longer than a workflow waits, so that no test waits either. */
const busy: Fault = { kind: 'status', status: 503, retryAfter: 'seconds', retryAfterMs: 3_600_000 };
const denied: Fault = { kind: 'status', status: 401 };

/** Gives each write that arrives the next fault of the script; undefined means no fault. */
function play(script: Array<Fault | undefined>, pathPrefix = '/'): void {
	let faults = 0;
	script.forEach((fault, position) => {
		if (!fault) return;
		const skip = position - faults++;
		service.addFault(fault, `POST ${pathPrefix}`, { skip });
	});
}

const run = async (
	{ node, parameters }: Write,
	rows: Row[],
	options: { onError?: OnError; maxTries?: number; oneAtATime?: boolean } = {},
): Promise<NodeRun> => {
	const { onError = 'stopWorkflow', maxTries, oneAtATime } = options;
	const limits = oneAtATime ? { rateTier: 'concurrency', concurrentRequests: 1 } : {};
	return await service.run(
		node,
		{ ...parameters, limits },
		{
			items: itemsOf(rows),
			onError,
			...(maxTries && { retries: { maxTries, waitBetweenTries: 1 } }),
		},
	);
};

const requestsFor = (mark: string) =>
	service.sandbox.requests.filter(
		({ method, body }) => method === 'POST' && JSON.stringify(body).includes(mark),
	);

/** The items that a stopped run names. */
function itemsNamed({ error }: NodeRun, what: 'sent' | 'inDoubt'): number[] {
	const before = { sent: 'that were already sent', inDoubt: 'with an unknown outcome' }[what];
	const list = new RegExp(`Items of this run ${before}: ([\\d, –]+)`).exec(
		error?.description ?? '',
	);
	return (list?.[1] ?? '')
		.split(', ')
		.filter((range) => range !== '')
		.flatMap((range) => {
			const [from = 0, to = from] = range.split('–').map(Number);
			return Array.from({ length: to - from + 1 }, (_, index) => from - 1 + index);
		});
}

describe('a run that stops', () => {
	const rows = rowsFor([1, 2, 3, 4, 5, 6].map((person) => 100_000 + person));
	const fail = (item: number, fault: Fault) =>
		play([fault], `/people/${rows[item]?.person}/canvassResponses`);

	it.each([
		['lost', lost, [1, 3, 4]],
		['rejected', bad, [3, 4]],
	])('names what was sent and what is in doubt when item 2 is %s', async (_, fault, inDoubt) => {
		fail(1, fault);
		fail(3, lost);
		fail(4, lost);
		const stopped = await run(post, rows);
		expect(stopped.error?.description).not.toMatch(/nothing was (stored|sent)/i);
		expect(itemsNamed(stopped, 'sent')).toEqual([0, 2, 5]);
		expect(itemsNamed(stopped, 'inDoubt')).toEqual(inDoubt);
	});

	it('names import jobs that were started or may have been', async () => {
		play([undefined, lost, undefined, bad]);
		const job = {
			description: 'Sign-ups',
			file: {
				fileName: 'rows.csv',
				sourceUrl: 'https://files.example.org/a.zip',
				columns: [{ name: 'FirstName' }, { name: 'LastName' }, { name: 'Email' }],
			},
			actions: [
				{
					actionType: 'loadMappedFile',
					resourceType: 'Contacts',
					resultFileSizeKbLimit: 5000,
					mappingTypes: [{ name: 'CreateOrUpdateContact' }],
				},
			],
		};
		const create = {
			node: new NativeBulkImport(),
			parameters: {
				resource: 'job',
				operation: 'create',
				defineJob: 'json',
				jobJson: JSON.stringify(job),
			},
			isSafe: false,
		};
		const stopped = await run(create, rowsFor([1, 2, 3, 4]));
		const [first, second, third] = service.jobs().map(({ id }) => id);
		expect(service.jobs()).toHaveLength(3);
		expect(itemsNamed(stopped, 'inDoubt')).toHaveLength(1);
		expect(itemsNamed(stopped, 'sent')).toHaveLength(2);
		expect(stopped.error?.description).toMatch(
			new RegExp(`\\(import jobs (${first}|${second}), (${second}|${third})\\)`),
		);
	});

	it('names what all its tries have sent', async () => {
		play([undefined, undefined, bad, bad, undefined]);
		const stopped = await run(post, rows, { maxTries: 2, oneAtATime: true });
		expect(itemsNamed(stopped, 'sent')).toEqual([0, 1]);
		expect(service.sandbox.control.canvassResponses('demo')).toHaveLength(2);
	});

	it('names what was sent when the next try cannot even begin', async () => {
		play([undefined, bad], '/people');
		const fault: Fault = { kind: 'status', status: 403 };
		service.addFault(fault, 'GET /codes', { skip: 1 });
		const apply: Write = {
			node: new NativePeople(),
			parameters: {
				resource: 'person',
				operation: 'applyCode',
				nativeId: '={{ $json.person }}',
				codeId: { __rl: true, mode: 'name', value: 'Spring appeal' },
			},
			isSafe: true,
		};
		const stopped = await run(apply, rows.slice(0, 2), { maxTries: 2, oneAtATime: true });
		expect(stopped.error?.message).toMatch(/GET \/codes/);
		expect(itemsNamed(stopped, 'sent')).toEqual([0]);
	});
});

describe('an item that failed before later items of its record were sent', () => {
	const rows = rowsFor([100_001, 100_001, 100_002, 100_001]);
	const retry = { onError: 'continueErrorOutput', maxTries: 2 } as const;
	const marksSent = () =>
		service.sandbox.requests
			.filter(({ path, executed }) => executed && path.includes('100001'))
			.map(({ body }) => rows.findIndex(({ mark }) => JSON.stringify(body).includes(mark)));

	it('is sent again with them behind it, where that is safe', async () => {
		play([busy]);
		const { outputs } = await run(update, rows, { ...retry, oneAtATime: true });
		expect(outputs[0]).toHaveLength(4);
		expect(marksSent()).toEqual([1, 3, 0, 1, 3]);
		const avery = service.people().find(({ nativeId }) => nativeId === 100_001);
		expect(avery?.fields.firstName).toBe(rows[3]?.mark);
	});

	it('is rejected again without them being sent again', async () => {
		play([bad, undefined, undefined, undefined, bad]);
		const { outputs } = await run(update, rows, { ...retry, oneAtATime: true });
		expect(outputs.map((items) => items.length)).toEqual([3, 1]);
		expect(marksSent()).toEqual([1, 3]);
	});

	it('is not sent again where they could be stored twice', async () => {
		play([busy]);
		const { outputs } = await run(post, rows, { ...retry, oneAtATime: true });
		expect(marksSent()).toEqual([1, 3]);
		expect(outputs[1]?.map(({ json }) => json.error)).toMatchObject([
			{
				message: 'This item was not sent again, because a later item has changed the same record',
				description: expect.stringMatching(
					/An earlier attempt failed: .* is not available/,
				) as string,
				replayable: false,
				outcomeUnknown: false,
				httpCode: 503,
			},
		]);
	});
});

describe('a key that is not accepted in a later try', () => {
	test('leaves what an earlier try has sent, or may have sent, as it was', async () => {
		play([bad, lost, undefined, denied]);
		const retry = { onError: 'continueErrorOutput', maxTries: 2 } as const;
		const { outputs } = await run(post, rowsFor(PEOPLE), { ...retry, oneAtATime: true });
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 2 }]);
		expect(outputs[1]?.map(({ json }) => json.error)).toMatchObject([
			{ httpCode: 401, outcomeUnknown: false },
			{ httpCode: null, outcomeUnknown: true },
		]);
	});
});

describe('a key that is not accepted when an item in doubt is sent again', () => {
	test('leaves a later item of its record, which was sent, as it was', async () => {
		play([{ kind: 'htmlPage' }, undefined, denied]);
		const rows = rowsFor([100_001, 100_001]);
		const { outputs } = await run(update, rows, { onError: 'continueErrorOutput', maxTries: 2 });
		expect(outputs.map((items) => items.map(({ pairedItem }) => pairedItem))).toEqual([
			[{ item: 1 }],
			[{ item: 0 }],
		]);
		expect(outputs[1]?.[0]?.json.error).toMatchObject({ httpCode: 401, outcomeUnknown: true });
	});
});

test('a deletion that an earlier try has carried out has succeeded', async () => {
	const fault: Fault = { kind: 'response', status: 200, body: { error: 'bad' }, executed: true };
	service.addFault(fault, 'DELETE');
	const parameters = { resource: 'code', operation: 'delete', codeId: byId(504) };
	const { error, outputs } = await service.run(new NativeCode(), parameters, {
		retries: { maxTries: 2, waitBetweenTries: 1 },
	});
	expect(error).toBeUndefined();
	expect(outputs[0]).toMatchObject([{ json: { codeId: 504, deleted: true } }]);
});

/** What the service did with a request, and what the node can know of it. */
const isGood = (entry: { status: number | null; fault: string | null }): boolean =>
	entry.fault === null && entry.status !== null && entry.status < 400;
const isDoubtful = (entry: { status: number | null; fault: string | null }): boolean =>
	entry.fault !== null && (entry.status === null || entry.status < 400);

const unusable: Fault[] = [
	{ kind: 'halfBody' },
	{ kind: 'htmlPage' },
	{ kind: 'response', status: 200, body: { error: 'bad' } },
];
const scripts = {
	safe: [undefined, bad, busy, denied, ...unusable],
	unsafe: [undefined, bad, busy, denied, lost, { kind: 'resetBefore' } as const, ...unusable],
};

const cases = fc.record({ isSafe: fc.boolean() }).chain(({ isSafe }) =>
	fc.record({
		write: fc.constant(isSafe ? update : post),
		people: fc.array(fc.constantFrom(...PEOPLE), { minLength: 1, maxLength: 6 }),
		script: fc.array(fc.constantFrom<Fault | undefined>(...scripts[isSafe ? 'safe' : 'unsafe']), {
			maxLength: 14,
		}),
		onError: fc.constantFrom<OnError>(
			'stopWorkflow',
			'continueRegularOutput',
			'continueErrorOutput',
		),
		maxTries: fc.constantFrom(0, 2, 4),
		oneAtATime: fc.boolean(),
	}),
);

test('outputs and errors say exactly what the service received, over all tries', async () => {
	await fc.assert(
		fc.asyncProperty(cases, async ({ write, people, script, ...options }) => {
			service.sandbox.control.reset();
			play(script);
			const rows = rowsFor(people);
			const result = await run(write, rows, options);

			const requests = rows.map(({ mark }) => requestsFor(mark));
			const wasSent = requests.map((entries) => entries.some(isGood));
			const isInDoubt = requests.map((entries, item) => !wasSent[item] && entries.some(isDoubtful));
			const items = (of: boolean[]) => of.flatMap((isSo, item) => (isSo ? [item] : []));
			if (!write.isSafe) {
				for (const entries of requests) {
					const maySend = entries.filter((entry) => isGood(entry) || isDoubtful(entry));
					expect(maySend.length).toBeLessThanOrEqual(1);
				}
			}

			const lastOf = (item: number) =>
				Math.max(-1, ...(requests[item] ?? []).filter((e) => e.executed).map((e) => e.number));
			const succeeded = rows.map(() => false);
			if (result.error) {
				expect(options.onError).toBe('stopWorkflow');
				const named = { sent: itemsNamed(result, 'sent'), inDoubt: itemsNamed(result, 'inDoubt') };
				const others = [...items(wasSent), ...items(isInDoubt)];
				// An error that is about itself alone says what is known of it.
				if (others.length > 1 || named.sent.length > 0)
					expect(named).toEqual({ sent: items(wasSent), inDoubt: items(isInDoubt) });
				items(wasSent).forEach((item) => (succeeded[item] = true));
			} else {
				const outputs = result.outputs.flat();
				expect(outputs).toHaveLength(rows.length);
				/** Whether an earlier item of the same record was sent after it, and it not again. */
				const isOverwritten = (item: number) =>
					rows.some(
						({ person }, other) =>
							other < item && person === rows[item]?.person && lastOf(other) > lastOf(item),
					);
				for (const { json, pairedItem } of outputs) {
					const { item } = pairedItem as { item: number };
					const error = json.error as { outcomeUnknown: boolean } | undefined;
					const last = requests[item]?.at(-1);
					const isStored = last !== undefined && isGood(last) && !isOverwritten(item);
					expect(error === undefined).toBe(isStored);
					if (error) expect(error.outcomeUnknown).toBe(wasSent[item] || isInDoubt[item]);
					else succeeded[item] = true;
				}
			}

			rows.forEach(({ person }, later) => {
				if (!succeeded[later]) return;
				rows.slice(0, later).forEach((row, earlier) => {
					if (row.person === person) expect(lastOf(later)).toBeGreaterThan(lastOf(earlier));
				});
			});
		}),
		{ numRuns: repetitions(120) },
	);
});
