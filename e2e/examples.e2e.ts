import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { it } from 'node:test';
import { join } from 'node:path';
import { givenN8n } from '../hosts/givenN8n';
import { examplesFolder } from '../hosts/importOutcome';
import { readWorkflowFile } from '../hosts/n8nClient';
import { chosenN8nHost, N8N_HOSTS } from '../hosts/n8nHost';
import { running, testedExamples } from './examples/exampleTests';
import './examples/assistantExample';
import './examples/importExamples';
import './examples/publishedExamples';
import './examples/recordExamples';

/** Tested in a browser, by importForm.e2e.ts. */
const FORM = 'import-form.json';

const files = readdirSync(examplesFolder).filter((name) => name.endsWith('.json'));

it('examples have the newest node versions that every supported n8n offers', async () => {
	const offered = await running.n8n.client.nodeVersions();
	const isOldest = chosenN8nHost() === N8N_HOSTS[0] && givenN8n() === undefined;
	const wrong = files.flatMap((file) =>
		readWorkflowFile(join(examplesFolder, file)).nodes.flatMap(({ name, type, typeVersion }) => {
			const versions = offered.get(type) ?? [];
			// A newer n8n has all versions of the oldest, and further ones that the oldest lacks.
			const isRight = isOldest
				? typeVersion === Math.max(...versions)
				: versions.includes(typeVersion);
			return isRight ? [] : [`${file}: ${name} ${typeVersion}, not ${Math.max(...versions)}`];
		}),
	);
	assert.deepEqual(wrong, []);
});

it('every example has a test, and every test an example', () => {
	assert.deepEqual([...testedExamples, FORM].sort(), files.sort());
});
