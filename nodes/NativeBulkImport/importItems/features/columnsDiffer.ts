import type { INodeProperties } from 'n8n-workflow';

import { NodeState } from '../../../shared/execution/nodeMemory';
import type { NodeContext, ServiceContext } from '../../../shared/execution/operation';
import { visibleName } from '../../../shared/importFile/fileColumns';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { areRejected, type ImportRows } from '../../rows/importRows';
import type { ImportFeature } from '../feature';
import { isRecordId } from '../mapping/importMapping';
import { shownNames } from '../mapping/shownNames';

const LABEL = 'If Columns Differ';

const CHOICES = ['missing', 'stop', 'goOn'] as const;
const STOP = 'Stop at Any Change';
const GO_ON = 'Go On';

const option: INodeProperties = {
	displayName: LABEL,
	name: 'ifColumnsDiffer',
	type: 'options',
	options: [
		{
			name: 'Stop if a Mapped Column Is Missing',
			value: 'missing',
			description: 'Send nothing if a field is mapped to a column that no row has',
		},
		{
			name: STOP,
			value: 'stop',
			description:
				'Send nothing if the columns are not those of the last import of this node. n8n remembers them only in executions of the published workflow, not in manual ones.',
		},
		{
			name: GO_ON,
			value: 'goOn',
			description:
				'A field that is mapped to a missing column is blank, and the service leaves it as it is',
		},
	],
	default: 'missing',
	description: 'What to do if the list has different columns than expected',
};

/** A trigger saves the workflow's static data as it was when the workflow was activated. */
function checkNoPolling(functions: NodeContext['functions']): void {
	const before = functions.getParentNodes(functions.getNode().name, {
		includeNodeParameters: true,
	});
	const trigger = before.find(({ parameters = {} }) => 'pollTimes' in parameters);
	if (!trigger) return;
	const text = `is set to ${STOP}, but n8n forgets the columns each time the polling trigger "${trigger.name}" starts this workflow. Move this node to a separate workflow, and call that with Execute Sub-workflow, Mode "Run once with all items".`;
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
	if (parameters.in('options').choice(option.name, CHOICES) !== 'stop') {
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
		const text = `is set to ${STOP}, and the columns are not those of the last import. ${changes.join(' ')} Correct the list, or choose another setting for the next import of the published workflow.`;
		throw new InvalidInput([{ field: LABEL, text }]);
	}
	return () => {
		if (JSON.stringify(last) !== JSON.stringify(columns)) memory.set('columns', columns);
	};
}

export const columnsDiffer: ImportFeature = {
	options: { group: 'safety', place: 40, fields: [option] },
	guards: [option.name],
	of(context) {
		if (!context.sends) return undefined;
		const choice = context.parameters.in('options').choice(option.name, CHOICES);
		let remember = (): void => undefined;
		return {
			async openRows(rows) {
				remember = await checkColumns(context, rows);
			},
			ifMissing: {
				areAllowed: choice === 'goOn',
				advice: `If it may be missing, set the option ${LABEL} to ${GO_ON}.`,
			},
			imported: () => remember(),
		};
	},
};
