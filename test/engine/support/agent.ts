import { createRequire } from 'node:module';

import { WorkflowExecute } from 'n8n-core';
import { createNodeAsTool } from 'n8n-core/dist/execution-engine/node-execution-context/utils/create-node-as-tool';
import {
	createEmptyRunExecutionData,
	deepCopy,
	NodeConnectionTypes,
	Workflow,
	type EngineRequest,
	type EngineResponse,
	type IDataObject,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { additionalDataFor, canvasNode, givenItems, nodeTypes, type NodeSetup } from './engine';

const { convertToOpenAITool } = createRequire(require.resolve('n8n-core'))(
	'@langchain/core/utils/function_calling',
) as { convertToOpenAITool: (tool: unknown) => { function: ToolAsSeenByModel } };

/** What a language model sees of a tool. */
export interface ToolAsSeenByModel {
	name: string;
	description: string;
	/** JSON Schema of the arguments. */
	parameters: {
		properties: Record<string, { type?: string; description?: string }>;
		required?: string[];
	};
}

/**
 * How agents call a tool: `inProcess` through the function n8n-core hands them (agents inside agents,
 * older agent nodes), `byEngine` by asking the engine to run the node (the agent node since its version 3).
 */
export type ToolCalling = 'byEngine' | 'inProcess';

export interface ToolUse {
	tool: ToolAsSeenByModel;
	/** What the model gets to read; not there if the call failed. */
	response?: unknown;
	/** Message of the error the call ended with. */
	error?: string;
}

interface Tool {
	invoke(args: IDataObject): Promise<string>;
}

const TOOL = 'Tool Under Test';
const AGENT = 'Agent';
const PROMPT = 'Prompt';

/** What n8n tells a language model of a node with these parameters. */
export function describeTool(setup: NodeSetup): ToolAsSeenByModel {
	const tool = { ...setup, node: asTool(setup.node) };
	const { response } = createNodeAsTool({
		node: canvasNode(tool.node.description.displayName, tool),
		nodeType: tool.node,
		handleToolInvocation: async () => await Promise.resolve(''),
	});
	return convertToOpenAITool(response).function;
}

const tools = new WeakMap<INodeType, INodeType>();

/** What n8n makes of a node with `usableAsTool` when it is put on the canvas below an agent. */
function asTool(node: INodeType): INodeType {
	const tool = tools.get(node) ?? makeTool(node);
	tools.set(node, tool);
	return tool;
}

function makeTool(node: INodeType): INodeType {
	const description: INodeTypeDescription = deepCopy(node.description);
	if (!description.usableAsTool) throw new Error(`${description.name} cannot be used as a tool.`);
	delete description.usableAsTool;
	description.name += 'Tool';
	description.displayName += ' Tool';
	description.inputs = [];
	description.outputs = [NodeConnectionTypes.AiTool];
	description.properties.unshift({
		displayName: 'Tool Description',
		name: 'descriptionType',
		type: 'options',
		options: [
			{ name: 'Set Automatically', value: 'auto' },
			{ name: 'Set Manually', value: 'manual' },
		],
		default: 'auto',
	});
	return Object.create(node, { description: { value: description } }) as INodeType;
}

const agentDescription: INodeTypeDescription = {
	displayName: AGENT,
	name: 'agent',
	group: ['transform'],
	version: 1,
	description: 'Calls the tool as a language model chose',
	defaults: {},
	inputs: [NodeConnectionTypes.Main, { type: NodeConnectionTypes.AiTool }],
	outputs: [NodeConnectionTypes.Main],
	properties: [],
};

/** An agent whose model calls its one tool once, with the given arguments. */
function agent(
	args: IDataObject,
	calling: ToolCalling,
	use: (use: Partial<ToolUse>) => void,
): INodeType {
	return {
		description: agentDescription,
		async execute(response?: EngineResponse) {
			const [done] = response?.actionResponses ?? [];
			if (done) {
				const { data, error } = done.data;
				use(
					error
						? { error: error.message }
						: { response: data?.ai_tool?.[0]?.map(({ json }) => json) },
				);
				return [[]];
			}
			const [tool] = (await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[];
			if (!tool) throw new Error('The agent was given no tool.');
			use({ tool: convertToOpenAITool(tool).function });
			if (calling === 'byEngine') return requestFor(args);
			try {
				use({ response: JSON.parse(await tool.invoke(args)) as unknown });
			} catch (error) {
				use({ error: error instanceof Error ? error.message : String(error) });
			}
			return [[]];
		},
	};
}

function requestFor(input: IDataObject): EngineRequest {
	return {
		actions: [
			{
				actionType: 'ExecutionNodeAction',
				nodeName: TOOL,
				input,
				type: NodeConnectionTypes.AiTool,
				id: 'call-1',
				metadata: {},
			},
		],
		metadata: {},
	};
}

/**
 * Connects a node to an agent as a tool and has the agent call it, in n8n's own execution engine.
 *
 * @param args what the model returns for the `$fromAI(…)` in the parameters
 */
export async function callAsTool(
	setup: NodeSetup,
	args: IDataObject,
	calling: ToolCalling,
): Promise<ToolUse> {
	let seen: Partial<ToolUse> = {};
	const prompt = givenItems([{ json: { prompt: 'Do it.' } }]);
	const tool = asTool(setup.node);
	const agentNode = agent(args, calling, (use) => {
		seen = { ...seen, ...use };
	});
	const workflow = new Workflow({
		id: 'workflow',
		name: 'Workflow of a test',
		active: true,
		nodes: [
			canvasNode(PROMPT, { node: prompt }),
			canvasNode(AGENT, { node: agentNode }),
			canvasNode(TOOL, { ...setup, node: tool }),
		],
		connections: {
			[PROMPT]: { main: [[{ node: AGENT, type: NodeConnectionTypes.Main, index: 0 }]] },
			[TOOL]: { ai_tool: [[{ node: AGENT, type: NodeConnectionTypes.AiTool, index: 0 }]] },
		},
		nodeTypes: nodeTypes([prompt, agentNode, tool]),
		settings: { executionOrder: 'v1', timezone: 'UTC' },
	});
	const { data } = await new WorkflowExecute(
		additionalDataFor(setup, 'trigger'),
		'trigger',
		createEmptyRunExecutionData(),
	).run({ workflow, startNode: workflow.getNode(PROMPT) ?? undefined });
	if (!seen.tool) throw data.resultData.error ?? new Error('The agent did not run.');
	const failure = data.resultData.error?.message;
	return { tool: seen.tool, ...(failure !== undefined && { error: failure }), ...seen };
}
