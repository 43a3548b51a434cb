import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, it } from 'node:test';
import { fetch } from 'undici';
import { packageManifest } from '../hosts/packPackage';
import { schemaFile } from '../scripts/schemas/schemaFiles';
import { startSandboxedN8n, type SandboxedN8n } from '../hosts/sandboxedN8n';
import { packageOperations } from '../test/engine/support/exampleOutputs';

const STARTING_MS = 15 * 60 * 1000;

let running: SandboxedN8n;
before(
	async () => {
		running = await startSandboxedN8n();
	},
	{ timeout: STARTING_MS },
);
after(async () => {
	await running?.close();
});

it('gives the editor the schema of every operation', async () => {
	for (const operation of packageOperations()) {
		const type = `${packageManifest.name}.${operation.node.description.name}`;
		const response = await fetch(`${running.n8n.url}/schemas/${type}/1.0.0/${operation.name}.json`);
		assert.equal(response.status, 200, `${type} ${operation.name}`);
		assert.deepEqual(
			await response.json(),
			JSON.parse(readFileSync(schemaFile(operation), 'utf8')),
			`${type} ${operation.name}`,
		);
	}
});
