/** What n8n remembers over a kill, in its own database, of rows, items and jobs: one kill for all of them. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { examplesFolder } from '../hosts/importOutcome';
import type { StoredWorkflow } from '../hosts/n8nClient';
import { waitUntil } from '../hosts/waitUntil';
import { changeNode, importItemsNode, itemsWorkflow, postNode } from '../hosts/workflows';
import { running } from './importItemsN8n';
import { countJobReads, startedJobs } from './importRequests';
import { assertSuccess, countStatus, only, outputOf } from './testN8n';

/** A workflow, and the execution of it that was killed. */
interface Killed {
	workflow: StoredWorkflow;
	executionId: string;
}

async function start(workflow: StoredWorkflow): Promise<Killed> {
	return { workflow, executionId: await running.n8n.client.start(workflow, 'Start') };
}

const LIST_ROWS = 1000;

const listFile = () => join(running.filesFolder, 'list.csv');

function saveList(changed: number): void {
	const rows = Array.from({ length: LIST_ROWS }, (_, i) => {
		const mail = `${i < changed ? 'new' : 'p'}${i}@example.org`;
		return `First${i},Last${i},${mail},c-${i}`;
	});
	writeFileSync(listFile(), ['FirstName,LastName,Email,CrmId', ...rows].join('\n'));
}

async function storeNightly(): Promise<StoredWorkflow> {
	const path = join(examplesFolder, 'import-changes.json');
	const settings = { contactsFile: listFile() };
	const stored = await running.importExample(path, running.credentialId, settings);
	const mapping = { mappingTypes: ['CreateOrUpdateContact'], columns: 'recognized' };
	return await running.n8n.client.copyWorkflow(stored, changeNode('Import Items', mapping));
}

async function runNight(workflow: StoredWorkflow) {
	const execution = await running.n8n.client.run(workflow, 'Every Night');
	assertSuccess(execution);
	const imported = countStatus(execution, 'imported');
	return { imported, unchanged: countStatus(execution, 'unchanged') };
}

/** A few rows, whose job does not end. */
async function startImport(): Promise<Killed> {
	const { n8n, sandbox, credentialId } = running;
	sandbox.control.addFault({
		tenant: 'demo',
		fault: { kind: 'job', failure: { kind: 'neverEnds' } },
	});
	const rows = Array.from({ length: 10 }, (_, i) => ({
		first: `First${i}`,
		last: `Last${i}`,
		mail: `person.${i}@example.org`,
	}));
	const node = importItemsNode(credentialId, { hosting: 'n8n' });
	const reads = countJobReads(sandbox);
	const killed = await start(await n8n.client.createWorkflow(itemsWorkflow(rows, [node])));
	await waitUntil('the job is read', () => countJobReads(sandbox) > reads);
	return killed;
}

const PEOPLE = 5;

const posted = () => running.sandbox.control.canvassResponses('demo').length;

/** Posts, of which one gets no response. */
async function startPosts(): Promise<Killed> {
	const { n8n, sandbox, credentialId } = running;
	const people = sandbox.control
		.people('demo')
		.slice(0, PEOPLE)
		.map(({ nativeId }) => ({ personId: nativeId, callId: `call-${nativeId}` }));
	const post = postNode(credentialId);
	const parameters = {
		...post.parameters,
		nativeId: '={{ $json.personId }}',
		options: { sendOnceKey: '={{ $json.callId }}' },
	};
	const onError = 'continueRegularOutput' as const;
	const workflow = await n8n.client.createWorkflow(
		itemsWorkflow(people, [{ ...post, parameters, onError }]),
	);
	sandbox.control.addFault({
		method: 'POST',
		pathPrefix: '/people',
		skip: 2,
		fault: { kind: 'noResponse', executed: true },
	});
	const killed = await start(workflow);
	await waitUntil('all are posted', () => posted() === PEOPLE);
	// Long enough that n8n remembers the others.
	await wait(1000);
	return killed;
}

void describe('after a kill', () => {
	let nightly: StoredWorkflow;
	let importing: Killed;
	let posting: Killed;

	before(async () => {
		running.sandbox.control.reset();
		saveList(0);
		nightly = await storeNightly();
		assert.deepEqual(await runNight(nightly), { imported: LIST_ROWS, unchanged: 0 });
		importing = await startImport();
		posting = await startPosts();
		await running.crashN8n();
	});

	it('starts no job a second time, and leaves a job that can be found', async () => {
		const { n8n, sandbox } = running;
		const { executionId } = importing;
		const { status } = await n8n.client.waitForExecution(executionId);
		assert.equal(status, 'crashed');
		await wait(5_000);
		assert.equal(sandbox.control.jobs('demo').length, 2);
		const ofItems = startedJobs(sandbox).filter(({ description }) =>
			description.startsWith('Sign-ups of this week'),
		);
		const { description } = only(ofItems);
		assert.match(description, new RegExp(`^Sign-ups of this week \\(n8n ${executionId}, `));
	});

	it('imports only the rows that changed since the last night', async () => {
		saveList(20);
		assert.deepEqual(await runNight(nightly), { imported: 20, unchanged: LIST_ROWS - 20 });
		assert.deepEqual(await runNight(nightly), { imported: 0, unchanged: LIST_ROWS });
	});

	it('sends each item once, and names those in doubt', async () => {
		const { client } = running.n8n;
		assert.notEqual(await client.statusOf(posting.executionId), 'success');
		const execution = await client.run(posting.workflow, 'Start');
		const ends = outputOf(execution, 'Post').map((json) => ('error' in json ? 'in doubt' : 'sent'));
		assert.deepEqual(ends.sort(), ['in doubt', 'sent', 'sent', 'sent', 'sent']);
		assert.equal(posted(), PEOPLE);
	});
});
