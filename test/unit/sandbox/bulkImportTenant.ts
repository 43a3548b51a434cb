import { indexPerson } from '../../../sandbox/store/matching';
import type { StoredPerson, TenantStore } from '../../../sandbox/store/tenantStore';

type IdKind = Parameters<TenantStore['nextId']>[0];

/** A tenant with a little of everything that bulk imports refer to; persons 1001 and 1002 exist. */
export function bulkImportTenant(): TenantStore {
	const lastIds = new Map<IdKind, number>([
		['person', 1002],
		['phone', 10],
	]);
	const store: TenantStore = {
		people: new Map(),
		contributions: new Map([
			[
				301,
				{
					contributionId: 301,
					nativeId: 1001,
					amount: 50.1,
					dateReceived: '2026-01-15',
					designation: null,
					fields: {},
				},
			],
		]),
		codes: new Map([
			[
				501,
				{
					codeId: 501,
					parentCodeId: null,
					name: 'Spring appeal',
					description: null,
					codeType: 'SourceCode',
					supportedEntities: [],
					metadata: {},
					isSourceCodeApplicable: true,
					dateCreated: '2026-01-01T00:00:00Z',
					dateModified: '2026-01-01T00:00:00Z',
				},
			],
		]),
		canvassResponses: [],
		records: new Map(),
		setup: {
			codeTypes: ['Tag', 'SourceCode'],
			supportedEntities: ['Events', 'Locations'],
			externalIdTypes: [
				{ externalIdTypeId: 1, name: 'crm' },
				{ externalIdTypeId: 2, name: 'shop' },
			],
			customFieldGroups: [
				{
					customFieldGroupId: 21,
					name: 'Membership',
					fields: [
						{ customFieldId: 211, name: 'Chapter', availableValues: null },
						{ customFieldId: 212, name: 'Level', availableValues: ['Gold', 'Silver'] },
					],
				},
				{
					customFieldGroupId: 22,
					name: 'Interests',
					fields: [{ customFieldId: 221, name: 'Topic', availableValues: null }],
				},
			],
			activistCodes: [
				{
					activistCodeId: 7001,
					name: 'Volunteer',
					type: 'Action',
					mediumName: 'Vol',
					shortName: 'V',
					description: null,
					scriptQuestion: null,
					status: 'Active',
				},
				{
					activistCodeId: 7002,
					name: 'Former',
					type: 'Action',
					mediumName: 'For',
					shortName: 'F',
					description: null,
					scriptQuestion: null,
					status: 'Archived',
				},
			],
			surveyQuestions: [],
			volunteerActivities: [],
			contactTypes: [
				{ contactTypeId: 1, name: 'Phone', channelTypeName: 'Phone', inputTypeIds: [11] },
				{ contactTypeId: 2, name: 'Walk', channelTypeName: 'Walk', inputTypeIds: [11] },
			],
			inputTypes: [{ inputTypeId: 11, name: 'API' }],
			resultCodes: [
				{
					resultCodeId: 20,
					name: 'Wrong Number',
					mediumName: 'Wrong',
					shortName: 'WN',
					contactTypeIds: [1],
					suppressesPhone: true,
				},
				{
					resultCodeId: 1,
					name: 'Not Home',
					mediumName: 'NH',
					shortName: 'NH',
					contactTypeIds: [1, 2],
					suppressesPhone: false,
				},
			],
			organizingTurfs: {
				levels: ['CF901', 'CF902'],
				paths: [
					['North', 'Harbour'],
					['North', 'Hills'],
					['South', 'Valley'],
				],
			},
			relationships: ['Spouse', 'Child'],
			users: [{ userId: 88, name: 'Sandbox organizer' }],
		},
		nextId: (kind) => {
			const id = (lastIds.get(kind) ?? 0) + 1;
			lastIds.set(kind, id);
			return id;
		},
	};
	for (const [nativeId, firstName] of [
		[1001, 'Sample'],
		[1002, 'Second'],
	] as const) {
		const person = samplePerson(nativeId, firstName);
		store.people.set(nativeId, person);
		indexPerson(store, person);
	}
	return store;
}

function samplePerson(nativeId: number, firstName: string): StoredPerson {
	return {
		nativeId,
		fields: { firstName, lastName: 'Person' },
		demographics: {},
		emails: [
			{
				email: `person${nativeId}@example.org`,
				type: 'P',
				isPreferred: true,
				subscriptionStatus: 'N',
			},
		],
		phones: [],
		addresses: [],
		identifiers: [],
		customFieldValues: [],
		suppressions: [],
		activistCodes: [],
		codeIds: [],
		originSourceCodeId: null,
		organizingTurf: null,
		relationships: [],
		jobs: [],
		notes: [],
		createdAt: '2026-01-01T00:00:00Z',
		modifiedAt: '2026-01-01T00:00:00Z',
	};
}
