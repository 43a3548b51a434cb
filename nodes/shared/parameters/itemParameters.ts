import { get, isPlainObject, mapValues } from 'lodash';
import type { INodeProperties, NodePropertyTypes } from 'n8n-workflow';

import { flagOf } from '../service/bodySchema';
import { InvalidInput } from '../service/invalidInput';
import { isObject } from '../service/requestBody';
import { rethrow } from '../transport/rethrow';
import { entries, Fields, type FieldValues, locatorValue } from './enteredFields';
import { isFromModel, modelValue } from './modelValues';

/** Fields by path, also those in collections: `returnAll`, `options.dryRun`, `safetyOptions.firstRows.try.stopAbove`. */
export function fieldsByPath(
	properties: readonly INodeProperties[],
	folder = '',
): Array<[path: string, field: INodeProperties]> {
	return properties.flatMap((field): Array<[string, INodeProperties]> => {
		const path = `${folder}${field.name}`;
		const inside = insideOf(field).flatMap(([name, fields]) =>
			fieldsByPath(fields, `${path}.${name}`),
		);
		return [[path, field], ...inside];
	});
}

/** The fields in a field, by the path to them: none in a list, whose entries each have theirs. */
function insideOf({
	type,
	options = [],
	typeOptions,
}: INodeProperties): Array<[path: string, fields: INodeProperties[]]> {
	if (type === 'collection')
		return [['', options.flatMap((option) => ('type' in option ? option : []))]];
	if (type !== 'fixedCollection' || typeOptions?.multipleValues) return [];
	return options.flatMap(
		(kind): Array<[string, INodeProperties[]]> =>
			'values' in kind ? [[`${kind.name}.`, kind.values]] : [],
	);
}

/** What features and operations call all that is optional, wherever the screen shows it. */
const OPTIONS = 'options';

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return value !== null && typeof value === 'object' && Object.values(value).some(hasExpression);
}

/** Undefined for an empty switch. Throws InvalidInput for a value that is not true or false. */
function readSwitch(value: unknown, { displayName }: INodeProperties): boolean | undefined {
	const flag = value === '' ? undefined : (flagOf(value) ?? undefined);
	if (flag === undefined || typeof flag === 'boolean') return flag;
	throw new InvalidInput([
		{ field: displayName, text: `"${String(value)}" is not true or false.` },
	]);
}

/** What is taken as it is, with all of its objects. */
const DATA_TYPES: readonly NodePropertyTypes[] = ['json', 'resourceMapper'];
const NO_TEXT = 'has an object that cannot be read as text. Check what its expression returns.';

export const WITHOUT_VALUE =
	'is an expression without a value, so it would have no effect. Correct it.';

/** Whether each object in a value can be written as text: a form may send `{"toString":1}`, which cannot. */
function hasText(value: unknown): boolean {
	if (!Array.isArray(value) && !isPlainObject(value)) return true;
	try {
		String(value);
		return Object.values(value as object).every(hasText);
	} catch {
		return false;
	}
}

/** The parameters of an operation for all items of a run. One without an expression is read once. */
export class RunParameters {
	private readonly fields: Map<string, INodeProperties>;
	/** The paths of what has fields inside. */
	private readonly folders: ReadonlySet<string>;
	/** Where the screen shows each field, if the options are in groups. */
	private readonly places: ReadonlyMap<string, string>;
	private readonly constants = new Map<string, unknown>();
	private readonly results = new Map<unknown, unknown>();
	/** How often a value was read that may differ between items. */
	private itemReads = 0;

	/**
	 * @param entered the parameters of the node, with expressions
	 * @param evaluate gives the value of one for an item
	 */
	constructor(
		properties: INodeProperties[],
		readonly entered: FieldValues,
		private readonly evaluate: (name: string, itemIndex: number) => unknown,
	) {
		const fields = fieldsByPath(properties);
		this.fields = new Map(fields);
		this.folders = new Set(fields.flatMap(([path]) => foldersAbove(path)));
		this.places = placesOf(fields);
	}

	get hasGroups(): boolean {
		return this.places.size > 0;
	}

	/** Where the screen has a field: `options.runKey` and `runKey` may be in a group. */
	placeOf(path: string): string {
		const [name = '', ...inside] = path.replace(`${OPTIONS}.`, '').split('.');
		const place = this.places.get(name);
		return place === undefined ? path : [place, ...inside].join('.');
	}

	ofItem(itemIndex: number): ItemParameters {
		return new ItemParameters(this, itemIndex);
	}

	labelOf(path: string): string {
		return this.fields.get(this.placeOf(path))?.displayName ?? path;
	}

