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
import { endpoints } from '../../shared/service/endpoints';
import { InvalidInput } from '../../shared/service/invalidInput';
import type { NativeService } from '../../shared/service/nativeService';
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
import { maxWaitField, pollIntervalField, waitPlan } from './waitFields';
import { resourceTypeField } from '../resourceTypeField';
import { fileOutcome, type OutputRows, outputRowsOption, rowItems } from '../items/fileOutcome';
import { hostingFields, hostOf, type Hosting } from '../items/hosting';
import {
	awaitParts,
	type BuiltPart,
	builtParts,
	type Part,
	type RefusedRows,
	startedParts,
} from '../items/importParts';
import { ANY_ADDRESS, type ImportPlan, importPlan } from '../items/importPlan';
import { RowOutcomes } from '../items/rowOutcomes';
import { importError, type RowResult, RowResults } from '../items/rowResults';
import { fileRows, itemRows } from '../items/rowSource';

interface FromItemsOptions {
	dryRun?: boolean;
	preflight?: boolean;
	pollInterval?: number;
	maxWait?: number;
	outputRows?: OutputRows;
}

/** Items that are in no file end in an error; the others have no output yet. */
function refusedResults(
	functions: IExecuteFunctions,
	refused: RefusedRows,
): Array<ItemResult<ItemOutput>> {
	return functions.getInputData().map((_, item) => {
		const refusal = refused.get(item);
		return refusal
			? { error: new InvalidInput([{ field: refusal.field, text: refusal.reason }]) }
			: { value: [] };
	});
}

/** Everything an import is made of, once its parameters are checked. */
interface Import {
	functions: IExecuteFunctions;
	service: NativeService;
	plan: ImportPlan;
	hosting: Hosting;
	options: FromItemsOptions;
}

function summary(results: readonly RowResult[], parts: Part[], unmatched: number): string {
	const count = (...statuses: Array<RowResult['status']>): number =>
		results.filter(({ status }) => statuses.includes(status)).length;
	const jobs = parts.flatMap(({ jobId }) => (jobId === undefined ? [] : [jobId]));
	const lost = count('error', 'refused');
	return [
		`${results.length} items: ${count('imported')} imported, ${count('failed')} failed, ${count('missing')} not mentioned by the service`,
		...(lost > 0 ? [`${lost} not imported because of an error`] : []),
		...(unmatched > 0 ? [`${unmatched} result rows belong to no item`] : []),
		`import job${jobs.length === 1 ? '' : 's'} ${jobs.join(', ') || 'none'}`,
	].join('; ');
}

async function importItems(run: Import): Promise<Array<ItemResult<ItemOutput>>> {
	const { functions, service, plan, hosting, options } = run;
	const refused: RefusedRows = new Map();
	// All of them first: they are small beside the items, and a value that cannot be written must stop
	// the import before its first file leaves the house.
	const files: BuiltPart[] = [];
	for await (const file of builtParts(functions, plan, refused)) files.push(file);
	if (refused.size > 0 && (!functions.continueOnFail() || files.length === 0))
		return refusedResults(functions, refused);
	const parts = await startedParts(functions, service, plan, hosting, files);
	const count = functions.getInputData().length;
	const outcomes = new RowOutcomes(plan.mapping.itemColumn, count, true);
	await awaitParts(service, plan, parts, waitPlan(options), outcomes);
	return itemResults(functions, refused, parts, outcomes);
}

/** Imports the rows of a file. They were checked before, so a row that is refused now is only told of. */
async function importFile(run: Import, file: SourceFile): Promise<Array<ItemResult<ItemOutput>>> {
	const { functions, service, plan, hosting, options } = run;
	const which = options.outputRows ?? 'failed';
	const refused: RefusedRows = new Map();
	const files = builtParts(functions, plan, refused);
	const parts = await startedParts(functions, service, plan, hosting, files);
	const rows = parts.reduce((most, { end }) => (Number.isFinite(end) ? end : most), 0);
	const outcomes = new RowOutcomes(plan.mapping.itemColumn, rows, which === 'all');
	await awaitParts(service, plan, parts, waitPlan(options), outcomes);
	// One job that failed must not hide what became of the rows of the others.
	if (parts.length > 0 && !parts.some(hasOutcome)) return [{ error: importError(parts) }];
	return [{ value: await fileOutcome(functions, file, refused, parts, outcomes, which) }];
}

function hasOutcome({ error }: Part): boolean {
	return error === undefined;
}

