import { upperFirst } from 'lodash';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { z } from 'zod';

import type { BodyPath } from './bodyProblem';
import { coded, flag, list, object, recordIdSchema, text } from './bodySchema';

type ScreenField = Omit<INodeProperties, 'name'> & { name?: string };

/** A property of a request body: what the service accepts, and the field for it on the screen. */
export interface BodyField<Schema extends z.ZodTypeAny = z.ZodTypeAny> {
	schema: Schema;
	/** Undefined for a property that only JSON can give, or whose own properties are on the screen. */
	screen?: ScreenField;
	fields?: BodyFields;
	entry?: string;
	/** The value in the body for a value of the field. */
	toBody?: (entered: unknown) => unknown;
	/** The value in every body that is entered as fields. */
	constant?: unknown;
}

type FormField<Schema extends z.ZodTypeAny = z.ZodTypeAny> = BodyField<Schema> & {
	screen: ScreenField;
};

export type BodyFields = Readonly<Record<string, BodyField>>;

type ShapeOf<Fields extends BodyFields, Required> = {
	[Name in keyof Fields]: Name extends Required
		? Fields[Name]['schema']
		: z.ZodOptional<Fields[Name]['schema']>;
};

/** The schema of an object with these properties. Unknown ones are rejected. */
export function objectOf<Fields extends BodyFields, Required extends keyof Fields = never>(
	fields: Fields,
	...required: Required[]
) {
	const names: readonly PropertyKey[] = required;
	const shape = Object.entries(fields).map(([name, { schema }]) => [
		name,
		names.includes(name) ? schema : schema.optional(),
	]);
	return object(Object.fromEntries(shape) as ShapeOf<Fields, Required>);
}

/** The properties a body may have at a place. */
export function propertiesAt(fields: BodyFields, path: BodyPath): string[] {
	const at = path.reduce<BodyFields | undefined>(
		(inner, part) => (typeof part === 'number' ? inner : inner?.[part]?.fields),
		fields,
	);
	return Object.keys(at ?? {});
}

export function screenFields(fields: BodyFields): INodeProperties[] {
	return Object.entries(fields).flatMap(([name, { screen, fields: inner = {} }]) =>
		screen ? [{ name, ...screen }] : screenFields(inner),
	);
}

export function withScreen<Field extends FormField>(
	field: Field,
	changes: Partial<ScreenField>,
): Field {
	return { ...field, screen: { ...field.screen, ...changes } };
}

/** Compares code units: a collator would add 6 ms to the start of n8n. */
const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** In alphabetical order, for a collection. */
export function byLabel(fields: INodeProperties[]): INodeProperties[] {
	return [...fields].sort((a, b) => compareText(a.displayName, b.displayName));
}

/**
 * @param example without "e.g."
 * @param schema for other values than any text
 */
export function textField<Schema extends z.ZodTypeAny = typeof text>(
	displayName: string,
	description: string,
	example?: string,
	schema?: Schema,
): FormField<Schema>;
export function textField(
	displayName: string,
	description: string,
	example = '',
	schema: z.ZodTypeAny = text,
): FormField {
	return {
		schema,
		screen: {
			displayName,
			type: 'string',
			default: '',
			description,
			...(example && { placeholder: `e.g. ${example}` }),
		},
	};
}

export function sameNames<const Word extends string>(words: readonly Word[]) {
	return Object.fromEntries(words.map((word) => [word, word])) as Record<Word, Word>;
}

/** `stateOrProvince` → `State or Province`. */
export function inTitleCase(name: string): string {
	const words = name.replace(/([A-Z]|\d+)/g, ' $1');
	return upperFirst(words.replace(/\bIds\b/, 'IDs').replace(/ Or /g, ' or '));
}

/** @param none the choice that is not sent */
export function choiceField<Code extends string>(
	displayName: string,
	names: Readonly<Record<Code, string>>,
	description: string,
	none = 'Not Set',
) {
	const choices = Object.entries<string>(names).map(([value, name]) => ({ name, value }));
	const options: INodePropertyOptions[] = [{ name: none, value: '' }, ...choices];
	options.sort((a, b) => compareText(a.name, b.name));
	const screen: ScreenField = { displayName, type: 'options', options, default: '', description };
	return { schema: coded(names), screen };
}

export function flagField(
	displayName: string,
	description: string,
	byDefault: boolean,
): FormField<typeof flag> {
	return {
		schema: flag,
		screen: { displayName, type: 'boolean', default: byDefault, description },
	};
}

interface LocatorTexts extends Partial<INodeProperties> {
	displayName: string;
	description: string;
	searchListMethod: string;
	/** Without it, the field takes names only. */
	exampleId?: string;
	exampleName: string;
}

/** @param name of a list in serviceLists, if the service wants an ID where the user gives a name */
export function locatorField(name: string, texts: LocatorTexts) {
	const { searchListMethod, exampleId, exampleName, ...others } = texts;
	const byId = { displayName: 'By ID', name: 'id', type: 'string' as const };
	return {
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		...others,
		name,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			...(exampleId === undefined ? [] : [{ ...byId, placeholder: `e.g. ${exampleId}` }]),
			{ displayName: 'By Name', name: 'name', type: 'string', placeholder: `e.g. ${exampleName}` },
		],
	} satisfies INodeProperties;
}

/** A property that is an object with one ID: `{ pronounId: 7 }`. */
export function idObjectField<Name extends string>(idName: Name, screen: ScreenField) {
	return {
		schema: object({ [idName]: recordIdSchema } as Record<Name, typeof recordIdSchema>),
		screen,
		fields: { [idName]: { schema: recordIdSchema } },
		toBody: (id: unknown) => ({ [idName]: id }),
	};
}

/** A list of objects with one ID, entered as a text with commas. */
export function idListField<Name extends string>(idName: Name, screen: ScreenField) {
	const entry = idObjectField(idName, screen);
	return {
		...entry,
		schema: list(entry.schema),
		toBody: (ids: unknown) =>
			String(ids ?? '')
				.split(',')
				.map((id) => id.trim())
				.filter((id) => id !== '')
				.map((id) => ({ [idName]: id })),
	};
}

/** @param values the fields of an entry, if the screen has others too */
export function listField<Schema extends z.ZodTypeAny>(
	{ displayName, entry, entryName }: Record<'displayName' | 'entry' | 'entryName', string>,
	description: string,
	fields: BodyFields,
	schema: Schema,
	values = screenFields(fields),
): FormField<Schema> {
	const screen: ScreenField = {
		displayName,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${entry}`,
		default: {},
		description,
		options: [{ displayName: entry, name: entryName, values }],
	};
	return { schema, screen, fields, entry };
}
