import { z } from 'zod';

import type { BodyProblem, KnownProperties } from './bodyProblem';
import { filledText, flag, list, object, shortText } from './bodySchema';
import { sameName, suggestion } from './nearestName';
import { recordIdSchema, wholeId } from './recordId';
import { type BodyKind, isObject, readBody, type ReadOnlyProperties } from './requestBody';

/** Lengths of service.md 6.1. */
export const LONGEST_CODE_NAME = 50;
export const LONGEST_CODE_DESCRIPTION = 200;

/** The service's default: service.md 6.1. */
export const DEFAULT_CODE_TYPE = 'SourceCode';

/** The metadata of a source code: each an object that holds one ID (service.md 6.1). */
export const metadataIds = {
	campaign: 'campaignId',
	contactType: 'contactTypeId',
	generalLedgerFund: 'generalLedgerFundId',
	costCenter: 'costCenterId',
	revenueStream: 'revenueStreamId',
	mailMergeTemplate: 'mailMergeTemplateId',
} as const;

type MetadataName = keyof typeof metadataIds;
export const metadataNames = Object.keys(metadataIds) as MetadataName[];

const supportedEntitySchema = object({
	name: filledText,
	isSearchable: flag,
	isApplicable: flag,
});

function tooLong(longest: number): string {
	return `is too long; the service accepts at most ${longest} characters`;
}

/** The request body of POST /codes: service.md 6.1. */
const codeSchema = object({
	name: shortText(LONGEST_CODE_NAME, tooLong(LONGEST_CODE_NAME)).refine(
		(name) => !/[/\\]/.test(name),
		{ message: 'must not contain / or \\' },
	),
	description: shortText(LONGEST_CODE_DESCRIPTION, tooLong(LONGEST_CODE_DESCRIPTION)).optional(),
	parentCodeId: recordIdSchema.optional(),
	codeType: filledText.optional(),
	supportedEntities: list(supportedEntitySchema).optional(),
	campaign: object({ campaignId: recordIdSchema }).optional(),
	contactType: object({ contactTypeId: recordIdSchema }).optional(),
	generalLedgerFund: object({ generalLedgerFundId: recordIdSchema }).optional(),
	costCenter: object({ costCenterId: recordIdSchema }).optional(),
	revenueStream: object({ revenueStreamId: recordIdSchema }).optional(),
	mailMergeTemplate: object({ mailMergeTemplateId: recordIdSchema }).optional(),
	isSourceCodeApplicable: flag.optional(),
});

/** What an update may give; the type of a code cannot change (service.md 6.1). */
const codeChangesSchema = codeSchema.omit({ codeType: true }).partial();

export type Code = z.infer<typeof codeSchema>;
type CodeChanges = z.infer<typeof codeChangesSchema>;

/** Set by the service: service.md 6.1. */
const readOnlyNames = ['codeId', 'dateCreated', 'dateModified', 'codePath', 'createdByName'];

const readOnly: ReadOnlyProperties = [
	[/^$/, (name) => readOnlyNames.includes(name)],
	// A record that was read has names and more beside the ID.
	...metadataNames.map((name): ReadOnlyProperties[number] => [
		new RegExp(`^${name}$`),
		(property, of) => property !== metadataIds[name] && metadataIds[name] in of,
	]),
];

const knownProperties = (ofCode: object): KnownProperties => [
	[/^$/, Object.keys(ofCode)],
	[/^supportedEntities\[\d+\]$/, Object.keys(supportedEntitySchema.shape)],
	...metadataNames.map((name): KnownProperties[number] => [
		new RegExp(`^${name}$`),
		[metadataIds[name]],
	]),
];

const codeKind: BodyKind<typeof codeSchema> = {
	schema: codeSchema,
	known: knownProperties(codeSchema.shape),
	readOnly,
};

const codeChangesKind: BodyKind<typeof codeChangesSchema> = {
	schema: codeChangesSchema,
	known: knownProperties(codeChangesSchema.shape),
	readOnly,
};

/** Whether the code type has a fixed set of supported entities. */
export function isSourceCode(codeType: string | null | undefined): boolean {
	return (codeType ?? DEFAULT_CODE_TYPE).toLowerCase() === DEFAULT_CODE_TYPE.toLowerCase();
}

function repeatedEntities(entities: Code['supportedEntities'] = []): BodyProblem[] {
	const names = entities.map(({ name }) => name.toLowerCase());
	return entities.flatMap(({ name }, index) =>
		names.indexOf(name.toLowerCase()) === index
			? []
			: [
					{
						path: ['supportedEntities', index, 'name'],
						text: `"${name}" appears twice. Keep one of them.`,
					},
				],
	);
}

