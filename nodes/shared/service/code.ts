import type { z } from 'zod';

import {
	flagField,
	idObjectField,
	listField,
	locatorField,
	objectOf,
	textField,
} from './bodyField';
import type { BodyProblem } from './bodyProblem';
import { filledText, list, recordIdSchema, shortText, wholeId } from './bodySchema';
import { repetitions, suggestion } from './nearestName';
import { readBody, type ReadOnlyProperties } from './requestBody';
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
export const DEFAULT_CODE_TYPE = 'SourceCode';

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

export type MetadataName = keyof typeof metadataFields;
export const metadataNames = Object.keys(metadataFields) as MetadataName[];

/** The ID that each holds. */
export const metadataIds = Object.fromEntries(
	metadataNames.map((name) => [name, Object.keys(metadataFields[name].fields).join()]),
) as Record<MetadataName, string>;

/** Properties that an update can empty. */
export const clearable = {
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

export const codeChangesSchema = objectOf(changeableFields);

export type Code = z.infer<typeof codeSchema>;
export type CodeChanges = z.infer<typeof codeChangesSchema>;

/** Set by the service: service.md 6.1. */
export const readOnlyNames = ['codeId', 'dateCreated', 'dateModified', 'codePath', 'createdByName'];

export const readOnly: ReadOnlyProperties = [
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

export function repeatedEntities(entities: Code['supportedEntities'] = []): BodyProblem[] {
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
