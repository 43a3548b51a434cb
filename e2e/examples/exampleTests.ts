/** What the tests of the examples have in common. Each file of examples/ is run in the real n8n. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, it } from 'node:test';
import type { Execution } from '../../hosts/execution';
import { examplesFolder, expectedContacts } from '../../hosts/importOutcome';
import type { Credential, StoredWorkflow } from '../../hosts/n8nClient';
import { waitUntil } from '../../hosts/waitUntil';
import { startSftpServer, type SftpServer } from '../sftpServer';
import { assertSuccess, n8nForTests, outputOf } from '../testN8n';

type Settings = Record<string, string | number>;

/** Its properties are there from the first test on. */
export const sftp = {} as SftpServer;
export const running = n8nForTests({
	hasEditor: true,
	sandbox: { fetchSftp: async (address) => await sftp.download(address) },
});
running.onStart(async () => {
	Object.assign(sftp, await startSftpServer(running.n8nOptions.hostDir));
	running.onClose(sftp.close);
});

const published: StoredWorkflow[] = [];
afterEach(async () => {
	for (const workflow of published.splice(0)) await running.n8n.client.deactivate(workflow);
	running.sandbox.control.reset();
});

/** The files of examples/ that have a test. */
export const testedExamples = new Set<string>();

/** The test of a file of examples/. @param does what the workflow is to do */
export function example(file: string, does: string, check: () => Promise<void>): void {
	testedExamples.add(file);
	it(`example ${file}: ${does}`, check);
}

/** Stores an example as `npm start` does. */
export const store = async (file: string, settings: Settings = {}): Promise<StoredWorkflow> =>
	await running.importExample(join(examplesFolder, file), running.credentialId, settings);

/** Stores an example with another credential in one of its nodes. */
export async function storeWithCredential(
	workflow: StoredWorkflow,
	name: string,
	credential: Credential,
): Promise<StoredWorkflow> {
	const id = await running.n8n.client.createCredential(credential);
	const credentials = { [credential.type]: { id, name: credential.name } };
	return await running.n8n.client.copyWorkflow(workflow, (node) =>
		node.name === name ? { ...node, credentials } : node,
	);
}

export async function runWorkflow(workflow: StoredWorkflow, trigger = 'Start'): Promise<Execution> {
	const execution = await running.n8n.client.run(workflow, trigger);
	assertSuccess(execution);
	return execution;
}

export const runExample = async (file: string, settings: Settings = {}): Promise<Execution> =>
	await runWorkflow(await store(file, settings));

/** Stores an example and publishes it until the end of the test: its webhook or form can be called. */
export async function publish(file: string): Promise<StoredWorkflow> {
	const workflow = await store(file);
	await running.n8n.client.activate(workflow);
	published.push(workflow);
	return workflow;
}

/** Waits for this many executions of a published workflow and returns them. All must have succeeded. */
export async function readExecutions(
	workflow: StoredWorkflow,
	count: number,
): Promise<Execution[]> {
	const executions = await waitUntil(`${count} executions`, async () => {
		const ended = await running.n8n.client.readEndedExecutions(workflow);
		return ended.length >= count && ended;
	});
	executions.forEach(assertSuccess);
	return executions;
}

export const people = () => running.sandbox.control.people('demo');
export const peopleWithEmail = (email: string) =>
	people().filter(({ emails }) => emails.some((held) => held.email === email));

export const responsesByPerson = () =>
	running.sandbox.control
		.canvassResponses('demo')
		.sort((a, b) => a.nativeId - b.nativeId)
		.map(({ nativeId, body }) => ({ nativeId, body }));

/** A rejected person gets no external ID. */
export const outcomeOf = (reason: string) =>
	`CreateOrUpdateContact: ${reason}; ApplyExternalID: No person found`;

/** Compares the imported rows and the counts by outcome with the file and with what the sandbox holds. */
export function assertImportedContacts(execution: Execution): void {
	const { rows, rejected } = expectedContacts();
	const counts = new Map<unknown, unknown>([['imported', rows - rejected.length]]);
	for (const { reason } of rejected) {
		const outcome = outcomeOf(reason);
		counts.set(outcome, Number(counts.get(outcome) ?? 0) + 1);
	}
	assert.deepEqual(
		new Map(
			outputOf(execution, 'Summary').map(({ outcome, count_crmId }) => [outcome, count_crmId]),
		),
		counts,
	);
	const idOf = new Map(
		people().flatMap(({ nativeId, identifiers }) =>
			identifiers.map(({ externalId }) => [externalId, nativeId]),
		),
	);
	const imported = outputOf(execution, 'Imported Rows');
	assert.equal(imported.length, rows - rejected.length);
	for (const { crmId, nativeId } of imported) assert.equal(idOf.get(String(crmId)), nativeId);
}

/** Compares the counts by status of an import of contacts.csv. */
export function assertCountedContacts(execution: Execution): void {
	const { rows, rejected } = expectedContacts();
	assert.deepEqual(outputOf(execution, 'Summary'), [
		{ status: 'imported', count_status: rows - rejected.length },
		{ status: 'failed', count_status: rejected.length },
	]);
}
