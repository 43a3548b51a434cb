import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { fetch, FormData, type Response } from 'undici';
import { z } from 'zod';
import { contactsFile, importOutcome, membersFile, unexpectedIn } from '../hosts/importOutcome';
import type { Credential, Execution, StoredWorkflow } from '../hosts/n8nClient';
import { startSandboxedN8n, type SandboxedN8n } from '../hosts/sandboxedN8n';
import { unzip } from '../test/engine/support/unzipped';
import { HeldImports } from './pausedImports';
import { ScriptedChatModel } from './scriptedChatModel';
import { startSftpServer, type SftpServer } from './sftpServer';

const examples = join(__dirname, '..', 'examples');
const STARTING_MS = 15 * 60 * 1000;
/** The trigger looks once a minute. */
const POLLED_WITHIN_MS = 90_000;
/** Far below the 65 seconds from which n8n leaves a wait to its database. */
const SHORT_WAIT_MINUTES = 0.01;

let running: SandboxedN8n;
let imports: HeldImports;
let sftp: SftpServer;
let credentialId: string;

before(
	async () => {
		running = await startSandboxedN8n({
			sandbox: { fetchSftp: async (address) => await sftp.download(address) },
		});
		sftp = await startSftpServer(running.n8nOptions.hostDir);
		imports = await HeldImports.start(running);
		credentialId = await running.n8n.client.createCredential(running.credential('demo'));
	},
	{ timeout: STARTING_MS },
);
afterEach(() => running.sandbox.control.reset());
after(async () => {
	await imports?.close();
	await sftp?.close();
	await running?.close();
});

/** An example as `npm start` stores it. */
const stored = async (
	example: string,
	settings: Record<string, string | number> = {},
): Promise<StoredWorkflow> =>
	await running.importExample(join(examples, example), credentialId, settings);

const assertSuccess = ({ status, error }: Execution) =>
	assert.equal(status, 'success', `${error?.message} ${String(error?.description)}`);

const executed = async (
	example: string,
	trigger = 'Start',
	settings: Record<string, string | number> = {},
): Promise<Execution> => {
	const execution = await running.n8n.client.run(await stored(example, settings), trigger);
	assertSuccess(execution);
	return execution;
};
const output = (execution: Execution, node: string) => execution.nodes[node]?.outputs[0] ?? [];

/** Stores an example and publishes it: its webhook or form can be called. */
const published = async (example: string): Promise<StoredWorkflow> => {
	const workflow = await stored(example);
	await running.n8n.client.activate(workflow);
	return workflow;
};
const unpublish = async ({ id }: StoredWorkflow) =>
	await running.n8n.client.call('POST', `/rest/workflows/${id}/deactivate`);

/** The executions of a published workflow, as soon as there are so many. */
async function executions(
	workflow: StoredWorkflow,
	count: number,
	withinMs = 30_000,
): Promise<Execution[]> {
	for (const deadline = Date.now() + withinMs; ; await wait(250)) {
		const ended = await running.n8n.client.readEndedExecutions(workflow);
		if (ended.length >= count) return ended;
		assert.ok(Date.now() < deadline, `${ended.length} of ${count} executions`);
	}
}

/** Newer versions of n8n publish in the background: until then they answer 404 and run nothing. */
async function oncePublished(call: () => Promise<Response>): Promise<Response> {
	for (const deadline = Date.now() + 15_000; ; await wait(250)) {
		const response = await call();
		if (response.status !== 404 || Date.now() > deadline) return response;
	}
}

