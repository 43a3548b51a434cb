import type { DatabaseMode } from './authentication';
import {
	BulkImportService,
	DEFAULT_MAX_ZIP_MEGABYTES,
	type BulkImportOptions,
} from '../bulkImport/bulkImportService';
import { RateGate, type Tier } from './rateGate';
import { seedStore } from '../store/seed';
import type { TenantStore } from '../store/tenantStore';
import type { Vocabulary } from '../wire/vocabulary';

/** Where sources disagree about a response, a tenant can be told which one to give (service.md 10). */
export interface TenantStyles {
	/** people/find and findOrCreate on a match: 302 + stub, 200 stub, or 200 full person. */
	matchResponses: 'redirect' | 'stub' | 'person';
	/** Whether findOrCreate writes the supplied data into a match. */
	matchUpdates: boolean;
	/** POST /codes: the bare id, the object, or an empty body with a Location. */
	codeResponses: 'integer' | 'object' | 'location';
	/** GET /bulkImportMappingTypes and values: paging envelope or bare array. */
	mappingTypeResponses: 'envelope' | 'array';
	/** Whether GET /bulkImportJobs exists. */
	bulkImportJobList: boolean;
	/**
	 * Whether POST /people/{id} exists in v2 beside the PUT and PATCH of the conventions (service.md 1.1,
	 * 4.6).
	 */
	peopleUpdatedByPost: boolean;
	/** Whether job records and the list of jobs hold the description. */
	jobDescriptions: boolean;
	/** Whether listeners that are webhooks are called when a job ends. */
	webhooks: boolean;
	/** Time between looking for a person and storing one in findOrCreate. */
	findOrCreateGapMs: number;
}

const DEFAULT_STYLES: TenantStyles = {
	matchResponses: 'redirect',
	matchUpdates: true,
	codeResponses: 'integer',
	mappingTypeResponses: 'envelope',
	bulkImportJobList: true,
	peopleUpdatedByPost: true,
	jobDescriptions: false,
	webhooks: false,
	findOrCreateGapMs: 0,
};

/** What can be changed while the sandbox runs. */
export interface TenantSettings {
	tier: Tier;
	styles: TenantStyles;
	/**
	 * Calls answered 403: a path after the version, with what is below it, optionally after a method:
	 * `/codeTypes`, `DELETE /people`.
	 */
	rejected: string[];
	/** Replaces the tier's monthly volume; null is unlimited. */
	monthlyRequests: number | null | undefined;
	/** service.md 8.3; null is unlimited. */
	maxConcurrentRequests: number | null;
	/** 20 by the endpoint's summary; known deployments take 100 (service.md 2.10). */
	maxZipMegabytes: number;
}

export interface TenantOptions extends Partial<Omit<TenantSettings, 'styles'>> {
	/** Also names the tenant in control calls and in the log, where the key never appears. */
	name: string;
	/** A GUID. */
	key: string;
	styles?: Partial<TenantStyles>;
	/** Databases the key opens in v4; v2 always addresses the campaign (1). */
	modes?: DatabaseMode[];
	/** People to generate beside the six of the seed. */
	extraPeople?: number;
}

/** The demo tenants; their keys are published in README.md and by main.ts. */
export const DEMO_TENANTS: readonly TenantOptions[] = [
	{ name: 'demo', key: '11111111-1111-4111-8111-111111111111' },
	{ name: 'other', key: '22222222-2222-4222-8222-222222222222', modes: [0, 1] },
	{
		name: 'restricted',
		key: '33333333-3333-4333-8333-333333333333',
		rejected: ['/codeTypes', '/bulkImportJobs', '/bulkImportMappingTypes', 'DELETE /people'],
	},
];

const VOTER_FILE_FIRST_PERSON = 700_001;

/** One key with the data it opens; what the rest of the sandbox knows of a tenant. */
export class Tenant {
	readonly name: string;
	readonly key: string;
	readonly modes: readonly DatabaseMode[];
	settings: TenantSettings;
	readonly clock: () => number;
	gate: RateGate;

	private stores = new Map<DatabaseMode, TenantStore>();
	private services = new Map<string, BulkImportService>();

	constructor(
		private readonly options: TenantOptions,
		defaultTier: Tier,
		private readonly clocks: { clock: () => number; rateClock: () => number },
		private readonly bulkImportContext: (
			tenant: Tenant,
		) => Omit<BulkImportOptions, 'store' | 'vocabulary'>,
	) {
		this.name = options.name;
		this.clock = clocks.clock;
		this.gate = new RateGate(clocks.rateClock);
		this.key = options.key.toLowerCase();
		this.modes = options.modes ?? [1];
		this.settings = {
			tier: options.tier ?? defaultTier,
			styles: { ...DEFAULT_STYLES, ...options.styles },
			rejected: [...(options.rejected ?? [])],
			monthlyRequests: options.monthlyRequests,
			maxConcurrentRequests: options.maxConcurrentRequests ?? null,
			maxZipMegabytes: options.maxZipMegabytes ?? DEFAULT_MAX_ZIP_MEGABYTES,
		};
	}

	get styles(): TenantStyles {
		return this.settings.styles;
	}

	store(mode: DatabaseMode): TenantStore {
		const store =
			this.stores.get(mode) ??
			seedStore(this.name, {
				extraPeople: this.options.extraPeople ?? 0,
				...(mode === 0 && { firstPersonId: VOTER_FILE_FIRST_PERSON }),
			});
		this.stores.set(mode, store);
		return store;
	}

	/** Job records follow the vocabulary of the version that created the job: one service for each. */
	bulkImport(mode: DatabaseMode, vocabulary: Vocabulary): BulkImportService {
		const name = `${mode} ${vocabulary.word}`;
		const service =
			this.services.get(name) ??
			new BulkImportService({
				store: this.store(mode),
				vocabulary,
				...this.bulkImportContext(this),
			});
		this.services.set(name, service);
		return service;
	}

	/** Every bulk import service of a database, whichever version created its jobs. */
	bulkImports(mode: DatabaseMode): BulkImportService[] {
		return [...this.services].filter(([name]) => name.startsWith(`${mode} `)).map(([, s]) => s);
	}

	/** Makes a file downloadable, as result files are. */
	publish(content: Buffer): { url: string; dateExpired: string } {
		return this.bulkImportContext(this).publishResultFile({ contents: [content], link: 'works' });
	}

	/** Back to the seed: stored data, jobs and rate counters. Settings stay. */
	reset(): void {
		this.close();
		this.stores = new Map();
		this.services = new Map();
		this.gate = new RateGate(this.clocks.rateClock);
	}

	close(): void {
		for (const service of this.services.values()) service.close();
	}
}

/** Whether a tenant may not make this call (403 before the target is looked up, service.md 9.2). */
export function isRefused(settings: TenantSettings, method: string, path: string): boolean {
	return settings.rejected.some((entry) => {
		const [, refusedMethod, refusedPath = ''] = /^(?:([A-Z]+) )?(\/.*)$/.exec(entry) ?? [];
		return (
			(refusedMethod === undefined || refusedMethod === method) &&
			(path === refusedPath || path.startsWith(`${refusedPath}/`))
		);
	});
}
