import assert from 'node:assert/strict';
import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod';
import type { StoredWorkflow } from '../hosts/n8nClient';
import type { SandboxedN8n } from '../hosts/sandboxedN8n';
import { waitUntil } from '../hosts/waitUntil';
import { nativeNode, rowWorkflow, type NodeInRow } from '../hosts/workflows';

/**
 * The trigger, polling more often than users need.
 *
 * n8n 2.41 accepts no expression that is due more than once a minute, 2.8.4 does; both accept several that
 * are each due once a minute.
 *
 * @param everySeconds how often it polls: a divisor of 60
 */
export function triggerNode(
	name: string,
	credentialId: string,
	everySeconds: number,
	parameters: INodeParameters,
): NodeInRow {
	const item = Array.from({ length: 60 / everySeconds }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * everySeconds} * * * * *`,
	}));
	return nativeNode(name, 'nativeBulkImportTrigger', credentialId, {
		pollTimes: { item },
		...parameters,
	});
}

/** A workflow that starts with the trigger, stored but not activated. */
export async function createTriggerWorkflow(
	running: SandboxedN8n,
	tenant: string,
	everySeconds: number,
	parameters: INodeParameters,
): Promise<StoredWorkflow> {
	const { client } = running.n8n;
	const id = await client.createCredential(running.credential(tenant));
	const reported = { name: 'Reported', type: 'n8n-nodes-base.noOp', parameters: {} };
	return await client.createWorkflow(
		rowWorkflow([triggerNode('Trigger', id, everySeconds, parameters), reported]),
	);
}

const eventSchema = z.object({ jobId: z.number(), event: z.string(), status: z.string() });

/** What reached the node after the trigger, in all executions so far: `<job> <event> <status>`. */
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
		.flatMap(({ nodes }) => nodes.Reported?.outputs[0] ?? [])
		.map((json) => eventSchema.parse(json))
		.map(({ jobId, event, status }) => `${jobId} ${event} ${status}`)
		.sort();
}

export async function waitForEvents(
	running: SandboxedN8n,
	workflow: StoredWorkflow,
	expected: string[],
): Promise<void> {
	let reported: string[] = [];
	await waitUntil(
		() => `${expected.join(', ')}; reported: ${reported.join(', ')}`,
		async () => {
			reported = await reportedEvents(running, workflow);
			return expected.every((event) => reported.includes(event));
		},
		{ everyMs: 500 },
	);
}