const posted = async (path: string, body: unknown): Promise<{ status: number; body: unknown }> => {
	const response = await oncePublished(
		async () =>
			await fetch(`${running.n8n.url}/webhook/${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			}),
	);
	return { status: response.status, body: await response.json() };
};

const people = () => running.sandbox.control.people('demo');
const emailed = (email: string) =>
	people().filter(({ emails }) => emails.some((held) => held.email === email));

const expectedSchema = z.object({
	rows: z.number(),
	rejected: z.array(z.object({ crmId: z.string(), reason: z.string() })),
});
const expectedContacts = () =>
	expectedSchema.parse(
		JSON.parse(readFileSync(contactsFile.replace('.csv', '.expected.json'), 'utf8')),
	);
/** A rejected person gets no external ID. */
const outcomeOf = (reason: string) =>
	`CreateOrUpdateContact: ${reason}; ApplyExternalID: No person found`;

/** Compares the imported rows and the counts by outcome with the file and with what the sandbox holds. */
function assertImportedContacts(execution: Execution): void {
	const { rows, rejected } = expectedContacts();
	const counts = new Map<unknown, unknown>([['imported', rows - rejected.length]]);
	for (const { reason } of rejected) {
		const outcome = outcomeOf(reason);
		counts.set(outcome, Number(counts.get(outcome) ?? 0) + 1);
	}
	assert.deepEqual(
		new Map(output(execution, 'Summary').map(({ outcome, count_crmId }) => [outcome, count_crmId])),
		counts,
	);
	const idOf = new Map(
		people().flatMap(({ nativeId, identifiers }) =>
			identifiers.map(({ externalId }) => [externalId, nativeId]),
		),
	);
	const imported = output(execution, 'Imported Rows');
	assert.equal(imported.length, rows - rejected.length);
	for (const { crmId, nativeId } of imported) assert.equal(idOf.get(String(crmId)), nativeId);
}

/** Addresses as a private file host signs them: one to upload to, another one to download from. */
const signedAddresses = () => {
	const file = `${running.sandbox.httpsUrl}/drop/signed-${randomBytes(4).toString('hex')}.zip`;
	return { uploadUrl: `${file}?sig=upload`, downloadUrl: `${file}?sig=download` };
};
const startedJobs = () =>
	running.sandbox.requests.filter(
		({ method, path }) => method === 'POST' && path === '/v2/bulkImportJobs',
	);
const startedJobSchema = z.object({ file: z.object({ sourceUrl: z.string() }) });
const fetchedFrom = () =>
	startedJobs().map(({ body }) => startedJobSchema.parse(body).file.sourceUrl);

async function importContacts(): Promise<void> {
	const outcome = importOutcome(
		await running.n8n.client.run(await stored('import-contacts.json'), 'Start'),
	);
	assert.equal(unexpectedIn(outcome), undefined);
	const [job, ...more] = running.sandbox.control.jobs('demo');
	assert.equal(more.length, 0);
	assert.equal(job?.id, outcome.jobId);
	assert.equal(job.status, 'CompletedWithErrors');

	const signed = signedAddresses();
	await executed('import-contacts.json', 'Start', signed);
	assert.equal(fetchedFrom().at(-1), signed.downloadUrl);
}

/** The workflow again, with the option Dry Run turned on in its node Import Items. */
async function dryRunOf({ name, nodes, connections, settings = {} }: StoredWorkflow) {
	const dry = nodes.map((node) =>
		node.name === 'Import Items'
			? { ...node, parameters: { ...node.parameters, options: { dryRun: true } } }
			: node,
	);
	return await running.n8n.client.createWorkflow({ name, nodes: dry, connections, settings });
}

async function importItems(): Promise<void> {
	const signed = signedAddresses();
	const workflow = await stored('import-items.json', signed);
	const checked = await running.n8n.client.run(await dryRunOf(workflow), 'Start');
	assertSuccess(checked);
	assert.deepEqual(output(checked, 'Summary'), [
		{ outcome: 'dry run: checked, nothing was sent', count_crmId: 0 },
	]);
	assert.deepEqual(startedJobs(), []);

	const execution = await running.n8n.client.run(workflow, 'Start');
	assertSuccess(execution);
	assert.deepEqual(fetchedFrom(), [signed.downloadUrl]);
	assertImportedContacts(execution);
	assert.deepEqual(
		output(execution, 'Rejected Rows').map(({ crmId, outcome }) => ({ crmId, outcome })),
		expectedContacts().rejected.map(({ crmId, reason }) => ({ crmId, outcome: outcomeOf(reason) })),
	);
}

async function activistCodeToList(): Promise<void> {
	const execution = await executed('activist-code-to-list.json');
	assert.deepEqual(
		output(execution, 'Applied').map(({ id }) => id),
		['demo-1', 'demo-2', 'demo-3'],
	);
	const [failed, ...more] = output(execution, 'To Do by Hand');
	assert.equal(more.length, 0);
	assert.equal(failed?.id, 'nobody-9');
	const posts = running.sandbox.requests.filter(({ path }) => path.endsWith('/canvassResponses'));
	assert.deepEqual(
		posts.map(({ path }) => path.split('/')[3]),
		['demo-1', 'demo-2', 'demo-3', 'nobody-9'].map((id) => `CrmId:${id}`),
	);
}

async function savedListPeople(): Promise<void> {
	const execution = await executed('saved-list-people.json', 'Start', { secondsBetweenChecks: 1 });
	const found = output(execution, 'People');
	assert.deepEqual(
		found.map(({ personId, firstName }) => [personId, firstName]),
		people().map(({ nativeId, fields }) => [nativeId, fields.firstName]),
	);
}

async function importChanges(): Promise<void> {
	const all = z
		.array(z.record(z.string()))
		.parse(parse(readFileSync(contactsFile, 'utf8'), { columns: true, bom: true }));
	const rejected = new Set(expectedContacts().rejected.map(({ crmId }) => crmId));
	const good = all.filter(({ CrmId = '' }) => CrmId !== '' && !rejected.has(CrmId)).slice(0, 3);
	const bad = all.filter(({ CrmId = '' }) => rejected.has(CrmId)).slice(0, 1);
	const list = join(running.filesFolder, 'changing.csv');
	const save = (rows: Array<Record<string, string>>) => {
		const lines = [Object.keys(all[0] ?? {}), ...rows.map((row) => Object.values(row))];
		const cell = (value: string) => `"${value.replace(/"/g, '""')}"`;
		writeFileSync(list, lines.map((cells) => cells.map(cell).join(',')).join('\r\n'));
	};
	const workflow = await stored('import-changes.json', { contactsFile: list });
	const counts = async () => {
		const execution = await running.n8n.client.run(workflow, 'Every Night');
		assertSuccess(execution);
		return ['Changed Rows', 'Remember Row', 'Rejected Rows'].map(
			(node) => output(execution, node).length,
		);
	};
	save([...good, ...bad]);
	assert.deepEqual(await counts(), [4, 3, 1]);
	assert.deepEqual(await counts(), [1, 0, 1]);
	const [first = {}, ...others] = good;
	save([{ ...first, City: 'Elsewhere' }, ...others]);
	assert.deepEqual(await counts(), [1, 1, 0]);
	assert.deepEqual(await counts(), [0, 0, 0]);
}

