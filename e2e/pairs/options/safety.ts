import { groupBy } from 'lodash';

import type { JudgedRow, Status } from '../rows';
import { addFields, isFile } from './list';
import type { StoryOption, StoryRun } from './storyOption';

/** What is not sent, and what stops an import. */

/** An item or line as messages name it. */
const nameOf = ({ chosen }: StoryRun, position: number): string =>
	isFile(chosen) ? `line ${position + 2}` : `item ${position + 1}`;

const withChoice = (run: StoryRun, name: string, choice: string): StoryRun => ({
	...run,
	chosen: { ...run.chosen, [name]: choice },
});
const withoutRows = (run: StoryRun, left: ReadonlySet<string>): StoryRun => ({
	...run,
	rows: run.rows.filter(({ id }) => !left.has(id)),
});

/** Rows that can be written and are one person, in the order of the list. */
const people = (judged: readonly JudgedRow[]): JudgedRow[][] => {
	const writable = judged.filter(({ status }) => status !== 'invalid');
	const persons = groupBy(writable, ({ row }) => row.twinOf ?? row.id);
	return Object.values(persons).filter((rows) => rows.length > 1);
};

/** What shows whether a row has changed: the values as they are sent. */
const signature = ({ texts }: JudgedRow): string =>
	JSON.stringify(Object.entries(texts).sort(([one], [other]) => (one < other ? -1 : 1)));

/** What a row came to, by its ID, and the values with which it was sent. */
type Remembered = ReadonlyMap<string, { values: string; status: Status }>;
const remembered = ({ memory }: StoryRun): Remembered =>
	(memory.get('skipUnchangedBy') as Remembered | undefined) ?? new Map();

/** What a row comes to that is not sent again; undefined if it is. */
function keptStatus({ status, recordId }: JudgedRow, { kind }: StoryRun): Status | undefined {
	if (status === 'imported' || status === 'unchanged') return 'unchanged';
	if (status === 'missing' || status === 'unknown') return 'unknown';
	// The other part of a contribution would be stored twice.
	const isStoredInPart = status === 'failed' && recordId !== undefined;
	return isStoredInPart && kind.resourceType === 'Contributions' ? 'failed' : undefined;
}

const KEPT_REASONS: Partial<Record<Status, RegExp>> = {
	unchanged: /Imported before with the same values/,
	unknown: /was sent by an earlier import, and its outcome is unknown/,
	failed: /./,
};

const withResults = { waitForOutcome: ['memory', 'database'], hosting: ['put', 'post'] };
const ofContacts = { resourceType: ['contacts', 'contactsWithPhones'] };
const AMOUNT = 'ContributionAdjustments:AdjustmentAmount';
const OPT_IN = { 'Phones:PhoneOptInStatusID': '1' };

/** Totals of the contributions that are sent, overall and in batch A. */
function totals(judged: readonly JudgedRow[]) {
	const gifts = judged.filter(({ status }) => status !== 'invalid');
	const cents = (rows: JudgedRow[]) =>
		rows.reduce((sum, { texts }) => sum + Math.round(100 * Number(texts[AMOUNT] ?? 0)), 0);
	const count = gifts.length;
	return { count, sum: (cents(gifts) / 100).toFixed(2) };
}

