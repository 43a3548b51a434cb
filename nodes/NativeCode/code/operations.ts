import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { asItems, type ItemContext, type NodeOperation } from '../../shared/execution/operation';
import { showHint } from '../../shared/execution/showHint';
import { getManyOperation, textFilter } from '../../shared/operations/getMany';
import { fieldsOrJson, problemsOnScreen, usingFields } from '../../shared/parameters/bodyForm';
import { simplifyFields, simplifyIfAsked } from '../../shared/parameters/simplify';
import { byLabel, screenFields, withScreen } from '../../shared/service/bodyField';
import type { BodyProblem } from '../../shared/service/bodyProblem';
import {
	clearableFields,
	codeForm,
	codeIdField,
	codeRecordSchema,
	createdCodeId,
	DEFAULT_CODE_TYPE,
	hidesSupportedEntities,
	isSourceCode,
	mergedCode,
} from '../../shared/service/code';
import { endpoints, prepareCall } from '../../shared/service/endpoints';
import { throwIfAny } from '../../shared/service/invalidInput';
import { sameName } from '../../shared/service/nearestName';
import { isObject, recordSchema } from '../../shared/service/requestBody';
import { ServiceError } from '../../shared/service/serviceErrors';
import {
	codeInput,
	codeTypeProblems,
	type CodeUpdate,
	codeUpdateInput,
	entityProblems,
} from './codeInput';

const { codeType, name, description, parentCodeId, supportedEntities, ...metadata } =
	codeForm.fields;

/** Sections of a code returned only on request: service.md 6.1. */
const expandField: INodeProperties = {
	displayName: 'Sections to Include',
	name: 'expand',
	type: 'multiOptions',
	options: [{ name: 'Supported Entities', value: 'supportedEntities' }],
	default: ['supportedEntities'],
	description: 'Additional sections to return. Others are null.',
};

export const getOperation: NodeOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get code',
	description: 'Read a code by its ID',
	calls: [endpoints.getCode],
	properties: [codeIdField, ...simplifyFields],
	options: [expandField],
	async run({ parameters, service }) {
		const codeId = parameters.id('codeId');
		const values = {
			path: { codeId },
			query: { $expand: parameters.in('options').names('expand').join(',') },
		};
		const code = await service.read(endpoints.getCode, values, recordSchema);
		return asItems(simplifyIfAsked(parameters, code));
	},
};

export const getAllOperation = getManyOperation({
	entries: 'codes',
	description: 'List codes, all or those that match the filters',
	list: endpoints.listCodes,
	holds: 'sparseRecords',
	filters: [
		{ ...codeType.screen, name: 'codeType', description: 'Only codes of this type' },
		expandField,
		textFilter('Name', 'name', 'Spring', 'Only codes whose name contains this text'),
		{ ...parentCodeId.screen, description: 'Only codes directly under this code' },
		textFilter(
			'Supported Entities',
			'supportedEntities',
			'Events,Locations',
			'Only codes for one of these kinds of records, separated by commas',
		),
	],
	query: (filters) => ({
		name: filters.text('name'),
		parentCodeId: filters.text('parentCodeId') && filters.id('parentCodeId'),
		codeType: filters.text('codeType'),
		supportedEntities: filters.names('supportedEntities').join(','),
		$expand: filters.names('expand').join(','),
	}),
});

export const createOperation: NodeOperation = {
	value: 'create',
	name: 'Create',
	action: 'Create code',
	description: 'Create a source code or a tag, e.g. for an event or an appeal',
	calls: [endpoints.listCodeTypes, endpoints.listSupportedEntities, endpoints.createCode],
	properties: [
		...fieldsOrJson(
			codeForm,
			'The code, with the property names that the service uses, e.g. {"name": "Spring appeal", "codeType": "SourceCode", "campaign": {"campaignId": 1501}}',
		),
		...usingFields(codeForm, [
			...screenFields({ codeType, name: withScreen(name, { required: true }), description }),
			...screenFields({ parentCodeId, supportedEntities }).map((field) => ({
				...field,
				displayOptions: { show: { codeType: ['Tag'] } },
			})),
			{
				displayName: 'Source Code Metadata',
				name: 'sourceCodeMetadata',
				type: 'collection',
				placeholder: 'Add Metadata',
				default: {},
				displayOptions: { show: { codeType: ['SourceCode'] } },
				description: 'What the source code belongs to. Used for source codes only.',
				options: byLabel(screenFields(metadata)),
			},
		]),
	],
	async write(item) {
		const { service } = item;
		const code = codeInput(item);
		const problems = [
			...(await codeTypeProblems(service, code.codeType)),
			...(await entityProblems(service, code.supportedEntities)),
		];
		throwIfAny(problemsOnScreen(item.parameters, codeForm, problems));
		return {
			call: prepareCall(endpoints.createCode, { path: {}, body: code }),
			output: (response, call) => {
				const codeId = createdCodeId(response) ?? null;
				if (codeId === null && response.status !== 201)
					throw service.unusableResponse(
						call,
						response,
						'a response without the ID of the new code',
					);
				if (codeId === null)
					showHint(
						item.functions,
						`The service created the code "${code.name}", but did not return its ID. Find it with Get Many.`,
					);
				const body = service.redactor.value(response.body);
				return { ...code, ...(isObject(body) && body), codeId };
			},
		};
	},
};

