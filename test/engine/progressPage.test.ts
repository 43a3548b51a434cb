import { isUndefined, omitBy } from 'lodash';
import type { IDataObject, IRunExecutionData } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { pageText } from '../support/pageText';
import type { NodeRun } from './support/engine';
import { itemImport, itemsOf, people as peopleRows, personMap } from './support/itemImports';
import { fieldsOf, peopleJob } from './support/importJobs';
import { PausedJobs } from './support/pausedJobs';
import { DEMO_KEY, useSandbox } from './support/sandboxed';
import { callWaitingLink, type LinkResponse } from './support/waitingLink';

const jobs = new PausedJobs();
const service = useSandbox({ jobTiming: jobs.jobTiming });
beforeEach(() => jobs.hold());
afterEach(() => jobs.release());
const node = new NativeBulkImport();

const PAGE = 'a-page-of-the-test';
const NAME = 'Fair of "March" & friends';

const finishJobs = async (): Promise<void> => {
	jobs.release();
	await service.settle();
};

const setup = () => service.setup(node);
const imports = (more: IDataObject = {}) => ({
	...itemImport(service, personMap, {
		options: omitBy(
			{
				pollInterval: 0.05,
				waitForOutcome: 'database',
				progressPage: PAGE,
				maxRowsPerFile: 3,
				...more,
			},
			isUndefined,
		) as never,
	}),
	description: NAME,
});
const people = itemsOf(peopleRows(5));

/** The form in which an older n8n stores it, whose links have no signature. */
const unsigned = ({ resumeToken: _, ...stored }: IRunExecutionData): IRunExecutionData => stored;

/** Runs an import and looks at it while it waits. */
async function runAndLook(
	look: (stored: IRunExecutionData) => Promise<void>,
	parameters: ReturnType<typeof imports> = imports(),
): Promise<NodeRun> {
	let looks = 0;
	const run = await service.run(node, parameters, {
		items: people,
		whileSleeping: async (_, stored) => {
			looks++;
			await look(stored);
			await finishJobs();
		},
	});
	expect(run.error?.message).toBeUndefined();
	expect(looks).toBe(1);
	return run;
}

const textOf = ({ body }: LinkResponse) => pageText(body, ['style', 'script', 'title']);

it('the page of an import that waits shows its name, its jobs, and what comes next', async () => {
	const run = await runAndLook(async (stored) => {
		const page = await callWaitingLink(setup(), unsigned(stored), 'GET', { page: PAGE });
		expect(page.wakes).toBe(false);
		const [first, second] = service.jobs();
		const text = textOf(page);
		expect(text).toContain('Fair of &quot;March&quot; &amp; friends Import in progress since 20');
		expect(text).toContain('5 rows in 2 import jobs');
		expect(text).toMatch(new RegExp(`${first?.id} 3 \\w+ ${second?.id} 2 \\w+`));
		expect(text).toMatch(/The next check is at about \d{4}-\d\d-\d\d \d\d:\d\d,/);
		expect(text).toContain('You can close this page, the link stays.');
	});
	expect(run.outputs.flat().map(({ json: { status } }) => status)).toEqual(
		people.map(() => 'imported'),
	);
	const link = new URL(run.customData.importPage ?? '');
	expect(link.pathname).toBe('/form-waiting/1');
	expect(link.searchParams.get('page')).toBe(PAGE);
});

it('the page loads nothing, runs only its own script, and holds no key or secret', async () => {
	await runAndLook(async (stored) => {
		const { headers, body } = await callWaitingLink(setup(), stored, 'GET', { page: PAGE });
		const policy = headers['Content-Security-Policy'] ?? '';
		expect(policy).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-/);
		expect(policy).toMatch(/sandbox allow-scripts$/);
		expect(body).not.toMatch(/(src|href|action)=|@import|url\(/);
		expect(body).not.toContain(PAGE);
		expect(body).not.toContain(DEMO_KEY);
	});
});

it.each([
	['no secret', {}],
	['a wrong one', { page: 'a-page-of-the-tesT' }],
	['its beginning', { page: 'a-page' }],
	['several', { page: [PAGE] }],
])('a link with %s says nothing about the import', async (_, query) => {
	await runAndLook(async (stored) => {
		const page = await callWaitingLink(setup(), unsigned(stored), 'GET', query);
		expect(page.wakes).toBe(false);
		expect(textOf(page)).toMatch(/^ Please wait This page shows the result when there is one\./);
		expect(textOf(page)).not.toMatch(/import|rows/i);
		expect(page.body).not.toMatch(/Fair|March/);
		for (const { id } of service.jobs()) expect(page.body).not.toContain(String(id));
	});
});

