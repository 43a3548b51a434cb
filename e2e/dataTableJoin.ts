import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { INode, INodeParameters } from 'n8n-workflow';
import { z } from 'zod';
import { readWorkflowFile } from '../hosts/n8nClient';
import { packageManifest } from '../hosts/packPackage';
import { examples, withParameters, type ImportSetting } from './durableWait';
import { pollsEvery } from './pollSchedule';

const EVENT_TIMEOUT_MS = 90_000;

/**
 * One workflow starts an import and writes to a data table what it is for; another one is told of its end and
 * reads that there.
 */
export async function assertJoinedByDataTable({
	running,
	imports,
	credentialId,
}: ImportSetting): Promise<void> {
	const { client } = running.n8n;
	const { id: projectId } = z
		.object({ id: z.string() })
		.parse(await client.call('GET', '/rest/projects/personal'));
	const { id: tableId } = z.object({ id: z.string() }).parse(
		await client.call('POST', `/rest/projects/${projectId}/data-tables`, {
			name: 'imports',
			columns: [
				{ name: 'jobId', type: 'number' },
				{ name: 'purpose', type: 'string' },
			],
		}),
	);
	const dataTableId = { __rl: true, mode: 'id', value: tableId };
	const native = (name: string, type: string, parameters: INodeParameters): INode => ({
		id: name,
		name,
		type: `${packageManifest.name}.${type}`,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { nativeApi: { id: credentialId, name: 'Native API' } },
	});
	const dataTable = (name: string, parameters: INodeParameters): INode => ({
		id: name,
		name,
		type: 'n8n-nodes-base.dataTable',
		typeVersion: 1,
		position: [220, 0],
		parameters: { resource: 'row', dataTableId, ...parameters },
	});
	const watching = await client.createWorkflow({
		name: 'Watches',
		nodes: [
			native('Import Ended', 'nativeBulkImportTrigger', {
				pollTimes: pollsEvery(5),
				watch: 'all',
			}),
			dataTable('Purpose', {
				operation: 'get',
				matchType: 'allConditions',
				filters: {
					conditions: [{ keyName: 'jobId', condition: 'eq', keyValue: '={{ $json.jobId }}' }],
				},
			}),
		],
		connections: { 'Import Ended': { main: [[{ node: 'Purpose', type: 'main', index: 0 }]] } },
	});
	await client.activate(watching);

	const { sourceUrl, path } = imports.heldFile();
	const { nodes } = readWorkflowFile(join(examples, 'durable-wait.json'));
	const startImport = nodes.find(({ name }) => name === 'Start Import');
	assert.ok(startImport);
	const starting = await client.createWorkflow({
		name: 'Starts',
		nodes: [
			{
				id: 'start',
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				...withParameters(startImport, { sourceUrl }),
				credentials: { nativeApi: { id: credentialId, name: 'Native API' } },
			},
			dataTable('Remember', {
				operation: 'insert',
				columns: {
					mappingMode: 'defineBelow',
					value: { jobId: '={{ $json.jobId }}', purpose: 'spring members' },
					matchingColumns: [],
					schema: ['jobId', 'purpose'].map((id) => ({
						id,
						displayName: id,
						required: false,
						defaultMatch: false,
						display: true,
						type: id === 'jobId' ? 'number' : 'string',
						canBeUsedToMatch: true,
					})),
				},
				options: {},
			}),
		],
		connections: {
			Start: { main: [[{ node: 'Start Import', type: 'main', index: 0 }]] },
			'Start Import': { main: [[{ node: 'Remember', type: 'main', index: 0 }]] },
		},
	});
	const started = await client.run(starting, 'Start');
	assert.equal(started.status, 'success', started.error?.message);
	imports.endFile(path, 'Completed');

	const executions = () => client.readEndedExecutions(watching);
	for (const deadline = Date.now() + EVENT_TIMEOUT_MS; (await executions()).length === 0; ) {
		assert.ok(Date.now() < deadline, 'the end of the import was not told');
		await wait(250);
	}
	const purposes = (await executions()).flatMap(({ nodes: ran }) => ran.Purpose?.outputs[0] ?? []);
	assert.deepEqual(
		purposes.map(({ jobId, purpose }) => ({ jobId, purpose })),
		[{ jobId: started.nodes['Start Import']?.outputs[0]?.[0]?.jobId, purpose: 'spring members' }],
	);
	await client.call('POST', `/rest/workflows/${watching.id}/deactivate`);
}