const reports = () =>
	readdirSync(running.filesFolder).filter((name) =>
		/^rejected-rows-\d{4}-\d\d-\d\d\.csv$/.test(name),
	);

async function nightlySync(): Promise<void> {
	const signed = signedAddresses();
	const workflow = await stored('nightly-sync.json', signed);
	const { client } = running.n8n;

	// A mapping type is gone tonight: the check fails, and nothing is sent.
	running.sandbox.control.addFault({
		method: 'GET',
		pathPrefix: '/bulkImportMappingTypes/ApplyExternalID',
		fault: { kind: 'status', status: 404 },
	});
	const stopped = await client.run(workflow, 'Every Night');
	assert.equal(stopped.status, 'error');
	assert.match(
		stopped.error?.message ?? '',
		/^Nothing was imported tonight: .*no mapping type "ApplyExternalID"/,
	);
	assert.equal(stopped.nodes['Import Rows'], undefined);
	assert.equal(startedJobs().length, 0);
	assert.deepEqual(reports(), []);

	const execution = await client.run(workflow, 'Every Night');
	assertSuccess(execution);
	assert.deepEqual(
		output(execution, 'Dry Run').flatMap(({ rows }) => rows ?? []),
		[expectedContacts().rows],
	);
	assert.deepEqual(fetchedFrom(), [signed.downloadUrl]);
	assertImportedContacts(execution);
	const [report = '', ...more] = reports();
	assert.equal(more.length, 0);
	const text = readFileSync(join(running.filesFolder, report), 'utf8');
	assert.deepEqual(
		z
			.array(z.object({ CrmId: z.string(), Reason: z.string() }))
			.parse(parse(text, { columns: true, bom: true })),
		expectedContacts().rejected.map(({ crmId, reason }) => ({
			CrmId: crmId,
			Reason: outcomeOf(reason),
		})),
	);
}

/** Fills in the form as its page names the fields, and sends it as a browser does. */
async function submitted(path: string, values: Record<string, string>): Promise<Response> {
	const url = `${running.n8n.url}/form/${path}`;
	const page = await oncePublished(async () => await fetch(url));
	assert.equal(page.status, 200);
	const html = await page.text();
	const form = new FormData();
	for (const [label, value] of Object.entries(values)) {
		const [, field] = new RegExp(`for='(field-\\d+)'>${label}<`).exec(html) ?? [];
		assert.ok(field, `no field "${label}" in the form`);
		form.append(field, value);
	}
	return await fetch(url, { method: 'POST', body: form });
}

