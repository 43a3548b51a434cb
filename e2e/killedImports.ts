import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Fault } from '../sandbox/faults';
import type { Execution } from '../hosts/n8nClient';
import {
	examples,
	LEFT_TO_DATABASE_MINUTES,
	outcomeOfContacts,
	type ImportSetting,
} from './durableWait';

const STEP_TIMEOUT_MS = 90_000;
const END_TIMEOUT_MS = 200_000;
/** Far below the 65 seconds from which n8n leaves a wait to its database. */
const SHORT_WAIT_MINUTES = 0.01;
/** Of examples/data/contacts.csv: 1,000 rows. */
const ROWS_PER_FILE = 300;

/** Per example: the numbers of its files, and what counts the outcomes of the rows. */
const EXAMPLES = {
	'import-large-file.json': {
		files: [1, 2, 3, 4],
		assertOutcomes: ({ nodes }: Execution) => {
			const [summary] = nodes['Get Item Outcomes']?.outputs[0] ?? [];
			const { rows, imported, failed } = summarySchema.parse(summary).importSummary;
			assert.deepEqual({ rows, imported, failed }, { rows: 1000, imported: 975, failed: 25 });
		},
	},
	'durable-import.json': {
		files: [1],
		assertOutcomes: ({ nodes }: Execution) =>
			assert.deepEqual(nodes['Summary']?.outputs[0], outcomeOfContacts),
	},
};

const summarySchema = z.object({
	importSummary: z
		.object({ rows: z.number(), imported: z.number(), failed: z.number() })
		.passthrough(),
});
const jobBodySchema = z.object({ description: z.string() });

/**
 * Runs an example three times, kills while one waits in the database, one joins and one is between the start
 * of a job, the second if there are several, and the response. Those that end by the kill are run again.
 *
 * @param held how the service holds the requests of the latter two back
 */
export async function assertOneOutcomePerRow(
	{ running, credentialId }: Pick<ImportSetting, 'running' | 'credentialId'>,
	example: keyof typeof EXAMPLES,
	kill: () => Promise<void>,
	held: Extract<Fault, { kind: 'noResponse' | 'latency' }>,
): Promise<string[]> {
	const { files, assertOutcomes } = EXAMPLES[example];
	const heldFile = Math.min(2, files.length);
	const { control, httpsUrl } = running.sandbox;
	control.reset();
	control.updateTenant('demo', { styles: { jobDescriptions: true } });
	const requests = (method: string, path: RegExp) =>
		running.sandbox.requests.filter((entry) => entry.method === method && path.test(entry.path));
	const startedJobs = () =>
		requests('POST', /bulkImportJobs$/).flatMap(
			// The body of a request that has just begun is not there yet.
			({ body }) => jobBodySchema.safeParse(body).data?.description ?? [],
		);
	const reach = async (what: string, isThere: () => boolean | Promise<boolean>) => {
		for (const deadline = Date.now() + STEP_TIMEOUT_MS; !(await isThere()); await wait(50))
			assert.ok(Date.now() < deadline, `not reached: ${what}`);
	};
	const start = async (runKey: string, minutesBetweenLooks: number) => {
		const workflow = await running.importExample(join(examples, example), credentialId, {
			uploadUrl: `${httpsUrl}/drop/{file}?sig=upload`,
			downloadUrl: `${httpsUrl}/drop/{file}?sig=download`,
			rowsPerFile: ROWS_PER_FILE,
			runKey,
			minutesBetweenLooks,
		});
		return { runKey, workflow, id: await running.n8n.client.start(workflow, 'Start') };
	};

	const waiting = await start('waiting', LEFT_TO_DATABASE_MINUTES);
	await reach('waiting', async () => {
		return (await running.n8n.client.statusOf(waiting.id)) === 'waiting';
	});
	control.addFault({ method: 'GET', pathPrefix: '/results/', count: 100, fault: held });
	const joining = await start('joining', SHORT_WAIT_MINUTES);
	await reach('joining', () => requests('GET', /^\/results\//).length > 0);
	control.addFault({
		method: 'POST',
		pathPrefix: '/bulkImportJobs',
		skip: heldFile - 1,
		fault: held,
	});
	const starting = await start('starting', SHORT_WAIT_MINUTES);
	await reach(
		'starting',
		() => startedJobs().filter((text) => text.includes('starting')).length === heldFile,
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
		assert.equal(execution.status, 'success', execution.error?.message);
		assertOutcomes(execution);
		const started = startedJobs()
			.filter((text) => text.endsWith(`, key ${runKey})`))
			.map((text) => Number(/, file (\d+),/.exec(text)?.[1]));
		assert.deepEqual(started, files, `jobs of "${runKey}"`);
	}
	control.updateTenant('demo', { styles: { jobDescriptions: false } });
	return again;
}
