import { sum } from 'lodash';
import type { INodeExecutionData } from 'n8n-workflow';

import { NativeApi } from '../../credentials/NativeApi.credentials.js';
import type { Certificate, RequestLogEntry, Sandbox } from '../../sandbox';
import { runNode } from '../../test/engine/support/engine';
import { applyActivistCode, runJob, type FaultyCall, type Place } from './calls';
import type { FailedItem, Observation, Shape } from './expectation';
import {
	ELSEWHERE,
	type Fault,
	LONG_TIMEOUT_SECONDS,
	PATIENCE_MS,
	PATIENT_ATTEMPTS,
	TIMEOUT_SECONDS,
} from './faults';
import { FaultProxy } from './faultProxy';
import { SPEED } from './fastClock';
import type { OtherHost } from './otherHost';

export interface Surroundings {
	otherHost: OtherHost;
	trusted: Certificate;
	untrusted: Certificate;
	/** Lengthens the timeout. */
	patience: number;
}

/** More than a service that never recovers is asked. */
const ALWAYS = 1_000_000;

/** Faster than these tests send, so that none waits for the rate limit. */
const RATE = 1_000_000;

interface Tenant {
	name: string;
	key: string;
}

const pathOf = ({ path }: FaultyCall, place: Place): string =>
	typeof path === 'string' ? path : path(place);

/** The requests of the fault's kind that a test's own tenant sent. */
function isTarget(call: FaultyCall, place: Place): (entry: RequestLogEntry) => boolean {
	const [path = '', query] = pathOf(call, place).split('?');
	return (entry) =>
		entry.method === call.method &&
		entry.path.replace(/^\/v\d+(?=\/)/, '').startsWith(path) &&
		(entry.tenant ?? place.name) === place.name &&
		(query === undefined || query === `sig=${entry.query.sig}`);
}

/** The requests of one test, without those by which the service fetches the file of a job. */
function requestsOf(call: FaultyCall, place: Place, after: number): RequestLogEntry[] {
	const target = isTarget(call, place);
	return place.sandbox.requests.filter(
		(entry) => entry.number > after && (entry.tenant === place.name || target(entry)),
	);
}

/** Without what differs from run to run and from tenant to tenant. */
function comparable(items: INodeExecutionData[], { name, base, sandbox }: Place): string {
	const data = items.map(({ json, binary }) => ({
		json,
		// The content itself, where the engine keeps it with the item.
		binary: binary?.data && {
			size: binary.data.bytes ?? binary.data.fileSize,
			type: binary.data.mimeType,
		},
	}));
	return (
		JSON.stringify(data)
			.replaceAll(base, 'base')
			.replaceAll(sandbox.url, 'base')
			.replaceAll(name, 'tenant')
			.replace(/\/results\/[\w-]+\/\d+\.csv/g, 'file')
			.replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-][\d:]+)/g, 'time')
			// An attempt whose response was lost creates the person that the next one finds.
			.replace(/"matchStatus":"(created|matched)"/g, '"matchStatus":"stored"')
			.replaceAll(',"mayBeNew":true', '')
	);
}

async function preparePlace(call: FaultyCall, sandbox: Sandbox, tenant: Tenant) {
	const place: Place = { sandbox, ...tenant, base: sandbox.url };
	if (call.needsJob) place.job = await runJob(place);
	if (call.needsActivistCode) await applyActivistCode(place);
	return place;
}

async function run(call: FaultyCall, place: Place, timeoutSeconds: number | undefined) {
	const parameters = call.parameters(place);
	return await runNode({
		node: call.node,
		credentialTypes: [new NativeApi()],
		credentials: {
			nativeApi: {
				baseUrl: place.base,
				deployment: 'other',
				apiVersion: call.apiVersion ?? 'v2',
				authentication: 'basic',
				username: 'apiuser',
				apiKey: place.key,
				databaseMode: call.apiVersion ? '1' : 'none',
				identifierPrefix: 'Native',
				rateTier: 'manual',
				rateHigh: RATE,
				rateMedium: RATE,
				rateLow: RATE,
				rateShare: 100,
				...(timeoutSeconds !== undefined && { timeout: timeoutSeconds }),
			},
		},
		parameters: {
			resource: call.resource,
			operation: call.operation,
			...parameters,
		},
		...(call.items && { items: call.items }),
		onError: 'continueErrorOutput',
	});
}

