import { createHash } from 'crypto';
import { upperFirst } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { claim, isClaimed } from '../../../../shared/execution/runClaims';
import { showHint } from '../../../../shared/execution/showHint';
import { TimeSlice } from '../../../../shared/execution/timeSlice';
import type { RowStatus } from '../../../../shared/importFile/importReport';
import type { ItemParameters } from '../../../../shared/parameters/itemParameters';
import { InvalidInput, problemSentence } from '../../../../shared/service/invalidInput';
import { requireOutcome } from '../../../file/hosting';
import { newRunId } from '../../../job/descriptionMark';
import { type ChosenWait, newProgress } from '../../../job/jobWait';
import { rowName, textChecksum } from '../../../rows/importRows';
import { checkDatabaseWait, DatabaseWait, progressLink } from '../../../wait/databaseWait';
import type { FeatureContext, ImportFeature, OutcomeView, ReadyImport } from '../../feature';
import type { FoundRows, ImportPlan, LeftOutRows } from '../../model';
import { mayBeSent } from '../../start/earlierJobs';
import { RowIdentity } from '../../start/rowIdentity';
import { lifeOf, lifeWork } from '../../start/storedLife';
import { happens } from '../../whatShouldHappen';
import { type Ask, askForm, askSchema, buildAsk, FORM } from './askPage';
import { comparePlan, plannedRows, plannedSchema, type PlannedRows } from './plannedRows';
import { reportForm, showReport } from './reading';
import { rowKinds, unsentStatus } from './rowKinds';

const LABEL = 'Ask First';
const WAIT_LABEL = 'Time to Ask (Minutes)';

/** Weekdays of an office: whoever is asked in the evening decides the next day. */
const USUAL_MINUTES = 1440;

const WAY = {
	name: 'Ask First, Then Import',
	value: 'ask',
	description:
		'Show the same on a page, and import once somebody releases it there. Nothing is sent before that.',
};

const option: INodeProperties = {
	displayName: WAIT_LABEL,
	name: 'maxWaitToAsk',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: USUAL_MINUTES,
	displayOptions: { show: { '/whatShouldHappen': [WAY.value] } },
	description: 'How long somebody can release the import. After that, nothing is sent.',
};

const isAsked = (parameters: ItemParameters): boolean => happens(parameters) === WAY.value;

function askTimeMs(parameters: ItemParameters): number {
	return parameters.in('options').positive('maxWaitToAsk', USUAL_MINUTES) * 60_000;
}

/** What was asked before the wait; undefined if the execution does not wait for its release. */
function askOf(resumed: FeatureContext['resumed']): Ask | undefined {
	const isAsked = lifeOf(resumed)?.phase === 'ask';
	return isAsked ? askSchema.parse(resumed?.progress?.question) : undefined;
}

/** Throws InvalidInput where nobody could be asked. */
function checkAsk(context: FeatureContext, { way, maxWaitMs }: ChosenWait): void {
	const { functions, parameters } = context;
	if (way !== 'database') {
		const text = 'waits for a person. Set Wait for the Outcome to In the Database.';
		throw new InvalidInput([{ field: LABEL, text }]);
	}
	requireOutcome(context, way, LABEL);
	checkDatabaseWait(functions, LABEL, askTimeMs(parameters) + maxWaitMs);
}

const releaseSchema = z.object({ by: z.string(), planned: plannedSchema });

/** A release, with what was shown of the rows. */
class Release implements FoundRows {
	constructor(
		readonly by: string,
		readonly planned: PlannedRows,
	) {}

	get ofEachRow() {
		return { releasedBy: this.by || 'by link' };
	}

	reasonAt(): undefined {
		return undefined;
	}

	sentence(): string {
		return this.by === '' ? 'released by link' : `released by ${this.by}`;
	}

	summary() {
		return this.ofEachRow;
	}

	store() {
		return { release: { by: this.by, planned: this.planned } };
	}

	static restore(stored: unknown): Release | undefined {
		const { data } = releaseSchema.safeParse(stored);
		return data && new Release(data.by, data.planned);
	}
}

/** The rows of an import that is not released. */
class UnreleasedRows implements FoundRows {
	readonly leftOut: LeftOutRows;

	constructor(
		status: RowStatus,
		count: number,
		private readonly reason: string,
	) {
		this.leftOut = { status, count, isLeftOut: () => true };
	}

	reasonAt(): string {
		return this.reason;
	}

	store() {
		return {};
	}
}