it('a link with an empty secret makes the browser ask for it', async () => {
	const basic = (text: string) => ({
		authorization: `Basic ${Buffer.from(text).toString('base64')}`,
	});
	await runAndLook(async (stored) => {
		const open = async (headers: Record<string, string>) =>
			await callWaitingLink(setup(), unsigned(stored), 'GET', { page: '' }, {}, headers);
		const wrong = [{}, basic('anybody:wrong'), basic(`:${PAGE}x`), { authorization: PAGE }];
		for (const headers of wrong) {
			const page = await open(headers);
			expect(page).toMatchObject({ status: 401, wakes: false });
			expect(page.headers['WWW-Authenticate']).toBe('Basic realm="Import", charset="UTF-8"');
			expect(page.body).not.toMatch(/Fair|March/);
		}
		const page = await open(basic(`anybody:${PAGE}`));
		expect(page.status).toBe(200);
		expect(textOf(page)).toContain('5 rows in 2 import jobs');
	});
});

it('a link that n8n has signed and checked needs no other secret', async () => {
	await runAndLook(async (stored) => {
		expect(textOf(await callWaitingLink(setup(), stored, 'GET'))).toContain('5 rows');
	});
});

it('without the option there is no page, and no call wakes the node', async () => {
	const run = await runAndLook(
		async (stored) => {
			expect(textOf(await callWaitingLink(setup(), stored, 'GET'))).toMatch(/^ Please wait/);
			for (const query of [{}, { wake: '' }, { wake: 'undefined' }]) {
				const called = await callWaitingLink(setup(), stored, 'POST', query);
				expect(called).toMatchObject({ wakes: false, status: 403 });
			}
		},
		imports({ progressPage: undefined }),
	);
	expect(run.customData.importPage).toBeUndefined();
});

it('only the link that was given to the service wakes the node, and only while it waits', async () => {
	const secretOf = (body: unknown) =>
		new URL(
			(body as { listeners: Array<{ value: string }> }).listeners[0]?.value ?? '',
		).searchParams.get('wake') ?? '';
	let older: IRunExecutionData | undefined;
	await runAndLook(
		async (stored) => {
			older = structuredClone(stored);
			const [first, second] = service.starts().map(({ body }) => secretOf(body));
			expect(first).toMatch(/^[0-9a-f]{32}$/);
			expect(second).toBe(first);
			const call = async (wake: unknown) =>
				await callWaitingLink(setup(), stored, 'POST', { wake });
			for (const wake of [`${first}x`, first?.slice(1), [first], PAGE])
				expect(await call(wake)).toMatchObject({ wakes: false, status: 403 });
			expect(await call(first)).toMatchObject({ wakes: true });
		},
		imports({ wakeByService: true }),
	);
	// n8n has loaded this state for a call whose body comes only now.
	const late = { wake: secretOf(service.starts()[0]?.body) };
	expect(older).toBeDefined();
	if (older)
		expect(await callWaitingLink(setup(), older, 'POST', late)).toMatchObject({
			wakes: false,
			status: 409,
		});
});

it('no page can be shown in a frame', async () => {
	await runAndLook(async (stored) => {
		const { headers } = await callWaitingLink(setup(), stored, 'GET', { page: PAGE });
		expect(headers['Content-Security-Policy']).toContain("frame-ancestors 'none'");
	});
});

it('the page of other jobs is headed by the workflow', async () => {
	const parameters = fieldsOf(await peopleJob(service), {
		pollInterval: 0.05,
		waitForCompletion: 'database',
		progressPage: PAGE,
	});
	let text = '';
	await service.run(node, parameters, {
		whileSleeping: async (_, stored) => {
			text = textOf(await callWaitingLink(setup(), stored, 'GET', { page: PAGE }));
			await finishJobs();
		},
	});
	expect(text).toContain('Workflow of a test Import in progress');
	expect(text).toContain('1 import job');
});

it.each(['short', 'not in a link: ?&=12345678', 'x'.repeat(201)])(
	'refuses a secret that is %p before anything is sent',
	async (progressPage) => {
		const run = await service.run(node, imports({ progressPage }), { items: people });
		expect(run.error?.message).toMatch(/Secret of the Link/);
		expect(service.calls()).toEqual([]);
	},
);
