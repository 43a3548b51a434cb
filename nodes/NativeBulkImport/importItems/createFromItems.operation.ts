import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	asItems,
	isDryRun,
	type ItemOutput,
	type ItemResults,
	type NodeOperation,
	timeoutOption,
} from '../../shared/execution/operation';
import { isClaimed } from '../../shared/execution/runClaims';
import { showHint } from '../../shared/execution/showHint';
import { visibleName } from '../../shared/importFile/fileColumns';
import { dateFormatOption } from '../../shared/parameters/dateFormat';
import { screenFields } from '../../shared/service/bodyField';
import { endpoints, prepareCall } from '../../shared/service/endpoints';
import { importJobFields } from '../../shared/service/importJob';
import { waitForJobs } from '../../shared/service/importJobWait';
import { throwIfAny } from '../../shared/service/invalidInput';
import { describeTarget } from '../../shared/service/target';
import { rethrow } from '../../shared/transport/rethrow';
import {
	columnDelimiterField,
	hasQuotesField,
	lineBreaksOption,
	maxRowsOption,
	maxZipSizeOption,
	zipName,
} from '../file/fileFields';
import { type ChosenWait, sleepIfAway, waitAsChosen, WaitChoice } from '../job/jobWait';
import { type ResumedContext, type WaitContext, withWaits } from '../wait/waitingNode';
import { importReportOptions } from '../reportOptions';
import { cleanValuesOption } from './mapping/cleanColumns';
import { ownHeadersOption, SHOWN_NAMES } from './mapping/headerMapping';
import { checkControlTotals, controlTotalsOption } from './mapping/listCounts';
import { consentOption } from './mapping/mappingChecks';
import {
	continueCorrections,
	correctionOption,
	correctionTime,
	offerCorrections,
} from './outcome/corrections';
import { offerSchema } from './outcome/correctionPage';
import { type GivenJobs, givenJobsOf, readGivenOutcome } from './outcome/givenJobs';
import { addStartedJobs, ImportOutcome, jobsText } from './outcome/importOutcome';
import { outcomeFormatOption, outputOf, outputRowsOption } from './outcome/outcomeOutput';
import {
	checkKeptValues,
	readOutcome,
	readStopAbove,
	returnOutcome,
	tryFirstOptions,
	tryFirstRows,
} from './outcome/returnOutcome';
import { namedProperties } from '../rows/columnExpressions';
import { rowName } from '../rows/importRows';
import { detectedSourceField, openRows, sourceFileFields } from '../rows/rowSource';
import { checkHosting, hostingFields, hostingOf } from '../file/hosting';
import {
	approvedPlanOption,
	checkApproved,
	planCode,
	readApprovedPlan,
	runKeyOption,
} from './start/importIdentity';
import { jobOf, planFields, planImport, planOptions } from './start/importPlan';
import { claimOfOthers, ItemImport } from './start/itemImport';
import { ChangedRows } from './features/changedRows';
import { checkSkipUnchanged, skipUnchangedOption } from './features/skipUnchanged';
import { checkColumns, comparisonOptions } from './start/listComparison';
import { dryRunOptions, lookUpMatches } from './start/matchLookup';
import { rememberIds } from './start/recordIds';
import { fileMark, jobIdsOf, startedItems, waitForParts } from './start/startedImport';

const importWait = new WaitChoice(
	{
		displayName: 'Wait for the Outcome',
		name: 'waitForOutcome',
		description:
			'Where to wait for the end to return one outcome per row. Not at All returns one item per started file; read the outcome later with "Get Item Outcomes".',
	},
	['memory', 'database', 'none'],
	true,
);

/** Goes on after a wait in n8n's database. */
async function resumeImport(
	context: ResumedContext,
	given: GivenJobs,
	wait: ChosenWait,
	onStart: (run: ItemImport) => void,
): Promise<ItemResults> {
	const { work, progress } = context.resumed;
	const offer = progress?.question && offerSchema.parse(progress.question);
	const corrections =
		offer && (await continueCorrections(context, offer, await openRows(context), wait, onStart));
	// After an offer, the jobs have ended long ago.
	const ended = offer
		? await waitForJobs(context.service, given.jobIds, wait)
		: await waitAsChosen(context, given.jobIds, wait, work);
	const rows = await openRows(context);
	const outcome = await readGivenOutcome(context, given, ended, rows);
	if (corrections) await outcome.correct(corrections);
	if (!offer) await offerCorrections(context, outcome, rows, wait, given.files);
	const results = await returnOutcome(context, rows, outcome);
	showWarnings(context.functions, outcome.started.warnings);
	return results;
}

function showWarnings(functions: IExecuteFunctions, warnings: readonly string[]): void {
	if (warnings.length === 0) return;
	const message = warnings.join(' ');
	showHint(functions, message, 'warning');
}

/** Before the jobs have ended: the outcome of the rows that were not sent. */
function outcomeSoFar({ plan, started }: ItemImport): ImportOutcome {
	return new ImportOutcome(plan, plan.rows, started);
}

