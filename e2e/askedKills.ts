/** Imports that ask first, killed in every phase: nothing is sent without a release, nothing twice. */
import assert from 'node:assert/strict';
import { waitUntil } from '../hosts/waitUntil';
import { type AskedImport, beginAskedImport, startAskedImport } from './askedImports';
import { type ImportSetting, untilNoneWakes } from './databaseWaits';
import { assertSuccess, valuesOf } from './testN8n';

const IMPORTED = ['imported', 'failed', 'imported'];
const CORRECTED = ['imported', 'imported', 'imported'];

/**
 * Brings one import to each phase, kills n8n once for all of them, and continues with what survived. What ended
 * by the kill is retried, as somebody does in the list of executions, unless n8n did it itself.
 */
export async function assertKillsHold(
	{ running, imports }: ImportSetting,
	kill: () => Promise<void>,
): Promise<void> {
	const { control, requests } = running.sandbox;
	// The requests of the others are not to be delayed, and these not to end before the kill.
	const patient = running.credential('other', { timeout: 300 });
	const credentialId = await running.n8n.client.createCredential(patient);
	for (const tenant of ['demo', 'other'])
		control.updateTenant(tenant, { styles: { jobDescriptions: true } });
	const people = (last: string) =>
		['demo', 'other']
			.flatMap((tenant) => control.people(tenant))
			.filter(({ fields }) => fields.lastName === last);
	const jobs = () => control.jobs('other').length;
	const neverAnswers = (method: 'GET' | 'POST', pathPrefix: string) =>
		control.addFault({
			method,
			pathPrefix,
			tenant: 'other',
			fault: { kind: 'noResponse', executed: method === 'POST' },
		});
	const correctable = { correctRejected: 60 };
	const file = imports.pausedFile();
	const downloadUrl = file.uploadUrl.replace('=upload', '=download');

	const asks = await startAskedImport(running, {}, { last: 'Asks' });
	const job = await startAskedImport(
		running,
		{},
		{ last: 'Job', parameters: { uploadUrl: file.uploadUrl, downloadUrl } },
	);
	await job.answer('import');
	const corrects = await startAskedImport(running, correctable, { last: 'Corrects' });
	await corrects.answer('import');
	await corrects.hidden('offer');
	const reports = await startAskedImport(running, {}, { last: 'Reports' });
	await reports.answer('import');
	await reports.hidden('read');
	const corrected = await startAskedImport(running, correctable, {
		last: 'Corrected',
		credentialId,
	});
	await corrected.answer('import');
	await corrected.hidden('offer');
	neverAnswers('POST', '/bulkImportJobs');
	await corrected.correct();
	await waitUntil('corrected rows are sent', () => jobs() === 2);
	const released = await startAskedImport(running, {}, { last: 'Released', credentialId });
	neverAnswers('POST', '/bulkImportJobs');
	await released.answer('import');
	await waitUntil('released rows are sent', () => jobs() === 3);
	neverAnswers('GET', '/bulkImportMappingTypes');
	const before = requests.length;
	const surveys = await beginAskedImport(running, {}, { last: 'Surveys', credentialId });
	await waitUntil('it looks at its rows', () =>
		requests.slice(before).some(({ path }) => path.startsWith('/v2/bulkImportMappingTypes')),
	);

	// The kill would end one that asks for its job, or that n8n has just begun to wake.
	await untilNoneWakes(running, [job], 0);
	await kill();
	control.clearFaults();
	imports.endFile(file, 'Completed');

	// Another one than before.
	const { client } = running.n8n;
	const ended = async (asked: AskedImport, statuses: string[]) => {
		const execution = await client.waitForExecution(asked.id);
		assertSuccess(execution);
		assert.deepEqual(valuesOf(execution, 'Import Items', 'status'), statuses);
	};
	/** n8n runs nothing again that ran when it was killed: somebody retries it. */
	const retryIfKilled = async (asked: AskedImport): Promise<void> => {
		const settled = await waitUntil('n8n has noticed the kill', async () => {
			const status = await asked.status();
			return status !== 'running' && status !== 'new' && status;
		});
		if (settled === 'waiting' || settled === 'success') return;
		await client.call('POST', `/rest/executions/${asked.id}/retry`, { loadWorkflow: false });
	};
	assert.equal(people('Asks').length, 0);
	await asks.answer('import');
	await corrects.correct();
	await reports.read();
	await ended(reports, IMPORTED);
	for (const asked of [asks, job, corrects]) await asked.read();
	await ended(asks, IMPORTED);
	await ended(job, IMPORTED);
	await ended(corrects, CORRECTED);

	for (const asked of [corrected, released]) await retryIfKilled(asked);
	const lists = () => requests.filter(({ path }) => path === '/v2/bulkImportJobs').length;
	await waitUntil('they look for their jobs', () => lists() >= 2);
	assert.equal(people('Surveys').length, 0);
	assert.notEqual(await surveys.status(), 'success');
	assert.equal(jobs(), 3);
	const stored = ['Asks', 'Job', 'Corrects', 'Reports', 'Corrected', 'Released'];
	assert.deepEqual(
		stored.map((last) => people(last).length),
		[2, 2, 3, 2, 3, 2],
	);
}
