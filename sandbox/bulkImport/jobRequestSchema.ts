import { z } from 'zod';
import { fieldValueMappingSchema } from './mapping/fieldMapping';
import { strictObject } from '../wire/schemas';

/** The body of POST /bulkImportJobs (service.md 2.1 to 2.6): names, casing and JSON types. */

/** service.md 2.10 */
const MAX_COLUMNS = 50;

const name = z.string().min(1);
const columnSchema = strictObject({ name });

const mappingTypeSchema = strictObject({
	name,
	fieldValueMappings: z.array(fieldValueMappingSchema).optional(),
	resultFileColumnName: name.optional(),
});

const actionSchema = strictObject({
	actionType: name,
	resourceType: name,
	resultFileSizeKbLimit: z.number().int(),
	mappingTypes: z.array(mappingTypeSchema).min(1),
	columnsToIncludeInResultsFile: z.array(columnSchema).optional(),
});

export const jobRequestSchema = strictObject({
	description: name,
	file: strictObject({
		fileName: name,
		sourceUrl: name,
		hasHeader: z.boolean().optional(),
		hasQuotes: z.boolean().optional(),
		columnDelimiter: z.string().optional(),
		columns: z.array(columnSchema).min(1).max(MAX_COLUMNS),
	}),
	actions: z.array(actionSchema).min(1),
	listeners: z.array(strictObject({ type: name, value: name })).optional(),
});

export type JobRequest = z.output<typeof jobRequestSchema>;
export type ActionRequest = z.output<typeof actionSchema>;
export type MappingTypeRequest = z.output<typeof mappingTypeSchema>;
export type FileRequest = JobRequest['file'];

/** What can be read of a body of the wrong shape: the parts that fit, blanks for the rest. */
const readableText = z.string().catch('');
const readableOptionalText = z.string().optional().catch(undefined);
const readableList = <Item extends z.ZodTypeAny>(item: Item) => z.array(item).catch([]);
const readableObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
	z.preprocess(
		(value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}),
		z.object(shape),
	);

const readableColumn = readableObject({ name: readableText });

/**
 * The same body read leniently, so that the rules between properties can be checked, and answered
 * together with the problems of shape, in one go. A property of the wrong type reads as absent.
 */
export const readableJobRequestSchema = readableObject({
	description: readableText,
	listeners: readableList(readableObject({ type: readableText, value: readableText })).optional(),
	file: readableObject({
		sourceUrl: readableText,
		columnDelimiter: readableOptionalText,
		columns: readableList(readableColumn),
	}),
	actions: readableList(
		readableObject({
			actionType: readableText,
			resourceType: readableText,
			resultFileSizeKbLimit: z.number().int().optional().catch(undefined),
			mappingTypes: readableList(
				readableObject({
					name: readableText,
					resultFileColumnName: readableOptionalText,
					fieldValueMappings: readableList(
						readableObject({
							fieldName: readableText,
							columnName: readableOptionalText,
							staticValue: readableOptionalText,
							values: readableList(
								readableObject({ sourceValue: readableText, targetValue: readableText }),
							).optional(),
						}),
					).optional(),
				}),
			),
			columnsToIncludeInResultsFile: readableList(readableColumn).optional(),
		}),
	),
});

export type ReadableJobRequest = z.output<typeof readableJobRequestSchema>;
export type ReadableAction = ReadableJobRequest['actions'][number];
export type ReadableMappingType = ReadableAction['mappingTypes'][number];
