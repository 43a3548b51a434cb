import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { DatabaseWait } from '../../shared/execution/databaseWait';
import {
	asItems,
	type ItemOutput,
	type ItemResult,
	type NodeOperation,
	resultsForAll,
	type RunContext,
} from '../../shared/execution/operation';
import { isDryRun } from '../../shared/execution/sendEach';
import { TimeSlice } from '../../shared/execution/timeSlice';
import { visibleName } from '../../shared/importFile/visibleName';
import { endpoints } from '../../shared/service/endpoints';
import { InvalidInput, throwIfAny } from '../../shared/service/invalidInput';
import { prepareCall } from '../../shared/service/nativeService';
import { zipName } from '../file/fileFields';
import { isFileSource, type SourceFile, openSourceFile } from '../file/sourceFile';
import { rethrow } from '../../shared/transport/rethrow';
import { type ChosenWait, waitAsChosen } from '../job/jobWait';
import { attachFiles } from './attachFiles';
import { namedProperties } from './expressionPath';
import {
	fileResult,
	itemResults,
	outputRowsInput,
	rowItems,
	startedResults,
} from './outcomeOutput';
import { checkHosting } from './hosting';
import { importOptions, importParameters, importWait } from './importParameters';
import { readGivenOutcome } from './readGivenOutcome';
import { givenJobsOf, startedImportOf } from './startedJobs';
import { ANY_ADDRESS, FIRST_FILE, type ImportPlan, planImport } from './importPlan';
import { ImportOutcome } from './importOutcome';
import { ItemImport } from './itemImport';
import { addStartedJobs, jobsText } from './outcomeTexts';
import { fileMark, startedItems } from './startedFile';
import { type BuiltPart, jobIdsOf, type StartedImport } from './part';
import { fileRows, itemRows } from './rowSource';

/** Output that concerns all items, at the first that is in a file, and errors for those that are in none. */
async function resultsWithInvalid(
	{ functions, invalid }: ItemImport,
	output: ItemOutput,
): Promise<Array<ItemResult<ItemOutput>>> {
	const slice = new TimeSlice(functions.getExecutionCancelSignal());
	const errors = new Map<number, InvalidInput>();
	for (const [item, { field, reason }] of invalid) {
		if (slice.isOver) await slice.yield();
		errors.set(item, new InvalidInput([{ field, text: reason }]));
	}
	return resultsForAll(functions.getInputData().length, errors, output);
}

/** Waits for the jobs and reads what their rows came to. */
async function waitForOutcome(
	context: RunContext,
	wait: ChosenWait,
	{ functions, service, plan, started }: ItemImport,
	keepsImported: boolean,
): Promise<ImportOutcome | DatabaseWait> {
	// n8n keeps the rows itself.
	const work = { files: startedItems(functions, started) };
	const ended = await waitAsChosen(context, jobIdsOf(started.parts), wait, work);
	if (ended instanceof DatabaseWait) return ended;
	return await ImportOutcome.read(functions, service, plan.source, started, ended, keepsImported);
}

/** Whether the outcome is read later. If no job was started, there is none. */
function isReadLater({ way }: ChosenWait, { isUnknown }: ImportOutcome): boolean {
	return way === 'none' && !isUnknown;
}

/** Goes on after a wait in n8n's database. */
async function resumeImport(
	context: RunContext,
	wait: ChosenWait,
	work: IDataObject,
): Promise<Array<ItemResult<ItemOutput>> | DatabaseWait> {
	const { functions, parameters } = context;
	const given = givenJobsOf(work.files as unknown[]);
	const ended = await waitAsChosen(context, given.jobIds, wait, work);
	if (ended instanceof DatabaseWait) return ended;
	try {
		const rows = isFileSource(parameters)
			? { file: await openSourceFile(context) }
			: { items: functions.getInputData() };
		const results = await readGivenOutcome(context, given, ended, rows);
		showWarnings(functions, given.files[0]?.warnings ?? []);
		return results;
	} catch (error) {
		return rethrow(addStartedJobs(startedImportOf(given, ended, 0).parts, error));
	}
}

