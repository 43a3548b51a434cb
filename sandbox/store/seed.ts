import { createPerson } from './people';
import { setupOf } from './setup';
import type { StoredCode, TenantStore } from './tenantStore';

const SEEDED_AT = '2026-01-05T09:00:00Z';

function seedCodes(store: TenantStore, tenantName: string): void {
	const addCode = (
		code: Pick<StoredCode, 'name' | 'codeType'> & Partial<StoredCode>,
	): StoredCode => {
		const stored: StoredCode = {
			codeId: store.nextId('code'),
			parentCodeId: null,
			description: null,
			supportedEntities: [],
			metadata: {},
			isSourceCodeApplicable: null,
			dateCreated: SEEDED_AT,
			dateModified: SEEDED_AT,
			...code,
		};
		store.codes.set(stored.codeId, stored);
		return stored;
	};
	const everywhere = store.setup.supportedEntities.map((name) => ({
		name,
		isSearchable: true,
		isApplicable: true,
	}));
	const parent = addCode({
		name: `Programmes ${tenantName}`,
		codeType: 'Tag',
		supportedEntities: everywhere,
	});
	addCode({
		name: 'Winter walk',
		codeType: 'Tag',
		parentCodeId: parent.codeId,
		supportedEntities: everywhere,
	});
	addCode({
		name: 'Spring appeal',
		codeType: 'SourceCode',
		metadata: { campaign: { campaignId: 1501 } },
		isSourceCodeApplicable: true,
	});
	addCode({ name: 'Website form', codeType: 'SourceCode', isSourceCodeApplicable: true });
}

function seedPeople(store: TenantStore, tenantName: string): void {
	const names: Array<[string, string]> = [
		['Avery', 'Sample'],
		['Blake', 'Sample'],
		['Casey', 'Placeholder'],
		['Devon', 'Placeholder'],
		['Ellis', 'Fixture'],
		['Frankie', 'Fixture'],
	];
	const contributions = new Map<number, Record<string, unknown>>();
	store.records.set('contributions', contributions);
	names.forEach(([firstName, lastName], index) => {
		const person = createPerson(store, {
			firstName,
			lastName,
			dateOfBirth: `19${70 + index}-0${index + 1}-1${index}`,
			emails: [
				{ email: `${firstName}.${lastName}@${tenantName}.example.org`.toLowerCase(), type: 'P' },
			],
			phones: [
				{
					phoneNumber: `90755501${String(index).padStart(2, '0')}`,
					phoneType: 'C',
					phoneOptInStatus: 'I',
				},
			],
			addresses: [
				{
					addressLine1: `${index + 1} Elm St`,
					city: 'Nome',
					stateOrProvince: 'AK',
					zipOrPostalCode: '99762',
					type: 'Home',
				},
			],
			identifiers: [{ type: 'CrmId', externalId: `${tenantName}-${index + 1}` }],
		});
		// The first person has the first code, a tag.
		if (index === 0) person.codeIds.push(...[...store.codes.keys()].slice(0, 1));
		const contributionId = store.nextId('contribution');
		contributions.set(contributionId, {
			contributionId,
			nativeId: person.nativeId,
			amount: 25 + index,
			dateReceived: '2026-01-10',
			designation: 'General fund',
		});
	});
}

function seedRecords(store: TenantStore, tenantName: string): void {
	const seeds: Record<string, Array<Record<string, unknown>>> = {
		events: [
			{
				name: `Phone bank ${tenantName}`,
				startDate: '2026-03-01T18:00:00Z',
				endDate: '2026-03-01T20:00:00Z',
			},
			{
				name: `Canvass ${tenantName}`,
				startDate: '2026-03-07T10:00:00Z',
				endDate: '2026-03-07T13:00:00Z',
			},
		],
		locations: [{ name: 'Main hall', displayName: 'Main hall, Nome' }],
		campaigns: [{ name: `Spring ${tenantName}` }],
		savedLists: [{ name: `Everybody ${tenantName}`, listCount: 6 }],
		notes: [],
		pledges: [],
		commitments: [],
		signups: [],
		exportJobs: [],
		supporterGroups: [],
	};
	for (const [resource, seeded] of Object.entries(seeds)) {
		const idName = `${resource.slice(0, -1)}Id`;
		const records = seeded.map((record) => ({ id: store.nextId('record'), record }));
		store.records.set(
			resource,
			new Map(records.map(({ id, record }) => [id, { [idName]: id, ...record }])),
		);
	}
}

/**
 * A tenant as a demo user finds it: a rich setup, six people with a contribution each, four codes, some
 * events. Two tenants get the same ids for different records, so that a call that reached the wrong
 * tenant reads something plausible but wrong.
 */
export function seedStore(
	tenantName: string,
	{ firstPersonId = 100_001, extraPeople = 0 } = {},
): TenantStore {
	const next = {
		person: firstPersonId,
		phone: 5_001,
		address: 8_001,
		contribution: 3_001,
		code: 501,
		job: 90_001,
		note: 4_001,
		record: 6_001,
	};
	const store: TenantStore = {
		people: new Map(),
		codes: new Map(),
		canvassResponses: [],
		records: new Map(),
		setup: setupOf(tenantName),
		nextId: (kind) => next[kind]++,
	};
	seedCodes(store, tenantName);
	seedPeople(store, tenantName);
	for (let number = 1; number <= extraPeople; number++) {
		createPerson(store, {
			firstName: 'Extra',
			lastName: `Person ${number}`,
			emails: [{ email: `extra.${number}@${tenantName}.example.org` }],
		});
	}
	seedRecords(store, tenantName);
	return store;
}
