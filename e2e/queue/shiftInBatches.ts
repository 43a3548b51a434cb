import { itemsWorkflow, to, type NodeInRow } from '../../hosts/workflows';
import type { WorkflowFile } from '../../hosts/n8nClient';
import { insertRow, matchRows } from '../dataTables';

/**
 * Start → Given Items → Not Posted Yet → Batch ⇄ (Post → Remember): posts in batches, and notes the people it
 * posted for in a data table, so that it can be started again after a crash.
 *
 * @param tableId of a data table with a column `personId`
 * @param post puts out the `personId` of the person
 */
export function shiftInBatches(
	people: readonly number[],
	batchSize: number,
	tableId: string,
	post: NodeInRow,
): WorkflowFile {
	const row = itemsWorkflow(
		people.map((personId) => ({ personId })),
		[
			matchRows('Not Posted Yet', tableId, 'rowNotExists', 'personId'),
			{
				name: 'Batch',
				type: 'n8n-nodes-base.splitInBatches',
				typeVersion: 3,
				parameters: { batchSize, options: {} },
			},
			post,
			insertRow(
				'Remember',
				tableId,
				{ personId: 'number' },
				{ personId: '={{ $json.personId }}' },
				{ optimizeBulk: true },
			),
		],
	);
	return {
		...row,
		connections: {
			...row.connections,
			// Its first output is what follows the last batch.
			Batch: { main: [[], to(post.name)] },
			Remember: { main: [to('Batch')] },
		},
	};
}
