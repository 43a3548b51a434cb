import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	asItems,
	type ItemOutput,
	type ItemResult,
	type NodeOperation,
} from '../../shared/execution/operation';
import {
	dryRunOption,
	optionsCollection,
	uploadTimeoutOption,
} from '../../shared/parameters/callOptions';
import { CarriedOut } from '../../shared/execution/carriedOut';
import { endpoints } from '../../shared/service/endpoints';
import { InvalidInput, refuseIfAny } from '../../shared/service/invalidInput';
import { prepareCall } from '../../shared/service/nativeService';
import {
	columnDelimiterField,
	hasQuotesField,
	lineBreaksOption,
	maxRowsOption,
	maxZipSizeOption,
} from '../file/fileFields';
import {
	isFileSource,
	type SourceFile,
	sourceField,
	sourceFile,
	sourceFileFields,
} from '../file/sourceFile';
import { rethrow } from '../../shared/transport/rethrow';
import { maxWaitField, pollIntervalField, waitPlan } from '../job/waitFields';
import { resourceTypeField } from '../resourceTypeField';
import { type OutputRows, outputRowsOption, rowItems } from './fileOutcome';
import { hostingFields, hostOf, type Hosting } from './hosting';
import type { ImportOutcome } from './importOutcome';
import { ANY_ADDRESS, FIRST_FILE, importPlan } from './importPlan';
import { fileResult, itemResults, startedResults } from './importOutput';
import { ItemImport } from './itemImport';
import { fileMark } from './startedFile';
import type { BuiltPart } from './part';
import { fileRows, itemRows } from './rowSource';

interface FromItemsOptions {
	dryRun?: boolean;
	preflight?: boolean;
	pollInterval?: number;
	maxWait?: number;
	waitForOutcome?: boolean;
	outputRows?: OutputRows;
}

/** Items that are in no file end in an error; the others have no output yet. */
function invalidResults(
	functions: IExecuteFunctions,
	{ invalid }: ImportOutcome,
): Array<ItemResult<ItemOutput>> {
	return functions.getInputData().map((_, item) => {
		const refusal = invalid.get(item);
		return refusal
			? { error: new InvalidInput([{ field: refusal.field, text: refusal.reason }]) }
			: { value: [] };
	});
}

async function importItems(
	run: ItemImport,
	options: FromItemsOptions,
): Promise<Array<ItemResult<ItemOutput>>> {
	const { functions, outcome } = run;
	// All of them first: they are small beside the items, and a value that cannot be written must stop
	// the import before the first upload.
	const files: BuiltPart[] = [];
	for await (const file of run.buildParts()) files.push(file);
	if (outcome.invalid.size > 0 && (!functions.continueOnFail() || files.length === 0))
		return invalidResults(functions, outcome);
	refuseIfAny(run.counts.blankIdProblems());
	await run.startParts(files);
	try {
		outcome.blankIds = run.counts.blankIds();
		const items = functions.getInputData();
		if (options.waitForOutcome === false) {
			if (outcome.isUnknown) return await itemResults(functions, outcome, items);
			const started = outcome.startedItems(run.plan.run, run.rowCount);
			showStarted(run);
			return await startedResults(functions, outcome, started);
		}
		await outcome.waitForEnd(waitPlan(options), items.length, true);
		return await itemResults(functions, outcome, items);
	} catch (error) {
		rethrow(outcome.afterStart(error));
	}
}