/** Starts the jobs, waits for them and reads what their rows came to. */
async function importRows(
	context: WaitContext,
	wait: ChosenWait,
	run: ItemImport,
): Promise<ItemResults> {
	const { functions, rows } = run.plan;
	const output = outputOf(context, rows);
	if (rows.noun === 'item') {
		await checkKeptValues(wait, run);
		// Build all files first: they are much smaller than the items, and a value that cannot be written
		// must stop the import before the first upload. The rows of a file were checked before, if that was wanted.
		await run.build();
		if (run.invalid.size > 0 && !functions.continueOnFail())
			return await output.unstarted(outcomeSoFar(run), []);
		throwIfAny(run.counts.problems());
	}
	const stopAbove = readStopAbove(context, wait);
	await run.startOnce(async () =>
		stopAbove === undefined ? undefined : await tryFirstRows(context, wait, run, stopAbove),
	);
	const { started } = run;
	const files = await startedItems(functions, started);
	const soFar = outcomeSoFar(run);
	// If no job was started, there is no outcome to read later.
	if (wait.way === 'none' && started.parts.length > 0 && !soFar.isUnknown) {
		await soFar.countRows();
		const message = `${soFar.sentence()} started. Read their outcome with "Get Item Outcomes".`;
		showHint(functions, message);
		return await output.started(soFar, files);
	}
	// The wait for the rows tried first is over.
	const ended = await waitForParts({ ...context, resumed: undefined }, wait, started, { files });
	const outcome = await readOutcome(context, rows, started, ended);
	if (started.parts.length > 0) await offerCorrections(context, outcome, rows, wait, files);
	return await returnOutcome(context, rows, outcome);
}

/** Builds files and jobs for a user who uploads the files with another node. */
async function buildOnly(run: ItemImport): Promise<ItemOutput> {
	const { plan } = run;
	const { functions } = plan;
	await run.findJobsToContinue();
	const output: ItemOutput = [];
	let fileNumber = 0;
	for await (const { part, zip } of run.buildParts()) {
		fileNumber++;
		if (run.toContinue.has(fileNumber)) continue;
		const known = jobOf(plan, fileMark(fileNumber, part, plan.runKey));
		const job = { ...known, file: { ...known.file, sourceUrl: '' } } as unknown as IDataObject;
		const zipFile = zipName(functions, 'items', plan.run, fileNumber);
		const data = await functions.helpers.prepareBinaryData(zip, zipFile, 'application/zip');
		output.push({ json: { job, part: fileNumber, rows: part.rows }, binary: { data } });
	}
	throwIfAny(run.counts.problems());
	const { rows } = plan;
	const people = run.duplicates.details(run.started.totalRows, rowName(rows), SHOWN_NAMES);
	if (people) {
		const { count, areLeftOut, rows: named, shared } = people;
		const what = areLeftOut
			? 'left out as duplicates'
			: `${count === 1 ? 'is' : 'are'} the same person as an earlier ${rows.noun}`;
		const found = count > 0 ? `${count} ${what}. ` : '';
		const message = `${found}${[...named, ...shared].join('; ')}.`;
		showHint(functions, message);
	}
	if (run.toContinue.size === 0) return output;
	// Another node would start their files again.
	const jobs = jobsText([...run.toContinue.values()]);
	const message = `Left out, because they were started before under the Run Key "${plan.runKey}": the files of ${jobs}. Read their outcome with "Get Item Outcomes".`;
	showHint(functions, message);
	return output;
}

/** Does everything but send: also builds the files and checks the hosting. */
async function dryRun(run: ItemImport, planned: string): Promise<ItemOutput> {
	const { plan } = run;
	const { service } = plan;
	const { columns, fixed } = plan.mapping;
	const built = run.buildParts();
	let files = 0;
	while (!(await built.next()).done) files++;
	throwIfAny(run.counts.problems());
	await run.findJobsToContinue();
	await checkHosting(plan, files > 1);
	const cleaned = plan.changes.details();
	const expressions = columns.map(({ expression = '' }) => expression);
	const read = new Set(expressions.flatMap(namedProperties).map(visibleName));
	const properties = await plan.rows.properties();
	const people = run.duplicates.details(run.started.totalRows, rowName(plan.rows));
	const looked = await lookUpMatches(run);
	const request = service.describe(
		prepareCall(endpoints.createBulkImportJob, { path: {}, body: jobOf(plan) }),
	);
	return asItems(
		[
			...run.counts.shownFields(plan.changes.doubts()),
			...fixed.map((target) => ({
				column: null,
				field: target.label,
				firstValues: [target.value],
				blanks: 0,
				problem: null,
			})),
			...plan.leftOut.map(({ column, ...shown }) => ({ column, field: null, ...shown })),
			{
				rows: run.counts.rows,
				...(run.invalid.size > 0 && { invalidRows: run.invalid.size }),
				...(cleaned.length > 0 && { cleaned }),
				...(people && { duplicates: { ...people } }),
				...(run.changed && { unchanged: run.changed.unchanged, newOrChanged: run.sentRows }),
				files,
				target: await describeTarget(service),
				plan: planned,
				...(plan.runKey !== '' && { continuedJobs: jobIdsOf([...run.toContinue.values()]) }),
				...(looked && { matches: looked.matches }),
				notImported: properties.filter((property) => !read.has(visibleName(property))),
				...(run.warnings.length > 0 && { warnings: run.warnings }),
			},
			{ request: { ...request } },
			...(looked?.rows ?? []),
		].map((json) => ({ ...json, dryRun: true })),
	);
}

