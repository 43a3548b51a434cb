import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneDeep, isEqual, isNil, omitBy, partition } from 'lodash';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import type { StoredPerson } from '../../sandbox/store/tenantStore';
import { isThorough, repetitions, seed as firstSeed } from '../support/randomCases';
import { seededRandom } from '../support/seededRandom';
import { readBinary } from './support/engine';
import { itemImport, itemsOf, property } from './support/itemImports';
import { NodeProcesses } from './support/killedNode';
import { DEMO_KEY, useSandbox } from './support/sandboxed';

/**
 * Random imports, after which others change people, are taken back; then everything the service holds is
 * compared with what it held before. Each row has exactly one end, what somebody changed is left alone, and
 * nobody is removed who was there before. `--seed <n>` repeats a run.
 */

const service = useSandbox();
const node = new NativeBulkImport();

const FIELDS = [
	'NativeId',
	'FirstName',
	'LastName',
	'Email',
	'Phone',
	'CellPhone',
	'EmployerName',
	'OccupationName',
	'DOB',
	'AddressLine1',
	'City',
	'StateOrProvince',
	'ZipOrPostal',
] as const;
type Row = Partial<Record<(typeof FIELDS)[number] | 'Extra' | 'ExtraType', string>>;
type Random = ReturnType<typeof seededRandom>;

const contactMap = Object.fromEntries(
	FIELDS.map((field) => [`CreateOrUpdateContact:${field}`, property(field)]),
);

/** People of the seed, all with an email, a phone, an address and no employer. */
const SEEDED = [100_001, 100_002, 100_003, 100_004, 100_005, 100_006];

