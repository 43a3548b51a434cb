import assert from 'node:assert/strict';
import { join } from 'node:path';
import { z } from 'zod';
import type { Execution } from '../hosts/execution';
import { examplesFolder } from '../hosts/importOutcome';
import { waitUntil } from '../hosts/waitUntil';
import { textChecksum } from '../nodes/NativeBulkImport/rows/importRows';
import type { Fault } from '../sandbox/faults';
import type { ImportSetting } from './databaseWaits';
import { signedAddresses, startedJobs } from './importRequests';
import { assertSuccess, outputOf } from './testN8n';

/** Divides examples/data/contacts.csv, which has 1,000 rows, where several files are needed. */
const ROWS_PER_FILE = 300;

const summarySchema = z.object({
	importSummary: z
		.object({ rows: z.number(), imported: z.number(), failed: z.number() })
		.passthrough(),
});

/** Per example: the numbers of its files, and what counts the outcomes of the rows. */
const EXAMPLES = {
	'import-large-file.json': {
		files: [1, 2, 3, 4],
		assertOutcomes: (execution: Execution) => {
			const [summary] = outputOf(execution, 'Import Items');
			const { rows, imported, failed } = summarySchema.parse(summary).importSummary;
			assert.deepEqual({ rows, imported, failed }, { rows: 1000, imported: 975, failed: 25 });
		},
	},
	'durable-import.json': {
		files: [1],
		assertOutcomes: (execution: Execution) =>
			assert.deepEqual(outputOf(execution, 'Summary'), [
				{ status: 'imported', count_status: 975 },
				{ status: 'failed', count_status: 25 },
			]),
	},
};

/**
 * Runs an example four times, kills while one waits in the database, one joins after such a wait, one uploads
 * and one is between the start of a job, the second if there are several, and the response. Those that end by
 * the kill are run again.
 *
 * @param delay how the service delays the requests of the latter three
 */
export async function assertOneOutcomePerRow(
	{ running, imports }: ImportSetting,
	example: keyof typeof EXAMPLES,
	kill: () => Promise<void>,
	delay: Extract<Fault, { kind: 'noResponse' | 'latency' }>,
): Promise<string[]> {
	const { files, assertOutcomes } = EXAMPLES[example];
	const delayedFile = Math.min(2, files.length);
	const { sandbox } = running;
	const { control } = sandbox;
	control.reset();
	control.updateTenant('demo', { styles: { jobDescriptions: true } });
	const descriptions = () => startedJobs(sandbox).map(({ description }) => description);
	const jobsOf = (runKey: string) =>
		descriptions().filter((text) => text.includes(`, key ${textChecksum(runKey)}, `));
	const reach = async (what: string, isThere: () => boolean | Promise<boolean>) =>
		await waitUntil(what, isThere, { everyMs: 50 });
	const start = async (
		runKey: string,
		{ uploadUrl }: { uploadUrl: string } = signedAddresses(sandbox),
	) => {
		const { client } = running.n8n;
		const path = join(examplesFolder, example);
		const limit = files.length > 1 ? { maxRowsPerFile: ROWS_PER_FILE } : {};
		const limited = running.credential('demo', limit);
		const stored = await running.importExample(path, await client.createCredential(limited), {
			uploadUrl,
			downloadUrl: uploadUrl.replace('upload', 'download'),
			runKey,
		});
		return { runKey, workflow: stored, id: await client.start(stored, 'Start') };
	};

	const [lateFile, file] = [imports.pausedFile(), imports.pausedFile()];
	const waiting = await start('waiting', lateFile);
	const joining = await start('joining', file);
	const waits = async ({ runKey, id }: typeof waiting) =>
		await reach(runKey, async () => (await running.n8n.client.statusOf(id)) === 'waiting');
	await waits(waiting);
	await waits(joining);
	control.addFault({ method: 'GET', pathPrefix: '/results/', count: 100, fault: delay });
	imports.endFile(file, 'Completed');
	await reach('joining', () => sandbox.requests.some(({ path }) => path.startsWith('/results/')));
	control.addFault({
		method: 'POST',
		pathPrefix: '/bulkImportJobs',
		skip: delayedFile - 1,
		fault: delay,
	});
	const starting = await start('starting');
	await reach('starting', () => jobsOf('starting').length === delayedFile);
	const isUpload = ({ path }: { path: string }) => path.startsWith('/drop/late/');
	control.addFault({ method: 'PUT', pathPrefix: '/drop/late/', fault: delay });
	const uploading = await start('uploading', signedAddresses(sandbox, 'late/{file}'));
	await reach('uploading', () => sandbox.requests.some(isUpload));
	// On a slow machine, it has woken meanwhile to look at its job.
	await waits(waiting);
	await kill();
	control.clearFaults();
	imports.endFile(lateFile, 'Completed');

	const again: string[] = [];
	for (const { runKey, workflow, id } of [uploading, starting, joining, waiting]) {
		const { client } = running.n8n;
		let execution = await client.waitForExecution(id);
		if (execution.status !== 'success') {
			again.push(runKey);
			execution = await client.run(workflow, 'Start');
		}
		assertSuccess(execution);
		assertOutcomes(execution);
		const started = jobsOf(runKey).map((text) => Number(/, file (\d+),/.exec(text)?.[1]));
		assert.deepEqual(started, files, `jobs of "${runKey}"`);
	}
	control.updateTenant('demo', { styles: { jobDescriptions: false } });
	return again;
}
