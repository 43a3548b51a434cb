import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { after, afterEach, before, it } from 'node:test';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { z } from 'zod';
import { itemsWorkflow, type NodeInRow } from '../hosts/itemsWorkflow';
import type { Execution, StoredWorkflow } from '../hosts/n8nClient';
import { packageManifest } from '../hosts/packPackage';
import { startSandboxedN8n, type SandboxedN8n } from '../hosts/sandboxedN8n';

const STARTING_MS = 15 * 60 * 1000;
const ROWS = 1000;

let running: SandboxedN8n;
let credentialId: string;

before(
	async () => {
		running = await startSandboxedN8n({ https: true });
		credentialId = await running.n8n.client.createCredential(running.credential('demo'));
	},
	{ timeout: STARTING_MS },
);
afterEach(() => running.sandbox.control.reset());
after(async () => {
	await running?.close();
});

/** Values that a file of rows and columns could be led astray by. */
const DIFFICULT = [
	'Sam, ple',
	'"Quoted"',
	'Say ""twice"", then',
	'First line\nsecond line',
	'👩‍👩‍👧 Zoë 美咲',
	"'=1+1",
	'Ends with a quote"',
	'\\',
];

/** Why the service refuses a row; undefined if it is good. */
function flaw(row: number): string | undefined {
	if (row % 25 === 7) return 'CreateOrUpdateContact: Invalid email address';
	if (row % 25 === 19) return 'CreateOrUpdateContact: Invalid phone number';
	return undefined;
}
const rowsOf = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, row) => ({
		number: row,
		'First Name': `First${row}`,
		'Last Name': row % 5 === 2 ? `${DIFFICULT[row % DIFFICULT.length]} ${row}` : `Last${row}`,
		Mail: row % 25 === 7 ? `no,"address"\n${row}` : `person.${row}@example.org`,
		Mobile: row % 25 === 19 ? `☎, ${row}` : '907-555-0100',
	}));
const kept = (value: unknown) => String(value).replace('\n', ' ');

const nativeBulkImport = (name: string, parameters: INodeParameters): NodeInRow => ({
	name,
	type: `${packageManifest.name}.nativeBulkImport`,
	credentials: { nativeApi: { id: credentialId, name: 'Native API' } },
	parameters,
});
const importItems = (changes: INodeParameters): NodeInRow =>
	nativeBulkImport('Import Items', {
		resource: 'job',
		operation: 'createFromItems',
		resourceType: { __rl: true, mode: 'list', value: 'Contacts' },
		mappingTypes: ['CreateOrUpdateContact'],
		fieldMap: {
			mappingMode: 'defineBelow',
			value: {
				'CreateOrUpdateContact:FirstName': '={{ $json["First Name"] }}',
				'CreateOrUpdateContact:LastName': '={{ $json["Last Name"] }}',
				'CreateOrUpdateContact:Email': '={{ $json.Mail }}',
				'CreateOrUpdateContact:Phone': '={{ $json.Mobile }}',
			},
			schema: [],
			matchingColumns: [],
		},
		description: 'Sign-ups of this week',
		options: { pollInterval: 1 },
		...changes,
	});

const readStored = async (rows: IDataObject[], ...nodes: NodeInRow[]): Promise<StoredWorkflow> =>
	await running.n8n.client.createWorkflow(itemsWorkflow('Import items', rows, nodes));
const runImport = async (rows: IDataObject[], ...nodes: NodeInRow[]): Promise<Execution> => {
	const execution = await running.n8n.client.run(await readStored(rows, ...nodes), 'Start');
	assert.equal(
		execution.status,
		'success',
		`${execution.error?.message} ${String(execution.error?.description)}`,
	);
	return execution;
};
const outputOf = (execution: Execution, node = 'Import Items') =>
	execution.nodes[node]?.items ?? [];

const resultSchema = z.object({
	status: z.string(),
	jobId: z.number(),
	primaryKey: z.number().nullable(),
	reason: z.string().optional(),
});
const resultOf = ({ json }: INodeExecutionData) => resultSchema.parse(json.importResult);

