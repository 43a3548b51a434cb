import { difference } from 'lodash';

import { type ReportHead, ReportTally } from '../../../shared/importFile/importReport';
import { describeTarget } from '../../../shared/service/target';
import {
	type OutcomeFiles,
	rejectedFileOf,
	type ReportDetails,
	reportHeadOf,
} from '../../reportOptions';
import { type ImportRows, visitRows } from '../../rows/importRows';
import type { FeatureContext, OutcomeView } from '../feature';
import { type ImportNote, isInService, type RowResult } from '../model';
import { importName, jobIdsOf } from '../start/startedImport';

function isToCorrect({ status }: RowResult): boolean {
	return !isInService(status) && status !== 'unknown' && status !== 'duplicate';
}

/** Collects the rows for people who read how the import ended. */
export async function listRows(
	outcome: OutcomeView,
	rows: ImportRows,
	{ tally, rejected }: OutcomeFiles,
): Promise<void> {
	await visitRows(outcome.readGiven(rows), (read, position) => {
		const settled = outcome.statusAt(position);
		if (settled && isInService(settled)) return tally.add(settled);
		const result = outcome.resultAt(position);
		if (!result) return;
		const { status, reason = '', primaryKey, primaryKeyType } = result;
		const row = outcome.numberOf(position);
		tally.add(status, () => ({ row, reason, recordId: primaryKey, values: read() ?? {} }));
		if (!isToCorrect(result)) return;
		const values = read();
		// A row that cannot be read has no values, so its line says where to find them.
		const found = values ? reason : `Line ${row}: ${reason}`;
		rejected.add(values ?? {}, found, { id: primaryKey, idName: primaryKeyType });
	});
}

/** Without those about rows whose values are no longer those of the list. */
function withoutCorrected(
	notes: readonly ImportNote[],
	corrected: readonly number[],
): ImportNote[] {
	const gone = new Set(corrected);
	return notes.filter(({ rows }) => !rows?.every((position) => gone.has(position)));
}

/** What a report says around its rows. */
export async function reportDetails(
	{ service }: FeatureContext,
	outcome: OutcomeView,
	rows: ImportRows,
	notes: readonly string[],
): Promise<ReportDetails> {
	const { started, nameOf } = outcome;
	const { rows: repeatedRows, records } = outcome.repeated;
	const left = started.found.flatMap(({ leftBehind }) => leftBehind ?? []);
	const doubts = left.flatMap((each) => each.doubts);
	const [people] = started.found.flatMap(
		(found) => found.people?.(started.totalRows, nameOf) ?? [],
	);
	return {
		name: importName(started.parts),
		notes: [`Database: ${await describeTarget(service)}.`, ...notes],
		details: difference(
			withoutCorrected(started.notes, outcome.corrected).map(({ text }) => text),
			doubts,
		),
		doubts,
		leftOut: left.flatMap(({ columns }) => columns),
		rowLabel: rows.lineOf ? 'Line' : rows.noun === 'item' ? 'Item' : 'Row',
		repeated: {
			rows: repeatedRows,
			records: records.map(({ positions, ...record }) => ({
				...record,
				numbers: positions.map((position) => outcome.numberOf(position)),
			})),
		},
		people,
	};
}

/** The rows and what a report says around them. */
export async function collectReport(
	context: FeatureContext,
	outcome: OutcomeView,
	rows: ImportRows,
	notes: readonly string[],
): Promise<[ReportHead, ReportTally]> {
	const tally = new ReportTally();
	const rejected = await rows.newRejectedRows();
	await listRows(outcome, rows, { tally, rejected });
	const details = await reportDetails(context, outcome, rows, notes);
	const jobIds = jobIdsOf(outcome.allParts);
	const file = await rejectedFileOf(context.functions, jobIds, rejected);
	return [reportHeadOf(context.functions, jobIds, file, details), tally];
}
