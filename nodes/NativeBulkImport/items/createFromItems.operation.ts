import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { readResultFile } from '../../shared/execution/importResults';
import {
	asItems,
	type ItemOutput,
	type ItemResult,
	type NodeOperation,
} from '../../shared/execution/operation';
import { importFiles } from '../../shared/importFile/importFiles';
import {
	dryRunOption,
	optionsCollection,
	timeoutOption,
} from '../../shared/parameters/callOptions';
import { endpoints } from '../../shared/service/endpoints';
import {
	checkImportJob,
	type ImportJob,
	LONGEST_DESCRIPTION,
	MOST_COLUMNS,
} from '../../shared/service/importJob';
import { jobCreatedSchema, jobState } from '../../shared/service/importJobRecord';
import { waitForJobs, type WaitedJob } from '../../shared/service/importJobWait';
import { InvalidInput, type Problem, refuseIfAny } from '../../shared/service/invalidInput';
import type { NativeService } from '../../shared/service/nativeService';
import { ServiceError } from '../../shared/service/serviceErrors';
import {
	columnDelimiterField,
	fileSettings,
	hasQuotesField,
	lineBreaksOption,
	maxRowsOption,
	maxZipSizeOption,
} from '../file/fileFields';
import { failedJobError } from '../../shared/execution/importJobOutput';
import { maxWaitField, pollIntervalField, waitPlan } from '../job/waitFields';
import { resourceTypeField } from '../resourceTypeField';
import { fieldSources, itemValues } from './fieldSources';
import { type Host, hostingFields, hostOf, type Hosting } from './hosting';
import {
	type ChosenMappingType,
	mappingProblems,
	mappingTypeName,
	type MappingPlan,
	planMapping,
	requiredRecordId,
} from './importMapping';
import { failureText, type ItemOutcome, ItemOutcomes } from './itemOutcomes';
import { describeMappingTypes, valueProblems } from './preflight';

const FILE_NAME = 'items.csv';

interface FromItemsOptions {
	dryRun?: boolean;
	preflight?: boolean;
	pollInterval?: number;
	maxWait?: number;
}

/** Everything about the import that does not depend on a single file of it. */
interface ImportPlan {
	mapping: MappingPlan;
	/** The job for a file; `part` tells the files of one import apart. */
	job: (sourceUrl: string, part: number) => ImportJob;
	values: (item: number) => unknown[];
}

/** One file of the import and the items in it. */
interface Part {
	items: number[];
	jobId?: number;
	/** Why the part did not get as far as a job. */
	error?: unknown;
}

function described(functions: IExecuteFunctions, part: number): string {
	const entered = String(functions.getNodeParameter('description', 0, '')).trim();
	// So that the job can be found at the service if this n8n ends before it has put out the job ID.
	const mark = ` (n8n ${functions.getExecutionId() || 'test'}, part ${part})`;
	return `${entered.slice(0, LONGEST_DESCRIPTION - mark.length)}${mark}`;
}

async function importPlan(
	functions: IExecuteFunctions,
	service: NativeService,
	options: FromItemsOptions,
): Promise<ImportPlan> {
	const resourceType = functions.getNodeParameter('resourceType', 0, '', {
		extractValue: true,
	}) as string;
	const keys = functions.getNodeParameter('mappingTypes', 0, []) as string[];
	if (keys.length === 0) {
		throw new InvalidInput([
			{ field: 'Mapping Types', text: 'choose at least one, e.g. CreateOrUpdateContact.' },
		]);
	}
	const { format } = fileSettings(functions);
	const names = [...new Set(keys.map(mappingTypeName))];
	const { descriptions, unknown } = await describeMappingTypes(service, names);
	const chosen: ChosenMappingType[] = keys.map((key) => ({
		key,
		name: mappingTypeName(key),
		description: descriptions.get(mappingTypeName(key)),
	}));
	const recordIdName = requiredRecordId(
		resourceType,
		chosen.map(({ name }) => name),
		service.vocabulary,
	);
	const sources = fieldSources(functions, chosen, recordIdName);
	// Without its fields nothing else can be said about a mapping type.
	refuseIfAny(unknown);
	refuseIfAny(mappingProblems(resourceType, chosen, sources, service.vocabulary));
	const mapping = planMapping(resourceType, chosen, sources, service.vocabulary);
	if (mapping.columns.length > MOST_COLUMNS) {
		throw new InvalidInput([
			{
				field: 'Fields',
				text: `${mapping.columns.length - 1} columns are needed; the service takes at most ${MOST_COLUMNS}, one of which the node needs itself. Map fewer fields.`,
			},
		]);
	}
	const values = itemValues(functions, mapping.columns);
	if (options.preflight ?? true) {
		const count = functions.getInputData().length;
		refuseIfAny(await valueProblems(service, descriptions, mapping, count, values));
	}
	const job = (sourceUrl: string, part: number): ImportJob => {
		const checked = checkImportJob(
			{
				description: described(functions, part),
				file: {
					fileName: FILE_NAME,
					sourceUrl,
					hasHeader: true,
					hasQuotes: format.hasQuotes,
					columnDelimiter: format.columnDelimiter,
					columns: mapping.columns.map(({ name }) => ({ name })),
				},
				actions: [
					{
						actionType: 'loadMappedFile',
						resourceType,
						resultFileSizeKbLimit: functions.getNodeParameter('resultFileSizeKbLimit', 0, 5000),
						mappingTypes: mapping.mappingTypes,
						columnsToIncludeInResultsFile: [{ name: mapping.itemColumn }],
					},
				],
			},
			service.vocabulary,
		);
		if ('job' in checked) return checked.job;
		const problems = checked.problems.map(
			({ path, text }): Problem => ({ field: path.join(' → '), text }),
		);
		refuseIfAny(problems);
		throw new Error('The import could not be laid out.');
	};
	// Once before anything is uploaded, with an address that stands for any.
	job('https://files.example.org/items.zip', 1);
	return { mapping, job, values };
}

