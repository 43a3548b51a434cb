import { z } from 'zod';

import {
	flagField,
	idObjectField,
	listField,
	locatorField,
	objectOf,
	screenFields,
	textField,
} from './bodyField';
import type { BodyProblem } from './bodyProblem';
import { filledText, list, recordIdSchema, shortText, wholeId } from './bodySchema';
import { repetitions, sameName, suggestion } from './nearestName';
import { isObject, readBody, type ReadOnlyProperties } from './requestBody';
import { recordField } from './serviceLists';

/** The field for a code to read, change or apply. */
export const codeIdField = {
	...recordField(
		'codeId',
		'The code: chosen from the list, by its name, or by the ID the service gave it',
	),
	required: true,
};

/** Lengths of service.md 6.1. */
const LONGEST_CODE_NAME = 50;
const LONGEST_CODE_DESCRIPTION = 200;

/** The service's default: service.md 6.1. */
const DEFAULT_CODE_TYPE = 'SourceCode';

const supportedEntityFields = {
	name: {
		schema: filledText,
		screen: locatorField('name', {
			displayName: 'Name',
			searchListMethod: 'searchSupportedEntities',
			exampleName: 'Events',
			description: 'The kind of record, e.g. Events or Locations',
		}),
	},
	isSearchable: flagField(
		'Is Searchable',
		'Whether records of this kind can be searched by the tag',
		true,
	),
	isApplicable: flagField(
		'Is Applicable',
		'Whether the tag can be put on records of this kind',
		true,
	),
};

function tooLong(longest: number): string {
	return `is too long; the service accepts at most ${longest} characters`;
}

const metadataField = <Name extends string>(displayName: string, idName: Name, what: string) =>
	idObjectField(idName, {
		...textField(displayName, `Number of ${what} the source code belongs to`, '1501').screen,
		name: idName,
	});

/** The metadata of a source code: each an object that holds one ID (service.md 6.1). */
const metadataFields = {
	campaign: idObjectField(
		'campaignId',
		recordField('campaignId', 'The campaign the source code belongs to'),
	),
	contactType: idObjectField(
		'contactTypeId',
		recordField('contactTypeId', 'The contact type the source code belongs to'),
	),
	costCenter: metadataField('Cost Center ID', 'costCenterId', 'the cost center'),
	generalLedgerFund: metadataField(
		'General Ledger Fund ID',
		'generalLedgerFundId',
		'the general ledger fund',
	),
	mailMergeTemplate: metadataField(
		'Mail Merge Template ID',
		'mailMergeTemplateId',
		'the mail merge template',
	),
	revenueStream: metadataField('Revenue Stream ID', 'revenueStreamId', 'the revenue stream'),
};

type MetadataName = keyof typeof metadataFields;
export const metadataNames = Object.keys(metadataFields) as MetadataName[];

/** The ID that each holds. */
export const metadataIds = Object.fromEntries(
	metadataNames.map((name) => [name, Object.keys(metadataFields[name].fields).join()]),
) as Record<MetadataName, string>;

/** Properties that an update can empty. */
const clearable = {
	description: textField(
		'Description',
		`What the code is for. At most ${LONGEST_CODE_DESCRIPTION} characters.`,
		'April letter to all donors',
		shortText(LONGEST_CODE_DESCRIPTION, tooLong(LONGEST_CODE_DESCRIPTION)),
	),
	parentCodeId: {
		schema: recordIdSchema,
		screen: recordField(
			'parentCodeId',
			'The tag that this tag belongs under. Leave empty for a tag at the top level.',
		),
	},
	supportedEntities: listField(
		{
			displayName: 'Supported Entities',
			entry: { displayName: 'Supported Entity', name: 'entity' },
			description:
				'The kinds of records the tag can be put on. Source codes have a fixed set: for them, this is not sent.',
		},
		supportedEntityFields,
		list(objectOf(supportedEntityFields, 'name', 'isSearchable', 'isApplicable')),
	),
	...metadataFields,
	isSourceCodeApplicable: flagField(
		'Is Source Code Applicable',
		'Whether the source code can be put on records',
		true,
	),
};

/** What an update may give; the type of a code cannot change (service.md 6.1). */
export const changeableFields = {
	name: textField(
		'Name',
		`Name of the code: at most ${LONGEST_CODE_NAME} characters, no / and no \\. The service accepts the same name more than once.`,
		'Spring appeal',
		shortText(LONGEST_CODE_NAME, tooLong(LONGEST_CODE_NAME)).refine((name) => !/[/\\]/.test(name), {
			message: 'must not contain / or \\',
		}),
	),
	...clearable,
};

/** The request body of POST /codes: service.md 6.1. */
export const codeFields = {
	codeType: {
		schema: filledText,
		screen: {
			displayName: 'Code Type',
			type: 'options' as const,
			options: [
				{ name: 'Source Code', value: DEFAULT_CODE_TYPE },
				{ name: 'Tag', value: 'Tag' },
			],
			default: DEFAULT_CODE_TYPE,
			description:
				'A source code tells where a contribution or contact came from; a tag groups records. Cannot be changed later. Checked against what the key may use before the code is created.',
		},
	},
	...changeableFields,
};

const codeSchema = objectOf(codeFields, 'name');

const codeChangesSchema = objectOf(changeableFields);

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

/** Whether the code type has a fixed set of supported entities. */
export function isSourceCode(codeType: string | null | undefined): boolean {
	return (codeType ?? DEFAULT_CODE_TYPE).toLowerCase() === DEFAULT_CODE_TYPE.toLowerCase();
}

function repeatedEntities(entities: Code['supportedEntities'] = []): BodyProblem[] {
	return repetitions(entities.map(({ name }) => name)).map(({ index }) => ({
		path: ['supportedEntities', index, 'name'],
		text: `"${entities[index]?.name}" appears twice. Keep one of them.`,
	}));
}

/**
 * Checks a new code. Drops supported entities of a source code: its set is fixed and the service
 * ignores them (service.md 6.1).
 * @returns the body to send, or all its problems
 */
export function checkCode(
	input: unknown,
): { code: Code; dropped: string[] } | { problems: BodyProblem[] } {
	const read = readBody(input, { schema: codeSchema, fields: codeFields, readOnly });
	if ('problems' in read) return read;
	const { supportedEntities, ...code } = read.body;
	const { dropped } = read;
	if (isSourceCode(code.codeType) || !supportedEntities) return { code, dropped };
	const problems = repeatedEntities(supportedEntities);
	return problems.length > 0 ? { problems } : { code: { ...code, supportedEntities }, dropped };
}

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
