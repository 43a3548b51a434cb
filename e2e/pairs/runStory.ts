import { stringify } from 'csv-stringify/sync';
import {
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type OnError,
} from 'n8n-workflow';

import { shownImport } from '../../hosts/importScreen';
import { fromList } from '../../hosts/locators';
import { PATIENCE_MS } from '../../hosts/waitUntil';
import { mapValues } from 'lodash';
import { asExpression } from '../../test/engine/support/itemImports';
import { storeBinary } from '../../test/engine/support/engine';
import { packageNodes } from '../../test/engine/support/packageNodes';
import { PausedJobs } from '../../test/engine/support/pausedJobs';
import { processedData } from '../../test/engine/support/processedData';
import { Sandboxed } from '../../test/engine/support/sandboxed';
import { answerImport } from './releases';
import { claimsOf } from './claims';
import { errorText, laterProblemsOf, problemsOf } from './comparison';
import { expectedOf, givenValue, judgeList } from './oracle';
import { OPTIONS } from './options';
import { delimiterOf, isFile } from './options/list';
import type { Expected, StoryRun } from './options/storyOption';
import { type GivenRow, REJECTED } from './rows';
import type { Seen } from './seen';
import { type List, type Story, storyOf } from './story';
import { ServiceWatch } from './theService';
import { typeCorrections } from './typedCorrections';

/** Where stories happen. */
export interface Stage {
	service: Sandboxed;
	jobs: PausedJobs;
}

export interface StoryOutcome {
	story: Story;
	runs: number;
	/** What happened, a line for each run. */
	events: string[];
	problems: string[];
}

function importNode(): INodeType {
	const found = packageNodes().get('NativeBulkImport');
	if (!found) throw new Error('The package has no node Native Bulk Import.');
	return found.node;
}
const node = importNode();
/** Time that executions slept in the database. */
let slept = 0;
const realNow = Date.now;

/** The number of times a person corrects what a run rejects. */
const MOST_CURES = 8;

export async function withStage<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
	const jobs = new PausedJobs();
	const service = await Sandboxed.start({ jobTiming: jobs.jobTiming });
	Date.now = () => realNow() + slept;
	try {
		return await work({ service, jobs });
	} finally {
		Date.now = realNow;
		jobs.release();
		await service.close();
	}
}

/** The list as the node gets it. */
async function itemsOf(run: StoryRun): Promise<INodeExecutionData[]> {
	const { chosen, columns, rows } = run;
	const valuesOf = (row: (typeof rows)[number]) =>
		columns.map((name) => givenValue(run, row.cells[name] ?? { given: '' }));
	if (!isFile(chosen))
		return rows.map((row) => ({
			json: Object.fromEntries(
				valuesOf(row).map((value, at) => [columns[at], value]),
			) as IDataObject,
		}));
	const lines = rows.map((row) => [...valuesOf(row), ...(row.isTooWide ? ['more'] : [])]);
	const text = stringify([[...columns], ...lines], { delimiter: delimiterOf(chosen) });
	const file = { fileName: 'list.csv', mimeType: 'text/csv' };
	return [
		{
			json: {},
			binary: { [chosen.inputDataFieldName ?? 'data']: await storeBinary(Buffer.from(text), file) },
		},
	];
}

/** Its options flat. */
function parametersOf(run: StoryRun): INodeParameters {
	const { chosen, kind } = run;
	const own = OPTIONS.map(({ name, parameters }) => parameters?.(chosen[name] ?? '', run) ?? {});
	const options = OPTIONS.flatMap(({ name, where, value }) => {
		const given = where === 'option' ? value?.(chosen[name] ?? '', run) : undefined;
		return given === undefined ? [] : [[name, given]];
	});
	return Object.assign(
		{
			resource: 'job',
			operation: 'createFromItems',
			resourceType: fromList(kind.resourceType),
			mappingTypes: kind.mappingTypes,
			description: 'List of a story',
		},
		...own,
		{ options: Object.fromEntries(options) as INodeParameters },
	) as INodeParameters;
}

function addFaults({ service }: Stage, { chosen }: StoryRun): void {
	const faults: Record<string, () => void> = {
		threeResultFiles: () => service.addJobFault({ kind: 'results', files: 3, shuffle: 7 }),
		rowLeftOut: () => service.addJobFault({ kind: 'results', omitRows: [1] }),
		failedJob: () => service.addJobFault({ kind: 'fail', text: 'The service was restarted.' }),
		lostStart: () => service.addFault({ kind: 'status', status: 400 }, 'POST /bulkImportJobs'),
		lostResults: () =>
			service.addFault({ kind: 'status', status: 404 }, 'GET /results', { count: 100 }),
	};
	faults[chosen.service ?? '']?.();
}

/** A story as it continues: what the person corrected stays corrected. */
class StoryTeller {
	readonly events: string[] = [];
	readonly problems: string[] = [];
	runs = 0;
	private readonly memory = new Map<string, unknown>();
	/** The last run whose rows were handed to the service. */
	private last: { expected: Expected; seen: Seen } | undefined;
	private staticData: IDataObject = {};
	private chosen;
	private readonly lists = new Map<string, List>();

