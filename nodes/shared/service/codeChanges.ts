import { z } from 'zod';

import { screenFields } from './bodyField';
import type { BodyProblem } from './bodyProblem';
import { recordIdSchema } from './bodySchema';
import {
	changeableFields,
	clearable,
	type CodeChanges,
	codeChangesSchema,
	DEFAULT_CODE_TYPE,
	isSourceCode,
	metadataIds,
	type MetadataName,
	metadataNames,
	readOnly,
	readOnlyNames,
	repeatedEntities,
} from './code';
import { sameName } from './nearestName';
import { isObject, readBody } from './requestBody';

/** The fields of the properties that an update can empty. */
export const clearableFields = screenFields(clearable);

/** The body property of a field that an update can empty. */
function propertyOf(field: string): keyof CodeChanges {
	const metadata = metadataNames.find((name) => metadataIds[name] === field);
	return metadata ?? (field as keyof CodeChanges);
}

export interface CheckedCodeChanges {
	changes: CodeChanges;
	/** The code type, allowed if it equals the current one. */
	codeType?: string;
	/** Values that are not sent because the service sets them. */
	dropped: string[];
}

/** Checks the values an update sets or empties. */
export function checkCodeChanges(
	input: unknown,
	clear: readonly string[],
): CheckedCodeChanges | { problems: BodyProblem[] } {
	const { codeType, ...rest } = isObject(input) ? input : { codeType: undefined };
	const kind = { schema: codeChangesSchema, fields: changeableFields, readOnly };
	const read = readBody(isObject(input) ? rest : input, kind);
	if ('problems' in read) return read;
	const changes = read.body;
	const problems = repeatedEntities(changes.supportedEntities);
	for (const field of clear) {
		const property = propertyOf(field);
		if (changes[property] !== undefined) {
			problems.push({
				path: [property],
				text: 'is given and also chosen under Clear Fields. Keep one of the two.',
			});
		}
	}
	const isEmpty = Object.values(changes).every((value) => value === undefined);
	const type = String(codeType ?? '').trim();
	if (isEmpty && clear.length === 0) {
		problems.push(
			type === ''
				? {
						path: [],
						text: 'There is nothing to change. Add a field to change, or choose one to clear.',
					}
				: {
						path: ['codeType'],
						text: 'cannot be changed. Create a new code of that type, or give a property to change.',
					},
		);
	}
	if (problems.length > 0) return { problems };
	return {
		changes,
		...(type !== '' && { codeType: type }),
		dropped: [...read.dropped, ...(type === '' ? [] : ['codeType'])],
	};
}

/** Problems of a code type given for an update: it cannot change. */
export function codeTypeChangeProblems(
	given: string | undefined,
	{ codeType }: CodeRecord,
): BodyProblem[] {
	return given === undefined || sameName(given, codeType ?? DEFAULT_CODE_TYPE)
		? []
		: [
				{
					path: ['codeType'],
					text: `cannot be changed from ${codeType ?? DEFAULT_CODE_TYPE} to ${given}. Leave it out, or create a new code of that type.`,
				},
			];
}

/** Metadata of a code read back may have more than its ID. */
const metadataRecord = (idName: string) =>
	z
		.object({ [idName]: recordIdSchema.nullable() })
		.passthrough()
		.nullish();
const metadataRecords = Object.fromEntries(
	metadataNames.map((name) => [name, metadataRecord(metadataIds[name])]),
) as Record<MetadataName, ReturnType<typeof metadataRecord>>;

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
		...metadataRecords,
	})
	.passthrough();

export type CodeRecord = z.infer<typeof codeRecordSchema>;

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
	const body: Record<string, unknown> = { ...stored, ...changes };
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
