import { z } from 'zod';

import { conventionEndpoint, type Endpoint, endpoints } from './endpoints';
import { recordSchema } from './requestBody';
import { inTitleCase, locatorField } from './bodyField';
import { mappingTypeDescriptionSchema } from './mappingRules';

export type EntryId = string | number;

/** An entry of a list: what a field stores for it, and its name. */
export interface ListEntry {
	id: EntryId;
	name?: string | null | undefined;
	/** Shown in the editor in place of name and ID. */
	label?: string;
	/** What people also call it, e.g. `NH`. */
	shortNames?: string[];
	/** The ID of the record it belongs to, e.g. the question of a survey response. */
	parentId?: EntryId;
}

/** A list of the service: records that administrators set up, or values it accepts. */
export interface ListSource<Entry extends ListEntry = ListEntry> {
	endpoint: Endpoint;
	path?: Record<string, string>;
	/** The field beside it that chooses the record its entries belong to. */
	parent?: string;
	/** Names the list where each caller makes its source anew. */
	key?: string;
	/** Empty for an entry of another shape. */
	entriesOf: (entry: unknown) => Entry[];
}

const entrySchema = z.object({ id: z.union([z.number(), z.string()]), name: z.string().nullish() });
const textSchema = z.string().nullish().catch(null);

/** The entry of a record whose ID has this name. */
function entryOf(record: unknown, idName: string): ListEntry[] {
	const { [idName]: id, name, shortName, mediumName } = recordSchema.safeParse(record).data ?? {};
	const { data } = entrySchema.safeParse({ id, name });
	if (!data) return [];
	const shortNames = [shortName, mediumName].flatMap((short) => textSchema.parse(short) || []);
	return [{ ...data, ...(shortNames.length > 0 && { shortNames }) }];
}

/** A list of records, and what its field on the screen shows. */
interface RecordList extends ListSource {
	exampleId: string;
	exampleName: string;
	/** The search in the editor, if it is not that of the field's name. */
	searchListMethod?: string;
}

function recordList(
	endpoint: Endpoint,
	idName: string,
	exampleId: string,
	exampleName: string,
): RecordList {
	const entriesOf = (record: unknown): ListEntry[] => entryOf(record, idName);
	return { endpoint, entriesOf, exampleId, exampleName };
}

function names(endpoint: Endpoint): ListSource {
	return {
		endpoint,
		entriesOf: (entry) => {
			const name = recordSchema.safeParse(entry).data?.name ?? entry;
			return typeof name === 'string' ? [{ id: name }] : [];
		},
	};
}

const codes: RecordList = {
	...recordList(endpoints.listCodes, 'codeId', '77012', 'Spring appeal'),
	entriesOf: (record) =>
		entryOf(record, 'codeId').map((entry) => {
			const { codePath, codeType } = recordSchema.parse(record);
			const shown = textSchema.parse(codePath) ?? entry.name ?? String(entry.id);
			const type = textSchema.parse(codeType);
			return { ...entry, label: type ? `${shown} (${type})` : shown };
		}),
};

/** Follows the general conventions only; some deployments lack it (service.md 1.1). */
const listCampaigns = conventionEndpoint('GET', ['campaigns']);

const surveyResponses: RecordList = {
	...recordList(endpoints.listSurveyQuestions, 'surveyResponseId', '812', 'Strong support'),
	parent: 'surveyQuestionId',
	entriesOf: (question) =>
		entryOf(question, 'surveyQuestionId').flatMap(({ id: parentId, name: asked }) => {
			const responses: unknown = recordSchema.parse(question).responses;
			return (Array.isArray(responses) ? responses : [])
				.flatMap((response) => entryOf(response, 'surveyResponseId'))
				.map((entry) => ({ ...entry, parentId, label: `${asked}: ${entry.name} (${entry.id})` }));
		}),
};

/** Lists of records whose ID a field takes, by the name of its parameter: service.md 5.2, 5.3 and 6. */
export const recordLists = {
	activistCodeId: recordList(endpoints.listActivistCodes, 'activistCodeId', '7001', 'Volunteer'),
	campaignId: recordList(listCampaigns, 'campaignId', '1501', 'Spring'),
	codeId: codes,
	contactTypeId: recordList(endpoints.listContactTypes, 'contactTypeId', '2', 'Walk'),
	inputTypeId: recordList(endpoints.listInputTypes, 'inputTypeId', '11', 'API'),
	parentCodeId: {
		...codes,
		searchListMethod: 'searchTagCodes',
		// Only tags have a parent, which is a tag.
		entriesOf: (record: unknown) =>
			recordSchema.safeParse(record).data?.codeType === 'SourceCode' ? [] : codes.entriesOf(record),
		exampleId: '501',
		exampleName: 'Programmes',
	},
	resultCodeId: recordList(endpoints.listResultCodes, 'resultCodeId', '1', 'Not Home'),
	surveyQuestionId: recordList(endpoints.listSurveyQuestions, 'surveyQuestionId', '81', 'Support'),
	surveyResponseId: surveyResponses,
};

export function recordField(name: keyof typeof recordLists, description: string) {
	const displayName = inTitleCase(name.replace(/Id$/, ''));
	const { exampleId, exampleName, ...list }: RecordList = recordLists[name];
	const searchListMethod = list.searchListMethod ?? `search${displayName.replace(' ', '')}s`;
	return locatorField(name, { displayName, description, searchListMethod, exampleId, exampleName });
}

export const codeTypes = names(endpoints.listCodeTypes);
export const supportedEntityNames = names(endpoints.listSupportedEntities);
export const resourceTypes = names(endpoints.listBulkImportResources);

export const mappingTypes = {
	endpoint: endpoints.listBulkImportMappingTypes,
	entriesOf: (entry: unknown) => {
		const { data } = mappingTypeDescriptionSchema.safeParse(entry);
		return data ? [{ id: data.name, name: data.displayName, description: data }] : [];
	},
} satisfies ListSource;

/** A predefined value of a field, which a file names by its ID. */
const fieldValueSchema = entrySchema.extend({ id: entrySchema.shape.id.nullish() });

export function fieldValues(mappingTypeName: string, fieldName: string): ListSource {
	return {
		endpoint: endpoints.listBulkImportFieldValues,
		path: { mappingTypeName, fieldName },
		key: `values of ${mappingTypeName} ${fieldName}`,
		entriesOf: (entry) => {
			const { id, name } = fieldValueSchema.safeParse(entry).data ?? {};
			const written = id ?? name;
			return written === null || written === undefined ? [] : [{ id: written, name }];
		},
	};
}

/** An entry in the editor: its name with the ID, because names are not unique. */
export function entryLabel({ id, name, label }: ListEntry): string {
	if (label !== undefined) return label;
	return name && name !== id ? `${name} (${id})` : String(id);
}
