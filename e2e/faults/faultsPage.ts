import type { Observation } from './expectation';
import { type Column, faults } from './faults';
import type { Cell } from './matrix';

const COLUMNS: Array<[Column, string]> = [
	['read', 'reading'],
	['safe', 'safe to repeat'],
	['unsafe', 'not safe to repeat'],
	['upload', 'upload'],
	['download', 'download'],
];

const INTRODUCTION = `# What happens when the service or the network fails

Every request of these nodes met every fault below, in n8n's own engine against the sandbox, which counted the requests. This page is written by \`npm run e2e:faults -- --write\`; do not edit it by hand.

**What you need to do.** Mostly nothing: what a retry can mend is retried, after the time the service names or with increasing pauses, up to five times; if the service names its waits, up to a hundred times within half an hour. What remains is an error that says what happened and what to do. Set **On Error** of the node to _Continue (using error output)_ and look at two fields of the failed item:

- \`error.outcomeUnknown\` is false: the request was not carried out, or it only reads. Run the item again later.
- \`error.outcomeUnknown\` and \`error.replayable\` are true: it may have been carried out, and running it again does no harm.
- \`error.outcomeUnknown\` is true and \`error.replayable\` is false: it may have been carried out, and a second run could store it twice. Check in the service first.

**Columns.** _Reading_: Get, Get Many, Find and the lists. _Safe to repeat_: Update, Delete, and Find or Create with enough data to match. _Not safe to repeat_: a new import job, code, canvass response or record, Patch, and Find or Create without enough data to match. _Upload_: the file of Import Items to your own storage. _Download_: result files.

**Cells.** First the result when the fault happens once, then when it lasts. **done**: the same output as without the fault. **not done**: an error, and nothing was carried out. **unknown**: an error that leaves open whether it was carried out. **failed**: an error of something that changes nothing. Then how many requests were sent, and how many the service carried out. Where a cell has two numbers, the smaller one is of Delete, which finds nothing left to delete. A dash: it cannot happen there, or nobody can tell.

`;

function outcomeOf({ failure, executed }: Observation, column: Column): string {
	if (!failure) return 'done';
	if (failure.outcomeUnknown) return 'unknown';
	return column === 'read' || column === 'download' || executed > 0 ? 'failed' : 'not done';
}

function cellText(cell: Cell): string {
	const { observed, call } = cell;
	if (!observed) return 'not measured';
	const { attempts, executed } = observed;
	return `${outcomeOf(observed, call.column)}, ${attempts} sent, ${executed} carried out`;
}

/** The distinct texts of some cells; one unless calls of a kind differ. */
function textOf(cells: Cell[]): string {
	const texts = [...new Set(cells.map(cellText))].sort();
	return texts.length === 0 ? '–' : texts.join(' _or_ ');
}

function tableOf(head: string[], rows: string[][]): string {
	const line = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function shapesText(cells: Cell[]): string {
	const once = cells.filter(({ shape }) => shape === 'once');
	const lasting = cells.filter(({ shape }) => shape === 'lasting');
	const lastingText = textOf(lasting);
	const onceText = once.length === 0 ? lastingText : textOf(once);
	return onceText === lastingText ? onceText : `${onceText}; lasting: ${lastingText}`;
}

/** Faults by kind of call. */
export function faultTable(cells: Cell[]): string {
	return tableOf(
		['fault', ...COLUMNS.map(([, title]) => title)],
		faults.map((fault) => [
			fault.name,
			...COLUMNS.map(([column]) =>
				shapesText(cells.filter((cell) => cell.fault === fault && cell.call.column === column)),
			),
		]),
	);
}

/** The sentence a user reads, for any call. */
function messageTable(cells: Cell[]): string {
	const general = ({ call, observed }: Cell): string | undefined =>
		observed?.failure?.message
			.replace(/\b(GET|POST|PUT|PATCH|DELETE) \/[^\s:]*(:[^\s:]+)?/g, '_call_')
			.replace(/^Result file \d+/, 'Result file 1')
			.replace(new RegExp(`^${call.title}`), '_call_');
	const byTexts = new Map<string, string[]>();
	for (const fault of faults) {
		const texts = cells.flatMap((cell) => (cell.fault === fault ? (general(cell) ?? []) : []));
		const distinct = [...new Set(texts)].sort().join('<br>') || 'no error';
		byTexts.set(distinct, [...(byTexts.get(distinct) ?? []), fault.name]);
	}
	return tableOf(
		['fault', 'what the error says'],
		[...byTexts].map(([texts, names]) => [names.join('<br>'), texts]),
	);
}

/** Every call with the worst that happened to it. */
function callTable(cells: Cell[]): string {
	const calls = [...new Set(cells.map(({ call }) => call))];
	return tableOf(
		['request', 'by', 'kind', 'most carried out after one fault', 'reported as done although not'],
		calls.map((call) => {
			const own = cells.filter((cell) => cell.call === call);
			const once = own.filter(({ shape }) => shape === 'once');
			const most = Math.max(...once.map(({ observed }) => observed?.executed ?? 0));
			const untrue = own.filter(
				({ observed }) => observed && !observed.failure && observed.executed === 0,
			);
			const kind = COLUMNS.find(([column]) => column === call.column)?.[1] ?? '';
			const { displayName } = call.node.description;
			return [
				`\`${call.title}\``,
				`${displayName}: ${call.resource} ${call.operation}`,
				kind,
				String(most),
				untrue.length === 0 ? 'never' : `${untrue.length} times`,
			];
		}),
	);
}

/** The whole page, not yet formatted. Holds nothing that differs from run to run. */
export function faultsPage(cells: Cell[]): string {
	return `${INTRODUCTION}${faultTable(cells)}

## What the errors say

_call_ stands for the request, such as \`POST /codes\`. Below the sentence each error says what to do.

${messageTable(cells)}

## Every request

${callTable(cells)}
`;
}
