import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import { z } from 'zod';
import type { StoredWorkflow, WorkflowFile } from '../hosts/n8nClient';
import type { SandboxedN8n } from '../hosts/sandboxedN8n';
import type { HeldImports } from './pausedImports';

export const examples = join(__dirname, '..', 'examples');
/** The shortest wait that n8n leaves to its database is 65 seconds; it looks there once a minute. */
export const LEFT_TO_DATABASE_MINUTES = 1.1;

/** What workflows that import need to know. */
export interface ImportSetting {
	running: SandboxedN8n;
	imports: HeldImports;
	/** Of the tenant "demo". */
	credentialId: string;
}

interface LoopSetting extends ImportSetting {
	/** Default: durable-wait.json. */
	example?: 'durable-import.json' | 'durable-wait.json';
}

/** The workflow of an example that waits, and the file that its job will wait for. */
export async function durableWait(
	{ running, imports, credentialId, example = 'durable-wait.json' }: LoopSetting,
	adapt: (workflow: StoredWorkflow) => WorkflowFile = (workflow) => workflow,
): Promise<{ workflow: StoredWorkflow; path: string }> {
	const { sourceUrl, path } = imports.heldFile();
	const imported = await running.importExample(join(examples, example), credentialId, {
		sourceUrl,
		uploadUrl: `${sourceUrl}?sig=upload`,
		downloadUrl: sourceUrl,
		minutesBetweenLooks: LEFT_TO_DATABASE_MINUTES,
	});
	const { name, nodes, connections, settings = {} } = adapt(imported);
	const { client } = running.n8n;
	return { workflow: await client.createWorkflow({ name, nodes, connections, settings }), path };
}

export const withParameters = (node: INode, parameters: INodeParameters): INode => ({
	...node,
	parameters: { ...node.parameters, ...parameters },
});

/** Of durable-import.json: the service calls the link of the execution; without a call, n8n continues after an hour. */
export const woken = (workflow: StoredWorkflow): WorkflowFile => ({
	...workflow,
	nodes: workflow.nodes.map((node) => {
		if (node.name === 'Wait') {
			return withParameters(node, {
				resume: 'webhook',
				httpMethod: 'POST',
				limitWaitTime: true,
				limitType: 'afterTimeInterval',
				resumeAmount: 1,
				resumeUnit: 'hours',
				options: {},
			});
		}
		if (node.name !== 'Import Items') return node;
		const listener = [{ type: 'webhook', value: '={{ $execution.resumeUrl }}' }];
		const options = node.parameters.options as INodeParameters;
		return withParameters(node, { options: { ...options, listeners: { listener } } });
	}),
});

export const asSubWorkflow = (workflow: StoredWorkflow): WorkflowFile => ({
	...workflow,
	nodes: workflow.nodes.map((node) =>
		node.name === 'Start'
			? {
					...node,
					type: 'n8n-nodes-base.executeWorkflowTrigger',
					typeVersion: 1.1,
					parameters: { inputSource: 'passthrough' },
				}
			: node,
	),
});

/** A workflow that runs another one and goes on with what that one puts out. */
export const parentOf = ({ id }: StoredWorkflow): WorkflowFile => ({
	name: 'Runs another one',
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
			id: 'import',
			name: 'Import',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			position: [220, 0],
			parameters: {
				source: 'database',
				workflowId: { __rl: true, mode: 'id', value: id },
				mode: 'once',
				options: { waitForSubWorkflow: true },
			},
		},
		{
			id: 'after',
			name: 'After',
			type: 'n8n-nodes-base.noOp',
			typeVersion: 1,
			position: [440, 0],
			parameters: {},
		},
	],
	connections: {
		Start: { main: [[{ node: 'Import', type: 'main', index: 0 }]] },
		Import: { main: [[{ node: 'After', type: 'main', index: 0 }]] },
	},
	settings: { executionOrder: 'v1' },
});

/** What durable-import.json counts for examples/data/contacts.csv. */
export const outcomeOfContacts = [
	{ status: 'imported', count_status: 975 },
	{ status: 'failed', count_status: 25 },
];

const listenersSchema = z.object({ listeners: z.array(z.object({ value: z.string() })) });

/** The link that the job of a `woken` workflow was given, if it was started. */
export const resumeLink = ({ sandbox }: SandboxedN8n): string | undefined =>
	sandbox.requests
		.map(({ body }) => listenersSchema.safeParse(body).data?.listeners[0]?.value)
		.find((value) => value !== undefined);