async function formToCode(): Promise<void> {
	const workflow = await published('form-to-code.json');
	const VOLUNTEER = 7001;
	const submit = async (values: Record<string, string>) =>
		assert.equal((await submitted('native-sign-up', values)).status, 200);
	const before = people().length;

	const robin = {
		'First Name': 'Robin',
		'Last Name': 'Müsterfrau',
		Email: 'robin.muesterfrau@example.org',
		Phone: '907-555-0142',
	};
	await submit(robin);
	await executions(workflow, 1);
	await submit(robin);
	await executions(workflow, 2);
	// Of the seed.
	await submit({
		'First Name': 'Avery',
		'Last Name': 'Sample',
		Email: 'avery.sample@demo.example.org',
		Phone: '',
	});
	await executions(workflow, 3);
	await submit({ 'First Name': 'No', 'Last Name': 'Address', Email: 'nobody at home', Phone: '' });
	await executions(workflow, 4);
	running.sandbox.control.addFault({
		method: 'POST',
		pathPrefix: '/people/100002/canvassResponses',
		fault: { kind: 'resetAfter' },
	});
	await submit({
		'First Name': 'Blake',
		'Last Name': 'Sample',
		Email: 'blake.sample@demo.example.org',
		Phone: '',
	});
	const ended = await executions(workflow, 5);
	await unpublish(workflow);

	ended.forEach(assertSuccess);
	const [created, ...moreOfThem] = emailed('robin.muesterfrau@example.org');
	assert.equal(moreOfThem.length, 0);
	assert.equal(people().length, before + 1);
	assert.equal(created?.fields.firstName, 'Robin');
	assert.deepEqual(
		created.phones.map(({ phoneNumber }) => phoneNumber),
		['9075550142'],
	);
	assert.deepEqual(
		ended
			.flatMap((execution) => output(execution, 'Signed Up'))
			.map(({ personId, matchStatus }) => [personId, matchStatus]),
		[
			[created.nativeId, 'created'],
			[created.nativeId, 'matched'],
			[100_001, 'matched'],
		],
	);
	assert.deepEqual(
		people()
			.filter(({ activistCodes }) =>
				activistCodes.some(({ activistCodeId }) => activistCodeId === VOLUNTEER),
			)
			.map(({ nativeId }) => nativeId),
		// Of the second one the answer was lost, so nobody can know: it is among those to look at.
		[100_001, 100_002, created.nativeId],
	);
	const byHand = ended.flatMap((execution) => output(execution, 'To Do by Hand'));
	assert.deepEqual(
		byHand.map(({ email, missing, mayBeStored }) => [email, missing, mayBeStored]),
		[
			['nobody at home', 'the person and the code', 'no'],
			['blake.sample@demo.example.org', 'the code', 'check first'],
		],
	);
	assert.match(String(byHand[0]?.reason), /email/i);
}