/** How a call ends when nothing goes wrong. Throws if that is not well. */
export async function runWithoutFault(
	call: FaultyCall,
	sandbox: Sandbox,
	tenant: Tenant,
): Promise<{ output: string; requestsBefore: number; added: number }> {
	const place = await preparePlace(call, sandbox, tenant);
	const sizeBefore = sandbox.control.size(tenant.name);
	const after = sandbox.requests.at(-1)?.number ?? 0;
	const { outputs, error } = await run(call, place, undefined);
	const [done = [], failed = []] = outputs;
	const requests = requestsOf(call, place, after);
	const targets = requests.filter(isTarget(call, place)).slice(call.skip ?? 0);
	const [first] = targets;
	if (error || failed.length > 0 || done.length === 0 || targets.length !== 1 || !first?.executed) {
		throw new Error(
			`"${call.title}" does not work without a fault: ${error?.message ?? JSON.stringify(failed)}; requests: ${requests.map(({ method, path }) => `${method} ${path}`).join(', ')}`,
		);
	}
	return {
		output: comparable(done, place),
		requestsBefore: requests.indexOf(first),
		added: sandbox.control.size(tenant.name) - sizeBefore,
	};
}

/** Injects a fault into a call and checks its effect at the service, not in the node. */
export async function injectFault(
	call: FaultyCall,
	fault: Fault,
	shape: Shape,
	sandbox: Sandbox,
	tenant: Tenant,
	requestsBefore: number,
	{ otherHost, trusted, untrusted, patience }: Surroundings,
): Promise<Observation> {
	const place = await preparePlace(call, sandbox, tenant);
	const { name, key } = place;
	const count = shape === 'once' ? 1 : ALWAYS;
	const sizeBefore = sandbox.control.size(name);
	const after = sandbox.requests.at(-1)?.number ?? 0;
	const path = pathOf(call, place);
	const elsewhere = otherHost.newAddress(sandbox.url);
	const isOfTenant = !/^\/(drop|results)\b/.test(path);

	let proxy: FaultProxy | undefined;
	let removeFault: (() => void) | undefined;
	if (fault.connection) {
		proxy = await FaultProxy.open({
			fault: fault.connection,
			skip: requestsBefore,
			count,
			origin: sandbox.url,
			trusted,
			untrusted,
		});
		place.base = proxy.url;
	} else if (fault.service) {
		removeFault = sandbox.control.addFault({
			method: call.method as 'GET',
			pathPrefix: path,
			...(isOfTenant && { tenant: name }),
			skip: call.skip ?? 0,
			count,
			fault:
				fault.service.kind === 'redirect' && fault.service.location === ELSEWHERE
					? { kind: 'redirect', location: `${elsewhere.url}${isOfTenant ? '/v2' : ''}${path}` }
					: fault.service.kind === 'slowDrip'
						? { kind: 'slowDrip', ms: fault.service.ms * patience }
						: fault.service,
		});
	}
	try {
		const { outputs, error } = await run(
			call,
			place,
			fault.isSlow ? patience * TIMEOUT_SECONDS : LONG_TIMEOUT_SECONDS,
		);
		if (error)
			throw new Error('The node ended the workflow instead of failing its item.', { cause: error });
		const requests = requestsOf(call, place, after);
		const targets = requests.filter(isTarget(call, place)).slice(call.skip ?? 0);
		const strays = elsewhere.requests();
		const gapsMs = targets.slice(1).map(({ atMs }, i) => (atMs - (targets[i]?.atMs ?? 0)) * SPEED);
		const attempts = targets.length + (proxy?.failed ?? 0);
		// On a slow machine, half an hour of the fast clock ends before the last of many attempts.
		const isTimeUp = fault.attempts === PATIENT_ATTEMPTS && sum(gapsMs) > PATIENCE_MS;
		return {
			failure: outputs[1]?.[0]?.json.error as FailedItem | undefined,
			output: comparable(outputs[0] ?? [], place),
			attempts: isTimeUp ? Math.max(attempts, PATIENT_ATTEMPTS) : attempts,
			executed: targets.filter(({ executed }) => executed).length,
			added: sandbox.control.size(name) - sizeBefore,
			gapsMs,
			leaks: [
				...strays.flatMap(({ secretHeaders }) =>
					secretHeaders.map((header) => `another host (${header})`),
				),
				...(sandbox.control.stats().leakedCredentials > 0 ? ['a host of files'] : []),
			],
			strays: strays.length,
			jobsStarted: requests.filter(
				({ method, path: at }) => method === 'POST' && at.endsWith('/bulkImportJobs'),
			).length,
			secrets: [key, Buffer.from(`apiuser:${key}`).toString('base64')],
		};
	} finally {
		removeFault?.();
		proxy?.close();
	}
}
