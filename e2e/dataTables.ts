import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod';
import { byId } from '../hosts/locators';
import type { N8nClient } from '../hosts/n8nClient';
import type { NodeInRow } from '../hosts/workflows';

type Columns = Record<string, 'number' | 'string'>;

const idSchema = z.object({ id: z.string() });

/** Creates a data table of n8n. @returns its ID */
export async function createDataTable(
	client: N8nClient,
	name: string,
	columns: Columns,
): Promise<string> {
	const { id } = idSchema.parse(await client.call('GET', '/rest/projects/personal'));
	const table = await client.call('POST', `/rest/projects/${id}/data-tables`, {
		name,
		columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
	});
	return idSchema.parse(table).id;
}

const dataTable = (name: string, tableId: string, parameters: INodeParameters): NodeInRow => ({
	name,
	type: 'n8n-nodes-base.dataTable',
	parameters: {
		resource: 'row',
		dataTableId: byId(tableId),
		...parameters,
	},
});

/** Reads the rows, or lets items without a row pass, that have the item's value in a column. */
export const matchRows = (
	name: string,
	tableId: string,
	operation: 'get' | 'rowNotExists',
	column: string,
): NodeInRow =>
	dataTable(name, tableId, {
		operation,
		matchType: 'allConditions',
		filters: {
			conditions: [{ keyName: column, condition: 'eq', keyValue: `={{ $json.${column} }}` }],
		},
	});

/** Adds a row for each item. @param value by column */
export const insertRow = (
	name: string,
	tableId: string,
	columns: Columns,
	value: Record<string, string>,
	options: INodeParameters = {},
): NodeInRow =>
	dataTable(name, tableId, {
		operation: 'insert',
		columns: {
			mappingMode: 'defineBelow',
			value,
			matchingColumns: [],
			schema: Object.entries(columns).map(([column, type]) => ({
				id: column,
				displayName: column,
				required: false,
				defaultMatch: false,
				display: true,
				type,
				canBeUsedToMatch: true,
			})),
		},
		options,
	});
