/** What the tests of the editor have in common. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach } from 'node:test';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Locator } from 'playwright-core';
import type { WorkflowFile } from '../../hosts/n8nClient';
import { itemsWorkflow, nativeNode, rowWorkflow, type NodeInRow } from '../../hosts/workflows';
import { n8nForTests } from '../testN8n';
import { Editor } from './editor';
import type { NodePanel } from './nodePanel';
import { picturesFolder } from './picturesFolder';

export const UNKNOWN_KEY = '99999999-9999-4999-8999-999999999999';

/** The names people see, by the names that workflows keep. */
export const NODES = {
	nativeBulkImport: 'Native Bulk Import',
	nativeBulkImportTrigger: 'Native Bulk Import Trigger',
	nativeCanvassResponse: 'Native Canvass Response',
	nativeCode: 'Native Code',
	nativePeople: 'Native People',
	nativeRecord: 'Native Record',
};
type NodeType = keyof typeof NODES;
export const NODE_TYPES = Object.keys(NODES) as NodeType[];
/** n8n lists a trigger under the node of the same name. */
export const LISTED = Object.values(NODES).filter((name) => !name.endsWith('Trigger'));

const images = picturesFolder();

export const running = n8nForTests({ hasEditor: true });
export const editor = new Editor(running);
afterEach(() => running.sandbox.control.reset());

export async function picture(
	name: string,
	of: Pick<Locator, 'screenshot'> = editor.page,
): Promise<void> {
	await editor.tidy();
	await of.screenshot({
		path: join(images, `${name}.png`),
		animations: 'disabled',
		// Messages come and go.
		style: '.el-notification { visibility: hidden }',
	});
}

/** A part of the page, with whatever list is open in it. */
export async function pictureOf(name: string, panel: NodePanel): Promise<void> {
	await editor.page.screenshot({
		path: join(images, `${name}.png`),
		animations: 'disabled',
		clip: await panel.parametersBox(),
	});
}

export const node = (type: NodeType, parameters: INodeParameters = {}, credentialId?: string) =>
	nativeNode(NODES[type], type, credentialId ?? running.credentialId, parameters);

async function openIn(workflow: WorkflowFile, name: string): Promise<NodePanel> {
	await editor.openWorkflow(await running.n8n.client.createWorkflow(workflow));
	return await editor.openNode(name);
}

/** Shows nodes that are connected with nothing, in rows of three. */
export async function openAlone(nodes: readonly NodeInRow[]): Promise<void> {
	const { nodes: row, ...workflow } = rowWorkflow(nodes, {}, 'My workflow');
	const grid = row.map((each, index) => ({
		...each,
		position: [(index % 3) * 240, Math.floor(index / 3) * 240] as [number, number],
	}));
	const stored = { ...workflow, nodes: grid, connections: {} };
	await editor.openWorkflow(await running.n8n.client.createWorkflow(stored));
}

/** The panel of a node that follows items. */
export const openBehind = async (items: IDataObject[], opened: NodeInRow): Promise<NodePanel> =>
	await openIn(itemsWorkflow(items, [opened], 'Import sign-ups'), opened.name);

/** Stores a credential that differs from a working one. @returns its ID */
export async function storeCredential(changes: IDataObject): Promise<string> {
	const demo = running.credential('demo');
	const data = { ...demo.data, ...changes };
	return await running.n8n.client.createCredential({ ...demo, data });
}

export async function assertNoCutLabels(panel: NodePanel): Promise<void> {
	assert.deepEqual(await panel.findCutLabels(), []);
}

export async function assertChoices(
	panel: NodePanel,
	name: string,
	choices: string[],
): Promise<void> {
	assert.deepEqual(await panel.choose(name, choices[0] ?? ''), choices);
}
