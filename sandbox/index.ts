import { once } from 'node:events';
import type { Server } from 'node:http';
import type { JobTiming } from './bulkImport/bulkImportService';
import { sandboxControl, type SandboxControl } from './control';
import { FaultQueue } from './faults';
import { certificateOfProcess, type Certificate } from './files/certificate';
import { ResultLinks } from './files/resultLinks';
import { SourceFileFetcher } from './files/sourceFile';
import { httpApp } from './httpApp';
import type { Tier } from './tenants/rateGate';
import { RequestLog, type RequestLogEntry } from './requestLog';
import type { Sandboxed } from './sandboxState';
import type { DropFile } from './files/fileHosts';
import { DEMO_TENANTS, Tenant, type TenantOptions } from './tenants/tenants';

export type { JobTiming } from './bulkImport/bulkImportService';
export type { JobFault } from './bulkImport/jobFault';
export type { SandboxControl } from './control';
export type { FaultRequest } from './faults';
export { loopbackCertificate, type Certificate } from './files/certificate';
export type { Tier } from './tenants/rateGate';
export type { RequestLogEntry } from './requestLog';
export type { TenantChange, TenantOptions } from './tenants/tenants';

export interface SandboxOptions {
	/** Plain http on loopback; 0 or left out for any free port. */
	port?: number;
	httpsPort?: number;
	/** Tier of tenants that name none; default `custom`. */
	tier?: Tier;
	/** Milliseconds since the epoch: dates, expiry of links, times of jobs. */
	clock?: () => number;
	/** Milliseconds by which calls are counted; default: since the start of the process. */
	rateClock?: () => number;
	/** Default: the three demo tenants. */
	tenants?: readonly TenantOptions[];
	/** How long bulk import jobs take; default is quick but observable. */
	jobTiming?: Partial<JobTiming>;
	/** Base of result and drop links; https unless a caller in this process does not trust the certificate. */
	linkBase?: 'http' | 'https';
	/** PEM, of the https listener; jobs trust it as a CA when they fetch files. Default: one for the whole process. */
	certificate?: Certificate;
	/** Downloads files from sftp addresses; without it, jobs with such an address fail. */
	fetchSftp?: (address: URL) => Promise<Buffer>;
	/** Gets one line per request, without keys. */
	logTo?: (line: string) => void;
}

export interface Sandbox {
	/** `http://127.0.0.1:<port>` */
	url: string;
	/** `https://127.0.0.1:<port>` */
	httpsUrl: string;
	/** Trust this (NODE_EXTRA_CA_CERTS, `ca`) to call httpsUrl. */
	caCertificatePem: string;
	/** Who they are, never what they hold. */
	tenants: Array<{ name: string; key: string; tier: Tier }>;
	requests: RequestLogEntry[];
	control: SandboxControl;
	/** Ends listeners, connections and jobs; nothing is left that keeps a process alive. */
	close(): Promise<void>;
}

const DEFAULT_JOB_TIMING: JobTiming = { pendingMs: 200, rowsPerSecond: 20_000, minimumMs: 300 };

const HOST = '127.0.0.1';
/** Connections that wait while the process is busy. Beyond Node's 511, Linux drops them, and clients see some broken. */
const BACKLOG = 4096;

async function listen(server: Server, port = 0): Promise<number> {
	server.listen({ port, host: HOST, backlog: BACKLOG });
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('not a TCP listener');
	return address.port;
}

async function stop(server: Server): Promise<void> {
	if (!server.listening) return;
	const closed = once(server, 'close');
	server.close();
	server.closeAllConnections();
	await closed;
}

/**
 * Starts a local service that speaks the whole interface: strict, with its own data, and with faults on
 * demand.
 *
 * @throws Error when a port is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { tier = 'custom', clock = () => Date.now() } = options;
	const { rateClock = () => performance.now() } = options;
	const certificate = options.certificate ?? (await certificateOfProcess());
	const fetcher = new SourceFileFetcher(certificate.cert, options.fetchSftp);
	const tenantOptions = options.tenants ?? DEMO_TENANTS;
	const log = new RequestLog(tenantOptions.map((tenant) => tenant.key));
	const faults = new FaultQueue();
	const urls = { http: '', https: '' };
	const linkBase = () => urls[options.linkBase ?? 'https'];
	const resultLinks = new ResultLinks(clock, linkBase);
	const tenants = tenantOptions.map(
		(tenant) =>
			new Tenant(tenant, tier, { clock, rateClock }, (self) => ({
				fetchFile: (sourceUrl) => fetcher.fetch(sourceUrl),
				publishResultFile: (file) => resultLinks.publish(file),
				timing: { ...DEFAULT_JOB_TIMING, ...options.jobTiming },
				clock,
				nextFault: () => faults.takeJobFault(self.name),
				showsDescriptions: () => self.styles.jobDescriptions,
			})),
	);
	const state: Sandboxed = {
		tenants,
		log,
		faults,
		resultLinks,
		drop: new Map<string, DropFile>(),
		linkBase,
		clock,
		resets: 0,
		onEnd: (entry) => options.logTo?.(lineOf(entry)),
	};
	const control = sandboxControl(state);
	const { app, http, https } = await httpApp(state, control, certificate);

	const close = async () => {
		for (const tenant of tenants) tenant.close();
		await Promise.all([stop(http), stop(https)]);
		await fetcher.close();
		await app.close();
	};
	try {
		urls.http = `http://${HOST}:${await listen(http, options.port)}`;
		urls.https = `https://${HOST}:${await listen(https, options.httpsPort)}`;
	} catch (error) {
		await close();
		throw error;
	}
	return {
		url: urls.http,
		httpsUrl: urls.https,
		caCertificatePem: certificate.cert,
		tenants: tenants.map(({ name, key, settings }) => ({ name, key, tier: settings.tier })),
		requests: log.entries,
		control,
		close,
	};
}

function lineOf(entry: RequestLogEntry): string {
	const notes = [entry.category, entry.fault].filter(Boolean).join(' ');
	return `${entry.number} ${entry.receivedAt} ${entry.tenant ?? '-'} ${entry.method} ${entry.path} ${entry.status ?? 'cut'} ${notes}`.trimEnd();
}
