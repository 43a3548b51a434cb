import { truncateSync } from 'node:fs';
import { Readable } from 'node:stream';
import { cloneDeep } from 'lodash';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData, IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { visitAtRate } from '../../nodes/NativeBulkImport/importItems/start/rowPeople';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import type { StoredPerson } from '../../sandbox/store/tenantStore';
import { OTHER_KEY } from '../support/runningSandbox';
import { binaryPath, readBinary, storeBinary } from './support/engine';
import {
	asExpression,
	itemImport,
	itemsOf,
	people as newPeople,
	property,
	totalsOf,
} from './support/itemImports';
import { PausedJobs } from './support/pausedJobs';
import { useSandbox } from './support/sandboxed';

const jobs = new PausedJobs();
const service = useSandbox({ jobTiming: jobs.jobTiming });
afterEach(() => jobs.release());
const node = new NativeBulkImport();

const FIELDS = ['NativeId', 'FirstName', 'LastName', 'Email', 'EmployerName', 'Phone'];
const map = Object.fromEntries(
	FIELDS.map((field) => [`CreateOrUpdateContact:${field}`, property(field)]),
);
type Row = Record<string, string>;
const blank = Object.fromEntries(FIELDS.map((field) => [field, '']));
const itemsFor = (rows: readonly Row[]) => itemsOf(rows.map((row) => ({ ...blank, ...row })));

interface Changes extends IDataObject {
	options?: INodeParameters;
}
const importOf = async (
	rows: readonly Row[],
	{ options = {}, ...parameters }: Changes = {},
	run: Parameters<typeof service.run>[2] = {},
) =>
	await service.run(
		node,
		itemImport(service, map, {
			options: { pollInterval: 0.05, keepBefore: 60, ...options },
			...(parameters as INodeParameters),
		}),
		{ items: itemsFor(rows), ...run },
	);

const takeBack = async (
	items: INodeExecutionData[] | undefined,
	changes: INodeParameters = {},
	run: Parameters<typeof service.run>[2] = {},
) => {
	const parameters = {
		resource: 'job',
		operation: 'takeBack',
		whatShouldHappen: 'takeBack',
		...changes,
	};
	const result = await service.run(node, parameters, { items: items ?? [], ...run });
	return { ...result, rows: (result.outputs[0] ?? []).map(({ json }) => json) };
};

const AVERY = 100_001;
const BLAKE = 100_002;
const personOf = (id: number): StoredPerson => {
	const person = service.people().find(({ nativeId }) => nativeId === id);
	if (!person) throw new Error(`There is no person ${id}.`);
	return person;
};
/** What people hold, without what every write changes. */
const state = () =>
	service.people().map((person) => cloneDeep({ ...person, modifiedAt: undefined }));

const NINA: Row = { FirstName: 'Nina', LastName: 'New', Email: 'nina@example.org' };
const averyAt = (employer: string): Row => ({ NativeId: String(AVERY), EmployerName: employer });

/** An import of a new person and of one who has an employer. */
async function importTwo() {
	personOf(AVERY).fields.employer = 'Before Ltd';
	const before = state();
	const run = await importOf([averyAt('Wrong Inc'), NINA]);
	expect(run.error).toBeUndefined();
	return { items: run.outputs[0] ?? [], before, imported: state() };
}

const linesOf = async (items: readonly INodeExecutionData[]): Promise<string[]> =>
	(await readBinary(items[0], 'before')).toString().split('\n').slice(0, -1);

async function withLines(items: readonly INodeExecutionData[], lines: readonly string[]) {
	const file = { fileName: 'before.jsonl', mimeType: 'application/jsonl' };
	const before = await storeBinary(Buffer.from(`${lines.join('\n')}\n`), file);
	return [{ json: items[0]?.json ?? {}, binary: { before } }, ...items.slice(1)];
}

