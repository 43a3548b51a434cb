import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
	notFound,
	numericId,
	page,
	PAGING_PARAMETERS,
	type ApiResponse,
	type ApiCall,
	type Route,
} from './apiCall';
import { parseBody } from '../wire/requestBody';
import { strictObject } from '../wire/strictObject';

interface ScriptItem {
	name: string;
	type: string;
	status: string;
	scriptQuestion: string | null;
}

/** `statuses` (default Active), `name`, `type`, `question`, `cycle` of service.md 5.3. */
function filtered<Item extends ScriptItem>(call: ApiCall, items: readonly Item[]): Item[] {
	const { name, type, question, cycle } = call.query;
	const statuses = (call.query.statuses ?? 'Active')
		.split(',')
		.map((status) => status.trim().toLowerCase());
	const contains = (text: string | null, wanted: string | undefined) =>
		wanted === undefined || (text ?? '').toLowerCase().includes(wanted.toLowerCase());
	return items.filter(
		(item) =>
			statuses.includes(item.status.toLowerCase()) &&
			contains(item.name, name) &&
			contains(item.scriptQuestion, question) &&
			(type === undefined || item.type.toLowerCase() === type.toLowerCase()) &&
			(cycle === undefined || !('cycle' in item) || String(item.cycle) === cycle),
	);
}

function found<Item>(item: Item | undefined): ApiResponse {
	if (!item) throw notFound();
	return { status: 200, body: item };
}

const echoSchema = strictObject({
	message: z.string().nullable().optional(),
	delayInMilliseconds: z.number().int().min(0).max(60_000).optional(),
});

async function echo(call: ApiCall): Promise<ApiResponse> {
	const { message, delayInMilliseconds } = parseBody(echoSchema, call.body, call.vocabulary);
	const delay = delayInMilliseconds ?? 0;
	await sleep(delay, undefined, { ref: false });
	return {
		status: 200,
		body: {
			message: message ?? null,
			dateSent: new Date(call.tenant.clock()).toISOString(),
			delayInMilliseconds: delay,
		},
	};
}

function apiKeyProfile(call: ApiCall): ApiResponse {
	return page(call, [
		{
			databaseName: `Sandbox ${call.tenant.name}`,
			hasMyVoters: call.tenant.modes.includes(0),
			hasMyCampaign: call.tenant.modes.includes(1),
			committeeName: call.tenant.name,
			apiKeyTypeName: 'Custom Integration',
			keyReference: '77',
			userFirstName: 'Robin',
			userLastName: 'Example',
			username: 'robin.example',
		},
	]);
}

/** What the tenant's administrators set up, and what a client checks its connection with. */
export const setupRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: '/activistCodes',
		query: ['statuses', 'name', 'type', ...PAGING_PARAMETERS],
		handle: (call) => page(call, filtered(call, call.store.setup.activistCodes)),
	},
	{
		method: 'GET',
		path: '/activistCodes/:activistCodeId',
		handle: (call) => {
			const wanted = numericId(call.params.activistCodeId);
			return found(call.store.setup.activistCodes.find((code) => code.activistCodeId === wanted));
		},
	},
	{
		method: 'GET',
		path: '/surveyQuestions',
		query: ['statuses', 'name', 'type', 'question', 'cycle', ...PAGING_PARAMETERS],
		handle: (call) => page(call, filtered(call, call.store.setup.surveyQuestions)),
	},
	{
		method: 'GET',
		path: '/surveyQuestions/:surveyQuestionId',
		handle: (call) => {
			const wanted = numericId(call.params.surveyQuestionId);
			return found(
				call.store.setup.surveyQuestions.find((question) => question.surveyQuestionId === wanted),
			);
		},
	},
	{
		method: 'GET',
		path: '/notes/categories',
		handle: () => ({ status: 200, body: [{ noteCategoryId: 1, name: 'General' }] }),
	},
	{ method: 'GET', path: '/apiKeyProfiles', handle: apiKeyProfile },
	{ method: 'POST', path: '/echoes', handle: echo },
];
