import { z } from 'zod';

/** Descriptions of mapping types: service.md 3.1. Only the name is certain. */
export const mappingFieldSchema = z
	.object({
		name: z.string(),
		description: z.string().nullish(),
		hasPredefinedValues: z.boolean().nullish(),
		isRequired: z.boolean().nullish(),
		canBeMappedToColumn: z.boolean().nullish(),
		parents: z
			.array(
				z
					.object({
						parentFieldName: z.string(),
						limitedToParentValues: z.array(z.unknown()).nullish(),
					})
					.passthrough(),
			)
			.nullish(),
	})
	.passthrough();

export const mappingTypeDescriptionSchema = z
	.object({
		name: z.string(),
		displayName: z.string().nullish(),
		allowMultipleMode: z.string().nullish(),
		resourceTypes: z.array(z.string()).nullish(),
		fields: z.array(mappingFieldSchema).nullish(),
	})
	.passthrough();

/** A predefined value of a field. The file needs its id. */
export const fieldValueSchema = z
	.object({ name: z.string().nullish(), id: z.union([z.string(), z.number()]).nullish() })
	.passthrough();

export type MappingField = z.infer<typeof mappingFieldSchema>;
export type MappingTypeDescription = z.infer<typeof mappingTypeDescriptionSchema>;