const jobBodySchema = z.object({
	description: z.string(),
	file: z.object({ sourceUrl: z.string() }).passthrough(),
});
const startedJobs = () =>
	running.sandbox.requests
		.filter(({ method, path }) => method === 'POST' && path === '/v2/bulkImportJobs')
		.map(({ body }) => jobBodySchema.parse(body));

/** Every row once, in order, paired with itself and with its own data and its own fate. */
function assertOwnOutcomes(rows: IDataObject[], output: INodeExecutionData[]): void {
	assert.deepEqual(
		output.map(({ json, pairedItem }) => ({ json, pairedItem })),
		rows.map((own, item) => {
			const { status, reason, primaryKey, importResult } = output[item]?.json ?? {};
			return {
				json: { status, reason, primaryKey, ...own, importResult },
				pairedItem: { item },
			};
		}),
	);
	assert.deepEqual(
		output.map((item) => resultOf(item)).map(({ status, reason }) => ({ status, reason })),
		rows.map((_, row) => ({ status: flaw(row) ? 'failed' : 'imported', reason: flaw(row) })),
	);
	const people = new Map(
		running.sandbox.control.people('demo').map((person) => [person.nativeId, person.fields]),
	);
	for (const [row, item] of output.entries()) {
		if (flaw(row)) continue;
		const person = people.get(resultOf(item).primaryKey ?? 0);
		assert.equal(person?.firstName, rows[row]?.['First Name']);
		assert.equal(person?.lastName, kept(rows[row]?.['Last Name']));
	}
}

it('imports items from a link to n8n and gives each item its own outcome', async () => {
	const rows = rowsOf(ROWS);
	const execution = await runImport(rows, importItems({ hosting: 'n8n' }));

	assertOwnOutcomes(rows, outputOf(execution)[0] ?? []);
	const [job, ...more] = startedJobs();
	assert.equal(more.length, 0);
	const link = new URL(job?.file.sourceUrl ?? '');
	assert.equal(link.origin, new URL(running.n8n.url).origin);
	assert.equal(link.protocol, 'https:');
	const { status429, leakedCredentials } = running.sandbox.control.stats();
	assert.deepEqual({ status429, leakedCredentials }, { status429: 0, leakedCredentials: 0 });
});

it('sends rows that the service refuses to the error output, with their reasons', async () => {
	const rows = rowsOf(100);
	const execution = await runImport(rows, {
		...importItems({ hosting: 'n8n' }),
		onError: 'continueErrorOutput',
	});

	const [good = [], bad = []] = outputOf(execution);
	const rowNumbers = rows.map((_, row) => row);
	assert.deepEqual(
		good.map(({ json }) => json.number),
		rowNumbers.filter((row) => !flaw(row)),
	);
	assert.deepEqual(
		bad.map(({ json: { number, error } }) => [
			number,
			z.object({ message: z.string() }).parse(error).message,
		]),
		rowNumbers.filter((row) => flaw(row)).map((row) => [row, flaw(row)]),
	);
});

it('imports items over a pre-signed address', async () => {
	const rows = rowsOf(100);
	const execution = await runImport(
		rows,
		importItems({
			hosting: 'put',
			uploadUrl: `${running.sandbox.httpsUrl}/drop/weekly/{file}?sig=pre-signed`,
		}),
	);
	assertOwnOutcomes(rows, outputOf(execution)[0] ?? []);
	const sourceUrl = startedJobs()[0]?.file.sourceUrl ?? '';
	assert.ok(sourceUrl.startsWith(`${running.sandbox.httpsUrl}/drop/weekly/`), sourceUrl);
	assert.ok(!sourceUrl.includes('sig='), 'the right to write the file was given away');
});

it('imports items over a form with signed fields', async () => {
	const rows = rowsOf(100);
	const execution = await runImport(
		rows,
		importItems({
			hosting: 'post',
			uploadUrl: `${running.sandbox.httpsUrl}/drop`,
			formFields: { field: [{ name: 'key', value: 'forms/{file}' }] },
		}),
	);
	assertOwnOutcomes(rows, outputOf(execution)[0] ?? []);
	const sourceUrl = startedJobs()[0]?.file.sourceUrl ?? '';
	assert.ok(sourceUrl.startsWith(`${running.sandbox.httpsUrl}/drop/forms/`), sourceUrl);
});

