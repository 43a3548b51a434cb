import type { IExecuteFunctions } from 'n8n-workflow';

import { NodeState } from '../../../shared/execution/nodeMemory';
import { areRejected, type ImportRows } from '../../rows/importRows';
import { missingIdentity } from '../mapping/headerMapping';
import { isOfContact, type PlannedColumn } from '../mapping/importMapping';
import type { ColumnCounts } from '../mapping/columnCounts';

const STATE = 'recordIds';

const NEEDED =
	'is blank in every row, so no row could be matched to its record. Map it to the column that holds the IDs, or remove it from Fields.';
const HAD_IDS =
	'is blank in every row, but earlier imports of this node had IDs there. Without them, people could be stored again. Check the step that fills it. If all rows are new people, remove it from Fields, or from the list if Columns is set to Recognized Automatically.';

function knownIds(state: NodeState): string[] {
	const known = state.get(STATE);
	return Array.isArray(known) ? known.map(String) : [];
}

/**
 * Says of each record ID why it must not be blank in every row. New people have none: they are in files of
 * rejected rows, and in lists of a node that never had IDs.
 */
export async function judgeBlankIds(
	functions: IExecuteFunctions,
	rows: ImportRows,
	columns: readonly PlannedColumn[],
): Promise<PlannedColumn[]> {
	const others = columns.filter(({ isRecordId }) => !isRecordId);
	const fields = others.flatMap((column) => column.fields);
	const canFindPeople =
		fields.some(isOfContact) && missingIdentity(fields.map(({ field }) => field)).length === 0;
	const known = (await areRejected(rows)) ? [] : knownIds(new NodeState(functions));
	return columns.map((column) => {
		if (!column.isRecordId) return column;
		// Other mapping types need it for each row.
		const isOfPerson = column.fields.length > 0 && column.fields.every(isOfContact);
		if (!canFindPeople || !isOfPerson) return { ...column, blankProblem: NEEDED };
		return known.includes(column.source) ? { ...column, blankProblem: HAD_IDS } : column;
	});
}

/** Remembers which record IDs the imported rows had. */
export function rememberIds(functions: IExecuteFunctions, counts: ColumnCounts): void {
	const state = new NodeState(functions);
	const known = knownIds(state);
	const added = counts.givenIds().filter((name) => !known.includes(name));
	if (added.length > 0) state.set(STATE, [...known, ...added]);
}