/** Builds the files one after the other and hands each on with the items in it. */
async function* builtParts(
	functions: IExecuteFunctions,
	plan: ImportPlan,
	refused: Map<number, InvalidInput>,
): AsyncGenerator<{ zip: Buffer; items: number[] }> {
	const { format, maxZipBytes, maxRows } = fileSettings(functions);
	const count = functions.getInputData().length;
	const itemColumn = plan.mapping.columns.length - 1;
	const rows = function* (): Generator<unknown[]> {
		for (let item = 0; item < count; item++) {
			const values = plan.values(item);
			values[itemColumn] = item + 1;
			yield values;
		}
	};
	const files = importFiles(
		{
			fileName: FILE_NAME,
			columns: plan.mapping.columns.map(({ name }) => name),
			format,
			hasHeader: true,
			maxZipBytes,
			maxRows,
			onRefused: ({ column, reason }, position) => {
				refused.set(position, new InvalidInput([{ field: `Column "${column}"`, text: reason }]));
			},
		},
		rows(),
	);
	let next = 0;
	for await (const { zip, rows: size } of files) {
		const items: number[] = [];
		for (; items.length < size; next++) if (!refused.has(next)) items.push(next);
		yield { zip, items };
	}
}

async function startedPart(
	functions: IExecuteFunctions,
	service: NativeService,
	plan: ImportPlan,
	host: Host,
	file: { zip: Buffer; items: number[] },
	part: number,
): Promise<Part> {
	const { zip, items } = file;
	try {
		const sourceUrl = await host(zip, `items-${functions.getExecutionId() || 'test'}-${part}.zip`);
		const { jobId } = await service.read(
			endpoints.createBulkImportJob,
			{ path: {}, body: plan.job(sourceUrl, part) },
			jobCreatedSchema,
		);
		functions.logger.info(`Import job ${jobId} started with ${items.length} items`, { jobId });
		return { items, jobId };
	} catch (error) {
		return { items, error };
	}
}

/** How the rows of an ended job went, or why that cannot be said. */
async function readOutcomes(
	service: NativeService,
	jobId: number,
	end: WaitedJob,
	itemColumn: string,
	outcomes: ItemOutcomes,
): Promise<unknown> {
	if ('error' in end) return end.error;
	const state = jobState(end.record.status);
	const files = end.record.resultFiles ?? [];
	if (state === 'failed' && files.length === 0) return failedJobError(service, jobId, end.record);
	try {
		for (const [index, file] of files.entries()) {
			const rows = await readResultFile(service, file, index + 1, [itemColumn]);
			for (const row of rows) outcomes.add(jobId, row);
		}
		return undefined;
	} catch (error) {
		return error instanceof ServiceError
			? new ServiceError({
					...error.details,
					message: `Import job ${jobId} has ended, but its results could not be read: ${error.details.message}`,
					description: `${error.details.description} Use "Get Results" with job ID ${jobId}.`,
				})
			: error;
	}
}

function rowError(outcome: ItemOutcome): ServiceError {
	return new ServiceError({
		message: failureText(outcome),
		description: `Import job ${outcome.jobId}. Correct the item and import it again; the other items are not affected.`,
		httpCode: undefined,
		replayable: true,
		outcomeUnknown: false,
		request: { method: 'GET', path: `job ${outcome.jobId}` },
		serviceErrors: [],
	});
}

function summary(outcomes: ItemOutcome[], parts: Part[], lost: number, unmatched: number): string {
	const count = (status: ItemOutcome['status']): number =>
		outcomes.filter((outcome) => outcome.status === status).length;
	const jobs = parts.flatMap(({ jobId }) => (jobId === undefined ? [] : [jobId]));
	return [
		`${outcomes.length + lost} items: ${count('imported')} imported, ${count('failed')} failed, ${count('missing')} not mentioned by the service`,
		...(lost > 0 ? [`${lost} not imported because of an error`] : []),
		...(unmatched > 0 ? [`${unmatched} result rows belong to no item`] : []),
		`import job${jobs.length === 1 ? '' : 's'} ${jobs.join(', ') || 'none'}`,
	].join('; ');
}

