import { z } from 'zod';
import {
	bodyOf,
	created,
	found,
	NO_CONTENT,
	numericId,
	ok,
	page,
	PAGING_PARAMETERS,
	route,
	type ApiResponse,
	type ApiCall,
	type Route,
} from './apiCall';
import { badRequest } from '../wire/requestRejected';
import type { StoredContribution } from '../store/tenantStore';
import { strictObject } from '../wire/schemas';

type StoredRecord = Record<string, unknown>;

/** `events` → `eventId`. */
function idName(resource = ''): string {
	return `${resource.replace(/ies$/, 'y').replace(/s$/, '')}Id`;
}

function recordsOf({ params, store }: ApiCall): Map<number, StoredRecord> {
	return found(store.records.get(params.resource ?? ''));
}

/** Any JSON object; the interface does not show the fields of these resources. */
function recordInput(call: ApiCall): StoredRecord {
	const input = bodyOf(call, z.record(z.unknown()));
	const name = idName(call.params.resource);
	const id = input[name];
	if (id !== undefined && String(id) !== call.params.id) {
		throw badRequest(`'${name}' is read-only`, [name]);
	}
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
	const id = call.store.nextId('record');
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
	recordsOf(call).set(id, { ...record, ...recordInput(call) });
	return NO_CONTENT;
}

function remove(call: ApiCall): ApiResponse {
	const [id] = recordOfPath(call);
	recordsOf(call).delete(id);
	return NO_CONTENT;
}

const contributionSchema = strictObject({
	nativeId: z.number().int(),
	amount: z.number(),
	dateReceived: z.string().regex(/^\d{4}-\d\d-\d\d/, '{name} is not an ISO 8601 date'),
	designation: z.string().nullable().default(null),
});

function contributionInput<Schema extends z.ZodType<{ nativeId?: number }, z.ZodTypeDef, unknown>>(
	call: ApiCall,
	schema: Schema,
): z.output<Schema> {
	const { personId } = call.vocabulary;
	const input = bodyOf(call, schema);
	if (input.nativeId !== undefined && !call.store.people.has(input.nativeId)) {
		throw badRequest(`'${personId}' is not a person of this tenant`, [personId]);
	}
	return input;
}

function contributionOfPath({ params, store }: ApiCall): StoredContribution {
	return found(store.contributions.get(numericId(params.id)));
}

function createContribution(call: ApiCall): ApiResponse {
	const contribution: StoredContribution = {
		contributionId: call.store.nextId('contribution'),
		...contributionInput(call, contributionSchema),
	};
	call.store.contributions.set(contribution.contributionId, contribution);
	return created(call, `/contributions/${contribution.contributionId}`, contribution);
}

function replaceContribution(call: ApiCall): ApiResponse {
	Object.assign(contributionOfPath(call), contributionInput(call, contributionSchema));
	return NO_CONTENT;
}

function patchContribution(call: ApiCall): ApiResponse {
	Object.assign(contributionOfPath(call), contributionInput(call, contributionSchema.partial()));
	return NO_CONTENT;
}

function removeContribution(call: ApiCall): ApiResponse {
	call.store.contributions.delete(contributionOfPath(call).contributionId);
	return NO_CONTENT;
}

/** The general conventions of service.md 1.1 for resources without rules of their own. */
export const recordRoutes: readonly Route[] = [
	route('GET', '/contributions', (call) => page(call, [...call.store.contributions.values()]), {
		query: PAGING_PARAMETERS,
	}),
	route('POST', '/contributions', createContribution),
	route('GET', '/contributions/:id', (call) => ok(contributionOfPath(call))),
	route('PUT', '/contributions/:id', replaceContribution),
	route('PATCH', '/contributions/:id', patchContribution),
	route('DELETE', '/contributions/:id', removeContribution),
	route('GET', '/:resource', list, { query: 'any' }),
	route('POST', '/:resource', create),
	route('GET', '/:resource/:id', (call) => ok(recordOfPath(call)[1])),
	route('PUT', '/:resource/:id', replace),
	route('PATCH', '/:resource/:id', patch),
	route('DELETE', '/:resource/:id', remove),
];
