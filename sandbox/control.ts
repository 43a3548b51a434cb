import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { faultSchema, type FaultRequest } from './faults';
import { maximumInOneSecond } from './tenants/rateGate';
import { parseBody } from './wire/requestBody';
import type { RequestLogEntry } from './requestLog';
import { RequestRejected } from './wire/requestRejected';
import type { Sandboxed } from './sandboxState';
import type { StoredCanvassResponse, StoredCode, StoredPerson } from './store/tenantStore';
import type { JobRecord } from './bulkImport/bulkImportService';
import type { Tenant } from './tenants/tenants';
import { vocabularyOf } from './wire/vocabulary';
import { strictObject } from './wire/schemas';

const limit = z.number().int().min(0);
const tierSchema = z.union([
	z.enum(['startup', 'standard', 'preferred', 'custom', 'legacy']),
	strictObject({ high: limit, medium: limit, low: limit, monthly: limit.nullable() }),
]);

const tenantChangeSchema = z
	.object({
		tier: tierSchema.optional(),
		styles: z
			.object({
				matchResponses: z.enum(['redirect', 'stub', 'person']),
				matchUpdates: z.boolean(),
				codeResponses: z.enum(['integer', 'object', 'location']),
				mappingTypeResponses: z.enum(['envelope', 'array']),
				bulkImportJobList: z.boolean(),
				peopleUpdatedByPost: z.boolean(),
				jobDescriptions: z.boolean(),
				webhooks: z.boolean(),
				findOrCreateGapMs: z.number().min(0),
			})
			.partial()
			.strict()
			.optional(),
		rejected: z.array(z.string().regex(/^([A-Z]+ )?\//)).optional(),
		monthlyRequests: limit.nullish(),
		maxConcurrentRequests: limit.nullish(),
		maxZipMegabytes: z.union([z.literal(20), z.literal(100)]).optional(),
	})
	.strict();

/** Settings to change; what is left out stays. */
export type TenantChange = z.output<typeof tenantChangeSchema>;

interface BucketStats {
	tenant: string;
	/** Category, or kind of endpoint with the legacy tier. */
	bucket: string;
	admitted: number;
	rejected: number;
	/** The largest number of admitted calls in any window of one second. */
	maximumAdmittedInOneSecond: number;
	/** The same for all calls, rejected ones included. */
	maximumArrivedInOneSecond: number;
	/** Admitted calls by whole second since the first call. */
	admittedPerSecond: number[];
}

export interface SandboxStats {
	requests: number;
	status429: number;
	/** Requests that carried the API key where it must not go. */
	leakedCredentials: number;
	buckets: BucketStats[];
}

/** Control of a running sandbox; the endpoints under `/_sandbox/` do the same. */
export interface SandboxControl {
	requests(): RequestLogEntry[];
	clearRequests(): void;
	/** @returns what takes the fault away again, used up or not */
	addFault(fault: FaultRequest): () => void;
	clearFaults(): void;
	/** Back to the seed: data, jobs, files, faults, log and rate counters. Tenant settings stay. */
	reset(): void;
	/** @param tenant name or key */
	updateTenant(tenant: string, change: TenantChange): void;
	people(tenant: string): StoredPerson[];
	codes(tenant: string): StoredCode[];
	canvassResponses(tenant: string): StoredCanvassResponse[];
	jobs(tenant: string): JobRecord[];
	expireResults(): void;
	stats(): SandboxStats;
}

function bucketStats(entries: readonly RequestLogEntry[]): BucketStats[] {
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
			bucket,
			admitted: admitted.length,
			rejected: group.length - admitted.length,
			maximumAdmittedInOneSecond: maximumInOneSecond(admitted),
			maximumArrivedInOneSecond: maximumInOneSecond(group.map((entry) => entry.atMs)),
			admittedPerSecond: Array.from(admittedPerSecond, (count) => count ?? 0),
		};
	});
}

export function sandboxControl(state: Sandboxed): SandboxControl {
	const tenantOf = (nameOrKey: string): Tenant => {
		const tenant = state.tenants.find(
			(held) => held.name === nameOrKey || held.key === nameOrKey.toLowerCase(),
		);
		if (!tenant) {
			throw new RequestRejected(404, [{ code: 'NOT_FOUND', text: 'There is no such tenant.' }]);
		}
		return tenant;
	};
	const storeOf = (nameOrKey: string) => tenantOf(nameOrKey).store(1);
	return {
		requests: () => state.log.entries,
		clearRequests: () => state.log.clear(),
		addFault: (fault) => state.faults.add(fault),
		clearFaults: () => state.faults.clear(),
		reset: () => {
			state.tenants.forEach((tenant) => tenant.reset());
			state.faults.clear();
			state.log.clear();
			state.drop.clear();
			state.resultLinks.clear();
		},
		updateTenant: (nameOrKey, { styles, ...change }) => {
			const tenant = tenantOf(nameOrKey);
			tenant.settings = {
				...tenant.settings,
				...change,
				styles: { ...tenant.settings.styles, ...styles },
			};
		},
		people: (nameOrKey) => [...storeOf(nameOrKey).people.values()],
		codes: (nameOrKey) => [...storeOf(nameOrKey).codes.values()],
		canvassResponses: (nameOrKey) => [...storeOf(nameOrKey).canvassResponses],
		jobs: (nameOrKey) =>
			tenantOf(nameOrKey)
				.bulkImports(1)
				.flatMap((service) => service.jobs()),
		expireResults: () => state.resultLinks.expireAll(),
		stats: () => ({
			requests: state.log.entries.length,
			status429: state.log.entries.filter((entry) => entry.status === 429).length,
			leakedCredentials: state.log.leakedCredentials,
			buckets: bucketStats(state.log.entries),
		}),
	};
}

interface TenantParameter {
	Params: { tenant: string };
}

/** The control endpoints: no authentication, and reachable from this machine only, as all of it. */
export function registerControl(app: FastifyInstance, control: SandboxControl): void {
	const neutral = vocabularyOf('Native');
	app.get('/requests', async () => control.requests());
	app.delete('/requests', async (_request, reply) => {
		control.clearRequests();
		return reply.code(204).send();
	});
	app.post('/faults', async (request, reply) => {
		control.addFault(parseBody(faultSchema, request.body, neutral));
		return reply.code(204).send();
	});
	app.delete('/faults', async (_request, reply) => {
		control.clearFaults();
		return reply.code(204).send();
	});
	app.post('/reset', async (_request, reply) => {
		control.reset();
		return reply.code(204).send();
	});
	app.post('/expire-results', async (_request, reply) => {
		control.expireResults();
		return reply.code(204).send();
	});
	app.get('/stats', async () => control.stats());
	app.patch<TenantParameter>('/tenants/:tenant', async (request, reply) => {
		const change = parseBody(tenantChangeSchema, request.body, neutral);
		control.updateTenant(request.params.tenant, change);
		return reply.code(204).send();
	});
	for (const kind of ['people', 'codes', 'canvassResponses', 'jobs'] as const) {
		app.get<TenantParameter>(`/tenants/:tenant/${kind}`, async (request) =>
			control[kind](request.params.tenant),
		);
	}
}
