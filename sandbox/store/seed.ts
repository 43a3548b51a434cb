import { createPerson } from './people';
import type { StoredCode, TenantStore } from './tenantStore';

const SEEDED_AT = '2026-01-05T09:00:00Z';

/** Input types of service.md 5.2; 11 is the default of canvass posts. */
const INPUT_TYPES = [
	{ inputTypeId: 2, name: 'Manual' },
	{ inputTypeId: 4, name: 'Bulk' },
	{ inputTypeId: 10, name: 'VPB' },
	{ inputTypeId: 11, name: 'API' },
	{ inputTypeId: 14, name: 'Mobile' },
	{ inputTypeId: 23, name: 'Website' },
];

const CONTACT_TYPES = [
	{ contactTypeId: 1, name: 'Phone', channelTypeName: 'Phone', inputTypeIds: [2, 4, 10, 11] },
	{ contactTypeId: 2, name: 'Walk', channelTypeName: 'InPerson', inputTypeIds: [2, 4, 11, 14] },
	{ contactTypeId: 19, name: 'Auto Dial', channelTypeName: 'Phone', inputTypeIds: [4, 11] },
	{ contactTypeId: 37, name: 'SMS Text', channelTypeName: 'SMS', inputTypeIds: [4, 11, 14] },
	{ contactTypeId: 82, name: 'Online', channelTypeName: 'Web', inputTypeIds: [11, 23] },
];

/** Result codes of service.md 5.2; the number of Refused is made up, as no source names one. */
const RESULT_CODES = [
	{ resultCodeId: 1, name: 'Not Home', short: 'NH', contactTypeIds: [1, 2, 19], suppresses: false },
	{ resultCodeId: 2, name: 'Refused', short: 'RF', contactTypeIds: [1, 2, 37], suppresses: false },
	{
		resultCodeId: 14,
		name: 'Canvassed',
		short: 'CA',
		contactTypeIds: [1, 2, 19, 37, 82],
		suppresses: false,
	},
	{ resultCodeId: 18, name: 'Busy', short: 'BZ', contactTypeIds: [1, 19], suppresses: false },
	{
		resultCodeId: 19,
		name: 'Left Message',
		short: 'LM',
		contactTypeIds: [1, 2, 19],
		suppresses: false,
	},
	{
		resultCodeId: 20,
		name: 'Wrong Number',
		short: 'WN',
		contactTypeIds: [1, 19, 37],
		suppresses: true,
	},
	{
		resultCodeId: 25,
		name: 'Disconnected',
		short: 'DI',
		contactTypeIds: [1, 19, 37],
		suppresses: true,
	},
	{ resultCodeId: 130, name: 'Do Not Text', short: 'DT', contactTypeIds: [37], suppresses: true },
];