describe('Take Back', () => {
	it('removes whom the import created, and writes former values back', async () => {
		const { items, before, imported } = await importTwo();
		expect(imported).toHaveLength(before.length + 1);
		const shown = await takeBack(items, { whatShouldHappen: 'show' });
		expect(state()).toEqual(imported);
		const { rows } = await takeBack(items);
		expect(rows).toMatchObject([
			{
				row: 1,
				end: 'restored',
				personId: AVERY,
				fields: [
					{ field: 'Employer Name', before: 'Before Ltd', sent: 'Wrong Inc', now: 'Wrong Inc' },
				],
			},
			{ row: 2, end: 'removed', fields: [] },
		]);
		expect(shown.rows).toEqual(rows.map((row) => ({ ...row, dryRun: true })));
		expect(state()).toEqual(before);
	});

	it('says which rows an earlier run with the same Run Key has sent: their values are in its file', async () => {
		service.change({ styles: { jobDescriptions: true } });
		personOf(AVERY).fields.employer = 'Before Ltd';
		const options = { runKey: 'monday' };
		const first = await importOf([averyAt('Wrong Inc'), NINA], { options });
		const again = await importOf([averyAt('Wrong Inc'), NINA], { options });
		expect(service.starts()).toHaveLength(1);
		const imported = state();
		const reason = expect.stringMatching(
			/An earlier run started its job.*Take back its file instead/,
		);
		expect((await takeBack(again.outputs[0])).rows).toMatchObject([
			{ row: 1, end: 'notPossible', reason },
			{ row: 2, end: 'notPossible', reason },
		]);
		expect(state()).toEqual(imported);
		expect((await takeBack(first.outputs[0])).rows).toMatchObject([
			{ row: 1, end: 'restored' },
			{ row: 2, end: 'removed' },
		]);
	});

	const later: Array<[string, INodeParameters, INodeParameters, Row]> = [
		[
			'change one of its mapped values',
			{ skipUnchangedBy: 'Email' },
			{ skipUnchangedBy: 'Email' },
			{ EmployerName: 'Another Inc' },
		],
		['use another Run Key', { runKey: 'monday' }, { runKey: 'tuesday' }, {}],
		[
			'set If This List Was Imported Before to Say So',
			{ ifImportedBefore: 'continue' },
			{ ifImportedBefore: 'say' },
			{},
		],
	];
	it.each(later)(
		'says that later imports do not bring its rows again: %s',
		async (advice, options, followed, change) => {
			service.change({ styles: { jobDescriptions: true } });
			const { outputs } = await importOf([NINA], { options });
			const warningsOf = ({ hints }: Awaited<ReturnType<typeof takeBack>>) =>
				hints.flatMap(({ type, message }) => (type === 'warning' ? message : []));
			const shown = await takeBack(outputs[0], { whatShouldHappen: 'show' });
			const taken = await takeBack(outputs[0]);
			expect(taken.rows).toMatchObject([{ end: 'removed' }]);
			expect(warningsOf(taken)).toEqual([expect.stringContaining(advice)]);
			expect(warningsOf(shown)).toEqual(warningsOf(taken));
			await importOf([NINA], { options });
			expect(service.starts()).toHaveLength(1);
			await importOf([{ ...NINA, ...change }], { options: followed });
			expect(service.starts()).toHaveLength(2);
			expect(service.people().at(-1)?.fields.firstName).toBe('Nina');
		},
	);

	it('says nothing of later imports where the next one sends the rows again', async () => {
		const { items } = await importTwo();
		expect((await takeBack(items)).hints).toHaveLength(1);
	});

	it('touches nothing of a person whom somebody has changed since, and shows both values', async () => {
		const { items } = await importTwo();
		personOf(AVERY).fields.employer = 'Corrected LLC';
		const nina = service.people().at(-1);
		nina?.notes.push({ noteId: 1, text: 'Called', isViewRestricted: false });
		const changed = state();
		const { rows } = await takeBack(items);
		expect(rows).toMatchObject([
			{
				end: 'kept',
				reason: expect.stringContaining('Somebody changed Employer Name since the import'),
				fields: [{ before: 'Before Ltd', sent: 'Wrong Inc', now: 'Corrected LLC' }],
			},
			{ end: 'kept', reason: expect.stringContaining('notes: 1') },
		]);
		expect(state()).toEqual(changed);
	});

	it('says what a person must do where the interface cannot', async () => {
		personOf(AVERY).fields.employer = null;
		const { outputs } = await importOf([
			averyAt('Was Blank Inc'),
			{ NativeId: String(BLAKE), Email: 'added@example.org' },
		]);
		const was = personOf(BLAKE).emails[0]?.email;
		const { rows } = await takeBack(outputs[0], {
			options: { personLink: 'https://app.example.org/people/{ID}' },
		});
		expect(rows).toMatchObject([
			{
				end: 'notPossible',
				reason: expect.stringContaining('It was blank, and the interface cannot empty it'),
				link: `https://app.example.org/people/${AVERY}`,
			},
			{ end: 'notPossible', reason: expect.stringContaining('Delete it in the service') },
		]);
		// Which one comes first is restored.
		expect(personOf(BLAKE).emails.find(({ isPreferred }) => isPreferred)?.email).toBe(was);
	});

	it('keeps a new person of whom somebody has removed what was sent', async () => {
		const { items } = await importTwo();
		const nina = service.people().at(-1);
		if (nina) nina.fields.lastName = null;
		const changed = state();
		expect((await takeBack(items)).rows[1]).toMatchObject({
			end: 'kept',
			reason: expect.stringContaining('(Last Name: blank)'),
			fields: [{ field: 'Last Name', before: null, sent: 'New', now: null }],
		});
		if (nina) nina.fields.lastName = 'Newer';
		expect((await takeBack(items)).rows[1]).toMatchObject({
			end: 'kept',
			reason: expect.stringContaining('(lastName: Newer)'),
			fields: [{ field: 'Last Name', before: null, sent: 'New', now: 'Newer' }],
		});
		expect(changed).toHaveLength(service.people().length);
	});

	it.each([
		['was merged into another one', AVERY, NINA],
		['was merged into a new one', 100_007, averyAt('Wrong Inc')],
	])(
		'touches nobody in whose place the service returns another: a person who %s',
		async (_, into, row) => {
			personOf(AVERY).fields.employer = 'Before Ltd';
			const { outputs } = await importOf([row, { ...NINA, Email: 'other@example.org' }]);
			const id = row === NINA ? 100_007 : AVERY;
			const imported = state();
			const merged = { [`"nativeId":${id}`]: `"nativeId":${into}` };
			service.addFault({ kind: 'replaced', texts: merged }, `GET /people/${id}`);
			const { rows } = await takeBack(outputs[0], { whatShouldHappen: 'takeBack' });
			expect(rows[0]).toMatchObject({
				end: 'kept',
				personId: id,
				reason: `Somebody has merged this person into ${into} since the import.`,
			});
			expect(state().find(({ nativeId }) => nativeId === id)).toEqual(
				imported.find(({ nativeId }) => nativeId === id),
			);
		},
	);

	it('takes back several imports from the last to the first', async () => {
		personOf(AVERY).fields.employer = 'Before Ltd';
		const before = state();
		const first = await importOf([averyAt('First Inc'), NINA]);
		const second = await importOf([averyAt('Second Inc'), { ...NINA, EmployerName: 'Second Inc' }]);
		const both = state();
		expect((await takeBack(first.outputs[0])).rows).toMatchObject([
			{ end: 'kept' },
			{ end: 'kept' },
		]);
		expect(state()).toEqual(both);
		// What was blank stays: the interface cannot empty it.
		expect((await takeBack(second.outputs[0])).rows).toMatchObject([
			{ end: 'restored' },
			{ end: 'notPossible' },
		]);
		expect((await takeBack(first.outputs[0])).rows).toMatchObject([
			{ end: 'restored' },
			{ end: 'kept' },
		]);
		expect(personOf(AVERY).fields.employer).toBe('Before Ltd');
		expect(state()).toHaveLength(before.length + 1);
	});

	it('does not remove a person in whom a row was stored that found somebody else', async () => {
		const blake = { NativeId: String(BLAKE), LastName: 'Sample' };
		const { outputs } = await importOf([averyAt('Wrong Inc'), NINA, blake]);
		const items = outputs[0] ?? [];
		const imported = state();
		const nina = items[1]?.json.primaryKey ?? null;
		// The row of Avery, who was found for it, says that it was stored in the new person.
		const given = items.map(({ json }, position) => {
			const importResult = json.importResult as IDataObject;
			return {
				json: {
					importResult: position === 0 ? { ...importResult, primaryKey: nina } : importResult,
				},
			};
		});
		const [file] = await withLines(items, (await linesOf(items)).slice(0, 5));
		const storedFile = file?.binary?.before?.id ?? '';
		const { rows, error } = await takeBack(given, { options: { storedFile } });
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([
			{ end: 'notPossible', personId: nina },
			{ end: 'notPossible', personId: nina },
			{ end: 'restored' },
		]);
		expect(state()).toEqual(imported);
	});

	it('goes on with the others if the service does not remove one of them', async () => {
		const { outputs } = await importOf([NINA, { ...NINA, Email: 'other@example.org' }]);
		service.addFault({ kind: 'status', status: 400 }, 'DELETE /people');
		const { rows } = await takeBack(outputs[0], {
			limits: { rateTier: 'concurrency', concurrentRequests: 1 },
		});
		expect(rows).toMatchObject([
			{
				end: 'notPossible',
				reason: expect.stringMatching(/^The service did not remove this person/),
			},
			{ end: 'removed' },
		]);
	});

	it('does not remove a person who was there, although nobody was found', async () => {
		const { items } = await importTwo();
		const nina = service.people().at(-1);
		for (const email of nina?.emails ?? []) email.dateCreated = '2020-01-01T00:00:00Z';
		const { rows } = await takeBack(items);
		expect(rows[1]).toMatchObject({
			end: 'notPossible',
			reason: expect.stringMatching(/^This person was in the service before the import/),
		});
		expect(service.people().at(-1)?.nativeId).toBe(nina?.nativeId);
	});

	it('leaves people to somebody else if the key may not remove them', async () => {
		const { items, imported } = await importTwo();
		service.change({ rejected: ['DELETE /people'] });
		const { rows, error } = await takeBack(items);
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([
			{ end: 'restored' },
			{ end: 'notPossible', reason: expect.stringMatching(/does not let this key remove people/) },
		]);
		expect(state()).toHaveLength(imported.length);
		const [avery] = state();
		expect(avery?.fields.employer).toBe('Before Ltd');
	});

	it('updates people by PATCH where the deployment has no POST', async () => {
		const { items, before } = await importTwo();
		service.change({ styles: { peopleUpdatedByPost: false } });
		expect((await takeBack(items)).rows).toMatchObject([{ end: 'restored' }, { end: 'removed' }]);
		expect(state()).toEqual(before);
	});

	it('goes on after an error, and does nothing twice', async () => {
		const { items, before } = await importTwo();
		service.addFault({ kind: 'status', status: 401 }, 'DELETE /people');
		const stopped = await takeBack(items, {
			limits: { rateTier: 'concurrency', concurrentRequests: 1 },
		});
		service.sandbox.control.clearFaults();
		expect(stopped.error?.description).toContain('Run this again');
		const { rows } = await takeBack(items);
		expect(rows).toMatchObject([{ end: 'restored' }, { end: 'removed' }]);
		expect(state()).toEqual(before);
	});
});

