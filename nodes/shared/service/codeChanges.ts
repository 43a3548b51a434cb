import { mapValues } from 'lodash';
import { z } from 'zod';

import { screenFields } from './bodyField';
import { recordIdSchema } from './bodySchema';
import {
	clearable,
	type CodeChanges,
	isSourceCode,
	metadataIds,
	metadataNames,
	propertyOf,
	readOnlyNames,
} from './code';

/** The fields of the properties that an update can empty. */
export const clearableFields = screenFields(clearable);

/** Metadata of a code read back may have more than its ID. */
const metadataRecord = (idName: string) =>
	z
		.object({ [idName]: recordIdSchema.nullable() })
		.passthrough()
		.nullish();

/** A code read back: the part of service.md 6.1 an update must keep. */
export const codeRecordSchema = z
	.object({
		name: z.string(),
		codeType: z.string().nullish(),
		supportedEntities: z
			.array(
				z
					.object({
						name: z.string(),
						isSearchable: z.boolean().nullish(),
						isApplicable: z.boolean().nullish(),
					})
					.passthrough(),
			)
			.nullish(),
		...mapValues(metadataIds, metadataRecord),
	})
	.passthrough();

type CodeRecord = z.infer<typeof codeRecordSchema>;

/** Whether an update would clear supported entities because the service did not return them. */
export function hidesSupportedEntities(
	current: CodeRecord,
	changes: CodeChanges,
	clear: readonly string[],
): boolean {
	return (
		!isSourceCode(current.codeType) &&
		!Array.isArray(current.supportedEntities) &&
		changes.supportedEntities === undefined &&
		!clear.includes('supportedEntities')
	);
}

/**
 * The body of PUT /codes/{codeId}: the current code with the changes. The service clears every property
 * the body leaves out (service.md 6.2), so all are kept, including those this package does not know.
 */
export function mergedCode(
	current: CodeRecord,
	changes: CodeChanges,
	clear: readonly string[],
): Record<string, unknown> {
	const stored: Record<string, unknown> = { ...current };
	for (const name of metadataNames) {
		const idName = metadataIds[name];
		const id = current[name]?.[idName];
		stored[name] = id === undefined || id === null ? null : { [idName]: id };
	}
	stored.supportedEntities = current.supportedEntities?.map((entity) => ({
		name: entity.name,
		isSearchable: entity.isSearchable ?? false,
		isApplicable: entity.isApplicable ?? false,
	}));
	const { codeType } = current;
	const body: Record<string, unknown> = { ...stored, ...changes, codeType };
	const dropped = [
		...readOnlyNames,
		...clear.map(propertyOf),
		...(isSourceCode(current.codeType) ? ['supportedEntities'] : []),
	];
	return Object.fromEntries(
		Object.entries(body).filter(
			([name, value]) => value !== null && value !== undefined && !dropped.includes(name),
		),
	);
}
