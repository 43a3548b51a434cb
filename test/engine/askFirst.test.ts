import type { IDataObject, IRunExecutionData } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { pageText } from '../support/pageText';
import { type NodeRun, type NodeRunOptions, runNode } from './support/engine';
import {
	inputOf,
	itemImport,
	messagesOf,
	people,
	personMap,
	reportOf,
	resultOf,
	statusesOf,
} from './support/itemImports';
import { PausedJobs } from './support/pausedJobs';
import { DEMO_KEY, useSandbox } from './support/sandboxed';
import { callWaitingLink, type LinkResponse } from './support/waitingLink';

const jobs = new PausedJobs();
const service = useSandbox({ jobTiming: jobs.jobTiming });
afterEach(() => jobs.release());
const node = new NativeBulkImport();

const PAGE = { page: 'a-page-of-the-test' };

/** n8n's time moves on while an execution sleeps. */
let slept = 0;
const realNow = Date.now;
beforeEach(() => {
	slept = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + slept);
});

const imports = (options: IDataObject = {}, changes: IDataObject = {}) =>
	itemImport(service, personMap, {
		options: {
			pollInterval: 0.05,
			waitForOutcome: 'database',
			progressPage: PAGE.page,
			askFirst: true,
			...options,
		},
		...changes,
	} as never);

const look = async (stored: IRunExecutionData, query: IDataObject = PAGE) =>
	await callWaitingLink(service.setup(node), stored, 'GET', query);
const send = async (
	stored: IRunExecutionData,
	form: Record<string, string>,
	query: IDataObject = PAGE,
) => await callWaitingLink(service.setup(node), stored, 'POST', query, form);

const isAsking = ({ body }: LinkResponse) => body.includes('value="cancel"');
const askIn = ({ body }: LinkResponse) => /name="ask" value="(\w+)"/.exec(body)?.[1] ?? '';
const textOf = ({ body }: LinkResponse) =>
	pageText(body, ['style', 'script', 'title']).replaceAll('&quot;', '"');

const answer = async (stored: IRunExecutionData, action: string, name = 'Kim Example') =>
	await send(stored, { ask: askIn(await look(stored)), action, name });

type Visit = (stored: IRunExecutionData, page: LinkResponse) => Promise<unknown>;

/** What nobody may have sent yet: an upload, or a job. */
const sent = () =>
	service.calls().filter(({ method, path }) => method !== 'GET' && !path.includes('/people/find'));

/** Runs an import; its page is visited once while it asks, and each later sleep lets its jobs end. */
async function run(
	visit: Visit,
	parameters = imports(),
	setup: Partial<NodeRunOptions> = {},
): Promise<NodeRun & { asked: number }> {
	let asked = 0;
	const result = await service.run(node, parameters, {
		items: await inputOf(people(7), parameters.source),
		whileSleeping: async (until, stored) => {
			const page = await look(stored);
			if (isAsking(page)) {
				asked++;
				if (asked > 5) throw new Error('It asks for ever.');
				expect(sent()).toEqual([]);
				await visit(stored, page);
			}
			await service.settle();
			slept += Math.max(0, until.getTime() - Date.now());
		},
		...setup,
	});
	return { ...result, asked };
}

const release: Visit = async (stored) => {
	expect((await answer(stored, 'import')).wakes).toBe(true);
};
const rowsOf = ({ outputs }: NodeRun) =>
	outputs.flat().filter(({ json }) => json.status !== 'summary');

