import type { INodeProperties } from 'n8n-workflow';

import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { type FieldValues, nonEmpty } from '../../shared/parameters/parameterValues';
import { collect, parameterLimit, returnAllProperties } from '../../shared/parameters/returnAll';
import { toolOutputFields, toolRecords } from '../../shared/parameters/simplify';
import type { Endpoint } from '../../shared/service/endpoints';
import type { CallValues } from '../../shared/service/nativeService';

/** A read-only list that responses refer to. */
interface Lookup<E extends Endpoint> {
	/** As in the action: `result codes`. */
	entries: string;
	description: string;
	endpoint: E;
	path: CallValues<E>['path'];
	/** False for bare arrays, which have no paging options (service.md 1.2). */
	paged: boolean;
	/** Named as the call's query options. */
	filters: INodeProperties[];
}

function queryValue(value: unknown): string | undefined {
	const entered = nonEmpty(value);
	if (entered === undefined) return undefined;
	return Array.isArray(entered) ? entered.join(',') : String(entered as string | number).trim();
}

export function lookupOperation<E extends Endpoint>(lookup: Lookup<E>): NodeOperation {
	const { entries, description, endpoint, path, paged, filters } = lookup;
	const filterCollection: INodeProperties = {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description: `Which ${entries} to list`,
		options: filters,
	};
	return {
		value: 'getAll',
		name: 'Get Many',
		action: `Get many ${entries}`,
		description,
		calls: [endpoint],
		properties: [
			...returnAllProperties,
			...(filters.length > 0 ? [filterCollection] : []),
			...toolOutputFields,
		],
		async run({ functions, service, itemIndex }) {
			const entered = functions.getNodeParameter('filters', itemIndex, {}) as FieldValues;
			const query = Object.fromEntries(
				filters.map(({ name }): [string, string | undefined] => [name, queryValue(entered[name])]),
			);
			const list = service.list(endpoint, { path, query }, { paged });
			const found = await collect(list, parameterLimit(functions, itemIndex));
			return asItems(toolRecords(functions, itemIndex, found));
		},
	};
}
