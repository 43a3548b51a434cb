import type { INodeProperties } from 'n8n-workflow';

import { NodeState } from '../../../shared/execution/nodeMemory';
import type { NodeContext, ServiceContext } from '../../../shared/execution/operation';
import { visibleName } from '../../../shared/importFile/fileColumns';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { areRejected, type ImportRows } from '../../rows/importRows';
import type { ImportFeature } from '../feature';
import { isRecordId } from '../mapping/importMapping';
import { shownNames } from '../mapping/shownNames';

const LABEL = 'Stop if Columns Changed';

const option: INodeProperties = {
	displayName: LABEL,
	name: 'stopIfColumnsChanged',
	type: 'boolean',
	default: false,
	description:
		'Whether to send nothing if the columns are not those of the last import of this node. n8n remembers them only in executions of the published workflow, not in manual ones.',
};

/** A trigger saves the workflow's static data as it was when the workflow was activated. */
function checkNoPolling(functions: NodeContext['functions']): void {
	const before = functions.getParentNodes(functions.getNode().name, {
		includeNodeParameters: true,
	});
	const trigger = before.find(({ parameters = {} }) => 'pollTimes' in parameters);
	if (!trigger) return;
	const text = `is on, but n8n forgets the columns each time the polling trigger "${trigger.name}" starts this workflow. Nothing was sent. Move this node to a workflow of its own, and call that with Execute Sub-workflow, Mode "Run once with all items".`;
	throw new InvalidInput([{ field: LABEL, text }]);
}

/**
 * Compares the columns with those of the last import. Throws InvalidInput if they changed.
 * @returns remembers the columns of this import
 */
async function checkColumns(
	{ functions, parameters, service: { vocabulary } }: ServiceContext,
	rows: ImportRows,
): Promise<() => void> {
	const memory = new NodeState(functions);
	if (!parameters.in('options').flag('stopIfColumnsChanged')) {
		return () => memory.set('columns', undefined);
	}
	checkNoPolling(functions);
	const given = (await rows.ownProperties()).map(visibleName);
	const last = memory.get('columns');
	const known = Array.isArray(last) ? last.map(String) : given;
	const isRejected = await areRejected(rows);
	// A file of rejected rows has the IDs of records that exist.
	const isAdded = (name: string): boolean =>
		isRejected && !known.includes(name) && isRecordId(name, vocabulary);
	const columns = [...new Set(given)].filter((name) => !isAdded(name)).sort();
	const changes = [
		{ what: 'New', names: columns.filter((column) => !known.includes(column)) },
		{ what: 'Missing', names: known.filter((column) => !columns.includes(column)) },
	].flatMap(({ what, names }) => (names.length > 0 ? `${what}: ${shownNames(names)}.` : []));
	if (changes.length > 0) {
		const text = `is on, and the columns are not those of the last import. ${changes.join(' ')} Nothing was sent. Correct the list. To accept the columns, turn this option off, publish the workflow, and turn it on again after its next import.`;
		throw new InvalidInput([{ field: LABEL, text }]);
	}
	return () => {
		if (JSON.stringify(last) !== JSON.stringify(columns)) memory.set('columns', columns);
	};
}

export const columnsChanged: ImportFeature = {
	options: [option],
	guards: ['stopIfColumnsChanged'],
	of(context) {
		if (!context.sends) return undefined;
		let remember = (): void => undefined;
		return {
			async openRows(rows) {
				remember = await checkColumns(context, rows);
			},
			imported: () => remember(),
		};
	},
};
