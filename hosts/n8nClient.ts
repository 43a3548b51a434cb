import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IConnections, IDataObject, INode } from 'n8n-workflow';
import { fetch, type Dispatcher } from 'undici';
import { z } from 'zod';
import { parseExecution, type Execution } from './execution';
import { waitUntil } from './waitUntil';

/** A workflow as the editor exports it and the files of examples/ hold it. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IDataObject;
}

export interface StoredWorkflow extends WorkflowFile {
	id: string;
}

export interface Credential {
	name: string;
	type: string;
	data: IDataObject;
}

const statusSchema = z.object({ status: z.string() });
const executionListSchema = z.object({
	results: z.array(z.object({ id: z.coerce.string(), status: z.string() })),
});
const publicationSchema = z.object({
	status: z.string(),
	triggers: z.array(z.object({ errorMessage: z.string().nullish() })),
});
type Publication = z.output<typeof publicationSchema>;
const idSchema = z.object({ id: z.string() });

const RUNNING: ReadonlySet<string> = new Set(['new', 'running', 'waiting']);

/** n8n 2.8.4 lists no more executions at once, 2.41 rejects it; they do not page on in the same way. */
const LONGEST_LIST = 100;

/** n8n binds the login to the browser; any constant will do. */
const BROWSER_ID = 'n8n-nodes-native';

/** What n8n says while it has lost its database. */
const DATABASE_IS_AWAY = 'Database is not ready';

/** n8n did not do what it was called for. */
export class RejectedCall extends Error {
	constructor(
		call: string,
		readonly status: number,
		reason: string,
	) {
		super(`n8n responded to ${call} with ${status}: ${reason.slice(0, 500)}`);
	}
}

/** A started n8n, by the calls that its own editor makes. */
export class N8nClient {
	private cookie = '';
	private readonly parseFlatted: (text: string) => unknown;
	/** Those of the lists so far: what has ended is not read again. */
	private readonly ended = new Map<string, Execution>();

	/**
	 * @param url of the editor
	 * @param hostDir the installation it runs from: execution data is read with its own library
	 * @param dispatcher trusts the certificate of an n8n with https
	 */
	constructor(
		readonly url: string,
		hostDir: string,
		private readonly dispatcher: Dispatcher,
	) {
		const requireOfN8n = createRequire(join(hostDir, 'node_modules', 'n8n', 'package.json'));
		const flatted: { parse: (text: string) => unknown } = requireOfN8n('flatted');
		this.parseFlatted = flatted.parse;
	}

	/** @returns the `data` of the response @throws Error that names the call and n8n's reason */
	async call(method: string, path: string, body?: unknown): Promise<unknown> {
		const { data } = await waitUntil(
			() => `n8n has its database again for ${method} ${path}`,
			async () => await this.callOnce(method, path, body),
		);
		return data;
	}