/** What is done with the rows, whatever they hold. */
function settingsMark(
	{ parameters, mapping }: ImportPlan,
	identity: RowIdentity,
	features: readonly ImportFeature[],
): string {
	return textChecksum(
		JSON.stringify([
			identity.mapping,
			mapping.columns.map(({ source, expression = '' }) => `${source}=${expression}`).sort(),
			...features.flatMap(({ setting }) => (setting ? [setting.of(parameters)] : [])),
		]),
	);
}

/** A mark of which rows are sent. */
async function statusMark(run: ReadyImport, slice: TimeSlice): Promise<string> {
	const hash = createHash('sha256');
	for (let position = 0; position < run.started.totalRows; position++) {
		if (slice.isOver) await slice.yield();
		hash.update(`${unsentStatus(run, position) ?? ''};`);
	}
	return hash.digest('base64');
}

/** Throws InvalidInput naming what is no longer as it was shown. */
function checkShown(shown: Ask['marks'], now: Ask['marks'], labels: readonly string[]): void {
	const parts: string[] = [];
	if (shown.settings !== now.settings)
		parts.push(`the fields, or what is done with the rows (${labels.join(', ')})`);
	// Other fields write other values.
	else if (shown.rows !== now.rows) parts.push('the values of the rows');
	if (shown.statuses !== now.statuses) parts.push('which rows are sent');
	if (parts.length === 0) return;
	const text = `was answered for another import. These have changed since: ${parts.join('; ')}. Nothing was sent. Run it again, so that somebody sees what would be imported now.`;
	throw new InvalidInput([{ field: LABEL, text }]);
}

const claimOfRelease = (run: string): string => `release of ${run}`;
const claimOfRefusal = (run: string): string => `no release of ${run}`;

/** Throws ServiceError if the rows are reported as not sent elsewhere, or may be. */
async function claimRelease({ functions, run }: ImportPlan): Promise<void> {
	await claim(functions, claimOfRelease(run));
	if (!(await isClaimed(functions, claimOfRefusal(run)))) return;
	const text =
		'was answered before, and this execution has already reported that nothing was sent. Nothing was sent now either. Run it again.';
	throw new InvalidInput([{ field: LABEL, text }]);
}

/** The rows, not sent, unless n8n went back to before a release. */
async function refuse(
	{ functions, run }: ImportPlan,
	count: number,
	reason: string,
): Promise<FoundRows> {
	await claim(functions, claimOfRefusal(run));
	if (!(await isClaimed(functions, claimOfRelease(run))))
		return new UnreleasedRows('notSent', count, reason);
	const { message, details } = mayBeSent(run, 'Somebody had released them.');
	return new UnreleasedRows('unknown', count, `${message}. ${details.description}`);
}

/** The part of Ask First in one import. */
class Asking {
	private identity: RowIdentity | undefined;
	/** What the reader of the page was to decide about, if the rows are not sent. */
	decisions: readonly string[] = [];

	constructor(
		private readonly context: FeatureContext,
		private readonly wait: ChosenWait,
		/** What was asked before the wait. */
		private readonly ask: Ask | undefined,
	) {}

	visitor(plan: ImportPlan) {
		const identity = new RowIdentity(plan);
		this.identity = identity;
		return { visit: (row: Parameters<RowIdentity['add']>[0]) => identity.add(row) };
	}

	get release(): Release | undefined {
		const { reply, planned = [] } = this.ask ?? {};
		return reply?.isReleased ? new Release(reply.by, planned) : undefined;
	}

	async decide(run: ReadyImport): Promise<FoundRows | undefined> {
		const { context, ask } = this;
		const { resumed, features } = context;
		const marks = await this.marksOf(run);
		if (!ask) throw await this.newWait(run, marks);
		const { reply, until, stops, decisions } = ask;
		if (reply?.isReleased) {
			const labels = features.flatMap(({ setting }) => setting?.label ?? []).sort();
			checkShown(ask.marks, marks, labels);
			await claimRelease(run.plan);
			return undefined;
		}
		if (!reply && resumed?.didNotSleep) {
			const text =
				'cannot ask anybody: this n8n does not store executions that wait. Nothing was sent. Set What Should Happen to Import, or publish the workflow.';
			throw new InvalidInput([{ field: LABEL, text }]);
		}
		if (!reply && resumed && Date.now() < until) {
			const sleep = { ...resumed.sleep, begunAt: Date.now() };
			throw new DatabaseWait(sleep, resumed.work, resumed.progress);
		}
		const by = reply?.by ? ` by ${reply.by}` : '';
		const what = reply
			? `canceled${by} on its page`
			: `not released within ${askTimeMs(context.parameters) / 60_000} minutes`;
		const why = stops.length > 0 ? ` It could not be released: ${stops.join(' ')}` : '';
		const unsent = await refuse(run.plan, run.sentRows, `The import was ${what}.${why}`);
		if (unsent.leftOut?.status === 'notSent')
			showHint(context.functions, `The import was ${what}. Nothing was sent.${why}`);
		this.decisions = decisions;
		return unsent;
	}

