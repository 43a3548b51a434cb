import { Container } from './container';

import { parse, stringify } from 'flatted';
import { mapKeys, pickBy } from 'lodash';
import {
	BinaryDataService,
	ExecutionLifecycleHooks,
	ExternalSecretsProxy,
	WorkflowExecute,
} from 'n8n-core';
import {
	createEmptyRunExecutionData,
	NodeConnectionTypes,
	NodeHelpers,
	Workflow,
	type ExecutionError,
	type ExecutionStatus,
	type IBinaryData,
	type IConnections,
	type ICredentialType,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IRunData,
	type IRunExecutionData,
	type IWorkflowExecuteAdditionalData,
	type IWorkflowSettings,
	type NodeExecutionHint,
	type OnError,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { CredentialStore, type CredentialValues } from './credentialStore';
import './processedData';

/** A node on the canvas, with what its user entered. */
export interface NodeSetup {
	node: INodeType;
	/** Default: the highest version of the node. */
	typeVersion?: number;
	/** Those left out get their defaults. */
	parameters?: INodeParameters;
	/** Keyed by the name of the credential type. */
	credentials?: CredentialValues;
	/** The types of `credentials`. */
	credentialTypes?: ICredentialType[];
	/** The node's own static data as saved with the workflow. */
	staticData?: IDataObject;
	/** Settings of the workflow. */
	settings?: IWorkflowSettings;
	/** The public address of n8n. */
	host?: string;
	/** ID of the workflow; empty for one that is not saved. */
	workflowId?: string;
	/** Retry On Fail, as set in the node's settings. */
	retries?: Pick<INode, 'maxTries' | 'waitBetweenTries'>;
	/** Between the given items and the node, which is connected to its last output. */
	before?: { node: INodeType; runs: number };
	/** A node that gets the output of the node. */
	after?: INodeType | Pick<NodeSetup, 'node' | 'parameters' | 'credentials'>;
}

export interface NodeRunOptions extends NodeSetup {
	/** Default: one item with an empty object. Null: no node before this one. */
	items?: INodeExecutionData[] | null;
	onError?: OnError;
	/** Aborting it cancels the execution as the stop button does. */
	signal?: AbortSignal;
	/** Default: `trigger`, an execution in production. */
	mode?: WorkflowExecuteMode;
	/**
	 * Called when the execution was put to wait until the given time; it then continues with what n8n
	 * stores, as after a restart. Without it the run ends there.
	 *
	 * @param stored what n8n stores; a link that wakes the node can change it
	 */
	whileSleeping?: (until: Date, stored: IRunExecutionData) => void | Promise<void>;
	/** Gets what n8n stores of the execution once it has ended. */
	ended?: (stored: IRunExecutionData) => void;
	/** Goes on with what n8n stored of another execution, as its Retry button does. */
	retryOf?: RetriedExecution;
}

export interface RetriedExecution {
	stored: IRunExecutionData;
	/** Which of the two ways of the button: the workflow as it is saved now, or as it was. */
	workflow: 'currentlySaved' | 'original';
}

export interface NodeRun {
	status: ExecutionStatus;
	/** One list per output; with `continueErrorOutput` the last one is the error output. */
	outputs: INodeExecutionData[][];
	/** What ended the execution. */
	error?: ExecutionError;
	hints: NodeExecutionHint[];
	/** Keyed by the name of the node: `Given Items`, `Node Before`, `Node Under Test` and `Node After`. */
	runData: IRunData;
	/** The node's own static data after the run. */
	staticData: IDataObject;
	/** Data by which the list of executions can be searched. */
	customData: Record<string, string>;
}

const GIVEN_ITEMS = 'Given Items';
const BEFORE = 'Node Before';
const UNDER_TEST = 'Node Under Test';
const AFTER = 'Node After';
const EXECUTION_ID = '1';
const RETRY_ID = '1001';
/** Executions that run now. */
let running = 0;

const notThere = (what: string) => (): never => {
	throw new Error(`The engine of the tests has no ${what}.`);
};

const binaryData = Container.get(BinaryDataService);
const binaryDataReady = binaryData.init();
// It makes a folder, which a test that ended before would leave behind. Code in Jest alone has hooks.
if (typeof beforeAll === 'function') beforeAll(async () => await binaryDataReady);

/** The type name that n8n gives to a node of this package. */
const typeName = (node: INodeType) => `n8n-nodes-native.${node.description.name}`;

/** A node that emits the items of the test. */
export const givenItems = (items: INodeExecutionData[]): INodeType => ({
	description: {
		displayName: GIVEN_ITEMS,
		name: 'givenItems',
		group: ['input'],
		version: 1,
		description: 'Emits the items of the test',
		defaults: {},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
	execute: async () => [items],
});

/** Knows these node types and no others. */
export function nodeTypes(nodes: INodeType[]): INodeTypes {
	const find = (name: string) => {
		const node = nodes.find((candidate) => typeName(candidate) === name);
		if (!node) throw new Error(`The test gave no node of type "${name}".`);
		return node;
	};
	return {
		getByName: find,
		getByNameAndVersion: (name, version) => NodeHelpers.getVersionedNodeType(find(name), version),
		getKnownTypes: () => ({}),
	};
}

/** A node in a workflow. */
export function canvasNode(name: string, setup: NodeSetup): INode {
	const { node, parameters = {}, credentials = {} } = setup;
	return {
		id: name,
		name,
		type: typeName(node),
		typeVersion: setup.typeVersion ?? Math.max(...[node.description.version].flat()),
		position: [0, 0],
		parameters,
		...(setup.retries && { retryOnFail: true, ...setup.retries }),
		credentials: Object.fromEntries(
			Object.keys(credentials).map((type) => [type, { id: type, name: type }]),
		),
	};
}

const stateKey = ({ id }: INode, name = '') => `n8n-nodes-native ${id} ${name}`;

/** What n8n keeps for the node with its workflow, by name. */
export const stateOf = (workflow: Workflow, node: INode): IDataObject =>
	mapKeys(
		pickBy(workflow.getStaticData('global'), (_, key) => key.startsWith(stateKey(node))),
		(_, key) => key.slice(stateKey(node).length),
	) as IDataObject;

function connectionsOf({ before, after }: NodeSetup): IConnections {
	const to = (node: string) => ({ node, type: NodeConnectionTypes.Main, index: 0 });
	const outputs = before?.node.description.outputs.length ?? 1;
	const unused = Array.from({ length: outputs - 1 }, () => []);
	return {
		[GIVEN_ITEMS]: {
			main: [Array.from({ length: before?.runs ?? 1 }, () => to(before ? BEFORE : UNDER_TEST))],
		},
		...(before && { [BEFORE]: { main: [...unused, [to(UNDER_TEST)]] } }),
		...(after && { [UNDER_TEST]: { main: [[to(AFTER)]] } }),
	};
}

const setupOf = (after: NonNullable<NodeSetup['after']>): NodeSetup =>
	'node' in after ? after : { node: after };

/** A workflow with the node alone, or after a node that emits items. */
export function workflowWith(
	setup: NodeSetup,
	items?: INodeExecutionData[] | null,
	onError?: OnError,
) {
	const node: INode = { ...canvasNode(UNDER_TEST, setup), ...(onError && { onError }) };
	const source = givenItems(items ?? []);
	const { before, after } = setup;
	const around = [
		...(before ? [canvasNode(BEFORE, before)] : []),
		...(after ? [canvasNode(AFTER, setupOf(after))] : []),
	];
	const workflow = new Workflow({
		id: setup.workflowId ?? 'workflow',
		name: 'Workflow of a test',
		active: true,
		nodes: items ? [canvasNode(GIVEN_ITEMS, { node: source }), node, ...around] : [node],
		connections: items ? connectionsOf(setup) : {},
		nodeTypes: nodeTypes([
			source,
			setup.node,
			...[before?.node ?? [], after ? setupOf(after).node : []].flat(),
		]),
		staticData: {
			global: mapKeys(structuredClone(setup.staticData ?? {}), (_, name) => stateKey(node, name)),
		},
		settings: { executionOrder: 'v1', timezone: 'UTC', ...setup.settings },
	});
	return { workflow, node: nodeOf(workflow) };
}

function nodeOf(workflow: Workflow): INode {
	const node = workflow.getNode(UNDER_TEST);
	if (!node) throw new Error('The workflow lost its node.');
	return node;
}

/** The credentials with the limits that the parameters of an import come with. */
function credentialsWith({
	credentials = {},
	parameters,
}: Pick<NodeSetup, 'credentials' | 'parameters'>) {
	const { nativeApi } = credentials;
	const limits = parameters?.limits as CredentialValues[string] | undefined;
	return nativeApi && limits
		? { ...credentials, nativeApi: { ...nativeApi, ...limits } }
		: credentials;
}

/** What the engine asks its host for. */
export function additionalDataFor(
	setup: Pick<NodeSetup, 'credentials' | 'credentialTypes' | 'host' | 'parameters'>,
	mode: WorkflowExecuteMode,
	executionId = EXECUTION_ID,
): IWorkflowExecuteAdditionalData {
	const { host = 'http://127.0.0.1:5678' } = setup;
	return {
		credentialsHelper: new CredentialStore(setup.credentialTypes ?? [], credentialsWith(setup)),
		hooks: new ExecutionLifecycleHooks(mode, executionId, {
			id: 'workflow',
			name: 'Workflow of a test',
			active: true,
			isArchived: false,
			activeVersionId: null,
			createdAt: new Date(0),
			updatedAt: new Date(0),
			nodes: [],
			connections: {},
		}),
		executionId,
		currentNodeExecutionIndex: 0,
		variables: {},
		externalSecretsProxy: Container.get(ExternalSecretsProxy),
		restApiUrl: `${host}/rest`,
		instanceBaseUrl: host,
		formBaseUrl: `${host}/form`,
		formWaitingBaseUrl: `${host}/form-waiting`,
		formTestBaseUrl: `${host}/form-test`,
		webhookBaseUrl: `${host}/webhook`,
		webhookWaitingBaseUrl: `${host}/webhook-waiting`,
		webhookTestBaseUrl: `${host}/webhook-test`,
		mcpBaseUrl: `${host}/mcp`,
		mcpTestBaseUrl: `${host}/mcp-test`,
		executeWorkflow: notThere('other workflows'),
		getRunExecutionData: notThere('other executions'),
		getRuntimeCredential: notThere('credentials made at run time'),
		startRunnerTask: notThere('task runner'),
		logAiEvent: () => {},
	};
}

/** What the Retry button makes of a stored execution: n8n's `ExecutionService.retry`. */
function retriedData(
	{ stored, workflow: way }: RetriedExecution,
	workflow: Workflow,
): IRunExecutionData {
	const data = structuredClone(stored);
	const { resultData, executionData } = data;
	delete resultData.error;
	const runs = resultData.runData[resultData.lastNodeExecuted ?? ''];
	if (runs?.at(-1)?.error !== undefined) runs.pop();
	if (way === 'currentlySaved')
		for (const entry of executionData?.nodeExecutionStack ?? [])
			entry.node = workflow.getNode(entry.node.name) ?? entry.node;
	return data;
}

/**
 * Runs a node in n8n's own execution engine, after a node that emits the given items.
 *
 * @throws if n8n refuses to start, for instance because a required parameter is missing
 */
export async function runNode(options: NodeRunOptions): Promise<NodeRun> {
	await binaryDataReady;
	const { retryOf, items = [{ json: {} }], signal, onError, whileSleeping } = options;
	const { mode = retryOf ? 'retry' : 'trigger' } = options;
	let { workflow } = workflowWith(options, items, onError);
	const node = nodeOf(workflow);
	// Each part of an execution has what was saved before its start, and n8n saves what it changes.
	let state = stateOf(workflow, node);
	const saveState = () => {
		if (workflow.staticData.__dataChanged) state = stateOf(workflow, node);
	};
	const startNode = workflow.getNode(GIVEN_ITEMS) ?? node;
	const executionId = retryOf ? RETRY_ID : String(running + 1);
	const engine = (stored: IRunExecutionData) =>
		new WorkflowExecute(additionalDataFor(options, mode, executionId), mode, stored);

	let execution = retryOf
		? engine(retriedData(retryOf, workflow)).processRunExecutionData(workflow)
		: engine(createEmptyRunExecutionData()).run({ workflow, startNode });
	running++;
	const cancel = () => execution.cancel();
	if (signal?.aborted) cancel();
	signal?.addEventListener('abort', cancel);
	try {
		let { data, status } = await execution;
		while (data.waitTill && whileSleeping) {
			// In the form that n8n stores: what is not JSON changes.
			const stored = parse(stringify(data)) as IRunExecutionData;
			await whileSleeping(data.waitTill, stored);
			saveState();
			({ workflow } = workflowWith(options, items, onError));
			execution = engine(structuredClone(stored)).processRunExecutionData(workflow);
			({ data, status } = await execution);
		}
		saveState();
		options.ended?.(parse(stringify(data)) as IRunExecutionData);
		const { runData, error, metadata } = data.resultData;
		const task = runData[UNDER_TEST]?.at(-1);
		return {
			status,
			outputs: (task?.data?.main ?? []).map((output) => output ?? []),
			...(error && { error }),
			hints: task?.hints ?? [],
			runData,
			staticData: state,
			customData: metadata ?? {},
		};
	} finally {
		running--;
		signal?.removeEventListener('abort', cancel);
	}
}

/** Stores a file where n8n stores the binary data of executions, for a given item. */
export async function storeBinary(
	content: Uint8Array,
	file: { fileName: string; mimeType: string },
): Promise<IBinaryData> {
	await binaryDataReady;
	return await binaryData.store(
		{ type: 'execution', workflowId: 'workflow', executionId: EXECUTION_ID },
		Buffer.from(content),
		{ ...file, data: '' },
	);
}

/** Where n8n keeps a stored file. */
export function binaryPath({ id = '' }: IBinaryData): string {
	return binaryData.getPath(id);
}

/** The content of a file that a node emitted. */
export async function readBinary(
	item: INodeExecutionData | undefined,
	property: string,
): Promise<Buffer> {
	const stored = item?.binary?.[property];
	if (!stored) throw new Error(`The item has no binary data "${property}".`);
	return await binaryData.getAsBuffer(stored);
}