async function runImport(
	context: WaitContext,
	wait: ChosenWait,
	run: ItemImport,
	approved: string | undefined,
): Promise<ItemResults> {
	const isDry = isDryRun(run.plan);
	const planned = isDry || approved ? await planCode(run.plan) : '';
	if (approved) checkApproved(approved, planned);
	await checkControlTotals(run.plan);
	await run.findLeftOutRows();
	if (!isDry && hostingOf(context) !== 'none') return await importRows(context, wait, run);
	const output = isDry ? await dryRun(run, planned) : await buildOnly(run);
	return await outputOf(context, run.plan.rows).unstarted(outcomeSoFar(run), output);
}

export const createFromItemsOperation: NodeOperation = {
	value: 'createFromItems',
	name: 'Import Items',
	action: 'Import rows or a CSV file',
	description:
		'Import all input items or the rows of a file, wait for the end, and return one outcome for each',
	calls: [
		endpoints.getBulkImportMappingType,
		endpoints.listBulkImportMappingTypes,
		endpoints.listBulkImportFieldValues,
		endpoints.listBulkImportJobs,
		endpoints.createBulkImportJob,
		endpoints.getBulkImportJob,
		endpoints.listApiKeyProfiles,
		endpoints.findPerson,
	],
	properties: [detectedSourceField, ...sourceFileFields, ...planFields, ...hostingFields],
	options: [
		approvedPlanOption,
		cleanValuesOption,
		columnDelimiterField,
		...comparisonOptions,
		consentOption,
		controlTotalsOption,
		correctionOption,
		dateFormatOption,
		...dryRunOptions,
		hasQuotesField,
		...importWait.fields,
		lineBreaksOption,
		...screenFields({ listeners: importJobFields.listeners }),
		maxRowsOption,
		maxZipSizeOption,
		outcomeFormatOption,
		outputRowsOption,
		ownHeadersOption,
		...planOptions,
		...importReportOptions,
		runKeyOption,
		skipUnchangedOption,
		...tryFirstOptions,
		{
			...timeoutOption,
			description:
				'Maximum time to wait for each response. The upload of a file gets 8 seconds more per megabyte.',
		},
	],
	runAll: withWaits(async (context) => {
		const { history, resumed } = context;
		let run: ItemImport | undefined;
		const mayBeImported = () =>
			run?.started.parts.some(({ failure }) => failure?.status !== 'notSent') ?? false;
		return await history.keepAll(async () => {
			const wait = importWait.read(context);
			readStopAbove(context, wait);
			correctionTime(context, wait);
			const given = resumed && givenJobsOf(resumed.work.files as unknown[]);
			try {
				if (resumed && given && !resumed.work.isTrial)
					return await resumeImport({ ...context, resumed }, given, wait, (each) => (run = each));
				const approved = readApprovedPlan(context);
				checkSkipUnchanged(context, wait.way);
				const rows = await openRows(context);
				const rememberColumns = await checkColumns(context, rows);
				const tried = given?.files[0];
				const runKey = resumed?.work.runKey as string | undefined;
				const setting = { listeners: wait.listeners, run: tried?.run, runKey };
				const plan = await planImport(context, rows, setting);
				run = new ItemImport(plan, given?.parts[0]);
				if (tried?.changed) run.changed = ChangedRows.restore(tried.changed);
				let isDone = false;
				try {
					const results = await runImport(context, wait, run, approved);
					showWarnings(context.functions, run.warnings);
					const isUnchanged = run.counts.rows > 0 && run.sentRows === 0;
					isDone = !isDryRun(context) && (hostingOf(context) === 'none' || isUnchanged);
					return results;
				} finally {
					// Also where the execution waits.
					if (isDone || mayBeImported()) {
						rememberColumns();
						rememberIds(context.functions, run.counts);
					}
				}
			} catch (error) {
				const { corrected, isTrial = false } = resumed?.work ?? {};
				// Nothing was sent since the rows were tried.
				const isTried = isTrial === true && !run?.started.parts.length;
				if (resumed && isTried) sleepIfAway(resumed, wait, error);
				const again = corrected ? givenJobsOf(corrected as unknown[]).parts : [];
				const parts = [...(given?.parts ?? []), ...again, ...(run?.started.parts ?? [])];
				const others = claimOfOthers(given?.files[0]?.run ?? '');
				const isOnlyTried = isTried && !(await isClaimed(context.functions, others));
				return rethrow(addStartedJobs(parts, error, isOnlyTried));
			}
		}, mayBeImported);
	}),
};
