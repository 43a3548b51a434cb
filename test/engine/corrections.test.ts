import type { IDataObject, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

import { mapFields } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { type NodeRun, type NodeRunOptions, readBinary, runNode } from './support/engine';
import { csvOf, fileOf, itemImport, messagesOf, personMap, reportOf } from './support/itemImports';
import { DEMO_KEY, useSandbox } from './support/sandboxed';
import { callWaitingLink, type LinkResponse } from './support/waitingLink';

const service = useSandbox();
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
			correctRejected: 60,
			...options,
		},
		...changes,
	} as never);
const rows: INodeExecutionData[] = [
	'ada@example.org',
	'no..one@example.org',
	'cy@example.org',
	'no..two@example.org',
].map((Mail, row) => ({ json: { 'First Name': `First${row}`, 'Last Name': 'Example', Mail } }));

const imported = () =>
	service.people().filter(({ fields }) => /^First\d/.test(String(fields.firstName)));

/** The fields of the form on a page. */
function formOf({ body }: LinkResponse): Record<string, string> {
	const inputs = [...body.matchAll(/<input [^>]*?name="([^"]*)" value="([^"]*)"/g)];
	return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]));
}

type Visit = (stored: IRunExecutionData, visits: number) => Promise<void>;

/** Runs an import; its page is visited in each of its sleeps from the first one with rows to correct. */
async function run(
	visit: Visit,
	parameters = imports(),
	setup: Partial<NodeRunOptions> = {},
): Promise<NodeRun & { visits: number }> {
	let visits = 0;
	const result = await service.run(node, parameters, {
		items: rows,
		whileSleeping: async (until, stored) => {
			const hasOffer = (await look(stored)).body.includes('data-question');
			if (visits > 0 || hasOffer) await visit(stored, ++visits);
			if (visits > 5) throw new Error('It waits for ever.');
			await service.settle();
			if (visits > 1) slept += until.getTime() - Date.now();
		},
		...setup,
	});
	return { ...result, visits };
}

const look = async (stored: IRunExecutionData, query: IDataObject = PAGE) =>
	await callWaitingLink(service.setup(node), stored, 'GET', query);
const send = async (
	stored: IRunExecutionData,
	form: Record<string, string>,
	query: IDataObject = PAGE,
) => await callWaitingLink(service.setup(node), stored, 'POST', query, form);

const resultsOf = ({ outputs }: NodeRun) =>
	outputs.flat().map(({ json }) => json.importResult as IDataObject);
const statusesOf = (result: NodeRun) => resultsOf(result).map(({ status }) => status);

const correctedOf = (result: NodeRun) => resultsOf(result).map(({ corrected }) => corrected);
const importNow = (form: Record<string, string>) => ({ ...form, action: 'import' });

it('imports the rows that were changed once, with one more job, and marks them', async () => {
	const bodies: string[] = [];
	const result = await run(async (stored, visits) => {
		if (visits > 1) return;
		const form = formOf(await look(stored));
		expect(Object.values(form).slice(1)).toEqual([
			'First1',
			'Example',
			'no..one@example.org',
			'First3',
			'Example',
			'no..two@example.org',
		]);
		const sent = await send(stored, importNow({ ...form, '0.2': 'bo@example.org' }));
		expect(sent.wakes).toBe(true);
		const states = stored.executionData?.nodeExecutionStack.map(({ metadata }) => metadata);
		bodies.push(sent.body, JSON.stringify(states));
	});
	expect(result.error?.message).toBeUndefined();
	expect(bodies[0]).toContain('1 corrected row received');
	expect(bodies[1]).not.toContain(DEMO_KEY);
	expect(bodies[1]).toContain('bo@example.org');
	expect(bodies[1]).not.toContain('sig=');
	expect(service.starts()).toHaveLength(2);
	expect(statusesOf(result)).toEqual(['imported', 'imported', 'imported', 'failed']);
	expect(correctedOf(result)).toEqual([
		undefined,
		{ Mail: 'bo@example.org' },
		undefined,
		undefined,
	]);
	expect(result.outputs.flat().map(({ pairedItem }) => pairedItem)).toEqual(
		rows.map((_, item) => ({ item })),
	);
	expect(imported()).toHaveLength(3);
	const jobs = service.starts().map((_, index) => resultsOf(result)[index]?.jobId);
	expect(new Set(jobs).size).toBe(2);
	expect(messagesOf(result)).toMatch(
		/3 imported, 1 failed; 1 of them corrected; import jobs \d+, \d+/,
	);
});

