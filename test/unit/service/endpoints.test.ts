import * as fc from 'fast-check';

import {
	buildPath,
	type Endpoint,
	endpoints,
	type RateCategory,
} from '../../../nodes/shared/service/endpoints';
import { InvalidInput } from '../../../nodes/shared/service/invalidInput';
import {
	rateLimitOf,
	monthlyRequestsOf,
	type RatePlan,
} from '../../../nodes/shared/service/rateTiers';
import type { RetryClass } from '../../../nodes/shared/transport/retry';
import { anyCharacter } from '../../support/randomCases';

/** service.md 8.1; what is named neither High nor Low is Medium. */
const high = ['POST /people/{person}/canvassResponses'];
const low = [
	'POST /people/find',
	'POST /people/findOrCreate',
	'POST /bulkImportJobs',
	'GET /bulkImportJobs/{jobId}',
	'GET /bulkImportJobs/resources',
	'GET /bulkImportMappingTypes',
	'GET /bulkImportMappingTypes/{mappingTypeName}',
	'GET /bulkImportMappingTypes/{mappingTypeName}/{fieldName}/values',
];
/** Every other POST could store something twice. */
const repeatablePosts: Record<string, RetryClass> = {
	'POST /people/find': 'read',
	'POST /people/findOrCreate': 'safe',
	'POST /contacts/findOrCreate': 'safe',
	'POST /people/{person}': 'safe',
	'POST /people/{person}/codes': 'safe',
};

const table: Endpoint[] = Object.values(endpoints);
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
const expectedRetry = (endpoint: Endpoint): RetryClass => {
	if (endpoint.method === 'GET') return 'read';
	return endpoint.method === 'POST' ? (repeatablePosts[nameOf(endpoint)] ?? 'unsafe') : 'safe';
};

test.each(table.map((endpoint) => ({ ...endpoint, name: nameOf(endpoint) })))(
	'$name counts as $category and is retried as $retry',
	(endpoint) => {
		const category: RateCategory = high.includes(endpoint.name)
			? 'high'
			: low.includes(endpoint.name)
				? 'low'
				: 'medium';
		expect(endpoint).toMatchObject({ category, retry: expectedRetry(endpoint) });
	},
);

test('every call that is named apart is in the table, once', () => {
	const named = [...high, ...low, ...Object.keys(repeatablePosts)];
	const names = table.map(nameOf);
	expect(named.filter((name) => !names.includes(name))).toEqual([]);
	expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe('the rate of a call', () => {
	const manual = { high: 7, medium: 6, low: 5 };
	const plan = (tier: RatePlan['tier'], share = 1): RatePlan => ({
		tier,
		manual,
		concurrentRequests: 7,
		monthlyRequests: 900,
		share,
	});

	// service.md 8.2
	test.each<[RatePlan['tier'], number, number, number]>([
		['startup', 10, 5, 2],
		['standard', 50, 10, 3],
		['preferred', 200, 15, 4],
		['custom', 200, 15, 4],
		['manual', 7, 6, 5],
	])('in tier %s is %d, %d or %d per second', (tier, high, medium, low) => {
		expect(rateLimitOf(plan(tier), endpoints.createCanvassResponse)).toEqual({
			name: 'high',
			perSecond: high,
		});
		expect(rateLimitOf(plan(tier), endpoints.createCode)).toEqual({
			name: 'medium',
			perSecond: medium,
		});
		expect(rateLimitOf(plan(tier), endpoints.findPerson)).toEqual({ name: 'low', perSecond: low });
	});

	// service.md 8.3
	test.each([
		['findOrCreate of people', endpoints.findOrCreatePerson, 2],
		['findOrCreate of contacts', endpoints.findOrCreateContact, 2],
		['find', endpoints.findPerson, 5],
		['canvass responses', endpoints.createCanvassResponse, 5],
		['import jobs', endpoints.getBulkImportJob, 5],
	])('of %s under the earlier guidance is kept', (_, endpoint, perSecond) => {
		expect(rateLimitOf(plan('legacy'), endpoint)).toMatchObject({ perSecond });
	});

	test.each(['custom', 'legacy', 'manual'] as const)(
		'is divided by the share of this process in tier %s',
		(tier) => {
			const perSecond = { custom: 15, legacy: 5, manual: 6 }[tier] / 4;
			expect(rateLimitOf(plan(tier, 0.25), endpoints.createCode)).toMatchObject({ perSecond });
		},
	);

	// service.md 8.3
	test.each([
		[1, 7],
		[0.5, 3],
		[0.01, 1],
	])(
		'in tier concurrency is no rate but a number at a time: %d of 7 is %d',
		(share, maxConcurrent) => {
			for (const endpoint of [endpoints.createCode, endpoints.findOrCreatePerson]) {
				expect(rateLimitOf(plan('concurrency', share), endpoint)).toEqual({
					name: 'concurrency',
					maxConcurrent,
				});
			}
		},
	);

	// service.md 8.2
	test.each<[RatePlan['tier'], number]>([
		['startup', 1_000_000],
		['standard', 50_000_000],
		['preferred', Number.POSITIVE_INFINITY],
		['custom', 30_000_000],
		['legacy', Number.POSITIVE_INFINITY],
		['manual', 900],
		['concurrency', 900],
	])('in tier %s comes with a volume of %d a month', (tier, volume) => {
		expect(monthlyRequestsOf(plan(tier))).toBe(volume);
		expect(monthlyRequestsOf(plan(tier, 0.5))).toBe(volume / 2);
		expect(monthlyRequestsOf({ ...plan('manual'), monthlyRequests: 0 })).toBe(
			Number.POSITIVE_INFINITY,
		);
	});
});

describe('a path', () => {
	const segment = fc
		.string({ unit: anyCharacter, maxLength: 20 })
		.filter((text) => !['', '.', '..'].includes(text.trim()));

	test('keeps any value in its segment, where it reads back as it was', () => {
		fc.assert(
			fc.property(segment, segment, (mappingTypeName, fieldName) => {
				const path = buildPath(endpoints.listBulkImportFieldValues, { mappingTypeName, fieldName });
				const { pathname, search, hash } = new URL(`https://api.example.org/v2${path}`);
				expect([search, hash]).toEqual(['', '']);
				const parts = pathname.split('/');
				expect(parts).toHaveLength(6);
				expect(decodeURIComponent(parts[3] ?? '')).toBe(mappingTypeName.trim());
				expect(decodeURIComponent(parts[4] ?? '')).toBe(fieldName.trim());
			}),
		);
	});

	test.each(['', ' ', '.', '..', ' .. ', '\ud800', 'a\udc00b'])(
		'rejects %j, which no encoding protects',
		(jobId) => {
			expect(() => buildPath(endpoints.getBulkImportJob, { jobId })).toThrow(InvalidInput);
		},
	);
});
