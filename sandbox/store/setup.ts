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
const RESULT_CODES: Array<[id: number, name: string, shortName: string, contactTypeIds: number[]]> =
	[
		[1, 'Not Home', 'NH', [1, 2, 19]],
		[2, 'Refused', 'RF', [1, 2, 37]],
		[14, 'Canvassed', 'CA', [1, 2, 19, 37, 82]],
		[18, 'Busy', 'BZ', [1, 19]],
		[19, 'Left Message', 'LM', [1, 2, 19]],
		[20, 'Wrong Number', 'WN', [1, 19, 37]],
		[25, 'Disconnected', 'DI', [1, 19, 37]],
		[130, 'Do Not Text', 'DT', [37]],
	];
/** Wrong Number, Disconnected, Do Not Text. */
const SUPPRESSING_RESULTS = [20, 25, 130];

/** What the administrators of a tenant set up; read-only for calls. Names distinguish the tenants. */
export function setupOf(tenantName: string) {
	const scriptItem = (name: string, isArchived: boolean) => ({
		name: `${name} (${tenantName})`,
		mediumName: name.slice(0, 20),
		shortName: name.slice(0, 3),
		status: isArchived ? ('Archived' as const) : ('Active' as const),
	});
	const activistCode = (activistCodeId: number, name: string, isArchived = false) => ({
		activistCodeId,
		...scriptItem(name, isArchived),
		type: activistCodeId % 2 === 0 ? 'Constituency' : 'Volunteer',
		description: null,
		scriptQuestion: null,
	});
	const surveyQuestion = (
		surveyQuestionId: number,
		name: string,
		responses: string[],
		isArchived = false,
	) => ({
		surveyQuestionId,
		...scriptItem(name, isArchived),
		type: 'Candidate',
		cycle: 2026,
		scriptQuestion: `${name}?`,
		responses: responses.map((response, index) => ({
			surveyResponseId: surveyQuestionId * 10 + index + 1,
			name: response,
			mediumName: response.slice(0, 20),
			shortName: response.slice(0, 3),
		})),
	});
	return {
		codeTypes: ['Tag', 'SourceCode'] as const,
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
		contactTypes: CONTACT_TYPES,
		inputTypes: INPUT_TYPES,
		resultCodes: RESULT_CODES.map(([resultCodeId, name, shortName, contactTypeIds]) => ({
			resultCodeId,
			name,
			mediumName: name.slice(0, 12),
			shortName,
			contactTypeIds,
			suppressesPhone: SUPPRESSING_RESULTS.includes(resultCodeId),
		})),
		/** Level names, from the top level down; each path is one complete turf. */
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

export type TenantSetup = ReturnType<typeof setupOf>;
