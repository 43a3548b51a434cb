import type { INodeProperties } from 'n8n-workflow';

import type { NodeContext } from '../../../shared/execution/operation';
import { visibleName } from '../../../shared/importFile/fileColumns';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { shownNames } from '../mapping/headerMapping';
import type { ImportRows } from '../rows/importRows';

const LABEL = 'Stop if Columns Changed';

export const columnsChangedOption: INodeProperties = {
	displayName: LABEL,
	name: 'stopIfColumnsChanged',
	type: 'boolean',
	default: false,
	description:
		'Whether to send nothing if the columns are not those of the last import of this node. n8n remembers them only in executions of the published workflow, not in manual ones.',
};

/**
 * Compares the columns with those of the last import. Throws InvalidInput if they changed.
 * @returns remembers the columns of this import
 */
export async function checkColumns(
	{ functions, parameters }: NodeContext,
	rows: ImportRows,
): Promise<() => void> {
	const memory = functions.getWorkflowStaticData('node');
	if (!parameters.in('options').flag('stopIfColumnsChanged')) {
		return () => {
			if (memory.columns !== undefined) delete memory.columns;
		};
	}
	const columns = [...new Set((await rows.properties()).map(visibleName))].sort();
	const known = Array.isArray(memory.columns) ? memory.columns.map(String) : columns;
	const changes = [
		{ what: 'New', names: columns.filter((column) => !known.includes(column)) },
		{ what: 'Missing', names: known.filter((column) => !columns.includes(column)) },
	].flatMap(({ what, names }) => (names.length > 0 ? `${what}: ${shownNames(names)}.` : []));
	if (changes.length > 0)
		throw new InvalidInput([
			{
				field: LABEL,
				text: `is on, and the columns are not those of the last import. ${changes.join(' ')} Nothing was sent. Correct the list, or run the workflow once with this option off.`,
			},
		]);
	return () => {
		if (JSON.stringify(memory.columns) !== JSON.stringify(columns)) memory.columns = columns;
	};
}
