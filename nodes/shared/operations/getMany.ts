import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	asItems,
	type ItemContext,
	type NodeOperation,
	type NodeResource,
} from '../execution/operation';
import { TimeSlice } from '../execution/timeSlice';
import { showHint } from '../execution/showHint';
import type { Fields } from '../parameters/enteredFields';
import type { ItemParameters } from '../parameters/itemParameters';
import { simplifyFields, simplifyIfAsked, toolOutputFields } from '../parameters/simplify';
import { textField } from '../service/bodyField';
import {
	type Endpoint,
	prepareCall,
	type PreparedCall,
	type QueryValues,
} from '../service/endpoints';
import type { NativeService } from '../service/nativeService';
import { isObject } from '../service/requestBody';
import { ServiceError } from '../service/serviceErrors';
import { rethrow } from '../transport/rethrow';

export const returnAllProperties: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

/** Throws InvalidInput for a limit that is not a number from 1. */
export function parameterLimit(parameters: ItemParameters): number {
	return parameters.flag('returnAll') ? Number.POSITIVE_INFINITY : parameters.whole('limit', 50);
}

interface GetMany extends Partial<Pick<NodeOperation, 'value' | 'name' | 'action'>> {
	entries: string;
	description: string;
	/** The list, or a list that depends on the fields of the item. */
	list: Endpoint | { calls: NodeOperation['calls']; call: (item: ItemContext) => PreparedCall };
	/** Whether its entries may be in a property of any name. */
	anyName?: boolean;
	/** Plain names, records, or records with many empty properties, which Simplify leaves out. */
	holds?: 'names' | 'records' | 'sparseRecords';
	/** Above Return All. */
	fields?: INodeProperties[];
	/** Below Limit; a list without them gets no collection of filters. */
	filters?: INodeProperties[];
	/** The query options of the filters; by default, they have the same names. */
	query?: (filters: Fields) => QueryValues;
	/** Adds to an error of the list what only the operation knows. */
	addHint?: (error: ServiceError) => ServiceError;
}

const outputFields = { names: [], records: toolOutputFields, sparseRecords: simplifyFields };

function filterCollection(entries: string, options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description: `Which ${entries} to list`,
		options,
	};
}

/** @param example without "e.g." */
export function textFilter(
	displayName: string,
	name: string,
	example: string,
	description: string,
): INodeProperties {
	return { name, ...textField(displayName, description, example).screen };
}

function sameNames(filters: INodeProperties[]): NonNullable<GetMany['query']> {
	// The comma of a text is part of it.
	const read = (entered: Fields, { name, type }: INodeProperties): string =>
		type === 'multiOptions' ? entered.names(name).join(',') : entered.text(name);
	return (entered) =>
		Object.fromEntries(filters.map((filter) => [filter.name, read(entered, filter)]));
}

/** @param plain property for an entry that is a plain value, such as a name */
export function entryOutput(service: NativeService, entry: unknown, plain = 'value'): IDataObject {
	const shown = service.redactor.value(entry);
	return isObject(shown) ? shown : ({ [plain]: shown } as IDataObject);
}

export function getManyOperation({
	entries,
	description,
	list,
	anyName = false,
	holds = 'records',
	fields = [],
	filters = [],
	query = sameNames(filters),
	addHint = (error) => error,
	...texts
}: GetMany): NodeOperation {
	const { calls, call } =
		'call' in list ? list : { calls: [list], call: () => prepareCall(list, { path: {} }) };
	return {
		value: 'getAll',
		name: 'Get Many',
		action: `Get many ${entries}`,
		...texts,
		description,
		calls,
		properties: [
			...fields,
			...returnAllProperties,
			...outputFields[holds],
			...(filters.length > 0 ? [filterCollection(entries, filters)] : []),
		],
		async run(item) {
			const { parameters, service } = item;
			const limit = parameterLimit(parameters);
			// Without one of its filters, a list would be that of other records.
			parameters.requireValues('filters', Object.keys(parameters.fields('filters')));
			const { endpoint, ...values } = call(item);
			const found = service.list(
				endpoint,
				{ ...values, query: { ...values.query, ...query(parameters.in('filters')) } },
				(message) => showHint(item.functions, message, 'warning'),
				anyName,
			);
			const slice = new TimeSlice(service.signal);
			const otherwise = holds === 'sparseRecords' ? 'simplified' : 'raw';
			const output: IDataObject[] = [];
			try {
				for await (const entry of found) {
					if (slice.isOver) await slice.yield();
					const record = entryOutput(service, entry, holds === 'names' ? 'name' : 'value');
					output.push(simplifyIfAsked(parameters, record, otherwise));
					// The rest of the list is not read.
					if (output.length >= limit) break;
				}
				return asItems(output);
			} catch (error) {
				return rethrow(error instanceof ServiceError ? addHint(error) : error);
			}
		},
	};
}

export function listedResource(value: string, name: string, list: GetMany): NodeResource {
	return { value, name, operations: [getManyOperation(list)] };
}
