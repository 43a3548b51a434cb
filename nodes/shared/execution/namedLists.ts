import type { ZodType, ZodTypeDef } from 'zod';

import { conventionCall, type Endpoint, endpoints } from '../service/endpoints';
import {
	activistCodeSchema,
	campaignSchema,
	codeEntrySchema,
	contactTypeSchema,
	inputTypeSchema,
	resultCodeSchema,
	surveyQuestionSchema,
} from '../service/lookups';

type Id = string | number;

/** A record that a field refers to by its ID. */
export interface NamedEntry {
	id: Id;
	name: string | null | undefined;
	/** The survey question of a survey response. */
	questionId?: Id;
}

/** A list of the service whose entries can be chosen in the editor or named in an expression. */
export interface NamedList {
	/** Label of the field that refers to an entry. */
	label: string;
	endpoint: Endpoint;
	path: Record<string, string>;
	/** False for bare arrays, which take no paging options (service.md 1.2). */
	paged: boolean;
	/** Empty for an entry of another shape. */
	entriesOf: (entry: unknown) => NamedEntry[];
}

function list<T>(
	label: string,
	endpoint: Endpoint,
	paged: boolean,
	shape: ZodType<T, ZodTypeDef, unknown>,
	toEntries: (entry: T) => NamedEntry[],
): NamedList {
	return {
		label,
		path: {},
		endpoint,
		paged,
		entriesOf: (entry) => {
			const { data } = shape.safeParse(entry);
			return data === undefined ? [] : toEntries(data);
		},
	};
}

const codes = (label: string): NamedList =>
	list(label, endpoints.listCodes, true, codeEntrySchema, ({ codeId: id, name }) => [{ id, name }]);

/** Follows the general conventions only; some deployments lack it (service.md 1.1). */
const campaigns = conventionCall('GET', ['campaigns']);

/** By the name of the parameter that holds the ID. */
export const namedLists = {
	activistCodeId: list(
		'Activist Code',
		endpoints.listActivistCodes,
		true,
		activistCodeSchema,
		({ activistCodeId: id, name }) => [{ id, name }],
	),
	campaignId: {
		...list('Campaign', campaigns.endpoint, true, campaignSchema, ({ campaignId: id, name }) => [
			{ id, name },
		]),
		path: campaigns.path,
	},
	codeId: codes('Code'),
	contactTypeId: list(
		'Contact Type',
		endpoints.listContactTypes,
		false,
		contactTypeSchema,
		({ contactTypeId: id, name }) => [{ id, name }],
	),
	inputTypeId: list(
		'Input Type',
		endpoints.listInputTypes,
		false,
		inputTypeSchema,
		({ inputTypeId: id, name }) => [{ id, name }],
	),
	parentCodeId: codes('Parent Code'),
	resultCodeId: list(
		'Result Code',
		endpoints.listResultCodes,
		false,
		resultCodeSchema,
		({ resultCodeId: id, name }) => [{ id, name }],
	),
	surveyQuestionId: list(
		'Survey Question',
		endpoints.listSurveyQuestions,
		true,
		surveyQuestionSchema,
		({ surveyQuestionId: id, name }) => [{ id, name }],
	),
	surveyResponseId: list(
		'Survey Response',
		endpoints.listSurveyQuestions,
		true,
		surveyQuestionSchema,
		({ surveyQuestionId: questionId, responses }) =>
			(responses ?? []).map(({ surveyResponseId: id, name }) => ({ id, name, questionId })),
	),
} satisfies Record<string, NamedList>;

export type NamedField = keyof typeof namedLists;
