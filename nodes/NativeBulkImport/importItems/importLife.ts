import { partition } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ResumedRun } from '../wait/databaseWait';
import type { ItemOutput, ItemResults } from '../../shared/execution/operation';
import { isClaimed } from '../../shared/execution/runClaims';
import { showHint } from '../../shared/execution/showHint';
import { waitForJobs } from '../../shared/service/importJobWait';
import { counted } from '../../shared/service/counted';
import { throwIfAny } from '../../shared/service/invalidInput';
import { rethrow } from '../../shared/transport/rethrow';
import { zipName } from '../file/fileFields';
import { hostingOf } from '../file/hosting';
import { type ChosenWait, sleepIfAway, waitAsChosen } from '../job/jobWait';
import { type ImportRows, rowName } from '../rows/importRows';
import { openRows } from '../rows/rowSource';
import { type FeatureContext, type FeatureHooks, hooksOf } from './feature';
import type { ImportNote, Part, StartedImport } from './model';
import { firstItem, returnOutcome, readOutcome } from './outcome/endedImport';
import { type GivenJobs, givenJobsOf, readGivenOutcome } from './outcome/givenJobs';
import { addStartedJobs, ImportOutcome, jobsText } from './outcome/importOutcome';
import { outputOf } from './outcome/outcomeOutput';
import { jobOf, planImport } from './start/importPlan';
import { claimOfOthers, ItemImport } from './start/itemImport';
import { previewImport, showImport } from './start/shownImport';
import { checkKeptValues } from './start/keptValues';
import { rememberIds } from './start/recordIds';
import { startedItems, waitForParts } from './start/startedImport';
import { lifeOf, lifeWork, type StoredLife } from './start/storedLife';
import { Stops } from './stops';
import { checkWhatShouldHappen, isOnlyShown } from './whatShouldHappen';

/** An import in which the user's features take part. */
interface LivingContext extends FeatureContext {
	wait: ChosenWait;
	hooks: readonly FeatureHooks[];
	stops: Stops;
}

/** What an import came to, before it is put out. */
interface Ending {
	notes: readonly ImportNote[];
	output(): Promise<ItemResults>;
}

/** One life of an import: from the user's rows, or from where it waited, to their outcomes. */
export class ImportLife {
	/** What is started here; what was started before is in the stored life. */
	private run: { readonly started: StartedImport } | undefined;
	private readonly stored: StoredLife | undefined;
	private readonly given: GivenJobs | undefined;
	private context: LivingContext;

	constructor(context: Omit<FeatureContext, 'sends'> & { wait: ChosenWait }) {
		this.stored = lifeOf(context.resumed);
		const { phase } = this.stored ?? {};
		this.given = this.stored && phase !== 'ask' ? givenJobsOf(this.stored.files) : undefined;
		const sends = phase === undefined || phase === 'ask' || phase === 'firstRows';
		this.context = { ...context, sends, stops: new Stops(), hooks: [] };
	}

	get mayBeImported(): boolean {
		return this.run?.started.parts.some(({ failure }) => failure?.status !== 'notSent') ?? false;
	}

	/** Throws DatabaseWait to continue in another execution. */
	async live(): Promise<ItemResults> {
		const { stored, given } = this;
		const { resumed } = this.context;
		try {
			await this.askFeatures();
			if (resumed && given && stored?.phase !== 'firstRows') return await this.end(resumed, given);
			return await this.begin();
		} catch (error) {
			return await this.fail(error);
		}
	}

	/** Throws InvalidInput if a feature cannot take part as the user wants. */
	private async askFeatures(): Promise<void> {
		const { context } = this;
		const { features, parameters } = context;
		if (context.sends)
			checkWhatShouldHappen(
				context,
				features.flatMap(({ way }) => way ?? []),
			);
		const guards = features.flatMap((feature) => feature.guards ?? []);
		// Find what cannot work before the first request: options without which more would be sent.
		const stops = new Stops(context.sends && isShownFirst(context));
		for (const name of context.sends ? ['dateFormat', 'otherDateFormat', ...guards] : [])
			await stops.at(() => parameters.requireValues('options', [name]));
		this.context = { ...context, stops, hooks: await hooksOf(context, stops) };
	}

	/** Plans the import and sees its rows; then shows it, builds its files, or sends them. */
	private async begin(): Promise<ItemResults> {
		const { context, stored, given } = this;
		const { hooks, stops, wait } = context;
		const rows = await openRows(context);
		for (const { openRows: open } of hooks) await stops.at(() => open?.(rows));
		const [part] = given?.parts ?? [];
		const [file] = given?.files ?? [];
		const number = stored?.run ?? file?.run;
		const plan = await planImport(context, rows, { listeners: wait.listeners, run: number });
		const run = new ItemImport(plan, hooks, {
			tried: stored && part && file && { part, file },
		});
		this.run = run;
		let isDone = false;
		try {
			await run.survey();
			const results = await this.put(await this.go(run));
			const isNothingSent = run.counts.rows > 0 && run.sentRows === 0;
			isDone = !isOnlyShown(context) && (hostingOf(context) === 'none' || isNothingSent);
			return results;
		} finally {
			// This also runs where the execution waits.
			if (isDone || this.mayBeImported) {
				for (const { imported } of hooks) imported?.();
				rememberIds(context.functions, run.counts);
			}
		}
	}

