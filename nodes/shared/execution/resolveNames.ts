import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { NativeService } from '../service/nativeService';
import { ServiceError } from '../service/serviceErrors';
import { rethrow } from '../transport/rethrow';
import { replaceConstant } from './constantParameters';
import { type NamedEntry, type NamedField, type NamedList, namedLists } from './namedLists';
import { NameIndex } from './nameIndex';
import type { ItemContext } from './operation';

const listsOfRun = new WeakMap<NativeService, Map<NamedField, Promise<NamedEntry[]>>>();
const indexesOfRun = new WeakMap<NativeService, Map<string, NameIndex>>();

async function readEntries(
	service: NativeService,
	{ label, endpoint, path, paged, entriesOf }: NamedList,
): Promise<NamedEntry[]> {
	const entries: NamedEntry[] = [];
	try {
		for await (const entry of service.list(endpoint, { path }, { paged })) {
			entries.push(...entriesOf(entry));
		}
	} catch (error) {
		if (!(error instanceof ServiceError)) rethrow(error);
		const { description } = error.details;
		const hint = `Without this list, ${label} cannot be given By Name. Use By ID.`;
		rethrow(error.with({ description: `${description} ${hint}` }));
	}
	return entries;
}

/** The entries of a list, read once per run by the first item that needs them. */
async function readEntriesOnce(service: NativeService, field: NamedField): Promise<NamedEntry[]> {
	const lists = listsOfRun.get(service) ?? new Map<NamedField, Promise<NamedEntry[]>>();
	listsOfRun.set(service, lists);
	const reading = lists.get(field) ?? readEntries(service, namedLists[field]);
	lists.set(field, reading);
	return await reading;
}

/**
 * The names of a list, built once per run.
 * @param questionId leaves out responses to other questions, which may have the same names
 */
async function indexNames(
	service: NativeService,
	field: NamedField,
	questionId: string,
): Promise<NameIndex> {
	const entries = await readEntriesOnce(service, field);
	const indexes = indexesOfRun.get(service) ?? new Map<string, NameIndex>();
	indexesOfRun.set(service, indexes);
	const key = `${field} ${questionId}`;
	const index =
		indexes.get(key) ??
		new NameIndex(
			namedLists[field].label,
			questionId === ''
				? entries
				: entries.filter((entry) => String(entry.questionId) === questionId),
		);
	indexes.set(key, index);
	return index;
}

type FieldValues = Record<string, unknown>;

interface Locator {
	__rl: true;
	mode: string;
	value: unknown;
}

function isLocator(value: unknown): value is Locator {
	return value !== null && typeof value === 'object' && '__rl' in value && 'mode' in value;
}

function hasList(name: string): name is NamedField {
	return name in namedLists;
}

/** A copy of a parameter with IDs in place of names. */
async function resolveIds(
	service: NativeService,
	name: string,
	value: unknown,
	beside: FieldValues = {},
): Promise<unknown> {
	if (isLocator(value)) {
		if (!hasList(name) || value.mode !== 'name') return value;
		const entered = String(value.value ?? '').trim();
		if (entered === '') return value;
		const question = isLocator(beside.surveyQuestionId)
			? beside.surveyQuestionId.value
			: beside.surveyQuestionId;
		const questionId = name === 'surveyResponseId' ? String(question ?? '') : '';
		const index = await indexNames(service, name, questionId);
		const id = index.idOf(entered);
		return { ...value, mode: 'id', value: id };
	}
	if (Array.isArray(value)) {
		return await Promise.all(value.map(async (each) => await resolveIds(service, name, each)));
	}
	if (value === null || typeof value !== 'object') return value;
	if (Object.getPrototypeOf(value) !== Object.prototype) return value;
	const resolved: FieldValues = {};
	// One after the other: a survey response is looked up among those of its question.
	const keys = Object.keys(value).sort(
		(a, b) => Number(a === 'surveyResponseId') - Number(b === 'surveyResponseId'),
	);
	for (const key of keys) {
		const each = (value as FieldValues)[key];
		resolved[key] = await resolveIds(service, key, each, {
			...(value as FieldValues),
			...resolved,
		});
	}
	return resolved;
}

/** Whether a field accepts a name anywhere. */
function takesName({ name, type, modes, options = [] }: INodeProperties): boolean {
	if (type === 'resourceLocator')
		return hasList(name) && (modes ?? []).some((mode) => mode.name === 'name');
	return options.some((option) =>
		'values' in option ? option.values.some(takesName) : 'type' in option && takesName(option),
	);
}

/** The parameters of an operation that accept a name. */
export function namedParameters(properties: INodeProperties[]): string[] {
	return [...new Set(properties.filter(takesName).map(({ name }) => name))];
}

/** Whether a value holds the name of a record in place of its ID. */
function holdsName(value: unknown): boolean {
	if (isLocator(value)) return value.mode === 'name';
	return value !== null && typeof value === 'object' && Object.values(value).some(holdsName);
}

/** Whether the user named a record of this item. */
export function hasNames({ functions, itemIndex }: ItemContext, parameters: string[]): boolean {
	return parameters.some((name) => holdsName(functions.getNodeParameter(name, itemIndex, null)));
}

/**
 * The item with the ID of each record the user named. A failed lookup is thrown when its parameter is
 * read: parameters of another choice are never read.
 */
export async function resolveNames(item: ItemContext, parameters: string[]): Promise<ItemContext> {
	const { functions, service, itemIndex } = item;
	const resolved = new Map<string, { value: unknown } | { error: unknown }>();
	for (const name of parameters) {
		const entered: unknown = functions.getNodeParameter(name, itemIndex, null);
		// Null for a hidden parameter.
		if (entered === null) continue;
		try {
			const value = await resolveIds(service, name, entered);
			if (!replaceConstant(functions, name, value)) resolved.set(name, { value });
		} catch (error) {
			resolved.set(name, { error });
		}
	}
	if (resolved.size === 0) return item;
	const getNodeParameter = (name: string, index: number, ...rest: unknown[]): unknown => {
		const result = index === itemIndex ? resolved.get(name) : undefined;
		if (!result) return functions.getNodeParameter(name, index, ...(rest as []));
		if ('error' in result) throw result.error as Error;
		return result.value;
	};
	const own = Object.create(functions, { getNodeParameter: { value: getNodeParameter } });
	return { ...item, functions: own as IExecuteFunctions };
}