function showWarnings(functions: IExecuteFunctions, warnings: readonly string[]): void {
	if (warnings.length === 0) return;
	const message = warnings.join(' ');
	functions.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

async function importItems(
	context: RunContext,
	wait: ChosenWait,
	run: ItemImport,
): Promise<Array<ItemResult<ItemOutput>> | DatabaseWait> {
	const { functions, invalid } = run;
	// Build all files first: they are small beside the items, and a value that cannot be written must
	// stop the import before the first upload.
	const files: BuiltPart[] = [];
	for await (const file of run.buildParts()) files.push(file);
	if (invalid.size > 0 && (!functions.continueOnFail() || files.length === 0))
		return await resultsWithInvalid(run, []);
	throwIfAny(run.counts.blankIdProblems());
	await run.findJobsToContinue(files);
	await run.startParts(files);
	const { started } = run;
	try {
		const unread = ImportOutcome.ofStart(functions, run.plan.source, started);
		if (isReadLater(wait, unread)) {
			showStarted(functions, started);
			return await startedResults(run, unread, startedItems(functions, started));
		}
		const items = functions.getInputData();
		const outcome = await waitForOutcome(context, wait, run, true);
		if (outcome instanceof DatabaseWait) return outcome;
		const results = await itemResults(run, outcome, items);
		return await attachFiles(run, outcome, { items }, results);
	} catch (error) {
		rethrow(addStartedJobs(started.parts, error));
	}
}

/** Imports the rows of a file. They were checked before, so a row invalid now is only reported. */
async function importFile(
	context: RunContext,
	wait: ChosenWait,
	run: ItemImport,
	file: SourceFile,
): Promise<Array<ItemResult<ItemOutput>> | DatabaseWait> {
	const { functions } = run;
	const which = outputRowsInput(run.parameters);
	await run.findJobsToContinue(run.buildParts());
	await run.startParts(run.buildParts());
	const { started } = run;
	try {
		const unread = ImportOutcome.ofStart(functions, run.plan.source, started);
		if (isReadLater(wait, unread)) {
			const [first, ...others] = asItems(startedItems(functions, started));
			const { parts, invalid } = started;
			const hasUnsent = invalid.size > 0 || parts.some(({ failure }) => failure !== undefined);
			const rows = hasUnsent ? await rowItems(run, file, unread, 'failed') : [];
			showStarted(functions, started);
			// Pass the file on: the outcome can then be read from these items alone.
			const binary = functions.getInputData()[0]?.binary;
			return [
				{
					value: [...(first ? [{ ...first, ...(binary && { binary }) }] : []), ...others, ...rows],
				},
			];
		}
		const outcome = await waitForOutcome(context, wait, run, which === 'all');
		if (outcome instanceof DatabaseWait) return outcome;
		const results = [await fileResult(run, outcome, file, which)];
		return await attachFiles(run, outcome, { file }, results);
	} catch (error) {
		rethrow(addStartedJobs(started.parts, error));
	}
}

function showStarted(functions: IExecuteFunctions, started: StartedImport): void {
	const { parts, invalid, totalRows } = started;
	const unsent = invalid.size > 0 ? `; ${invalid.size} rows invalid and not sent` : '';
	const message = `${totalRows} rows: ${jobsText(parts)} started${unsent}. Read their outcome with "Get Item Outcomes".`;
	functions.addExecutionHints({ message, location: 'outputPane' });
}

/** Builds files and jobs for a user who uploads the files with another node. */
async function buildOnly(
	run: ItemImport,
	file: SourceFile | undefined,
): Promise<Array<ItemResult<ItemOutput>>> {
	const { functions, plan } = run;
	await run.findJobsToContinue(run.buildParts());
	const output: ItemOutput = [];
	let part = 0;
	for await (const { zip, ...range } of run.buildParts()) {
		part++;
		if (run.jobToContinue(part)) continue;
		const job = plan.job(ANY_ADDRESS, fileMark(part, range, plan.runKey));
		output.push({
			json: {
				job: { ...job, file: { ...job.file, sourceUrl: '' } } as unknown as IDataObject,
				part,
				rows: range.rows,
			},
			binary: {
				data: await functions.helpers.prepareBinaryData(
					zip,
					zipName(functions, 'items', plan.run, part),
					'application/zip',
				),
			},
		});
	}
	throwIfAny(run.counts.blankIdProblems());
	showLeftOut(run);
	return await addInvalidRows(run, file, output);
}

/** Files that another node would start again are left out. */
function showLeftOut({ functions, plan, continuedJobs }: ItemImport): void {
	if (continuedJobs.length === 0) return;
	const message = `Left out, because they were started before under the Run Key "${plan.runKey}": the files of import job${continuedJobs.length === 1 ? '' : 's'} ${continuedJobs.join(', ')}. Read their outcome with "Get Item Outcomes".`;
	functions.addExecutionHints({ message, location: 'outputPane' });
}

/** Properties of the rows that no field reads. */
async function unreadProperties({ source, mapping }: ImportPlan): Promise<string[]> {
	const read = new Set(
		mapping.columns.flatMap(({ expression = '' }) => namedProperties(expression).map(visibleName)),
	);
	return (await source.properties()).filter((property) => !read.has(visibleName(property)));
}

/** Does everything but send: also builds the files and checks the hosting. */
async function dryRun(
	run: ItemImport,
	file: SourceFile | undefined,
): Promise<Array<ItemResult<ItemOutput>>> {
	const { service, plan } = run;
	let files = 0;
	for await (const built of run.buildParts()) files += built.rows > 0 ? 1 : 0;
	throwIfAny(run.counts.blankIdProblems());
	await run.findJobsToContinue(run.buildParts());
	await checkHosting(run, run.hosting, files > 1);
	const request = service.describe(
		prepareCall(endpoints.createBulkImportJob, {
			path: {},
			body: plan.job(ANY_ADDRESS, FIRST_FILE),
		}),
	);
	const shown = asItems(
		[
			...run.counts.shownFields(),
			...plan.mapping.fixed.map(({ mappingType, field, value }) => ({
				column: null,
				field: `${mappingType.key} → ${field}`,
				firstValues: [value],
				blanks: 0,
			})),
			{
				rows: run.counts.rows,
				...(run.invalid.size > 0 && { invalidRows: run.invalid.size }),
				files,
				...(plan.runKey !== '' && { continuedJobs: run.continuedJobs }),
				notImported: await unreadProperties(plan),
				...(run.warnings.length > 0 && { warnings: run.warnings }),
			},
			{ request: { ...request } },
		].map((json) => ({ dryRun: true, ...json })),
	);
	return await addInvalidRows(run, file, shown);
}

/** The output, then the invalid rows. */
async function addInvalidRows(
	run: ItemImport,
	file: SourceFile | undefined,
	output: ItemOutput,
): Promise<Array<ItemResult<ItemOutput>>> {
	if (!file) return await resultsWithInvalid(run, output);
	const { functions, plan, started, invalid } = run;
	const unread = ImportOutcome.ofStart(functions, plan.source, started);
	const rows = invalid.size > 0 ? await rowItems(run, file, unread, 'failed') : [];
	return [{ value: [...output, ...rows] }];
}

async function runImport(
	context: RunContext,
	wait: ChosenWait,
	run: ItemImport,
	file: SourceFile | undefined,
): Promise<Array<ItemResult<ItemOutput>> | DatabaseWait> {
	if (isDryRun(run)) return await dryRun(run, file);
	if (run.hosting === 'none') return await buildOnly(run, file);
	return file ? await importFile(context, wait, run, file) : await importItems(context, wait, run);
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
	],
	properties: importParameters,
	options: importOptions,
	async runAll(context) {
		const { functions, history, parameters, resumed } = context;
		let run: ItemImport | undefined;
		const mayBeImported = () =>
			run?.started.parts.some(({ failure }) => failure?.status !== 'notSent') ?? false;
		return await history.keepAll(async () => {
			const wait = importWait.read(context);
			if (resumed) return await resumeImport(context, wait, resumed.work);
			const file = isFileSource(parameters) ? await openSourceFile(context) : undefined;
			const plan = await planImport(context, file ? fileRows(file) : itemRows(functions));
			run = new ItemImport(context, plan);
			const results = await runImport(context, wait, run, file);
			showWarnings(functions, run.warnings);
			return results;
		}, mayBeImported);
	},
};
