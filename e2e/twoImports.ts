/** Two people import two lists at the same time, through one workflow. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { isNewestN8nHost } from '../hosts/n8nHost';
import { waitUntil } from '../hosts/waitUntil';
import { importItemsNode, itemsWorkflow } from '../hosts/workflows';
import { jobs, running } from './importItemsN8n';
import { peopleNamed, startedJobs } from './importRequests';
import { countStatus, outputOf } from './testN8n';

const ROWS = 300;
const NAMES = ['Ada', 'Bob'];

/** The list of a person, with one row that the service rejects. */
const listOf = (name: string): IDataObject[] =>
	Array.from({ length: ROWS }, (_, row) => ({
		first: `${name}${row}`,
		last: 'Example',
		mail: row === 7 ? `no..${row}@example.org` : `${name}.${row}@example.org`,
	}));
const storedOf = (name: string) => peopleNamed(running.sandbox, new RegExp(`^${name}\\d+$`)).length;

const hostings = (name: string): Record<string, INodeParameters> => ({
	'Upload (PUT)': {
		hosting: 'put',
		uploadUrl: `${running.sandbox.httpsUrl}/drop/${name}?sig=pre-signed`,
	},
	'Upload (POST)': {
		hosting: 'post',
		uploadUrl: `${running.sandbox.httpsUrl}/drop`,
		formFields: { field: [{ name: 'key', value: name }] },
	},
	'Link to This Instance': { hosting: 'n8n' },
});

/** Runs two executions at the same time. @returns the rows by status, in the order of the names */
async function importBoth(parameters: INodeParameters | undefined) {
	const node = importItemsNode(running.credentialId, { ...parameters });
	const { client } = running.n8n;
	jobs.hold();
	const executing = Promise.all(
		NAMES.map(async (name) => {
			const nodes = [{ ...node, onError: 'continueRegularOutput' as const }];
			const workflow = await client.createWorkflow(itemsWorkflow(listOf(name), nodes));
			return await client.run(workflow, 'Start');
		}),
	);
	// Both files are uploaded before the service downloads one.
	await waitUntil('both jobs start', () => startedJobs(running.sandbox).length === NAMES.length);
	jobs.release();
	const executions = await executing;
	return executions.map((execution) => {
		const rows = outputOf(execution, 'Import Items');
		assert.equal(rows.length, ROWS);
		const reasons = rows.map(({ reason }) => String(reason));
		const imported = countStatus(execution, 'imported');
		return { imported, failed: countStatus(execution, 'failed'), reasons };
	});
}

// Uploads are the node's part: test/engine/sharedAddress.test.ts has both with both kinds of addresses.
const skip = !isNewestN8nHost();

void describe('two people who import at the same time', () => {
	beforeEach(() => running.sandbox.control.reset());

	for (const [hosting, options] of [
		['Upload (PUT)', { skip }],
		['Upload (POST)', { skip }],
		['Link to This Instance', {}],
	] as const) {
		it(`${hosting}: each gets the outcome of the own list`, options, async () => {
			const outcomes = await importBoth(hostings('{file}')[hosting]);
			for (const { imported, failed } of outcomes)
				assert.deepEqual({ imported, failed }, { imported: ROWS - 1, failed: 1 });
			assert.deepEqual(NAMES.map(storedOf), [ROWS - 1, ROWS - 1]);
			const addresses = startedJobs(running.sandbox).map(({ file }) => file.sourceUrl);
			assert.equal(new Set(addresses).size, 2);
		});
	}

	for (const [hosting, options] of [
		['Upload (PUT)', {}],
		['Upload (POST)', { skip }],
	] as const) {
		it(`${hosting}: a list whose file was replaced is never called imported`, options, async () => {
			const outcomes = await importBoth(hostings('people.zip')[hosting]);
			const stored = NAMES.map(storedOf);
			assert.deepEqual(
				[...stored].sort((a, b) => a - b),
				[0, ROWS - 1],
			);
			for (const [index, { imported, failed, reasons }] of outcomes.entries()) {
				if (stored[index] === 0) {
					assert.deepEqual({ imported, failed }, { imported: 0, failed: 0 });
					assert.ok(reasons.every((reason) => reason.includes('another upload replaced it')));
				} else assert.deepEqual({ imported, failed }, { imported: ROWS - 1, failed: 1 });
			}
		});
	}
});
