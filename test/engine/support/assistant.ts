import { join } from 'node:path';
import type { IDataObject, INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';
import { type IRunExecutionData, NodeConnectionTypes } from 'n8n-workflow';

import { readWorkflowFile } from '../../../hosts/n8nClient';
import { NativeBulkImport } from '../../../nodes/NativeBulkImport/NativeBulkImport.node';
import { callAsTool, describeTool, type ToolCalling } from './agent';
import { type NodeRun, storeBinary } from './engine';
import { stopsOf, totalsOf } from './itemImports';
import type { Sandboxed } from './sandboxed';
import type { ModelStep, StandInModel } from './standInModels';
import { fromAI } from './toolText';
import { callWaitingLink, type LinkResponse } from './waitingLink';

const { nodes } = readWorkflowFile(join(__dirname, '../../../examples/assistant-import.json'));
const node = new NativeBulkImport();

/** The parameters of a node of the example, which read the nodes before it from the one item here. */
function parametersOf(name: string): INodeParameters {
	const found = nodes.find((each) => each.name === name);
	if (!found) throw new Error(`The example has no node ${name}.`);
	const text = JSON.stringify(found.parameters).replaceAll(
		/\$\('[\w ]+'\)\.first\(\)\.json/g,
		'$json',
	);
	return JSON.parse(text) as INodeParameters;
}

/** What the person who gets the mail does. */
export type Decision = 'import' | 'cancel' | 'none';

export const SECRET = '7f3a9c01d2e84b56a0f1c2d3e4b5a697';

/** An import that waits for its release, or has ended. */
interface Proposed {
	stored?: IRunExecutionData;
	/** What the person sees. */
	page?: LinkResponse;
	end: Promise<NodeRun>;
}

const MOST_STEPS = 20;

/** The assistant of the example with a model that stands in, in n8n's engine. */
export class Assistant {
	/** All that the model was given to read. */
	readonly read: string[] = [];
	readonly proposed: Proposed[] = [];
	/** Requests of the model to a page that woke the import. */
	woken = 0;
	private decide = (): void => {};
	private readonly isDecided = new Promise<void>((resolve) => (this.decide = resolve));

	constructor(
		private readonly service: Sandboxed,
		private readonly list: { text: string; fileName: string },
		private readonly model: StandInModel,
		private readonly calling: ToolCalling,
		/** n8n's time passes while an execution sleeps. */
		private readonly passTime: (ms: number) => void,
	) {}

	/** A message of the person in the chat, until the model has said what it says. */
	async hear(message: string): Promise<void> {
		this.read.push(message);
		const tools = [
			{ ...this.proposeTool(), name: 'Propose_Import' },
			{ ...this.importsTool(), name: 'Imports_So_Far' },
		];
		const seen = tools.map((tool) => ({ ...describeTool(tool), name: tool.name }));
		const done: ModelStep[] = [];
		while (done.length < MOST_STEPS) {
			const step = this.model(this.read, seen, done);
			done.push(step);
			if ('say' in step) return;
			if ('attack' in step) await this.attack(step.attack);
			else {
				const tool = tools.find(({ name }) => name === step.tool);
				if (!tool) throw new Error(`There is no tool ${step.tool}.`);
				const { response, error } = await callAsTool(tool, step.args, this.calling);
				this.read.push(JSON.stringify(response ?? error));
			}
		}
	}

	/** The person who got the mails decides on the first of them. */
	async end(decision: Decision): Promise<NodeRun[]> {
		const [first] = this.proposed;
		if (first?.stored && decision !== 'none') {
			const ask = /name="ask" value="(\w+)"/.exec(first.page?.body ?? '')?.[1] ?? '';
			const form = { ask, action: decision, name: 'Kim Example' };
			await this.call(first.stored, 'POST', { page: SECRET }, form);
		}
		this.decide();
		return await Promise.all(this.proposed.map(async ({ end }) => await end));
	}

	private async call(
		stored: IRunExecutionData,
		method: 'GET' | 'POST',
		query: IDataObject,
		form: Record<string, string> = {},
	): Promise<LinkResponse> {
		return await callWaitingLink(this.service.setup(node), stored, method, query, form);
	}

	private async attack({ page, form }: { page: string; form: Record<string, string> }) {
		for (const { stored } of this.proposed) {
			if (!stored) continue;
			for (const method of ['GET', 'POST'] as const) {
				const { body, wakes } = await this.call(stored, method, { page }, form);
				if (wakes) this.woken++;
				this.read.push(body);
			}
		}
	}

	private importsTool() {
		return { ...this.service.setup(node), parameters: parametersOf('Imports So Far') };
	}

	/** In place of the tool that calls the workflow, which is not in the engine. */
	private proposeTool() {
		const { description = '', workflowInputs } = parametersOf('Propose Import') as {
			description?: string;
			workflowInputs?: { value: { name: string } };
		};
		const propose = async (name: string) => await this.propose(name);
		const tool: INodeType = {
			description: {
				displayName: 'Propose Import',
				name: 'proposeImport',
				group: ['transform'],
				version: 1,
				description,
				defaults: { name: 'Propose Import' },
				inputs: [NodeConnectionTypes.Main],
				outputs: [NodeConnectionTypes.Main],
				usableAsTool: true,
				properties: [{ displayName: 'Name', name: 'name', type: 'string', default: '' }],
			},
			async execute() {
				return [[{ json: await propose(String(this.getNodeParameter('name', 0))) }]];
			},
		};
		const name = workflowInputs?.value.name ?? fromAI('Name_of_Import', '', 'string');
		return {
			node: tool,
			parameters: { descriptionType: 'manual', toolDescription: description, name },
		};
	}

	private async propose(name: string): Promise<IDataObject> {
		const items = [await this.itemOf(name)];
		const survey = await this.service.run(node, parametersOf('Survey'), { items });
		if (survey.error) throw new Error(survey.error.message);
		const stops = stopsOf(survey);
		if (stops.length > 0) throw new Error(stops.join(' '));
		const { rows, notImported } = totalsOf(survey);
		const proposed: Proposed = { end: Promise.reject(new Error('It was not started.')) };
		proposed.end.catch(() => {});
		await new Promise<void>((resolve) => {
			proposed.end = this.import(items, proposed, resolve).finally(resolve);
		});
		this.proposed.push(proposed);
		const columnsNotImported = Array.isArray(notImported) ? notImported.length : 0;
		return { status: 'waits for release', rows, columnsNotImported } as IDataObject;
	}

	private async import(
		items: INodeExecutionData[],
		proposed: Proposed,
		resolve: () => void,
	): Promise<NodeRun> {
		return await this.service.run(node, parametersOf('Import'), {
			items,
			whileSleeping: async (until, stored) => {
				const page = await this.call(stored, 'GET', { page: SECRET });
				if (!proposed.page && page.body.includes('value="cancel"')) {
					proposed.page = page;
					proposed.stored = stored;
					resolve();
					await this.isDecided;
				}
				await this.service.settle();
				this.passTime(Math.max(0, until.getTime() - Date.now()));
			},
		});
	}

	private async itemOf(name: string): Promise<INodeExecutionData> {
		const { sandbox } = this.service;
		const file = { fileName: this.list.fileName, mimeType: 'text/csv' };
		return {
			json: {
				name,
				secret: SECRET,
				uploadUrl: `${sandbox.url}/drop/{file}?sig=1`,
				downloadUrl: `${sandbox.httpsUrl}/drop/{file}`,
			},
			binary: { data: await storeBinary(Buffer.from(this.list.text), file) },
		};
	}
}
