import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import type { IDataObject } from 'n8n-workflow';
import { fetch } from 'undici';
import type { Execution } from '../hosts/execution';
import { examplesFolder, importOutcome, unexpectedIn } from '../hosts/importOutcome';
import type { Credential } from '../hosts/n8nClient';
import { packageManifest } from '../hosts/packPackage';
import { nativeType } from '../hosts/workflows';
import { schemaFile } from '../scripts/schemas/schemaFiles';
import { packageOperations } from '../test/engine/support/exampleOutputs';
import { n8nForTests } from './testN8n';

const example = join(examplesFolder, 'import-contacts.json');
const UNKNOWN_KEY = '99999999-9999-4999-8999-999999999999';

// The most talkative n8n: what it never says, no other will.
const running = n8nForTests({ hasEditor: true, env: { N8N_LOG_LEVEL: 'debug' } });
const executions: Execution[] = [];

const credentialWith = (changes: IDataObject): Credential => {
	const credential = running.credential('demo');
	return { ...credential, data: { ...credential.data, ...changes } };
};
const importContacts = async (credential: Credential): Promise<Execution> => {
	const { client } = running.n8n;
	const credentialId = await client.createCredential(credential);
	const execution = await client.run(await running.importExample(example, credentialId), 'Start');
	executions.push(execution);
	return execution;
};

it('offers every node and credential of the manifest in the editor', async () => {
	const { client } = running.n8n;
	const nodeNames = await client.offeredTypes('nodes');
	for (const file of packageManifest.n8n.nodes) {
		const name = (/(\w+)\.node\.js$/.exec(file)?.[1] ?? '').replace(/^N/, 'n');
		assert.ok(nodeNames.includes(nativeType(name)), `${name} is not offered`);
	}
	assert.ok((await client.offeredTypes('credentials')).includes('nativeApi'));
});

it('gives the editor the schema of every operation', async () => {
	for (const operation of packageOperations()) {
		const type = nativeType(operation.node.description.name);
		const response = await fetch(`${running.n8n.url}/schemas/${type}/1.0.0/${operation.name}.json`);
		assert.equal(response.status, 200, `${type} ${operation.name}`);
		assert.deepEqual(
			await response.json(),
			JSON.parse(readFileSync(schemaFile(operation), 'utf8')),
			`${type} ${operation.name}`,
		);
	}
});

it('imports the file of the example and gives each row its outcome', async () => {
	const outcome = importOutcome(await importContacts(running.credential('demo')));
	assert.equal(unexpectedIn(outcome), undefined);
	assert.equal(outcome.status, 'CompletedWithErrors');
});

it('updates the same people when the file is imported again', async () => {
	const people = running.sandbox.control.people('demo').length;
	const outcome = importOutcome(await importContacts(running.credential('demo')));
	assert.equal(unexpectedIn(outcome), undefined);
	assert.equal(running.sandbox.control.people('demo').length, people);
});

it('keeps every character of a name', () => {
	const names = running.sandbox.control.people('demo').map(({ fields }) => fields.firstName);
	for (const name of ['Zoë', '美咲', 'ليلى', "D'Arcy", '👩‍👩‍👧 Family', '=SUM(A1)', '𝒮cript']) {
		assert.ok(names.includes(name), `${name} did not arrive`);
	}
});

it('shows the user why a key was rejected', async () => {
	const execution = await importContacts(credentialWith({ apiKey: UNKNOWN_KEY }));
	assert.equal(execution.status, 'error');
	const error = execution.nodes['Import Contacts']?.error;
	assert.match(`${error?.message} ${error?.description}`, /key/i);
	assert.match(JSON.stringify(error), /bulkImportJobs/);
});

it('keeps to the rate of the key and sends it to the service alone', () => {
	const { status429, leakedCredentials } = running.sandbox.control.stats();
	assert.deepEqual({ status429, leakedCredentials }, { status429: 0, leakedCredentials: 0 });
});

it('writes the key into no log and no execution', () => {
	const written = {
		'log of n8n': running.n8n.log(),
		executions: executions.map(({ storedText }) => storedText).join('\n'),
		'log of the sandbox': JSON.stringify(running.sandbox.requests),
	};
	const keys = [UNKNOWN_KEY, ...running.sandbox.tenants.map(({ key }) => key)];
	for (const [where, text] of Object.entries(written)) {
		assert.notEqual(text, '');
		for (const key of keys) {
			const basic = Buffer.from(`apiuser:${key}`).toString('base64');
			assert.ok(!text.toLowerCase().includes(key), `a key is in the ${where}`);
			assert.ok(!text.includes(basic), `an authorization header is in the ${where}`);
		}
	}
});