const ofService = async (method: string, path: string, body: object): Promise<void> => {
	const response = await fetch(`${service.sandbox.url}/v2${path}`, {
		method,
		redirect: 'manual',
		headers: { apiKey: DEMO_KEY, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (response.status >= 400) throw new Error(`${method} ${path}: ${await response.text()}`);
};

/** All people, without when they were written. */
function snapshot(): Map<number, IDataObject> {
	return new Map(
		service
			.people()
			.map((person) => [
				person.nativeId,
				cloneDeep({ ...person, modifiedAt: null }) as unknown as IDataObject,
			]),
	);
}

const contributionCount = (): number =>
	service.writes().filter(({ path }) => path.endsWith('/contributions')).length;

const personOf = (id: number): StoredPerson | undefined =>
	service.people().find(({ nativeId }) => nativeId === id);

function rowsOf(random: Random): Row[] {
	const pick = <T>(values: readonly T[]): T => values[random.below(values.length)] as T;
	const isChosen = (percent: number): boolean => random.below(100) < percent;
	const rows: Row[] = [];
	const count = 3 + random.below(8);
	for (let index = 0; index < count; index++) {
		const name = `N${index}x${random.below(10_000)}`;
		const id = pick(SEEDED);
		const known = personOf(id);
		const details: Row = {
			...(isChosen(50) && { EmployerName: `Sent ${name}` }),
			...(isChosen(40) && { OccupationName: pick(['Baker', 'Sailor', `Job ${name}`]) }),
			...(isChosen(15) && { DOB: '1981-02-03' }),
			...(isChosen(20) && { CellPhone: `90755502${String(random.below(100)).padStart(2, '0')}` }),
			...(isChosen(15) && { City: 'Elsewhere' }),
		};
		const newPerson: Row = {
			FirstName: name,
			LastName: 'Newly',
			Email: `${name.toLowerCase()}@example.org`,
			...details,
			...(isChosen(40) && {
				AddressLine1: '9 Oak St',
				City: 'Nome',
				StateOrProvince: 'AK',
				ZipOrPostal: '99762',
			}),
		};
		const kind = random.below(11);
		if (kind <= 2) rows.push(newPerson);
		else if (kind === 3) rows.push({ FirstName: name, LastName: 'Nameonly', ...details });
		else if (kind <= 6)
			rows.push({
				NativeId: String(id),
				...details,
				...(isChosen(25) && { FirstName: `First ${name}` }),
				...(isChosen(20) && { Email: `${name.toLowerCase()}@example.org` }),
			});
		else if (kind <= 8) rows.push({ Email: known?.emails[0]?.email ?? '', ...details });
		else if (kind === 9) rows.push({ ...newPerson, Email: 'no..body@example.org' });
		// The same new person in two rows.
		else rows.push(newPerson, { ...newPerson, EmployerName: `Again ${name}` });
	}
	if (isChosen(40))
		for (const row of rows) {
			row.Extra = isChosen(60) ? `90755503${String(random.below(100)).padStart(2, '0')}` : '';
			row.ExtraType = 'W';
		}
	return rows;
}

/** What people hold before: some of them more than the seed. */
async function prepare(random: Random): Promise<void> {
	for (const id of SEEDED) {
		const body: IDataObject = {};
		if (random.below(2)) body.employer = `Employer ${id}`;
		if (random.below(2)) body.occupation = 'Teacher';
		if (random.below(3) === 0) body.emails = [{ email: `second${id}@example.org`, type: 'W' }];
		if (Object.keys(body).length > 0) await ofService('POST', `/people/${id}`, body);
	}
}

/** Somebody changes a person after the import. Says whether the change is still there. */
async function changeSomebody(random: Random, id: number): Promise<() => boolean> {
	const name = `human${random.below(100_000)}`;
	const path = `/people/${id}`;
	switch (random.below(11)) {
		case 0:
			await ofService('POST', path, { employer: name });
			return () => personOf(id)?.fields.employer === name;
		case 1:
			await ofService('POST', path, { nickname: name });
			return () => personOf(id)?.fields.nickname === name;
		case 2: {
			const email = `${name}@example.org`;
			await ofService('POST', path, { emails: [{ email, isPreferred: true }] });
			return () => personOf(id)?.emails.find((each) => each.email === email)?.isPreferred === true;
		}
		case 3:
			await ofService('POST', `${path}/notes`, { text: name });
			return () => personOf(id)?.notes.some(({ text }) => text === name) === true;
		case 4:
			await ofService('POST', `${path}/canvassResponses`, {
				responses: [{ type: 'ActivistCode', activistCodeId: 7002, action: 'Apply' }],
			});
			return () =>
				personOf(id)?.activistCodes.some((code) => code.activistCodeId === 7002) === true;
		case 5: {
			const [first] = personOf(id)?.emails ?? [];
			if (!first) return () => true;
			const emails = [{ email: first.email, type: first.type, subscriptionStatus: 'S' }];
			await ofService('POST', path, { emails });
			return () =>
				personOf(id)?.emails.find(({ email }) => email === first.email)?.subscriptionStatus === 'S';
		}
		case 6: {
			// In the service's own screens, people can empty a field and remove an email or a phone.
			const person = personOf(id);
			const text = TEXTS.find((each) => (person?.fields[each] ?? null) !== null);
			if (!person || text === undefined) return () => true;
			person.fields[text] = null;
			return () => (personOf(id)?.fields[text] ?? null) === null;
		}
		case 7: {
			const person = personOf(id);
			const phone = person?.phones.pop();
			return () => !personOf(id)?.phones.some(({ phoneId }) => phoneId === phone?.phoneId);
		}
		case 8:
			await ofService('DELETE', path, {});
			return () => personOf(id) === undefined;
		case 9: {
			// Merged into another person, who then has both.
			const other = [...snapshot().keys()].find((each) => each !== id) ?? 0;
			const { emails = [], phones = [] } = personOf(id) ?? {};
			const given = { emails: emails.map(({ email }) => ({ email })) };
			const numbers = { phones: phones.map(({ phoneNumber }) => ({ phoneNumber })) };
			await ofService('POST', `/people/${other}`, { ...given, ...numbers, suffix: 'Jr' });
			await ofService('DELETE', path, {});
			return () => personOf(id) === undefined && personOf(other)?.fields.suffix === 'Jr';
		}
		default:
			await ofService('POST', '/contributions', {
				nativeId: id,
				amount: 5,
				dateReceived: '2026-11-01',
			});
			return () => personOf(id) !== undefined;
	}
}

interface TakenBackRow extends IDataObject {
	row: number;
	end: string;
	personId: number | null;
}

const takeBackParameters = (changes: INodeParameters = {}): INodeParameters => ({
	resource: 'job',
	operation: 'takeBack',
	whatShouldHappen: 'takeBack',
	...changes,
});

async function takeBack(
	items: INodeExecutionData[],
	changes: INodeParameters = {},
	signal?: AbortSignal,
): Promise<{ rows: TakenBackRow[]; error?: Error }> {
	const run = await service.run(node, takeBackParameters(changes), {
		items,
		...(signal && { signal }),
	});
	const rows = (run.outputs[0] ?? []).map(({ json }) => json as TakenBackRow);
	return { rows, ...(run.error && { error: run.error }) };
}

interface Story {
	rows: Row[];
	items: INodeExecutionData[];
	before: Map<number, IDataObject>;
	imported: Map<number, IDataObject>;
	edited: Map<number, IDataObject>;
	/** For people whom somebody changed, whether the change is still there. */
	changes: Map<number, Array<() => boolean>>;
	/** Those of them who are as the import left them, because each change was undone by another. */
	undone: Set<number>;
	/** Numbers of rows that were not sent. */
	unsent: number[];
}

async function importAndChange(seed: number, options: INodeParameters = {}): Promise<Story> {
	const random = seededRandom(seed);
	await prepare(random);
	const rows = rowsOf(random);
	const hasPhones = rows.some(({ Extra }) => Extra !== undefined);
	const isMarked = random.below(3) === 0;
	const before = snapshot();
	const parameters = itemImport(
		service,
		{
			...contactMap,
			...(hasPhones && {
				'Phones:Phone': property('Extra'),
				'Phones:PhoneTypeID': property('ExtraType'),
			}),
			...(isMarked && { 'ActivistCode:ActivistCodeID': '7001' }),
		},
		{
			mappingTypes: [
				'CreateOrUpdateContact',
				...(hasPhones ? ['Phones'] : []),
				...(isMarked ? ['ActivistCode'] : []),
			],
			options: { pollInterval: 0.05, keepBefore: 60, ...options },
		},
	);
	const blank = Object.fromEntries([...FIELDS, 'Extra', 'ExtraType'].map((field) => [field, '']));
	const { outputs, error } = await service.run(node, parameters, {
		items: itemsOf(rows.map((row) => ({ ...blank, ...row }))),
		onError: 'continueRegularOutput',
	});
	if (error) throw error;
	const items = outputs[0] ?? [];
	const imported = snapshot();
	const changes = new Map<number, Array<() => boolean>>();
	const givers = new Set<number>();
	for (let edit = random.below(5); edit > 0; edit--) {
		const was = snapshot();
		const ids = [...was.keys()];
		const id = ids[random.below(ids.length)] ?? 0;
		const contributions = contributionCount();
		const isHeld = await changeSomebody(random, id);
		const is = snapshot();
		const isGiven = contributionCount() > contributions;
		if (isGiven) givers.add(id);
		for (const each of was.keys())
			if (!isEqual(was.get(each), is.get(each)) || (isGiven && each === id))
				changes.set(each, [...(changes.get(each) ?? []), isHeld]);
	}
	const edited = snapshot();
	const isUndone = (id: number) =>
		!givers.has(id) && isEqual(withoutBlanks(edited.get(id)), withoutBlanks(imported.get(id)));
	const undone = new Set([...changes.keys()].filter(isUndone));
	// A later change can replace an earlier one.
	for (const [id, held] of changes)
		changes.set(
			id,
			held.filter((isHeld) => isHeld()),
		);
	const unsent = items.flatMap(({ json: { status } }, row) =>
		['invalid', 'duplicate'].includes(String(status)) ? row + 1 : [],
	);
	return { rows, items, before, imported, edited, changes, undone, unsent };
}

const ENDS = ['removed', 'restored', 'kept', 'notPossible'];
const TEXTS = ['firstName', 'lastName', 'employer', 'occupation', 'dateOfBirth'];

const fieldsOf = (person: IDataObject | undefined): IDataObject =>
	(person?.fields ?? {}) as IDataObject;

/** To the service, a field that was emptied is one that was never filled. */
const withoutBlanks = (person: IDataObject | undefined) =>
	person && { ...person, fields: omitBy(fieldsOf(person), isNil) };

/** Whether the import has changed nothing of a person but texts that were not blank. */
function isRestorable(was: IDataObject, is: IDataObject): boolean {
	const [wasTexts, isTexts] = [fieldsOf(was), fieldsOf(is)];
	const changed = TEXTS.filter((name) => !isEqual(wasTexts[name], isTexts[name]));
	const blank = changed.filter((name) => (wasTexts[name] ?? null) === null);
	const rest = { fields: null, modifiedAt: null, activistCodes: null };
	return blank.length === 0 && isEqual({ ...was, ...rest }, { ...is, ...rest });
}

function check(story: Story, rows: TakenBackRow[]): void {
	const { before, edited, imported, changes, undone, unsent } = story;
	expect(rows.map(({ row }) => row)).toEqual(story.rows.map((_, row) => row + 1));
	for (const row of unsent)
		expect(rows[row - 1]).toMatchObject({ end: 'restored', personId: null, fields: [] });
	for (const { end } of rows) expect(ENDS).toContain(end);
	const after = snapshot();
	// Nobody who was there before is gone, unless somebody else removed them.
	for (const id of before.keys()) expect(after.has(id)).toBe(edited.has(id));
	// No change of a human is lost.
	for (const [id, held] of changes)
		for (const isHeld of held) expect({ id, isHeld: isHeld() }).toEqual({ id, isHeld: true });
	for (const [id, was] of edited) {
		const own = rows.filter(({ personId }) => personId === id);
		const ends = new Set(own.map(({ end }) => end));
		const is = after.get(id);
		// What is not taken back is not touched.
		if (own.length === 0 || ends.has('kept')) expect({ id, is }).toEqual({ id, is: was });
		if (ends.has('removed')) {
			expect(ends.size).toBe(1);
			expect(is).toBeUndefined();
			expect(changes.has(id) && !undone.has(id)).toBe(false);
		} else expect(is).toBeDefined();
		const first = before.get(id);
		const sentTo = imported.get(id) ?? {};
		if (changes.has(id)) continue;
		// Without a change, nothing is kept, whoever was created with a contact method is removed, and what can be restored is.
		expect({ id, own: own.filter(({ end }) => end === 'kept') }).toEqual({ id, own: [] });
		if (first === undefined && own.length > 0) {
			const { emails, phones } = was as unknown as StoredPerson;
			const isProven = emails.length + phones.length > 0;
			expect([...ends]).toEqual([isProven ? 'removed' : 'notPossible']);
		}
		if (first && own.length > 0 && isRestorable(first, sentTo)) {
			expect([...ends]).toEqual(['restored']);
			expect({ ...is, activistCodes: null }).toEqual({ ...first, activistCodes: null });
		}
		if (first && [...ends].join() === 'restored') expect(fieldsOf(is)).toEqual(fieldsOf(first));
	}
}

const endsOf = (rows: readonly TakenBackRow[]) => rows.map(({ row, end }) => ({ row, end }));

/** Ends the execution when the service has received this many requests from it. */
async function stopAt(requests: number, run: (signal: AbortSignal) => Promise<unknown>) {
	const stop = new AbortController();
	const first = service.calls().length;
	const watch = setInterval(() => {
		if (service.calls().length - first >= requests) stop.abort();
	}, 1);
	await run(stop.signal);
	clearInterval(watch);
	return stop.signal.aborted;
}

const seeds = Array.from({ length: repetitions(200, 30) }, (_, index) => firstSeed * 1000 + index);

async function takeBackAll(seed: number, options: INodeParameters = {}): Promise<void> {
	const story = await importAndChange(seed, options);
	if (!story.items[0]?.binary?.before) {
		// Refused as a whole, e.g. because most of its people could not be found again.
		expect(story.items.map(({ json }) => json.error)).not.toContain(undefined);
		expect(story.imported).toEqual(story.before);
		return;
	}
	const shown = await takeBack(story.items, { whatShouldHappen: 'show' });
	expect(shown.error).toBeUndefined();
	expect(snapshot()).toEqual(story.edited);
	// Stopped once or twice on the way.
	const random = seededRandom(seed + 7);
	for (let stops = random.below(3); stops > 0; stops--)
		await stopAt(1 + random.below(6), async (signal) => await takeBack(story.items, {}, signal));
	const { rows, error } = await takeBack(story.items);
	expect(error).toBeUndefined();
	expect(endsOf(rows)).toEqual(endsOf(shown.rows));
	check(story, rows);
	// Once more, it changes nothing and says the same.
	const after = snapshot();
	const again = await takeBack(story.items);
	expect(endsOf(again.rows)).toEqual(endsOf(rows));
	expect(snapshot()).toEqual(after);
}

const [withFirstRows, others] = partition(seeds, (seed) => seed % 4 === 0);

test.each(others)('import %i is taken back as far as possible', async (seed) => takeBackAll(seed));

test.each(withFirstRows)(
	'import %i, whose first rows were tried, is taken back as far as possible',
	async (seed) => takeBackAll(seed, { tryFirst: 2, stopAbove: 99 }),
);

describe('killed at each step', () => {
	const processes = new NodeProcesses();
	afterAll(() => processes.close());

	it('goes on where it stopped, and takes back nothing twice', async () => {
		const story = await importAndChange(firstSeed * 1000 + 3);
		const shown = await takeBack(story.items, { whatShouldHappen: 'show' });
		const file = join(processes.folder, 'before.jsonl');
		writeFileSync(file, await readBinary(story.items[0], 'before'));
		const given = {
			node: 'NativeBulkImport' as const,
			credential: service.credential(),
			parameters: takeBackParameters({
				inputDataFieldName: 'data',
				limits: { rateTier: 'concurrency', concurrentRequests: 1 },
			}),
			csv: file,
		};
		let kills = 0;
		for (let step = 1; ; step += isThorough ? 1 : 3) {
			const first = service.calls().length;
			const run = await processes.run(given, () => service.calls().length - first >= step);
			if (run !== 'killed') {
				expect(endsOf(run as TakenBackRow[])).toEqual(endsOf(shown.rows));
				check(story, run as TakenBackRow[]);
				break;
			}
			kills++;
		}
		expect(kills).toBeGreaterThan(1);
		const writes = service
			.writes()
			.filter(({ method, path }) => method === 'DELETE' || /\/people\/\d+$/.test(path));
		const removed = writes.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
		expect(new Set(removed).size).toBe(removed.length);
	});
});