/** Imports the rows of a file. They were checked before, so a row that is invalid now is only reported. */
async function importFile(
	run: ItemImport,
	options: FromItemsOptions,
	file: SourceFile,
): Promise<Array<ItemResult<ItemOutput>>> {
	const { functions, outcome } = run;
	const which = options.outputRows ?? 'failed';
	await run.startParts(run.buildParts());
	try {
		outcome.blankIds = run.counts.blankIds();
		if (options.waitForOutcome === false && !outcome.isUnknown) {
			const [first, ...others] = asItems(outcome.startedItems(run.plan.run, run.rowCount));
			const hasUnsent =
				outcome.invalid.size > 0 || outcome.parts.some(({ failure }) => failure !== undefined);
			const rows = hasUnsent ? await rowItems(functions, file, outcome, 'failed') : [];
			showStarted(run);
			// The file itself goes along, so that its outcome can be read from these items alone.
			const binary = functions.getInputData()[0]?.binary;
			return [
				{
					value: [...(first ? [{ ...first, ...(binary && { binary }) }] : []), ...others, ...rows],
				},
			];
		}
		await outcome.waitForEnd(waitPlan(options), run.rowCount, which === 'all');
		return [await fileResult(functions, outcome, file, which)];
	} catch (error) {
		rethrow(outcome.afterStart(error));
	}
}

function showStarted({ functions, outcome, rowCount }: ItemImport): void {
	const { jobIds, invalid } = outcome;
	const message = `${rowCount} rows: import job${jobIds.length === 1 ? '' : 's'} ${jobIds.join(', ') || 'none'} started${invalid.size > 0 ? `; ${invalid.size} rows invalid and not sent` : ''}. Read their outcome with "Get Item Outcomes".`;
	functions.addExecutionHints({ message, location: 'outputPane' });
}

/** Builds the files and jobs only, for a user who uploads the files in another way. */
async function buildOnly(
	run: ItemImport,
	file: SourceFile | undefined,
): Promise<Array<ItemResult<ItemOutput>>> {
	const { functions, plan } = run;
	const output: ItemOutput = [];
	for await (const { zip, ...range } of run.buildParts()) {
		const part = output.length + 1;
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
					`items-${part}.zip`,
					'application/zip',
				),
			},
		});
	}
	refuseIfAny(run.counts.blankIdProblems());
	return await withInvalidRows(run, file, output);
}

/** Does everything but sending: builds the files and checks the hosting, too. */
async function dryRun(
	run: ItemImport,
	file: SourceFile | undefined,
): Promise<Array<ItemResult<ItemOutput>>> {
	const { functions, service, plan, hosting } = run;
	let files = 0;
	for await (const built of run.buildParts()) files += built.rows > 0 ? 1 : 0;
	refuseIfAny(run.counts.blankIdProblems());
	if (hosting !== 'none') hostOf(functions, service, hosting, files > 1);
	const request = service.describe(
		prepareCall(endpoints.createBulkImportJob, {
			path: {},
			body: plan.job(ANY_ADDRESS, FIRST_FILE),
		}),
	);
	const shown = asItems({
		dryRun: true,
		...(!file && { items: functions.getInputData().length }),
		...(run.warnings.length > 0 && { warnings: run.warnings }),
		request: { ...request },
	});
	return await withInvalidRows(run, file, shown);
}

/** What concerns all rows, at the first valid item; then the invalid ones. */
async function withInvalidRows(
	{ functions, outcome }: ItemImport,
	file: SourceFile | undefined,
	output: ItemOutput,
): Promise<Array<ItemResult<ItemOutput>>> {
	if (file) {
		const rows = outcome.invalid.size > 0 ? await rowItems(functions, file, outcome, 'failed') : [];
		return [{ value: [...output, ...rows] }];
	}
	const results = invalidResults(functions, outcome);
	const first = results.findIndex((result) => 'value' in result);
	return results.map((result, item) => (item === first ? { value: output } : result));
}

async function runImport(
	run: ItemImport,
	options: FromItemsOptions,
	file: SourceFile | undefined,
): Promise<Array<ItemResult<ItemOutput>>> {
	if (options.dryRun) return await dryRun(run, file);
	if (run.hosting === 'none') return await buildOnly(run, file);
	return file ? await importFile(run, options, file) : await importItems(run, options);
}