describe.each(['items', 'binary'] as const)('a list as %s', (source) => {
	const options = { outputRows: 'all' };

	it('is shown, released, imported once, and comes out with who released it', async () => {
		let text = '';
		const result = await run(
			async (stored, page) => {
				text = textOf(page);
				await release(stored, page);
			},
			imports(options, { source }),
		);
		expect(result.error?.message).toBeUndefined();
		expect(result.asked).toBe(1);
		expect(text).toContain('7 rows would be imported into http');
		expect(text).toMatch(/key "…\w\w"/);
		expect(text).toContain('First Name First Name First0, First1, First2');
		expect(text).toMatch(/(Item 1|Line 2) First Name: First0, Last Name: Last0/);
		expect(text).toContain('Import 7 rows');
		expect(service.starts()).toHaveLength(1);
		expect(statusesOf(rowsOf(result))).toEqual(Array(7).fill('imported'));
		expect(rowsOf(result).map((row) => resultOf(row).releasedBy)).toEqual(
			Array(7).fill('Kim Example'),
		);
		const said = `${messagesOf(result)} ${JSON.stringify(result.outputs[0]?.[0]?.json)}`;
		expect(said).toContain('released by Kim Example');
	});

	it('shows what would stop it, and cannot be released until that is corrected', async () => {
		let text = '';
		let answered: LinkResponse | undefined;
		const stopped = imports({ ...options, duplicates: 'stop' }, { source });
		const result = await run(
			async (stored, page) => {
				text = textOf(page);
				expect(page.body).not.toContain('value="import"');
				answered = await answer(stored, 'import');
				await answer(stored, 'cancel');
			},
			stopped,
			{ items: await inputOf([...people(2), ...people(1)], source) },
		);
		expect(text).toMatch(/Stops this import Duplicates in the List is set to Stop, and rows are/);
		expect(text).toContain('What goes where');
		expect(answered?.wakes).toBe(false);
		expect(textOf(answered as LinkResponse)).toContain('Nothing was imported.');
		expect(result.error).toBeUndefined();
		expect(statusesOf(rowsOf(result))).toEqual(Array(3).fill('notSent'));
		expect(service.starts()).toEqual([]);
	});

	it('offers to import as many rows as it sends', async () => {
		const offers: unknown[] = [];
		const items = await inputOf([...people(4), ...people(2), { Mail: 'nobody' }], source);
		const parameters = imports({ ...options, duplicates: 'first' }, { source });
		const result = await run(
			async (stored, page) => {
				offers.push(/value="import">([^<]*)</.exec(page.body)?.[1]);
				await release(stored, page);
			},
			parameters,
			{ items },
		);
		expect(offers).toEqual(['Import 4 rows']);
		expect(statusesOf(rowsOf(result))).toEqual([
			...Array(4).fill('imported'),
			...['duplicate', 'duplicate', 'invalid'],
		]);
	});

	it('says how to mark the people of a large list', async () => {
		const offers: boolean[] = [];
		for (const count of [499, 500]) {
			const visit: Visit = async (stored, page) => {
				offers.push(textOf(page).includes('add ActivistCode or OriginSourceCode'));
				await answer(stored, 'cancel');
			};
			await run(visit, imports(options, { source }), {
				items: await inputOf(people(count), source),
			});
		}
		expect(offers).toEqual([false, true]);
	});

	it.each([
		[
			'canceled',
			async (stored: IRunExecutionData) => await answer(stored, 'cancel'),
			'canceled by Kim Example on its page',
		],
		['not answered', async () => await Promise.resolve(), 'not released within 1440 minutes'],
	])('is not sent if it is %s', async (_, visit, what) => {
		const result = await run(visit, imports(options, { source }));
		expect(result.error?.message).toBeUndefined();
		expect(sent()).toEqual([]);
		expect(statusesOf(rowsOf(result))).toEqual(Array(7).fill('notSent'));
		expect(rowsOf(result).map(({ json }) => json.reason)).toEqual(
			Array(7).fill(`The import was ${what}.`),
		);
		expect(messagesOf(result)).toContain(`The import was ${what}. Nothing was sent.`);
	});

	it('is not sent if it is another one than was shown', async () => {
		const rows = people(7);
		const parameters = imports({ ...options, duplicates: 'first' }, { source });
		const result = await run(async (stored, page) => {
			await release(stored, page);
			// This is what somebody could do who writes into n8n's database, or to a file on its disk.
			const { nodeExecutionStack = [] } = stored.executionData ?? {};
			for (const { data } of nodeExecutionStack)
				for (const item of data.main?.flat() ?? []) {
					if (item?.json['First Name'] === 'First3') item.json['First Name'] = 'Other';
					if (item?.binary?.data) {
						const [changed] = await inputOf(
							rows.map((row, index) => (index === 3 ? { ...row, Mail: 'x@example.org' } : row)),
							'binary',
						);
						Object.assign(item.binary, changed?.binary);
					}
				}
		}, parameters);
		expect(result.error?.message).toMatch(
			/^Ask First was answered for another import\. These have changed since: the values of the rows/,
		);
		expect(sent()).toEqual([]);
	});
});