async function textingResults(): Promise<void> {
	const workflow = await published('texting-results.json');
	const post = async (body: unknown) => await posted('native-texting-results', body);
	// The phones of the seed count from 907-555-0100 on.
	const phoneOf = (personId: number) => `907-555-010${personId - 100_001}`;
	const phoneIdOf = (personId: number) => personId - 95_000;
	const of = (personId: number, result: string) => ({
		personId,
		phoneId: phoneIdOf(personId),
		phone: phoneOf(personId),
		sentAt: '2026-03-02',
		result,
	});
	const response = await post({
		results: [
			of(100_001, 'volunteer'),
			of(100_002, 'refused'),
			of(100_003, 'opted out'),
			of(100_004, 'wrong number'),
			of(100_005, 'perhaps'),
			{ ...of(100_006, 'refused'), personId: 999_999 },
		],
	});

	const { failures, ...counts } = z
		.object({
			received: z.number(),
			posted: z.number(),
			notPosted: z.number(),
			failures: z.array(
				z.object({
					personId: z.number(),
					result: z.string(),
					reason: z.string(),
					mayBeStored: z.boolean(),
				}),
			),
		})
		.parse(response.body);
	assert.equal(response.status, 200);
	assert.deepEqual(counts, { received: 6, posted: 4, notPosted: 2 });
	assert.deepEqual(
		failures.map(({ personId, result, mayBeStored }) => [personId, result, mayBeStored]),
		[
			[100_005, 'perhaps', false],
			[999_999, 'refused', false],
		],
	);
	assert.match(failures[0]?.reason ?? '', /"perhaps" is not among the words in Settings/);
	assert.match(failures[1]?.reason ?? '', /person/i);

	const context = (personId: number, smsOptInStatus?: string) => ({
		contactTypeId: 37,
		dateCanvassed: '2026-03-02',
		phoneId: phoneIdOf(personId),
		phone: {
			phoneNumber: phoneOf(personId).replaceAll('-', ''),
			...(smsOptInStatus && { smsOptInStatus }),
		},
	});
	const byPerson = running.sandbox.control
		.canvassResponses('demo')
		.sort((a, b) => a.nativeId - b.nativeId);
	assert.deepEqual(
		byPerson.map(({ nativeId, body }) => ({ nativeId, body })),
		[
			{
				nativeId: 100_001,
				body: {
					canvassContext: context(100_001),
					responses: [{ type: 'ActivistCode', activistCodeId: 7001, action: 'Apply' }],
				},
			},
			{ nativeId: 100_002, body: { canvassContext: context(100_002), resultCodeId: 2 } },
			{ nativeId: 100_003, body: { canvassContext: context(100_003, 'O'), resultCodeId: 130 } },
			{ nativeId: 100_004, body: { canvassContext: context(100_004), resultCodeId: 20 } },
		],
	);
	const [optedOut] = people().find(({ nativeId }) => nativeId === 100_003)?.phones ?? [];
	assert.equal(optedOut?.phoneOptInStatus, 'O');

	// One that is good, one that is not: either way alone is answered, too.
	const allGood = await post({ results: [of(100_006, 'refused')] });
	assert.deepEqual(allGood.body, { received: 1, posted: 1, notPosted: 0, failures: [] });
	const allBad = await post({ results: [of(100_006, '')] });
	assert.deepEqual(z.object({ posted: z.number(), notPosted: z.number() }).parse(allBad.body), {
		posted: 0,
		notPosted: 1,
	});
	for (const nothing of [{}, { results: [] }, { results: 'none' }]) {
		assert.equal((await post(nothing)).status, 400);
	}
	(await executions(workflow, 6)).forEach(assertSuccess);
	await unpublish(workflow);
}

async function eventToCode(): Promise<void> {
	const workflow = await published('event-to-code.json');
	const post = async (body: unknown) => await posted('native-new-event', body);
	const codes = () =>
		running.sandbox.control.codes('demo').filter(({ name }) => name.startsWith('Event: '));

	// Its name contains that of the next one.
	const other = await post({ name: 'Spring picnic for members', date: '2026-05-16' });
	assert.equal(other.status, 201);
	const picnic = { name: 'Spring picnic', date: '2026-05-09', place: 'Nome' };
	const first = await post(picnic);
	const [, code] = codes();
	assert.deepEqual(first, {
		status: 201,
		body: { codeId: code?.codeId, name: 'Event: Spring picnic', created: true },
	});
	assert.equal(code?.codeType, 'SourceCode');
	assert.equal(code.description, 'Event, 2026-05-09, Nome');
	assert.deepEqual(await post(picnic), {
		status: 200,
		body: { codeId: code.codeId, name: 'Event: Spring picnic', created: false },
	});
	assert.equal(codes().length, 2);

	assert.equal((await post({ name: `Day & night 1/2 \\ ${'long '.repeat(20)}` })).status, 201);
	assert.match(codes()[2]?.name ?? '', /^Event: Day & night 1-2 - long (long ?)+$/);
	assert.equal((await post({ date: '2026-05-09' })).status, 400);

	// Neither a list that cannot be read nor a lost answer may lead to a second code.
	const failedSchema = z.object({ message: z.string().min(1), mayBeStored: z.boolean() });
	running.sandbox.control.addFault({
		method: 'GET',
		pathPrefix: '/codes',
		fault: { kind: 'status', status: 403 },
	});
	const unread = await post({ name: 'Unread list' });
	assert.equal(unread.status, 502);
	assert.equal(failedSchema.parse(unread.body).mayBeStored, false);
	running.sandbox.control.addFault({
		method: 'POST',
		pathPrefix: '/codes',
		fault: { kind: 'resetAfter' },
	});
	const lost = await post({ name: 'Lost answer' });
	assert.equal(lost.status, 502);
	assert.equal(failedSchema.parse(lost.body).mayBeStored, true);
	assert.equal((await post({ name: 'Lost answer' })).status, 200);
	assert.deepEqual(
		codes()
			.slice(3)
			.map(({ name }) => name),
		['Event: Lost answer'],
	);
	(await executions(workflow, 8)).forEach(assertSuccess);
	await unpublish(workflow);
}