function itemResults(
	functions: IExecuteFunctions,
	refused: RefusedRows,
	parts: Part[],
	outcomes: RowOutcomes,
): Array<ItemResult<ItemOutput>> {
	const items = functions.getInputData();
	const hasErrorOutput = functions.getNode().onError === 'continueErrorOutput';
	const results = new RowResults(functions, 'item', refused, parts, outcomes);
	if (!hasErrorOutput && !parts.some(hasOutcome)) {
		const error = importError(parts);
		return items.map(() => ({ error }));
	}
	const reported: RowResult[] = [];
	const output = items.map(({ json }, item): ItemResult<ItemOutput> => {
		const result = results.at(item);
		if (!result) throw new Error(`Item ${item} is in no file of the import.`);
		reported.push(result);
		// Where there is no error output, a row that did not go in is a result like any other: one bad row
		// must not hide what became of the others.
		return result.status !== 'imported' && hasErrorOutput
			? { value: asItems(results.failedRow(item, result)) }
			: { value: asItems({ ...json, importResult: { ...result } }) };
	});
	functions.addExecutionHints({
		message: summary(reported, parts, outcomes.unmatched),
		location: 'outputPane',
	});
	return output;
}

/** The files and jobs, for a user who brings the files to the service in another way. */
async function unhosted(
	functions: IExecuteFunctions,
	plan: ImportPlan,
	file: SourceFile | undefined,
): Promise<Array<ItemResult<ItemOutput>>> {
	const refused: RefusedRows = new Map();
	const output: ItemOutput = [];
	for await (const { zip, rows } of builtParts(functions, plan, refused)) {
		const part = output.length + 1;
		const job = plan.job(ANY_ADDRESS, part);
		output.push({
			json: {
				job: { ...job, file: { ...job.file, sourceUrl: '' } } as unknown as IDataObject,
				part,
				rows,
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
	if (file) {
		const failed =
			refused.size > 0 ? await rowItems(functions, file, refused, [], undefined, 'failed') : [];
		return [{ value: [...output, ...failed] }];
	}
	return outputOfFirst(refusedResults(functions, refused), output);
}

/** Puts what concerns all items out with the first that was not refused. */
function outputOfFirst(
	results: Array<ItemResult<ItemOutput>>,
	output: ItemOutput,
): Array<ItemResult<ItemOutput>> {
	const first = results.findIndex((result) => 'value' in result);
	return results.map((result, item) => (item === first ? { value: output } : result));
}

/** Does everything but sending: the files are laid out and the hosting is looked at, too. */
async function dryRun(
	{ functions, service, plan, hosting }: Import,
	file: SourceFile | undefined,
): Promise<Array<ItemResult<ItemOutput>>> {
	const refused: RefusedRows = new Map();
	let files = 0;
	for await (const built of builtParts(functions, plan, refused)) files += built.rows > 0 ? 1 : 0;
	if (hosting !== 'none') hostOf(functions, service, hosting, files > 1);
	const request = service.describe(endpoints.createBulkImportJob, {
		path: {},
		body: plan.job(ANY_ADDRESS, 1),
	});
	const items = functions.getInputData();
	const shown = asItems({
		dryRun: true,
		...(!file && { items: items.length }),
		...(plan.warnings.length > 0 && { warnings: plan.warnings }),
		request: { ...request },
	});
	if (!file) return outputOfFirst(refusedResults(functions, refused), shown);
	const rows =
		refused.size > 0 ? await rowItems(functions, file, refused, [], undefined, 'failed') : [];
	return [{ value: [...shown, ...rows] }];
}

export const createFromItemsOperation: NodeOperation = {
	value: 'createFromItems',
	name: 'Import Items',
	action: 'Import items and get one outcome per item',
	description:
		'Import all input items or the rows of a file, wait for the end, and return one outcome for each',
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
			dryRunOption,
			lineBreaksOption,
			maxRowsOption,
			maxWaitField,
			maxZipSizeOption,
			outputRowsOption,
			pollIntervalField,
			{
				displayName: 'Preflight',
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
		const options = functions.getNodeParameter('options', 0, {}) as FromItemsOptions;
		const hosting = functions.getNodeParameter('hosting', 0, 'n8n') as Hosting;
		const file = isFileSource(functions) ? await sourceFile(functions) : undefined;
		const source = file ? fileRows(file) : itemRows(functions);
		const plan = await importPlan(functions, service, source, options.preflight ?? true);
		if (plan.warnings.length > 0) {
			functions.addExecutionHints({
				message: plan.warnings.join(' '),
				type: 'warning',
				location: 'outputPane',
			});
		}
		const run: Import = { functions, service, plan, hosting, options };
		if (options.dryRun) return await dryRun(run, file);
		if (hosting === 'none') return await unhosted(functions, plan, file);
		return file ? await importFile(run, file) : await importItems(run);
	},
};