describe('the same rows again', () => {
	const begin = async () => {
		service.change({ styles: { jobDescriptions: true } });
		await run(release);
		const [job] = service.jobs();
		service.sandbox.requests.length = 0;
		return `the same rows were imported before by job ${job?.id}.`;
	};

	it('come out with what kept anybody from releasing them', async () => {
		const said = await begin();
		const result = await run(
			async () => await Promise.resolve(),
			imports({ ifImportedBefore: 'stop' }),
		);
		expect(statusesOf(rowsOf(result))).toEqual(Array(7).fill('notSent'));
		const why = `The import was not released within 1440 minutes. It could not be released: If This List Was Imported Before is set to Stop, and ${said}`;
		for (const { json } of rowsOf(result)) expect(json.reason).toContain(why);
		expect(messagesOf(result)).toContain('It could not be released: If This List');
	});

	it('come out with what there was to decide about, if somebody canceled them', async () => {
		const said = await begin();
		const result = await run(async (stored) => await answer(stored, 'cancel'));
		expect(sent()).toEqual([]);
		const warnings = result.hints.flatMap(({ type, message }) =>
			type === 'warning' ? message : [],
		);
		expect(warnings).toEqual([said.replace('the', 'The')]);
	});
});

it('shows what needs a decision first: problems, rows that are not sent, who is new', async () => {
	const rows = people(6, {
		1: { Mail: 'no..one@example.org' },
		2: { 'First Name': 'First0', 'Last Name': 'Last0', Mail: 'p0@example.org' },
		3: { 'First Name': '  Dee ', Mail: { a: 1 } },
	}).map((row) => ({ ...row, Notes: 'kept' }));
	let page: LinkResponse | undefined;
	const result = await run(
		async (stored, asked) => {
			page = asked;
			await release(stored, asked);
		},
		imports({ duplicates: 'first', lookUpMatches: 'all', report: true }),
		{ items: await inputOf(rows, 'items'), onError: 'continueRegularOutput' },
	);
	expect(result.error?.message).toBeUndefined();
	const text = page ? textOf(page) : '';
	expect(text).toContain('4 of 6 rows would be imported');
	expect(text).toContain('Columns that are not imported: Notes.');
	expect(text).toContain('Cannot be sent: 1 Item 4');
	expect(text).toMatch(/Duplicates, not sent: 1 Item 3 .*Same person as item 1/);
	expect(text).toMatch(/New: 4|New: 3/);
	const order = ['Check first', 'Cannot be sent', 'New: ', 'What goes where', 'Your name'];
	const places = order.map((each) => text.indexOf(each));
	expect(places).toEqual([...places].sort((one, other) => one - other));
	expect(Math.min(...places)).toBeGreaterThan(0);
	expect(messagesOf(result)).toMatch(/As planned: \d of \d rows that were looked up\./);
	expect(await reportOf(result)).toMatch(/As planned: \d of \d rows that were looked up\./);
});

it('names a few people who share something, and counts the others', async () => {
	const rows = people(8).map((row) => ({ ...row, Mail: 'house@example.org' }));
	let text = '';
	await run(
		async (_stored, page) => {
			text = textOf(page);
			await Promise.resolve();
		},
		imports({ duplicates: 'first' }),
		{ items: await inputOf(rows, 'items') },
	);
	expect(text.match(/but another person/g)).toHaveLength(3);
	expect(text).toContain('4 more share something with another person.');
});

