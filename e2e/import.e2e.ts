import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { importOutcome, unexpectedIn } from '../hosts/importOutcome';
import type { Credential, Execution } from '../hosts/n8nClient';
import { packageManifest } from '../hosts/packPackage';
import { startSandboxedN8n, type SandboxedN8n } from '../hosts/sandboxedN8n';

const example = join(__dirname, '..', 'examples', 'import-contacts.json');
const UNKNOWN_KEY = '99999999-9999-4999-8999-999999999999';
const STARTING_MS = 15 * 60 * 1000;

let running: SandboxedN8n;
const executions: Execution[] = [];

before(
	async () => {
		// The most talkative n8n: what it never says, no other will.
		running = await startSandboxedN8n({ env: { N8N_LOG_LEVEL: 'debug' } });
	},
	{ timeout: STARTING_MS },
);
after(async () => {
	await running?.close();
});

const withKey = (apiKey: string): Credential => {
	const credential = running.credential('demo');
	return { ...credential, data: { ...credential.data, apiKey } };
};
const testCredential = async (credential: Credential) => {
	const { client } = running.n8n;
	return await client.testCredential(await client.createCredential(credential), credential);
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
	const nodeNames = await client.nodeTypes();
	for (const file of packageManifest.n8n.nodes) {
		const name = (/(\w+)\.node\.js$/.exec(file)?.[1] ?? '').replace(/^N/, 'n');
		assert.ok(nodeNames.includes(`${packageManifest.name}.${name}`), `${name} is not offered`);
	}
	assert.ok((await client.credentialTypes()).includes('nativeApi'));
});

it('lists the mapping types of the service in the editor', async () => {
	const { client } = running.n8n;
	const credentialId = await client.createCredential(running.credential('demo'));
	const names = await client.searchList(
		{
			name: `${packageManifest.name}.nativeBulkImport`,
			version: 1,
			parameters: { resource: 'mappingType', operation: 'get' },
			credentials: { nativeApi: { id: credentialId, name: 'Native API' } },
		},
		'searchMappingTypes',
		'mappingType',
	);
	assert.ok(names.includes('CreateOrUpdateContact'), names.join(', '));
});

it('says that a working credential works', async () => {
	assert.equal((await testCredential(running.credential('demo'))).status, 'OK');
});

it('tells a key that the service does not know from one that may not do what the test does', async () => {
	const unknown = await testCredential(withKey(UNKNOWN_KEY));
	assert.equal(unknown.status, 'Error');
	assert.match(unknown.message, /^The service did not accept this key\. Check API Key/);

	const restricted = await testCredential(running.credential('restricted'));
	assert.equal(restricted.status, 'OK');
	assert.match(restricted.message, /^The key works\. It may not read code types/);
});

it('says that the host cannot be reached, or is not the service', async () => {
	const at = async (changes: object) => {
		const credential = running.credential('demo');
		return await testCredential({ ...credential, data: { ...credential.data, ...changes } });
	};
	assert.match(
		(await at({ baseUrl: 'https://127.0.0.1:9' })).message,
		/^The service could not be reached/,
	);
	assert.match(
		(await at({ apiVersion: 'v9' })).message,
		/^There is no such service at this address/,
	);
	assert.match(
		(await at({ baseUrl: running.n8n.url, apiVersion: '' })).message,
		/^(There is no such service|Something other than the service responded)/,
	);
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

it('shows the user why a key was refused', async () => {
	const execution = await importContacts(withKey(UNKNOWN_KEY));
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
			assert.ok(!text.toLowerCase().includes(key), `a key stands in the ${where}`);
			assert.ok(!text.includes(basic), `an authorization header stands in the ${where}`);
		}
	}
});
