import { findKey, mapValues } from 'lodash';
import { z } from 'zod';

import type { HttpResponse } from '../transport/httpRequest';
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
import { repetitions } from './nearestName';
import { type BodyKind, recordSchema } from './requestBody';
import { recordField } from './serviceLists';

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

export const metadataIds = mapValues(metadataFields, ({ fields }) => Object.keys(fields).join());

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
		{ displayName: 'Supported Entities', entry: 'Supported Entity', entryName: 'entity' },
		'The kinds of records the tag can be put on. Source codes have a fixed set: for them, this is not sent.',
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
export const clearableFields = screenFields(clearable);

/** The request body of POST /codes: service.md 6.1. An update may give the same, but not change the type. */
const codeFields = {
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
				'A source code tells where a contribution or contact came from; a tag groups records. Cannot be changed later. The node checks what the key may use before it creates the code.',
		},
	},
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

/** The service ignores the supported entities of a source code, which are fixed. */
const codeSchema = objectOf(codeFields, 'name').transform(({ supportedEntities, ...code }) =>
	isSourceCode(code.codeType) || !supportedEntities ? code : { ...code, supportedEntities },
);

const codeChangesSchema = objectOf(codeFields);

export type CodeChanges = z.output<typeof codeChangesSchema>;
export type Code = CodeChanges & { name: string };

/** Set by the service: service.md 6.1. */
const readOnlyNames = ['codeId', 'dateCreated', 'dateModified', 'codePath', 'createdByName'];

function isReadOnly(place: string, name: string, of: object): boolean {
	if (place === '') return readOnlyNames.includes(name);
	// A record that was read has names and more beside the ID.
	const idName = new Map(Object.entries(metadataIds)).get(place);
	return idName !== undefined && name !== idName && idName in of;
}

export function isSourceCode(codeType: string | null | undefined): boolean {
	return (codeType ?? DEFAULT_CODE_TYPE).toLowerCase() === DEFAULT_CODE_TYPE.toLowerCase();
}

function repeatedEntities({ supportedEntities: entities = [] }: CodeChanges): BodyProblem[] {
	return repetitions(entities.map(({ name }) => name)).map(({ index }) => ({
		path: ['supportedEntities', index, 'name'],
		text: `"${entities[index]?.name}" appears twice. Keep one of them.`,
	}));
}

export const codeForm = { label: 'Code', fields: codeFields };

export const codeBody = {
	...codeForm,
	schema: codeSchema,
	isReadOnly,
	rules: repeatedEntities,
} satisfies BodyKind<typeof codeSchema>;

function propertyOf(field: string): keyof CodeChanges {
	return (findKey(metadataIds, (idName) => idName === field) ?? field) as keyof CodeChanges;
}

/** @param clear fields that the update empties */
export function codeChangesBody(clear: readonly string[]) {
	return {
		...codeForm,
		schema: codeChangesSchema,
		isReadOnly,
		rules: (body) => {
			const { codeType, ...changes } = body;
			const problems = repeatedEntities(body);
			for (const property of clear.map(propertyOf)) {
				if (body[property] === undefined) continue;
				const text = 'is given and also chosen under Clear Fields. Keep one of the two.';
				problems.push({ path: [property], text });
			}
			if (Object.keys(changes).length > 0 || clear.length > 0) return problems;
			const nothing = 'There is nothing to change. Add a field to change, or choose one to clear.';
			const onlyType =
				'cannot be changed. Create a new code of that type, or add a property to change.';
			return codeType === undefined
				? [{ path: [], text: nothing }]
				: [{ path: ['codeType'], text: onlyType }];
		},
	} satisfies BodyKind<typeof codeChangesSchema>;
}

/** A reference in a code that was read, reduced to its ID; null without an ID. */
const storedMetadata = (idName: string) =>
	z
		.object({ [idName]: recordIdSchema.nullable() })
		.nullish()
		.transform((metadata) => (metadata?.[idName] ? metadata : null));

const storedFlag = z
	.boolean()
	.nullish()
	.transform((isOn) => isOn ?? false);

/** A code read back: the part of service.md 6.1 an update must keep. */
export const codeRecordSchema = z
	.object({
		name: z.string(),
		codeType: z.string().nullish(),
		supportedEntities: z
			.array(z.object({ name: z.string(), isSearchable: storedFlag, isApplicable: storedFlag }))
			.nullish(),
		...mapValues(metadataIds, storedMetadata),
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
	const { codeType } = current;
	const body = { ...current, ...changes, codeType };
	const dropped = [
		...readOnlyNames,
		...clear.map(propertyOf),
		...(isSourceCode(codeType) ? ['supportedEntities'] : []),
	];
	return Object.fromEntries(
		Object.entries(body).filter(
			([name, value]) => value !== null && value !== undefined && !dropped.includes(name),
		),
	);
}

/**
 * The ID of a new code, if the response has one: as a bare number, in the code, or in a Location header.
 * The contract shows no response body for POST /codes (service.md 6.2 and 10).
 */
export function createdCodeId({
	body,
	headers,
}: Pick<HttpResponse, 'headers'> & { body: unknown }): number | undefined {
	const { codeId, id } = recordSchema.safeParse([body].flat()[0]).data ?? {};
	const inLocation = /(?:^|\/)codes\/(\d+)\/?(?:[?#]|$)/i.exec(headers.location ?? '')?.[1];
	return [body, codeId, id, inLocation].map(wholeId).find((found) => found !== undefined);
}
