import { partition } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import { type FieldValues, isLocator, locatorValue } from '../parameters/enteredFields';
import type { ItemParameters } from '../parameters/itemParameters';
import { InvalidInput } from '../service/invalidInput';
import type { NativeService } from '../service/nativeService';
import { comparableName } from '../service/nearestName';
import { isObject } from '../service/requestBody';
import { ServiceError } from '../service/serviceErrors';
import { type ListSource, recordLists } from '../service/serviceLists';
import { rethrow } from '../transport/rethrow';
import { ServiceList } from './serviceList';

const lists: ReadonlyMap<string, ListSource> = new Map(Object.entries(recordLists));

/** The fields of a parameter that accept a name, with their labels. */
function namedFields({
	name,
	displayName,
	type,
	modes,
	options = [],
}: INodeProperties): string[][] {
	if (type === 'resourceLocator')
		return lists.has(name) && modes?.some((mode) => mode.name === 'name')
			? [[name, displayName]]
			: [];
	return options.flatMap((option) => {
		if ('values' in option) return option.values.flatMap(namedFields);
		return 'type' in option ? namedFields(option) : [];
	});
}

/** Whether a value holds the name of a record in place of its ID. */
function holdsName(value: unknown): boolean {
	if (isLocator(value)) return value.mode === 'name';
	return value !== null && typeof value === 'object' && Object.values(value).some(holdsName);
}

/** Finds the IDs of records that the user named in the parameters of an operation. */
export class RecordNames {
	private readonly parameters: string[] = [];
	private readonly labels = new Map<string, string>();

	constructor(
		private readonly service: NativeService,
		properties: INodeProperties[],
	) {
		for (const property of properties) {
			const fields = namedFields(property);
			if (fields.length > 0) this.parameters.push(property.name);
			for (const [name = '', label = ''] of fields) this.labels.set(name, label);
		}
	}

	/** Whether there is a name, or a value that cannot be read: waiting for each item would block n8n. */
	areIn(item: ItemParameters): boolean {
		return this.parameters.some((name) => {
			try {
				return holdsName(item.value(name));
			} catch {
				return true;
			}
		});
	}

	/** Puts the ID of each record that the user named in place of its name. */
	async resolveIn(item: ItemParameters): Promise<void> {
		for (const name of this.parameters)
			await item.replace(name, async (entered) =>
				holdsName(entered) ? await this.resolveIds(name, entered, {}) : entered,
			);
	}

	/** @param beside the other fields of a collection */
	private async resolveIds(name: string, value: unknown, beside: FieldValues): Promise<unknown> {
		if (isLocator(value))
			return value.mode === 'name' ? await this.resolveLocator(name, value, beside) : value;
		if (Array.isArray(value))
			return await Promise.all(value.map(async (each) => await this.resolveIds(name, each, {})));
		if (!isObject(value)) return value;
		const resolved: FieldValues = { ...value };
		// In sequence: a survey response is looked up among those of its question.
		const [first, last] = partition(Object.keys(value), (key) => !lists.get(key)?.parent);
		for (const key of [...first, ...last])
			resolved[key] = await this.resolveIds(key, value[key], resolved);
		return resolved;
	}

	private async resolveLocator(
		field: string,
		locator: { value: unknown },
		beside: FieldValues,
	): Promise<unknown> {
		const source = lists.get(field);
		if (!source) return locator;
		const name = String(locator.value ?? '').trim();
		// An invisible name does not count.
		if (comparableName(name) === '') return { ...locator, value: name === '' ? locator.value : '' };
		const label = this.labels.get(field) ?? field;
		const list = await this.read(source, label);
		const parentId = locatorValue(beside[source.parent ?? '']);
		const id = list.idOfName(name, parentId);
		if (id !== undefined) return { ...locator, mode: 'id', value: id };
		const text = await list.describeProblem(name, '', parentId);
		throw new InvalidInput([{ field: label, text }]);
	}

	private async read(source: ListSource, label: string): Promise<ServiceList> {
		try {
			return await ServiceList.read(this.service, source);
		} catch (error) {
			if (!(error instanceof ServiceError)) rethrow(error);
			const { description } = error.details;
			const hint = `Without this list, ${label} cannot be given By Name. Use By ID.`;
			rethrow(error.with({ description: `${description} ${hint}` }));
		}
	}
}