it('imports the corrected rows with one job, whatever Try First says', async () => {
	const options = { tryFirst: 1, stopAbove: 99 };
	const result = await run(async (stored, visits) => {
		if (visits > 1) return;
		const form = formOf(await look(stored)) as Record<string, string>;
		const changed = { '0.2': 'bo@example.org', '1.2': 'di@example.org' };
		await send(stored, importNow({ ...form, ...changed }));
	}, imports(options));
	expect(result.error?.message).toBeUndefined();
	expect(statusesOf(result)).toEqual(Array(4).fill('imported'));
	expect(service.starts()).toHaveLength(3);
});

it.each([
	[
		'it is finished',
		async (stored: IRunExecutionData) => {
			const form = { ...formOf(await look(stored)), '0.2': 'bo@example.org', action: 'finish' };
			expect((await send(stored, form)).wakes).toBe(true);
		},
		1,
	],
	[
		'the time is over',
		async () => {
			slept += 3_600_000;
			await Promise.resolve();
		},
		1,
	],
] as const)('returns the first outcome when %s', async (_, visit, visits) => {
	const result = await run(visit);
	expect(result.error?.message).toBeUndefined();
	expect(result.visits).toBe(visits);
	expect(service.starts()).toHaveLength(1);
	expect(statusesOf(result)).toEqual(['imported', 'failed', 'imported', 'failed']);
	expect(correctedOf(result)).toEqual(rows.map(() => undefined));
});

it('a call without the secret shows nothing, changes nothing and wakes nothing', async () => {
	const result = await run(async (stored, visits) => {
		if (visits > 1) return;
		const form = importNow({ ...formOf(await look(stored)), '0.2': 'bo@example.org' });
		for (const query of [{}, { page: 'a-page-of-the-tesT' }, { page: [PAGE.page] }]) {
			const page = await look(stored, query);
			expect(page.body).not.toMatch(/First1|no\.\.one|Items of a test/);
			const sent = await send(stored, form, query);
			expect(sent.body).not.toMatch(/First1|no\.\.one|Items of a test/);
			expect(sent.wakes).toBe(false);
		}
	});
	expect(result.visits).toBe(2);
	expect(service.starts()).toHaveLength(1);
	expect(statusesOf(result)).toEqual(['imported', 'failed', 'imported', 'failed']);
});

it('a page of an earlier wait, one without changes and one that is sent again import nothing', async () => {
	const result = await run(async (stored, visits) => {
		if (visits > 1) return;
		const form = formOf(await look(stored));
		const old = await send(
			stored,
			importNow({ ...form, offer: 'another', '0.2': 'bo@example.org' }),
		);
		expect(old.wakes).toBe(false);
		expect(old.body).toContain('out of date');
		const unchanged = await send(stored, importNow(form));
		expect(unchanged.wakes).toBe(false);
		expect(unchanged.body).toContain('No value was changed');
		expect((await send(stored, { ...form, '0.2': 'bo@example.org' })).wakes).toBe(false);
		const first = await send(stored, importNow({ ...form, '0.2': 'bo@example.org' }));
		expect(first.wakes).toBe(true);
		const second = await send(stored, importNow({ ...form, '0.2': 'cy@example.org' }));
		expect(second.wakes).toBe(false);
		expect(second.body).not.toContain('First1');
	});
	expect(service.starts()).toHaveLength(2);
	expect(correctedOf(result)[1]).toEqual({ Mail: 'bo@example.org' });
});

it('a corrected row does not go into another database', async () => {
	const setup = service.setup(node);
	const result = await runNode({
		...setup,
		parameters: imports(),
		items: rows,
		whileSleeping: async (until, stored) => {
			await service.settle();
			slept += until.getTime() - Date.now();
			const page = await look(stored);
			if (!page.body.includes('data-question')) return;
			await send(stored, importNow({ ...formOf(page), '0.2': 'bo@example.org' }));
			// The same service for the test, but another one for all the node can tell.
			const { nativeApi } = setup.credentials;
			nativeApi.baseUrl = String(nativeApi.baseUrl).replace('127.0.0.1', 'localhost');
		},
	});
	expect(service.starts()).toHaveLength(1);
	expect(result.error?.message).toMatch(/^The credential now has another database/);
	expect(result.error?.description).toContain(`(${service.jobs()[0]?.id})`);
});

