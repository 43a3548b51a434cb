import { lowerFirst } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod';

import { type BodyField, type BodyFields, screenFields } from '../service/bodyField';
import { type BodyPath, type BodyProblem, jsonPath } from '../service/bodyProblem';
import { InvalidInput, type Problem } from '../service/invalidInput';
import { type BodyForm, type BodyKind, isObject, readBody } from '../service/requestBody';
import { entries, type FieldValues, locatorValue } from './enteredFields';
import type { ItemParameters } from './itemParameters';
import { type JudgedValue, judgedBody } from './judgedBody';

/** `defineResponse` */
function defineName(label: string): string {
	return `define${label.split(' ').at(-1) ?? ''}`;
}

/** `canvassResponseJson` */
function jsonName(label: string): string {
	return `${lowerFirst(label.replaceAll(' ', ''))}Json`;
}

const jsonLabel = (label: string): string => `${label} (JSON)`;

/** Fields that show only if the body is entered as fields. */
export function usingFields({ label }: BodyForm, fields: INodeProperties[]): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: { show: { [defineName(label)]: ['fields'], ...field.displayOptions?.show } },
	}));
}

/** `Define Person` and `Person (JSON)`. The description is of the latter. */
export function fieldsOrJson({ label }: BodyForm, description: string): INodeProperties[] {
	const define = defineName(label);
	const noun = define.slice('define'.length);
	return [
		{
			displayName: `Define ${noun}`,
			name: define,
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Using Fields Below', value: 'fields' },
				{ name: 'Using JSON', value: 'json' },
			],
			default: 'fields',
			description: `How you enter the ${noun.toLowerCase()}. Both are checked in the same way before anything is sent.`,
		},
		{
			displayName: jsonLabel(label),
			name: jsonName(label),
			type: 'json',
			typeOptions: { rows: 10 },
			default: '',
			required: true,
			displayOptions: { show: { [define]: ['json'] } },
			description,
		},
	];
}

/** Whether the values beside a field show it; a value that is not there hides nothing. */
function isShown({ screen }: BodyField, values: FieldValues): boolean {
	return Object.entries(screen?.displayOptions?.show ?? {}).every(
		([name, shownFor]) => !(name in values) || shownFor?.some((value) => value === values[name]),
	);
}

/** What entries from an expression may lack: fields that only decide which others are shown. */
function defaultsBeside(
	fields: BodyFields,
	{ options = [] }: Pick<INodeProperties, 'options'>,
): FieldValues {
	const [option] = options;
	const shown = option && 'values' in option ? option.values : [];
	return Object.fromEntries(
		shown.filter(({ name }) => !(name in fields)).map((field) => [field.name, field.default]),
	);
}

function valueOf({ screen, fields, toBody = (entered) => entered }: BodyField, entered: unknown) {
	const kind = screen?.options?.[0]?.name ?? '';
	if (!fields || (screen?.type !== 'fixedCollection' && screen?.type !== 'collection'))
		return toBody(locatorValue(entered));
	if (screen.typeOptions?.multipleValues)
		return entries(entered, kind).map((entry) =>
			bodyOf(fields, { ...defaultsBeside(fields, screen), ...entry }),
		);
	const values = isObject(entered) ? entered : {};
	const inside = screen.type === 'collection' ? values : values[kind];
	return bodyOf(fields, isObject(inside) ? inside : {});
}

/** The body of what the user entered in its fields, by name. */
export function bodyOf(fields: BodyFields, values: FieldValues): FieldValues {
	return Object.fromEntries(
		Object.entries(fields).flatMap(([property, field]): Array<[string, unknown]> => {
			const { screen, fields: inner } = field;
			if (field.constant !== undefined) return [[property, field.constant]];
			if (screen) {
				const entered = values[screen.name ?? property];
				return isShown(field, values) ? [[property, valueOf(field, entered)]] : [];
			}
			return inner ? [[property, bodyOf(inner, values)]] : [];
		}),
	);
}

/** Where the screen shows a place of the body, if not where its fields say: by {@link jsonPath}. */
type Places = Readonly<Record<string, string>>;

/** A place of the body in the words on the screen: `Action 1 → Mapping Type 2 → Column Name`. */
export function placeOnScreen(
	{ label, fields }: BodyForm,
	path: BodyPath,
	places: Places = {},
): string {
	let words: string[] = [];
	let at: BodyFields | undefined = fields;
	let entry: string | undefined;
	path.forEach((part, index) => {
		const place = places[jsonPath(path.slice(0, index + 1))];
		if (typeof part === 'number') {
			if (entry !== undefined) words.splice(-1, 1, `${entry} ${part + 1}`);
		} else {
			const field: BodyField | undefined = at?.[part];
			const word = field ? field.screen?.displayName : part;
			// A field that is named like its entry says nothing new.
			if (word !== undefined && word !== entry) words.push(word);
			entry = field?.entry;
			at = field?.fields;
		}
		if (place !== undefined) words = [place];
	});
	return words.join(' → ') || label;
}

function usesJson(parameters: ItemParameters, { label }: BodyForm): boolean {
	return parameters.choice(defineName(label), ['fields', 'json']) === 'json';
}

/** Problems with their places on the screen, or in the entered JSON. */
export function problemsOnScreen(
	parameters: ItemParameters,
	form: BodyForm,
	problems: readonly BodyProblem[],
	places?: Places,
): Problem[] {
	const inJson = (path: BodyPath): string =>
		[jsonLabel(form.label), jsonPath(path)].filter((part) => part !== '').join(' → ');
	const isJson = usesJson(parameters, form);
	return problems.map(({ path, text }) => ({
		field: isJson ? inJson(path) : placeOnScreen(form, path, places),
		text,
	}));
}

interface EnteredBody {
	input: unknown;
	places?: Places;
}

function fromParameters(parameters: ItemParameters, fields: BodyFields): EnteredBody {
	const names = screenFields(fields).map(({ name }) => name);
	const values = Object.fromEntries(names.map((name) => [name, parameters.value(name)]));
	return { input: bodyOf(fields, values) };
}

/**
 * The checked body of one item, which is entered as fields or as JSON, and what of it is not sent, or not as
 * it was entered.
 * Throws InvalidInput naming every problem in the words on the screen.
 * @param fromFields reads the fields, if they are not the parameters of their names
 * @param adapt changes what was entered either way, before the check
 */
export function bodyInput<Schema extends z.ZodTypeAny>(
	parameters: ItemParameters,
	body: BodyKind<Schema>,
	fromFields = (): EnteredBody => fromParameters(parameters, body.fields),
	adapt = (input: unknown): unknown => input,
): { body: z.output<Schema>; dropped: string[]; judged: JudgedValue[] } {
	const { input, places }: EnteredBody = usesJson(parameters, body)
		? { input: parameters.json(jsonName(body.label)) }
		: fromFields();
	const judged: JudgedValue[] = [];
	const read = readBody(
		judgedBody(adapt(input), body.fields, (value) => judged.push(value)),
		body,
	);
	if (!('problems' in read)) return { ...read, judged };
	throw new InvalidInput(problemsOnScreen(parameters, body, read.problems, places));
}