describe('the file of Take Back', () => {
	it('may have its lines in another order', async () => {
		const { items, before } = await importTwo();
		const sorted = (await linesOf(items)).sort();
		expect((await takeBack(await withLines(items, sorted))).rows).toHaveLength(2);
		expect(state()).toEqual(before);
	});

	it.each<[string, (lines: string[]) => string[], RegExp]>([
		[
			'has another value',
			(lines) => lines.map((line) => line.replace('Before Ltd', 'Evil Ltd')),
			/was changed since the import/,
		],
		[
			'lacks a row',
			(lines) => lines.filter((_, index) => index !== 1),
			/was changed since the import/,
		],
		[
			'has quotation marks of a spreadsheet program',
			(lines) => lines.map((line) => `"${line.replaceAll('"', '""')}"`),
			/has a line that is not JSON.*spreadsheet program/,
		],
		['has the lines of two imports', (lines) => [...lines, ...lines], /has the lines of two files/],
		['is another file', () => ['{"a":1}'], /is not a "before" file/],
		['is not complete', (lines) => lines.slice(0, 2), /is incomplete/],
	])('is refused if it %s', async (_, change, problem) => {
		const { items, imported } = await importTwo();
		const changed = await withLines(items, change(await linesOf(items)));
		const calls = service.calls().length;
		expect((await takeBack(changed)).error?.message).toMatch(problem);
		expect(service.calls()).toHaveLength(calls);
		expect(state()).toEqual(imported);
	});

	it('is refused for another database or key', async () => {
		const { items, imported } = await importTwo();
		const credential = { apiKey: OTHER_KEY };
		const calls = service.calls().length;
		const { error } = await takeBack(items, {}, { credential });
		expect(error?.message).toMatch(/^Credential has another key than the import/);
		const elsewhere = await takeBack(items, {}, { credential: { apiVersion: 'v9' } });
		expect(elsewhere.error?.message).toMatch(/^Credential is for another database \(/);
		expect(service.calls()).toHaveLength(calls);
		expect(state()).toEqual(imported);
	});

	it('is needed', async () => {
		const { error } = await takeBack(itemsOf([{ a: 1 }]));
		expect(error?.message).toMatch(/No input item has a file in "before"/);
	});
});

describe('Keep What Was There', () => {
	const slow = { rateLow: 0.05, rateMedium: 100 };

	it('refuses a list that would take longer, before it asks for anybody', async () => {
		const rows = newPeople(10).map((row) => ({ Email: String(row.Mail), LastName: 'Many' }));
		const run = { credential: { rateTier: 'manual', ...slow } };
		const { error } = await importOf(rows, { options: { keepBefore: 2 } }, run);
		expect(error?.message).toMatch(
			/^Keep What Was There \(Minutes\) is 2, and reading the people of 10 rows takes about 4 minutes at the key's rate limit\. Enter more minutes/,
		);
		expect(service.calls().filter(({ path }) => path.includes('/people'))).toEqual([]);
		expect(service.starts()).toEqual([]);
	});

	it('sends nothing if the service takes longer than the user allows', async () => {
		const rows = newPeople(30).map((row) => ({ Email: String(row.Mail), LastName: 'Many' }));
		service.addFault({ kind: 'latency', ms: 1500 }, 'POST /people/find', { count: 30 });
		const { error } = await importOf(rows, { options: { keepBefore: 0.01 } });
		expect(error?.message).toMatch(
			/the service was slower than the key's rate limit.*Nothing was sent/,
		);
		expect(service.starts()).toEqual([]);
	});

	it('notes that nobody has a record ID, and goes on', async () => {
		const { outputs } = await importOf([{ ...NINA, NativeId: '999999' }, averyAt('New Inc')]);
		const [, nobody = '', avery = ''] = await linesOf(outputs[0] ?? []);
		const reason = 'No person has the record ID 999999.';
		expect(JSON.parse(nobody)).toMatchObject({ row: 1, person: null, reason });
		expect(JSON.parse(avery)).toMatchObject({ row: 2, person: AVERY });
	});

	it('keeps whom the service returns for a person who was merged', async () => {
		personOf(BLAKE).fields.employer = 'Before Ltd';
		const merged = { '"nativeId":100001': '"nativeId":100002' };
		service.addFault({ kind: 'replaced', texts: merged }, 'GET /people/100001');
		const { outputs } = await importOf([averyAt('Wrong Inc')]);
		const [, row = ''] = await linesOf(outputs[0] ?? []);
		expect(JSON.parse(row)).toMatchObject({ row: 1, person: BLAKE });
	});

	it.each([
		'=1+1',
		'"a";b,c',
		'a\tb',
		'two\nlines',
		'a\u2028b',
		'{"row":1}',
		'__proto__',
		'\ud83d\ude00',
		'@SUM(A1)',
	])('restores a value in place of %j', async (value) => {
		personOf(AVERY).fields.employer = `${value} Before`;
		const before = state();
		const { outputs } = await importOf([averyAt(`${value} Wrong`)]);
		const { rows } = await takeBack(outputs[0]);
		expect(rows).toMatchObject([{ end: 'restored', fields: [{ before: `${value} Before` }] }]);
		expect(state()).toEqual(before);
	});

	it.each<[string, (stored: IBinaryData) => IBinaryData, RegExp]>([
		[
			'has no room for the file',
			() => {
				throw new Error('ENOSPC: no space left on device, write');
			},
			/ENOSPC/,
		],
		[
			'keeps files in its memory',
			({ id: _, ...stored }) => stored,
			/needs an n8n that keeps files outside its memory.*Nothing was sent/,
		],
		[
			'returns less than it was given',
			(stored) => {
				truncateSync(binaryPath(stored), 10);
				return stored;
			},
			/n8n returned another file than it was given\. Nothing was sent/,
		],
	])('sends nothing if n8n %s', async (_, change, problem) => {
		const { store } = BinaryDataService.prototype;
		jest.spyOn(BinaryDataService.prototype, 'store').mockImplementation(async function (
			this: BinaryDataService,
			...given
		) {
			return change(await store.apply(this, given));
		});
		const { error } = await importOf([averyAt('New Inc'), NINA]);
		expect(error?.message).toMatch(problem);
		expect(service.writes().filter(({ path }) => !path.endsWith('/people/find'))).toEqual([]);
	});

	/** A service whose time is `now`, and what n8n logs. */
	const planAt = (now: () => number, lines: string[] = []) =>
		({
			service: { clock: { now } },
			functions: { logger: { info: (line: string) => void lines.push(line) } },
		}) as never;

	it('says in the log how much time is left', async () => {
		let now = 0;
		const lines: string[] = [];
		const rows = Readable.from(Array.from({ length: 40 }, (_, row) => row));
		await visitAtRate(
			planAt(() => now, lines),
			'Reading',
			rows,
			40,
			async () => {
				await new Promise(setImmediate);
				now += 1000;
			},
		);
		expect(lines).toEqual([
			'Reading: 15 of 40 rows, about 25 seconds left',
			'Reading: 30 of 40 rows, about 10 seconds left',
		]);
	});

	it('reads until the minutes of the user are over, and nobody after that', async () => {
		const readAfter = async (ms: number) => {
			let now = 0;
			const read: string[] = [];
			async function* rows() {
				yield await Promise.resolve('first');
				now = ms;
				yield 'second';
			}
			const limit = { minutes: 2, tooSlow: (done: number) => new Error(`${done} done`) };
			const visit = async (row: string) => await Promise.resolve(void read.push(row));
			const reading = visitAtRate(
				planAt(() => now),
				'Reading',
				rows(),
				1,
				visit,
				limit,
			);
			return { read, problem: await reading.catch(String) };
		};
		const inTime = { read: ['first', 'second'], problem: undefined };
		expect(await readAfter(120_000)).toEqual(inTime);
		expect(await readAfter(120_001)).toEqual({ read: ['first'], problem: 'Error: 1 done' });
	});

	it('sends nothing if a person cannot be read', async () => {
		service.addFault({ kind: 'status', status: 403 }, 'GET /people');
		const { error } = await importOf([averyAt('New Inc'), NINA]);
		expect(error).toBeDefined();
		expect(service.starts()).toEqual([]);
		service.sandbox.control.clearFaults();
		expect((await importOf([averyAt('New Inc')])).error).toBeUndefined();
	});

	it('names the stored file where an execution that failed is found', async () => {
		service.addFault({ kind: 'status', status: 403 }, 'POST /bulkImportJobs');
		const { customData, error } = await importOf([averyAt('New Inc')]);
		expect(error).toBeDefined();
		expect(customData.importBefore).toMatch(/before|filesystem|binary/i);
	});

	it('keeps the file over a wait in the database', async () => {
		personOf(AVERY).fields.employer = 'Before Ltd';
		const before = state();
		jobs.hold();
		const { outputs, error } = await importOf(
			[averyAt('Wrong Inc'), NINA],
			{ options: { waitForOutcome: 'database' } },
			{
				whileSleeping: async () => {
					jobs.release();
					await service.settle();
				},
			},
		);
		expect(error).toBeUndefined();
		expect((await takeBack(outputs[0])).rows).toMatchObject([
			{ end: 'restored' },
			{ end: 'removed' },
		]);
		expect(state()).toEqual(before);
	});

	it('completes the file where the outcome is read later, also for a file whose rows do not come out', async () => {
		personOf(AVERY).fields.employer = 'Before Ltd';
		const before = state();
		const rows = [averyAt('Wrong Inc'), NINA];
		const started = await importOf(rows, { options: { waitForOutcome: 'none' } });
		const [first] = started.outputs[0] ?? [];
		expect((await readBinary(first, 'before')).toString()).not.toContain('"status"');
		await service.settle();
		const parameters = {
			resource: 'job',
			operation: 'getItemOutcomes',
			startedJobs: asExpression([first?.json]),
		};
		const { outputs, error } = await service.run(node, parameters, { items: itemsFor(rows) });
		expect(error).toBeUndefined();
		expect((await takeBack(outputs[0])).rows).toHaveLength(2);
		expect(state()).toEqual(before);
	});

	it('is enough, with the outcomes as items, after n8n was killed', async () => {
		const { items, before } = await importTwo();
		const kept = (await linesOf(items)).slice(0, 4);
		const [file] = await withLines(items, kept);
		const storedFile = file?.binary?.before?.id ?? '';
		const outcomes = items.map(({ json }) => ({ json }));
		const none = await takeBack(itemsOf([{}]), { options: { storedFile } });
		expect(none.error?.message).toMatch(/^Input Items have no outcomes/);
		const other = await takeBack([...outcomes].reverse(), { options: { storedFile } });
		expect(other.error?.message).toMatch(/are in another order/);
		const { rows } = await takeBack(outcomes, { options: { storedFile } });
		expect(rows).toMatchObject([{ end: 'restored' }, { end: 'removed' }]);
		expect(state()).toEqual(before);
	});

	it('returns each row of the import, also those that were not sent', async () => {
		const before = state();
		const wrong: Row = { FirstName: 'Wanda', LastName: 'Wrong', Email: 'nobody' };
		const rows = [wrong, NINA, { ...NINA, FirstName: 'NINA' }, averyAt('Wrong Inc'), { ...wrong }];
		const run = await importOf(
			rows,
			{ options: { duplicates: 'first' } },
			{ onError: 'continueRegularOutput' },
		);
		const items = run.outputs[0] ?? [];
		const ends = [
			{ row: 1, end: 'restored', personId: null, reason: expect.stringContaining('invalid') },
			{ row: 2, end: 'removed' },
			{ row: 3, end: 'restored', personId: null, reason: expect.stringContaining('duplicate') },
			{ row: 4, personId: AVERY },
			{
				row: 5,
				end: 'restored',
				reason: 'Nothing of this row was imported. It was not sent (invalid).',
			},
		];
		expect((await takeBack(items, { whatShouldHappen: 'show' })).rows).toMatchObject(ends);
		// Without the outcomes in the file.
		const kept = (await linesOf(items)).filter((line) => !/"status"|"outcomes",/.test(line));
		const [file] = await withLines(items, kept);
		const storedFile = file?.binary?.before?.id ?? '';
		const outcomes = items.map(({ json }) => ({ json }));
		expect((await takeBack(outcomes, { options: { storedFile } })).rows).toMatchObject(ends);
		expect(state()).not.toEqual(before);
	});

	it('is read from an earlier node where an approval stands between', async () => {
		const { items, before } = await importTwo();
		const storedFile = items[0]?.binary?.before?.id ?? '';
		const shown = await takeBack(items, { whatShouldHappen: 'show' });
		const approved = itemsOf([{ data: { approved: true } }]);
		const { rows, error } = await takeBack(approved, { options: { storedFile } });
		expect(error).toBeUndefined();
		expect(shown.rows).toEqual(rows.map((row) => ({ ...row, dryRun: true })));
		expect(state()).toEqual(before);
	});

	it('offers in a dry run to mark the people of a large list', async () => {
		const rows = newPeople(500).map((row) => ({ Email: String(row.Mail), LastName: 'Many' }));
		const offerOf = async (changes: Changes) => {
			const shown = await importOf(rows, { ...changes, options: { dryRun: true } });
			return String(totalsOf(shown).warnings);
		};
		expect(await offerOf({})).toMatch(/add ActivistCode or OriginSourceCode/);
	});
});