/**
 * The current code with the changes of an item. Throws InvalidInput, and ServiceError if the update would
 * lose a part of the code.
 */
async function mergeIntoCurrent(
	{ parameters, service }: ItemContext,
	codeId: number,
	{ changes, clear }: CodeUpdate,
): Promise<IDataObject> {
	const values = { path: { codeId }, query: { $expand: 'supportedEntities' } };
	const current = await service.read(endpoints.getCode, values, codeRecordSchema);
	if (hidesSupportedEntities(current, changes, clear)) {
		throw new ServiceError({
			message: `The service did not return the supported entities of code ${codeId}`,
			description:
				'Nothing was changed, because the update would have cleared them. Enter them in Supported Entities, or choose them under Clear Fields.',
			request: service.describe(prepareCall(endpoints.getCode, values)),
		});
	}
	const codeType = current.codeType ?? DEFAULT_CODE_TYPE;
	const { codeType: given = codeType, supportedEntities } = changes;
	const text = `cannot be changed from ${codeType} to ${given}. Leave it out, or create a new code of that type.`;
	const problems: BodyProblem[] = sameName(given, codeType) ? [] : [{ path: ['codeType'], text }];
	if (problems.length === 0 && !isSourceCode(codeType))
		problems.push(...(await entityProblems(service, supportedEntities)));
	throwIfAny(problemsOnScreen(parameters, codeForm, problems));
	return mergedCode(current, changes, clear) as IDataObject;
}

const changeableFields = {
	name,
	description,
	parentCodeId,
	supportedEntities: withScreen(supportedEntities, {
		description:
			'The kinds of records the tag can be put on. They replace those it has now. Source codes have a fixed set: for them, this is not sent.',
	}),
	...metadata,
};

export const updateOperation: NodeOperation = {
	value: 'update',
	name: 'Update',
	action: 'Update code',
	description: 'Change some properties of a code and leave all others as they are',
	calls: [
		endpoints.getCode,
		endpoints.listCodeTypes,
		endpoints.listSupportedEntities,
		endpoints.updateCode,
	],
	properties: [
		codeIdField,
		...fieldsOrJson(
			codeForm,
			'The properties to change, with the same names as when a code is created. All others stay as they are. The code type cannot be changed.',
		),
		...usingFields(codeForm, [
			{
				displayName: 'Update Fields',
				name: 'updateFields',
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
				description:
					'What to change. A field that is not here, or is empty, stays as it is. The code type cannot be changed.',
				options: byLabel(screenFields(changeableFields)),
			},
		]),
		{
			displayName: 'Clear Fields',
			name: 'clearFields',
			type: 'multiOptions',
			options: byLabel(clearableFields).map(({ name, displayName }) => ({
				name: displayName,
				value: name,
			})),
			default: [],
			description: 'Fields to clear',
		},
	],
	write(item) {
		const codeId = item.parameters.id('codeId');
		const update = codeUpdateInput(item);
		return {
			call: prepareCall(endpoints.updateCode, { path: { codeId } }),
			complete: async (call) => ({ ...call, body: await mergeIntoCurrent(item, codeId, update) }),
			output: (_, { body }) => ({ ...(isObject(body) && body), codeId, updated: true }),
		};
	},
};

/** Source: service.md 6.2. */
function addInUseHint(error: ServiceError): ServiceError {
	const { description, httpCode } = error.details;
	if (httpCode !== 403) return error;
	return error.with({
		description: `The service also returns 403 for a code that is in use: on records, or with codes under it. ${description}`,
	});
}

export const deleteOperation: NodeOperation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete code',
	description: 'Delete a code that is not in use',
	calls: [endpoints.deleteCode],
	properties: [codeIdField],
	write({ parameters }) {
		const codeId = parameters.id('codeId');
		return {
			call: prepareCall(endpoints.deleteCode, { path: { codeId } }),
			output: () => ({ codeId, deleted: true }),
			addHint: addInUseHint,
		};
	},
};
