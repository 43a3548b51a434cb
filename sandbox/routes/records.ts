import { z } from 'zod';
import {
	notFound,
	numericId,
	page,
	PAGING_PARAMETERS,
	type ApiResponse,
	type ApiCall,
	type Route,
} from './apiCall';
import { parseBody } from '../wire/requestBody';
import { RequestRejected } from '../wire/requestRejected';
import type { StoredContribution } from '../store/tenantStore';
import { strictObject } from '../wire/strictObject';

type StoredRecord = Record<string, unknown>;

/** `events` → `eventId`. */
function idName(resource: string): string {
	return `${resource.replace(/ies$/, 'y').replace(/s$/, '')}Id`;
}

function recordsOf(call: ApiCall): Map<number, StoredRecord> {
	const records = call.store.records.get(call.params.resource ?? '');
	if (!records) throw notFound();
	return records;
}

/** Any JSON object; the interface does not show the fields of these resources. */
function recordInput(call: ApiCall): StoredRecord {
	const input = parseBody(z.record(z.unknown()), call.body, call.vocabulary);
	const name = idName(call.params.resource ?? '');
	const id = input[name];
	if (id !== undefined && String(id) !== call.params.id) {
		throw RequestRejected.badRequest(`'${name}' is read-only`, [name]);
	}
	return input;
}

function recordOfPath(call: ApiCall): [number, StoredRecord] {
	const records = recordsOf(call);
	const id = numericId(call.params.id);
	const record = records.get(id);
	if (!record) throw notFound();
	return [id, record];
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
	const input = recordInput(call);
	const id = call.store.nextId('record');
	const record = { [idName(call.params.resource ?? '')]: id, ...input };
	records.set(id, record);
	return {
		status: 201,
		headers: { location: `${call.baseUrl}/${call.params.resource}/${id}` },
		body: record,
	};
}

/** PUT replaces: what is left out is gone, as the deployment does for codes (service.md 6.2). */
function replace(call: ApiCall): ApiResponse {
	const [id] = recordOfPath(call);
	const input = recordInput(call);
	recordsOf(call).set(id, { ...input, [idName(call.params.resource ?? '')]: id });
	return { status: 204 };
}

function patch(call: ApiCall): ApiResponse {
	const [id, record] = recordOfPath(call);
	recordsOf(call).set(id, { ...record, ...recordInput(call) });
	return { status: 204 };
}

function remove(call: ApiCall): ApiResponse {
	const [id] = recordOfPath(call);
	recordsOf(call).delete(id);
	return { status: 204 };
}

const contributionSchema = strictObject({
	nativeId: z.number().int(),
	amount: z.number(),
	dateReceived: z.string().regex(/^\d{4}-\d\d-\d\d/, '{name} is not an ISO 8601 date'),
	designation: z.string().nullable().optional(),
});

function contributionOfPath(call: ApiCall): StoredContribution {
	const contribution = call.store.contributions.get(numericId(call.params.contributionId));
	if (!contribution) throw notFound();
	return contribution;
}

function contributionInput(call: ApiCall, existing?: StoredContribution) {
	const body = existing
		? {
				...contributionBase(existing, call),
				...parseBody(z.record(z.unknown()), call.body, {
					...call.vocabulary,
					personId: 'nativeId',
				}),
			}
		: call.body;
	const input = parseBody(contributionSchema, body, call.vocabulary);
	if (!call.store.people.has(input.nativeId)) {
		throw RequestRejected.badRequest(
			`'${call.vocabulary.personId}' is not a person of this tenant`,
			[call.vocabulary.personId],
		);
	}
	return { ...input, designation: input.designation ?? null };
}

function contributionBase(contribution: StoredContribution, call: ApiCall): StoredRecord {
	const { nativeId, amount, dateReceived, designation } = contribution;
	return { [call.vocabulary.personId]: nativeId, amount, dateReceived, designation };
}

function createContribution(call: ApiCall): ApiResponse {
	const contribution: StoredContribution = {
		contributionId: call.store.nextId('contribution'),
		...contributionInput(call),
		fields: {},
	};
	call.store.contributions.set(contribution.contributionId, contribution);
	return {
		status: 201,
		headers: { location: `${call.baseUrl}/contributions/${contribution.contributionId}` },
		body: contribution,
	};
}

function replaceContribution(call: ApiCall): ApiResponse {
	Object.assign(contributionOfPath(call), contributionInput(call));
	return { status: 204 };
}

function patchContribution(call: ApiCall): ApiResponse {
	const contribution = contributionOfPath(call);
	Object.assign(contribution, contributionInput(call, contribution));
	return { status: 204 };
}

function removeContribution(call: ApiCall): ApiResponse {
	call.store.contributions.delete(contributionOfPath(call).contributionId);
	return { status: 204 };
}

/** The general conventions of service.md 1.1 for resources without rules of their own. */
export const recordRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: '/contributions',
		query: PAGING_PARAMETERS,
		handle: (call) => page(call, [...call.store.contributions.values()]),
	},
	{ method: 'POST', path: '/contributions', handle: createContribution },
	{
		method: 'GET',
		path: '/contributions/:contributionId',
		handle: (call) => ({ status: 200, body: contributionOfPath(call) }),
	},
	{ method: 'PUT', path: '/contributions/:contributionId', handle: replaceContribution },
	{ method: 'PATCH', path: '/contributions/:contributionId', handle: patchContribution },
	{ method: 'DELETE', path: '/contributions/:contributionId', handle: removeContribution },
	{ method: 'GET', path: '/:resource', query: 'any', handle: list },
	{ method: 'POST', path: '/:resource', handle: create },
	{
		method: 'GET',
		path: '/:resource/:id',
		handle: (call) => ({ status: 200, body: recordOfPath(call)[1] }),
	},
	{ method: 'PUT', path: '/:resource/:id', handle: replace },
	{ method: 'PATCH', path: '/:resource/:id', handle: patch },
	{ method: 'DELETE', path: '/:resource/:id', handle: remove },
];