it('a corrected row whose job may have started is in doubt, and one that is wrong again is not sent', async () => {
	const result = await run(
		async (stored, visits) => {
			if (visits > 1) return;
			service.addFault({ kind: 'noResponse' }, 'POST /bulkImportJobs', { count: 9 });
			const form = formOf(await look(stored));
			await send(stored, importNow({ ...form, '0.2': 'bo@example.org', '1.2': 'nobody' }));
		},
		imports({ timeout: 1 }),
	);
	expect(result.error?.message).toBeUndefined();
	expect(statusesOf(result)).toEqual(['imported', 'unknown', 'imported', 'invalid']);
	expect(messagesOf(result)).toMatch(
		/1 unknown \(do not import again\); 2 of them corrected; import/,
	);
	expect(service.starts()).toHaveLength(2);
});

it('a row whose record exists is not offered', async () => {
	const phones = { 'Phones:Phone': '={{ $json.Phone }}', 'Phones:PhoneTypeID': 'C' };
	const map = { ...personMap, ...phones };
	const [ok, rejected] = rows.map(({ json }) => json);
	const result = await run(
		async (stored) => {
			expect(Object.values(formOf(await look(stored)))).not.toContain('First0');
			expect(Object.values(formOf(await look(stored)))).toContain('First1');
			await send(stored, { ...formOf(await look(stored)), action: 'finish' });
		},
		imports(
			{},
			{
				fieldMap: mapFields(map) as never,
				mappingTypes: ['CreateOrUpdateContact', 'Phones'],
			},
		),
		{ items: [{ json: { ...ok, Phone: '12' } }, { json: { ...rejected, Phone: '12' } }] },
	);
	expect(statusesOf(result)).toEqual(['failed', 'failed']);
	expect(resultsOf(result).map(({ primaryKey }) => primaryKey !== null)).toEqual([true, false]);
});

it('no row is offered whose outcome is in doubt, and none without the option', async () => {
	const without = await run(async () => await Promise.resolve(), imports({ correctRejected: 0 }));
	expect(without.visits).toBe(0);
	service.addFault({ kind: 'status', status: 404 }, 'GET /results/', { count: 9 });
	const inDoubt = await run(async () => await Promise.resolve());
	expect(inDoubt.visits).toBe(0);
});

it.each([
	[{ correctRejected: 721 }, /at most 720/],
	[
		{ runKey: 'march' },
		/Time to Fix.* does not work with If This List Was Imported Before set to Continue/,
	],
	[{ skipUnchangedBy: 'Mail' }, /Time to Fix.* does not work with Skip Rows/],
	// The item of a file has no such value.
	[{ skipUnchangedBy: '={{ $json.ID }}' }, /Time to Fix.* does not work with Skip Rows/],
])('refuses %p before anything is sent', async (options, message) => {
	const result = await run(async () => await Promise.resolve(), imports(options));
	expect(result.error?.message).toMatch(message);
	expect(service.calls()).toEqual([]);
});

it('names the job of the corrected rows if the file cannot be read after it was started', async () => {
	let letItEnd = () => {};
	const result = await run(
		async (stored, visits) => {
			if (visits > 1) {
				letItEnd();
				for (const { data } of stored.executionData?.nodeExecutionStack ?? [])
					for (const item of data.main?.flat() ?? []) delete item?.binary;
				return;
			}
			const texts = { Completed: 'InProgress', CompletedWithErrors: 'InProgress' };
			letItEnd = service.addFault({ kind: 'replaced', texts }, 'GET /bulkImportJobs/', {
				count: 1000,
			});
			await send(stored, importNow({ ...formOf(await look(stored)), '0.2': 'bo@example.org' }));
		},
		imports({}, { source: 'binary' }),
		{ items: [await fileOf(csvOf(rows.map(({ json }) => json)))] },
	);
	const jobs = service.jobs().map(({ id }) => id);
	expect(jobs).toHaveLength(2);
	const { message, description } = result.error ?? {};
	for (const jobId of jobs) expect(`${message} ${description}`).toContain(String(jobId));
	expect(description).toContain('Do not import');
});

