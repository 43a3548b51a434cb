import assert from 'node:assert/strict';
import { join } from 'node:path';
import { z } from 'zod';
import type { Fault } from '../sandbox/faults';
import type { Execution } from '../hosts/execution';
import { waitUntil } from '../hosts/waitUntil';
import { CONTACTS_OUTCOME, examples, LEFT_TO_DATABASE_MINUTES } from './durableWait';
import { startedJobs } from './importRequests';
import { assertSuccess, outputOf, type TestN8n } from './testN8n';

const END_TIMEOUT_MS = 200_000;
/** Far below the 65 seconds from which n8n leaves a wait to its database. */
const SHORT_WAIT_MINUTES = 0.01;
/** Of examples/data/contacts.csv: 1,000 rows. */
const ROWS_PER_FILE = 300;

/** Per example: the numbers of its files, and what counts the outcomes of the rows. */
const EXAMPLES = {
	'import-large-file.json': {
		files: [1, 2, 3, 4],
		assertOutcomes: (execution: Execution) => {
			const [summary] = outputOf(execution, 'Get Item Outcomes');
			const { rows, imported, failed } = summarySchema.parse(summary).importSummary;
			assert.deepEqual({ rows, imported, failed }, { rows: 1000, imported: 975, failed: 25 });
		},
	},
	'durable-import.json': {
		files: [1],
		assertOutcomes: (execution: Execution) =>
			assert.deepEqual(outputOf(execution, 'Summary'), CONTACTS_OUTCOME),
	},
};

const summarySchema = z.object({
	importSummary: z
		.object({ rows: z.number(), imported: z.number(), failed: z.number() })
		.passthrough(),
});

/**
 * Runs an example three times, kills while one waits in the database, one joins and one is between the start
 * of a job, the second if there are several, and the response. Those that end by the kill are run again.
 *
 * @param delay how the service delays the requests of the latter two
 */
export async function assertOneOutcomePerRow(
	running: TestN8n,
	example: keyof typeof EXAMPLES,
	kill: () => Promise<void>,
	delay: Extract<Fault, { kind: 'noResponse' | 'latency' }>,
): Promise<string[]> {
	const { files, assertOutcomes } = EXAMPLES[example];
	const delayedFile = Math.min(2, files.length);
	const { control, httpsUrl } = running.sandbox;
	control.reset();
	control.updateTenant('demo', { styles: { jobDescriptions: true } });
	const descriptions = () => startedJobs(running.sandbox).map(({ description }) => description);
	const reach = async (what: string, isThere: () => boolean | Promise<boolean>) =>
		await waitUntil(what, isThere, { everyMs: 50 });
	const start = async (runKey: string, minutesBetweenChecks: number) => {
		const workflow = await running.importExample(join(examples, example), running.credentialId, {
			uploadUrl: `${httpsUrl}/drop/{file}?sig=upload`,
			downloadUrl: `${httpsUrl}/drop/{file}?sig=download`,
			rowsPerFile: ROWS_PER_FILE,
			runKey,
			minutesBetweenChecks,
		});
		return { runKey, workflow, id: await running.n8n.client.start(workflow, 'Start') };
	};

	const waiting = await start('waiting', LEFT_TO_DATABASE_MINUTES);
	const isWaiting = async () => (await running.n8n.client.statusOf(waiting.id)) === 'waiting';
	await reach('waiting', isWaiting);
	control.addFault({ method: 'GET', pathPrefix: '/results/', count: 100, fault: delay });
	const joining = await start('joining', SHORT_WAIT_MINUTES);
	await reach('joining', () =>
		running.sandbox.requests.some(({ path }) => path.startsWith('/results/')),
	);
	control.addFault({
		method: 'POST',
		pathPrefix: '/bulkImportJobs',
		skip: delayedFile - 1,
		fault: delay,
	});
	const starting = await start('starting', SHORT_WAIT_MINUTES);
	await reach(
		'starting',
		() => descriptions().filter((text) => text.includes('starting')).length === delayedFile,
	);
	await kill();
	control.clearFaults();

	const again: string[] = [];
	for (const { runKey, workflow, id } of [starting, joining, waiting]) {
		const { client } = running.n8n;
		let execution = await client.waitForExecution(id, END_TIMEOUT_MS);
		if (execution.status !== 'success') {
			again.push(runKey);
			execution = await client.run(workflow, 'Start');
		}
		assertSuccess(execution);
		assertOutcomes(execution);
		const started = descriptions()
			.filter((text) => text.endsWith(`, key ${runKey})`))
			.map((text) => Number(/, file (\d+),/.exec(text)?.[1]));
		assert.deepEqual(started, files, `jobs of "${runKey}"`);
	}
	control.updateTenant('demo', { styles: { jobDescriptions: false } });
	return again;
}
