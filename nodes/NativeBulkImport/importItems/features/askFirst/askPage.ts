import { z } from 'zod';

import { escape, escapeCell, formatCount } from '../../../../shared/importFile/htmlPage';
import { problemSentence } from '../../../../shared/service/invalidInput';
import type { QuestionForm } from '../../../wait/progressLink';
import { shownNames } from '../../mapping/shownNames';
import type { Preview } from '../../model';
import type { RowKind } from './rowKinds';
import { plannedSchema } from './plannedRows';

export const FORM = 'askFirst';
const LONGEST_NAME = 100;

/** What a person is asked before rows are sent. Stored with the execution. */
export const askSchema = z.object({
	form: z.literal(FORM),
	id: z.string(),
	/** Milliseconds since 1970. */
	until: z.number(),
	/** Counted over the rows that would be sent. */
	rows: z.number(),
	/** What would stop the import, so that nobody can release it. */
	stops: z.array(z.string()),
	/** What needs somebody's decision. */
	decisions: z.array(z.string()),
	/** What is shown, as HTML. */
	content: z.array(z.string()),
	/** Identifies the rows and what is done with them. */
	marks: z.object({ rows: z.string(), statuses: z.string(), settings: z.string() }),
	planned: plannedSchema,
	/** What the reader of the page decided. */
	reply: z.object({ isReleased: z.boolean(), by: z.string() }).optional(),
});
export type Ask = z.infer<typeof askSchema>;

function rowsText(count: number): string {
	return `${formatCount(count)} row${count === 1 ? '' : 's'}`;
}

function list(texts: readonly string[]): string[] {
	return texts.length === 0
		? []
		: [`<ul>${texts.map((text) => `<li>${escapeCell(text)}</li>`).join('')}</ul>`];
}

/** A text of each part of a summary that has one, such as who was found. */
function summaries(summary: Preview['summary']): string[] {
	return Object.values(summary).flatMap((part) => {
		const text = part && typeof part === 'object' && 'summary' in part ? part.summary : undefined;
		return typeof text === 'string' ? [text] : [];
	});
}

function textsOf(value: unknown): string[] {
	return z.array(z.string()).catch([]).parse(value);
}

const LONGEST_SHOWN = 60;

/** What to look at before anything else. */
function checks({ fields, summary, described }: Preview): string[] {
	const problems = fields.flatMap(({ column, field, problem }) => {
		if (problem === null) return [];
		const name = field ?? String(column);
		return [{ column, problem, text: problem.includes(name) ? problem : `${name}: ${problem}` }];
	});
	const shown = new Set([...described, ...problems.map(({ problem }) => problem)]);
	const explained = new Set(problems.map(({ column }) => column));
	const notImported = textsOf(summary.notImported).filter((name) => !explained.has(name));
	return [
		...problems.map(({ text }) => text),
		...(notImported.length > 0
			? [`Columns that are not imported: ${shownNames(notImported)}.`]
			: []),
		...textsOf(summary.warnings).filter((warning) => !shown.has(warning)),
	];
}

function fieldTable({ fields }: Preview): string {
	const rows = fields
		.filter(({ field }) => field !== null)
		.map(({ column, field, firstValues, blanks }) => {
			const values = firstValues.map((value) => escapeCell(value, LONGEST_SHOWN)).join(', ');
			const blank = blanks ? ` (${formatCount(blanks)} blank)` : '';
			const from = column === null ? 'The same for all' : escape(column, LONGEST_SHOWN);
			return `<tr><td data-label="Column"><div>${from}</div></td><td data-label="Field"><div>${escape(field)}</div></td><td data-label="First values"><div>${values}${blank}</div></td></tr>`;
		});
	return `<div class="wide"><table class="cards"><thead><tr><th>Column</th><th>Field</th><th>First values</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function kindSection({ title, count, rows }: RowKind): string[] {
	const shown = rows.map(
		({ name, values, text }) =>
			`<tr><td class="name"><b>${escape(name)}</b></td><td><div>${escapeCell(values)}${text === '' ? '' : `<p class="wrong">${escapeCell(text)}</p>`}</div></td></tr>`,
	);
	return [
		`<h3>${escape(title)}: ${formatCount(count)}</h3>`,
		...(shown.length > 0
			? [`<div class="wide"><table class="cards"><tbody>${shown.join('')}</tbody></table></div>`]
			: []),
	];
}

/** The page below its heading, without the form: first what needs a decision. */
export function buildAsk(
	preview: Preview,
	{ rows, totalRows, lines }: { rows: number; totalRows: number; lines: readonly string[] },
	kinds: readonly RowKind[],
): string[] {
	const { summary, stops } = preview;
	const toCheck = [...checks(preview), ...lines];
	const counted =
		rows === totalRows
			? `<b>${formatCount(rows)}</b> row${rows === 1 ? '' : 's'}`
			: `<b>${formatCount(rows)}</b> of ${rowsText(totalRows)}`;
	return [
		`<p class="lead">${counted} would be imported into <b>${escape(summary.target)}</b></p>`,
		...(stops.length > 0
			? ['<h2>Stops this import</h2>', ...list(stops.map(problemSentence))]
			: []),
		...list(summaries(summary)),
		...(toCheck.length > 0 ? ['<h2>Check first</h2>', ...list(toCheck)] : []),
		'<h2>Rows</h2>',
		...kinds.flatMap(kindSection),
		'<h2>What goes where</h2>',
		fieldTable(preview),
	];
}

const ASK = 'ask';
const ACTION = 'action';
const NAME = 'name';

export const askForm: QuestionForm = {
	name: FORM,
	title: 'Waiting for release',
	build(question, until, note = '') {
		const { id, rows, stops, content } = askSchema.parse(question);
		const release = `<button name="${ACTION}" value="import">Import ${rowsText(rows)}</button> `;
		return [
			`<p class="about">Nothing was sent yet. If nobody decides before ${escapeCell(until)}, nothing is imported.</p>`,
			...(note === '' ? [] : [`<p class="wrong" role="alert">${escape(note)}</p>`]),
			// Without a first button that is disabled, the Enter key in the field would start the import.
			`<form method="post"><button disabled hidden></button><input type="hidden" name="${ASK}" value="${escape(id)}">`,
			...content,
			`<p class="answer"><label for="${NAME}">Your name, for the report</label><input id="${NAME}" name="${NAME}" maxlength="${LONGEST_NAME}" autocomplete="name"></p>`,
			`<p class="buttons">${stops.length > 0 ? '' : release}<button name="${ACTION}" value="cancel">Cancel</button></p></form>`,
		];
	},
	read(question, sent) {
		const { id, rows, stops } = askSchema.parse(question);
		if (sent.get(ASK) !== id) return 'This page was out of date. Nothing was imported.';
		const action = sent.get(ACTION);
		const isKnown = action === 'cancel' || (action === 'import' && stops.length === 0);
		if (!isKnown) return 'Nothing was imported.';
		const name = (sent.get(NAME) ?? '').replace(/[\p{C}\s]+/gu, ' ').trim();
		const isReleased = action === 'import';
		return {
			reply: { isReleased, by: name.slice(0, LONGEST_NAME) },
			received: isReleased
				? `Released: the import of ${rowsText(rows)} starts now.`
				: 'Canceled: nothing is imported.',
		};
	},
};