it('of a file, also when the second job takes long, and lists the corrected rows in the report', async () => {
	let letItEnd = () => {};
	const result = await run(
		async (stored, visits) => {
			if (visits > 1) {
				const text = (await look(stored)).body;
				expect(text).toContain('Import in progress');
				expect(text).not.toMatch(/data-question|First1/);
				letItEnd();
				return;
			}
			const form = formOf(await look(stored));
			const texts = { Completed: 'InProgress', CompletedWithErrors: 'InProgress' };
			letItEnd = service.addFault({ kind: 'replaced', texts }, 'GET /bulkImportJobs/', {
				count: 1000,
			});
			await send(stored, importNow({ ...form, '1.2': 'di@example.org' }));
		},
		imports({ report: true, rejectedRows: true, outputRows: 'all' }, { source: 'binary' }),
		{ items: [await fileOf(csvOf(rows.map(({ json }) => json)))] },
	);
	expect(result.error?.message).toBeUndefined();
	const [summary, ...others] = result.outputs.flat();
	expect(summary?.json.importSummary).toMatchObject({
		rows: 4,
		imported: 3,
		failed: 1,
		corrected: 1,
	});
	expect((summary?.json.importSummary as IDataObject).jobs).toHaveLength(2);
	expect(others.map(({ json }) => (json.importResult as IDataObject).line)).toEqual([2, 3, 4, 5]);
	expect(others.map(({ json }) => json.status)).toEqual([
		'imported',
		'failed',
		'imported',
		'imported',
	]);
	expect(summary?.binary).toHaveProperty('report');
	const rejected = await readBinary(summary, 'rejected');
	expect(String(rejected)).toContain('First1');
	expect(String(rejected)).not.toContain('First3');
});

it('leaves no word in the report of what was corrected', async () => {
	const items = [
		...rows.map(({ json }) => ({ json: { ...json, DOB: '1980-05-06' } })),
		{
			json: {
				'First Name': 'First4',
				'Last Name': 'Example',
				Mail: 'nobody',
				Zip: '9950',
				Notes: '',
				Phone: '12',
			},
		},
		{
			json: {
				'First Name': 'First5',
				'Last Name': 'Example',
				Mail: 'b@example.org',
				DOB: '2/30/01',
				Phone: '12',
			},
		},
	];
	const born = {
		...personMap,
		'CreateOrUpdateContact:DOB': '={{ $json.DOB }}',
		'CreateOrUpdateContact:Phone': '={{ $json.Phone }}',
	};
	const result = await run(
		async (stored, visits) => {
			if (visits > 1) return;
			const form = formOf(await look(stored));
			const fixed = Object.entries(form).map(([name, value]) => {
				if (/^no/.test(value)) return [name, `fixed${name}@example.org`];
				if (value === '12') return [name, '9075550123'];
				return [name, value === '2/30/01' ? '2/28/2001' : value];
			});
			await send(stored, importNow(Object.fromEntries(fixed) as Record<string, string>));
		},
		imports(
			{ report: true, rejectedRows: true, dateFormat: 'monthFirst' },
			{ fieldMap: mapFields(born) as never },
		),
		{ items },
	);
	expect(result.error?.message).toBeUndefined();
	expect(statusesOf(result)).toEqual(Array(6).fill('imported'));
	const html = await reportOf(result);
	expect(html).toContain('<b>6</b> of 6 rows imported');
	expect(html).toContain('Nothing: every row was imported.');
	for (const word of [
		/no\.\.one/,
		/nobody/,
		/First4/,
		/items? 5/,
		/Check 2 values of Phone/,
		/2\/30\/01/,
		/rejected-rows/,
		/invalid/i,
	])
		expect(html.replace(/<style>[^]*<\/style>/, '')).not.toMatch(word);
	expect(result.outputs.flat().some(({ binary }) => binary?.rejected)).toBe(false);
});

it('offers no more than a browser can send to n8n at once', async () => {
	// A page has a million characters: nine of the longest values there are, and some short ones.
	const items = Array.from({ length: 11 }, (_, row) => ({
		json: {
			'First Name': `First${row}`,
			'Last Name': row < 10 ? 'x'.repeat(100_000) : 'Example',
			Mail: 'no..one@example.org',
		},
	}));
	const result = await run(
		async (stored) => {
			const page = await look(stored);
			const form = formOf(page);
			const offered = Object.values(form).filter((value) => /^First/.test(value));
			expect(offered).toHaveLength(10);
			expect(offered).not.toContain('First9');
			expect(page.body).toContain('1 more rejected row');
			expect((await send(stored, { ...form, action: 'finish' })).wakes).toBe(true);
		},
		imports(),
		{ items: [...items, ...rows.slice(0, 1)] },
	);
	expect(result.error?.message).toBeUndefined();
	expect(result.visits).toBe(1);
});

