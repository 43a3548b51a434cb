import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import type { StoredWorkflow } from '../hosts/n8nClient';
import { importItemsNode, itemsWorkflow } from '../hosts/workflows';
import './afterKill';
import { running } from './importItemsN8n';
import { startedJobs } from './importRequests';
import { assertSuccess, only } from './testN8n';
import './twoImports';

const ROWS = 1000;

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

/** Why the service rejects a row; undefined if it is good. */
function flaw(row: number): string | undefined {
	if (row % 25 === 7) return 'Invalid email address';
	if (row % 25 === 19) return 'Invalid phone number';
	return undefined;
}
const rowsOf = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, row) => ({
		number: row,
		'First Name': `First${row}`,
		'Last Name': row % 5 === 2 ? `${DIFFICULT[row % DIFFICULT.length]} ${row}` : `Last${row}`,
		Mail: row % 25 === 7 ? `no.."address"${row}@example.org` : `person.${row}@example.org`,
		Mobile: row % 25 === 19 ? `☎, ${row}` : '907-555-0100',
	}));
const kept = (value: unknown) => String(value).replace('\n', ' ');

const FIELDS = {
	FirstName: '={{ $json["First Name"] }}',
	LastName: '={{ $json["Last Name"] }}',
	Email: '={{ $json.Mail }}',
	Phone: '={{ $json.Mobile }}',
};

/** A workflow that imports rows from a link to n8n. */
async function store(rows: IDataObject[]): Promise<StoredWorkflow> {
	const node = importItemsNode(running.credentialId, { hosting: 'n8n' }, FIELDS);
	return await running.n8n.client.createWorkflow(itemsWorkflow(rows, [node]));
}

const resultSchema = z.object({
	status: z.string(),
	jobId: z.number(),
	primaryKey: z.number().nullable(),
	reason: z.string().optional(),
});
const resultOf = ({ json }: INodeExecutionData) => resultSchema.parse(json.importResult);

/** Every row once, in order, paired with itself and with its own data and its own outcome. */
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
	running.sandbox.control.reset();
	const rows = rowsOf(ROWS);
	const execution = await running.n8n.client.run(await store(rows), 'Start');
	assertSuccess(execution);
	assertOwnOutcomes(rows, execution.nodes['Import Items']?.items[0] ?? []);
	const link = new URL(only(startedJobs(running.sandbox)).file.sourceUrl);
	assert.equal(link.origin, running.linkUrl);
	assert.equal(link.protocol, 'https:');
	const { status429, leakedCredentials } = running.sandbox.control.stats();
	assert.deepEqual({ status429, leakedCredentials }, { status429: 0, leakedCredentials: 0 });
});