	read(name: string, itemIndex: number): unknown {
		if (this.constants.has(name)) return this.constants.get(name);
		const given = modelValue(this.entered[name], this.evaluate(name, itemIndex) ?? undefined);
		const value = this.withSwitches(name, given);
		const isData = DATA_TYPES.includes(this.fields.get(name)?.type ?? 'json');
		if (!isData && !hasText(value))
			throw new InvalidInput([{ field: this.labelOf(name), text: NO_TEXT }]);
		if (hasExpression(this.entered[name])) this.itemReads++;
		else this.constants.set(name, value);
		return value;
	}

	/** Replaces a value that is the same for all items; returns false for another. */
	replaceConstant(name: string, value: unknown): boolean {
		if (!this.constants.has(name)) return false;
		this.constants.set(name, value);
		return true;
	}

	countItemRead(): void {
		this.itemReads++;
	}

	once<T>(read: (parameters: ItemParameters) => T, item: ItemParameters): T {
		if (this.results.has(read)) return this.results.get(read) as T;
		const readsBefore = this.itemReads;
		const result = read(item);
		if (this.itemReads === readsBefore) this.results.set(read, result);
		return result;
	}

	/** A switch is true or false: an expression may give the text "false", and any text is truthy. */
	private withSwitches(path: string, value: unknown): unknown {
		const field = this.fields.get(path);
		if (field?.type === 'boolean') return readSwitch(value, field);
		if (!this.folders.has(path) || !isObject(value)) return value;
		return mapValues(value, (entered, name) => this.withSwitches(`${path}.${name}`, entered));
	}
}

/** `a.b.c` → `a`, `a.b`. */
function foldersAbove(path: string): string[] {
	const names = path.split('.').slice(0, -1);
	return names.map((_, index) => names.slice(0, index + 1).join('.'));
}

/** Empty where one collection has all options. */
function placesOf(fields: ReadonlyArray<[path: string, field: INodeProperties]>) {
	const hasOne = fields.some(([path]) => path === OPTIONS);
	return new Map(hasOne ? [] : fields.map(([path, { name }]) => [name, path]));
}

/** The parameters of an operation for one item, with expressions evaluated. */
export class ItemParameters extends Fields {
	private readonly replaced = new Map<string, { value: unknown } | { error: unknown }>();

	constructor(
		private readonly run: RunParameters,
		readonly itemIndex: number,
	) {
		super();
	}

	value(name: string): unknown {
		const [place = name, ...inside] = this.run.hasGroups
			? this.run.placeOf(name).split('.')
			: [name];
		if (inside.length > 0) return get(this.value(place), inside) ?? undefined;
		const replaced = this.replaced.get(name);
		if (!replaced) return this.run.read(name, this.itemIndex);
		this.run.countItemRead();
		if ('error' in replaced) return rethrow(replaced.error);
		return replaced.value;
	}

	labelOf(path: string): string {
		return this.run.labelOf(path);
	}

	/** The options of an operation may be in several groups. */
	override in(collection: string): Fields {
		const isInGroups = collection === OPTIONS && this.run.hasGroups;
		return isInGroups ? this : super.in(collection);
	}

	/** A parameter, or a field of a collection (`options.runKey`), with its expression unevaluated. */
	unevaluated(path: string): unknown {
		return get(this.run.entered, this.run.placeOf(path));
	}

	/** The entries of a collection, with their expressions unevaluated. */
	unevaluatedEntries(path: string, kind: string): FieldValues[] {
		return entries(this.unevaluated(path), kind);
	}

	override json(name: string): unknown {
		const value = super.json(name);
		const entered = this.unevaluated(name);
		// A model may have given parts of its text.
		return isFromModel(entered) ? modelValue(entered, value) : value;
	}

	/** Throws InvalidInput for a field of a collection whose expression gives nothing. */
	requireValues(collection: string, names: readonly string[]): void {
		const fields = this.in(collection);
		for (const name of names) {
			const isGiven = (locatorValue(fields.value(name)) ?? undefined) !== undefined;
			if (isGiven || !hasExpression(this.unevaluated(`${collection}.${name}`))) continue;
			throw new InvalidInput([{ field: fields.labelOf(name), text: WITHOUT_VALUE }]);
		}
	}

	/**
	 * Replaces a parameter, for all items if it is the same for all. An error is thrown where the parameter
	 * is read: those of another choice are never read.
	 */
	async replace(name: string, work: (entered: unknown) => Promise<unknown>): Promise<void> {
		try {
			const value = await work(this.value(name));
			if (!this.run.replaceConstant(name, value)) this.replaced.set(name, { value });
		} catch (error) {
			this.replaced.set(name, { error });
		}
	}

	/** What `read` gives of these parameters alone: read once for all items if none has an expression. */
	once<T>(read: (parameters: ItemParameters) => T): T {
		return this.run.once(read, this);
	}
}