	constructor(
		private readonly stage: Stage,
		private readonly story: Story,
	) {
		this.chosen = story.chosen;
	}

	async run(
		name: string,
		list: List,
		{ isDry = false, items }: { isDry?: boolean; items?: INodeExecutionData[] } = {},
	): Promise<void> {
		const { sandbox } = this.stage.service;
		const held = this.lists.get(list.name) ?? list;
		let run: StoryRun = {
			name,
			kind: this.story.kind,
			chosen: this.chosen,
			isDry,
			listName: list.name,
			columns: held.columns,
			rows: held.rows,
			memory: this.memory,
			...(items && { items }),
			addresses: { upload: `${sandbox.url}/drop`, download: `${sandbox.httpsUrl}/drop` },
		};
		for (let cures = 0; cures < MOST_CURES; cures++) {
			const cured = await this.runOnce(run);
			if (!cured) return;
			run = cured;
			this.chosen = cured.chosen;
			this.lists.set(list.name, { ...list, columns: [...cured.columns], rows: [...cured.rows] });
		}
		this.problems.push(`${name}: is refused again and again`);
	}

	/** @returns what a person makes of the run if it was refused, as it should be */
	private async runOnce(run: StoryRun): Promise<StoryRun | undefined> {
		const { service, jobs } = this.stage;
		const { judged, refusals } = judgeList(run);
		const watch = new ServiceWatch(service, run.kind);
		const items = run.items ? [...run.items] : await itemsOf(run);
		if (run.name === 'import' && !run.isDry && refusals.length === 0) addFaults(this.stage, run);
		if (run.chosen.waitForOutcome === 'database' && !run.isDry) jobs.hold();
		/** What the page of an import that cannot be released says. */
		let stopped = '';
		const giveUp = new AbortController();
		// A run that waits for something that never comes is a problem of its own.
		const timer = setTimeout(() => giveUp.abort(), PATIENCE_MS);
		const result = await service.run(node, shownImport(parametersOf(run)), {
			items,
			signal: giveUp.signal,
			onError: run.chosen.onError as OnError,
			staticData: this.staticData,
			whileSleeping: async (until, stored) => {
				const sentRows = judged.filter(({ status }) => status === 'imported').length;
				const answered =
					run.chosen.whatShouldHappen === 'ask'
						? await answerImport(service.setup(node), stored, sentRows, watch.writes())
						: undefined;
				stopped += answered?.stopped ?? '';
				for (const problem of answered?.problems ?? [])
					this.problems.push(`${run.name}: ${problem}`);
				const isAnswered =
					answered !== undefined ||
					(run.chosen.correctRejected === 'typed' &&
						(await typeCorrections(service.setup(node), stored, run)));
				if (!isAnswered) slept += Math.max(0, until.getTime() - Date.now());
				jobs.release();
				await service.settle();
				jobs.hold();
			},
		});
		clearTimeout(timer);
		if (giveUp.signal.aborted) this.problems.push(`${run.name}: does not end`);
		jobs.release();
		const seen = await watch.see(result, items);
		service.sandbox.control.clearFaults();
		this.runs++;
		const expected = expectedOf(run, judged, seen.held);
		const [refusal] = refusals;
		if (refusal) expected.refusal = refusal;
		const found = await problemsOf(expected, seen);
		const text = `${errorText(seen)}${stopped}`;
		const met = refusals.filter(({ message }) => message.test(text));
		// A dry run shows all that would stop the import, which stops at the first.
		const isRefused = run.isDry ? met.length === refusals.length : met.length > 0;
		if (refusals.length > 0 && !isRefused)
			found.push(
				`is not refused with ${refusals.map(({ message }) => String(message)).join(run.isDry ? ' and ' : ' or ')}: ${text}`,
			);
		this.events.push(
			`${run.name}${run.isDry ? ' (dry)' : ''}: ${met.length > 0 ? `refused: ${text}` : judged.map(({ row, status }) => `${row.id} ${status}`).join(', ')}`,
		);
		this.problems.push(...found.map((problem) => `${run.name}: ${problem}`));
		if (met.length > 0) return met.reduce((cured, { cure }) => cure(cured), run);
		this.last = refusals.length === 0 && !run.isDry ? { expected, seen } : undefined;
		if (refusals.length === 0) {
			this.staticData = JSON.parse(JSON.stringify(result.staticData)) as IDataObject;
			for (const { name, remember } of OPTIONS) remember?.(run.chosen[name] ?? '', expected, seen);
		}
		return undefined;
	}