	/** Puts out what the import came to: what somebody has to decide is said before all else. */
	private async put({ notes, output }: Ending): Promise<ItemResults> {
		const { functions } = this.context;
		const [decisions, others] = partition(notes, 'needsDecision').map((some) =>
			some.map(({ text }) => text).join(' '),
		);
		if (decisions) showHint(functions, decisions, 'warning');
		const results = await output();
		if (others) showHint(functions, others);
		return results;
	}

	private async go(run: ItemImport): Promise<Ending> {
		const { context } = this;
		const isShown = isOnlyShown(context);
		if (!isShown && hostingOf(context) !== 'none') return await this.send(run);
		const items = isShown ? await showImport(run, context.hooks) : await this.buildOnly(run);
		return {
			notes: [...(isShown ? stopNotes(run) : []), ...run.notes],
			output: async () => {
				if (isShown) showNextStep(context, run);
				return await outputOf(context, run.plan.rows).unstarted(soFar(run), items);
			},
		};
	}

	/** Starts the jobs, waits for them and reads what their rows came to. */
	private async send(run: ItemImport): Promise<Ending> {
		const { context } = this;
		const { functions, wait } = context;
		const { rows } = run.plan;
		const output = outputOf(context, rows);
		if (rows.noun === 'item') {
			const isSentLater = context.hooks.some(({ sendsLater }) => sendsLater);
			if (isSentLater && wait.way === 'database') await checkKeptValues(context, run.readColumns());
			// Build all files first: they are much smaller than the items.
			await run.build();
		}
		const refused = run.sentRows > 0 && (await this.askToSend(run));
		if (refused)
			return {
				notes: run.notes,
				output: async () => await returnOutcome(context, rows, refused),
			};
		context.stops.refuse();
		await run.startOnce();
		const { started } = run;
		const files = await startedItems(functions, started);
		const outcome = soFar(run);
		// If no job was started, there is no outcome to read later.
		if (wait.way === 'none' && started.parts.length > 0 && !outcome.isUnknown) {
			await outcome.countRows();
			return {
				notes: run.notes,
				output: async () => {
					const message = `${outcome.sentence()} started. Read their outcome with "Get Item Outcomes".`;
					showHint(functions, message);
					const results = await output.started(outcome, files);
					const first = firstItem(results);
					for (const { attachStarted } of context.hooks) if (first) attachStarted?.(first);
					return results;
				},
			};
		}
		// The wait for the first rows is over.
		const work = lifeWork({ phase: 'allRows', files });
		const ended = await waitForParts({ ...context, resumed: undefined }, wait, started, work);
		const known = await readOutcome(context, rows, started, ended);
		if (started.parts.length > 0) await this.offer(known, rows, files);
		await this.letRead(known, rows, { phase: 'allRows', files });
		return { notes: run.notes, output: async () => await returnOutcome(context, rows, known) };
	}

	/** Lets people read the outcome before it is returned. */
	private async letRead(
		outcome: ImportOutcome,
		rows: ImportRows,
		life: Pick<StoredLife, 'phase' | 'files' | 'again' | 'offered'>,
	): Promise<void> {
		const { context } = this;
		const work = lifeWork({ ...life, isRead: true });
		const isShown = outcome.started.parts.length > 0 && this.stored?.isRead !== true;
		for (const { read } of isShown ? context.hooks : []) await read?.(outcome, rows, work);
	}

	/** The outcome if people do not let it send. */
	private async askToSend(run: ItemImport): Promise<ImportOutcome | undefined> {
		const { context } = this;
		const { plan, started, sentRows } = run;
		for (const { release } of context.hooks) {
			const unsent = await release?.({
				plan,
				started,
				sentRows,
				readSent: () => run.readSent(),
				preview: async () => await previewImport(run, context.hooks),
			});
			if (!unsent) continue;
			const found = [...started.found, unsent];
			return await readOutcome(context, plan.rows, { ...started, found }, new Map());
		}
		return undefined;
	}

	/** Goes on after all files were started. */
	private async end(resumed: ResumedRun, given: GivenJobs): Promise<ItemResults> {
		const { context, stored } = this;
		const { hooks, service, wait } = context;
		const isOffered = stored?.phase === 'offer';
		const ways = isOffered ? hooks.flatMap(({ again }) => again ?? []) : [];
		const rowsAgain = [];
		for (const again of ways)
			rowsAgain.push(await again(await openRows(context), (run) => (this.run = run)));
		// After an offer, the jobs have ended long ago.
		const ended = isOffered
			? await waitForJobs(service, given.jobIds, wait)
			: await waitAsChosen(context, given.jobIds, wait, resumed.work);
		const rows = await openRows(context);
		const outcome = await readGivenOutcome(context, given, ended, rows);
		for (const again of rowsAgain) if (again) await outcome.replace(again);
		if (!isOffered && !stored?.isRead) await this.offer(outcome, rows, given.files);
		await this.letRead(outcome, rows, {
			phase: isOffered ? 'offer' : 'allRows',
			files: given.files,
			again: rowsAgain.find((again) => again?.files)?.files,
			offered: isOffered ? (stored.offered ?? resumed.progress?.question) : undefined,
		});
		return await this.put({
			notes: outcome.started.notes,
			output: async () => await returnOutcome(context, rows, outcome),
		});
	}

