import assert from 'node:assert/strict';
import { waitUntil } from '../hosts/waitUntil';
import { nativeNode, rowWorkflow, START } from '../hosts/workflows';
import { createDataTable, insertRow, matchRows } from './dataTables';
import type { ImportSetting } from './databaseWaits';
import { importJob } from './importRequests';
import { assertSuccess, only, outputOf } from './testN8n';
import { triggerNode } from './triggerEvents';

/**
 * One workflow starts an import and writes its purpose to a data table; another one is triggered by the end of
 * the import and reads the purpose there.
 */
export async function assertJoinedByDataTable({ running, imports }: ImportSetting): Promise<void> {
	const { client } = running.n8n;
	const columns = { jobId: 'number', purpose: 'string' } as const;
	const tableId = await createDataTable(client, 'imports', columns);
	const watching = await client.createWorkflow(
		rowWorkflow([
			triggerNode('Import Ended', running.credentialId, 5, { watch: 'all' }),
			matchRows('Purpose', tableId, 'get', 'jobId'),
		]),
	);
	await client.activate(watching);

	const file = imports.pausedFile();
	const starting = await client.createWorkflow(
		rowWorkflow([
			START,
			nativeNode('Start Import', 'nativeBulkImport', running.credentialId, {
				resource: 'job',
				operation: 'create',
				defineJob: 'json',
				jobJson: JSON.stringify(importJob(file.sourceUrl)),
			}),
			insertRow('Remember', tableId, columns, {
				jobId: '={{ $json.jobId }}',
				purpose: 'spring members',
			}),
		]),
	);
	const started = await client.run(starting, 'Start');
	assertSuccess(started);
	imports.endFile(file, 'Completed');

	const executions = await waitUntil('the end of the import is reported', async () => {
		const ended = await client.readEndedExecutions(watching);
		return ended.length > 0 && ended;
	});
	const purpose = only(executions.flatMap((execution) => outputOf(execution, 'Purpose')));
	assert.equal(purpose.jobId, outputOf(started, 'Start Import')[0]?.jobId);
	assert.equal(purpose.purpose, 'spring members');
	await client.deactivate(watching);
}