	/** @returns undefined if n8n has lost its database for the moment, as on a busy machine, and did nothing */
	private async callOnce(
		method: string,
		path: string,
		body: unknown,
	): Promise<{ data: unknown } | undefined> {
		const response = await fetch(`${this.url}${path}`, {
			method,
			dispatcher: this.dispatcher,
			headers: {
				'browser-id': BROWSER_ID,
				cookie: this.cookie,
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		if (response.status === 503 && text.includes(DATABASE_IS_AWAY)) return undefined;
		if (!response.ok) throw new RejectedCall(`${method} ${path}`, response.status, text);
		const session = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
		if (session.length > 0) this.cookie = session.join('; ');
		const parsed: unknown = JSON.parse(text);
		const hasData = parsed !== null && typeof parsed === 'object' && 'data' in parsed;
		return { data: hasData ? parsed.data : parsed };
	}

	/** The versions of every node type in which a workflow may be saved. */
	async nodeVersions(): Promise<Map<string, number[]>> {
		const types = z
			.array(
				z.object({
					name: z.string(),
					version: z.union([z.number(), z.array(z.number())]),
					deprecated: z.boolean().default(false),
				}),
			)
			.parse(await this.call('GET', '/types/nodes.json'));
		const versions = new Map<string, number[]>();
		for (const { name, version, deprecated } of types)
			if (!deprecated) versions.set(name, [...(versions.get(name) ?? []), version].flat());
		return versions;
	}

	/** The names of every type that the editor offers, those of nodes with their package. */
	async offeredTypes(kind: 'nodes' | 'credentials'): Promise<string[]> {
		const types = await this.call('GET', `/types/${kind}.json`);
		return z
			.array(z.object({ name: z.string() }))
			.parse(types)
			.map(({ name }) => name);
	}

	async createCredential(credential: Credential): Promise<string> {
		return idSchema.parse(await this.call('POST', '/rest/credentials', credential)).id;
	}

	async createWorkflow(workflow: WorkflowFile): Promise<StoredWorkflow> {
		const stored = await this.call('POST', '/rest/workflows', {
			settings: {},
			...workflow,
			active: false,
		});
		idSchema.parse(stored);
		return stored as StoredWorkflow;
	}

	/** Stores a workflow again, with its nodes changed. */
	async copyWorkflow(
		{ name, nodes, connections, settings = {} }: StoredWorkflow,
		change: (node: INode) => INode,
	): Promise<StoredWorkflow> {
		return await this.createWorkflow({ name, nodes: nodes.map(change), connections, settings });
	}

	/** Activates a workflow, and waits until its triggers are set up. @throws Error when one of them could not be */
	async activate({ id }: StoredWorkflow): Promise<void> {
		const { versionId } = z
			.object({ versionId: z.string() })
			.parse(await this.call('GET', `/rest/workflows/${id}`));
		await this.call('POST', `/rest/workflows/${id}/activate`, { versionId });
		const publication = await waitUntil(
			`workflow ${id} is published`,
			async () => {
				const current = await this.publication(id);
				return current.status !== 'in_progress' && current;
			},
			{ everyMs: 100 },
		);
		if (publication.status !== 'published') {
			const reasons = publication.triggers.map(({ errorMessage }) => errorMessage).join(' ');
			throw new Error(`Workflow ${id} is ${publication.status}. ${reasons}`);
		}
	}

	async deactivate({ id }: StoredWorkflow): Promise<void> {
		await this.call('POST', `/rest/workflows/${id}/deactivate`);
	}

	/** n8n 2.41 sets triggers up after its response; 2.8.4 does it before, and cannot be asked. */
	private async publication(id: string): Promise<Publication> {
		try {
			const path = `/rest/workflows/${id}/publication-status`;
			return publicationSchema.parse(await this.call('GET', path));
		} catch (error) {
			if (error instanceof RejectedCall && error.status === 404) {
				return { status: 'published', triggers: [] };
			}
			throw error;
		}
	}

	/**
	 * Starts a workflow as the button "Execute workflow" does. Returns the ID of the execution.
	 *
	 * @param triggered what the trigger puts out, for one that a user sets off in the editor, e.g. a chat
	 * @param lastNode where to end, as the button "Execute step" does
	 */
	async start(
		workflow: StoredWorkflow,
		triggerName: string,
		triggered?: IDataObject,
		lastNode?: string,
	): Promise<string> {
		const data = triggered && {
			startTime: Date.now(),
			executionTime: 0,
			executionIndex: 0,
			executionStatus: 'success',
			source: [null],
			data: { main: [[{ json: triggered }]] },
		};
		const started = await this.call('POST', `/rest/workflows/${workflow.id}/run`, {
			workflowData: workflow,
			triggerToStartFrom: { name: triggerName, ...(data && { data }) },
			...(lastNode && { destinationNode: { nodeName: lastNode, mode: 'inclusive' } }),
		});
		return z.object({ executionId: z.string() }).parse(started).executionId;
	}

	/**
	 * Starts a workflow and waits for its end.
	 *
	 * @param signal gives up waiting
	 * @throws Error when it has not ended in time; a failed execution is a result like any other
	 */
	async run(
		workflow: StoredWorkflow,
		triggerName: string,
		{ signal, triggered }: { signal?: AbortSignal; triggered?: IDataObject } = {},
	): Promise<Execution> {
		return await this.waitForExecution(await this.start(workflow, triggerName, triggered), signal);
	}

	async waitForExecution(executionId: string, signal?: AbortSignal): Promise<Execution> {
		let status = '';
		return await waitUntil(
			() => `execution ${executionId} ends; it is ${status}`,
			async () => {
				const response = await this.call('GET', `/rest/executions/${executionId}`);
				({ status } = statusSchema.parse(response));
				return !RUNNING.has(status) && parseExecution(response, this.parseFlatted);
			},
			{ signal },
		);
	}

	async statusOf(executionId: string): Promise<string> {
		return statusSchema.parse(await this.call('GET', `/rest/executions/${executionId}`)).status;
	}

	/** Every execution of a workflow, the oldest first. @throws Error when n8n does not list all */
	async listExecutions({ id }: StoredWorkflow): Promise<Array<{ id: string; status: string }>> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
		const { results } = executionListSchema.parse(
			await this.call('GET', `/rest/executions?filter=${filter}&limit=${LONGEST_LIST}`),
		);
		if (results.length === LONGEST_LIST) {
			throw new Error(`The workflow ran ${LONGEST_LIST} times or more: not all can be listed.`);
		}
		return results.reverse();
	}

	/** Every execution of a workflow that has ended, the oldest first. @throws Error when n8n does not list all */
	async readEndedExecutions(workflow: StoredWorkflow): Promise<Execution[]> {
		const executions: Execution[] = [];
		for (const { id: executionId, status } of await this.listExecutions(workflow)) {
			if (RUNNING.has(status)) continue;
			const execution = this.ended.get(executionId) ?? (await this.waitForExecution(executionId));
			this.ended.set(executionId, execution);
			executions.push(execution);
		}
		return executions;
	}
}

/** Reads the workflow from a file in examples/. */
export function readWorkflowFile(path: string): WorkflowFile {
	const workflow: unknown = JSON.parse(readFileSync(path, 'utf8'));
	z.object({ name: z.string(), nodes: z.array(z.unknown()), connections: z.object({}) }).parse(
		workflow,
	);
	return workflow as WorkflowFile;
}
