import {
	found,
	numericId,
	ok,
	page,
	PAGING_PARAMETERS,
	route,
	type ApiResponse,
	type ApiCall,
	type Route,
} from './apiCall';

interface ScriptItem {
	name: string;
	type: string;
	status: string;
	scriptQuestion: string | null;
}

/** `statuses` (default Active), `name`, `type`, `question`, `cycle` of service.md 5.3. */
function list(call: ApiCall, items: readonly ScriptItem[]): ApiResponse {
	const { name, type, question, cycle } = call.query;
	const statuses = (call.query.statuses ?? 'Active')
		.split(',')
		.map((status) => status.trim().toLowerCase());
	const contains = (text: string | null, wanted: string | undefined) =>
		wanted === undefined || (text ?? '').toLowerCase().includes(wanted.toLowerCase());
	return page(
		call,
		items.filter(
			(item) =>
				statuses.includes(item.status.toLowerCase()) &&
				contains(item.name, name) &&
				contains(item.scriptQuestion, question) &&
				(type === undefined || item.type.toLowerCase() === type.toLowerCase()) &&
				(cycle === undefined || !('cycle' in item) || String(item.cycle) === cycle),
		),
	);
}

/** What a key opens, as recorded (service.md 7.2). */
function apiKeyProfile(call: ApiCall): ApiResponse {
	const { name, modes, key } = call.tenant;
	return page(call, [
		{
			databaseName: `Sandbox ${name}`,
			hasMyVoters: modes.includes(0),
			hasMyCampaign: modes.includes(1),
			committeeName: `Committee of ${name}`,
			apiKeyTypeName: 'Custom Integration',
			keyReference: key.slice(-2),
			userFirstName: 'Robin',
			userLastName: 'Example',
			username: 'robin.example',
		},
	]);
}

/** What the tenant's administrators set up, and what a key opens. */
export const setupRoutes: readonly Route[] = [
	route('GET', '/activistCodes', (call) => list(call, call.store.setup.activistCodes), {
		query: ['statuses', 'name', 'type', ...PAGING_PARAMETERS],
	}),
	route('GET', '/activistCodes/:id', ({ params, store }) => {
		const id = numericId(params.id);
		return ok(found(store.setup.activistCodes.find((code) => code.activistCodeId === id)));
	}),
	route('GET', '/surveyQuestions', (call) => list(call, call.store.setup.surveyQuestions), {
		query: ['statuses', 'name', 'type', 'question', 'cycle', ...PAGING_PARAMETERS],
	}),
	route('GET', '/surveyQuestions/:id', ({ params, store }) => {
		const id = numericId(params.id);
		return ok(found(store.setup.surveyQuestions.find((one) => one.surveyQuestionId === id)));
	}),
	// The specification does not have it.
	route('GET', '/apiKeyProfiles', apiKeyProfile, { versions: ['v4'] }),
];