export const safetyOptions: StoryOption[] = [
	{
		name: 'onError',
		where: 'world',
		choices: ['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'],
	},
	{
		name: 'ifInvalid',
		where: 'option',
		choices: ['leaveOut', 'stop'],
		value: (choice) => (choice === 'leaveOut' ? undefined : choice),
		refuse: (choice, _run, judged) => {
			const invalid = judged.filter(({ status, row }) => status === 'invalid' && !row.isNobody);
			if (choice !== 'stop' || invalid.length === 0) return undefined;
			const ids = new Set(invalid.map(({ row }) => row.id));
			return { message: /./, cure: (run) => withoutRows(run, ids) };
		},
	},
	{
		name: 'duplicates',
		where: 'option',
		choices: ['report', 'first', 'last', 'stop'],
		needs: { first: ofContacts, last: ofContacts, stop: ofContacts },
		value: (choice) => (choice === 'report' ? undefined : choice),
		refuse: (choice, _run, judged) => {
			const later = people(judged).flatMap((rows) => rows.slice(1));
			if (choice !== 'stop' || later.length === 0) return undefined;
			const ids = new Set(later.map(({ row }) => row.id));
			return { message: /same person/i, cure: (run) => withoutRows(run, ids) };
		},
		leaveOut: (choice, run, judged) => {
			for (const rows of people(judged)) {
				const kept = choice === 'last' ? rows.at(-1) : rows[0];
				for (const row of rows) {
					if (!kept || row === kept) continue;
					row.reason = new RegExp(`[Ss]ame person as ${nameOf(run, kept.position)}\\b`);
					if (choice !== 'report') row.status = 'duplicate';
				}
			}
		},
	},
	{
		name: 'skipUnchangedBy',
		where: 'option',
		choices: ['', 'key'],
		needs: { key: withResults },
		value: (choice, { kind }) => (choice === 'key' ? kind.key : undefined),
		leaveOut: (choice, run, judged) => {
			const known = remembered(run);
			for (const row of judged) {
				const before = known.get(row.row.id);
				const isLeft = row.status === 'invalid' || row.status === 'duplicate';
				if (choice !== 'key' || isLeft || before?.values !== signature(row)) continue;
				Object.assign(row, { status: before.status, reason: KEPT_REASONS[before.status] });
			}
		},
		remember: (choice, { run, judged }) => {
			if (choice !== 'key' || run.isDry) return;
			const known = new Map(remembered(run));
			for (const row of judged) {
				const status = keptStatus(row, run);
				const isUntouched = row.file === undefined && status === undefined;
				if (isUntouched) continue;
				if (status === undefined) known.delete(row.row.id);
				else known.set(row.row.id, { values: signature(row), status });
			}
			run.memory.set('skipUnchangedBy', known);
		},
	},
	{
		name: 'ifColumnsDiffer',
		where: 'option',
		choices: ['missing', 'stop', 'goOn'],
		needs: {
			goOn: { columns: ['chosen'], resourceType: ['contacts', 'contactsWithPhones'] },
		},
		value: (choice) => (choice === 'missing' ? undefined : choice),
		fields: (choice) =>
			choice === 'goOn' ? { columns: { 'CreateOrUpdateContact:Suffix': 'Not There' } } : {},
		refuse: (choice, { columns, memory }) => {
			const known = memory.get('ifColumnsDiffer') as string[] | undefined;
			if (choice !== 'stop' || !known || known.join() === columns.join()) return undefined;
			return { message: /New: Extra\b/, cure: (run) => ({ ...run, columns: known }) };
		},
		remember: (choice, { run }) => {
			if (choice === 'stop' && !run.isDry) run.memory.set('ifColumnsDiffer', [...run.columns]);
		},
	},
	{
		name: 'controlTotals',
		where: 'option',
		choices: ['none', 'right', 'wrong'],
		needs: { right: { resourceType: ['gifts'] }, wrong: { resourceType: ['gifts'] } },
		value: (choice, run) => {
			if (choice === 'none') return undefined;
			const { count, sum } = run.memory.get('controlTotals') as ReturnType<typeof totals>;
			return {
				total: [{ count: String(choice === 'right' ? count : count + 1), sum }],
			};
		},
		refuse: (choice, run, judged) => {
			run.memory.set('controlTotals', totals(judged));
			if (choice === 'none') return undefined;
			const unread = judged.filter(({ texts }) => texts[AMOUNT] === undefined);
			if (unread.length > 0) {
				const ids = new Set(unread.map(({ row }) => row.id));
				return { message: /no amount that can be read/, cure: (cured) => withoutRows(cured, ids) };
			}
			if (choice === 'right') return undefined;
			return {
				message: /Control Totals/,
				cure: (cured) => withChoice(cured, 'controlTotals', 'right'),
			};
		},
	},
	{
		name: 'consentWasCollected',
		where: 'option',
		choices: ['off', 'on', 'missing'],
		needs: {
			on: { resourceType: ['contactsWithPhones'] },
			missing: { resourceType: ['contactsWithPhones'] },
		},
		value: (choice) => (choice === 'on' ? true : undefined),
		fields: (choice) => (choice === 'off' ? {} : { fixed: OPT_IN }),
		refuse: (choice) =>
			choice === 'missing'
				? {
						message: /Consent Was Collected/,
						cure: (run) => withChoice(run, 'consentWasCollected', 'on'),
					}
				: undefined,
	},
	{
		name: 'optOuts',
		where: 'option',
		choices: ['stop', 'ignore', 'leaveOut'],
		// A phone of its own mapping type would be a row without a value.
		needs: { ignore: ofContacts, leaveOut: { resourceType: ['contacts'] } },
		value: (choice) => (choice === 'stop' ? undefined : choice),
		sent: (choice, text, { isOptedOut }) => (choice === 'leaveOut' && isOptedOut ? '' : text),
		refuse: (choice, _, judged) => {
			const out = judged.filter(
				({ status, row }) =>
					status !== 'invalid' && Object.values(row.cells).some(({ isOptedOut }) => isOptedOut),
			);
			if (choice !== 'stop' || out.length === 0) return undefined;
			return {
				message: /Opt-Outs in the List needs a choice/,
				cure: (run) => withChoice(run, 'optOuts', 'ignore'),
			};
		},
	},
	{
		name: 'allowUnfindable',
		where: 'option',
		choices: ['off', 'on'],
		needs: { on: ofContacts },
		value: (choice) => (choice === 'on' ? true : undefined),
		rowProblem: (choice, texts, { kind }) =>
			choice === 'on' ||
			kind.resourceType !== 'Contacts' ||
			Object.keys(texts).some((field) => /:(Email|CellPhone|Phone)$/.test(field))
				? undefined
				: /enough data to be found again/,
	},
	{
		name: 'keepBefore',
		where: 'option',
		choices: ['none', 'kept'],
		needs: {
			kept: {
				resourceType: ['contacts', 'contactsWithPhones'],
				hosting: ['put', 'post'],
				correctRejected: ['none'],
			},
		},
		value: (choice) => (choice === 'kept' ? 60 : undefined),
		problemsOf: (choice, { refusal, isWithoutOutcome }, { node, files }) => {
			const items = node.outputs.flat();
			if (choice === 'none' || refusal || isWithoutOutcome || files.length === 0 || !items.length)
				return [];
			return items.some(({ binary }) => binary?.before) ? [] : ['what was there is not in a file'];
		},
	},
];

addFields(...safetyOptions);
