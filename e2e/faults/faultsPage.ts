import type { Observation } from './expectation';
import { type Column, faults } from './faults';
import type { Cell } from './matrix';

const COLUMNS: Array<[Column, string]> = [
	['read', 'reading'],
	['safe', 'safe'],
	['unsafe', 'unsafe'],
	['upload', 'upload'],
	['download', 'download'],
];

const INTRODUCTION = `# What happens when the service or the network fails

Every request that these nodes send was tested with every fault below, in n8n's own engine against the sandbox. \`npm run e2e -- faults --write\` writes this page.

Most faults need no action: the node retries up to 5 times with increasing pauses, or up to 100 times within half an hour if the service says how long to wait. If the fault lasts, the item fails with an error that says what happened and what to do. Set **On Error** to _Continue (using error output)_ and look at the failed item:

| \`error.outcomeUnknown\` | \`error.replayable\` | meaning |
| --- | --- | --- |
| false | any | It was not executed, or it only reads. Run it again later. |
| true | true | It may have been executed. Running it again does no harm. |
| true | false | It may have been executed, and a second run could store it twice. Check in the service first. |

**Columns.** _Reading_: Get, Get Many, Find and the lists. _Safe_ to repeat: Update, Delete, and Find or Create with enough data to match. _Unsafe_: a new import job, code, canvass response or record, Patch, and Find or Create without enough data to match. _Upload_: Import Items sends its file to your own storage. _Download_: result files.

**Cells.** Each cell has the result, then requests sent / executed; after the arrow, the same if the fault lasts. _done_: the output is the same as without the fault. _not done_: an error, and nothing was executed. _unknown_: an error, and the request may have been executed. _failed_: an error of a request that changes nothing. Of two numbers, the smaller one is Delete's, which finds nothing left to delete. A dash means that the fault cannot happen there.

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
	return `${outcomeOf(observed, call.column)} ${attempts}/${executed}`;
}

/** The distinct texts of some cells; one unless calls of a kind differ. */
function textOf(cells: Cell[]): string {
	const texts = [...new Set(cells.map(cellText))].sort();
	return texts.length === 0 ? '–' : texts.join(' or ');
}

function shapesText(cells: Cell[]): string {
	const once = cells.filter(({ shape }) => shape === 'once');
	const lasting = cells.filter(({ shape }) => shape === 'lasting');
	const lastingText = textOf(lasting);
	const onceText = once.length === 0 ? lastingText : textOf(once);
	return onceText === lastingText ? onceText : `${onceText} → ${lastingText}`;
}

/** Faults by kind of call; faults with the same results share a row. */
export function faultTable(cells: Cell[]): string {
	const namesByResults = new Map<string, string[]>();
	for (const fault of faults) {
		const results = COLUMNS.map(([column]) =>
			shapesText(cells.filter((cell) => cell.fault === fault && cell.call.column === column)),
		).join(' | ');
		namesByResults.set(results, [...(namesByResults.get(results) ?? []), fault.name]);
	}
	return [
		`| fault | ${COLUMNS.map(([, title]) => title).join(' | ')} |`,
		`|${' --- |'.repeat(COLUMNS.length + 1)}`,
		...[...namesByResults].map(([results, names]) => `| ${names.join('<br>')} | ${results} |`),
	].join('\n');
}

/** What must hold for every request, counted. */
function summary(cells: Cell[]): string {
	const requests = new Set(cells.map(({ call }) => call));
	const falselyDone = cells.filter(
		({ observed }) => observed && !observed.failure && observed.executed === 0,
	);
	const duplicates = cells.filter(
		({ call, shape, observed }) =>
			call.column === 'unsafe' && shape === 'once' && (observed?.executed ?? 0) > 1,
	);
	return `Requests: ${requests.size}. Reported as done but not executed: ${falselyDone.length}. Unsafe requests executed twice after one fault: ${duplicates.length}.`;
}

/** The whole page, not yet formatted. Holds nothing that differs from run to run. */
export function faultsPage(cells: Cell[]): string {
	return `${INTRODUCTION}${faultTable(cells)}\n\n${summary(cells)}\n`;
}
