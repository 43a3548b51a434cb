import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ResumedRun } from '../../shared/execution/databaseWait';
import {
	asItems,
	isDryRun,
	type ItemOutput,
	type ItemResults,
	type NodeOperation,
	type RunContext,
} from '../../shared/execution/operation';
import { visibleName } from '../../shared/importFile/fileColumns';
import { endpoints, prepareCall } from '../../shared/service/endpoints';
import { waitForJobs } from '../../shared/service/importJobWait';
import { throwIfAny } from '../../shared/service/invalidInput';
import { describeTarget } from '../../shared/service/target';
import { rethrow } from '../../shared/transport/rethrow';
import { zipName } from '../file/fileFields';
import { type ChosenWait, waitAsChosen } from '../job/jobWait';
import { importOptions, importParameters, importWait } from './importParameters';
import { SHOWN_NAMES } from './mapping/headerMapping';
import { distinctLabels } from './mapping/importFields';
import { checkControlTotals } from './mapping/listCounts';
import { correctionTime, offerCorrections } from './outcome/correctionOffer';
import { continueCorrections } from './outcome/corrections';
import { type GivenJobs, givenJobsOf, readGivenOutcome } from './outcome/givenJobs';
import { ImportOutcome } from './outcome/importOutcome';
import type { Corrections } from './outcome/jobResults';
import { outputOf, readOutcome, returnOutcome } from './outcome/outcomeOutput';
import { addStartedJobs, jobsText } from './outcome/outcomeTexts';
import { readStopAbove, tryFirstRows } from './outcome/tryFirst';
import { namedProperties, rowName } from './rows/importRows';
import { ChangedRows } from './rows/leftOutRows';
import { openRows } from './rows/sourceRows';
import { checkApproved, planCode, readApprovedPlan } from './start/approvedPlan';
import { checkColumns, checkSkipUnchanged } from './start/changeSearch';
import { checkHosting, hostingOf } from './start/hosting';
import { planImport } from './start/importPlan';
import { ItemImport } from './start/itemImport';
import { lookUpMatches } from './start/matchLookup';
import { fileMark, jobIdsOf, startedItems, waitForParts } from './start/startedImport';

