import { z } from 'zod';
import {
	bodyOf,
	created,
	found,
	NO_CONTENT,
	numericId,
	ok,
	page,
	route,
	type ApiResponse,
	type ApiCall,
	type Route,
} from './apiCall';
import { badRequest } from '../wire/requestRejected';
import { strictObject } from '../wire/schemas';

type StoredRecord = Record<string, unknown>;

/** `events` → `eventId`. */
function idName(resource = ''): string {
	return `${resource.replace(/ies$/, 'y').replace(/s$/, '')}Id`;
}

function recordsOf({ params, store }: ApiCall): Map<number, StoredRecord> {
	return found(store.records.get(params.resource ?? ''));
}

/** Resources that take these properties alone; the interface does not show the fields of the others. */
const SCHEMAS: Record<string, z.AnyZodObject | undefined> = {
	contributions: strictObject({
		nativeId: z.number().int(),
		amount: z.number(),
		dateReceived: z.string().regex(/^\d{4}-\d\d-\d\d/, '{name} is not an ISO 8601 date'),
		designation: z.string().nullable().default(null),
	}),
};

/** @param isPatch whether properties may be left out */
function recordInput(call: ApiCall, isPatch = false): StoredRecord {
	const { resource = '', id: ownId } = call.params;
	const schema = SCHEMAS[resource];
	if (schema) {
		const { personId } = call.vocabulary;
		const input = bodyOf(call, isPatch ? schema.partial() : schema);
		if (typeof input.nativeId === 'number' && !call.store.people.has(input.nativeId))
			throw badRequest(`'${personId}' is not a person of this tenant`, [personId]);
		return input;
	}
	const input = bodyOf(call, z.record(z.unknown()));
	const name = idName(resource);
	const id = input[name];
	if (id !== undefined && String(id) !== ownId) throw badRequest(`'${name}' is read-only`, [name]);
	return input;
}

function recordOfPath(call: ApiCall): [number, StoredRecord] {
	const records = recordsOf(call);
	const id = numericId(call.params.id);
	return [id, found(records.get(id))];
}

/** `$orderby=<prop> [desc]` and equality filters by property name. */
function list(call: ApiCall): ApiResponse {
	const { $orderby } = call.query;
	const filters = Object.entries(call.query).filter(([name]) => !name.startsWith('$'));
	const known = SCHEMAS[call.params.resource ?? '']?.shape;
	for (const [name] of filters)
		if (known && !(name in known)) throw badRequest(`'${name}' is not a property`, [name]);
	const records = [...recordsOf(call).values()].filter((record) =>
		filters.every(([name, value]) => String(record[name]) === value),
	);
	if ($orderby !== undefined) {
		const [property = '', direction] = $orderby.split(' ');
		records.sort((a, b) => String(a[property]).localeCompare(String(b[property])));
		if (direction === 'desc') records.reverse();
	}
	return page(call, records);
}

function create(call: ApiCall): ApiResponse {
	const records = recordsOf(call);
	const { resource } = call.params;
	const input = recordInput(call);
	const id = call.store.nextId(resource === 'contributions' ? 'contribution' : 'record');
	const record = { [idName(resource)]: id, ...input };
	records.set(id, record);
	return created(call, `/${resource}/${id}`, record);
}

/** PUT replaces: what is left out is gone, as the deployment does for codes (service.md 6.2). */
function replace(call: ApiCall): ApiResponse {
	const [id] = recordOfPath(call);
	recordsOf(call).set(id, { ...recordInput(call), [idName(call.params.resource)]: id });
	return NO_CONTENT;
}

function patch(call: ApiCall): ApiResponse {
	const [id, record] = recordOfPath(call);
	recordsOf(call).set(id, { ...record, ...recordInput(call, true) });
	return NO_CONTENT;
}

function remove(call: ApiCall): ApiResponse {
	const [id] = recordOfPath(call);
	recordsOf(call).delete(id);
	return NO_CONTENT;
}

/** The general conventions of service.md 1.1 for resources without rules of their own. */
export const recordRoutes: readonly Route[] = [
	route('GET', '/:resource', list, { query: 'any' }),
	route('POST', '/:resource', create),
	route('GET', '/:resource/:id', (call) => ok(recordOfPath(call)[1])),
	route('PUT', '/:resource/:id', replace),
	route('PATCH', '/:resource/:id', patch),
	route('DELETE', '/:resource/:id', remove),
];
