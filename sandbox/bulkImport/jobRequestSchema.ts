import { z } from 'zod';
import { isValidEmail } from '../store/personInput';
import { strictObject } from '../wire/schemas';
import { fieldValueMappingSchema, rejectRepeated } from './mapping/fieldMapping';
import { sameName } from './mapping/mappingType';
import { RESOURCE_TYPES, type MappingTypeCatalogue } from './mapping/mappingTypeCatalogue';

/** service.md 2.10 */
const MAX_COLUMNS = 50;
const MAX_DESCRIPTION_LENGTH = 255;
/** The limit of the best-known deployment (service.md 2.4). */
const MIN_RESULT_FILE_SIZE_KB = 5000;
const MAX_RESULT_FILE_SIZE_KB = 100_000;
const SOURCE_URL_SCHEMES = ['sftp:', 'ftps:', 'https:'];

/** Lower-case name to the character it means (service.md 2.2). */
const DELIMITERS: Record<string, string> = { csv: ',', tab: '\t', pipe: '|' };

/** The character between fields; CSV when the body names none. */
export function delimiterOf(columnDelimiter = 'csv'): string | undefined {
	return DELIMITERS[columnDelimiter.toLowerCase()];
}

const name = z.string().min(1);
const columnSchema = strictObject({
	name: z.string().regex(/^[A-Za-z0-9]+$/, '{name} must be alphanumeric'),
});

const fileSchema = strictObject({
	fileName: name,
	sourceUrl: z
		.string()
		.refine((text) => URL.canParse(text) && SOURCE_URL_SCHEMES.includes(new URL(text).protocol), {
			message: '{name} is not an absolute URL of a supported scheme',
			params: { hint: 'One of sftp, ftps, https.' },
		}),
	hasHeader: z.boolean().optional(),
	hasQuotes: z.boolean().optional(),
	columnDelimiter: z
		.string()
		.refine((text) => delimiterOf(text) !== undefined, {
			message: '{name} is unknown',
			params: { hint: 'One of CSV, Tab, Pipe.' },
		})
		.optional(),
	columns: z.array(columnSchema).min(1).max(MAX_COLUMNS).superRefine(rejectRepeated('name')),
});

/** Only the type `email` is named (service.md 2.9), so every other type is read as a webhook. */
const listenerSchema = strictObject({ type: name, value: name }).superRefine(
	({ type, value }, context) => {
		const isEmail = sameName(type, 'email');
		const isWebhookUrl = /^https?:\/\/./i.test(value) && URL.canParse(value);
		if (isEmail ? isValidEmail(value) : isWebhookUrl) return;
		const wanted = isEmail ? 'an email address' : 'the http or https address of a webhook';
		context.addIssue({ code: 'custom', path: ['value'], message: `{name} is not ${wanted}` });
	},
);

const mappingTypeShape = strictObject({
	fieldValueMappings: z
		.array(fieldValueMappingSchema)
		.superRefine(rejectRepeated('fieldName'))
		.optional(),
	resultFileColumnName: name.optional(),
});

/** The body of POST /bulkImportJobs (service.md 2.1 to 2.6) but for the rules between file and actions. */
export function jobRequestSchema(catalogue: MappingTypeCatalogue) {
	const mappingTypeSchema = mappingTypeShape.extend({
		name: z.string().refine((text) => catalogue.find(text) !== undefined, {
			message: '{name} is not a mapping type',
			params: { hint: 'See GET /bulkImportMappingTypes.' },
		}),
	});
	const actionSchema = strictObject({
		actionType: z.literal('loadMappedFile'),
		resourceType: z.enum(RESOURCE_TYPES),
		resultFileSizeKbLimit: z
			.number()
			.int()
			.min(MIN_RESULT_FILE_SIZE_KB)
			.max(MAX_RESULT_FILE_SIZE_KB),
		mappingTypes: z
			.array(mappingTypeSchema)
			.min(1)
			.superRefine(rejectRepeated('resultFileColumnName')),
		columnsToIncludeInResultsFile: z.array(columnSchema).optional(),
	});
	return strictObject({
		description: name
			.max(MAX_DESCRIPTION_LENGTH)
			.refine((text) => !/[<>]|&#/.test(text), "{name} must not contain '<', '>' or '&#'"),
		file: fileSchema,
		actions: z.array(actionSchema).min(1),
		listeners: z.array(listenerSchema).optional(),
	});
}

export type JobRequest = z.output<ReturnType<typeof jobRequestSchema>>;
export type ActionRequest = JobRequest['actions'][number];
export type MappingTypeRequest = ActionRequest['mappingTypes'][number];
export type FileRequest = JobRequest['file'];
