import { dryRunOption, type NodeOperation, timeoutOption } from '../../shared/execution/operation';
import { dateFormatOption } from '../../shared/parameters/dateFormat';
import { screenFields } from '../../shared/service/bodyField';
import { endpoints } from '../../shared/service/endpoints';
import { importJobFields } from '../../shared/service/importJob';
import {
	columnDelimiterField,
	hasQuotesField,
	lineBreaksOption,
	maxRowsOption,
	maxZipSizeOption,
} from '../file/fileFields';
import { hostingFields } from '../file/hosting';
import { WaitChoice } from '../job/jobWait';
import { detectedSourceField, sourceFileFields } from '../rows/rowSource';
import { withWaits } from '../wait/waitingNode';
import { features } from './features/features';
import { ImportLife } from './importLife';
import { planFields, planOptions } from './start/importPlan';

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

/** What the page of an import that waits can ask. */
export const importQuestions = features.flatMap(({ questionForm }) => questionForm ?? []);

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
		...features.flatMap(({ options = [] }) => options),
		columnDelimiterField,
		dateFormatOption,
		{
			...dryRunOption,
			description:
				'Whether to only check the rows and show which column goes into which field. Nothing is imported.',
		},
		hasQuotesField,
		...importWait.fields,
		lineBreaksOption,
		...screenFields({ listeners: importJobFields.listeners }),
		maxRowsOption,
		maxZipSizeOption,
		...planOptions,
		{
			...timeoutOption,
			description:
				'Maximum time to wait for each response. The upload of a file gets 8 seconds more per megabyte.',
		},
	],
	runAll: withWaits(async (context) => {
		let life: ImportLife | undefined;
		return await context.history.keepAll(
			async () => {
				const { parameters, resumed } = context;
				const isNeeded = features.some(({ needsPage }) => needsPage?.(parameters));
				const page = { isNeeded, secret: resumed?.progress?.secret };
				life = new ImportLife({ ...context, wait: importWait.read(context, page), features });
				return await life.live();
			},
			() => life?.mayBeImported ?? false,
		);
	}),
};
