import type { FastifyInstance, FastifyRequest } from 'fastify';
import { faultSchema, type FaultRequest } from './faults';
import { maximumInOneSecond } from './tenants/rateGate';
import { parseBody } from './wire/requestBody';
import type { RequestLogEntry } from './requestLog';
import { notFound } from './wire/requestRejected';
import type { Sandboxed } from './sandboxState';
import { tenantChangeSchema, type Tenant, type TenantChange } from './tenants/tenants';
import { vocabularyOf } from './wire/vocabulary';

function bucketStats(entries: readonly RequestLogEntry[]) {
	const groups = new Map<string, RequestLogEntry[]>();
	for (const entry of entries) {
		if (entry.tenant === null || entry.bucket === null) continue;
		const name = `${entry.tenant}\n${entry.bucket}`;
		const group = groups.get(name) ?? [];
		group.push(entry);
		groups.set(name, group);
	}
	return [...groups].map(([name, group]) => {
		const [tenant = '', bucket = ''] = name.split('\n');
		const admitted = group.filter((entry) => entry.admitted).map((entry) => entry.atMs);
		const admittedPerSecond: number[] = [];
		for (const time of admitted) {
			const second = Math.floor((time - (admitted[0] ?? time)) / 1000);
			admittedPerSecond[second] = (admittedPerSecond[second] ?? 0) + 1;
		}
		return {
			tenant,
			/** Category, or kind of endpoint with the legacy tier. */
			bucket,
			admitted: admitted.length,
			rejected: group.length - admitted.length,
			/** The largest number in any window of one second. */
			maximumAdmittedInOneSecond: maximumInOneSecond(admitted),
			maximumArrivedInOneSecond: maximumInOneSecond(group.map((entry) => entry.atMs)),
			/** One entry per whole second since the first call. */
			admittedPerSecond: Array.from(admittedPerSecond, (count) => count ?? 0),
		};
	});
}

/** The entries of all lists and maps in a value. */
function countEntries(value: unknown): number {
	if (value === null || typeof value !== 'object') return 0;
	const isList = Array.isArray(value) || value instanceof Map;
	const entries: unknown[] = isList ? [...value.values()] : Object.values(value);
	return entries.reduce<number>(
		(sum, entry) => sum + countEntries(entry),
		isList ? entries.length : 0,
	);
}

/** Control of a running sandbox; the endpoints under `/_sandbox/` do the same. Tenants go by name or key. */
export function sandboxControl(state: Sandboxed) {
	const tenantOf = (nameOrKey: string): Tenant => {
		const tenant = state.tenants.find(
			(held) => held.name === nameOrKey || held.key === nameOrKey.toLowerCase(),
		);
		if (!tenant) throw notFound('There is no such tenant.');
		return tenant;
	};
	const storeOf = (nameOrKey: string) => tenantOf(nameOrKey).store(1);
	const jobs = (nameOrKey: string) =>
		tenantOf(nameOrKey)
			.bulkImports(1)
			.flatMap((service) => service.jobs());
	return {
		requests: () => state.log.entries,
		clearRequests: () => state.log.clear(),
		/** @returns what takes the fault away again, used up or not */
		addFault: (fault: FaultRequest) => state.faults.add(fault),
		clearFaults: () => state.faults.clear(),
		/** Back to the start: data, jobs, files, faults, log, rate counters and tenant settings. */
		reset: () => {
			state.resets++;
			state.tenants.forEach((tenant) => tenant.reset());
			state.faults.clear();
			state.log.clear();
			state.drop.clear();
			state.resultLinks.clear();
		},
		updateTenant: (nameOrKey: string, change: TenantChange) => tenantOf(nameOrKey).change(change),
		people: (nameOrKey: string) => [...storeOf(nameOrKey).people.values()],
		codes: (nameOrKey: string) => [...storeOf(nameOrKey).codes.values()],
		canvassResponses: (nameOrKey: string) => [...storeOf(nameOrKey).canvassResponses],
		jobs,
		/** Everything a tenant holds, down to the notes of a person: shows what a call adds. */
		size: (nameOrKey: string) => {
			const { setup, nextId, ...records } = storeOf(nameOrKey);
			return countEntries(records) + jobs(nameOrKey).length;
		},
		expireResults: () => state.resultLinks.expireAll(),
		stats: () => ({
			requests: state.log.entries.length,
			status429: state.log.entries.filter((entry) => entry.status === 429).length,
			/** Requests that carried the API key where it must not go. */
			leakedCredentials: state.log.leakedCredentials,
			buckets: bucketStats(state.log.entries),
		}),
	};
}

export type SandboxControl = ReturnType<typeof sandboxControl>;

interface TenantParameter {
	Params: { tenant: string };
}

/** The control endpoints: no authentication, and reachable from this machine only, as all of it. */
export function registerControl(app: FastifyInstance, control: SandboxControl): void {
	const neutral = vocabularyOf('Native');
	const addEffect = (
		method: 'POST' | 'PATCH' | 'DELETE',
		url: string,
		effect: (request: FastifyRequest<TenantParameter>) => void,
	) =>
		app.route<TenantParameter>({
			method,
			url,
			handler: async (request, reply) => {
				effect(request);
				return reply.code(204).send();
			},
		});
	addEffect('DELETE', '/requests', () => control.clearRequests());
	addEffect('POST', '/faults', ({ body }) => {
		control.addFault(parseBody(faultSchema, body, neutral));
	});
	addEffect('DELETE', '/faults', () => control.clearFaults());
	addEffect('POST', '/reset', () => control.reset());
	addEffect('POST', '/expire-results', () => control.expireResults());
	addEffect('PATCH', '/tenants/:tenant', ({ body, params }) =>
		control.updateTenant(params.tenant, parseBody(tenantChangeSchema, body, neutral)),
	);
	app.get('/requests', async () => control.requests());
	app.get('/stats', async () => control.stats());
	for (const kind of ['people', 'codes', 'canvassResponses', 'jobs'] as const) {
		app.get<TenantParameter>(`/tenants/:tenant/${kind}`, async (request) =>
			control[kind](request.params.tenant),
		);
	}
}
