import {
	type INodeProperties,
	type INodePropertyOptions,
	isINodeProperties,
	isINodePropertyCollection,
	isINodePropertyOptions,
	type NodeParameterValueType,
} from 'n8n-workflow';

import { fieldsByPath } from '../../nodes/shared/parameters/itemParameters';
import { code, prose, sentence } from './markdown';

/** What the kinds of n8n's parameters are to whoever fills them in. */
const kinds: Partial<Record<INodeProperties['type'], string>> = {
	boolean: 'switch',
	collection: 'optional fields',
	dateTime: 'date and time',
	json: 'JSON',
	multiOptions: 'choices',
	number: 'number',
	options: 'choice',
	resourceLocator: 'list or by hand',
	resourceMapper: 'fields of the chosen mapping types',
	string: 'text',
};

/** The values of a parameter that a user chooses from. */
function choices({ type, options = [] }: INodeProperties): INodePropertyOptions[] {
	if (type !== 'options' && type !== 'multiOptions') return [];
	return options.filter(isINodePropertyOptions);
}

function kindOf({ type, typeOptions }: INodeProperties): string {
	if (type === 'fixedCollection') return typeOptions?.multipleValues ? 'list' : 'group of fields';
	if (type === 'string' && typeOptions?.password) return 'text, hidden';
	const kind = kinds[type];
	if (kind === undefined)
		throw new Error(`Parameters of the kind "${type}" have no words in parameterList.ts yet.`);
	return kind;
}

/** Options that are something else until they are added. */
const DEFAULT_ONCE_ADDED = ['tryFirst', 'correctRejected', 'maxWait', 'expand'];

/**
 * Whether leaving out an optional field is something else than its default: fields of a body are then not
 * sent.
 */
export function isDefaultOnceAdded(name: string, collection = ''): boolean {
	return (collection !== '' && collection !== 'options') || DEFAULT_ONCE_ADDED.includes(name);
}

function shownDefault(property: INodeProperties): string | undefined {
	const { default: given } = property;
	if (typeof given === 'boolean') return given ? 'on' : 'off';
	const nameOf = (value: unknown): string =>
		prose(choices(property).find((choice) => choice.value === value)?.name ?? String(value));
	if (Array.isArray(given)) return given.length > 0 ? given.map(nameOf).join(', ') : undefined;
	if (typeof given === 'number') return String(given);
	if (typeof given !== 'string') return undefined;
	if (given.startsWith('=')) return code(given.slice(1));
	if (given === '' && choices(property).every(({ value }) => value !== '')) return undefined;
	return choices(property).length > 0 ? nameOf(given) : code(given);
}

/**
 * When a parameter is shown, as far as its neighbours decide it.
 * @param neighbours parameters of the same level, then of those around it
 */
function shownWhen(
	{ displayOptions }: INodeProperties,
	neighbours: readonly INodeProperties[],
): string | undefined {
	const { show = {}, hide = {} } = displayOptions ?? {};
	const conditions = Object.entries({ ...show, ...hide }).flatMap(([path, values]) => {
		if (path === 'resource' || path === 'operation') return [];
		if (path === '@tool') return path in show ? ['the node is a tool of an AI agent'] : [];
		const name = path.replace(/^\//, '');
		const neighbour = new Map(fieldsByPath(neighbours)).get(name);
		if (!neighbour) throw new Error(`"${path}" decides what is shown, but is no parameter.`);
		const words = (values as NodeParameterValueType[]).map((value) => {
			if (typeof value === 'boolean') return value ? 'on' : 'off';
			// Conditions of n8n's: `{ _cnd: { exists: true } }` asks for any value.
			if (typeof value === 'object') return 'filled in';
			return choices(neighbour).find((choice) => choice.value === value)?.name ?? String(value);
		});
		// No parameter is hidden by a value that it cannot have.
		if (path in hide && choices(neighbour).every(({ name }) => !words.includes(name))) return [];
		const verb = path in hide ? 'is not' : 'is';
		return [`_${prose(neighbour.displayName)}_ ${verb} ${prose(words.join(' or '))}`];
	});
	return conditions.length > 0 ? `Shown when ${conditions.join(' and ')}.` : undefined;
}

function range({ typeOptions }: INodeProperties): string | undefined {
	const { minValue, maxValue } = typeOptions ?? {};
	if (minValue !== undefined && maxValue !== undefined) return `from ${minValue} to ${maxValue}`;
	if (minValue !== undefined) return `from ${minValue}`;
	return maxValue === undefined ? undefined : `up to ${maxValue}`;
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

function choiceLines(property: INodeProperties): string[] {
	const list = choices(property);
	if (list.every(({ description }) => description === undefined)) return [];
	return list.map(
		({ name, value, description = '' }) =>
			`- _${prose(name)}_ (${code(String(value))})${description === '' ? '' : `: ${sentence(prose(description))}`}`,
	);
}

/** Choices without descriptions take one sentence together. */
function choiceSentence(property: INodeProperties): string | undefined {
	const list = choices(property);
	if (list.length === 0 || list.some(({ description }) => description !== undefined))
		return undefined;
	const words = list
		.filter(({ value }) => value !== '')
		.map(({ name, value }) =>
			String(value) === name ? prose(name) : `${prose(name)} (${code(String(value))})`,
		);
	return `Choices: ${words.join(', ')}.`;
}

function childLines(property: INodeProperties, around: readonly INodeProperties[]): string[] {
	const { type, options = [] } = property;
	if (type === 'collection')
		return parameterList(options.filter(isINodeProperties), around, property.name);
	if (type !== 'fixedCollection') return [];
	const groups = options.filter(isINodePropertyCollection);
	return groups.length === 1
		? groups.flatMap(({ values }) => parameterList(values, around))
		: groups.flatMap(({ displayName, values }) => [
				`- **${prose(displayName)}**`,
				...indented(parameterList(values, around)),
			]);
}

/**
 * Parameters as nested lists, each with its name on the screen, its name in expressions and exported
 * workflows, its kind, and when it is shown.
 * @param around parameters of the levels above, which may decide what is shown
 * @param collection whose optional fields they are
 */
export function parameterList(
	properties: readonly INodeProperties[],
	around: readonly INodeProperties[] = [],
	collection?: string,
): string[] {
	const neighbours = [...properties, ...around];
	return properties.flatMap((property) => {
		const { displayName, name, type, description = '', placeholder = '', required } = property;
		if (type === 'hidden') return [];
		if (type === 'notice') {
			const when = shownWhen(property, neighbours);
			return [`- ${sentence(prose(displayName))}${when ? ` ${when}` : ''}`];
		}
		const given = shownDefault(property);
		const facts = [
			kindOf(property),
			range(property),
			...(required ? ['required'] : []),
			...(given === undefined
				? []
				: [isDefaultOnceAdded(name, collection) ? `${given} once added` : `default ${given}`]),
		].filter((fact) => fact !== undefined);
		// Most are plain text.
		const shownFacts = facts.join() === 'text' ? '' : ` (${facts.join('; ')})`;
		const example = /^e\.g\. (.+)$/.exec(placeholder)?.[1];
		const sentences = [
			sentence(prose(description)),
			choiceSentence(property),
			example === undefined ? undefined : `Example: ${code(example)}.`,
			shownWhen(property, neighbours),
		].filter((text) => text !== undefined && text !== '');
		return [
			`- **${prose(displayName)}** ${code(name)}${shownFacts}${sentences.length > 0 ? `: ${sentences.join(' ')}` : ''}`,
			...indented([...choiceLines(property), ...childLines(property, neighbours)]),
		];
	});
}
