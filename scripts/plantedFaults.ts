import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Change } from './plant';

/** What people fear most of an import. */
export interface Fault {
	id: string;
	/** What the node then does. */
	what: string;
	file: string;
	/** Code that is once in the file; the part between « and » changes. */
	place: string;
	/** What that part becomes. */
	text: string;
}

const importItems = 'nodes/NativeBulkImport/importItems';

export const FAULTS: readonly Fault[] = [
	{
		id: 'rejected',
		what: 'A row that the service rejected counts as imported.',
		file: `${importItems}/outcome/jobResults.ts`,
		place: 'STATUSES.indexOf(«statusOf(row)»)',
		text: "statusOf(row) === 'failed' ? 'imported' : statusOf(row)",
	},
	{
		id: 'missing',
		what: 'A row that no result mentions counts as imported.',
		file: `${importItems}/outcome/importOutcome.ts`,
		place: 'return «this.results && { status, part }»;',
		text: "this.results && { status: 'imported' as const, part }",
	},
	{
		id: 'unknown',
		what: 'A row of which nobody knows whether it was imported counts as imported.',
		file: `${importItems}/outcome/importOutcome.ts`,
		place: 'if (part.failure) return «{ ...part.failure, part }»;',
		text: "{ ...part.failure, part, status: part.failure.status === 'unknown' ? 'imported' as const : part.failure.status }",
	},
	{
		id: 'neighbor',
		what: 'A row comes out with the record ID of the next row.',
		file: `${importItems}/outcome/jobResults.ts`,
		place: 'return «this.details[position] ?? withoutOutcome(this.statusOf(position), jobId)»;',
		text: '{ ...(this.details[position] ?? withoutOutcome(this.statusOf(position), jobId)), primaryKey: this.recordIds.of(position + 1).primaryKey }',
	},
	{
		id: 'lastRow',
		what: 'Every file but the first lacks its last row.',
		file: 'nodes/shared/importFile/importFiles.ts',
		place: 'await complete.write(«piece»)',
		text: "end > count ? piece.replace(/[^\\r\\n]*\\r\\n$/, '') : piece",
	},
	{
		id: 'duplicate',
		what: 'A duplicate that is to be left out is sent.',
		file: `${importItems}/start/itemImport.ts`,
		place: 'if («leftOutBy(this.found, position)») return LEFT_OUT;',
		text: "leftOutBy(this.found, position)?.leftOut?.status === 'unchanged'",
	},
	{
		id: 'unchanged',
		what: 'A row that has not changed since it was imported is sent again.',
		file: `${importItems}/features/skipUnchanged/skipUnchanged.ts`,
		place: "else if («row.is === 'open'») sent.set(position, row);",
		text: 'true',
	},
	{
		id: 'memory',
		what: 'The rows of a file that the service did not accept are remembered as imported.',
		file: `${importItems}/features/skipUnchanged/skipUnchanged.ts`,
		place: 'await «new RowMemory(context.functions, LABEL).takeBack(rows)»;',
		text: 'new RowMemory(context.functions, LABEL).settle(rows)',
	},
	{
		id: 'twice',
		what: 'A file is imported by two jobs.',
		file: `${importItems}/start/itemImport.ts`,
		place: '(«await this.startPart(host, zip, part, number)»),',
		text: '(await this.startPart(host, zip, part, number)) && (await this.startPart(host, zip, part, number))',
	},
	{
		id: 'corrected',
		what: 'A row that was corrected on the page is sent twice.',
		file: `${importItems}/features/corrections/corrections.ts`,
		place: 'super(functions, «items»);',
		text: '[...items, ...items.slice(-1)]',
	},
	{
		id: 'rejectedFile',
		what: 'The file of rejected rows lacks its last row.',
		file: 'nodes/shared/importFile/rejectedRows.ts',
		place: 'for (const { cells, more, id, reason } of «this.rows») {',
		text: 'this.rows.slice(0, -1)',
	},
	{
		id: 'dryRun',
		what: 'A dry run counts the rows that an import leaves out as invalid, too.',
		file: `${importItems}/start/shownImport.ts`,
		place: 'rows: «counts.rows»,',
		text: 'counts.rows + run.invalid.size',
	},
	{
		id: 'blank',
		what: 'A blank value is sent as the text "null".',
		file: 'nodes/shared/importFile/delimitedRows.ts',
		place: "if (value === undefined || value === null) return «''»;",
		text: 'String(value)',
	},
	{
		id: 'date',
		what: 'A date with the day first is read as if the month came first.',
		file: 'nodes/shared/parameters/dateFormat.ts',
		place: 'const day = «ORDERS[order]».map(',
		text: "ORDERS[order === 'dayFirst' ? 'monthFirst' : order]",
	},
];

/** Where a fault is in the code. */
export function changeOfFault(folder: string, { id, file, place, text }: Fault): Change {
	const [before = '', code = '', after = ''] = place.split(/[«»]/);
	const parts = readFileSync(join(folder, file), 'utf8').split(before + code + after);
	const [ahead] = parts;
	if (ahead === undefined || parts.length !== 2)
		throw new Error(`${file} has "${before + code + after}" ${parts.length - 1} times.`);
	const start = ahead.length + before.length;
	return { id, file, start, end: start + code.length, text };
}
