import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod';
import type { StoredWorkflow } from '../hosts/n8nClient';
import { packageManifest } from '../hosts/packPackage';
import type { SandboxedN8n } from '../hosts/sandboxedN8n';
import { pollsEvery } from './pollSchedule';

const EVENT_TIMEOUT_MS = 180_000;

/**
 * A workflow that starts with the trigger, stored but not activated.
 *
 * @param everySeconds how often it looks: a divisor of 60
 */
export async function createTriggerWorkflow(
	running: SandboxedN8n,
	tenant: string,
	everySeconds: number,
	parameters: INodeParameters,
): Promise<StoredWorkflow> {
	const { client } = running.n8n;
	const id = await client.createCredential(running.credential(tenant));
	return await client.createWorkflow({
		name: `Jobs of ${tenant}`,
		nodes: [
			{
				id: 'trigger',
				name: 'Trigger',
				type: `${packageManifest.name}.nativeBulkImportTrigger`,
				typeVersion: 1,
				position: [0, 0],
				parameters: {
					pollTimes: pollsEvery(everySeconds),
					...parameters,
				},
				credentials: { nativeApi: { id, name: 'Native API' } },
			},
			{
				id: 'told',
				name: 'Told',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [220, 0],
				parameters: {},
			},
		],
		connections: { Trigger: { main: [[{ node: 'Told', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
}

const eventSchema = z.object({ jobId: z.number(), event: z.string(), status: z.string() });

/** What reached the node behind the trigger, in all executions so far: `<job> <event> <status>`. */
export async function reportedEvents(
	running: SandboxedN8n,
	workflow: StoredWorkflow,
): Promise<string[]> {
	const executions = await running.n8n.client.readEndedExecutions(workflow);
	assert.deepEqual(
		executions.filter(({ status }) => status !== 'success'),
		[],
	);
	return executions
		.flatMap(({ nodes }) => nodes.Told?.outputs[0] ?? [])
		.map((json) => eventSchema.parse(json))
		.map(({ jobId, event, status }) => `${jobId} ${event} ${status}`)
		.sort();
}

/** Waits until at least these events were told. */
export async function waitForEvents(
	running: SandboxedN8n,
	workflow: StoredWorkflow,
	expected: string[],
): Promise<void> {
	const deadline = Date.now() + EVENT_TIMEOUT_MS;
	for (;;) {
		const sofar = await reportedEvents(running, workflow);
		if (expected.every((event) => sofar.includes(event))) return;
		assert.ok(Date.now() < deadline, `told: ${sofar.join(', ')}; not: ${expected.join(', ')}`);
		await wait(500);
	}
}