function setupOf(tenantName: string): TenantStore['setup'] {
	const named = (name: string) => `${name} (${tenantName})`;
	const activistCode = (activistCodeId: number, name: string, isArchived = false) => ({
		activistCodeId,
		name: named(name),
		type: activistCodeId % 2 === 0 ? 'Constituency' : 'Volunteer',
		mediumName: name.slice(0, 20),
		shortName: name.slice(0, 3),
		description: null,
		scriptQuestion: null,
		status: isArchived ? ('Archived' as const) : ('Active' as const),
	});
	const surveyQuestion = (
		surveyQuestionId: number,
		name: string,
		responses: string[],
		isArchived = false,
	) => ({
		surveyQuestionId,
		type: 'Candidate',
		cycle: 2026,
		name: named(name),
		mediumName: name.slice(0, 20),
		shortName: name.slice(0, 3),
		scriptQuestion: `${name}?`,
		status: isArchived ? ('Archived' as const) : ('Active' as const),
		responses: responses.map((response, index) => ({
			surveyResponseId: surveyQuestionId * 10 + index + 1,
			name: response,
			mediumName: response.slice(0, 20),
			shortName: response.slice(0, 3),
		})),
	});
	return {
		codeTypes: ['Tag', 'SourceCode'],
		supportedEntities: ['Contacts', 'Events', 'Locations'],
		externalIdTypes: [
			{ externalIdTypeId: 1, name: 'CrmId' },
			{ externalIdTypeId: 2, name: 'MemberNumber' },
			{ externalIdTypeId: 3, name: 'DWID' },
		],
		customFieldGroups: [
			{
				customFieldGroupId: 201,
				name: 'Membership',
				fields: [
					{ customFieldId: 301, name: 'Joined as', availableValues: ['Member', 'Friend'] },
					{ customFieldId: 302, name: 'Remark', availableValues: null },
				],
			},
			{
				customFieldGroupId: 202,
				name: 'Volunteering',
				fields: [
					{ customFieldId: 311, name: 'Languages', availableValues: null },
					{ customFieldId: 312, name: 'Has a car', availableValues: ['Yes', 'No'] },
				],
			},
		],
		activistCodes: [
			activistCode(7001, 'Volunteer'),
			activistCode(7002, 'Donor'),
			activistCode(7003, 'Yard sign'),
			activistCode(7004, 'Retired programme', true),
		],
		surveyQuestions: [
			surveyQuestion(81, 'Support', ['Strong', 'Lean', 'Undecided', 'Against']),
			surveyQuestion(82, 'Top issue', ['Housing', 'Health', 'Transport']),
			surveyQuestion(83, 'Last cycle', ['Yes', 'No'], true),
		],
		volunteerActivities: [
			{ volunteerActivityId: 901, name: 'Phone bank' },
			{ volunteerActivityId: 902, name: 'Canvass' },
		],
		contactTypes: CONTACT_TYPES.map((type) => ({ ...type, inputTypeIds: [...type.inputTypeIds] })),
		inputTypes: INPUT_TYPES.map((type) => ({ ...type })),
		resultCodes: RESULT_CODES.map(({ resultCodeId, name, short, contactTypeIds, suppresses }) => ({
			resultCodeId,
			name,
			mediumName: name.slice(0, 12),
			shortName: short,
			contactTypeIds: [...contactTypeIds],
			suppressesPhone: suppresses,
		})),
		organizingTurfs: {
			levels: ['CF401', 'CF402', 'CF403'],
			paths: [
				['North', 'District 1', 'Team A'],
				['North', 'District 1', 'Team B'],
				['North', 'District 2', 'Team C'],
				['South', 'District 3', 'Team D'],
			],
		},
		relationships: ['Spouse', 'Parent', 'Child', 'Employer', 'Friend'],
		users: [
			{ userId: 61, name: 'Robin Example' },
			{ userId: 62, name: 'Sam Example' },
		],
	};
}

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
		store.contributions.set(contributionId, {
			contributionId,
			nativeId: person.nativeId,
			amount: 25 + index,
			dateReceived: '2026-01-10',
			designation: 'General fund',
			fields: {},
		});
	});
}

function seedRecords(store: TenantStore, tenantName: string): void {
	const add = (resource: string, idName: string, record: Record<string, unknown>) => {
		const id = store.nextId('record');
		const records = store.records.get(resource) ?? new Map<number, Record<string, unknown>>();
		records.set(id, { [idName]: id, ...record });
		store.records.set(resource, records);
	};
	for (const resource of [
		'events',
		'locations',
		'notes',
		'campaigns',
		'pledges',
		'commitments',
		'signups',
		'savedLists',
		'exportJobs',
		'supporterGroups',
	]) {
		store.records.set(resource, new Map());
	}
	add('events', 'eventId', {
		name: `Phone bank ${tenantName}`,
		startDate: '2026-03-01T18:00:00Z',
		endDate: '2026-03-01T20:00:00Z',
	});
	add('events', 'eventId', {
		name: `Canvass ${tenantName}`,
		startDate: '2026-03-07T10:00:00Z',
		endDate: '2026-03-07T13:00:00Z',
	});
	add('locations', 'locationId', { name: 'Main hall', displayName: 'Main hall, Nome' });
	add('campaigns', 'campaignId', { name: `Spring ${tenantName}` });
	add('savedLists', 'savedListId', { name: `Everybody ${tenantName}`, listCount: 6 });
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
		contributions: new Map(),
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