async function failedPostsToFile(): Promise<void> {
	// Carried out, but the answer is lost: nobody can know, so it is not sent again.
	running.sandbox.control.addFault({
		method: 'POST',
		pathPrefix: '/people/100003/canvassResponses',
		fault: { kind: 'resetAfter' },
	});
	const workflow = await stored('failed-posts-to-file.json');
	const execution = await running.n8n.client.run(workflow, 'Start');
	assertSuccess(execution);

	assert.deepEqual(
		output(execution, 'Posted').map(({ personId }) => personId),
		[100001, 100002, 100005],
	);
	const savedFiles = () =>
		readdirSync(running.filesFolder).filter((name) =>
			/^failed-posts-\d{4}-\d\d-\d\d-\d{6}\.zip$/.test(name),
		);
	const [firstShift = '', ...more] = savedFiles();
	assert.equal(more.length, 0);
	const zip = readFileSync(join(running.filesFolder, firstShift));
	const file = (await unzip(zip)).get('failed-posts.csv')?.toString('utf8') ?? '';
	const saved = z
		.array(z.object({ Reason: z.string().min(1) }).passthrough())
		.parse(parse(file, { columns: true }));
	assert.deepEqual(
		saved.map(({ NativeId, Phone, ResultCodeId, DateCanvassed, MayBeStored }) => ({
			NativeId,
			Phone,
			ResultCodeId,
			DateCanvassed,
			MayBeStored,
		})),
		[
			{ NativeId: '100003', Phone: '102', ResultCodeId: '1', MayBeStored: 'check first' },
			{ NativeId: '100004', Phone: '103', ResultCodeId: '9999', MayBeStored: 'no' },
			{ NativeId: '999999', Phone: '108', ResultCodeId: '1', MayBeStored: 'no' },
		].map((row) => ({
			...row,
			Phone: `907-555-0${row.Phone}`,
			DateCanvassed: '2026-03-02',
		})),
	);
	const response = (nativeId: number, resultCodeId: number) => ({
		nativeId,
		body: {
			canvassContext: {
				contactTypeId: 1,
				dateCanvassed: '2026-03-02',
				phone: { phoneNumber: `907555010${nativeId - 100_001}` },
			},
			resultCodeId,
		},
	});
	assert.deepEqual(
		running.sandbox.control
			.canvassResponses('demo')
			.sort((a, b) => a.nativeId - b.nativeId)
			.map(({ nativeId, body }) => ({ nativeId, body })),
		[response(100_001, 1), response(100_002, 19), response(100_003, 1), response(100_005, 1)],
	);

	// The next shift leaves the file of this one as it is. Files are named to the second.
	await wait(1000);
	assertSuccess(await running.n8n.client.run(workflow, 'Start'));
	assert.equal(savedFiles().length, 2);
	assert.deepEqual(readFileSync(join(running.filesFolder, firstShift)), zip);
}

async function durableWait(): Promise<void> {
	const execution = await executed('durable-wait.json', 'Start', {
		minutesBetweenLooks: SHORT_WAIT_MINUTES,
	});
	const members = z
		.array(z.object({ Email: z.string() }))
		.parse(parse(readFileSync(membersFile), { columns: true }));
	const imported = members.filter(({ Email }) => emailed(Email).length === 1).length;
	assert.equal(imported, members.length - 2);
	assert.deepEqual(output(execution, 'Summary'), [
		{ succeeded: true, count_row: imported },
		{ succeeded: false, count_row: 2 },
	]);
}

async function durableImport(): Promise<void> {
	const { rows, rejected } = expectedContacts();
	const execution = await executed('durable-import.json', 'Start', {
		...signedAddresses(),
		minutesBetweenLooks: SHORT_WAIT_MINUTES,
	});
	assert.equal(startedJobs().length, 1);
	assert.deepEqual(output(execution, 'Summary'), [
		{ status: 'imported', count_status: rows - rejected.length },
		{ status: 'failed', count_status: rejected.length },
	]);
	const report = join(running.filesFolder, `import-report-${execution.id}.html`);
	assert.match(readFileSync(report, 'utf8'), /rows imported/);
}

/** The report that the execution saved, and the rows that it put out to be corrected. */
function assertReported(execution: Execution): void {
	const { rows, rejected } = expectedContacts();
	const report = join(running.filesFolder, `import-report-${execution.id}.html`);
	const lead = `<b>${rows - rejected.length}</b> of ${rows.toLocaleString('en-US')} rows imported`;
	assert.ok(readFileSync(report, 'utf8').includes(lead));
	assert.deepEqual(
		output(execution, 'Rows to Correct').map(({ CrmId }) => CrmId),
		rejected.map(({ crmId }) => crmId),
	);
}