async function importAll(
	functions: IExecuteFunctions,
	service: NativeService,
	plan: ImportPlan,
	hosting: Hosting,
	options: FromItemsOptions,
): Promise<Array<ItemResult<ItemOutput>>> {
	const items = functions.getInputData();
	const refused = new Map<number, InvalidInput>();
	const host = hostOf(functions, service, hosting);
	const parts: Part[] = [];
	for await (const file of builtParts(functions, plan, refused)) {
		// A value that cannot be written stops the import before its first file leaves the house.
		if (refused.size > 0 && !functions.continueOnFail()) break;
		parts.push(await startedPart(functions, service, plan, host, file, parts.length + 1));
	}
	if (refused.size > 0 && parts.length === 0) {
		return items.map((_, item) => {
			const error = refused.get(item);
			return error ? { error } : { value: [] };
		});
	}

	const outcomes = new ItemOutcomes(plan.mapping.itemColumn, items.length);
	const ended = await waitForJobs(
		service,
		parts.flatMap(({ jobId }) => (jobId === undefined ? [] : [jobId])),
		waitPlan(options),
	);
	for (const part of parts) {
		const end = part.jobId === undefined ? undefined : ended.get(part.jobId);
		if (part.jobId === undefined || !end) continue;
		part.error = await readOutcomes(service, part.jobId, end, plan.mapping.itemColumn, outcomes);
	}
	return itemResults(functions, refused, parts, outcomes);
}

function itemResults(
	functions: IExecuteFunctions,
	refused: Map<number, InvalidInput>,
	parts: Part[],
	outcomes: ItemOutcomes,
): Array<ItemResult<ItemOutput>> {
	const items = functions.getInputData();
	// Where there is no error output, a row that failed is a result like any other: one bad row must
	// not hide what became of the others.
	const hasErrorOutput = functions.getNode().onError === 'continueErrorOutput';
	const results: Array<ItemResult<ItemOutput>> = items.map((_, item) => ({
		error: refused.get(item) ?? new Error('The item is in no file.'),
	}));
	const reported: ItemOutcome[] = [];
	for (const { items: members, jobId, error } of parts) {
		for (const item of members) {
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
								importResult: { ...outcome, ...(!isGood && { reason: failureText(outcome) }) },
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
): Promise<Array<ItemResult<ItemOutput>>> {
	const refused = new Map<number, InvalidInput>();
	const output: ItemOutput = [];
	for await (const { zip, items } of builtParts(functions, plan, refused)) {
		const part = output.length + 1;
		const job = plan.job('https://files.example.org/items.zip', part);
		const file = { ...job.file, sourceUrl: '' };
		output.push({
			json: { job: { ...job, file } as unknown as IDataObject, part, rows: items.length },
			binary: {
				data: await functions.helpers.prepareBinaryData(
					zip,
					`items-${part}.zip`,
					'application/zip',
				),
			},
		});
	}
	const results = functions.getInputData().map((_, item): ItemResult<ItemOutput> => {
		const error = refused.get(item);
		return error ? { error } : { value: [] };
	});
	const first = results.findIndex((result) => 'value' in result);
	if (first >= 0) results[first] = { value: output };
	return results;
}

export const createFromItemsOperation: NodeOperation = {
	value: 'createFromItems',
	name: 'Import Items',
	action: 'Import items and get one outcome per item',
	description: 'Import all input items in bulk, wait, and put out what became of each of them',
	properties: [
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
			typeOptions: {
				loadOptionsDependsOn: ['resourceType.value', 'mappingTypes'],
				resourceMapper: {
					resourceMapperMethod: 'getImportFields',
					mode: 'map',
					fieldWords: { singular: 'field', plural: 'fields' },
					addAllFields: false,
					multiKeyMatch: false,
					supportAutoMap: true,
					noFieldsError: 'Choose mapping types first; their fields are then shown here.',
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
				'Largest size of one result file; the node reads all of them. Known deployments take 5000 to 100000.',
		},
		optionsCollection([
			dryRunOption,
			lineBreaksOption,
			maxRowsOption,
			maxWaitField,
			maxZipSizeOption,
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
		const plan = await importPlan(functions, service, options);
		if (options.dryRun) {
			const body = plan.job('https://files.example.org/items.zip', 1);
			const request = service.describe(endpoints.createBulkImportJob, { path: {}, body });
			const [first, ...others] = functions.getInputData();
			return [
				{
					value: asItems(
						first ? { dryRun: true, items: others.length + 1, request: { ...request } } : [],
					),
				},
				...others.map(() => ({ value: [] })),
			];
		}
		return hosting === 'none'
			? await unhosted(functions, plan)
			: await importAll(functions, service, plan, hosting, options);
	},
};
