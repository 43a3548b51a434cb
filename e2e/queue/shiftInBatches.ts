import type { INode } from 'n8n-workflow';
import { itemsWorkflow, type NodeInRow } from '../../hosts/itemsWorkflow';
import type { WorkflowFile } from '../../hosts/n8nClient';

/**
 * Start → Given Items → Not Posted Yet → Portion ⇄ (Post → Remember): posts in portions, and notes whom it
 * posted for in a data table, so that it can be started again after a crash.
 *
 * @param tableId of a data table with a column `personId`
 * @param post puts out the `personId` of the person
 */
export function shiftInBatches(
	people: readonly number[],
	portion: number,
	tableId: string,
	post: NodeInRow,
): WorkflowFile {
	const dataTableId = { __rl: true, mode: 'id', value: tableId };
	const notPostedYet: NodeInRow = {
		name: 'Not Posted Yet',
		type: 'n8n-nodes-base.dataTable',
		parameters: {
			resource: 'row',
			operation: 'rowNotExists',
			dataTableId,
			matchType: 'allConditions',
			filters: {
				conditions: [{ keyName: 'personId', condition: 'eq', keyValue: '={{ $json.personId }}' }],
			},
		},
	};
	const remember: NodeInRow = {
		name: 'Remember',
		type: 'n8n-nodes-base.dataTable',
		parameters: {
			resource: 'row',
			operation: 'insert',
			dataTableId,
			columns: {
				mappingMode: 'defineBelow',
				value: { personId: '={{ $json.personId }}' },
				matchingColumns: [],
				schema: [
					{
						id: 'personId',
						displayName: 'personId',
						required: false,
						defaultMatch: false,
						display: true,
						type: 'number',
						canBeUsedToMatch: true,
					},
				],
			},
			options: { optimizeBulk: true },
		},
	};
	const portions: NodeInRow = {
		name: 'Portion',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize: portion, options: {} },
	};
	const row = itemsWorkflow(
		'Shift in portions',
		people.map((personId) => ({ personId })),
		[notPostedYet, portions, post, remember],
	);
	const to = (node: INode['name']) => [{ node, type: 'main' as const, index: 0 }];
	return {
		...row,
		connections: {
			...row.connections,
			// Its first output is what follows the last portion.
			Portion: { main: [[], to(post.name)] },
			Remember: { main: [to('Portion')] },
		},
	};
}