async function importLargeFile(): Promise<void> {
	const file = `${running.sandbox.httpsUrl}/drop/{file}`;
	const execution = await executed('import-large-file.json', 'Start', {
		uploadUrl: `${file}?sig=upload`,
		downloadUrl: `${file}?sig=download`,
		rowsPerFile: 300,
		minutesBetweenLooks: SHORT_WAIT_MINUTES,
	});
	assert.equal(startedJobs().length, 4);
	assertReported(execution);
}

async function importOnce(): Promise<void> {
	const settings = { ...signedAddresses(), minutesBetweenLooks: SHORT_WAIT_MINUTES };
	const workflow = await stored('import-once.json', settings);
	const first = await running.n8n.client.run(workflow, 'Start');
	const again = await running.n8n.client.run(workflow, 'Start');
	for (const execution of [first, again]) {
		assertSuccess(execution);
		assertReported(execution);
	}
	assert.equal(startedJobs().length, 1);

	const other = await stored('import-once.json', { ...settings, runKey: 'interrupted' });
	running.sandbox.control.addFault({
		method: 'POST',
		pathPrefix: '/bulkImportJobs',
		fault: { kind: 'resetAfter' },
	});
	assert.equal((await running.n8n.client.run(other, 'Start')).status, 'error');
	const stopped = await running.n8n.client.run(other, 'Start');
	assert.match(stopped.error?.message ?? '', /^A run of "interrupted" was interrupted while/);
	assert.equal(startedJobs().length, 2);
}

async function triggerResults(): Promise<void> {
	const workflow = await published('trigger-results.json');
	const partly = await imports.startJob('demo');
	const failing = await imports.startJob('demo');
	await imports.end(partly, 'CompletedWithErrors');
	await imports.end(failing, 'Failed');

	const summaries = (await executions(workflow, 1, POLLED_WITHIN_MS)).flatMap((execution) =>
		output(execution, 'Summary'),
	);
	assert.deepEqual(
		summaries.map(({ jobId, event, outcome: text, count_row: rows }) => [jobId, event, text, rows]),
		[
			[partly, 'completedWithErrors', 'Processed', 1],
			[partly, 'completedWithErrors', 'Invalid email address', 1],
			[failing, 'failed', 'The file could not be fetched from its source.', 1],
		],
	);
	await unpublish(workflow);
}

/** Stores an example again, with a credential of another type in one of its nodes. */
async function withCredential(
	{ name, nodes, connections, settings = {} }: StoredWorkflow,
	nodeName: string,
	credential: Credential,
): Promise<StoredWorkflow> {
	const { client } = running.n8n;
	const id = await client.createCredential(credential);
	const credentials = { [credential.type]: { id, name: credential.name } };
	return await client.createWorkflow({
		name,
		nodes: nodes.map((node) => (node.name === nodeName ? { ...node, credentials } : node)),
		connections,
		settings,
	});
}

async function importSftp(): Promise<void> {
	const { host, port, user, password, files } = sftp;
	const sftpPath = '/imports/contacts.zip';
	const workflow = await withCredential(
		await stored('import-sftp.json', {
			sftpPath,
			sftpLink: `sftp://${user}:${password}@${host}:${port}`,
		}),
		'Upload',
		{ name: 'SFTP account', type: 'sftp', data: { host, port, username: user, password } },
	);
	const execution = await running.n8n.client.run(workflow, 'Start');
	assertSuccess(execution);
	assert.deepEqual([...files.keys()], [sftpPath]);
	const { rows, rejected } = expectedContacts();
	assert.deepEqual(output(execution, 'Summary'), [
		{ status: 'imported', count_status: rows - rejected.length },
		{ status: 'failed', count_status: rejected.length },
	]);
	assert.deepEqual(
		output(execution, 'Rejected Rows').map(({ CrmId }) => CrmId),
		rejected.map(({ crmId }) => crmId),
	);
	const sent = JSON.stringify(execution.nodes['Start Import']?.outputs);
	assert.ok(!sent.includes(password), 'the password is in the output');
}

