import { z } from 'zod';
import type { DatabaseMode } from './authentication';
import { BulkImportService, type BulkImportOptions } from '../bulkImport/bulkImportService';
import { RateGate, tierSchema, type Tier } from './rateGate';
import { seedStore } from '../store/seed';
import type { TenantStore } from '../store/tenantStore';
import { count, strictObject } from '../wire/schemas';
import type { Vocabulary } from '../wire/vocabulary';

/** Which response a tenant gives where sources disagree (service.md 10). */
const stylesSchema = strictObject({
	/** people/find and findOrCreate on a match: 302 + stub, 200 stub, or 200 full person. */
	matchResponses: z.enum(['redirect', 'stub', 'person']).default('redirect'),
	/** POST /codes: the bare id, the object, or an empty body with a Location. */
	codeResponses: z.enum(['integer', 'object', 'location']).default('integer'),
	/** GET /bulkImportMappingTypes and values: paging envelope or bare array. */
	mappingTypeResponses: z.enum(['envelope', 'array']).default('envelope'),
	/** Whether GET /bulkImportJobs exists. */
	bulkImportJobList: z.boolean().default(true),
	/** Whether GET /people/{id}/canvassResponses exists, as by the conventions (service.md 1.1). */
	canvassResponseList: z.boolean().default(false),
	/** Whether v2 has POST /people/{id} in addition to the PUT and PATCH of the conventions (service.md 1.1, 4.6). */
	peopleUpdatedByPost: z.boolean().default(true),
	/** Whether job records and the list of jobs hold the description. */
	jobDescriptions: z.boolean().default(false),
	/** Time between looking for a person and storing one in findOrCreate. */
	findOrCreateGapMs: z.number().min(0).default(0),
});

/** What can be changed while the sandbox runs. */
const settingsSchema = strictObject({
	tier: tierSchema,
	styles: stylesSchema.default({}),
	/**
	 * Calls rejected with 403: a path after the version, with what is below it, optionally after a method:
	 * `/codeTypes`, `DELETE /people`.
	 */
	rejected: z.array(z.string().regex(/^([A-Z]+ )?\//)).default([]),
	/** Replaces the tier's monthly volume; null is unlimited. */
	monthlyRequests: count.nullable().optional(),
	/** service.md 8.3; null is unlimited. */
	maxConcurrentRequests: count.nullable().default(null),
});
type TenantSettings = z.output<typeof settingsSchema>;

export const tenantChangeSchema = settingsSchema
	.extend({ styles: stylesSchema.partial() })
	.partial();

/** Settings to change; what is left out stays. */
export type TenantChange = z.output<typeof tenantChangeSchema>;

export interface TenantOptions extends TenantChange {
	/** Also names the tenant in control calls and in the log, where the key never appears. */
	name: string;
	/** A GUID. */
	key: string;
	/** Databases the key opens in v4; v2 always addresses the campaign (1). */
	modes?: DatabaseMode[];
	/** People to generate in addition to the six of the seed. */
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
	readonly clock: () => number;
	settings: TenantSettings;
	gate: RateGate;
	private readonly extraPeople: number;
	private readonly initialSettings: TenantSettings;

	private stores = new Map<DatabaseMode, TenantStore>();
	private services = new Map<string, BulkImportService>();

	constructor(
		options: TenantOptions,
		defaultTier: Tier,
		private readonly clocks: { clock: () => number; rateClock: () => number },
		private readonly bulkImportContext: (
			tenant: Tenant,
		) => Omit<BulkImportOptions, 'store' | 'vocabulary'>,
	) {
		const { name, key, modes = [1], extraPeople = 0, ...settings } = options;
		this.name = name;
		this.key = key.toLowerCase();
		this.modes = modes;
		this.extraPeople = extraPeople;
		this.initialSettings = settingsSchema.parse({ tier: defaultTier, ...settings });
		this.settings = this.initialSettings;
		this.clock = clocks.clock;
		this.gate = new RateGate(clocks.rateClock);
	}

	get styles(): TenantSettings['styles'] {
		return this.settings.styles;
	}

	change({ styles, ...change }: TenantChange): void {
		this.settings = { ...this.settings, ...change, styles: { ...this.styles, ...styles } };
	}

	store(mode: DatabaseMode): TenantStore {
		const store =
			this.stores.get(mode) ??
			seedStore(this.name, {
				extraPeople: this.extraPeople,
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

	/** Back to the start: stored data, jobs, rate counters and settings. */
	reset(): void {
		this.close();
		this.settings = this.initialSettings;
		this.stores = new Map();
		this.services = new Map();
		this.gate = new RateGate(this.clocks.rateClock);
	}

	close(): void {
		for (const service of this.services.values()) service.close();
	}
}

/** Whether a tenant may not make this call (403 before the target is looked up, service.md 9.2). */
export function isRejected(settings: TenantSettings, method: string, path: string): boolean {
	return settings.rejected.some((entry) => {
		const [, rejectedMethod, rejectedPath = ''] = /^(?:([A-Z]+) )?(\/.*)$/.exec(entry) ?? [];
		return (
			(rejectedMethod === undefined || rejectedMethod === method) &&
			(path === rejectedPath || path.startsWith(`${rejectedPath}/`))
		);
	});
}