it('the page loads nothing, cannot be framed, and holds no key and no secret', async () => {
	await run(async (stored, { headers, body }) => {
		expect(headers['Content-Security-Policy']).toContain("frame-ancestors 'none'");
		expect(headers['Content-Security-Policy']).toContain("form-action 'self'");
		// From the rows to correct, in the report.
		expect(headers['Content-Security-Policy']).toContain('allow-downloads');
		expect(body).not.toMatch(/(src|href)=|@import|url\(/);
		expect(body).not.toContain(PAGE.page);
		expect(body).not.toContain(DEMO_KEY);
		const states = stored.executionData?.nodeExecutionStack.map(({ metadata }) => metadata);
		expect(JSON.stringify(states)).not.toContain(DEMO_KEY);
	});
});

it.each([
	['no secret', {}],
	['a wrong one', { page: 'a-page-of-the-tesT' }],
	['an empty one', { page: '' }],
	['several', { page: [PAGE.page] }],
])('a stranger with %s sees nothing and releases nothing', async (_, query) => {
	const result = await run(async (stored, page) => {
		const seen = await look(stored, query);
		expect(seen.body).not.toMatch(/First0|example\.org|Items of a test/);
		const call = await send(stored, { ask: askIn(page), action: 'import' }, query);
		expect(call.wakes).toBe(false);
		expect(call.body).not.toMatch(/First0|example\.org|Items of a test/);
	});
	expect(sent()).toEqual([]);
	expect(statusesOf(rowsOf(result))).toEqual(Array(7).fill('notSent'));
});

it('an old page, one without an answer and a second answer do nothing', async () => {
	const result = await run(async (stored, page) => {
		const ask = askIn(page);
		const old = await send(stored, { ask: 'another', action: 'import' });
		expect(old).toMatchObject({ wakes: false });
		expect(old.body).toContain('out of date');
		expect((await send(stored, { ask })).wakes).toBe(false);
		expect((await send(stored, { ask, action: 'import', name: ' A \u0000 B ' })).wakes).toBe(true);
		const second = await send(stored, { ask, action: 'cancel' });
		expect(second.wakes).toBe(false);
		expect(second.body).not.toContain('First0');
	});
	expect(service.starts()).toHaveLength(1);
	expect(resultOf(rowsOf(result)[0]).releasedBy).toBe('A B');
});

it('makes a secret of its own where the user has none, and keeps its link with the execution', async () => {
	const parameters = imports({ progressPage: undefined, waitForOutcome: undefined });
	let link = '';
	const result = await service.run(node, parameters, {
		items: await inputOf(people(2), 'items'),
		whileSleeping: async (until, stored) => {
			const states = JSON.stringify(stored.executionData?.nodeExecutionStack);
			const page = /"secret":"([0-9a-f]{32})"/.exec(states)?.[1] ?? '';
			link = page;
			const query = { page };
			const asked = await look(stored, query);
			if (isAsking(asked)) await send(stored, { ask: askIn(asked), action: 'import' }, query);
			await service.settle();
			slept += Math.max(0, until.getTime() - Date.now());
		},
	});
	expect(result.error?.message).toBeUndefined();
	expect(statusesOf(rowsOf(result))).toEqual(['imported', 'imported']);
	expect(resultOf(rowsOf(result)[0]).releasedBy).toBe('by link');
	expect(new URL(result.customData.importPage ?? '').searchParams.get('page')).toBe(link);
});

it.each([
	[
		'Wait for the Outcome',
		{ waitForOutcome: 'memory' },
		{},
		/needs Wait for the Outcome: In the Database/,
	],
	[
		'Wait for the Outcome',
		{ waitForOutcome: 'none' },
		{},
		/needs Wait for the Outcome: In the Database/,
	],
	['Hosting', {}, { hosting: 'none' }, /^Ask First needs the outcome/],
])('refuses another %s before any request', async (_, options, changes, says) => {
	const result = await service.run(node, imports(options, changes), {
		items: await inputOf(people(2), 'items'),
	});
	expect(result.error?.message).toMatch(says);
	expect(service.calls()).toEqual([]);
});

it('does not ask where nothing would be sent', async () => {
	const parameters = imports({ skipUnchangedBy: 'Mail' });
	expect((await run(release, parameters)).asked).toBe(1);
	const again = await run(release, parameters);
	expect(again.asked).toBe(0);
	expect(statusesOf(rowsOf(again))).toEqual(Array(7).fill('unchanged'));
	expect(service.starts()).toHaveLength(1);
});

it.each(['cancel', ''])('what was not released is sent by the next run (%p)', async (action) => {
	const parameters = imports({ skipUnchangedBy: 'Mail' });
	const visit = async (stored: IRunExecutionData) => action && (await answer(stored, action));
	expect(statusesOf(rowsOf(await run(visit, parameters)))).toEqual(Array(7).fill('notSent'));
	const again = await run(release, parameters);
	expect(statusesOf(rowsOf(again))).toEqual(Array(7).fill('imported'));
	expect(service.starts()).toHaveLength(1);
});

it('is refused once the credential is for another key', async () => {
	const setup = service.setup(node);
	const items = await inputOf(people(2), 'items');
	const result = await runNode({
		...setup,
		parameters: imports(),
		items,
		whileSleeping: async (_, stored) => {
			await release(stored, await look(stored));
			const { nativeApi } = setup.credentials;
			nativeApi.baseUrl = String(nativeApi.baseUrl).replace('127.0.0.1', 'localhost');
		},
	});
	expect(result.error?.message).toMatch(/^The credential now has another database/);
	expect(sent()).toEqual([]);
});

describe.each<[string, IDataObject, IDataObject]>([
	[
		'the mapping',
		{},
		{
			map: {
				...personMap,
				'CreateOrUpdateContact:LastName': personMap['CreateOrUpdateContact:FirstName'],
				'CreateOrUpdateContact:FirstName': personMap['CreateOrUpdateContact:LastName'],
			},
		},
	],
	['a fixed value', {}, { map: { ...personMap, 'CreateOrUpdateContact:LastName': 'Other' } }],
	['what is done with duplicates', { duplicates: 'report' }, { duplicates: 'first' }],
	['what is cleaned', {}, { cleanValues: false }],
])('another workflow than the one that was shown: %s', (_, options, changed) => {
	const { map = personMap, ...changedOptions } = changed as { map?: Record<string, string> };
	const parametersOf = (fields: Record<string, string>, more: IDataObject) =>
		itemImport(service, fields, {
			options: {
				pollInterval: 0.05,
				waitForOutcome: 'database',
				progressPage: PAGE.page,
				askFirst: true,
				...more,
			},
		} as never);
	const changedParameters = () => parametersOf(map, { ...options, ...changedOptions });

	it('is refused where it is stored with the execution', async () => {
		const visit: Visit = async (stored, page) => {
			await release(stored, page);
			const { nodeExecutionStack = [] } = stored.executionData ?? {};
			for (const { node: waiting } of nodeExecutionStack)
				Object.assign(waiting.parameters, changedParameters());
		};
		const result = await run(visit, parametersOf(personMap, options));
		expect(result.error?.message).toMatch(
			/^Ask First was answered for another import\. These have changed since: the fields, or what is done with the rows/,
		);
		expect(sent()).toEqual([]);
	});

	it('changes nothing where it is saved meanwhile', async () => {
		const parameters = parametersOf(personMap, options);
		const before = service.people().length;
		const result = await run(async (stored, page) => {
			await release(stored, page);
			Object.assign(parameters, changedParameters());
		}, parameters);
		expect(result.error?.message).toBeUndefined();
		const added = service.people().slice(before);
		expect(added.map(({ fields }) => [fields.firstName, fields.lastName])).toEqual(
			people(7).map((row) => [row['First Name'], row['Last Name']]),
		);
	});
});

it('waits again if the service is away after the release, and imports then', async () => {
	let asked = 0;
	const result = await service.run(node, imports({ maxWait: 60 }), {
		items: await inputOf(people(2), 'items'),
		whileSleeping: async (until, stored) => {
			if (isAsking(await look(stored))) {
				asked++;
				// Hours later than it was asked.
				slept += 20 * 3_600_000;
				await release(stored, await look(stored));
				service.addFault({ kind: 'status', status: 503 }, 'GET /', { count: 12 });
				return;
			}
			service.sandbox.control.clearFaults();
			await service.settle();
			slept += Math.max(0, until.getTime() - Date.now());
		},
	});
	expect(result.error?.message).toBeUndefined();
	expect(asked).toBe(1);
	expect(statusesOf(rowsOf(result))).toEqual(['imported', 'imported']);
});

it('asks, tries the first rows, corrects, and reports on one link', async () => {
	const seen: string[] = [];
	const rows = people(6, { 4: { Mail: 'no..four@example.org' } });
	const result = await service.run(
		node,
		imports({ tryFirst: 2, correctRejected: 60, report: true }),
		{
			items: await inputOf(rows, 'items'),
			whileSleeping: async (until, stored) => {
				const page = await look(stored);
				if (isAsking(page)) {
					seen.push('ask');
					jobs.hold();
					await release(stored, page);
				} else if (page.body.includes('>Done</button>')) {
					seen.push('report');
					const text = textOf(page);
					expect(text).toContain('6 of 6 rows imported');
					expect(text).toContain('Released by Kim Example.');
					expect((await look(stored, {})).body).not.toContain('rows imported');
					const id = /name="read" value="(\w+)"/.exec(page.body)?.[1] ?? '';
					expect((await send(stored, { read: id }, {})).wakes).toBe(false);
					expect((await send(stored, { read: id })).wakes).toBe(true);
					return;
				} else if (page.body.includes('data-question')) {
					seen.push('correct');
					const inputs = [...page.body.matchAll(/<input [^>]*?name="([^"]*)" value="([^"]*)"/g)];
					const form = Object.fromEntries(inputs.map(([, name, value]) => [name, value ?? '']));
					const fields = { ...form, '0.2': 'four@example.org', action: 'import' };
					await send(stored, fields as Record<string, string>);
				} else {
					expect(textOf(page)).toContain('Import in progress since');
					seen.push('progress');
					jobs.release();
				}
				await service.settle();
				if (seen.at(-1) !== 'ask') slept += Math.max(0, until.getTime() - Date.now());
			},
		},
	);
	expect(result.error?.message).toBeUndefined();
	expect([...new Set(seen)]).toEqual(['ask', 'progress', 'correct', 'report']);
	expect(statusesOf(rowsOf(result))).toEqual(Array(6).fill('imported'));
	expect(rowsOf(result).map((row) => resultOf(row).releasedBy)).toEqual(
		Array(6).fill('Kim Example'),
	);
	expect(await reportOf(result)).toContain('Released by Kim Example');
});

it('shows the report for a quarter of an hour where nobody presses Done', async () => {
	const shown: number[] = [];
	const result = await service.run(node, imports({ report: true }), {
		items: await inputOf(people(2), 'items'),
		whileSleeping: async (until, stored) => {
			const page = await look(stored);
			if (isAsking(page)) await release(stored, page);
			const left = Math.max(0, until.getTime() - Date.now());
			if (page.body.includes('>Done</button>')) shown.push(left / 60_000);
			await service.settle();
			slept += left;
		},
	});
	expect(shown).toHaveLength(1);
	expect(shown[0]).toBeGreaterThan(14);
	expect(shown[0]).toBeLessThanOrEqual(15);
	expect(statusesOf(rowsOf(result))).toEqual(['imported', 'imported']);
});

describe('a slow call that brings the execution back to the question', () => {
	/** @param late what it answers */
	async function runBack(late: string): Promise<NodeRun> {
		service.change({ styles: { jobDescriptions: true } });
		let older: IRunExecutionData | undefined;
		let sleeps = 0;
		return await service.run(node, imports({ maxWait: 600 }), {
			items: await inputOf(people(4), 'items'),
			whileSleeping: async (until, stored) => {
				if (++sleeps > 6) throw new Error('It waits for ever.');
				const page = await look(stored);
				if (!older && isAsking(page)) {
					older = structuredClone(stored);
					const form = JSON.stringify(older);
					// This acts as another process of n8n, which knows nothing of the first answer.
					const reply = { isReleased: late === 'import', by: 'Somebody Slow' };
					older = JSON.parse(
						form.replace('"marks":', `"reply":${JSON.stringify(reply)},"marks":`),
					) as IRunExecutionData;
					jobs.hold();
					await release(stored, page);
				} else if (older) {
					Object.assign(stored, older);
					older = undefined;
					jobs.release();
					await service.settle();
				}
				slept += sleeps > 1 ? Math.max(0, until.getTime() - Date.now()) : 0;
			},
		});
	}

	it('with a release starts no job twice', async () => {
		const result = await runBack('import');
		expect(result.error?.message).toBeUndefined();
		expect(service.starts()).toHaveLength(1);
		expect(statusesOf(rowsOf(result))).toEqual(Array(4).fill('imported'));
	});

	it('with a cancel does not say that nothing was sent', async () => {
		const result = await runBack('cancel');
		expect(service.starts()).toHaveLength(1);
		expect(statusesOf(rowsOf(result))).toEqual(Array(4).fill('unknown'));
		expect(String(rowsOf(result)[0]?.json.reason)).toMatch(/may have been sent/);
	});
});
