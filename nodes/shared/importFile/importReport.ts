import { partition } from 'lodash';

import { escape, escapeCell, formatCount, htmlPage, STYLED_PAGE } from './htmlPage';
import { simplifyName } from './fileColumns';

/** What can become of a row, in the order of reports and summaries, with the meaning and what to do. */
const OUTCOMES = {
	imported: { label: 'Imported', next: '' },
	failed: {
		label: 'Failed',
		next: 'The service rejected at least one value. Correct these rows and import them again. If a row below has a record ID, the record exists: import that row with its ID, or correct the value in the service.',
	},
	missing: {
		label: 'Without an outcome',
		next: 'The result files do not list these rows. Check in the service before importing them again.',
	},
	invalid: {
		label: 'Invalid, not sent',
		next: 'A value is not valid, so the row was not sent. Correct these rows and import them again.',
	},
	duplicate: {
		label: 'Duplicate, not sent',
		next: 'Another row of the same person was sent. Import a row below only if that one was not imported.',
	},
	unchanged: { label: 'Unchanged, not sent', next: '' },
	notSent: {
		label: 'Not sent',
		next: 'The job of these rows was not started. It is safe to import them again.',
	},
	unknown: {
		label: 'Unknown',
		next: 'The job of these rows was started, but its outcome could not be read. Do not import them again; read it later with Get Item Outcomes.',
	},
} as const;

export type RowStatus = keyof typeof OUTCOMES;

export const ROW_STATUSES = Object.keys(OUTCOMES) as RowStatus[];

export function isRowStatus(value: unknown): value is RowStatus {
	return ROW_STATUSES.some((status) => status === value);
}

export interface RejectedRow {
	/** What the column of the report counts. */
	row: number | null;
	/** Why, in a few words; equal reasons are counted together. */
	reason: string;
	recordId: string | number | null;
	values: Record<string, unknown>;
}

const TITLE = 'Import report';
const SHOWN_ROWS = 100;
const SHOWN_REASONS = 20;
const SHOWN_COLUMNS = 6;
const SHOWN_NAMES = 20;
/** Most reasons counted separately: those that quote a value differ in every row. */
const MOST_REASONS = 1000;
const OTHER_REASONS = 'Other reasons';

/** Counts for a report, collected row by row; memory does not grow with the rows. */
export class ReportTally {
	readonly counts = new Map<RowStatus, number>();
	readonly reasons = new Map<string, number>();
	readonly rejected: RejectedRow[] = [];

	/** @param describe not needed for imported rows */
	add(outcome: RowStatus, describe?: () => RejectedRow): void {
		this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
		if (outcome === 'imported' || !describe) return;
		const row = describe();
		const isCounted = this.reasons.has(row.reason) || this.reasons.size < MOST_REASONS;
		const reason = isCounted ? row.reason : OTHER_REASONS;
		this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
		if (this.rejected.length < SHOWN_ROWS) this.rejected.push(row);
	}
}

export interface ReportHead {
	name?: string;
	jobIds: readonly number[];
	createdAt: string;
	/** Further sentences, e.g. where the rows were imported. */
	notes?: readonly string[];
	/** What was done with the list, as sentences, e.g. which column went into which field. */
	details?: readonly string[];
	/** What could make the counts untrue, and what the list holds that was not imported, as sentences. */
	doubts?: readonly string[];
	/** Columns that were not imported. */
	leftOut?: readonly string[];
	/** The rows to correct and import again. */
	rejectedFile?: RejectedFile | undefined;
	/** What the numbers of the rows count. Default: Row. */
	rowLabel?: RowLabel;
	repeated?: RepeatedRows;
	people?: FoundPeople;
}

/** A delimited file of the rows that were not imported. */
export interface RejectedFile {
	name: string;
	content: Buffer;
}

/** Characters of a value or reason that are shown; the file of rejected rows has all. */
const LONGEST_CELL = 1000;

const cellText = (value: unknown): string => escapeCell(value ?? '', LONGEST_CELL);

/** `Line` as spreadsheet programs number them. */
type RowLabel = 'Line' | 'Item' | 'Row';

/** Rows that belong to a record that an earlier row has, and such records with the numbers of their rows. */
interface RepeatedRows {
	rows: number;
	records: ReadonlyArray<{ id: number | string; numbers: readonly number[]; rows: number }>;
}

/** Rows of one person in the list, and rows of people who share something; texts name the first ones. */
export interface FoundPeople {
	count: number;
	areLeftOut: boolean;
	rows: string[];
	sharing: number;
	shared: string[];
}

type Counts = ReadonlyArray<readonly [status: RowStatus, count: number]>;

function outcomeCounts({ counts }: ReportTally): Counts {
	return ROW_STATUSES.map((status) => [status, counts.get(status) ?? 0] as const).filter(
		([, count]) => count > 0,
	);
}