export const createFromItemsOperation: NodeOperation = {
	value: 'createFromItems',
	name: 'Import Items',
	action: 'Import items and get one outcome per item',
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
	properties: [
		sourceField,
		...sourceFileFields,
		resourceTypeField,
		{
			displayName: 'Mapping Type Names or IDs',
			name: 'mappingTypes',
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: 'getMappingTypes', loadOptionsDependsOn: ['resourceType'] },
			default: [],
			required: true,
			description:
				'What the service does with each item. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
		{
			displayName: 'Fields',
			name: 'fieldMap',
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			required: true,
			// There are no fields before; n8n would show an error in red.
			displayOptions: { show: { mappingTypes: [{ _cnd: { exists: true } }] } },
			typeOptions: {
				loadOptionsDependsOn: ['resourceType.value', 'mappingTypes'],
				resourceMapper: {
					resourceMapperMethod: 'getImportFields',
					mode: 'map',
					// n8n shows this above the fields, and not the name of the parameter, which errors name.
					valuesLabel: 'Fields',
					fieldWords: { singular: 'field', plural: 'fields' },
					addAllFields: false,
					multiKeyMatch: false,
					supportAutoMap: true,
					// n8n shows this also where the list could not be read.
					noFieldsError: 'No fields were found. Check the credential and the mapping types.',
				},
			},
			description:
				'Which value goes into which field. An expression is filled in for each item; a fixed value is the same for all.',
		},
		{
			displayName: 'Description',
			name: 'description',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Sign-ups of this week',
			description: 'What this import is, for the people who get its notifications',
		},
		...hostingFields,
		columnDelimiterField,
		hasQuotesField,
		{
			displayName: 'Result File Size Limit (KB)',
			name: 'resultFileSizeKbLimit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100000,
			description:
				'Largest size of one result file. If there are several, the node reads all of them. Known deployments accept 5000 to 100000.',
		},
		optionsCollection([
			{
				displayName: 'Allow Missing Columns',
				name: 'allowMissingColumns',
				type: 'boolean',
				default: false,
				description:
					'Whether a field may be mapped to a property that no row has. It is then blank, and the service leaves it as it is.',
			},
			dryRunOption,
			lineBreaksOption,
			maxRowsOption,
			maxWaitField,
			maxZipSizeOption,
			outputRowsOption,
			pollIntervalField,
			{
				displayName: 'Run Key',
				name: 'runKey',
				type: 'string',
				default: '',
				placeholder: 'e.g. sign-ups {{ $now.toISODate() }}',
				description:
					'Name of this import. Jobs that were already started under it are continued, not started again, where the service lists its jobs with descriptions.',
			},
			{
				displayName: 'Wait for the Outcome',
				name: 'waitForOutcome',
				type: 'boolean',
				default: true,
				description:
					'Whether to wait for the end and return one outcome per row. Otherwise returns one item per started file; read the outcome later with "Get Item Outcomes".',
			},
			{
				displayName: 'Check Values Before Sending',
				name: 'preflight',
				type: 'boolean',
				default: true,
				description:
					'Whether to check the values of fields with predefined values against the service before anything is uploaded',
			},
			uploadTimeoutOption,
		]),
	],
	async runAll({ functions, service }) {
		let run: ItemImport | undefined;
		const mayBeImported = () =>
			run?.outcome.parts.some(({ failure }) => failure?.status !== 'notSent') ?? false;
		return await new CarriedOut(functions).keepAll(async () => {
			const options = functions.getNodeParameter('options', 0, {}) as FromItemsOptions;
			const hosting = functions.getNodeParameter('hosting', 0, 'n8n') as Hosting;
			const file = isFileSource(functions) ? await sourceFile(functions) : undefined;
			const source = file ? fileRows(file) : itemRows(functions);
			const plan = await importPlan(functions, service, source, options.preflight ?? true);
			run = new ItemImport(functions, service, plan, hosting);
			const results = await runImport(run, options, file);
			if (run.warnings.length > 0) {
				functions.addExecutionHints({
					message: run.warnings.join(' '),
					type: 'warning',
					location: 'outputPane',
				});
			}
			return results;
		}, mayBeImported);
	},
};