	private async offer(
		outcome: ImportOutcome,
		rows: ImportRows,
		files: StoredLife['files'],
	): Promise<void> {
		for (const { offer } of this.context.hooks) await offer?.(outcome, rows, files);
	}

	/** Builds files and jobs for a user who uploads the files with another node. */
	private async buildOnly(run: ItemImport): Promise<ItemOutput> {
		const { plan } = run;
		const { functions, rows, stops } = plan;
		stops.refuse();
		await run.findJobsToContinue();
		const output: ItemOutput = [];
		let fileNumber = 0;
		for await (const { part, zip } of run.files()) {
			fileNumber++;
			if (run.toContinue.has(fileNumber)) continue;
			const known = jobOf(plan, run.markOf(fileNumber, part));
			const job = { ...known, file: { ...known.file, sourceUrl: '' } } as unknown as IDataObject;
			const zipFile = zipName(functions, 'items', plan.run, fileNumber);
			const data = await functions.helpers.prepareBinaryData(zip, zipFile, 'application/zip');
			output.push({ json: { job, part: fileNumber, rows: part.rows }, binary: { data } });
		}
		throwIfAny(run.counts.problems());
		const { found, totalRows } = run.started;
		for (const each of found) {
			const message = each.listed?.(rows.noun, totalRows, rowName(rows)) ?? '';
			if (message !== '') showHint(functions, message);
		}
		// Another node would start their files again.
		const jobs = jobsText([...run.toContinue.values()]);
		for (const { notSent } of this.context.hooks) {
			const reason = notSent?.();
			if (reason === undefined) continue;
			const message = `Left out, because ${reason}: the files of ${jobs}. Read their outcome with "Get Item Outcomes".`;
			showHint(functions, message);
		}
		return output;
	}

	/** Adds what was started to an error, or waits until the service is back. */
	private async fail(error: unknown): Promise<never> {
		const { context, stored, given, run } = this;
		const { resumed, wait } = context;
		const isUnsent = !run?.started.parts.length;
		// Nothing was sent since the first rows.
		const isFirst = stored?.phase === 'firstRows' && isUnsent;
		if (resumed && isUnsent && (isFirst || stored?.phase === 'ask'))
			sleepIfAway(resumed, wait, error);
		const again: Part[] = stored?.again ? givenJobsOf(stored.again).parts : [];
		const parts = [...(given?.parts ?? []), ...again, ...(run?.started.parts ?? [])];
		return rethrow(addStartedJobs(parts, error, isFirst ? await this.othersText() : undefined));
	}

	/** The text about the rows after the first ones, if this run sent none: n8n may have gone back to before one that did. */
	private async othersText(): Promise<string> {
		const run = this.given?.files[0]?.run ?? '';
		const claimed = isClaimed(this.context.functions, claimOfOthers(run));
		return (await claimed.catch(() => true))
			? `The other rows may have been sent: search the service for import jobs with "run ${run}" in their description.`
			: 'The other rows were not sent.';
	}
}

/** Whether nothing is sent before somebody has seen the import. Throws InvalidInput if nobody could. */
function isShownFirst(context: FeatureContext): boolean {
	return isOnlyShown(context) || context.features.some(({ showsFirst }) => showsFirst?.(context));
}

/** What would stop an import that is only shown. */
function stopNotes({ plan }: ItemImport): ImportNote[] {
	const stops = plan.stops.shown.length;
	if (stops === 0) return [];
	const what = stops === 1 ? '1 problem stops' : `${stops} problems stop`;
	const which = stops === 1 ? 'It is the first entry' : 'They are the first entries';
	return [{ text: `${what} this import. ${which} of the output.`, needsDecision: true }];
}

/** What to do after an import was only shown. */
function showNextStep({ functions }: LivingContext, run: ItemImport): void {
	const { plan, sentRows, started } = run;
	if (plan.stops.shown.length > 0) return;
	const rows = `${sentRows} of ${counted(started.totalRows, plan.rows.noun)}`;
	const next =
		sentRows === 0
			? 'No row of this list can be imported.'
			: `To import ${rows}, set What Should Happen to Import.`;
	showHint(functions, `Nothing was sent. ${next}`);
}

/** Before the jobs have ended: the outcome of the rows that were not sent. */
function soFar({ plan, started }: ItemImport): ImportOutcome {
	return new ImportOutcome(plan, plan.rows, started);
}