	private async marksOf(run: ReadyImport): Promise<Ask['marks']> {
		const { service, features } = this.context;
		const identity = this.identity ?? new RowIdentity(run.plan);
		const slice = new TimeSlice(service.signal);
		return {
			rows: `${identity.count}-${await identity.of(0, identity.count, slice)}`,
			statuses: await statusMark(run, slice),
			settings: settingsMark(run.plan, identity, features),
		};
	}

	private async newWait(run: ReadyImport, marks: Ask['marks']): Promise<DatabaseWait> {
		const { context, wait } = this;
		const { functions, parameters } = context;
		const { plan, started, sentRows } = run;
		const preview = await run.preview();
		const nameOf = rowName(plan.rows);
		const { totalRows } = started;
		const lines = started.found.map(
			(found) => found.listed?.(plan.rows.noun, totalRows, nameOf) ?? '',
		);
		const shown = {
			rows: sentRows,
			totalRows,
			lines: lines.filter((line) => line !== ''),
		};
		const now = Date.now();
		const sleepMs = askTimeMs(parameters);
		const until = now + sleepMs;
		const question: Ask = {
			form: FORM,
			id: newRunId(),
			until,
			rows: sentRows,
			stops: preview.stops.map(problemSentence),
			decisions: [...preview.decisions],
			content: buildAsk(preview, shown, await rowKinds(run, preview.kinds)),
			marks,
			planned: plannedRows(preview.items),
		};
		const progress = newProgress(functions, wait.pageSecret, [], {
			name: plan.description,
			question,
		});
		const link = progressLink(functions, wait.pageSecret);
		functions.logger.info(`"${plan.description}" waits for its release: ${link}`);
		const sleep = { since: now, begunAt: now, until, sleepMs };
		return new DatabaseWait(sleep, lifeWork({ phase: 'ask', run: plan.run, files: [] }), progress);
	}
}

/** Who released the rows, and which of them differ from what was shown. */
async function notesOn(outcome: OutcomeView, slice: TimeSlice): Promise<string[]> {
	const release = outcome.started.found.find((found) => found instanceof Release);
	if (!release) return [];
	const released = `${upperFirst(release.sentence())}.`;
	if (release.planned.length === 0) return [released];
	return [released, await comparePlan(release.planned, outcome, slice)];
}

export const askFirst: ImportFeature = {
	options: { group: 'page', place: 5, fields: [option] },
	way: WAY,
	guards: [option.name],
	questionForms: [askForm, reportForm],
	needsPage: isAsked,
	showsFirst(context) {
		const { parameters, resumed, wait } = context;
		if (!wait || !isAsked(parameters)) return false;
		checkAsk(context, wait);
		const isBegun = resumed !== undefined && lifeOf(resumed)?.phase !== 'ask';
		return !isBegun && askOf(resumed)?.reply?.isReleased !== true;
	},
	addsWaitMs: (parameters) => (isAsked(parameters) ? askTimeMs(parameters) : 0),
	of(context) {
		const { functions, parameters, service, resumed, wait, sends } = context;
		if (!wait || !isAsked(parameters)) return undefined;
		const isAsking = sends && lifeOf(resumed)?.phase !== 'firstRows';
		const asking = isAsking ? new Asking(context, wait, askOf(resumed)) : undefined;
		return {
			sendsLater: true,
			// To compare them with what was shown.
			needsImported: true,
			...(asking && {
				visit: (plan) => asking.visitor(plan),
				release: async (run) => await asking.decide(run),
				decisions: () => [...asking.decisions],
			}),
			find: (_plan, _isLeftOut, earlier) => asking?.release ?? Release.restore(earlier?.release),
			async read(outcome, rows, work) {
				const notes = await notesOn(outcome, new TimeSlice(service.signal));
				await showReport(context, wait, outcome, rows, notes, work);
			},
			async notes(outcome) {
				const [released, ...compared] = await notesOn(outcome, new TimeSlice(service.signal));
				for (const message of compared) showHint(functions, message);
				return released === undefined ? [] : [released, ...compared];
			},
		};
	},
	restore: async (firstFile) => await Promise.resolve(Release.restore(firstFile.release)),
};
