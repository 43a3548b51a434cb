import type { IExecuteFunctions } from 'n8n-workflow';

import { lineWriter } from '../../shared/importFile/delimitedRows';
import {
	checkImportJob,
	type ImportJob,
	LONGEST_DESCRIPTION,
	MOST_COLUMNS,
} from '../../shared/service/importJob';
import { InvalidInput, type Problem, refuseIfAny } from '../../shared/service/invalidInput';
import type { NativeService } from '../../shared/service/nativeService';
import { fileSettings } from '../file/fileFields';
import { fieldOnScreen } from '../job/importJobFields';
import { fieldSources } from './fieldSources';
import {
	type ChosenMappingType,
	mappingProblems,
	type MappingPlan,
	mappingTypeName,
	planMapping,
	requiredRecordId,
} from './importMapping';
import { describeMappingTypes, valueProblems } from './preflight';
import type { RowSource } from './rowSource';

/** Name of the delimited file inside each archive. */
export const FILE_NAME = 'items.csv';

/** Stands for the address of a file where there is none yet. */
export const ANY_ADDRESS = 'https://files.example.org/items.zip';

/** Everything about the import that does not depend on a single file of it. */
export interface ImportPlan {
	source: RowSource;
	mapping: MappingPlan;
	/** The job for a file; `part` tells the files of one import apart. */
	job: (sourceUrl: string, part: number) => ImportJob;
}

function described(functions: IExecuteFunctions, part: number): string {
	const entered = String(functions.getNodeParameter('description', 0, '')).trim();
	// So that the job can be found at the service if this n8n ends before it has put out the job ID.
	const mark = ` (n8n ${functions.getExecutionId() || 'test'}, part ${part})`;
	return `${entered.slice(0, LONGEST_DESCRIPTION - mark.length)}${mark}`;
}

/**
 * Reads the parameters and checks them against the service.
 * Throws {@link InvalidInput}; nothing was uploaded by then.
 * @param preflight whether to look at the values of all rows, too
 */
export async function importPlan(
	functions: IExecuteFunctions,
	service: NativeService,
	source: RowSource,
	preflight: boolean,
): Promise<ImportPlan> {
	const resourceType = functions.getNodeParameter('resourceType', 0, '', {
		extractValue: true,
	}) as string;
	const keys = functions.getNodeParameter('mappingTypes', 0, []) as string[];
	if (keys.length === 0) {
		throw new InvalidInput([
			{
				field: 'Mapping Type Names or IDs',
				text: 'must have at least one entry, e.g. CreateOrUpdateContact.',
			},
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
	const sources = await fieldSources(functions, source, chosen, recordIdName);
	// Without its fields nothing else can be said about a mapping type.
	refuseIfAny(unknown);
	refuseIfAny(mappingProblems(resourceType, chosen, sources, service.vocabulary, source));
	const mapping = planMapping(resourceType, chosen, sources, service.vocabulary);
	if (mapping.columns.length > MOST_COLUMNS) {
		throw new InvalidInput([
			{
				field: 'Fields',
				text: `${mapping.columns.length - 1} columns are needed; the service accepts at most ${MOST_COLUMNS}, one of which the node needs itself. Map fewer fields.`,
			},
		]);
	}
	if (preflight) {
		// Items that cannot be written are told of one by one; rows of a file all together, in advance.
		const line =
			source.noun === 'row' && !functions.continueOnFail()
				? lineWriter(
						format,
						mapping.columns.map(({ name }) => name),
					)
				: undefined;
		refuseIfAny(await valueProblems(service, descriptions, mapping, source, line));
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
			({ path, text }): Problem => ({ field: fieldOnScreen(path), text }),
		);
		refuseIfAny(problems);
		throw new Error('The import could not be laid out.');
	};
	// Once before anything is uploaded, with an address that stands for any.
	job(ANY_ADDRESS, 1);
	return { source, mapping, job };
}