it('builds file and job for a user who uploads and starts them with nodes of his own', async () => {
	const rows = rowsOf(100);
	const target = `${running.sandbox.httpsUrl}/drop/own.zip`;
	const execution = await runImport(
		rows,
		importItems({ hosting: 'none' }),
		{
			name: 'Upload',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				method: 'PUT',
				url: `${target}?sig=pre-signed`,
				sendBody: true,
				contentType: 'binaryData',
				inputDataFieldName: 'data',
				options: {},
			},
		},
		nativeBulkImport('Create', {
			resource: 'job',
			operation: 'create',
			defineJob: 'json',
			jobJson: `={{ { ...$('Import Items').item.json.job, file: { ...$('Import Items').item.json.job.file, sourceUrl: '${target}' } } }}`,
			options: { waitForCompletion: true, pollInterval: 1 },
		}),
		nativeBulkImport('Get Results', {
			resource: 'job',
			operation: 'getResults',
			jobId: '={{ $json.jobId }}',
			output: 'rows',
			options: {},
		}),
	);
	assert.deepEqual(
		execution.nodes['Import Items']?.outputs[0]?.map(({ part, rows: count }) => ({ part, count })),
		[{ part: 1, count: rows.length }],
	);
	const results = execution.nodes['Get Results']?.outputs[0] ?? [];
	assert.deepEqual(
		results.map(({ row, succeeded }) => ({ row, succeeded })),
		rows.map((_, row) => ({ row: row + 1, succeeded: !flaw(row) })),
	);
});

it('splits many rows into several jobs, of which a failed one costs only its own rows', async () => {
	const rows = rowsOf(100);
	running.sandbox.control.addFault({
		tenant: 'demo',
		skip: 1,
		fault: { kind: 'job', failure: { kind: 'fail', text: 'The file could not be processed' } },
	});
	const execution = await runImport(rows, {
		...importItems({ hosting: 'n8n', options: { pollInterval: 1, maxRowsPerFile: 30 } }),
		onError: 'continueErrorOutput',
	});

	assert.equal(startedJobs().length, 4);
	const [good = [], bad = []] = outputOf(execution);
	const rowNumbers = rows.map((_, row) => row);
	const isLost = (row: number) => row >= 30 && row < 60;
	assert.deepEqual(
		good.map(({ json }) => json.number),
		rowNumbers.filter((row) => !isLost(row) && !flaw(row)),
	);
	const reasons = bad.map(({ json: { number, error } }): [unknown, string] => [
		number,
		z
			.object({ message: z.string() })
			.parse(error)
			.message.replace(/^Import job \d+/, 'Import job'),
	]);
	assert.deepEqual(
		reasons,
		rowNumbers
			.filter((row) => isLost(row) || flaw(row))
			.map((row) => [
				row,
				isLost(row) ? 'Import job failed: The file could not be processed' : flaw(row),
			]),
	);
});

// The last one: it ends the n8n that the others use.
it('starts no job a second time after a crash, and leaves a job that can be found', async () => {
	running.sandbox.control.addFault({
		tenant: 'demo',
		fault: { kind: 'job', failure: { kind: 'neverEnds' } },
	});
	const workflow = await readStored(rowsOf(10), importItems({ hosting: 'n8n' }));
	const executionId = await running.n8n.client.start(workflow, 'Start');
	const isPolled = () =>
		running.sandbox.requests.some(
			({ method, path }) => method === 'GET' && /\/bulkImportJobs\/\d+$/.test(path),
		);
	for (let tries = 0; !isPolled(); tries++) {
		assert.ok(tries < 200, 'no job was started and polled');
		await wait(100);
	}

	await running.crashN8n();
	const { status } = await running.n8n.client.waitForExecution(executionId, 30_000);
	assert.equal(status, 'crashed');
	await wait(5_000);
	assert.equal(startedJobs().length, 1);
	assert.equal(running.sandbox.control.jobs('demo').length, 1);
	const description = startedJobs()[0]?.description ?? '';
	assert.match(description, new RegExp(`^Sign-ups of this week \\(n8n ${executionId}, `));
});