	/** Reads what the last run came to with Get Item Outcomes. */
	async readLater(): Promise<void> {
		if (!this.last) return;
		const { expected, seen } = this.last;
		const startedJobs = startedJobsOf(expected, seen);
		if (startedJobs === undefined) return;
		const { chosen } = expected.run;
		const options = OPTIONS.flatMap(({ name, ofLater, value }) => {
			const given = ofLater ? value?.(chosen[name] ?? '', expected.run) : undefined;
			return given === undefined ? [] : [[name, given]];
		});
		const parameters = {
			...parametersOf(expected.run),
			operation: 'getItemOutcomes',
			startedJobs,
			// There, the two files are two options.
			options: {
				...Object.fromEntries(options),
				rejectedRows: chosen.report === 'on',
			} as INodeParameters,
		};
		const result = await this.stage.service.run(node, parameters, {
			items: seen.items,
			onError: chosen.onError as OnError,
		});
		this.runs++;
		this.events.push('outcomes read later');
		const found = await laterProblemsOf(expected, { ...seen, node: result });
		this.problems.push(...found.map((problem) => `later: ${problem}`));
	}

	/** Imports the rejected rows of the last run again, as a person corrects them. */
	async importCorrected(): Promise<void> {
		if (!this.last) return;
		const { expected, seen } = this.last;
		const correctedIds = new Set(
			expected.judged
				.filter(({ status, row }) => REJECTED.has(status) && isCorrectable(row))
				.map(({ row }) => row.id),
		);
		if (correctedIds.size === 0) return;
		const { run } = expected;
		const rows = run.rows.filter(({ id }) => correctedIds.has(id)).map(correct);
		const list = { name: 'corrected', columns: [...run.columns], rows };
		const items = await correctedItems(run, expected, seen, correctedIds);
		await this.run('corrected', list, items && { items });
	}
}

const isCorrectable = ({ cells, isTooWide }: GivenRow): boolean =>
	isTooWide === true || Object.values(cells).some(({ correction }) => correction !== undefined);

function correct(row: GivenRow): GivenRow {
	if (!isCorrectable(row)) return row;
	const { problem: _problem, isTooWide: _isTooWide, ...rest } = row;
	const cells = mapValues(row.cells, ({ correction, ...cell }) =>
		correction === undefined ? cell : { given: correction },
	);
	return { ...rest, cells };
}

/** The rejected items as they came out, with a person's corrections; undefined if the list is made anew. */
function correctedItems(
	run: StoryRun,
	{ isWithoutOutcome }: Expected,
	seen: Seen,
	ids: ReadonlySet<string>,
): INodeExecutionData[] | undefined {
	const isRead = run.chosen.hosting !== 'none' && run.chosen.waitForOutcome !== 'none';
	if (isFile(run.chosen) || !isRead || isWithoutOutcome) return undefined;
	return claimsOf(seen, run)
		.sort((one, other) => one.position - other.position)
		.flatMap(({ position, shown }) => {
			const row = run.rows[position];
			if (!row || !ids.has(row.id)) return [];
			const corrections = Object.entries(row.cells).flatMap(([name, { correction }]) =>
				correction === undefined ? [] : [[name, correction]],
			);
			return [{ json: { ...shown, ...(Object.fromEntries(corrections) as IDataObject) } }];
		});
}

/** The started jobs as a person enters them; undefined where they do not say everything. */
function startedJobsOf(
	{ run, judged, files, continued }: Expected,
	{ node: result, files: sent }: Seen,
): string | undefined {
	const { chosen } = run;
	// Another job has the rows that were corrected on the page.
	if (chosen.hosting === 'none' || files.length === 0 || chosen.correctRejected === 'typed')
		return undefined;
	if (chosen.waitForOutcome === 'none') {
		const started = result.outputs.flat().map(({ json }) => json);
		return started.some(({ jobId }) => typeof jobId === 'number')
			? asExpression(started)
			: undefined;
	}
	const ids = [...continued.values(), ...sent.flatMap(({ jobId }) => jobId ?? [])];
	// The jobs do not show what an import knew of its list.
	const isWhole = judged.every(
		({ status, reason }) => status === 'failed' || (status === 'imported' && !reason),
	);
	return chosen.jobDescriptions === 'shown' && isWhole && ids.length > 0
		? ids.join(', ')
		: undefined;
}

export async function runStory(stage: Stage, seed: number): Promise<StoryOutcome> {
	const story = storyOf(seed);
	stage.service.sandbox.control.reset();
	processedData.clear();
	stage.service.change({ styles: { jobDescriptions: story.chosen.jobDescriptions === 'shown' } });
	const teller = new StoryTeller(stage, story);
	const { first, second, gone } = story;
	const third = {
		...second,
		name: 'third',
		rows: [...second.rows, ...(gone ? [gone] : [])].map(correct),
	};
	try {
		await teller.run('show', first, { isDry: true });
		await teller.run('import', first);
		await teller.readLater();
		await teller.run('again', first);
		await teller.run('second', second);
		await teller.importCorrected();
		await teller.run('third', third);
	} catch (error) {
		teller.problems.push(
			`cannot be compared: ${String(error instanceof Error ? error.stack : error)}`,
		);
	} finally {
		stage.jobs.release();
		await stage.service.settle();
	}
	return { story, runs: teller.runs, events: teller.events, problems: teller.problems };
}