async function aiAgentPeople(): Promise<void> {
	const { client } = running.n8n;
	const question = 'Is avery.sample@demo.example.org in our database?';
	const model = await ScriptedChatModel.start((messages) => {
		const last = messages.at(-1);
		if (last?.role !== 'tool') {
			return { tool: 'Find_Person', args: { Email: 'avery.sample@demo.example.org' } };
		}
		return { say: `The tool said: ${String(last.content)}` };
	});
	try {
		const workflow = await withCredential(await stored('ai-agent-people.json'), 'Chat Model', {
			name: 'Scripted model',
			type: 'openAiApi',
			data: { apiKey: 'none', url: model.url },
		});
		const chat: IDataObject = {
			sessionId: 'a-session',
			action: 'sendMessage',
			chatInput: question,
		};
		const execution = await client.run(workflow, 'Chat', { triggered: chat });
		assertSuccess(execution);

		const [asked, told, ...more] = model.requests;
		assert.equal(more.length, 0);
		assert.match(JSON.stringify(asked?.messages), new RegExp(question.replace('?', '\\?')));
		const [tool, ...otherTools] = asked?.tools ?? [];
		assert.equal(otherTools.length, 0);
		assert.equal(tool?.function.name, 'Find_Person');
		assert.deepEqual(Object.keys(tool.function.parameters.properties).sort(), [
			'Email',
			'First_Name',
			'Last_Name',
			'Phone',
			'Street',
			'ZIP',
		]);
		assert.match(String(told?.messages.at(-1)?.content), /"personId":100001/);
		assert.match(String(output(execution, 'AI Agent')[0]?.output), /"personId":100001/);
		const [call, ...moreCalls] = running.sandbox.requests.filter(({ tenant }) => tenant === 'demo');
		assert.equal(moreCalls.length, 0);
		assert.equal(call?.path, '/v2/people/find');
		assert.deepEqual(call.body, { emails: [{ email: 'avery.sample@demo.example.org' }] });
	} finally {
		await model.close();
	}
}

/** What each file of examples/ is to do, and how that is seen. */
const tests: Record<string, { does: string; check: () => Promise<void> }> = {
	'activist-code-to-list.json': {
		does: 'applies an activist code, given by its name, to the people of a list',
		check: activistCodeToList,
	},
	'ai-agent-people.json': {
		does: 'an agent finds a person with the tool that its model asks for',
		check: aiAgentPeople,
	},
	'durable-import.json': {
		does: 'starts an import, waits in the database, and gives each row its outcome',
		check: durableImport,
	},
	'durable-wait.json': {
		does: 'looks at a job again and again until it has ended, and counts its rows',
		check: durableWait,
	},
	'event-to-code.json': {
		does: 'creates one source code for each event that is sent',
		check: eventToCode,
	},
	'failed-posts-to-file.json': {
		does: 'saves what could not be posted to a file for an upload by hand',
		check: failedPostsToFile,
	},
	'form-to-code.json': {
		does: 'finds or creates who fills in the form, and applies a code',
		check: formToCode,
	},
	'import-changes.json': {
		does: 'imports a row again only when it has changed or was not imported',
		check: importChanges,
	},
	'import-contacts.json': {
		does: 'zips, uploads and imports a file, and sorts its rows by outcome',
		check: importContacts,
	},
	'import-items.json': {
		does: 'imports a spreadsheet and separates imported and rejected rows',
		check: importItems,
	},
	'import-large-file.json': {
		does: 'imports a file as several jobs, reports, and puts out the rows to correct',
		check: importLargeFile,
	},
	'import-once.json': {
		does: 'starts the jobs of a file once, and stops when it cannot know whether it did',
		check: importOnce,
	},
	'import-sftp.json': {
		does: "uploads the file to an SFTP server with n8n's own node, and gives each row its outcome",
		check: importSftp,
	},
	'nightly-sync.json': {
		does: 'imports only what passed the check, and reports the rejected rows',
		check: nightlySync,
	},
	'saved-list-people.json': {
		does: 'brings the people of a saved list into n8n',
		check: savedListPeople,
	},
	'texting-results.json': {
		does: 'posts the results of a texting tool and answers with the counts',
		check: textingResults,
	},
	'trigger-results.json': {
		does: 'sums up an import of any workflow when it ends',
		check: triggerResults,
	},
};

/** Tested in a browser, by importForm.e2e.ts. */
const FORM = 'import-form.json';
const files = readdirSync(examples).filter((name) => name.endsWith('.json') && name !== FORM);
for (const file of new Set([...files, ...Object.keys(tests)])) {
	const test = tests[file];
	it(`example ${file}: ${test?.does ?? 'has a test'}`, async () => {
		assert.ok(test, `Add a test of examples/${file} to this file.`);
		await test.check();
	});
}