/**
 * Checks a new code. Drops supported entities of a source code: its set is fixed and the service
 * ignores them (service.md 6.1).
 * @returns the body to send, or all its problems
 */
export function checkCode(
	input: unknown,
): { code: Code; dropped: string[] } | { problems: BodyProblem[] } {
	const read = readBody(input, codeKind);
	if ('problems' in read) return read;
	const { supportedEntities, ...code } = read.body;
	const { dropped } = read;
	if (isSourceCode(code.codeType) || !supportedEntities) return { code, dropped };
	const problems = repeatedEntities(supportedEntities);
	return problems.length > 0 ? { problems } : { code: { ...code, supportedEntities }, dropped };
}

/** Fields an update can empty; the name is required. */
export const clearableFields = [
	'description',
	'parentCodeId',
	'supportedEntities',
	'isSourceCodeApplicable',
	...Object.values(metadataIds),
] as const;

export type ClearableField = (typeof clearableFields)[number];

/** The body property of a field that an update can empty. */
function propertyOf(field: ClearableField): keyof CodeChanges {
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
	clear: readonly ClearableField[],
): CheckedCodeChanges | { problems: BodyProblem[] } {
	const { codeType, ...rest } = isObject(input) ? input : { codeType: undefined };
	const read = readBody(isObject(input) ? rest : input, codeChangesKind);
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

function notAvailable(name: string, what: string, known: readonly string[]): string {
	const list = known.length === 0 ? 'none at all' : known.join(', ');
	return `"${name}" is not one of the ${what} this key may use: ${list}.${suggestion(name, known)}`;
}

/**
 * Problems of a code's type: it must be in GET /codeTypes (service.md 6.1).
 * @param available the list; undefined if the key may not read it
 */
export function codeTypeProblems(
	codeType: string | undefined,
	available: readonly string[] | undefined,
): BodyProblem[] {
	const name = codeType ?? DEFAULT_CODE_TYPE;
	if (!available || available.includes(name)) return [];
	return [{ path: ['codeType'], text: notAvailable(name, 'code types', available) }];
}

/**
 * Problems of a tag's entities: they must be in GET /codes/supportedEntities (service.md 6.1).
 * @param available the list; undefined if the key may not read it
 */
export function supportedEntityProblems(
	entities: Code['supportedEntities'] = [],
	available: readonly string[] | undefined,
): BodyProblem[] {
	return entities.flatMap(({ name }, index) =>
		!available || available.includes(name)
			? []
			: [
					{
						path: ['supportedEntities', index, 'name'],
						text: notAvailable(name, 'supported entities', available),
					},
				],
	);
}

/**
 * The ID of a new code. The contract shows no response body for POST /codes (service.md 6.2); known are
 * a bare number, the code, and an empty body with a Location header (service.md 10).
 * @returns undefined if the response has none
 */
export function createdCodeId(response: {
	headers: Record<string, string>;
	body: unknown;
}): number | undefined {
	const { body, headers } = response;
	const inBody = body !== null && typeof body === 'object' && 'codeId' in body ? body.codeId : body;
	const inLocation = /\/codes\/(\d+)\/?(?:[?#]|$)/i.exec(headers.location ?? '')?.[1];
	return wholeId(inBody) ?? wholeId(inLocation);
}

const heldId = <Name extends string>(idName: Name) =>
	z
		.object({ [idName]: recordIdSchema.nullable() } as Record<
			Name,
			z.ZodNullable<typeof recordIdSchema>
		>)
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
		campaign: heldId('campaignId'),
		contactType: heldId('contactTypeId'),
		generalLedgerFund: heldId('generalLedgerFundId'),
		costCenter: heldId('costCenterId'),
		revenueStream: heldId('revenueStreamId'),
		mailMergeTemplate: heldId('mailMergeTemplateId'),
	})
	.passthrough();

export type CodeRecord = z.infer<typeof codeRecordSchema>;

/** Whether an update would clear supported entities because the service did not return them. */
export function hidesSupportedEntities(
	current: CodeRecord,
	changes: CodeChanges,
	clear: readonly ClearableField[],
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
	clear: readonly ClearableField[],
): Record<string, unknown> {
	const held: Record<string, unknown> = { ...current };
	for (const name of metadataNames) {
		const metadata: Record<string, unknown> | null | undefined = current[name];
		const id = metadata?.[metadataIds[name]];
		held[name] = id === undefined || id === null ? null : { [metadataIds[name]]: id };
	}
	held.supportedEntities = current.supportedEntities?.map((entity) => ({
		name: entity.name,
		isSearchable: entity.isSearchable ?? false,
		isApplicable: entity.isApplicable ?? false,
	}));
	const body: Record<string, unknown> = { ...held, ...changes };
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
