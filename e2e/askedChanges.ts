/** Ask First where something becomes different between what a person sees and what is sent. */
import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { replaceInExecution } from '../hosts/n8nDatabase';
import { jobCount, startAskedImport, type AskedImport } from './askedImports';
import { peopleNamed } from './importRequests';
import { assertSuccess, valuesOf, type TestN8n } from './testN8n';

const LABEL = 'Ask First';

async function assertRefused(running: TestN8n, asked: AskedImport, message: RegExp): Promise<void> {
	await asked.answer('import');
	const { status, error } = await running.n8n.client.waitForExecution(asked.id);
	assert.equal(status, 'error');
	assert.match(error?.message ?? '', message);
	assert.equal(jobCount(running), 0);
}

const another = (parts: string): RegExp =>
	new RegExp(`^${LABEL} was answered for another import. These have changed since: ${parts}`);

/** Somebody writes into n8n's database while the import asks. */
export async function assertOtherRowsRefused(running: TestN8n): Promise<void> {
	const asked = await startAskedImport(running, {}, { last: 'Shown' });
	await replaceInExecution(running, asked.id, ['"Cleo"', '"Other"']);
	await assertRefused(running, asked, another('the values of the rows'));
	assert.equal(peopleNamed(running.sandbox, /^Other/).length, 0);
}

export async function assertOtherMappingRefused(running: TestN8n): Promise<void> {
	const asked = await startAskedImport(running, {}, { last: 'Shown' });
	await replaceInExecution(running, asked.id, [
		'={{ $json.first }}',
		'={{ $json.first.toUpperCase() }}',
	]);
	await assertRefused(running, asked, another('the fields, or what is done with the rows'));
}

/** Somebody gives the credential the key of another database. */
export async function assertOtherCredentialRefused(
	running: TestN8n,
	tenant: string,
): Promise<void> {
	const { client } = running.n8n;
	const credentialId = await client.createCredential(running.credential('demo'));
	const asked = await startAskedImport(running, {}, { credentialId });
	await client.call('PATCH', `/rest/credentials/${credentialId}`, running.credential(tenant));
	await assertRefused(running, asked, /^The credential now has another database/);
}

/** Somebody saves the workflow with other fields: the execution continues with its own. */
export async function assertSavedWorkflowHarmless(running: TestN8n): Promise<void> {
	const { client } = running.n8n;
	const asked = await startAskedImport(running, {}, { last: 'Saved' });
	const { workflow } = asked;
	const { versionId } = (await client.call('GET', `/rest/workflows/${workflow.id}`)) as IDataObject;
	const other = JSON.stringify(workflow.nodes).replace('={{ $json.first }}', '={{ $json.last }}');
	assert.notEqual(other, JSON.stringify(workflow.nodes));
	await client.call('PATCH', `/rest/workflows/${workflow.id}`, {
		nodes: JSON.parse(other) as unknown,
		connections: workflow.connections,
		versionId,
	});
	await asked.answer('import');
	await asked.read();
	const execution = await client.waitForExecution(asked.id);
	assertSuccess(execution);
	assert.deepEqual(valuesOf(execution, 'Import Items', 'status'), [
		'imported',
		'failed',
		'imported',
	]);
	assert.equal(peopleNamed(running.sandbox, /^Saved/).length, 0);
	assert.equal(jobCount(running), 1);
}
