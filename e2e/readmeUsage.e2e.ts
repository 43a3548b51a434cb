/** "Usage" of README, step by step in the editor that `npm start` opens, with a list as people have it. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { DEMO_OPTIONS } from '../hosts/sandboxedN8n';
import { Clicks } from './editor/clicks';
import { Editor } from './editor/editor';
import { peopleNamed, startedJobs } from './importRequests';
import { signUps } from './signUps';
import { n8nForTests } from './testN8n';

/** From an empty canvas, with the credential, to the outcome of each row. */
const MOST_ACTIONS = 14;

const ROWS = 300;
/** Rows whose email address cannot be right. */
const INVALID = 7;
/** Rows that only the service rejects: every hundredth one of signUps. */
const REJECTED = 3;

const running = n8nForTests({ ...DEMO_OPTIONS, hasEditor: true });
const editor = new Editor(running);

/** 300 people; ten of the rows cannot be imported. */
function dirtyList(): string {
	let invalid = 0;
	return signUps(ROWS).replace(/person(\d*5)@example\.org/g, (email: string, row: string) =>
		invalid++ < INVALID ? `person${row} at example.org` : email,
	);
}

it(`leads from an empty canvas to ${ROWS} outcomes in ${MOST_ACTIONS} actions`, async (t) => {
	const file = join(running.filesFolder, 'sign-ups.csv');
	writeFileSync(file, dirtyList());
	const clicks = new Clicks(editor);
	const panel = await clicks.addImportOfFile(file);
	await clicks.act('run', async () => await panel.execute());
	await panel.output.getByText('First Name').first().waitFor();
	assert.deepEqual(startedJobs(running.sandbox), []);
	await clicks.act('open What Should Happen', async () => {
		await panel.openChoices('whatShouldHappen');
	});
	await clicks.act('Import', async () => await panel.pick('Import'));
	await clicks.act('run', async () => await panel.execute());
	const imported = ROWS - INVALID - REJECTED;
	// Above the report and the rejected rows, which n8n shows first.
	await panel.output
		.getByText(new RegExp(`${imported} (of ${ROWS} )?imported`))
		.first()
		.waitFor();
	await panel.output.getByText('import-report').first().waitFor();
	t.diagnostic(clicks.text);
	clicks.assertAtMost(MOST_ACTIONS);

	await panel.showTable();
	await panel.output.getByText('importSummary').first().waitFor();
	const shown = await panel.output.innerText();
	assert.match(shown, new RegExp(`rows\\s*:\\s*${ROWS}\\s`));
	assert.match(shown, new RegExp(`imported\\s*:\\s*${imported}\\s`));
	assert.match(shown, new RegExp(`failed\\s*:\\s*${REJECTED}\\s`));
	assert.match(shown, new RegExp(`invalid\\s*:\\s*${INVALID}\\s`));
	assert.equal(peopleNamed(running.sandbox, /^First\d+$/).length, imported);
	const [job, ...more] = startedJobs(running.sandbox);
	assert.deepEqual(more, []);
	// The default hosting, as a new node has it.
	assert.equal(new URL(job?.file.sourceUrl ?? '').origin, running.linkUrl);
});