function barSection(counts: Counts, total: number): string {
	let at = 0;
	const parts = counts.map(([outcome, count]) => {
		const width = (1000 * count) / total;
		const part = `<rect class="${outcome}" x="${at.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="40"/>`;
		at += width;
		return part;
	});
	const legend = counts.map(([outcome, count]) => {
		const share = `${((100 * count) / total).toFixed(1)}%`;
		return `<li><svg class="dot" viewBox="0 0 10 10" aria-hidden="true"><circle class="${outcome}" cx="5" cy="5" r="5"/></svg>${OUTCOMES[outcome].label} <b>${formatCount(count)}</b> <span>${share}</span></li>`;
	});
	const spoken = counts
		.map(([outcome, count]) => `${OUTCOMES[outcome].label} ${formatCount(count)}`)
		.join(', ');
	return [
		`<svg class="bar" viewBox="0 0 1000 40" preserveAspectRatio="none" role="img" aria-label="${spoken}">${parts.join('')}</svg>`,
		`<ul class="legend">${legend.join('')}</ul>`,
	].join('\n');
}

/** What is to be said if no row and no column needs anybody. */
function doneText(counts: Counts, leftOut: readonly string[]): string {
	const isUnchanged = counts.some(([outcome]) => outcome === 'unchanged');
	const rows = `every row was imported${isUnchanged ? ' now or before' : ''}`;
	if (leftOut.length === 0) return `Nothing: ${rows}.`;
	const more = leftOut.length - SHOWN_NAMES;
	const names = leftOut.slice(0, SHOWN_NAMES).join(', ');
	const columns = `${names}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
	return `Nothing, unless you need a column that was not imported: ${columns}. Otherwise, ${rows}.`;
}

function nextSection(
	counts: Counts,
	{ doubts = [], leftOut = [], rejectedFile }: Partial<ReportHead>,
): string {
	const steps = counts.flatMap(([outcome]) => {
		const { label, next } = OUTCOMES[outcome];
		return next === '' ? [] : [`<li><b>${label}:</b> ${next}</li>`];
	});
	steps.push(...doubts.map((doubt) => `<li><b>To check:</b> ${escapeCell(doubt)}</li>`));
	const text =
		steps.length > 0 ? `<ul>${steps.join('')}</ul>` : `<p>${escape(doneText(counts, leftOut))}</p>`;
	const file = rejectedFile ? fileText(rejectedFile) : '';
	return ['<h2>What to do next</h2>', text, file].filter(Boolean).join('\n');
}

/** A page that holds more is too large to mail, and to keep in n8n's database. */
const LARGEST_DOWNLOAD = 300_000;

/** The file itself, so that whoever has only the page can correct its rows. */
function fileText({ name, content }: RejectedFile): string {
	if (content.length > LARGEST_DOWNLOAD)
		return `<p>The rows to correct are in the file ${escape(name)}.</p>`;
	const href = `data:text/csv;base64,${content.toString('base64')}`;
	return `<p><a class="download" download="${escape(name)}" href="${href}">Download the rows to correct</a> <span class="whole">(${escape(name)})</span></p>`;
}

function reasonSection({ reasons }: ReportTally): string {
	if (reasons.size === 0) return '';
	const ranked = [...reasons].sort((a, b) => b[1] - a[1]);
	const shown = ranked.slice(0, SHOWN_REASONS);
	const rest = ranked.slice(SHOWN_REASONS).reduce((sum, [, count]) => sum + count, 0);
	if (rest > 0) shown.push(['All other reasons', rest]);
	const rows = shown.map(
		([reason, count]) =>
			`<tr><td class="number">${formatCount(count)}</td><td>${cellText(reason)}</td></tr>`,
	);
	return `<h2>Reasons</h2>\n<table><thead><tr><th class="number">Rows</th><th>Reason</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function repeatedSection({ rows, records }: RepeatedRows, rowLabel: RowLabel): string {
	if (rows === 0) return '';
	const lines = records.map(({ id, numbers, rows: all }) => {
		const more = all - numbers.length;
		return `<tr><td>${escape(id)}</td><td>${numbers.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}</td></tr>`;
	});
	const text = `${formatCount(rows)} ${rows === 1 ? 'row has' : 'rows have'} the record ID of an earlier row: each ID is one record, e.g. one person.`;
	return folded(
		`Rows of the same record: ${formatCount(rows)}`,
		`<p>${text}</p>\n<table><thead><tr><th>Record ID</th><th>${rowLabel}s</th></tr></thead><tbody>${lines.join('')}</tbody></table>`,
	);
}

/** What only some readers want: a click opens it, and paper shows it. */
function folded(title: string, content: string, isOpen = false): string {
	return `<details${isOpen ? ' open' : ''}><summary>${title}</summary>\n${content}</details>`;
}

function textList(texts: readonly string[]): string {
	return `<ul>${texts.map((text) => `<li>${escapeCell(text)}</li>`).join('')}</ul>`;
}

function firstOf(title: string, count: number, texts: readonly string[]): string {
	if (count === 0) return '';
	const more = count - texts.length;
	const shown = [...texts, ...(more > 0 ? [`${formatCount(more)} more`] : [])];
	return folded(`${title}: ${formatCount(count)}`, textList(shown));
}

function peopleSection({ count, areLeftOut, rows, sharing, shared }: FoundPeople): string[] {
	const sent = areLeftOut ? 'not sent' : 'all sent';
	return [
		firstOf(`Duplicates in the list (${sent})`, count, rows),
		firstOf('People who share contact details, such as a household (all sent)', sharing, shared),
	];
}

/** Whether the reason of a row names a column: `Column "E-mail" is not an email address.` */
function isNamed({ reason }: RejectedRow, column: string): boolean {
	const [, named = ''] = /^Column "(.+?)"[ :]/.exec(reason) ?? [];
	return named !== '' && simplifyName(named) === simplifyName(column);
}

/** The columns with values: those that reasons name, and the first others. */
function shownColumns(rejected: readonly RejectedRow[]): string[] {
	const filled = rejected.flatMap(({ values }) =>
		Object.keys(values).filter((column) => cellText(values[column]).trim() !== ''),
	);
	const columns = [...new Set(filled)];
	const [named, others] = partition(columns, (column) =>
		rejected.some((row) => isNamed(row, column)),
	);
	const shown = [...named, ...others.slice(0, Math.max(0, SHOWN_COLUMNS - named.length))];
	return columns.filter((column) => shown.includes(column));
}

function rowSection({ rejected }: ReportTally, notImported: number, rowLabel: RowLabel): string {
	if (rejected.length === 0) return '';
	const columns = shownColumns(rejected);
	const hasIds = rejected.some(({ recordId }) => recordId !== null);
	const heads = [rowLabel, 'Reason', ...(hasIds ? ['Record ID'] : []), ...columns];
	const rows = rejected.map((rejectedRow) => {
		const { row, reason, recordId, values } = rejectedRow;
		const cells = [row, reason, ...(hasIds ? [recordId] : [])].map(cellText);
		const own = columns.map((column) => {
			const text = cellText(values[column]);
			return isNamed(rejectedRow, column) ? `<mark>${text}</mark>` : text;
		});
		const written = [...cells, ...own].map(
			(text, index) => `<td data-label="${escape(heads[index] ?? '')}">${text}</td>`,
		);
		return `<tr>${written.join('')}</tr>`;
	});
	const title =
		notImported > rejected.length
			? `The first ${rejected.length} of ${formatCount(notImported)} rows that were not imported`
			: 'Rows that were not imported';
	return `<h2>${title}</h2>\n<div class="wide"><table class="cards"><thead><tr>${heads.map((head) => `<th>${escape(head)}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** What a page shows of how an import ended, below its heading: first what somebody has to do. */
export function reportContent(head: ReportHead, tally: ReportTally): string[] {
	const { name = '', jobIds, createdAt, rowLabel = 'Row', repeated, people } = head;
	const { notes = [], details = [], doubts = [] } = head;
	const counts = outcomeCounts(tally);
	const total = counts.reduce((sum, [, count]) => sum + count, 0);
	const imported = tally.counts.get('imported') ?? 0;
	const jobs = `Import job${jobIds.length === 1 ? '' : 's'} ${jobIds.join(', ') || 'none'}`;
	const about = [...(name === '' ? [] : [TITLE]), jobs, createdAt].join(' · ');
	const sections = [
		`<p class="about">${escapeCell(about)}</p>`,
		`<p class="lead"><b>${formatCount(imported)}</b> of ${formatCount(total)} row${total === 1 ? '' : 's'} imported</p>`,
		total > 0 ? barSection(counts, total) : '<p>The job has no rows in its results.</p>',
		total > 0 || doubts.length > 0 ? nextSection(counts, head) : '',
		reasonSection(tally),
		rowSection(tally, total - imported - (tally.counts.get('unchanged') ?? 0), rowLabel),
		notes.length > 0 ? '<h2>About this import</h2>' : '',
		...notes.map((note) => `<p>${escapeCell(note)}</p>`),
		// Without rows, that is all there is to read.
		details.length > 0 ? folded('What was done with the list', textList(details), total === 0) : '',
		repeated ? repeatedSection(repeated, rowLabel) : '',
		...(people ? peopleSection(people) : []),
	];
	return sections.filter(Boolean);
}

/** A self-contained HTML page without scripts that shows how an import ended. */
export function buildReport(about: ReportHead, tally: ReportTally): string {
	const { name = '' } = about;
	const content = [`<h1>${escape(name || TITLE)}</h1>`, ...reportContent(about, tally)];
	const head = `<meta http-equiv="Content-Security-Policy" content="${STYLED_PAGE}">`;
	return htmlPage(name === '' ? TITLE : `${TITLE}: ${name}`, content.join('\n'), { head });
}
