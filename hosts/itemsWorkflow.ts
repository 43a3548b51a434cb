import type { IConnections, IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from './n8nClient';

/** A node in the row behind the given items. */
export interface NodeInRow extends Pick<INode, 'name' | 'type' | 'credentials' | 'onError'> {
	typeVersion?: number;
	parameters: INodeParameters;
}

const START: NodeInRow = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} };

/** The items as source text of a Code node: JSON is JavaScript. */
function givenItems(items: readonly IDataObject[]): NodeInRow {
	return {
		name: 'Given Items',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode: `return ${JSON.stringify(items)}.map((json) => ({ json }));` },
	};
}

/**
 * A workflow of nodes in a row: Start (a Manual Trigger), Given Items (a Code node that puts out the given
 * items), then the given nodes, each behind the first output of the one before.
 */
export function itemsWorkflow(
	name: string,
	items: readonly IDataObject[],
	nodes: readonly NodeInRow[],
): WorkflowFile {
	const row = [START, givenItems(items), ...nodes];
	const connections: IConnections = {};
	row.slice(1).forEach(({ name: next }, index) => {
		const before = row[index]?.name ?? '';
		connections[before] = { main: [[{ node: next, type: 'main', index: 0 }]] };
	});
	return {
		name,
		nodes: row.map((node, index) => ({
			id: `node-${index}`,
			typeVersion: 1,
			position: [index * 220, 0],
			...node,
		})),
		connections,
		settings: { executionOrder: 'v1' },
	};
}
