/** The report's style: any screen width, light and dark, and paper. */
const reportStyle = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #d9dee5; --page: #ffffff;
	--imported: #1a7f4b; --failed: #c62b34; --missing: #b7791f; --invalid: #8a4fbf; --notSent: #5b6675; --unknown: #1f6fb2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa5b4; --line: #343c47; --page: #14181e;
	--imported: #3fb37a; --failed: #f0636b; --missing: #e0a94e; --invalid: #b98be6; --notSent: #9aa5b4; --unknown: #5fa9e6; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { margin: 0; font-size: 1.6rem; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 .5rem; font-size: 1.15rem; }
.about, .legend span { color: var(--soft); }
.about { margin: .25rem 0 1rem; }
.lead { margin: 0 0 .5rem; font-size: 1.2rem; }
.bar { display: block; width: 100%; height: 2rem; border-radius: .4rem; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: .75rem 0 0; padding: 0; list-style: none; }
.dot { width: .7rem; height: .7rem; margin-right: .45rem; }
.imported { fill: var(--imported); } .failed { fill: var(--failed); } .missing { fill: var(--missing); }
.invalid { fill: var(--invalid); } .notSent { fill: var(--notSent); } .unknown { fill: var(--unknown); }
ul { padding-left: 1.2rem; margin: .5rem 0; }
table { width: 100%; border-collapse: collapse; font-size: .95rem; }
th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 600; overflow-wrap: normal; }
.number { width: 5rem; text-align: right; font-variant-numeric: tabular-nums; }
@media (max-width: 40rem) {
	.cards thead { display: none; }
	.cards tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
	.cards td { display: flex; gap: .75rem; padding: .1rem 0; border: 0; }
	.cards td::before { content: attr(data-label); flex: 0 0 6rem; color: var(--soft); }
	.cards td:empty { display: none; }
}
@media print {
	:root { --ink: #000000; --soft: #444444; --line: #bbbbbb; --page: #ffffff; }
	body { font-size: 11pt; }
	svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
	thead { display: table-header-group; }
	tr, h2 { break-inside: avoid; break-after: auto; }
}
`;

/** Outcomes of a row in the order of the report, with their meaning and what to do. */
const OUTCOMES = {
	imported: { label: 'Imported', next: '' },
	failed: {
		label: 'Failed',
		next: 'The service rejected at least one value. If a row below has a record ID, the record exists: fix the rejected value there. Correct the other rows and import them again.',
	},
	missing: {
		label: 'Without an outcome',
		next: 'The result files do not list these rows. Check in the service before importing them again.',
	},
	invalid: {
		label: 'Invalid, not sent',
		next: 'A value could not be written to the file. Correct these rows and import them again.',
	},
	notSent: {
		label: 'Not sent',
		next: 'The job of these rows was not started. It is safe to import them again.',
	},
	unknown: {
		label: 'Unknown',
		next: 'The job of these rows was started, but its outcome could not be read. Do not import them again; read it later with Get Item Outcomes.',
	},
} as const;

export type ReportedOutcome = keyof typeof OUTCOMES;

/** A row that was not imported. */
export interface RejectedRow {
	/** What the column of the report counts. */
	row: number | null;
	/** Why, in a few words; equal reasons are counted together. */
	reason: string;
	/** The record's ID in the service, if there is one. */
	recordId: string | number | null;
	/** Columns by which people recognise the row. */
	values: Record<string, unknown>;
}

const SHOWN_ROWS = 100;
const SHOWN_REASONS = 20;
const SHOWN_COLUMNS = 6;
/** Most reasons counted separately: those that quote a value differ in every row. */
const MOST_REASONS = 1000;
const OTHER_REASONS = 'Other reasons';

/** Counts for a report, collected row by row; memory does not grow with the rows. */
export class ReportTally {
	readonly counts = new Map<ReportedOutcome, number>();
	readonly reasons = new Map<string, number>();
	readonly rejected: RejectedRow[] = [];

	/** @param describe not needed for imported rows */
	add(outcome: ReportedOutcome, describe?: () => RejectedRow): void {
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
	/** e.g. `Import report`. */
	title: string;
	jobIds: readonly number[];
	/** When the report was made, in readable form. */
	createdAt: string;
	/** Further sentences, e.g. which columns were left out. */
	notes?: readonly string[];
	/** What the numbers of the rows count. Default: Row. */
	rowLabel?: RowLabel;
	repeated?: RepeatedRows;
}

/** `Line` as spreadsheet programs number them. */
export type RowLabel = 'Line' | 'Item' | 'Row';

/** Rows that belong to a record that an earlier row has, and such records with the numbers of their rows. */
export interface RepeatedRows {
	rows: number;
	records: ReadonlyArray<{ id: number | string; numbers: readonly number[]; rows: number }>;
}

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

function escape(value: unknown): string {
	const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

function formatCount(count: number): string {
	return count.toLocaleString('en-US');
}

function outcomeCounts({ counts }: ReportTally): Array<[ReportedOutcome, number]> {
	return (Object.keys(OUTCOMES) as ReportedOutcome[]).flatMap((outcome) => {
		const count = counts.get(outcome) ?? 0;
		return count > 0 ? [[outcome, count] satisfies [ReportedOutcome, number]] : [];
	});
}

function barSection(counts: Array<[ReportedOutcome, number]>, total: number): string {
	let at = 0;
	const parts = counts.map(([outcome, count]) => {
		const width = (1000 * count) / total;
		const part = `<rect class="${outcome}" x="${at.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="40"/>`;
		at += width;
		return part;
	});
	const legend = counts.map(([outcome, count]) => {
		const share = `${((100 * count) / total).toFixed(1)} %`;
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

function nextSection(counts: Array<[ReportedOutcome, number]>): string {
	const steps = counts.flatMap(([outcome]) => {
		const { label, next } = OUTCOMES[outcome];
		return next === '' ? [] : [`<li><b>${label}:</b> ${next}</li>`];
	});
	const text =
		steps.length > 0 ? `<ul>${steps.join('')}</ul>` : '<p>Nothing: every row was imported.</p>';
	return `<h2>What to do next</h2>\n${text}`;
}

function reasonSection({ reasons }: ReportTally): string {
	if (reasons.size === 0) return '';
	const ranked = [...reasons].sort((a, b) => b[1] - a[1]);
	const shown = ranked.slice(0, SHOWN_REASONS);
	const rest = ranked.slice(SHOWN_REASONS).reduce((sum, [, count]) => sum + count, 0);
	if (rest > 0) shown.push(['All other reasons', rest]);
	const rows = shown.map(
		([reason, count]) =>
			`<tr><td class="number">${formatCount(count)}</td><td>${escape(reason)}</td></tr>`,
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
	return `<h2>Rows of the same record</h2>\n<p>${text}</p>\n<table><thead><tr><th>Record ID</th><th>${rowLabel}s</th></tr></thead><tbody>${lines.join('')}</tbody></table>`;
}

function rowSection({ rejected }: ReportTally, notImported: number, rowLabel: RowLabel): string {
	if (rejected.length === 0) return '';
	const columns = [...new Set(rejected.flatMap(({ values }) => Object.keys(values)))].slice(
		0,
		SHOWN_COLUMNS,
	);
	const heads = [rowLabel, 'Reason', 'Record ID', ...columns];
	const rows = rejected.map(({ row, reason, recordId, values }) => {
		const cells = [row, reason, recordId, ...columns.map((column) => values[column])];
		const written = cells.map(
			(value, index) =>
				`<td data-label="${escape(heads[index] ?? '')}">${escape(value ?? '')}</td>`,
		);
		return `<tr>${written.join('')}</tr>`;
	});
	const title =
		notImported > rejected.length
			? `The first ${rejected.length} of ${formatCount(notImported)} rows that were not imported`
			: 'Rows that were not imported';
	return `<h2>${title}</h2>\n<table class="cards"><thead><tr>${heads.map((head) => `<th>${escape(head)}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** A self-contained HTML page without scripts that shows how an import ended. */
export function buildReport(
	{ title, jobIds, createdAt, notes = [], rowLabel = 'Row', repeated }: ReportHead,
	tally: ReportTally,
): string {
	const counts = outcomeCounts(tally);
	const total = counts.reduce((sum, [, count]) => sum + count, 0);
	const imported = tally.counts.get('imported') ?? 0;
	const jobs = `Import job${jobIds.length === 1 ? '' : 's'} ${jobIds.join(', ') || 'none'}`;
	return [
		'<!doctype html>',
		'<html lang="en">',
		'<head>',
		'<meta charset="utf-8">',
		'<meta name="viewport" content="width=device-width, initial-scale=1">',
		`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
		`<title>${escape(title)}</title>`,
		`<style>${reportStyle}</style>`,
		'</head>',
		'<body><main>',
		`<h1>${escape(title)}</h1>`,
		`<p class="about">${escape(jobs)} · ${escape(createdAt)}</p>`,
		`<p class="lead"><b>${formatCount(imported)}</b> of ${formatCount(total)} rows imported</p>`,
		...(total > 0 ? [barSection(counts, total)] : []),
		...(total > 0 ? [nextSection(counts)] : ['<p>The job has no rows in its results.</p>']),
		...notes.map((note) => `<p>${escape(note)}</p>`),
		reasonSection(tally),
		...(repeated ? [repeatedSection(repeated, rowLabel)] : []),
		rowSection(tally, total - imported, rowLabel),
		'</main></body>',
		'</html>',
		'',
	].join('\n');
}