it('an invalid row is offered, its value is checked again, and is not offered again', async () => {
	const items = ['2001-02-30', '1980-05-06'].map((DOB, row) => ({
		json: { 'First Name': `First${row}`, 'Last Name': 'Example', Mail: `p${row}@example.org`, DOB },
	}));
	const map = { ...personMap, 'CreateOrUpdateContact:DOB': '={{ $json.DOB }}' };
	const dates = { dateFormat: 'yyyy-MM-dd' };
	const parameters = (more: IDataObject = {}) =>
		imports({ ...dates, ...more }, { fieldMap: mapFields(map) as never });
	const correctTo = async (DOB: string) =>
		await run(
			async (stored, visits) => {
				if (visits > 1) return;
				const page = await look(stored);
				expect(page.body).toMatch(/value="2001-02-30"[^>]*aria-invalid/);
				await send(stored, importNow({ ...formOf(page), '0.3': DOB }));
			},
			parameters(),
			{ items, onError: 'continueRegularOutput' },
		);
	expect(statusesOf(await correctTo('2001-02-28'))).toEqual(['imported', 'imported']);
	expect(service.starts()).toHaveLength(2);
	const wrong = await correctTo('30 February');
	expect(statusesOf(wrong)).toEqual(['invalid', 'imported']);
	expect(correctedOf(wrong)).toEqual([{ DOB: '30 February' }, undefined]);
	expect(service.starts()).toHaveLength(3);
});

it('a date that is not corrected is sent again as it was', async () => {
	const born = '={{ DateTime.fromISO($json.Born, { zone: "America/New_York" }) }}';
	const map = { ...personMap, 'CreateOrUpdateContact:DOB': born };
	const items = rows.map(({ json }) => ({ json: { ...json, Born: '1945-09-18' } }));
	const result = await run(
		async (stored, visits) => {
			if (visits > 1) return;
			const form = formOf(await look(stored));
			expect(Object.values(form)).toContain('1945-09-18');
			await send(stored, importNow({ ...form, '0.2': 'bo@example.org' }));
		},
		imports({}, { fieldMap: mapFields(map) as never }),
		{ items },
	);
	expect(statusesOf(result)[1]).toBe('imported');
	expect(imported().map(({ fields }) => String(fields.dateOfBirth))).toEqual(
		Array.from({ length: 3 }, () => '1945-09-18'),
	);
});

it.each<[string, unknown]>([
	['a list', ['Example']],
	['a number with too many digits', 2 ** 64],
	['a number that is none', NaN],
	['an invalid date', new Date('')],
])('%s that nobody corrected is still invalid', async (_, value) => {
	const [first] = rows;
	const wrong = { json: { ...first?.json, 'Last Name': value as never, Mail: { a: 1 } } };
	const correct = async (typed: Record<string, string>) =>
		await run(
			async (stored, visits) => {
				if (visits > 1) return;
				const { offer = '' } = formOf(await look(stored));
				await send(stored, importNow({ offer, ...typed }));
			},
			imports(),
			{ items: [...rows.slice(0, 1), wrong], onError: 'continueRegularOutput' },
		);
	expect(statusesOf(await correct({ '0.2': 'bo@example.org' }))).toEqual(['imported', 'invalid']);
	expect(service.starts()).toHaveLength(1);
	const both = await correct({ '0.1': 'Example', '0.2': 'bo@example.org' });
	expect(statusesOf(both)).toEqual(['imported', 'imported']);
});

it('names the jobs if an option cannot be read any more after the wait', async () => {
	const result = await run(
		async (stored) => {
			const stack = stored.executionData?.nodeExecutionStack ?? [];
			for (const { json } of stack.flatMap(({ data }) => data.main?.[0] ?? [])) json.minutes = -1;
			await Promise.resolve();
		},
		imports({ correctRejected: '={{ $json.minutes }}' }),
		{ items: rows.map(({ json }) => ({ json: { ...json, minutes: 60 } })) },
	);
	expect(service.starts()).toHaveLength(1);
	expect(result.error?.message).toMatch(
		/^Import job \d+ has ended, but its results could not be read: .*"-1" is not a number above 0/,
	);
	expect(result.error?.description).toMatch(/^Do not import its rows again\./);
});
