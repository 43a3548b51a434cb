import { escape, formatCount } from './htmlPage';
import { type Offer, waitingPage } from './progressPage';

const SHOWN_ROWS = 200;
const SHOWN_FIELDS = 5000;

export function shownRows(columns: Offer['columns']): number {
	const fields = columns.filter(({ label }) => label !== undefined).length;
	return Math.min(SHOWN_ROWS, Math.floor(SHOWN_FIELDS / Math.max(1, fields)));
}

const OFFER = 'offer';
const ACTION = 'action';
const fieldName = (row: number, column: number): string => `${row}.${column}`;

/** Browsers leave out the line breaks of a field, and replace what UTF-8 or HTML cannot hold. */
const asTyped = (text: string): string =>
	text.replace(/[\r\n]/g, '').replace(/[\0\p{Cs}]/gu, '\uFFFD');

/**
 * Reads what the reader of the page sent.
 * @returns the changed rows, none to finish; or why there is nothing to do
 */
export function readReply(
	{ id, columns, rows }: Offer,
	sent: URLSearchParams,
): NonNullable<Offer['reply']> | string {
	if (sent.get(OFFER) !== id) return 'This page was no longer current. Nothing was imported.';
	if (sent.get(ACTION) === 'finish') return [];
	if (sent.get(ACTION) !== 'import') return 'Nothing was imported.';
	const changed = rows.flatMap(({ values }, row) => {
		const typed = values.map((value, column) => {
			const text = columns[column]?.label === undefined ? null : sent.get(fieldName(row, column));
			return text === null || asTyped(text) === asTyped(value) ? value : text;
		});
		return typed.some((text, column) => text !== values[column]) ? [{ row, values: typed }] : [];
	});
	return changed.length > 0 ? changed : 'No value was changed, so nothing was imported.';
}

function cells({ columns }: Offer, row: Offer['rows'][number], index: number): string {
	const reason = `<p class="wrong" id="reason-${index}">${escape(row.reason)}</p>`;
	const cell = ({ label }: Offer['columns'][number], column: number): string => {
		if (label === undefined) return '';
		const isWrong = row.column === column;
		const described = isWrong ? ` aria-invalid="true" aria-describedby="reason-${index}"` : '';
		const input = `<input name="${fieldName(index, column)}" value="${escape(row.values[column] ?? '')}" aria-label="${escape(`${label}, ${row.name}`)}" autocomplete="off"${described}>`;
		return `<td data-label="${escape(label)}"><div>${input}${isWrong ? reason : ''}</div></td>`;
	};
	const name = `<b>${escape(row.name)}</b>${row.column === undefined ? reason : ''}`;
	return `<tr><td>${name}</td>${columns.map(cell).join('')}</tr>`;
}

/**
 * Needs no script.
 * @param until when it ends, in readable form
 * @param note what became of the last try, if any
 */
export function buildCorrectionPage(
	name: string,
	offer: Offer,
	until: string,
	statusPath: string,
	note = '',
): string {
	const { id, columns, rows, hidden } = offer;
	const count = rows.length + hidden;
	const heads = columns.flatMap(({ label }) =>
		label === undefined ? [] : [`<th>${escape(label)}</th>`],
	);
	const more =
		hidden > 0
			? `<p>${formatCount(hidden)} more rejected ${hidden === 1 ? 'row is not shown and comes' : 'rows are not shown and come'} out with the outcome of the import.</p>`
			: '';
	const content = [
		`<h1>${escape(name)}</h1>`,
		'<p class="about">The import jobs have ended</p>',
		`<p class="lead"><b>${formatCount(count)}</b> row${count === 1 ? ' was' : 's were'} rejected and can be corrected</p>`,
		...(note === '' ? [] : [`<p class="wrong" role="alert">${escape(note)}</p>`]),
		`<p>Correct the values and choose <b>Import These</b>: the rows that you changed are imported with one more job, once. The others stay rejected. Without corrections, the import ends at ${escape(until)}.</p>`,
		more,
		// Without a first button that is disabled, the Enter key in a field would start the import.
		`<form method="post"><button disabled hidden></button><input type="hidden" name="${OFFER}" value="${escape(id)}">`,
		`<div class="wide"><table class="cards"><thead><tr><th>Row</th>${heads.join('')}</tr></thead><tbody>`,
		...rows.map((row, index) => cells(offer, row, index)),
		`</tbody></table></div><p class="buttons"><button name="${ACTION}" value="import">Import These</button> <button name="${ACTION}" value="finish">Finish</button></p></form>`,
	];
	return waitingPage(`Rejected rows: ${name}`, content, statusPath, id);
}
