import { clamp } from 'lodash';
import { z } from 'zod';

import { escape, escapeCell, formatCount } from '../../../../shared/importFile/htmlPage';
import type { QuestionForm } from '../../../wait/progressLink';

/** Rejected rows that the reader of a progress page can correct. Stored with the execution. */
export const offerSchema = z.object({
	form: z.literal('corrections'),
	id: z.string(),
	/** Milliseconds since 1970. */
	until: z.number(),
	/** What the fields of the import read; without a label it is not shown. */
	columns: z.array(z.object({ expression: z.string(), label: z.string().optional() })),
	rows: z.array(
		z.object({
			/** From 0. */
			position: z.number(),
			name: z.string(),
			status: z.enum(['failed', 'invalid']),
			reason: z.string(),
			/** The column that the reason is about, if it names one. */
			column: z.number().optional(),
			values: z.array(z.string()),
			/** The columns whose value has no text in a file, such as a list, and why. */
			withoutText: z.array(z.object({ column: z.number(), reason: z.string() })).optional(),
		}),
	),
	hidden: z.number(),
	/** What the reader sent: the changed rows by their index, or none to finish. */
	reply: z.array(z.object({ row: z.number(), values: z.array(z.string()) })).optional(),
});
export type Offer = z.infer<typeof offerSchema>;

const OFFER = 'offer';
const ACTION = 'action';
const fieldName = (row: number, column: number): string => `${row}.${column}`;

/** For a changed value; anything longer is a mistake, such as a whole file. */
const LONGEST_VALUE = 10_000;

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
	if (sent.get(OFFER) !== id) return 'This page was out of date. Nothing was imported.';
	if (sent.get(ACTION) === 'finish') return [];
	if (sent.get(ACTION) !== 'import') return 'Nothing was imported.';
	const changed = rows.flatMap(({ values }, row) => {
		const typed = values.map((value, column) => {
			const text = columns[column]?.label === undefined ? null : sent.get(fieldName(row, column));
			return text === null || asTyped(text) === asTyped(value) ? value : text;
		});
		return typed.some((text, column) => text !== values[column]) ? [{ row, values: typed }] : [];
	});
	for (const { row, values } of changed) {
		const column = values.findIndex(
			(text, index) => text.length > LONGEST_VALUE && text !== rows[row]?.values[index],
		);
		if (column >= 0)
			return `${columns[column]?.label ?? 'A value'} of ${rows[row]?.name ?? 'a row'} has more than ${formatCount(LONGEST_VALUE)} characters. Nothing was imported.`;
	}
	return changed.length > 0 ? changed : 'No value was changed, so nothing was imported.';
}

/** Width of the narrowest field in characters; fields grow with the screen. */
const NARROWEST = 10;
const WIDEST = 40;

function cells({ columns }: Offer, row: Offer['rows'][number], index: number): string {
	const reason = `<p class="wrong" id="reason-${index}">${escapeCell(row.reason)}</p>`;
	const cell = ({ label }: Offer['columns'][number], column: number): string => {
		if (label === undefined) return '';
		const isWrong = row.column === column;
		const described = isWrong ? ` aria-invalid="true" aria-describedby="reason-${index}"` : '';
		const value = row.values[column] ?? '';
		const size = clamp(value.length, NARROWEST, WIDEST);
		const input = `<input name="${fieldName(index, column)}" value="${escape(value)}" size="${size}" aria-label="${escape(`${label}, ${row.name}`)}" autocomplete="off"${described}>`;
		return `<td data-label="${escape(label)}"><div>${input}${isWrong ? reason : ''}</div></td>`;
	};
	const name = `<b>${escape(row.name)}</b>${row.column === undefined ? reason : ''}`;
	return `<tr><td class="name">${name}</td>${columns.map(cell).join('')}</tr>`;
}

/**
 * The page below its heading. Needs no script.
 * @param until when it ends, in readable form
 * @param note the result of the last try, if any
 */
export function buildCorrections(offer: Offer, until: string, note = ''): string[] {
	const { id, columns, rows, hidden } = offer;
	const count = rows.length + hidden;
	const heads = columns.flatMap(({ label }) =>
		label === undefined ? [] : [`<th>${escape(label)}</th>`],
	);
	const more =
		hidden > 0
			? `<p>${formatCount(hidden)} more rejected ${hidden === 1 ? 'row is not shown and comes' : 'rows are not shown and come'} out with the outcome of the import.</p>`
			: '';
	return [
		'<p class="about">The import jobs have ended</p>',
		`<p class="lead"><b>${formatCount(count)}</b> row${count === 1 ? ' was' : 's were'} rejected and can be corrected</p>`,
		...(note === '' ? [] : [`<p class="wrong" role="alert">${escape(note)}</p>`]),
		`<p>Correct the values and choose <b>Import Changed Rows</b>. One more job imports them, once. The others stay rejected. If somebody else answers first, your changes are not used. Without corrections, the import ends at ${escapeCell(until)}.</p>`,
		more,
		// Without a first button that is disabled, the Enter key in a field would start the import.
		`<form method="post"><button disabled hidden></button><input type="hidden" name="${OFFER}" value="${escape(id)}">`,
		`<div class="wide"><table class="cards"><thead><tr><th>Row</th>${heads.join('')}</tr></thead><tbody>`,
		...rows.map((row, index) => cells(offer, row, index)),
		`</tbody></table></div><p class="buttons"><button name="${ACTION}" value="import">Import Changed Rows</button> <button name="${ACTION}" value="finish">Finish Without Corrections</button></p></form>`,
	];
}

export const correctionForm: QuestionForm = {
	name: 'corrections',
	title: 'Rejected rows',
	build: (question, until, note) => buildCorrections(offerSchema.parse(question), until, note),
	read(question, sent) {
		const reply = readReply(offerSchema.parse(question), sent);
		if (typeof reply === 'string') return reply;
		const rows = reply.length;
		const received =
			rows > 0
				? `${formatCount(rows)} corrected row${rows === 1 ? '' : 's'} received. The import starts now.`
				: 'The import ends without corrections.';
		return { reply, received };
	},
};
