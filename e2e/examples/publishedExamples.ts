/** The examples that a form or a webhook starts. */
import assert from 'node:assert/strict';
import { fetch, FormData, type Response } from 'undici';
import { z } from 'zod';
import { waitUntil } from '../../hosts/waitUntil';
import { only, outputOf } from '../testN8n';
import {
	example,
	people,
	peopleWithEmail,
	publish,
	readExecutions,
	responsesByPerson,
	running,
} from './exampleTests';

/** Newer versions of n8n publish in the background: until then they respond with 404 and run nothing. */
async function callPublished(call: () => Promise<Response>): Promise<Response> {
	return await waitUntil('the workflow is published', async () => {
		const response = await call();
		return response.status !== 404 && response;
	});
}

async function postToWebhook(
	path: string,
	body: unknown,
): Promise<{ status: number; body: unknown }> {
	const request = {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	};
	const url = `${running.n8n.url}/webhook/${path}`;
	const response = await callPublished(async () => await fetch(url, request));
	return { status: response.status, body: await response.json() };
}

/** Fills in the text fields of a form as its page names them, and sends it as a browser does. */
async function submitForm(path: string, values: Record<string, string>): Promise<Response> {
	const url = `${running.n8n.url}/form/${path}`;
	const page = await callPublished(async () => await fetch(url));
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

example(
	'form-to-code.json',
	'finds or creates who fills in the form, and applies a code',
	async () => {
		const workflow = await publish('form-to-code.json');
		const VOLUNTEER = 7001;
		let sent = 0;
		/** Waits for the end of the execution, too. */
		const submit = async (first: string, last: string, email: string, phone: string) => {
			const values = { 'First Name': first, 'Last Name': last, Email: email, Phone: phone };
			assert.equal((await submitForm('native-sign-up', values)).status, 200);
			return await readExecutions(workflow, ++sent);
		};
		const before = people().length;

		await submit('Robin', 'Müsterfrau', 'robin.muesterfrau@example.org', '907-555-0142');
		await submit('Robin', 'Müsterfrau', 'robin.muesterfrau@example.org', '907-555-0142');
		// A person of the seed.
		await submit('Avery', 'Sample', 'avery.sample@demo.example.org', '');
		await submit('No', 'Address', 'nobody at home', '');
		running.sandbox.control.addFault({
			method: 'POST',
			pathPrefix: '/people/100002/canvassResponses',
			fault: { kind: 'resetAfter' },
		});
		const ended = await submit('Blake', 'Sample', 'blake.sample@demo.example.org', '');

		const created = only(peopleWithEmail('robin.muesterfrau@example.org'));
		assert.equal(people().length, before + 1);
		assert.equal(created.fields.firstName, 'Robin');
		assert.deepEqual(
			created.phones.map(({ phoneNumber }) => phoneNumber),
			['9075550142'],
		);
		assert.deepEqual(
			ended
				.flatMap((execution) => outputOf(execution, 'Signed Up'))
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
			// The response for the second one was lost, so its outcome is unknown: it is among those to check.
			[100_001, 100_002, created.nativeId],
		);
		const byHand = ended.flatMap((execution) => outputOf(execution, 'To Do by Hand'));
		assert.deepEqual(
			byHand.map(({ email, missing, mayBeStored }) => [email, missing, mayBeStored]),
			[
				['nobody at home', 'the person and the code', 'no'],
				['blake.sample@demo.example.org', 'the code', 'check first'],
			],
		);
		assert.match(String(byHand[0]?.reason), /email/i);
	},
);

example(
	'texting-results.json',
	'posts the results of a texting tool and responds with the counts',
	async () => {
		const workflow = await publish('texting-results.json');
		const post = async (body: unknown) => await postToWebhook('native-texting-results', body);
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
		assert.deepEqual(responsesByPerson(), [
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
		]);
		const [optedOut] = people().find(({ nativeId }) => nativeId === 100_003)?.phones ?? [];
		assert.equal(optedOut?.phoneOptInStatus, 'O');

		// Results that are all good or all bad get a response, too.
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
		await readExecutions(workflow, 6);
	},
);

example('event-to-code.json', 'creates one source code for each event that is sent', async () => {
	const workflow = await publish('event-to-code.json');
	const post = async (body: unknown) => await postToWebhook('native-new-event', body);
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

	// Neither a list that cannot be read nor a lost response may lead to a second code.
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
	const lost = await post({ name: 'Lost response' });
	assert.equal(lost.status, 502);
	assert.equal(failedSchema.parse(lost.body).mayBeStored, true);
	assert.equal((await post({ name: 'Lost response' })).status, 200);
	assert.deepEqual(
		codes()
			.slice(3)
			.map(({ name }) => name),
		['Event: Lost response'],
	);

	// Two calls at once: both find no code before either has created one.
	running.sandbox.control.addFault({
		method: 'GET',
		pathPrefix: '/codes',
		count: 2,
		fault: { kind: 'latency', ms: 1000, executed: true },
	});
	const twin = { name: 'Twin event' };
	const responses = await Promise.all([post(twin), post(twin)]);
	const [{ codeId } = { codeId: undefined }, ...more] = codes().slice(4);
	assert.deepEqual(more, []);
	assert.deepEqual(
		responses.sort((a, b) => a.status - b.status),
		[
			{ status: 200, body: { codeId, name: 'Event: Twin event', created: false } },
			{ status: 201, body: { codeId, name: 'Event: Twin event', created: true } },
		],
	);
	await readExecutions(workflow, 10);
});