/** Goes on after a wait in n8n's database. */
async function resumeImport(
	context: RunContext & { resumed: ResumedRun },
	given: GivenJobs,
	wait: ChosenWait,
	onStart: (run: ItemImport) => void,
): Promise<ItemResults> {
	const { work, progress } = context.resumed;
	const offer = progress?.offer;
	let corrections: Corrections | undefined;
	if (offer) {
		const rows = await openRows(context);
		corrections = await continueCorrections(context, offer, rows, wait, onStart);
	}
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
	functions.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

/** Before the jobs have ended: the outcome of the rows that were not sent. */
function outcomeSoFar({ plan, started }: ItemImport): ImportOutcome {
	return new ImportOutcome(plan, plan.rows, started);
}

/** Starts the jobs, waits for them and reads what their rows came to. */
async function importRows(
	context: RunContext,
	wait: ChosenWait,
	run: ItemImport,
): Promise<ItemResults> {
	const { invalid } = run;
	const { functions, rows } = run.plan;
	const output = outputOf(context, rows);
	if (rows.noun === 'item') {
		// Build all files first: they are much smaller than the items, and a value that cannot be written
		// must stop the import before the first upload. The rows of a file were checked before, if that was wanted.
		await run.build();
		const isAllInvalid = run.counts.rows === 0;
		if (invalid.size > 0 && (!functions.continueOnFail() || isAllInvalid))
			return await output.unstarted(outcomeSoFar(run), []);
		throwIfAny(run.counts.problems());
	}
	await run.findJobsToContinue();
	const stopAbove = readStopAbove(context, wait);
	const judgeFirst = async () => await tryFirstRows(context, wait, run, stopAbove ?? 0);
	await run.start(stopAbove === undefined ? undefined : judgeFirst);
	const { started } = run;
	const files = await startedItems(functions, started);
	// If no job was started, there is no outcome to read later.
	if (wait.way === 'none' && started.parts.length > 0 && !outcomeSoFar(run).isUnknown) {
		const unsent = invalid.size > 0 ? `; ${invalid.size} rows invalid and not sent` : '';
		const people = started.duplicates.sentence('row');
		const message = `${started.totalRows} rows: ${jobsText(started.parts)} started${unsent}${people && `; ${people}`}. Read their outcome with "Get Item Outcomes".`;
		functions.addExecutionHints({ message, location: 'outputPane' });
		return await output.started(outcomeSoFar(run), files);
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
		const job = plan.job(fileMark(fileNumber, part, plan.runKey));
		output.push({
			json: {
				job: { ...job, file: { ...job.file, sourceUrl: '' } } as unknown as IDataObject,
				part: fileNumber,
				rows: part.rows,
			},
			binary: {
				data: await functions.helpers.prepareBinaryData(
					zip,
					zipName(functions, 'items', plan.run, fileNumber),
					'application/zip',
				),
			},
		});
	}
	throwIfAny(run.counts.problems());
	const { rows } = plan;
	const people = run.duplicates.details(run.started.totalRows, rowName(rows), SHOWN_NAMES);
	if (people) {
		const { count, areLeftOut, rows: named, shared } = people;
		const found = areLeftOut
			? `${count} left out as duplicates. `
			: `${count} are the same person as an earlier ${rows.noun}. `;
		const message = `${count > 0 ? found : ''}${[...named, ...shared].join('; ')}.`;
		functions.addExecutionHints({ message, location: 'outputPane' });
	}
	if (run.toContinue.size === 0) return output;
	// Another node would start their files again.
	const jobs = jobsText([...run.toContinue.values()]);
	const message = `Left out, because they were started before under the Run Key "${plan.runKey}": the files of ${jobs}. Read their outcome with "Get Item Outcomes".`;
	functions.addExecutionHints({ message, location: 'outputPane' });
	return output;
}

/** Does everything but send: also builds the files and checks the hosting. */
async function dryRun(run: ItemImport, planned: string): Promise<ItemOutput> {
	const { plan } = run;
	const { service } = plan;
	let files = 0;
	for await (const { part } of run.buildParts()) files += part.rows > 0 ? 1 : 0;
	throwIfAny(run.counts.problems());
	await run.findJobsToContinue();
	await checkHosting(plan, files > 1);
	const cleaned = plan.changes.details();
	const { columns, fixed } = plan.mapping;
	const expressions = columns.map(({ expression = '' }) => expression);
	const read = new Set(expressions.flatMap(namedProperties).map(visibleName));
	const properties = await plan.rows.properties();
	const labels = distinctLabels([...columns.flatMap(({ fields }) => fields), ...fixed]);
	const people = run.duplicates.details(run.started.totalRows, rowName(plan.rows));
	const looked = await lookUpMatches(run);
	const request = service.describe(
		prepareCall(endpoints.createBulkImportJob, { path: {}, body: plan.job() }),
	);
	return asItems(
		[
			...run.counts.shownFields(labels, plan.changes.doubts()),
			...fixed.map((target) => ({
				column: null,
				field: labels.get(target) ?? target.field,
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
		].map((json) => ({ dryRun: true, ...json })),
	);
}

async function runImport(
	context: RunContext,
	wait: ChosenWait,
	run: ItemImport,
	approved: string | undefined,
): Promise<ItemResults> {
	const isDry = isDryRun(run.plan);
	const planned = isDry || approved ? await planCode(run.plan) : undefined;
	if (planned && approved) checkApproved(approved, planned);
	await checkControlTotals(run.plan);
	await run.findLeftOutRows();
	if (!isDry && hostingOf(context) !== 'none') return await importRows(context, wait, run);
	const output = isDry && planned ? await dryRun(run, planned) : await buildOnly(run);
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
	properties: importParameters,
	options: importOptions,
	async runAll(context) {
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
					return await resumeImport(
						{ ...context, resumed },
						given,
						wait,
						(started) => (run = started),
					);
				const approved = readApprovedPlan(context);
				checkSkipUnchanged(context, wait.way);
				const rows = await openRows(context);
				const rememberColumns = await checkColumns(context, rows);
				const { listeners } = wait;
				const tried = given?.files[0];
				const plan = await planImport(context, rows, { listeners, run: tried?.run });
				run = new ItemImport(plan, given?.parts[0]);
				if (tried?.changed) run.changed = ChangedRows.restore(tried.changed);
				let results: ItemResults;
				try {
					results = await runImport(context, wait, run, approved);
				} finally {
					// Also where the execution waits.
					if (mayBeImported()) rememberColumns();
				}
				showWarnings(context.functions, run.warnings);
				const isUnchanged = run.counts.rows > 0 && run.sentRows === 0;
				const isDone = hostingOf(context) === 'none' || isUnchanged;
				if (!isDryRun(context) && isDone) rememberColumns();
				return results;
			} catch (error) {
				const { corrected } = resumed?.work ?? {};
				const again = corrected ? givenJobsOf(corrected as unknown[]).parts : [];
				const parts = [...(given?.parts ?? []), ...again, ...(run?.started.parts ?? [])];
				return rethrow(addStartedJobs(parts, error));
			}
		}, mayBeImported);
	},
};
