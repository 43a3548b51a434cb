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
	timeoutOption,
} from '../../shared/parameters/callOptions';
import { endpoints } from '../../shared/service/endpoints';
import { InvalidInput } from '../../shared/service/invalidInput';
import type { NativeService } from '../../shared/service/nativeService';
import { importJobError, type ServiceError } from '../../shared/service/serviceErrors';
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
	builtParts,
	type Part,
	type RefusedRows,
	startedPart,
} from '../items/importParts';
import { ANY_ADDRESS, type ImportPlan, importPlan } from '../items/importPlan';
import { failureText, type RowOutcome, RowOutcomes } from '../items/rowOutcomes';
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

function rowError(outcome: RowOutcome): ServiceError {
	return importJobError(outcome.jobId, {
		message: failureText(outcome, 'item'),
		description: `Import job ${outcome.jobId}. Correct the item and import it again; the other items are not affected.`,
		replayable: true,
	});
}

function summary(outcomes: RowOutcome[], parts: Part[], lost: number, unmatched: number): string {
	const count = (status: RowOutcome['status']): number =>
		outcomes.filter((outcome) => outcome.status === status).length;
	const jobs = parts.flatMap(({ jobId }) => (jobId === undefined ? [] : [jobId]));
	return [
		`${outcomes.length + lost} items: ${count('imported')} imported, ${count('failed')} failed, ${count('missing')} not mentioned by the service`,
		...(lost > 0 ? [`${lost} not imported because of an error`] : []),
		...(unmatched > 0 ? [`${unmatched} result rows belong to no item`] : []),
		`import job${jobs.length === 1 ? '' : 's'} ${jobs.join(', ') || 'none'}`,
	].join('; ');
}

async function importItems(
	functions: IExecuteFunctions,
	service: NativeService,
	plan: ImportPlan,
	hosting: Hosting,
	options: FromItemsOptions,
): Promise<Array<ItemResult<ItemOutput>>> {
	const refused: RefusedRows = new Map();
	const host = hostOf(functions, service, hosting);
	const parts: Part[] = [];
	for await (const file of builtParts(functions, plan, refused)) {
		// A value that cannot be written stops the import before its first file leaves the house.
		if (refused.size > 0 && !functions.continueOnFail()) break;
		parts.push(await startedPart(functions, service, plan, host, file, parts.length + 1));
	}
	if (refused.size > 0 && parts.length === 0) return refusedResults(functions, refused);
	const count = functions.getInputData().length;
	const outcomes = new RowOutcomes(plan.mapping.itemColumn, count, true);
	await awaitParts(service, plan, parts, waitPlan(options), outcomes);
	return itemResults(functions, refused, parts, outcomes);
}

/** Imports the rows of a file. They were checked before, so a row that is refused now is only told of. */
async function importFile(
	functions: IExecuteFunctions,
	service: NativeService,
	plan: ImportPlan,
	file: SourceFile,
	hosting: Hosting,
	options: FromItemsOptions,
): Promise<Array<ItemResult<ItemOutput>>> {
	const which = options.outputRows ?? 'failed';
	const refused: RefusedRows = new Map();
	const host = hostOf(functions, service, hosting);
	const parts: Part[] = [];
	for await (const built of builtParts(functions, plan, refused)) {
		parts.push(await startedPart(functions, service, plan, host, built, parts.length + 1));
	}
	const outcomes = new RowOutcomes(
		plan.mapping.itemColumn,
		parts.at(-1)?.end ?? 0,
		which === 'all',
	);
	await awaitParts(service, plan, parts, waitPlan(options), outcomes);
	const [first] = parts;
	// One job that failed must not hide what became of the rows of the others.
	if (first && parts.every(({ error }) => error !== undefined)) return [{ error: first.error }];
	return [{ value: await fileOutcome(functions, file, refused, parts, outcomes, which) }];
}

function itemResults(
	functions: IExecuteFunctions,
	refused: RefusedRows,
	parts: Part[],
	outcomes: RowOutcomes,
): Array<ItemResult<ItemOutput>> {
	const items = functions.getInputData();
	// Where there is no error output, a row that failed is a result like any other: one bad row must
	// not hide what became of the others.
	const hasErrorOutput = functions.getNode().onError === 'continueErrorOutput';
	const results = refusedResults(functions, refused);
	const reported: RowOutcome[] = [];
	for (const { first, end, jobId, error } of parts) {
		for (let item = first; item < end; item++) {
			if (refused.has(item)) continue;
			if (error !== undefined || jobId === undefined) {
				results[item] = { error };
				continue;
			}
			const outcome = outcomes.of(item, jobId);
			reported.push(outcome);
			const isGood = outcome.status === 'imported';
			results[item] =
				!isGood && hasErrorOutput
					? { error: rowError(outcome) }
					: {
							value: asItems({
								...items[item]?.json,
								importResult: {
									...outcome,
									...(!isGood && { reason: failureText(outcome, 'item') }),
								},
							}),
						};
		}
	}
	functions.addExecutionHints({
		message: summary(reported, parts, items.length - reported.length, outcomes.unmatched),
		location: 'outputPane',
	});
	return results;
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
	const results = refusedResults(functions, refused);
	const first = results.findIndex((result) => 'value' in result);
	if (first >= 0) results[first] = { value: output };
	return results;
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
			timeoutOption,
		]),
	],
	async runAll({ functions, service }) {
		const options = functions.getNodeParameter('options', 0, {}) as FromItemsOptions;
		const hosting = functions.getNodeParameter('hosting', 0, 'n8n') as Hosting;
		const file = isFileSource(functions) ? await sourceFile(functions) : undefined;
		const source = file ? fileRows(file) : itemRows(functions);
		const plan = await importPlan(functions, service, source, options.preflight ?? true);
		if (options.dryRun) {
			const body = plan.job(ANY_ADDRESS, 1);
			const request = service.describe(endpoints.createBulkImportJob, { path: {}, body });
			const [first, ...others] = functions.getInputData();
			const items = file ? {} : { items: others.length + 1 };
			return [
				{ value: asItems(first ? { dryRun: true, ...items, request: { ...request } } : []) },
				...others.map(() => ({ value: [] })),
			];
		}
		if (hosting === 'none') return await unhosted(functions, plan, file);
		return file
			? await importFile(functions, service, plan, file, hosting, options)
			: await importItems(functions, service, plan, hosting, options);
	},
};
