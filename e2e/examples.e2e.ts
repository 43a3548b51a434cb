import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { it } from 'node:test';
import { examplesFolder } from '../hosts/importOutcome';
import { testedExamples } from './examples/exampleTests';
import './examples/importExamples';
import './examples/publishedExamples';
import './examples/recordExamples';

/** Tested in a browser, by importForm.e2e.ts. */
const FORM = 'import-form.json';

it('every example has a test, and every test an example', () => {
	const files = readdirSync(examplesFolder).filter((name) => name.endsWith('.json'));
	assert.deepEqual([...testedExamples, FORM].sort(), files.sort());
});
